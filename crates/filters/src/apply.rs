//! From a command and what it printed to a shorter text, or none. Owns the choice among filters, the generic filter
//! for unknown commands, and the last check: what is not worth it is left alone.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::cap::cap;
use crate::command::{self, Line, Simple, base, unwrapped};
use crate::definition::Filter;
use crate::lines::Lines;
use crate::native;
use crate::normal::{self, normalise};
use crate::set::FilterSet;

/// The name under which the filter for unknown commands is listed and switched off.
pub const GENERIC: &str = "generic";

/// What a result must save at least, in bytes, to be worth a changed output.
pub const WORTH_BYTES: usize = 120;

/// Room for the address of the full output, in bytes.
const ADDRESS: usize = 64;
/// Outputs of unknown commands are left alone up to this size, in bytes.
const GENERIC_FROM: usize = 6_000;
/// Above this size, in bytes, an output of any kind is cut down to both ends and what must stay. Hosts cut at 30,000
/// characters themselves, and not by what matters.
const CEILING: usize = 24_000;
const CEILING_LINES: usize = 600;

/// A shortened output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortened {
    /// What is left.
    pub text: String,
    /// The filter that did it.
    pub filter: String,
    /// What was left out, by the filter's own words: `("tests passed", 4012)`.
    pub left_out: Vec<(String, usize)>,
}

impl Shortened {
    /// The text with its closing line: what was left out, and where the whole is (`full: plimsoll://task/…`).
    #[must_use]
    pub fn with_address(&self, address: Option<&str>) -> String {
        let mut out = self.text.trim_end_matches('\n').to_owned();
        let mut closing = String::new();
        if !self.left_out.is_empty() {
            let parts: Vec<String> =
                self.left_out.iter().map(|(what, count)| format!("{count} {what}")).collect();
            closing = format!("left out: {}", parts.join(", "));
        }
        if let Some(address) = address {
            let joint = if closing.is_empty() { "" } else { "; " };
            let _ = write!(closing, "{joint}full: {address}");
        }
        if !closing.is_empty() {
            if !out.is_empty() {
                out.push('\n');
            }
            let _ = write!(out, "[{closing}]");
        }
        out.push('\n');
        out
    }
}

/// Programs that print nothing worth a thought; they may stand beside the one command that is filtered.
const SILENT: &[&str] = &[
    "cd", "export", "set", "source", ".", "true", "false", "mkdir", "touch", "rm", "cp", "mv", "sleep",
    "pushd", "popd", "umask", "ulimit", "unset", "alias", "chmod", "chown", "ln", "kill", "test", "[", ":",
    "wait", "exit", "return",
];
/// Stages after a pipe that only take a part of the lines or copy them.
const PARTS: &[&str] = &["head", "tail", "cat", "tee"];
/// Programs whose output is a text that was asked for; it is only cut where the host would cut it anyway.
const VERBATIM: &[&str] =
    &["cat", "sed", "head", "tail", "awk", "jq", "bat", "nl", "less", "more", "xxd", "strings", "base64"];

/// The commands of a line whose output a filter may be for, each with whether its exit code is the line's.
fn subjects(line: &Line) -> Vec<&Simple> {
    let mut found = Vec::new();
    for (at, simple) in line.commands.iter().enumerate() {
        let argv = simple.argv();
        let Some(program) = argv.first() else { continue };
        if simple.to_file || simple.piped_in || SILENT.contains(&base(program)) {
            continue;
        }
        if simple.piped_out {
            let stages = line.commands.iter().skip(at + 1).take_while(|later| later.piped_in);
            let only_parts = stages
                .into_iter()
                .all(|stage| stage.argv().first().is_some_and(|p| PARTS.contains(&base(p))));
            if !only_parts {
                continue;
            }
        }
        found.push(simple);
    }
    found
}

/// Shortens what the command line `command` printed, or leaves it alone (`None`). `exit` is its exit code where known.
#[must_use]
pub fn shorten(set: &FilterSet, command: &str, exit: Option<i32>, output: &str) -> Option<Shortened> {
    let line = command::parse(command);
    let text = normalise(output);
    let mut found = None;
    let mut verbatim = false;
    if !line.odd {
        let subjects = subjects(&line);
        let alone = subjects.len() == 1;
        verbatim = subjects.iter().any(|simple| {
            unwrapped(&simple.argv()).first().is_some_and(|program| VERBATIM.contains(&base(program)))
        });
        for simple in subjects {
            let argv = simple.argv();
            if let Some(done) = by_filter(set, unwrapped(&argv), &text, exit, alone) {
                found = Some(done);
                break;
            }
        }
    }
    finish(set, output, &text, found, verbatim)
}

