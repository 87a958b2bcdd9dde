//! Which arguments each action uses: those are taken, and any other is refused by an error that says whose it is.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use plimsoll_memory::SYSTEM;
use serde_json::{Map, Value, json};
use system::find_tool;
use world::World;

/// `tool action: arguments`, one action a line.
const USES: &str = include_str!("arguments/uses.txt");

struct Action {
    tool: &'static str,
    word: &'static str,
    arguments: Vec<&'static str>,
}

fn actions() -> Vec<Action> {
    USES.lines()
        .map(|line| {
            let (action, arguments) = line.split_once(':').unwrap();
            let (tool, word) = action.split_once(' ').unwrap();
            Action { tool, word, arguments: arguments.split_whitespace().collect() }
        })
        .collect()
}

/// A value that every argument of this name may have.
fn value(name: &str) -> Value {
    match name {
        "limit" | "offset" | "depth" | "max_hops" | "version" => json!(1),
        "min_score" | "min_confidence" | "similarity" => json!(0.5),
        "hard" | "dry_run" | "purge" | "damaged_copies" | "enrich_tags" | "enrich_structure"
        | "add_context" | "pending" | "store" => {
            json!(true)
        }
        "properties" | "variables" => json!({"a": "x"}),
        "variables_def" => json!([{"name": "a"}]),
        "type" => json!("decision"),
        "direction" => json!("push"),
        _ => json!("x"),
    }
}

/// What the action needs beside this argument.
fn needed(action: &Action, argument: &str) -> Map<String, Value> {
    // These belong to the other form of a capture, which has no namespace.
    let by_type = matches!(argument, "type" | "category" | "memory" | "reason");
    let needs = match (action.tool, action.word) {
        ("memory", "capture") if by_type => json!({"type": "decision", "memory": "x"}),
        ("memory", "capture") => json!({"content": "x", "namespace": "decisions"}),
        ("memory", "consolidate") => json!({"namespace": "decisions"}),
        ("memory", "import") => json!({"path": "x"}),
        ("memory", _) if action.arguments.contains(&"memory_id") => json!({"id": "x"}),
        ("prompt", "list") => json!({}),
        ("prompt", _) => json!({"name": "x"}),
        _ => json!({}),
    };
    needs.as_object().unwrap().clone()
}

/// The reason to refuse a call with this argument before it runs.
fn error_of(action: &Action, argument: &str) -> Option<String> {
    error_with(action, argument, value(argument))
}

fn error_with(action: &Action, argument: &str, value: Value) -> Option<String> {
    let mut given = needed(action, argument);
    given.insert("action".into(), action.word.into());
    given.insert(argument.into(), value);
    find_tool(&[&SYSTEM], action.tool, given).err().map(|error| error.to_string())
}

#[test]
fn each_action_takes_its_arguments_and_names_the_actions_of_others() {
    let all = actions();
    for action in &all {
        let of_tool: Vec<&Action> = all.iter().filter(|other| other.tool == action.tool).collect();
        for argument in &action.arguments {
            assert_eq!(error_of(action, argument), None, "{} {} {argument}", action.tool, action.word);
        }
        for argument in of_tool.iter().flat_map(|other| &other.arguments) {
            if action.arguments.contains(argument) {
                continue;
            }
            let error = error_of(action, argument).unwrap_or_default();
            let (tool, word) = (action.tool, action.word);
            let (_, rest) = error
                .split_once(&format!("{tool}: {word} doesn't use {argument}; "))
                .unwrap_or_else(|| panic!("{tool} {word} {argument}: {error:?}"));
            let names: Vec<&str> = rest.split([',', ' ']).filter(|name| !name.is_empty()).collect();
            for other in &of_tool {
                let is_named = names.contains(&other.word);
                assert_eq!(is_named, other.arguments.contains(argument), "{}: {error}", other.word);
            }
        }
    }
}

/// Models fill in arguments that they don't mean.
#[test]
fn another_actions_empty_argument_counts_as_absent() {
    let all = actions();
    let nothing = [json!(null), json!(""), json!(" "), json!([]), json!({}), json!(false)];
    for action in &all {
        let of_tool = all.iter().filter(|other| other.tool == action.tool);
        for argument in of_tool.flat_map(|other| &other.arguments) {
            for value in nothing.iter().filter(|_| !action.arguments.contains(argument)) {
                let error = error_with(action, argument, value.clone());
                assert_eq!(error, None, "{} {} {argument} {value}", action.tool, action.word);
            }
        }
    }
    // An argument that no action has is unknown, unless it's empty.
    for (value, is_refused) in [(json!(null), false), (json!(""), true)] {
        let error = error_with(&all[0], "colour", value.clone());
        assert_eq!(error.is_some(), is_refused, "{value}: {error:?}");
    }
}

