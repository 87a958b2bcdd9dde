//! The rows that can contain memories of a filter's time. Rows are numbered in the order of capturing, except for
//! imported ones; a short time is a few rows of the index, and rows outside it needn't be looked at.

use rusqlite::Connection;

use crate::query::{Clause, Selection};

/// A time with more memories than this bounds nothing.
const MAX_ROWS: i64 = 20_000;

/// The first and the last row that may be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowRange {
    pub(super) first: i64,
    pub(super) last: i64,
}

impl RowRange {
    /// The rows of the times that every selected memory must be from.
    pub(super) fn of(db: &Connection, selection: &Selection) -> rusqlite::Result<Self> {
        let mut range = Self { first: 0, last: i64::MAX };
        let mut bounds = (i64::MIN, i64::MAX);
        for clause in &selection.filter.clauses {
            if let Clause::Captured { from, until } = clause {
                bounds.0 = bounds.0.max(from.unwrap_or(i64::MIN));
                bounds.1 = bounds.1.min(until.unwrap_or(i64::MAX));
            }
        }
        if bounds == (i64::MIN, i64::MAX) {
            return Ok(range);
        }
        let (rows, first, last): (i64, Option<i64>, Option<i64>) = db
            .prepare_cached(
                "SELECT count(*), min(row), max(row) FROM
                    (SELECT row FROM memories WHERE created_ms >= ?1 AND created_ms < ?2 LIMIT ?3)",
            )?
            .query_row((bounds.0, bounds.1, MAX_ROWS), |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
        if rows < MAX_ROWS {
            // Without any, no row fits.
            range = Self { first: first.unwrap_or(1), last: last.unwrap_or(0) };
        }
        Ok(range)
    }
}
