//! Properties: incremental equals fresh, results don't depend on the run or the number of threads, every line is in one chunk, any
//! bytes are read safely.

use std::cell::RefCell;
use std::path::Path;

use plimsoll_code::analyse::{analyse, analyse_within};
use plimsoll_code::search::{Reader, Refreshed};
use plimsoll_code::{Options, Store, freshness, update, update_only};
use proptest::prelude::*;

use crate::common::{Project, answers, dump};

const PATHS: &[&str] = &[
    "src/a.ts",
    "src/b.ts",
    "src/deep/c.ts",
    "lib/d.py",
    "lib/e.py",
    "main.rs",
    "net.rs",
    "notes.md",
    "gen/x.dart",
    "tsconfig.json",
];
const QUERIES: &[&str] = &["read config", "parseHeader", "how does the cache work", "import"];

fn text(seed: u8, path: &str) -> String {
    let name = ["parseHeader", "readConfig", "Cache", "routeRequest"][usize::from(seed % 4)];
    let other = ["./b", "./deep/c", "../a", "@/b"][usize::from(seed % 4)];
    match path.rsplit('.').next() {
        Some("ts") => format!(
            "import {{ x }} from '{other}';\nexport function {name}(a) {{\n  return a + {seed};\n}}\n"
        ),
        Some("py") => {
            format!("from . import e\n\ndef {name}(a):\n    # read the config\n    return {seed}\n")
        }
        Some("rs") => format!("mod net;\npub fn {name}() -> u8 {{ {seed} }}\n"),
        // A manifest says what the names in other files mean.
        Some("json") => {
            let folder = ["src", "src/deep"][usize::from(seed % 2)];
            format!(r#"{{"compilerOptions": {{"paths": {{"@/*": ["{folder}/*"]}}}}}}"#)
        }
        _ => format!("# {name}\n\nhow the cache works {seed}\n"),
    }
}

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, u8),
    Remove(usize),
    Ignore(usize),
    /// One file that is known to have changed alone.
    Only(usize, u8),
    /// The same, written beside the old one and put in its place, which changes its folder's time.
    Replaced(usize, u8),
    Update,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let one = prop_oneof![
        5 => (0..PATHS.len(), any::<u8>()).prop_map(|(p, s)| Edit::Write(p, s)),
        2 => (0..PATHS.len()).prop_map(Edit::Remove),
        1 => (0..PATHS.len()).prop_map(Edit::Ignore),
        3 => (0..PATHS.len(), any::<u8>()).prop_map(|(p, s)| Edit::Only(p, s)),
        2 => (0..PATHS.len(), any::<u8>()).prop_map(|(p, s)| Edit::Replaced(p, s)),
        3 => Just(Edit::Update),
    ];
    prop::collection::vec(one, 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn incremental_equals_fresh(edits in edits()) {
        let project = Project::new(&[("src/a.ts", "export const a = 1;\n")]);
        let mut store = project.store("incremental");
        project.update(&mut store);
        // A reader that stayed open has the same contents as one opened now.
        let other = Store::open_read_only(store.path()).unwrap().unwrap();
        let mut held = Reader::open(&other).unwrap();
        for (i, edit) in edits.iter().enumerate() {
            match edit {
                Edit::Write(path, seed) => project.write(PATHS[*path], text(*seed, PATHS[*path]).as_bytes()),
                Edit::Remove(path) => project.remove(PATHS[*path]),
                Edit::Ignore(path) => project.write(".gitignore", format!("/{}\n", PATHS[*path]).as_bytes()),
                Edit::Only(path, seed) | Edit::Replaced(path, seed) => {
                    project.update(&mut store);
                    held.refresh(&other).unwrap();
                    let (path, text) = (PATHS[*path], text(*seed, PATHS[*path]));
                    let mut only = vec![path.to_owned()];
                    if matches!(edit, Edit::Only(..)) {
                        project.write(path, text.as_bytes());
                    } else {
                        project.write("new.tmp", text.as_bytes());
                        let target = project.root().join(path);
                        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
                        std::fs::rename(project.root().join("new.tmp"), target).unwrap();
                        only.extend(["".to_owned(), path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()]);
                    }
                    update_only(&mut store, &project.root(), &only, &Options::default()).unwrap();
                    // Nothing else is needed for the index to be as it would be made.
                    let mut fresh = project.store(&format!("fresh{i}"));
                    project.update(&mut fresh);
                    prop_assert_eq!(dump(store.path(), QUERIES), dump(fresh.path(), QUERIES));
                }
                Edit::Update => { project.update(&mut store); }
            }
            held.refresh(&other).unwrap();
            let opened = Reader::open(&other).unwrap();
            prop_assert_eq!(held.files(), opened.files());
            prop_assert_eq!(answers(&other, &held, QUERIES), answers(&other, &opened, QUERIES));
            prop_assert_eq!(freshness::changes(&held, &project.root()), freshness::changes(&opened, &project.root()));
        }
        project.update(&mut store);
        let mut fresh = project.store("fresh");
        update(&mut fresh, &project.root(), &Options { threads: 1, ..Options::default() }).unwrap();
        prop_assert_eq!(dump(store.path(), QUERIES), dump(fresh.path(), QUERIES));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_indexed_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), ending in 0usize..20) {
        let endings = ["ts", "tsx", "js", "py", "java", "kt", "c", "h", "cpp", "cs", "go", "rs", "php", "rb", "swift", "scala", "sh", "vue", "md", "dart"];
        analyse(&format!("x.{}", endings[ending]), &bytes);
    }

    #[test]
    fn every_line_is_in_one_chunk(lines in prop::collection::vec("(fn|def|class|if|\\}|\\{|let|//|#)? ?[a-z(){};=:. ]{0,60}", 0..120), ending in 0usize..6) {
        let text = lines.join("\n");
        let path = format!("x.{}", ["ts", "py", "rs", "go", "java", "md"][ending]);
        let analysis = analyse(&path, text.as_bytes());
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let n = u32::try_from(i + 1).unwrap();
            let within = analysis.chunks.iter().filter(|c| c.start_line <= n && n <= c.end_line).count();
            prop_assert_eq!(within, 1, "line {} of {}: {:?}", n, path, line);
        }
        prop_assert_eq!(&analysis, &analyse(&path, text.as_bytes()));
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let project = Project::new(&[]);
    for (i, path) in PATHS.iter().enumerate() {
        project.write(path, text(u8::try_from(i).unwrap(), path).as_bytes());
    }
    let dumps: Vec<String> = [1, 4]
        .map(|threads| {
            let mut store = project.store(&format!("with{threads}"));
            update(&mut store, &project.root(), &Options { threads, ..Options::default() }).unwrap();
            dump(store.path(), QUERIES)
        })
        .to_vec();
    assert_eq!(dumps[0], dumps[1]);
}

