//! Interprets a single line: a failure, a total, or neither. Owns the words, the context that makes them harmless
//! ("0 errors", "no failures", `error_handler.rs`), and the formats of compilers and test runners. Keeps no state.

use std::sync::LazyLock;

use super::patterns::{
    ADDRESS, CHECKER, CODE, COUNT, EVIDENCE, EXIT, GatedPattern, HARMLESS, IS_NONE, LEVEL, LOUD, MARK,
    NONE_OF, NUMBERED, PACKAGE, PASSED, PASSED_END, PASSED_WORD, PLACE, PossiblePatterns, QUIET, REMARK,
    WORD, blank, find, has_stem, is,
};
use crate::Pattern;

/// The longest line judged at once; a longer one is judged in parts.
pub(super) const MAX_SCANNED: usize = 1 << 20;

/// What a line says about success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// Nothing.
    Nothing,
    /// States a failure.
    Failure,
    /// A word of failure that may be harmless: in an information or warning line, or a bare `file:line:`.
    Doubtful,
    /// Counts results (`3 failed, 40 passed`); `failed` if a failure count isn't zero.
    Total {
        /// Whether the line also states a failure.
        failed: bool,
    },
}

/// What `line` says.
#[must_use]
pub fn mention(line: &str) -> Mention {
    mention_and_words(line).0
}

/// The same, and whether the line contained any stem. If it didn't, it contains nothing that such words would
/// express.
#[must_use]
pub fn mention_and_words(line: &str) -> (Mention, bool) {
    let judged = judge(visible(&crate::strip_ansi(line)));
    (judged.mention, judged.worded)
}

/// Whether `line` reports a passed test or step, whatever words its name contains.
#[must_use]
pub fn passes(line: &str) -> bool {
    // The letters and signs that `PASSED` can begin with; the signs share three bytes.
    begins(line, b"=[-PpOo\xe2") && is(&PASSED, line) || is(&PASSED_WORD, line) && is(&PASSED_END, line)
}

/// Whether the first non-blank byte is one of `bytes`.
fn begins(line: &str, bytes: &[u8]) -> bool {
    line.trim_start_matches(blank).bytes().next().is_some_and(|first| bytes.contains(&first))
}

/// Whether the line lists a package, a crate or a file, whatever words its name contains.
fn is_listed(line: &str) -> bool {
    let listing = line.as_bytes().get(1).is_some_and(|byte| b"rwxsStT-".contains(byte));
    (listing || begins(line, b"CDFALURIS")) && is(&PACKAGE, line)
}

/// A line without its line end and without text that a progress bar overwrote.
pub(super) fn visible(line: &str) -> &str {
    line.trim_end_matches(['\r', '\n'])
}

/// A line's interpretation.
pub(super) struct Judgement {
    pub(super) mention: Mention,
    /// The byte where it says so.
    pub(super) spot: usize,
    /// Whether it contains a stem of failure or success.
    worded: bool,
}

/// What `line` says, and where.
pub(super) fn judge(line: &str) -> Judgement {
    let worded = has_stem(line);
    let (mention, spot) = match labelled_total(line) {
        Some(failed) => (Mention::Total { failed }, 0),
        None if worded => judge_words(line),
        None => (checker(line).unwrap_or(Mention::Nothing), 0),
    };
    Judgement { mention, spot, worded }
}

fn judge_words(line: &str) -> (Mention, usize) {
    let total = total(line);
    if passes(line) || is_listed(line) {
        return (total.map_or(Mention::Nothing, |_| Mention::Total { failed: false }), 0);
    }
    let chances = PossiblePatterns::of(line);
    let spot = statement(line, chances);
    let quiet = || chances.has(GatedPattern::Quiet) && is(&QUIET, line);
    if let Some(failed_count) = total {
        let failed = failed_count || spot.is_some_and(|_| !quiet() && outside_counts(line));
        return (Mention::Total { failed }, spot.unwrap_or(0));
    }
    match spot {
        // A single lower-case word is more often a name in a list than a statement.
        Some(spot) if line.trim().bytes().all(|b| b.is_ascii_lowercase()) => (Mention::Doubtful, spot),
        Some(spot) if quiet() && !is(&LOUD, line) => (Mention::Doubtful, spot),
        Some(spot) => (Mention::Failure, spot),
        None => (checker(line).unwrap_or(Mention::Nothing), 0),
    }
}

