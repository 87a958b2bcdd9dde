//! Detection, and the files that each agent gets.

use std::path::Path;

use home::{Env, Os};
use plimsoll_agents::{EntryContext, Parts, Role, Scope};

use crate::computer::{Computer, agent};

#[test]
fn an_empty_computer_has_none_of_them() {
    let computer = Computer::new(&[("home/.gemini/settings.json", "{}"), ("home/.copilot/hooks", "<dir>")]);
    for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
        assert_eq!(computer.detect(id), None, "{id}");
    }
}

#[cfg(unix)]
#[test]
fn cursors_agent_is_recognised_by_its_dated_build_only() {
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
        (vec!["agent 2026.09.18-1a2b3c4"], 11),
        (vec!["agent 2026.07.17-1a2b3c4"], 4),
        (vec!["agent 2026.09.18-1a2b3c4", "IDE 3.12.17"], 11),
        (vec!["agent 2026.09.18-1a2b3c4", "IDE 2.9.0"], 4),
    ] {
        let mut found = agent("cursor").assumed_installation(&env);
        found.products = products.into_iter().map(str::to_owned).collect();
        let context = EntryContext {
            launcher: Path::new("/p/plimsoll"),
            scope: &Scope::User,
            installation: &found,
            parts: Parts::default(),
            env: &env,
        };
        let files = agent("cursor").files(&context);
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
    let assumed =
        agent("vscode-copilot").assumed_installation(&Env::for_test("/h").with_os(Os::Mac)).config_dir;
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
        let context =
            EntryContext { launcher: &launcher, scope: &Scope::User, installation: &found, parts, env: &env };
        let file = agent(id).files(&context).into_iter().find(|file| file.role == Role::Hooks).unwrap();
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
    let files = |id: &str| computer.files(id, &agent(id).assumed_installation(&env), &Scope::User);
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
fn opencodes_file_is_the_one_with_the_servers() {
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
    assert!(listed.findings("opencode")[0].1.contains("doesn't write its plugin file"));
    let computer = Computer::new(&[]);
    let mut old = agent("opencode").assumed_installation(&computer.env());
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
        assert_eq!(computer.files(id, &agent(id).assumed_installation(&env), &scope), wanted, "{id}");
    }
}
