//! Regular expressions for tools' output: compiled in a fraction of the usual time, because a hook compiles its patterns on every
//! start, and many of them matched against a line at once. Owns the meaning of classes ([`classes`]) and the compiled form
//! ([`bytes`]); the engine is `regex`' own.

mod bytes;
mod classes;

use std::borrow::Cow;
use std::ops::Range;

use regex_automata::meta;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::{Anchored, Input};
use regex_syntax::hir::{Hir, Look};

/// Why a pattern is invalid.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct PatternError {
    /// The index of the faulty one among several; `None` if only all together are too large.
    pub one: Option<usize>,
    /// The compiler's error.
    pub reason: String,
}

/// A pattern whose `\d`, `\s`, `\w` and `\b` are ASCII (plus the no-break space), and so are the two cases of a letter after a
/// leading `(?i)`.
#[derive(Debug)]
pub struct Pattern(meta::Regex);

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// [`PatternError`] if it is invalid.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let wrong = |reason| PatternError { one: None, reason };
        // A case-insensitive pattern has many possible starts, and searching for all of them first gains nothing.
        let seek = !pattern.starts_with("(?i)");
        compile(&[parse(pattern).map_err(wrong)?], seek).map(Self).map_err(wrong)
    }

    /// Compiles a pattern for [`Pattern::replace`] on many lines: slower to compile, but quicker to resolve groups, because each
    /// branch of a byte class is entered directly.
    ///
    /// # Errors
    /// [`PatternError`] if it is invalid.
    pub fn for_groups(pattern: &str) -> Result<Self, PatternError> {
        if pattern.starts_with("(?i)") {
            return Self::new(pattern);
        }
        let wrong = |reason| PatternError { one: None, reason };
        compile(&[parse_plain(pattern).map_err(wrong)?.0], true).map(Self).map_err(wrong)
    }

    /// Whether it matches anywhere in `text`.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Its first match.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.0.find(text).map(|found| found.range())
    }

    /// Its matches, without overlaps.
    pub fn find_iter<'p>(&'p self, text: &'p str) -> impl Iterator<Item = Range<usize>> + 'p {
        self.0.find_iter(text).map(|found| found.range())
    }

    /// The ranges of all groups that took part in any match.
    pub fn groups_iter<'p>(&'p self, text: &'p str) -> impl Iterator<Item = Range<usize>> + 'p {
        self.0.captures_iter(text).flat_map(|found| {
            (1..found.group_len())
                .filter_map(|group| Some(found.get_group(group)?.range()))
                .collect::<Vec<_>>()
        })
    }

    /// The range of the last group that took part in the first match.
    #[must_use]
    pub fn last_group(&self, text: &str) -> Option<Range<usize>> {
        let mut found = self.0.create_captures();
        self.0.captures(text, &mut found);
        (1..found.group_len()).rev().find_map(|group| found.get_group(group)).map(|span| span.range())
    }

    /// The first match replaced by `template`, with `$1` and `${name}` for groups; borrowed without a match.
    #[must_use]
    pub fn replace<'t>(&self, text: &'t str, template: &str) -> Cow<'t, str> {
        let mut found = self.0.create_captures();
        self.0.captures(text, &mut found);
        let Some(whole) = found.get_match() else { return Cow::Borrowed(text) };
        let mut out = String::with_capacity(text.len());
        out.push_str(&text[..whole.start()]);
        found.interpolate_string_into(text, template, &mut out);
        out.push_str(&text[whole.end()..]);
        Cow::Owned(out)
    }

    /// Every match replaced by the literal `with`; borrowed without a match.
    #[must_use]
    pub fn replace_all<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        let mut matches = self.find_iter(text).peekable();
        if matches.peek().is_none() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for found in matches {
            out.push_str(&text[copied..found.start]);
            out.push_str(with);
            copied = found.end;
        }
        out.push_str(&text[copied..]);
        Cow::Owned(out)
    }
}

/// Ordered patterns, of which the first match counts.
#[derive(Debug, Default)]
pub struct Patterns(Option<meta::Regex>);

