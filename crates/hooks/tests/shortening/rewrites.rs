//! When a command is rewritten to run under `plimsoll run`: never past a rule, a question or the project's trust.

use home::set_value;
use serde_json::{Value, json};

use super::{World, decision, rewritten};

#[test]
fn a_command_is_rewritten_only_where_no_question_changes() {
    let world = World::new();
    let prefix = format!("{} run --agent claude-code --session s-1 -- ", world.home.launcher().display());
    // This session asks nobody: the rewrite is sent without a decision.
    let reply = world.before("bypassPermissions", "cd api && RUST_LOG=1 cargo test 2>&1");
    assert_eq!(rewritten(&reply).unwrap(), format!("cd api && RUST_LOG=1 {prefix}cargo test 2>&1"));
    assert_eq!(decision(&reply), None);
    assert_eq!(reply["hookSpecificOutput"]["updatedInput"]["description"], "x");
    // No rule covers it: the user will be asked about the original.
    assert_eq!(rewritten(&world.before("default", "cargo test")), None);
    // Their rule allows the original, so the rewrite is allowed, and no more.
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"] }));
    let reply = world.before("default", "cargo test --all");
    assert_eq!(rewritten(&reply).unwrap(), format!("{prefix}cargo test --all"));
    assert_eq!(decision(&reply), Some("allow"));
    assert_eq!(rewritten(&world.before("default", "cargo build")), None);
    assert_eq!(rewritten(&world.before("default", "cargo test && curl x | sh")), None);
    assert_eq!(rewritten(&world.before("plan", "cargo test")), None);
    // A rule that asks or denies keeps doing so, also in a session that asks nobody.
    for (rules, command) in [
        (json!({ "ask": ["Bash(cargo:*)"], "allow": ["Bash(cargo test:*)"] }), "cargo test"),
        (json!({ "deny": ["Bash(cargo test:*)"] }), "cargo test"),
    ] {
        world.rules(&rules);
        for mode in ["default", "bypassPermissions"] {
            let reply = world.before(mode, command);
            assert_eq!(rewritten(&reply), None, "{rules} {mode}");
            assert_ne!(decision(&reply), Some("allow"), "{rules} {mode}");
        }
    }
}

/// The lines of a watched command go to the model one by one; the user's rules are asked about it like about any other.
#[test]
fn a_watched_command_is_checked_but_not_rewritten() {
    let world = World::new();
    let watch = |command: &str| {
        world.send(
            "claude-code",
            &json!({
                "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": world.project,
                "permission_mode": "bypassPermissions", "tool_name": "Monitor", "tool_use_id": "t",
                "tool_input": { "command": command, "description": "x", "timeout_ms": 300_000 }
            }),
        )
    };
    assert_eq!(watch("cargo test"), Value::Null);
    world.rules(&json!({ "deny": ["Bash(cargo publish:*)"] }));
    assert_eq!(decision(&watch("bash -c 'cargo publish'")), Some("deny"));
    assert_eq!(watch("cargo test"), Value::Null);
}

/// The rules are asked about a command in words as about its text, but nothing else is put in its place.
#[test]
fn a_command_given_as_words_is_checked_but_not_rewritten() {
    let world = World::new();
    let run = |command: &str| {
        world.send(
            "claude-code",
            &json!({
                "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": world.project,
                "permission_mode": "bypassPermissions", "tool_name": "Bash", "tool_use_id": "t",
                "tool_input": { "command": ["bash", "-lc", command] }
            }),
        )
    };
    assert_eq!(run("cargo test"), Value::Null);
    world.rules(&json!({ "deny": ["Bash(cargo publish:*)"] }));
    assert_eq!(decision(&run("cargo publish")), Some("deny"));
}

#[test]
fn the_rules_of_a_folder_named_by_its_url_count() {
    let world = World::new();
    world.rules(&json!({ "deny": ["Bash(cargo publish:*)"] }));
    let reply = world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": format!("file://{}", world.project.display()),
            "permission_mode": "default", "tool_name": "Bash", "tool_use_id": "t",
            "tool_input": { "command": "bash -c 'cargo publish'" }
        }),
    );
    assert_eq!(decision(&reply), Some("deny"));
}

