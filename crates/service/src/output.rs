//! Shapes the reply about a program's output: a small output in full; of a large one every failure, then matches for
//! the intent, then the address of the full output. Bounded for any output.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use contract::Amount;
use sandbox::{Captured, Outcome, Redact, Status};
use text::failures::{Extract, Failures};

use crate::output_parts::{self, PART, Rest};
use crate::printed_text;

/// How secrets are recognised in an output as it comes.
pub(crate) const REDACT: Redact =
    Redact { after: text::redact_after, undecided: text::undecided, open_table: text::open_table };
/// Outputs up to this many bytes are returned in full if there is no intent.
pub(crate) const SMALL: usize = 5_000;
/// The default size limit of a reply about one output, in bytes.
pub(crate) const BUDGET: usize = 6_000;
/// How much of an output that is cut in its middle is its beginning, in percent: the sandbox's proportion.
pub(crate) const HEAD_PERCENT: u8 = 60;
/// The share of the budget for the lines around an extract: sizes, and where the whole is.
pub(crate) const NOTES_BYTES: usize = 600;
/// The share for failures if there is an intent.
const FAILURES_BESIDE_INTENT: usize = 3_000;
/// Lines of context around each failure.
const CONTEXT: usize = 2;
/// How many bytes of an output stay in memory until they are stored. The rest is read part by part from the file with
/// the full output.
const HELD: usize = 8 * PART;

/// A program's output, read once from memory or from its file.
pub(crate) struct Digest {
    failures: Failures,
    /// The text in parts to be stored, without colours and secrets.
    pub(crate) parts: Vec<String>,
    /// What follows the parts and must be stored too.
    pub(crate) rest: Option<Rest>,
    /// Whether the output exceeds what is stored.
    pub(crate) truncated: bool,
}

/// How much of an output is scanned and stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    /// How many bytes are stored; `None` for all.
    stored: Option<usize>,
    /// How many bytes are scanned at the beginning and, if that isn't everything, at the end.
    head: u64,
    tail: u64,
}

impl Extent {
    /// The complete output; of a killed program both ends, because a caller who set a time limit doesn't want to wait
    /// minutes for what a runaway printed until then.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match outcome.status {
            Status::TimedOut | Status::TooMuchOutput | Status::Cancelled => {
                Self { stored: Some(PART), head: 2 * PART as u64, tail: PART as u64 }
            }
            Status::Exit(_) | Status::Signal(_) => Self { stored: None, head: u64::MAX, tail: 0 },
        }
    }
}

/// Scans an output. If it isn't all in memory, reads the spill file piece by piece.
pub(crate) fn digest(output: &Captured, extent: Extent) -> Digest {
    let mut digest =
        Digest { failures: Failures::new(CONTEXT), parts: Vec::new(), rest: None, truncated: false };
    let mut part = String::new();
    let (mut held, mut raw) = (0, 0);
    let read = output.spilled.as_deref().map(|path| {
        lines_of(path, extent, |bytes| {
            let line = printed_text::storable(&String::from_utf8_lossy(bytes)).into_owned();
            digest.failures.text(&line);
            if held < extent.stored.unwrap_or(HELD) {
                held += line.len();
                raw += bytes.len() as u64;
                part.push_str(&line);
                if part.len() >= PART {
                    digest.parts.push(text::redact(&part).into_owned());
                    part.clear();
                }
            } else if extent.stored.is_some() {
                digest.truncated = true;
            } else if digest.rest.is_none() {
                digest.rest = Some(Rest { path: path.to_owned(), from: raw });
            }
        })
    });
    match read {
        Some(Ok(())) => {}
        other => {
            if let Some(Err(error)) = other {
                log::warn!("the file with the whole output cannot be read: {error}");
            }
            digest.failures = Failures::new(CONTEXT);
            digest.parts.clear();
            digest.rest = None;
            part = printed_text::storable(&output.text).into_owned();
            digest.failures.text(&part);
        }
    }
    if !part.is_empty() {
        digest.parts.push(text::redact(&part).into_owned());
    }
    digest
}

/// Calls `each` with every line in the extent, including its line end; lines longer than 64 KB come in pieces.
fn lines_of(path: &Path, extent: Extent, mut each: impl FnMut(&[u8])) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let both = extent.head.saturating_add(extent.tail);
    if length <= both {
        return lines(file, &mut each);
    }
    lines(file.by_ref().take(extent.head), &mut each)?;
    file.seek(SeekFrom::Start(length - extent.tail))?;
    lines(file, &mut each)
}

fn lines(from: impl Read, each: &mut impl FnMut(&[u8])) -> std::io::Result<()> {
    let mut reader = BufReader::with_capacity(256 * 1024, from);
    while let Some(line) = output_parts::line(&mut reader)? {
        each(&line);
    }
    Ok(())
}

