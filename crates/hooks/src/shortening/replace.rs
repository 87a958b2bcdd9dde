//! Replaces a tool's output by a shorter one if the agent allows it. The full output is kept first.
//!
//! The law: the model never receives more than this agent would have shown it. If the agent shows a preview of a long
//! output, the replacement is at most that size; otherwise the output is left alone. The replacement is made from the
//! full output, and names the exit code if nothing else does.

use std::path::Path;

use agents::{Agent, Event, Output, ToolCall, ToolKind, Verdict};
use filters::{Answer, FilterSet, Shortened, WORTH_BYTES};
use home::Home;
use sandbox::task::{KeptOutput, Tasks};

use super::rewrite::strip_prefixes;
use crate::outcome::{Outcome, ShortenedOutput};
use crate::routing;
use crate::shortening::repeated_reads;
use crate::situation::Situation;

/// How much of a downloaded page is shown, in bytes.
const PAGE_BYTES: usize = 6_000;
/// How much of that is its beginning, in percent.
const PAGE_HEAD_PERCENT: u8 = 75;
/// An address of full length; reserves room for the real one.
const SAMPLE_ADDRESS: &str = "plimsoll://task/t000000000000";

/// The outcome that replaces the output of `call`, if it can be shortened.
pub(crate) fn replace(
    event: &Event,
    call: &ToolCall,
    agent: &dyn Agent,
    situation: &Situation,
    home: &Home,
) -> Option<Outcome> {
    let shortening = situation.shortening.as_ref()?;
    let output = call.output.as_ref()?;
    if !agent.replaces_output(event) || output.failed && matches!(call.kind, ToolKind::Mcp { .. }) {
        return None;
    }
    // That hook's answer may have no secret in it that the output has.
    if situation.others_replace {
        return None;
    }
    // What runs on in the background isn't complete, and how it ends isn't known.
    if matches!(call.kind, ToolKind::Shell { .. }) && !agent.has_ended(call) {
        return None;
    }
    if let ToolKind::Read { path, partial } = &call.kind {
        return repeated_reads::answer_read(home, event, path, *partial, output, situation);
    }
    // Too small to be worth reading any file.
    if output.text.len() <= WORTH_BYTES {
        return None;
    }
    let whole = agent.full_output(event, call, output)?;
    let (text, exit) = (&*whole.text, whole.exit);
    // `plimsoll run` has shortened it, or a subagent quotes Plimsoll.
    if text::is_own_output(text) {
        return None;
    }
    let limit = agent.visible_bytes(call, output, text);
    let room = if agent.has_chosen_lines(output) { text.len() } else { limit };
    let set = &shortening.filters;
    let (answer, label) = match &call.kind {
        ToolKind::Shell { command } => {
            // `plimsoll run` passes everything on if it may not write, as in an agent's own sandbox.
            let command = strip_prefixes(command, event, shortening);
            let answer = Answer::of_command(set, &command, exit, text, room, SAMPLE_ADDRESS);
            let small = answer
                .filter(|answer| answer.shortened.text.len() <= 2 * PAGE_BYTES || !is_download(&command));
            match small.or_else(|| shorten_page(&command, situation, set, text, limit)) {
                Some(answer) => (answer, command),
                // It stays unchanged, unless the conversation contains it already.
                None if text.len() <= limit && exit.is_none_or(|code| code == 0) => {
                    let whole = Output { text: text.to_owned(), ..output.clone() };
                    let mut again = repeated_reads::answer_cat(home, event, &command, &whole, situation)?;
                    if let Verdict::Replace { text } = &mut again.verdict {
                        text.insert_str(0, &agent.exit_notice(exit));
                    }
                    return Some(again);
                }
                None => return None,
            }
        }
        ToolKind::Grep => {
            (Answer::of_command(set, "rg -n", None, text, limit, SAMPLE_ADDRESS)?, call.name.clone())
        }
        ToolKind::Mcp { server, tool } => {
            (shorten_other(situation, set, text, limit)?, format!("{server}/{tool}"))
        }
        ToolKind::Fetch { url } => (shorten_other(situation, set, text, limit)?, url.clone()),
        _ => return None,
    };
    let address = keep(home, event, &label, situation, text, exit)?;
    let shown = answer.with_address(&address);
    if shown.len() > limit {
        return None;
    }
    let filter = answer.shortened.filter;
    let shortened_output = ShortenedOutput { filter, raw_bytes: limit as u64, full_output: Some(address) };
    Some(Outcome::shortened(agent.exit_notice(exit) + &shown, shortened_output))
}

/// Another tool's output, from the size on at which these are shortened.
fn shorten_other(situation: &Situation, set: &FilterSet, text: &str, limit: usize) -> Option<Answer> {
    let from = situation.settings.filters.other_tools_from;
    if from == 0 || (text.len() as u64) < from {
        return None;
    }
    Answer::of_text(set, text, limit, SAMPLE_ADDRESS)
}

/// Whether a command is a download that was advised against and run anyway.
fn is_download(command: &str) -> bool {
    routing::download(command).is_some()
}

/// A page downloaded by a command, from the same size on: its beginning and its end.
fn shorten_page(
    command: &str,
    situation: &Situation,
    set: &FilterSet,
    text: &str,
    limit: usize,
) -> Option<Answer> {
    let from = situation.settings.filters.other_tools_from;
    if from == 0 || (text.len() as u64) < from || !is_download(command) {
        return None;
    }
    let text = text::cut_middle(text, PAGE_BYTES.min(limit), PAGE_HEAD_PERCENT).into_owned();
    let shortened = Shortened { text, filter: "download".into(), left_out: Vec::new() };
    Answer::of(set, shortened, limit, SAMPLE_ADDRESS)
}

/// Keeps `text` without secrets and returns its address.
fn keep(
    home: &Home,
    event: &Event,
    label: &str,
    situation: &Situation,
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
        now_ms: situation.now_ms,
    };
    let id = Tasks::new(home.tasks_dir()).keep(&kept).map_err(|error| log::info!("{error}")).ok()?;
    home::add_growth(home, clean.len() as u64);
    Some(format!("plimsoll://task/{id}"))
}
