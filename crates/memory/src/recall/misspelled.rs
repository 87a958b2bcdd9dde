//! A question whose words nothing has, with each as the memories spell it: `Terrafrom` asks for `Terraform`.
//!
//! Where nothing else was found, texts are looked through. Beside words that were found, only the index is asked, and for slips of
//! the fingers alone, because a word that is spelled correctly may be near another one. Whoever didn't ask gets nothing: such a
//! match isn't sure.

use std::collections::HashMap;

use ranking::Part;
use ranking::words::is_cjk;

use super::terms;
use crate::query::Selection;
use crate::store::{Effort, Matches, Result, Store, Term};

/// The number of letters of a word that may be misspelled. A shorter one is near too many others.
const LENGTHS: std::ops::RangeInclusive<usize> = 5..=24;
/// From this length on, two letters may be wrong.
const TWO_WRONG_FROM: usize = 9;
/// From this length on, one letter may be another. A shorter word with another letter is mostly another word: `stage`, `state`.
const OTHER_LETTER_FROM: usize = 7;
/// The number of a question's words that are looked for.
const MAX_WORDS: usize = 4;
/// The number of memories looked through, the newest of the selection, and of those whose words are compared.
const AMONG: usize = 4_000;
const MAX_FOUND: usize = 200;
/// The same beside words that were found, and the number of such words that are looked for.
const LENGTHS_OF_SLIPS: std::ops::RangeInclusive<usize> = 6..=24;
const MAX_SLIPS: usize = 2;
/// How much of a score is left where a word isn't the one that was asked for.
pub(super) const CERTAINTY: f64 = 0.5;

