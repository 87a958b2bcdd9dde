//! The walk of one event: bytes in, bytes out. Never fails and never prints.

use agents::{Agent, Event, HookInput, HookOutput, Verdict};
use home::{Clock, Env, Home};
use serde_json::Value;

use crate::decide::{Decided, decide};
use crate::facts::Facts;
use crate::record::had_nudge;

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
}

/// What came of an event.
#[derive(Debug)]
pub struct Handled {
    /// What to print. Complete before anything is recorded.
    pub output: HookOutput,
    /// What to record afterwards, when there is something.
    pub record: Option<(Event, Decided)>,
}

/// Reads the payload, decides, and writes the answer in the agent's dialect.
///
/// `event_name` is the event on the command line, for hosts whose payload does not name it. A payload that
/// is no JSON, comes from another host, or is of an event we have no use for ends in the agent's "go on".
pub fn handle(stdin: &[u8], event_name: Option<&str>, context: &Context<'_>) -> Handled {
    let agent = context.agent;
    let go_on = || Handled { output: agent.pass(event_name), record: None };
    let bytes = stdin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stdin);
    let Ok(payload) = serde_json::from_slice::<Value>(bytes) else { return go_on() };
    let input = HookInput { payload: &payload, event: event_name, env: context.env };
    if !agent.sent(&input) {
        return Handled { output: HookOutput::silent(), record: None };
    }
    let Some(event) = agent.read(&input) else { return go_on() };
    let facts = Facts::gather(&event, agent, context.home, context.env, context.clock);
    let mut decided = decide(&event, &facts);
    if let Some(kind) = decided.once
        && had_nudge(context.home, &event, kind)
    {
        decided.verdict = Verdict::Pass;
        decided.because = None;
    }
    let output = agent.write(&event, &decided.verdict);
    Handled { output, record: Some((event, decided)) }
}

/// Which agent a payload comes from, when the command line does not say: older versions of Claude Code run
/// the bare command without its arguments.
pub fn sender(stdin: &[u8], event_name: Option<&str>, env: &Env) -> Option<&'static dyn Agent> {
    let bytes = stdin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stdin);
    let payload: Value = serde_json::from_slice(bytes).ok()?;
    let input = HookInput { payload: &payload, event: event_name, env };
    agents::all().iter().copied().find(|agent| agent.sent(&input) && agent.read(&input).is_some())
}
