//! Shortening outputs: when a command is rewritten, when an output is replaced, and that the whole is kept first.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::path::PathBuf;

use home::{Clock, Env, Home, set_value};
use plimsoll_hooks::{Context, handle, record};
use serde_json::{Value, json};
use sessions::{EventFilter, LedgerFilter, Page, Sessions};
use tempfile::TempDir;

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

const NOW: i64 = 1_800_000_000_000;

struct World {
    _dir: TempDir,
    home: Home,
    env: Env,
    project: PathBuf,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = std::fs::canonicalize(dir.path()).unwrap();
        let project = user.join("shop");
        std::fs::create_dir_all(project.join(".claude")).unwrap();
        // Programs that are there; only their names are looked for.
        let bin = user.join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in ["cargo", "git", "npm"] {
            std::fs::write(bin.join(program), "").unwrap();
        }
        let env = Env::for_test(&user).with("CLAUDECODE", "1").with("PATH", &bin).with_cwd(&project);
        let home = Home::at(user.join(".plimsoll"));
        std::fs::create_dir_all(home.launcher().parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("/bin/sh", home.launcher()).unwrap();
        Self { home, env, project, _dir: dir }
    }

    fn rules(&self, rules: &Value) {
        let text = json!({ "permissions": rules }).to_string();
        std::fs::write(self.project.join(".claude/settings.json"), text).unwrap();
    }

    fn send(&self, agent: &str, payload: &Value) -> Value {
        let agent = agents::by_id(agent).unwrap();
        let clock = Clock::fixed(NOW);
        let context = Context { home: &self.home, env: &self.env, clock, agent, systems: SYSTEMS };
        let handled = handle(payload.to_string().as_bytes(), None, &context);
        record(&self.home, SYSTEMS, clock, &handled, 7).unwrap();
        serde_json::from_str(&handled.output.stdout).unwrap_or(Value::Null)
    }

    fn before(&self, mode: &str, command: &str) -> Value {
        self.send(
            "claude-code",
            &json!({
                "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": self.project, "permission_mode": mode,
                "tool_name": "Bash", "tool_input": { "command": command, "description": "x" }, "tool_use_id": "t"
            }),
        )
    }

    fn after(&self, command: &str, stdout: &str) -> Value {
        self.send(
            "claude-code",
            &json!({
                "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": self.project,
                "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t",
                "tool_response": { "stdout": stdout, "stderr": "", "interrupted": false, "isImage": false }
            }),
        )
    }
}

fn rewritten(reply: &Value) -> Option<String> {
    Some(reply["hookSpecificOutput"]["updatedInput"]["command"].as_str()?.to_owned())
}

fn decision(reply: &Value) -> Option<&str> {
    reply["hookSpecificOutput"]["permissionDecision"].as_str()
}

fn log(commits: usize) -> String {
    (0..commits)
        .map(|n| {
            format!(
                "commit {n:040x}\nAuthor: Ana <ana@example.org>\nDate:   Fri Nov 20 10:11:12 2026 +0100\n\n    Subject {n}\n\n"
            )
        })
        .collect()
}

#[test]
fn a_command_is_rewritten_only_where_no_question_changes() {
    let world = World::new();
    let prefix = format!("{} run --agent claude-code --session s-1 -- ", world.home.launcher().display());
    // Nobody is asked in this session: the rewrite goes its normal way, without a decision of ours.
    let reply = world.before("bypassPermissions", "cd api && RUST_LOG=1 cargo test 2>&1");
    assert_eq!(rewritten(&reply).unwrap(), format!("cd api && RUST_LOG=1 {prefix}cargo test 2>&1"));
    assert_eq!(decision(&reply), None);
    assert_eq!(reply["hookSpecificOutput"]["updatedInput"]["description"], "x");
    // No rule covers it: the person will be asked about the original.
    assert_eq!(rewritten(&world.before("default", "cargo test")), None);
    // Their rule allows the original: so does ours, and not more.
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"] }));
    let reply = world.before("default", "cargo test --all");
    assert_eq!(rewritten(&reply).unwrap(), format!("{prefix}cargo test --all"));
    assert_eq!(decision(&reply), Some("allow"));
    assert_eq!(rewritten(&world.before("default", "cargo build")), None);
    assert_eq!(rewritten(&world.before("default", "cargo test && curl x | sh")), None);
    assert_eq!(rewritten(&world.before("plan", "cargo test")), None);
    // What asks or denies goes on doing so, also in a session that asks nobody.
    for (rules, command) in [
        (json!({ "ask": ["Bash(cargo:*)"], "allow": ["Bash(cargo test:*)"] }), "cargo test"),
        (json!({ "deny": ["Bash(cargo test:*)"] }), "cargo test"),
    ] {
        world.rules(&rules);
        for mode in ["default", "bypassPermissions"] {
            let reply = world.before(mode, command);
            assert_eq!(rewritten(&reply), None, "{rules} {mode}");
            assert_ne!(decision(&reply), Some("allow"), "{rules} {mode}");
        }
    }
}

