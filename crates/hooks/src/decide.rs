//! What the links of the chain say that need nothing but the event and the facts: pure, but for the size of a file.

use std::path::Path;

use agents::{EventKind, ToolCall, ToolKind, Verdict};
use rules::Decision;

use crate::asked::Asked;
use crate::decided::{Decided, Nudge, Reason};
use crate::facts::Facts;
use crate::{routing, texts};

/// Above this size, in bytes, the reading of any file earns the nudge.
const LARGE_READ_BYTES: u64 = 50_000;

/// Hooks are off: nobody else is asked.
pub(crate) fn paused(asked: &Asked<'_>) -> Option<Decided> {
    asked.facts.paused().then(|| Decided::because(Verdict::Pass, Reason::Paused))
}

/// What our tools are for, when a session starts.
pub(crate) fn greeting(asked: &Asked<'_>) -> Option<Decided> {
    let (event, facts) = (asked.event, asked.facts);
    let EventKind::SessionStart { source } = &event.kind else { return None };
    if !facts.settings.hooks.session_start || event.subagent {
        return None;
    }
    let text = texts::session_start(&facts.tools);
    let decided = Decided::because(Verdict::Context { text }, Reason::SessionStart);
    // A host that does not say why a session starts may say it at every turn.
    Some(if source.is_none() { decided.once("session-start") } else { decided })
}

/// The user's own rules: what they deny, and what they ask about and the agent cannot see.
pub(crate) fn rules(asked: &Asked<'_>) -> Option<Decided> {
    let call = asked.before_tool()?;
    let (verdict, hit) = match asked.ruled(call) {
        Decision::Deny(hit) => {
            (Verdict::Deny { reason: texts::denied(&hit.rule, &hit.source, &hit.what) }, hit)
        }
        // The agent asks by its own engine for what it sees; only a part hidden inside another command
        // needs our voice.
        Decision::Ask(hit) => {
            let ToolKind::Shell { command } = &call.kind else { return None };
            if command.trim_start().starts_with(hit.what.trim_start()) {
                return None;
            }
            let reason = texts::ask(&hit.rule, &hit.source, &hit.what);
            if asked.facts.can_ask {
                (Verdict::Ask { reason }, hit)
            } else {
                (Verdict::Deny { reason: texts::nobody_to_ask(&reason) }, hit)
            }
        }
        // What cannot be told from the text the agent judges by its own engine.
        Decision::NoRule | Decision::Allow(_) | Decision::Unknown(_) => return None,
    };
    Some(Decided::because(verdict, Reason::Rule(hit.rule.clone())))
}

/// The call about which we may advise: our tools are there, and the agent asks nobody about it first.
fn advised<'a>(asked: &Asked<'a>) -> Option<&'a ToolCall> {
    let call = asked.before_tool()?;
    let asks = matches!(asked.ruled(call), Decision::Ask(_));
    (asked.facts.server.is_some() && !asks).then_some(call)
}

/// One of our tools does better.
pub(crate) fn route(asked: &Asked<'_>) -> Option<Decided> {
    let (event, facts) = (asked.event, asked.facts);
    let call = advised(asked)?;
    let (text, route) = asked.way(call)?;
    let reason = Reason::Route(*route);
    if event.subagent || facts.may_be_subagent {
        // A subagent may not have our tools: it is told, never stopped.
        let verdict = Verdict::Context { text: texts::advice(text, false) };
        return Some(Decided::because(verdict, reason).once("subagent"));
    }
    // Who tries again what we advised against has tried our way, or wants it so.
    let once = call.input.to_string();
    let once = format!("{}:{}", route.name(), &blake3::hash(once.as_bytes()).to_hex()[..16]);
    // A call that is turned away looks like a malfunction to some models, so it goes on wherever advice reaches the model
    // all the same.
    let verdict = if facts.advises {
        Verdict::Context { text: texts::advice(text, false) }
    } else {
        Verdict::Deny { reason: texts::advice(text, true) }
    };
    Some(Decided::because(verdict, reason).once(once))
}

/// A word about what costs much, where there is no better way that could be named.
pub(crate) fn nudge(asked: &Asked<'_>) -> Option<Decided> {
    let facts = asked.facts;
    let call = advised(asked)?;
    if asked.event.subagent || facts.may_be_subagent || asked.way(call).is_some() {
        return None;
    }
    let (text, nudge) = match &call.kind {
        ToolKind::Shell { command } if !routing::is_small(command) && routing::is_noisy(command) => {
            (texts::noisy(&facts.tools), Nudge::Noisy)
        }
        ToolKind::Read { path, partial: false } => {
            (texts::large_read(&facts.tools, large(path, facts)?), Nudge::LargeRead)
        }
        _ => return None,
    };
    Some(Decided::because(Verdict::Context { text }, Reason::Nudge(nudge)).once(nudge.name()))
}

fn large(path: &Path, facts: &Facts) -> Option<u64> {
    (facts.file_size)(&facts.cwd.join(path)).filter(|size| *size > LARGE_READ_BYTES)
}
