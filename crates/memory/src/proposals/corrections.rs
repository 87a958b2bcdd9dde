//! Corrections: which are about the task at hand, and which state a fact (`no, the default branch is called trunk, not
//! main`). The contrast says what was taken for it, so nothing else need announce it.

use crate::domain::Namespace;
use crate::session::extract;

use super::clauses::{after, has, points_here, reason, without_kinds};
use super::fact_subjects::{CODE_AND_SCREEN, SPEAKERS};
use super::fault_signs::FAULTS;
use super::limits::{HERE, LASTING, NO_RULE};

/// How a correction begins.
const DENIALS: &[&str] = &[
    "no, ",
    "nope, ",
    "wrong, ",
    "wrong: ",
    "that's wrong, ",
    "nein, ",
    "nö, ",
    "falsch, ",
    "falsch: ",
    "non, ",
    "faux, ",
];
/// Other words for `no`.
const OTHER_DENIALS: [&str; 4] = ["nah, ", "nah ", "naw, ", "nope, "];
/// What begins the part that isn't so.
const CONTRASTS: &[&str] = &[", not ", ", nicht ", ", kein ", ", keine ", ", pas ", IN_SPANISH];
/// The contrast that English uses for something else, too: `…, no need to add it`.
const IN_SPANISH: &str = ", no ";
/// Spanish verbs of what is so.
const SPANISH: &[&str] = &["es", "son"];
/// Verbs of what is so.
const STATING: &[&str] = &[
    // Without an `s`, others would be orders: `run the unit tests, not …`.
    "is", "are", "go", "goes", "live", "lives", "belong", "belongs", "comes", "runs", "starts", "ends",
    "means", "ist", "sind", "heißt", "heißen", "liegt", "liegen", "wird", "werden", "gehört", "gehören",
    "kommt", "kommen", "läuft", "laufen", "beginnt", "est", "sont", "vient", "viennent", "commence", "es",
    "son", "viene", "vienen",
];
/// How something is at the moment, as the last word: `the branch is merged`.
const MOMENTARY: &[&str] = &[
    "merged", "closed", "open", "green", "red", "there", "done", "ready", "fixed", "gone", "running",
    "offen", "grün", "rot", "da", "fertig", "erledigt",
];
/// Minimum number of words that state it.
const MIN_WORDS: usize = 4;

/// A sentence with `no` in the place of another word for it: `nah, we don't squash here`.
pub(super) fn with_plain_denial(plain: String) -> String {
    match OTHER_DENIALS.iter().find_map(|denial| plain.strip_prefix(denial)) {
        Some(rest) => format!("no, {rest}"),
        None => plain,
    }
}

/// Whether a sentence corrects a fact and states the right one.
pub(super) fn states_fact(plain: &str) -> bool {
    let Some(mut rest) = without_denial(plain) else { return false };
    while let Some(next) = without_denial(rest) {
        rest = next;
    }
    let counts = |contrast: &&&str| **contrast != IN_SPANISH || has(rest, SPANISH);
    let Some(at) = CONTRASTS.iter().filter(counts).filter_map(|contrast| rest.find(contrast)).min() else {
        return false;
    };
    let (main, _) = rest.split_at(at);
    // `du` is an article in French, and the one spoken to in German.
    let is_french = rest.contains(", pas ");
    let speaks = if is_french { has(&rest.replace(" du ", " "), SPEAKERS) } else { has(rest, SPEAKERS) };
    let is_momentary = main.split_whitespace().next_back().is_some_and(|last| MOMENTARY.contains(&last));
    // `next to the file` is a place, not the next one.
    let is_here = HERE.iter().any(|word| *word != "next" && extract::contains_words(main, word));
    main.split_whitespace().count() >= MIN_WORDS
        && has(main, STATING)
        && !is_here
        && !is_momentary
        && !speaks
        && !has(rest, FAULTS)
        && !has(main, CODE_AND_SCREEN)
}

