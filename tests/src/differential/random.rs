//! Pseudo-random numbers, the same for the same seed (SplitMix64).

/// A generator.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `end`; 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.number() % end as u64) as usize }
    }

    /// True in this many of a hundred cases.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of these; `None` without any.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_gives_the_same_numbers_and_another_seed_others() {
        let take = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
        assert!(take(7).iter().max() > Some(&900) && take(7).iter().min() < Some(&100));
    }
}
