//! Corrections: which are about the task at hand, and which state a fact (`no, the default branch is called trunk, not
//! main`). The contrast says what was taken for it, so nothing else need announce it.

use crate::session::extract;

use super::clauses::has;
use super::fact_subjects::{CODE_AND_SCREEN, SPEAKERS};
use super::fault_signs::FAULTS;
use super::limits::{HERE, LASTING};

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
/// What begins the part that isn't so.
const CONTRASTS: &[&str] = &[", not ", ", nicht ", ", kein ", ", keine ", ", pas ", IN_SPANISH];
/// The contrast that English uses for something else, too: `…, no need to add it`.
const IN_SPANISH: &str = ", no ";
/// Spanish verbs of what is so.
const SPANISH: &[&str] = &["es", "son"];
/// Verbs of what is so.
const STATING: &[&str] = &[
    "is", "are", "go", "goes", "live", "lives", "belong", "belongs", "ist", "sind", "heißt", "heißen",
    "liegt", "liegen", "wird", "werden", "gehört", "gehören", "est", "sont", "es", "son",
];
/// How something is at the moment, as the last word: `the branch is merged`.
const MOMENTARY: &[&str] = &[
    "merged", "closed", "open", "green", "red", "there", "done", "ready", "fixed", "gone", "running",
    "offen", "grün", "rot", "da", "fertig", "erledigt",
];
/// Minimum number of words that state it.
const MIN_WORDS: usize = 4;

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
    let is_momentary = main.split_whitespace().next_back().is_some_and(|last| MOMENTARY.contains(&last));
    // `next to the file` is a place, not the next one.
    let is_here = HERE.iter().any(|word| *word != "next" && extract::contains_words(main, word));
    main.split_whitespace().count() >= MIN_WORDS
        && has(main, STATING)
        && !is_here
        && !is_momentary
        && !has(rest, SPEAKERS)
        && !has(rest, FAULTS)
        && !has(main, CODE_AND_SCREEN)
}

/// Whether a correction is about the task at hand: `as I said, make it red`, `actually, we can skip that`.
pub(super) fn is_of_task(rest: &str) -> bool {
    const WISHES: [&str; 7] = ["can", "could", "should", "need", "want", "may", "might"];
    let first = rest.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    // `that's wrong, the sum should be 12`, `I told you to leave the tests alone`
    let is_wish = || has(rest, &["should", "sollte", "sollten"]) || rest.trim_start().starts_with("to ");
    let is_of_file = || has(rest, CODE_AND_SCREEN) || rest.contains(", look ");
    let lasts = has(rest, LASTING) || has(rest, &["always", "never", "immer", "nie"]);
    first.is_some_and(|word| WISHES.contains(&word))
        || has(rest, HERE) && !has(rest, LASTING)
        || !lasts && (is_wish() || is_of_file())
}

/// The text behind a denial, if it begins with one.
pub(super) fn without_denial(text: &str) -> Option<&str> {
    DENIALS.iter().find_map(|denial| text.strip_prefix(denial))
}
