//! A recorded session, replayed event by event as an agent would send it, each answered by a hook that knows only
//! files: what the session is told on compacting and resuming, and what it is never told.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use home::{Clock, Env, Home, set_value};
use memory::{Category, FactFilter, FactQueries as _, MAX_NOTE};
use plimsoll_hooks::{Context, handle, record};
use serde_json::{Value, json};
use sessions::{LedgerFilter, Page, Sessions};
use tempfile::TempDir;

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

const START: i64 = 1_800_000_000_000;
const MINUTE: i64 = 60_000;

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
        std::fs::create_dir_all(&project).unwrap();
        let env = Env::for_test(&user).with_cwd(&project);
        let home = Home::at(user.join(".plimsoll"));
        Self { home, env, project, _dir: dir }
    }

    /// Sends an event at a minute and returns what the model is told.
    fn send(&self, agent: &str, event: Option<&str>, minute: i64, payload: &Value) -> String {
        let agent = agents::by_id(agent).unwrap();
        let clock = Clock::fixed(START + minute * MINUTE);
        let context = Context { home: &self.home, env: &self.env, clock, agent, systems: SYSTEMS };
        let result = handle(payload.to_string().as_bytes(), event, &context);
        record(&self.home, SYSTEMS, clock, &result, 7).unwrap();
        note_of(&result.output.stdout)
    }

    /// The same for Claude Code, with its usual fields.
    fn claude(&self, session: &str, minute: i64, fields: Value) -> String {
        let mut payload = json!({"session_id": session, "cwd": self.project,
            "transcript_path": self.env.home_dir().join(format!(".claude/projects/x/{session}.jsonl"))});
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.send("claude-code", None, minute, &payload)
    }

    fn walk(&self, session: &str) -> Vec<(String, String)> {
        let project = self.project.to_string_lossy().replace('\\', "\\\\");
        include_str!("notes/session.jsonl")
            .lines()
            .map(|line| {
                let mut fields: Value = serde_json::from_str(&line.replace("{project}", &project)).unwrap();
                let minute = fields.as_object_mut().unwrap().remove("at").unwrap().as_i64().unwrap();
                let name = fields["hook_event_name"].as_str().unwrap().to_owned();
                (name, self.claude(session, minute, fields))
            })
            .collect()
    }

    fn note(&self, session: &str, source: &str) -> String {
        let start = json!({"hook_event_name": "SessionStart", "source": source});
        note_in(&self.claude(session, 23, start))
    }
}

/// What a reply adds to the conversation, in any field.
fn note_of(stdout: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(stdout) else { return stdout.to_owned() };
    let inner = &value["hookSpecificOutput"];
    [
        &inner["additionalContext"],
        &value["additionalContext"],
        &value["additional_context"],
        &value["context"],
    ]
    .into_iter()
    .find_map(Value::as_str)
    .unwrap_or_default()
    .to_owned()
}

/// The note in what a session is told, without the text about the tools.
fn note_in(told: &str) -> String {
    told.find("Plimsoll's record").map(|at| told[at..].to_owned()).unwrap_or_default()
}

#[test]
fn a_compacted_session_is_given_what_it_needs_to_go_on() {
    let world = World::new();
    let answers = world.walk("7c1e-41");
    // Nothing was told in between except at the start: no command failed three times.
    let told: Vec<&str> =
        answers.iter().filter(|(_, text)| !text.is_empty()).map(|(name, _)| name.as_str()).collect();
    assert_eq!(told, ["SessionStart"]);
    assert!(!answers[0].1.contains("record"));
    let note = world.note("7c1e-41", "compact");
    assert!(note.len() <= MAX_NOTE, "{}", note.len());
    // Files are named as on their system.
    let named = if cfg!(windows) { note.replace('\\', "/") } else { note.clone() };
    insta::assert_snapshot!("resume_note", named);
    assert_eq!(world.note("7c1e-41", "resume"), note, "the same on resuming");
    let sessions = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let costs = sessions
        .calls(&LedgerFilter { tool: Some("note".into()), ..LedgerFilter::default() }, Page::default());
    let costs = costs.unwrap();
    assert_eq!(costs.total, 2, "each note is a cost of ours");
    assert_eq!(costs.items[0].row.overhead_bytes, note.len() as u64);
}

