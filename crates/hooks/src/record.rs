//! Records what was decided, after the answer is printed. A failure here changes nothing for the agent.

use agents::{Event, EventKind, ToolKind, Verdict};
use home::{Clock, Home};
use sessions::{LedgerRow, NewEvent, Note, Sessions};
use system::{EventSession, System, without_secrets};

use crate::handle::{HookResult, Recording};

/// How much of a prompt is recorded, in characters.
const PROMPT_CHARS: usize = 200;

/// The decisions that events are recorded with.
pub const DECISIONS: [&str; 6] = ["pass", "deny", "ask", "rewrite", "replace", "context"];

/// Records an event with its verdict and facts. `elapsed_us` is the time for reading and deciding.
///
/// # Errors
/// If it can't be written quickly; the event is then lost, but the agent isn't delayed.
pub fn record(
    home: &Home,
    systems: &'static [&'static System],
    clock: Clock,
    handled: &HookResult,
    elapsed_us: u64,
) -> Result<(), sessions::SessionsError> {
    let Some((event, outcome)) = &handled.record else { return Ok(()) };
    for on_event in &handled.on_events {
        (on_event.after_answer)(home, event, handled.project.as_deref());
    }
    // The output as the agent had it, before secrets are taken out.
    let printed = event.tool.as_ref().and_then(|call| call.output.as_ref());
    let printed_bytes = printed.map(|output| output.text.len() as u64);
    store_shown_text(home, event, outcome);
    // Before anything else reads the event.
    let event = &*without_secrets(event);
    let project = handled.project.as_ref().or(event.project.as_ref()).or(event.cwd.as_ref());
    let project = project.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    let session = event.session.clone().unwrap_or_default();
    let of = EventSession { session: &session, agent: event.agent, project: &project, at_ms: clock.now_ms() };
    let mut notes = Vec::new();
    if handled.recording != Recording::Cost {
        notes.push(Note::Event(event_row(event, outcome, &of, printed_bytes, elapsed_us)));
    }
    if handled.recording == Recording::Facts {
        notes.extend(handled.on_events.iter().filter_map(|on_event| (on_event.note)(event, &of)));
    }
    notes.extend(overhead_rows(handled, event, outcome, &of, elapsed_us).into_iter().map(Note::Call));
    notes.extend(replacement_row(event, outcome, &of, elapsed_us).map(Note::Call));
    if notes.is_empty() {
        return Ok(());
    }
    if sessions::append_notes(home, &notes)? {
        // No server has run for hundreds of events. The pending notes are safe in their file if this is interrupted.
        Sessions::open_for_hook(home, &system::guests(systems))?.import_pending()?;
    }
    Ok(())
}

/// The event with its decision. `printed_bytes` is the size of the tool's output, if it has one.
fn event_row(
    event: &Event,
    outcome: &crate::Outcome,
    of: &EventSession<'_>,
    printed_bytes: Option<u64>,
    elapsed_us: u64,
) -> NewEvent {
    let before = printed_bytes.unwrap_or_default();
    let (decision, after) = match &outcome.verdict {
        Verdict::Pass => ("pass", before),
        Verdict::Deny { .. } => ("deny", 0),
        Verdict::Ask { .. } => ("ask", 0),
        Verdict::Rewrite { .. } | Verdict::RewriteAllowed { .. } => ("rewrite", 0),
        Verdict::Replace { text } => ("replace", text.len() as u64),
        Verdict::Context { .. } => ("context", before),
    };
    NewEvent {
        agent: of.agent.to_owned(),
        session: of.session.to_owned(),
        project: of.project.to_owned(),
        kind: kind(&event.kind).to_owned(),
        tool: event.tool.as_ref().map(|call| call.name.clone()),
        summary: summary(event),
        decision: decision.to_owned(),
        rule: outcome.reasons_text(),
        bytes_before: printed_bytes,
        bytes_after: printed_bytes.map(|_| after),
        full_output: outcome.shortened.as_ref().and_then(|shortened| shortened.full_output.clone()),
        call: event.tool.as_ref().and_then(|call| call.id.clone()).unwrap_or_default(),
        elapsed_us,
        at_ms: of.at_ms,
    }
}

/// What Plimsoll adds to the conversation is its overhead: context, and why a call was denied, which the model reads in
/// place of a result. One row is the hook's, and one is each system's whose context was given.
fn overhead_rows(
    handled: &HookResult,
    event: &Event,
    outcome: &crate::Outcome,
    of: &EventSession<'_>,
    elapsed_us: u64,
) -> Vec<LedgerRow> {
    let added = match (&outcome.verdict, &event.kind) {
        (Verdict::Context { text }, _) => text,
        (Verdict::Deny { reason }, EventKind::PreTool) => reason,
        _ => return Vec::new(),
    };
    let of_systems = handled.system_contexts.iter().filter(|(booked, _)| *booked != sessions::HOOK);
    let of_hook = of_systems.clone().fold(added.len() as u64, |left, (_, bytes)| left.saturating_sub(*bytes));
    // The time is counted once, for all of them.
    let of_systems = of_systems.map(|(booked, bytes)| (*booked, *bytes, 0));
    std::iter::once((sessions::HOOK, of_hook, elapsed_us))
        .chain(of_systems)
        .filter(|(_, bytes, _)| *bytes > 0)
        .map(|(tool, bytes, elapsed_us)| LedgerRow {
            tool: tool.to_owned(),
            returned_bytes: bytes,
            ok: true,
            overhead_bytes: bytes,
            elapsed_us,
            ..empty_row(of)
        })
        .collect()
}

