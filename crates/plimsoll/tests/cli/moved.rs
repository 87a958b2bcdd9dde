//! Agents whose folder a variable moves: entries are found again where the variable isn't set.

use std::path::{Path, PathBuf};

use crate::desk::{Desk, Ran, finish, same};

/// Agents, and the variable that moves each one's folder.
const MOVED: [(&str, &str); 7] = [
    ("claude-code", "CLAUDE_CONFIG_DIR"),
    ("codex", "CODEX_HOME"),
    ("copilot-cli", "COPILOT_HOME"),
    ("gemini-cli", "GEMINI_CLI_HOME"),
    ("kiro", "KIRO_HOME"),
    ("opencode", "OPENCODE_CONFIG_DIR"),
    ("vscode-copilot", "VSCODE_PORTABLE"),
];

fn run_with(desk: &Desk, variable: &str, folder: &Path, args: &[&str]) -> Ran {
    finish(desk.command(args).env(variable, folder))
}

/// Connects an agent below `dotfiles`, where one of its files already has something of the user's.
fn connect_elsewhere(desk: &Desk, agent: &str, variable: &str) -> PathBuf {
    let folder = desk.home().join("dotfiles");
    let printed = run_with(desk, variable, &folder, &["connect", "--print", agent, "--json"]).ended(0).json();
    for file in printed.as_array().unwrap() {
        let path = PathBuf::from(file["path"].as_str().unwrap());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let is_own = path.file_name().unwrap().to_string_lossy().starts_with("plimsoll");
        if path.starts_with(&folder) && !is_own && path.extension().is_some_and(|ending| ending == "json") {
            std::fs::write(&path, "{\"mine\": [1, 2]}\n").unwrap();
        }
    }
    folder
}

#[test]
fn a_connection_in_a_moved_folder_is_removed_without_the_variable() {
    for (agent, variable) in MOVED {
        let ways: [&[&str]; 3] = [
            &["disconnect", agent, "--yes"],
            &["disconnect", "--all", "--yes"],
            &["uninstall", "--all", "--yes"],
        ];
        for way in ways {
            let desk = Desk::new().installed();
            // An agent whose usual folder exists, too.
            desk.write(".codex/.keep", "");
            let folder = connect_elsewhere(&desk, agent, variable);
            let before = desk.tree(&[".plimsoll"]);
            run_with(&desk, variable, &folder, &["connect", agent, "--instructions", "--yes"]).ended(0);
            let connected = desk.tree(&[".plimsoll"]);
            assert_ne!(before, connected, "{agent}");
            let listed = desk.run(&["agents"]).out;
            assert!(!listed.contains("removed by you"), "{agent}: nobody removed anything:\n{listed}");
            desk.run(way).ended(0);
            same(&before, &desk.tree(&[".plimsoll"]), &format!("{agent}, {way:?}"));
        }
    }
}

/// Codex notes which hooks it may run in `config.toml`, by the path of `hooks.json`.
#[test]
fn approvals_in_a_moved_folder_go_with_their_hooks() {
    for way in [&["disconnect", "codex", "--yes"][..], &["uninstall", "--all", "--yes"]] {
        let desk = Desk::new().installed();
        let folder = desk.home().join("dotfiles");
        std::fs::create_dir_all(&folder).unwrap();
        let (config, hooks) = (folder.join("config.toml"), folder.join("hooks.json"));
        let mine = "model = \"o9\"\n\n[hooks.state]\n\n[hooks.state.\"/elsewhere/hooks.json:stop:0:0\"]\n\
            trusted_hash = \"sha256:mine\"\n";
        std::fs::write(&config, mine).unwrap();
        run_with(&desk, "CODEX_HOME", &folder, &["connect", "codex", "--yes"]).ended(0);
        let written = std::fs::read_to_string(&config).unwrap();
        let approval = format!(
            "\n[hooks.state.\"{}:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:ours\"\n",
            hooks.display()
        );
        std::fs::write(&config, written + &approval).unwrap();
        // The cache knows where the folder was moved to; an emptied cache, or another computer's, doesn't.
        std::fs::remove_dir_all(desk.plimsoll().join("cache")).unwrap();
        desk.run(way).ended(0);
        assert_eq!(std::fs::read_to_string(&config).unwrap(), mine, "{way:?}");
    }
}

