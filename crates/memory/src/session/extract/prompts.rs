//! Facts from the user's prompts: the request itself, and sentences that decide, forbid, reject or wait.
//!
//! The request is recorded in any language. Sentences are recognised by a few words of English, German, French and
//! Spanish at places where they are instructions; prompts in other languages yield only the request. Code, quotations
//! and questions are ignored.

use super::conversation::are_spoken;
use super::printed::{are_pasted, is_printed};
use super::quotes::quotations;
use super::short_words::{is_shortened, with_apostrophes};
use super::sources::are_others;
use super::whole_words::{contains_words, is_whole};
use crate::session::fact::{Category, Fact, MergeRule};

/// How much of a prompt is searched for sentences, in characters: longer prompts contain pasted text.
pub(super) const MAX_SEARCHED: usize = 4_000;
/// The length of usable sentences, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 10..=400;
/// The length of a sentence that a note has room for, in characters.
const MAX_OF_FACT: usize = 260;
/// Maximum number of sentences of one category per prompt.
const MAX_EACH: usize = 4;

/// The words that put a sentence into a category: at the beginning of a clause, or anywhere.
struct Signs {
    category: Category,
    clause: &'static [&'static str],
    anywhere: &'static [&'static str],
    /// Words that exclude the category.
    but: &'static [&'static str],
}

/// In order of precedence.
const SIGNS: [Signs; 4] = [
    Signs {
        category: Category::Rejected,
        clause: &[
            "revert",
            "undo",
            "roll back",
            "back out",
            "scrap",
            "drop that",
            "drop this",
            "forget that",
            "not like that",
            "that's not what",
            "that is not what",
            "i don't want",
            "we don't want",
            "so nicht",
            "verwirf",
            "nimm das zurück",
            "mach das rückgängig",
            "zurück zu",
            "annule",
            "deshaz",
            "revierte",
        ],
        anywhere: &["rückgängig"],
        but: &[],
    },
    Signs {
        category: Category::Blocker,
        clause: &[],
        anywhere: &[
            "blocked by",
            "blocked on",
            "we're waiting",
            "we are waiting",
            "i'm waiting",
            "i am waiting",
            "still waiting",
            "can't continue",
            "cannot continue",
            "can't proceed",
            "cannot proceed",
            "blockiert",
            "wir warten auf",
            "ich warte auf",
            "wartet noch auf",
            "bloqué par",
            "bloqueado por",
        ],
        but: &["ad blocked", "request was blocked", "request is blocked"],
    },
    Signs {
        category: Category::Constraint,
        clause: &[
            "never",
            "do not",
            "don't",
            "always",
            "avoid",
            "make sure",
            "under no circumstances",
            "bitte nicht",
            "bitte keine",
            "bitte kein",
            "nie",
            "immer",
            "ne",
            "jamais",
            "toujours",
            "nunca",
            "siempre",
        ],
        anywhere: &[
            "must",
            "mustn't",
            "not allowed",
            "may not",
            "without changing",
            "without touching",
            "without breaking",
            "unchanged",
            "as it is",
            "darf nicht",
            "dürfen nicht",
            "darf kein",
            "darf keine",
            "muss",
            "müssen",
            "niemals",
            "auf keinen fall",
            "keinesfalls",
            "nicht ändern",
            "nicht anfassen",
            "unverändert",
            "ne doit pas",
            "ne doivent pas",
            "doit",
            "doivent",
            "il faut",
            "en aucun cas",
            "no debe",
            "no deben",
            "debe",
            "deben",
        ],
        but: &[
            "never mind",
            "don't worry",
            "do not worry",
            "don't know",
            "do not know",
            "must have been",
            "must be a",
            "must be an",
            "must be something",
            "must be some",
            "i must",
            "i may not",
            "may not be",
            "ich muss",
            "don't bother",
            "don't you",
        ],
    },
    Signs {
        category: Category::Decision,
        clause: &[
            "let's use",
            "let us use",
            "let's go with",
            "let's keep",
            "let's do",
            "go with",
            "we'll use",
            "we will use",
            "we'll go with",
            "we will go with",
            "we're going with",
            "we chose",
            "we picked",
            "we went with",
            "we opted for",
            "we switched to",
            "we switched from",
            "we settled on",
            "we agreed",
            "we decided",
            "i decided",
            "i have decided",
            "i prefer",
            "i'd prefer",
            "i'd rather",
            "i choose",
            "wir haben uns für",
            "wir haben entschieden",
            "wir haben beschlossen",
            "on a décidé",
            "decidimos",
            "wir nehmen",
            "wir verwenden",
            "wir nutzen",
            "nimm",
            "ich möchte lieber",
            "on utilise",
            "vamos a usar",
        ],
        anywhere: &[
            "instead of",
            "rather than",
            "stattdessen",
            "anstatt",
            "au lieu de",
            "en lugar de",
            "en vez de",
        ],
        but: &["returns", "shows", "instead of the expected", "fails", "prints"],
    },
];

