//! Combines word scores and vector similarity into one order, as a weighted sum of two scores from 0 to 1. Pure.
//!
//! A similarity says little by itself, because models differ in their range. So it is compared with everything else's
//! similarity to the same question: only outliers count as near.

use std::collections::{HashMap, HashSet};

use super::scoring::{Components, Ranked, better};
use crate::store::NearMatch;

/// The weight of similarity beside words: chosen among 0.05 to 0.3 on the tuning conversations, where larger weights
/// only lose.
const WEIGHT: f64 = 0.1;
/// Below this similarity nothing is near.
const MIN_NEAR: f64 = 0.4;
/// An outlier is at least this many standard deviations above the mean.
const OUTLIER_DEVIATIONS: f64 = 2.0;
/// Minimum standard deviation for outliers to exist.
const MIN_DEVIATION: f64 = 0.05;
/// Above this mean similarity a model's own values say little.
const SPREAD_MEAN: f64 = 0.5;
/// For other models this similarity is near in any case.
const NEAR_DUPLICATE: f64 = 0.7;
/// Minimum number of texts for a meaningful mean.
const MIN_TEXTS: usize = 30;
/// The score by similarity alone of the weakest outlier and of a perfect match.
const SCORES: (f64, f64) = (0.35, 0.9);
/// Maximum number of memories added by similarity.
const MAX_ADDED: usize = 50;

/// Merges the word matches with the nearest memories, best first. `alone`: by similarity alone.
pub(super) fn fuse(words: Vec<(f64, Ranked)>, near: &[NearMatch], alone: bool) -> Vec<(f64, Ranked)> {
    let Some(top) = near.iter().map(|one| one.cosine).reduce(f64::max) else { return words };
    let (mean, floor) = floor(near);
    let mut standing: Vec<&NearMatch> = near.iter().filter(|one| one.cosine >= floor).collect();
    standing.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(b.key.cmp(&a.key)));
    standing.truncate(MAX_ADDED);
    let known: HashSet<i64> = words.iter().map(|(_, ranked)| ranked.key).collect();
    let all: HashMap<i64, f64> = near.iter().map(|one| (one.key, one.cosine)).collect();
    let high = top.max(floor);
    let nearness = |cosine: f64| ((cosine - mean) / (high - mean).max(1e-6)).clamp(0.0, 1.0);
    let mut out: Vec<(f64, Ranked)> = words
        .into_iter()
        .map(|(score, mut ranked)| {
            ranked.components.vector = all.get(&ranked.key).map_or(0.0, |cosine| nearness(*cosine));
            ((1.0 - WEIGHT) * score + WEIGHT * ranked.components.vector, ranked)
        })
        .collect();
    out.extend(standing.into_iter().filter(|one| !known.contains(&one.key)).map(|one| {
        let vector = nearness(one.cosine);
        let score = if alone {
            SCORES.0
                + (SCORES.1 - SCORES.0) * ((one.cosine - floor) / (1.0 - floor).max(1e-6)).clamp(0.0, 1.0)
        } else {
            WEIGHT * vector
        };
        (
            score,
            Ranked {
                key: one.key,
                rank: score,
                components: Components { vector, weight: 1.0, ..Components::default() },
            },
        )
    }));
    for (score, ranked) in &mut out {
        ranked.rank = *score;
    }
    out.sort_by(|a, b| better(&a.1, &b.1));
    out
}

/// The mean similarity, and the similarity from which a memory counts as near.
fn floor(near: &[NearMatch]) -> (f64, f64) {
    if near.len() < MIN_TEXTS {
        return (0.0, MIN_NEAR);
    }
    let count = near.len() as f64;
    let mean = near.iter().map(|one| one.cosine).sum::<f64>() / count;
    let spread = near.iter().map(|one| (one.cosine - mean).powi(2)).sum::<f64>() / count;
    let stands_out = mean + (OUTLIER_DEVIATIONS * spread.sqrt()).max(MIN_DEVIATION);
    // If many texts are about the same subject, many may be near.
    let stands_out = if mean < SPREAD_MEAN { stands_out.min(NEAR_DUPLICATE) } else { stands_out };
    (mean, stands_out.max(MIN_NEAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(key: i64, score: f64) -> (f64, Ranked) {
        (score, Ranked { key, rank: score, components: Components::default() })
    }

    fn order(all: &[(f64, Ranked)]) -> Vec<i64> {
        all.iter().map(|(_, ranked)| ranked.key).collect()
    }

    #[test]
    fn meaning_reorders_words_and_brings_only_what_stands_out() {
        let near = |all: &[f64]| -> Vec<NearMatch> {
            (1_i64..).zip(all).map(|(key, cosine)| NearMatch { key, cosine: *cosine }).collect()
        };
        let by_words = || vec![word(1, 0.5), word(2, 0.45)];
        assert_eq!(order(&fuse(by_words(), &[], false)), [1, 2]);
        let both = fuse(by_words(), &near(&[0.1, 0.8, 0.3, 0.6]), false);
        assert_eq!(order(&both), [2, 1, 4]);
        assert!(both.iter().all(|(score, _)| (0.0..=1.0).contains(score)));
        // Nothing is near: nothing is added, and no weak similarity raises a score.
        assert_eq!(fuse(Vec::new(), &near(&[0.2, 0.3, 0.39]), true), []);
        let alone = fuse(Vec::new(), &near(&[0.5, 0.9]), true);
        assert_eq!(order(&alone), [2, 1]);
        assert!(alone[0].0 > 0.7 && alone[1].0 >= 0.35, "{alone:?}");
        // A model to which everything is near: only outliers count.
        let mut close = vec![0.8; 60];
        close[7] = 0.95;
        assert_eq!(order(&fuse(Vec::new(), &near(&close), true)), [8]);
        assert_eq!(fuse(Vec::new(), &near(&[0.8; 60]), true), []);
    }
}
