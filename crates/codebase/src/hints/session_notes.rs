//! Remembers which hints a session received, as lines of a file beside other hooks' files.

use std::path::PathBuf;
use std::time::Duration;

use home::Home;
use system::PendingEvent;

/// How the names of these files begin.
const NAME: &str = "code-told-";
/// How the names of the files begin that say when a session began and when it first edited something.
const WHEN: &str = "code-told-when-";
/// The maximum number of hints in a session.
const MOST: usize = 60;
/// Larger files aren't Plimsoll's.
const MAX_FILE: u64 = 16 * 1024;
/// The number of days that notes are kept: a session may be resumed.
const KEPT_DAYS: u64 = 60;

fn file(at: &PendingEvent<'_>) -> Option<PathBuf> {
    file_of_kind(at, NAME)
}

fn file_of_kind(at: &PendingEvent<'_>, kind: &str) -> Option<PathBuf> {
    let session = at.event.session.as_deref().filter(|session| !session.is_empty())?;
    let name = blake3::hash(format!("{}\0{session}", at.event.agent).as_bytes()).to_hex();
    Some(at.home.session_note_file(&format!("{kind}{}", &name[..16])))
}

/// Whether a hint is new to the session; records it as given. Always false for an event without a session, because its earlier
/// hints are unknown.
pub(super) fn first_time(at: &PendingEvent<'_>, what: &str) -> bool {
    let Some(path) = file(at) else { return false };
    let mark = blake3::hash(what.as_bytes()).to_hex();
    let mark = &mark[..16];
    let told = home::read_regular_text(&path, MAX_FILE).unwrap_or_default();
    if told.lines().any(|line| line == mark) || told.lines().count() >= MOST {
        return false;
    }
    let written = home::append_private(&path, format!("{mark}\n").as_bytes());
    if let Err(error) = &written {
        log::info!("{}: {error}", path.display());
    }
    // A hint that can't be recorded would be repeated.
    written.is_ok()
}

/// Whether a hint is new to the session, without recording it.
pub(super) fn is_first(at: &PendingEvent<'_>, what: &str) -> bool {
    let Some(path) = file(at) else { return false };
    let mark = blake3::hash(what.as_bytes()).to_hex();
    let told = home::read_regular_text(&path, MAX_FILE).unwrap_or_default();
    !told.lines().any(|line| line == &mark[..16]) && told.lines().count() < MOST
}

/// Notes that a session begins.
pub(super) fn note_start(at: &PendingEvent<'_>, now_ms: i64) {
    let Some(path) = file_of_kind(at, WHEN) else { return };
    // A resumed session keeps its notes.
    if !path.exists() {
        write(&path, &format!("{now_ms}\n"));
    }
}

/// Notes a session's first edit.
pub(super) fn note_first_edit(at: &PendingEvent<'_>, now_ms: i64) {
    let Some(path) = file_of_kind(at, WHEN) else { return };
    let text = home::read_regular_text(&path, MAX_FILE).unwrap_or_default();
    if text.lines().count() == 1 {
        write(&path, &format!("{}\n{now_ms}\n", text.trim_end()));
    }
}

/// When a session began, and when it first edited something.
pub(super) fn session_times(at: &PendingEvent<'_>) -> Option<(i64, i64)> {
    let text = home::read_regular_text(&file_of_kind(at, WHEN)?, MAX_FILE).ok()?;
    let mut lines = text.lines();
    Some((lines.next()?.parse().ok()?, lines.next()?.parse().ok()?))
}

fn write(path: &std::path::Path, text: &str) {
    if path.parent().is_some_and(|folder| home::private_dir(folder).is_ok()) {
        crate::diagnose::results::write_note(path, text);
    }
}

/// A conversation that was cleared or summarised contains nothing from before.
pub(super) fn forget(at: &PendingEvent<'_>) {
    if let Some(path) = file(at) {
        let _ = std::fs::remove_file(path);
    }
}

/// Removes the notes of old sessions.
pub(crate) fn forget_old(home: &Home) {
    // An earlier version had them beside the servers' files.
    let folders = [home.session_notes_dir(), home.run_dir()].map(std::fs::read_dir);
    for entry in folders.into_iter().flatten().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(NAME);
        let age =
            entry.metadata().and_then(|meta| meta.modified()).map(|at| at.elapsed().unwrap_or_default());
        if ours && age.is_ok_and(|age| age > Duration::from_hours(24 * KEPT_DAYS)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
