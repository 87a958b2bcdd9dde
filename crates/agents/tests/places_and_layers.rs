//! Where Cursor, VS Code, Copilot CLI, Antigravity, Kiro and OpenCode are found, which files they get there,
//! which permission rules are read from their settings, and what is said about what stands in the way.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use home::{Env, Os};
use plimsoll_agents::{Agent, Found, Level, Machine, Parts, Role, Scope, Wiring, by_id};
use rules::Decision;

struct Computer {
    dir: tempfile::TempDir,
    os: Os,
    vars: Vec<(&'static str, PathBuf)>,
}

impl Computer {
    fn new(files: &[(&str, &str)]) -> Self {
        let computer = Self { dir: tempfile::tempdir().unwrap(), os: Os::Linux, vars: Vec::new() };
        for (path, text) in files {
            let path = computer.path(path);
            if text == &"<dir>" {
                std::fs::create_dir_all(path).unwrap();
                continue;
            }
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            #[cfg(unix)]
            if text.starts_with("#!") {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        computer
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn env(&self) -> Env {
        let env = Env::for_test(self.path("home")).with_os(self.os);
        self.vars.iter().fold(env, |env, (name, value)| env.with(name, value))
    }

    fn with<T>(&self, work: impl FnOnce(&Machine<'_>) -> T) -> T {
        let env = self.env();
        work(&Machine::over(&env, self.path("root"), vec![self.path("bin")], true))
    }

    fn detect(&self, id: &str) -> Option<Found> {
        self.with(|machine| agent(id).detect(machine))
    }

    /// The paths that `connect` would touch, below the scratch folder.
    fn files(&self, id: &str, found: &Found, scope: &Scope) -> Vec<String> {
        let env = self.env();
        let launcher = self.path("home/.plimsoll/bin/plimsoll");
        let parts = Parts::default();
        let files = agent(id).files(&Wiring { launcher: &launcher, scope, found, parts, env: &env });
        files.iter().map(|file| self.shown(&file.path)).collect()
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.dir.path()).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    fn findings(&self, id: &str) -> Vec<(Level, String)> {
        self.with(|machine| {
            let found = agent(id).detect(machine).unwrap_or_else(|| agent(id).assumed(machine.env));
            let project = self.path("project");
            let findings = agent(id).findings(machine, &found, Some(&project));
            let root = format!("{}{}", self.dir.path().display(), std::path::MAIN_SEPARATOR);
            findings.into_iter().map(|finding| (finding.level, finding.what.replace(&root, ""))).collect()
        })
    }

    fn command(&self, id: &str, command: &str) -> &'static str {
        let rules = agent(id).rules(&self.env(), &self.path("project"));
        said(&rules.command(command, &self.path("project"), &self.path("home")))
    }

    fn read(&self, id: &str, path: &str) -> &'static str {
        let rules = agent(id).rules(&self.env(), &self.path("project"));
        said(&rules.read(&self.path(path), &self.path("project"), &self.path("home")))
    }

    fn fetch(&self, id: &str, host: &str) -> &'static str {
        said(&agent(id).rules(&self.env(), &self.path("project")).fetch(host))
    }
}

fn agent(id: &str) -> &'static dyn Agent {
    by_id(id).unwrap()
}

fn said(decision: &Decision) -> &'static str {
    match decision {
        Decision::NoRule => "none",
        Decision::Allow(_) => "allow",
        Decision::Ask(_) => "ask",
        Decision::Deny(_) => "deny",
    }
}

#[test]
fn an_empty_computer_has_none_of_them() {
    let computer = Computer::new(&[("home/.gemini/settings.json", "{}"), ("home/.copilot/hooks", "<dir>")]);
    for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
        assert_eq!(computer.detect(id), None, "{id}");
    }
}

#[cfg(unix)]
#[test]
fn cursors_agent_is_known_by_its_dated_build_only() {
    let grok = Computer::new(&[("bin/agent", "#!/bin/sh\necho 'grok 1.4.2'\n")]);
    assert_eq!(grok.detect("cursor"), None);
    let cursor = Computer::new(&[("bin/agent", "#!/bin/sh\necho 2026.09.18-1a2b3c4\n")]);
    let found = cursor.detect("cursor").unwrap();
    assert_eq!(found.version.as_deref(), Some("2026.09.18-1a2b3c4"));
    assert_eq!(found.products, ["agent 2026.09.18-1a2b3c4"]);
}

