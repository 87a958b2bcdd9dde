//! The ledger: one row per call of what it would have cost the conversation and what it did cost.
//!
//! Rows say how they are known. Measured and estimated are never added up, a failed call saves nothing, and
//! what we cost ourselves stands in a column of its own. Each row is added to the sums of `rollup` in the
//! transaction that writes it.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::listed::touch;
use crate::page::{Conditions, Page, Paged};
use crate::rollup;
use crate::row::{Class, LedgerRow, TOOL_LIST};
use crate::store::Sessions;
use crate::values::count;
use crate::write::{call, call_without_sums};

/// So many calls are held in memory while they are forgotten.
const AT_A_TIME: usize = 10_000;

/// A call that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// Its number; larger is later.
    pub id: i64,
    /// What was recorded.
    #[serde(flatten)]
    pub row: LedgerRow,
    /// What it kept out, in bytes: see [`LedgerRow::saved_bytes`].
    pub saved_bytes: i64,
}

/// Which calls are wanted; `None` is any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LedgerFilter {
    /// Of this agent.
    pub agent: Option<String>,
    /// Of this session.
    pub session: Option<String>,
    /// In this project folder.
    pub project: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// Shortened by this filter.
    pub filter: Option<String>,
    /// Known in this way.
    pub class: Option<Class>,
    /// Not before this moment, in milliseconds since the Unix epoch.
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
    };
    Ok(RecordedCall { id, saved_bytes: row.saved_bytes(), row })
}

/// Takes the calls that fit `condition` out of the sums and removes them; how many.
pub(crate) fn forget(db: &Connection, condition: &str, values: &[&str]) -> rusqlite::Result<usize> {
    let mut gone = 0;
    loop {
        let sql = format!("SELECT {COLUMNS} FROM ledger WHERE {condition} LIMIT {AT_A_TIME}");
        let rows: Vec<RecordedCall> = db
            .prepare_cached(&sql)?
            .query_map(rusqlite::params_from_iter(values), read_row)?
            .collect::<rusqlite::Result<_>>()?;
        if rows.is_empty() {
            return Ok(gone);
        }
        rollup::take_out(db, rows.iter().map(|call| &call.row))?;
        let mut delete = db.prepare_cached("DELETE FROM ledger WHERE id = ?1")?;
        for call in &rows {
            gone += delete.execute([call.id])?;
        }
    }
}

impl Sessions {
    /// Writes a row and gives its number.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then written.
    pub fn ledger(&mut self, row: &LedgerRow) -> Result<i64, SessionsError> {
        let row = row.cleaned();
        self.write(|db| call(db, &row))
    }

    /// Writes rows in one transaction, which costs a fraction of writing each by itself.
    ///
    /// # Errors
    /// See [`home::DbError`]; none of them is then written.
    pub fn ledger_many(&mut self, rows: &[LedgerRow]) -> Result<(), SessionsError> {
        let (lists, rows): (Vec<LedgerRow>, Vec<LedgerRow>) =
            rows.iter().map(LedgerRow::cleaned).partition(|row| row.tool == TOOL_LIST);
        self.write(|db| {
            lists.iter().try_for_each(|row| call(db, row).map(drop))?;
            rollup::add_many(db, &rows)?;
            for row in &rows {
                touch(db, &row.agent, &row.session, &row.project, row.at_ms)?;
                call_without_sums(db, row)?;
            }
            Ok(())
        })
    }

    /// The calls behind a number, the latest first.
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
    /// The next calls after number `after` (0 for the first) that were not before `since_ms` (milliseconds since
    /// the Unix epoch), in the order in which they were recorded; at most `limit`. Asking again with the last
    /// number walks through all of them without holding the database.
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
