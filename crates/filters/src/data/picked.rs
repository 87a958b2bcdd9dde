//! Which rows of many are shown when not all fit. Owns the room that is left for more, and the closing of gaps that a mark would
//! hardly be shorter than.

/// Rows of this length are shown rather than counted when there are one or two of them, in bytes.
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

    /// Whether a row that takes `cost` bytes is shown now and was not before.
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

    /// Shows what a mark would hardly be shorter than: one or two short rows between others.
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