/// Only plain commands are allowed, whatever a rule seems to cover. If a rule denies or asks, a command that isn't
/// plain isn't hidden behind the prefix, also in a session that asks nobody.
#[test]
fn only_plain_commands_are_allowed() {
    let world = World::new();
    let tricks = [
        "cargo test ${x:-{}; boom x # }",
        "cargo test ${x}",
        "cargo test $(boom)",
        "cargo test {a,b}",
        "cargo test *",
        "cargo test ~/x",
        "cargo test # x",
        "cargo test\tx",
        "cargo test \\x",
        "cargo test 'a'b",
        "cargo test; cargo build",
        "cargo test || cargo build",
        "cargo test\ncargo build",
    ];
    world.rules(&json!({ "allow": ["Bash(cargo:*)"] }));
    for command in tricks.iter().chain(&["DEBUG=1 cargo test", "cargo test --manifest-path ../x"]) {
        let reply = world.before("default", command);
        assert_eq!((rewritten(&reply), decision(&reply)), (None, None), "{command}");
    }
    assert_eq!(decision(&world.before("default", "CI=1 cargo test 2>&1")), Some("allow"));
    world.rules(&json!({ "deny": ["Bash(boom:*)"] }));
    for command in tricks {
        let reply = world.before("bypassPermissions", command);
        assert_eq!(rewritten(&reply), None, "{command}");
    }
    assert!(rewritten(&world.before("bypassPermissions", "cargo test && cargo build")).is_some());
}

/// A layer that doesn't parse may forbid what a rewrite hides.
#[test]
fn beside_a_broken_layer_nothing_is_rewritten() {
    let world = World::new();
    std::fs::write(world.project.join(".claude/settings.json"), "{").unwrap();
    for mode in ["default", "bypassPermissions"] {
        let reply = world.before(mode, "cargo test");
        assert_eq!((rewritten(&reply), decision(&reply)), (None, None), "{mode}");
    }
}

/// If the host would have asked about the original, it must still ask about the rewrite.
#[test]
fn a_rule_that_allows_plimsoll_allows_no_other_command() {
    let world = World::new();
    set_value(&world.home, &["filters", "rewrite"], "always").unwrap();
    assert!(rewritten(&world.before("default", "cargo test")).is_some());
    world.rules(&json!({ "allow": [format!("Bash({} run:*)", world.home.launcher().display())] }));
    assert_eq!(rewritten(&world.before("default", "cargo test")), None);
}

#[test]
fn commands_with_pipes_or_redirections_are_left_alone() {
    let world = World::new();
    for command in [
        "cargo test | tail -5",
        "cargo test > out.txt",
        "cargo test &",
        // The file would contain something else, or hidden output would be shown.
        "cargo test 2> errors.txt",
        "cargo build 2>/dev/null",
        "cargo test >& all.txt",
        // Perhaps a function of the user's shell.
        "pytest -q",
        "for i in 1 2; do cargo test; done",
        "x=$(cargo test)",
        "bash -c 'cargo test'",
        "time cargo test",
        "sudo cargo test",
        "cargo test <<EOF\nx\nEOF",
        "git log",
        "ls",
        "echo cargo test",
        "'unclosed cargo test",
    ] {
        assert_eq!(rewritten(&world.before("bypassPermissions", command)), None, "{command}");
    }
    set_value(&world.home, &["filters", "rewrite"], "never").unwrap();
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
    set_value(&world.home, &["filters", "rewrite"], "always").unwrap();
    let reply = world.before("default", "cargo test");
    assert!(rewritten(&reply).is_some() && decision(&reply).is_none(), "asked about as rewritten: {reply}");
    set_value(&world.home, &["filters", "enabled"], false).unwrap();
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
}

/// The agent was started with these words.
fn started(mut world: World, words: &[&str]) -> World {
    let line = words.iter().map(ToString::to_string).collect();
    world.env = world.env.with_callers(vec![vec!["sh".into()], line]);
    world
}

#[test]
fn rules_on_the_agents_command_line_are_rules() {
    let allow = json!({ "allow": ["Bash(cargo:*)"] });
    let world = started(World::new(), &["claude", "--disallowedTools", "Bash(cargo test:*)"]);
    world.rules(&allow);
    for mode in ["default", "bypassPermissions"] {
        let reply = world.before(mode, "cargo test");
        assert_eq!((rewritten(&reply), decision(&reply)), (None, Some("deny")), "{mode}");
        assert!(rewritten(&world.before(mode, "cargo build")).is_some(), "{mode}");
    }
    let world =
        started(World::new(), &["claude", "--settings", r#"{"permissions":{"ask":["Bash(cargo:*)"]}}"#]);
    world.rules(&allow);
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
    // A process that wrote its title over its arguments: what they allowed or forbade is unknown.
    let world = started(World::new(), &["claude", "", "", "", ""]);
    world.rules(&allow);
    assert_eq!(rewritten(&world.before("default", "cargo test")), None);
}

/// The hook runs in the folder that the last `cd` went to, and its payload says so.
fn in_folder(world: &World, folder: &str, mode: &str, command: &str) -> Value {
    world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": world.project.join(folder),
            "permission_mode": mode, "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t"
        }),
    )
}

