//! What a purge deletes: events, calls and systems' rows of everything, of a project or of a session. They are
//! subtracted from the totals too, so that a figure always matches its calls; connections stay, because undoing needs
//! them.

use rusqlite::{Connection, Transaction, params};

use crate::error::SessionsError;
use crate::store::Sessions;
use crate::system_table::Guest;
use crate::values::count;
use crate::{events, ledger, rollup};

/// Selects records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordScope {
    /// Everything.
    All,
    /// This project folder and the folders below it.
    Project(String),
    /// The session of this ID.
    Session(String),
}

/// The numbers of recorded or deleted rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordCounts {
    /// Events.
    pub events: u64,
    /// Calls.
    pub calls: u64,
    /// Rows of systems' tables.
    pub guests: Vec<TableCount>,
}

/// The number of rows in a system's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableCount {
    /// The table.
    pub table: &'static str,
    /// The singular of its rows for people.
    pub one: &'static str,
    /// How many.
    pub rows: u64,
}

impl RecordCounts {
    /// Whether all numbers are 0.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.events == 0 && self.calls == 0 && self.guests.iter().all(|guest| guest.rows == 0)
    }
}

impl RecordScope {
    /// The SQL condition and its one value.
    fn condition(&self) -> (&'static str, &str) {
        match self {
            // So that each condition has one value.
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
    /// What [`Sessions::forget_records`] would delete.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn count_records(&self, which: &RecordScope) -> Result<RecordCounts, SessionsError> {
        self.read_at_once(|db| {
            let (condition, value) = which.condition();
            let of = |table: &str| -> rusqlite::Result<u64> {
                let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
                Ok(count(db.prepare_cached(&sql)?.query_row([value], |row| row.get(0))?))
            };
            let guests = self
                .guests
                .iter()
                .map(|guest| Ok(TableCount { table: guest.table, one: guest.one, rows: of(guest.table)? }))
                .collect::<rusqlite::Result<_>>()?;
            Ok(RecordCounts { events: of("events")?, calls: of("ledger")?, guests })
        })
    }

    /// Deletes records permanently, overwriting them in the file, and returns their numbers.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then deleted.
    pub fn forget_records(&mut self, which: &RecordScope) -> Result<RecordCounts, SessionsError> {
        let guests = self.guests.clone();
        self.erase(|db| remove(db, which, &guests))
    }

    /// Runs `work` so that whatever it deletes also disappears from the file and its log.
    pub(crate) fn erase<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, SessionsError> {
        // The pending notes would otherwise come back with the next read.
        self.import_pending()?;
        let _ = self.db.pragma_update(None, "secure_delete", "ON");
        let removed = self.write(work);
        let _ = self.db.pragma_update(None, "secure_delete", "OFF");
        if removed.is_ok() {
            // A page whose rows moved keeps the bytes of their old places, so the file is written again.
            let rewritten = self.db.execute_batch("VACUUM");
            let emptied = self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            for error in [rewritten, emptied].into_iter().filter_map(Result::err) {
                log::info!("{}: what was deleted is overwritten later: {error}", self.db.path().display());
            }
        }
        removed
    }
}

fn remove(db: &Connection, which: &RecordScope, guests: &[&'static Guest]) -> rusqlite::Result<RecordCounts> {
    let (condition, value) = which.condition();
    let of_guests = guests
        .iter()
        .map(|guest| {
            let rows = db.execute(&format!("DELETE FROM {} WHERE {condition}", guest.table), [value])?;
            Ok(TableCount { table: guest.table, one: guest.one, rows: rows as u64 })
        })
        .collect::<rusqlite::Result<Vec<TableCount>>>()?;
    let (events, calls) = if *which == RecordScope::All {
        // Including the totals of rows that have expired.
        rollup::clear(db)?;
        (db.execute("DELETE FROM events", [])?, db.execute("DELETE FROM ledger", [])?)
    } else {
        (events::forget(db, condition, &[value])?, ledger::forget(db, condition, &[value])?)
    };
    let removed = RecordCounts { events: events as u64, calls: calls as u64, guests: of_guests };
    let left: String = guests
        .iter()
        .map(|guest| {
            format!(
                " AND NOT EXISTS (SELECT 1 FROM {} g WHERE g.agent = sessions.agent AND g.session = sessions.session)",
                guest.table
            )
        })
        .collect();
    // A session that was in several projects still belongs to the others.
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
