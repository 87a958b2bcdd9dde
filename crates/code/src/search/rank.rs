//! The second stage of a search: a weighted sum of a candidate's features. `cargo xtask bench code --train` learned the weights
//! in `weights.rs` on other repositories.

use super::weights::WEIGHTS;

/// How good a candidate with these numbers is; larger is better.
pub(super) fn score(features: &[f64]) -> f64 {
    score_with(features, WEIGHTS)
}

/// The same with other weights.
pub(super) fn score_with(features: &[f64], weights: &[f64]) -> f64 {
    features.iter().zip(weights).map(|(f, w)| f * w).sum()
}
