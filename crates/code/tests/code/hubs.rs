//! Which files a summary of the project names as the ones that most others import, and who imports what is in a folder.

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

#[test]
fn a_folders_importers_are_found_and_a_large_folder_is_only_sampled() {
    let project = Project::new(&[
        ("src/small/a.ts", "import { b } from './b';\nexport const a = b;\n"),
        ("src/small/b.ts", "export const b = 1;\n"),
        ("src/smaller.ts", "import { b } from './small/b';\nimport { b as c } from './small/b';\n"),
        (
            "src/app.ts",
            "import { x } from './large/m00';\nimport { x as y } from './large/m79';\n\nimport './small/a';\n",
        ),
    ]);
    let all: String = (0..80).map(|n| format!("import './m{n:02}';\n")).collect();
    for n in 0..80 {
        project.write(&format!("src/large/m{n:02}.ts"), format!("{all}export const x = 1;\n").as_bytes());
    }
    let (store, _) = project.indexed();
    let below = |folder: &str, most: usize| -> Vec<String> {
        let found = store.import_lines_below(folder, most).unwrap().into_iter();
        found.map(|(file, importer, line)| format!("{file} {importer}:{line}")).collect()
    };
    let small = ["src/small/a.ts src/app.ts:4", "src/small/b.ts src/smaller.ts:1"];
    assert_eq!(below("src/small", 10), small);
    assert_eq!(below("src/small", 1), small[..1]);
    assert_eq!(below("src/none", 10), [""; 0]);
    // Its files import each other on 6,320 lines.
    assert_eq!(below("src/large", 10), ["src/large/m00.ts src/app.ts:1"]);
}

#[test]
fn a_files_importers_are_found_and_very_many_are_only_sampled() {
    let project = Project::new(&[
        ("src/b.ts", "\nimport './a';\nimport { a } from './a';\n"),
        ("src/c.ts", "import './a';\nimport './all';\n"),
        ("src/a.ts", "export const a = 1;\n"),
        ("src/all.ts", "export const all = 1;\n"),
    ]);
    let many = "import './large';\n".repeat(1_500);
    for name in ["d", "e", "f", "g"] {
        project.write(&format!("src/{name}.ts"), many.as_bytes());
    }
    project.write("src/large.ts", b"export const large = 1;\n");
    let (store, _) = project.indexed();
    let importers = |path: &str| store.first_importers(path).unwrap();
    assert_eq!(importers("src/a.ts"), [("src/b.ts".to_owned(), 2), ("src/c.ts".to_owned(), 1)]);
    assert!(importers("src/none.ts").is_empty());
    let found = importers("src/large.ts");
    assert!(found.len() == 3 && found.iter().all(|(_, line)| *line == 1), "{found:?}");
    for (importer, imported, expected) in [
        ("src/b.ts", "src/a.ts", true),
        ("src/a.ts", "src/b.ts", false),
        ("src/b.ts", "src/all.ts", false),
        ("src/none.ts", "src/a.ts", false),
    ] {
        assert_eq!(store.has_import(importer, imported).unwrap(), expected, "{importer} {imported}");
    }
}
