//! What `cargo xtask types` writes of a made-up tenth agent, from which the window has its name and its mark; and that
//! nothing outside an agent's folder names it. A test binary of its own, because the list of agents is global to the
//! process.
#![cfg(feature = "typescript")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../service/tests/tenth_agent/heron.rs"]
mod heron;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agents::Agent;

#[test]
fn the_window_has_its_name_and_its_mark() {
    agents::override_for_test(Vec::leak([agents::AGENTS, &[&heron::Heron as &dyn Agent]].concat()));
    let folder = tempfile::tempdir().unwrap();
    plimsoll_commands::typescript::write(folder.path(), service::SYSTEMS).unwrap();
    let written = std::fs::read_to_string(folder.path().join("index.ts")).unwrap();
    let lines: Vec<&str> = written.lines().filter(|line| line.contains("mark: \"")).collect();
    assert_eq!(lines.len(), agents::AGENTS.len() + 1, "{lines:?}");
    assert_eq!(lines.last(), Some(&r#"  { id: "heron", name: "Heron", mark: "He", withholds: false },"#));
}

/// Where an agent may be named outside its folder, and why.
const MAY_NAME: [(&str, &str); 3] = [
    (
        "crates/agents/src/messages.rs",
        "a crate's sentences are in one module; each of these is told by its agent's folder",
    ),
    ("messages.agents.", "the same sentences in the window's catalogues"),
    ("xtask/src/cross/smoke.rs", "a build for another system is tried on one agent's files"),
];

/// The agents by the names that people know: in full, and without what follows in brackets.
fn names() -> Vec<&'static str> {
    let full = agents::AGENTS.iter().map(|agent| agent.name());
    full.flat_map(|name| [Some(name), name.split_once(" (").map(|(short, _)| short)]).flatten().collect()
}

/// Whether a text has one of these names as words of its own.
fn has_name(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

/// Whether a line of code says a name to somebody: in quotes in Rust, anywhere in the page, and in what becomes help.
/// A comment may name one, because it says how a fact is known.
fn says_name(place: &str, line: &str, names: &[&str]) -> bool {
    let line = line.trim();
    if line.starts_with("///") && place.starts_with("crates/plimsoll/src/cli/") {
        return has_name(line, names);
    }
    if ["//", "/*", "*", "<!--"].iter().any(|sign| line.starts_with(sign)) {
        return false;
    }
    match place.ends_with(".rs") {
        true => line.split('"').skip(1).step_by(2).any(|quoted| has_name(quoted, names)),
        false => has_name(line, names),
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// A tenth agent would be forgotten wherever nine are listed by hand.
#[test]
fn no_agent_is_named_outside_its_folder() {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    let names = names();
    assert!(says_name("crates/x/src/y.rs", r#"let help = "for Codex only";"#, &names));
    assert!(says_name("crates/plimsoll/src/cli/x.rs", "    /// Let Codex pass it on", &names));
    assert!(!says_name("crates/x/src/y.rs", "fn at(cursor: Cursor<'_>) {}", &names));
    assert!(!has_name("Codexes", &names));
    let is_agents_folder = |folder: &str| {
        let module = root.join("crates/agents/src").join(folder).join("mod.rs");
        std::fs::read_to_string(module).is_ok_and(|text| text.contains("impl Agent for "))
    };
    let mut paths = Vec::new();
    for folder in ["crates", "src-tauri/src", "ui/src", "xtask/src"] {
        files_below(&root.join(folder), &mut paths);
    }
    let mut found: Vec<(String, String)> = Vec::new();
    for path in paths {
        let place = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let own = place.strip_prefix("crates/agents/src/").and_then(|rest| rest.split_once('/'));
        let is_code =
            place.contains("/src/") && [".rs", ".svelte", ".ts"].iter().any(|end| place.ends_with(end));
        let is_catalogue = place.starts_with("ui/src/i18n/") && place.ends_with(".json");
        let is_made = place.starts_with("ui/src/contract/");
        let is_test =
            place.ends_with("tests.rs") || place.contains("/tests/") || place.contains("/fixtures/");
        if is_made
            || is_test
            || !(is_code || is_catalogue)
            || own.is_some_and(|(folder, _)| is_agents_folder(folder))
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if is_catalogue {
            let texts: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
            found.extend(texts.into_iter().filter(|(_, words)| has_name(words, &names)));
            continue;
        }
        // Tests are at the end of a file.
        let lines = text.lines().take_while(|line| !(line.starts_with("#[cfg(") && line.contains("test")));
        let saying = lines.filter(|line| says_name(&place, line, &names));
        found.extend(saying.map(|line| (place.clone(), line.trim().to_owned())));
    }
    for (place, why) in MAY_NAME {
        assert!(found.iter().any(|(at, _)| at.starts_with(place)), "{place} ({why}) is no longer needed");
    }
    found.retain(|(at, _)| !MAY_NAME.iter().any(|(place, _)| at.starts_with(place)));
    assert!(found.is_empty(), "take the names from the agents' table: {found:#?}");
}
