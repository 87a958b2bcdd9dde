//! Alternatives for an unknown word: words that contain it, and words within one typo. Both scan the vocabulary table,
//! which only happens if the index had no answer.

use crate::error::Result;
use crate::store::Store;
use ranking::{Query, quote};

/// The fewest characters of a part that is searched for inside words.
const MIN_INSIDE_CHARS: usize = 3;
/// The most longer words that replace an unknown one.
const MAX_INSIDE_WORDS: usize = 40;

impl Store {
    /// The query's expression with each unknown part replaced by the words that contain it; `None` if no word contains one of
    /// them, or one is too short.
    pub(crate) fn inside_words(&self, query: &Query, unknown: &[usize]) -> Result<Option<String>> {
        let mut expressions = Vec::with_capacity(query.parts.len());
        for (i, part) in query.parts.iter().enumerate() {
            if !unknown.contains(&i) {
                expressions.push(part.expression());
                continue;
            }
            if part.quoted {
                return Ok(None);
            }
            // `oo_bar` is searched for as `…oo` followed by `bar…`: each run of letters separately.
            let runs: Vec<String> = part
                .text
                .split(|c: char| !c.is_alphanumeric())
                .filter(|r| !r.is_empty())
                .map(str::to_lowercase)
                .collect();
            // Known words that never occur as this phrase aren't parts of longer words; any of them will do then.
            let all_known = self.read(|db| {
                let mut known = db.prepare_cached("SELECT 1 FROM words WHERE word = ?1")?;
                let mut all_known = true;
                for run in &runs {
                    all_known = all_known && known.exists([run])?;
                }
                Ok(all_known)
            })?;
            if all_known {
                return Ok(None);
            }
            for run in runs {
                let words = self.words_containing(&run)?;
                if words.is_empty() {
                    return Ok(None);
                }
                let any: Vec<String> = words.iter().map(|w| quote(w)).collect();
                expressions.push(format!("({})", any.join(" OR ")));
            }
        }
        Ok((!expressions.is_empty()).then(|| expressions.join(" AND ")))
    }

    fn words_containing(&self, run: &str) -> Result<Vec<String>> {
        if run.chars().count() < MIN_INSIDE_CHARS {
            return Ok(Vec::new());
        }
        self.read(|db| {
            db.prepare_cached("SELECT word FROM words WHERE instr(word, ?1) ORDER BY length(word) LIMIT ?2")?
                .query_map((run, MAX_INSIDE_WORDS as i64), |r| r.get(0))?
                .collect()
        })
    }

    /// The query with each unknown part corrected; `None` if none could be. With `sure`, only one-letter typos in words of six
    /// or more letters count.
    pub(crate) fn corrected(&self, query: &Query, unknown: &[usize], sure: bool) -> Result<Option<Query>> {
        let mut corrected = query.clone();
        let mut changed = false;
        for &i in unknown {
            let part = &query.parts[i];
            if part.quoted {
                continue;
            }
            let mut text = part.text.to_lowercase();
            let mut changed_here = false;
            for run in part.text.split(|c: char| !c.is_alphanumeric()) {
                let run = run.to_lowercase();
                if let Some(right) = self.nearest_word(&run, sure)? {
                    text = text.replacen(&run, &right, 1);
                    changed_here = true;
                }
            }
            if changed_here {
                corrected = corrected.with_replaced(i, &text);
                changed = true;
            }
        }
        Ok(changed.then_some(corrected))
    }

    /// The known word closest to `word`, if any is close enough.
    fn nearest_word(&self, word: &str, sure: bool) -> Result<Option<String>> {
        let length = word.chars().count();
        let most = match (length, sure) {
            (0..=5, true) => return Ok(None),
            (0..=3, false) => return Ok(None),
            (_, true) => 1,
            (4..=5, false) => 1,
            (6..=12, false) => 2,
            _ => 3,
        };
        // First the words with the same start, which is nearly always right and reads little.
        let first = word.chars().next().unwrap_or('a');
        let mut best = self.nearest_in(word, length, most, Some(first))?;
        if !sure && best.as_ref().is_none_or(|(distance, _)| *distance > 1) {
            let other = self.nearest_in(word, length, best.as_ref().map_or(most, |(d, _)| d - 1), None)?;
            best = other.or(best);
        }
        Ok(best.map(|(_, w)| w))
    }

    fn nearest_in(
        &self,
        word: &str,
        length: usize,
        most: usize,
        first: Option<char>,
    ) -> Result<Option<(usize, String)>> {
        let (low, high) = match first {
            Some(c) => (c.to_string(), format!("{c}\u{10FFFF}")),
            None => (String::new(), "\u{10FFFF}".to_owned()),
        };
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT word FROM words WHERE word >= ?1 AND word < ?2 AND length(word) BETWEEN ?3 AND ?4",
            )?;
            let mut rows =
                statement.query((low, high, length.saturating_sub(most) as i64, (length + most) as i64))?;
            let mask = letters(word);
            let bytes_per_edit = if word.is_ascii() { 2 } else { 8 };
            let mut best: Option<(usize, String)> = None;
            while let Some(row) = rows.next()? {
                let known = row.get_ref(0)?.as_str().unwrap_or_default();
                // Each edit changes at most two letters of the set (of up to four bytes), so most words need no comparison.
                if (letters(known) ^ mask).count_ones() as usize > bytes_per_edit * most {
                    continue;
                }
                let distance = strsim::damerau_levenshtein(word, known);
                // A word equal to the query is in no chunk under the current scope: a leftover.
                if distance > 0 && distance <= most && best.as_ref().is_none_or(|(d, _)| distance < *d) {
                    best = Some((distance, known.to_owned()));
                }
            }
            Ok(best)
        })
    }
}

/// A word's set of letters, folded into 64 bits.
fn letters(word: &str) -> u64 {
    word.bytes().fold(0, |set, b| set | 1 << (b & 63))
}
