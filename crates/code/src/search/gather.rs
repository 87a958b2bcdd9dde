//! The first stage: which chunks have the query's words and how well, and which files that makes candidates.
//! BM25 over chunks with counts weighed by where a word stands; what the second stage needs of each file is kept.

use std::collections::HashMap;

use super::query::Query;
use super::reader::{Matches, Reader};
use crate::analyse::Tally;

const K1: f64 = 1.4;
const B: f64 = 0.7;
const COMMENT: f64 = 0.9;
const NAME: f64 = 2.0;
const PATH: f64 = 0.9;
/// No more files go to the second stage.
pub(super) const MAX_CANDIDATES: usize = 120;

/// What is known of a chunk with any of the words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hit {
    pub(super) chunk: u32,
    pub(super) score: f64,
    /// By word: it has it at all; in a comment; in a name defined there; in its text (not only the path).
    pub(super) any: u32,
    pub(super) comment: u32,
    pub(super) name: u32,
    pub(super) text: u32,
}

/// A file that may be the answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    pub(super) file: u32,
    /// Best first.
    pub(super) hits: Vec<Hit>,
    pub(super) best: f64,
    pub(super) sum: f64,
}

/// What the first stage found.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) candidates: Vec<Candidate>,
    /// By word: how much it says, 0 when no chunk has it.
    pub(super) weights: Vec<f64>,
    /// By file: the best score of its chunks; also of files that are no candidates.
    pub(super) best_by_file: HashMap<u32, f64>,
}

/// Gathers the candidates of `query` among the files that `keep` lets through.
pub(super) fn gather(
    reader: &Reader,
    query: &Query,
    matches: &[Matches],
    keep: &dyn Fn(usize) -> bool,
) -> Gathered {
    let alive = f64::from(reader.alive.max(1));
    let mut hits = vec![Hit::default(); reader.chunk_numbers()];
    let mut weights = Vec::with_capacity(matches.len());
    for (i, matches) in matches.iter().enumerate() {
        let frequency = matches.list.len() as f64;
        // A whole identifier says no more than its parts again.
        let share = if query.whole.get(i).copied().unwrap_or(false) { 0.7 } else { 1.0 };
        let idf = share * (1.0 + (alive - frequency + 0.5) / (frequency + 0.5)).ln();
        weights.push(if matches.list.is_empty() { 0.0 } else { idf });
        let bit = 1u32 << (i % 32);
        for (chunk, counts) in &matches.list {
            let Some((_, length)) = reader.chunk(*chunk) else { continue };
            let tally = Tally::unpack(*counts);
            let frequency = f64::from(tally.code)
                + COMMENT * f64::from(tally.comment)
                + NAME * f64::from(tally.name)
                + PATH * f64::from(tally.path);
            let norm = K1 * (1.0 - B + B * f64::from(length) / reader.mean_length);
            let hit = &mut hits[*chunk as usize];
            hit.chunk = *chunk;
            hit.score += idf * frequency * (K1 + 1.0) / (frequency + norm);
            hit.any |= bit;
            if tally.comment > 0 {
                hit.comment |= bit;
            }
            if tally.name > 0 {
                hit.name |= bit;
            }
            if tally.code + tally.comment > 0 {
                hit.text |= bit;
            }
        }
    }
    let mut by_file: HashMap<u32, Candidate> = HashMap::new();
    for hit in hits.into_iter().filter(|hit| hit.any != 0) {
        let Some((file, _)) = reader.chunk(hit.chunk) else { continue };
        if !keep(file as usize) {
            continue;
        }
        let candidate = by_file.entry(file).or_default();
        candidate.file = file;
        candidate.best = candidate.best.max(hit.score);
        candidate.sum += hit.score;
        candidate.hits.push(hit);
    }
    let best_by_file = by_file.iter().map(|(file, c)| (*file, c.best)).collect();
    let mut candidates: Vec<Candidate> = by_file.into_values().collect();
    let most = candidates.iter().map(|c| c.sum).fold(0.0, f64::max).max(1e-9);
    let top = candidates.iter().map(|c| c.best).fold(0.0, f64::max).max(1e-9);
    let early = |c: &Candidate| c.best / top + 0.3 * c.sum / most;
    candidates.sort_by(|a, b| early(b).total_cmp(&early(a)).then(a.file.cmp(&b.file)));
    candidates.truncate(MAX_CANDIDATES);
    for candidate in &mut candidates {
        candidate.hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
    }
    Gathered { candidates, weights, best_by_file }
}
