//! Golden pairs for every agent and event.
//!
//! `fixtures/<agent>/<case>.in.json` is the agent's stdin, byte for byte. `<case>.verdict.json` has the verdict and its context:
//! `{"verdict": "pass" | {"deny": …} | {"ask": …} | {"rewrite": …} | {"replace": …} | {"context": …},
//!   "env": {…}, "event": "name on the command line"}`; only `verdict` is required. `<case>.out.json` is the expected result:
//! `sent` (whether the agent owns the payload), `event` (as parsed) and `stdout`, `stderr`, `exit`. After reviewing the
//! difference, `UPDATE_FIXTURES=1` rewrites the `out` files.
//!
//! The other tests send every fixture again, damaged or enlarged.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agents::{Agent, Event, HookInput, HookOutput, ToolKind, Verdict};
use home::Env;
use plimsoll_agents as agents;
use proptest::prelude::*;
use serde_json::{Value, json};

struct Fixture {
    agent: &'static dyn Agent,
    name: String,
    out: PathBuf,
    payload: Value,
    env: Env,
    event: Option<String>,
    verdict: Verdict,
}

impl Fixture {
    fn input<'a>(&'a self, payload: &'a Value) -> HookInput<'a> {
        HookInput { payload, event: self.event.as_deref(), env: &self.env }
    }
}

fn fixtures() -> Vec<Fixture> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tests/fixtures");
    let mut fixtures = Vec::new();
    for agent in agents::all() {
        let Ok(entries) = std::fs::read_dir(root.join(agent.id())) else { continue };
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".in.json").map(str::to_owned))
            .collect();
        names.sort();
        for name in names {
            let file = |kind: &str| root.join(agent.id()).join(format!("{name}.{kind}.json"));
            let load = |kind: &str| -> Value {
                let text =
                    std::fs::read_to_string(file(kind)).unwrap_or_else(|e| panic!("{name}.{kind}: {e}"));
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}/{name}.{kind}: {e}", agent.id()))
            };
            let about = load("verdict");
            let mut env = Env::for_test("/home/ana");
            for (key, value) in about.get("env").and_then(Value::as_object).into_iter().flatten() {
                env = env.with(key, value.as_str().unwrap());
            }
            fixtures.push(Fixture {
                agent: *agent,
                payload: load("in"),
                env,
                event: about.get("event").and_then(Value::as_str).map(str::to_owned),
                verdict: verdict(&about["verdict"]),
                out: file("out"),
                name: format!("{}/{name}", agent.id()),
            });
        }
    }
    assert!(!fixtures.is_empty());
    fixtures
}

fn verdict(value: &Value) -> Verdict {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    if value == "pass" {
        return Verdict::Pass;
    }
    let (kind, value) = value.as_object().and_then(|object| object.iter().next()).expect("a verdict");
    match kind.as_str() {
        "deny" => Verdict::Deny { reason: text(value) },
        "ask" => Verdict::Ask { reason: text(value) },
        "rewrite" => Verdict::Rewrite { input: value.clone() },
        "replace" => Verdict::Replace { text: text(value) },
        "context" => Verdict::Context { text: text(value) },
        other => panic!("no such verdict: {other}"),
    }
}

fn summary(event: &Event) -> Value {
    let mut value = json!({
        "agent": event.agent,
        "raw_name": event.raw_name,
        "kind": event.kind,
        "session": event.session,
        "cwd": event.cwd,
        "project": event.project,
        "prompt": event.prompt,
        "subagent": event.subagent,
        "transcript": event.transcript,
        "model": event.model,
        "permission_mode": event.permission_mode,
    });
    if let Some(tool) = &event.tool {
        let kind = match &tool.kind {
            ToolKind::Shell { command } => json!({ "shell": command }),
            ToolKind::Read { path, partial } => json!({ "read": path, "partial": partial }),
            ToolKind::Grep => json!("grep"),
            ToolKind::Fetch { url } => json!({ "fetch": url }),
            ToolKind::Edit { path } => json!({ "edit": path }),
            ToolKind::Subagent => json!("subagent"),
            ToolKind::Ours(tool) => json!({ "ours": tool }),
            ToolKind::Mcp { server, tool } => json!({ "mcp": server, "tool": tool }),
            ToolKind::Other => json!("other"),
        };
        value["tool"] = json!({ "name": tool.name, "kind": kind, "id": tool.id });
        if let Some(output) = &tool.output {
            value["tool"]["output"] =
                json!({ "text": output.text, "failed": output.failed, "full_in": output.full_in });
        }
    }
    let object = value.as_object_mut().unwrap();
    object.retain(|_, value| !value.is_null() && value != &json!(false));
    value
}