/// The same for an output whose two parts were printed to different places: the shape is looked for in both together, and
/// each is shortened by itself by the same rules. Only filters by rules do that.
#[must_use]
pub fn shorten_parts(
    set: &FilterSet,
    command: &str,
    _exit: Option<i32>,
    out: &str,
    err: &str,
) -> Option<(Shortened, Shortened)> {
    let line = command::parse(command);
    let simple = line.commands.first().filter(|_| !line.odd && line.commands.len() == 1)?;
    let argv = simple.argv();
    let (out_text, err_text) = (normalise(out), normalise(err));
    let candidates = set.candidates(unwrapped(&argv));
    let filter = candidates
        .iter()
        .filter(|filter| filter.native.is_none())
        .find(|filter| filter.knows(&out_text) || filter.knows(&err_text))?;
    let (out_short, err_short) = (by_rules(filter, &out_text), by_rules(filter, &err_text));
    let mut left_out = out_short.left_out.clone();
    left_out.extend(err_short.left_out.iter().cloned());
    let out_short = Shortened { left_out, ..out_short };
    let whole = out_short.with_address(None).len() + err_short.text.len() + ADDRESS;
    let before = out.len() + err.len();
    (whole + WORTH_BYTES.max(before / 10) <= before).then_some((out_short, err_short))
}

/// Shortens a text that no known command printed: an answer of another tool, a page, a file.
#[must_use]
pub fn shorten_text(set: &FilterSet, output: &str) -> Option<Shortened> {
    let text = normalise(output);
    let json =
        native::json(&text).map(|text| Shortened { text, filter: "json".into(), left_out: Vec::new() });
    finish(set, output, &text, json, false)
}

fn by_filter(
    set: &FilterSet,
    argv: &[String],
    text: &str,
    exit: Option<i32>,
    alone: bool,
) -> Option<Shortened> {
    for filter in set.candidates(argv) {
        if !filter.knows(text) {
            continue;
        }
        if let Some(native) = filter.native {
            // A parser of one shape has nothing to say about two commands' outputs in one.
            if !alone {
                continue;
            }
            let Some(text) = native::run(native, text, argv, exit) else { continue };
            return Some(Shortened { text, filter: filter.name.clone(), left_out: Vec::new() });
        }
        return Some(by_rules(&filter, text));
    }
    None
}

pub(crate) fn by_rules(filter: &Arc<Filter>, text: &str) -> Shortened {
    let mut lines = Lines::new(Arc::clone(filter));
    normal::lines(text).for_each(|line| lines.push(line));
    let (mut text, left_out) = lines.finish();
    if let Some(max) = filter.max_lines {
        text = cap(&text, max, CEILING);
    }
    Shortened { text, filter: filter.name.clone(), left_out }
}

fn finish(
    set: &FilterSet,
    output: &str,
    text: &str,
    found: Option<Shortened>,
    verbatim: bool,
) -> Option<Shortened> {
    let generic = !set.is_off(GENERIC);
    let mut shortened = match found {
        Some(found) => found,
        None if generic && output.len() > if verbatim { CEILING } else { GENERIC_FROM } => {
            generic_text(text, verbatim)
        }
        None => return None,
    };
    if shortened.text.len() > CEILING && generic {
        shortened.text = cap(&shortened.text, CEILING_LINES, CEILING);
    }
    // Nothing is ever left of an output that said something.
    if shortened.text.trim().is_empty() && shortened.left_out.is_empty() {
        return None;
    }
    let whole = shortened.with_address(None).len() + ADDRESS;
    (whole + WORTH_BYTES.max(output.len() / 10) <= output.len()).then_some(shortened)
}

/// For commands without a filter of their own: progress and repeats go.
fn generic_text(text: &str, verbatim: bool) -> Shortened {
    let text =
        if verbatim { text.to_owned() } else { native::json(text).unwrap_or_else(|| native::repeats(text)) };
    Shortened { text, filter: GENERIC.to_owned(), left_out: Vec::new() }
}
