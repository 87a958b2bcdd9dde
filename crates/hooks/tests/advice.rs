//! Advice about calls that one of Plimsoll's tools does better: each agent's channel, the wording, and when it is
//! only advice. Also: a payload that a strict parser rejects is judged all the same.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use agents::HookOutput;
use home::{Clock, Env, Home};
use memory::domain::{Domain, Namespace};
use memory::store::{Actor, Draft, Secrets, SqliteStore, Store as _};
use plimsoll_hooks::{Context, handle, record};
use serde_json::{Value, json};
use sessions::Sessions;
use sessions::heartbeats::{self, Heartbeat};
use tempfile::TempDir;

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

const NOW: i64 = 1_800_000_000_000;
const PAGE: &str = "curl https://example.org";

struct World {
    _dir: TempDir,
    home: Home,
    env: Env,
    user: PathBuf,
    project: PathBuf,
}

/// A call of the agent's shell tool in its own format.
struct Call {
    agent: &'static str,
    event: Option<&'static str>,
    payload: Value,
}

impl World {
    /// With a live server that this agent can reach.
    fn new(agent: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = std::fs::canonicalize(dir.path()).unwrap();
        let project = user.join("shop");
        std::fs::create_dir_all(project.join(".claude")).unwrap();
        let env = Env::for_test(&user).with_cwd(&project);
        let env = if agent == "copilot-cli" { env.with("COPILOT_CLI", "1") } else { env };
        let home = Home::at(user.join(".plimsoll"));
        let beat = Heartbeat {
            pid: std::process::id(),
            agent: agent.into(),
            session: Some("s-1".into()),
            project: project.clone(),
            started_ms: NOW,
            touched_ms: NOW,
        };
        heartbeats::write(&home, &beat).unwrap();
        Self { _dir: dir, home, env, user, project }
    }

    fn chats(&self) -> PathBuf {
        self.user.join(".gemini/tmp/shop/chats")
    }

