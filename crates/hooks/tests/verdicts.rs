//! Events through the complete crate, with a temporary home: what is denied, redirected, advised or passed, and that
//! nothing is ever blocked because of Plimsoll.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use agents::HookOutput;
use home::{Clock, Env, Home, set_value};
use plimsoll_hooks::{Context, handle, record};
use proptest::prelude::*;
use serde_json::{Value, json};
use sessions::Sessions;
use sessions::heartbeats::{self, Heartbeat};
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
        let user = dunce_free(dir.path());
        let project = user.join("shop");
        std::fs::create_dir_all(project.join(".claude")).unwrap();
        let env = Env::for_test(&user).with("CLAUDECODE", "1").with_cwd(&project);
        Self { home: Home::at(user.join(".plimsoll")), env, project, _dir: dir }
    }

    fn with_server(self) -> Self {
        let beat = Heartbeat {
            pid: std::process::id(),
            agent: "claude-code".into(),
            session: Some("s-1".into()),
            project: self.project.clone(),
            started_ms: NOW,
            touched_ms: NOW,
        };
        heartbeats::write(&self.home, &beat).unwrap();
        self
    }

    fn settings(&self, file: &str, text: &str) {
        std::fs::write(self.project.join(".claude").join(file), text).unwrap();
    }

    fn send(&self, payload: &Value) -> HookOutput {
        self.send_bytes("claude-code", payload.to_string().as_bytes())
    }

    fn send_bytes(&self, agent: &str, payload: &[u8]) -> HookOutput {
        let agent = agents::by_id(agent).unwrap();
        let clock = Clock::fixed(NOW);
        let context = Context { home: &self.home, env: &self.env, clock, agent, systems: SYSTEMS };
        let result = handle(payload, None, &context);
        record(&self.home, SYSTEMS, clock, &result, 7).unwrap();
        result.output
    }

    fn tool(&self, name: &str, input: Value) -> Value {
        json!({"session_id": "s-1", "transcript_path": self.env.home_dir().join(".claude/projects/x/s-1.jsonl"), "cwd": self.project,
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input, "tool_use_id": "t"})
    }

    fn bash(&self, command: &str) -> HookOutput {
        self.send(&self.tool("Bash", json!({"command": command})))
    }
}

fn dunce_free(path: &std::path::Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap()
}

fn decision(output: &HookOutput) -> String {
    let value: Value =
        if output.stdout.is_empty() { Value::Null } else { serde_json::from_str(&output.stdout).unwrap() };
    let specific = &value["hookSpecificOutput"];
    specific["permissionDecision"]
        .as_str()
        .or_else(|| specific["additionalContext"].as_str().map(|_| "context"))
        .unwrap_or("pass")
        .to_owned()
}

#[test]
fn downloads_are_redirected_only_when_a_server_of_this_session_is_alive() {
    let world = World::new();
    assert_eq!(world.bash("curl https://example.org"), HookOutput::silent());
    let world = world.with_server();
    let output = world.bash("curl https://example.org");
    assert_eq!(decision(&output), "context");
    assert_eq!(world.bash("curl https://example.org"), HookOutput::silent(), "who insists is let through");
    assert!(output.stdout.contains("mcp__plimsoll__index"), "{}", output.stdout);
    assert!(output.stdout.contains("https://example.org"));
    assert_eq!(
        decision(&world.send(&world.tool("WebFetch", json!({"url": "https://example.org", "prompt": "x"})))),
        "context"
    );
    // What `index` would refuse is left to the agent's own tool.
    let page = |url: &str| world.send(&world.tool("WebFetch", json!({"url": url, "prompt": "x"})));
    assert_eq!(page("http://10.0.0.7/wiki"), HookOutput::silent());
    assert_eq!(world.bash("curl http://wiki.corp/page"), HookOutput::silent());
    set_value(&world.home, &["network", "enabled"], false).unwrap();
    assert_eq!(page("https://example.org/other"), HookOutput::silent());
    set_value(&world.home, &["network", "enabled"], true).unwrap();
    assert_eq!(decision(&page("https://example.org/other")), "context");
    // After `/clear` the session has another ID and the same server; elsewhere it has none.
    let mut later = world.tool("Bash", json!({"command": "curl https://example.org"}));
    later["session_id"] = json!("s-2");
    assert_eq!(decision(&world.send(&later)), "context");
    let other = world.project.with_file_name("other");
    std::fs::create_dir_all(&other).unwrap();
    later["cwd"] = json!(other);
    later["session_id"] = json!("s-3");
    assert_eq!(world.send(&later), HookOutput::silent(), "no server works there");
}

