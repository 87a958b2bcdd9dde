//! Totals beside the ledger, so that any period costs the same to sum regardless of the number of rows.
//!
//! Every row is added to its totals in the transaction that writes it (`write`), and they outlive it: retention
//! deletes rows and never totals. They are stored per quarter-hour, because midnight is on a quarter-hour in every
//! time zone, and per hour, day and 32 days for long periods. Owns the tables `ledger_keys` and `ledger_sums` and how
//! a total's ID is built; doesn't know periods or users: see `stats`.

mod read;
mod sums;
mod write;

pub(crate) use read::{DimensionTotals, over_time, total, totals_since};
pub(crate) use sums::{SUMS_OF_ROWS, Sums};
pub(crate) use write::{add, add_decision, add_many, clear, repair, subtract, subtract_decisions};

/// The shortest bucket, in milliseconds.
const QUARTER_MS: i64 = 900_000;
const QUARTERS_AN_HOUR: i64 = 4;
const QUARTERS_A_DAY: i64 = 96;
const DAYS_A_BLOCK: i64 = 32;
/// The last quarter-hour (122,000 years after 1970); the first is that of 1970.
const LAST_QUARTER: i64 = (1 << 32) - 1;

/// How many bits of an ID are the key.
const KEY_BITS: u32 = 28;
const SPAN_BITS: u32 = 60;

/// The time span of a total; the first part of its ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Span {
    /// A full combination, or a verdict, in a quarter-hour.
    Combination = 0,
    /// Everything in a quarter-hour.
    Quarter = 1,
    /// One dimension on a UTC day.
    Day = 2,
    /// One dimension in 32 days.
    Block = 3,
    /// Everything in a UTC hour.
    Hour = 4,
}

/// The dimension of a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dimension {
    /// A full combination.
    Whole = 0,
    /// Everything.
    Everything = 1,
    Agent = 2,
    Project = 3,
    Tool = 4,
    Filter = 5,
    Tokenizer = 6,
    /// A hook's verdict, stored in the tool column.
    Decision = 7,
}

fn quarter(at_ms: i64) -> i64 {
    (at_ms.max(0) / QUARTER_MS).min(LAST_QUARTER)
}

/// The ID of a total. The bucket after the last one would belong to the next span.
fn sum_id(span: Span, bucket: i64, key: i64) -> i64 {
    ((span as i64) << SPAN_BITS) + (bucket << KEY_BITS) + key
}
