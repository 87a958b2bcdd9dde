//! Bad input: binary, too large, symlink loops, unreadable, minified, or written by a foreign version.

use plimsoll_code::search::Reader;
use plimsoll_code::{SkipReason, Store};

use crate::common::{Project, found};

#[test]
fn skipped_files_are_counted_and_named() {
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
    let count = |why: SkipReason| report.left_out.get(&why).map_or(0, |left| left.count);
    assert_eq!(store.stats().unwrap().files, 2, "{report:?}");
    assert_eq!(count(SkipReason::Dependencies), 1);
    assert_eq!(count(SkipReason::Ignored), 2);
    assert_eq!(count(SkipReason::Binary), 2);
    assert_eq!(count(SkipReason::Unknown), 1);
    assert_eq!(count(SkipReason::Nested), 1);
    assert_eq!(report.left_out[&SkipReason::Ignored].first, ["deep/gone.rs", "out"]);
}

#[test]
fn tool_settings_in_hidden_files_belong_to_the_project() {
    let settings = [
        ".circleci/config.yml",
        ".eslintrc.cjs",
        ".github/workflows/test.yml",
        ".golangci.yml",
        ".rubocop.yml",
        "docs/.vitepress/config.ts",
    ];
    let files = settings.map(|path| (path, "x: 1\n"));
    let left_out = [
        ".env.yml",
        ".ssh/a.yml",
        // Keys and secrets beside settings.
        ".ci/.env",
        ".ci/deploy.pem",
        ".ci/id_rsa",
        ".ci/production.env",
        ".ci/store.p12",
        ".devcontainer/server.key",
        // What VitePress writes there.
        "docs/.vitepress/cache/deps/vue.js",
        "docs/.vitepress/dist/app.js",
    ]
    .map(|path| (path, "x: 1\n"));
    let project = Project::new(&[&files[..], &left_out[..]].concat());
    let (_, reader) = project.indexed();
    let found: Vec<&str> = reader.files().iter().map(|file| file.path.as_str()).collect();
    assert_eq!(found, settings);
}

#[cfg(unix)]
#[test]
fn circular_links_end() {
    let project = Project::new(&[("src/a.rs", "fn a() {}\n")]);
    std::os::unix::fs::symlink(project.root(), project.root().join("src/loop")).unwrap();
    let mut store = project.store("x");
    let report = project.update(&mut store);
    assert_eq!(report.added, 1);
    assert_eq!(report.left_out[&SkipReason::Symlink].count, 1);
}

#[test]
fn unusual_texts_are_still_found() {
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
fn an_index_of_another_version_is_rebuilt() {
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

/// Every sample of every language, with something torn out or put in at many places: each text is read, in time, and what is
/// whole around the damage is found.
#[test]
fn intact_definitions_survive_syntax_errors() {
    let samples =
        std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/fixtures/languages");
    let mut all = 0;
    for entry in std::fs::read_dir(samples).unwrap() {
        let path = entry.unwrap().path();
        let (name, text) =
            (path.file_name().unwrap().to_str().unwrap(), std::fs::read_to_string(&path).unwrap());
        let whole = plimsoll_code::analyse::analyse(name, text.as_bytes()).outline.symbols.len();
        let mut found = 0;
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(37).collect();
        for at in &places {
            for damage in ["}", "{", "(((", "\"", "<<<<<<< HEAD\n"] {
                let broken = format!("{}{damage}{}", &text[..*at], &text[*at..]);
                let analysis = plimsoll_code::analyse::analyse(name, broken.as_bytes());
                assert!(!analysis.chunks.is_empty(), "{name} at {at}: {damage}");
                found += analysis.outline.symbols.len();
                all += 1;
            }
        }
        // A bracket too many or too few hides some, seldom most.
        let mean = found as f64 / (places.len() * 5) as f64;
        assert!(mean > whole as f64 * 0.3, "{name}: {mean:.1} of {whole} definitions are left");
    }
    assert!(all > 500, "{all}");
}

/// Each name was resolved through all its containers, from the root of its tree on.
#[test]
fn deeply_nested_code_is_read_in_time() {
    let count = 2_000;
    let began = std::time::Instant::now();
    let blocks: String = (0..count).map(|n| format!("{{\nconst deep{n} = 1;\n")).collect();
    let text = format!("{blocks}{}", "}\n".repeat(count));
    let found = plimsoll_code::analyse::analyse("a.js", text.as_bytes()).outline.symbols;
    assert_eq!(found.len(), count);
    let path = vec!["A"; count].join("::");
    plimsoll_code::analyse::analyse("a.rb", path.as_bytes());
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
    // Each lists all its containers.
    let classes = format!("{}{}", "class A {\n".repeat(count), "}\n".repeat(count));
    let found = plimsoll_code::analyse::analyse("A.java", classes.as_bytes()).outline.symbols;
    assert_eq!(found.len(), 100);
}

#[test]
fn a_hundred_megabytes_on_one_line_are_left_out_and_named() {
    let project = Project::new(&[("src/a.ts", "export function near() {}\n")]);
    let line = "a=1;".repeat(25 * 1024 * 1024);
    project.write("dist-copy/app.min.js", line.as_bytes());
    project.write("src/packed.js", &line.as_bytes()[..3_900_000]);
    let began = std::time::Instant::now();
    let mut store = project.store("x");
    let report = project.update(&mut store);
    assert_eq!(report.left_out[&SkipReason::Huge].first, ["dist-copy/app.min.js"]);
    assert_eq!(store.stats().unwrap().files, 2);
    // A long line among others that people wrote isn't a minified file.
    let picture = format!("LOGO = \"{}\"\n", "A".repeat(9_000));
    let functions: String = (0..50).map(|n| format!("def draw_{n}():\n    return LOGO[{n}]\n")).collect();
    project.write("src/icons.py", format!("{picture}{functions}").as_bytes());
    project.update(&mut store);
    assert_eq!(found(&store, &Reader::open(&store).unwrap(), "draw_8").first().unwrap(), "src/icons.py");
    let minified =
        store.languages().unwrap().into_iter().find(|(_, way, _)| *way == plimsoll_code::Parsed::Minified);
    assert_eq!(minified.map(|(_, _, files)| files), Some(1));
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(found(&store, &Reader::open(&store).unwrap(), "near").first().unwrap(), "src/a.ts");
}

/// A name of two words for a number, in letters.
fn tiny(number: usize) -> String {
    let letters: String = number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'k')).collect();
    format!("tiny_{letters}")
}

