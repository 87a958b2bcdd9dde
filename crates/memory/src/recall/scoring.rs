//! Scores matches. Pure: works on its inputs only.
//!
//! First every match by its terms: how well they match its own text and its neighbours', and how much of the question
//! they cover. Then the best ones by their text and properties. The final score is absolute: a question that is
//! hardly covered scores low even for its best match.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::moments::is_time;
use crate::domain::{Domain, Memory, Status, Trust};
use crate::store::{Match, Matches};

/// Minimum share of a question, weighted by its terms, that a memory and its neighbours must cover.
pub(super) const MIN_COVERAGE: f64 = 0.2;
/// The weight of a session whose memories cover the question together, beside the best match.
const THREAD_WEIGHT: f64 = 0.3;
/// The number of a session's best matches that represent it.
const THREAD_BEST: usize = 2;
/// The weight of being captured from the author whom the question names.
const AUTHOR_WEIGHT: f64 = 0.1;
/// The penalty for a memory that is a question itself.
const QUESTION_PENALTY: f64 = 0.3;
/// The bonus for a memory with a time, if the question asks for one.
const TIME_BONUS: f64 = 0.4;
/// The bonus for a memory with a version, if the question asks for one.
const VERSION_BONUS: f64 = 0.4;
/// The largest bonus for recency; it halves every [`HALF_LIFE_MS`].
const RECENCY_BONUS: f64 = 0.04;
const HALF_LIFE_MS: f64 = 30.0 * 86_400_000.0;
/// The penalty for a memory from another branch.
const OTHER_BRANCH_PENALTY: f64 = 0.05;

/// The parts of a score.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Components {
    /// How well its words match, relative to the best match.
    pub bm25: f64,
    /// The share of the question that its own text covers, 0 to 1.
    pub coverage: f64,
    /// The share of the question that it and its neighbours cover, 0 to 1.
    pub context: f64,
    /// How well its session matches as a whole, 0 to 1.
    pub session: f64,
    /// The vector similarity, 0 to 1; 0 without vectors.
    pub vector: f64,
    /// The recency, 1 for now.
    pub recency: f64,
    /// The factor for namespace, scope and trust.
    pub weight: f64,
    /// How many of the question's words its own text has; 0 if it isn't among the best.
    #[serde(skip)]
    pub words: usize,
    /// How many of those are neither amounts nor moments (see `amounts`).
    #[serde(skip)]
    pub content: usize,
    /// How many of those words are neither everyday words of the question nor amounts.
    #[serde(skip)]
    pub own_words: usize,
    /// How many of those words are names.
    #[serde(skip)]
    pub names: usize,
    /// How many of those are identifiers.
    #[serde(skip)]
    pub identifiers: usize,
    /// How many of the question's words its own text hasn't; 0 if it isn't among the best.
    #[serde(skip)]
    pub missing: usize,
    /// How many of those aren't among the question's everyday words.
    #[serde(skip)]
    pub missing_own: usize,
}

/// A match with its rank.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked {
    pub(super) key: i64,
    /// By terms alone at first; by everything at the end.
    pub(super) rank: f64,
    pub(super) components: Components,
}

/// The weights of the terms.
pub(super) struct Weights {
    /// Each term's weight, by rarity.
    idf: Vec<f64>,
    total: f64,
}

impl Weights {
    /// `counts` tells for each term whether it counts.
    pub(super) fn new(found: &Matches, counts: &[bool]) -> Self {
        let idf: Vec<f64> = found
            .with
            .iter()
            .zip(counts)
            .map(|(with, counts)| {
                if !counts {
                    return 0.0;
                }
                // A term that no memory has weighs no more than one that a single memory has.
                let with = (*with).max(1) as f64;
                ((found.of as f64 - with + 0.5).max(0.0) / (with + 0.5) + 1.0).ln().max(0.05)
            })
            .collect();
        let total = idf.iter().sum();
        Self { idf, total }
    }

    fn share(&self, has: impl Fn(usize) -> bool) -> f64 {
        if self.total <= 0.0 {
            return 0.0;
        }
        self.idf.iter().enumerate().filter(|(i, _)| has(*i)).map(|(_, idf)| idf).sum::<f64>() / self.total
    }
}

