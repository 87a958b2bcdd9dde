//! The plugins: up to date, the same as connecting writes, never failing, and silent beside a connection.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use home::Env;
use plimsoll_agents::{self as agents, EntryContext, Parts, Role, Scope, plugin};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../plugin")
}

fn below(root: &Path, into: &mut BTreeMap<String, String>, dir: &Path) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            below(root, into, &path);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            into.insert(name, std::fs::read_to_string(path).unwrap());
        }
    }
}

fn text(path: &str) -> String {
    agents::plugin_files("1.2.3")
        .into_iter()
        .find(|file| file.path == path)
        .unwrap_or_else(|| panic!("{path}"))
        .text
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_plugins_in_the_repository_are_current() {
    let mut there = BTreeMap::new();
    below(&folder(), &mut there, &folder());
    assert!(there.remove("README.md").is_some());
    let wanted: BTreeMap<String, String> = agents::plugin_files(env!("CARGO_PKG_VERSION"))
        .into_iter()
        .map(|file| (file.path, file.text))
        .collect();
    for name in wanted.keys().chain(there.keys()) {
        assert!(
            wanted.get(name) == there.get(name),
            "plugin/{name} is not current: run `cargo xtask plugins`"
        );
    }
}

#[test]
fn a_plugin_registers_the_hooks_that_connecting_writes() {
    for (id, version, file) in [
        ("claude-code", "2.1.330", "claude-code/hooks/hooks.json"),
        ("gemini-cli", "0.61.0", "gemini-cli/hooks/hooks.json"),
        ("copilot-cli", "1.0.102", "copilot-cli/hooks.json"),
    ] {
        let env = Env::for_test("/home/ana");
        let agent = agents::by_id(id).unwrap();
        let mut found = agent.assumed_installation(&env);
        found.version = Some(version.to_owned());
        let parts = Parts { mcp: false, ..Parts::default() };
        let launcher = Path::new("/home/ana/.plimsoll/bin/plimsoll");
        let context = EntryContext { launcher, scope: &Scope::User, installation: &found, parts, env: &env };
        let hooks = agent.files(&context).into_iter().find(|file| file.role == Role::Hooks).unwrap();
        let connected: Value = serde_json::from_str(&edits::snippet(hooks.format, &hooks.edits)).unwrap();
        let plugged = json(file);
        let shape = |value: &Value| -> BTreeMap<String, (Value, usize)> {
            let events = value["hooks"].as_object().unwrap().iter();
            events
                .map(|(event, groups)| {
                    let groups = groups.as_array().unwrap();
                    (event.clone(), (groups[0].get("matcher").cloned().unwrap_or_default(), groups.len()))
                })
                .collect()
        };
        assert_eq!(shape(&connected), shape(&plugged), "{id}");
    }
}

/// Runs a plugin's command in an empty home folder, with or without an installed launcher.
#[cfg(unix)]
fn run(command: &[&str], home: &Path, input: &str) -> (String, i32) {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A launcher that fails at once reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[cfg(unix)]
fn install(home: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let bin = home.join(".plimsoll/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("plimsoll"), format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(bin.join("plimsoll"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Each hook command, with its agent and event.
fn commands() -> Vec<(&'static str, String, String)> {
    let mut all = Vec::new();
    for (agent, file) in [
        ("claude-code", "claude-code/hooks/hooks.json"),
        ("gemini-cli", "gemini-cli/hooks/hooks.json"),
        ("copilot-cli", "copilot-cli/hooks.json"),
    ] {
        for (event, groups) in json(file)["hooks"].as_object().unwrap() {
            let first = &groups[0];
            let handler = first.get("hooks").map_or(first, |handlers| &handlers[0]);
            let command = handler.get("command").or_else(|| handler.get("bash")).unwrap().as_str().unwrap();
            all.push((agent, event.clone(), command.to_owned()));
        }
    }
    all
}

#[cfg(unix)]
#[test]
fn a_hook_answers_what_the_launcher_answers_and_never_fails() {
    let dir = tempfile::tempdir().unwrap();
    for (agent, event, command) in commands() {
        let shell = ["/bin/sh", "-c", command.as_str()];
        // Not installed: only the start of a session says so.
        let _ = std::fs::remove_dir_all(dir.path().join(".plimsoll"));
        let (printed, code) = run(&shell, dir.path(), "{}");
        assert_eq!(code, 0, "{agent} {event}");
        if event.eq_ignore_ascii_case("sessionstart") {
            let printed: Value =
                serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{agent}: {error}: {printed}"));
            assert!(printed.to_string().contains("not installed"), "{agent}: {printed}");
        } else {
            assert_eq!(printed, "", "{agent} {event}");
        }
        install(dir.path(), "read -r x; echo \"$PLIMSOLL_PLUGIN $* $x\"");
        let (printed, code) = run(&shell, dir.path(), "{\"a\":1}\n");
        let named = if agent == "copilot-cli" { format!("{agent} {event}") } else { agent.to_owned() };
        assert_eq!((printed.as_str(), code), (format!("1 hook {named} {{\"a\":1}}").as_str(), 0));
        install(dir.path(), "echo half an answer; exit 1");
        assert_eq!(run(&shell, dir.path(), "{}"), (String::new(), 0), "{agent} {event}");
    }
}

#[cfg(unix)]
#[test]
fn without_plimsoll_the_server_says_so_and_lists_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for path in ["claude-code/.mcp.json", "gemini-cli/gemini-extension.json", "copilot-cli/.mcp.json"] {
        let server = json(path)["mcpServers"]["plimsoll"].clone();
        let args: Vec<&str> =
            server["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let command: Vec<&str> = std::iter::once(server["command"].as_str().unwrap()).chain(args).collect();
        let _ = std::fs::remove_dir_all(dir.path().join(".plimsoll"));
        let input = concat!(
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "\n",
            r#"{"jsonrpc": "2.0", "method": "tools/list", "id": "a-1"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{}}"#,
            "\n",
            // Ids and methods that are nested, or in a text, are somebody else's.
            r#"{"jsonrpc":"2.0","id":8,"method":"ping","params":{"_meta":{"id":"x"},"text":"} \"id\":9, \"initialize\" {"}}"#,
            "\n",
            r#"{"params":{"id":10},"id":"b","method":"ping"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":11,"result":{"id":12}}"#,
            "\n",
            "no json\n",
        );
        let (printed, code) = run(&command, dir.path(), input);
        assert_eq!(code, 0, "{path}");
        let answers: Vec<Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect();
        assert_eq!(
            answers.iter().map(|answer| answer["id"].clone()).collect::<Vec<_>>(),
            [Value::from(0), "a-1".into(), 7.into(), 8.into(), "b".into()]
        );
        assert_eq!(answers[0]["result"]["protocolVersion"], "2025-11-25");
        assert!(answers[0]["result"]["instructions"].as_str().unwrap().contains("not installed"), "{path}");
        assert_eq!(answers[1]["result"]["tools"], Value::Array(Vec::new()));
        assert_eq!(answers[2]["error"]["code"], -32601);
        assert!(answers[3..].iter().all(|answer| answer["result"] == serde_json::json!({})), "{answers:?}");
        install(dir.path(), "echo \"$PLIMSOLL_PLUGIN $*\"");
        let id = path.split('/').next().unwrap();
        assert_eq!(run(&command, dir.path(), ""), (format!("1 mcp --agent {id}\n"), 0));
    }
}

#[test]
fn skills_name_the_tools_as_their_agent_shows_them() {
    for (folder, tool) in [
        ("claude-code/skills/stats", "mcp__plugin_plimsoll_plimsoll__manage"),
        ("gemini-cli/skills/plimsoll-stats", "mcp_plimsoll_manage"),
        ("copilot-cli/skills/plimsoll-stats", "plimsoll-manage"),
    ] {
        let text = text(&format!("{folder}/SKILL.md"));
        assert!(text.starts_with("---\nname: ") && text.contains(tool) && !text.contains('{'), "{text}");
    }
}

#[test]
fn a_plugin_steps_aside_only_beside_a_connection() {
    let dir = tempfile::tempdir().unwrap();
    let (home, project) = (dir.path().join("home"), dir.path().join("w"));
    for (id, file, entry) in [
        (
            "claude-code",
            "home/.claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/p/plimsoll","args":["hook","claude-code"]}]}]}}"#,
        ),
        (
            "claude-code",
            "w/.claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/p/plimsoll hook claude-code"}]}]}}"#,
        ),
        (
            "gemini-cli",
            "home/.gemini/settings.json",
            r#"{"hooks":{"AfterTool":[{"hooks":[{"type":"command","command":"/p/plimsoll hook gemini-cli"}]}]}}"#,
        ),
        (
            "copilot-cli",
            "home/.copilot/hooks/plimsoll.json",
            r#"{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"/p/plimsoll hook copilot-cli agentStop"}]}}"#,
        ),
    ] {
        let agent = agents::by_id(id).unwrap();
        let plain = Env::for_test(&home);
        let plugged = plain.clone().with(plugin::VARIABLE, "1");
        let doubled = |env: &Env| plugin::is_duplicate(agent, env, Some(&project), Role::Hooks);
        assert!(!doubled(&plugged), "{id}: nothing is connected");
        let path = dir.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, entry).unwrap();
        assert!(doubled(&plugged) && !doubled(&plain), "{id} {file}");
        assert!(
            !plugin::is_duplicate(agent, &plugged, Some(&project), Role::Mcp),
            "{id}: only hooks are connected"
        );
        std::fs::write(
            &path,
            entry.replace("plimsoll hook", "other hook").replace("/p/plimsoll", "/p/other"),
        )
        .unwrap();
        assert!(!doubled(&plugged), "{id}: another's hooks");
        std::fs::remove_file(path).unwrap();
    }
}
