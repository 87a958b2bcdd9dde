//! Whether a prompt has a subject that a memory can be about. Words of every project's prompts ("run the tests", "what
//! changed since yesterday?") are none, however well some memory has them.

use super::everyday::{everyday_words, is_everyday};
use crate::recall::{Hit, has_version_of, is_identifier, names_in, says_nothing, whole_words};

/// Minimum number of meaningful words in a prompt; fewer match too much. An identifier suffices.
const MIN_WORDS: usize = 2;

/// Minimum number of a prompt's own words that a memory must have; a name or an identifier suffices. A part that is called
/// *upload* isn't what "please upload this" is about.
const MIN_OWN_WORDS: usize = 2;

/// Verbs of deciding. A question about what a project does has another subject: `why did we leave Jenkins?`
const DECIDING: &[&str] = &[
    "adopt",
    "adopted",
    "agree",
    "agreed",
    "avoid",
    "avoided",
    "choose",
    "chose",
    "chosen",
    "decide",
    "decided",
    "drop",
    "dropped",
    "keep",
    "kept",
    "leave",
    "left",
    "move",
    "moved",
    "pick",
    "picked",
    "prefer",
    "reject",
    "rejected",
    "replace",
    "replaced",
    "settle",
    "settled",
    "switch",
    "switched",
    "tried",
    "entschieden",
    "ersetzt",
    "verworfen",
    "abgelöst",
    "behalten",
    "benutzen",
    "bleiben",
    "gewechselt",
    "gewählt",
    "nahmen",
    "nehmen",
    "nutzen",
    "verwenden",
    "wechseln",
];

/// Words for the project's people.
const OURS: &[&str] =
    &["we", "us", "our", "wir", "uns", "unser", "unsere", "unserem", "unseren", "unserer", "nous", "notre"];
/// Words for what is before the user's eyes: that isn't in any memory.
const AT_HAND: &[&str] =
    &["this", "that", "these", "those", "here", "dies", "diese", "diesen", "dieser", "dieses", "hier"];

/// What is asked for by its number: a memory has `React 18`, and not that this is a version.
const NUMBERED: &[&str] = &["version", "versions"];

/// The words of a prompt that aren't its subject.
pub(super) fn everyday(prompt: &str) -> Vec<&'static str> {
    let mut words = everyday_words();
    if asks_about_project(prompt) {
        words.extend([DECIDING, NUMBERED].concat());
    }
    words
}

/// Whether a prompt asks what the project does or did: `which queue do we use?`, `did we ever try Bazel?`
fn asks_about_project(prompt: &str) -> bool {
    let words: Vec<String> = prompt
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let begins = |first: &[&str]| words.first().is_some_and(|word| first.contains(&word.as_str()));
    (is_question(prompt) || begins(&["did", "have", "haben"])) && has(OURS) && !has(AT_HAND)
}

/// The only memory with a word that a question about the project is about, if it has each of these words, and one as a name: two
/// texts share a *branch* or a *connection* by chance, and hardly a *Jenkins*.
pub(super) fn only_answer<'h>(hits: &'h [Hit], prompt: &str) -> Option<&'h Hit> {
    let mut about = hits.iter().filter(|hit| hit.components.is_some_and(|has| has.own_words > 0));
    let (one, other) = (about.next()?, about.next());
    let has_all = one.components.is_some_and(|has| has.missing_own == 0);
    if !has_all || other.is_some() || !asks_about_project(prompt) {
        return None;
    }
    let (names, everyday) = (names_in(&one.memory.content), everyday(prompt));
    let parts = ranking::Query::parse(prompt).parts;
    let for_version = parts.iter().any(|part| NUMBERED.contains(&part.text.to_lowercase().as_str()));
    let is_named = parts.iter().any(|part| {
        let word = part.text.to_lowercase();
        !everyday.contains(&word.as_str())
            && names.iter().any(|name| name.to_lowercase() == word)
            && (!for_version || has_version_of(&one.memory.content, &word))
    });
    is_named.then_some(one)
}

