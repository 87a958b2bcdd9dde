//! What a purge forgets: the events, calls and guests' rows of everything, of a project or of a session. They leave the sums
//! too, so that a figure is always that of its calls; receipts stay, since undoing needs them.

use rusqlite::{Connection, params};

use crate::error::SessionsError;
use crate::guest::Guest;
use crate::store::Sessions;
use crate::values::count;
use crate::{events, ledger, rollup};

/// Whose records are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Records {
    /// All there are.
    All,
    /// Of this project folder and the folders below it.
    Project(String),
    /// Of the sessions of this name.
    Session(String),
}

/// How much is recorded, or was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Events.
    pub events: u64,
    /// Calls.
    pub calls: u64,
    /// Rows of guests.
    pub guests: Vec<OfGuest>,
}

/// How much a guest has recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfGuest {
    /// Its table.
    pub table: &'static str,
    /// What one row is.
    pub one: &'static str,
    /// How many.
    pub rows: u64,
}

impl Recorded {
    /// Whether it is nothing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.events == 0 && self.calls == 0 && self.guests.iter().all(|guest| guest.rows == 0)
    }
}

impl Records {
    /// The condition, and its one value.
    fn condition(&self) -> (&'static str, &str) {
        match self {
            // So that each has one value.
            Self::All => ("?1 = ''", ""),
            Self::Project(folder) => (
                "(project = ?1 OR substr(project, 1, length(?1) + 1) IN (?1 || '/', ?1 || '\\'))",
                folder.trim_end_matches(['/', '\\']),
            ),
            Self::Session(session) => ("session = ?1", session),
        }
    }
}

impl Sessions {
    /// How much [`Sessions::forget_records`] would remove.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn recorded(&self, which: &Records) -> Result<Recorded, SessionsError> {
        self.read_at_once(|db| {
            let (condition, value) = which.condition();
            let of = |table: &str| -> rusqlite::Result<u64> {
                let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
                Ok(count(db.prepare_cached(&sql)?.query_row([value], |row| row.get(0))?))
            };
            let guests = self
                .guests
                .iter()
                .map(|guest| Ok(OfGuest { table: guest.table, one: guest.one, rows: of(guest.table)? }))
                .collect::<rusqlite::Result<_>>()?;
            Ok(Recorded { events: of("events")?, calls: of("ledger")?, guests })
        })
    }

    /// Removes records for good, overwriting them in the file; how much.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then removed.
    pub fn forget_records(&mut self, which: &Records) -> Result<Recorded, SessionsError> {
        // What hooks left would otherwise come back with the next reading.
        self.take_over()?;
        let _ = self.db.pragma_update(None, "secure_delete", "ON");
        let guests = self.guests.clone();
        let removed = self.write(|db| remove(db, which, &guests));
        let _ = self.db.pragma_update(None, "secure_delete", "OFF");
        if removed.is_ok()
            && let Err(error) = self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        {
            log::info!("the log of {} is emptied later: {error}", self.db.path().display());
        }
        removed
    }
}

fn remove(db: &Connection, which: &Records, guests: &[&'static Guest]) -> rusqlite::Result<Recorded> {
    let (condition, value) = which.condition();
    let of_guests = guests
        .iter()
        .map(|guest| {
            let rows = db.execute(&format!("DELETE FROM {} WHERE {condition}", guest.table), [value])?;
            Ok(OfGuest { table: guest.table, one: guest.one, rows: rows as u64 })
        })
        .collect::<rusqlite::Result<Vec<OfGuest>>>()?;
    let (events, calls) = if *which == Records::All {
        // Also what older rows added up to.
        rollup::clear(db)?;
        (db.execute("DELETE FROM events", [])?, db.execute("DELETE FROM ledger", [])?)
    } else {
        (events::forget(db, condition, &[value])?, ledger::forget(db, condition, &[value])?)
    };
    let removed = Recorded { events: events as u64, calls: calls as u64, guests: of_guests };
    let left: String = guests
        .iter()
        .map(|guest| {
            format!(
                " AND NOT EXISTS (SELECT 1 FROM {} g WHERE g.agent = sessions.agent AND g.session = sessions.session)",
                guest.table
            )
        })
        .collect();
    // A session that was in several projects is still one of the others.
    db.execute(
        &format!(
            "DELETE FROM sessions WHERE {condition}
               AND NOT EXISTS (SELECT 1 FROM events e WHERE e.agent = sessions.agent AND e.session = sessions.session){left}"
        ),
        params![value],
    )?;
    db.execute(
        "DELETE FROM nudges WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.session = nudges.session)",
        [],
    )?;
    Ok(removed)
}
