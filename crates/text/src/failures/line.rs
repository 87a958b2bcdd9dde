//! What a single line says: a failure, a total, or nothing. Owns the words, their neighbours that turn them into
//! something harmless ("0 errors", "no failures", `error_handler.rs`), and the forms of compilers and test runners.
//! Knows one line at a time and keeps no state.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use regex::Regex;

/// Longest line judged in one go; a longer one is judged in parts.
pub(super) const MAX_SCANNED: usize = 1 << 20;

/// What a line says about success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// Nothing about failure.
    Nothing,
    /// States a failure.
    Failure,
    /// Uses a word of failure where it may be harmless: in an information or warning line, or a bare `file:line:`.
    Doubtful,
    /// Counts results (`3 failed, 40 passed`); `failed` when a count of failures is not zero.
    Total {
        /// Whether the line also states a failure.
        failed: bool,
    },
}

/// Stems whose presence makes a line worth a closer look. Everything below can only match where one of these does.
const STEMS: &[&str] = &[
    "error",
    "err!",
    "fail",
    "panic",
    "exception",
    "assert",
    "traceback",
    "fatal",
    "denied",
    "declined",
    "abort",
    "crash",
    "segfault",
    "segmentation fault",
    "core dumped",
    "critical",
    "severe",
    "emerg",
    "undefined",
    "unresolved",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable to",
    "not found",
    "no such",
    "not ok",
    "timed out",
    "out of memory",
    "oom",
    "killed",
    "refused",
    "unhandled",
    "uncaught",
    "overflow",
    "exit code",
    "exit status",
    "exited with",
    "status code",
    "non-zero",
    "nonzero",
    "enoent",
    "eacces",
    "econn",
    "eperm",
    "eaddrinuse",
    "etimedout",
    "epipe",
    "enotfound",
    "elifecycle",
    "eresolve",
    "eexist",
    "enospc",
    "enomem",
    "passed",
    "passing",
    "problem",
    "warning",
    "skipped",
    "tests run",
    "✕",
    "✗",
    "✖",
    "✘",
    "×",
    "●",
    "❌",
    "mismatch",
    "unexpected",
    "invalid",
    "deadlock",
    "corrupt",
    "leaked",
];

static PREFILTER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasickBuilder::new().ascii_case_insensitive(true).build(STEMS).ok());

/// A pattern of this file. An invalid one never matches; a test compiles them all.
fn pattern(source: &str) -> Option<Regex> {
    Regex::new(&crate::plain_pattern(source)).ok()
}

macro_rules! patterns {
    ($($name:ident = $source:expr;)*) => {
        $(static $name: LazyLock<Option<Regex>> = LazyLock::new(|| pattern($source));)*
        #[cfg(test)]
        const ALL: &[(&str, &LazyLock<Option<Regex>>)] = &[$((stringify!($name), &$name)),*];
    };
}

