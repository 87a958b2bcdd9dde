//! What several questions about a sentence have in common: whether it has certain words, what follows them, whether it names
//! a rule, the project or a reason. What is made of that is decided in `statement` and `facts`.

use std::borrow::Cow;

use crate::session::extract;

use super::fact_limits::{MOMENTS, NO_PRACTICE};
use super::fact_signs::COMPARED;
use super::fact_subjects::PROJECT;
use super::fault_signs::{DEMANDS, FAILS, FAILS_APART, FAULTS, KNOWN_SUBJECTS};
use super::limits::{FROM_SOON_ON, HERE, LASTING, MEMORIES, QUOTING, SOON, WRITING};
use super::signs::REASONS;
use super::standing_signs::ERRORS_AS_KINDS;

/// Whether a sentence has one of these words or turns.
pub(super) fn has(plain: &str, all: &[&str]) -> bool {
    all.iter().any(|words| extract::contains_words(plain, words))
}

/// Words for all of a project: what is done there is a rule, and not what somebody saw once.
pub(super) const IN_WHOLE_PROJECT: &[&str] = &[
    "in this project",
    "in this repo",
    "in this repository",
    "in this codebase",
    "in our project",
    "in our repo",
    "in our codebase",
    "bei uns",
    "chez nous",
];

/// What follows these words.
pub(super) fn after<'a>(plain: &'a str, words: &str) -> &'a str {
    plain.split_once(words).map_or("", |(_, rest)| rest)
}

/// The number of words after these.
pub(super) fn words_after(plain: &str, words: &str) -> usize {
    after(plain, words).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
}

/// The clause with these words, as far as commas tell: what explains a rule may point at anything.
pub(super) fn clause<'a>(plain: &'a str, words: &str) -> &'a str {
    let at = plain.find(words).unwrap_or_default();
    let (before, rest) = plain.split_at(at);
    let begin = [", ", "; ", ": "].iter().filter_map(|mark| before.rfind(mark)).max().unwrap_or_default();
    let end = [", ", "; ", " - ", " because ", " weil "].iter().filter_map(|mark| rest.find(mark)).min();
    plain.get(begin..end.map_or(plain.len(), |end| at + end)).unwrap_or(plain)
}

/// Whether `never` and `always` are followed by what must be done, not by what was done or is observed.
pub(super) fn names_rule(plain: &str) -> bool {
    const REPORTED: [&str; 23] = [
        "is",
        "saw",
        "seen",
        "heard",
        "had",
        "been",
        "was",
        "were",
        "got",
        "came",
        "went",
        "knew",
        "thought",
        "did",
        "said",
        "told",
        "understood",
        "found",
        "met",
        "made",
        "took",
        "felt",
        "meant",
    ];
    const TELLING: [&str; 7] = ["has", "have", "had", "did", "was", "were", "in"];
    ["never", "always"].iter().all(|word| {
        let at = extract::find_words(plain, word);
        let rest = at.and_then(|at| plain.get(at + word.len()..)).unwrap_or_default();
        let before = at.and_then(|at| plain.get(..at)).unwrap_or_default().trim_end();
        // `dates are always stored in UTC in this codebase`
        let is_passive =
            [" is", " are"].iter().any(|verb| before.ends_with(verb)) && has(plain, IN_WHOLE_PROJECT);
        let next = rest.split_whitespace().next().unwrap_or_default();
        let observed = next.len() > 3 && next.ends_with('s') && !next.ends_with("ss")
            || next.ends_with("ed") && !is_passive;
        // `never before has it been so slow`; `never before 9` is a rule.
        let clause = rest.split([',', '.', ';', '!']).next().unwrap_or_default().trim();
        let behind = clause.strip_prefix("before").map(|rest| rest.split_whitespace().next());
        let is_new = behind.is_some_and(|word| word.is_none_or(|word| TELLING.contains(&word)));
        !observed && !is_new && !REPORTED.contains(&next)
    })
}

