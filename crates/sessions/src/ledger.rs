//! The ledger: one row per call with what it would have cost the conversation and what it did cost.
//!
//! Each row says how its figures are known. Measured and estimated ones are never added up, a failed call saves
//! nothing, and Plimsoll's own overhead has its own column. Each row is added to the totals of `rollup` in the
//! transaction that writes it.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::ledger_row::{Class, LedgerRow, TOOL_LIST};
use crate::page::{Conditions, Page, Paged};
use crate::pending::{Note, append_notes};
use crate::rollup;
use crate::session_table::touch;
use crate::store::Sessions;
use crate::values::count;
use crate::write::{book_call, insert_call_only};

/// How many calls are in memory at a time while they are deleted.
const BATCH: usize = 10_000;

/// A recorded call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// Its number; larger is later.
    pub id: i64,
    /// What was recorded.
    #[serde(flatten)]
    pub row: LedgerRow,
    /// Its savings in bytes: see [`LedgerRow::saved_bytes`].
    pub saved_bytes: i64,
}

/// Selects calls; `None` matches any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LedgerFilter {
    /// Only this agent's.
    pub agent: Option<String>,
    /// Only this session's.
    pub session: Option<String>,
    /// Only in this project folder.
    pub project: Option<String>,
    /// Only of this tool.
    pub tool: Option<String>,
    /// Only shortened by this filter.
    pub filter: Option<String>,
    /// Only of this class.
    pub class: Option<Class>,
    /// Only from this time on, in milliseconds since 1970.
    pub since_ms: Option<i64>,
}

const COLUMNS: &str = "id, session, agent, project, tool, raw_bytes, returned_bytes, class, ok, overhead_bytes, elapsed_us, at_ms, filter, tokens_raw, tokens_returned, tokenizer";

fn read_row(row: &Row<'_>) -> rusqlite::Result<RecordedCall> {
    let id = row.get(0)?;
    let row = LedgerRow {
        session: row.get(1)?,
        agent: row.get(2)?,
        project: row.get(3)?,
        tool: row.get(4)?,
        raw_bytes: count(row.get(5)?),
        returned_bytes: count(row.get(6)?),
        class: Class::from_sql(row.get(7)?),
        ok: row.get(8)?,
        overhead_bytes: count(row.get(9)?),
        elapsed_us: count(row.get(10)?),
        at_ms: row.get(11)?,
        filter: row.get(12)?,
        tokens_raw: count(row.get(13)?),
        tokens_returned: count(row.get(14)?),
        tokenizer: row.get(15)?,
        call: String::new(),
    };
    Ok(RecordedCall { id, saved_bytes: row.saved_bytes(), row })
}

/// Subtracts the calls that match `condition` from the totals and deletes them; returns their number.
pub(crate) fn forget(db: &Connection, condition: &str, values: &[&str]) -> rusqlite::Result<usize> {
    let mut gone = 0;
    loop {
        let sql = format!("SELECT {COLUMNS} FROM ledger WHERE {condition} LIMIT {BATCH}");
        let rows: Vec<RecordedCall> = db
            .prepare_cached(&sql)?
            .query_map(rusqlite::params_from_iter(values), read_row)?
            .collect::<rusqlite::Result<_>>()?;
        if rows.is_empty() {
            return Ok(gone);
        }
        rollup::subtract(db, rows.iter().map(|call| &call.row))?;
        let mut delete = db.prepare_cached("DELETE FROM ledger WHERE id = ?1")?;
        for call in &rows {
            gone += delete.execute([call.id])?;
        }
    }
}

impl Sessions {
    /// Writes a row and returns its number.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then written.
    pub fn ledger(&mut self, row: &LedgerRow) -> Result<i64, SessionsError> {
        let row = row.cleaned();
        self.write(|db| book_call(db, &row))
    }

    /// Writes rows in one transaction, which costs a fraction of writing each on its own. An agent's call waits for it: while
    /// another process goes on writing, the rows become notes, which whoever opens the record next imports.
    ///
    /// # Errors
    /// See [`home::DbError`] and [`append_notes`]; none of them is then written.
    pub fn ledger_many(&mut self, rows: &[LedgerRow]) -> Result<(), SessionsError> {
        let (lists, rows): (Vec<LedgerRow>, Vec<LedgerRow>) =
            rows.iter().map(LedgerRow::cleaned).partition(|row| row.tool == TOOL_LIST);
        let written = self.write_briefly(|db| {
            lists.iter().try_for_each(|row| book_call(db, row).map(drop))?;
            rollup::add_many(db, &rows)?;
            for row in &rows {
                touch(db, &row.agent, &row.session, &row.project, row.at_ms)?;
                insert_call_only(db, row)?;
            }
            Ok(())
        })?;
        if written.is_none() {
            let notes: Vec<Note> = lists.into_iter().chain(rows).map(Note::Call).collect();
            append_notes(&self.home, &notes)?;
        }
        Ok(())
    }

    /// The calls, latest first.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn calls(&self, filter: &LedgerFilter, page: Page) -> Result<Paged<RecordedCall>, SessionsError> {
        let mut wanted = Conditions::default();
        wanted.and("agent = ?", filter.agent.clone());
        wanted.and("session = ?", filter.session.clone());
        wanted.and("project = ?", filter.project.clone());
        wanted.and("tool = ?", filter.tool.clone());
        wanted.and("filter = ?", filter.filter.clone());
        wanted.and("class = ?", filter.class.map(Class::to_sql));
        wanted.and("at_ms >= ?", filter.since_ms);
        self.read_at_once(|db| wanted.page(db, "ledger", COLUMNS, "at_ms DESC, id DESC", page, read_row))
    }
    /// At most `limit` calls after number `after` (0 for the first) from `since_ms` (milliseconds since 1970) on, in
    /// the order of recording. Asking again with the last number walks through all of them without holding the
    /// database.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn calls_after(
        &self,
        after: i64,
        since_ms: i64,
        limit: u32,
    ) -> Result<Vec<RecordedCall>, SessionsError> {
        let sql = format!("SELECT {COLUMNS} FROM ledger WHERE id > ?1 AND at_ms >= ?2 ORDER BY id LIMIT ?3");
        self.read(|db| {
            db.prepare_cached(&sql)?.query_map(params![after, since_ms, limit], read_row)?.collect()
        })
    }
}