/// Whether a memory may be about what a prompt is about.
pub(super) fn has_subject(prompt: &str) -> bool {
    let parts: Vec<_> = ranking::Query::parse(prompt).parts.iter().flat_map(whole_words).collect();
    let names_something = parts.iter().any(|part| is_identifier(&part.text, prompt));
    let is_own = |word: &str| {
        let word = word.to_lowercase();
        !is_everyday(word.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    let may_be_known = parts.len() >= MIN_WORDS && !asks_for_meaning(prompt) && !asks_about_kind(prompt);
    names_something || may_be_known && parts.iter().any(|part| is_own(&part.text))
}

/// Whether a prompt asks what a thing is in general: *a* semaphore isn't the project's.
fn asks_for_meaning(prompt: &str) -> bool {
    let mut words = prompt.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut next = || words.next().unwrap_or_default().to_lowercase();
    match [next(), next(), next()].each_ref().map(String::as_str) {
        ["what", "is" | "s", article] => matches!(article, "a" | "an"),
        ["was", "ist", article] => matches!(article, "ein" | "eine"),
        _ => false,
    }
}

/// Whether the only thing that a question is about is any of its kind: `how long is a JWT`.
fn asks_about_kind(prompt: &str) -> bool {
    const INDEFINITE: [&str; 7] = ["a", "an", "ein", "eine", "einen", "einem", "einer"];
    if !is_question(prompt) || asks_about_project(prompt) {
        return false;
    }
    let words = prompt.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let is_own = |word: &str| !is_everyday(word) && !says_nothing(word);
    let mut own = (0..words.len()).filter(|at| is_own(&words[*at]));
    let is_any = own
        .next()
        .and_then(|at| words.get(at.checked_sub(1)?))
        .is_some_and(|before| INDEFINITE.contains(&before.as_str()));
    is_any && own.next().is_none()
}

/// The words that a question begins with.
const QUESTION_WORDS: &[&str] = &[
    "what", "which", "who", "whose", "where", "when", "why", "how", "was", "welche", "welcher", "welches",
    "wer", "wo", "wann", "warum", "wieso", "wie", "quel", "quelle", "comment", "où", "quand", "pourquoi",
    "qué", "cuál", "cómo", "dónde", "cuándo",
];

/// How many words a prompt shares with a memory at least, the name among them.
const MIN_WORDS_WITH_NAME: usize = 2;
/// How many words such a question has at least.
const MIN_WORDS_OF_QUESTION: usize = 2;

/// Whether a prompt asks something instead of giving work.
pub(super) fn is_question(prompt: &str) -> bool {
    let first = prompt.split_whitespace().next().unwrap_or_default().to_lowercase();
    QUESTION_WORDS.contains(&first.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// Whether a memory shares what the prompt is about, and not only one word and what every prompt says. A question is
/// about everything that's in it: a memory with all its words answers it, though only one isn't an everyday word. A name is
/// evidence beside a second word: with amounts, or with everyday words that the memory doesn't have, a prompt is about what
/// has the name, and not about the project.
pub(super) fn is_shared(hit: &Hit, asks: bool) -> bool {
    hit.components.is_some_and(|has| {
        let is_whole = has.missing == 0 && has.words >= MIN_WORDS_OF_QUESTION && has.own_words > 0;
        // `how do websockets work` asks about these, and not about the project.
        let is_general = has.own_words == 1 && has.missing_own == 0 && has.missing > 0;
        let has_second = has.content >= MIN_WORDS_WITH_NAME || has.missing == 0;
        let is_named = has.names > 0 && !is_general && has_second;
        has.own_words >= MIN_OWN_WORDS || is_named || has.identifiers > 0 || asks && is_whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_are_not_a_subject_and_an_identifier_is() {
        for prompt in [
            "run the tests",
            "what changed since yesterday?",
            "please fix the error",
            "hello",
            "number",
            "zeig die Fehler",
            "run it again, please",
            "what is a genetic algorithm?",
            "What's an advisory lock",
            "was ist ein genetischer Algorithmus",
            "how long is a JWT",
            "wie schreibe ich einen Webhook",
            "このコードを説明して",
            "",
        ] {
            assert!(!has_subject(prompt), "{prompt}");
        }
        assert!(!asks_about_kind("why do we have a monorepo"));
        for prompt in ["why did we leave Jenkins?", "Did we ever try Bazel?", "wann machen wir ein Release"] {
            assert!(asks_about_project(prompt), "{prompt}");
        }
        for prompt in [
            "why do we need this lock",
            "should we commit now",
            "why does Jenkins leave",
            "we leave Jenkins",
            "",
        ] {
            assert!(!asks_about_project(prompt), "{prompt}");
        }
        for prompt in ["what is the difference between both?", "which is better, with or without?"] {
            assert!(is_question(prompt) && !has_subject(prompt), "{prompt}");
        }
        for prompt in [
            "run the payment tests",
            "what does HARBOUR_REGION do?",
            "what is a HARBOUR_REGION",
            "what is the advisory lock for",
            "parseConfig?",
            "who signs the berth plan",
            "commit this please",
            "東京の担当は誰",
        ] {
            assert!(has_subject(prompt), "{prompt}");
        }
    }
}