/// `PLIMSOLL_TEST_FILES=1000000` makes it a million.
#[test]
fn very_many_tiny_files_are_all_indexed() {
    let count: usize = std::env::var("PLIMSOLL_TEST_FILES").map_or(10_000, |count| count.parse().unwrap());
    let project = Project::new(&[]);
    for folder in 0..count.div_ceil(1_000) {
        std::fs::create_dir_all(project.root().join(format!("d{folder}"))).unwrap();
    }
    for n in 0..count {
        let path = project.root().join(format!("d{}/f{n}.py", n / 1_000));
        std::fs::write(path, format!("def {}():\n    return {n}\n", tiny(n))).unwrap();
    }
    let mut store = project.store("x");
    assert_eq!(project.update(&mut store).added, count as u64);
    let stats = store.stats().unwrap();
    assert_eq!((stats.files, stats.symbols), (count as u64, count as u64));
    let last = count - 1;
    let reader = Reader::open(&store).unwrap();
    assert_eq!(
        found(&store, &reader, &tiny(last)).first().unwrap(),
        &format!("d{}/f{last}.py", last / 1_000)
    );
    let again = project.update(&mut store);
    assert_eq!((again.added, again.changed, again.removed), (0, 0, 0));
}

#[cfg(unix)]
#[test]
fn circular_and_dangling_links_are_skipped() {
    use std::os::unix::fs::symlink;
    let project = Project::new(&[("a/x.rs", "fn x() {}\n"), ("b/y.rs", "fn y() {}\n")]);
    symlink("../b", project.root().join("a/to_b")).unwrap();
    symlink("../a", project.root().join("b/to_a")).unwrap();
    symlink("self.rs", project.root().join("self.rs")).unwrap();
    symlink("/nowhere/at/all.rs", project.root().join("gone.rs")).unwrap();
    let mut store = project.store("x");
    let report = project.update(&mut store);
    assert_eq!((report.added, report.left_out[&SkipReason::Symlink].count), (2, 4));
}

#[cfg(unix)]
#[test]
fn names_that_are_not_text_are_counted_and_case_distinguishes_files() {
    use std::os::unix::ffi::OsStrExt as _;
    let project = Project::new(&[
        ("src/Cart.ts", "export function upper() {}\n"),
        ("src/cart.ts", "export function lower() {}\n"),
        (
            "src/app.ts",
            "import { upper } from './Cart';\nimport { lower } from './cart';\nupper(); lower();\n",
        ),
        ("src/naïve/größe.py", "def groesse():\n    pass\n"),
    ]);
    let odd = project.root().join(std::ffi::OsStr::from_bytes(b"src/caf\xe9.py"));
    std::fs::write(odd, "def hidden():\n    pass\n").unwrap();
    let mut store = project.store("x");
    let report = project.update(&mut store);
    assert_eq!(report.left_out[&SkipReason::Odd].count, 1);
    let reader = Reader::open(&store).unwrap();
    assert_eq!(found(&store, &reader, "groesse").first().unwrap(), "src/naïve/größe.py");
    // A case-insensitive file system has only one of the two.
    if std::fs::read_dir(project.root().join("src")).unwrap().count() == 5 {
        assert_eq!(found(&store, &reader, "upper").first().unwrap(), "src/Cart.ts");
        let lines = |path: &str| store.import_lines(path).unwrap().into_iter().collect::<Vec<_>>();
        assert_eq!(lines("src/Cart.ts"), [("src/app.ts".to_owned(), 1)]);
        assert_eq!(lines("src/cart.ts"), [("src/app.ts".to_owned(), 2)]);
    }
}

#[test]
fn a_submodule_is_a_separate_project() {
    let project = Project::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("src/a.rs", "fn outside() {}\n"),
        ("third/.git", "gitdir: ../.git/modules/third\n"),
        ("third/b.rs", "fn inside() {}\n"),
    ]);
    let mut store = project.store("x");
    let report = project.update(&mut store);
    assert_eq!(
        (report.added, report.left_out[&SkipReason::Nested].first.as_slice()),
        (1, &["third".to_owned()][..])
    );
    let mut own = project.store("y");
    plimsoll_code::update(&mut own, &project.root().join("third"), &plimsoll_code::Options::default())
        .unwrap();
    assert_eq!(found(&own, &Reader::open(&own).unwrap(), "inside"), ["b.rs"]);
}

#[test]
fn a_database_that_is_being_created_does_not_count_yet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("code.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE other (x)").unwrap();
    assert!(Store::open_read_only(&path).unwrap().is_none());
}
