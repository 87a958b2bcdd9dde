//! The ledger: one row per call, with what was measured and what we cost. Rows are never changed.

use rusqlite::params;

use crate::event::signed;
use crate::store::{Sessions, SessionsError};

/// How a row's `raw_bytes` is known. The classes are never added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Nothing was kept out: inline text, side calls, our own texts.
    None,
    /// Bytes that really were produced and really were not returned.
    Measured,
    /// Bytes that would probably have been shown.
    Estimated,
}

impl Class {
    pub(crate) const fn number(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Measured => 1,
            Self::Estimated => 2,
        }
    }
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow {
    /// When, in milliseconds since the epoch.
    pub at_ms: i64,
    /// Agent id; empty for a person at the command line.
    pub agent: String,
    /// Session id.
    pub session: String,
    /// Project folder.
    pub project: String,
    /// Our tool, or `session start`, `tool list`, `hook`.
    pub tool: String,
    /// Bytes that were produced.
    pub raw_bytes: u64,
    /// Bytes that were returned to the agent.
    pub returned_bytes: u64,
    /// How `raw_bytes` is known.
    pub class: Class,
    /// Whether the call did what it should. A failed call saves nothing.
    pub ok: bool,
    /// Bytes that we added to the conversation on our own account.
    pub overhead_bytes: u64,
    /// What the call took of our own time, in microseconds.
    pub elapsed_us: u64,
}

impl Sessions {
    /// Adds a row.
    ///
    /// # Errors
    /// [`SessionsError`]; nothing is then counted.
    pub fn ledger(&mut self, row: &LedgerRow) -> Result<(), SessionsError> {
        home::write(&mut self.db, |transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO ledger (at_ms, agent, session, project, tool, raw_bytes, returned_bytes, class, ok, overhead_bytes, elapsed_us)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                )?
                .execute(params![
                    row.at_ms,
                    row.agent,
                    row.session,
                    row.project,
                    row.tool,
                    signed(row.raw_bytes),
                    signed(row.returned_bytes),
                    row.class.number(),
                    row.ok,
                    signed(row.overhead_bytes),
                    signed(row.elapsed_us),
                ])?;
            Ok(())
        })?;
        Ok(())
    }
}