patterns! {
    // Words of failure, with their endings; what stands around them is checked by hand.
    WORD = r"(?i)(?:errors?|fail(?:s|ed|ures?|ing)?|panic(?:s|ked|king)?|exceptions?|assert|assertion (?:failed|error|failure)|traceback|fatal|denied|declined|abort(?:ed|ing)?|crash(?:ed|es)?|segfault(?:ed)?|segmentation fault|core dumped|undefined (?:reference|symbols?|method|variable|local variable|name|function|index)|unresolved (?:external|import|reference|symbol|module|dependency)|cannot|can't|could not|couldn't|unable to|command not found|no such (?:file|command|module|host|table|image|container|package)|not ok|timed out|out of memory|oomkilled|oom|killed|refused|unhandled|uncaught|(?:stack|buffer|integer) overflow|deadlock(?:ed)?|corrupt(?:ed|ion)?)";
    // Words that are failures only in capitals, as log levels.
    LEVEL = r"\b(?:CRITICAL|CRIT|SEVERE|EMERG|EMERGENCY|FATAL|ERROR|ERR)\b";
    // Error codes and forms that contain none of the words.
    CODE = r"\bE(?:NOENT|ACCES|CONNREFUSED|CONNRESET|PERM|ADDRINUSE|TIMEDOUT|PIPE|NOTFOUND|LIFECYCLE|RESOLVE|EXIST|NOSPC|NOMEM)\b|npm (?:ERR!|error)|\bERR_[A-Z_]{3,}|\bUnhandledPromiseRejection";
    EXIT = r"(?i)\bexit(?:ed)? (?:with )?(?:code|status|value)[:= ]*-?[1-9]\d*|\bnon-?zero (?:exit|status|return)|\breturned non-?zero|\bstatus code[: ]+[45]\d\d\b";
    // Marks of test runners and compilers at the start of a line.
    MARK = r#"^\s*(?:✕|✗|✖|✘|×|❌|●\s+\S|E {2,}\S|e: (?:file:)?\S+\.kts?|not ok\b|\*{3} )"#;
    // Compilers and checkers whose findings carry no word of failure.
    CHECKER = r"^(?:\./|\.\\|[A-Za-z]:\\)?[^\s:]+\.(?:go:\d+:\d+: \S|py:\d+:\d+: [A-Z]{1,4}\d{2,5}\b)|^\s+\S+_test\.go:\d+: \S";
    // Any `file:line: text`, unless it calls itself a remark.
    PLACE = r"^\s*(?:\./|[A-Za-z]:\\|/)?[\w@./\\+-]*\w\.[A-Za-z]\w{0,7}[:(]\d+(?:[:,]\d+)?\)?: \S";
    REMARK = r"(?i)\b(?:warning|warn|note|info|help|hint|remark|debug|style|suggestion)\b";
    // A harmless use; group 1 is the word that it makes harmless.
    NONE_OF = r"(?i)(?:\b(?:no|zero|without(?: any)?|free of|never|non)[ -](?:[a-z-]+ ){0,2}?|(?:^|[\s,;:(\[=])0 (?:[a-z-]+ )?)(errors?|fail(?:s|ed|ures?|ing)?|exceptions?|panics?|crash(?:es|ed)?|aborted|denied|timed out|killed|unhandled|uncaught|refused|corruption|deadlocks?)\b";
    IS_NONE = r#"(?i)(?:^|[^A-Za-z])(errors?|fail(?:s|ed|ures?|ing)?|exceptions?|panics?|crash(?:es|ed)?|aborted|denied|timed ?out|killed|fatal|refused)(?:\(s\))?["']?\s*[:=]\s*(?:(?:none|null|nil|undefined|false|ok|""|''|\[\]|\{\}|0(?:\.0+)?%?)\s*(?:[,;)}\]|]|$)|0\s+[A-Za-z][\w ]*[:=])"#;
    HARMLESS = r"(?i)(errors?)[ -](?:handling|handlers?|boundary|boundaries|budget|correction|margin|bars?|tolerance|free|reporting|recovery|types?|page)\b|\b(?:should|must|expected to|supposed to|would|does|might|may|can|could) (?:not )?(fail|panic|error|crash|abort)\b|\bwith the (exception) of\b|\bthe (exception) that proves\b|\bif (?:it|this|that|they) (fails?)\b";
    // A test or step that went well, whatever its name says.
    PASSED = r"^(?:=== (?:RUN|PAUSE|CONT|NAME)|\s*(?:[✓√✔]|✅|\[?(?:PASS|PASSED|OK|ok)\]?[\s:]|--- PASS|ok\s+\d))";
    // What `PASSED_END` is about; looking for it is cheaper than asking that about every line.
    PASSED_WORD = r"\.\.|PASSED|SKIPPED|XFAIL|Passed";
    PASSED_END = r"(?:\.\.\.|\.{2,}) ?(?:ok|OK|passed|Passed|PASSED|skipped|ignored)\b[^a-z]*$|\s(?:PASSED|SKIPPED|XFAIL|Passed)(?:\s+(?:\[\s*\d+%\]|[\d.]+ ?m?s(?:ec)?))?\s*$";
    PACKAGE = r"^[dlcbps-][rwxsStT-]{9}[.+@]?\s|^\s*(?:Compiling|Checking|Downloaded|Downloading|Fresh|Adding|Locking|Updating|Removing|Documenting|Unpacking|Collecting|Requirement already satisfied|Using cached|Installing|Setting up|Selecting previously)\b:?\s+\S+(?:\s+\(?v?\d\S*|\s*$)";
    // Information lines: an optional time, then the level.
    QUIET = r#"^\s*(?:[\[(<]?\d[\d:.,TZ/+ -]*[\])>]?\s*)?[\[(<|]?\s*(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE|info|debug|trace|notice|verbose|WARN|WARNING|warn|warning|npm warn)\b|\blevel["']?[=:]\s*["']?(?:info|debug|trace|warn)"#;
    LOUD = r"(?i)\b(?:panicked|traceback|fatal error|uncaught|unhandled|segmentation fault|out of memory)\b";
    // Counts of results.
    COUNT = r"(?i)(?:^|[\s,;(\[|=])(\d[\d,]*)\s+(?:[a-z]+\s+)?(failed|failures?|failing|errors?|error\(s\)|problems?|passed|passing|skipped|warnings?|warning\(s\)|ignored|pending|broken|aborted|crashed|timed out)\b|\b(tests run|tests|failed|failures?|failing|errors?|passed|passing|passes|skipped|warnings?|problems)\s*[:=]\s*(\d[\d,]*)(?:[\s,;|)]|$)";
    // Times, addresses, identities and durations: what differs between two occurrences of the same failure.
    VARYING = r"(?i)\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|\b0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|seconds|m)\b|\b\d{10,}\b";
    // Of these, what says only when and how long. An identity may be the very thing that was asked for.
    MOMENT = r"(?i)\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|seconds|m)\b";
    EVIDENCE = r"(?i)^\s*(?:[+-] )?(?:expected|received|actual|got|want|wanted|left|right|but was)\b[^:=]{0,24}[:=]|^\s*--> \S+:\d+";
    NUMBERED = r"^\s+\d+:\d+\s";
    ADDRESS = r"^\S*[./\\]\S*[A-Za-z0-9]$";
}