#[test]
fn no_other_session_is_given_the_note() {
    let world = World::new();
    world.walk("7c1e-41");
    assert_eq!(world.note("another", "compact"), "", "another session of the same project");
    assert_eq!(world.note("7c1e-41", "startup"), "");
    let elsewhere = json!({"session_id": "7c1e-41", "cwd": world.env.home_dir().join("bank"),
        "hook_event_name": "SessionStart", "source": "resume"});
    std::fs::create_dir(world.env.home_dir().join("bank")).unwrap();
    assert_eq!(note_in(&world.send("claude-code", None, 23, &elsewhere)), "", "another project");
    let other_agent = json!({"session_id": "7c1e-41", "cwd": world.project, "hook_event_name": "SessionStart", "source": "resume"});
    assert_eq!(note_in(&world.send("codex", None, 23, &other_agent)), "", "another agent");
    let subagent = json!({"hook_event_name": "SessionStart", "source": "compact", "agent_id": "a", "agent_type": "Explore"});
    assert_eq!(world.claude("7c1e-41", 23, subagent), "", "a subagent");
}

#[test]
fn a_new_name_on_resuming_is_followed_only_by_the_transcript() {
    let world = World::new();
    world.walk("7c1e-41ab-old");
    let mut payload = json!({"session_id": "brand-new", "cwd": world.project, "hook_event_name": "SessionStart", "source": "resume",
        "transcript_path": world.env.home_dir().join(".claude/projects/x/7c1e-41ab-old.jsonl")});
    assert!(note_in(&world.send("claude-code", None, 23, &payload)).contains("The order totals"));
    payload["transcript_path"] = json!(world.env.home_dir().join(".claude/projects/x/brand-new.jsonl"));
    assert_eq!(note_in(&world.send("claude-code", None, 23, &payload)), "");
}

#[test]
fn after_clear_there_is_nothing_and_it_begins_again() {
    let world = World::new();
    world.walk("7c1e-41");
    assert_eq!(world.note("7c1e-41", "clear"), "");
    assert_eq!(world.note("7c1e-41", "compact"), "", "what was before is over");
    world.claude(
        "7c1e-41",
        30,
        json!({"hook_event_name": "UserPromptSubmit", "prompt": "Translate the readme."}),
    );
    let note = world.note("7c1e-41", "compact");
    assert!(note.contains("Translate the readme.") && !note.contains("order totals"), "{note}");
}

