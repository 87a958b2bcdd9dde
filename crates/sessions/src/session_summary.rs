//! One row per session: when, where, how much happened and what it saved.

use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::page::{Conditions, Page, Paged};
use crate::rollup::{SUMS_OF_ROWS, Sums};
use crate::store::Sessions;
use crate::totals::Totals;
use crate::values::count;

/// A session in one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// The session ID from the agent.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// Its first event, in milliseconds since 1970.
    pub started_ms: i64,
    /// Its last event, in milliseconds since 1970.
    pub last_ms: i64,
    /// How many events were recorded.
    pub events: u64,
    /// How many of them were denied.
    pub denied: u64,
    /// The first request, on one line; empty if none was recorded.
    pub title: String,
    /// How many tool calls failed.
    pub errors: u64,
    /// How often the conversation was compacted.
    pub compactions: u64,
    /// Whether its agent reported the end, with no event since.
    pub ended: bool,
    /// The totals of its calls.
    pub totals: Totals,
}

/// Selects sessions; `None` matches any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionFilter {
    /// Only this agent's.
    pub agent: Option<String>,
    /// Only this session ID.
    pub session: Option<String>,
    /// Only in this project folder.
    pub project: Option<String>,
    /// Only if active from this time on, in milliseconds since 1970.
    pub since_ms: Option<i64>,
}

fn fill(db: &Connection, summary: &mut SessionSummary) -> rusqlite::Result<()> {
    let which = params![summary.agent, summary.session];
    let [events, denied, errors, compactions]: [i64; 4] = db
        .prepare_cached(
            "SELECT count(*), count(*) FILTER (WHERE decision = 'deny'),
               count(*) FILTER (WHERE kind = 'post_tool_failure'), count(*) FILTER (WHERE kind = 'pre_compact')
             FROM events WHERE agent = ?1 AND session = ?2",
        )?
        .query_row(which, |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    let last: Option<String> = db
        .prepare_cached("SELECT kind FROM events WHERE agent = ?1 AND session = ?2 ORDER BY id DESC LIMIT 1")?
        .query_row(which, |row| row.get(0))
        .optional()?;
    let title = first_request(db, summary)?;
    (summary.events, summary.denied) = (count(events), count(denied));
    (summary.errors, summary.compactions) = (count(errors), count(compactions));
    (summary.title, summary.ended) = (title, last.as_deref() == Some("session_end"));
    let sql = format!("SELECT {SUMS_OF_ROWS} FROM ledger WHERE agent = ?1 AND session = ?2");
    let sums = db
        .prepare_cached(&sql)?
        .query_row(params![summary.agent, summary.session], |row| Sums::read(row, 0))?;
    summary.totals = sums.totals();
    Ok(())
}

/// The session's purpose: the first request that isn't one of the agent's own commands (`/clear`) or markup added by
/// the agent, else the first one. Sessions without an ID are many in one and have no title.
fn first_request(db: &Connection, summary: &SessionSummary) -> rusqlite::Result<String> {
    if summary.session.is_empty() {
        return Ok(String::new());
    }
    let mut requests = db.prepare_cached(
        "SELECT summary FROM events WHERE agent = ?1 AND session = ?2 AND kind = 'prompt' AND summary <> ''
         ORDER BY id LIMIT 20",
    )?;
    let mut rows = requests.query(params![summary.agent, summary.session])?;
    let mut first = None;
    while let Some(row) = rows.next()? {
        let text: String = row.get(0)?;
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !line.is_empty() && !line.starts_with(['/', '<', '!', '#']) {
            return Ok(line);
        }
        first = first.or(Some(line));
    }
    Ok(first.unwrap_or_default())
}

impl Sessions {
    /// The sessions, most recently active first.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn sessions(
        &self,
        filter: &SessionFilter,
        page: Page,
    ) -> Result<Paged<SessionSummary>, SessionsError> {
        let mut wanted = Conditions::default();
        wanted.and("agent = ?", filter.agent.clone());
        wanted.and("session = ?", filter.session.clone());
        wanted.and("project = ?", filter.project.clone());
        wanted.and("last_ms >= ?", filter.since_ms);
        self.read_at_once(|db| {
            let columns = "session, agent, project, started_ms, last_ms";
            let mut list = wanted.page(db, "sessions", columns, "last_ms DESC, id DESC", page, |row| {
                Ok(SessionSummary {
                    session: row.get(0)?,
                    agent: row.get(1)?,
                    project: row.get(2)?,
                    started_ms: row.get(3)?,
                    last_ms: row.get(4)?,
                    events: 0,
                    denied: 0,
                    title: String::new(),
                    errors: 0,
                    compactions: 0,
                    ended: false,
                    totals: Totals::default(),
                })
            })?;
            for summary in &mut list.items {
                fill(db, summary)?;
            }
            Ok(list)
        })
    }
}
