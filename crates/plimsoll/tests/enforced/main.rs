//! The user's deny rules while a program runs: what reading the command can't see is stopped by the system.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "helpers of tests, where a failed expectation is the finding")]

#[path = "../mcp/client.rs"]
#[expect(dead_code, reason = "shared with another program of tests, which uses more of it")]
mod client;
mod lists;

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use client::{Client, Place};

const WORD: &str = "canary-in-a-coal-mine";

/// A project with the canaries `boom` (leaves a mark) and `.env` (contains a word), and rules against both.
fn place() -> Place {
    let place = Place::new();
    place.write(
        "work/ship/.claude/settings.json",
        r#"{"permissions": {"deny": ["Bash(boom:*)", "Read(./.env)", "Edit(./locked)"]}}"#,
    );
    place.write("work/ship/.env", WORD);
    place.write("work/ship/locked", "as it was");
    let mark = place.project().join("mark");
    let boom = place.write("work/ship/bin/boom", &format!("#!/bin/sh\necho ran >> '{}'\n", mark.display()));
    std::fs::set_permissions(boom, std::fs::Permissions::from_mode(0o755)).expect("a program");
    place
}

/// A session whose PATH contains `boom`.
fn session(place: &Place) -> Client {
    let mut command = place.command(&["--agent", "claude-code"]);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", place.project().join("bin").display()));
    let mut client = Client::start(command);
    client.handshake("2025-06-18");
    client
}

/// The project as it was before a case.
fn refill(place: &Place) {
    for entry in std::fs::read_dir(place.project()).expect("the project").flatten() {
        if entry.file_name() == ".claude" || entry.file_name() == "bin" {
            continue;
        }
        let path = entry.path();
        let removed = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
        removed.expect("what a case left");
    }
    place.write("work/ship/.env", WORD);
    place.write("work/ship/locked", "as it was");
    place.write("work/ship/sub/x", "x");
}

/// What came through in a case: the program, the file's text, the change.
fn came_through(place: &Place, printed: &str) -> Vec<&'static str> {
    let mut through = Vec::new();
    if place.project().join("mark").exists() {
        through.push("boom ran");
    }
    if printed.contains(WORD) {
        through.push("the file was read");
    }
    if std::fs::read_to_string(place.project().join("locked")).ok().as_deref() != Some("as it was") {
        through.push("the file was changed");
    }
    through
}

/// Every case of the list; returns those that came through, and how many were refused by reading.
fn all(place: &Place, client: &mut Client) -> (usize, usize, Vec<String>) {
    let (mut count, mut refused, mut through) = (0, 0, Vec::new());
    let cases = include_str!("cases.txt").lines().filter(|line| !line.starts_with('#'));
    for (language, code) in cases.filter_map(|line| line.split_once(": ")) {
        refill(place);
        let code = code.replace('␍', "\r").replace('␊', "\n");
        let (printed, _) =
            client.call("execute", json!({"language": language, "code": code, "timeout_ms": 8_000}));
        count += 1;
        refused += usize::from(printed.starts_with("error denied"));
        for what in came_through(place, &printed) {
            through.push(format!("{what}: {language}: {code}"));
        }
    }
    (count, refused, through)
}

#[test]
fn no_case_of_the_list_comes_through() {
    let place = place();
    let mut client = session(&place);
    if !works(&mut client) {
        return;
    }
    let (count, refused, through) = all(&place, &mut client);
    eprintln!("{count} cases: {refused} refused by reading, {} came through", through.len());
    assert!(count > 200, "{count}");
    assert_eq!(through, Vec::<String>::new());
}

/// `plimsoll run` as a hook writes it.
fn relayed(place: &Place, code: &str) -> (String, Option<i32>) {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["run", "--agent", "claude-code", "--", "sh", "-c", code])
        .env("HOME", place.home())
        .env("PATH", format!("{}:{path}", place.project().join("bin").display()))
        .current_dir(place.project())
        .output()
        .expect("plimsoll run");
    let printed = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&printed).into_owned(), output.status.code())
}

#[test]
fn plimsoll_run_ends_with_what_it_starts_and_what_goes_on_after_it() {
    let place = place();
    if !works(&mut place.session()) {
        return;
    }
    let (printed, code) = relayed(&place, "x=$(printf oom); b$x; cat .e*; echo fine; exit 3");
    assert_eq!(came_through(&place, &printed), Vec::<&str>::new());
    assert!(printed.contains("fine") && printed.contains("stopped by the user's rules"), "{printed}");
    assert_eq!(code, Some(3));
    let (printed, code) = relayed(&place, "boom");
    assert_eq!(code, Some(126), "{printed}");
    assert!(printed.contains("Bash(boom:*)"), "{printed}");
    // A background process opens files and starts programs under the same rules.
    let later = "(while [ ! -e go ]; do sleep 0.05; done; /bin/cat .e* > out; x=$(printf oom); b$x; /bin/echo on > on; mv on ended) \
                 > /dev/null 2>&1 & echo begun";
    let (printed, _) = relayed(&place, later);
    assert!(printed.contains("begun"), "{printed}");
    place.write("work/ship/go", "");
    client::until("it has ended", || place.project().join("ended").exists().then_some(()));
    let out = std::fs::read_to_string(place.project().join("out")).expect("its output");
    assert_eq!(came_through(&place, &out), Vec::<&str>::new());
}

