//! Unknown versions: an agent whose program fails, hangs or was replaced keeps its entries.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::desk::{Desk, same};

/// Installs a program of this name where installers do, with its own script.
fn program(desk: &Desk, name: &str, script: &str) {
    let path = desk.write(format!(".local/bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn report(desk: &Desk, id: &str) -> Value {
    let agents = desk.run(&["agents", "--json"]).ended(0).json();
    agents.as_array().unwrap().iter().find(|agent| agent["id"] == id).unwrap().clone()
}

#[test]
fn an_unknown_version_changes_nothing() {
    // Each with a version that writes its entries differently from the one before.
    for (id, name, folder, versions) in [
        ("claude-code", "claude", ".claude", &["2.1.332", "2.1.130", "2.0.50", "1.0.50"][..]),
        ("codex", "codex", ".codex", &["0.171.0", "0.169.0"]),
        ("gemini-cli", "gemini", ".gemini", &["0.61.0"]),
        ("opencode", "opencode", ".config/opencode", &["1.18.33"]),
    ] {
        for version in versions {
            let desk = Desk::new().installed();
            desk.write(format!("{folder}/.keep"), "");
            program(&desk, name, &format!("echo {version}"));
            desk.run(&["connect", id, "--yes"]).ended(0);
            let before = report(&desk, id);
            assert_eq!(before["version"], *version, "{before:#}");
            assert!(["connected", "needs_you"].contains(&before["state"].as_str().unwrap()), "{before:#}");
            let mut broken = vec!["exit 1", "echo no idea"];
            if *version == "2.1.332" {
                // A limit ends it after five seconds.
                broken.push("sleep 60");
            }
            for script in broken {
                program(&desk, name, script);
                let now = report(&desk, id);
                assert_eq!(now["version"], Value::Null, "{id} {version}: {script}");
                let state = now["state"].as_str().unwrap();
                assert!(["connected", "needs_you"].contains(&state), "{id} {version}: {script}: {now:#}");
                assert_eq!(now["files"], before["files"], "{id} {version}: {script}");
                let tree = desk.tree(&[".plimsoll"]);
                desk.run(&["connect", id, "--yes"]).ended(0);
                same(&tree, &desk.tree(&[".plimsoll"]), &format!("{id} {version}: {script}"));
            }
        }
    }
}

/// As a folder of configs that several computers share has them, after a merge that left one. It would start a launcher that isn't here.
#[test]
fn a_hook_of_another_computer_is_brought_up_to_date_without_a_version() {
    for (id, path, event) in [
        ("claude-code", ".claude/settings.json", "PreToolUse"),
        ("gemini-cli", ".gemini/settings.json", "SessionEnd"),
    ] {
        let other = Desk::new().installed();
        other.write(path, "{}\n");
        other.run(&["connect", id, "--yes"]).ended(0);
        let settings: Value = serde_json::from_str(&other.read(path)).unwrap();
        let left = json!({"hooks": {event: settings["hooks"][event]}}).to_string();
        let (desk, there) = (Desk::new().installed(), other.home().display().to_string());
        assert!(left.contains(&there), "{left}");
        desk.write(path, &left);
        desk.run(&["connect", id, "--yes"]).ended(0);
        let text = desk.read(path);
        assert!(text.contains(&desk.home().display().to_string()) && !text.contains(&there), "{text}");
    }
}

/// The events that Claude Code's settings have a hook for.
fn hooks(desk: &Desk) -> Vec<String> {
    let settings: Value = serde_json::from_str(&desk.read(".claude/settings.json")).unwrap();
    settings["hooks"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn an_upgrade_brings_the_entries_of_connected_agents_up_to_date() {
    let desk = Desk::new().installed();
    desk.write(".claude/settings.json", "{}\n");
    program(&desk, "claude", "echo 2.0.30");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    desk.installs("codex");
    let untouched = desk.tree(&[".plimsoll", ".claude", ".claude.json", ".local"]);
    let old = hooks(&desk);
    // If everything is up to date, nothing is printed or written.
    let before = desk.tree(&[".plimsoll"]);
    let printed = desk.run(&["upgrade", "--entries", "--yes"]).ended(0).out;
    assert!(printed.contains("up to date"), "{printed}");
    same(&before, &desk.tree(&[".plimsoll"]), "nothing to do");

    // The user removes one hook; then the agent is upgraded, and so are its entries.
    let mut settings: Value = serde_json::from_str(&desk.read(".claude/settings.json")).unwrap();
    settings["hooks"].as_object_mut().unwrap().remove("PreCompact").unwrap();
    desk.write(".claude/settings.json", &serde_json::to_string_pretty(&settings).unwrap());
    program(&desk, "claude", "echo 2.1.330");
    let before = desk.tree(&[".plimsoll"]);
    // Nobody is there to agree: it is reported and left.
    let told = desk.run(&["upgrade", "--entries"]).ended(4);
    assert!(told.err.contains("Claude Code") && told.err.contains("--yes"), "{}", told.err);
    let would = desk.run(&["upgrade", "--json", "--dry-run"]).ended(4).json();
    assert_eq!(would["entries"]["written"], false, "{would:#}");
    assert_eq!(would["entries"]["agents"][0]["id"], "claude-code", "{would:#}");
    same(&before, &desk.tree(&[".plimsoll"]), "looking only");

    for _ in 0..2 {
        desk.run(&["upgrade", "--yes"]).ended(4);
        let now = hooks(&desk);
        assert!(now.contains(&"PostToolUseFailure".to_owned()) && now.len() > old.len() - 1, "{now:?}");
        assert!(!now.contains(&"PreCompact".to_owned()), "what was taken out came back: {now:?}");
    }
    assert!(desk.read(".claude.json").contains("alwaysLoad"), "{}", desk.read(".claude.json"));
    same(
        &untouched,
        &desk.tree(&[".plimsoll", ".claude", ".claude.json", ".local"]),
        "agents that are not connected",
    );
    // Undoing works as before.
    desk.run(&["disconnect", "claude-code", "--yes"]).ended(0);
    assert!(
        !desk.read(".claude/settings.json").contains("plimsoll"),
        "{}",
        desk.read(".claude/settings.json")
    );
}

#[test]
fn an_upgrade_leaves_out_what_was_declined() {
    for args in [&["--no-hooks"][..], &[]] {
        let desk = Desk::new().installed();
        desk.write(".gemini/settings.json", "{}\n");
        program(&desk, "gemini", "echo 0.61.0");
        desk.run(&[&["connect", "gemini-cli", "--yes"], args].concat()).ended(0);
        let text = desk.read(".gemini/settings.json").replace("3660000", "1000");
        desk.write(".gemini/settings.json", &text);
        desk.run(&["upgrade", "--entries", "--yes"]).ended(0);
        let now = desk.read(".gemini/settings.json");
        assert!(now.contains("3660000"), "{now}");
        assert_eq!(now.contains("BeforeTool"), args.is_empty(), "{now}");
        assert!(!desk.home().join(".gemini/GEMINI.md").exists());
    }
}
