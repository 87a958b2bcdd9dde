//! Which words of a question the index doesn't have in any form: no answer can be about them, and whoever asks should hear so. Such
//! a word may be misspelt, so names of definitions that are one slip away are looked up, too.

use super::forms;
use super::query::Query;
use super::reader::Reader;
use super::related::related;
use crate::error::Result;
use crate::store::Store;
use crate::words;

/// The fewest letters of a name that another one is near to: `map` is one letter from `tap`, and means something else.
const NEAR_FROM: usize = 5;
/// The most names that are near a word.
const NEAR: usize = 5;

/// What the index has of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The words that no indexed file has, as they are typed.
    pub unknown: Vec<String>,
}

impl Evidence {
    /// Looks up every word of the question, unless none says anything about code.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of(store: &Store, reader: &Reader, query: &Query) -> Result<Evidence> {
        if query.says_nothing {
            return Ok(Evidence::default());
        }
        let with_forms = forms::with_forms(store, reader, query)?;
        let (mut owners, mut forms) = (Vec::new(), Vec::new());
        for (at, run) in query.asked.iter().enumerate() {
            for form in forms_of(run, query, &with_forms) {
                owners.push(at);
                forms.push(form);
            }
        }
        let matches = reader.matches(store, &forms)?;
        let mut has = vec![false; query.asked.len()];
        for (at, _) in owners.iter().zip(&matches).filter(|(_, found)| !found.list.is_empty()) {
            has[*at] = true;
        }
        let unknown = query.asked.iter().enumerate().filter(|(at, _)| owners.contains(at) && !has[*at]);
        Ok(Evidence { unknown: unknown.map(|(_, run)| run.clone()).collect() })
    }
}

/// How the index may have a word of the question. An identifier of several parts is meant as a whole, whatever is known of its
/// parts; a word of one part is there in any of its family, too.
fn forms_of(run: &str, query: &Query, with_forms: &Query) -> Vec<String> {
    let (mut scratch, mut out) = (String::new(), Vec::new());
    words::words(run, &mut scratch, |word| out.push(word.to_owned()));
    if out.is_empty() {
        // A letter or a number, which the index doesn't look for.
        return out;
    }
    words::whole(run, &mut scratch);
    if out.len() > 1 {
        out.clear();
    } else if let Some(at) = query.words.iter().position(|word| *word == out[0]) {
        out.extend(related(&out[0]).iter().map(|word| (*word).to_owned()));
        out.extend(with_forms.related.iter().filter(|(_, of)| *of == at).map(|(word, _)| word.clone()));
    }
    out.push(words::stem(&scratch).to_owned());
    out.push(scratch);
    out
}

/// The names of definitions that are spelt as `name` but for its case and its underscores, or else with one slip: a letter
/// that is missing, doubled, another one or in its neighbour's place. In order; never meant instead of `name`.
///
/// # Errors
/// When the database cannot be read.
pub fn similar_names(store: &Store, name: &str) -> Result<Vec<String>> {
    let mut folded = String::new();
    words::whole(name, &mut folded);
    let count = folded.chars().count();
    store.read(|db| {
        let mut spellings =
            db.prepare_cached("SELECT DISTINCT name FROM symbols WHERE folded = ?1 ORDER BY name LIMIT ?2")?;
        let mut named = |folded: &str, most: usize| -> rusqlite::Result<Vec<String>> {
            spellings.query_map(rusqlite::params![folded, number(most)], |row| row.get(0))?.collect()
        };
        let mut out = named(&folded, NEAR)?;
        if !out.is_empty() || count < NEAR_FROM {
            return Ok(out);
        }
        let mut lengths = db.prepare_cached(
            "SELECT DISTINCT folded FROM symbols WHERE length(folded) BETWEEN ?1 AND ?2 ORDER BY folded",
        )?;
        let mut rows = lengths.query([number(count - 1), number(count + 1)])?;
        while let Some(row) = rows.next()? {
            let other = row.get_ref(0)?.as_str().unwrap_or_default();
            if is_one_slip(&folded, other) {
                out.extend(named(other, NEAR - out.len())?);
            }
            if out.len() >= NEAR {
                break;
            }
        }
        Ok(out)
    })
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Whether one is the other with a letter left out or added, another letter, or two neighbours swapped.
fn is_one_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[before..], &other[before..]);
    let after = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - after], &other[..other.len() - after]) {
        ([], [_]) | ([_], []) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_one_slip;

    #[test]
    fn one_slip_is_one_letter_or_two_neighbours() {
        for (one, other, expected) in [
            ("readconfig", "raedconfig", true),
            ("readconfig", "readcnfig", true),
            ("readconfig", "readdconfig", true),
            ("readconfig", "readconfik", true),
            ("readconfig", "eadconfig", true),
            ("größe", "grösse", false),
            ("größe", "große", true),
            ("readconfig", "readconfig", false),
            ("readconfig", "readkomfig", false),
            ("abab", "baba", false),
            ("", "ab", false),
        ] {
            assert_eq!(is_one_slip(one, other), expected, "{one} {other}");
            assert_eq!(is_one_slip(other, one), expected, "{other} {one}");
        }
    }
}
