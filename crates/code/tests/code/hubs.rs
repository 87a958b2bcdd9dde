//! Which files a summary of the project names as the ones that most others import.

use plimsoll_code::Store;

use crate::common::Project;

fn hubs(store: &Store, most: usize) -> Vec<(String, u64)> {
    store.overview(most).unwrap().hubs
}

#[test]
fn hubs_do_not_depend_on_the_order_in_which_files_were_read() {
    let project = Project::new(&[]);
    let users = ["src/a.ts", "src/b.ts"];
    for user in users {
        let all: String = (0..20).map(|n| format!("import {{ x }} from './m{n:02}';\n")).collect();
        project.write(user, all.as_bytes());
    }
    let part = |n: usize| project.write(&format!("src/m{n:02}.ts"), b"export const x = 1;\n");
    (1..20).for_each(part);
    let mut store = project.store("incremental");
    project.update(&mut store);
    // Read last, and first by its path.
    part(0);
    project.update(&mut store);
    let (fresh, _) = project.indexed();
    assert_eq!(hubs(&store, 1), [("src/m00.ts".to_owned(), 2)]);
    for most in [1, 3, 20] {
        assert_eq!(hubs(&store, most), hubs(&fresh, most));
    }
}

#[test]
fn a_package_of_many_files_is_one_hub_and_leaves_room_for_others() {
    let project = Project::new(&[
        ("go.mod", "module example.com/g\n"),
        ("small/small.go", "package small\n"),
        ("a.go", "package main\n\nimport \"example.com/g/wide\"\nimport \"example.com/g/small\"\n"),
        ("b.go", "package main\n\nimport \"example.com/g/wide\"\nimport \"example.com/g/small\"\n"),
        ("c.go", "package main\n\nimport \"example.com/g/wide\"\n"),
    ]);
    for n in 0..40 {
        project.write(&format!("wide/f{n:02}.go"), b"package wide\n");
    }
    let (store, _) = project.indexed();
    assert_eq!(hubs(&store, 2), [("wide/".to_owned(), 3), ("small/".to_owned(), 2)]);
}
