//! The first stage of a search: BM25 over chunks, with counts weighted by where a word occurs. Returns candidate files with what
//! the second stage needs.

use super::query::Query;
use super::reader::{Matches, Reader};
use crate::analyse::Tally;
use crate::role::{self, Role};

const K1: f64 = 1.4;
const B: f64 = 0.7;
const COMMENT: f64 = 0.9;
const NAME: f64 = 2.0;
const PATH: f64 = 0.9;
/// A related word instead of the word itself.
const RELATED: f64 = 0.3;
/// The same over a whole file.
const WHOLE_K: f64 = 6.0;
const WHOLE_B: f64 = 0.6;
const WHOLE_PATH: f64 = 4.0;
/// The most files that go to the second stage.
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
    /// By word: a related word is in its text or names.
    pub(super) related: u32,
}

/// A file that may be the answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    pub(super) file: u32,
    /// Best first.
    pub(super) hits: Vec<Hit>,
    pub(super) best: f64,
    pub(super) sum: f64,
    /// The score of the file as one text.
    pub(super) whole: f64,
}

/// The result of the first stage.
#[derive(Debug, Default)]
pub(super) struct CandidateSet {
    pub(super) candidates: Vec<Candidate>,
    /// By word: its weight, 0 if no chunk has it.
    pub(super) weights: Vec<f64>,
    /// By file, including files that aren't candidates: the best score of its chunks, 0 without any of the words.
    pub(super) best_by_file: Vec<f64>,
    /// It asks for tests.
    pub(super) tests: bool,
    /// The share of the question whose words the project has, from 0 to 1: no answer can be about words that no file
    /// contains.
    pub(super) known: f64,
}

/// Gathers the candidates of `query` among the files that `keep` lets through; `matches` are the chunks of its words, `related`
/// those of its related words.
pub(super) fn gather_candidates(
    reader: &Reader,
    query: &Query,
    matches: &[Matches],
    related: &[Matches],
    keep: &dyn Fn(usize) -> bool,
) -> CandidateSet {
    let mut scored = Scored::new(reader);
    let weights: Vec<f64> = matches
        .iter()
        .enumerate()
        .map(|(i, matches)| {
            // A whole identifier's score only repeats that of its parts.
            let share = if query.whole.get(i).copied().unwrap_or(false) { 0.7 } else { 1.0 };
            let weight = share * idf(reader, matches);
            scored.add_word(i, matches, weight);
            if matches.list.is_empty() { 0.0 } else { weight }
        })
        .collect();
    let known = known_share(reader, query, matches, related, &weights);
    // A word that every eighth chunk has says little for another one.
    let common = reader.alive as usize / 8;
    for ((_, of), matches) in query.related.iter().zip(related).filter(|(_, m)| m.list.len() <= common) {
        // It stands for the word, so it says no more than the word would.
        let most = weights.get(*of).copied().filter(|weight| *weight > 0.0).unwrap_or(f64::MAX);
        scored.add_related(*of, matches, RELATED * idf(reader, matches).min(most));
    }
    let Scored { hits, mut touched, .. } = scored;
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
            Candidate { file: *file, best, sum, ..Candidate::default() }
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
    score_whole_files(reader, matches, &weights, &place, &mut candidates);
    for candidate in &mut candidates {
        candidate.hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
    }
    CandidateSet {
        candidates,
        weights,
        best_by_file,
        tests: query.tests && !tests_everywhere(reader, query, matches),
        known,
    }
}

/// The scores of chunks while they are added up.
struct Scored<'r> {
    reader: &'r Reader,
    hits: Vec<Hit>,
    /// Most chunks have none of the words, and are not looked at again.
    touched: Vec<u32>,
}

