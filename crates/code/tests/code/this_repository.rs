//! Indexes this repository's own crates and compares the result with ARCHITECTURE.md: the crates, that dependencies go only
//! downwards, that there are no import cycles, and the conventions.

use std::path::{Path, PathBuf};

use plimsoll_code::graph::{Graph, find_cycles, map};
use plimsoll_code::patterns::{WAYS, patterns};
use plimsoll_code::role::Role;
use plimsoll_code::search::{File, Reader};
use plimsoll_code::{Options, Store, update};

pub(crate) fn root() -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..").canonicalize().unwrap()
}

/// The index of the crates with the manifests above them.
fn indexed(folder: &Path) -> (Store, Reader) {
    let root = root();
    let other = |path: &Path| {
        let inside = path.strip_prefix(&root).unwrap_or(path);
        !inside.starts_with("crates") && inside != Path::new("Cargo.toml")
    };
    let mut store = Store::open(&folder.join("code.db")).unwrap();
    update(&mut store, &root, &Options { deny_read: &other, ..Options::default() }).unwrap();
    let reader = Reader::open(&store).unwrap();
    (store, reader)
}

/// The crates in the order of the table, the highest first.
fn crates() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let table = text.lines().skip_while(|line| *line != "## Crates").skip(1);
    let rows = table.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| "));
    let member =
        |line: &str| line.split('|').nth(2).and_then(|cell| cell.split('`').nth(1)).map(str::to_owned);
    let out: Vec<String> = rows.filter_map(member).collect();
    assert!(out.len() > 15, "the table of crates is read: {out:?}");
    out
}

fn is_product(file: &File) -> bool {
    file.path.ends_with(".rs") && file.path.contains("/src/") && !file.role.is(Role::TEST)
}

fn crate_of(path: &str) -> &str {
    path.strip_prefix("crates/").and_then(|rest| rest.split('/').next()).unwrap_or_default()
}

#[test]
fn the_index_of_this_repository_matches_its_architecture() {
    let folder = tempfile::tempdir().unwrap();
    let (store, reader) = indexed(folder.path());
    let graph = Graph::of(&reader, is_product);
    let crates = crates();

    let map = map(&graph, &|_| true, &std::collections::HashSet::new(), 100);
    for member in crates.iter().filter(|member| root().join("crates").join(member).is_dir()) {
        assert!(
            map.folders.iter().any(|folder| folder.path == format!("crates/{member}")),
            "{member} is on the map"
        );
    }

    let mut across = 0;
    for (from, imports) in graph.imports.iter().enumerate() {
        for to in imports {
            let (above, below) = (crate_of(&graph.paths[from]), crate_of(&graph.paths[*to]));
            if above != below {
                across += 1;
                let row = |name: &str| {
                    crates.iter().position(|member| member == name).ok_or(name.to_owned()).unwrap()
                };
                assert!(row(above) < row(below), "{} imports {}", graph.paths[from], graph.paths[*to]);
            }
        }
    }
    // Crates are imported under other names than their packages have: without these there would be hardly any.
    assert!(across > 400, "{across} imports between crates");

    let circles = find_cycles(&Graph::from_dependencies(&store, &reader, is_product).unwrap());
    assert!(circles.is_empty(), "{circles:#?}");

    let known = patterns(&store, None).unwrap();
    let primary = |category: &str| {
        known.patterns.iter().find(|one| one.category == category).map(|one| one.primary.name.as_str())
    };
    assert_eq!(
        (primary("errors"), primary("async"), primary("logging")),
        (Some("thiserror"), Some("Tokio"), Some("log"))
    );

    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().replace('-', "_");
    let is_named =
        |library: &str| manifest.lines().any(|line| line.split(['=', '.', ' ']).next() == Some(library));
    let ways = known.patterns.iter().flat_map(|one| std::iter::once(&one.primary).chain(&one.also));
    for way in ways.filter(|way| way.language == "rust") {
        let mut libraries = WAYS
            .iter()
            .filter(|one| one.languages == ["rust"] && one.name == way.name)
            .flat_map(|one| one.imports);
        assert!(libraries.any(|library| is_named(library)), "no manifest names {}", way.name);
    }
}