fn printed(output: &HookOutput) -> Value {
    let stdout = serde_json::from_str(&output.stdout).unwrap_or_else(|_| json!(output.stdout));
    json!({ "stdout": stdout, "stderr": output.stderr, "exit": output.exit })
}

fn outcome(fixture: &Fixture) -> Value {
    let input = fixture.input(&fixture.payload);
    if !fixture.agent.owns_payload(&input) {
        return json!({ "sent": false });
    }
    let event = fixture.agent.parse_event(&input);
    let output = match &event {
        Some(event) => fixture.agent.render_verdict(event, &fixture.verdict),
        None => fixture.agent.fail_open(fixture.event.as_deref()),
    };
    let mut value = json!({ "sent": true, "event": event.as_ref().map(summary) });
    value.as_object_mut().unwrap().extend(printed(&output).as_object().unwrap().clone());
    value
}

#[test]
fn every_pair_is_as_recorded() {
    let update = std::env::var_os("UPDATE_FIXTURES").is_some();
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let now = outcome(&fixture);
        if update {
            let text = serde_json::to_string_pretty(&now).unwrap() + "\n";
            std::fs::write(&fixture.out, text).unwrap();
            continue;
        }
        let recorded = std::fs::read_to_string(&fixture.out).unwrap_or_default();
        let recorded: Value = serde_json::from_str(&recorded).unwrap_or_default();
        if recorded != now {
            wrong.push(format!("{}\nrecorded: {recorded:#}\nnow: {now:#}", fixture.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Each agent has a pair for each kind of answer that it can give, and one for no answer.
#[test]
fn every_agent_has_pairs() {
    let mut count = BTreeMap::new();
    for fixture in fixtures() {
        *count.entry(fixture.agent.id()).or_insert(0) += 1;
    }
    let few: Vec<&str> =
        agents::all().iter().map(|a| a.id()).filter(|id| count.get(id).copied().unwrap_or(0) < 5).collect();
    assert!(few.is_empty(), "agents with fewer than five golden pairs: {few:?}");
}

/// A payload that one agent surely owns isn't claimed by another: nothing may be answered twice. Copilot CLI and VS
/// Code run the same program and share their files.
#[test]
fn no_payload_has_two_owners() {
    for fixture in fixtures() {
        let input = fixture.input(&fixture.payload);
        if !fixture.agent.owns_payload(&input) {
            continue;
        }
        for other in agents::all() {
            let pair = [fixture.agent.id(), other.id()];
            let related = pair.iter().all(|id| ["vscode-copilot", "copilot-cli"].contains(id));
            if other.id() != fixture.agent.id() && !related {
                assert!(!other.owns_payload(&input), "{} is also claimed by {}", fixture.name, other.id());
            }
        }
    }
}

fn verdicts() -> Vec<Verdict> {
    let text = "äöü \"quoted\" \u{1f600}\n".to_owned();
    vec![
        Verdict::Pass,
        Verdict::Deny { reason: text.clone() },
        Verdict::Ask { reason: text.clone() },
        Verdict::Rewrite { input: json!({ "command": text }) },
        Verdict::Replace { text: text.clone() },
        Verdict::Context { text },
    ]
}

/// Whatever the answer, an agent gets one JSON object or nothing (Kiro: plain text), and no exit code with another
/// meaning.
fn answers_are_sound(fixture: &Fixture, payload: &Value) {
    let input = fixture.input(payload);
    let _ = fixture.agent.owns_payload(&input);
    let Some(event) = fixture.agent.parse_event(&input) else { return };
    for verdict in verdicts() {
        let output = fixture.agent.render_verdict(&event, &verdict);
        let id = fixture.agent.id();
        if !output.stdout.is_empty() && id != "kiro" {
            let value: Value = serde_json::from_str(&output.stdout).expect("one JSON value");
            assert!(value.is_object(), "{}: {value}", fixture.name);
        }
        assert!(
            output.exit == 0 || (output.exit == 2 && id == "kiro"),
            "{}: exit {}",
            fixture.name,
            output.exit
        );
        if verdict == Verdict::Pass && id != "antigravity" {
            assert_eq!(output, HookOutput::silent(), "{}", fixture.name);
        }
    }
}

#[test]
fn huge_outputs_and_any_script_are_accepted() {
    let huge = "zeile mit größe 漢字\n".repeat(50_000);
    assert!(huge.len() > 1_000_000);
    for fixture in fixtures() {
        let mut payload = fixture.payload.clone();
        grow(&mut payload, false, &huge);
        answers_are_sound(&fixture, &payload);
        let mut payload = fixture.payload.clone();
        rename(&mut payload);
        answers_are_sound(&fixture, &payload);
        if let Some(event) = fixture.agent.parse_event(&fixture.input(&payload)) {
            for path in event.cwd.iter().chain(&event.project) {
                assert!(
                    path.to_string_lossy().contains("größe 漢字"),
                    "{}: {}",
                    fixture.name,
                    path.display()
                );
            }
        }
    }
}

/// Enlarges every text in a tool's result.
fn grow(value: &mut Value, inside: bool, huge: &str) {
    const RESULTS: [&str; 8] = [
        "tool_response",
        "tool_output",
        "toolResult",
        "tool_result",
        "output",
        "error",
        "result_json",
        "result",
    ];
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                grow(value, inside || RESULTS.contains(&key.as_str()), huge);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| grow(item, inside, huge)),
        Value::String(text) if inside => *text = huge.to_owned(),
        _ => {}
    }
}

/// Moves every absolute path below a folder with non-ASCII letters.
fn rename(value: &mut Value) {
    match value {
        Value::Object(object) => object.values_mut().for_each(rename),
        Value::Array(items) => items.iter_mut().for_each(rename),
        Value::String(text) if text.starts_with('/') => *text = format!("/größe 漢字{text}"),
        _ => {}
    }
}

/// An agent may name folders and files by `file:` URLs. They are the same ones.
#[cfg(unix)]
#[test]
fn a_folder_named_by_its_url_is_the_same() {
    let mut compared = 0;
    for fixture in fixtures() {
        let mut plain = fixture.payload.clone();
        rename(&mut plain);
        let mut urls = plain.clone();
        name_by_url(&mut urls, false);
        let places = |payload: &Value| {
            let event = fixture.agent.parse_event(&fixture.input(payload))?;
            let tool = event.tool.as_ref().map(|call| call.kind.clone());
            Some((event.cwd, event.project, event.transcript, tool))
        };
        compared += usize::from(plain != urls && places(&plain).is_some());
        assert_eq!(places(&urls), places(&plain), "{}", fixture.name);
    }
    assert!(compared > 100, "{compared}");
}

/// Turns the absolute paths in fields for paths into URLs.
#[cfg(unix)]
fn name_by_url(value: &mut Value, is_path: bool) {
    const FOLDERS: [&str; 4] = ["cwd", "directory", "workspace_roots", "targetfile"];
    let names_path = |key: &str| {
        let key = key.to_lowercase();
        FOLDERS.contains(&key.as_str()) || key.ends_with("path") || key.ends_with("paths")
    };
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                name_by_url(value, names_path(key));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| name_by_url(item, is_path)),
        Value::String(text) if is_path && text.starts_with('/') => {
            *text = format!("file://{}", text.replace(' ', "%20"));
        }
        _ => {}
    }
}

