//! The phrases by which users ask to remember something or correct an agent, in English and German, with the
//! namespace for each. They match at the beginning of a clause, where they are an instruction.

use crate::domain::Namespace;
use crate::session::extract;

use Namespace::{Context, Decisions, Learnings, Patterns};

/// Phrases that ask to remember.
const ASKED: &[(&str, Namespace)] = &[
    ("we decided", Decisions),
    ("we've decided", Decisions),
    ("we have decided", Decisions),
    ("i decided", Decisions),
    ("i've decided", Decisions),
    ("it was decided", Decisions),
    ("we agreed", Decisions),
    ("we settled on", Decisions),
    ("wir haben entschieden", Decisions),
    ("wir haben uns entschieden", Decisions),
    ("wir haben beschlossen", Decisions),
    ("wir haben uns geeinigt", Decisions),
    ("ich habe entschieden", Decisions),
    ("from now on", Patterns),
    ("from here on", Patterns),
    ("going forward", Patterns),
    ("our convention is", Patterns),
    ("ab jetzt", Patterns),
    ("ab sofort", Patterns),
    ("von jetzt an", Patterns),
    ("in zukunft", Patterns),
    ("künftig", Patterns),
    ("remember that", Context),
    ("remember:", Context),
    ("remember this", Context),
    ("keep in mind that", Context),
    ("don't forget that", Context),
    ("for the record", Context),
    ("merk dir", Context),
    ("merke dir", Context),
    ("denk daran, dass", Context),
    ("vergiss nicht, dass", Context),
    ("halte fest", Context),
];

/// Phrases that correct an agent. The right way must follow, or there is nothing to remember.
const CORRECTED: &[(&str, Namespace)] = &[
    ("no, we use", Patterns),
    ("no, we don't", Patterns),
    ("no, we never", Patterns),
    ("no, we always", Patterns),
    ("no, use", Patterns),
    ("no, don't", Patterns),
    ("no, never", Patterns),
    ("no, always", Patterns),
    ("no - never", Patterns),
    ("stop using", Patterns),
    ("we don't use", Patterns),
    ("we do not use", Patterns),
    ("we never use", Patterns),
    ("we always use", Patterns),
    ("nein, wir benutzen", Patterns),
    ("nein, wir verwenden", Patterns),
    ("nein, wir nutzen", Patterns),
    ("nein, wir nehmen", Patterns),
    ("nein, nimm", Patterns),
    ("nein, benutze", Patterns),
    ("nein, verwende", Patterns),
    ("nein, niemals", Patterns),
    ("nein, immer", Patterns),
    ("wir benutzen kein", Patterns),
    ("wir verwenden kein", Patterns),
    ("wir benutzen immer", Patterns),
    ("wir verwenden immer", Patterns),
    ("actually, we", Learnings),
    ("that's wrong", Learnings),
    ("that is wrong", Learnings),
    ("that's not right", Learnings),
    ("that is not right", Learnings),
    ("you're wrong", Learnings),
    ("i told you", Learnings),
    ("i already told you", Learnings),
    ("as i said", Learnings),
    ("like i said", Learnings),
    ("das stimmt nicht", Learnings),
    ("das ist falsch", Learnings),
    ("ich habe doch gesagt", Learnings),
    ("ich hab doch gesagt", Learnings),
    ("wie gesagt", Learnings),
    ("wie ich schon sagte", Learnings),
];

/// Minimum number of words that must follow a correction.
const MIN_WORDS: usize = 3;

/// The namespace of a sentence that asks to be remembered; `None` for any other.
pub(super) fn about(sentence: &str) -> Option<Namespace> {
    let asked = ASKED.iter().find(|(words, _)| extract::says(sentence, words));
    let corrected =
        || CORRECTED.iter().find(|(words, _)| extract::says(sentence, words) && says_more(sentence, words));
    asked.or_else(corrected).map(|(_, namespace)| *namespace)
}

/// Whether enough follows the phrase.
fn says_more(sentence: &str, words: &str) -> bool {
    let plain = sentence.to_lowercase().replace('\u{2019}', "'");
    let rest = plain.split_once(words).map_or("", |(_, rest)| rest);
    rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count() >= MIN_WORDS
}
