//! Words of one family that stemming leaves apart: a question says *dependencies*, the code `depend`; a question *prioritize*, the
//! code `priority`. What the index has of a family counts instead of the word, as words of the same meaning do.

use std::collections::{BTreeSet, HashSet};

use super::query::Query;
use super::reader::Reader;
use crate::error::Result;
use crate::postings;
use crate::store::Store;

/// What follows the letters that words of a family share, where stemming has taken the usual endings: `coloriz`, `color`.
const ENDINGS: &[&str] = &[
    "", "abilit", "ag", "al", "anc", "ant", "at", "d", "enc", "ent", "ful", "ibilit", "ic", "ical", "if",
    "ifi", "ific", "ism", "ist", "it", "iv", "iz", "nc", "ness", "nt", "s", "ss", "t", "ur",
];
/// The fewest letters that they share: `form` and `format`, `even` and `event` are two families.
const SHARED: usize = 5;

/// The question with the words of its words' families that the index has. A name that is asked for is meant as it's spelt.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn with_forms(store: &Store, reader: &Reader, query: &Query) -> Result<Query> {
    let mut out = query.clone();
    if query.names_only {
        return Ok(out);
    }
    let mut forms: BTreeSet<(usize, String)> = BTreeSet::new();
    for (at, word) in query.words.iter().enumerate().filter(|(at, _)| !query.whole[*at]) {
        forms.extend(family(word).into_iter().map(|form| (at, form)));
    }
    let known = in_index(store, &forms)?;
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

/// Those of the forms that the index has, or had.
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
    use crate::words::stem;

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
