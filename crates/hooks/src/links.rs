//! The links that need only the event and the situation. Pure, except for the size of a file.

use std::path::Path;

use agents::{EventKind, ToolCall, ToolKind, Verdict};
use rules::Decision;

use crate::event_context::EventContext;
use crate::outcome::{Nudge, Outcome, Reason};
use crate::situation::Situation;
use crate::{routing, texts};

/// Reading a file larger than this, in bytes, earns the nudge.
const LARGE_READ_BYTES: u64 = 50_000;

/// Hooks are off: no other link is asked.
pub(crate) fn paused(context: &EventContext<'_>) -> Option<Outcome> {
    context.situation.is_paused().then(|| Outcome::with_reason(Verdict::Pass, Reason::Paused))
}

/// Introduces Plimsoll's tools when a session starts.
pub(crate) fn greeting(context: &EventContext<'_>) -> Option<Outcome> {
    let (event, situation) = (context.event, context.situation);
    let EventKind::SessionStart { source } = &event.kind else { return None };
    if !situation.settings.hooks.session_start || event.subagent {
        return None;
    }
    let text = texts::session_start(&situation.tools);
    let outcome = Outcome::with_reason(Verdict::Context { text }, Reason::SessionStart);
    // Without a reason for the start, the host may report one at every turn.
    Some(if source.is_none() { outcome.once("session-start") } else { outcome })
}

/// The user's own rules: what they deny, and what they ask about and the agent can't see.
pub(crate) fn rules(context: &EventContext<'_>) -> Option<Outcome> {
    let call = context.before_tool()?;
    let (verdict, hit) = match context.decision(call) {
        Decision::Deny(hit) => {
            (Verdict::Deny { reason: texts::denied(&hit.rule, &hit.source, &hit.what) }, hit)
        }
        // The agent's own engine asks about what it sees; only a part hidden inside another command needs a question
        // here.
        Decision::Ask(hit) => {
            let ToolKind::Shell { command } = &call.kind else { return None };
            if command.trim_start().starts_with(hit.what.trim_start()) {
                return None;
            }
            let reason = texts::ask(&hit.rule, &hit.source, &hit.what);
            if context.situation.can_ask {
                (Verdict::Ask { reason }, hit)
            } else {
                (Verdict::Deny { reason: texts::nobody_to_ask(&reason) }, hit)
            }
        }
        // If the text alone doesn't decide it, the agent's own engine does.
        Decision::NoRule | Decision::Allow(_) | Decision::Unknown(_) => return None,
    };
    Some(Outcome::with_reason(verdict, Reason::Rule(hit.rule.clone())))
}

/// The call, if advice about it is allowed: Plimsoll's tools are reachable, and the agent asks nobody first.
fn advisable_call<'a>(context: &EventContext<'a>) -> Option<&'a ToolCall> {
    let call = context.before_tool()?;
    let asks = matches!(context.decision(call), Decision::Ask(_));
    let is_advisable = context.situation.server.is_some() && !asks && !context.agent.streams_output(call);
    is_advisable.then_some(call)
}

/// Advises a better tool.
pub(crate) fn route(context: &EventContext<'_>) -> Option<Outcome> {
    let (event, situation) = (context.event, context.situation);
    let call = advisable_call(context)?;
    let (text, route) = context.better_tool(call)?;
    let reason = Reason::Route(*route);
    if event.subagent || situation.may_be_subagent {
        // A subagent may not have Plimsoll's tools: it gets advice but is never stopped.
        let verdict = Verdict::Context { text: texts::advice(text, false) };
        return Some(Outcome::with_reason(verdict, reason).once("subagent"));
    }
    // An agent that repeats the call has tried the advice or insists.
    let once = call.input.to_string();
    let once = format!("{}:{}", route.name(), &blake3::hash(once.as_bytes()).to_hex()[..16]);
    // Some models take a denied call for a malfunction, so the call continues if advice reaches the model anyway.
    let verdict = if situation.advises {
        Verdict::Context { text: texts::advice(text, false) }
    } else {
        Verdict::Deny { reason: texts::advice(text, true) }
    };
    Some(Outcome::with_reason(verdict, reason).once(once))
}

/// A nudge about expensive calls without a better tool.
pub(crate) fn nudge(context: &EventContext<'_>) -> Option<Outcome> {
    let situation = context.situation;
    let call = advisable_call(context)?;
    if context.event.subagent || situation.may_be_subagent || context.better_tool(call).is_some() {
        return None;
    }
    let (text, nudge) = match &call.kind {
        // The output of one in the background isn't in the conversation.
        ToolKind::Shell { .. } if call.is_background() => return None,
        ToolKind::Shell { command } if !routing::is_small(command) && routing::is_noisy(command) => {
            (texts::noisy(&situation.tools), Nudge::Noisy)
        }
        ToolKind::Read { path, partial: false } => {
            (texts::large_read(&situation.tools, large(path, situation)?), Nudge::LargeRead)
        }
        _ => return None,
    };
    Some(Outcome::with_reason(Verdict::Context { text }, Reason::Nudge(nudge)).once(nudge.name()))
}

fn large(path: &Path, situation: &Situation) -> Option<u64> {
    (situation.file_size)(&situation.cwd.join(path)).filter(|size| *size > LARGE_READ_BYTES)
}