/// Whether what follows `from now on` reports a fault, so that it isn't a rule: `the tests fail`.
pub(super) fn reports_fault(rest: &str) -> bool {
    let rest = rest.trim_matches(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (Some(first), Some(second), Some(last)) = (words.first(), words.get(1), words.last()) else {
        return false;
    };
    // `the test fails, before the commit it worked`
    let main = rest.split([',', ';']).next().unwrap_or_default();
    let fails = KNOWN_SUBJECTS.contains(first)
        && FAILS.iter().any(|verb| main.strip_suffix(verb).is_some_and(|before| before.ends_with(' ')));
    let fails_apart =
        FAILS_APART.iter().any(|(verb, end)| first == verb && KNOWN_SUBJECTS.contains(second) && last == end);
    let hangs = FAILS.contains(first) && KNOWN_SUBJECTS.contains(second) && words.len() == 3;
    (fails || fails_apart || hangs) && !has(rest, DEMANDS)
}

/// Whether a second clause reports how something known is or what it does: `we replaced the parser and the tests are red`.
pub(super) fn ends_in_report(plain: &str) -> bool {
    let reports = |clause: &str| {
        let first = clause.split_whitespace().next().unwrap_or_default();
        KNOWN_SUBJECTS.contains(&first) && (has(clause, FAULTS) || has(clause, MOMENTS))
    };
    // A reason is a report as well.
    !has(plain, &["because", "since", "weil"])
        && [" and ", " und "].iter().any(|and| plain.split(*and).skip(1).any(reports))
}

/// Whether a sentence has words by which it outlives its task, and they don't count what is in front of the speaker: `every slide
/// of this deck`.
pub(super) fn outlasts(plain: &str) -> bool {
    const OF_THIS: [&str; 7] = ["of this", "of these", "in this", "on this", "this file", "dieser", "dieses"];
    has(plain, LASTING)
        && !has(&without_lasting(plain), &OF_THIS)
        // `everywhere on the landing page`
        && !has(plain, &["everywhere on the", "überall auf der"])
}

/// Whether a sentence points at what is in front of the speaker, though not by the words for the whole project: `in this
/// service`.
pub(super) fn points_here(plain: &str) -> bool {
    has(&without_lasting(plain), HERE)
}

/// Whether a sentence is about one thing in front of the speaker, whatever else it says: `…, never the dark one, on this page`.
pub(super) fn is_of_this(plain: &str) -> bool {
    has(&without_lasting(plain), &["of this", "in this", "on this", "for this", "in dieser", "auf dieser"])
}

/// A sentence without the phrases for the whole project: `in this service`.
fn without_lasting(plain: &str) -> Cow<'_, str> {
    let phrases = LASTING.iter().filter(|words| words.contains(' ') && plain.contains(**words));
    phrases.fold(Cow::Borrowed(plain), |text, words| Cow::Owned(text.replace(words, " ")))
}

/// Whether a sentence quotes a text: one to be written (`add a rule to the linter: never use console.log`), or somebody else's
/// (`the mail says: from now on …`).
pub(super) fn quotes_text(plain: &str) -> bool {
    let Some((order, _)) = plain.split_once(": ") else { return false };
    let leads = ["please", "bitte", "and", "then", "also", "now"];
    let verb = order.split_whitespace().find(|word| !leads.contains(word)).unwrap_or_default();
    let last = order.split_whitespace().next_back().unwrap_or_default();
    let is_of_others = QUOTING.contains(&last) && !has(order, &["i", "we", "ich", "wir"]);
    is_of_others || WRITING.contains(&verb) && !has(order, MEMORIES)
}

/// Whether a sentence names a line of a file by its number, so that it's about what is in front of the speaker.
pub(super) fn names_line(plain: &str) -> bool {
    const LINES: [&str; 6] = ["line", "lines", "zeile", "zeilen", "ligne", "línea"];
    let words: Vec<&str> = plain.split_whitespace().collect();
    words
        .windows(2)
        .any(|pair| LINES.contains(&pair[0]) && pair[1].starts_with(|first: char| first.is_ascii_digit()))
}

