//! The words and forms of success and failure, as one table. Owns the patterns, the stems that make a line worth checking, and the
//! literals that a pattern needs.

use std::sync::LazyLock;

use crate::{Pattern, WordList};

/// Stems that make a line worth checking. Every pattern below needs one of them in the line.
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

/// What programs put before a failure in other languages, for the stems and the pattern `CODE`.
const FOREIGN: &[&str] = &[
    "fehler",
    "schwerwiegend",
    "erreur",
    "erro:",
    "erro :",
    "ошибка",
    "ОШИБКА",
    "Ошибка",
    "błąd",
    "BŁĄD",
    "Błąd",
    "错误",
    "錯誤",
    "エラー",
    "오류",
];

static STEM_LIST: LazyLock<WordList> =
    LazyLock::new(|| WordList::new(STEMS.iter().chain(FOREIGN).copied(), true));

/// Whether one of [`STEMS`] or [`FOREIGN`] is in `line`.
pub(super) fn has_stem(line: &str) -> bool {
    STEM_LIST.is_in(line)
}

/// Patterns that need one of their literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GatedPattern {
    Code,
    Exit,
    Level,
    NoneOf,
    Harmless,
    Quiet,
}

/// What a line must contain, in either case, for a pattern to match. A line with a stem has a handful of these patterns to try,
/// most in vain; one scan tells which.
const LITERALS: &[(GatedPattern, &[&str])] = &[
    (
        GatedPattern::Code,
        &[
            "enoent",
            "eacces",
            "econnre",
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
            "npm err",
            "err_",
            "unhandledpromise",
            "errore",
        ],
    ),
    (GatedPattern::Code, FOREIGN),
    (GatedPattern::Exit, &["exit ", "exited ", "non-zero", "nonzero", "status code"]),
    (GatedPattern::Level, &["crit", "severe", "emerg", "fatal", "err"]),
    (GatedPattern::NoneOf, &["no ", "no-", "zero", "without", "free of", "never", "non ", "non-", "0 "]),
    (
        GatedPattern::Harmless,
        &[
            "error ",
            "errors ",
            "error-",
            "errors-",
            "should ",
            "must ",
            "ed to ",
            "would ",
            "does ",
            "might ",
            "may ",
            "can ",
            "could ",
            "exception",
            "if ",
            "in the cache",
        ],
    ),
    (GatedPattern::Quiet, &["info", "debug", "trace", "notice", "verbose", "warn"]),
];

static GATES: LazyLock<WordList> =
    LazyLock::new(|| WordList::new(LITERALS.iter().flat_map(|(_, literals)| literals.iter().copied()), true));

/// The pattern of each literal in [`GATES`].
static GATE_OF: LazyLock<Vec<GatedPattern>> = LazyLock::new(|| {
    LITERALS.iter().flat_map(|(gated, literals)| std::iter::repeat_n(*gated, literals.len())).collect()
});

/// The gated patterns that could match in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct PossiblePatterns(u8);

impl PossiblePatterns {
    pub(super) fn of(line: &str) -> Self {
        let mut all = 0;
        GATES.each(line, |literal, _| {
            if let Some(gated) = GATE_OF.get(literal) {
                all |= 1 << *gated as u8;
            }
        });
        Self(all)
    }

    pub(super) fn has(self, gated: GatedPattern) -> bool {
        self.0 & 1 << gated as u8 != 0
    }
}

pub(super) fn is(pattern: &LazyLock<Option<Pattern>>, line: &str) -> bool {
    pattern.as_ref().is_some_and(|p| p.is_match(line))
}

pub(super) fn find(pattern: &LazyLock<Option<Pattern>>, line: &str) -> Option<usize> {
    pattern.as_ref().and_then(|p| p.find(line)).map(|found| found.start)
}

/// A blank, as in the patterns.
pub(super) fn blank(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '\u{b}' | '\u{a0}')
}

/// Compiles a pattern. An invalid one never matches; a test compiles them all.
fn pattern(source: &str) -> Option<Pattern> {
    Pattern::new(source).ok()
}

macro_rules! patterns {
    ($($name:ident = $source:expr;)*) => {
        $(pub(super) static $name: LazyLock<Option<Pattern>> = LazyLock::new(|| pattern($source));)*
        #[cfg(test)]
        const ALL: &[(&str, &LazyLock<Option<Pattern>>)] = &[$((stringify!($name), &$name)),*];
    };
}