/// Words before the beginning of a clause.
const CLAUSE_AFTER: [&str; 24] = [
    ", ", "; ", ": ", " - ", " – ", " — ", " and ", " but ", " so ", " then ", "please ", " und ", " aber ",
    " dann ", "bitte ", " et ", " mais ", " y ", " pero ", "also ", "yeah ", "ok ", "okay ", "(",
];

/// The facts from one prompt of the user.
pub(super) fn facts(prompt: &str) -> Vec<Fact> {
    let prompt = prompt.trim();
    // A command to the agent itself, such as `/compact`, isn't a request.
    let command = prompt.starts_with('/') && !prompt.contains(char::is_whitespace);
    if prompt.is_empty() || command {
        return Vec::new();
    }
    let mut facts = vec![
        Fact::new(Category::Goal, 1, prompt).key("goal").meeting(MergeRule::First),
        Fact::new(Category::Request, 1, prompt).key("request").meeting(MergeRule::Latest),
        Fact::new(Category::Prompt, 3, prompt),
    ];
    let looked: String = prompt.chars().take(MAX_SEARCHED).collect();
    facts.extend(intent(&looked));
    for sentence in sentences(&looked) {
        let short = sentence.text.chars().count() <= MAX_OF_FACT;
        let Some(category) = category(&sentence.text).filter(|_| short && !sentence.asks) else { continue };
        if facts.iter().filter(|fact| fact.category == category).count() < MAX_EACH {
            facts.push(Fact::new(category, 2, sentence.text));
        }
    }
    facts
}

/// A sentence of the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Word for word.
    pub(crate) text: String,
    /// Whether it's a question.
    pub(crate) asks: bool,
}

/// The user's own sentences, without code, quotations, chats, texts of others and what a program printed.
pub(super) fn sentences(prompt: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut fenced = false;
    let lines: Vec<&str> = prompt.lines().collect();
    let others = [are_pasted(&lines), are_spoken(&lines), are_others(&lines)];
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        let quoted = trimmed.starts_with('>') || line.starts_with("    ") || line.starts_with('\t');
        let is_others = others.iter().any(|lines| lines[at]);
        if fenced || quoted || is_others || trimmed.starts_with('<') || is_printed(trimmed) {
            continue;
        }
        let mut rest = trimmed.trim_start_matches(is_before_sentence);
        while !rest.is_empty() {
            let (sentence, after, asks) = first_sentence(rest);
            rest = after;
            let sentence = sentence.trim();
            if LENGTHS.contains(&sentence.chars().count()) {
                found.push(Sentence { text: sentence.to_owned(), asks });
            }
        }
    }
    found
}

/// Whether a character before a sentence isn't part of that: marks of lists and headings, and pictures. What frames the
/// output of a program isn't one: such a line isn't the user's own.
fn is_before_sentence(c: char) -> bool {
    let is_picture = || {
        matches!(u32::from(c), 0x2600..=0x2767 | 0x2776..=0x27BF | 0x2B00..=0x2BFF | 0x1F000..=0x1FAFF
            | 0xFE0F | 0x200D)
    };
    matches!(c, '-' | '*' | '+' | '•' | '#' | ' ') || is_picture()
}

