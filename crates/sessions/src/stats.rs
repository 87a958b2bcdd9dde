//! The ledger's figures: measured, estimated and overhead separately, and a net that may be negative.
//!
//! Everything here is read from the totals beside the rows (see `rollup`), never from the rows.

use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::ledger_row::LedgerRow;
use crate::rollup::{self, Dimension, DimensionTotals, Sums};
use crate::store::Sessions;
use crate::totals::Totals;
use crate::values::count;

const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;

/// The maximum number of groups and of steps in a time series.
const MAX_GROUPS: usize = 200;
const MAX_STEPS: usize = 1_000;

impl Totals {
    /// The totals over these rows.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a LedgerRow>) -> Totals {
        let mut sums = Sums::default();
        for row in rows {
            sums.add(&Sums::of(row));
        }
        sums.totals()
    }
}

/// The totals of one agent, tool, filter, project or tokenizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its totals.
    #[serde(flatten)]
    pub totals: Totals,
}

/// The totals of one day or hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// Its start in the user's time zone, in milliseconds since 1970.
    pub start_ms: i64,
    /// Its totals.
    #[serde(flatten)]
    pub totals: Totals,
}

/// The record's figures for a period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// The start of the period, in milliseconds since 1970.
    pub since_ms: i64,
    /// The totals.
    pub totals: Totals,
    /// Per agent, largest saving first.
    pub by_agent: Vec<Group>,
    /// Per tool, largest saving first.
    pub by_tool: Vec<Group>,
    /// Per project folder, largest saving first.
    pub by_project: Vec<Group>,
    /// Per filter, largest saving first; `raw_bytes` is before it, `returned_bytes` after it.
    pub by_filter: Vec<Group>,
    /// Per tokenizer that counted or estimated the tokens.
    pub by_tokenizer: Vec<Group>,
    /// How many sessions were active.
    pub sessions: u64,
    /// How many events were recorded.
    pub events: u64,
    /// Events per decision.
    pub decisions: Vec<(String, u64)>,
    /// The time that events took, in microseconds.
    pub event_us: u64,
}

fn groups(parts: &DimensionTotals, wanted: Dimension) -> Vec<Group> {
    let mut groups: Vec<Group> = parts
        .iter()
        .filter(|((part, _), sums)| *part == wanted && !sums.is_nothing())
        .map(|((_, name), sums)| Group { name: name.clone(), totals: sums.totals() })
        .collect();
    groups.sort_by(|a, b| b.totals.net_bytes.cmp(&a.totals.net_bytes).then_with(|| a.name.cmp(&b.name)));
    groups.truncate(MAX_GROUPS);
    groups
}

impl Sessions {
    /// The figures since the quarter-hour that contains `since_ms` (milliseconds since 1970; 0 for all).
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn stats(&self, since_ms: i64) -> Result<Stats, SessionsError> {
        self.read_at_once(|db| {
            let parts = rollup::totals_since(db, since_ms)?;
            let sessions: i64 = db
                .prepare_cached("SELECT count(*) FROM sessions WHERE last_ms >= ?1")?
                .query_row([since_ms], |row| row.get(0))?;
            let mut decisions: Vec<(String, Sums)> = parts
                .iter()
                .filter(|((part, _), sums)| *part == Dimension::Decision && !sums.is_nothing())
                .map(|((_, name), sums)| (name.clone(), *sums))
                .collect();
            decisions.sort_by(|a, b| b.1.calls().cmp(&a.1.calls()).then_with(|| a.0.cmp(&b.0)));
            let everything = parts.get(&(Dimension::Everything, String::new()));
            Ok(Stats {
                since_ms,
                totals: everything.map(Sums::totals).unwrap_or_default(),
                by_agent: groups(&parts, Dimension::Agent),
                by_tool: groups(&parts, Dimension::Tool),
                by_project: groups(&parts, Dimension::Project),
                by_filter: groups(&parts, Dimension::Filter),
                by_tokenizer: groups(&parts, Dimension::Tokenizer),
                sessions: count(sessions),
                events: decisions.iter().fold(0, |all, (_, sums)| all.saturating_add(sums.calls())),
                event_us: decisions
                    .iter()
                    .fold(0, |all: u64, (_, sums)| all.saturating_add(sums.totals().elapsed_us)),
                decisions: decisions.into_iter().map(|(name, sums)| (name, sums.calls())).collect(),
            })
        })
    }

    /// Only the totals of [`Sessions::stats`], for a period of about a day: one query.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn total(&self, since_ms: i64) -> Result<Totals, SessionsError> {
        self.read(|db| Ok(rollup::total(db, since_ms)?.totals()))
    }

    /// The totals of each day with calls since `since_ms`, earliest first, but at most the latest 1,000. Days begin
    /// at midnight with this UTC offset.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn days(&self, since_ms: i64, utc_offset_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.over_time(since_ms, utc_offset_ms, DAY_MS)
    }

    /// The same by hour. What an earlier version stored only by day counts for the hour in which that day began.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn hours(&self, since_ms: i64, utc_offset_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.over_time(since_ms, utc_offset_ms, HOUR_MS)
    }

    fn over_time(&self, since_ms: i64, utc_offset_ms: i64, step_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.read(|db| {
            let steps = rollup::over_time(db, since_ms, utc_offset_ms, step_ms, MAX_STEPS)?;
            Ok(steps.into_iter().map(|(start_ms, sums)| Day { start_ms, totals: sums.totals() }).collect())
        })
    }
}
