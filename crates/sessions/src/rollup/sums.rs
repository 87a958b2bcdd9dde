//! The ten figures of a total: what a row adds to them, and how they are read.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use crate::ledger_row::{Class, LedgerRow, OVERHEAD_TOOLS, is_estimate};
use crate::totals::Totals;
use crate::values::{count, int};

pub(super) const COLUMNS: &str = "calls, failed, raw_bytes, returned_bytes, measured_bytes, estimated_bytes, \
     overhead_bytes, elapsed_us, measured_tokens, estimated_tokens";

/// The same sums over rows of `ledger`, in the same order. `total` rather than `sum`, because it never overflows.
pub(crate) const SUMS_OF_ROWS: &str = "
  total(tool NOT IN ('tool list', 'hook', 'note')), total(NOT ok), total(raw_bytes), total(returned_bytes),
  total(CASE WHEN ok AND class = 1 THEN raw_bytes - returned_bytes ELSE 0 END),
  total(CASE WHEN ok AND class = 2 THEN raw_bytes - returned_bytes ELSE 0 END),
  total(overhead_bytes), total(elapsed_us),
  total(CASE WHEN ok AND class = 1 AND tokenizer NOT LIKE 'plimsoll-%' THEN tokens_raw - tokens_returned ELSE 0 END),
  total(CASE WHEN ok AND class = 1 AND tokenizer LIKE 'plimsoll-%' THEN tokens_raw - tokens_returned ELSE 0 END)";

/// The sums in the order of [`COLUMNS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums(pub(super) [i64; 10]);

impl Sums {
    /// What one row adds.
    pub(crate) fn of(row: &LedgerRow) -> Self {
        let counted = row.ok && row.class == Class::Measured;
        let guessed = row.ok && row.class == Class::Estimated;
        let saved = int(row.raw_bytes).saturating_sub(int(row.returned_bytes));
        let tokens = int(row.tokens_raw).saturating_sub(int(row.tokens_returned));
        let estimate = is_estimate(&row.tokenizer);
        let when = |condition: bool, value: i64| if condition { value } else { 0 };
        Self([
            when(!OVERHEAD_TOOLS.contains(&row.tool.as_str()), 1),
            when(!row.ok, 1),
            int(row.raw_bytes),
            int(row.returned_bytes),
            when(counted, saved),
            when(guessed, saved),
            int(row.overhead_bytes),
            int(row.elapsed_us),
            when(counted && !estimate, tokens),
            when(counted && estimate, tokens),
        ])
    }

    /// What hook events add.
    pub(super) fn of_events(times: u64, elapsed_us: u64) -> Self {
        Self([int(times), 0, 0, 0, 0, 0, 0, int(elapsed_us), 0, 0])
    }

    /// The ten sums from column `at` on; one that overflowed an integer becomes the largest.
    pub(crate) fn read(row: &Row<'_>, at: usize) -> rusqlite::Result<Self> {
        let mut sums = Self::default();
        for (index, sum) in sums.0.iter_mut().enumerate() {
            *sum = match row.get_ref(at + index)? {
                ValueRef::Integer(value) => value,
                #[expect(clippy::cast_possible_truncation, reason = "`as` on floats saturates")]
                ValueRef::Real(value) => value as i64,
                _ => 0,
            };
        }
        Ok(sums)
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(more);
        }
    }

    pub(super) fn negated(mut self) -> Self {
        for sum in &mut self.0 {
            *sum = sum.saturating_neg();
        }
        self
    }

    /// Whether it is empty, or everything was subtracted again.
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// The count, for sums of events.
    pub(crate) fn calls(&self) -> u64 {
        count(self.0[0])
    }

    pub(crate) fn totals(&self) -> Totals {
        let [calls, failed, raw, returned, measured, estimated, overhead, elapsed, counted, guessed] = self.0;
        Totals {
            calls: count(calls),
            failed: count(failed),
            raw_bytes: count(raw),
            returned_bytes: count(returned),
            measured_bytes: measured,
            estimated_bytes: estimated,
            overhead_bytes: count(overhead),
            net_bytes: measured.saturating_sub(overhead),
            elapsed_us: count(elapsed),
            measured_tokens: counted,
            estimated_tokens: guessed,
        }
    }
}