impl<'r> Scored<'r> {
    fn new(reader: &'r Reader) -> Scored<'r> {
        Scored { reader, hits: vec![Hit::default(); reader.chunk_numbers()], touched: Vec::new() }
    }

    fn add_word(&mut self, word: usize, matches: &Matches, weight: f64) {
        let bit = 1u32 << (word % 32);
        for (chunk, counts) in &matches.list {
            let Some((_, length)) = self.reader.chunk(*chunk) else { continue };
            let tally = Tally::unpack(*counts);
            let score = weight * self.bm25(tally, length);
            let hit = self.hit(*chunk);
            hit.score += score;
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

    /// Adds a word that is related to `word`, where neither that nor another such word is.
    fn add_related(&mut self, word: usize, matches: &Matches, weight: f64) {
        let bit = 1u32 << (word % 32);
        for (chunk, counts) in &matches.list {
            let Some((_, length)) = self.reader.chunk(*chunk) else { continue };
            let score = weight * self.bm25(Tally::unpack(*counts), length);
            let hit = self.hit(*chunk);
            if (hit.any | hit.related) & bit == 0 {
                hit.score += score;
                hit.related |= bit;
            }
        }
    }

    fn bm25(&self, tally: Tally, length: u32) -> f64 {
        let frequency = in_text(tally) + PATH * f64::from(tally.path);
        let norm = K1 * (1.0 - B + B * f64::from(length) / self.reader.mean_length);
        frequency * (K1 + 1.0) / (frequency + norm)
    }

    fn hit(&mut self, chunk: u32) -> &mut Hit {
        let hit = &mut self.hits[chunk as usize];
        if hit.any | hit.related == 0 {
            self.touched.push(chunk);
        }
        hit.chunk = chunk;
        hit
    }
}

/// The weight of the words that the project has, of that of all. A whole identifier repeats its parts, and says half as much
/// where it's missing; a word of the same meaning stands for one that is missing.
fn known_share(
    reader: &Reader,
    query: &Query,
    matches: &[Matches],
    related: &[Matches],
    weights: &[f64],
) -> f64 {
    let whole = |i: usize| query.whole.get(i).copied().unwrap_or(false);
    let (mut known, mut all) = (0.0, 0.0);
    for (i, found) in matches.iter().enumerate() {
        if whole(i) {
            all += if found.list.is_empty() { 0.5 * idf(reader, found) } else { 0.0 };
            continue;
        }
        let replaces =
            query.related.iter().zip(related).any(|((_, of), found)| *of == i && !found.list.is_empty());
        match found.list.is_empty() {
            false => (known, all) = (known + weights[i], all + weights[i]),
            true if replaces => {}
            true => all += idf(reader, found),
        }
    }
    if all > 0.0 { known / all } else { 1.0 }
}

/// A word's weight: the fewer chunks have it, the higher.
fn idf(reader: &Reader, matches: &Matches) -> f64 {
    let frequency = matches.list.len() as f64;
    (1.0 + (f64::from(reader.alive.max(1)) - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// How often a word is in a chunk, weighted by where it is, without the chunk's path.
fn in_text(tally: Tally) -> f64 {
    f64::from(tally.code) + COMMENT * f64::from(tally.comment) + NAME * f64::from(tally.name)
}

/// Scores each candidate as one text: a file whose words are spread over its parts is about the question too.
fn score_whole_files(
    reader: &Reader,
    matches: &[Matches],
    weights: &[f64],
    place: &[u32],
    candidates: &mut [Candidate],
) {
    let mean = reader.mean_length * f64::from(reader.alive.max(1)) / reader.files.len().max(1) as f64;
    let mut counts = vec![(0.0f64, 0u8); candidates.len()];
    for (matches, weight) in matches.iter().zip(weights) {
        counts.fill((0.0, 0));
        for (chunk, packed) in &matches.list {
            let Some((file, _)) = reader.chunk(*chunk) else { continue };
            if let Some((count, path)) = counts.get_mut(place[file as usize] as usize) {
                let tally = Tally::unpack(*packed);
                *count += in_text(tally);
                *path = tally.path.max(*path);
            }
        }
        for (candidate, (count, path)) in candidates.iter_mut().zip(&counts) {
            let count = count + WHOLE_PATH * f64::from(*path);
            let length = reader.length(candidate.file) as f64;
            let norm = WHOLE_K * (1.0 - WHOLE_B + WHOLE_B * length / mean);
            candidate.whole += weight * count / (count + norm);
        }
    }
}

/// Whether the product itself mentions tests everywhere, as a test framework does: then the word doesn't ask for tests.
fn tests_everywhere(reader: &Reader, query: &Query, matches: &[Matches]) -> bool {
    let product = |chunk: u32| {
        reader.chunk(chunk).is_some_and(|(file, _)| !reader.files[file as usize].role.is(Role::TEST))
    };
    let chunks = u32::try_from(reader.chunk_numbers()).unwrap_or(u32::MAX);
    let products = (0..chunks).filter(|chunk| product(*chunk)).count();
    let of_tests = query.words.iter().zip(matches).filter(|(word, _)| role::asks_for_tests(word));
    let says = |(chunk, packed): &&(u32, u8)| {
        let tally = Tally::unpack(*packed);
        tally.code + tally.comment > 0 && product(*chunk)
    };
    let most = of_tests.map(|(_, matches)| matches.list.iter().filter(says).count()).max().unwrap_or(0);
    most * 4 > products
}