/// "allow" is said of plain commands only, whatever a rule seems to cover; and where there is a rule that forbids or
/// asks, what is not plain is not hidden behind our words, also in a session that asks nobody.
#[test]
fn allow_is_only_said_of_plain_commands() {
    let world = World::new();
    let tricks = [
        "cargo test ${x:-{}; boom x # }",
        "cargo test ${x}",
        "cargo test $(boom)",
        "cargo test {a,b}",
        "cargo test *",
        "cargo test ~/x",
        "cargo test # x",
        "cargo test\tx",
        "cargo test \\x",
        "cargo test 'a'b",
        "cargo test; cargo build",
        "cargo test || cargo build",
        "cargo test\ncargo build",
    ];
    world.rules(&json!({ "allow": ["Bash(cargo:*)"] }));
    for command in tricks.iter().chain(&["DEBUG=1 cargo test", "cargo test --manifest-path ../x"]) {
        let reply = world.before("default", command);
        assert_eq!((rewritten(&reply), decision(&reply)), (None, None), "{command}");
    }
    assert_eq!(decision(&world.before("default", "CI=1 cargo test 2>&1")), Some("allow"));
    world.rules(&json!({ "deny": ["Bash(boom:*)"] }));
    for command in tricks {
        let reply = world.before("bypassPermissions", command);
        assert_eq!(rewritten(&reply), None, "{command}");
    }
    assert!(rewritten(&world.before("bypassPermissions", "cargo test && cargo build")).is_some());
}

/// A layer that does not parse may forbid what is hidden by a rewrite.
#[test]
fn beside_a_broken_layer_nothing_is_rewritten() {
    let world = World::new();
    std::fs::write(world.project.join(".claude/settings.json"), "{").unwrap();
    for mode in ["default", "bypassPermissions"] {
        let reply = world.before(mode, "cargo test");
        assert_eq!((rewritten(&reply), decision(&reply)), (None, None), "{mode}");
    }
}

/// What the host would have asked about it must still ask about as rewritten.
#[test]
fn a_rule_that_allows_us_allows_nothing_through_us() {
    let world = World::new();
    set_value(&world.home, &["filters", "rewrite"], "always").unwrap();
    assert!(rewritten(&world.before("default", "cargo test")).is_some());
    world.rules(&json!({ "allow": [format!("Bash({} run:*)", world.home.launcher().display())] }));
    assert_eq!(rewritten(&world.before("default", "cargo test")), None);
}

#[test]
fn what_cannot_be_told_apart_is_left_alone() {
    let world = World::new();
    for command in [
        "cargo test | tail -5",
        "cargo test > out.txt",
        "cargo test &",
        // The file would hold something else, or what was to be seen nowhere would be seen.
        "cargo test 2> errors.txt",
        "cargo build 2>/dev/null",
        "cargo test >& all.txt",
        // A function of the person's shell, perhaps.
        "pytest -q",
        "for i in 1 2; do cargo test; done",
        "x=$(cargo test)",
        "bash -c 'cargo test'",
        "time cargo test",
        "sudo cargo test",
        "cargo test <<EOF\nx\nEOF",
        "git log",
        "ls",
        "echo cargo test",
        "'unclosed cargo test",
    ] {
        assert_eq!(rewritten(&world.before("bypassPermissions", command)), None, "{command}");
    }
    set_value(&world.home, &["filters", "rewrite"], "never").unwrap();
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
    set_value(&world.home, &["filters", "rewrite"], "always").unwrap();
    let reply = world.before("default", "cargo test");
    assert!(rewritten(&reply).is_some() && decision(&reply).is_none(), "asked about as rewritten: {reply}");
    set_value(&world.home, &["filters", "enabled"], false).unwrap();
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
}

/// The agent was started with these words.
fn started(mut world: World, words: &[&str]) -> World {
    let line = words.iter().map(ToString::to_string).collect();
    world.env = world.env.with_callers(vec![vec!["sh".into()], line]);
    world
}