impl Patterns {
    /// Compiles patterns of [`Pattern`]'s kind; an empty list never matches.
    ///
    /// # Errors
    /// [`PatternError`] with the index of the first invalid pattern.
    pub fn new(patterns: &[impl AsRef<str>]) -> Result<Self, PatternError> {
        if patterns.is_empty() {
            return Ok(Self::default());
        }
        let parse = |(at, pattern): (usize, &_)| match parse(AsRef::as_ref(pattern)) {
            Ok(parsed) => Ok(anchored(parsed)),
            Err(reason) => Err(PatternError { one: Some(at), reason }),
        };
        let parsed = patterns.iter().enumerate().map(parse).collect::<Result<Vec<_>, _>>()?;
        let regex = compile(&parsed, false).map_err(|reason| PatternError { one: None, reason })?;
        Ok(Self(Some(regex)))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The index of the first pattern in order that matches anywhere in `line`. One pass over the line, which ends at the first
    /// letters that no pattern begins with.
    #[must_use]
    pub fn first(&self, line: &str) -> Option<usize> {
        // All are anchored at the start of the line, and of several matches the earliest in order is preferred.
        let found = self.0.as_ref()?.search_half(&Input::new(line).anchored(Anchored::Yes))?;
        Some(found.pattern().as_usize())
    }
}

fn parse(pattern: &str) -> Result<Hir, String> {
    parse_plain(pattern).map(|(parsed, fold)| bytes::to_bytes(parsed, fold))
}

/// The pattern as written, and whether its letters match in both cases.
fn parse_plain(pattern: &str) -> Result<(Hir, bool), String> {
    let (plain, fold) = classes::expand_classes(pattern);
    let parsed = regex_syntax::Parser::new().parse(&plain).map_err(|error| error.to_string())?;
    Ok((parsed, fold))
}

/// The pattern anchored at the start of the line, with what may precede it included.
fn anchored(pattern: Hir) -> Hir {
    if pattern.properties().look_set_prefix().contains(Look::Start) {
        return pattern;
    }
    let anything = Hir::repetition(regex_syntax::hir::Repetition {
        min: 0,
        max: None,
        greedy: false,
        sub: Box::new(Hir::dot(regex_syntax::hir::Dot::AnyByte)),
    });
    Hir::concat(vec![anything, pattern])
}

/// Compiles patterns; `seek` to search for the letters that a match begins with first.
fn compile(patterns: &[Hir], seek: bool) -> Result<meta::Regex, String> {
    let groups = patterns.iter().any(|pattern| pattern.properties().explicit_captures_len() > 0);
    let captures = if groups { WhichCaptures::All } else { WhichCaptures::Implicit };
    let config =
        meta::Config::new().nfa_size_limit(Some(10 << 20)).which_captures(captures).auto_prefilter(seek);
    meta::Builder::new().configure(config).build_many_from_hir(patterns).map_err(|error| {
        // After parsing, only the size can be a problem.
        error
            .size_limit()
            .map_or_else(|| error.to_string(), |limit| format!("it needs more than {limit} bytes"))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::{Regex, RegexSet};

    use super::{Pattern, Patterns, classes::expand_classes};

    #[test]
    fn the_first_in_order_wins_wherever_it_is() {
        let found = Patterns::new(&["b+$", "^a", "c", "^x|y", "^$", "[é✓]"]).unwrap();
        for (line, first) in [
            ("abc", Some(1)),
            ("abb", Some(0)),
            ("xc", Some(2)),
            ("x", Some(3)),
            ("zzy", Some(3)),
            ("", Some(4)),
            ("grün ✓", Some(5)),
            ("d", None),
        ] {
            assert_eq!(found.first(line), first, "{line}");
        }
        assert_eq!(Patterns::default().first("a"), None);
    }

    #[test]
    fn what_does_not_compile_is_named() {
        let error = Patterns::new(&["a", "b("]).unwrap_err();
        assert_eq!(error.one, Some(1));
        assert!(error.reason.contains("unclosed group"), "{error}");
        assert!(Pattern::new(r"\w{500}{500}{500}").unwrap_err().to_string().contains("bytes"));
    }

    #[test]
    fn groups_and_replacements_are_found() {
        for compile in [Pattern::new, Pattern::for_groups] {
            let pattern = compile(r"(?<name>\w+)=(\d+)").unwrap();
            assert_eq!(pattern.replace("ü: größe=12 b=3", "$2 ${name}"), "ü: 12 größe b=3");
            assert_eq!(pattern.replace_all("ü: größe=12 b=3", "$1"), "ü: $1 $1");
            assert_eq!(pattern.groups_iter("a=1 b=22").collect::<Vec<_>>(), [0..1, 2..3, 4..5, 6..8]);
            assert!(matches!(pattern.replace("a", "b"), std::borrow::Cow::Borrowed("a")));
            assert_eq!(compile("(?i)(X)=").unwrap().replace("a x=", "$1"), "a x");
        }
    }

    #[test]
    fn they_match_what_tools_print() {
        for (pattern, text, wanted) in [
            (r"^\s*✓ \S+ \(\d+ ms\)$", "  ✓ grüßt (12 ms)", true),
            (r"^[\w./-]+:\d+$", "src/grüße.rs:12", true),
            (r"\bok\b", "not ok.", true),
            (r"\bok\b", "tokens", false),
            (r"^\D+$", "12", false),
            (r"[\S]", " ", false),
            (r"(?i)^tests? FAILED$", "TEST failed", true),
            (r"(?i)^[a-z]+$", "MiXed", true),
            (r"(?i)^[a-z]+$", "m_x", false),
            (r"(?i)^(?:a|b)$", "B", true),
            (r"(?i)^(?:a|é)x$", "AX", true),
            (r"(?i)^[^a]$", "A", false),
            (r"(?i)^(?:[^a-c]|[^b-d])$", "C", false),
        ] {
            assert_eq!(Pattern::new(pattern).unwrap().is_match(text), wanted, "{pattern} {text}");
        }
    }

    /// Pieces of patterns that treat characters of every length differently.
    const PIECES: &[&str] = &[
        "a",
        ".",
        r"\s",
        r"\S",
        r"\w",
        r"\W",
        r"\d",
        "[^a]",
        "[^é]",
        "[é-✓]",
        "[✓✗]",
        "ü",
        "[^\u{10000}]",
        r"\bb",
        "$",
        "^",
        r"[\u{7ff}-\u{801}]",
        r"\D",
        "(?s:.)",
        "[[:alpha:]]",
        r"\p{Greek}",
    ];

    proptest! {
        #[test]
        fn a_pattern_of_bytes_matches_what_one_of_characters_does(
            pieces in prop::collection::vec((prop::sample::select(PIECES), prop::sample::select(&["", "+", "*?", "{2}", "?"][..])), 1..5),
            text in "[ab é✓\u{a0}\u{7ff}\u{800}😀ασ1]{0,8}",
        ) {
            let pattern: String = pieces
                .iter()
                .map(|(piece, times)| {
                    if matches!(*piece, "^" | "$") { (*piece).to_owned() } else { format!("(?:{piece}){times}") }
                })
                .collect();
            let ours = Pattern::new(&pattern).unwrap();
            let theirs = Regex::new(&expand_classes(&pattern).0).unwrap();
            prop_assert_eq!(ours.is_match(&text), theirs.is_match(&text), "{}", pattern);
            prop_assert_eq!(ours.find(&text), theirs.find(&text).map(|found| found.range()), "{}", pattern);
            let theirs: Vec<_> = theirs.find_iter(&text).map(|found| found.range()).collect();
            prop_assert_eq!(ours.find_iter(&text).collect::<Vec<_>>(), theirs, "{}", pattern);
        }

        #[test]
        fn the_first_match_equals_that_of_a_regex_set(line in "[ab ]{0,6}|\\PC{0,8}") {
            let patterns = ["^ +a", "b a", "^(?:ab|b)+$", "a$", "^[^ab]", "^a|b$", r"\bab\b", "[^ -~]$"];
            let set = RegexSet::new(patterns.map(|pattern| expand_classes(pattern).0)).unwrap();
            let found = Patterns::new(&patterns).unwrap();
            prop_assert_eq!(found.first(&line), set.matches(&line).iter().next());
        }
    }
}
