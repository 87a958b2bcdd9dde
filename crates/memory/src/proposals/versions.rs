//! Versions and limits that a project keeps to: `the project needs Node 20 or newer`, `our minSdk is 23 because of Bluetooth`.

use super::clauses::has;
use super::fact_subjects::SPEAKERS;
use super::facts;
use super::practice_signs::{LIMITS, OWN_LIMITS};

/// Maximum number of words of a subject.
const MAX_SUBJECT: usize = 4;
/// The same of a limit that is called one.
const MAX_LIMIT: usize = 5;
/// Subjects that are in front of the speaker.
const POINTING_AT_IT: &[&str] = &["it", "this", "that", "he", "she", "they", "es", "das", "we", "wir"];

/// `our minSdk is 23 because of Bluetooth`: a limit's number, and why.
pub(super) fn names_limit(plain: &str) -> bool {
    let text = facts::without_leads(plain);
    let Some((subject, value)) = text.split_once(" is ").or_else(|| text.split_once(" ist ")) else {
        return false;
    };
    let words: Vec<&str> = subject.split_whitespace().collect();
    let bounds = ["the maximum ", "the minimum ", "maximum ", "minimum ", "die maximale ", "die minimale "];
    let is_bound = bounds.iter().any(|words| subject.starts_with(words));
    let is_known = words.len() <= MAX_SUBJECT
        && (words.iter().any(|word| LIMITS.contains(word)) || OWN_LIMITS.contains(&subject));
    (is_known || is_bound && words.len() <= MAX_LIMIT)
        && value.starts_with(|first: char| first.is_ascii_digit())
        && has(value, &["because", "since", "weil", "wegen"])
        && !facts::is_task_of(text)
        && !facts::is_here(text)
        && !has(text, SPEAKERS)
}

/// `the project needs Node 20 or newer`, `we support Python 3.10 and above`: a name and its version.
pub(super) fn names_version(text: &str) -> bool {
    let needing = [
        " needs ",
        " need ",
        " requires ",
        " require ",
        " supports ",
        " braucht ",
        " brauchen ",
        " braucht man ",
    ];
    let supporting =
        ["we support ", "we only support ", "we target ", "we only target ", "wir unterstützen "];
    let oldest = has(text, &["the oldest version we support", "the minimum we support"]);
    let stated = supporting.iter().find_map(|words| text.strip_prefix(words));
    let needed = || {
        needing.iter().find_map(|verb| {
            let (subject, what) = text.split_once(verb)?;
            let count = subject.split_whitespace().count();
            ((1..=MAX_SUBJECT).contains(&count) && !has(subject, POINTING_AT_IT)).then_some(what)
        })
    };
    let is_of_last = |what: &str| {
        let last = what.strip_prefix("only ").unwrap_or(what);
        last.starts_with("the last ") && has(what, &["versions", "only"])
    };
    oldest
        || stated.is_some_and(|what| has_version(what) || is_of_last(what)) && !facts::is_here(text)
        || needed().is_some_and(has_version) && !facts::is_here(text)
        || we_need_from_on(text)
}

/// `we need Node 22 or newer`: what the speakers need from a version on is the project's. A version alone may be the task's
/// (`we need Node 22, can you bump it?`).
fn we_need_from_on(text: &str) -> bool {
    const AT_LEAST: [&str; 3] = ["we need at least ", "we require at least ", "wir brauchen mindestens "];
    const WE_NEED: [&str; 4] = ["we need ", "we require ", "wir brauchen ", "wir benötigen "];
    let behind = |words: &[&str]| words.iter().find_map(|words| text.strip_prefix(words));
    let is_stated = behind(&AT_LEAST).is_some_and(has_version)
        || behind(&WE_NEED).is_some_and(|what| has_version(what) && is_lower_bound(what));
    is_stated && !facts::is_here(text)
}

/// Whether a version is the lowest of several: `Node 22 or newer`, `Python 3.12+`.
fn is_lower_bound(what: &str) -> bool {
    const OR_LATER: [&str; 12] = [
        "or newer",
        "or later",
        "or higher",
        "or above",
        "or up",
        "and newer",
        "and later",
        "and above",
        "and up",
        "oder neuer",
        "oder höher",
        "und neuer",
    ];
    let clause = what.split([',', ';', ':']).next().unwrap_or_default();
    has(clause, &OR_LATER) || clause.split_whitespace().nth(1).is_some_and(|number| number.ends_with('+'))
}

/// Whether a name and a number are what words begin with: `Python 3.9, it breaks …`, `ES2020`, and not `3 arguments`.
fn has_version(what: &str) -> bool {
    const NO_NAME: [&str; 10] =
        ["at", "least", "of", "about", "only", "another", "exactly", "like", "up", "the"];
    const COUNTED: [&str; 12] = [
        "chapter",
        "section",
        "page",
        "step",
        "phase",
        "part",
        "option",
        "task",
        "level",
        "kapitel",
        "abschnitt",
        "schritt",
    ];
    // `OpenOCD 0.12, older ones can't flash it`
    let what = what.split([',', ';', ':']).next().unwrap_or_default();
    let mut words = what.split_whitespace();
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    let is_name =
        first.starts_with(char::is_alphabetic) && !NO_NAME.contains(&first) && !COUNTED.contains(&first);
    let is_number = second.starts_with(|c: char| c.is_ascii_digit());
    let ends = second.ends_with('+')
        || words.next().is_none_or(|next| ["or", "and", "because", "it", "oder", "und"].contains(&next));
    let is_joined = first.ends_with(|c: char| c.is_ascii_digit()) && first.len() > 3;
    is_name && (is_number && ends || is_joined && second.is_empty())
}
