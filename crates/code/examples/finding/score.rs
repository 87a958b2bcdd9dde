//! Scores a ranking of files against those that answer. The bench and the test with the frozen project use this one function.

/// NDCG@10: each answering file counts by its place, as a share of the best possible order.
pub(crate) fn ndcg<'p>(ranked: impl Iterator<Item = &'p String>, relevant: &[String]) -> f64 {
    let gain = |i: usize| 1.0 / ((i + 2) as f64).log2();
    let places = ranked.take(10).enumerate().filter(|(_, p)| relevant.contains(p));
    // An empty sum would be -0.
    let got = places.fold(0.0, |sum, (i, _)| sum + gain(i));
    let best: f64 = (0..relevant.len().min(10)).map(gain).sum();
    got / best.max(1e-9)
}
