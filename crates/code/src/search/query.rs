//! Parses a query: its words as the index stores them, the names it spells out, and what kind of question it is. Pure.

use super::related::related;
use crate::role;
use crate::words::{self, STOP_WORDS};

/// The most words of a query that are looked for.
pub(crate) const MAX_WORDS: usize = 24;
const MAX_QUERY_BYTES: usize = 2_000;
/// Words beside a name in a question that only asks for the name: `the class Cart`, `definition of addToCart`.
const ASKING: &[&str] = &[
    "class",
    "const",
    "constant",
    "declaration",
    "definition",
    "enum",
    "func",
    "function",
    "interface",
    "macro",
    "method",
    "struct",
    "symbol",
    "trait",
    "type",
];

/// A query that has been understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// Stems and whole identifiers, each once.
    pub words: Vec<String>,
    /// Which of the words are whole identifiers of several parts.
    pub whole: Vec<bool>,
    /// Identifiers that are spelt as such (`readFile`, `read_file`, `Router`), folded.
    pub names: Vec<String>,
    /// The same, as they are typed.
    pub spelt: Vec<String>,
    /// All other words, folded: a definition may be called so.
    pub plain: Vec<String>,
    /// Words that code may use instead, each with the place of the word that it stands for.
    pub related: Vec<(String, usize)>,
    /// All words that are looked for, as they are typed.
    pub asked: Vec<String>,
    /// It has more words than are looked for.
    pub is_cut: bool,
    /// None of its words says anything about code: `how to`.
    pub says_nothing: bool,
    /// It names something rather than asking about it.
    pub names_only: bool,
    /// It asks for tests.
    pub tests: bool,
    /// It asks how something works.
    pub how: bool,
}

impl Query {
    /// Understands `text`; any text is fine, and one without a letter has no words.
    pub fn parse(text: &str) -> Query {
        let is_cut = text.len() > MAX_QUERY_BYTES;
        let text = &text[..text.floor_char_boundary(MAX_QUERY_BYTES)];
        let runs: Vec<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .filter(|r| !r.is_empty())
            .collect();
        let says_something = |(_, run): &(usize, &str)| !STOP_WORDS.contains(&run.to_lowercase().as_str());
        let all: Vec<(usize, &str)> = runs.iter().copied().enumerate().collect();
        let mut kept: Vec<(usize, &str)> = all.iter().copied().filter(says_something).collect();
        let says_nothing = kept.is_empty();
        if says_nothing {
            kept.clone_from(&all);
        }
        let only_name = only_name(&kept, runs.len());
        if let Some(name) = only_name {
            kept = vec![name];
        }
        let mut out = Query {
            is_cut,
            says_nothing,
            tests: role::asks_for_tests(text),
            how: runs
                .first()
                .is_some_and(|r| matches!(r.to_lowercase().as_str(), "how" | "what" | "where" | "why")),
            ..Query::default()
        };
        let mut scratch = String::new();
        let mut folded = String::new();
        for (i, run) in kept.iter().copied() {
            if out.words.len() >= MAX_WORDS {
                out.is_cut = true;
            } else if !out.asked.iter().any(|asked| asked == run) {
                out.asked.push(run.to_owned());
            }
            let mut parts = 0;
            words::words(run, &mut scratch, |_| parts += 1);
            words::words(run, &mut scratch, |word| {
                if out.words.len() < MAX_WORDS && !out.words.iter().any(|w| w == word) {
                    out.words.push(word.to_owned());
                    out.whole.push(false);
                }
            });
            words::whole(run, &mut folded);
            if let Some(at) = out.words.iter().position(|w| *w == folded) {
                out.whole[at] = parts > 1;
            }
            let named = is_name(i, run, runs.len());
            let list = if named { &mut out.names } else { &mut out.plain };
            if folded.len() > 1 && !list.contains(&folded) {
                list.push(folded.clone());
                if named {
                    out.spelt.push(run.to_owned());
                }
            }
        }
        for (at, word) in out.words.iter().enumerate().filter(|(at, _)| !out.whole[*at]) {
            let others = related(word).iter().filter(|other| !out.words.iter().any(|w| w == *other));
            out.related.extend(others.map(|other| ((*other).to_owned(), at)));
        }
        // `Router::route` and `app.use`: names around the dots.
        let names_only = runs.len() <= 3 && !out.names.is_empty() && kept.len() == runs.len();
        out.names_only = names_only || only_name.is_some();
        out
    }
}

