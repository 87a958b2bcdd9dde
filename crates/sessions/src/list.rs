//! Lists for people and for search, all of them paged.

use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::store::{Sessions, SessionsError};

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Row id.
    pub id: i64,
    /// Agent id.
    pub agent: String,
    /// The agent's session id.
    pub session: String,
    /// Project folder.
    pub project: String,
    /// First event, ms since the epoch.
    pub started_ms: i64,
    /// Last event, ms since the epoch.
    pub last_ms: i64,
    /// How many events are kept.
    pub events: u64,
}

/// An event in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRow {
    /// Row id.
    pub id: i64,
    /// Agent id.
    pub agent: String,
    /// The agent's session id.
    pub session: String,
    /// When, ms since the epoch.
    pub at_ms: i64,
    /// Kind.
    pub kind: String,
    /// The agent's tool.
    pub tool: Option<String>,
    /// What it was about, redacted.
    pub summary: String,
    /// What was decided.
    pub decision: String,
    /// Why.
    pub because: Option<String>,
    /// Bytes before us.
    pub bytes_before: i64,
    /// Bytes after us.
    pub bytes_after: i64,
    /// What deciding took, in microseconds.
    pub elapsed_us: i64,
}

const EVENT: &str =
    "SELECT e.id, s.agent, s.session, e.at_ms, e.kind, e.tool, e.summary, e.decision, e.because,
    e.bytes_before, e.bytes_after, e.elapsed_us FROM events e JOIN sessions s ON s.id = e.session_id";

impl Sessions {
    /// Sessions, newest first.
    ///
    /// # Errors
    /// [`SessionsError`].
    pub fn sessions(&self, offset: usize, limit: usize) -> Result<Vec<SessionRow>, SessionsError> {
        let rows = self
            .db
            .prepare_cached(
                "SELECT id, agent, session, project, started_ms, last_ms,
                    (SELECT count(*) FROM events WHERE session_id = sessions.id)
                 FROM sessions ORDER BY last_ms DESC, id DESC LIMIT ?2 OFFSET ?1",
            )?
            .query_map(page(offset, limit), |row| {
                Ok(SessionRow {
                    id: row.get(0)?,
                    agent: row.get(1)?,
                    session: row.get(2)?,
                    project: row.get(3)?,
                    started_ms: row.get(4)?,
                    last_ms: row.get(5)?,
                    events: row.get::<_, i64>(6)?.unsigned_abs(),
                })
            })?
            .collect::<Result<_, _>>()?;
        Ok(rows)
    }

    /// Events of one session, oldest first.
    ///
    /// # Errors
    /// [`SessionsError`].
    pub fn events(&self, session: i64, offset: usize, limit: usize) -> Result<Vec<EventRow>, SessionsError> {
        let (offset, limit) = page(offset, limit);
        let rows = self
            .db
            .prepare_cached(&format!(
                "{EVENT} WHERE e.session_id = ?3 ORDER BY e.at_ms, e.id LIMIT ?2 OFFSET ?1"
            ))?
            .query_map(params![offset, limit, session], event)?
            .collect::<Result<_, _>>()?;
        Ok(rows)
    }

    /// Every event, newest first: what hooks decided and why.
    ///
    /// # Errors
    /// [`SessionsError`].
    pub fn activity(&self, offset: usize, limit: usize) -> Result<Vec<EventRow>, SessionsError> {
        let rows = self
            .db
            .prepare_cached(&format!("{EVENT} ORDER BY e.at_ms DESC, e.id DESC LIMIT ?2 OFFSET ?1"))?
            .query_map(page(offset, limit), event)?
            .collect::<Result<_, _>>()?;
        Ok(rows)
    }

    /// Events whose summary has every word of `query`, newest first, of one project when it is given.
    ///
    /// # Errors
    /// [`SessionsError`].
    pub fn search(
        &self,
        query: &str,
        project: Option<&str>,
        limit: usize,
    ) -> Result<Vec<EventRow>, SessionsError> {
        let words: Vec<String> = query
            .split_whitespace()
            .take(16)
            .map(|word| format!("%{}%", word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")))
            .collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let conditions: Vec<String> =
            (0..words.len()).map(|n| format!("e.summary LIKE ?{} ESCAPE '\\'", n + 3)).collect();
        let sql = format!(
            "{EVENT} WHERE (?1 IS NULL OR s.project = ?1) AND {} ORDER BY e.at_ms DESC LIMIT ?2",
            conditions.join(" AND ")
        );
        let mut values: Vec<rusqlite::types::Value> = vec![
            project.map_or(rusqlite::types::Value::Null, |project| project.to_owned().into()),
            i64::try_from(limit).unwrap_or(i64::MAX).into(),
        ];
        values.extend(words.into_iter().map(Into::into));
        let rows = self
            .db
            .prepare(&sql)?
            .query_map(rusqlite::params_from_iter(values), event)?
            .collect::<Result<_, _>>()?;
        Ok(rows)
    }
}

fn page(offset: usize, limit: usize) -> (i64, i64) {
    (i64::try_from(offset).unwrap_or(i64::MAX), i64::try_from(limit).unwrap_or(i64::MAX))
}

fn event(row: &Row<'_>) -> rusqlite::Result<EventRow> {
    Ok(EventRow {
        id: row.get(0)?,
        agent: row.get(1)?,
        session: row.get(2)?,
        at_ms: row.get(3)?,
        kind: row.get(4)?,
        tool: row.get(5)?,
        summary: row.get(6)?,
        decision: row.get(7)?,
        because: row.get(8)?,
        bytes_before: row.get(9)?,
        bytes_after: row.get(10)?,
        elapsed_us: row.get(11)?,
    })
}
