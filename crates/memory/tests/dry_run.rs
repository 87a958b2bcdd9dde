//! A dry run changes nothing and replies what happens then; what acts on many memories at once shows them first.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use serde_json::{Value, json};
use world::World;

fn captured(world: &World, content: &str) -> String {
    let arguments = json!({"action": "capture", "content": content, "namespace": "decisions"});
    world.data("memory", arguments)["id"].as_str().unwrap().to_owned()
}

/// The database's bytes, with what its log has.
fn stored(world: &World) -> (Vec<u8>, Vec<u8>) {
    let bytes = |name: &str| std::fs::read(world.host.home.root().join(name)).unwrap_or_default();
    (bytes("memory.db"), bytes("memory.db-wal"))
}

fn with(arguments: &Value, name: &str, value: impl Into<Value>) -> Value {
    let mut out = arguments.clone();
    out[name] = value.into();
    out
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Where nothing was ever captured, a preview has the form of any other.
#[test]
fn a_preview_of_nothing_is_a_preview() {
    let world = World::new();
    let asked = json!({"action": "delete_all", "filter": "tag:none"});
    let before = world.data("memory", asked.clone());
    let done = world.data("memory", with(&asked, "dry_run", false));
    captured(&world, "The gate opens at nine");
    assert_eq!(world.data("memory", asked.clone()), before);
    assert_eq!(world.data("memory", with(&asked, "dry_run", false)), done);
    assert_eq!((&before["status"], &before["preview"]), (&json!("preview"), &json!([])));
    assert_eq!(done["status"], "done");
}

/// Models fill in arguments that they don't mean: an empty text confirms nothing.
#[test]
fn an_empty_dry_run_confirms_nothing() {
    let world = World::new();
    let id = captured(&world, "The gate opens at nine");
    captured(&world, "The gate always opens at nine");
    for arguments in [
        json!({"action": "delete_all", "filter": "ns:decisions"}),
        json!({"action": "consolidate", "namespace": "decisions"}),
        json!({"action": "gc"}),
    ] {
        for empty in ["", " "] {
            let reply = world.data("memory", with(&arguments, "dry_run", empty));
            assert_eq!(reply["dry_run"], true, "{arguments}: {reply}");
        }
    }
    assert_eq!(world.data("memory", json!({"action": "get", "id": id}))["status"], "active");
}

/// Every action that changes something and isn't about many memories at once.
#[test]
fn a_dry_run_changes_nothing_and_says_what_happens_then() {
    let world = World::new();
    let (changed, deleted, purged) = (
        captured(&world, "The gate opens at nine"),
        captured(&world, "Lint runs with each push"),
        captured(&world, "Invoices are rounded half to even"),
    );
    world.data("graph", json!({"action": "add_entity", "name": "Alice", "type": "Person"}));
    world.data("graph", json!({"action": "add_entity", "name": "Acme", "type": "Organization"}));
    for name in ["Zephyrbase", "Zebulonia"] {
        world.data("graph", json!({"action": "add_entity", "name": name, "type": "Technology"}));
    }
    let mut relation = Value::Null;
    for (tool, arguments) in [
        (
            "memory",
            json!({"action": "capture", "content": "Deploys run from main", "namespace": "patterns", "ttl": "7d"}),
        ),
        ("memory", json!({"action": "update", "id": changed, "content": "The gate opens at ten"})),
        ("memory", json!({"action": "delete", "id": deleted})),
        ("memory", json!({"action": "restore", "id": deleted})),
        ("memory", json!({"action": "delete", "id": purged, "hard": true})),
        ("memory", json!({"action": "reindex"})),
        ("graph", json!({"action": "add_entity", "name": "Rust", "type": "Technology"})),
        ("graph", json!({"action": "relate", "entity": "Alice", "to": "Acme", "type": "WorksAt"})),
        ("graph", json!({"action": "unrelate"})),
        ("graph", json!({"action": "merge", "entities": ["Zephyrbase", "Zebulonia"]})),
        ("graph", json!({"action": "delete_entity", "entity": "Rust"})),
        ("prompt", json!({"action": "save", "name": "review", "content": "Review {{file}}"})),
        ("prompt", json!({"action": "save", "name": "review", "content": "Review {{file}} again"})),
        ("prompt", json!({"action": "delete", "name": "review", "domain": "project"})),
    ] {
        let arguments = if arguments["action"] == "unrelate" {
            with(&arguments, "id", relation.clone())
        } else {
            arguments
        };
        let before = stored(&world);
        let shown = world.data(tool, with(&arguments, "dry_run", true));
        assert!(stored(&world) == before, "{arguments} changed the database");
        assert_eq!(shown["dry_run"], true, "{arguments}");
        let done = world.data(tool, arguments.clone());
        if arguments["action"] == "relate" {
            relation = done["id"].clone();
        }
        // The same shape and the same words; ids and times are made when it's done.
        let more = |key: &&str| *key == "dry_run" || *key == "status" && done.get("status").is_none();
        let names: Vec<&str> = keys(&shown).into_iter().filter(|key| !more(key)).collect();
        let expected: Vec<&str> = keys(&done).into_iter().filter(|key| *key != "dry_run").collect();
        assert_eq!(names, expected, "{arguments}");
        for name in names.into_iter().filter(|name| !["id", "urn", "duration_ms"].contains(name)) {
            assert_eq!(shown[name], done[name], "{arguments} {name}");
        }
        assert!(arguments["action"] == "reindex" || stored(&world) != before, "{arguments} did nothing");
    }
}

#[test]
fn a_dry_run_leaves_the_repositorys_files_and_a_home_without_memories_as_they_are() {
    let world = World::new();
    let text = json!({"action": "capture", "content": "Deploys run from main", "namespace": "patterns"});
    let shown = world.data("memory", with(&text, "dry_run", true));
    // Nothing will have the id that the copy gave it.
    assert_eq!(
        (&shown["id"], &shown["urn"], &shown["status"]),
        (&Value::Null, &Value::Null, &json!("preview"))
    );
    assert!(!world.host.home.root().join("memory.db").exists());
    let id = world.data("memory", text.clone())["id"].clone();
    let again = world.data("memory", with(&text, "dry_run", true));
    assert_eq!((&again["id"], &again["duplicate"]), (&id, &json!(true)));
    let share = json!({"action": "share", "id": id});
    let would = world.data("memory", with(&share, "dry_run", true))["file"].clone();
    let path = world.host.root.join(would.as_str().unwrap());
    assert!(!path.exists(), "{would}");
    let shared = world.data("memory", share)["file"].clone();
    assert_eq!(shared, would);
    let before = std::fs::read(&path).unwrap();
    let update = json!({"action": "update", "id": id, "content": "Deploys run from main at noon"});
    assert_eq!(world.data("memory", with(&update, "dry_run", true))["file"], shared);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let purge = json!({"action": "delete", "id": id, "hard": true, "dry_run": true});
    assert_eq!(world.data("memory", purge)["removed_files"], json!([shared]));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let unshare = json!({"action": "unshare", "id": id, "dry_run": true});
    assert_eq!(world.data("memory", unshare)["dry_run"], true);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // On the command line as well.
    let typed = world.typed("memory", &["delete", id.as_str().unwrap()], json!({"--dry-run": true})).unwrap();
    assert!(typed.text.contains("dry run: yes"), "{}", typed.text);
    assert_eq!(world.data("memory", json!({"action": "get", "id": id}))["status"], "active");
}

/// Plimsoll's own names show what they would do to many memories; the specification's act, as it says.
#[test]
fn consolidate_and_gc_show_first_what_they_would_do() {
    let world = World::new();
    captured(&world, "Use PostgreSQL for primary storage because of JSONB support");
    captured(&world, "use PostgreSQL for the primary storage because of its JSONB support");
    let before = stored(&world);
    for arguments in [
        json!({"action": "consolidate"}),
        json!({"action": "consolidate", "namespace": "decisions"}),
        json!({"action": "gc"}),
        json!({"action": "gc", "purge": true}),
    ] {
        let shown = world.data("memory", arguments.clone());
        assert_eq!(shown["dry_run"], true, "{arguments}");
        assert!(shown["note"].as_str().unwrap().contains("nothing was changed"), "{arguments}: {shown}");
        assert!(arguments["action"] == "gc" || shown["groups_found"] == 1, "{arguments}: {shown}");
        assert!(stored(&world) == before, "{arguments} changed the database");
    }
    // Who asks for a preview gets the specification's shape and no note.
    let asked = json!({"action": "gc", "dry_run": true});
    assert_eq!(
        keys(&world.data("memory", asked)),
        ["stale_branches", "memories_affected", "dry_run", "status"]
    );
    for (name, arguments) in
        [("memory", json!({"action": "consolidate", "dry_run": false})), ("subcog_consolidate", json!({}))]
    {
        let error = world.call(name, arguments).unwrap_err().to_string();
        assert!(error.contains("namespace is missing"), "{name}: {error}");
    }
    let summarize = json!({"action": "consolidate", "strategy": "summarize"});
    assert!(world.call("memory", summarize).unwrap_err().to_string().contains("needs a namespace"));
    assert_eq!(world.data("subcog_gc", json!({}))["status"], "done");
    let typed = |words: &[&str]| world.typed("memory", words, json!({})).unwrap().data;
    assert_eq!(typed(&["gc"])["status"], "done");
    assert_eq!(typed(&["consolidate"])["dry_run"], true);
    let done = world.data("subcog_consolidate", json!({"namespace": "decisions"}));
    assert_eq!((&done["groups_found"], &done["dry_run"]), (&json!(1), &json!(false)));
    assert_eq!(typed(&["consolidate", "decisions"])["dry_run"], false);
}

/// Ten thousand go at once. That there are more is told before.
#[test]
fn more_than_can_be_deleted_at_once_are_counted() {
    let world = World::new();
    let path = world.host.home.root().join("memory.db");
    let db = home::open_db(&path, plimsoll_memory::store::MIGRATIONS).unwrap();
    let row = |n: usize| {
        format!(
            "('{n:020}', 'progress', 'user', 'active', NULL, {n}, 'user', 1, {n}, x'{n:08x}', 'line {n}')"
        )
    };
    let rows: Vec<String> = (0..10_003).map(row).collect();
    db.execute_batch(&format!(
        "INSERT INTO memories(id, namespace, domain, status, project, created_ms, trust, version, updated_ms, hash, content) VALUES {};",
        rows.join(",")
    ))
    .unwrap();
    drop(db);
    let preview = world.data("memory", json!({"action": "delete_all", "filter": "ns:progress"}));
    assert_eq!((&preview["memories_affected"], &preview["remaining"]), (&json!(10_000), &json!(3)));
    captured(&world, "The gate opens at nine");
    let preview = world.data("memory", json!({"action": "delete_all", "filter": "ns:decisions"}));
    assert_eq!((&preview["memories_affected"], preview.get("remaining")), (&json!(1), None));
}
