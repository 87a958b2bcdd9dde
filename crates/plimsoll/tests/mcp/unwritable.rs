//! With a Plimsoll folder that can't be created or written, lists are empty, and tools that need no store work and
//! report that nothing was kept.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::client::{Client, Place};

const LARGE: &str =
    "for i in $(seq 1 3000); do echo \"line $i is fine\"; done; echo 'ERROR: the last one is not'";

fn works(what: &str, mut client: Client) {
    client.handshake("2025-06-18");
    for (method, list) in [
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
        ("tools/list", "tools"),
    ] {
        let answer = client.request(method, json!({}));
        assert!(answer["result"][list].is_array(), "{what}: {method}: {answer}");
    }
    assert_eq!(client.printed(json!({"language": "shell", "code": "echo hello"})), "hello", "{what}");
    let text = client.good("execute", json!({"language": "shell", "code": LARGE}));
    assert!(
        text.contains("ERROR: the last one is not") && text.contains("couldn't be stored"),
        "{what}: {text}"
    );
    let text = client
        .good("execute", json!({"language": "shell", "code": LARGE, "intent": "the line that is not fine"}));
    assert!(text.contains("ERROR: the last one is not"), "{what}: {text}");
    let text = client.good("execute", json!({"language": "shell", "code": "seq 1 5000"}));
    assert!(text.contains("\n2500\n"), "{what}: what isn't stored isn't shortened: {text}");
    let commands = json!([{"label": "one", "command": "echo first"}, {"label": "two", "command": LARGE}]);
    let text = client.good("batch", json!({"commands": commands, "queries": ["what failed"]}));
    assert!(text.contains("first") && text.contains("ERROR: the last one is not"), "{what}: {text}");
    assert!(text.contains("couldn't be stored"), "{what}: {text}");
    let text = client.good("batch", json!({"commands": ["echo first", "seq 1 4000"]}));
    assert!(text.contains("\n2000\n"), "{what}: what isn't stored isn't shortened: {text}");
    assert!(client.good("task", json!({"action": "list"})).contains("No tasks"), "{what}");
    // The problem is reported when somebody asks.
    for action in ["stats", "doctor"] {
        let (text, _) = client.call("manage", json!({"action": action}));
        assert!(!text.starts_with("error internal"), "{what}: {text}");
    }
    // Tools that need a store report that, and nothing else happens.
    let text = client.bad("index", json!({"content": "kept", "source": "a"}));
    assert!(!text.starts_with("error internal"), "{what}: {text}");
    let (text, _) = client.call("search", json!({"queries": ["kept"]}));
    assert!(!text.starts_with("error internal"), "{what}: {text}");
    assert_eq!(
        client.printed(json!({"language": "shell", "code": "echo still here"})),
        "still here",
        "{what}"
    );
}

#[test]
fn where_the_folder_cannot_be_created() {
    let place = Place::new();
    let file = place.write("home/a-file", "mine");
    // These refuse root as well.
    for folder in
        [file.clone(), file.join("below"), PathBuf::from("/proc/plimsoll"), PathBuf::from("/dev/null/x")]
    {
        let mut command = place.command(&["--agent", "gemini-cli"]);
        command.env("PLIMSOLL_HOME", &folder);
        works(&folder.display().to_string(), Client::start(command));
    }
    assert_eq!(std::fs::read_to_string(file).expect("the file"), "mine");
}

/// Codex shows both ends of a long reply, so the whole output would lose the failure in its middle there.
#[test]
fn what_the_agent_would_cut_comes_as_its_failures() {
    const FAILS: &str = "seq 1 2000; echo 'ERROR: the mast is broken'; seq 1 2000; exit 1";
    let place = Place::new();
    let mut command = place.command(&["--agent", "codex"]);
    command.env("PLIMSOLL_HOME", place.write("home/a-file", "mine"));
    let mut client = Client::start(command);
    client.handshake_as("codex-mcp-client", "2025-06-18");
    for (tool, arguments) in
        [("execute", json!({"language": "shell", "code": FAILS})), ("batch", json!({"commands": [FAILS]}))]
    {
        let (text, _) = client.call(tool, arguments);
        assert!(text.len() < 12_000, "{tool}: {} bytes", text.len());
        for told in
            ["2001| ERROR: the mast is broken", "couldn't be stored", "wasn't kept; print into a file"]
        {
            assert!(text.contains(told), "{tool}: {told} in {text}");
        }
    }
}

/// Too long for any reply, and with a beginning and an end only.
#[test]
fn what_is_left_out_and_in_no_file_is_called_lost() {
    let place = Place::new();
    let mut command = place.command(&["--agent", "claude-code"]);
    command.env("PLIMSOLL_HOME", place.write("home/a-file", "mine"));
    let mut client = Client::start(command);
    client.handshake("2025-06-18");
    for (commands, is_lost) in [
        (json!(["seq 1 9000"]), true),
        (json!(["seq 1 200000"]), true),
        (json!(["echo a", "seq 1 9000"]), true),
        (json!(["echo a", "echo b"]), false),
    ] {
        let (text, _) = client.call("batch", json!({"commands": commands}));
        assert!(text.contains("couldn't be stored"), "{text}");
        assert_eq!(text.contains("wasn't kept; print into a file"), is_lost, "{text}");
    }
}

#[test]
fn where_what_is_there_cannot_be_written() {
    let place = Place::new();
    // With data, so that there are databases to open.
    place.session().good("index", json!({"content": "kept before", "source": "a"}));
    let server = env!("CARGO_BIN_EXE_plimsoll");
    let script =
        "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && exec \"$2\" mcp --agent gemini-cli";
    let confined = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]);
        command.arg(place.data()).arg(server).env_clear().current_dir(place.project());
        command.env("HOME", place.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    };
    let possible = confined("mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\"").output();
    if !possible.as_ref().is_ok_and(|output| output.status.success()) {
        skipped::without("unshare", "a read-only mount in a namespace of its own is not possible here");
        return;
    }
    works("read-only", Client::start(confined(script)));
}