patterns! {
    // Words of failure with their endings; code checks their context.
    WORD = r"(?i)(?:errors?|fail(?:s|ed|ures?|ing)?|panic(?:s|ked|king)?|exceptions?|assert|assertion (?:failed|error|failure)|traceback|fatal|denied|declined|abort(?:ed|ing)?|crash(?:ed|es)?|segfault(?:ed)?|segmentation fault|core dumped|undefined (?:reference|symbols?|method|variable|local variable|name|function|index)|unresolved (?:external|import|reference|symbol|module|dependency)|cannot|can't|could not|couldn't|unable to|command not found|no such (?:file|command|module|host|table|image|container|package)|not ok|timed out|out of memory|oomkilled|oom|killed|refused|unhandled|uncaught|(?:stack|buffer|integer) overflow|deadlock(?:ed)?|corrupt(?:ed|ion)?)";
    // Failures only in capitals, as log levels.
    LEVEL = r"\b(?:CRITICAL|CRIT|SEVERE|EMERG|EMERGENCY|FATAL|ERROR|ERR)\b";
    // Error codes and forms without any of the words.
    CODE = r"\bE(?:NOENT|ACCES|CONNREFUSED|CONNRESET|PERM|ADDRINUSE|TIMEDOUT|PIPE|NOTFOUND|LIFECYCLE|RESOLVE|EXIST|NOSPC|NOMEM)\b|npm (?:ERR!|error)|\bERR_[A-Z_]{3,}|\bUnhandledPromiseRejection|(?:^|[\s\[(<])(?:[Ff]ehler|FEHLER|Schwerwiegend(?:er Fehler)?|[Ee]rreur|ERREUR|[Ee]rrore|ERRORE|[Ee]rro|ERRO|[Оо]шибка|ОШИБКА|[Bb]łąd|BŁĄD|错误|錯誤|エラー|오류) ?(?::|：|\])";
    EXIT = r"(?i)\bexit(?:ed)? (?:with )?(?:code|status|value)[:= ]*-?[1-9]\d*|\bnon-?zero (?:exit|status|return)|\breturned non-?zero|\bstatus code[: ]+[45]\d\d\b";
    // Marks of test runners and compilers at the start of a line.
    MARK = r#"^\s*(?:✕|✗|✖|✘|×|❌|●\s+\S|E {2,}\S|e: (?:file:)?\S+\.kts?|not ok\b|\*{3} )"#;
    // Compilers and checkers whose findings contain no word of failure.
    CHECKER = r"^(?:\./|\.\\|[A-Za-z]:\\)?[^\s:]+\.(?:go:\d+:\d+: \S|py:\d+:\d+: [A-Z]{1,4}\d{2,5}\b)|^\s+\S+_test\.go:\d+: \S";
    // Any `file:line: text`, unless it is a note.
    PLACE = r"^\s*(?:\./|[A-Za-z]:\\|/)?[\w@./\\+-]*\w\.[A-Za-z]\w{0,7}[:(]\d+(?:[:,]\d+)?\)?: \S";
    REMARK = r"(?i)\b(?:warning|warn|note|info|help|hint|remark|debug|style|suggestion)\b";
    // A harmless use; group 1 is the word that it makes harmless.
    NONE_OF = r"(?i)(?:\b(?:no|zero|without(?: any)?|free of|never|non)[ -](?:[a-z-]+ ){0,2}?|(?:^|[\s,;:(\[=])0 (?:[a-z-]+ )?)(errors?|fail(?:s|ed|ures?|ing)?|exceptions?|panics?|crash(?:es|ed)?|aborted|denied|timed out|killed|unhandled|uncaught|refused|corruption|deadlocks?)\b";
    IS_NONE = r#"(?i)(?:^|[^A-Za-z])(errors?|fail(?:s|ed|ures?|ing)?|exceptions?|panics?|crash(?:es|ed)?|aborted|denied|timed ?out|killed|fatal|refused)(?:\(s\))?["']?\s*[:=]\s*(?:(?:none|null|nil|undefined|false|ok|""|''|\[\]|\{\}|0(?:\.0+)?%?)\s*(?:[,;)}\]|]|$)|0\s+[A-Za-z][\w ]*[:=])"#;
    HARMLESS = r"(?i)(errors?)[ -](?:handling|handlers?|boundary|boundaries|budget|correction|margin|bars?|tolerance|free|reporting|recovery|types?|page)\b|\b(?:should|must|expected to|supposed to|would|does|might|may|can|could) (?:not )?(fail|panic|error|crash|abort)\b|\bwith the (exception) of\b|\bthe (exception) that proves\b|\bif (?:it|this|that|they) (fails?)\b|\b(can't) be found in the cache and will be fetched\b";
    // A passed test or step, whatever its name contains.
    PASSED = r"^(?:=== (?:RUN|PAUSE|CONT|NAME)|\s*(?:[✓√✔]|✅|\[?(?:PASS|PASSED|OK|ok)\]?[\s:]|--- PASS|ok\s+\d))";
    // A necessary part of `PASSED_END`; finding it is cheaper than trying that on every line.
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
    // Of these, only times and durations. An identity may be the very thing that was asked for.
    MOMENT = r"(?i)\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|seconds|m)\b";
    EVIDENCE = r"(?i)^\s*(?:[+-] )?(?:expected|received|actual|got|want|wanted|left|right|but was)\b[^:=]{0,24}[:=]|^\s*--> \S+:\d+";
    NUMBERED = r"^\s+\d+:\d+\s";
    ADDRESS = r"^\S*[./\\]\S*[A-Za-z0-9]$";
}

#[cfg(test)]
mod tests {
    use super::{ALL, CODE, EXIT, GatedPattern, HARMLESS, LEVEL, NONE_OF, PossiblePatterns, QUIET, is};

    #[test]
    fn every_match_passes_the_quick_check() {
        let patterns = [
            (GatedPattern::Code, &CODE),
            (GatedPattern::Exit, &EXIT),
            (GatedPattern::Level, &LEVEL),
            (GatedPattern::NoneOf, &NONE_OF),
            (GatedPattern::Harmless, &HARMLESS),
            (GatedPattern::Quiet, &QUIET),
        ];
        let mut seen = [0; 6];
        for line in include_str!("../../tests/fixtures/gated.txt").lines() {
            for (at, (gated, pattern)) in patterns.iter().enumerate() {
                let matches = is(pattern, line);
                seen[at] += usize::from(matches);
                assert!(!matches || PossiblePatterns::of(line).has(*gated), "{gated:?}: {line}");
            }
        }
        assert!(seen.iter().all(|count| *count > 3), "{seen:?}");
    }

    #[test]
    fn every_pattern_compiles() {
        for (name, pattern) in ALL {
            assert!(pattern.is_some(), "{name}");
        }
    }
}
