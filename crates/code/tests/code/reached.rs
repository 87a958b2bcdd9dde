//! Uses that reach a definition other than through an import or a receiver's own type: extensions, sources behind
//! headers, modules and traits that are taken in, packages that files declare. The fixtures are folders in
//! `fixtures/references`.

use std::path::Path;

use plimsoll_code::refs::{Role, callers, implementations, references};

use crate::common::Project;

/// A project of the files in a folder of fixtures.
fn project(folder: &str) -> Project {
    let project = Project::new(&[]);
    let fixtures = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/fixtures/references");
    for inside in ["", "not"] {
        let Ok(entries) = std::fs::read_dir(fixtures.join(folder).join(inside)) else { continue };
        for entry in entries.map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            let path = Path::new(inside).join(entry.file_name());
            project.write(path.to_str().unwrap(), &std::fs::read(entry.path()).unwrap());
        }
    }
    project
}

#[test]
fn uses_are_attributed_to_the_right_definition_only() {
    let mut wrong = Vec::new();
    for (folder, name, expected) in [
        ("extensions", "quoted", "Use.kt:10 InScope, Use.kt:8 Resolved, Use.kt:9 InScope"),
        ("extensions", "second", "Use.kt:11 Resolved, Use.kt:12 Resolved"),
        ("extensions", "RuleExtensions.Card", "Order.cs:8 Resolved, Order.cs:9 Resolved"),
        ("extensions", "Deck.Card", "Elsewhere.cs:5 Resolved"),
        ("bodies", "wire.encode", "emit.cpp:3 Resolved, emit.cpp:5 Resolved"),
        ("includes", "PUMP_OK", "main.c:2 Resolved, pump.c:2 Resolved"),
        ("includes", "prime", "main.c:2 Resolved"),
        ("mixed_in", "read_front", "page.rb:6 Resolved, readable.rb:8 Resolved"),
        ("mixed_in", "Logs.note", "Mailer.php:7 Resolved"),
        ("declared", "Visitor", "Far.scala:5 Resolved, Value.scala:5 Resolved, Web.scala:3 Resolved"),
        ("declared", "Lost", ""),
        ("namesakes", "Paths.clean", "paths.rb:3 Resolved"),
        ("namesakes", "Names.clean", "all.rb:3 Resolved, names.rb:7 Resolved"),
    ] {
        let project = project(folder);
        let (store, reader) = project.indexed();
        let found = references(&store, &reader, &project.root(), name).unwrap();
        assert!(!found.definitions.is_empty(), "{name}");
        let used = found.uses.iter().filter(|u| !u.of.is_empty());
        let used = used.filter(|u| !matches!(u.role, Role::Definition | Role::Import));
        let mut told: Vec<String> =
            used.map(|u| format!("{}:{} {:?}", u.path, u.line, u.confidence)).collect();
        told.sort();
        if told.join(", ") != expected {
            wrong.push(format!("{name}: {}\ninstead of {expected}", told.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_object_beside_its_namesake_type_has_no_subtypes() {
    let project = project("declared");
    let (store, reader) = project.indexed();
    for (name, expected) in [("Visitor", "Builder Reader Value"), ("Value", "Text")] {
        let found = implementations(&store, &reader, &project.root(), name).unwrap();
        let mut told: Vec<&str> = found.implementations.iter().map(|one| one.name.as_str()).collect();
        told.sort_unstable();
        assert_eq!(told.join(" "), expected, "{name}");
    }
}

#[test]
fn the_receivers_type_selects_the_extension() {
    let project = project("extensions");
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "second").unwrap();
    let one = found.uses.iter().find(|one| one.path == "Use.kt" && one.line == 11).unwrap();
    let of: Vec<u32> = one.of.iter().map(|of| found.definitions[*of].line).collect();
    assert_eq!(of, [4], "{one:?}");
}

#[test]
fn a_shell_command_is_a_call() {
    let project = project("extensions");
    let (store, reader) = project.indexed();
    let found = callers(&store, &reader, &project.root(), "make_shims").unwrap();
    let told: Vec<_> = found.callers.iter().map(|one| (one.inside.as_deref(), one.line)).collect();
    assert_eq!(told, [(Some("drop_shims"), 2)]);
}

#[test]
fn an_inline_module_imports_from_its_own_file() {
    let project = Project::new(&[
        ("src/lib.rs", "mod a;\n"),
        ("src/a.rs", "pub struct Part;\nmod tests {\n    use super::Part;\n}\n"),
    ]);
    let (store, reader) = project.indexed();
    let found = references(&store, &reader, &project.root(), "Part").unwrap();
    let import = found.uses.iter().find(|one| one.role == Role::Import).unwrap();
    assert_eq!((import.line, format!("{:?}", import.confidence)), (3, "Resolved".to_owned()));
}
