//! What an event is given from the record: the resume note after a compaction or on resuming, and one sentence when
//! the same command keeps failing. These are the rare events for which a hook opens the database.

use std::path::PathBuf;

use agents::{Event, EventKind, Verdict};
use home::Home;
use sessions::Sessions;

use crate::decide::Decided;
use crate::facts::Facts;
use crate::texts;

/// With this failure a command is said to keep failing.
const TOO_OFTEN: u64 = 3;

/// Text from the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    /// What the model is told.
    pub(crate) text: String,
    /// Why, for Activity.
    pub(crate) because: &'static str,
    /// Whether it is the resume note.
    pub(crate) is_note: bool,
}

/// What this event is given, if anything. Whatever cannot be read is nothing.
pub(crate) fn context(home: &Home, event: &Event, facts: &Facts) -> Option<Given> {
    match &event.kind {
        EventKind::SessionStart { source } => {
            let mark = take_mark(home, event);
            let source = source.as_deref();
            let wanted = matches!(source, Some("compact" | "resume")) || mark && source != Some("clear");
            (wanted && !event.subagent).then(|| note(home, event, facts)).flatten()
        }
        EventKind::Prompt | EventKind::PostTool | EventKind::PostToolFailure => {
            // An agent that starts no session anew after compacting is given the note with the next event.
            if !restarts_after_compaction(event)
                && event.kind != EventKind::PostToolFailure
                && !event.subagent
                && take_mark(home, event)
            {
                return note(home, event, facts);
            }
            again(home, event)
        }
        _ => None,
    }
}

/// Adds what is given to what was decided; a denial or a question stays as it is.
pub(crate) fn add(decided: &mut Decided, given: &Given) -> bool {
    match &mut decided.verdict {
        verdict @ Verdict::Pass => *verdict = Verdict::Context { text: given.text.clone() },
        Verdict::Context { text } | Verdict::Replace { text } => {
            text.push_str("\n\n");
            text.push_str(&given.text);
        }
        Verdict::Deny { .. }
        | Verdict::Ask { .. }
        | Verdict::Rewrite { .. }
        | Verdict::RewriteAllowed { .. } => return false,
    }
    decided.because = Some(match decided.because.take() {
        Some(before) => format!("{before}, {}", given.because),
        None => given.because.to_owned(),
    });
    true
}

fn note(home: &Home, event: &Event, facts: &Facts) -> Option<Given> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    if !facts.settings.sessions.resume_note || !sessions::anything(home) {
        return None;
    }
    let text = opened(home, |sessions| {
        let transcript = event.transcript.as_deref();
        let known = sessions.continued(event.agent, session, &facts.project, transcript)?;
        let Some(known) = known else { return Ok(String::new()) };
        Ok(sessions::resume(&sessions.facts_of(event.agent, &known)?, &facts.tools.search, facts.now_ms))
    })?;
    (!text.is_empty()).then_some(Given { text, because: "resume note", is_note: true })
}

/// The sentence about a command that fails for the third time, once for each command of a session.
fn again(home: &Home, event: &Event) -> Option<Given> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    let (key, command) = super::failed_command(event)?;
    if !sessions::anything(home) {
        return None;
    }
    let times = opened(home, |sessions| {
        let times = sessions.times_failed(event.agent, session, &key)? + 1;
        let nudge = format!("again {}", short_hash(event.agent, &key));
        let said = times >= TOO_OFTEN && sessions.nudge_once(session, &nudge)?;
        Ok(said.then_some(times))
    })??;
    Some(Given { text: texts::again(&command, times), because: "fails again", is_note: false })
}

/// Opens the record with everything in it that hooks left.
fn opened<T>(
    home: &Home,
    work: impl FnOnce(&mut Sessions) -> Result<T, sessions::SessionsError>,
) -> Option<T> {
    let done = Sessions::open_quickly(home).and_then(|mut sessions| {
        // What is still in the file is missing otherwise; what is in the database is better than nothing.
        if let Err(error) = sessions.take_over() {
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