/// The question with the words that the memories have; `None` if fewer than half of its words are near one of theirs: it's about
/// something else then.
pub(super) fn correction(store: &dyn Store, selection: &Selection, question: &str) -> Result<Option<String>> {
    let terms = terms::parse(question, true).terms;
    let asked = terms.len();
    let words: Vec<String> = terms
        .into_iter()
        .filter(|term| !term.part.quoted && may_be_misspelled(&term.part.text))
        .map(|term| term.part.text)
        .take(MAX_WORDS)
        .collect();
    if words.is_empty() {
        return Ok(None);
    }
    let patterns: Vec<String> = words.iter().flat_map(|word| patterns(&word.to_lowercase())).collect();
    let found = store.containing(selection, &patterns, (MAX_FOUND, AMONG))?;
    let mut known: HashMap<String, usize> = HashMap::new();
    for (_, memory) in &found {
        for word in memory.content.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *known.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    let mut corrected = question.to_owned();
    let mut others = 0;
    for word in &words {
        if let Some(near) = nearest(&word.to_lowercase(), &known) {
            corrected = with_word_replaced(&corrected, word, near);
            others += 1;
        }
    }
    Ok((others > 0 && others * 2 >= asked).then_some(corrected))
}

/// Adds to a term that no memory has, beside others that some have, the one word of the index that is a slip away. Returns
/// whether any was added.
pub(super) fn add_slips(
    store: &dyn Store,
    selection: &Selection,
    terms: &mut [Term],
    found: &Matches,
) -> Result<bool> {
    if found.all.is_empty() {
        return Ok(false);
    }
    let mut added = false;
    let missing = terms.iter_mut().zip(&found.with).filter(|(term, with)| **with == 0 && !term.part.quoted);
    for (term, _) in missing.filter(|(term, _)| may_slip(&term.part.text)).take(MAX_SLIPS) {
        let near = slips(&term.part.text.to_lowercase());
        let as_term = |word: &String| {
            let part = Part { text: word.clone(), quoted: false, words: vec![word.clone()] };
            Term { part, forms: Vec::new() }
        };
        let wanted: Vec<Term> = near.iter().map(as_term).collect();
        let matched = store.matches(selection, &wanted, Effort::Usual)?.all;
        let has = |at: &usize| matched.iter().any(|one| one.own[*at] > 0.0);
        let there: Vec<usize> = (0..near.len()).filter(has).collect();
        if let [one] = there[..] {
            term.forms.push(near[one].clone());
            added = true;
        }
    }
    Ok(added)
}

fn may_slip(word: &str) -> bool {
    LENGTHS_OF_SLIPS.contains(&word.chars().count()) && word.chars().all(char::is_alphabetic)
}

/// The words from which this one comes by two swapped neighbours, a letter too many or one of two equal ones left out. The first
/// letter is right.
fn slips(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut out: Vec<String> = Vec::new();
    let mut add = |letters: Vec<char>| {
        let other: String = letters.into_iter().collect();
        if other != word && !out.contains(&other) {
            out.push(other);
        }
    };
    for at in 1..letters.len() {
        let mut swapped = letters.clone();
        if at + 1 < letters.len() {
            swapped.swap(at, at + 1);
            add(swapped);
        }
        let mut shorter = letters.clone();
        shorter.remove(at);
        add(shorter);
        let mut doubled = letters.clone();
        doubled.insert(at, letters[at]);
        add(doubled);
    }
    out
}

/// The text with another word in the place of this one, where it isn't a part of a longer word.
fn with_word_replaced(text: &str, word: &str, other: &str) -> String {
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let whole = text.match_indices(word).map(|(at, _)| (&text[..at], &text[at + word.len()..]));
    let mut whole = whole
        .filter(|(before, after)| !goes_on(before.chars().next_back()) && !goes_on(after.chars().next()));
    whole.next().map_or_else(|| text.to_owned(), |(before, after)| format!("{before}{other}{after}"))
}

/// Whether a word has the letters of one that people write.
fn may_be_misspelled(word: &str) -> bool {
    LENGTHS.contains(&word.chars().count()) && word.chars().all(char::is_alphabetic)
}

/// What texts with a word are like for SQL if one of its letters or two neighbours are wrong: one of its halves is right, or all
/// but the two letters where the halves meet. SQL knows the cases of ASCII letters only.
fn patterns(word: &str) -> [String; 3] {
    let letters: Vec<char> = word.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    let (before, after) = letters.split_at(letters.len() / 2);
    let text = |letters: &[char]| letters.iter().collect::<String>();
    let around = format!("%{}__{}%", text(&before[..before.len() - 1]), text(&after[1..]));
    [format!("%{}%", text(before)), format!("%{}%", text(after)), around]
}

/// The known word that a misspelled one is nearest to, of several the most frequent; `None` for a word that is known. A plural's
/// `s` isn't a mistake.
fn nearest<'k>(word: &str, known: &'k HashMap<String, usize>) -> Option<&'k str> {
    let word = singular(word);
    if known.keys().any(|other| singular(other) == word) {
        return None;
    }
    let most = if word.chars().count() < TWO_WRONG_FROM { 1 } else { 2 };
    known
        .iter()
        .filter(|(other, _)| may_be_misspelled(other) && is_slip(word, singular(other)))
        .map(|(other, count)| (strsim::damerau_levenshtein(word, singular(other)), *count, other))
        .filter(|(distance, _, _)| *distance <= most)
        .min_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)).then(one.2.cmp(other.2)))
        .map(|(_, _, other)| other.as_str())
}

