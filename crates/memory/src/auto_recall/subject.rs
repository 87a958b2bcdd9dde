//! Whether a prompt has a subject that a memory can be about. Words of every project's prompts ("run the tests", "what
//! changed since yesterday?") are none, however well some memory has them.

use crate::recall::{Hit, is_identifier};

/// Minimum number of meaningful words in a prompt; fewer match too much. An identifier suffices.
const MIN_WORDS: usize = 2;

/// Minimum number of a prompt's own words that a memory must have; a name or an identifier suffices. A part that is called
/// *upload* isn't what "please upload this" is about.
const MIN_OWN_WORDS: usize = 2;

/// Words of prompts in every project.
pub(super) const EVERYDAY: &[&str] = &[
    "add",
    "again",
    "all",
    "anything",
    "better",
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
    "tomorrow",
    "try",
    "undo",
    "until",
    "update",
    "want",
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

/// Whether a memory shares what the prompt is about, and not only one word and what every prompt says.
pub(super) fn is_shared(hit: &Hit) -> bool {
    hit.components.is_some_and(|has| has.own_words >= MIN_OWN_WORDS || has.names > 0 || has.identifiers > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_are_no_subject_and_an_identifier_is_one() {
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
