//! Reads never write: looking makes no database, and leaves an existing one as it is.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use std::collections::BTreeMap;
use std::path::Path;

use contract::ErrorCode;
use serde_json::{Value, json};
use world::{NOW, World};

/// The verb, its words and its options.
type Read = (&'static str, &'static [&'static str], Value);

fn case(verb: &'static str, words: &'static [&'static str], named: Value) -> Read {
    (verb, words, named)
}

/// What is read in a terminal.
fn reads() -> Vec<Read> {
    let none = || json!({});
    let dry = || json!({"--dry-run": true});
    vec![
        case("memory", &["status"], none()),
        case("memory", &["recall", "what did we decide"], none()),
        case("memory", &["recall", "x"], json!({"--mode": "hybrid", "--filter": "ns:decisions"})),
        case("memory", &["list"], none()),
        case("memory", &["list"], json!({"--filter": "status:any"})),
        case("memory", &["get", "0123456789abcdef0123"], none()),
        case("memory", &["get", "plimsoll://memory/project/decisions/0123456789abcdef0123"], none()),
        case("memory", &["history", "0123456789abcdef0123"], none()),
        case("memory", &["namespaces"], none()),
        case("memory", &["review"], none()),
        case("memory", &["export"], none()),
        case("memory", &["export"], json!({"--format": "markdown"})),
        case("memory", &["identity"], none()),
        case("memory", &["gc"], dry()),
        case("memory", &["consolidate", "decisions"], dry()),
        case("memory", &["enrich", "0123456789abcdef0123"], dry()),
        case("memory", &["delete_all", "ns:decisions"], dry()),
        case("memory", &["sources"], none()),
        case("graph", &["stats"], none()),
        case("graph", &["entities"], none()),
        case("graph", &["relationships"], none()),
        case("graph", &["neighbors", "PostgreSQL"], none()),
        case("graph", &["path", "PostgreSQL", "Redis"], none()),
        case("graph", &["visualize"], none()),
        case("graph", &["entity", "PostgreSQL"], none()),
        case("graph", &["extract", "We moved to PostgreSQL"], none()),
        case("graph", &["infer", "PostgreSQL", "Redis"], none()),
        case("prompt", &["list"], none()),
        case("prompt", &["get", "review"], none()),
        case("prompt", &["run", "review"], none()),
        case("prompt", &["render", "review"], none()),
    ]
}

/// What the window reads.
fn window_reads() -> Vec<(&'static str, Value)> {
    let here = || json!({"project": "*"});
    vec![
        ("memory_projects", json!({})),
        ("memory_status", here()),
        ("memories", json!({"project": "*", "limit": 20})),
        ("memory_prompts", here()),
        ("memory_team", here()),
    ]
}

/// Changes of a memory that isn't there.
const CHANGES: &[&str] = &["update", "delete", "restore", "keep", "drop", "share", "unshare"];

/// Every file below a folder with its bytes, without SQLite's own notes beside a database and without logs.
fn bytes_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() {
            out.extend(bytes_below(&path));
        } else if !name.ends_with("-shm") && !name.ends_with("-wal") {
            out.insert(path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap());
        }
    }
    out
}

/// Reads everything, each time with nothing changed.
fn read_everything(world: &World) {
    let folder = world.host.home.root().to_owned();
    let before = bytes_below(&folder);
    for (verb, words, named) in reads() {
        // Whether there is such a memory isn't the point; any other error would mean that nothing was read.
        if let Err(error) = world.typed(verb, words, named) {
            assert_eq!(error.code, ErrorCode::NotFound, "{verb} {words:?}: {error}");
        }
        assert!(bytes_below(&folder) == before, "{verb} {words:?} wrote");
    }
    for (name, args) in window_reads() {
        world.window(name, args);
        assert!(bytes_below(&folder) == before, "{name} wrote");
    }
    for action in CHANGES {
        let named = if *action == "update" { json!({"--content": "x"}) } else { json!({}) };
        let error = world.typed("memory", &[*action, "ffffffffffffffffffff"], named).err();
        assert_eq!(error.map(|error| error.code), Some(ErrorCode::NotFound), "{action}");
        assert!(bytes_below(&folder) == before, "{action} wrote");
    }
}

#[test]
fn reading_a_missing_store_creates_none() {
    let world = World::new();
    let before = bytes_below(world.host.home.root());
    read_everything(&world);
    assert_eq!(bytes_below(world.host.home.root()), before);
    let listed = world.typed("memory", &["list"], json!({})).unwrap().data;
    assert_eq!((&listed["total"], &listed["results"]), (&json!(0), &json!([])), "{listed}");
    let status = world.typed("memory", &["status"], json!({})).unwrap().data;
    assert_eq!(status["statistics"]["total_count"], 0, "{status}");
}

#[test]
fn reading_changes_no_memory() {
    let world = World::new();
    let captured =
        world.typed("memory", &["capture", "We moved to PostgreSQL"], json!({"--namespace": "decisions"}));
    let id = captured.unwrap().data["id"].as_str().unwrap().to_owned();
    read_everything(&world);
    for action in ["get", "history"] {
        let before = bytes_below(world.host.home.root());
        world.typed("memory", &[action, &id], json!({})).unwrap();
        assert!(bytes_below(world.host.home.root()) == before, "{action} wrote");
    }
}

/// Ten hours after eight in the morning is the next day for who is eight hours ahead.
#[test]
fn yesterday_is_in_the_callers_time_zone() {
    let dir = tempfile::tempdir().unwrap();
    let given = json!({"action": "capture", "content": "Use tabs", "namespace": "decisions"});
    World::in_folder(dir.path(), NOW, "").data("memory", given);
    for (utc_offset_min, expected) in [(0, 0), (480, 1)] {
        let later = World::in_folder(dir.path(), NOW + 10 * 3_600_000, "").with_utc_offset(utc_offset_min);
        let page =
            later.data("memory", json!({"action": "recall", "query": "what did we decide yesterday?"}));
        assert_eq!(page["total"], expected, "{utc_offset_min}");
    }
}
