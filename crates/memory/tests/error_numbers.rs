//! Errors have the specification's numbers, and the codes from which the command line makes its exit codes.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use contract::ErrorCode;
use serde_json::json;
use world::{NOW, World};

#[test]
fn each_kind_of_error_has_the_specifications_number() {
    use ErrorCode::{InvalidArgument, NotAvailable, NotFound};
    let world = World::new();
    let there = json!({"action": "capture", "content": "Deploys run from main", "namespace": "patterns"});
    let id = world.data("memory", there)["id"].clone();
    let long = "x".repeat(600_000);
    for (tool, arguments, number, code) in [
        // Before anything runs,
        ("memory", json!({}), -32602, InvalidArgument),
        ("memory", json!({"action": "dance"}), -32602, InvalidArgument),
        ("memory", json!({"action": "get"}), -32602, InvalidArgument),
        ("memory", json!({"action": "recall", "colour": "red"}), -32602, InvalidArgument),
        ("memory", json!({"action": "recall", "hard": true}), -32602, InvalidArgument),
        ("memory", json!({"action": "recall", "limit": "many"}), -32602, InvalidArgument),
        ("subcog_capture", json!({"content": "x"}), -32602, InvalidArgument),
        ("subcog_consolidate", json!({}), -32602, InvalidArgument),
        ("subcog_graph", json!({}), -32602, InvalidArgument),
        ("graph", json!({"action": "merge", "format": "dot"}), -32602, InvalidArgument),
        ("prompt", json!({"action": "get"}), -32602, InvalidArgument),
        ("prompt", json!({"action": "delete", "name": "x", "variables": {"a": 1}}), -32602, InvalidArgument),
        // and while it runs.
        (
            "memory",
            json!({"action": "capture", "content": "x", "namespace": "decison"}),
            -32602,
            InvalidArgument,
        ),
        (
            "memory",
            json!({"action": "capture", "content": "x", "namespace": "config", "ttl": "soon"}),
            -32602,
            InvalidArgument,
        ),
        ("subcog_recall", json!({"filter": "ns:decison"}), -32602, InvalidArgument),
        ("subcog_recall", json!({"query": "x", "mode": "sideways"}), -32602, InvalidArgument),
        ("subcog_recall", json!({"detail": "much"}), -32602, InvalidArgument),
        ("subcog_delete_all", json!({}), -32602, InvalidArgument),
        ("graph", json!({"action": "neighbors"}), -32602, InvalidArgument),
        ("graph", json!({"action": "add_entity", "name": "Ana", "type": "Ship"}), -32602, InvalidArgument),
        ("prompt", json!({"action": "delete", "name": "x"}), -32602, InvalidArgument),
        ("subcog_get", json!({"memory_id": "dc58d23a"}), -32604, NotFound),
        ("subcog_update", json!({"memory_id": "dc58d23a", "content": "x"}), -32604, NotFound),
        ("subcog_delete", json!({"memory_id": "dc58d23a"}), -32604, NotFound),
        ("subcog_delete", json!({"memory_id": "dc58d23a", "dry_run": true}), -32604, NotFound),
        ("subcog_history", json!({"memory_id": "dc58d23a"}), -32604, NotFound),
        ("graph", json!({"action": "unrelate", "id": "r1"}), -32604, NotFound),
        ("subcog_recall", json!({"query": "x", "mode": "vector"}), -32606, NotAvailable),
        (
            "subcog_consolidate",
            json!({"namespace": "patterns", "strategy": "summarize"}),
            -32606,
            NotAvailable,
        ),
        ("subcog_prompts", json!({"action": "run", "name": "nobody"}), -32607, NotFound),
        ("prompt_get", json!({"name": "nobody"}), -32607, NotFound),
        ("prompt_delete", json!({"name": "nobody", "domain": "project"}), -32607, NotFound),
        ("subcog_templates", json!({"action": "render", "name": "nobody"}), -32607, NotFound),
        ("subcog_capture", json!({"namespace": "decisions", "content": " "}), -32608, InvalidArgument),
        ("subcog_capture", json!({"namespace": "decisions", "content": long}), -32608, InvalidArgument),
        ("subcog_restore", json!({"memory_id": id}), -32608, InvalidArgument),
        (
            "subcog_prompts",
            json!({"action": "save", "name": "x", "content": "{{open"}),
            -32608,
            InvalidArgument,
        ),
    ] {
        let error = world.call(tool, arguments.clone()).err().unwrap();
        let shown: String = arguments.to_string().chars().take(120).collect();
        assert!(error.message.text().ends_with(&format!("({number})")), "{tool} {shown}: {error}");
        assert_eq!(error.code, code, "{tool} {shown}: {error}");
        assert_eq!(error.message.text().matches("(-326").count(), 1, "{tool} {shown}: {error}");
    }
    let strict = World::at(NOW, "[memory]\nsecrets = \"refuse\"\n");
    let token = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let secret = json!({"namespace": "config", "content": format!("deploy with {token}")});
    let error = strict.call("subcog_capture", secret).err().unwrap();
    assert!(error.message.text().ends_with("(-32605)"), "{error}");
    assert_eq!(error.code, ErrorCode::Denied);
}

/// Numbers are for programs: the terminal shows none, whether the call was read or ran.
#[test]
fn the_command_line_shows_no_numbers() {
    let world = World::new();
    for (verb, words, named) in [
        ("memory", vec!["dance"], json!({})),
        ("memory", vec!["get", "dc58d23a"], json!({})),
        ("memory", vec!["get", "dc58d23a"], json!({"--mode": "text"})),
        ("memory", vec!["recall", "x"], json!({"--mode": "vector"})),
        ("graph", vec!["neighbors"], json!({})),
        ("prompt", vec!["run", "nobody"], json!({})),
    ] {
        let error = world.typed(verb, &words, named).err().unwrap();
        assert!(!error.message.text().contains("(-32"), "{verb} {words:?}: {error}");
    }
}

#[test]
fn without_a_server_each_verb_for_it_says_how_one_is_set() {
    let world = World::new();
    for words in [
        &["org", "status"][..],
        &["org", "init"],
        &["org", "sync"],
        &["org", "grant", "ana", "reader"],
        &["org", "revoke", "ana"],
    ] {
        let error = world.typed("memory", words, json!({})).err().unwrap().to_string();
        assert!(error.contains("`plimsoll memory org set ADDRESS`"), "{words:?}: {error}");
    }
}

#[test]
fn the_address_of_a_server_isnt_removed_by_a_command_that_names_none() {
    let world = World::new();
    let settings =
        || std::fs::read_to_string(world.host.home.root().join("settings.toml")).unwrap_or_default();
    let typed = |words: &[&str]| world.typed("memory", words, json!({}));
    typed(&["org", "set", "postgres://ana:word@127.0.0.1:9/team"]).unwrap();
    for words in [&["org", "set"][..], &["org", "set", ""], &["org", "set", " "], &["org", "set", "a", "b"]] {
        let error = typed(words).err().unwrap().to_string();
        assert!(error.contains("`plimsoll memory org unset`"), "{words:?}: {error}");
        assert!(settings().contains("ana:word@"), "{words:?}");
    }
    assert!(typed(&["org", "unset", "a"]).is_err());
    typed(&["org", "unset"]).unwrap();
    assert!(!settings().contains("ana:word@"));
}
