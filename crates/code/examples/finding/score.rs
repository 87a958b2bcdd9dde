//! Scores a ranking of files against those that answer. The bench and the test with the frozen project use this one function.

/// NDCG@10: each file that answers counts by its place, of what the best order would reach.
pub(crate) fn ndcg<'p>(ranked: impl Iterator<Item = &'p String>, relevant: &[String]) -> f64 {
    let gain = |i: usize| 1.0 / ((i + 2) as f64).log2();
    let got: f64 =
        ranked.take(10).enumerate().filter(|(_, p)| relevant.contains(p)).map(|(i, _)| gain(i)).sum();
    let best: f64 = (0..relevant.len().min(10)).map(gain).sum();
    got / best.max(1e-9)
}
