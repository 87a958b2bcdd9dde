//! The walk of one event: bytes in, bytes out. Never fails and never prints.

use agents::{Agent, Event, EventKind, HookInput, HookOutput, Verdict};
use home::{Clock, Env, Home};
use serde_json::Value;
use sessions::{Guest, Sessions};
use system::{Happening, OnEvent, Readable, Rules, System, Told};

use crate::asked::Asked;
use crate::chain;
use crate::decided::{Decided, Reason};
use crate::facts::Facts;
use crate::saving;

/// Where and for whom a hook runs.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The Plimsoll folder.
    pub home: &'a Home,
    /// The hook process's environment.
    pub env: &'a Env,
    /// The clock.
    pub clock: Clock,
    /// The agent that the command line names.
    pub agent: &'a dyn Agent,
    /// What there is to loop over.
    pub systems: &'static [&'static System],
}

/// What came of an event.
#[derive(Debug)]
pub struct Handled {
    /// What to print. Complete before anything is recorded.
    pub output: HookOutput,
    /// What to record afterwards, when there is something.
    pub record: Option<(Event, Decided)>,
    /// How much of it may be recorded.
    pub recording: Recording,
    /// What systems told beside the verdict: under which name the ledger books it, and how many bytes.
    pub told: Vec<(&'static str, u64)>,
    /// What systems do at an event, by the settings of this moment.
    pub on_events: Vec<OnEvent>,
}

/// How much of an event is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// Only what we put into the conversation ourselves: this project's sessions are not to be recorded.
    Cost,
    /// That it happened: hooks are paused.
    Event,
    /// That, and what is to be remembered of it.
    Facts,
}

impl Handled {
    fn nothing(output: HookOutput) -> Self {
        Self { output, record: None, recording: Recording::Cost, told: Vec::new(), on_events: Vec::new() }
    }
}

/// Reads the payload, decides, and writes the answer in the agent's dialect.
///
/// `event_name` is the event on the command line, for hosts whose payload does not name it. A payload that
/// is no JSON even when mended, comes from another host, or is of an event we have no use for ends in the agent's "go on".
pub fn handle(stdin: &[u8], event_name: Option<&str>, context: &Context<'_>) -> Handled {
    let agent = context.agent;
    let go_on = || Handled::nothing(agent.fail_open(event_name));
    let Some(payload) = parsed(stdin) else { return go_on() };
    let input = HookInput { payload: &payload, event: event_name, env: context.env };
    if !agent.owns_payload(&input) {
        return Handled::nothing(HookOutput::silent());
    }
    let Some(mut event) = agent.parse_event(&input) else { return go_on() };
    let project = event.project.clone().or_else(|| agent.project(context.env)).or_else(|| event.cwd.clone());
    if agents::plugin::is_duplicate(agent, context.env, project.as_deref(), agents::Role::Hooks) {
        return go_on();
    }
    if event.session.is_none() {
        event.session = agents::session_id(agent, context.env);
    }
    let facts = Facts::gather(&event, agent, context.home, context.env, context.clock);
    if !facts.paused() {
        forget_reads(&event, context.home);
    }
    // One command may serve two agents; the event says which one it was.
    let whose = agents::by_id(event.agent).unwrap_or(agent);
    let guests = system::guests(context.systems);
    let asked = Asked::new(&event, &facts, whose, context.home);
    let mut decided = chain::answer(&asked, |kind| had(&event, context.home, &guests, kind));
    let recording = match (facts.recorded(), facts.paused()) {
        (false, _) => Recording::Cost,
        (true, true) => Recording::Event,
        (true, false) => Recording::Facts,
    };
    let on_events: Vec<OnEvent> = system::on_events(context.systems, &facts.settings).collect();
    let mut told = Vec::new();
    // What this agent has no words for at this event is told at a later one, or not at all.
    let hears = matches!(decided.verdict, Verdict::Replace { .. })
        || agent.render_verdict(&event, &Verdict::Context { text: "told".into() })
            != agent.render_verdict(&event, &Verdict::Pass);
    if recording == Recording::Facts && hears {
        let readable = || readable(whose, context.env, &facts);
        let happening = Happening {
            home: context.home,
            event: &event,
            settings: &facts.settings,
            project: &facts.project,
            now_ms: facts.now_ms,
            search: &facts.tools.search,
            guests: &guests,
            readable: Rules(&readable),
        };
        for on_event in &on_events {
            if let Some(words) = (on_event.tell)(&happening)
                && add(&mut decided, &words)
            {
                told.push((words.booked, words.text.len() as u64));
            }
        }
    }
    let output = agent.render_verdict(&event, &decided.verdict);
    // What this agent has no words for did not happen: nothing was replaced, nobody was asked.
    if !matches!(decided.verdict, Verdict::Pass | Verdict::Context { .. })
        && output == agent.render_verdict(&event, &Verdict::Pass)
    {
        decided = Decided::pass();
    }
    Handled { output, record: Some((event, decided)), recording, told, on_events }
}