#[test]
fn a_subagent_is_advised_once_and_never_blocked() {
    let world = World::new().with_server();
    let mut payload = world.tool("Bash", json!({"command": "curl https://example.org"}));
    payload["agent_id"] = json!("a-1");
    payload["agent_type"] = json!("Explore");
    assert_eq!(decision(&world.send(&payload)), "context");
    assert_eq!(world.send(&payload), HookOutput::silent());
    world.settings("settings.json", r#"{"permissions":{"deny":["Bash(curl:*)"]}}"#);
    assert_eq!(decision(&world.send(&payload)), "deny", "the user's own rule holds for subagents too");
}

#[test]
fn the_users_deny_rules_hold_inside_other_commands_and_without_any_server() {
    let world = World::new();
    world.settings(
        "settings.local.json",
        r#"{"permissions":{"deny":["Bash(rm:*)","Read(./secret/**)"],"ask":["Bash(git push:*)"]}}"#,
    );
    for command in ["rm -rf x", "true && rm x", "bash -c 'rm x'", "sudo env A=1 rm x", "echo $(rm x)"] {
        let output = world.bash(command);
        assert_eq!(decision(&output), "deny", "{command}");
        assert!(
            output.stdout.contains("Bash(rm:*)") && output.stdout.contains("settings.local.json"),
            "{}",
            output.stdout
        );
    }
    assert_eq!(decision(&world.bash("bash -c 'git push'")), "ask");
    assert_eq!(world.bash("git push"), HookOutput::silent(), "the agent asks by itself");
    assert_eq!(world.bash("git status"), HookOutput::silent());
    let read = world.tool("Read", json!({"file_path": world.project.join("secret/key.pem")}));
    assert_eq!(decision(&world.send(&read)), "deny");
}

#[test]
fn a_broken_settings_file_of_the_agents_does_not_block_its_own_tools() {
    let world = World::new();
    world.settings("settings.json", "{ broken");
    assert_eq!(world.bash("ls"), HookOutput::silent());
}

#[test]
fn paused_hooks_print_nothing_and_the_pause_ends() {
    let world = World::new().with_server();
    set_value(&world.home, &["hooks", "paused_until_ms"], NOW + 1).unwrap();
    assert_eq!(world.bash("curl https://example.org"), HookOutput::silent());
    set_value(&world.home, &["hooks", "paused_until_ms"], NOW).unwrap();
    assert_eq!(decision(&world.bash("curl https://example.org")), "context");
    // In one project, until that is ended or for a while.
    let folder = world.project.to_string_lossy().into_owned();
    let until = |until_ms: i64| {
        let mut table = toml_edit::InlineTable::new();
        table.insert("folder", folder.as_str().into());
        table.insert("until_ms", until_ms.into());
        toml_edit::Value::from(table)
    };
    for (paused, url, passes) in [
        (folder.as_str().into(), "https://example.org/1", true),
        (until(NOW + 1), "https://example.org/2", true),
        (until(NOW), "https://example.org/3", false),
    ] {
        set_value(&world.home, &["hooks", "paused_projects"], toml_edit::Array::from_iter([paused])).unwrap();
        let reply = world.bash(&format!("curl {url}"));
        assert_eq!(reply == HookOutput::silent(), passes, "{url}");
    }
}

#[test]
fn a_clock_that_is_set_back_does_not_lengthen_a_pause() {
    let world = World::new().with_server();
    let since = |ms: i64| {
        let mut table = toml_edit::InlineTable::new();
        table.insert("ms", ms.into());
        table
    };
    set_value(&world.home, &["hooks", "paused_until_ms"], NOW + 100).unwrap();
    for (began, url, passes) in
        [(NOW, "https://example.org/1", true), (NOW + 50, "https://example.org/2", false)]
    {
        set_value(&world.home, &["hooks", "paused_since"], since(began)).unwrap();
        assert_eq!(world.bash(&format!("curl {url}")) == HookOutput::silent(), passes, "{url}");
    }
}

#[test]
fn large_logs_are_not_printed_and_large_files_earn_one_nudge() {
    let world = World::new().with_server();
    std::fs::write(world.project.join("big.log"), vec![b'x'; 200_000]).unwrap();
    std::fs::write(world.project.join("small.log"), b"x").unwrap();
    std::fs::write(world.project.join("big.rs"), vec![b'x'; 200_000]).unwrap();
    assert_eq!(decision(&world.bash("cat big.log")), "context");
    assert_eq!(world.bash("cat small.log"), HookOutput::silent());
    assert_eq!(world.bash("cat missing.log"), HookOutput::silent());
    let read = |file: &str, extra: Value| {
        let mut input = json!({"file_path": world.project.join(file)});
        input.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        world.send(&world.tool("Read", input))
    };
    assert_eq!(decision(&read("big.log", json!({}))), "context");
    assert_eq!(read("big.log", json!({"offset": 10, "limit": 20})), HookOutput::silent());
    assert_eq!(decision(&read("big.rs", json!({}))), "context");
    assert_eq!(read("big.rs", json!({})), HookOutput::silent(), "once per session");
    let input = json!({"command": "cargo test", "run_in_background": true});
    assert_eq!(world.send(&world.tool("Bash", input)), HookOutput::silent(), "it isn't in the conversation");
    assert_eq!(decision(&world.bash("cargo test")), "context");
    assert_eq!(world.bash("cargo build"), HookOutput::silent());
}

/// A command that is rewritten earns no nudge, and doesn't use it up either.
#[cfg(unix)]
#[test]
fn the_first_answer_wins_and_the_record_says_why() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new().with_server();
    let (bin, launcher) = (world.env.home_dir().join("bin"), world.home.launcher());
    for program in [bin.join("cargo"), launcher] {
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, "").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    world.settings(
        "settings.json",
        r#"{"permissions": {"allow": ["Bash(cargo test:*)"], "deny": ["Bash(rm:*)"]}}"#,
    );
    let world = World { env: world.env.clone().with("PATH", &bin), ..world };
    let commands = ["cargo test", "cargo build", "rm -rf target", "curl https://example.org", "ls"];
    let decisions = commands.map(|command| decision(&world.bash(command)));
    assert_eq!(decisions, ["allow", "context", "deny", "context", "pass"]);
    let record = Sessions::open_read_only(&world.home, &[&memory::GUEST]).unwrap().unwrap();
    let events = record.events(&sessions::EventFilter::default(), sessions::Page::default()).unwrap().items;
    let mut reasons: Vec<Option<String>> = events.into_iter().map(|event| event.event.rule).collect();
    reasons.reverse();
    let expected =
        [Some("filter"), Some("nudge:noisy"), Some("rule Bash(rm:*)"), Some("route:download"), None];
    assert_eq!(reasons, expected.map(|reason| reason.map(str::to_owned)));
}