impl Digest {
    /// Whether there is only white space, which no search could find.
    pub(crate) fn is_blank(&self) -> bool {
        !self.truncated && self.rest.is_none() && self.parts.iter().all(|part| part.trim().is_empty())
    }

    /// Every failure with its context, the totals, and the first and last lines.
    pub(crate) fn extract(self, max_bytes: usize) -> Extract {
        self.failures.finish(max_bytes)
    }
}

/// The first line of the reply about a failed run; `None` for a successful one.
pub(crate) fn failure_note(outcome: &Outcome, timeout_ms: u128, max_output: u64) -> Option<String> {
    match outcome.status {
        Status::Exit(0) => None,
        Status::Exit(_) if outcome.is_soft_failure() => None,
        Status::Exit(code) => Some(format!("error failed: exit code {code}")),
        Status::Signal(signal) => Some(format!("error failed: ended by signal {signal}")),
        Status::TimedOut => Some(format!(
            "error timeout: ended after {timeout_ms} ms, with everything in its process group; what it printed is below. Give a longer timeout_ms or use background"
        )),
        Status::Cancelled => Some("error cancelled: ended because the request was cancelled".into()),
        Status::TooMuchOutput => Some(format!(
            "error failed: ended because it printed more than {max_output} bytes; what came before is below"
        )),
    }
}

/// The exit code where [`failure_note`] doesn't name it. Success is stated too: without it, a program that prints no
/// result, or an extract, can't be told from one that never ran.
pub(crate) fn success_note(outcome: &Outcome) -> Option<String> {
    let told = matches!(outcome.status, Status::Exit(0)) || outcome.is_soft_failure();
    told.then(|| format!("exit code {}", outcome.exit_code))
}

/// What follows the output: notes about leftover processes and denied operations.
pub(crate) fn remarks(outcome: &Outcome) -> String {
    let mut remarks = String::new();
    if outcome.leftovers_ended {
        remarks.push_str("processes that it left running were ended; use background to keep them\n");
    }
    if outcome.leftovers_escaped {
        remarks.push_str(
            "a process that it started left its group (setsid) and wasn't ended; kill it if it must not go on\n",
        );
    }
    for stopped in &outcome.stopped {
        let _ = writeln!(remarks, "stopped by the user's rules: {stopped}");
    }
    remarks
}

/// The output in full; standard error is marked if both streams have text.
pub(crate) fn whole(outcome: &Outcome) -> String {
    let out = printed_text::plain(&outcome.stdout.text);
    let err = printed_text::plain(&outcome.stderr.text);
    let (out, err) = (out.trim_end(), err.trim_end());
    match (out.trim().is_empty(), err.trim().is_empty()) {
        (true, true) => "(no output)".into(),
        (false, true) => out.to_owned(),
        (true, false) => err.to_owned(),
        (false, false) => format!("{out}\n--- stderr\n{err}"),
    }
}

/// Keeps and names the file with the full output if it has more than is stored; otherwise deletes it.
pub(crate) fn beyond(outcome: &Outcome, truncated: bool) -> Option<String> {
    let path = outcome.combined.spilled.as_ref()?;
    if truncated {
        let stored = Extent::of(outcome).stored.unwrap_or(HELD);
        return Some(only_the_first(stored as u64, path));
    }
    discard(outcome);
    None
}

/// Roughly how many bytes these parts take on the disk, including the index and the file with the `whole` output if
/// that stays.
pub(crate) fn growth(parts: &[String], rest: Option<&Rest>, whole: Option<&Outcome>) -> u64 {
    let text: u64 = parts.iter().map(|part| part.len() as u64).sum();
    let length = |rest: &Rest| std::fs::metadata(&rest.path).map_or(0, |file| file.len());
    let text = text + rest.map_or(0, |rest| length(rest).saturating_sub(rest.from));
    text * 3 + whole.map_or(0, |outcome| outcome.combined.bytes)
}

/// Removes a file with a full output that is no longer needed.
pub(crate) fn discard(outcome: &Outcome) {
    if let Some(path) = &outcome.combined.spilled {
        let _ = std::fs::remove_file(path);
    }
}

/// The note about an output of which only the first bytes are searchable.
pub(crate) fn only_the_first(bytes: u64, path: &Path) -> String {
    format!("Only its first {} can be searched; the whole is in {}.", Amount::bytes(bytes), path.display())
}

/// How many bytes failures may take.
pub(crate) fn failure_budget(has_intent: bool) -> usize {
    if has_intent { FAILURES_BESIDE_INTENT } else { BUDGET - NOTES_BYTES }
}
