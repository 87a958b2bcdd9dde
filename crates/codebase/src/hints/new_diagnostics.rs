//! Tells an agent which checker results are new since its session's edits. A hook only notes edits and reads the last results; a
//! server runs the checkers (`diagnose::watch`). Only with the setting.

use std::time::{Duration, Instant, UNIX_EPOCH};

use agents::EventKind;
use serde_json::Value;
use system::{ModelContext, PendingEvent};

use super::edits::FileEdit;
use super::{PATIENCE, fitting, indexed_project, plain, session_notes};
use crate::diagnose::SETTING;
use crate::diagnose::kinds::{LANGUAGES, Language};
use crate::diagnose::results::{self, CheckRequest, News};
use crate::index::IndexLocation;

/// The number of diagnostics in one hint.
const TOLD: usize = 4;

/// Whether it's switched on.
pub(super) fn is_on(at: &PendingEvent<'_>) -> bool {
    at.settings.own(SETTING).and_then(Value::as_bool) == Some(true)
}

/// Requests a first run at the start of a session, so that earlier problems are known.
pub(super) fn begins(at: &PendingEvent<'_>) {
    let Some(place) = place(at) else { return };
    session_notes::note_start(at, at.now_ms);
    for language in LANGUAGES {
        if language.marks().any(|name| place.root.join(name).is_file()) {
            request_check(at, &place, *language, "");
        }
    }
}

/// Files were edited: have them checked.
pub(super) fn edited(at: &PendingEvent<'_>, edits: &[FileEdit]) {
    let Some(place) = place(at) else { return };
    for one in edits {
        let Some(language) = Language::of(&one.path) else { continue };
        let whole =
            at.event.cwd.as_ref().map_or_else(|| place.root.join(&one.path), |cwd| cwd.join(&one.path));
        let real = dunce::canonicalize(whole).ok();
        let inside = real.as_deref().and_then(|real| real.strip_prefix(&place.root).ok()?.to_str());
        if let Some(path) = inside.filter(|path| !path.contains(char::is_control)) {
            request_check(at, &place, language, &path.replace('\\', "/"));
        }
    }
    session_notes::note_first_edit(at, at.now_ms);
}

fn request_check(at: &PendingEvent<'_>, place: &IndexLocation, language: Language, path: &str) {
    let agent = at.event.agent.to_owned();
    results::request_check(
        &place.db,
        language,
        &CheckRequest { at_ms: at.now_ms, agent, path: path.to_owned() },
    );
}

fn place(at: &PendingEvent<'_>) -> Option<IndexLocation> {
    // Checkers only run for indexed projects.
    Some(IndexLocation::new(at.home, &indexed_project(at)?))
}

/// The diagnostics that are new since this session's first edit, once.
pub(super) fn tell(at: &PendingEvent<'_>) -> Option<ModelContext> {
    if at.event.kind != EventKind::PostTool {
        return None;
    }
    let began = Instant::now();
    let (begun, edited) = session_notes::session_times(at)?;
    let place = place(at)?;
    let news = results::news(&place.db);
    // A run that began before the session or its first edit doesn't show who caused a problem.
    let ours = |one: &&News| one.what.before_ms >= begun && one.what.since_ms >= edited;
    let news: Vec<&News> = news.iter().filter(ours).filter(|one| is_as_checked(&place, one)).collect();
    if news.is_empty() {
        return None;
    }
    let readable = at.readable.ask();
    let key = |one: &News| format!("news {} {} {}", one.what.file, one.what.code, one.what.message);
    let news: Vec<&News> = news
        .into_iter()
        .filter(|one| readable.allows(&place.file(&one.what.file)))
        .filter(|one| session_notes::is_first(at, &key(one)))
        .take(TOLD)
        .collect();
    let first = news.first()?;
    let title = format!("New since your edits, by `{}`:", plain(&first.short, 40));
    let same: Vec<&News> = news.iter().copied().filter(|one| one.short == first.short).collect();
    let lines: Vec<String> = same.iter().map(|one| line(one)).collect();
    let text = fitting(&title, &lines, "")?;
    // A late hint would be recorded but never delivered.
    if began.elapsed() >= PATIENCE {
        return None;
    }
    // The rest follows in a later hint.
    let fitted = text.lines().count() - 1;
    let told = same.iter().take(fitted).filter(|one| session_notes::first_time(at, &key(one))).count();
    (told == fitted).then_some(ModelContext { text, reason: "new diagnostics", ledger_name: "diagnostics" })
}

fn line(one: &News) -> String {
    let what = &one.what;
    let code = if what.code.is_empty() { String::new() } else { format!(" {}", plain(&what.code, 40)) };
    let message = plain(&what.message, 110);
    // A diagnostic about the whole file has no line.
    let line = if what.line == 0 { String::new() } else { format!(":{}", what.line) };
    format!("{}{line} {}{code}: {message}", plain(&what.file, 90), what.severity.name())
}

/// Whether the file is unchanged since the run began: otherwise the error may be fixed by now.
fn is_as_checked(place: &IndexLocation, one: &News) -> bool {
    let ran = UNIX_EPOCH + Duration::from_millis(u64::try_from(one.run_ms).unwrap_or(0));
    place.file(&one.what.file).metadata().and_then(|meta| meta.modified()).is_ok_and(|at| at <= ran)
}
