//! The ledger: one row per call of what it would have cost the conversation and what it did cost.
//!
//! Rows say how they are known. Measured and estimated are never added up, a failed call saves nothing, and
//! what we cost ourselves stands in a column of its own.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::page::{Conditions, Page, Paged};
use crate::store::{Sessions, SessionsError, clean, count, int, touch};

/// The longest name of a tool that is kept, in characters.
const MAX_TOOL: usize = 100;

/// How the figures of a row are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Nothing was kept out (a search, text that the model itself sent): the row saves nothing.
    #[default]
    None,
    /// Both sizes were counted.
    Measured,
    /// The size of what was kept out is a guess.
    Estimated,
}

impl Class {
    fn to_sql(self) -> i64 {
        match self {
            Class::None => 0,
            Class::Measured => 1,
            Class::Estimated => 2,
        }
    }

    fn from_sql(value: i64) -> Class {
        match value {
            1 => Class::Measured,
            2 => Class::Estimated,
            _ => Class::None,
        }
    }
}

/// One call. All sizes in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRow {
    /// The session, as the agent names it.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// The tool.
    pub tool: String,
    /// What the conversation would have got without us.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// How `raw_bytes` is known.
    pub class: Class,
    /// Whether the call did what it was asked.
    pub ok: bool,
    /// What we put into the conversation besides (tool list, notes, nudges).
    pub overhead_bytes: u64,
    /// Time that we took, in microseconds.
    pub elapsed_us: u64,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: i64,
}

impl LedgerRow {
    /// What the call kept out of the conversation: negative if it made things longer, 0 if it failed.
    pub fn saved_bytes(&self) -> i64 {
        match (self.ok, self.class) {
            (false, _) | (_, Class::None) => 0,
            _ => int(self.raw_bytes).saturating_sub(int(self.returned_bytes)),
        }
    }

    /// The same without secrets.
    pub(crate) fn cleaned(&self) -> Self {
        Self { tool: clean(&self.tool, MAX_TOOL), ..self.clone() }
    }
}

/// Writes a cleaned row and gives its number.
pub(crate) fn insert(db: &Connection, row: &LedgerRow) -> rusqlite::Result<i64> {
    touch(db, &row.agent, &row.session, &row.project, row.at_ms)?;
    db.prepare_cached(
        "INSERT INTO ledger (session, agent, project, tool, raw_bytes, returned_bytes, class, ok,
           overhead_bytes, elapsed_us, at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        row.session,
        row.agent,
        row.project,
        row.tool,
        int(row.raw_bytes),
        int(row.returned_bytes),
        row.class.to_sql(),
        row.ok,
        int(row.overhead_bytes),
        int(row.elapsed_us),
        row.at_ms,
    ])?;
    Ok(db.last_insert_rowid())
}

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
    /// Known in this way.
    pub class: Option<Class>,
    /// Not before this moment, in milliseconds since the Unix epoch.
    pub since_ms: Option<i64>,
}

const COLUMNS: &str = "id, session, agent, project, tool, raw_bytes, returned_bytes, class, ok, overhead_bytes, elapsed_us, at_ms";

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
    };
    Ok(RecordedCall { id, saved_bytes: row.saved_bytes(), row })
}

impl Sessions {
    /// Writes a row and gives its number.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then written.
    pub fn ledger(&mut self, row: &LedgerRow) -> Result<i64, SessionsError> {
        let row = row.cleaned();
        self.write(|db| insert(db, &row))
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
        wanted.and("class = ?", filter.class.map(Class::to_sql));
        wanted.and("at_ms >= ?", filter.since_ms);
        self.read_at_once(|db| wanted.page(db, "ledger", COLUMNS, "at_ms DESC, id DESC", page, read_row))
    }
}
