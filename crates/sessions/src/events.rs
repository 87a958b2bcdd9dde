//! The events of a session: one row per hook event or tool call, without secrets.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::error::SessionsError;
use crate::event::NewEvent;
use crate::page::{Conditions, Page, Paged, like_anywhere};
use crate::rollup;
use crate::store::Sessions;
use crate::values::count;
use crate::write;

/// How many words of a search are used.
const MAX_WORDS: usize = 16;

/// A recorded event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEvent {
    /// Its number; larger is later.
    pub id: i64,
    /// What was recorded.
    #[serde(flatten)]
    pub event: NewEvent,
}

/// Selects events; `None` matches any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventFilter {
    /// Only this agent's.
    pub agent: Option<String>,
    /// Only this session's.
    pub session: Option<String>,
    /// Only in this project folder.
    pub project: Option<String>,
    /// Only of this kind.
    pub kind: Option<String>,
    /// With this decision.
    pub decision: Option<String>,
    /// One event per tool call, the most informative one: its outcome rather than its start.
    pub by_call: bool,
    /// Only events with a verdict, a shortened output or an error.
    pub mattered: bool,
    /// Only if the summary contains all of these words, ignoring case.
    pub contains: Option<String>,
    /// Only from this time on, in milliseconds since 1970.
    pub since_ms: Option<i64>,
}

const COLUMNS: &str = "id, session, agent, project, kind, tool, summary, decision, rule, bytes_before, bytes_after, elapsed_us, at_ms, full_output";

/// Leaves out an event if another one of the same call says more: a start followed by its outcome, an outcome that
/// adds nothing to an earlier verdict, and both if there is an event of `plimsoll run` for the call. Agents don't
/// identify calls, so a call is identified by session, tool and text within the next few events.
const BY_CALL: &str = "NOT (
  (kind = 'pre_tool' AND decision IN ('pass', 'context', 'rewrite') AND EXISTS (
    SELECT 1 FROM events o WHERE o.agent = events.agent AND o.session = events.session
      AND o.id > events.id AND o.id <= events.id + 60
      AND (o.kind IN ('post_tool', 'post_tool_failure') AND o.tool IS events.tool
          AND (o.summary = events.summary OR events.decision = 'rewrite')
        OR o.kind = 'filter' AND o.summary = events.summary)))
  OR (kind IN ('post_tool', 'post_tool_failure') AND decision = 'pass' AND EXISTS (
    SELECT 1 FROM events o WHERE o.agent = events.agent AND o.session = events.session
      AND o.id < events.id AND o.id >= events.id - 60
      AND o.kind = 'filter' AND (o.summary = events.summary OR events.summary LIKE '%plimsoll% run %-- ' || o.summary))))";

/// Everything that wasn't simply passed, and failures. The greeting of every session isn't news.
const MATTERED: &str = "(kind = 'post_tool_failure' OR decision <> 'pass' AND NOT (decision = 'context' AND kind = 'session_start'))";

fn read_row(row: &Row<'_>) -> rusqlite::Result<RecordedEvent> {
    Ok(RecordedEvent {
        id: row.get(0)?,
        event: NewEvent {
            session: row.get(1)?,
            agent: row.get(2)?,
            project: row.get(3)?,
            kind: row.get(4)?,
            tool: row.get(5)?,
            summary: row.get(6)?,
            decision: row.get(7)?,
            rule: row.get(8)?,
            bytes_before: row.get::<_, Option<i64>>(9)?.map(count),
            bytes_after: row.get::<_, Option<i64>>(10)?.map(count),
            elapsed_us: count(row.get(11)?),
            at_ms: row.get(12)?,
            full_output: row.get(13)?,
            call: String::new(),
        },
    })
}

/// Subtracts the events that match `condition` from the totals and deletes them; returns their number.
pub(crate) fn forget(db: &Connection, condition: &str, values: &[&str]) -> rusqlite::Result<usize> {
    let sql = format!(
        "SELECT decision, at_ms / 900000, count(*), total(max(elapsed_us, 0)), max(at_ms) FROM events WHERE {condition} GROUP BY 1, 2"
    );
    let known: Vec<(String, u64, u64, i64)> = db
        .prepare_cached(&sql)?
        .query_map(rusqlite::params_from_iter(values), |row| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "`as` on floats saturates"
            )]
            let elapsed_us = row.get::<_, f64>(3)? as u64;
            Ok((row.get(0)?, count(row.get(2)?), elapsed_us, row.get(4)?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    for (decision, times, elapsed_us, at_ms) in known {
        rollup::subtract_decisions(db, &decision, at_ms, times, elapsed_us)?;
    }
    db.execute(&format!("DELETE FROM events WHERE {condition}"), rusqlite::params_from_iter(values))
}

impl Sessions {
    /// Records an event and returns its number.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then recorded.
    pub fn record(&mut self, event: &NewEvent) -> Result<i64, SessionsError> {
        // Cleaning may take a while for long text, so it happens before the write begins.
        let event = event.cleaned();
        self.write(|db| write::insert_event(db, &event))
    }

    /// The recorded events, latest first.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn events(&self, filter: &EventFilter, page: Page) -> Result<Paged<RecordedEvent>, SessionsError> {
        let mut wanted = Conditions::default();
        wanted.and("agent = ?", filter.agent.clone());
        wanted.and("session = ?", filter.session.clone());
        wanted.and("project = ?", filter.project.clone());
        wanted.and("kind = ?", filter.kind.clone());
        wanted.and("decision = ?", filter.decision.clone());
        for word in filter.contains.as_deref().unwrap_or_default().split_whitespace().take(MAX_WORDS) {
            wanted.and("summary LIKE ? ESCAPE '\\'", Some(like_anywhere(word)));
        }
        wanted.and("at_ms >= ?", filter.since_ms);
        if filter.by_call {
            wanted.always(BY_CALL);
        }
        if filter.mattered {
            wanted.always(MATTERED);
        }
        self.read_at_once(|db| wanted.page(db, "events", COLUMNS, "at_ms DESC, id DESC", page, read_row))
    }

    /// Whether this is the session's first nudge of this kind. If many processes ask at once, exactly one gets
    /// `true`.
    ///
    /// # Errors
    /// See [`home::DbError`]; the caller should then not nudge.
    pub fn nudge_once(&mut self, session: &str, kind: &str) -> Result<bool, SessionsError> {
        self.write(|db| {
            let changed = db
                .prepare_cached("INSERT OR IGNORE INTO nudges (session, kind) VALUES (?1, ?2)")?
                .execute(params![session, kind])?;
            Ok(changed == 1)
        })
    }
}