#[test]
fn nothing_is_read_again_without_need() {
    let project = Project::new(&[("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\n")]);
    let mut store = project.store("x");
    let late = Options { now_ns: i64::MAX, ..Options::default() };
    let first = update(&mut store, &project.root(), &late).unwrap();
    assert_eq!((first.added, first.changed, first.unchanged), (2, 0, 0));
    project.write("b.rs", b"fn c() { let longer = 1; }\n");
    let second = update(&mut store, &project.root(), &late).unwrap();
    assert_eq!((second.added, second.changed, second.removed, second.unchanged), (0, 1, 0, 1));
    project.remove("a.rs");
    let third = update(&mut store, &project.root(), &late).unwrap();
    assert_eq!((third.removed, third.unchanged), (1, 1));
}

#[test]
fn a_text_too_expensive_to_parse_is_indexed_by_lines() {
    let text = format!("<?php\n{}\n", "$a = array(1 => $b ? $c : $d ?? [\n".repeat(2_000));
    let analysis = analyse_within("x.php", text.as_bytes(), 0);
    assert_eq!(analyse_within("x.php", text.as_bytes(), 0), analysis);
    assert!(!analysis.chunks.is_empty());
    // With the limit that counts, a small text that cannot be parsed at all ends as well.
    let odd = "((((((((((<<<<<<<<{{{{{{{{".repeat(4_000);
    for ending in ["php", "cpp", "ts", "kt", "swift", "scala", "rb"] {
        let analysis = analyse(&format!("x.{ending}"), odd.as_bytes());
        assert!(!analysis.chunks.is_empty(), "{ending}");
    }
}

#[test]
fn changes_are_noticed_without_reading_a_file() {
    let project = Project::new(&[
        ("a.rs", "fn a() {}\n"),
        ("deep/b.rs", "fn b() {}\n"),
        (".gitignore", "*.log\n"),
        ("blob", "\0\0"),
    ]);
    let mut store = project.store("x");
    let settled = Options { now_ns: i64::MAX, ..Options::default() };
    let changes = |store: &mut Store| {
        let changes = freshness::changes(&Reader::open(store).unwrap(), &project.root());
        update(store, &project.root(), &settled).unwrap();
        changes
    };
    update(&mut store, &project.root(), &settled).unwrap();
    assert!(changes(&mut store).is_empty());
    project.write("a.rs", b"fn longer() {}\n");
    assert_eq!(changes(&mut store).changed, ["a.rs"]);
    std::thread::sleep(std::time::Duration::from_millis(30));
    project.write("deep/new.rs", b"fn new() {}\n");
    assert_eq!(changes(&mut store).around, ["deep"]);
    std::thread::sleep(std::time::Duration::from_millis(30));
    project.remove("deep/b.rs");
    let gone = changes(&mut store);
    assert_eq!(
        (gone.gone.as_slice(), gone.around.as_slice()),
        (&["deep/b.rs".to_owned()][..], &["deep".to_owned()][..])
    );
    project.write(".gitignore", b"*.log\nnew.rs\n");
    assert_eq!(changes(&mut store).around, [".gitignore"]);
    // A file that wasn't text may have become one.
    project.write("blob", b"#!/bin/sh\necho\n");
    assert_eq!(changes(&mut store).around, ["blob"]);
    assert!(changes(&mut store).is_empty());
    // What is as young as the clock's tick may have changed again without another time.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let just = Options { now_ns: i64::try_from(now.as_nanos()).unwrap(), ..Options::default() };
    project.write("a.rs", b"fn again() {}\n");
    update(&mut store, &project.root(), &just).unwrap();
    assert!(
        freshness::changes(&Reader::open(&store).unwrap(), &project.root())
            .changed
            .contains(&"a.rs".to_owned())
    );
}