#[test]
fn rules_on_the_agents_command_line_are_rules() {
    let allow = json!({ "allow": ["Bash(cargo:*)"] });
    let world = started(World::new(), &["claude", "--disallowedTools", "Bash(cargo test:*)"]);
    world.rules(&allow);
    for mode in ["default", "bypassPermissions"] {
        let reply = world.before(mode, "cargo test");
        assert_eq!((rewritten(&reply), decision(&reply)), (None, Some("deny")), "{mode}");
        assert!(rewritten(&world.before(mode, "cargo build")).is_some(), "{mode}");
    }
    let world =
        started(World::new(), &["claude", "--settings", r#"{"permissions":{"ask":["Bash(cargo:*)"]}}"#]);
    world.rules(&allow);
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
    // A process that wrote its title over its words: what they allowed or forbade cannot be known.
    let world = started(World::new(), &["claude", "", "", "", ""]);
    world.rules(&allow);
    assert_eq!(rewritten(&world.before("default", "cargo test")), None);
}

/// The hook runs in the folder that the last `cd` went to, and its payload says so.
fn in_folder(world: &World, folder: &str, mode: &str, command: &str) -> Value {
    world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": world.project.join(folder),
            "permission_mode": mode, "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t"
        }),
    )
}

#[test]
fn rules_are_those_of_the_project_wherever_a_command_went() {
    let mut world = World::new();
    let nested = world.project.join("sub/.claude");
    std::fs::create_dir_all(&nested).unwrap();
    world.env =
        world.env.clone().with("CLAUDE_PROJECT_DIR", &world.project).with_cwd(world.project.join("sub"));
    // What a folder says that somebody went to allows nothing.
    std::fs::write(nested.join("settings.json"), r#"{"permissions":{"allow":["Bash(cargo:*)","Bash"]}}"#)
        .unwrap();
    world.rules(&json!({}));
    for folder in ["", "sub"] {
        let reply = in_folder(&world, folder, "default", "cargo test");
        assert_eq!((rewritten(&reply), decision(&reply)), (None, None), "{folder}");
    }
    // What the project forbids or asks about is so after `cd sub`, whether or not the session asks anybody.
    for (rules, answer) in [
        (json!({ "deny": ["Bash(cargo test:*)"] }), Some("deny")),
        (json!({ "ask": ["Bash(cargo test:*)"] }), None),
    ] {
        world.rules(&rules);
        for mode in ["default", "bypassPermissions"] {
            let reply = in_folder(&world, "sub", mode, "cargo test");
            assert_eq!((rewritten(&reply), decision(&reply)), (None, answer), "{rules} {mode}");
        }
    }
    // What it allows is allowed there too.
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"] }));
    assert_eq!(decision(&in_folder(&world, "sub", "default", "cargo test")), Some("allow"));
    // Started in the subfolder, its own rules are the project's, and what the root forbids is forbidden.
    std::fs::create_dir_all(world.project.join(".git")).unwrap();
    world.rules(&json!({ "deny": ["Bash(cargo build:*)"], "allow": ["Bash(cargo run:*)"] }));
    world.env = world.env.clone().with("CLAUDE_PROJECT_DIR", world.project.join("sub"));
    for (command, answer) in
        [("cargo test", Some("allow")), ("cargo build", Some("deny")), ("cargo run", Some("allow"))]
    {
        assert_eq!(decision(&in_folder(&world, "sub", "default", command)), answer, "{command}");
    }
    std::fs::write(nested.join("settings.json"), "{}").unwrap();
    assert_eq!(
        decision(&in_folder(&world, "sub", "default", "cargo run")),
        None,
        "the root allows nothing here"
    );
}

#[test]
fn without_a_told_project_it_is_where_the_agent_works() {
    let mut world = World::new();
    world.rules(&json!({ "deny": ["Bash(cargo test:*)"] }));
    std::fs::create_dir_all(world.project.join("sub")).unwrap();
    let words = vec!["claude".to_owned()];
    let caller = home::Caller { pid: 1, words, cwd: Some(world.project.clone()), terminal: None };
    world.env = world.env.clone().with_cwd(world.project.join("sub")).with_callers(vec![caller]);
    assert_eq!(decision(&in_folder(&world, "sub", "bypassPermissions", "cargo test")), Some("deny"));
}

#[test]
fn what_a_project_allows_counts_once_it_is_trusted() {
    let world = World::new();
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"] }));
    let file = world.env.home_dir().join(".claude.json");
    let key = world.project.to_string_lossy();
    for (trusted, answer) in [(json!({}), None), (json!({ "hasTrustDialogAccepted": true }), Some("allow"))] {
        std::fs::write(&file, json!({ "projects": { (&*key): trusted } }).to_string()).unwrap();
        assert_eq!(decision(&world.before("default", "cargo test")), answer, "{trusted}");
    }
}

#[test]
fn nothing_is_rewritten_beside_a_layer_that_does_not_parse() {
    let world = World::new();
    std::fs::write(world.project.join(".claude/settings.local.json"), "{ no").unwrap();
    assert_eq!(rewritten(&world.before("bypassPermissions", "cargo test")), None);
}

#[test]
fn powershell_is_judged_by_its_own_rules_and_never_rewritten() {
    let world = World::new();
    world.rules(&json!({ "allow": ["Bash(cargo test:*)"], "deny": ["PowerShell(git push:*)"] }));
    let send = |command: &str| {
        world.send(
            "claude-code",
            &json!({
                "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": world.project,
                "permission_mode": "bypassPermissions", "tool_name": "PowerShell",
                "tool_input": { "command": command }, "tool_use_id": "t"
            }),
        )
    };
    let reply = send("cargo test");
    assert_eq!((rewritten(&reply), decision(&reply)), (None, None));
    assert_eq!(decision(&send("git push --force")), Some("deny"));
}

#[test]
fn what_the_agent_cannot_be_given_is_not_counted() {
    let world = World::new();
    let reply = world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": world.project, "tool_name": "Bash",
            "tool_input": { "command": "git log" }, "tool_use_id": "t",
            "tool_response": { "type": "text", "text": log(60) }
        }),
    );
    assert_eq!(reply, Value::Null);
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let calls = record.calls(&LedgerFilter::default(), Page { offset: 0, limit: 10 }).unwrap().items;
    assert!(calls.iter().all(|call| call.row.filter.is_empty()), "{calls:?}");
    let events = record.events(&EventFilter::default(), Page { offset: 0, limit: 1 }).unwrap().items;
    assert_eq!(events[0].event.decision, "pass");
}