/// What the agent's own rules let it read. Nothing at all where there are rules that cannot be seen from here.
fn readable(agent: &dyn Agent, env: &Env, facts: &Facts) -> Readable {
    let mut rules = agents::rules_from(agent, env, &facts.project);
    if !rules.broken.is_empty() || agent.has_hidden_rules(env) {
        return Readable::new(|_| false);
    }
    rules.anchors.extend([facts.project.clone(), env.cwd().to_owned()]);
    let (project, home) = (facts.project.clone(), facts.home_dir.clone());
    Readable::new(move |path| !rules.hides(path, &project, &home))
}

/// Adds what a system tells to what was decided; a denial or a question stays as it is.
fn add(decided: &mut Decided, told: &Told) -> bool {
    match &mut decided.verdict {
        verdict @ Verdict::Pass => *verdict = Verdict::Context { text: told.text.clone() },
        Verdict::Context { text } | Verdict::Replace { text } => {
            text.push_str("\n\n");
            text.push_str(&told.text);
        }
        Verdict::Deny { .. }
        | Verdict::Ask { .. }
        | Verdict::Rewrite { .. }
        | Verdict::RewriteAllowed { .. } => return false,
    }
    decided.because.push(Reason::Told(told.because));
    true
}

/// Where a conversation loses what was read in it, nothing counts as read.
fn forget_reads(event: &Event, home: &Home) {
    match &event.kind {
        EventKind::PreCompact | EventKind::PostCompact => saving::forget_reads(home, event),
        EventKind::SessionStart { source } if source.as_deref() != Some("startup") => {
            saving::forget_reads(home, event);
        }
        _ => {}
    }
}

/// Whether this session was told this before; remembers that it is now. When that cannot be told, it is not said: silence
/// is never wrong.
fn had(event: &Event, home: &Home, guests: &[&'static Guest], kind: &str) -> bool {
    let session = event.session.as_deref().unwrap_or_default();
    let first =
        Sessions::open_quickly(home, guests).and_then(|mut sessions| sessions.nudge_once(session, kind));
    !first.unwrap_or(false)
}

/// The payload. One that a strict parser refuses (half a surrogate in a file's text, bytes that are no UTF-8) is mended:
/// the command in it will run, so the person's rules are to be asked about it.
fn parsed(stdin: &[u8]) -> Option<Value> {
    let bytes = stdin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stdin);
    serde_json::from_slice(bytes).or_else(|_| serde_json::from_str(&text::json::repair(bytes))).ok()
}

/// Which agent a payload comes from, when the command line does not say: older versions of Claude Code run
/// the bare command without its arguments.
pub fn sender(stdin: &[u8], event_name: Option<&str>, env: &Env) -> Option<&'static dyn Agent> {
    let payload = parsed(stdin)?;
    let input = HookInput { payload: &payload, event: event_name, env };
    agents::all()
        .iter()
        .copied()
        .find(|agent| agent.owns_payload(&input) && agent.parse_event(&input).is_some())
}
