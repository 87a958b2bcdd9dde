//! Which rows of many are shown when not all fit. Owns the room that is left for more, and the closing of gaps that
//! are hardly longer than a mark.

/// One or two rows up to this length, in bytes, are shown rather than counted.
const SHORT_ROW: usize = 100;

/// Rows that are shown, and the bytes that are left for more.
pub(crate) struct Picked {
    pub(crate) shown: Vec<bool>,
    pub(crate) left: usize,
}

impl Picked {
    /// None of `count` rows, with `left` bytes for them.
    pub(crate) fn new(count: usize, left: usize) -> Self {
        Self { shown: vec![false; count], left }
    }

    /// Shows a row that takes `cost` bytes if there is room; whether it was added.
    pub(crate) fn take(&mut self, at: usize, cost: usize) -> bool {
        match self.shown.get_mut(at) {
            Some(known) if !*known && cost <= self.left => {
                *known = true;
                self.left -= cost;
                true
            }
            _ => false,
        }
    }

    /// Shows one or two short rows between others, which a mark would hardly shorten.
    pub(crate) fn close_gaps(&mut self, cost: impl Fn(usize) -> usize) {
        let mut from = 0;
        while let Some(length) = self.shown[from..].iter().position(|shown| *shown) {
            if length <= 2 && (from..from + length).map(&cost).sum::<usize>() <= 2 * SHORT_ROW + 40 {
                self.shown[from..from + length].fill(true);
            }
            from += length + 1;
        }
    }
}
