//! The ledger: one row per call of what it would have cost the conversation and what it did cost.
//!
//! Rows say how they are known. Measured and estimated are never added up, a failed call saves nothing, and
//! what we cost ourselves stands in a column of its own. Each row is added to the sums of `rollup` in the
//! transaction that writes it.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::page::{Conditions, Page, Paged};
use crate::rollup;
use crate::store::{Sessions, SessionsError, clean, count, int, known, touch};

/// The longest name of a tool, a filter or a tokenizer that is kept, in characters.
const MAX_TOOL: usize = 100;

/// So many calls are held in memory while they are forgotten.
const AT_A_TIME: usize = 10_000;

/// The tool of the row that says what the list of our tools costs a conversation.
pub const TOOL_LIST: &str = "tool list";

/// The tool of rows that say what a hook put into a conversation.
pub const HOOK: &str = "hook";

/// The tool of rows that say what a note about an earlier part of the session cost.
pub const NOTE: &str = "note";

/// Rows of these tools are costs and no calls.
pub(crate) const COSTS: [&str; 3] = [TOOL_LIST, HOOK, NOTE];

/// The tokenizer of rows whose tokens are estimated from their bytes ([`text::tokens_estimate`]).
pub const ESTIMATE: &str = "plimsoll-4b";

/// Whether tokens of this tokenizer are estimated. The names of our own estimates begin alike, also of later ones.
pub(crate) fn is_estimate(tokenizer: &str) -> bool {
    tokenizer.starts_with("plimsoll-")
}

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
    pub(crate) fn to_sql(self) -> i64 {
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
    /// The filter that shortened an output; empty when none did.
    #[serde(default)]
    pub filter: String,
    /// `raw_bytes` in tokens of `tokenizer`.
    #[serde(default)]
    pub tokens_raw: u64,
    /// `returned_bytes` in tokens of `tokenizer`.
    #[serde(default)]
    pub tokens_returned: u64,
    /// The tokenizer that counted: a public one of the model's family, or [`ESTIMATE`]. Empty when nobody has
    /// counted; the tokens are then estimated when the row is written.
    #[serde(default)]
    pub tokenizer: String,
}

impl LedgerRow {
    /// What the call kept out of the conversation: negative if it made things longer, 0 if it failed.
    pub fn saved_bytes(&self) -> i64 {
        match (self.ok, self.class) {
            (false, _) | (_, Class::None) => 0,
            _ => int(self.raw_bytes).saturating_sub(int(self.returned_bytes)),
        }
    }

    /// The same without secrets, and with tokens.
    pub(crate) fn cleaned(&self) -> Self {
        let row = Self {
            tool: clean(&self.tool, MAX_TOOL),
            filter: clean(&self.filter, MAX_TOOL),
            tokenizer: clean(&self.tokenizer, MAX_TOOL),
            ..self.clone()
        };
        row.estimated()
    }

    /// The same with estimated tokens if nobody has counted them.
    fn estimated(self) -> Self {
        if !self.tokenizer.is_empty() {
            return self;
        }
        Self {
            tokens_raw: estimate(self.raw_bytes),
            tokens_returned: estimate(self.returned_bytes),
            tokenizer: ESTIMATE.to_owned(),
            ..self
        }
    }
}

fn estimate(bytes: u64) -> u64 {
    text::tokens_estimate(usize::try_from(bytes).unwrap_or(usize::MAX)) as u64
}

/// Writes a cleaned row and gives its number. The tool list is in the conversation at every turn, so its row
/// costs as many times as there were turns already; later ones add theirs (see [`turn`]).
pub(crate) fn insert(db: &Connection, row: &LedgerRow) -> rusqlite::Result<i64> {
    // The list is booked by the server, which may start long after the session ended or outlive it: nobody used the session then.
    if row.tool == TOOL_LIST {
        known(db, &row.agent, &row.session, &row.project, row.at_ms)?;
    } else {
        touch(db, &row.agent, &row.session, &row.project, row.at_ms)?;
    }
    // Lines of a version that knew no tokens.
    let mut row = row.clone().estimated();
    if row.tool == TOOL_LIST && row.overhead_bytes > 0 && !row.session.is_empty() {
        let which = params![row.agent, row.session];
        let (turns, before): (i64, i64) = db
            .prepare_cached("SELECT turns, list_bytes FROM sessions WHERE agent = ?1 AND session = ?2")?
            .query_row(which, |row| Ok((row.get(0)?, row.get(1)?)))?;
        db.prepare_cached("UPDATE sessions SET list_bytes = ?3 WHERE agent = ?1 AND session = ?2")?
            .execute(params![row.agent, row.session, int(row.overhead_bytes)])?;
        // A second list (the server was started again) replaces the first from here on.
        if before == 0 {
            row.overhead_bytes = row.overhead_bytes.saturating_mul(count(turns).max(1));
        }
    }
    insert_as_it_is(db, &row)
}

/// Notes a turn of a session (a prompt, at `at_ms`), and what the list of our tools costs at it.
pub(crate) fn turn(db: &Connection, agent: &str, session: &str, at_ms: i64) -> rusqlite::Result<()> {
    // Sessions without a name are many in one: their turns are not known.
    if session.is_empty() {
        return Ok(());
    }
    let (turns, list_bytes, project): (i64, i64, String) = db
        .prepare_cached(
            "UPDATE sessions SET turns = turns + 1 WHERE agent = ?1 AND session = ?2
             RETURNING turns, list_bytes, project",
        )?
        .query_row([agent, session], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    // The row of the list itself has counted the first.
    if turns < 2 || list_bytes <= 0 {
        return Ok(());
    }
    let row = LedgerRow {
        session: session.to_owned(),
        agent: agent.to_owned(),
        project,
        tool: TOOL_LIST.to_owned(),
        ok: true,
        overhead_bytes: count(list_bytes),
        at_ms,
        ..LedgerRow::default()
    };
    insert_as_it_is(db, &row.estimated()).map(drop)
}

fn insert_as_it_is(db: &Connection, row: &LedgerRow) -> rusqlite::Result<i64> {
    rollup::add(db, row)?;
    insert_without_sums(db, row)
}

fn insert_without_sums(db: &Connection, row: &LedgerRow) -> rusqlite::Result<i64> {
    db.prepare_cached(
        "INSERT INTO ledger (session, agent, project, tool, raw_bytes, returned_bytes, class, ok,
           overhead_bytes, elapsed_us, at_ms, filter, tokens_raw, tokens_returned, tokenizer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
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
        row.filter,
        int(row.tokens_raw),
        int(row.tokens_returned),
        row.tokenizer,
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
        self.write(|db| insert(db, &row))
    }

    /// Writes rows in one transaction, which costs a fraction of writing each by itself.
    ///
    /// # Errors
    /// See [`home::DbError`]; none of them is then written.
    pub fn ledger_many(&mut self, rows: &[LedgerRow]) -> Result<(), SessionsError> {
        let (lists, rows): (Vec<LedgerRow>, Vec<LedgerRow>) =
            rows.iter().map(LedgerRow::cleaned).partition(|row| row.tool == TOOL_LIST);
        self.write(|db| {
            lists.iter().try_for_each(|row| insert(db, row).map(drop))?;
            rollup::add_many(db, &rows)?;
            for row in &rows {
                touch(db, &row.agent, &row.session, &row.project, row.at_ms)?;
                insert_without_sums(db, row)?;
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