/// Whether something is decided for the next hours.
pub(super) fn is_for_soon(plain: &str) -> bool {
    has(plain, SOON) && !has(plain, FROM_SOON_ON)
}

/// Whether a sentence says what the project is like: `this codebase has named exports only`.
pub(super) fn names_project(plain: &str) -> bool {
    let says = |name: &str| {
        ["has", "uses", "is", "needs", "supports"]
            .iter()
            .any(|verb| extract::contains_words(plain, &format!("this {name} {verb}")))
    };
    plain.contains("this ") && PROJECT.iter().any(|name| says(name))
}

/// Whether what follows `we` is done as a rule: not what was done, is had, seen or wanted.
pub(super) fn is_done(rest: &str) -> bool {
    let verb = rest.split_whitespace().next().unwrap_or_default();
    let past = verb.len() > 3 && verb.ends_with("ed") || verb.ends_with("ing");
    !verb.is_empty() && !verb.contains('\'') && !past && !NO_PRACTICE.contains(&verb)
}

/// Where a reason, or what isn't chosen, follows these words.
pub(super) fn reason(plain: &str, words: &str) -> Option<usize> {
    const TASTES: [&str; 4] = ["i like", "i love", "i prefer", "i want"];
    let rest = after(plain, words);
    // `sleep over it`, `the simpler one`
    let is_reason = |words: &str, at: usize| {
        let after = rest.get(at + words.len()..).unwrap_or_default().trim_start();
        let next = after.split([' ', '.', ',', '!']).next().unwrap_or_default();
        match words {
            // `because I like it` tells a taste.
            "because" | "since" => !TASTES.iter().any(|taste| after.starts_with(taste)),
            "over" => !["it", "that", "this", "them", "there"].contains(&next),
            "simpler" | "faster" | "cheaper" => next != "one",
            _ => true,
        }
    };
    let named = REASONS
        .iter()
        .filter_map(|words| extract::find_words(rest, words).filter(|at| is_reason(words, *at)))
        .min();
    // What isn't done and what there is instead.
    let instead = || {
        rest.find(", ")
            .filter(|at| words.starts_with("let's not") && rest[*at..].split_whitespace().count() > 3)
    };
    named.or_else(|| explained_by_clause(rest)).or_else(instead)
}

/// Where a second clause gives a choice its reason: by comparing (`…, the other is simpler`), or as a clause of its own
/// (`…; it was the bottleneck`).
pub(super) fn explained_by_clause(rest: &str) -> Option<usize> {
    let own = ["; ", " — ", " – ", " - "].iter().filter_map(|mark| rest.find(mark)).min();
    let own = own.filter(|at| rest[*at..].split_whitespace().count() > 3);
    own.or_else(|| rest.find(", ").filter(|at| has(&rest[*at..], COMPARED)))
}

/// A sentence without the kinds of things that are called after errors.
pub(super) fn without_kinds(plain: &str) -> Cow<'_, str> {
    let kinds = ERRORS_AS_KINDS.iter().filter(|kind| plain.contains(**kind));
    kinds.fold(Cow::Borrowed(plain), |text, kind| Cow::Owned(text.replace(kind, "")))
}

/// `we keep getting mails`.
pub(super) fn is_continued(rest: &str) -> bool {
    rest.split_whitespace().next().is_some_and(|next| next.ends_with("ing"))
}

/// `after 24 months`, `nach 90 Tagen`.
pub(super) fn after_a_period(rest: &str) -> Option<usize> {
    let units =
        ["hours", "days", "weeks", "months", "years", "stunden", "tagen", "wochen", "monaten", "jahren"];
    ["after", "within", "nach"].iter().find_map(|word| {
        let at = extract::find_words(rest, word)?;
        let mut words = rest.get(at + word.len()..)?.split_whitespace();
        let number = words.next()?.chars().all(|c| c.is_ascii_digit());
        (number && units.contains(&words.next()?.trim_end_matches(['.', ',', ';']))).then_some(at)
    })
}