#[test]
fn private_words_and_secrets_are_nowhere() {
    let world = World::new();
    world.walk("7c1e-41");
    let secret = ["ghp", "_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let open = format!("Push with token {secret} and then <private>my sister's address is");
    world.claude("7c1e-41", 24, json!({"hook_event_name": "UserPromptSubmit", "prompt": open}));
    world.claude(
        "7c1e-41",
        25,
        json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": {"command": "deploy --to <private>secret-host</private> now"}, "error": "error: <private>secret-host</private> refused"}),
    );
    let pending = std::fs::read_to_string(sessions::pending_path(&world.home)).unwrap();
    let note = world.note("7c1e-41", "compact");
    assert!(note.contains("Push with token") && note.contains("deploy --to now"), "{note}");
    drop(Sessions::open(&world.home, &[&memory::GUEST]).unwrap());
    let mut all = vec![pending, note];
    for file in ["plimsoll.db", "plimsoll.db-wal", "events.pending"] {
        let bytes = std::fs::read(world.home.root().join(file)).unwrap_or_default();
        all.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    for text in all {
        for word in ["Ana Miller", "order 4711", &secret[4..], "sister", "secret-host"] {
            assert!(!text.contains(word), "{word} was written down");
        }
    }
}

#[test]
fn a_switched_off_project_records_only_plimsolls_own_cost() {
    let world = World::new();
    let mut off = toml_edit::Array::new();
    off.push(world.project.to_string_lossy().as_ref());
    set_value(&world.home, &["sessions", "unrecorded_projects"], off).unwrap();
    world.walk("7c1e-41");
    assert_eq!(world.note("7c1e-41", "compact"), "");
    let sessions = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    assert_eq!(sessions.events(&sessions::EventFilter::default(), Page::default()).unwrap().total, 0);
    assert_eq!(sessions.facts(&FactFilter::default(), Page::default()).unwrap().total, 0);
    assert!(sessions.calls(&LedgerFilter::default(), Page::default()).unwrap().total > 0);
    drop(sessions);
    // Elsewhere nothing changes.
    let other = world.env.home_dir().join("bank");
    std::fs::create_dir(&other).unwrap();
    let prompt = json!({"session_id": "s-9", "cwd": other, "hook_event_name": "UserPromptSubmit", "prompt": "Fix it."});
    world.send("claude-code", None, 1, &prompt);
    let sessions = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    assert_eq!(sessions.facts_of("claude-code", "s-9").unwrap()[0].fact.category, Category::Goal);
}

#[test]
fn notes_can_be_switched_off_and_paused_hooks_remember_nothing() {
    let world = World::new();
    world.walk("7c1e-41");
    set_value(&world.home, &["sessions", "resume_note"], false).unwrap();
    assert_eq!(world.note("7c1e-41", "compact"), "");
    set_value(&world.home, &["sessions", "resume_note"], true).unwrap();
    set_value(&world.home, &["hooks", "paused_until_ms"], START + 100 * MINUTE).unwrap();
    assert_eq!(world.note("7c1e-41", "compact"), "");
    world.claude("7c1e-41", 26, json!({"hook_event_name": "UserPromptSubmit", "prompt": "While paused."}));
    set_value(&world.home, &["hooks", "paused_until_ms"], 0).unwrap();
    let note = world.note("7c1e-41", "compact");
    assert!(note.contains("The order totals") && !note.contains("While paused"), "{note}");
    // Without the text about the tools the note is still there.
    set_value(&world.home, &["hooks", "session_start"], false).unwrap();
    assert_eq!(world.note("7c1e-41", "compact"), note);
}

/// The event on the command line, if the agent names it there, and the payload.
type Sent = (Option<&'static str>, Value);

/// Each agent's path to a compaction: what it sends, and which event must carry the note.
#[test]
fn every_agent_is_given_the_note_in_its_own_way() {
    let world = World::new();
    let here = world.project.to_string_lossy().into_owned();
    let prompt = "Make the invoices round half to even.";
    let snake = |name: &str, extra: Value| {
        let mut payload = json!({"session_id": "s-77", "cwd": here, "hook_event_name": name});
        payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        payload
    };
    let camel = |extra: Value| {
        let mut payload = json!({"sessionId": "s-77", "cwd": here, "timestamp": 1});
        payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        payload
    };
    let opencode = |event: &str, extra: Value| {
        let mut payload = json!({"host": "opencode", "event": event, "session": "s-77", "directory": here});
        payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        payload
    };
    let walks: [(&str, Vec<Sent>); 5] = [
        (
            "claude-code",
            vec![
                (None, snake("UserPromptSubmit", json!({"prompt": prompt}))),
                (None, snake("PreCompact", json!({"trigger": "auto"}))),
                (None, snake("SessionStart", json!({"source": "compact"}))),
            ],
        ),
        (
            "codex",
            vec![
                (None, snake("UserPromptSubmit", json!({"prompt": prompt}))),
                (None, snake("PreCompact", json!({"trigger": "auto"}))),
                (None, snake("SessionStart", json!({"source": "compact"}))),
            ],
        ),
        (
            "gemini-cli",
            vec![
                (None, snake("BeforeAgent", json!({"prompt": prompt}))),
                (None, snake("PreCompress", json!({"trigger": "auto"}))),
                (None, snake("SessionStart", json!({"source": "resume"}))),
            ],
        ),
        (
            "opencode",
            vec![
                (None, opencode("chat.message", json!({"prompt": prompt}))),
                (None, opencode("session.compacting", json!({}))),
                (None, opencode("session.start", json!({"source": "compact"}))),
            ],
        ),
        // Nothing reports the end of the compaction, so the next result carries the note.
        (
            "copilot-cli",
            vec![
                (Some("userPromptSubmitted"), camel(json!({"prompt": prompt}))),
                (Some("preCompact"), camel(json!({"trigger": "auto"}))),
                (
                    Some("postToolUse"),
                    camel(json!({"toolName": "view", "toolArgs": {"path": "a.ts"},
                "toolResult": {"resultType": "success", "textResultForLlm": "x"}})),
                ),
            ],
        ),
    ];
    for (agent, events) in walks {
        let env = match agent {
            "claude-code" => world.env.clone().with("CLAUDECODE", "1"),
            "gemini-cli" => world.env.clone().with("GEMINI_SESSION_ID", "s-77"),
            "copilot-cli" => world.env.clone().with("COPILOT_CLI", "1"),
            _ => world.env.clone(),
        };
        let home = Home::at(world.env.home_dir().join(format!(".{agent}")));
        let world = World { home, env, project: world.project.clone(), _dir: tempfile::tempdir().unwrap() };
        let last = events.len() - 1;
        for (at, (name, payload)) in events.iter().enumerate() {
            let note = note_in(&world.send(agent, *name, at as i64, payload));
            assert_eq!(note.contains(prompt), at == last, "{agent}, event {at}: {note}");
        }
        let name = agents::by_id(agent).unwrap().tool_name("search");
        let (event, payload) = &events[last];
        let again = note_in(&world.send(agent, *event, 9, payload));
        if agent == "copilot-cli" {
            assert_eq!(again, "", "once for each compaction");
        } else {
            assert!(again.contains(&name), "{agent}: {again}");
        }
    }
}