#[test]
fn a_project_stays_connected_when_the_users_own_files_are_left() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    desk.installs("claude-code");
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    for agent in ["codex", "claude-code"] {
        desk.run_in(&project, &["connect", agent, "--scope", "project", "--yes"]).ended(0);
    }
    let connected = desk.tree(&[".plimsoll"]);
    desk.run(&["connect", "--all", "--yes"]).ended(0);
    desk.run(&["disconnect", "--all", "--yes"]).ended(0);
    same(&connected, &desk.tree(&[".plimsoll"]), "the project's files");
}

#[test]
fn a_file_that_another_agent_needs_stays() {
    let desk = Desk::new().installed();
    let folder = connect_elsewhere(&desk, "copilot-cli", "COPILOT_HOME");
    run_with(&desk, "COPILOT_HOME", &folder, &["connect", "copilot-cli", "--yes"]).ended(0);
    desk.installs("vscode-copilot");
    let copilot = desk.tree(&[".plimsoll", ".config", ".copilot"]);
    desk.run(&["connect", "vscode-copilot", "--yes"]).ended(0);
    desk.run(&["disconnect", "vscode-copilot", "--yes"]).ended(0);
    same(&copilot, &desk.tree(&[".plimsoll", ".config", ".copilot"]), "Copilot's files");
}

#[test]
fn a_folder_with_two_names_counts_once() {
    let desk = Desk::new().installed();
    desk.write("dotfiles/codex/config.toml", "model = \"o9\"\n");
    std::os::unix::fs::symlink(desk.home().join("dotfiles/codex"), desk.home().join(".codex")).unwrap();
    let before = desk.tree(&[".plimsoll"]);
    run_with(&desk, "CODEX_HOME", &desk.home().join("dotfiles/codex"), &["connect", "codex", "--yes"])
        .ended(0);
    let would = desk.run(&["disconnect", "codex", "--dry-run", "--json"]).ended(0).json();
    let files = would["plan"]["agents"][0]["files"].as_array().unwrap();
    let configs = files.iter().filter(|file| file["path"].as_str().unwrap().ends_with("config.toml"));
    assert_eq!(configs.count(), 1, "{would:#}");
    desk.run(&["disconnect", "codex", "--yes"]).ended(0);
    same(&before, &desk.tree(&[".plimsoll"]), "through the link");
}

/// Its entries would start a launcher that isn't there. A folder that is only beside it is left alone, even if somebody else gave it
/// the same entry.
#[test]
fn an_uninstall_finds_the_entries_of_a_project_that_was_renamed() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    let (project, other) = (desk.beside("shop"), desk.beside("boat"));
    std::fs::create_dir(project.join(".git")).unwrap();
    desk.run_in(&project, &["connect", "claude-code", "--scope", "project", "--yes"]).ended(0);
    let (written, theirs) = (project.join(".mcp.json"), other.join(".mcp.json"));
    std::fs::copy(&written, &theirs).unwrap();
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    std::fs::File::options().write(true).open(&theirs).unwrap().set_modified(before).unwrap();
    let renamed = project.with_file_name("store");
    std::fs::rename(&project, &renamed).unwrap();
    let told = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
    assert!(told.contains("store now; its entries are removed there"), "{told}");
    let left = std::fs::read_dir(&renamed).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), [".git"], "what Plimsoll made is gone: {told}");
    assert!(std::fs::read_to_string(theirs).unwrap().contains("plimsoll"));
}

/// It would fail at each event, and nobody would know why. Where the agent was disconnected before, there is nothing else to do.
#[test]
fn an_uninstall_names_a_file_with_a_line_of_the_users_that_starts_plimsoll() {
    for is_disconnected in [false, true] {
        let desk = Desk::new().installed();
        desk.installs("claude-code");
        desk.run(&["connect", "claude-code", "--yes"]).ended(0);
        let settings = desk.read(".claude/settings.json");
        desk.write(
            ".claude/settings.json",
            &settings.replacen("hook claude-code\"", "hook claude-code && date\"", 1),
        );
        if is_disconnected {
            desk.run(&["disconnect", "claude-code", "--yes"]).ended(0);
        }
        let told = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
        assert!(
            told.contains("~/.claude/settings.json still names Plimsoll's launcher, which is gone"),
            "{is_disconnected}: {told}"
        );
        assert!(desk.read(".claude/settings.json").contains("hook claude-code && date"));
    }
}

/// Whoever reads it waits for the other end.
#[test]
fn an_uninstall_does_not_wait_at_a_pipe_in_the_place_of_a_file() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let settings = desk.home().join(".claude/settings.json");
    std::fs::remove_file(&settings).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&settings).status().unwrap().success());
    let ran = desk.run(&["uninstall", "--all", "--yes"]);
    assert!(!desk.read(".claude.json").contains("plimsoll"), "{}", ran.out);
}