/// All matches that cover enough of the question, or have a term of which one suffices, best first. `counts` tells for each
/// term whether it counts, `covers` whether the question is about it as well, and `suffices` whether it alone is enough.
pub(super) fn by_terms(found: &Matches, counts: &[bool], covers: &[bool], suffices: &[bool]) -> Vec<Ranked> {
    let weights = Weights::new(found, covers);
    let sum =
        |of: &[f64]| of.iter().zip(counts).filter(|(_, counts)| **counts).map(|(one, _)| one).sum::<f64>();
    let mut threads: HashMap<i64, (Vec<f64>, Vec<f64>)> = HashMap::new();
    let mut all: Vec<(Option<i64>, bool, Ranked)> = Vec::with_capacity(found.all.len());
    for one in &found.all {
        let coverage = weights.share(|i| one.own[i] > 0.0);
        let context = weights.share(|i| one.own[i] > 0.0 || one.around[i] > 0.0);
        let fit = sum(&one.own) + sum(&one.around);
        let rank = fit * context;
        if let Some(thread) = one.thread {
            let (ranks, best) =
                threads.entry(thread).or_insert_with(|| (Vec::new(), vec![0.0; one.own.len()]));
            ranks.push(rank);
            for ((most, own), counts) in best.iter_mut().zip(&one.own).zip(counts) {
                *most = if *counts { most.max(*own) } else { 0.0 };
            }
        }
        let components = Components { coverage, context, weight: 1.0, ..Components::default() };
        let is_enough = context >= MIN_COVERAGE
            || one.own.iter().zip(suffices).any(|(own, suffices)| *suffices && *own > 0.0);
        all.push((one.thread, is_enough, Ranked { key: one.key, rank, components }));
    }
    let best = all.iter().map(|(.., ranked)| ranked.rank).fold(0.0, f64::max);
    if best <= 0.0 {
        return Vec::new();
    }
    // A session scores by its best matches and by the best match of each term in it.
    let fits: HashMap<i64, (f64, f64)> = threads
        .into_iter()
        .map(|(thread, (mut ranks, most))| {
            ranks.sort_by(|a, b| b.total_cmp(a));
            (thread, (ranks.iter().take(THREAD_BEST).sum(), most.iter().sum()))
        })
        .collect();
    let most_of = |of: fn(&(f64, f64)) -> f64| fits.values().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let (top, sum) = (most_of(|fit| fit.0), most_of(|fit| fit.1));
    let mut out: Vec<Ranked> = all
        .into_iter()
        .filter(|(_, is_enough, _)| *is_enough)
        .map(|(thread, _, mut ranked)| {
            let fit = thread.and_then(|thread| fits.get(&thread));
            ranked.components.bm25 = ranked.rank / best;
            ranked.components.session = fit.map_or(0.0, |(ranks, terms)| (ranks / top + terms / sum) / 2.0);
            ranked.rank = ranked.components.bm25 + THREAD_WEIGHT * ranked.components.session;
            ranked
        })
        .collect();
    out.sort_by(better);
    out
}

/// Which of a question's words are of which kind, for each term.
pub(super) struct WordKinds<'a> {
    pub(super) names: &'a [bool],
    pub(super) identifiers: &'a [bool],
    /// The question's own: neither everyday words nor amounts.
    pub(super) own: &'a [bool],
    pub(super) amounts: &'a [bool],
}

/// Counts the question's words, and those of each kind among them, that the texts of these matches have, and those that they
/// haven't.
pub(super) fn count_words(ranked: &mut [Ranked], found: &Matches, counts: &[bool], kinds: &WordKinds<'_>) {
    let mut wanted: HashMap<i64, &mut Components> =
        ranked.iter_mut().map(|one| (one.key, &mut one.components)).collect();
    let asked = counts.iter().filter(|counts| **counts).count();
    let asked_own = counts.iter().zip(kinds.own).filter(|(counts, own)| **counts && **own).count();
    for one in &found.all {
        let Some(components) = wanted.get_mut(&one.key) else { continue };
        let has = one.own.iter().zip(counts).map(|(own, counts)| *own > 0.0 && *counts);
        components.words = has.clone().filter(|has| *has).count();
        let of = |kind: &[bool]| has.clone().zip(kind).filter(|(has, is_one)| *has && **is_one).count();
        components.content = components.words.saturating_sub(of(kinds.amounts));
        components.names = of(kinds.names);
        components.identifiers = of(kinds.identifiers);
        components.own_words = of(kinds.own);
        components.missing = asked.saturating_sub(components.words);
        components.missing_own = asked_own.saturating_sub(components.own_words);
    }
}

