//! Words of a question that the memories have as two: `timezone` and `cronjob` find `time zone` and `cron job`. The other way
//! round the question itself has both words.

use std::ops::RangeInclusive;

use super::terms;
use crate::query::Selection;
use crate::store::{Effort, Matches, Result, Store, Term};

/// The number of letters of a word that may be two words elsewhere.
const LENGTHS: RangeInclusive<usize> = 7..=24;
/// The number of letters of each of them.
const MIN_PART: usize = 3;
/// The number of a question's words that are looked for.
const MAX_WORDS: usize = 4;

/// Adds to each term that nothing matches what it is as two words, if something matches that. Returns whether anything was
/// added.
pub(super) fn add(
    store: &dyn Store,
    selection: &Selection,
    terms: &mut [Term],
    found: &Matches,
) -> Result<bool> {
    let is_missing = |at: usize| !found.all.iter().any(|one| one.own[at] > 0.0 || one.around[at] > 0.0);
    let missing: Vec<(usize, Term)> = terms
        .iter()
        .enumerate()
        .filter(|(at, _)| is_missing(*at))
        .map(|(at, term)| (at, Term { part: term.part.clone(), forms: in_two(&term.part) }))
        .filter(|(_, term)| !term.forms.is_empty())
        .take(MAX_WORDS)
        .collect();
    if missing.is_empty() {
        return Ok(false);
    }
    let wanted: Vec<Term> = missing.iter().map(|(_, term)| term.clone()).collect();
    let matched = store.matches(selection, &wanted, Effort::Usual)?.all;
    let mut added = false;
    for (place, (at, term)) in missing.into_iter().enumerate() {
        if matched.iter().any(|one| one.own[place] > 0.0 || one.around[place] > 0.0) {
            terms[at].forms.extend(term.forms);
            added = true;
        }
    }
    Ok(added)
}

/// A word as two words, at each place where both say something.
fn in_two(part: &ranking::Part) -> Vec<String> {
    let word = part.text.to_lowercase();
    let is_word = word.chars().all(|c| c.is_ascii_lowercase());
    if part.quoted || !is_word || !LENGTHS.contains(&word.len()) {
        return Vec::new();
    }
    (MIN_PART..=word.len() - MIN_PART)
        .map(|at| word.split_at(at))
        .filter(|(one, other)| !terms::is_filler(one) && !terms::is_filler(other))
        .map(|(one, other)| format!("{one} {other}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::query::{Filter, Scope};
    use crate::recall::{RecallRequest, recall};
    use crate::store::{Actor, Draft, Secrets, SqliteStore};

    #[test]
    fn a_word_finds_what_is_written_as_two() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for content in [
            "Times are shown in the user's time zone",
            "No cron jobs on the web servers, the worker pool runs them",
            "Comments that repeat the code are removed",
            "The time of the zone is unknown",
        ] {
            let draft = Draft::new(content, Namespace::Decisions, Domain::User);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(1)).unwrap();
        }
        let first = |question: &str, unasked: bool| {
            let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 2 };
            let query = Some(question.to_owned());
            let asked = RecallRequest { query, selection, limit: 5, unasked, ..RecallRequest::default() };
            recall(&store, &asked).unwrap().hits.into_iter().map(|hit| hit.memory.content).next()
        };
        for (question, expected) in [
            ("timezone", "Times are shown"),
            ("which timezone is it", "Times are shown"),
            ("can I add a cronjob to the webserver?", "No cron jobs"),
        ] {
            assert!(first(question, false).is_some_and(|text| text.starts_with(expected)), "{question}");
        }
        // What nobody asked for has the words that it has.
        assert_eq!(first("timezone", true), None);
        assert_eq!(first("zonetime", false), None);
    }

    #[test]
    fn a_word_is_taken_apart_where_both_parts_say_something() {
        let apart = |word: &str| in_two(&ranking::Query::parse(word).parts[0]);
        assert_eq!(apart("cronjob"), ["cro njob", "cron job"]);
        // `for` says nothing.
        assert!(!apart("forward").contains(&"for ward".to_owned()));
        for word in ["\"timezone\"", "timeout2", "zone", "Übertragung"] {
            assert!(apart(word).is_empty(), "{word}");
        }
    }
}
