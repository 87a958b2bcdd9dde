//! Members by the receiver's type. The expected types follow `//=` in the fixtures: those whose method is meant, `field:T` and
//! `variant:T` for what isn't a method, `-` for none of the project's, `?` for unknown.

use plimsoll_code::Kind;
use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;

fn check(files: &[(&str, &str)], name: &str, ending: &str) {
    let project = Project::new(files);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(ending)) {
        for (line, row) in (1..).zip(text.lines()) {
            let Some((_, expected)) = row.split_once("//= ").or_else(|| row.split_once("#= ")) else {
                continue;
            };
            let Some(one) =
                found.uses.iter().find(|u| u.path == *path && u.line == line && u.text.contains(name))
            else {
                continue;
            };
            let told = |i: &usize| {
                let of = &found.definitions[*i];
                match of.kind {
                    Kind::Field | Kind::Variant => format!("{}:{}", of.kind.name(), of.container),
                    _ => of.container.clone(),
                }
            };
            let mut of: Vec<String> = one.of.iter().map(told).collect();
            of.sort_unstable();
            let mut wanted: Vec<&str> = expected.split_whitespace().collect();
            wanted.sort_unstable();
            checked += 1;
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
    assert!(checked > 0, "nothing is expected of {name} in {ending}");
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

#[test]
fn fields_and_variants_are_told_apart_from_each_other_and_from_methods() {
    macro_rules! parts {
        ($($file:literal),*) => {
            &[$((concat!("src/", $file), include_str!(concat!("../fixtures/references/parts/", $file)))),*]
        };
    }
    let rust = ("src/lib.rs", "mod mode;\nmod modes;\nmod shape;\nmod r#use;\n");
    let mut files: Vec<(&str, &str)> = parts!(
        "shape.rs",
        "use.rs",
        "shape.go",
        "shape.ts",
        "shape.py",
        "shape.h",
        "shape.c",
        "mode.c",
        "mode.rs",
        "modes.rs",
        "Mode.java",
        "mode.ts"
    )
    .to_vec();
    files.push(rust);
    for ending in [".rs", ".go", ".ts", ".py", ".c"] {
        check(&files, "width", ending);
    }
    for ending in [".c", ".rs", ".java", ".ts"] {
        check(&files, "FAST", ending);
    }
}
