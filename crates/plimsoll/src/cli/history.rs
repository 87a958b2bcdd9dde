//! `sessions`, `activity` and `stats --calls`: what was recorded, a line each.

use std::path::Path;

use contract::desktop::{ActivityQuery, CallsQuery, SessionQuery, SessionRef, SessionRow, SessionsQuery};
use service::desktop::Desktop;

use super::Desk;
use super::args::{Activity, Sessions};
use super::screen::{Ended, Exit, Stop};
use super::settings::real;

/// `plimsoll sessions`
pub(super) fn sessions(desk: &Desk, args: &Sessions) -> Ended {
    if let Some(folder) = args.record.as_ref().or(args.unrecord.as_ref()) {
        return record(desk, args, folder);
    }
    let desktop = Desktop::new(desk.service.clone());
    let Some(name) = &args.session else { return list(desk, &desktop, args) };
    let row = find(&desktop, args, name)?;
    if args.delete {
        return delete(desk, &desktop, args, row);
    }
    let query =
        SessionQuery { agent: row.agent, session: row.session, offset: args.offset, limit: args.limit };
    let view = desktop.session(&query)?;
    let of = SessionRef { agent: view.session.agent.clone(), session: view.session.session.clone() };
    let tokens = desktop.session_tokens(&of)?;
    if args.json {
        let mut value = serde_json::to_value(&view).unwrap_or_default();
        value["tokens"] = serde_json::json!(tokens);
        desk.screen.json(&value)?;
        return Ok(Exit::Done);
    }
    line(desk, &view.session)?;
    for used in tokens.iter().filter(|_| args.offset == 0) {
        let model = if used.model.is_empty() { "model unknown" } else { &used.model };
        desk.screen.line(format!(
            "  {model}: {} tokens in, {} from and {} into its cache, {} out, {} responses",
            used.input, used.cache_read, used.cache_write, used.output, used.responses
        ))?;
    }
    if let Some(note) = view.resume_note.as_ref().filter(|_| args.offset == 0) {
        desk.screen.line("  The note it would get on resuming:")?;
        for line in note.lines() {
            desk.screen.line(format!("  | {line}"))?;
        }
    }
    for event in &view.events {
        let rule = event.rule.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
        desk.screen.line(format!("  {}{rule} · {} · {}", event.decision, event.kind, event.summary))?;
    }
    let rest = view.events_total.saturating_sub(args.offset + view.events.len() as u64);
    if rest > 0 {
        desk.screen.line(format!("  ({rest} more: --offset {})", args.offset + view.events.len() as u64))?;
    }
    Ok(Exit::Done)
}

/// `plimsoll sessions --record` and `--unrecord`
fn record(desk: &Desk, args: &Sessions, folder: &Path) -> Ended {
    let folder = real(desk, folder)?;
    let recorded = args.record.is_some();
    if !args.dry_run {
        desk.service.record_project(&folder, recorded)?;
    }
    let words = match (recorded, args.dry_run) {
        (true, true) => "would be recorded",
        (true, false) => "are recorded",
        (false, true) => "would no longer be recorded",
        (false, false) => "are no longer recorded",
    };
    let rest = if recorded { "" } else { "; what is recorded already stays until it is deleted" };
    desk.screen.line(format!("Sessions in {} {words}{rest}.", desk.shown(&folder)))?;
    Ok(Exit::Done)
}

fn list(desk: &Desk, desktop: &Desktop, args: &Sessions) -> Ended {
    let query = SessionsQuery {
        agent: as_recorded(args.agent.as_ref()),
        project: None,
        offset: args.offset,
        limit: args.limit,
    };
    let page = desktop.sessions(query)?;
    if args.json {
        desk.screen.json(&page)?;
    } else if page.rows.is_empty() {
        desk.screen.line("No session is recorded yet; the first appears when a connected agent works.")?;
    }
    for row in page.rows.iter().filter(|_| !args.json) {
        line(desk, row)?;
    }
    Ok(if page.rows.is_empty() { Exit::Nothing } else { Exit::Done })
}

