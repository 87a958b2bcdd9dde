//! The law of recorded text: no beginning of a secret of any shape, wherever in an event it is and wherever the text
//! around it is cut.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../text/tests/support/shapes.rs"]
mod shapes;

use std::path::Path;

use home::{Clock, Env, Home};
use plimsoll_hooks::{Context, handle, record};
use serde_json::{Value, json};
use sessions::Sessions;
use shapes::{Case, Dice, LINES_TELL, shapes};

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

const SHAPES: &str = include_str!("../../text/tests/fixtures/redact/shapes.txt");

/// Every way in which an event can carry foreign text.
fn events(text: &str, path: &Path, lines_tell: bool) -> Vec<Value> {
    let bash = |command: &str| json!({"command": command});
    let one_line = if lines_tell { text.to_owned() } else { text.replace('\n', " ") };
    vec![
        json!({"hook_event_name": "UserPromptSubmit", "prompt": text}),
        json!({"hook_event_name": "UserPromptSubmit", "prompt": format!("Always use this from now on: {text}. Never another. We decided on {text}")}),
        json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": bash(text)}),
        json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": bash(text),
            "tool_response": {"stdout": text, "stderr": "", "interrupted": false}}),
        json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": bash("cargo test"),
            "tool_response": {"stdout": "", "stderr": format!("error: {one_line}\n  --> src/lib.rs:1:2\n"), "interrupted": false}}),
        json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": bash(text),
            "error": format!("Exit code 1\nerror: {text}")}),
        json!({"hook_event_name": "PostToolUse", "tool_name": "WebFetch", "tool_input": {"url": one_line, "prompt": text},
            "tool_response": {"result": text}}),
        json!({"hook_event_name": "PostToolUse", "tool_name": "Task", "tool_input": {"description": text, "prompt": text},
            "tool_response": {"content": [{"type": "text", "text": format!("What was found out is this: {text}")}]}}),
        json!({"hook_event_name": "PostToolUse", "tool_name": "TodoWrite", "tool_input": {"todos":
            [{"content": one_line, "status": "in_progress", "activeForm": one_line}]}, "tool_response": {}}),
        json!({"hook_event_name": "PostToolUse", "tool_name": "Edit",
            "tool_input": {"file_path": path.join("a.txt"), "old_string": text, "new_string": text}, "tool_response": {}}),
        json!({"hook_event_name": "SubagentStop", "agent_id": "a", "last_assistant_message": format!("What was found out: {text}")}),
        json!({"hook_event_name": "PostToolUse", "tool_name": "mcp__other__call", "tool_input": {"text": text},
            "tool_response": [{"type": "text", "text": text}]}),
    ]
}

fn left(case: &Case, dir: &Path) -> Option<String> {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        let found = if path.is_dir() {
            left(case, &path)
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            case.left_in(&text).map(|secret| {
                let at = text.find(secret).unwrap_or_default();
                let from = text.floor_char_boundary(at.saturating_sub(120));
                format!(
                    "{}: {}",
                    path.display(),
                    &text[from..text.ceil_char_boundary((at + 60).min(text.len()))]
                )
            })
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// How many shapes share a home: the whole home is searched after each shape.
const PER_HOME: usize = 24;

/// Records the events of these shapes in their own home; returns what is left of their secrets.
fn leaks_of(shapes: &[(usize, Case, String)]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let user = std::fs::canonicalize(dir.path()).unwrap();
    let project = user.join("shop");
    std::fs::create_dir_all(&project).unwrap();
    let env = Env::for_test(&user).with_cwd(&project);
    let home = Home::at(user.join(".plimsoll"));
    let agent = agents::by_id("claude-code").unwrap();
    let mut leaks = Vec::new();
    for (number, case, line) in shapes {
        // So that a cut at 80, 160, 200, 240, 300 or 500 characters falls into a secret for some shape.
        let before = "please look at this and say what it is ".repeat(14);
        let text = format!("{}\n{}\nand what comes after it", &before[..(number * 37) % 520], case.text);
        for (at, mut payload) in events(&text, &project, line.starts_with(LINES_TELL)).into_iter().enumerate()
        {
            let fields = payload.as_object_mut().unwrap();
            fields.insert("session_id".into(), json!(format!("s-{number}")));
            fields.insert("cwd".into(), json!(project));
            let clock = Clock::fixed(1_800_000_000_000 + (number * 100 + at) as i64 * 1_000);
            let context = Context { home: &home, env: &env, clock, agent, systems: SYSTEMS };
            let result = handle(payload.to_string().as_bytes(), None, &context);
            record(&home, SYSTEMS, clock, &result, 7).unwrap();
        }
        if let Some(leak) = left(case, home.root()) {
            leaks.push(format!("{line}\n    {leak}"));
        }
    }
    drop(Sessions::open(&home, &[&memory::GUEST]).unwrap());
    for (_, case, line) in shapes {
        leaks.extend(left(case, home.root()).map(|leak| format!("{line}\n    taken over: {leak}")));
    }
    // Something was written at all.
    let database = std::fs::read(home.main_db()).unwrap();
    assert!(database.len() > 50_000, "{}", database.len());
    let words = String::from_utf8_lossy(&database).matches("please look at this").count();
    assert!(words > shapes.len(), "{words}");
    leaks
}

#[test]
fn no_beginning_of_a_secret_is_written_down() {
    let mut dice = Dice::new(7);
    let cases: Vec<_> = shapes(SHAPES)
        .iter()
        .enumerate()
        .map(|(number, shape)| (number, shape.throw(&mut dice), shape.line.clone()))
        .collect();
    let leaks: Vec<String> = std::thread::scope(|scope| {
        let homes: Vec<_> =
            cases.chunks(PER_HOME).map(|shapes| scope.spawn(move || leaks_of(shapes))).collect();
        homes.into_iter().flat_map(|home| home.join().unwrap()).collect()
    });
    assert!(leaks.is_empty(), "{} of {}:\n{}", leaks.len(), cases.len(), leaks.join("\n"));
}

#[test]
fn a_long_request_says_that_it_goes_on_and_a_short_one_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let user = std::fs::canonicalize(dir.path()).unwrap();
    let env = Env::for_test(&user).with_cwd(&user);
    let home = Home::at(user.join(".plimsoll"));
    let agent = agents::by_id("claude-code").unwrap();
    let long = "find out why the checkout times out on staging ".repeat(9);
    let events = [
        ("short", json!({"hook_event_name": "UserPromptSubmit", "prompt": "Why is the bundle 2 MB?"})),
        ("long", json!({"hook_event_name": "UserPromptSubmit", "prompt": long})),
    ];
    for (at, (session, mut payload)) in events.into_iter().enumerate() {
        payload["session_id"] = json!(session);
        payload["cwd"] = json!(user);
        let clock = Clock::fixed(1_800_000_000_000 + at as i64 * 1_000);
        let context = Context { home: &home, env: &env, clock, agent, systems: SYSTEMS };
        let result = handle(payload.to_string().as_bytes(), None, &context);
        record(&home, SYSTEMS, clock, &result, 7).unwrap();
    }
    let record = Sessions::open(&home, &[&memory::GUEST]).unwrap();
    let rows = record
        .sessions(&sessions::SessionFilter::default(), sessions::Page { offset: 0, limit: 10 })
        .unwrap();
    let titles: Vec<&str> = rows.items.iter().map(|row| row.title.as_str()).collect();
    assert_eq!(titles[1], "Why is the bundle 2 MB?");
    assert!(titles[0].starts_with("find out why the checkout") && titles[0].ends_with('…'), "{}", titles[0]);
}
