//! Who may answer an event, and in which order. The first answer wins; what the rest would have said is not asked.
//!
//! The order: paused → greeting → the user's own rules → a better way → rewriting → a nudge → shortening.

use agents::{EventKind, ToolKind};

use crate::asked::Asked;
use crate::decided::{Decided, Reason};
use crate::{decide, saving};

type Link = fn(&Asked<'_>) -> Option<Decided>;

/// Everybody who may answer.
const LINKS: [Link; 7] =
    [decide::paused, decide::greeting, decide::rules, decide::route, rewrite, decide::nudge, shorten];

/// The first answer. `had` says whether this session was told something of a kind before, and remembers that it is now.
pub(crate) fn answer(asked: &Asked<'_>, had: impl Fn(&str) -> bool) -> Decided {
    let wanted = |decided: &Decided| !decided.once.as_deref().is_some_and(&had);
    LINKS.iter().find_map(|link| link(asked).filter(wanted)).unwrap_or_else(Decided::pass)
}

/// A command is rewritten before it runs, so that its output is shortened.
fn rewrite(asked: &Asked<'_>) -> Option<Decided> {
    let call = asked.before_tool()?;
    let ToolKind::Shell { command } = &call.kind else { return None };
    let verdict = saving::before(asked.event, call, command, asked.agent, asked.facts, asked.ruled(call))?;
    Some(Decided::because(verdict, Reason::Rewritten))
}

/// What a tool printed is replaced.
fn shorten(asked: &Asked<'_>) -> Option<Decided> {
    let call = asked.event.tool.as_ref().filter(|_| asked.event.kind == EventKind::PostTool)?;
    saving::after(asked.event, call, asked.agent, asked.facts, asked.home)
}
