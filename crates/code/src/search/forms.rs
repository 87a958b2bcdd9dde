//! Words of one family that stemming leaves apart: a question says *dependencies*, the code `depend`; a question *prioritize*, the
//! code `priority`. What the index has of a family counts instead of the word, as words of the same meaning do. A name whose parts
//! are joined otherwise, `readfile` for `readFile`, is the word itself.

use std::collections::{BTreeSet, HashSet};

use super::query::Query;
use super::reader::Reader;
use crate::error::Result;
use crate::postings;
use crate::store::Store;
use crate::words::stem;

/// What follows the letters that words of a family share, where stemming has taken the usual endings: `coloriz`, `color`.
const ENDINGS: &[&str] = &[
    "", "abilit", "ag", "al", "anc", "ant", "at", "d", "enc", "ent", "ful", "ibilit", "ic", "ical", "if",
    "ifi", "ific", "ism", "ist", "it", "iv", "iz", "nc", "ness", "nt", "s", "ss", "t", "ur",
];
/// The fewest letters that they share: `form` and `format`, `even` and `event` are two families.
const SHARED: usize = 5;

/// The question with the words of its words' families that the index has. A name that is asked for is meant as it's spelt, but for
/// how its parts are joined.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn with_forms(store: &Store, reader: &Reader, query: &Query) -> Result<Query> {
    let mut out = query.clone();
    let joined: Vec<(usize, String)> =
        (0..query.words.len()).filter_map(|at| Some((at, joined_otherwise(query, at)?))).collect();
    let mut forms: BTreeSet<(usize, String)> = BTreeSet::new();
    if !query.names_only {
        for (at, word) in query.words.iter().enumerate().filter(|(at, _)| !query.whole[*at]) {
            forms.extend(family(word).into_iter().map(|form| (at, form)));
        }
    }
    let own = joined.iter().map(|(at, _)| (*at, query.words[*at].clone()));
    let asked: BTreeSet<(usize, String)> = forms.iter().chain(&joined).cloned().chain(own).collect();
    let known = in_index(store, &asked)?;
    for (at, other) in joined {
        if !known.contains(&out.words[at]) && known.contains(&other) && !out.words.contains(&other) {
            out.words[at] = other;
        }
    }
    if query.names_only {
        return Ok(out);
    }
    forms.retain(|(at, form)| {
        known.contains(form)
            && !query.words.contains(form)
            && !query.related.iter().any(|(word, of)| of == at && word == form)
    });
    let words: Vec<String> = forms.iter().map(|(_, form)| form.clone()).collect();
    // Removed parts stay in the lists of words for a while.
    let matches = reader.matches(store, &words)?;
    let found = forms.into_iter().zip(matches).filter(|(_, matches)| !matches.list.is_empty());
    let others = std::mem::take(&mut out.related);
    out.related = found.map(|((at, form), _)| (form, at)).chain(others).collect();
    Ok(out)
}

/// The word that the index has for a name of several parts where the code joins them otherwise: of `readFile` the stem of `readfile`,
/// and of `readfile` all its letters, which is how `readFile` and `read_file` are kept.
fn joined_otherwise(query: &Query, at: usize) -> Option<String> {
    let word = query.words[at].as_str();
    if query.whole[at] {
        return Some(stem(word).to_owned()).filter(|stem| stem != word);
    }
    let mut typed = query.names.iter().chain(&query.plain);
    typed.find(|typed| *typed != word && stem(typed) == word).cloned()
}

/// The stems that may be of one family with `stem`.
fn family(stem: &str) -> Vec<String> {
    if !stem.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Vec::new();
    }
    let shared = ENDINGS.iter().filter_map(|ending| stem.strip_suffix(*ending));
    let shared = shared.filter(|shared| shared.len() >= SHARED);
    let forms = shared.flat_map(|shared| ENDINGS.iter().map(move |ending| format!("{shared}{ending}")));
    forms.filter(|form| form != stem).collect()
}

/// Those of the words that the index has, or had.
fn in_index(store: &Store, forms: &BTreeSet<(usize, String)>) -> Result<HashSet<String>> {
    let asked: HashSet<&str> = forms.iter().map(|(_, form)| form.as_str()).collect();
    store.read(|db| {
        let mut out = HashSet::new();
        let mut statement = db.prepare_cached("SELECT 1 FROM postings WHERE word = ?1")?;
        for form in &asked {
            if statement.exists([form])? {
                out.insert((*form).to_owned());
            }
        }
        let mut statement = db.prepare_cached("SELECT words FROM pending")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            postings::unbundle(row.get_ref(0)?.as_blob().unwrap_or_default(), |word, _| {
                if asked.contains(word) {
                    out.insert(word.to_owned());
                }
            });
        }
        Ok(out)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_family_find_each_other() {
        for (one, other, expected) in [
            ("dependencies", "depends", true),
            ("accessibility", "access", true),
            ("prioritize", "priority", true),
            ("colorize", "color", true),
            ("exclusion", "exclude", true),
            ("conversion", "convert", true),
            ("periodic", "period", true),
            ("format", "form", false),
            ("event", "even", false),
            ("comment", "commit", false),
            ("router", "round", false),
        ] {
            let finds = |a: &str, b: &str| family(stem(a)).iter().any(|form| form == stem(b));
            assert_eq!(finds(one, other), expected, "{one} → {other}");
            assert_eq!(finds(other, one), expected, "{other} → {one}");
        }
        assert!(family("naïv").is_empty() && family("utf8").is_empty());
    }
}
