//! Retention: old events and calls are deleted, their totals stay, and connections are never touched.
//!
//! Totals are written with each row (see `rollup`), so deleting rows by age or number changes none. Only what the
//! user asks to delete is subtracted from the totals too.

use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::store::Sessions;
use crate::{events, ledger};

/// How many calls are deleted in one transaction: other processes must not wait long for their turn.
const BATCH: u32 = 10_000;

/// What to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// Deletes events of sessions that were last used before this time, and calls before it (milliseconds since
    /// 1970).
    pub since_ms: i64,
    /// How many events of a session to keep, the latest.
    pub events_per_session: u32,
    /// How many calls to keep, the latest.
    pub calls: u32,
}

impl Default for Keep {
    /// Keeps everything.
    fn default() -> Self {
        Self { since_ms: i64::MIN, events_per_session: u32::MAX, calls: u32::MAX }
    }
}

/// The numbers of deleted rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// Events.
    pub events: usize,
    /// Calls; their totals stay.
    pub calls: usize,
    /// Sessions without any rows left.
    pub sessions: usize,
}

impl Removed {
    /// Whether nothing was deleted.
    pub fn is_nothing(self) -> bool {
        self == Removed::default()
    }
}

impl Sessions {
    /// Deletes what has expired. Never changes a total of calls.
    ///
    /// # Errors
    /// See [`home::DbError`]; some data may then be deleted already, and the next run continues.
    pub fn forget(&mut self, keep: Keep) -> Result<Removed, SessionsError> {
        // The latest call beyond the limit.
        let beyond: Option<i64> = self.read(|db| {
            db.query_row("SELECT id FROM ledger ORDER BY id DESC LIMIT 1 OFFSET ?1", [keep.calls], |row| {
                row.get(0)
            })
            .optional()
        })?;
        let mut calls = 0;
        loop {
            let gone = self.write(|db| {
                let old = db
                    .prepare_cached(
                        "DELETE FROM ledger WHERE id IN (SELECT id FROM ledger WHERE at_ms < ?1 LIMIT ?2)",
                    )?
                    .execute(params![keep.since_ms, BATCH])?;
                let too_many = db
                    .prepare_cached(
                        "DELETE FROM ledger WHERE id IN (SELECT id FROM ledger WHERE id <= ?1 ORDER BY id LIMIT ?2)",
                    )?
                    .execute(params![beyond.unwrap_or(i64::MIN), BATCH])?;
                Ok(old + too_many)
            })?;
            calls += gone;
            if gone == 0 {
                break;
            }
        }
        self.write(|db| {
            // A session is kept or deleted as a whole: while it is in use its beginning stays. Sessions without an ID
            // are many in one, which would be in use forever.
            let mut events = db.execute(
                "DELETE FROM events WHERE at_ms < ?1 AND (session = '' OR NOT EXISTS (
                   SELECT 1 FROM sessions s
                   WHERE s.agent = events.agent AND s.session = events.session AND s.last_ms >= ?1))",
                [keep.since_ms],
            )?;
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

    /// Deletes a session permanently, as requested by the user, overwriting it in the file; its remaining rows are
    /// subtracted from the totals.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then deleted.
    pub fn forget_session(&mut self, agent: &str, session: &str) -> Result<Removed, SessionsError> {
        self.erase(|db| {
            let which = params![agent, session];
            let (of, values) = ("agent = ?1 AND session = ?2", [agent, session]);
            let events = events::forget(db, of, &values)?;
            let calls = ledger::forget(db, of, &values)?;
            let sessions = db.execute("DELETE FROM sessions WHERE agent = ?1 AND session = ?2", which)?;
            db.execute("DELETE FROM nudges WHERE session = ?1", [session])?;
            Ok(Removed { events, calls, sessions })
        })
    }
}