fn is(pattern: &LazyLock<Option<Regex>>, line: &str) -> bool {
    pattern.as_ref().is_some_and(|p| p.is_match(line))
}

fn find(pattern: &LazyLock<Option<Regex>>, line: &str) -> Option<usize> {
    pattern.as_ref().and_then(|p| p.find(line)).map(|m| m.start())
}

/// What `line` says, judged by itself.
#[must_use]
pub fn mention(line: &str) -> Mention {
    judge(visible(&crate::strip_ansi(line))).mention
}

/// The same, with whether any word was in it that made it worth a closer look. Where none was, nothing that is said by
/// such a word has to be looked for.
#[must_use]
pub fn mention_and_words(line: &str) -> (Mention, bool) {
    let judged = judge(visible(&crate::strip_ansi(line)));
    (judged.mention, judged.worded)
}

/// Whether `line` says of a test or a step that it went well, whatever words its name is made of.
#[must_use]
pub fn passes(line: &str) -> bool {
    is(&PASSED, line) || is(&PASSED_WORD, line) && is(&PASSED_END, line)
}

/// A line without its line end and without what a progress bar overwrote to nothing.
pub(super) fn visible(line: &str) -> &str {
    line.trim_end_matches(['\r', '\n'])
}

/// What a line was found to say.
pub(super) struct Judged {
    pub(super) mention: Mention,
    /// The byte where it says so.
    pub(super) spot: usize,
    /// One of [`STEMS`] is in it.
    worded: bool,
}

/// What `line` says, and where.
pub(super) fn judge(line: &str) -> Judged {
    let worded = PREFILTER.as_ref().is_some_and(|stems| stems.is_match(line));
    let (mention, spot) =
        if worded { judge_words(line) } else { (checker(line).unwrap_or(Mention::Nothing), 0) };
    Judged { mention, spot, worded }
}

fn judge_words(line: &str) -> (Mention, usize) {
    let total = total(line);
    if passes(line) || is(&PACKAGE, line) {
        return (total.map_or(Mention::Nothing, |_| Mention::Total { failed: false }), 0);
    }
    let spot = statement(line);
    if let Some(failed_count) = total {
        let failed = failed_count || spot.is_some_and(|_| !is(&QUIET, line) && outside_counts(line));
        return (Mention::Total { failed }, spot.unwrap_or(0));
    }
    match spot {
        // A lone lower-case word is more often a name in a list than a statement.
        Some(spot) if line.trim().bytes().all(|b| b.is_ascii_lowercase()) => (Mention::Doubtful, spot),
        Some(spot) if is(&QUIET, line) && !is(&LOUD, line) => (Mention::Doubtful, spot),
        Some(spot) => (Mention::Failure, spot),
        None => (checker(line).unwrap_or(Mention::Nothing), 0),
    }
}

/// Findings that name a place and no word of failure.
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