#[test]
fn values_that_are_not_payloads_are_accepted() {
    let env = Env::for_test("/home/ana");
    for agent in agents::all() {
        for payload in [json!(null), json!(true), json!(7), json!("text"), json!([]), json!({}), json!([{}])]
        {
            for event in [None, Some("PreToolUse"), Some("preToolUse"), Some("BeforeTool"), Some("é")] {
                let input = HookInput { payload: &payload, event, env: &env };
                let _ = agent.owns_payload(&input);
                if let Some(event) = agent.parse_event(&input) {
                    for verdict in verdicts() {
                        let _ = agent.render_verdict(&event, &verdict);
                    }
                }
                let pass = agent.fail_open(event);
                assert_eq!((pass.exit, pass.stderr.as_str()), (0, ""), "{}", agent.id());
            }
        }
    }
}

/// The paths of every value in a payload.
fn places(value: &Value, at: &mut Vec<String>, places: &mut Vec<Vec<String>>) {
    places.push(at.clone());
    if let Value::Object(object) = value {
        for (key, value) in object {
            at.push(key.clone());
            self::places(value, at, places);
            at.pop();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A field of another type counts as missing.
    #[test]
    fn damaged_payloads_are_accepted(pick in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(),
        with in prop::sample::select(vec![json!(null), json!(0), json!(-1.5), json!(""), json!("é\u{0}"), json!([]),
            json!([[]]), json!({}), json!({"a": {"b": []}}), json!(true)])) {
        let fixtures = fixtures();
        let fixture = pick.get(&fixtures);
        let mut all = Vec::new();
        places(&fixture.payload, &mut Vec::new(), &mut all);
        let place = place.get(&all);
        let mut payload = fixture.payload.clone();
        let mut target = &mut payload;
        for key in place {
            target = &mut target[key.as_str()];
        }
        *target = with;
        answers_are_sound(fixture, &payload);
    }
}