/// The specification's names of the tools have actions of their own, which an error names.
#[test]
fn an_error_speaks_of_the_actions_of_the_tool_that_was_called() {
    for (tool, given, expected) in [
        (
            "subcog_entities",
            json!({"action": "create", "name": "Ana", "entity_type": "Person", "canonical_name": "Anna"}),
            "create doesn't use canonical_name; merge does",
        ),
        (
            "subcog_relationships",
            json!({"action": "list", "store": true}),
            "list doesn't use store; infer does",
        ),
        (
            "subcog_prompts",
            json!({"action": "delete", "name": "x", "domain": "user", "variables": {"a": 1}}),
            "delete doesn't use variables; save, run, render do",
        ),
        ("prompt_get", json!({"name": "x", "query": "y"}), "get doesn't use query; render does"),
        ("subcog_get", json!({"memory_id": "x", "mode": "text"}), "get doesn't use mode; recall does"),
        // An argument that no action of the tool uses is unknown; `null` counts as absent.
        ("subcog_entities", json!({"action": "list", "max_hops": 3}), "unknown argument max_hops"),
        ("prompt", json!({"action": "list", "colour": "red"}), "unknown argument colour"),
    ] {
        let error = find_tool(&[&SYSTEM], tool, given.as_object().unwrap().clone()).err().unwrap();
        assert!(error.to_string().contains(expected), "{tool}: {error}");
    }
    let given = json!({"action": "list", "variables": null});
    assert!(find_tool(&[&SYSTEM], "prompt", given.as_object().unwrap().clone()).is_ok());
}

#[test]
fn an_empty_text_narrows_no_recall() {
    let world = World::new();
    let content = json!({"action": "capture", "content": "Deploys run from main", "namespace": "patterns"});
    world.data("memory", content);
    for name in ["namespace", "filter", "entity", "mode", "detail", "user_id", "agent_id"] {
        let mut given = json!({"action": "recall", "query": "deploys"});
        given[name] = " ".into();
        assert_eq!(world.data("memory", given)["total"], 1, "{name}");
    }
}

/// A misplaced argument may be a whole file, which would cost the agent tokens if it were repeated.
#[test]
fn an_error_repeats_only_the_beginning_of_what_was_given() {
    let world = World::new();
    let content = json!({"action": "capture", "content": "Deploys run from main", "namespace": "patterns"});
    world.data("memory", content);
    let long = "x".repeat(100_000);
    let of_calls = [
        ("memory", json!({}), "action"),
        ("memory", json!({"action": "capture", "content": "x"}), "type"),
        ("memory", json!({"action": "recall", "query": "deploys"}), "mode"),
        ("memory", json!({"action": "recall", "query": "deploys"}), "detail"),
        ("memory", json!({"action": "recall", "query": "deploys"}), "limit"),
        ("memory", json!({"action": "recall", "query": "deploys"}), long.as_str()),
        ("memory", json!({"action": "get"}), "id"),
        ("memory", json!({"action": "consolidate", "namespace": "patterns"}), "strategy"),
        ("memory", json!({"action": "export"}), "format"),
        ("memory", json!({"action": "import"}), "path"),
        ("memory", json!({"action": "reindex"}), "repo_path"),
        ("graph", json!({"action": "unrelate"}), "id"),
        ("graph", json!({"action": "visualize"}), "format"),
        ("prompt", json!({"action": "get"}), "name"),
        ("prompt", json!({"action": "list"}), "domain"),
    ]
    .map(|(tool, mut given, argument)| {
        given[argument] = long.as_str().into();
        let name: String = argument.chars().take(20).collect();
        (format!("{tool} {name}"), world.call(tool, given).err())
    });
    let of_lines = ["join", "separate"].map(|verb| {
        let words = ["identity", verb, long.as_str()];
        (format!("identity {verb}"), world.typed("memory", &words, json!({})).err())
    });
    for (call, error) in of_calls.into_iter().chain(of_lines) {
        let error = error.unwrap_or_else(|| panic!("{call} is refused")).to_string();
        assert!(!error.contains(&"x".repeat(300)) && error.len() < 2_000, "{call}: {} bytes", error.len());
    }
}

#[test]
fn what_is_stored_is_a_text_and_nothing_else() {
    for (tool, given, argument) in [
        ("memory", json!({"action": "capture", "namespace": "decisions"}), "content"),
        ("memory", json!({"action": "capture", "type": "decision"}), "content"),
        ("memory", json!({"action": "capture", "type": "decision"}), "memory"),
        ("memory", json!({"action": "update", "id": "dc58d23a"}), "content"),
        ("prompt", json!({"action": "save", "name": "x"}), "content"),
    ] {
        let error_of = |value: &Value| {
            let mut given = given.as_object().unwrap().clone();
            given.insert(argument.into(), value.clone());
            find_tool(&[&SYSTEM], tool, given).err().map(|error| error.to_string())
        };
        for value in [json!({"a": 1}), json!({}), json!(["a", 1]), json!([]), json!(true)] {
            let error = error_of(&value).unwrap_or_default();
            let expected = format!("{tool}: {argument} must be a string, not {value}");
            assert!(error.contains(&expected), "{argument} {value}: {error:?}");
        }
        for value in [json!("a"), json!(["a", "b"]), json!(5)] {
            assert_eq!(error_of(&value), None, "{argument} {value}");
        }
    }
}
