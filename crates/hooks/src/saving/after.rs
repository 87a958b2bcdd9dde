//! After a tool ran: its output is replaced by a shorter one where the agent lets us. The whole of it is kept first.
//!
//! The law: what the model receives is never longer than what this agent would have shown it. Where the agent shows a
//! preview of a long output, ours is one of at most that size; where that cannot be, the output is left alone. It is made
//! from the whole of it, and says how the command ended where nothing else does.

use std::path::Path;

use agents::{Agent, Event, Output, ToolCall, ToolKind, Verdict};
use filters::{Answer, FilterSet, Shortened, WORTH_BYTES};
use home::Home;
use sandbox::task::{KeptOutput, Tasks};

use super::before::unwritten;
use crate::decided::{Decided, Saved};
use crate::facts::Facts;
use crate::routing;
use crate::saving::reads;

/// What is shown of a page that a command downloaded, in bytes.
const PAGE: usize = 6_000;
/// How much of that is its beginning, in percent.
const PAGE_HEAD: u8 = 75;
/// An address as long as any, for which room is left before there is one.
const ADDRESS: &str = "plimsoll://task/t000000000000";

/// The verdict that replaces the output of `call`, if it can be shortened.
pub(crate) fn after(
    event: &Event,
    call: &ToolCall,
    agent: &dyn Agent,
    facts: &Facts,
    home: &Home,
) -> Option<Decided> {
    let saving = facts.saving.as_ref()?;
    let output = call.output.as_ref()?;
    if !agent.replaces_output(event) || output.failed && matches!(call.kind, ToolKind::Mcp { .. }) {
        return None;
    }
    if let ToolKind::Read { path, partial } = &call.kind {
        return reads::again(home, event, path, *partial, output, facts);
    }
    // Too small to be worth a look at any file.
    if output.text.len() <= WORTH_BYTES {
        return None;
    }
    let whole = agent.full_output(event, call, output)?;
    let (text, exit) = (&*whole.text, whole.exit);
    // `plimsoll run` has been here, or a subagent quotes what Plimsoll made.
    if text::is_own_output(text) {
        return None;
    }
    let most = agent.visible_bytes(call, output, text);
    let set = &saving.filters;
    let (answer, label) = match &call.kind {
        ToolKind::Shell { command } => {
            // `plimsoll run` passes everything on where it may not write, as in an agent's own sandbox.
            let command = unwritten(command, event, saving);
            let answer = Answer::of_command(set, &command, exit, text, most, ADDRESS);
            let small = answer.filter(|answer| answer.shortened.text.len() <= 2 * PAGE || !routed(&command));
            match small.or_else(|| page(&command, facts, set, text, most)) {
                Some(answer) => (answer, command),
                // It stays as it is, unless it is in the conversation as it is.
                None if text.len() <= most && exit.is_none_or(|code| code == 0) => {
                    let whole = Output { text: text.to_owned(), ..output.clone() };
                    let mut again = reads::printed_again(home, event, &command, &whole, facts)?;
                    if let Verdict::Replace { text } = &mut again.verdict {
                        text.insert_str(0, &agent.exit_notice(exit));
                    }
                    return Some(again);
                }
                None => return None,
            }
        }
        ToolKind::Grep => (Answer::of_command(set, "rg -n", None, text, most, ADDRESS)?, call.name.clone()),
        ToolKind::Mcp { server, tool } => (other(facts, set, text, most)?, format!("{server}/{tool}")),
        ToolKind::Fetch { url } => (other(facts, set, text, most)?, url.clone()),
        _ => return None,
    };
    let address = keep(home, event, &label, facts, text, exit)?;
    let shown = answer.with_address(&address);
    if shown.len() > most {
        return None;
    }
    let filter = answer.shortened.filter;
    let saved = Saved { filter, raw_bytes: most as u64, full_output: Some(address) };
    Some(Decided::shortened(agent.exit_notice(exit) + &shown, saved))
}

/// An answer of another tool, above the size from which on these are shortened.
fn other(facts: &Facts, set: &FilterSet, text: &str, most: usize) -> Option<Answer> {
    let from = facts.settings.filters.other_tools_from;
    if from == 0 || (text.len() as u64) < from {
        return None;
    }
    Answer::of_text(set, text, most, ADDRESS)
}

/// Whether a command is a download that was advised against and went on.
fn routed(command: &str) -> bool {
    routing::download(command).is_some()
}

/// A page that a command downloaded, above the same size: its beginning and its end.
fn page(command: &str, facts: &Facts, set: &FilterSet, text: &str, most: usize) -> Option<Answer> {
    let from = facts.settings.filters.other_tools_from;
    if from == 0 || (text.len() as u64) < from || !routed(command) {
        return None;
    }
    let text = text::cut_middle(text, PAGE.min(most), PAGE_HEAD).into_owned();
    let shortened = Shortened { text, filter: "download".into(), left_out: Vec::new() };
    Answer::of(set, shortened, most, ADDRESS)
}

/// Keeps `text`, freed of secrets, and gives its address.
fn keep(
    home: &Home,
    event: &Event,
    label: &str,
    facts: &Facts,
    text: &str,
    exit: Option<i32>,
) -> Option<String> {
    home.ensure().ok()?;
    let clean = text::redact(text);
    let label = text::redact(label);
    let kept = KeptOutput {
        label: &label,
        cwd: event.cwd.as_deref().unwrap_or(Path::new("")),
        session: event.session.as_deref(),
        exit,
        text: clean.as_bytes(),
        now_ms: facts.now_ms,
    };
    let id = Tasks::new(home.tasks_dir()).keep(&kept).map_err(|error| log::info!("{error}")).ok()?;
    home::grown(home, clean.len() as u64);
    Some(format!("plimsoll://task/{id}"))
}
