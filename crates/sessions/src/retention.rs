//! Forgetting: old events and calls go, what they added up to stays, receipts are never touched.
//!
//! Sums are written with each row (see `rollup`), so removing rows by age or by number changes no total. Only what
//! a person asks to forget is taken out of the sums as well.

use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::store::Sessions;
use crate::{events, ledger};

/// So many calls are removed in one transaction: other processes must not wait for their turn.
const AT_A_TIME: u32 = 10_000;

/// How long things are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// Events of sessions that were last used before this moment go, and calls before it (milliseconds since the Unix
    /// epoch).
    pub since_ms: i64,
    /// At most this many events of one session stay, the latest.
    pub events_per_session: u32,
    /// At most this many calls stay, the latest.
    pub calls: u32,
}

impl Default for Keep {
    /// Everything.
    fn default() -> Self {
        Self { since_ms: i64::MIN, events_per_session: u32::MAX, calls: u32::MAX }
    }
}

/// What was forgotten, in rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// Events.
    pub events: usize,
    /// Calls; their sums stay.
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
    /// Forgets what need not be kept. No total of calls ever changes by it.
    ///
    /// # Errors
    /// See [`home::DbError`]; some of it may then be forgotten already, which the next time goes on with.
    pub fn forget(&mut self, keep: Keep) -> Result<Removed, SessionsError> {
        // The latest call that there are too many of.
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
                    .execute(params![keep.since_ms, AT_A_TIME])?;
                let too_many = db
                    .prepare_cached(
                        "DELETE FROM ledger WHERE id IN (SELECT id FROM ledger WHERE id <= ?1 ORDER BY id LIMIT ?2)",
                    )?
                    .execute(params![beyond.unwrap_or(i64::MIN), AT_A_TIME])?;
                Ok(old + too_many)
            })?;
            calls += gone;
            if gone == 0 {
                break;
            }
        }
        self.write(|db| {
            // A session is kept or forgotten as one: while it is in use its beginning stays. Sessions without a name
            // are many in one, which would be in use for ever.
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

    /// Forgets one session wholly, as a person asks for it; what of it is still there stays in no total.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then forgotten.
    pub fn forget_session(&mut self, agent: &str, session: &str) -> Result<Removed, SessionsError> {
        self.write(|db| {
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