/// The list's baseline: reading alone, without enforcement.
#[test]
#[ignore = "a count, not a law: what reading alone leaves, which depends on the programs that are installed"]
fn what_reading_the_command_alone_does_not_catch() {
    let place = place();
    place.write("home/.plimsoll/settings.toml", "[sandbox]\nenforce = \"off\"\n");
    let mut client = session(&place);
    let (count, refused, through) = all(&place, &mut client);
    for line in &through {
        eprintln!("{line}");
    }
    eprintln!("{count} cases: {refused} refused by reading, {} came through", through.len());
}

/// Whether this computer supports it; reports why not.
fn works(client: &mut Client) -> bool {
    let (report, _) = client.call("doctor", json!({}));
    let line = report.lines().find(|line| line.contains("enforcement: ")).expect("a line about it");
    let works = line.contains("the system stops");
    if !works {
        skipped::without("seccomp", line.trim());
    }
    works
}

fn run(client: &mut Client, language: &str, code: &str) -> String {
    client.call("execute", json!({"language": language, "code": code})).0
}

/// Built at run time, so that no reader of the text can know them.
const HIDDEN: &[(&str, &str)] = &[
    ("shell", "PATH=$PWD/bin:$PATH; x=$(printf 'bo%s' om); $x"),
    ("shell", "$(printf './b%sn/bo%s' i om)"),
    ("shell", "f=$(printf '.e%s' nv); cat $f"),
    ("shell", "f=$(printf '.e%s' nv); cp $f copy; cat copy"),
    ("shell", "f=$(printf 'loc%s' ked); echo x > $f"),
    ("python", "print(open(''.join(['.e', 'nv'])).read())"),
    ("python", "import importlib; importlib.import_module('o' + 's').system('bin/' + 'moob'[::-1])"),
];

#[test]
fn access_that_the_command_text_does_not_show_is_blocked() {
    let place = place();
    let mut client = place.session();
    if !works(&mut client) {
        return;
    }
    for (language, code) in HIDDEN {
        let printed = run(&mut client, language, code);
        assert!(!place.project().join("mark").exists(), "{code}: {printed}");
        assert!(!printed.contains(WORD), "{code}: {printed}");
        assert_eq!(
            std::fs::read_to_string(place.project().join("locked")).expect("locked"),
            "as it was",
            "{code}"
        );
        assert!(
            printed.contains("stopped by the user's rules") || printed.contains("error denied"),
            "{code}: {printed}"
        );
    }
    let batch = client.call("batch", json!({"commands": ["f=$(printf '.e%s' nv); cat $f"]}));
    assert!(!batch.0.contains(WORD), "{}", batch.0);
    assert_eq!(run(&mut client, "shell", "cat bin/../locked; echo fine"), "as it wasfine\nexit code 0");
}

#[test]
fn a_background_task_is_enforced_too() {
    let place = place();
    let mut client = place.session();
    if !works(&mut client) {
        return;
    }
    let code = "f=$(printf '.e%s' nv); cat $f > out 2>&1; echo over > ended";
    client.good("execute", json!({"language": "shell", "code": code, "background": true}));
    client::until("the task has ended", || place.project().join("ended").exists().then_some(()));
    let out = std::fs::read_to_string(place.project().join("out")).expect("its output");
    assert!(!out.contains(WORD), "{out}");
}

#[test]
fn with_enforcement_off_only_the_command_text_is_judged() {
    let place = place();
    place.write("home/.plimsoll/settings.toml", "[sandbox]\nenforce = \"off\"\n");
    let mut client = place.session();
    assert!(client.call("doctor", json!({})).0.contains("enforce is off"));
    let printed = run(&mut client, "python", "print(open(''.join(['.e', 'nv'])).read())");
    assert!(printed.contains(WORD), "{printed}");
}

#[test]
fn the_network_is_closed_when_the_user_closes_it() {
    let place = place();
    place.write("home/.plimsoll/settings.toml", "[sandbox]\nnetwork = \"off\"\n");
    let mut client = place.session();
    if !works(&mut client) {
        return;
    }
    let code =
        "import socket\ntry:\n  socket.socket(); print('open')\nexcept PermissionError: print('closed')";
    assert_eq!(run(&mut client, "python", code), "closed\nexit code 0");
}