#[test]
fn cursor_gets_new_events_only_when_every_product_is_recent() {
    let computer = Computer::new(&[]);
    let env = computer.env();
    for (products, wanted) in [
        (vec![], 4),
        (vec!["IDE"], 4),
        (vec!["agent 2026.09.18-1a2b3c4"], 10),
        (vec!["agent 2026.07.17-1a2b3c4"], 4),
        (vec!["agent 2026.09.18-1a2b3c4", "IDE 3.12.17"], 10),
        (vec!["agent 2026.09.18-1a2b3c4", "IDE 2.9.0"], 4),
    ] {
        let mut found = agent("cursor").assumed(&env);
        found.products = products.into_iter().map(str::to_owned).collect();
        let wiring = Wiring {
            launcher: Path::new("/p/plimsoll"),
            scope: &Scope::User,
            found: &found,
            parts: Parts::default(),
            env: &env,
        };
        let files = agent("cursor").files(&wiring);
        let hooks = files.iter().find(|file| file.role == Role::Hooks).unwrap();
        // One edit more for `version`.
        assert_eq!(hooks.edits.len(), wanted + 1, "{:?}", found.products);
    }
}

#[test]
fn every_profile_and_variant_of_vs_code_gets_the_server() {
    let mut computer = Computer::new(&[
        ("home/.config/Code/User/settings.json", "{}"),
        ("home/.config/Code/User/profiles/-1a2b/settings.json", "{}"),
        ("home/.config/Code/User/profiles/shares/settings.json", "{}"),
        (
            "home/.config/Code/User/globalStorage/storage.json",
            r#"{"userDataProfiles":[{"location":"shares","name":"S","useDefaultFlags":{"mcp":true}},{"location":"-1a2b","name":"A"}]}"#,
        ),
        ("home/.config/VSCodium/User", "<dir>"),
        ("home/.var/app/com.visualstudio.code/config/Code/User", "<dir>"),
        ("home/.vscode-server/data/User", "<dir>"),
        ("portable/user-data/User", "<dir>"),
    ]);
    computer.vars.push(("VSCODE_PORTABLE", computer.path("portable")));
    let found = computer.detect("vscode-copilot").unwrap();
    assert_eq!(found.products, ["portable", "VS Code", "VSCodium", "Flatpak", "remote"]);
    assert_eq!(
        computer.files("vscode-copilot", &found, &Scope::User),
        [
            "portable/user-data/User/mcp.json",
            "home/.config/Code/User/mcp.json",
            "home/.config/Code/User/profiles/-1a2b/mcp.json",
            "home/.config/VSCodium/User/mcp.json",
            "home/.var/app/com.visualstudio.code/config/Code/User/mcp.json",
            "home/.vscode-server/data/User/mcp.json",
            "home/.copilot/hooks/plimsoll.json",
        ]
    );
    computer.os = Os::Mac;
    let assumed = agent("vscode-copilot").assumed(&Env::for_test("/h").with_os(Os::Mac)).config_dir;
    assert_eq!(assumed, Path::new("/h/Library/Application Support/Code/User"));
}

#[test]
fn copilot_cli_and_vs_code_name_the_same_hooks_once() {
    let computer = Computer::new(&[("home/.copilot/config.json", "{}"), ("home/.config/Code/User", "<dir>")]);
    let env = computer.env();
    let launcher = computer.path("home/.plimsoll/bin/plimsoll");
    let hooks = |id: &str| {
        let found = computer.detect(id).unwrap();
        let parts = Parts::default();
        let wiring = Wiring { launcher: &launcher, scope: &Scope::User, found: &found, parts, env: &env };
        let file = agent(id).files(&wiring).into_iter().find(|file| file.role == Role::Hooks).unwrap();
        (file.path, file.format, format!("{:?}", file.edits))
    };
    assert_eq!(hooks("copilot-cli"), hooks("vscode-copilot"));
}

