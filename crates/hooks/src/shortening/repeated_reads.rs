//! Tracks the files that a session has read in full: when one is read again, a line says that it is unchanged, or a
//! diff shows the changes.
//!
//! Owns a list of hashes per session, and the texts for diffs: small ones without a secret. Everything is deleted when
//! the conversation is compacted or cleared, because the text is then no longer in it. Never used for subagents, which
//! have another conversation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agents::{Event, Output};
use edits::{LineFate, hunks};
use filters::WORTH_BYTES;
use home::Home;
use serde::{Deserialize, Serialize};

use crate::outcome::{Outcome, ShortenedOutput};
use crate::situation::Situation;

/// The filter name of the line for an unchanged file, in figures and settings.
pub const UNCHANGED: &str = "unchanged-file";
/// The filter name of the diff for a changed file.
pub const CHANGED: &str = "changed-file";
/// Texts up to this size in bytes are shown again: the line would save nothing.
const SMALL_BYTES: usize = 1_000;
/// Files remembered per session.
const MAX_FILES: usize = 2_000;
/// Texts up to this size in bytes are kept for a diff; a hook has milliseconds.
const MAX_TEXT: usize = 64 * 1024;
/// Bytes of text kept per session.
const MAX_KEPT: usize = 8 * 1024 * 1024;
/// Lines of context around a change.
const CONTEXT: usize = 3;
/// After this time the diff algorithm stops minimising; the diff stays correct.
const DIFF_TIME: Duration = Duration::from_millis(5);

/// What a session has read.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ReadHistory {
    /// The hash of each file's text at its last reading.
    files: BTreeMap<String, String>,
    /// Bytes of text kept so far.
    kept: usize,
    /// The files whose last reading was answered with a line.
    told: BTreeSet<String>,
    /// The call of each file's last reading, as far as the agent names calls.
    calls: BTreeMap<String, String>,
}

/// The outcome for reading `path`, if this session has its text, or nearly, already.
pub(crate) fn answer_read(
    home: &Home,
    event: &Event,
    path: &Path,
    partial: bool,
    output: &Output,
    situation: &Situation,
) -> Option<Outcome> {
    if partial
        || event.subagent
        || output.failed
        || output.text.len() < SMALL_BYTES
        || output.full_in.is_some()
    {
        return None;
    }
    let shortening = situation.shortening.as_ref()?;
    if shortening.filters.is_off(UNCHANGED) {
        return None;
    }
    compare(home, event, path, output, situation, true)
}

/// The same for a command that only prints one file, if the agent shows the output in full. A changed output is
/// printed unchanged, because only the shell knows whether it is the same file.
pub(crate) fn answer_cat(
    home: &Home,
    event: &Event,
    command: &str,
    output: &Output,
    situation: &Situation,
) -> Option<Outcome> {
    let path = cat_file(command)?;
    let shortening = situation.shortening.as_ref()?;
    if event.subagent
        || output.failed
        || output.text.len() < SMALL_BYTES
        || shortening.filters.is_off(UNCHANGED)
    {
        return None;
    }
    compare(home, event, Path::new(&path), output, situation, false)
}

/// The file of `cat FILE`, if that is the complete command.
fn cat_file(command: &str) -> Option<String> {
    let line = shell::line::parse(command);
    let [simple] = line.commands.as_slice() else { return None };
    let argv = simple.argv();
    let [program, path] = argv.as_slice() else { return None };
    let plain = !line.odd && !simple.to_file && !simple.errors_to_file && !simple.background;
    let one = !path.starts_with(['-', '~']) && !path.contains(['$', '*', '?', '[', '{']);
    (plain && one && !path.is_empty() && shell::base(program) == "cat").then(|| path.clone())
}