#[test]
fn every_agent_is_told_its_own_tool_names_in_at_most_a_kilobyte() {
    for agent in agents::all() {
        let tools = plimsoll_hooks::Tools::of(*agent);
        assert!(tools.execute.contains("execute"), "{}", agent.id());
    }
    let world = World::new();
    let start = json!({"session_id": "s-1", "cwd": world.project, "hook_event_name": "SessionStart", "source": "startup",
        "transcript_path": world.env.home_dir().join(".claude/projects/x/s-1.jsonl")});
    let output = world.send(&start);
    let value: Value = serde_json::from_str(&output.stdout).unwrap();
    let text = value["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(text.len() <= 1024, "{} bytes", text.len());
    assert!(text.contains("mcp__plimsoll__execute") && text.contains("mcp__plimsoll__search"));
    let stats = Sessions::open_read_only(&world.home, &[&memory::GUEST]).unwrap().unwrap();
    let activity = stats.events(&sessions::EventFilter::default(), sessions::Page::default()).unwrap();
    assert_eq!(activity.items.len(), 1, "{activity:?}");
}

#[test]
fn another_host_that_reads_the_same_settings_gets_silence() {
    let world = World::new().with_server();
    let world = World { env: world.env.clone().with("CURSOR_VERSION", "3.12"), ..world };
    assert_eq!(world.bash("curl https://example.org"), HookOutput::silent());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_input_makes_any_agent_stop(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let world = World::new();
        for agent in agents::all() {
            let output = world.send_bytes(agent.id(), &bytes);
            prop_assert_eq!(output.exit, 0);
            prop_assert!(!output.stdout.contains("deny"), "{}", output.stdout);
        }
    }
}
