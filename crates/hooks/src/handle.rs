//! Handles one event: bytes in, bytes out. Never fails and never prints.

use std::path::PathBuf;

use agents::{Agent, Event, EventKind, HookInput, HookOutput, Verdict};
use home::{Clock, Env, Home, project_root};
use serde_json::Value;
use sessions::{Guest, Sessions};
use system::{EventHandlers, ModelContext, PendingEvent, ReadRules, Readable, System};

use crate::chain;
use crate::event_context::EventContext;
use crate::outcome::{Outcome, Reason};
use crate::shortening;
use crate::situation::Situation;

/// The context of a hook run.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Plimsoll's folder.
    pub home: &'a Home,
    /// The hook process's environment.
    pub env: &'a Env,
    /// The clock.
    pub clock: Clock,
    /// The agent that the command line names.
    pub agent: &'a dyn Agent,
    /// The systems to loop over.
    pub systems: &'static [&'static System],
}

/// The result of handling an event.
#[derive(Debug)]
pub struct HookResult {
    /// The output to print. Complete before anything is recorded.
    pub output: HookOutput,
    /// What to record afterwards, if anything.
    pub record: Option<(Event, Outcome)>,
    /// How much may be recorded about it.
    pub recording: Recording,
    /// The context added by systems: the ledger's name for it, and its size in bytes.
    pub system_contexts: Vec<(&'static str, u64)>,
    /// The systems' event handlers under the current settings.
    pub on_events: Vec<EventHandlers>,
    /// The project's folder, the same that a server uses: an agent may be started in a folder below it, or change into
    /// one. `None` outside every project.
    pub project: Option<PathBuf>,
}

/// How much of an event is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// Only Plimsoll's own overhead: this project's sessions aren't recorded.
    Cost,
    /// The event itself: hooks are paused.
    Event,
    /// The event and the facts to remember.
    Facts,
}

impl HookResult {
    /// The same for an event whose answer came too late and wasn't given: what happened, without any text.
    #[must_use]
    pub fn without_answer(mut self) -> Self {
        if let Some((_, outcome)) = &mut self.record {
            outcome.verdict = Verdict::Pass;
            outcome.shortened = None;
        }
        self.system_contexts.clear();
        self
    }

    fn unrecorded(output: HookOutput) -> Self {
        Self {
            output,
            record: None,
            recording: Recording::Cost,
            system_contexts: Vec::new(),
            on_events: Vec::new(),
            project: None,
        }
    }
}

/// The longest name of a session, in bytes. Those of agents have a tenth of that.
const LONGEST_SESSION: usize = 500;

/// The longest path of any system, in bytes.
const LONGEST_PATH: usize = 32 * 1024;

/// The event without names and folders that can't be any: each record of a session has them, and a document in their place would
/// be stored with every event.
fn without_oversized(event: Event) -> Event {
    let is_path = |path: &PathBuf| path.as_os_str().len() <= LONGEST_PATH;
    Event {
        session: event.session.filter(|session| session.len() <= LONGEST_SESSION),
        cwd: event.cwd.filter(is_path),
        project: event.project.filter(is_path),
        transcript: event.transcript.filter(is_path),
        ..event
    }
}

