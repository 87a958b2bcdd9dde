//! One line per session: when, where, how much happened and what it saved.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::page::{Conditions, Page, Paged};
use crate::rollup::{OF_ROWS, Sums};
use crate::stats::Totals;
use crate::store::{Sessions, SessionsError, count};

/// A session at a glance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// The session, as the agent names it.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// Its first sign, in milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Its last sign, in milliseconds since the Unix epoch.
    pub last_ms: i64,
    /// How many events were recorded.
    pub events: u64,
    /// How many of them were denied.
    pub denied: u64,
    /// The sums of its calls.
    pub totals: Totals,
}

/// Which sessions are wanted; `None` is any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionFilter {
    /// Of this agent.
    pub agent: Option<String>,
    /// With this name.
    pub session: Option<String>,
    /// In this project folder.
    pub project: Option<String>,
    /// Active not before this moment, in milliseconds since the Unix epoch.
    pub since_ms: Option<i64>,
}

fn fill(db: &Connection, summary: &mut SessionSummary) -> rusqlite::Result<()> {
    let (events, denied): (i64, i64) = db
        .prepare_cached(
            "SELECT count(*), count(*) FILTER (WHERE decision = 'deny') FROM events WHERE agent = ?1 AND session = ?2",
        )?
        .query_row(params![summary.agent, summary.session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    (summary.events, summary.denied) = (count(events), count(denied));
    let sql = format!("SELECT {OF_ROWS} FROM ledger WHERE agent = ?1 AND session = ?2");
    let sums = db
        .prepare_cached(&sql)?
        .query_row(params![summary.agent, summary.session], |row| Sums::read(row, 0))?;
    summary.totals = sums.totals();
    Ok(())
}

impl Sessions {
    /// The sessions, the latest active first.
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