/// Whether a figure stands behind a colon or a bracket, as in every place in a file.
fn may_name_place(line: &str) -> bool {
    let bytes = line.as_bytes();
    memchr::memchr2_iter(b':', b'(', bytes).any(|at| bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
}

/// `Some(true)` when the line counts failures above zero, `Some(false)` when it counts results without any.
fn total(line: &str) -> Option<bool> {
    if !may_count(line) {
        return None;
    }
    let mut counted = false;
    let mut failed = false;
    for found in COUNT.as_ref()?.captures_iter(line) {
        let (number, word) = match (found.get(1), found.get(2), found.get(3), found.get(4)) {
            (Some(n), Some(w), _, _) | (_, _, Some(w), Some(n)) => {
                (n.as_str(), w.as_str().to_ascii_lowercase())
            }
            _ => continue,
        };
        counted = true;
        let bad = ["fail", "error", "problem", "broken", "abort", "crash", "timed"]
            .iter()
            .any(|w| word.starts_with(w));
        failed |= bad && number.bytes().any(|b| (b'1'..=b'9').contains(&b));
    }
    counted.then_some(failed)
}

/// Whether a figure stands where one that [`COUNT`] counts could: by itself before a blank, or after a word and a colon
/// or equals sign. Most lines that name a failure have no count, and this sees it at a glance.
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

/// What patterns call a blank.
fn blank(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '\u{b}' | '\u{a0}')
}

/// Whether a word of failure is left when the counts are taken out of a line of totals.
fn outside_counts(line: &str) -> bool {
    let Some(counts) = COUNT.as_ref() else { return false };
    let rest = counts.replace_all(line, " ");
    word(&rest, &[&WORD]).is_some() || is(&CODE, &rest) || is(&EXIT, &rest)
}

/// Where the line first states a failure: a mark, a code, a word or a level.
fn statement(line: &str) -> Option<usize> {
    let forms = [find(&MARK, line), find(&CODE, line), find(&EXIT, line)];
    forms.into_iter().chain([word(line, &[&WORD, &LEVEL])]).flatten().min()
}

/// The first word of failure among `patterns` that means one.
fn word(line: &str, patterns: &[&LazyLock<Option<Regex>>]) -> Option<usize> {
    // What stands around a word is looked at only once there is one.
    let mut ranges = None;
    let first = |pattern: &&LazyLock<Option<Regex>>| {
        let mut found = pattern.as_ref()?.find_iter(line);
        let means = found.find(|m| {
            stands_alone(line, m.start(), m.end())
                // `ERROR=0` and `errors: none` state nothing.
                && !covered(ranges.get_or_insert_with(|| harmless(line)), m.start())
        });
        means.map(|m| m.start())
    };
    patterns.iter().filter_map(first).min()
}

/// Byte ranges of the words that what stands beside them makes harmless, in order.
fn harmless(line: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for pattern in [&NONE_OF, &IS_NONE, &HARMLESS] {
        let Some(pattern) = pattern.as_ref() else { continue };
        for found in pattern.captures_iter(line) {
            out.extend(found.iter().skip(1).flatten().map(|m| (m.start(), m.end())));
        }
    }
    out.sort_unstable();
    out
}

fn covered(ranges: &[(usize, usize)], at: usize) -> bool {
    let after = ranges.partition_point(|(start, _)| *start <= at);
    after > 0 && ranges[after - 1].1 > at
}

/// Whether the word at `start..end` is a word of the language and not part of a name: `thiserror`, `error.rs`,
/// `on-error`, `fail_fast`. `TypeError` and `java.io.IOException` count.
fn stands_alone(line: &str, start: usize, end: usize) -> bool {
    let before = line[..start].chars().next_back();
    let mut after = line[end..].chars();
    let (next, second) = (after.next(), after.next());
    let capital = line[start..].starts_with(|c: char| c.is_ascii_uppercase());
    let hump = capital
        && matches!(&line[start..end], "Error" | "Exception" | "Failure" | "Panic")
        && matches!(&line[start..end], "Error" | "Exception" | "Failure" | "Failed" | "Panic" | "Fault")
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
        Some('(') => line[end..].starts_with("(s)") || !line[end..].starts_with("()"),
        Some(c) => !c.is_alphanumeric(),
    };
    left && right
}

/// Whether the line says what was expected and what came, and so belongs to the failure above it.
pub(super) fn is_evidence(line: &str) -> bool {
    is(&EVIDENCE, &line[..line.floor_char_boundary(200)])
}