/// Findings that name a location without a word of failure.
fn checker(line: &str) -> Option<Mention> {
    let head = &line[..line.floor_char_boundary(512)];
    if !may_name_place(head) && !head.starts_with("E  ") {
        return None;
    }
    if is(&CHECKER, head) || head.starts_with("E  ") && is(&MARK, head) {
        return Some(if is(&REMARK, head) { Mention::Doubtful } else { Mention::Failure });
    }
    (is(&PLACE, head) && !is(&REMARK, head)).then_some(Mention::Doubtful)
}

/// Whether `.ext:12` or `.ext(12` is in `line`, as in every file location; quickly rules out most lines.
#[must_use]
pub fn may_name_place(line: &str) -> bool {
    let bytes = line.as_bytes();
    memchr::memchr2_iter(b':', b'(', bytes)
        .any(|sign| bytes.get(sign + 1).is_some_and(u8::is_ascii_digit) && ends_in_extension(&bytes[..sign]))
}

/// Whether a name ends in a dot and at most eight letters and digits of any script, the first an ASCII letter.
fn ends_in_extension(name: &[u8]) -> bool {
    let inside = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
    // At most seven characters of four bytes after the first letter.
    let length = name.iter().rev().take(1 + 7 * 4).take_while(inside).count();
    let (rest, extension) = name.split_at(name.len() - length);
    rest.ends_with(b".") && extension.first().is_some_and(u8::is_ascii_alphabetic)
}

/// `Some(true)` when the line counts failures above zero, `Some(false)` when it counts results without any.
fn total(line: &str) -> Option<bool> {
    if !may_count(line) {
        return None;
    }
    let mut counted = false;
    let mut failed = false;
    for found in COUNT.as_ref()?.find_iter(line) {
        counted = true;
        failed |= counts_failures(&line[found]);
    }
    counted.then_some(failed)
}

/// The same for a line that is a label and a figure: `ℹ pass 413`, and `# fail 20` in TAP.
fn labelled_total(line: &str) -> Option<bool> {
    let rest = line.trim().strip_prefix("ℹ ").or_else(|| line.trim().strip_prefix("# "))?;
    let (label, figure) = rest.split_once(' ')?;
    let known = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"].contains(&label);
    let figure: u64 = figure.trim().parse().ok().filter(|_| known)?;
    Some(label == "fail" && figure > 0)
}

/// Whether a count found by [`COUNT`] is of failures and not zero: `3 tests failed` or `failed: 3`.
fn counts_failures(count: &str) -> bool {
    let count = count.to_ascii_lowercase();
    let word = if count.starts_with(|c: char| c.is_ascii_alphabetic()) {
        count.as_str()
    } else if count.ends_with("timed out") {
        "timed"
    } else {
        count.rsplit(blank).next().unwrap_or_default()
    };
    ["fail", "error", "problem", "broken", "abort", "crash", "timed"].iter().any(|bad| word.starts_with(bad))
        && count.bytes().any(|b| (b'1'..=b'9').contains(&b))
}

/// Whether a figure is where [`COUNT`] could count it: alone before a blank, or after a word and a colon or equals sign.
/// Most failure lines have no count, and this quickly rules them out.
fn may_count(line: &str) -> bool {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + found;
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
        let (before, after) = (&line[..start], &line[start + length..]);
        let apart = before.is_empty()
            || before.ends_with(blank)
            || before.ends_with([',', ';', '(', '[', '|', '='])
            || bytes[start..start + length].contains(&b',');
        let named = || {
            let name = before.trim_end_matches(blank).strip_suffix([':', '=']);
            name.is_some_and(|name| name.trim_end_matches(blank).ends_with(|c: char| c.is_ascii_alphabetic()))
        };
        if apart && after.starts_with(blank) || named() {
            return true;
        }
        at = start + length;
    }
    false
}

