//! The texts that a session gets back from its record: the resume note after a compaction or on resuming, and one
//! sentence when the same command keeps failing. Only for these rare events does a hook open the database.

use std::path::{Path, PathBuf};

use agents::{Event, EventKind};
use home::Home;
use sessions::Sessions;
use system::{ModelContext, PendingEvent};

use crate::session::extract;
use crate::session::quote::quoted;
use crate::session::read::FactQueries as _;
use crate::session::resume::resume;

/// The number of failures from which a command keeps failing.
const REPEATED_FAILURES: u64 = 3;

/// What to tell the agent at this event, if anything. Errors mean nothing.
pub(crate) fn tell(at: &PendingEvent<'_>) -> Option<ModelContext> {
    let (home, event) = (at.home, at.event);
    match &event.kind {
        EventKind::SessionStart { source } => {
            let mark = take_compaction_mark(home, event);
            let source = source.as_deref();
            let wanted = matches!(source, Some("compact" | "resume")) || mark && source != Some("clear");
            (wanted && !event.subagent).then(|| resume_note(at)).flatten()
        }
        EventKind::Prompt | EventKind::PostTool | EventKind::PostToolFailure => {
            // An agent that doesn't restart the session after compacting gets the note with the next event.
            if !restarts_after_compaction(event)
                && event.kind != EventKind::PostToolFailure
                && !event.subagent
                && take_compaction_mark(home, event)
            {
                return resume_note(at);
            }
            repeated_failure(at)
        }
        _ => None,
    }
}

fn resume_note(at: &PendingEvent<'_>) -> Option<ModelContext> {
    let event = at.event;
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    if !at.settings.sessions.resume_note || !sessions::has_records(at.home) {
        return None;
    }
    let text = with_record(at, |sessions| {
        let transcript = event.transcript.as_deref();
        let known = sessions.continued_session(event.agent, session, at.project, transcript)?;
        let Some(known) = known else { return Ok(String::new()) };
        Ok(resume(&sessions.facts_of(event.agent, &known)?, at.search, at.now_ms))
    })?;
    (!text.is_empty()).then_some(ModelContext { text, reason: "resume note", ledger_name: sessions::NOTE })
}

/// The sentence about a command that failed for the third time, once per command and session.
fn repeated_failure(at: &PendingEvent<'_>) -> Option<ModelContext> {
    let event = at.event;
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    let (key, command) = extract::failed_command(event)?;
    if !sessions::has_records(at.home) {
        return None;
    }
    let times = with_record(at, |sessions| {
        let times = sessions.failure_count(event.agent, session, &key)? + 1;
        let nudge = format!("again {}", short_hash(event.agent, &key));
        let printed = times >= REPEATED_FAILURES && sessions.nudge_once(session, &nudge)?;
        Ok(printed.then_some(times))
    })??;
    let command = quoted(&command, 200);
    let text = format!("{command} has now failed {times} times in this session, with no success in between.");
    Some(ModelContext { text, reason: "fails again", ledger_name: sessions::HOOK })
}

/// Opens the record after importing what hooks left.
fn with_record<T>(
    at: &PendingEvent<'_>,
    work: impl FnOnce(&mut Sessions) -> Result<T, sessions::SessionsError>,
) -> Option<T> {
    let done = Sessions::open_for_hook(at.home, at.guests).and_then(|mut sessions| {
        // If the import fails, its lines are missing; the rest is better than nothing.
        if let Err(error) = sessions.import_pending() {
            log::info!("what hooks recorded could not be taken over: {error}");
        }
        work(&mut sessions)
    });
    done.inspect_err(|error| log::info!("the record could not be asked: {error}")).ok()
}

fn restarts_after_compaction(event: &Event) -> bool {
    agents::by_id(event.agent).is_none_or(agents::Agent::restarts_after_compaction)
}

/// The file that marks a session as being compacted. Its name contains no path from the agent.
fn mark_path(home: &Home, event: &Event) -> Option<PathBuf> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    Some(home.run_dir().join(format!("compacted-{}", short_hash(event.agent, session))))
}

fn short_hash(agent: &str, text: &str) -> String {
    blake3::hash(format!("{agent}\0{text}").as_bytes()).to_hex().chars().take(16).collect()
}

/// Marks the session as being compacted, or removes the mark when the session ends.
pub(crate) fn mark_compaction(home: &Home, event: &Event, _: Option<&Path>) {
    if restarts_after_compaction(event) || event.subagent {
        return;
    }
    let Some(path) = mark_path(home, event) else { return };
    match event.kind {
        EventKind::PreCompact => {
            let left = home::private_dir(&home.run_dir()).and_then(|()| home::write_private(&path, b""));
            if let Err(error) = left {
                log::info!("{}: {error}", path.display());
            }
        }
        EventKind::SessionEnd => {
            let _ = std::fs::remove_file(path);
        }
        _ => {}
    }
}

/// Removes the mark; returns whether there was one. Of several concurrent hooks exactly one gets `true`.
fn take_compaction_mark(home: &Home, event: &Event) -> bool {
    mark_path(home, event).is_some_and(|path| std::fs::remove_file(path).is_ok())
}
