//! Whether a prompt has a subject that a memory can be about. Words of every project's prompts ("run the tests", "what
//! changed since yesterday?") are none, however well some memory has them.

use crate::recall::{Hit, is_identifier};

/// Minimum number of meaningful words in a prompt; fewer match too much. An identifier suffices.
const MIN_WORDS: usize = 2;

/// Minimum number of a prompt's own words that a memory must have; a name or an identifier suffices. A part that is called
/// *upload* isn't what "please upload this" is about.
const MIN_OWN_WORDS: usize = 2;

/// Words of prompts in every project, and those that only join others: two texts share a *between* by chance.
pub(super) const EVERYDAY: &[&str] = &[
    "across",
    "add",
    "again",
    "against",
    "all",
    "along",
    "anything",
    "around",
    "behind",
    "beside",
    "better",
    "between",
    "beyond",
    "both",
    "broken",
    "bug",
    "build",
    "change",
    "changed",
    "changes",
    "check",
    "clean",
    "close",
    "code",
    "compile",
    "continue",
    "create",
    "delete",
    "differ",
    "difference",
    "different",
    "done",
    "error",
    "errors",
    "everything",
    "explain",
    "fail",
    "failed",
    "failing",
    "fails",
    "file",
    "files",
    "first",
    "fix",
    "fixed",
    "format",
    "function",
    "good",
    "help",
    "instead",
    "last",
    "line",
    "lines",
    "look",
    "make",
    "more",
    "need",
    "new",
    "next",
    "nothing",
    "now",
    "old",
    "open",
    "please",
    "project",
    "read",
    "refactor",
    "remove",
    "rename",
    "rerun",
    "review",
    "right",
    "run",
    "running",
    "runs",
    "see",
    "show",
    "since",
    "something",
    "start",
    "stop",
    "summarise",
    "summarize",
    "test",
    "tests",
    "thanks",
    "today",
    "together",
    "tomorrow",
    "try",
    "under",
    "undo",
    "until",
    "upon",
    "versus",
    "update",
    "want",
    "whether",
    "within",
    "without",
    "work",
    "working",
    "works",
    "write",
    "wrong",
    "yesterday",
    "bitte",
    "danke",
    "datei",
    "erkläre",
    "fehler",
    "funktion",
    "gestern",
    "heute",
    "jetzt",
    "lauf",
    "mach",
    "mache",
    "nochmal",
    "schau",
    "schreib",
    "teste",
    "warum",
    "weiter",
    "zeig",
    "zeige",
    "ändere",
    "geändert",
    "die",
    "der",
    "das",
    "ein",
    "eine",
    "und",
    "ist",
    "was",
    "wie",
];

/// Whether a memory may be about what a prompt is about.
pub(super) fn has_subject(prompt: &str) -> bool {
    let parts = ranking::Query::parse(prompt).parts;
    let names_something = parts.iter().any(|part| is_identifier(&part.text, prompt));
    let is_own = |word: &str| {
        let word = word.to_lowercase();
        !EVERYDAY.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    names_something || parts.len() >= MIN_WORDS && parts.iter().any(|part| is_own(&part.text))
}

/// The words that a question begins with.
const QUESTION_WORDS: &[&str] = &[
    "what", "which", "who", "whose", "where", "when", "why", "how", "was", "welche", "welcher", "welches",
    "wer", "wo", "wann", "warum", "wieso", "wie", "quel", "quelle", "comment", "où", "quand", "pourquoi",
    "qué", "cuál", "cómo", "dónde", "cuándo",
];

/// The coverage of a memory that has all words of a question; a sum of weights isn't exact.
const WHOLE: f64 = 0.999;
/// How many words such a question has at least.
const MIN_WORDS_OF_QUESTION: usize = 2;

/// Whether a prompt asks something instead of giving work.
pub(super) fn is_question(prompt: &str) -> bool {
    let first = prompt.split_whitespace().next().unwrap_or_default().to_lowercase();
    QUESTION_WORDS.contains(&first.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// Whether a memory shares what the prompt is about, and not only one word and what every prompt says. A question is
/// about everything that's in it: a memory with all its words answers it, though only one isn't an everyday word.
pub(super) fn is_shared(hit: &Hit, asks: bool) -> bool {
    hit.components.is_some_and(|has| {
        let is_whole = has.coverage >= WHOLE && has.words >= MIN_WORDS_OF_QUESTION && has.own_words > 0;
        has.own_words >= MIN_OWN_WORDS || has.names > 0 || has.identifiers > 0 || asks && is_whole
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
            "",
        ] {
            assert!(!has_subject(prompt), "{prompt}");
        }
        for prompt in ["what is the difference between both?", "which is better, with or without?"] {
            assert!(is_question(prompt) && !has_subject(prompt), "{prompt}");
        }
        for prompt in [
            "run the payment tests",
            "what does HARBOUR_REGION do?",
            "parseConfig?",
            "who signs the berth plan",
            "commit this please",
        ] {
            assert!(has_subject(prompt), "{prompt}");
        }
    }
}