#[test]
fn only_the_changed_file_is_read() {
    let project = Project::new(&[
        ("src/a.ts", "export const a = 1;\n"),
        ("src/b.ts", "import { a } from './a';\n"),
        ("src/picture.png", "x"),
        ("src/blob", "\0\0"),
        (".gitignore", "*.log\n"),
    ]);
    let mut store = project.store("x");
    let settled = Options { now_ns: i64::MAX, ..Options::default() };
    update(&mut store, &project.root(), &settled).unwrap();
    let other = Store::open_read_only(store.path()).unwrap().unwrap();
    let mut held = Reader::open(&other).unwrap();
    let mut changed = |edit: &dyn Fn()| {
        std::thread::sleep(std::time::Duration::from_millis(30));
        edit();
        let changes = freshness::changes(&held, &project.root());
        assert!(!changes.is_empty());
        let paths: Vec<String> = [changes.changed, changes.gone, changes.around].concat();
        update_only(&mut store, &project.root(), &paths, &settled).unwrap();
        let renewed = held.refresh(&other).unwrap();
        assert!(freshness::changes(&held, &project.root()).is_empty(), "{paths:?}");
        renewed
    };
    assert_eq!(changed(&|| project.write("src/a.ts", b"export const longer = 1;\n")), Refreshed::Files(1));
    // As editors write: beside the old text, and put in its place.
    let replace = |path: &str, text: &str| {
        project.write("src/a.ts.tmp", text.as_bytes());
        std::fs::rename(project.root().join("src/a.ts.tmp"), project.root().join(path)).unwrap();
    };
    assert_eq!(changed(&|| replace("src/b.ts", "import { a, b } from './a';\n")), Refreshed::Files(1));
    // A folder whose time alone is another, and what isn't code, change no file.
    assert_eq!(changed(&|| project.write("src/other.png", b"y")), Refreshed::Files(0));
    // What comes or goes may change what any import means.
    assert_eq!(changed(&|| project.write("src/c.ts", b"export const c = 1;\n")), Refreshed::Everything);
    assert_eq!(changed(&|| project.remove("src/c.ts")), Refreshed::Everything);
    assert_eq!(changed(&|| project.write("src/.ignore", b"b.ts\n")), Refreshed::Everything);
    assert_eq!(changed(&|| project.write("src/deep/d.ts", b"export const d = 1;\n")), Refreshed::Everything);
    assert_eq!(changed(&|| project.write("src/deep/.git/HEAD", b"ref: x\n")), Refreshed::Everything);
    assert!(held.files().iter().all(|file| file.path != "src/deep/d.ts" && file.path != "src/b.ts"));
}

/// Finding the files of a large project takes a while; whoever asks meanwhile must not take the copy for this project's index.
#[test]
fn a_copy_of_another_checkouts_index_is_unfinished_before_files_are_looked_for() {
    let first = Project::new(&[("a.rs", "pub fn a() {}\n")]);
    let other = Project::new(&[("b.rs", "pub fn b() {}\n")]);
    let mut store = first.store("copy");
    first.update(&mut store);
    assert_eq!(store.fact("complete").unwrap().as_deref(), Some("true"));
    let reading = Store::open_read_only(store.path()).unwrap().unwrap();
    let seen = RefCell::new(Vec::new());
    let looks = |_: &Path| {
        seen.borrow_mut().push(reading.fact("complete").unwrap());
        false
    };
    update(&mut store, &other.root(), &Options { deny_read: &looks, ..Options::default() }).unwrap();
    let seen = seen.into_inner();
    assert!(!seen.is_empty() && seen.iter().all(|one| one.as_deref() == Some("false")), "{seen:?}");
    assert_eq!(store.fact("complete").unwrap().as_deref(), Some("true"));
}
