//! What an event is given from the record: the resume note after a compaction or on resuming, and one sentence when
//! the same command keeps failing. These are the rare events for which a hook opens the database.

use std::path::PathBuf;

use agents::{Event, EventKind};
use home::Home;
use sessions::Sessions;
use system::{Happening, Told};

use crate::session::quote::quoted;
use crate::session::read::Remembered as _;
use crate::session::resume::resume;

/// With this failure a command is said to keep failing.
const TOO_OFTEN: u64 = 3;

/// What this event is given, if anything. Whatever cannot be read is nothing.
pub(crate) fn tell(at: &Happening<'_>) -> Option<Told> {
    let (home, event) = (at.home, at.event);
    match &event.kind {
        EventKind::SessionStart { source } => {
            let mark = take_mark(home, event);
            let source = source.as_deref();
            let wanted = matches!(source, Some("compact" | "resume")) || mark && source != Some("clear");
            (wanted && !event.subagent).then(|| note(at)).flatten()
        }
        EventKind::Prompt | EventKind::PostTool | EventKind::PostToolFailure => {
            // An agent that starts no session anew after compacting is given the note with the next event.
            if !restarts_after_compaction(event)
                && event.kind != EventKind::PostToolFailure
                && !event.subagent
                && take_mark(home, event)
            {
                return note(at);
            }
            again(at)
        }
        _ => None,
    }
}

fn note(at: &Happening<'_>) -> Option<Told> {
    let event = at.event;
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    if !at.settings.sessions.resume_note || !sessions::has_records(at.home) {
        return None;
    }
    let text = opened(at, |sessions| {
        let transcript = event.transcript.as_deref();
        let known = sessions.continued(event.agent, session, at.project, transcript)?;
        let Some(known) = known else { return Ok(String::new()) };
        Ok(resume(&sessions.facts_of(event.agent, &known)?, at.search, at.now_ms))
    })?;
    (!text.is_empty()).then_some(Told { text, because: "resume note", booked: sessions::NOTE })
}

/// The sentence about a command that fails for the third time, once for each command of a session.
fn again(at: &Happening<'_>) -> Option<Told> {
    let event = at.event;
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    let (key, command) = super::failed_command(event)?;
    if !sessions::has_records(at.home) {
        return None;
    }
    let times = opened(at, |sessions| {
        let times = sessions.times_failed(event.agent, session, &key)? + 1;
        let nudge = format!("again {}", short_hash(event.agent, &key));
        let printed = times >= TOO_OFTEN && sessions.nudge_once(session, &nudge)?;
        Ok(printed.then_some(times))
    })??;
    let command = quoted(&command, 200);
    let text = format!("{command} has now failed {times} times in this session, with no success in between.");
    Some(Told { text, because: "fails again", booked: sessions::HOOK })
}

/// Opens the record with everything in it that hooks left.
fn opened<T>(
    at: &Happening<'_>,
    work: impl FnOnce(&mut Sessions) -> Result<T, sessions::SessionsError>,
) -> Option<T> {
    let done = Sessions::open_for_hook(at.home, at.guests).and_then(|mut sessions| {
        // What is still in the file is missing otherwise; what is in the database is better than nothing.
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

/// The file that says that a session is being compacted. Its name has no path of the agent's in it.
fn mark(home: &Home, event: &Event) -> Option<PathBuf> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    Some(home.run_dir().join(format!("compacted-{}", short_hash(event.agent, session))))
}

fn short_hash(agent: &str, text: &str) -> String {
    blake3::hash(format!("{agent}\0{text}").as_bytes()).to_hex().chars().take(16).collect()
}

/// Leaves word that the session is being compacted, or takes it back when the session ends.
pub(crate) fn leave_mark(home: &Home, event: &Event) {
    if restarts_after_compaction(event) || event.subagent {
        return;
    }
    let Some(path) = mark(home, event) else { return };
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

/// Whether there was such a word; of several hooks at once exactly one is told so.
fn take_mark(home: &Home, event: &Event) -> bool {
    mark(home, event).is_some_and(|path| std::fs::remove_file(path).is_ok())
}
