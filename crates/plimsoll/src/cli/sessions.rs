//! `sessions`: lists recorded sessions, shows or deletes one, and turns recording off for a project.

use std::path::{Path, PathBuf};

use clap::Args;
use contract::desktop::{SessionQuery, SessionRef, SessionRow, SessionsQuery};
use contract::{count, signed_bytes};
use serde_json::json;
use service::desktop::Desktop;

use super::terminal::{CommandError, CommandResult, Exit};
use super::{Context, pages};

/// `sessions`
#[derive(Debug, Clone, Args)]
pub(crate) struct Sessions {
    /// One session, as the list names it
    #[arg(value_parser = super::args::name, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Only this agent's, e.g. codex
    #[arg(value_parser = super::args::name, long)]
    pub(crate) agent: Option<String>,
    /// Delete this session: its events and calls
    #[arg(long, requires = "session")]
    pub(crate) delete: bool,
    /// Stop recording sessions of this project (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".", conflicts_with = "session")]
    pub(crate) unrecord: Option<PathBuf>,
    /// Start recording them again
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".", conflicts_with_all = ["session", "unrecord"])]
    pub(crate) record: Option<PathBuf>,
    /// How many
    #[arg(long, short = 'n', default_value_t = 20)]
    pub(crate) limit: u64,
    /// How many to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: u64,
    /// Don't ask before deleting
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Say what would be deleted and delete nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll sessions`
pub(super) fn sessions(context: &Context, args: &Sessions) -> CommandResult {
    if let Some(folder) = args.record.as_ref().or(args.unrecord.as_ref()) {
        return set_recording(context, args, folder);
    }
    let desktop = Desktop::new(context.service.clone());
    let Some(name) = &args.session else { return list(context, &desktop, args) };
    let row = find(&desktop, args, name)?;
    if args.delete {
        return delete(context, &desktop, args, row);
    }
    let query =
        SessionQuery { agent: row.agent, session: row.session, offset: args.offset, limit: args.limit };
    let view = desktop.session(&query)?;
    let of = SessionRef { agent: view.session.agent.clone(), session: view.session.session.clone() };
    let tokens = desktop.session_tokens(&of)?;
    if args.json {
        let mut value = serde_json::to_value(&view).unwrap_or_default();
        value["tokens"] = json!(tokens);
        context.terminal.json(&value)?;
        return Ok(Exit::Done);
    }
    line(context, &view.session)?;
    for used in tokens.iter().filter(|_| args.offset == 0) {
        let model = if used.model.is_empty() { "model unknown" } else { &used.model };
        let model = text::one_line(model);
        context.terminal.line(format!(
            "  {model}: {} in, {} from and {} into its cache, {} out, {}",
            count(used.input, "token"),
            used.cache_read,
            used.cache_write,
            used.output,
            count(used.responses, "response")
        ))?;
    }
    if let Some(note) = view.resume_note.as_ref().filter(|_| args.offset == 0) {
        context.terminal.line("  The note it would get on resuming:")?;
        for line in note.lines() {
            context.terminal.line(format!("  | {line}"))?;
        }
    }
    for event in &view.events {
        let rule = event.rule.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
        let line = format!("  {}{rule} · {}", event.decision, subject(&event.kind, &event.summary));
        context.terminal.line(text::one_line(&line))?;
    }
    if let Some(more) = pages::next_page_line(args.offset, view.events.len(), view.events_total) {
        context.terminal.line(format!("  {more}"))?;
    }
    Ok(Exit::Done)
}

/// `plimsoll sessions --record` and `--unrecord`
fn set_recording(context: &Context, args: &Sessions, folder: &Path) -> CommandResult {
    let folder = context.real_folder(folder)?;
    let recorded = args.record.is_some();
    if !args.dry_run {
        context.service.record_project(&folder, recorded)?;
    }
    let words = match (recorded, args.dry_run) {
        (true, true) => "would be recorded",
        (true, false) => "are recorded",
        (false, true) => "would no longer be recorded",
        (false, false) => "are no longer recorded",
    };
    let rest = if recorded { "" } else { "; what is recorded already stays until it is deleted" };
    let text = format!("Sessions in {} {words}{rest}.", context.tilde_path(&folder));
    let data = json!({ "project": folder.to_string_lossy(), "recorded": recorded, "dry_run": args.dry_run });
    context.tell(args.json, &text, &data)
}

fn list(context: &Context, desktop: &Desktop, args: &Sessions) -> CommandResult {
    let query = SessionsQuery {
        agent: agent_id(args.agent.as_ref())?,
        project: None,
        offset: args.offset,
        limit: args.limit.max(1),
    };
    let page = desktop.sessions(query)?;
    let exit = if page.rows.is_empty() { Exit::Nothing } else { Exit::Done };
    if args.json {
        context.terminal.json(&page)?;
        return Ok(exit);
    }
    if page.rows.is_empty() {
        context.terminal.line(match (page.total, &args.agent) {
            (0, None) => {
                "No session is recorded yet; the first appears when a connected agent works.".to_owned()
            }
            (0, Some(agent)) => {
                format!("No session of {agent} is recorded; `plimsoll sessions` lists those of every agent.")
            }
            (total, _) => pages::past_the_end(total, "session"),
        })?;
    }
    for row in &page.rows {
        line(context, row)?;
    }
    if let Some(more) = pages::next_page_line(args.offset, page.rows.len(), page.total) {
        context.terminal.line(more)?;
    }
    Ok(exit)
}

fn line(context: &Context, row: &SessionRow) -> Result<(), CommandError> {
    context.terminal.line(format!(
        "{}  {}  {}, {}, {} kept out  {}",
        text::one_line(&row.session),
        row.agent,
        count(row.events, "event"),
        count(row.sums.calls, "call"),
        signed_bytes(row.sums.net_bytes),
        text::one_line(&row.project)
    ))?;
    if row.title.is_empty() {
        return Ok(());
    }
    context.terminal.line(format!("  {}", text::one_line(&row.title)))
}

/// Two agents may use the same session ID; then the agent must be named too.
fn find(desktop: &Desktop, args: &Sessions, name: &str) -> Result<SessionRow, CommandError> {
    let mut found = desktop.sessions_called(name, agent_id(args.agent.as_ref())?)?;
    match found.len() {
        1 => found.pop().ok_or_else(|| CommandError::failed("no session was found")),
        0 => Err(CommandError::Message(
            Exit::Nothing,
            format!("no session {name} is recorded; `plimsoll sessions` lists them"),
        )),
        _ => Err(CommandError::Message(
            Exit::Usage,
            format!("several agents have a session {name}; add --agent"),
        )),
    }
}

fn delete(context: &Context, desktop: &Desktop, args: &Sessions, row: SessionRow) -> CommandResult {
    let (events, calls) = (count(row.events, "event"), count(row.sums.calls, "call"));
    let lost = format!("{events} and {calls} of session {}", row.session);
    let data = json!({
        "session": row.session, "agent": row.agent, "events": row.events, "calls": row.sums.calls,
        "dry_run": args.dry_run,
    });
    if args.dry_run {
        let text = format!("would delete {lost}. Nothing was deleted (--dry-run).");
        return context.tell(args.json, &text, &data);
    }
    if !args.yes {
        if args.json || !context.terminal.can_ask() {
            let how = format!("this deletes {lost}; add --yes to do it without asking");
            return Err(CommandError::Message(Exit::NeedsYou, how));
        }
        if !context.terminal.confirm(&format!("Forget {lost}?"), false)? {
            context.terminal.line("Nothing was deleted.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    desktop.delete_session(&SessionRef { agent: row.agent, session: row.session })?;
    context.tell(args.json, &format!("Deleted {lost}."), &data)
}

/// An event's kind and what it was about; a session's end is about nothing else.
pub(super) fn subject(kind: &str, summary: &str) -> String {
    if summary.is_empty() { kind.to_owned() } else { format!("{kind} · {summary}") }
}

/// The agent's recorded ID, given any of its names.
pub(super) fn agent_id(agent: Option<&String>) -> Result<Option<String>, CommandError> {
    let Some(agent) = agent else { return Ok(None) };
    Ok(service::setup::agent_ids(std::slice::from_ref(agent))?.pop())
}
