//! After a tool ran: its output is replaced by a shorter one where the agent lets us. The whole of it is kept first.

use std::path::Path;

use agents::{Agent, Event, Output, ToolCall, ToolKind, Verdict};
use filters::Shortened;
use home::Home;
use sandbox::task::{Kept, Tasks};

use crate::decide::{Decided, Saved};
use crate::facts::Facts;
use crate::routing;
use crate::saving::before::prefix;
use crate::saving::reads;

/// Files in which an agent keeps a whole output are read up to this size, in bytes; a hook has milliseconds.
const MAX_FILE: u64 = 4_000_000;

/// What is shown of a page that a command downloaded, in bytes.
const PAGE: usize = 6_000;
/// How much of that is its beginning, in percent.
const PAGE_HEAD: u8 = 75;

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
    if !agent.replaces(event) || output.failed && matches!(call.kind, ToolKind::Mcp { .. }) {
        return None;
    }
    if let ToolKind::Read { path, partial } = &call.kind {
        return reads::again(home, event, path, *partial, output, facts);
    }
    let whole = whole(output, agent);
    let text = whole.as_deref().unwrap_or(&output.text);
    // `plimsoll run` has been here.
    if text.trim_end().ends_with(']') && text.rfind("plimsoll://task/").is_some_and(|at| text.len() - at < 64)
    {
        return None;
    }
    let (shortened, label) = match &call.kind {
        ToolKind::Shell { command } => {
            // `plimsoll run` passes everything on where it may not write, as in an agent's own sandbox.
            let command = command.replace(&prefix(event, saving), "");
            let shortened = filters::shorten(&saving.filters, &command, output.exit, text);
            let small = shortened.filter(|shortened| shortened.text.len() <= 2 * PAGE || !routed(&command));
            (small.or_else(|| page(&command, facts, text))?, command)
        }
        ToolKind::Grep => (filters::shorten(&saving.filters, "rg -n", None, text)?, call.name.clone()),
        ToolKind::Mcp { server, tool } => (other(saving, facts, text)?, format!("{server}/{tool}")),
        ToolKind::Fetch { url } => (other(saving, facts, text)?, url.clone()),
        _ => return None,
    };
    let address = keep(home, event, &label, facts, text, output.exit)?;
    let shown = shortened.with_address(Some(&address));
    let raw_bytes = agent.shows(text.len() as u64, output.failed);
    Some(Decided {
        verdict: Verdict::Replace { text: shown },
        because: Some(format!("filter {}", shortened.filter)),
        once: None,
        saved: Some(Saved { filter: shortened.filter, raw_bytes, full_output: Some(address) }),
    })
}

/// An answer of another tool, above the size from which on these are shortened.
fn other(saving: &crate::Saving, facts: &Facts, text: &str) -> Option<Shortened> {
    let from = facts.settings.filters.other_tools_from;
    if from == 0 || (text.len() as u64) < from {
        return None;
    }
    filters::shorten_text(&saving.filters, text)
}

/// Whether a command is a download that was advised against and went on.
fn routed(command: &str) -> bool {
    routing::download(command).is_some()
}

/// A page that a command downloaded, above the same size: its beginning and its end.
fn page(command: &str, facts: &Facts, text: &str) -> Option<Shortened> {
    let from = facts.settings.filters.other_tools_from;
    if from == 0 || (text.len() as u64) < from || !routed(command) {
        return None;
    }
    let text = text::cut_middle(text, PAGE, PAGE_HEAD).into_owned();
    Some(Shortened { text, filter: "download".into(), left_out: Vec::new() })
}

/// The whole output, from the file in which the agent keeps it when it shows only a part.
fn whole(output: &Output, _agent: &dyn Agent) -> Option<String> {
    let path = output.full_in.as_deref()?;
    let bytes = home::read_regular(path, MAX_FILE).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
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
    let kept = Kept {
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
