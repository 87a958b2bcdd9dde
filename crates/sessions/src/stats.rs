//! What the ledger adds up to: measured, estimated and overhead apart, and a net that may be negative.
//!
//! Everything here is read from the sums that are kept beside the rows (see `rollup`), never from the rows.

use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::rollup::{self, Part, Parts, Sums};
use crate::row::LedgerRow;
use crate::store::Sessions;
use crate::totals::Totals;
use crate::values::count;

const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;

/// So many groups and steps of time are given at most.
const MOST_GROUPS: usize = 200;
const MOST_STEPS: usize = 1_000;

impl Totals {
    /// The sums over these rows, as they were recorded.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a LedgerRow>) -> Totals {
        let mut sums = Sums::default();
        for row in rows {
            sums.add(&Sums::of(row));
        }
        sums.totals()
    }
}

/// The sums of one agent, tool, filter, project or tokenizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Which.
    pub name: String,
    /// Its sums.
    #[serde(flatten)]
    pub totals: Totals,
}

/// The sums of one day or hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// When it began where the person is, in milliseconds since the Unix epoch.
    pub start_ms: i64,
    /// Its sums.
    #[serde(flatten)]
    pub totals: Totals,
}

/// What the record says about a stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// The beginning of the stretch, in milliseconds since the Unix epoch.
    pub since_ms: i64,
    /// Everything.
    pub totals: Totals,
    /// Per agent, the most saving first.
    pub by_agent: Vec<Group>,
    /// Per tool, the most saving first.
    pub by_tool: Vec<Group>,
    /// Per project folder, the most saving first.
    pub by_project: Vec<Group>,
    /// Per filter, the most saving first; `raw_bytes` is before it, `returned_bytes` after it.
    pub by_filter: Vec<Group>,
    /// Per tokenizer that the tokens were counted or estimated by.
    pub by_tokenizer: Vec<Group>,
    /// How many sessions were active.
    pub sessions: u64,
    /// How many events were recorded.
    pub events: u64,
    /// Events per decision.
    pub decisions: Vec<(String, u64)>,
    /// Time that events took, in microseconds.
    pub event_us: u64,
}

fn groups(parts: &Parts, wanted: Part) -> Vec<Group> {
    let mut groups: Vec<Group> = parts
        .iter()
        .filter(|((part, _), sums)| *part == wanted && !sums.is_nothing())
        .map(|((_, name), sums)| Group { name: name.clone(), totals: sums.totals() })
        .collect();
    groups.sort_by(|a, b| b.totals.net_bytes.cmp(&a.totals.net_bytes).then_with(|| a.name.cmp(&b.name)));
    groups.truncate(MOST_GROUPS);
    groups
}

impl Sessions {
    /// What the record says about the time since the quarter of an hour in which `since_ms` lies (milliseconds
    /// since the Unix epoch; 0 for all).
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn stats(&self, since_ms: i64) -> Result<Stats, SessionsError> {
        self.read_at_once(|db| {
            let parts = rollup::since(db, since_ms)?;
            let sessions: i64 = db
                .prepare_cached("SELECT count(*) FROM sessions WHERE last_ms >= ?1")?
                .query_row([since_ms], |row| row.get(0))?;
            let mut decisions: Vec<(String, Sums)> = parts
                .iter()
                .filter(|((part, _), sums)| *part == Part::Decision && !sums.is_nothing())
                .map(|((_, name), sums)| (name.clone(), *sums))
                .collect();
            decisions.sort_by(|a, b| b.1.calls().cmp(&a.1.calls()).then_with(|| a.0.cmp(&b.0)));
            let everything = parts.get(&(Part::Everything, String::new()));
            Ok(Stats {
                since_ms,
                totals: everything.map(Sums::totals).unwrap_or_default(),
                by_agent: groups(&parts, Part::Agent),
                by_tool: groups(&parts, Part::Tool),
                by_project: groups(&parts, Part::Project),
                by_filter: groups(&parts, Part::Filter),
                by_tokenizer: groups(&parts, Part::Tokenizer),
                sessions: count(sessions),
                events: decisions.iter().fold(0, |all, (_, sums)| all.saturating_add(sums.calls())),
                event_us: decisions
                    .iter()
                    .fold(0, |all: u64, (_, sums)| all.saturating_add(sums.totals().elapsed_us)),
                decisions: decisions.into_iter().map(|(name, sums)| (name, sums.calls())).collect(),
            })
        })
    }

    /// The totals of [`Sessions::stats`] alone, for a stretch of a day or so: one query.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn total(&self, since_ms: i64) -> Result<Totals, SessionsError> {
        self.read(|db| Ok(rollup::total(db, since_ms)?.totals()))
    }

    /// The sums of each day with calls since `since_ms`, the earliest first; of more than 1,000 the latest. Days
    /// begin at midnight `utc_offset_ms` east of Greenwich.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn days(&self, since_ms: i64, utc_offset_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.over_time(since_ms, utc_offset_ms, DAY_MS)
    }

    /// The same by hour; what an earlier version kept only by day stands at the hour in which that day began.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn hours(&self, since_ms: i64, utc_offset_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.over_time(since_ms, utc_offset_ms, HOUR_MS)
    }

    fn over_time(&self, since_ms: i64, utc_offset_ms: i64, step_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.read(|db| {
            let steps = rollup::over_time(db, since_ms, utc_offset_ms, step_ms, MOST_STEPS)?;
            Ok(steps.into_iter().map(|(start_ms, sums)| Day { start_ms, totals: sums.totals() }).collect())
        })
    }
}
