//! The first stage of a search: BM25 over chunks, with counts weighted by where a word occurs. Returns candidate files with what
//! the second stage needs.

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

/// A chunk with any of the words.
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

/// The result of the first stage.
#[derive(Debug, Default)]
pub(super) struct CandidateSet {
    pub(super) candidates: Vec<Candidate>,
    /// By word: how much it says, 0 when no chunk has it.
    pub(super) weights: Vec<f64>,
    /// By file, including files that aren't candidates: the best score of its chunks, 0 without any of the words.
    pub(super) best_by_file: Vec<f64>,
}

/// Gathers the candidates of `query` among the files that `keep` lets through.
pub(super) fn gather_candidates(
    reader: &Reader,
    query: &Query,
    matches: &[Matches],
    keep: &dyn Fn(usize) -> bool,
) -> CandidateSet {
    let alive = f64::from(reader.alive.max(1));
    let mut hits = vec![Hit::default(); reader.chunk_numbers()];
    // Most chunks have none of the words, and are not looked at again.
    let mut touched: Vec<u32> = Vec::new();
    let mut weights = Vec::with_capacity(matches.len());
    for (i, matches) in matches.iter().enumerate() {
        let frequency = matches.list.len() as f64;
        // A whole identifier's score only repeats that of its parts.
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
            if hit.any == 0 {
                touched.push(*chunk);
            }
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
    touched.sort_unstable();
    let mut sums = vec![(0.0f64, 0.0f64); reader.files.len()];
    for chunk in &touched {
        let Some((file, _)) = reader.chunk(*chunk) else { continue };
        let (best, sum) = &mut sums[file as usize];
        let score = hits[*chunk as usize].score;
        *best = best.max(score);
        *sum += score;
    }
    let mut found: Vec<u32> = Vec::new();
    for (file, sums) in sums.iter_mut().enumerate().filter(|(_, (_, sum))| *sum > 0.0) {
        if keep(file) {
            found.extend(u32::try_from(file));
        } else {
            *sums = (0.0, 0.0);
        }
    }
    let best_by_file: Vec<f64> = sums.iter().map(|(best, _)| *best).collect();
    let most = sums.iter().map(|(_, sum)| *sum).fold(0.0, f64::max).max(1e-9);
    let top = best_by_file.iter().copied().fold(0.0, f64::max).max(1e-9);
    let early = |file: &u32| {
        let (best, sum) = sums[*file as usize];
        best / top + 0.3 * sum / most
    };
    let order = |a: &u32, b: &u32| early(b).total_cmp(&early(a)).then(a.cmp(b));
    if found.len() > MAX_CANDIDATES {
        found.select_nth_unstable_by(MAX_CANDIDATES, order);
        found.truncate(MAX_CANDIDATES);
    }
    found.sort_by(order);
    let mut candidates: Vec<Candidate> = found
        .iter()
        .map(|file| {
            let (best, sum) = sums[*file as usize];
            Candidate { file: *file, hits: Vec::new(), best, sum }
        })
        .collect();
    let mut place = vec![u32::MAX; reader.files.len()];
    for (at, file) in found.iter().enumerate() {
        place[*file as usize] = u32::try_from(at).unwrap_or(u32::MAX);
    }
    for chunk in touched {
        let Some((file, _)) = reader.chunk(chunk) else { continue };
        if let Some(candidate) = candidates.get_mut(place[file as usize] as usize) {
            candidate.hits.push(hits[chunk as usize]);
        }
    }
    for candidate in &mut candidates {
        candidate.hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
    }
    CandidateSet { candidates, weights, best_by_file }
}
