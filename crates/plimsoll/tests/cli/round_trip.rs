//! Connecting writes what was shown, connecting again writes nothing, disconnecting restores the bytes.

use std::time::SystemTime;

use crate::desk::{ALL, Desk, same};

const OURS: [&str; 1] = [".plimsoll"];

#[test]
fn every_agent_comes_back_byte_for_byte() {
    for agent in ALL {
        let desk = Desk::new().installed();
        desk.installs(agent);
        let before = desk.tree(&OURS);
        desk.run(&["connect", agent, "--yes", "--instructions"]).ended(0);
        let connected = desk.tree(&OURS);
        assert_ne!(before, connected, "{agent}: nothing was written");
        desk.run(&["disconnect", agent, "--yes"]).ended(0);
        same(&before, &desk.tree(&OURS), agent);
    }
}

#[test]
fn all_agents_together_come_back_byte_for_byte() {
    let desk = Desk::new().installed();
    for agent in ALL {
        desk.installs(agent);
    }
    let before = desk.tree(&OURS);
    let applied = desk.run(&["connect", "--all", "--yes", "--json"]).ended(0).json();
    let applied = applied["applied"].as_array().unwrap();
    assert_eq!(applied.len(), ALL.len(), "{applied:#?}");
    assert!(applied.iter().all(|one| one["error"].is_null()), "{applied:#?}");
    // If one of two agents that share a file stays connected, the file stays too.
    desk.run(&["disconnect", "vscode-copilot", "--yes"]).ended(0);
    assert!(desk.home().join(".copilot/hooks/plimsoll.json").exists());
    desk.run(&["disconnect", "--all", "--yes"]).ended(0);
    same(&before, &desk.tree(&OURS), "all");
}

#[test]
fn connecting_twice_writes_nothing_the_second_time() {
    let desk = Desk::new().installed();
    for agent in ["claude-code", "codex", "opencode"] {
        desk.installs(agent);
    }
    desk.run(&["connect", "claude-code", "codex", "opencode", "--yes"]).ended(0);
    let times = || -> Vec<(std::path::PathBuf, SystemTime)> {
        desk.tree(&OURS)
            .into_iter()
            .filter(|(_, bytes)| bytes.is_some())
            .map(|(path, _)| {
                (path.clone(), std::fs::metadata(desk.home().join(&path)).unwrap().modified().unwrap())
            })
            .collect()
    };
    let (tree, before) = (desk.tree(&[]), times());
    let printed = desk.run(&["connect", "claude-code", "codex", "opencode", "--yes"]).ended(0);
    assert!(printed.out.contains("already connected"), "{}", printed.out);
    assert_eq!(before, times());
    // Nor anything in Plimsoll's folder but the database's own bookkeeping.
    let rest = |tree: std::collections::BTreeMap<std::path::PathBuf, Option<Vec<u8>>>| {
        tree.into_iter().filter(|(path, _)| !path.to_string_lossy().contains("plimsoll.db")).collect()
    };
    same(&rest(tree), &rest(desk.tree(&[])), "a second time");
}

#[test]
fn a_dry_run_writes_nothing_at_all() {
    let desk = Desk::new();
    for agent in ALL {
        desk.installs(agent);
    }
    let before = desk.tree(&[]);
    for args in [
        &["connect", "--all", "--dry-run"][..],
        &["connect", "codex", "--dry-run", "--json"],
        &["connect", "--print", "kiro"],
        &["disconnect", "--all", "--dry-run"],
        &["setup", "--dry-run"],
        &["uninstall", "--all", "--dry-run"],
        &["upgrade", "--dry-run"],
        &["pause", "--dry-run"],
        &["resume", "--dry-run"],
        &["index", "x.md", "--dry-run"],
        &["agents"],
        &["status"],
        &["sources"],
        &["search", "x"],
        &["stats"],
        // Without --yes and without anybody to ask.
        &["connect", "--all"],
        &["disconnect", "--all"],
        &["setup"],
        &["uninstall", "--all"],
    ] {
        desk.run(args);
        same(&before, &desk.tree(&[]), &args.join(" "));
    }
}