/// Parses the payload, decides, and renders the answer in the agent's dialect.
///
/// `event_name` is the event on the command line, for hosts whose payload doesn't name it. A payload that isn't JSON
/// even after repair, comes from another host, or is of an unused event is answered with the agent's fail-open
/// output.
pub fn handle(stdin: &[u8], event_name: Option<&str>, context: &Context<'_>) -> HookResult {
    let agent = context.agent;
    let go_on = || HookResult::unrecorded(agent.fail_open(event_name));
    let Some(payload) = parse_payload(stdin) else { return go_on() };
    let input = HookInput { payload: &payload, event: event_name, env: context.env };
    if !agent.owns_payload(&input) {
        return HookResult::unrecorded(HookOutput::silent());
    }
    let Some(event) = agent.parse_event(&input) else { return go_on() };
    let mut event = without_oversized(event);
    let folder = event.project.clone().or_else(|| agent.project(context.env)).or_else(|| event.cwd.clone());
    if agents::plugin::is_duplicate(agent, context.env, folder.as_deref(), agents::Role::Hooks) {
        return go_on();
    }
    if event.session.is_none() {
        event.session = agents::session_id(agent, context.env);
    }
    let is_over =
        matches!(event.kind, EventKind::SessionEnd | EventKind::PreCompact | EventKind::PostCompact);
    if is_over && event.transcript.is_none() {
        let session = event.session.as_deref();
        event.transcript = session.and_then(|session| agent.transcript_of(context.env, session));
    }
    let situation = Situation::gather(&event, agent, context.home, context.env, context.clock);
    let project = folder.and_then(|folder| project_root(&folder, context.env));
    if !situation.is_paused() {
        forget_reads(&event, context.home);
    }
    // One command may serve two agents; the event names the right one.
    let agent_of_event = agents::by_id(event.agent).unwrap_or(agent);
    let guests = system::guests(context.systems);
    let event_context = EventContext::new(&event, &situation, agent_of_event, context.home);
    let mut outcome = chain::answer(&event_context, |kind| was_told(&event, context.home, &guests, kind));
    let recording = match (situation.is_recorded(), situation.is_paused()) {
        (false, _) => Recording::Cost,
        (true, true) => Recording::Event,
        (true, false) => Recording::Facts,
    };
    let on_events: Vec<EventHandlers> =
        system::event_handlers(context.systems, &situation.settings).collect();
    let mut system_contexts = Vec::new();
    // Context that this agent can't render for this event, or that a denial, question or rewrite leaves no room for, is
    // given at a later one, or not at all: a system that is asked records what it told.
    let can_render = match &outcome.verdict {
        Verdict::Replace { .. } => true,
        Verdict::Pass | Verdict::Context { .. } => {
            agent.render_verdict(&event, &Verdict::Context { text: "told".into() })
                != agent.render_verdict(&event, &Verdict::Pass)
        }
        Verdict::Deny { .. }
        | Verdict::Ask { .. }
        | Verdict::Rewrite { .. }
        | Verdict::RewriteAllowed { .. } => false,
    };
    if recording == Recording::Facts && can_render {
        let readable = || readable(agent_of_event, context.env, &situation);
        let pending = PendingEvent {
            home: context.home,
            event: &event,
            settings: &situation.settings,
            project: project.as_ref().unwrap_or(&situation.project),
            now_ms: situation.now_ms,
            search: &situation.tools.search,
            guests: &guests,
            readable: ReadRules(&readable),
        };
        for on_event in &on_events {
            if let Some(words) = (on_event.context)(&pending)
                && add_context(&mut outcome, &words)
            {
                system_contexts.push((words.ledger_name, words.text.len() as u64));
            }
        }
    }
    let output = agent.render_verdict(&event, &outcome.verdict);
    // A verdict that this agent can't render didn't happen: nothing was replaced, nobody was asked.
    if !matches!(outcome.verdict, Verdict::Pass | Verdict::Context { .. })
        && output == agent.render_verdict(&event, &Verdict::Pass)
    {
        outcome = Outcome::pass();
    }
    HookResult { output, record: Some((event, outcome)), recording, system_contexts, on_events, project }
}

/// What the agent's own rules let it read; nothing if some rules can't be seen.
fn readable(agent: &dyn Agent, env: &Env, situation: &Situation) -> Readable {
    let mut rules = agents::rules_from(agent, env, &situation.project);
    if !rules.broken.is_empty() || agent.has_hidden_rules(env) {
        return Readable::new(|_| false);
    }
    rules.anchors.extend([situation.project.clone(), env.cwd().to_owned()]);
    let (project, home) = (situation.project.clone(), situation.home_dir.clone());
    Readable::new(move |path| !rules.hides(path, &project, &home))
}

/// Adds a system's context to the outcome; a denial, question or rewrite stays unchanged.
fn add_context(outcome: &mut Outcome, told: &ModelContext) -> bool {
    match &mut outcome.verdict {
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
    outcome.reasons.push(Reason::Told(told.reason));
    true
}

/// When a conversation loses its text, no file counts as read.
fn forget_reads(event: &Event, home: &Home) {
    match &event.kind {
        EventKind::PreCompact | EventKind::PostCompact => shortening::forget_reads(home, event),
        EventKind::SessionStart { source } if source.as_deref() != Some("startup") => {
            shortening::forget_reads(home, event);
        }
        _ => {}
    }
}

/// Whether this session was told this before; records that it is now. If that can't be determined, the answer is yes:
/// silence is never wrong.
fn was_told(event: &Event, home: &Home, guests: &[&'static Guest], kind: &str) -> bool {
    let session = event.session.as_deref().unwrap_or_default();
    let first =
        Sessions::open_for_hook(home, guests).and_then(|mut sessions| sessions.nudge_once(session, kind));
    !first.unwrap_or(false)
}

/// Parses the payload. One that a strict parser rejects (an unpaired surrogate, invalid UTF-8) is repaired: its
/// command will run, so the user's rules must be asked about it. Only an object tells of an event; agents whose command line
/// names the event would be given one for anything else, too.
fn parse_payload(stdin: &[u8]) -> Option<Value> {
    let bytes = stdin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stdin);
    let parsed = serde_json::from_slice(bytes).or_else(|_| serde_json::from_str(&text::json::repair(bytes)));
    parsed.ok().filter(Value::is_object)
}

/// The agent that a payload comes from, if the command line doesn't say: older versions of Claude Code run the bare
/// command without arguments.
pub fn find_agent(stdin: &[u8], event_name: Option<&str>, env: &Env) -> Option<&'static dyn Agent> {
    let payload = parse_payload(stdin)?;
    let input = HookInput { payload: &payload, event: event_name, env };
    agents::all()
        .iter()
        .copied()
        .find(|agent| agent.owns_payload(&input) && agent.parse_event(&input).is_some())
}