/// Whether a word of failure remains without the counts of a line of totals.
fn outside_counts(line: &str) -> bool {
    let Some(counts) = COUNT.as_ref() else { return false };
    let rest = counts.replace_all(line, " ");
    let chances = PossiblePatterns::of(&rest);
    word(&rest, chances, &[&WORD]).is_some()
        || chances.has(GatedPattern::Code) && is(&CODE, &rest)
        || chances.has(GatedPattern::Exit) && is(&EXIT, &rest)
}

/// Where the line first states a failure: a mark, a code, a word or a level.
fn statement(line: &str, chances: PossiblePatterns) -> Option<usize> {
    // The letters and signs that `MARK` can begin with.
    let mark = || begins(line, b"\xe2\xc3Een*").then(|| find(&MARK, line)).flatten();
    let gated = |gated, pattern| chances.has(gated).then(|| find(pattern, line)).flatten();
    let forms = [mark(), gated(GatedPattern::Code, &CODE), gated(GatedPattern::Exit, &EXIT)];
    let words: &[_] = if chances.has(GatedPattern::Level) { &[&WORD, &LEVEL] } else { &[&WORD] };
    forms.into_iter().chain([word(line, chances, words)]).flatten().min()
}

/// The first word of failure among `patterns` that means one.
fn word(line: &str, chances: PossiblePatterns, patterns: &[&LazyLock<Option<Pattern>>]) -> Option<usize> {
    // The context of a word is checked only if there is one.
    let mut ranges = None;
    let first = |pattern: &&LazyLock<Option<Pattern>>| {
        let mut found = pattern.as_ref()?.find_iter(line);
        let means = found.find(|m| {
            is_whole_word(line, m.start, m.end)
                // `ERROR=0` and `errors: none` state nothing.
                && !is_covered(ranges.get_or_insert_with(|| harmless_ranges(line, chances)), m.start)
        });
        means.map(|m| m.start)
    };
    patterns.iter().filter_map(first).min()
}

/// Byte ranges of the words that their context makes harmless, in order.
fn harmless_ranges(line: &str, chances: PossiblePatterns) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let patterns = [
        (chances.has(GatedPattern::NoneOf), &NONE_OF),
        (memchr::memchr2(b':', b'=', line.as_bytes()).is_some(), &IS_NONE),
        (chances.has(GatedPattern::Harmless), &HARMLESS),
    ];
    for pattern in patterns.into_iter().filter_map(|(may, pattern)| pattern.as_ref().filter(|_| may)) {
        out.extend(pattern.groups_iter(line).map(|group| (group.start, group.end)));
    }
    out.sort_unstable();
    out
}

fn is_covered(ranges: &[(usize, usize)], at: usize) -> bool {
    let after = ranges.partition_point(|(start, _)| *start <= at);
    after > 0 && ranges[after - 1].1 > at
}