/// Whether one word may be the other with letters left out, doubled or swapped, or with another letter in a long one. Hardly
/// anybody misspells the first letter, and with two other letters it's another word: `collection`, `connection`.
fn is_slip(word: &str, other: &str) -> bool {
    if word.chars().next() != other.chars().next() {
        return false;
    }
    let mut rest: Vec<char> = other.chars().collect();
    let is_extra = |letter: &char| match rest.iter().position(|one| one == letter) {
        Some(at) => {
            rest.swap_remove(at);
            false
        }
        None => true,
    };
    let extra = word.chars().filter(is_extra).count();
    let most = usize::from(word.chars().count() >= OTHER_LETTER_FROM);
    extra * rest.len() <= most
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|rest| !rest.ends_with('s')).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::query::{Filter, Scope};
    use crate::recall::{Confidence, RecallRequest, recall};
    use crate::store::{Actor, Draft, Effort, Secrets, SqliteStore};

    #[test]
    fn a_misspelled_word_finds_what_it_was_meant_to_and_never_surely() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for content in [
            "The team chose Terraform over Pulumi",
            "Passwords are hashed with argon2id",
            "Lodash was removed, native methods are enough",
            "Die Schnittstelle nimmt nachts nichts an",
            "Patches of the state machine keep the connection open",
        ] {
            let draft = Draft::new(content, Namespace::Decisions, Domain::User);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(1)).unwrap();
        }
        let ask = |question: &str, effort: Effort, unasked: bool| {
            let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 2 };
            let query = Some(question.to_owned());
            let asked =
                RecallRequest { query, selection, limit: 5, effort, unasked, ..RecallRequest::default() };
            recall(&store, &asked).unwrap().hits
        };
        for (question, expected) in [
            ("Terrafrom", "The team"),
            ("why terafform?", "The team"),
            ("pasword", "Passwords"),
            ("lodahs", "Lodash"),
            ("Schnitstelle", "Die Schnittstelle"),
            // A longer word of the question begins like it.
            ("a paswordless pasword", "Passwords"),
        ] {
            let hits = ask(question, Effort::Usual, false);
            assert!(hits.first().is_some_and(|hit| hit.memory.content.starts_with(expected)), "{question}");
            assert!(hits.iter().all(|hit| hit.confidence() < Some(Confidence::High)), "{question}");
            assert!(ask(question, Effort::Usual, true).is_empty(), "{question}");
            assert!(ask(question, Effort::Quick, false).is_empty(), "{question}");
        }
        for question in [
            "tera",
            "transform",
            "\"Terrafrom\"",
            "platform",
            // Other words, not misspelled ones.
            "stage",
            "matches",
            "collection",
            // One word of many may be near another by accident.
            "purple Terrafrom bananas whistle",
        ] {
            assert!(ask(question, Effort::Usual, false).is_empty(), "{question}");
        }
    }

    #[test]
    fn a_slip_beside_words_that_are_there_finds_the_one_word_that_is_near() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for content in [
            "Terraform keeps its state in a bucket",
            "Commits are squashed on the branch",
            "Patches of the state machine keep the connection open",
            "The branch of the bank is closed",
            "A formal state of the order has a format",
        ] {
            let draft = Draft::new(content, Namespace::Decisions, Domain::User);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(1)).unwrap();
        }
        let first = |question: &str, unasked: bool| {
            let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 2 };
            let query = Some(question.to_owned());
            let asked = RecallRequest { query, selection, limit: 5, unasked, ..RecallRequest::default() };
            let hits = recall(&store, &asked).unwrap().hits;
            hits.first().map(|hit| (hit.memory.content.clone(), hit.components.unwrap().words))
        };
        for (question, expected) in [
            ("where is the terrafrom state", "Terraform"),
            ("the state of terraaform", "Terraform"),
            ("are comits on a branch squashed", "Commits"),
        ] {
            let (content, words) = first(question, false).unwrap();
            assert!(content.starts_with(expected) && words > 1, "{question}: {content}");
            assert!(first(question, true).is_none_or(|(_, unasked)| unasked < words), "{question}");
        }
        // Two words are near.
        assert_eq!(first("state of formalt", false).unwrap().1, 1);
    }

    #[test]
    fn a_slip_swaps_doubles_or_leaves_out() {
        let all = slips("pasword");
        assert!(all.contains(&"password".to_owned()) && all.contains(&"paswrod".to_owned()), "{all:?}");
        assert!(all.iter().all(|one| one.starts_with('p') && one != "pasword"), "{all:?}");
        assert!(slips("").is_empty());
    }

    #[test]
    fn a_word_is_corrected_where_it_is_one() {
        for (text, expected) in [
            ("is rediss the redis?", "is rediss the Redis 7?"),
            ("predis or redis", "predis or Redis 7"),
            ("redis's port", "Redis 7's port"),
            ("redisの設定", "Redis 7の設定"),
            ("rediss", "rediss"),
        ] {
            assert_eq!(with_word_replaced(text, "redis", "Redis 7"), expected, "{text}");
        }
    }

    #[test]
    fn a_slip_leaves_the_first_letter_and_most_others() {
        for (word, other) in [("redsi", "redis"), ("postgras", "postgres"), ("kuberntes", "kubernetes")] {
            assert!(is_slip(word, other), "{word}");
        }
        for (word, other) in [("swift", "shift"), ("batch", "patch"), ("production", "projection")] {
            assert!(!is_slip(word, other), "{word}");
        }
    }

    #[test]
    fn one_pattern_of_a_word_fits_whatever_letter_is_wrong() {
        assert_eq!(patterns("lodash"), ["%lod%", "%ash%", "%lo__sh%"]);
        assert_eq!(patterns("größe"), ["%gr%", "%__e%", "%g___e%"]);
    }
}