/// What a shortened output kept out; `None` if none was replaced.
fn replacement_row(
    event: &Event,
    outcome: &crate::Outcome,
    of: &EventSession<'_>,
    elapsed_us: u64,
) -> Option<LedgerRow> {
    let Verdict::Replace { text } = &outcome.verdict else { return None };
    let shortened = outcome.shortened.as_ref()?;
    Some(LedgerRow {
        tool: event.tool.as_ref().map(|call| call.name.clone()).unwrap_or_default(),
        filter: shortened.filter.clone(),
        raw_bytes: shortened.raw_bytes,
        returned_bytes: text.len() as u64,
        class: sessions::Class::Measured,
        ok: true,
        elapsed_us,
        call: event.tool.as_ref().and_then(|call| call.id.clone()).unwrap_or_default(),
        ..empty_row(of)
    })
}

/// A row of the event's session without any figure.
fn empty_row(of: &EventSession<'_>) -> LedgerRow {
    LedgerRow {
        at_ms: of.at_ms,
        agent: of.agent.to_owned(),
        session: of.session.to_owned(),
        project: of.project.to_owned(),
        ..LedgerRow::default()
    }
}

/// Stores the shortened text that the agent got beside the full output: Plimsoll's replacement, or the output of
/// `plimsoll run`, whose last line is the address. Only the comparison in the window uses it.
fn store_shown_text(home: &Home, event: &Event, outcome: &crate::Outcome) {
    const ADDRESS: &str = "plimsoll://task/";
    let replaced = match (&outcome.verdict, &outcome.shortened) {
        (Verdict::Replace { text }, Some(shortened_output)) => {
            shortened_output.full_output.as_deref().map(|address| (address, text))
        }
        _ => None,
    };
    let passed = || {
        let text = &event.tool.as_ref()?.output.as_ref()?.text;
        let end = text.trim_end().strip_suffix(']')?;
        let address = end.get(end.rfind(ADDRESS)?..)?;
        (address.len() < 64).then_some((address, text))
    };
    let Some((address, text)) = replaced.or_else(passed) else { return };
    let noted = sandbox::task::Tasks::new(home.tasks_dir())
        .record_shown_text(address.trim_start_matches(ADDRESS), &text::redact(text));
    if let Err(error) = noted {
        log::info!("what was shown of {address} is not kept: {error}");
    }
}

fn kind(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::SessionStart { .. } => "session_start",
        EventKind::SessionEnd => "session_end",
        EventKind::Prompt => "prompt",
        EventKind::PreTool => "pre_tool",
        EventKind::PostTool => "post_tool",
        EventKind::PostToolFailure => "post_tool_failure",
        EventKind::PermissionRequest => "permission_request",
        EventKind::PreCompact => "pre_compact",
        EventKind::PostCompact => "post_compact",
        EventKind::Stop => "stop",
        EventKind::SubagentStart => "subagent_start",
        EventKind::SubagentStop { .. } => "subagent_stop",
        EventKind::Answer { .. } => "answer",
    }
}

/// What the event was about. A long text ends in `…`, and is cut once it has no secrets: half of one isn't recognised.
fn summary(event: &Event) -> String {
    if let Some(prompt) = &event.prompt {
        return sessions::table::clean(prompt, PROMPT_CHARS);
    }
    match &event.kind {
        EventKind::SessionStart { source: Some(source) } => return source.clone(),
        EventKind::SubagentStop { report: Some(text) } | EventKind::Answer { text: Some(text) } => {
            return sessions::table::clean(text.trim(), PROMPT_CHARS);
        }
        _ => {}
    }
    match event.tool.as_ref().map(|call| &call.kind) {
        Some(ToolKind::Shell { command }) => command.clone(),
        Some(ToolKind::Read { path, .. } | ToolKind::Edit { path }) => path.to_string_lossy().into_owned(),
        Some(ToolKind::Fetch { url }) => url.clone(),
        Some(ToolKind::Ours(tool)) => tool.clone(),
        Some(ToolKind::Mcp { server, tool }) => format!("{server}/{tool}"),
        Some(ToolKind::Grep | ToolKind::Subagent | ToolKind::Other) | None => String::new(),
    }
}
