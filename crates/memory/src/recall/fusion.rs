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

/// The coverage of a memory that has every word of the question; a sum of weights isn't exact.
const WHOLE: f64 = 0.999;

/// Merges the word matches with the nearest memories, best first. `alone`: by similarity alone.
///
/// The best word matches that have every word of the question stay in front, whatever a model takes for near: it orders
/// them among themselves, and raises nothing above them.
pub(super) fn fuse(words: Vec<(f64, Ranked)>, near: &[NearMatch], alone: bool) -> Vec<(f64, Ranked)> {
    let Some(top) = near.iter().map(|one| one.cosine).reduce(f64::max) else { return words };
    let (mean, floor) = floor(near);
    let mut above_floor: Vec<&NearMatch> = near.iter().filter(|one| one.cosine >= floor).collect();
    above_floor.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(b.key.cmp(&a.key)));
    above_floor.truncate(MAX_ADDED);
    let known: HashSet<i64> = words.iter().map(|(_, ranked)| ranked.key).collect();
    let all: HashMap<i64, f64> = near.iter().map(|one| (one.key, one.cosine)).collect();
    let high = top.max(floor);
    let nearness = |cosine: f64| ((cosine - mean) / (high - mean).max(1e-6)).clamp(0.0, 1.0);
    let whole = words.iter().take_while(|(_, ranked)| ranked.components.coverage >= WHOLE).count();
    let mut leading: Vec<(f64, Ranked)> = words;
    for (_, ranked) in &mut leading {
        ranked.components.vector = all.get(&ranked.key).map_or(0.0, |cosine| nearness(*cosine));
    }
    let rest = leading.split_off(whole);
    for (score, ranked) in &mut leading {
        *score += WEIGHT * ranked.components.vector * (1.0 - *score);
    }
    let ceiling = leading.iter().map(|(score, _)| *score).fold(1.0, f64::min);
    let mut out: Vec<(f64, Ranked)> = rest
        .into_iter()
        .map(|(score, ranked)| ((1.0 - WEIGHT) * score + WEIGHT * ranked.components.vector, ranked))
        .collect();
    out.extend(above_floor.into_iter().filter(|one| !known.contains(&one.key)).map(|one| {
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
    for (score, _) in &mut out {
        *score = score.min(ceiling);
    }
    for part in [&mut leading, &mut out] {
        for (score, ranked) in &mut *part {
            ranked.rank = *score;
        }
        part.sort_by(|a, b| better(&a.1, &b.1));
    }
    leading.extend(out);
    leading
}

/// The mean similarity, and the similarity from which a memory counts as near.
fn floor(near: &[NearMatch]) -> (f64, f64) {
    if near.len() < MIN_TEXTS {
        return (0.0, MIN_NEAR);
    }
    let count = near.len() as f64;
    let mean = near.iter().map(|one| one.cosine).sum::<f64>() / count;
    let spread = near.iter().map(|one| (one.cosine - mean).powi(2)).sum::<f64>() / count;
    let outlier = mean + (OUTLIER_DEVIATIONS * spread.sqrt()).max(MIN_DEVIATION);
    // If many texts are about the same subject, many may be near.
    let outlier = if mean < SPREAD_MEAN { outlier.min(NEAR_DUPLICATE) } else { outlier };
    (mean, outlier.max(MIN_NEAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(key: i64, score: f64) -> (f64, Ranked) {
        (score, Ranked { key, rank: score, components: Components::default() })
    }

    fn whole(key: i64, score: f64) -> (f64, Ranked) {
        let components = Components { coverage: 1.0, ..Components::default() };
        (score, Ranked { key, rank: score, components })
    }

    fn order(all: &[(f64, Ranked)]) -> Vec<i64> {
        all.iter().map(|(_, ranked)| ranked.key).collect()
    }

    /// A model may take anything for near: what has every word of the question stays in front.
    #[test]
    fn vectors_that_answer_nonsense_raise_nothing_above_exact_hits() {
        let by_words = || vec![whole(1, 0.9), whole(2, 0.5), word(3, 0.49), word(4, 0.3), whole(5, 0.2)];
        for cosines in [
            [0.0, 0.0, 1.0, 1.0, 0.0, 1.0],
            [-1.0, -1.0, 0.9, 0.5, 1.0, 1.0],
            [0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
            [0.5; 6],
        ] {
            let near: Vec<NearMatch> =
                (1_i64..).zip(cosines).map(|(key, cosine)| NearMatch { key, cosine }).collect();
            let both = fuse(by_words(), &near, false);
            assert_eq!(order(&both)[..2], [1, 2], "{cosines:?}");
            let scores: Vec<f64> = both.iter().map(|(score, _)| *score).collect();
            assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
            assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
            assert!(both.iter().all(|(score, ranked)| ranked.rank.total_cmp(score).is_eq()));
        }
        // Among those, nearness decides.
        let near = [(1, 0.0), (2, 1.0)].map(|(key, cosine)| NearMatch { key, cosine });
        assert_eq!(order(&fuse(vec![whole(1, 0.5), whole(2, 0.48)], &near, false)), [2, 1]);
    }

    #[test]
    fn meaning_reorders_word_hits_and_adds_only_much_nearer_ones() {
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