#[test]
fn an_output_is_replaced_kept_and_counted() {
    let world = World::new();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let whole = format!("{}    token {secret}\n", log(60));
    let reply = world.after("git log", &whole);
    let shown = reply["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str().unwrap();
    assert!(shown.contains("Subject 59") && shown.len() * 2 < whole.len(), "{shown}");
    let id = shown.rsplit_once("plimsoll://task/").unwrap().1.trim_end().trim_end_matches(']');
    let kept = std::fs::read_to_string(world.home.tasks_dir().join(id).join("output.log")).unwrap();
    assert!(kept.contains("Author: Ana") && !kept.contains(secret));
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let calls = record.calls(&LedgerFilter::default(), Page { offset: 0, limit: 10 }).unwrap().items;
    let call = calls.iter().find(|call| call.row.filter == "git-log").unwrap();
    assert_eq!((call.row.raw_bytes, call.row.returned_bytes), (whole.len() as u64, shown.len() as u64));
    assert!(call.row.ok && call.saved_bytes > 0);
    let events = record.events(&EventFilter::default(), Page { offset: 0, limit: 1 }).unwrap().items;
    assert_eq!(events[0].event.full_output, Some(format!("plimsoll://task/{id}")));
}

#[test]
fn beyond_what_the_agent_would_have_shown_nothing_is_saved() {
    let world = World::new();
    // Claude Code would have shown a preview of 2,000 bytes in 204 of its own.
    world.after("git log", &log(600));
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let calls = record.calls(&LedgerFilter::default(), Page { offset: 0, limit: 10 }).unwrap().items;
    let call = calls.iter().find(|call| call.row.filter == "git-log").unwrap();
    assert_eq!(call.row.raw_bytes, 2_203);
    assert!(call.row.returned_bytes <= call.row.raw_bytes, "{}", call.row.returned_bytes);
}

#[test]
fn nothing_is_shortened_that_cannot_be_kept() {
    let world = World::new();
    std::fs::write(world.home.tasks_dir(), "a file where the folder should be").unwrap();
    assert_eq!(world.after("git log", &log(60)), Value::Null);
}

/// What the agent is shown of a file with this text, if not the text.
fn read(world: &World, text: &str) -> Option<String> {
    let reply = world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": world.project, "tool_name": "Read",
            "tool_input": { "file_path": world.project.join("notes.md") },
            "tool_response": { "type": "text", "file": { "filePath": "notes.md", "content": text, "numLines": 200 } }
        }),
    );
    Some(reply["hookSpecificOutput"]["updatedToolOutput"]["file"]["content"].as_str()?.to_owned())
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n} of the text\n")).collect()
}

