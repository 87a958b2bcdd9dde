//! German compounds by a part of them, where nothing else matched: `Datenbank` and `Verbindung` find `Datenbankverbindung`.
//!
//! The index has whole words, so texts are looked through, the newest of the selection. Only German ones count: in other
//! languages a word within a word says nothing (`action`, `transaction`).

use std::cmp::Reverse;
use std::collections::HashMap;

use super::scoring::{Components, Ranked};
use super::{german_forms, terms};
use crate::domain::Memory;
use crate::query::Selection;
use crate::store::{Result, Store};

/// The number of letters of a part that is looked for, without its ending.
const MIN_PART: usize = 5;
/// Longer words are encodings.
const MAX_PART: usize = 40;
/// The number of letters that a compound has before the part.
const MIN_BEFORE: usize = 3;
/// The number of the question's words that are looked for.
const MAX_WORDS: usize = 4;
/// The number of memories looked through, the newest of the selection, and of those that are rated.
const AMONG: usize = 4_000;
const MAX_FOUND: usize = 50;
/// The score of one that has all of the question's words in its compounds: low, because none is there as it was asked.
const SCORE: f64 = 0.3;

/// The memories that have words of the question as parts of compounds, those with most of them first, then the newest.
/// `read` collects them.
pub(super) fn by_parts(
    store: &dyn Store,
    selection: &Selection,
    question: &str,
    read: &mut HashMap<i64, Memory>,
) -> Result<Vec<(f64, Ranked)>> {
    let parts = parts(question);
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let patterns: Vec<String> = parts.iter().map(|part| pattern(part)).collect();
    let mut found: Vec<(usize, i64)> = Vec::new();
    for (key, memory) in store.containing(selection, &patterns, (MAX_FOUND, AMONG))? {
        if !german_forms::has_german(&memory.content) {
            continue;
        }
        let has = parts.iter().filter(|part| has_in_compound(&memory.content, part)).count();
        if has > 0 {
            found.push((has, key));
            read.insert(key, memory);
        }
    }
    // They came newest first.
    found.sort_by_key(|(has, _)| Reverse(*has));
    let scored = found.into_iter().map(|(has, key)| {
        let score = SCORE * has as f64 / parts.len() as f64;
        (score, Ranked { key, rank: score, components: Components { weight: 1.0, ..Components::default() } })
    });
    Ok(scored.collect())
}

/// The question's words that may be a part of a compound, in lower case and without their endings.
fn parts(question: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for term in terms::parse(question, true).terms.into_iter().filter(|term| !term.part.quoted) {
        let word = term.part.text.to_lowercase();
        let part = german_forms::stem(&word).to_owned();
        let letters = part.chars().count();
        let fits = (MIN_PART..=MAX_PART).contains(&letters) && part.chars().all(is_german_letter);
        if fits && !all.contains(&part) {
            all.push(part);
        }
    }
    all.truncate(MAX_WORDS);
    all
}

fn is_german_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, 'ä' | 'ö' | 'ü' | 'ß')
}

/// What a text with the part is like for SQL, which knows the cases of ASCII letters only.
fn pattern(part: &str) -> String {
    let letters: String = part.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    format!("%{letters}%")
}

/// Whether a word of the text begins with the part, or ends with it behind others.
fn has_in_compound(text: &str, part: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| {
        let word = word.to_lowercase();
        word.starts_with(part)
            || word.rfind(part).is_some_and(|at| {
                word[..at].chars().count() >= MIN_BEFORE && german_forms::is_ending(&word[at + part.len()..])
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::query::{Filter, Scope};
    use crate::store::{Actor, Draft, Secrets, SqliteStore};

    /// By its time: an import of old memories is stored last.
    #[test]
    fn of_two_that_have_as_many_words_the_newest_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        let all = ["Die neue Datenbankverbindung läuft", "Die alte Datenbankverbindung läuft"];
        for (content, at_ms) in all.into_iter().zip([2_000, 1_000]) {
            let draft = Draft::new(content, Namespace::Decisions, Domain::User);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(at_ms)).unwrap();
        }
        let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 3_000 };
        let mut read = HashMap::new();
        let found = by_parts(&store, &selection, "Verbindung", &mut read).unwrap();
        let contents: Vec<&str> =
            found.iter().map(|(_, ranked)| read[&ranked.key].content.as_str()).collect();
        assert_eq!(contents, all);
    }

    #[test]
    fn a_part_is_at_the_beginning_or_at_the_end_of_a_compound() {
        for (text, word, expected) in [
            ("Die Datenbankverbindung ist offen", "Verbindung", true),
            ("Die Datenbankverbindung ist offen", "Datenbank", true),
            ("Die Datenbankverbindungen sind offen", "Verbindung", true),
            ("Die Datenbankverbindung ist offen", "Verbindungen", true),
            ("Die Übertragungsrate ist niedrig", "Übertragung", true),
            ("Der Datenbankverbindungsaufbau dauert", "Verbindung", false),
            ("Die Verwaltung", "Waltung", true),
            ("Der Anhang", "Hang", false),
            ("Die Datenbank-Verbindung", "Zertifikat", false),
        ] {
            let has = parts(word).iter().any(|part| has_in_compound(text, part));
            assert_eq!(has, expected, "{word} in {text}");
        }
        assert_eq!(parts("wo ist die \"Verbindung\" v2 max_size Takt 今天天气怎么样"), [""; 0]);
        assert_eq!(pattern("übertragung"), "%_bertragung%");
    }
}