/// The line when it is a file name that heads a group of diagnostics.
pub(super) fn header(line: &str) -> Option<&str> {
    (line.len() < 300 && is(&ADDRESS, line)).then_some(line)
}

/// Whether the line gives only `line:column` and needs the file name above it.
pub(super) fn wants_header(line: &str) -> bool {
    is(&NUMBERED, line)
}

/// Equal for lines that differ only in times, addresses, identities and durations.
#[must_use]
pub fn same_key(line: &str) -> u64 {
    let head = line[..line.floor_char_boundary(4096)].trim();
    // Whatever varies has a figure in it.
    if !head.bytes().any(|byte| byte.is_ascii_digit()) {
        return hash(head);
    }
    let plain = VARYING.as_ref().map_or(std::borrow::Cow::Borrowed(head), |p| p.replace_all(head, "#"));
    hash(plain.as_ref())
}

/// Equal for messages that differ only in times and durations; `None` for a line that is no message: where few words
/// are left beside its figures and identities, those are what it says.
#[must_use]
pub fn message_key(line: &str) -> Option<u64> {
    if line.len() > 4096 || !line.bytes().any(|byte| byte.is_ascii_digit()) || !is_message(line) {
        return None;
    }
    Some(hash(MOMENT.as_ref()?.replace_all(line.trim(), "#").as_ref()))
}

/// Whether a line has words beside what varies in it: two at least, of two letters or more.
#[must_use]
pub fn is_message(line: &str) -> bool {
    let head = &line[..line.floor_char_boundary(4096)];
    let Some(varying) = VARYING.as_ref() else { return false };
    let words = varying.replace_all(head, " ");
    words.split(|c: char| !c.is_alphanumeric()).filter(|word| is_word(word)).nth(1).is_some()
}

fn is_word(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.chars().all(char::is_alphabetic)
}

/// Whether [`same_key`] of two lines could be equal, or [`message_key`]; sees at a glance
/// that most are not.
#[must_use]
pub fn may_be_same(a: &str, b: &str) -> bool {
    // Of what varies only these letters and signs can be a part; whatever else is ASCII must be the same in both.
    let fixed = |byte: &u8| {
        byte.is_ascii()
            && !byte.is_ascii_hexdigit()
            && !byte.is_ascii_whitespace()
            && !b"xXtTzZ:.,+-mMsSeEcCoOnNdDuU#\x0b".contains(byte)
    };
    let head = |line: &'_ str| line.floor_char_boundary(4096);
    a[..head(a)].bytes().filter(fixed).eq(b[..head(b)].bytes().filter(fixed))
}

/// Equal for lines that differ only in figures.
#[must_use]
pub fn kind_key(line: &str) -> u64 {
    let mut out = String::new();
    let mut in_number = false;
    for c in line[..line.floor_char_boundary(512)].trim().chars() {
        let digit = c.is_ascii_digit();
        if !digit {
            out.push(c);
        } else if !in_number {
            out.push('#');
        }
        in_number = digit;
    }
    hash(&out)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{ALL, is_message, message_key};

    #[test]
    fn times_differ_between_messages_and_identities_do_not() {
        let same = |a: &str, b: &str| message_key(a).is_some() && message_key(a) == message_key(b);
        assert!(same("10:00:01 request served in 3 ms", "10:00:02 request served in 14 ms"));
        for (a, b) in [
            // Nothing but the value: it is what was asked for.
            ("took 3 ms", "took 14 ms"),
            ("2026-11-20T10:00:00Z", "2026-11-20T10:00:01Z"),
            // Which one it is about.
            (
                "order 0190b5a0-0000-7000-8000-00000000001a was sent",
                "order 0190b5a0-0000-7000-8000-00000000001b was sent",
            ),
            ("thread at 0x1f00 has ended", "thread at 0x1f01 has ended"),
            ("order 10000000001 was sent", "order 10000000002 was sent"),
            // Beyond what is compared.
            (
                &format!("served in 1 ms {}a", "x".repeat(5000)),
                &format!("served in 1 ms {}b", "x".repeat(5000)),
            ),
        ] {
            assert!(!same(a, b), "{a} / {b}");
        }
        assert!(!is_message("0190b5a0-dead-7000-beef-00000000001a") && !is_message("12:00:01 a 17"));
    }

    #[test]
    fn every_pattern_compiles() {
        for (name, pattern) in ALL {
            assert!(pattern.is_some(), "{name}");
        }
    }
}
