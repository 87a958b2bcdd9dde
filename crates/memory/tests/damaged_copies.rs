//! Copies that were kept of a damaged `memory.db`: whoever removes something for good is told of them, and only the user
//! deletes them.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use std::path::PathBuf;

use plimsoll_memory::SYSTEM;
use serde_json::{Value, json};
use world::World;

fn copy(world: &World) -> PathBuf {
    let path = world.host.home.root().join("memory.db.damaged-1700000000000");
    std::fs::write(&path, "The walrus guards the key").unwrap();
    std::fs::write(world.host.home.root().join("memory.db.damaged-1700000000000-wal"), "walrus").unwrap();
    path
}

fn captured(world: &World, content: &str) -> String {
    let given = json!({"action": "capture", "content": content, "namespace": "decisions"});
    world.data("memory", given)["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_removal_for_good_names_the_copies_and_how_to_delete_them() {
    let world = World::new();
    let ids: Vec<String> = (0..4).map(|n| captured(&world, &format!("Decision {n} about herons"))).collect();
    let hard =
        |id: &str, dry_run: bool| json!({"action": "delete", "id": id, "hard": true, "dry_run": dry_run});
    assert_eq!(world.data("memory", hard(&ids[0], true)).get("damaged_copies"), None, "there are none");
    let path = copy(&world);
    let named = json!([path.to_str().unwrap()]);
    for given in [
        hard(&ids[0], true),
        hard(&ids[0], false),
        json!({"action": "delete_all", "filter": "ns:apis", "hard": true}),
        json!({"action": "gc", "purge": true, "dry_run": true}),
        json!({"action": "gc", "purge": true, "dry_run": false}),
    ] {
        let reply = world.data("memory", given.clone());
        assert_eq!(reply["damaged_copies"], named, "{given}: {reply}");
        assert!(reply["note"].as_str().unwrap().contains("only the user deletes them"), "{given}: {reply}");
    }
    // Restorable memories still exist anyway.
    for given in [json!({"action": "delete", "id": ids[1]}), json!({"action": "gc", "dry_run": true})] {
        assert_eq!(world.data("memory", given.clone()).get("damaged_copies"), None, "{given}");
    }
    let told = world.typed("memory", &["delete", &ids[2]], json!({"--hard": true})).unwrap();
    let command = "`plimsoll memory gc --damaged-copies` deletes them";
    assert!(told.text.contains(command) && told.text.contains(path.to_str().unwrap()), "{}", told.text);
    assert!(path.exists());
}

#[test]
fn only_the_user_deletes_the_copies() {
    let world = World::new();
    let id = captured(&world, "Herons fish at dawn");
    let path = copy(&world);
    let log = path.with_file_name("memory.db.damaged-1700000000000-wal");
    for dry_run in [true, false] {
        let given = json!({"action": "gc", "damaged_copies": true, "dry_run": dry_run});
        assert!(world.call("memory", given).unwrap_err().to_string().contains("only the user"));
    }
    let typed = |named: Value| world.typed("memory", &["gc"], named).unwrap().data;
    let shown = typed(json!({"--damaged-copies": true, "--dry-run": true}));
    assert_eq!(
        (&shown["damaged_copies"], &shown["dry_run"]),
        (&json!([path.to_str().unwrap()]), &json!(true))
    );
    assert!(path.exists() && log.exists());
    let done = typed(json!({"--damaged-copies": true}));
    assert_eq!((&done["damaged_copies"], &done["total"]), (&json!([path.to_str().unwrap()]), &json!(1)));
    assert!(!path.exists() && !log.exists());
    assert_eq!(typed(json!({"--damaged-copies": true}))["total"], 0);
    assert_eq!(world.data("memory", json!({"action": "get", "id": id}))["content"], "Herons fish at dawn");
}

/// Whoever wanted them gone isn't told that they are.
#[test]
fn a_copy_that_cannot_be_deleted_is_an_error_and_keeps_no_other() {
    let world = World::new();
    captured(&world, "Herons fish at dawn");
    let path = copy(&world);
    let stuck = path.with_file_name("memory.db.damaged-1600000000000");
    std::fs::create_dir(&stuck).unwrap();
    let error = world.typed("memory", &["gc"], json!({"--damaged-copies": true})).unwrap_err().to_string();
    assert!(error.contains("1 of 2 copies were deleted") && error.contains("1600000000000"), "{error}");
    assert!(!path.exists() && stuck.exists());
}

#[test]
fn doctor_names_the_copies() {
    let world = World::new();
    captured(&world, "Herons fish at dawn");
    let is_named = || {
        let checks = (SYSTEM.check)(&*world.host);
        checks.iter().any(|check| check.detail.to_string().contains("--damaged-copies"))
    };
    assert!(!is_named());
    let path = copy(&world);
    assert!(is_named());
    std::fs::remove_file(path).unwrap();
    assert!(!is_named());
}
