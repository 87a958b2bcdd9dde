//! What the ledger adds up to: measured, estimated and overhead apart, and a net that may be negative.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::store::{Sessions, SessionsError, count};

const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;

/// Sums over calls. All sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// How many calls there were.
    pub calls: u64,
    /// How many of them failed; they save nothing.
    pub failed: u64,
    /// What the conversation would have got, as far as it was measured or estimated.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// What was kept out and counted; negative if replies were longer than what they stand for.
    pub measured_bytes: i64,
    /// What was kept out by a guess. Never added to `measured_bytes`.
    pub estimated_bytes: i64,
    /// What we put into the conversation ourselves.
    pub overhead_bytes: u64,
    /// `measured_bytes` less `overhead_bytes`.
    pub net_bytes: i64,
    /// Time that we took, in microseconds.
    pub elapsed_us: u64,
}

/// The sums of one agent, tool or project.
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
    /// How many sessions were active.
    pub sessions: u64,
    /// How many events were recorded.
    pub events: u64,
    /// Events per decision.
    pub decisions: Vec<(String, u64)>,
    /// Time that events took, in microseconds.
    pub event_us: u64,
}

/// Rows of the ledger and sums of days whose rows are gone, in one shape. `?1` is the beginning.
const SOURCE: &str = "
  SELECT agent, project, tool, at_ms, 1 AS calls, NOT ok AS failed, raw_bytes, returned_bytes,
    CASE WHEN ok AND class = 1 THEN raw_bytes - returned_bytes ELSE 0 END AS measured_bytes,
    CASE WHEN ok AND class = 2 THEN raw_bytes - returned_bytes ELSE 0 END AS estimated_bytes,
    overhead_bytes, elapsed_us
  FROM ledger WHERE at_ms >= ?1
  UNION ALL
  SELECT agent, project, tool, day_ms, calls, failed, raw_bytes, returned_bytes, measured_bytes,
    estimated_bytes, overhead_bytes, elapsed_us
  FROM ledger_days WHERE day_ms >= ?1";

/// `total` rather than `sum`: it never overflows.
pub(crate) const SUMS: &str = "
  total(calls), total(failed), total(raw_bytes), total(returned_bytes), total(measured_bytes),
  total(estimated_bytes), total(overhead_bytes), total(elapsed_us)";

#[expect(clippy::cast_possible_truncation, reason = "`as` on floats saturates, which is what a sum may do")]
fn whole(row: &Row<'_>, at: usize) -> rusqlite::Result<i64> {
    Ok(row.get::<_, f64>(at)? as i64)
}

/// The eight sums beginning at column `at`.
pub(crate) fn totals(row: &Row<'_>, at: usize) -> rusqlite::Result<Totals> {
    let measured_bytes = whole(row, at + 4)?;
    let overhead = whole(row, at + 6)?;
    Ok(Totals {
        calls: count(whole(row, at)?),
        failed: count(whole(row, at + 1)?),
        raw_bytes: count(whole(row, at + 2)?),
        returned_bytes: count(whole(row, at + 3)?),
        measured_bytes,
        estimated_bytes: whole(row, at + 5)?,
        overhead_bytes: count(overhead),
        net_bytes: measured_bytes.saturating_sub(overhead),
        elapsed_us: count(whole(row, at + 7)?),
    })
}

fn groups(db: &Connection, column: &str, since_ms: i64) -> rusqlite::Result<Vec<Group>> {
    let sql = format!(
        "SELECT {column}, {SUMS} FROM ({SOURCE}) GROUP BY {column}
         ORDER BY total(measured_bytes) - total(overhead_bytes) DESC, {column} LIMIT 200"
    );
    db.prepare_cached(&sql)?
        .query_map([since_ms], |row| Ok(Group { name: row.get(0)?, totals: totals(row, 1)? }))?
        .collect()
}

impl Sessions {
    /// What the record says about the time since `since_ms` (milliseconds since the Unix epoch; 0 for all).
    /// Of days whose single rows are gone, only whole ones count.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn stats(&self, since_ms: i64) -> Result<Stats, SessionsError> {
        self.read_at_once(|db| {
            let totals = db
                .prepare_cached(&format!("SELECT {SUMS} FROM ({SOURCE})"))?
                .query_row([since_ms], |row| totals(row, 0))?;
            let sessions: i64 = db
                .prepare_cached("SELECT count(*) FROM sessions WHERE last_ms >= ?1")?
                .query_row([since_ms], |row| row.get(0))?;
            let mut by_decision = db.prepare_cached(
                "SELECT decision, count(*), total(elapsed_us) FROM events WHERE at_ms >= ?1
                 GROUP BY decision ORDER BY count(*) DESC, decision",
            )?;
            let rows: Vec<(String, i64, i64)> = by_decision
                .query_map([since_ms], |row| Ok((row.get(0)?, row.get(1)?, whole(row, 2)?)))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(Stats {
                since_ms,
                totals,
                by_agent: groups(db, "agent", since_ms)?,
                by_tool: groups(db, "tool", since_ms)?,
                by_project: groups(db, "project", since_ms)?,
                sessions: count(sessions),
                events: rows.iter().map(|(_, n, _)| count(*n)).sum(),
                event_us: rows.iter().map(|(_, _, us)| count(*us)).sum(),
                decisions: rows.into_iter().map(|(decision, n, _)| (decision, count(n))).collect(),
            })
        })
    }

    /// The sums of each day with calls since `since_ms`, the earliest first. Days begin at midnight
    /// `utc_offset_ms` east of Greenwich.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn days(&self, since_ms: i64, utc_offset_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.over_time(since_ms, utc_offset_ms, DAY_MS)
    }

    /// The same by hour; what is only known by day stands at the hour in which that day began.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn hours(&self, since_ms: i64, utc_offset_ms: i64) -> Result<Vec<Day>, SessionsError> {
        self.over_time(since_ms, utc_offset_ms, HOUR_MS)
    }

    fn over_time(&self, since_ms: i64, utc_offset_ms: i64, step_ms: i64) -> Result<Vec<Day>, SessionsError> {
        let sql = format!(
            "SELECT (at_ms + ?2) / {step_ms} AS step, {SUMS} FROM ({SOURCE}) GROUP BY step ORDER BY step LIMIT 1000"
        );
        self.read(|db| {
            db.prepare_cached(&sql)?
                .query_map(params![since_ms, utc_offset_ms], |row| {
                    let step: i64 = row.get(0)?;
                    Ok(Day {
                        start_ms: step.saturating_mul(step_ms).saturating_sub(utc_offset_ms),
                        totals: totals(row, 1)?,
                    })
                })?
                .collect()
        })
    }
}
