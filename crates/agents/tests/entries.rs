//! Each agent's entries in an empty file, per version if versions differ. Launcher and folders are fixed, so that the snapshots
//! are the same on every computer.

#![expect(clippy::expect_used, reason = "a test that cannot go on should stop")]

use std::path::{Path, PathBuf};

use home::{Env, Os};
use plimsoll_agents::{self as agents, Agent, EntryContext, Parts, Scope};

fn agent(id: &str) -> &'static dyn Agent {
    agents::by_id(id).expect("an agent")
}

/// An agent's files as text.
fn entries(id: &str, version: Option<&str>, os: Os, launcher: &str, scope: &Scope) -> String {
    let env = Env::for_test("/home/ana").with_os(os);
    let agent = agent(id);
    let mut found = agent.assumed_installation(&env);
    found.version = version.map(str::to_owned);
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    let context =
        EntryContext { launcher: Path::new(launcher), scope, installation: &found, parts, env: &env };
    agent
        .files(&context)
        .iter()
        .map(|file| {
            let path = file.path.display().to_string().replace('\\', "/");
            format!("=== {path} ({:?})\n{}\n", file.role, edits::snippet(file.format, &file.edits).trim_end())
        })
        .collect()
}

const LAUNCHER: &str = "/home/ana/.plimsoll/bin/plimsoll";

#[test]
fn entries_of_current_versions() {
    for (id, version) in [("claude-code", "2.1.197"), ("codex", "0.169.0"), ("gemini-cli", "0.61.0")] {
        insta::assert_snapshot!(id, entries(id, Some(version), Os::Linux, LAUNCHER, &Scope::User));
    }
}

#[test]
fn entries_of_old_versions_hold_only_what_they_know() {
    for (id, version) in [("claude-code", "2.0.30"), ("codex", "0.130.0"), ("gemini-cli", "0.20.0")] {
        insta::assert_snapshot!(
            format!("{id}-old"),
            entries(id, Some(version), Os::Linux, LAUNCHER, &Scope::User)
        );
    }
}

#[test]
fn a_launcher_elsewhere_is_named_whole_and_quoted() {
    for id in ["claude-code", "codex", "gemini-cli"] {
        let text = entries(id, None, Os::Linux, "/opt/my tools/it's/plimsoll", &Scope::User);
        assert!(text.contains("/opt/my tools/it"), "{text}");
        assert!(!text.contains("$HOME"), "{text}");
        assert!(text.contains(r"'/opt/my tools/it'\\''s/plimsoll'"), "{text}");
    }
}

#[test]
fn windows_gets_the_commands_of_its_shells() {
    let launcher = r"C:\Users\ana b\.plimsoll\bin\plimsoll.exe";
    let claude = entries("claude-code", None, Os::Windows, launcher, &Scope::User);
    assert!(claude.contains(r#"\"C:/Users/ana b/.plimsoll/bin/plimsoll.exe\" hook claude-code"#), "{claude}");
    let codex = entries("codex", None, Os::Windows, launcher, &Scope::User);
    assert!(
        codex.contains(r#"cmd /c \"C:\\Users\\ana b\\.plimsoll\\bin\\plimsoll.exe\" hook codex"#),
        "{codex}"
    );
    let gemini = entries("gemini-cli", None, Os::Windows, launcher, &Scope::User);
    assert!(
        gemini.contains(r"& 'C:\\Users\\ana b\\.plimsoll\\bin\\plimsoll.exe' hook gemini-cli"),
        "{gemini}"
    );
}

#[test]
fn project_scope_writes_into_the_project() {
    let scope = Scope::Project(PathBuf::from("/w/shop"));
    for (agent, files) in [
        ("claude-code", &["/w/shop/.mcp.json", "/w/shop/.claude/settings.json", "/w/shop/CLAUDE.md"]),
        ("codex", &["/w/shop/.codex/config.toml", "/w/shop/.codex/hooks.json", "/w/shop/AGENTS.md"]),
        (
            "gemini-cli",
            &["/w/shop/.gemini/settings.json", "/w/shop/.gemini/settings.json", "/w/shop/GEMINI.md"],
        ),
    ] {
        let text = entries(agent, None, Os::Linux, LAUNCHER, &scope);
        let named: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("=== ")?.split(" (").next()).collect();
        assert_eq!(named, files, "{agent}");
    }
}

#[test]
fn nothing_is_ever_trusted_in_the_users_name() {
    for agent in agents::all() {
        let text = entries(agent.id(), None, Os::Linux, LAUNCHER, &Scope::User);
        for word in
            ["\"trust\"", "trusted_hash", "autoApprove\": [\"", "default_tools_approval_mode", "alwaysAllow"]
        {
            assert!(!text.contains(word), "{} writes {word}:\n{text}", agent.id());
        }
    }
}

#[test]
fn ids_and_client_names_find_their_agent() {
    let mut ids: Vec<&str> = agents::all().iter().map(|agent| agent.id()).collect();
    let number = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), number, "two agents have one ID");
    for (client, id) in [
        ("claude-code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("Codex", "codex"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("opencode", "opencode"),
        ("copilot-cli", "copilot-cli"),
        ("github-copilot-developer", "copilot-cli"),
        ("cursor-vscode", "cursor"),
        ("Visual Studio Code - Insiders", "vscode-copilot"),
        ("Visual-Studio-Code", "vscode-copilot"),
        ("antigravity-client", "antigravity"),
        ("Kiro CLI", "kiro"),
    ] {
        assert_eq!(agents::by_client_name(client).map(Agent::id), Some(id), "{client}");
    }
    assert!(agents::by_client_name("zed").is_none());
    for agent in agents::all() {
        let name = agent.tool_name("search");
        assert!(name.contains("search") && name.len() <= 60, "{name}");
    }
}

#[test]
fn the_instructions_map_what_a_user_says_to_every_action_under_the_agents_own_name() {
    let text_of = |agent: &dyn Agent| {
        let scopes = [Scope::User, Scope::Project(PathBuf::from("/w/shop"))];
        scopes.map(|scope| entries(agent.id(), None, Os::Linux, LAUNCHER, &scope)).concat()
    };
    let with: Vec<_> =
        agents::all().iter().filter(|agent| text_of(**agent).contains("## Large outputs")).collect();
    assert!(with.len() >= 8, "{}", with.len());
    for agent in with {
        let text = text_of(*agent);
        // Antigravity reads Gemini CLI's file, whose names it understands.
        let named = if agent.id() == "antigravity" { crate::agent("gemini-cli") } else { *agent };
        // Where the tool is not listed, the command line does the same.
        let is_listed = named.offer().tools.contains(&"manage");
        assert_eq!(text.contains(&named.tool_name("manage")), is_listed, "{}:\n{text}", agent.id());
        for (words, action) in
            [("save", "stats"), ("work", "doctor"), ("newer", "upgrade"), ("forget", "purge")]
        {
            let printed =
                if is_listed { format!("action `{action}`") } else { format!("`plimsoll {action}`") };
            let line = text.lines().find(|line| line.contains(&printed));
            assert!(line.is_some_and(|line| line.contains(words)), "{} {action}:\n{text}", agent.id());
        }
    }
}