fn reads_folder(world: &World) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(world.home.cache_dir().join("reads")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[test]
fn a_file_read_again_unchanged_is_one_line_until_the_conversation_is_compacted() {
    let world = World::new();
    let text = numbered(200);
    assert_eq!(read(&world, &text), None);
    let shown = read(&world, &text).unwrap();
    assert!(shown.contains("unchanged") && shown.len() < 250, "{shown}");
    // Whoever asks again needs the text: the conversation may have lost it without a word to any hook.
    assert_eq!(read(&world, &text), None);
    assert!(read(&world, &text).unwrap().contains("unchanged"));
    let compact = json!({ "hook_event_name": "PreCompact", "session_id": "s-1", "cwd": world.project, "trigger": "auto" });
    world.send("claude-code", &compact);
    assert!(reads_folder(&world).is_empty(), "{:?}", reads_folder(&world));
    assert_eq!(read(&world, &text), None);
}

#[test]
fn a_file_read_again_changed_is_a_diff() {
    let world = World::new();
    let old = numbered(200);
    let new = old.replace("line 7 of", "line seven of").replace("line 90 of the text\n", "") + "the end\n";
    assert_eq!(read(&world, &old), None);
    let shown = read(&world, &new).unwrap();
    let wanted = [
        "-line 7 of the text",
        "+line seven of the text",
        "-line 90 of the text",
        "+the end",
        "@@ -4,7 +4,7 @@",
    ];
    for line in wanted {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
    assert!(shown.contains("notes.md has changed") && shown.len() * 2 < new.len(), "{shown}");
    // What was shown is what is known now.
    assert!(read(&world, &new).unwrap().contains("unchanged"));
    assert!(read(&world, &old).unwrap().contains("+line 7 of the text"));
    set_value(&world.home, &["filters", "off"], toml_edit::Array::from_iter(["changed-file"])).unwrap();
    assert_eq!(read(&world, &new), None);
}

#[test]
fn what_a_diff_would_not_shorten_or_must_not_be_kept_is_shown_whole() {
    let world = World::new();
    let old = numbered(200);
    for new in
        [old.replace("of the", "in the"), old.replace('\n', "\r\n"), numbered(150).replace("line", "word")]
    {
        assert_eq!(read(&world, &old), None);
        assert_eq!(read(&world, &new), None, "{}", &new[..40]);
        let clear = json!({ "hook_event_name": "PreCompact", "session_id": "s-1", "cwd": world.project, "trigger": "auto" });
        world.send("claude-code", &clear);
    }
    let secret = format!("{old}token = ghp_0123456789abcdefghijABCDEFGHIJ012345\n");
    assert_eq!(read(&world, &secret), None);
    assert_eq!(read(&world, &secret.replace("line 7 of", "line seven of")), None);
    for file in reads_folder(&world) {
        assert!(!std::fs::read_to_string(&file).unwrap().contains("ghp_"), "{}", file.display());
    }
}

#[test]
fn a_file_printed_again_unchanged_is_one_line() {
    let world = World::new();
    let text = numbered(200);
    let shown = |command: &str, text: &str| {
        let reply = world.after(command, text);
        reply["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str().map(str::to_owned)
    };
    assert_eq!(shown("cat src/notes.md", &text), None);
    let again = shown("cat src/notes.md", &text).unwrap();
    assert!(again.contains("src/notes.md is unchanged") && again.len() < 250, "{again}");
    assert_eq!(shown("cat src/notes.md", &text), None);
    // Another text, another file, a part, or more than the file.
    let new = text.replace("line 7 of", "line seven of");
    assert_eq!(shown("cat src/notes.md", &new), None);
    for command in [
        "cat notes.md",
        "cat -n src/notes.md",
        "cat src/notes.md src/b.md",
        "cat src/*.md",
        "cat src/notes.md; ls",
    ] {
        assert_eq!(shown(command, &new), None, "{command}");
    }
    // What the tool read is another text than what the command prints.
    assert_eq!(read(&world, &new), None);
}
