//! Bad input: what is no text, too large, linked in a circle, unreadable, minified or of a foreign version.

use plimsoll_code::search::Reader;
use plimsoll_code::{Store, Why};

use crate::common::{Project, found};

#[test]
fn what_is_left_out_is_counted_and_named() {
    let project = Project::new(&[
        ("src/a.rs", "fn a() {}\n"),
        ("node_modules/x/index.js", "x()\n"),
        ("out/b.rs", "fn b() {}\n"),
        (".gitignore", "out\n"),
        ("deep/.gitignore", "*.rs\n!keep.rs\n"),
        ("deep/gone.rs", "fn gone() {}\n"),
        ("deep/keep.rs", "fn keep() {}\n"),
        (".hidden/c.rs", "fn c() {}\n"),
        ("image.png", "x"),
        ("strange.xyz", "x"),
        ("nested/.git/HEAD", "x"),
        ("nested/d.rs", "fn d() {}\n"),
    ]);
    project.write("bytes.c", b"int a;\0\0\0");
    let mut store = project.store("x");
    let report = project.update(&mut store);
    let count = |why: Why| report.left_out.get(&why).map_or(0, |left| left.count);
    assert_eq!(store.stats().unwrap().files, 2, "{report:?}");
    assert_eq!(count(Why::Dependencies), 1);
    assert_eq!(count(Why::Ignored), 2);
    assert_eq!(count(Why::Binary), 2);
    assert_eq!(count(Why::Unknown), 1);
    assert_eq!(count(Why::Nested), 1);
    assert_eq!(report.left_out[&Why::Ignored].first, ["deep/gone.rs", "out"]);
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let project = Project::new(&[("src/a.rs", "fn a() {}\n")]);
    std::os::unix::fs::symlink(project.root(), project.root().join("src/loop")).unwrap();
    let mut store = project.store("x");
    let report = project.update(&mut store);
    assert_eq!(report.added, 1);
    assert_eq!(report.left_out[&Why::Symlink].count, 1);
}

#[test]
fn odd_texts_are_found_all_the_same() {
    let project = Project::new(&[
        ("crlf.py", "def carriage():\r\n    return 1\r\n"),
        ("broken.rs", "fn broken( {{{ }\nfn mended() {}\n"),
        ("bom.ts", "\u{feff}export function marked() {}\n"),
    ]);
    project.write("latin.py", b"# caf\xe9\ndef latin():\n    pass\n");
    project.write("app.min.js", format!("function tiny(){{}};{}", "a=1;".repeat(100_000)).as_bytes());
    let (store, reader) = project.indexed();
    for (name, path) in [
        ("carriage", "crlf.py"),
        ("mended", "broken.rs"),
        ("marked", "bom.ts"),
        ("latin", "latin.py"),
        ("tiny", "app.min.js"),
    ] {
        assert_eq!(found(&store, &reader, name).first().map(String::as_str), Some(path), "{name}");
    }
}

#[test]
fn an_index_of_another_version_is_made_anew() {
    let project = Project::new(&[("a.rs", "fn a() {}\n")]);
    let mut store = project.store("x");
    project.update(&mut store);
    let path = store.path().to_owned();
    drop(store);
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute("UPDATE facts SET value = '0' WHERE name = 'format'", [])
        .unwrap();
    assert!(Store::open_read_only(&path).unwrap().is_none());
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.stats().unwrap().files, 0);
    assert_eq!(project.update(&mut store).added, 1);
    assert!(Reader::open(&store).unwrap().is_current(&store).unwrap());
}

#[test]
fn a_question_without_words_is_an_error_and_not_an_empty_answer() {
    let project = Project::new(&[("a.rs", "fn a() {}\n")]);
    let (store, reader) = project.indexed();
    let request = plimsoll_code::search::Request { query: "***".to_owned(), limit: 5, ..Default::default() };
    let error = plimsoll_code::search::search(&store, &reader, &request).unwrap_err();
    assert!(error.to_string().contains("no word to look for"));
    let request = plimsoll_code::search::Request {
        query: "alpha".to_owned(),
        language: Some("klingon".to_owned()),
        limit: 5,
        ..Default::default()
    };
    let error = plimsoll_code::search::search(&store, &reader, &request).unwrap_err();
    assert!(error.to_string().contains("no language `klingon`"), "{error}");
}
