//! Claude Code, Codex and Gemini CLI: where they are found, their rules and their findings.

use std::path::PathBuf;

use home::{Env, Os};
use plimsoll_agents::{self as agents, Agent, EntryContext, Level, Machine, Parts, Scope};

const LAUNCHER: &str = "/home/ana/.plimsoll/bin/plimsoll";

fn agent(id: &str) -> &'static dyn Agent {
    agents::by_id(id).unwrap()
}

/// A scratch computer with folders and programs.
struct Computer {
    dir: tempfile::TempDir,
}

impl Computer {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    #[cfg(unix)]
    fn program(&self, path: &str, prints: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.write(path, &format!("#!/bin/sh\necho '{prints}'\n"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn env(&self) -> Env {
        Env::for_test(self.home()).with_os(Os::Linux)
    }

    fn machine<'a>(&self, env: &'a Env, may_run: bool) -> Machine<'a> {
        let places = agents::install_places(env, self.dir.path());
        Machine::with_root(env, self.dir.path().to_path_buf(), places, may_run)
    }
}

#[test]
fn an_empty_computer_has_no_agents() {
    let computer = Computer::new();
    std::fs::create_dir_all(computer.home()).unwrap();
    let env = computer.env();
    let machine = computer.machine(&env, true);
    for agent in agents::all() {
        assert_eq!(agent.detect(&machine), None, "{}", agent.id());
    }
}

#[cfg(unix)]
#[test]
fn programs_are_found_where_installers_put_them() {
    let computer = Computer::new();
    let claude = computer.program("home/.local/bin/claude", "2.1.197 (Claude Code)");
    let codex = computer.program("home/.nvm/versions/node/v22.1.0/bin/codex", "codex-cli 0.169.0");
    let gemini = computer.program("opt/homebrew/bin/gemini", "0.61.0");
    let env = computer.env();
    let machine = computer.machine(&env, true);
    for (id, program, version) in
        [("claude-code", claude, "2.1.197"), ("codex", codex, "0.169.0"), ("gemini-cli", gemini, "0.61.0")]
    {
        let found = agent(id).detect(&machine).unwrap_or_else(|| panic!("{id}"));
        assert_eq!((found.program, found.version.as_deref()), (Some(program), Some(version)), "{id}");
    }
    let quiet = computer.machine(&env, false);
    assert_eq!(agent("codex").detect(&quiet).unwrap().version, None);
}

#[test]
fn config_folders_are_found_where_overrides_put_them() {
    let computer = Computer::new();
    std::fs::create_dir_all(computer.home().join(".gemini")).unwrap();
    let at = |name: &str| computer.dir.path().join("elsewhere").join(name);
    for name in ["claude", "codex", "gemini"] {
        std::fs::create_dir_all(at(name)).unwrap();
    }
    let env = computer
        .env()
        .with("CLAUDE_CONFIG_DIR", at("claude"))
        .with("CODEX_HOME", at("codex"))
        .with("GEMINI_CLI_HOME", at("gemini"));
    let machine = computer.machine(&env, false);
    assert_eq!(agent("claude-code").detect(&machine).unwrap().config_dir, at("claude"));
    assert_eq!(agent("codex").detect(&machine).unwrap().config_dir, at("codex"));
    // A folder alone doesn't make a Gemini CLI: Antigravity creates it too.
    assert_eq!(agent("gemini-cli").detect(&machine), None);
    computer.write("elsewhere/gemini/.gemini/settings.json", "{}");
    assert_eq!(agent("gemini-cli").detect(&machine).unwrap().config_dir, at("gemini").join(".gemini"));

    let found = agent("claude-code").detect(&machine).unwrap();
    let launcher = PathBuf::from(LAUNCHER);
    let context = EntryContext {
        launcher: &launcher,
        scope: &Scope::User,
        installation: &found,
        parts: Parts::default(),
        env: &env,
    };
    let files: Vec<PathBuf> =
        agent("claude-code").files(&context).into_iter().map(|file| file.path).collect();
    assert_eq!(files, [at("claude").join(".claude.json"), at("claude").join("settings.json")]);
}

#[test]
fn claude_rules_come_from_every_layer() {
    let computer = Computer::new();
    let rules = |text: &str| format!("{{\"permissions\": {text}}}");
    computer.write(
        "home/.claude/settings.json",
        &rules(r#"{"deny": ["Read(~/.ssh/**)"], "allow": ["Bash(ls:*)"]}"#),
    );
    computer.write("w/.claude/settings.json", &rules(r#"{"ask": ["Bash(git push:*)"]}"#));
    computer.write("w/.claude/settings.local.json", &rules(r#"{"deny": ["WebFetch(domain:example.com)"]}"#));
    let env = computer.env();
    let project = computer.dir.path().join("w");
    let set = agent("claude-code").rules(&env, &project);
    let texts: Vec<&str> = set.rules.iter().map(|rule| rule.text.as_str()).collect();
    assert_eq!(
        texts[..4],
        ["Read(~/.ssh/**)", "Bash(ls:*)", "Bash(git push:*)", "WebFetch(domain:example.com)"],
        "{texts:?}"
    );
    let home = computer.home();
    assert!(matches!(set.command("cd x && git push -f", &project, &home), rules::Decision::Ask(_)));
    assert!(set.fetch("example.com").is_deny());
    assert!(set.read(&home.join(".ssh/id_rsa"), &project, &home).is_deny());
    assert!(set.broken.is_empty());

    computer.write("w/.claude/settings.local.json", "{ // a comment\n}");
    let set = agent("claude-code").rules(&env, &project);
    assert_eq!(set.broken.len(), 1);
    assert!(set.command("ls", &project, &home).is_deny(), "a layer that cannot be read forbids");
}

#[test]
fn gemini_and_codex_rules_decide() {
    let computer = Computer::new();
    computer.write("home/.gemini/settings.json", r#"{"tools": {"exclude": ["run_shell_command(rm -rf)"]}}"#);
    computer
        .write("home/.codex/rules/default.rules", "prefix_rule(pattern=[\"rm\"], decision=\"forbidden\")");
    let (env, project, home) = (computer.env(), computer.dir.path().join("w"), computer.home());
    for id in ["gemini-cli", "codex"] {
        let set = agent(id).rules(&env, &project);
        assert!(set.command("sudo rm -rf /tmp/x", &project, &home).is_deny(), "{id}: {set:?}");
        assert_eq!(set.command("ls", &project, &home), rules::Decision::NoRule, "{id}");
    }
}

#[test]
fn settings_that_keep_plimsoll_from_working_are_found() {
    for (id, file, text, wanted, level) in [
        (
            "claude-code",
            "home/.claude/settings.json",
            r#"{"disableAllHooks":true}"#,
            "disableAllHooks",
            Level::Broken,
        ),
        ("claude-code", "home/.claude/settings.json", "{,}", "can't be read (", Level::Broken),
        ("claude-code", "home/.claude.json", "{} // x", "replace it with defaults", Level::Broken),
        (
            "claude-code",
            "etc/claude-code/managed-settings.json",
            r#"{"allowManagedHooksOnly":true}"#,
            "allowManagedHooksOnly",
            Level::Broken,
        ),
        (
            "claude-code",
            "etc/claude-code/managed-settings.json",
            r#"{"strictPluginOnlyCustomization":["skills","hooks"]}"#,
            "only hooks of plugins",
            Level::Broken,
        ),
        (
            "claude-code",
            "etc/claude-code/managed-settings.json",
            r#"{"strictPluginOnlyCustomization":true}"#,
            "only hooks of plugins",
            Level::Broken,
        ),
        (
            "claude-code",
            "etc/claude-code/managed-settings.d/10-a.json",
            r#"{"allowedMcpServers":[{"serverName":"x"}]}"#,
            "doesn't admit",
            Level::Broken,
        ),
        (
            "claude-code",
            "w/.claude/settings.json",
            r#"{"permissions":{"deny":["mcp__plimsoll"]}}"#,
            "refuses",
            Level::NeedsYou,
        ),
        (
            "claude-code",
            "home/.claude/settings.json",
            r#"{"enabledPlugins":{"context-mode@market":true}}"#,
            "context-mode",
            Level::NeedsYou,
        ),
        (
            "claude-code",
            "home/.claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"command":"/p/plimsoll hook claude-code"},{"command":"mine"}]}]}}"#,
            "in a group with others",
            Level::NeedsYou,
        ),
        ("codex", "home/.codex/config.toml", "[features]\nhooks = false\n", "features.hooks", Level::Broken),
        ("codex", "home/.codex/config.toml", "a = 1\na = 2\n", "can't be read (", Level::Broken),
        (
            "codex",
            "home/.codex/config.toml",
            "[mcp_servers.plimsoll]\nenabled = false\n",
            "enabled is false",
            Level::NeedsYou,
        ),
        ("codex", "home/.codex/hooks.json", r#"{"$schema":"x","hooks":{}}"#, "$schema", Level::Broken),
        ("codex", "home/.codex/AGENTS.override.md", "mine", "replaces AGENTS.md", Level::Note),
        (
            "codex",
            "etc/codex/requirements.toml",
            "allow_managed_hooks_only = true",
            "administrator's hooks",
            Level::Broken,
        ),
        (
            "gemini-cli",
            "home/.gemini/settings.json",
            r#"{"hooksConfig":{"enabled":false}}"#,
            "hooksConfig.enabled",
            Level::Broken,
        ),
        ("gemini-cli", "home/.gemini/settings.json", r#"{"a":1,}"#, "doesn't start", Level::Broken),
        (
            "gemini-cli",
            "home/.gemini/settings.json",
            r#"{"mcp":{"allowed":["x"]}}"#,
            "keeps the server",
            Level::Broken,
        ),
        (
            "gemini-cli",
            "home/.gemini/settings.json",
            r#"{"hooksConfig":{"disabled":["plimsoll-before-tool"]}}"#,
            "plimsoll-before-tool",
            Level::NeedsYou,
        ),
        (
            "gemini-cli",
            "home/.gemini/settings.json",
            r#"{"mcpServers":{"context-mode":{"command":"npx"}}}"#,
            "context-mode",
            Level::NeedsYou,
        ),
    ] {
        let computer = Computer::new();
        std::fs::create_dir_all(computer.home()).unwrap();
        let env = computer.env();
        let machine = computer.machine(&env, false);
        let project = computer.dir.path().join("w");
        let found = agent(id).assumed_installation(&env);
        let before = agent(id).findings(&machine, &found, Some(&project));
        assert!(!before.iter().any(|finding| finding.level > Level::Note), "{id}: {before:?}");
        computer.write(file, text);
        let findings = agent(id).findings(&machine, &found, Some(&project));
        let hit = findings.iter().find(|finding| finding.what.text().contains(wanted));
        let hit = hit.unwrap_or_else(|| panic!("{id} {file} {text}: {findings:?}"));
        assert_eq!(hit.level, level, "{hit:?}");
        assert!(!hit.remedy.text().is_empty());
    }
}

#[test]
fn where_only_plugins_may_run_hooks_plimsolls_plugin_does() {
    let computer = Computer::new();
    let managed = "etc/claude-code/managed-settings.json";
    computer.write(managed, r#"{"strictPluginOnlyCustomization":["hooks"]}"#);
    computer.write("home/.claude/settings.json", r#"{"enabledPlugins":{"plimsoll@plimsoll":true}}"#);
    let env = computer.env();
    let machine = computer.machine(&env, false);
    let found = agent("claude-code").assumed_installation(&env);
    let told = |wanted: &str| {
        let findings = agent("claude-code").findings(&machine, &found, None);
        findings.iter().any(|finding| finding.what.text().contains(wanted))
    };
    assert!(!told("only hooks of plugins"));
    // Other kinds of customization have nothing to do with it.
    computer.write("home/.claude/settings.json", "{}");
    computer.write(managed, r#"{"strictPluginOnlyCustomization":["skills"]}"#);
    assert!(!told("only hooks of plugins"));
    computer.write(managed, r#"{"strictPluginOnlyCustomization":true}"#);
    assert!(told("only hooks of plugins"));
}