#[test]
fn entries_that_the_user_removed_stay_removed() {
    let desk = Desk::new().installed();
    desk.installs("gemini-cli");
    let file = desk.home().join(".gemini/settings.json");
    let before = std::fs::read(&file).unwrap();
    desk.run(&["connect", "gemini-cli", "--yes"]).ended(0);
    std::fs::write(&file, &before).unwrap();
    let agents = desk.run(&["agents", "--json"]).json();
    let gemini = agents.as_array().unwrap().iter().find(|agent| agent["id"] == "gemini-cli").unwrap().clone();
    assert_eq!(gemini["state"], "not_connected");
    assert_eq!(gemini["files"][0]["state"], "removed");
    let printed = desk.run(&["setup", "--yes"]);
    assert!(printed.out.contains("stay out"), "{}", printed.out);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    // An explicit command restores it.
    desk.run(&["connect", "gemini-cli", "--yes"]).ended(0);
    assert_ne!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn one_agent_that_fails_is_put_back_and_stops_nobody() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.installs("codex");
    // Claude Code's second file can't be edited.
    desk.write(".claude/settings.json", "{ \"broken\": ");
    let claude = desk.read(".claude.json");
    let ran = desk.run(&["connect", "claude-code", "codex", "--yes", "--json"]).ended(1).json();
    assert!(ran["applied"][0]["error"]["text"].as_str().unwrap().contains("settings.json"), "{ran:#}");
    assert!(ran["applied"][1]["error"].is_null(), "{ran:#}");
    assert_eq!(desk.read(".claude.json"), claude);
    assert_eq!(desk.read(".claude/settings.json"), "{ \"broken\": ");
    assert!(desk.read(".codex/config.toml").contains("[mcp_servers.plimsoll]"));
    // The output says where it doesn't parse and what to enter by hand.
    let shown = desk.run(&["connect", "claude-code", "--dry-run"]).ended(0).out;
    assert!(shown.contains("line 1, column") && shown.contains("To enter by hand"), "{shown}");
    assert!(shown.contains("Nothing would be written."), "{shown}");
}

#[test]
fn a_project_is_connected_separately_and_found_again_by_uninstall() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    let project = desk.beside("shop");
    std::fs::create_dir(project.join(".git")).unwrap();
    let user = desk.read(".claude.json");
    desk.run_in(&project, &["connect", "claude-code", "--scope", "project", "--yes"]).ended(0);
    assert!(project.join(".mcp.json").exists());
    assert_eq!(desk.read(".claude.json"), user);
    let gone = desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(!project.join(".mcp.json").exists(), "{}", gone.out);
    assert!(!desk.plimsoll().exists());
    // A folder that isn't a project isn't written to.
    desk.run(&["connect", "claude-code", "--scope", "project", "--yes"]).ended(2);
}

#[test]
fn opencode_gets_no_second_plugin_beside_a_listed_one() {
    let desk = Desk::new().installed();
    desk.write(".config/opencode/opencode.json", "{\n  \"plugin\": [\"plimsoll\"]\n}\n");
    let shown = desk.run(&["connect", "opencode", "--yes", "--json"]).ended(0).json();
    let notes = shown["plan"]["agents"][0]["notes"].to_string();
    assert!(notes.contains("doesn't write its plugin file"), "{notes}");
    assert!(!desk.home().join(".config/opencode/plugins/plimsoll.js").exists());
}

#[test]
fn an_entry_that_is_not_ours_is_left_alone_and_a_rival_is_named() {
    let desk = Desk::new().installed();
    let theirs = "{\"mcpServers\": {\"plimsoll\": {\"command\": \"other\"}, \"context-mode\": {\"command\": \"npx\"}}}";
    desk.write(".cursor/mcp.json", theirs);
    let printed = desk.run(&["connect", "cursor", "--yes"]).ended(1).out;
    assert!(printed.contains("contains an entry that isn't Plimsoll's"), "{printed}");
    assert_eq!(desk.read(".cursor/mcp.json"), theirs);
    assert!(!desk.home().join(".cursor/hooks.json").exists());
    let printed = desk.run(&["doctor"]).out;
    assert!(printed.contains("[WARN] cursor: context-mode is registered in"), "{printed}");
}