/// The one name that is asked for, of the words that say something among `count` words; nothing where they say more than that.
fn only_name<'q>(kept: &[(usize, &'q str)], count: usize) -> Option<(usize, &'q str)> {
    let mut names = kept.iter().filter(|(at, word)| is_name(*at, word, count));
    let (Some(name), None) = (names.next(), names.next()) else { return None };
    let asks = |(at, word): &(usize, &str)| *at == name.0 || ASKING.contains(&word.to_lowercase().as_str());
    // What is typed alone is known to be a name, and `Event type` may be about the types of events.
    let is_asked = count > 2 || count == 2 && (is_joined(name.1) || name.0 == 1);
    (is_asked && kept.iter().all(asks)).then_some(*name)
}

fn is_name(at: usize, word: &str, count: usize) -> bool {
    is_spelt(word, at == 0 && count > 2)
}

/// Whether a word is written as only identifiers are; the first word of a sentence has a capital anyway.
fn is_spelt(word: &str, first: bool) -> bool {
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    is_joined(word) || (capital && !first && word.chars().any(char::is_lowercase))
}

/// Whether a word is written as identifiers of several parts are.
fn is_joined(word: &str) -> bool {
    let mut rest = word.chars();
    rest.next();
    let inner = rest.clone().any(char::is_uppercase) && rest.any(char::is_lowercase);
    inner || word.trim_matches('_').contains('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_understood() {
        let query = Query::parse("how does the Router match readFile paths");
        assert_eq!(query.words, ["rout", "match", "read", "fil", "readfile", "path"]);
        assert_eq!(query.names, ["router", "readfile"]);
        assert_eq!(query.spelt, ["Router", "readFile"]);
        assert_eq!(query.plain, ["match", "paths"]);
        assert!(query.how && !query.names_only && !query.tests);
        assert!(Query::parse("read_file").names_only);
        assert!(Query::parse("***").words.is_empty());
        assert_eq!(Query::parse("how to").words, ["how", "to"]);
        assert!(Query::parse("how to").says_nothing && !query.says_nothing && !query.is_cut);
        assert_eq!(query.asked, ["Router", "match", "readFile", "paths"]);
    }

    #[test]
    fn a_long_question_is_cut_and_says_so() {
        let words: Vec<String> = ('a'..='x').map(|letter| format!("quo{letter}ok")).collect();
        let fits = words.join(" ");
        let query = Query::parse(&fits);
        assert!(!query.is_cut && query.words.len() == MAX_WORDS, "{query:?}");
        let query = Query::parse(&format!("{fits} andmore"));
        assert!(query.is_cut && query.asked.len() == MAX_WORDS, "{query:?}");
        assert!(Query::parse(&"word ".repeat(2_000)).is_cut);
    }

    #[test]
    fn a_question_about_a_definition_is_about_its_name() {
        for text in [
            "where is readFile defined",
            "Where is the function readFile declared?",
            "definition of readFile",
            "the readFile method",
            "find the implementation of readFile",
            "which file is readFile in",
        ] {
            let query = Query::parse(text);
            let is_asked = query.names_only && query.names == ["readfile"] && query.plain.is_empty();
            assert_eq!(is_asked, !text.contains("file "), "{text}: {query:?}");
        }
        for (text, expected) in [
            ("class Router", true),
            ("the Router class", true),
            ("where is Router defined", true),
            ("readFile function", true),
            ("Event type", false),
            ("React component", false),
            ("a React component", false),
        ] {
            let query = Query::parse(text);
            assert_eq!(query.words.len() < 2 || query.names == ["readfile"], expected, "{text}: {query:?}");
        }
        let query = Query::parse("where is read_file defined");
        assert_eq!(query.words, ["read", "fil", "readfile"]);
        for text in ["where does readFile cache", "readFile and writeFile class", "where is reading defined"]
        {
            let query = Query::parse(text);
            assert!(!query.names_only, "{text}: {query:?}");
        }
    }
}