#[test]
fn overrides_move_the_files() {
    let mut computer = Computer::new(&[("home/.kiro", "<dir>")]);
    computer.vars = vec![
        ("KIRO_HOME", computer.path("kiro")),
        ("COPILOT_HOME", computer.path("copilot")),
        ("XDG_CONFIG_HOME", computer.path("xdg")),
    ];
    let env = computer.env();
    let files = |id: &str| computer.files(id, &agent(id).assumed(&env), &Scope::User);
    assert_eq!(
        files("kiro"),
        [
            "kiro/settings/mcp.json",
            "kiro/hooks/plimsoll.json",
            "home/.kiro/settings/mcp.json",
            "home/.kiro/hooks/plimsoll.json"
        ]
    );
    assert_eq!(files("copilot-cli"), ["copilot/mcp-config.json", "copilot/hooks/plimsoll.json"]);
    assert_eq!(files("opencode"), ["xdg/opencode/opencode.json", "xdg/opencode/plugins/plimsoll.js"]);
    assert_eq!(files("vscode-copilot")[0], "xdg/Code/User/mcp.json");
    assert_eq!(files("cursor"), ["home/.cursor/mcp.json", "home/.cursor/hooks.json"]);
}

#[test]
fn opencodes_file_is_the_one_that_holds_servers() {
    for (files, vars, wanted) in [
        (vec![], vec![], "home/.config/opencode/opencode.json"),
        (vec![("opencode.json", "{}")], vec![], "home/.config/opencode/opencode.json"),
        (
            vec![("opencode.jsonc", "// x\n{}"), ("opencode.json", "{}")],
            vec![],
            "home/.config/opencode/opencode.jsonc",
        ),
        (
            vec![("opencode.jsonc", "{}"), ("opencode.json", "{\"mcp\": {},}")],
            vec![],
            "home/.config/opencode/opencode.json",
        ),
        (vec![("opencode.json", "{\"mcp\":{}}")], vec!["OPENCODE_CONFIG"], "named.json"),
        (
            vec![("opencode.json", "{\"mcp\":{\"plimsoll\":{}}}")],
            vec!["OPENCODE_CONFIG"],
            "home/.config/opencode/opencode.json",
        ),
    ] {
        let computer = Computer::new(&[]);
        let dir = computer.path("home/.config/opencode");
        std::fs::create_dir_all(&dir).unwrap();
        for (name, text) in &files {
            std::fs::write(dir.join(name), text).unwrap();
        }
        let mut computer = computer;
        computer.vars = vars.into_iter().map(|name| (name, computer.path("named.json"))).collect();
        let found = computer.detect("opencode").unwrap();
        assert_eq!(computer.files("opencode", &found, &Scope::User)[0], wanted, "{files:?}");
    }
    let listed =
        Computer::new(&[("home/.config/opencode/opencode.json", r#"{"plugin":[["plimsoll@1",{"x":1}]]}"#)]);
    let found = listed.detect("opencode").unwrap();
    assert_eq!(
        listed.files("opencode", &found, &Scope::User).len(),
        1,
        "no plugin beside one that is listed"
    );
    assert!(listed.findings("opencode")[0].1.contains("does not write its plugin file"));
    let computer = Computer::new(&[]);
    let mut old = agent("opencode").assumed(&computer.env());
    old.version = Some("1.18.28".to_owned());
    assert_eq!(computer.files("opencode", &old, &Scope::User).len(), 1, "no plugin that it would not load");
}

#[test]
fn antigravitys_old_file_is_written_only_where_there_is_no_new_folder() {
    let old = Computer::new(&[("home/.gemini/antigravity/mcp_config.json", "{}")]);
    let found = old.detect("antigravity").unwrap();
    assert_eq!(found.products, ["Desktop"]);
    assert_eq!(old.files("antigravity", &found, &Scope::User)[0], "home/.gemini/antigravity/mcp_config.json");
    let new = Computer::new(&[
        ("home/.gemini/antigravity/mcp_config.json", "{}"),
        ("home/.gemini/antigravity-ide", "<dir>"),
        ("home/.gemini/antigravity-cli", "<dir>"),
        ("home/.gemini/config", "<dir>"),
    ]);
    let found = new.detect("antigravity").unwrap();
    assert_eq!(found.products, ["Desktop", "IDE", "agy"]);
    assert_eq!(new.files("antigravity", &found, &Scope::User)[0], "home/.gemini/config/mcp_config.json");
}

#[test]
fn project_scope_stays_in_the_project() {
    let computer = Computer::new(&[]);
    let env = computer.env();
    let scope = Scope::Project(computer.path("project"));
    for (id, wanted) in [
        ("cursor", vec!["project/.cursor/mcp.json", "project/.cursor/hooks.json"]),
        ("vscode-copilot", vec!["project/.vscode/mcp.json", "project/.github/hooks/plimsoll.json"]),
        ("copilot-cli", vec!["project/.mcp.json", "project/.github/hooks/plimsoll.json"]),
        ("antigravity", vec!["project/.agents/mcp_config.json", "project/.agents/hooks.json"]),
        ("kiro", vec!["project/.kiro/settings/mcp.json", "project/.kiro/hooks/plimsoll.json"]),
        ("opencode", vec!["project/opencode.json", "project/.opencode/plugins/plimsoll.js"]),
    ] {
        assert_eq!(computer.files(id, &agent(id).assumed(&env), &scope), wanted, "{id}");
    }
}

#[test]
fn cursors_rules() {
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
fn vs_codes_rules() {
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
fn the_others_rules() {
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
fn of_opencodes_rules_the_last_one_counts() {
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
fn what_stands_in_the_way_is_said() {
    let computer = Computer::new(&[
        ("home/.cursor/hooks.json", r#"{"hooks":{"stop":[]}}"#),
        ("project/.cursor/hooks.json", r#"{"version":1,"hooks":{"onTeapot":[]}}"#),
        ("home/.cursor/mcp.json", r#"{"mcpServers":{"context-mode":{"command":"context-mode"}}}"#),
        ("home/.config/Code/User/settings.json", r#"{"chat.useHooks": false, "chat.useClaudeHooks": true}"#),
        ("home/.copilot/config.json", r#"{"disableAllHooks": true, "disabledMcpServers": ["plimsoll"]}"#),
        (
            "home/.copilot/hooks/old.json",
            r#"{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"/p/plimsoll hook copilot-cli preToolUse"}]}}"#,
        ),
        (
            "home/.kiro/settings/mcp.json",
            r#"{"mcpServers":{"plimsoll":{"command":"/p/plimsoll","args":["mcp"],"disabled":true}}}"#,
        ),
        ("home/.gemini/config/hooks.json", r#"{"plimsoll":{"enabled":false}}"#),
        ("home/.gemini/config/mcp_config.json", "{ not json"),
        (
            "home/.config/opencode/opencode.json",
            r#"{"plugin":["context-mode@1","plimsoll@latest"],"mcp":{"plimsoll":{"type":"local","command":["npx","other"]}}}"#,
        ),
        ("home/.config/opencode/plugins/plimsoll.js", "export default {}"),
    ]);
    let mut all = String::new();
    for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
        for (level, what) in computer.findings(id) {
            all.push_str(&format!("{id}: {level:?}: {what}\n"));
        }
    }
    insta::assert_snapshot!(all.replace('\\', "/"));
}

#[test]
fn a_connected_agent_has_no_findings() {
    let computer = Computer::new(&[
        (
            "home/.cursor/hooks.json",
            r#"{"version":1,"hooks":{"sessionStart":[{"command":"/p/plimsoll hook cursor"}]}}"#,
        ),
        ("home/.copilot/hooks/plimsoll.json", r#"{"version":1,"hooks":{}}"#),
        (
            "home/.kiro/settings/mcp.json",
            r#"{"mcpServers":{"plimsoll":{"command":"/p/plimsoll","args":["mcp"]}}}"#,
        ),
        ("home/.gemini/config/mcp_config.json", ""),
        (
            "home/.config/opencode/opencode.json",
            r#"{"mcp":{"plimsoll":{"type":"local","command":["/p/plimsoll","mcp"]}}}"#,
        ),
    ]);
    for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
        assert_eq!(computer.findings(id), [], "{id}");
    }
}

/// What a person sees in the preview of an empty file, on Linux and on Windows.
#[test]
fn entries_of_current_versions() {
    for (system, os, launcher) in [
        ("linux", Os::Linux, "/home/ana/.plimsoll/bin/plimsoll"),
        ("windows", Os::Windows, r"C:\Users\ana b\.plimsoll\bin\plimsoll.exe"),
    ] {
        for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
            let env = Env::for_test("/home/ana").with_os(os);
            let found = agent(id).assumed(&env);
            let parts = Parts { mcp: true, hooks: true, instructions: true };
            let launcher = Path::new(launcher);
            let wiring = Wiring { launcher, scope: &Scope::User, found: &found, parts, env: &env };
            let text: String = agent(id)
                .files(&wiring)
                .iter()
                .filter(|file| file.role != Role::Plugin)
                .map(|file| {
                    let path = file.path.display().to_string().replace('\\', "/");
                    let entry = edits::snippet(file.format, &file.edits);
                    format!("=== {path} ({:?})\n{}\n", file.role, entry.trim_end())
                })
                .collect();
            insta::assert_snapshot!(format!("{id}-{system}"), text);
        }
    }
}
