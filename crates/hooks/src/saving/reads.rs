//! Files that a session has read whole: when one is read again, a line says that it is unchanged, or a diff what changed.
//!
//! Owns a list of hashes per session, and beside it the texts that a diff can be made from: small ones without a secret in
//! them. All of it is forgotten when the conversation is compacted or cleared, since the text is then no longer in it, and
//! never used for subagents, whose conversation is another.

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

use crate::decided::{Decided, Saved};
use crate::facts::Facts;

/// The name under which the line for an unchanged file is listed in figures and switched off.
pub const UNCHANGED: &str = "unchanged-file";
/// The same for the diff of a changed one.
pub const CHANGED: &str = "changed-file";
/// Texts up to this size, in bytes, are shown again: the line would save nothing.
const SMALL: usize = 1_000;
/// Files remembered per session.
const MAX_FILES: usize = 2_000;
/// Texts up to this size, in bytes, are kept for a diff; a hook has milliseconds.
const MAX_TEXT: usize = 64 * 1024;
/// Bytes of text kept per session.
const MAX_KEPT: usize = 8 * 1024 * 1024;
/// Lines of context around a change.
const CONTEXT: usize = 3;
/// After this the comparison gives up looking for the smallest diff; it stays correct.
const PATIENCE: Duration = Duration::from_millis(5);

/// What a session has read.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Known {
    /// The hash of each file's text when it was last read.
    files: BTreeMap<String, String>,
    /// Bytes of text kept so far.
    kept: usize,
    /// The files of which the last reading was answered with a line.
    told: BTreeSet<String>,
}

/// The verdict for the reading of `path`, if this session has its text, or nearly its text, already.
pub(crate) fn again(
    home: &Home,
    event: &Event,
    path: &Path,
    partial: bool,
    output: &Output,
    facts: &Facts,
) -> Option<Decided> {
    if partial || event.subagent || output.failed || output.text.len() < SMALL || output.full_in.is_some() {
        return None;
    }
    let saving = facts.saving.as_ref()?;
    if saving.filters.is_off(UNCHANGED) {
        return None;
    }
    looked_at(home, event, path, output, facts, true)
}

/// The same for a command that prints one file and nothing else, whose output the agent shows whole. What has changed is
/// printed as it is: whether it is the same file, only the shell knows.
pub(crate) fn printed_again(
    home: &Home,
    event: &Event,
    command: &str,
    output: &Output,
    facts: &Facts,
) -> Option<Decided> {
    let path = file_of(command)?;
    let saving = facts.saving.as_ref()?;
    if event.subagent || output.failed || output.text.len() < SMALL || saving.filters.is_off(UNCHANGED) {
        return None;
    }
    looked_at(home, event, Path::new(&path), output, facts, false)
}

/// The file of `cat FILE`, where that is all there is.
fn file_of(command: &str) -> Option<String> {
    let line = shell::line::parse(command);
    let [simple] = line.commands.as_slice() else { return None };
    let argv = simple.argv();
    let [program, path] = argv.as_slice() else { return None };
    let plain = !line.odd && !simple.to_file && !simple.errors_to_file && !simple.background;
    let one = !path.starts_with(['-', '~']) && !path.contains(['$', '*', '?', '[', '{']);
    (plain && one && !path.is_empty() && shell::base(program) == "cat").then(|| path.clone())
}

fn looked_at(
    home: &Home,
    event: &Event,
    path: &Path,
    output: &Output,
    facts: &Facts,
    by_tool: bool,
) -> Option<Decided> {
    let saving = facts.saving.as_ref()?;
    let stem = stem_of(home, event)?;
    let list = stem.with_extension("json");
    let mut known: Known =
        std::fs::read(&list).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    // A tool numbers the lines, a command does not.
    let key = facts.cwd.join(path).to_string_lossy().into_owned() + if by_tool { "" } else { "\ncat" };
    let hash = blake3::hash(output.text.as_bytes()).to_hex()[..24].to_owned();
    let before = known.files.get(&key).cloned();
    let shown = path.display();
    if before.as_ref() == Some(&hash) {
        // The conversation may have lost the text in ways that no hook tells of: who asks again gets it.
        let told = known.told.insert(key.clone()) || !known.told.remove(&key);
        home::write_private(&list, &serde_json::to_vec(&known).ok()?).ok()?;
        let lines = output.text.lines().count();
        let text = format!(
            "{shown} is unchanged since it was read in this conversation ({lines} lines). Reading it once more \
             shows it whole."
        );
        return told.then(|| decided(UNCHANGED, text, output));
    }
    known.told.remove(&key);
    let changes = before
        .filter(|_| by_tool && !saving.filters.is_off(CHANGED))
        .and_then(|before| std::fs::read_to_string(kept_at(&stem, &before)).ok())
        .and_then(|old| changes(&old, &output.text));
    if known.files.len() < MAX_FILES || known.files.contains_key(&key) {
        let _ = home::private_dir(stem.parent()?);
        known.files.insert(key, hash.clone());
        if by_tool && keep(&stem, &hash, &output.text, MAX_KEPT.saturating_sub(known.kept)) {
            known.kept += output.text.len();
        }
        let written = serde_json::to_vec(&known).ok()?;
        // A diff that was shown is the last state of the conversation: it must be known as such, or be not shown.
        home::write_private(&list, &written).ok()?;
        let text = format!(
            "{shown} has changed since it was read in this conversation. Only what changed follows; reading a part \
             shows that part as it is.\n{}",
            changes?
        );
        return Some(decided(CHANGED, text, output));
    }
    None
}

fn decided(filter: &str, text: String, output: &Output) -> Decided {
    let saved = Saved { filter: filter.into(), raw_bytes: output.text.len() as u64, full_output: None };
    Decided::shortened(text, saved)
}

/// Keeps a text for a later diff, if there is room and no secret in it; whether it is there now.
fn keep(stem: &Path, hash: &str, text: &str, room: usize) -> bool {
    let at = kept_at(stem, hash);
    let plain = text.len() <= MAX_TEXT.min(room) && text::redact(text) == text;
    plain && !at.exists() && home::write_private(&at, text.as_bytes()).is_ok()
}

/// What changed, as the hunks of a unified diff, if that is much shorter than the text.
fn changes(old: &str, new: &str) -> Option<String> {
    let mut out = String::new();
    for hunk in hunks(old, new, CONTEXT, PATIENCE) {
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
    // Two texts that differ in line ends only: that cannot be seen in a diff.
    let seen = out.lines().any(|line| line.starts_with(['+', '-']));
    let plain = |text: &str| text.lines().map(str::trim_end).eq(new.lines().map(str::trim_end));
    (seen && !plain(old)).then_some(out)
}

/// Forgets what the session has read.
pub(crate) fn forget(home: &Home, event: &Event) {
    let Some(stem) = stem_of(home, event) else { return };
    let (Some(folder), Some(name)) = (stem.parent(), stem.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    // The list first: without it the texts are nobody's.
    let _ = std::fs::remove_file(stem.with_extension("json"));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|file| file.starts_with(name)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// What the names of a session's files begin with.
fn stem_of(home: &Home, event: &Event) -> Option<PathBuf> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    let name = blake3::hash(format!("{}\n{session}", event.agent).as_bytes()).to_hex();
    Some(home.cache_dir().join("reads").join(&name.as_str()[..24]))
}

fn kept_at(stem: &Path, hash: &str) -> PathBuf {
    stem.with_extension(format!("{hash}.txt"))
}
