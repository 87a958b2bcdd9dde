//! Method calls by the receiver's type, in statically typed languages. The expected types follow `//=` in the fixtures: those whose
//! method is called, `-` for none of the project's, `?` for unknown.

use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;

fn check(files: &[(&str, &str)], name: &str, ending: &str) {
    let project = Project::new(files);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    let mut wrong = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(ending)) {
        for (line, row) in (1..).zip(text.lines()) {
            let Some((_, expected)) = row.split_once("//= ") else { continue };
            let one = found.uses.iter().find(|u| u.path == *path && u.line == line).unwrap();
            let mut of: Vec<&str> = one.of.iter().map(|i| found.definitions[*i].container.as_str()).collect();
            of.sort_unstable();
            let mut wanted: Vec<&str> = expected.split_whitespace().collect();
            wanted.sort_unstable();
            let as_expected = match (expected, one.confidence) {
                ("-", confidence) => confidence == Confidence::Textual,
                ("?", confidence) => confidence == Confidence::InScope,
                (_, confidence) => confidence == Confidence::Resolved && of == wanted,
            };
            if !as_expected {
                wrong.push(format!("{path}:{line} {} → {:?} {of:?}", row.trim(), one.confidence));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn go_follows_declarations_results_fields_and_interfaces() {
    check(
        &[
            ("go.mod", include_str!("../fixtures/references/go/go.mod")),
            ("store/store.go", include_str!("../fixtures/references/go/store/store.go")),
            ("main.go", include_str!("../fixtures/references/go/main.go")),
        ],
        "Close",
        ".go",
    );
}

#[test]
fn rust_follows_functions_fields_patterns_traits_and_macros() {
    check(
        &[
            ("Cargo.toml", include_str!("../fixtures/references/rust/Cargo.toml")),
            ("src/lib.rs", include_str!("../fixtures/references/rust/src/lib.rs")),
            ("src/both.rs", include_str!("../fixtures/references/rust/src/both.rs")),
            ("src/both/tests.rs", include_str!("../fixtures/references/rust/src/both/tests.rs")),
            ("src/request.rs", include_str!("../fixtures/references/rust/src/request.rs")),
            ("src/response.rs", include_str!("../fixtures/references/rust/src/response.rs")),
            ("src/uses.rs", include_str!("../fixtures/references/rust/src/uses.rs")),
        ],
        "finish",
        ".rs",
    );
}