#[test]
fn rules_are_those_of_the_project_wherever_a_command_went() {
    let mut world = World::new();
    let nested = world.project.join("sub/.claude");
    std::fs::create_dir_all(&nested).unwrap();
    world.env =
        world.env.clone().with("CLAUDE_PROJECT_DIR", &world.project).with_cwd(world.project.join("sub"));
    // The settings of a folder that somebody changed to allow nothing.
    std::fs::write(nested.join("settings.json"), r#"{"permissions":{"allow":["Bash(cargo:*)","Bash"]}}"#)
        .unwrap();
    world.rules(&json!({}));
    for folder in ["", "sub"] {
        let reply = in_folder(&world, folder, "default", "cargo test");
        assert_eq!((rewritten(&reply), decision(&reply)), (None, None), "{folder}");
    }
    // What the project forbids or asks about applies after `cd sub`, whether or not the session asks anybody.
    for (rules, answer) in [
        (json!({ "deny": ["Bash(cargo test:*)"] }), Some("deny")),
        (json!({ "ask": ["Bash(cargo test:*)"] }), None),
    ] {
        world.rules(&rules);
        for mode in ["default", "bypassPermissions"] {
            let reply = in_folder(&world, "sub", mode, "cargo test");
            assert_eq!((rewritten(&reply), decision(&reply)), (None, answer), "{rules} {mode}");
        }
    }
    // What it allows is allowed there too.
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"] }));
    assert_eq!(decision(&in_folder(&world, "sub", "default", "cargo test")), Some("allow"));
    // Started in the subfolder, its own rules are the project's, and the root's denials apply.
    std::fs::create_dir_all(world.project.join(".git")).unwrap();
    world.rules(&json!({ "deny": ["Bash(cargo build:*)"], "allow": ["Bash(cargo run:*)"] }));
    world.env = world.env.clone().with("CLAUDE_PROJECT_DIR", world.project.join("sub"));
    for (command, answer) in
        [("cargo test", Some("allow")), ("cargo build", Some("deny")), ("cargo run", Some("allow"))]
    {
        assert_eq!(decision(&in_folder(&world, "sub", "default", command)), answer, "{command}");
    }
    std::fs::write(nested.join("settings.json"), "{}").unwrap();
    assert_eq!(
        decision(&in_folder(&world, "sub", "default", "cargo run")),
        None,
        "the root allows nothing here"
    );
}

#[test]
fn without_a_named_project_the_working_folder_is_the_project() {
    let mut world = World::new();
    world.rules(&json!({ "deny": ["Bash(cargo test:*)"] }));
    std::fs::create_dir_all(world.project.join("sub")).unwrap();
    let words = vec!["claude".to_owned()];
    let caller = home::Caller { pid: 1, words, cwd: Some(world.project.clone()), terminal: None };
    world.env = world.env.clone().with_cwd(world.project.join("sub")).with_callers(vec![caller]);
    assert_eq!(decision(&in_folder(&world, "sub", "bypassPermissions", "cargo test")), Some("deny"));
}

#[test]
fn what_a_project_allows_counts_once_it_is_trusted() {
    let world = World::new();
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"] }));
    let file = world.env.home_dir().join(".claude.json");
    let key = world.project.to_string_lossy();
    for (trusted, answer) in [(json!({}), None), (json!({ "hasTrustDialogAccepted": true }), Some("allow"))] {
        std::fs::write(&file, json!({ "projects": { (&*key): trusted } }).to_string()).unwrap();
        assert_eq!(decision(&world.before("default", "cargo test")), answer, "{trusted}");
    }
}

#[test]
fn nothing_is_rewritten_beside_a_layer_that_does_not_parse() {
    let world = World::new();
    std::fs::write(world.project.join(".claude/settings.local.json"), "{ no").unwrap();
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
}

#[test]
fn powershell_is_judged_by_its_own_rules_and_never_rewritten() {
    let world = World::new();
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"], "deny": ["PowerShell(git push:*)"] }));
    let send = |command: &str| {
        world.send(
            "claude-code",
            &json!({
                "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": world.project,
                "permission_mode": "bypassPermissions", "tool_name": "PowerShell",
                "tool_input": { "command": command }, "tool_use_id": "t"
            }),
        )
    };
    let reply = send("cargo test");
    assert_eq!((rewritten(&reply), decision(&reply)), (None, None));
    assert_eq!(decision(&send("git push --force")), Some("deny"));
}
