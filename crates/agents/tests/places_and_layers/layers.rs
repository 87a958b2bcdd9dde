//! The permission rules from each settings layer.

use crate::computer::Computer;

#[test]
fn cursors_rules_are_applied() {
    let computer = Computer::new(&[
        (
            "home/.cursor/cli-config.json",
            r#"{"permissions":{"deny":["Shell(rm)","Shell(curl:*evil*)","Read(.env*)","WebFetch(*.evil.com)"],"allow":["Shell(git)"]}}"#,
        ),
        ("project/.cursor/cli.json", r#"{"permissions":{"deny":["Shell(npm publish)"]}}"#),
    ]);
    let id = "cursor";
    assert_eq!(computer.command(id, "rm -rf x"), "deny");
    assert_eq!(computer.command(id, "sudo sh -c 'rm x'"), "deny");
    assert_eq!(computer.command(id, "npm publish --tag x"), "deny");
    assert_eq!(computer.command(id, "curl https://evil.example"), "deny");
    assert_eq!(computer.command(id, "git status"), "allow");
    assert_eq!(computer.command(id, "ls"), "none");
    assert_eq!(computer.read(id, "project/.env.local"), "deny");
    assert_eq!(computer.read(id, "project/src/a.rs"), "none");
    assert_eq!(computer.fetch(id, "www.evil.com"), "deny");
}

#[test]
fn vs_codes_rules_are_applied() {
    let computer = Computer::new(&[
        (
            "home/.config/Code/User/settings.json",
            r#"{ // mine
            "chat.tools.terminal.autoApprove": {"rm": false, "/^git (push|reset)\\b/": false, "git status": true, "make": null,
              "/deploy/i": {"approve": false, "matchCommandLine": true},},
            "chat.tools.urls.autoApprove": {"https://*.internal.example/*": false}, }"#,
        ),
        ("project/.vscode/settings.json", r#"{"chat.tools.terminal.autoApprove": {"docker": false}}"#),
    ]);
    let id = "vscode-copilot";
    assert_eq!(computer.command(id, "ls && rm x"), "ask");
    assert_eq!(computer.command(id, "git push origin"), "ask");
    assert_eq!(computer.command(id, "npm run DEPLOY"), "ask");
    assert_eq!(computer.command(id, "docker ps"), "ask");
    assert_eq!(computer.command(id, "git status"), "allow");
    assert_eq!(computer.command(id, "make"), "none");
    assert_eq!(computer.fetch(id, "wiki.internal.example"), "ask");
}

#[test]
fn the_other_agents_rules_are_applied() {
    let computer = Computer::new(&[
        (
            "home/.copilot/config.json",
            r#"{"denied_urls":["https://evil.com/x"],"allowedUrls":["github.com"]}"#,
        ),
        (
            "home/.gemini/antigravity-cli/settings.json",
            r#"{"permissions":{"deny":["command(rm)","read_url(evil.com)"],"ask":["command(git push)"],"allow":["command(git)"]}}"#,
        ),
        (
            "home/.kiro/settings/permissions.yaml",
            "rules:\n  - capability: shell\n    effect: deny\n    match: [rm *]\n  - {capability: fs_read, effect: deny, match: .env}\n",
        ),
        ("home/.kiro/settings/cli.json", r#"{"chat.defaultAgent":"mine"}"#),
        ("home/.kiro/agents/mine.json", r#"{"toolsSettings":{"shell":{"deniedCommands":["sudo .*"]}}}"#),
    ]);
    assert_eq!(computer.fetch("copilot-cli", "evil.com"), "deny");
    assert_eq!(computer.fetch("copilot-cli", "github.com"), "allow");
    assert_eq!(computer.command("antigravity", "rm x"), "deny");
    assert_eq!(computer.command("antigravity", "git push"), "ask");
    assert_eq!(computer.command("antigravity", "git log"), "allow");
    assert_eq!(computer.fetch("antigravity", "evil.com"), "deny");
    assert_eq!(computer.command("kiro", "rm -r x"), "deny");
    assert_eq!(computer.command("kiro", "sudo ls"), "deny");
    assert_eq!(computer.read("kiro", "project/sub/.env"), "deny");
}

#[test]
fn the_last_of_opencodes_rules_counts() {
    let mut computer = Computer::new(&[
        (
            "home/.config/opencode/opencode.jsonc",
            r#"{ "permission": { "bash": { "*": "ask", "npm *": "allow", "rm *": "deny" }, "webfetch": "ask" }, }"#,
        ),
        (
            "project/opencode.json",
            r#"{"permission":{"read":{"*.env":"deny"},"webfetch":{"https://docs.example/*":"allow"}},"agent":{"build":{"permission":{"bash":{"make *":"deny"}}}}}"#,
        ),
    ]);
    let id = "opencode";
    assert_eq!(computer.command(id, "npm test"), "allow");
    assert_eq!(computer.command(id, "ls"), "ask");
    assert_eq!(computer.command(id, "npm test && rm -r x"), "deny");
    assert_eq!(computer.command(id, "make all"), "deny");
    assert_eq!(computer.read(id, "project/prod.env"), "deny");
    assert_eq!(computer.fetch(id, "docs.example"), "allow");
    assert_eq!(computer.fetch(id, "evil.example"), "ask");
    computer.vars.push(("OPENCODE_CONFIG_CONTENT", r#"{"permission":"deny"}"#.into()));
    computer.vars.retain(|(_, value)| !value.as_os_str().is_empty());
    assert_eq!(computer.command(id, "npm test"), "deny");
}

#[test]
fn a_settings_file_that_does_not_parse_denies() {
    for (id, file) in [
        ("cursor", "home/.cursor/cli-config.json"),
        ("vscode-copilot", "home/.config/Code/User/settings.json"),
        ("copilot-cli", "home/.copilot/config.json"),
        ("antigravity", "home/.gemini/antigravity-cli/settings.json"),
        ("kiro", "home/.kiro/settings/permissions.yaml"),
        ("opencode", "home/.config/opencode/opencode.json"),
    ] {
        let computer = Computer::new(&[(file, "{\"permissions\": [")]);
        assert_eq!(computer.command(id, "ls"), "deny", "{id}");
        let deep = Computer::new(&[(file, &"[".repeat(60_000))]);
        assert_eq!(deep.command(id, "ls"), "deny", "{id}, deeply nested");
    }
}

#[test]
fn rules_of_a_wrong_type_deny_and_name_file_and_key() {
    const CLAUDE: (&str, &str) = ("claude-code", "home/.claude/settings.json");
    const CURSOR: (&str, &str) = ("cursor", "home/.cursor/cli-config.json");
    const CODE: (&str, &str) = ("vscode-copilot", "home/.config/Code/User/settings.json");
    const COPILOT: (&str, &str) = ("copilot-cli", "home/.copilot/config.json");
    const ANTIGRAVITY: (&str, &str) = ("antigravity", "home/.gemini/antigravity-cli/settings.json");
    const GEMINI: (&str, &str) = ("gemini-cli", "home/.gemini/settings.json");
    const POLICY: (&str, &str) = ("gemini-cli", "home/.gemini/policies/a.toml");
    const OPENCODE: (&str, &str) = ("opencode", "home/.config/opencode/opencode.json");
    const KIRO: (&str, &str) = ("kiro", "home/.kiro/settings/permissions.yaml");
    for ((id, file), text, key) in [
        (CLAUDE, r#"{"permissions":{"deny":"Bash(rm:*)"}}"#, "permissions.deny"),
        (CLAUDE, r#"{"permissions":{"deny":{"Bash(rm:*)":true}}}"#, "permissions.deny"),
        (CLAUDE, r#"{"permissions":{"ask":["Bash(rm:*)",7]}}"#, "permissions.ask[1]"),
        (CLAUDE, r#"{"permissions":{"deny":[["Bash(rm:*)"]]}}"#, "permissions.deny[0]"),
        (CLAUDE, r#"{"permissions":["Bash(rm:*)"]}"#, "permissions"),
        (CLAUDE, r#"{"permissions":"deny"}"#, "permissions"),
        (CURSOR, r#"{"permissions":{"deny":"Shell(rm)"}}"#, "permissions.deny"),
        (CURSOR, r#"{"permissions":{"deny":[{"Shell":"rm"}]}}"#, "permissions.deny[0]"),
        (CURSOR, r#"["Shell(rm)"]"#, "the file"),
        (COPILOT, r#"{"denied_urls":"evil.com"}"#, "denied_urls"),
        (COPILOT, r#"{"deniedUrls":[1]}"#, "deniedUrls[0]"),
        (ANTIGRAVITY, r#"{"permissions":{"ask":"command(rm)"}}"#, "permissions.ask"),
        (GEMINI, r#"{"tools":{"exclude":"run_shell_command(rm)"}}"#, "tools.exclude"),
        (GEMINI, r#"{"tools":["run_shell_command(rm)"]}"#, "tools"),
        (GEMINI, r#"{"excludeTools":[false]}"#, "excludeTools[0]"),
        (POLICY, "[rule]\ntoolName = \"run_shell_command\"\ndecision = \"deny\"\n", "rule"),
        (POLICY, "[[rule]]\ncommandPrefix = [\"rm\", 7]\ndecision = \"deny\"\n", "rule[0].commandPrefix"),
        (POLICY, "[[rule]]\ncommandPrefix = \"rm\"\ndecision = false\n", "rule[0].decision"),
        (OPENCODE, r#"{"permission":["bash"]}"#, "permission"),
        (OPENCODE, r#"{"permission":"never"}"#, "permission"),
        (OPENCODE, r#"{"permission":{"bash":false}}"#, "permission.bash"),
        (OPENCODE, r#"{"permission":{"bash":{"rm *":false}}}"#, "permission.bash[\"rm *\"]"),
        (OPENCODE, r#"{"tools":{"bash":"off"}}"#, "tools.bash"),
        (CODE, r#"{"chat.tools.terminal.autoApprove":["rm"]}"#, "chat.tools.terminal.autoApprove"),
        (
            CODE,
            r#"{"chat.tools.terminal.autoApprove":{"rm":"no"}}"#,
            "chat.tools.terminal.autoApprove[\"rm\"]",
        ),
        (KIRO, "rules: {capability: shell, effect: deny}", "rules"),
    ] {
        let computer = Computer::new(&[(file, text)]);
        assert_eq!(computer.command(id, "ls"), "deny", "{id}: {text}");
        let why = computer.why(id, "ls");
        let name = file.rsplit('/').next().unwrap();
        assert!(why.contains(name) && why.contains(&format!("`{key}`")), "{id}: {text}: {why}");
    }
    let agent = r#"{"toolsSettings":{"shell":{"deniedCommands":"rm .*"}}}"#;
    let kiro = Computer::new(&[
        ("home/.kiro/settings/cli.json", r#"{"chat.defaultAgent":"mine"}"#),
        ("home/.kiro/agents/mine.json", agent),
    ]);
    assert!(
        kiro.why("kiro", "ls").contains("`toolsSettings.shell.deniedCommands`"),
        "{}",
        kiro.why("kiro", "ls")
    );
}

#[test]
fn no_rules_and_permissions_of_a_wrong_type_deny_nothing() {
    for (id, file, text) in [
        ("claude-code", "home/.claude/settings.json", r#"{"permissions":{"deny":[],"ask":null}}"#),
        ("claude-code", "home/.claude/settings.json", r#"{"permissions":null}"#),
        ("claude-code", "home/.claude/settings.json", r#"{"permissions":{"allow":"Bash"}}"#),
        ("cursor", "home/.cursor/cli-config.json", "{}"),
        ("gemini-cli", "home/.gemini/settings.json", r#"{"tools":{"allowed":7}}"#),
        ("opencode", "home/.config/opencode/opencode.json", r#"{"permission":{},"tools":{"bash":true}}"#),
        (
            "vscode-copilot",
            "home/.config/Code/User/settings.json",
            r#"{"chat.tools.terminal.autoApprove":{"rm":null}}"#,
        ),
    ] {
        let computer = Computer::new(&[(file, text)]);
        assert_eq!(computer.command(id, "ls"), "none", "{id}: {text}");
    }
}