/// Whether the word at `start..end` is a word and not part of a name: `thiserror`, `error.rs`, `on-error`, `fail_fast`,
/// `error@plt` and `abort+0x1e` of a binary's symbols. `TypeError`, `Error@cart.js:3` and `java.io.IOException` count.
fn is_whole_word(line: &str, start: usize, end: usize) -> bool {
    let before = line[..start].chars().next_back();
    let mut after = line[end..].chars();
    let (next, second) = (after.next(), after.next());
    let capital = line[start..].starts_with(|c: char| c.is_ascii_uppercase());
    let hump = capital
        && matches!(&line[start..end], "Error" | "Exception" | "Failure" | "Panic")
        && before.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c.is_ascii_uppercase());
    let left = match before {
        None => true,
        Some('.') => capital,
        Some('_' | '-' | '/' | '\\' | '$' | '@' | '#') => false,
        Some(c) if c.is_alphanumeric() => {
            hump && line[start + 1..end].bytes().any(|b| b.is_ascii_lowercase())
        }
        Some(_) => true,
    };
    let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let right = match next {
        None => true,
        Some('_' | '/' | '\\') => false,
        Some('-' | '.') => !joined(second),
        Some('@') => capital || !joined(second),
        Some('+') => !line[end..].starts_with("+0x"),
        Some('(') => line[end..].starts_with("(s)") || !line[end..].starts_with("()"),
        Some(c) => !c.is_alphanumeric(),
    };
    left && right
}

/// Whether the line states expected and actual values, and so belongs to the failure above it.
pub(super) fn is_evidence(line: &str) -> bool {
    is(&EVIDENCE, &line[..line.floor_char_boundary(200)])
}

/// The line, if it is a file name that heads a group of diagnostics.
pub(super) fn header(line: &str) -> Option<&str> {
    // Nearly every line has a blank, and a name has none.
    let may = line.len() < 300 && memchr::memchr(b' ', line.as_bytes()).is_none();
    (may && is(&ADDRESS, line)).then_some(line)
}

/// Whether the line gives only `line:column` and needs the file name above it.
pub(super) fn wants_header(line: &str) -> bool {
    is(&NUMBERED, line)
}

#[cfg(test)]
mod tests {
    use super::{CHECKER, MARK, PACKAGE, PASSED, PLACE, is, is_listed, may_name_place, passes, statement};
    use crate::failures::patterns::PossiblePatterns;

    #[test]
    fn the_quick_check_skips_no_failure() {
        let mut seen = [0; 3];
        for line in include_str!("../../tests/fixtures/gated.txt").lines() {
            for (at, (pattern, found)) in [
                (&MARK, statement(line, PossiblePatterns::of(line)) == Some(0)),
                (&PASSED, passes(line)),
                (&PACKAGE, is_listed(line)),
            ]
            .into_iter()
            .enumerate()
            {
                let matches = is(pattern, line);
                seen[at] += usize::from(matches);
                assert!(!matches || found, "{line}");
            }
        }
        assert!(seen.iter().all(|count| *count > 8), "{seen:?}");
    }

    #[test]
    fn a_symbol_of_a_binary_states_no_failure() {
        let states = |line: &str| statement(line, PossiblePatterns::of(line)).is_some();
        for line in [
            "0000000000002310 <error@plt>:",
            "    2882:\tcall   2310 <error@plt>",
            "    3253:\tjne    3216 <error+0x1e>",
            "                 U error@GLIBC_2.2.5",
        ] {
            assert!(!states(line), "{line}");
        }
        for line in ["Error@https://shop.example/cart.js:12:7", "error @ line 7", "an error+warning at start"]
        {
            assert!(states(line), "{line}");
        }
    }

    #[test]
    fn a_file_and_line_is_never_overlooked() {
        for line in [
            "src/lib.rs:3:5: x",
            "C:\\shop\\a.cs(3,7): x",
            "./cart_test.go:12: x",
            "-.go:1:1: x",
            "a.py:1:2: E501 long",
            "    cart_test.go:12: x",
            "grüße.c\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}\u{fc}:12: x",
            "a.r_123456:9: x",
        ] {
            assert!(is(&PLACE, line) || is(&CHECKER, line), "{line}");
            assert!(may_name_place(line), "{line}");
        }
        for line in [
            "--- PASS: TestTotal (0.00s)",
            "at 10:01:02",
            "took: 3",
            "1.5:3",
            "std::fmt(1)",
            "a.:1",
            ":1",
            "",
        ] {
            assert!(!may_name_place(line), "{line}");
        }
    }
}
