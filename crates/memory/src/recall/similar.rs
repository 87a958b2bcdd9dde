//! Finds near duplicates of a text that is about to be captured.

use ranking::Query;

use crate::domain::{NEAR_DUPLICATE, similarity, word_set};
use crate::query::Selection;
use crate::store::{Effort, Result, Similar, Store, Term};

/// The number of a text's words searched, longest first: those tell texts apart.
const MAX_WORDS: usize = 12;
/// Maximum number of candidates compared.
const MAX_CANDIDATES: usize = 20;

/// The selected memories that are near duplicates of `text`, most similar first, at most `limit`.
///
/// # Errors
/// If the store fails.
pub fn similar(store: &dyn Store, selection: &Selection, text: &str, limit: usize) -> Result<Vec<Similar>> {
    let words = word_set(text);
    let mut parts = Query::parse(text).parts;
    parts.sort_by_key(|part| std::cmp::Reverse(part.text.chars().count()));
    parts.truncate(MAX_WORDS);
    let terms: Vec<Term> = parts.into_iter().map(|part| Term { part, forms: Vec::new() }).collect();
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let mut found: Vec<(usize, i64)> = store
        .matches(selection, &terms, Effort::Usual)?
        .all
        .into_iter()
        .map(|one| (one.own.iter().filter(|own| **own > 0.0).count(), one.key))
        .filter(|(has, _)| has * 2 >= terms.len())
        .collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    let keys: Vec<i64> = found.into_iter().take(MAX_CANDIDATES).map(|(_, key)| key).collect();
    let mut out: Vec<Similar> = store
        .read(&keys)?
        .into_iter()
        .map(|(_, memory)| Similar { likeness: similarity(&words, &word_set(&memory.content)), memory })
        .filter(|similar| similar.likeness >= NEAR_DUPLICATE)
        .collect();
    out.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then(b.memory.created_ms.cmp(&a.memory.created_ms)));
    out.truncate(limit);
    Ok(out)
}