fn line(desk: &Desk, row: &SessionRow) -> Result<(), Stop> {
    desk.screen.line(format!(
        "{}  {}  {} events, {} calls, {} bytes kept out  {}",
        row.session, row.agent, row.events, row.sums.calls, row.sums.net_bytes, row.project
    ))?;
    if row.title.is_empty() {
        return Ok(());
    }
    desk.screen.line(format!("  {}", row.title))
}

/// Two agents may name a session alike; then the agent has to be named too.
fn find(desktop: &Desktop, args: &Sessions, name: &str) -> Result<SessionRow, Stop> {
    let query =
        SessionsQuery { agent: as_recorded(args.agent.as_ref()), limit: 1_000, ..SessionsQuery::default() };
    let mut found = desktop.sessions(query)?.rows;
    found.retain(|row| row.session == name);
    match found.len() {
        1 => found.pop().ok_or_else(|| Stop::failed("no session was found")),
        0 => Err(Stop::Said(
            Exit::Nothing,
            format!("no session {name} is recorded; `plimsoll sessions` lists them"),
        )),
        _ => Err(Stop::Said(Exit::Usage, format!("several agents have a session {name}; add --agent"))),
    }
}

fn delete(desk: &Desk, desktop: &Desktop, args: &Sessions, row: SessionRow) -> Ended {
    let lost = format!("{} events and {} calls of session {}", row.events, row.sums.calls, row.session);
    if args.dry_run {
        desk.screen.line(format!("would delete {lost}. Nothing was deleted (--dry-run)."))?;
        return Ok(Exit::Done);
    }
    if !args.yes {
        if !desk.screen.can_ask() {
            let how = format!("this deletes {lost}; add --yes to do it without asking");
            return Err(Stop::Said(Exit::NeedsYou, how));
        }
        if !desk.screen.confirm(&format!("Forget {lost}?"), false)? {
            desk.screen.line("Nothing was deleted.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    desktop.delete_session(&SessionRef { agent: row.agent, session: row.session })?;
    desk.screen.line(format!("Deleted {lost}."))?;
    Ok(Exit::Done)
}

/// `plimsoll activity`
pub(super) fn activity(desk: &Desk, args: &Activity) -> Ended {
    let page = Desktop::new(desk.service.clone()).activity(ActivityQuery {
        agent: as_recorded(args.agent.as_ref()),
        project: None,
        decision: args.decision.clone(),
        by_call: false,
        mattered: false,
        contains: args.contains.clone(),
        since_ms: None,
        offset: args.offset,
        limit: args.limit,
    })?;
    if args.json {
        desk.screen.json(&page)?;
    }
    for row in page.rows.iter().filter(|_| !args.json) {
        let rule = row.rule.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
        let ms = row.elapsed_us / 1_000;
        let about = format!("{} · {} · {}", row.agent, row.kind, row.summary);
        desk.screen.line(format!("{}{rule}  {about}  {ms} ms", row.decision))?;
    }
    if page.rows.is_empty() && !args.json {
        desk.screen.line("Nothing like that is recorded.")?;
    }
    Ok(if page.rows.is_empty() { Exit::Nothing } else { Exit::Done })
}

/// `plimsoll stats --calls`
pub(super) fn calls(desk: &Desk, since_ms: Option<i64>, json: bool) -> Ended {
    let query = CallsQuery { since_ms, limit: 100, ..CallsQuery::default() };
    let page = Desktop::new(desk.service.clone()).calls(query)?;
    if json {
        desk.screen.json(&page)?;
    }
    for row in page.rows.iter().filter(|_| !json) {
        let known = if row.ok { row.class.as_str() } else { "failed" };
        desk.screen.line(format!(
            "{}  {}  {} of {} bytes returned, {} kept out ({known})",
            row.agent, row.tool, row.returned_bytes, row.raw_bytes, row.saved_bytes
        ))?;
    }
    if page.rows.is_empty() && !json {
        desk.screen.line("No call is recorded.")?;
    }
    Ok(if page.rows.is_empty() { Exit::Nothing } else { Exit::Done })
}

/// The agent as it is recorded, by whatever name the person calls it.
fn as_recorded(agent: Option<&String>) -> Option<String> {
    let agent = agent?;
    let ids = service::wiring::ids(std::slice::from_ref(agent));
    Some(ids.ok().and_then(|mut ids| ids.pop()).unwrap_or_else(|| agent.clone()))
}