fn compare(
    home: &Home,
    event: &Event,
    path: &Path,
    output: &Output,
    situation: &Situation,
    by_tool: bool,
) -> Option<Outcome> {
    let shortening = situation.shortening.as_ref()?;
    let stem = file_stem(home, event)?;
    let list = stem.with_extension("json");
    let mut history: ReadHistory =
        std::fs::read(&list).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    // A tool numbers the lines, a command doesn't.
    let key = situation.cwd.join(path).to_string_lossy().into_owned() + if by_tool { "" } else { "\ncat" };
    let hash = blake3::hash(output.text.as_bytes()).to_hex()[..24].to_owned();
    let before = history.files.get(&key).cloned();
    let call = event.tool.as_ref().and_then(|call| call.id.clone());
    // An agent with Plimsoll's hooks in two of its files may run both for one call: nothing has been read again then.
    if call.is_some() && history.calls.get(&key) == call.as_ref() {
        return None;
    }
    match call {
        Some(call) => history.calls.insert(key.clone(), call),
        None => history.calls.remove(&key),
    };
    let shown = path.display();
    if before.as_ref() == Some(&hash) {
        let lines = output.text.lines().count();
        let text = format!(
            "{shown} is unchanged since it was read in this conversation ({lines} lines). Reading it once more \
             shows it whole."
        );
        let line = replacement(UNCHANGED, text, output)?;
        // The conversation may have lost the text without any hook: an agent that asks again gets it.
        let told = history.told.insert(key.clone()) || !history.told.remove(&key);
        home::write_private(&list, &serde_json::to_vec(&history).ok()?).ok()?;
        return told.then_some(line);
    }
    history.told.remove(&key);
    let changes = before
        .filter(|_| by_tool && !shortening.filters.is_off(CHANGED))
        .and_then(|before| std::fs::read_to_string(text_path(&stem, &before)).ok())
        .and_then(|old| changes(&old, &output.text));
    if history.files.len() < MAX_FILES || history.files.contains_key(&key) {
        let _ = home::private_dir(stem.parent()?);
        history.files.insert(key, hash.clone());
        if by_tool && keep(&stem, &hash, &output.text, MAX_KEPT.saturating_sub(history.kept)) {
            history.kept += output.text.len();
        }
        let written = serde_json::to_vec(&history).ok()?;
        // A shown diff is the conversation's last state: it must be recorded, or not shown.
        home::write_private(&list, &written).ok()?;
        let text = format!(
            "{shown} has changed since it was read in this conversation. Only what changed follows; reading a part \
             shows that part as it is.\n{}",
            changes?
        );
        return replacement(CHANGED, text, output);
    }
    None
}

/// What is shown instead; `None` where that is hardly shorter, as with a file whose path is long.
fn replacement(filter: &str, text: String, output: &Output) -> Option<Outcome> {
    let shortened_output =
        ShortenedOutput { filter: filter.into(), raw_bytes: output.text.len() as u64, full_output: None };
    let is_worth_it = text.len() + WORTH_BYTES <= output.text.len();
    is_worth_it.then(|| Outcome::shortened(text, shortened_output))
}

/// Keeps a text for a later diff, if there is room and no secret in it; returns whether it is there now.
fn keep(stem: &Path, hash: &str, text: &str, room: usize) -> bool {
    let at = text_path(stem, hash);
    let plain = text.len() <= MAX_TEXT.min(room) && text::redact(text) == text;
    plain && !at.exists() && home::write_private(&at, text.as_bytes()).is_ok()
}

/// The changes as hunks of a unified diff, if that is much shorter than the text.
fn changes(old: &str, new: &str) -> Option<String> {
    let mut out = String::new();
    for hunk in hunks(old, new, CONTEXT, DIFF_TIME) {
        let from = |at: &Range<usize>| (if at.is_empty() { at.start } else { at.start + 1 }, at.len());
        let ((old_at, old_lines), (new_at, new_lines)) = (from(&hunk.old), from(&hunk.new));
        let _ = writeln!(out, "@@ -{old_at},{old_lines} +{new_at},{new_lines} @@");
        for (fate, line) in hunk.runs.iter().flat_map(|run| &run.lines) {
            let sign = match fate {
                LineFate::Stayed => ' ',
                LineFate::Went => '-',
                LineFate::Came => '+',
            };
            let _ = writeln!(out, "{sign}{}", line.trim_end_matches(['\r', '\n']));
        }
        if out.len() * 2 + WORTH_BYTES > new.len() {
            return None;
        }
    }
    // A difference in line ends only isn't visible in a diff.
    let seen = out.lines().any(|line| line.starts_with(['+', '-']));
    let plain = |text: &str| text.lines().map(str::trim_end).eq(new.lines().map(str::trim_end));
    (seen && !plain(old)).then_some(out)
}

/// Deletes what the session has read.
pub(crate) fn forget(home: &Home, event: &Event) {
    let Some(stem) = file_stem(home, event) else { return };
    let (Some(folder), Some(name)) = (stem.parent(), stem.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    // The list first: without it the texts are unused.
    let _ = std::fs::remove_file(stem.with_extension("json"));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|file| file.starts_with(name)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The prefix of a session's file names.
fn file_stem(home: &Home, event: &Event) -> Option<PathBuf> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    let name = blake3::hash(format!("{}\n{session}", event.agent).as_bytes()).to_hex();
    Some(home.cache_dir().join("reads").join(&name.as_str()[..24]))
}

fn text_path(stem: &Path, hash: &str) -> PathBuf {
    stem.with_extension(format!("{hash}.txt"))
}
