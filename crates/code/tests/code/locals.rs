//! A local of a function hides a member of the same name where it's seen. The lines that name the member are marked in the fixtures.

use plimsoll_code::refs::{Confidence, references};

use crate::common::Project;

#[test]
fn a_local_hides_a_member_within_its_scope() {
    let mut wrong = Vec::new();
    for (path, name, text) in [
        ("Shop.swift", "body", include_str!("../fixtures/references/locals/Shop.swift")),
        ("Shop.kt", "body", include_str!("../fixtures/references/locals/Shop.kt")),
        ("Shop.cs", "body", include_str!("../fixtures/references/locals/Shop.cs")),
        ("Shop.java", "body", include_str!("../fixtures/references/locals/Shop.java")),
        ("Shop.scala", "body", include_str!("../fixtures/references/locals/Shop.scala")),
        ("Till.java", "size", include_str!("../fixtures/references/locals/Till.java")),
        ("Shop.rb", "size", include_str!("../fixtures/references/locals/Shop.rb")),
        ("Cart.rb", "Cart", include_str!("../fixtures/references/locals/Cart.rb")),
        ("Shop.py", "total", include_str!("../fixtures/references/locals/Shop.py")),
        ("Shop.c", "total", include_str!("../fixtures/references/locals/Shop.c")),
        ("Shop.cpp", "total", include_str!("../fixtures/references/locals/Shop.cpp")),
        ("Shop.ts", "total", include_str!("../fixtures/references/locals/Shop.ts")),
    ] {
        let project = Project::new(&[(path, text)]);
        let (store, reader) = project.indexed();
        let found = references(&store, &reader, &project.root(), name).unwrap();
        let sure = found.uses.iter().filter(|one| one.confidence == Confidence::Resolved);
        let mut lines: Vec<u32> = sure.map(|one| one.line).collect();
        lines.dedup();
        let marked = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("//= member"));
        let expected: Vec<u32> = marked.map(|(number, _)| number).collect();
        if lines != expected {
            wrong.push(format!("{path}: {lines:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