/// The matches that are about the question: those with a word that it's about, answers to a question with one, and what
/// several people told each other around one. What was merely captured beside such a memory orders the others.
pub(super) fn fitting<'a>(
    found: &Matches,
    is_subject: &[bool],
    read: impl Fn(i64) -> Option<&'a Memory>,
) -> HashSet<i64> {
    let has_word =
        |one: &Match| one.own.iter().zip(is_subject).any(|(fit, is_subject)| *is_subject && *fit > 0.0);
    // Neighbours of a match are in this list too, so nothing was captured between two consecutive ones.
    let mut threads: HashMap<i64, BTreeMap<i64, bool>> = HashMap::new();
    let mut authors: HashMap<i64, HashSet<&str>> = HashMap::new();
    for one in &found.all {
        let Some(thread) = one.thread else { continue };
        threads.entry(thread).or_default().insert(one.key, has_word(one));
        let author = read(one.key).and_then(|memory| memory.author.as_deref());
        authors.entry(thread).or_default().extend(author);
    }
    let is_talk = |thread: i64| authors.get(&thread).is_some_and(|authors| authors.len() > 1);
    let answers = |one: &Match| {
        let before = one.thread.and_then(|thread| threads.get(&thread)?.range(..one.key).next_back());
        let before = before.filter(|(_, has_word)| **has_word).and_then(|(key, _)| read(*key));
        before.is_some_and(|memory| is_question(&memory.content))
    };
    let fits = |one: &&Match| has_word(one) || one.thread.is_some_and(is_talk) || answers(one);
    found.all.iter().filter(fits).map(|one| one.key).collect()
}

fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？'])
}

/// Better scores first; of equal ones the later memory.
pub(super) fn better(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    b.rank.total_cmp(&a.rank).then(b.key.cmp(&a.key))
}

/// The context of a question.
#[derive(Debug, Clone, Default)]
pub(super) struct QuestionContext<'a> {
    pub(super) branch: Option<&'a str>,
    pub(super) now_ms: i64,
    /// Whether the question asks for a time.
    pub(super) when: bool,
    /// Whether it asks for a version.
    pub(super) version: bool,
    /// The one author whom the question names.
    pub(super) author: Option<&'a str>,
}

/// Applies the parts of the score that depend on the text and the properties.
pub(super) fn by_circumstances(ranked: &mut Ranked, memory: &Memory, here: &QuestionContext<'_>) {
    let mut fit = ranked.components.bm25;
    if is_question(&memory.content) {
        fit *= 1.0 - QUESTION_PENALTY;
    }
    if here.when && names_a_time(&memory.content) {
        fit *= 1.0 + TIME_BONUS;
    }
    if here.version && names_a_version(&memory.content) {
        fit *= 1.0 + VERSION_BONUS;
    }
    let wrote_it = here.author.is_some() && memory.author.as_deref() == here.author;
    if wrote_it {
        fit *= 1.0 + AUTHOR_WEIGHT;
    }
    let age = here.now_ms.saturating_sub(memory.created_ms).max(0) as f64;
    ranked.components.recency = 0.5_f64.powf(age / HALF_LIFE_MS);
    ranked.components.weight = weight(memory, here.branch);
    let rank = fit + THREAD_WEIGHT * ranked.components.session + if wrote_it { AUTHOR_WEIGHT } else { 0.0 };
    ranked.rank = rank * ranked.components.weight * (1.0 + RECENCY_BONUS * ranked.components.recency);
}

fn weight(memory: &Memory, branch: Option<&str>) -> f64 {
    let mut weight = memory.namespace.info().weight;
    if memory.domain == Domain::Project {
        weight *= 1.02;
    }
    weight *= match memory.trust {
        Trust::User => 1.03,
        Trust::Agent | Trust::Repository => 1.0,
        Trust::Untrusted => 0.9,
    };
    if memory.status != Status::Active {
        weight *= 0.9;
    }
    match (memory.branch.as_deref(), branch) {
        (Some(made), Some(here)) if made != here && !matches!(made, "main" | "master") => {
            weight * (1.0 - OTHER_BRANCH_PENALTY)
        }
        _ => weight,
    }
}

/// Whether a text has a number like 1.24.
fn names_a_version(text: &str) -> bool {
    text.split(|c: char| c != '.' && !c.is_alphanumeric()).any(|word| {
        let mut parts = word.split('.');
        let ends_in_digit = |part: &str| part.ends_with(|c: char| c.is_ascii_digit());
        parts.next().is_some_and(ends_in_digit)
            && parts.next().is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()))
    })
}

fn names_a_time(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| {
        let year = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
        year || is_time(word)
    })
}
