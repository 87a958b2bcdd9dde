//! The laws that every filter's result obeys: never longer than the original; lines that must stay are shown, or
//! counted by one of Plimsoll's marks; a finding keeps its file and its place; no success is stated that the tool
//! didn't print, no line is attributed to another package, and nothing misleads. Owns comparing a result with its
//! original. No form of output is exempt.

use std::collections::HashSet;

use text::failures::{Mention, kind_key, mention, passes};

use crate::by_package;
use crate::diagnostics;
use crate::guard::{carries, has_words, must_stay};
use crate::misleading::misleading;
use crate::normal::{normalise, words_of};
use crate::shortened::Shortened;

/// The address that cases are shown with: as long as a real one.
pub const ADDRESS: &str = "plimsoll://task/t0123456789ab";

/// How a filter's result is compared with its original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A tool's report: every line that must stay is shown or counted.
    Report,
    /// Changed lines of a diff stay as they are, or are counted.
    Diff,
    /// Requested data: the result counts rows that it doesn't show, whatever words they contain.
    Data,
}

/// The laws that `done` breaks as a result for `input`; empty when it obeys them all.
#[must_use]
pub fn laws(form: Form, input: &str, done: Option<&Shortened>) -> Vec<String> {
    let Some(done) = done else { return Vec::new() };
    let mut wrong = Vec::new();
    let shown = done.with_address(Some(ADDRESS));
    if shown.len() > input.len() {
        wrong.push(format!("longer than the original: {} instead of {} bytes", shown.len(), input.len()));
    }
    // Lines grouped by package no longer have the package in front.
    let apart = form == Form::Report && by_package::is_by_package(&done.text);
    if apart {
        wrong.extend(by_package::misplaced(input, &done.text));
    }
    let separated = apart.then(|| by_package::whole(input)).flatten();
    let input = separated.as_deref().unwrap_or(input);
    let plain = text::strip_ansi(input);
    let printed: HashSet<&str> = plain.split(['\n', '\r']).map(str::trim).collect();
    let lost = match form {
        Form::Diff => lost_changes(&plain, &shown),
        Form::Data => lost_rows(&plain, &shown),
        Form::Report => lost_lines(&plain, &shown, &printed, &mut wrong),
    };
    let counted = match form {
        Form::Data => most_counted(&done.text, &printed),
        Form::Diff | Form::Report => counted(&done.text, &printed),
    };
    if lost.len() > counted {
        let lines = lost.iter().take(5);
        wrong.extend(lines.map(|line| format!("a line that must stay is lost and not counted: {line:?}")));
    }
    if form == Form::Report {
        lost_advice(&plain, &shown, done, &mut wrong);
    }
    check_stated_success(form, &plain, &printed, done, &mut wrong);
    wrong.extend(misleading(input, &done.text));
    wrong
}

/// The rows of `plain` with a word that `shown` doesn't have.
fn lost_rows(plain: &str, shown: &str) -> Vec<String> {
    let words: HashSet<&str> = words_of(shown).collect();
    let lost = |line: &&str| {
        must_stay(line) && !carries(shown, line) && !words_of(line).all(|word| words.contains(word))
    };
    plain.lines().flat_map(parts).filter(lost).filter(|line| line.len() <= 400).map(str::to_owned).collect()
}

