//! Versions that cannot be told: an agent whose program fails, hangs or is another one today keeps the entries that it has.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::desk::{Desk, same};

/// Puts a program of this name where installers do, with a script of its own.
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
    // Each with a version that writes its entries in another way than the one before.
    for (id, name, folder, versions) in [
        ("claude-code", "claude", ".claude", &["2.1.330", "2.1.130", "2.0.50", "1.0.50"][..]),
        ("codex", "codex", ".codex", &["0.169.0"]),
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
            if *version == "2.1.330" {
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
