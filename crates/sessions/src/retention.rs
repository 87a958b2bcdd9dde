//! Forgetting: old events and calls go, what they added up to stays, receipts are never touched.

use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::store::{Sessions, SessionsError};

/// How long things are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// Events and calls before this moment go (milliseconds since the Unix epoch).
    pub since_ms: i64,
    /// At most this many events of one session stay, the latest.
    pub events_per_session: u32,
}

/// What was forgotten, in rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// Events.
    pub events: usize,
    /// Calls; their sums were added to their day.
    pub calls: usize,
    /// Sessions of which nothing is left.
    pub sessions: usize,
}

impl Removed {
    /// Whether nothing was.
    pub fn is_nothing(self) -> bool {
        self == Removed::default()
    }
}

impl Sessions {
    /// Forgets what need not be kept. The sums of forgotten calls are kept per day (of UTC), agent, project
    /// and tool, so that no total ever changes by forgetting.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then forgotten.
    pub fn forget(&mut self, keep: Keep) -> Result<Removed, SessionsError> {
        self.write(|db| {
            // `total` rather than `sum`: a sum that is too large must not keep anything from being forgotten.
            db.execute(
                "INSERT INTO ledger_days (day_ms, agent, project, tool, calls, failed, raw_bytes, returned_bytes,
                   measured_bytes, estimated_bytes, overhead_bytes, elapsed_us)
                 SELECT at_ms - at_ms % 86400000, agent, project, tool, count(*), CAST(total(NOT ok) AS INTEGER), CAST(total(raw_bytes) AS INTEGER),
                   CAST(total(returned_bytes) AS INTEGER),
                   CAST(total(CASE WHEN ok AND class = 1 THEN raw_bytes - returned_bytes ELSE 0 END) AS INTEGER),
                   CAST(total(CASE WHEN ok AND class = 2 THEN raw_bytes - returned_bytes ELSE 0 END) AS INTEGER),
                   CAST(total(overhead_bytes) AS INTEGER), CAST(total(elapsed_us) AS INTEGER)
                 FROM ledger WHERE at_ms < ?1 GROUP BY 1, 2, 3, 4
                 ON CONFLICT (day_ms, agent, project, tool) DO UPDATE SET
                   calls = calls + excluded.calls, failed = failed + excluded.failed,
                   raw_bytes = raw_bytes + excluded.raw_bytes,
                   returned_bytes = returned_bytes + excluded.returned_bytes,
                   measured_bytes = measured_bytes + excluded.measured_bytes,
                   estimated_bytes = estimated_bytes + excluded.estimated_bytes,
                   overhead_bytes = overhead_bytes + excluded.overhead_bytes,
                   elapsed_us = elapsed_us + excluded.elapsed_us",
                [keep.since_ms],
            )?;
            let calls = db.execute("DELETE FROM ledger WHERE at_ms < ?1", [keep.since_ms])?;
            let mut events = db.execute("DELETE FROM events WHERE at_ms < ?1", [keep.since_ms])?;
            events += db.execute(
                "DELETE FROM events WHERE id IN (
                   SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY agent, session ORDER BY id DESC) AS rank
                     FROM events) WHERE rank > ?1)",
                params![keep.events_per_session],
            )?;
            let sessions = db.execute("DELETE FROM sessions WHERE last_ms < ?1", [keep.since_ms])?;
            db.execute(
                "DELETE FROM nudges WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.session = nudges.session)",
                [],
            )?;
            Ok(Removed { events, calls, sessions })
        })
    }

    /// Forgets one session wholly, as a person asks for it; the sums of its calls stay in no total.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then forgotten.
    pub fn forget_session(&mut self, agent: &str, session: &str) -> Result<Removed, SessionsError> {
        self.write(|db| {
            let which = params![agent, session];
            let events = db.execute("DELETE FROM events WHERE agent = ?1 AND session = ?2", which)?;
            let calls = db.execute("DELETE FROM ledger WHERE agent = ?1 AND session = ?2", which)?;
            let sessions = db.execute("DELETE FROM sessions WHERE agent = ?1 AND session = ?2", which)?;
            db.execute("DELETE FROM nudges WHERE session = ?1", [session])?;
            Ok(Removed { events, calls, sessions })
        })
    }

    /// Forgets every event, call and total; receipts stay, since undoing needs them.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then forgotten.
    pub fn forget_all(&mut self) -> Result<Removed, SessionsError> {
        self.write(|db| {
            let events = db.execute("DELETE FROM events", [])?;
            let calls = db.execute("DELETE FROM ledger", [])?;
            let sessions = db.execute("DELETE FROM sessions", [])?;
            db.execute("DELETE FROM ledger_days", [])?;
            db.execute("DELETE FROM nudges", [])?;
            Ok(Removed { events, calls, sessions })
        })
    }
}