/// The first sentence, the rest, and whether the sentence is a question. None ends within a quotation: what is left of it would look
/// like the user's own. One may end with a quotation: `it says "No." Never say so again.`
fn first_sentence(text: &str) -> (&str, &str, bool) {
    let quoted: Vec<(usize, usize)> =
        quotations(text).iter().map(|(begin, quotation)| (*begin, begin + quotation.len())).collect();
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let (sentence, rest) = text.split_at(end);
        let is_end = match c {
            _ if quoted.iter().any(|(begin, last)| (*begin..*last).contains(&at) && *last != end) => false,
            _ if quoted.iter().any(|(_, last)| *last == end) => {
                let next = rest.trim_start();
                text[..at].ends_with(['.', '!', '?']) && next != rest && next.starts_with(char::is_uppercase)
            }
            '.' if rest.starts_with(char::is_whitespace) => !is_shortened(sentence),
            '.' | '!' | '?' => rest.is_empty() || rest.starts_with(char::is_whitespace),
            '。' | '！' | '？' | '؟' => true,
            _ => false,
        };
        if is_end {
            return (sentence, rest.trim_start(), matches!(c, '?' | '？' | '؟'));
        }
    }
    (text, "", false)
}

/// A sentence in lower case with plain apostrophes, as it's compared with words.
pub(crate) fn plain(sentence: &str) -> String {
    with_apostrophes(sentence.to_lowercase().replace('\u{2019}', "'"))
}

fn category(sentence: &str) -> Option<Category> {
    let plain = plain(sentence);
    let fits = |signs: &&Signs| {
        !signs.but.iter().any(|words| contains_words(&plain, words))
            && (signs.clause.iter().any(|words| begins_clause(&plain, words))
                || signs.anywhere.iter().any(|words| contains_words(&plain, words)))
    };
    SIGNS.iter().find(fits).map(|signs| signs.category)
}

/// Whether `words` begin a clause of `text`.
pub(crate) fn begins_clause(text: &str, words: &str) -> bool {
    let begins = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        // `always-on-top` is a word of its own.
        let behind = text.get(at + words.len()..).and_then(|rest| rest.strip_prefix('-'));
        is_whole(text, at, words)
            && !behind.is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
            && (before.is_empty()
                || CLAUSE_AFTER.iter().any(|mark| before.ends_with(mark) || before == mark.trim_start()))
    };
    text.contains(words) && text.match_indices(words).any(|(at, _)| begins(at))
}

/// The kind of work that a prompt asks for, by its first word; a question is one.
fn intent(prompt: &str) -> Option<Fact> {
    const WORK: [(&str, &[&str]); 7] = [
        ("fix", &["fix", "debug", "repair", "behebe", "repariere", "corrige", "arregla"]),
        (
            "add",
            &["add", "implement", "create", "build", "write", "füge", "baue", "schreibe", "ajoute", "agrega"],
        ),
        ("refactor", &["refactor", "rename", "clean", "simplify", "move", "benenne", "vereinfache"]),
        ("review", &["review", "check", "audit", "prüfe", "vérifie", "revisa"]),
        ("test", &["test", "cover", "teste"]),
        ("explain", &["explain", "describe", "why", "how", "what", "erkläre", "explique", "explica"]),
        ("document", &["document", "dokumentiere", "documente", "documenta"]),
    ];
    let first: String = prompt
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .chars()
        .take_while(|c| c.is_alphanumeric())
        .collect::<String>()
        .to_lowercase();
    let named = WORK.iter().find(|(_, words)| words.contains(&first.as_str())).map(|(name, _)| *name);
    let asks = prompt.trim_end().ends_with(['?', '？']);
    let name = named.or(asks.then_some("question"))?;
    Some(Fact::new(Category::Intent, 4, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_a_decision() {
        for prompt in [
            "We picked opaque tokens over JWT since we need instant revocation.",
            "ok we'll go with Postgres after all",
            "Wir haben uns für Keycloak entschieden.",
        ] {
            assert!(facts(prompt).iter().any(|fact| fact.category == Category::Decision), "{prompt}");
        }
    }
}
