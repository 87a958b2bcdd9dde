//! Sums beside the ledger, so that a total of any stretch of time costs the same however many rows there are.
//!
//! Every row is added to its sums in the transaction that writes it (`write`) and its sums outlive it: retention
//! removes rows and never a sum. Sums are kept per quarter of an hour, because midnight lies on a quarter of an hour
//! in every time zone; per hour, day and 32 days for long stretches. Owns the tables `ledger_keys` and `ledger_sums`
//! and how a sum is numbered; knows neither periods nor people: see `stats`.

mod read;
mod sums;
mod write;

pub(crate) use read::{Parts, over_time, since, total};
pub(crate) use sums::{OF_ROWS, Sums};
pub(crate) use write::{add, add_decision, add_many, clear, mend, take_out, take_out_decisions};

/// The smallest stretch of time, in milliseconds.
const QUARTER_MS: i64 = 900_000;
const QUARTERS_AN_HOUR: i64 = 4;
const QUARTERS_A_DAY: i64 = 96;
const DAYS_A_BLOCK: i64 = 32;
/// No later quarter of an hour is told apart (it is 122,000 years after 1970); earlier than 1970 none is.
const LAST_QUARTER: i64 = (1 << 32) - 1;

/// How many bits of a sum's number say which key it is of.
const KEY_BITS: u32 = 28;
const SPAN_BITS: u32 = 60;

/// Which sums a row holds; the first part of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Span {
    /// A whole combination, or a decision, in a quarter of an hour.
    Combination = 0,
    /// Everything in a quarter of an hour.
    Quarter = 1,
    /// A part on a day of UTC.
    Day = 2,
    /// A part in 32 days.
    Block = 3,
    /// Everything in an hour of UTC.
    Hour = 4,
}

/// What a sum is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// A whole combination.
    Whole = 0,
    /// Everything.
    Everything = 1,
    Agent = 2,
    Project = 3,
    Tool = 4,
    Filter = 5,
    Tokenizer = 6,
    /// A decision of hooks, in the place of the tool.
    Decision = 7,
}

fn quarter(at_ms: i64) -> i64 {
    (at_ms.max(0) / QUARTER_MS).min(LAST_QUARTER)
}

/// The number of a sum. One stretch after the last is where the next span begins.
fn place(span: Span, stretch: i64, key: i64) -> i64 {
    ((span as i64) << SPAN_BITS) + (stretch << KEY_BITS) + key
}
