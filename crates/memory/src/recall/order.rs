//! The order of what was found. Pure: everything it looks at is handed in.
//!
//! First every match by its terms: how well they fit its own text and its neighbours', and how much of the question is
//! there at all. Then the best of them by what only their text and circumstances say. The score at the end is absolute:
//! a question of which little is found scores low even for its best match.

use std::collections::HashMap;

use serde::Serialize;

use crate::domain::{Domain, Memory, Status, Trust};
use crate::store::Matches;

/// So much of a question, by what its terms say, must be in a memory or its neighbours.
const GATE: f64 = 0.2;
/// How much a thread counts whose memories together fit the question, beside the best match.
const THREAD: f64 = 0.3;
/// So many of a thread's best matches stand for it.
const THREAD_BEST: usize = 2;
/// How much counts that the person who is asked about said it.
const AUTHOR: f64 = 0.1;
/// What is itself a question answers less.
const QUESTION: f64 = 0.3;
/// What names a time answers better when a time is asked for.
const TIME: f64 = 0.4;
/// The most that being captured just now counts; half of it is left after [`HALF_LIFE_MS`].
const RECENCY: f64 = 0.04;
const HALF_LIFE_MS: f64 = 30.0 * 86_400_000.0;
/// What is on another branch counts less.
const OTHER_BRANCH: f64 = 0.05;

/// Why a memory stands where it does.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Components {
    /// How well its words fit, the best match 1.
    pub bm25: f64,
    /// How much of the question it has itself, 0 to 1.
    pub coverage: f64,
    /// How much of the question it and its neighbours have, 0 to 1.
    pub context: f64,
    /// How well its session fits as a whole, 0 to 1.
    pub session: f64,
    /// How near its meaning is, 0 to 1; 0 where no vectors are used.
    pub vector: f64,
    /// How recent it is, 1 for now.
    pub recency: f64,
    /// What namespace, scope and trust multiply it with.
    pub weight: f64,
}

/// A match on its way to its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked {
    pub(super) key: i64,
    /// By terms alone; then by everything.
    pub(super) rank: f64,
    pub(super) components: Components,
}

/// What is known about the terms.
pub(super) struct Weights {
    /// What each term says, by how rare it is.
    idf: Vec<f64>,
    total: f64,
}

impl Weights {
    /// `counts` says of each term whether it counts.
    pub(super) fn new(found: &Matches, counts: &[bool]) -> Self {
        let idf: Vec<f64> = found
            .with
            .iter()
            .zip(counts)
            .map(|(with, counts)| {
                if !counts {
                    return 0.0;
                }
                // A word that nobody has says no more than one that a single memory has.
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

/// Every match that has enough of the question, the best first. `counts` says of each term whether it counts.
pub(super) fn by_terms(found: &Matches, counts: &[bool]) -> Vec<Ranked> {
    let weights = Weights::new(found, counts);
    let sum =
        |of: &[f64]| of.iter().zip(counts).filter(|(_, counts)| **counts).map(|(one, _)| one).sum::<f64>();
    let mut threads: HashMap<i64, (Vec<f64>, Vec<f64>)> = HashMap::new();
    let mut all: Vec<(Option<i64>, Ranked)> = Vec::with_capacity(found.all.len());
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
        all.push((one.thread, Ranked { key: one.key, rank, components }));
    }
    let best = all.iter().map(|(_, ranked)| ranked.rank).fold(0.0, f64::max);
    if best <= 0.0 {
        return Vec::new();
    }
    // A thread is as good as its best matches, and as the best place of each term in it.
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
        .filter(|(_, ranked)| ranked.components.context >= GATE)
        .map(|(thread, mut ranked)| {
            let fit = thread.and_then(|thread| fits.get(&thread));
            ranked.components.bm25 = ranked.rank / best;
            ranked.components.session = fit.map_or(0.0, |(ranks, terms)| (ranks / top + terms / sum) / 2.0);
            ranked.rank = ranked.components.bm25 + THREAD * ranked.components.session;
            ranked
        })
        .collect();
    out.sort_by(better);
    out
}

/// The better first; of equals the later one.
pub(super) fn better(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    b.rank.total_cmp(&a.rank).then(b.key.cmp(&a.key))
}

/// From where is asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Here<'a> {
    pub(super) branch: Option<&'a str>,
    pub(super) now_ms: i64,
    /// A time is asked for.
    pub(super) when: bool,
    /// The one author who is named in the question.
    pub(super) author: Option<&'a str>,
}

/// What only the text and the circumstances say.
pub(super) fn by_circumstances(ranked: &mut Ranked, memory: &Memory, here: &Here<'_>) {
    let mut fit = ranked.components.bm25;
    if memory.content.trim_end().ends_with(['?', '？']) {
        fit *= 1.0 - QUESTION;
    }
    if here.when && names_a_time(&memory.content) {
        fit *= 1.0 + TIME;
    }
    let said_it = here.author.is_some() && memory.author.as_deref() == here.author;
    if said_it {
        fit *= 1.0 + AUTHOR;
    }
    let age = here.now_ms.saturating_sub(memory.created_ms).max(0) as f64;
    ranked.components.recency = 0.5_f64.powf(age / HALF_LIFE_MS);
    ranked.components.weight = weight(memory, here.branch);
    let rank = fit + THREAD * ranked.components.session + if said_it { AUTHOR } else { 0.0 };
    ranked.rank = rank * ranked.components.weight * (1.0 + RECENCY * ranked.components.recency);
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
            weight * (1.0 - OTHER_BRANCH)
        }
        _ => weight,
    }
}

/// Words by which people name a time.
const TIMES: &[&str] = &[
    "yesterday",
    "today",
    "tonight",
    "tomorrow",
    "last",
    "next",
    "ago",
    "recently",
    "week",
    "weekend",
    "month",
    "year",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn names_a_time(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| {
        let year = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
        year || TIMES.iter().any(|time| time.eq_ignore_ascii_case(word))
    })
}