/// The lines of `plain` that must stay and that `shown` neither has nor counts with its like.
fn lost_lines(plain: &str, shown: &str, printed: &HashSet<&str>, wrong: &mut Vec<String>) -> Vec<String> {
    let normal = normalise(plain);
    let in_list = diagnostics::Completeness::new(&normal, shown, printed);
    wrong.extend(in_list.wrong());
    // Some tools indent their findings below a heading for each file.
    let set_out: String = normal.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    let in_list_below = diagnostics::Completeness::new(&set_out, shown, printed);
    // A use of an undefined symbol is covered by the symbol's line.
    let is_covered_by_symbol = |line: &str| {
        diagnostics::undefined_symbol(line).is_some_and(|symbol| shown.contains(&format!("\n  {symbol}")))
    };
    // A line that ends with a mark represents those of its kind.
    let kinds_shown: HashSet<u64> = shown
        .lines()
        .filter_map(|line| line.rsplit_once("  [").filter(|(_, mark)| is_count(mark)))
        .map(|(line, _)| {
            kind_key(line.trim_start_matches("> ").trim_start_matches(|c: char| c.is_ascii_digit()))
        })
        .collect();
    let kind = |line: &str| kind_key(line.trim_start_matches(|c: char| c.is_ascii_digit()));
    // Maven prints what belongs to an error again, each line with the error's level in front.
    let is_shown_without_level = |line: &str| {
        let rest = line.strip_prefix("[ERROR] ").map(str::trim);
        rest.is_some_and(|rest| !rest.is_empty() && carries(shown, rest))
    };
    let missing = |line: &&str| {
        must_stay(line)
            && !in_list.covers(line)
            && !in_list_below.covers(line.trim_start())
            && !is_covered_by_symbol(line)
            && !carries(shown, line)
            && !is_shown_without_level(line)
            && !kinds_shown.contains(&kind(line))
    };
    // A line of kilobytes is shown only in part, around the relevant words.
    plain
        .lines()
        .flat_map(parts)
        .filter(missing)
        .filter(|line| line.len() <= 400)
        .map(str::to_owned)
        .collect()
}

/// The tool's advice that is neither shown nor counted.
fn lost_advice(plain: &str, shown: &str, done: &Shortened, wrong: &mut Vec<String>) {
    let advice = |line: &&str| {
        let line = line.trim_start_matches([' ', '=', '|', '│', '╰', '─']);
        ["help: ", "hint: ", "suggestion: ", "Did you mean "].iter().any(|word| line.starts_with(word))
    };
    let lost = plain.lines().map(str::trim).filter(advice).find(|line| !carries(shown, line));
    let noted = !done.left_out.is_empty() || done.text.contains('…') || done.text.contains("  [×");
    if let Some(line) = lost.filter(|_| !noted) {
        wrong.push(format!("advice is left out without a note: {line:?}"));
    }
}

/// `×3]`, `×3, times differ]`, `3 more, last 10:00:01]`.
fn is_count(mark: &str) -> bool {
    let mark = mark.trim_start_matches('×');
    mark.ends_with(']') && mark.starts_with(|c: char| c.is_ascii_digit())
}

/// How many lines were left out for lack of room, according to Plimsoll's marks. A tool's own words don't count.
fn counted(shown: &str, printed: &HashSet<&str>) -> usize {
    let ours = shown.lines().map(str::trim).filter(|line| !printed.contains(line));
    ours.map(|line| {
        let gap = line.strip_prefix("… ").map(|rest| rest.trim_start_matches('['));
        let left_out = gap.filter(|gap| {
            gap.ends_with("left out …") || gap.contains("not shown") || gap.contains("not shown]")
        });
        let gap = left_out.and_then(first_number).unwrap_or(0);
        let kind = line.rsplit_once("  [×").and_then(|(_, mark)| first_number(mark)).unwrap_or(1);
        // `×12 request {1 to 12} failed`.
        let times = line.strip_prefix('×').and_then(first_number).unwrap_or(1);
        gap + kind.saturating_sub(1) + times.saturating_sub(1)
    })
    .sum()
}

/// The largest figure that a result itself states: rows, matches or items that it represents.
fn most_counted(shown: &str, printed: &HashSet<&str>) -> usize {
    let ours = shown.lines().filter(|line| !printed.contains(line.trim()));
    ours.flat_map(|line| line.split(|c: char| !c.is_ascii_digit()))
        .filter_map(|digits| digits.parse().ok())
        .max()
        .unwrap_or(0)
}

fn first_number(text: &str) -> Option<usize> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text[..end].parse().ok()
}

/// A line's lasting content: all its states except those that are only progress counts, or that its last state still
/// contains.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    let states = line.split('\r').map(str::trim_end).filter(|state| !state.is_empty());
    let last = states.clone().next_back().unwrap_or("");
    let words: HashSet<&str> = words_of(last).collect();
    states.filter(move |state| {
        let still_printed = words_of(state).all(|word| words.contains(word));
        *state == last || !still_printed && !matches!(mention(state), Mention::Total { .. })
    })
}

