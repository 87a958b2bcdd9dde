//! Heron, a made-up agent: one settings file with servers, hooks ("birds") and commands that never run.

use std::path::{Path, PathBuf};

use agents::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, EventKind, HookInput, HookOutput, Installation,
    Machine, Role, SERVER_KEY, Sample, ToolCall, ToolKind, Verdict,
};
use edits::{Dialect, Edit, EntryMatcher, Format};
use home::Env;
use rules::{Effect, Rule, RuleSet, Syntax, Target};
use serde_json::{Value, json};
use transcripts::{Format as Transcript, Key, Record, Source, State, ToolOutput};

/// The agent.
pub(crate) struct Heron;

const ID: &str = "heron";

/// A line for each command, with what it printed.
const TRANSCRIPT: &Transcript = &Transcript::lines("heron-lines", read_line);

fn read_line(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let (Some(command), Some(text)) = (line["command"].as_str(), line["printed"].as_str()) else { return };
    out.push(Record::ToolOutput(ToolOutput {
        agent: ID,
        session: state.session.clone(),
        at_ms: line["at"].as_i64().unwrap_or_default(),
        tool: "peck".into(),
        command: Some(command.to_owned()),
        text: text.to_owned(),
        exit: None,
        key: Key::of(ID, &[state.session.as_str(), command]),
    }));
}

impl Agent for Heron {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Heron"
    }

    fn mark(&self) -> &'static str {
        "He"
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["heron"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        machine.find(ID, &["heron"], machine.in_home(".heron"), &[])
    }

    fn capabilities(&self, _found: &Installation) -> Capabilities {
        Capabilities { tools: true, filtering: false, notes: true }
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, env.home_dir().join(".heron"))
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let launcher = context.launcher.display().to_string();
        let server = Edit::Set {
            path: vec!["servers".into(), SERVER_KEY.into()],
            value: json!({"command": launcher, "args": ["mcp", "--agent", ID]}),
            ours: EntryMatcher::new(|value| value["args"][0] == "mcp"),
            keep_extra_keys: true,
        };
        let hook = Edit::Put {
            path: vec!["birds".into()],
            value: json!({"run": format!("{launcher} hook {ID}")}),
            ours: EntryMatcher::new(|value| {
                value["run"].as_str().is_some_and(|run| run.ends_with("hook heron"))
            }),
        };
        let file = |role, edit| ConfigFile {
            path: context.installation.config_dir.join("config.json"),
            format: Format::new(Dialect::Json),
            role,
            edits: vec![edit],
        };
        vec![file(Role::Mcp, server), file(Role::Hooks, hook)]
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        input.payload.get("heron").is_some()
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        let about = input.payload["about"].as_str()?;
        let command = input.payload["command"].as_str().unwrap_or_default().to_owned();
        let kind = match about {
            "before" => EventKind::PreTool,
            "begin" => EventKind::SessionStart { source: Some("startup".into()) },
            _ => return None,
        };
        let tool = (kind == EventKind::PreTool).then(|| ToolCall {
            kind: ToolKind::Shell { command: command.clone() },
            output: None,
            id: None,
            name: "peck".into(),
            input: json!({ "command": command }),
        });
        let at = input.payload["at"].as_str().map(PathBuf::from);
        Some(Event {
            agent: ID,
            raw_name: about.to_owned(),
            kind,
            session: Some("h-1".into()),
            cwd: at.clone(),
            project: at,
            tool,
            prompt: None,
            subagent: false,
            transcript: None,
            model: None,
            permission_mode: None,
        })
    }

    fn render_verdict(&self, _event: &Event, verdict: &Verdict) -> HookOutput {
        match verdict {
            Verdict::Deny { reason } => HookOutput::json(&json!({ "no": reason })),
            Verdict::Context { text } => HookOutput::json(&json!({ "know": text })),
            _ => HookOutput::silent(),
        }
    }

    fn session_start(&self, _session: &str, home: &Path) -> Sample {
        Sample { event: None, payload: json!({"heron": 1, "about": "begin", "at": home}) }
    }

    fn transcripts(&self, env: &Env) -> Vec<Source> {
        let mut found = Vec::new();
        let nest = self.assumed_installation(env).config_dir.join("nest");
        transcripts::files(&nest, ID, &mut found, |name| name.ends_with(".jsonl").then_some(TRANSCRIPT));
        found
    }

    fn formats(&self) -> &'static [&'static Transcript] {
        &[TRANSCRIPT]
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("plimsoll/{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        let file = self.assumed_installation(env).config_dir.join("config.json");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let never = value["never"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let rule = |text: &str| Rule {
            effect: Effect::Deny,
            target: Target::Shell,
            pattern: Some(text.to_owned()),
            syntax: Syntax::Prefix,
            text: text.to_owned(),
            source: file.display().to_string(),
            base: project.to_path_buf(),
        };
        RuleSet { rules: never.map(rule).collect(), ..RuleSet::default() }
    }
}
