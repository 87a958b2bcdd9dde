//! Learns the weights of the second stage and measures them: softmax over a question's candidates, plain gradient descent, no
//! randomness. Cross-validated by repository, so that no measured question was learned from.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::score::ndcg;

pub(crate) struct Question {
    pub(crate) query: String,
    pub(crate) category: String,
    pub(crate) relevant: Vec<String>,
    /// Path and numbers, in order of paths.
    pub(crate) seen: Vec<(String, Vec<f64>)>,
    /// What the shipped weights answer.
    pub(crate) shipped: Vec<String>,
    /// What other programs answer, by their names.
    pub(crate) rivals: Vec<(String, Vec<String>)>,
}

pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) language: String,
    /// The set of questions that it is from.
    pub(crate) from: Option<String>,
    pub(crate) questions: Vec<Question>,
}

/// The set of questions that nothing is learned from.
const BLIND: &str = "blind";
const FOLDS: usize = 5;
const ROUNDS: usize = 600;
const RATE: f64 = 0.25;

impl Set {
    fn is_learned_from(&self) -> bool {
        self.from.as_deref() != Some(BLIND)
    }
}

fn order<'q>(question: &'q Question, weights: &[f64]) -> Vec<&'q String> {
    let score = |f: &[f64]| f.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
    let mut out: Vec<(f64, &String)> = question.seen.iter().map(|(p, f)| (score(f), p)).collect();
    out.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    out.into_iter().map(|(_, p)| p).collect()
}

/// Weights for these sets. Each question counts alike.
pub(crate) fn train(sets: &[&Set], start: &[f64], decay: f64) -> Vec<f64> {
    let n = start.len();
    let mut weights = start.to_vec();
    let mut square = vec![1e-8; n];
    let total: f64 = sets.iter().map(|s| s.questions.len() as f64).sum();
    for _ in 0..ROUNDS {
        let mut gradient = vec![0.0; n];
        for set in sets {
            for q in &set.questions {
                let positive = q.seen.iter().filter(|(p, _)| q.relevant.contains(p)).count();
                if positive == 0 {
                    continue;
                }
                let scores: Vec<f64> = q
                    .seen
                    .iter()
                    .map(|(_, f)| f.iter().zip(&weights).map(|(a, b)| a * b).sum::<f64>() * 3.0)
                    .collect();
                let most = scores.iter().copied().fold(f64::MIN, f64::max);
                let e: Vec<f64> = scores.iter().map(|s| (s - most).exp()).collect();
                let sum: f64 = e.iter().sum();
                for ((p, f), e) in q.seen.iter().zip(&e) {
                    let target = if q.relevant.contains(p) { 1.0 / positive as f64 } else { 0.0 };
                    let d = (e / sum - target) / total;
                    for (g, x) in gradient.iter_mut().zip(f) {
                        *g += d * x * 3.0;
                    }
                }
            }
        }
        for i in 0..n {
            // Learned weights stay near the earlier ones, because few questions say little.
            let g = gradient[i] + decay * (weights[i] - start[i]);
            square[i] += g * g;
            weights[i] -= RATE * g / f64::sqrt(square[i]);
        }
    }
    weights
}

fn mean(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    (mean * 1e4).round() / 1e4
}

pub(crate) fn report(sets: &[Set], learn: Option<f64>, misses: bool) -> Value {
    let prior = plimsoll_code::search::PRIOR;
    let mut rows: BTreeMap<String, BTreeMap<String, Vec<f64>>> = BTreeMap::new();
    let mut fold_weights: Vec<Vec<f64>> = Vec::new();
    if let Some(decay) = learn {
        for fold in 0..FOLDS {
            let train_on: Vec<&Set> = sets
                .iter()
                .enumerate()
                .filter(|(i, s)| i % FOLDS != fold && s.is_learned_from())
                .map(|(_, s)| s)
                .collect();
            fold_weights.push(train(&train_on, prior, decay));
        }
    }
    for (i, set) in sets.iter().enumerate() {
        for q in &set.questions {
            let mut ways: Vec<(&str, Vec<&String>)> = vec![("shipped", q.shipped.iter().collect())];
            ways.extend(q.rivals.iter().map(|(rival, paths)| (rival.as_str(), paths.iter().collect())));
            let mut first: Vec<(f64, &String)> = q.seen.iter().map(|(p, f)| (f[0], p)).collect();
            first.sort_by(|a, b| b.0.total_cmp(&a.0));
            ways.push(("bm25", first.into_iter().map(|(_, p)| p).collect()));
            ways.push(("by_hand", order(q, prior)));
            if learn.is_some() {
                ways.push(("cross_validated", order(q, &fold_weights[i % FOLDS])));
            }
            for (way, ranked) in &ways {
                let value = ndcg(ranked.iter().copied(), &q.relevant);
                let row = rows.entry((*way).to_owned()).or_default();
                let all = set.from.iter().map(|from| format!("all of {from}"));
                let rows = ["all".to_owned(), q.category.clone(), format!("{} ({})", set.name, set.language)];
                for key in rows.into_iter().chain(all) {
                    row.entry(key).or_default().push(value);
                }
            }
            if misses {
                let (way, ranked) = &ways[ways.len() - 1];
                let value = ndcg(ranked.iter().copied(), &q.relevant);
                if value < 0.7 {
                    eprintln!(
                        "{value:.2} {way} {} [{}] {}\n     wanted {:?}\n     got {:?}",
                        set.name,
                        q.category,
                        q.query,
                        q.relevant,
                        &ranked[..ranked.len().min(4)]
                    );
                }
            }
        }
    }
    let mut out: serde_json::Map<String, Value> = rows
        .into_iter()
        .map(|(way, row)| (way, row.into_iter().map(|(key, values)| (key, json!(mean(&values)))).collect()))
        .collect();
    if let Some(decay) = learn {
        let all: Vec<&Set> = sets.iter().filter(|set| set.is_learned_from()).collect();
        let weights = train(&all, prior, decay);
        let named: serde_json::Map<String, Value> = plimsoll_code::search::FEATURES
            .iter()
            .zip(&weights)
            .map(|(name, w)| ((*name).to_owned(), json!((w * 1e3).round() / 1e3)))
            .collect();
        out.insert("weights".to_owned(), Value::Object(named));
    }
    Value::Object(out)
}