/// The changed lines of the diff `plain` that `shown` doesn't have as printed. Nothing but the line's end is taken
/// off here: blanks and carriage returns may be the change.
fn lost_changes(plain: &str, shown: &str) -> Vec<String> {
    let crlf = plain.split('\n').next().is_some_and(|first| first.ends_with('\r'));
    let shown: HashSet<&str> = shown.split('\n').collect();
    let mut hunk = false;
    let mut lost = Vec::new();
    for line in plain.split('\n') {
        hunk |= line.starts_with("@@");
        if !hunk || !line.starts_with(['+', '-']) || line.starts_with("---") || line.starts_with("+++") {
            continue;
        }
        let line = if crlf { line.strip_suffix('\r').unwrap_or(line) } else { line };
        if !shown.contains(line) {
            lost.push(line.to_owned());
        }
    }
    lost
}

/// Words that state a success.
const SUCCESS: &[&str] = &[
    "pass",
    "passed",
    "passing",
    "passes",
    "ok",
    "success",
    "successful",
    "successfully",
    "succeeded",
    "succeeds",
    "clean",
];

/// Statements of success in the result that the tool did not print.
fn check_stated_success(
    form: Form,
    plain: &str,
    printed: &HashSet<&str>,
    done: &Shortened,
    wrong: &mut Vec<String>,
) {
    let all: HashSet<String> = words_of(plain).map(str::to_lowercase).collect();
    for line in done.text.lines().map(str::trim) {
        let bare = line.rsplit_once("  [").filter(|(_, mark)| is_count(mark)).map_or(line, |(line, _)| line);
        if printed.contains(bare) || !states_success(bare) {
            continue;
        }
        let known = match form {
            // Values have another layout there.
            Form::Data => words_of(bare).all(|word| !is_success(word) || all.contains(&word.to_lowercase())),
            Form::Report | Form::Diff => {
                // Plimsoll's counts name what they count with the filter's words, which are checked below.
                line.starts_with("… ")
                    || plain.lines().any(|printed| has_words(printed, bare))
                    || is_success_printed(bare, plain)
            }
        };
        if !known {
            wrong.push(format!("a success is stated that the tool did not print: {line:?}"));
        }
    }
    // Lines that were left out as passed must have been printed as passed.
    let passed = plain.split(['\n', '\r']).filter(|line| states_success(line)).count();
    for (label, count) in &done.left_out {
        let of_results = words_of(label).any(is_success) && !label.starts_with("lines ");
        if of_results && *count > passed {
            wrong.push(format!("left out as {label:?}: {count}, but only {passed} lines say so"));
        }
    }
}

/// Whether each word of success in `line` was printed between the same neighbours. Parts that a layout joins aren't
/// neighbours: a place before a message, a rule's name after it, code that advice would write.
fn is_success_printed(line: &str, plain: &str) -> bool {
    let mut from = 0;
    words_of(line).all(|word| {
        let at = from + line[from..].find(word).unwrap_or(0);
        from = at + word.len();
        if !is_success(word) {
            return true;
        }
        let before = &line[line.floor_char_boundary(at.saturating_sub(8))..at];
        let after = &line[from..line.ceil_char_boundary((from + 8).min(line.len()))];
        let before = [": ", "→ ", "[", "| "]
            .iter()
            .filter_map(|joint| before.rfind(joint).map(|at| at + joint.len()))
            .max()
            .map_or(before, |at| &before[at..]);
        let after = ["]", " →", " at "]
            .iter()
            .filter_map(|joint| after.find(joint))
            .min()
            .map_or(after, |at| &after[..at]);
        plain.contains(format!("{before}{word}{after}").trim())
    })
}

fn is_success(word: &str) -> bool {
    SUCCESS.iter().any(|success| word.eq_ignore_ascii_case(success))
}

/// Whether a line states a success.
fn states_success(line: &str) -> bool {
    // A dot behind a duration is minitest's sign.
    line.ends_with(" s = .")
        || passes(line)
        || words_of(line).any(is_success)
        || line.contains(['✓', '✔', '√', '✅'])
}