/// Whether a correction that begins with these words is about what is at hand: `no, use the darker blue`, `no, always the left one`.
pub(super) fn is_at_hand(plain: &str, words: &str, namespace: Namespace) -> bool {
    const CHOOSING: [&str; 7] = ["always", "never", "immer", "niemals", "verwende", "benutze", "utilise"];
    let rest = after(plain, words);
    let lasts = has(plain, LASTING) || reason(plain, words).is_some();
    // `no, we use a monorepo` says what is so.
    let states = words.contains("we ") || words.contains("wir ");
    let points = !lasts && points_at_one(rest.trim_start(), !states);
    let uses = words.ends_with("use") || words.ends_with("nimm") || words == "stop using";
    let chooses = || CHOOSING.iter().any(|verb| words.ends_with(verb));
    // `I already told you the name of the branch`, and not `I told you the branch is called trunk`
    let tells_thing = || {
        let names_one = [" the ", " my "].iter().any(|own| rest.starts_with(own));
        words.ends_with("told you") && names_one && !has(rest, STATING)
    };
    // `no, we don't need that any more`
    let needs_none = || words == "no, we don't" && has(plain, NO_RULE);
    let forbids_here = || words == "no, don't" && points_here(plain);
    uses && (points || points_here(plain))
        || points && chooses()
        || tells_thing()
        || needs_none()
        || forbids_here()
        || namespace == Namespace::Learnings && is_of_task(rest)
}

/// Whether what follows is one thing that is there, or one to be made if it's `ordered`. So is a file that is mentioned (`@notes.md`),
/// and not a package (`@clack/prompts`).
fn points_at_one(rest: &str, ordered: bool) -> bool {
    const KNOWN: [&str; 9] = ["the", "that", "your", "der", "die", "das", "den", "celle", "celui"];
    const ANY: [&str; 5] = ["a", "an", "ein", "eine", "einen"];
    let first = rest.split_whitespace().next().unwrap_or_default();
    let is_mention = first.starts_with('@') && first.contains('.');
    is_mention || KNOWN.contains(&first) || ordered && ANY.contains(&first)
}

/// Whether a correction is about the task at hand: `as I said, make it red`, `actually, we can skip that`.
fn is_of_task(rest: &str) -> bool {
    const WISHES: [&str; 7] = ["can", "could", "should", "need", "want", "may", "might"];
    let first = rest.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    // `that's wrong, the sum should be 12`, `I told you to leave the tests alone`
    let is_wish = || has(rest, &["should", "sollte", "sollten"]) || rest.trim_start().starts_with("to ");
    let is_of_file = || has(rest, CODE_AND_SCREEN) || rest.contains(", look ");
    let lasts = has(rest, LASTING) || has(rest, &["always", "never", "immer", "nie"]);
    // `actually, we have that already`, and not `the gateway already retries three times`
    let last = rest.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty());
    let points = |word: &str| ["already", "schon", "that", "it", "das", "es"].contains(&word);
    let is_there = || has(rest, &["already", "schon"]) && last.is_some_and(points);
    // `that's not right, you deleted the import`
    let is_report = || tells_deed(rest) || has(&without_kinds(rest), FAULTS) || is_there();
    // `wie gesagt, nur die erste Spalte`
    let counts = || has(rest, &["erste", "ersten", "dritte", "dritten"]);
    first.is_some_and(|word| WISHES.contains(&word))
        || has(rest, HERE) && !has(rest, LASTING)
        || !lasts && (is_wish() || is_of_file() || is_report() || counts())
}

/// Whether a text begins with what the agent did.
fn tells_deed(rest: &str) -> bool {
    const DID: [&str; 8] = ["forgot", "broke", "took", "left", "did", "made", "put", "hast"];
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_agent = words.next().is_some_and(|who| ["you", "du"].contains(&who));
    is_agent && words.next().is_some_and(|deed| deed.ends_with("ed") && deed != "need" || DID.contains(&deed))
}

/// The text behind a denial, if it begins with one.
pub(super) fn without_denial(text: &str) -> Option<&str> {
    DENIALS.iter().find_map(|denial| text.strip_prefix(denial))
}
