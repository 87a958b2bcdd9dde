//! The chain of links that may answer an event. The first answer wins; later links aren't asked.
//!
//! The order: paused → greeting → the user's own rules → routing → rewriting → a nudge → shortening.

use agents::{EventKind, ToolKind};

use crate::event_context::EventContext;
use crate::outcome::{Outcome, Reason};
use crate::{links, shortening};

type Link = fn(&EventContext<'_>) -> Option<Outcome>;

/// The links, in order.
const CHAIN: [Link; 7] = [
    links::paused,
    links::greeting,
    links::rules,
    links::route,
    rewrite_command,
    links::nudge,
    replace_output,
];

/// The first answer. `was_told` tells whether this session was told something before, and records that it is now.
pub(crate) fn answer(context: &EventContext<'_>, was_told: impl Fn(&str) -> bool) -> Outcome {
    let is_due = |outcome: &Outcome| !outcome.once.as_deref().is_some_and(&was_told);
    CHAIN.iter().find_map(|link| link(context).filter(is_due)).unwrap_or_else(Outcome::pass)
}

/// Rewrites a command before it runs, so that its output is shortened.
fn rewrite_command(context: &EventContext<'_>) -> Option<Outcome> {
    let call = context.before_tool()?;
    let ToolKind::Shell { command } = &call.kind else { return None };
    let verdict = shortening::rewrite(
        context.event,
        call,
        command,
        context.agent,
        context.situation,
        context.decision(call),
    )?;
    Some(Outcome::with_reason(verdict, Reason::Rewritten))
}

/// Replaces a tool's output.
fn replace_output(context: &EventContext<'_>) -> Option<Outcome> {
    let call = context.event.tool.as_ref().filter(|_| context.event.kind == EventKind::PostTool)?;
    shortening::replace(context.event, call, context.agent, context.situation, context.home)
}
