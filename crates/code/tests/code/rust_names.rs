//! What a bare name of Rust means beside fields and variants of that name, and the fields that literals and patterns name.

use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;

const SHOP: &str = include_str!("../fixtures/references/rust_names/shop.rs");
const CODES: &str = include_str!("../fixtures/references/rust_names/codes.rs");

/// The files and lines of the sure uses of a name.
fn sure(name: &str) -> Vec<(String, u32)> {
    let files = [
        ("src/shop.rs", SHOP),
        ("src/codes.rs", CODES),
        ("src/lib.rs", "pub mod codes;\npub mod shop;\n"),
        ("Cargo.toml", "[package]\nname = \"till\"\n"),
    ];
    let project = Project::new(&files);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), name).unwrap();
    let sure = found.uses.into_iter().filter(|one| one.confidence == Confidence::Resolved);
    let mut lines: Vec<(String, u32)> = sure.map(|one| (one.path, one.line)).collect();
    lines.sort();
    lines.dedup();
    lines
}

/// The lines that end with the mark of a name.
fn marked(name: &str) -> Vec<(String, u32)> {
    let mut out = Vec::new();
    for (path, text) in [("src/codes.rs", CODES), ("src/shop.rs", SHOP)] {
        for (number, line) in (1..).zip(text.lines()) {
            let marks = line.split_once("//= ").map_or("", |(_, marks)| marks);
            if marks.split(", ").any(|mark| mark == name) {
                out.push((path.to_owned(), number));
            }
        }
    }
    out
}

#[test]
fn fields_variables_and_variants_of_one_name_are_told_apart() {
    for name in [
        "shop.total",
        "Cart.total",
        "Cart.size",
        "Bad.size",
        "Fault.Data",
        "Data.Reserved",
        "Code.Reserved",
        "Code.Normal",
        "Other.Normal",
        "Other.Reserved",
    ] {
        assert_eq!(sure(name), marked(name), "{name}");
    }
}