    fn call(&self, agent: &'static str, command: &str) -> Call {
        let input = json!({"command": command, "description": "look"});
        let snake = |name: &str, tool: &str, transcript: &Path| {
            json!({"session_id": "s-1", "transcript_path": transcript, "cwd": self.project, "hook_event_name": name,
                "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "t"})
        };
        let (event, payload) = match agent {
            "claude-code" => {
                (None, snake("PreToolUse", "Bash", &self.user.join(".claude/projects/x/s-1.jsonl")))
            }
            "codex" => {
                let mut payload =
                    snake("PreToolUse", "Bash", &self.user.join(".codex/sessions/rollout-1.jsonl"));
                payload["turn_id"] = json!("1");
                payload["model"] = json!("gpt-5.4");
                (None, payload)
            }
            "gemini-cli" => {
                (None, snake("BeforeTool", "run_shell_command", &self.chats().join("session-1.jsonl")))
            }
            "copilot-cli" => (
                Some("preToolUse"),
                json!({"sessionId": "s-1", "timestamp": NOW, "cwd": self.project, "toolName": "bash", "toolArgs": input}),
            ),
            _ => unreachable!("no such agent in this test"),
        };
        Call { agent, event, payload }
    }

    fn send(&self, call: &Call) -> HookOutput {
        self.send_bytes(call, call.payload.to_string().as_bytes())
    }

    fn send_bytes(&self, call: &Call, payload: &[u8]) -> HookOutput {
        let agent = agents::by_id(call.agent).unwrap();
        let clock = Clock::fixed(NOW);
        let context = Context { home: &self.home, env: &self.env, clock, agent, systems: SYSTEMS };
        let result = handle(payload, call.event, &context);
        record(&self.home, SYSTEMS, clock, &result, 7).unwrap();
        result.output
    }

    /// A Gemini CLI conversation, last written this many seconds after the first one.
    fn written(&self, name: &str, seconds: u64) {
        let path = self.chats().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = std::fs::File::options().create(true).append(true).open(path).unwrap();
        let start = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
        file.set_modified(start + std::time::Duration::from_secs(seconds)).unwrap();
    }
}

fn turned_away(output: &HookOutput) -> bool {
    output.stdout.contains("\"deny\"") || output.exit != 0
}

#[test]
fn a_call_is_not_denied_where_advice_reaches_the_model() {
    for agent in ["claude-code", "codex", "copilot-cli"] {
        let world = World::new(agent);
        std::fs::write(world.project.join("big.log"), vec![b'x'; 200_000]).unwrap();
        for command in
            [PAGE, "cat big.log", "python3 -c 'import httpx; print(httpx.get(\"https://example.org\").text)'"]
        {
            let call = world.call(agent, command);
            let output = world.send(&call);
            assert!(!turned_away(&output), "{agent}: {output:?}");
            let advice =
                output.stdout.contains("additionalContext") && output.stdout.contains("Advice from Plimsoll");
            assert!(advice, "{agent}: {command}: {output:?}");
            assert!(
                !output.stdout.contains("permissionDecision"),
                "nobody's question is touched: {output:?}"
            );
            assert_eq!(world.send(&call), HookOutput::silent(), "{agent}: said once");
        }
    }
    // If only a denial reaches the model, it says at once what it is, and comes once.
    let world = World::new("gemini-cli");
    world.written("session-1.jsonl", 1);
    let call = world.call("gemini-cli", PAGE);
    let output = world.send(&call);
    assert!(turned_away(&output) && output.stdout.contains("Advice, not an error: "), "{output:?}");
    assert!(output.stdout.contains("send it once more"), "{output:?}");
    assert_eq!(world.send(&call), HookOutput::silent());
}

/// The longest text of a reply: what the model is told.
fn advice_of(reply: &Value) -> &str {
    match reply {
        Value::String(text) => text,
        Value::Array(items) => items.iter().map(advice_of).max_by_key(|text| text.len()).unwrap_or_default(),
        Value::Object(members) => {
            members.values().map(advice_of).max_by_key(|text| text.len()).unwrap_or_default()
        }
        _ => "",
    }
}

#[test]
fn advice_costs_bytes_beside_a_call_and_in_place_of_its_result() {
    for agent in ["claude-code", "codex", "copilot-cli", "gemini-cli"] {
        let world = World::new(agent);
        world.written("session-1.jsonl", 1);
        let reply: Value = serde_json::from_str(&world.send(&world.call(agent, PAGE)).stdout).unwrap();
        let sessions = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
        let total = sessions.stats(0).unwrap().totals;
        assert_eq!(total.overhead_bytes, advice_of(&reply).len() as u64, "{agent}: {reply}");
        assert_eq!((total.calls, total.net_bytes.is_negative()), (0, true), "{agent}");
    }
    let world = World::new("claude-code");
    let rules = r#"{"permissions":{"deny":["Bash(shred:*)"]}}"#;
    std::fs::write(world.project.join(".claude/settings.json"), rules).unwrap();
    let output = world.send(&world.call("claude-code", "true && shred x"));
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    let sessions = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    assert_eq!(sessions.stats(0).unwrap().totals.overhead_bytes, advice_of(&reply).len() as u64, "{reply}");
}

#[test]
fn a_tool_that_cannot_do_it_is_never_suggested() {
    for agent in ["claude-code", "codex", "copilot-cli", "gemini-cli"] {
        let world = World::new(agent);
        world.written("session-1.jsonl", 1);
        for command in [
            "curl -X POST https://example.org/a -d x=1",
            "curl -I https://example.org",
            "curl http://localhost:3000/health",
            "curl -fsS http://127.0.0.1:8080/ready",
            "curl http://[::1]:3000",
            "curl http://shop.local",
            "curl -o page.html https://example.org",
            "curl https://example.org/healthz",
        ] {
            assert_eq!(world.send(&world.call(agent, command)), HookOutput::silent(), "{agent}: {command}");
        }
        let output = world.send(&world.call(agent, "curl -H 'Authorization: x' https://example.org/a"));
        let told = output.stdout.contains("execute") && !output.stdout.contains("_index");
        assert!(told && !output.stdout.contains("-index"), "{agent}: {output:?}");
    }
    let world = World::new("claude-code");
    let mut call = world.call("claude-code", PAGE);
    call.payload["tool_name"] = json!("WebFetch");
    call.payload["tool_input"] = json!({"url": "http://localhost:3000/docs", "prompt": "x"});
    assert_eq!(world.send(&call), HookOutput::silent());
}

#[test]
fn a_subagent_of_copilot_is_told_and_never_stopped() {
    let world = World::new("copilot-cli");
    let mut call = world.call("copilot-cli", PAGE);
    call.payload["sessionId"] = json!("60ce7dc6");
    call.payload["agentId"] = json!("60ce7dc6");
    call.payload["agentType"] = json!("general-purpose");
    call.payload["parentAgentId"] = json!("s-1");
    let output = world.send(&call);
    assert!(output.stdout.contains("additionalContext") && !turned_away(&output), "{output:?}");
}

#[test]
fn a_subagent_of_gemini_is_never_stopped_but_by_the_users_rules() {
    let world = World::new("gemini-cli");
    let page = |number: u32| world.call("gemini-cli", &format!("curl https://example.org/{number}"));
    assert!(!turned_away(&world.send(&page(0))), "no conversation is kept, so nobody knows who calls");
    world.written("session-1.jsonl", 10);
    assert!(turned_away(&world.send(&page(1))), "the main conversation calls");
    world.written("s-1/8e6729ec.jsonl", 20);
    assert!(!turned_away(&world.send(&page(2))), "a subagent calls");
    world.written("session-1.jsonl", 30);
    assert!(turned_away(&world.send(&page(3))), "it has ended");
    world.written("s-1/8e6729ec.jsonl", 40);
    let rules = json!({"tools": {"exclude": ["run_shell_command(shred)"]}}).to_string();
    std::fs::write(world.user.join(".gemini/settings.json"), rules).unwrap();
    assert!(turned_away(&world.send(&world.call("gemini-cli", "true && shred x"))), "the user's rule holds");
}

#[test]
fn a_large_page_is_kept_and_only_its_ends_are_shown() {
    let world = World::new("claude-code");
    let mut call = world.call("claude-code", PAGE);
    call.payload["hook_event_name"] = json!("PostToolUse");
    let lines: String = (0..800).map(|n| format!("<p>paragraph number {n} of a long page</p>\n")).collect();
    call.payload["tool_response"] =
        json!({"stdout": lines, "stderr": "", "interrupted": false, "isImage": false});
    let answer: Value = serde_json::from_str(&world.send(&call).stdout).unwrap();
    let shown = answer["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str().unwrap();
    assert!(shown.len() < 7_000 && shown.contains("plimsoll://task/"), "{} bytes", shown.len());
    assert!(shown.contains("paragraph number 0 ") && shown.contains("paragraph number 799 "));
    // A small one stays as it is.
    call.payload["tool_response"]["stdout"] = json!("<p>short</p>");
    assert_eq!(world.send(&call), HookOutput::silent());
}

#[test]
fn a_payload_that_does_not_parse_is_still_judged() {
    let world = World::new("claude-code");
    let rules = r#"{"permissions":{"deny":["Bash(shred:*)"]}}"#;
    std::fs::write(world.project.join(".claude/settings.json"), rules).unwrap();
    let call = world.call("claude-code", "shred x SPOILT");
    let whole = call.payload.to_string();
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let spoilt: [(&str, Vec<u8>); 7] = [
        ("half a surrogate", whole.replace("SPOILT", "\\ud800").into_bytes()),
        ("the other half", whole.replace("SPOILT", "\\udfff!").into_bytes()),
        (
            "no UTF-8",
            [
                whole.split("SPOILT").next().unwrap().as_bytes(),
                b"\xff\xfe",
                whole.split("SPOILT").nth(1).unwrap().as_bytes(),
            ]
            .concat(),
        ),
        ("a control character", whole.replace("SPOILT", "\u{1}\n").into_bytes()),
        ("a member too deep", whole.replacen('{', &format!("{{\"extra\":{deep},"), 1).into_bytes()),
        ("a number too large", whole.replacen('{', "{\"extra\":1e999,", 1).into_bytes()),
        ("a byte order mark", [b"\xef\xbb\xbf", whole.as_bytes()].concat()),
    ];
    for (what, payload) in spoilt {
        let output = world.send_bytes(&call, &payload);
        assert!(turned_away(&output) && output.stdout.contains("Bash(shred:*)"), "{what}: {output:?}");
        assert!(output.stdout.contains("user's choice"), "{what}: it reads as what it is: {output:?}");
    }
}

/// A system records what it tells; a denial would swallow it for the rest of the session.
#[test]
fn context_that_a_denial_displaces_is_given_at_the_next_call() {
    let world = World::new("claude-code");
    let mut store = SqliteStore::open(&world.home.root().join("memory.db")).unwrap();
    let draft = Draft::new("npm publish is done by the release job", Namespace::Decisions, Domain::User);
    store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(NOW - 1_000)).unwrap();
    let rules = world.project.join(".claude/settings.json");
    std::fs::write(&rules, r#"{"permissions":{"deny":["Bash(npm publish:*)"]}}"#).unwrap();
    let call = world.call("claude-code", "npm publish");
    assert!(turned_away(&world.send(&call)));
    std::fs::remove_file(&rules).unwrap();
    let told = world.send(&call);
    assert!(told.stdout.contains("release job") && !turned_away(&told), "{told:?}");
    assert!(!world.send(&call).stdout.contains("release job"), "twice");
}
