//! The hook as the process that an agent starts on every tool call: whatever its input and the state of the data, it exits with 0,
//! prints nothing but an answer, and still refuses what the user's own rules refuse.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use plimsoll_tests::{Scratch, sidecar};
use serde_json::{Value, json};

/// Each agent with its event before a tool runs, and that event's payload: one of the recorded ones beside the adapters, in which
/// the shell runs `cat build.log` in `/w/shop`.
const AGENTS: [(&str, &str, &str); 9] = [
    ("claude-code", "PreToolUse", "PreToolUse"),
    ("codex", "PreToolUse", "PreToolUse"),
    ("gemini-cli", "BeforeTool", "BeforeTool"),
    ("opencode", "tool.execute.before", "before"),
    ("copilot-cli", "preToolUse", "preToolUse"),
    ("cursor", "preToolUse", "preToolUse"),
    ("vscode-copilot", "PreToolUse", "PreToolUse"),
    ("antigravity", "PreToolUse", "PreToolUse"),
    ("kiro", "preToolUse", "PreToolUse"),
];

/// The agent's own payload, for this command in this project.
fn own_payload(agent: &str, recorded: &str, shell: &str, project: &Path) -> String {
    // Build output outlives clones: the folder is the one of this run, not of the last build.
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let path = Path::new(&here)
        .join("../crates/agents/tests/fixtures")
        .join(agent)
        .join(format!("{recorded}.in.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let quoted = |text: &str| Value::from(text).to_string();
    let inner = |text: &str| quoted(text).trim_matches('"').to_owned();
    assert!(text.contains("cat build.log"), "{}: another command", path.display());
    text.replace("cat build.log", &inner(shell)).replace("/w/shop", &inner(&project.to_string_lossy()))
}

struct Hook {
    scratch: Scratch,
}

impl Hook {
    /// A home in which the user forbids `shred`.
    fn new() -> Self {
        let scratch = Scratch::new().unwrap();
        std::fs::create_dir_all(scratch.home.join(".claude")).unwrap();
        let rules = json!({"permissions": {"deny": ["Bash(shred:*)"]}}).to_string();
        std::fs::write(scratch.home.join(".claude/settings.json"), rules).unwrap();
        Self { scratch }
    }

    fn command(&self, agent: &str, event: &str) -> Command {
        let mut command = self.scratch.command(sidecar());
        command.args(["hook", agent, event]);
        command
    }

    fn payload(&self, shell: &str) -> Value {
        json!({"session_id": "s-1", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t1",
            "transcript_path": self.scratch.home.join(".claude/projects/x/s-1.jsonl"), "permission_mode": "default",
            "cwd": self.scratch.project, "tool_input": {"command": shell}})
    }

    /// Whatever the state of the data: `shred` is refused, and `ls` runs.
    fn refuses_and_passes(&self, state: &str, adjust: &dyn Fn(&mut Command)) {
        let run = |shell: &str| {
            let mut command = self.command("claude-code", "PreToolUse");
            adjust(&mut command);
            feed(command, self.payload(shell).to_string().as_bytes())
        };
        // On a busy machine the deadline may come first, and then the hook is silent by design; a state in
        // which it is silent every time is a defect.
        let refused = (0..20).find_map(|_| {
            let output = run("shred -u notes.txt");
            calm(state, &output);
            (!output.stdout.is_empty()).then_some(output)
        });
        let refused = refused.unwrap_or_else(|| panic!("{state}: nothing was refused"));
        let answer: Value = serde_json::from_slice(&refused.stdout).unwrap();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{state}: {answer}");
        assert!(answer.to_string().contains("shred"), "{state}: the rule is named: {answer}");
        let passed = run("ls");
        calm(state, &passed);
        assert!(!String::from_utf8_lossy(&passed.stdout).contains("deny"), "{state}: {passed:?}");
    }
}

/// Sends the bytes and waits for its end. A hook that stops reading early isn't a failure of the test.
fn feed(mut command: Command, bytes: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let written = stdin.write_all(bytes);
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(written.is_ok(), "the agent would see a broken pipe: {written:?} {output:?}");
    output
}

/// Exited with 0; printed nothing or one JSON value; nothing for the agent to show.
fn calm(what: &str, output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{what}: {output:?}");
    let text = std::str::from_utf8(&output.stdout).unwrap_or_else(|_| panic!("{what}: {output:?}"));
    if !text.trim().is_empty() {
        serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{what}: {error}: {text}"));
    }
    assert!(output.stderr.is_empty(), "{what}: {output:?}");
}

#[test]
fn nonsense_is_ignored() {
    let hook = Hook::new();
    let deep = [b"[".repeat(200_000), b"]".repeat(200_000)].concat();
    let nonsense: [(&str, &[u8]); 10] = [
        ("nothing", b""),
        ("white space", b" \n\t\r\n"),
        ("no JSON", b"\x00\xff\xfe not json at all \xf0\x9f"),
        ("cut off", b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Ba"),
        ("an array", b"[1,2,3]"),
        ("null", b"null"),
        ("an empty object", b"{}"),
        (
            "wrong types",
            b"{\"hook_event_name\":7,\"tool_name\":[],\"tool_input\":\"x\",\"session_id\":{},\"cwd\":null}",
        ),
        (
            "a lone surrogate",
            b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"\\ud800\",\"tool_input\":{}}",
        ),
        ("very deep", &deep),
    ];
    for (agent, event, _) in AGENTS {
        for (what, bytes) in nonsense {
            calm(&format!("{agent}: {what}"), &feed(hook.command(agent, event), bytes));
        }
    }
    for arguments in [
        &["hook"][..],
        &["hook", "no-such-agent"],
        &["hook", "claude-code"],
        &["hook", "claude-code", "NoEvent", "x"],
    ] {
        for (what, bytes) in nonsense {
            let mut command = hook.scratch.command(sidecar());
            command.args(arguments);
            calm(&format!("{arguments:?}: {what}"), &feed(command, bytes));
        }
    }
}

#[test]
fn every_agent_is_answered_in_json_or_not_at_all() {
    let hook = Hook::new();
    let recorded = || {
        let printed = hook.scratch.plimsoll(&["activity", "--json"]).unwrap();
        let page: Value = serde_json::from_str(&printed).unwrap();
        let rows = page["rows"].as_array().unwrap_or_else(|| panic!("{page}"));
        rows.iter().filter_map(|row| row["agent"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    for (agent, event, payload) in AGENTS {
        let payload = own_payload(agent, payload, "ls", &hook.scratch.project);
        // A hook whose time was up on a busy machine records nothing; one that never does was not understood.
        let understood = (0..20).any(|_| {
            calm(agent, &feed(hook.command(agent, event), payload.as_bytes()));
            recorded().iter().any(|by| by == agent)
        });
        assert!(understood, "{agent}: its own payload was not understood: {payload}\n{:?}", recorded());
    }
}

#[test]
fn a_hook_without_an_input_goes_on() {
    let hook = Hook::new();
    let mut command = hook.command("claude-code", "PreToolUse");
    calm("empty device", &command.stdin(Stdio::null()).output().unwrap());
    let mut command = hook.scratch.command("/bin/sh");
    command.args(["-c", "exec \"$0\" hook claude-code PreToolUse <&-"]).arg(sidecar());
    calm("closed", &command.output().unwrap());
}

#[test]
fn huge_payloads_are_read_to_their_end() {
    let hook = Hook::new();
    // A rule is looked at in anything that an agent really sends…
    let mut payload = hook.payload("shred x");
    payload["tool_input"]["description"] = "d".repeat(1_000_000).into();
    let output = feed(hook.command("claude-code", "PreToolUse"), payload.to_string().as_bytes());
    calm("1 MB", &output);
    assert!(String::from_utf8_lossy(&output.stdout).contains("deny"), "{output:?}");
    // …and what no agent sends is read to its end and passed.
    payload["tool_input"]["description"] = "d".repeat(70_000_000).into();
    calm("70 MB", &feed(hook.command("claude-code", "PreToolUse"), payload.to_string().as_bytes()));
    calm("70 MB of nothing", &feed(hook.command("claude-code", "PreToolUse"), &vec![b' '; 70_000_000]));
}

#[test]
fn nobody_reads_the_answer() {
    let hook = Hook::new();
    let payload = hook.payload("shred x").to_string();
    let mut command = hook.command("claude-code", "PreToolUse");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    for closing in [">&-", "2>&-", ">&- 2>&-", ">/dev/full", ">/dev/full 2>/dev/full"] {
        let mut command = hook.scratch.command("/bin/sh");
        command
            .args(["-c", &format!("exec \"$0\" hook claude-code PreToolUse {closing}")])
            .arg(sidecar())
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{closing}");
    }
}

#[test]
fn data_that_cannot_be_written_stops_no_hook() {
    let hook = Hook::new();
    hook.refuses_and_passes("everything is fine", &|_| {});
    let file = hook.scratch.home.join("a-file");
    std::fs::write(&file, "mine").unwrap();
    // These refuse root too.
    for place in [Path::new("/proc/plimsoll"), Path::new("/dev/null/plimsoll"), &file, &file.join("below")] {
        hook.refuses_and_passes(&place.display().to_string(), &|command| {
            command.env("PLIMSOLL_HOME", place);
        });
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let closed = hook.scratch.home.join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o500)).unwrap();
    hook.refuses_and_passes("read-only", &|command| {
        command.env("PLIMSOLL_HOME", closed.join("data"));
    });
    for (name, value) in [("PLIMSOLL_HOME", ""), ("PLIMSOLL_HOME", "relative/path")] {
        hook.refuses_and_passes(&format!("{name}={value}"), &|command| {
            command.env(name, value);
        });
    }
}

#[test]
fn a_limit_of_file_sizes_ends_no_hook() {
    let hook = Hook::new();
    let payload = hook.payload("ls").to_string();
    for limit in ["0", "1"] {
        for _ in 0..10 {
            let mut command = hook.scratch.command("/bin/sh");
            let script = format!("ulimit -f {limit} && exec \"$0\" hook claude-code PreToolUse");
            command.args(["-c", &script]).arg(sidecar());
            calm(&format!("ulimit -f {limit}"), &feed(command, payload.as_bytes()));
        }
    }
    // A command that runs keeps the system's own limits.
    let mut run = hook.scratch.command(sidecar());
    run.args(["run", "--", "/bin/sh", "-c", "grep -E '^Sig(Ign|Cgt)' /proc/self/status || :"]);
    let mut plain = hook.scratch.command("/bin/sh");
    plain.args(["-c", "grep -E '^Sig(Ign|Cgt)' /proc/self/status || :"]);
    let (run, plain) = (run.output().unwrap(), plain.output().unwrap());
    assert_eq!(String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&plain.stdout));
}

/// The files of one good run, so that later states have real data.
fn with_data(hook: &Hook) -> std::path::PathBuf {
    let db = hook.scratch.home.join(".plimsoll/plimsoll.db");
    let recorded = |conn: &rusqlite::Connection| {
        conn.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap_or(0_i64)
    };
    // On a busy machine the deadline may come before an event is recorded. Hooks leave their events to whoever
    // asks for figures; everything must be in the one file.
    let conn = (0..100).find_map(|_| {
        hook.refuses_and_passes("everything is fine", &|_| {});
        let figures = hook.scratch.command(sidecar()).args(["stats", "--json"]).output().ok()?;
        assert!(figures.status.success(), "{figures:?}");
        let conn = rusqlite::Connection::open(&db).ok()?;
        conn.busy_timeout(std::time::Duration::from_secs(10)).ok()?;
        (recorded(&conn) > 0).then_some(conn)
    });
    let conn = conn.unwrap_or_else(|| panic!("nothing was recorded in {}", db.display()));
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    db
}

#[test]
fn a_damaged_database_stops_no_hook() {
    type Damage = fn(&Path, &[u8]);
    let damages: [(&str, Damage); 5] = [
        ("garbage", |db, _| std::fs::write(db, b"garbage ".repeat(4000)).unwrap()),
        ("empty", |db, _| std::fs::write(db, b"").unwrap()),
        ("cut off", |db, bytes| std::fs::write(db, &bytes[..bytes.len() / 2 + 100]).unwrap()),
        ("overwritten in the middle", |db, bytes| {
            let mut bytes = bytes.to_vec();
            let (from, to) = (bytes.len() / 4, bytes.len() * 3 / 4);
            bytes[from..to].fill(0x5a);
            std::fs::write(db, bytes).unwrap();
        }),
        ("a folder", |db, _| {
            std::fs::remove_file(db).unwrap();
            std::fs::create_dir(db).unwrap();
        }),
    ];
    for (what, damage) in damages {
        let hook = Hook::new();
        let db = with_data(&hook);
        let whole = std::fs::read(&db).unwrap();
        damage(&db, &whole);
        let damaged = std::fs::read(&db).ok();
        hook.refuses_and_passes(what, &|_| {});
        // Old waiting notes are imported by a hook itself, which must not fail either.
        let pending = db.with_file_name("events.pending");
        std::fs::write(&pending, b"nothing that is a line\n".repeat(20_000)).unwrap();
        hook.refuses_and_passes(what, &|_| {});
        let files: Vec<_> = std::fs::read_dir(db.parent().unwrap()).unwrap().flatten().collect();
        let kept = files.iter().any(|entry| std::fs::read(entry.path()).ok() == damaged);
        let size = |entry: &std::fs::DirEntry| entry.metadata().map_or(0, |meta| meta.len());
        let sizes: Vec<_> = files.iter().map(|entry| (entry.file_name(), size(entry))).collect();
        let was = (whole.len(), damaged.map(|bytes| bytes.len()));
        assert!(kept || what == "empty", "{what}: the damaged file is not kept: {was:?} {sizes:?}");
    }
}

#[test]
fn a_locked_database_stops_no_hook() {
    let hook = Hook::new();
    let db = with_data(&hook);
    // Writers are kept out.
    let writer = rusqlite::Connection::open(&db).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    hook.refuses_and_passes("another process writes", &|_| {});
    writer.execute_batch("ROLLBACK").unwrap();
    drop(writer);
    // Readers too.
    let owner = rusqlite::Connection::open(&db).unwrap();
    owner.execute_batch("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    hook.refuses_and_passes("another process keeps it to itself", &|_| {});
    owner.execute_batch("ROLLBACK").unwrap();
    drop(owner);
    // And the lock by which openers know of each other.
    let presence = std::fs::File::options().write(true).open(db.with_file_name("plimsoll.db.open")).unwrap();
    presence.lock().unwrap();
    hook.refuses_and_passes("another process has just begun to open it", &|_| {});
}

#[test]
fn settings_that_do_not_parse_stop_no_hook() {
    let hook = Hook::new();
    std::fs::create_dir_all(hook.scratch.home.join(".plimsoll")).unwrap();
    for text in ["= nonsense [[[", "\u{feff}", "hooks = 7\n", "[hooks]\npaused_until_ms = \"never\"\n"] {
        std::fs::write(hook.scratch.home.join(".plimsoll/settings.toml"), text).unwrap();
        hook.refuses_and_passes(text, &|_| {});
    }
}
