//! Recording what hooks saw and decided.

use rusqlite::{OptionalExtension, Transaction, params};

use crate::store::{Sessions, SessionsError};

/// Longest summary that is stored, in bytes.
const MAX_SUMMARY: usize = 400;

/// One event to record. Strings are redacted before they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewEvent {
    /// Agent id.
    pub agent: String,
    /// The agent's session id; events without one are kept under the empty session of their agent.
    pub session: String,
    /// Project folder.
    pub project: String,
    /// Kind, as in `agents::EventKind`.
    pub kind: String,
    /// The agent's name of the tool.
    pub tool: Option<String>,
    /// What it was about: the command, the file, the first words of a prompt.
    pub summary: String,
    /// `pass`, `deny`, `ask`, `rewrite`, `replace` or `context`.
    pub decision: String,
    /// Which rule or route led to it.
    pub because: Option<String>,
    /// Bytes of the tool's output before us.
    pub bytes_before: u64,
    /// Bytes after us.
    pub bytes_after: u64,
    /// What deciding took, in microseconds.
    pub elapsed_us: u64,
    /// When, in milliseconds since the epoch.
    pub at_ms: i64,
}

impl Sessions {
    /// Records an event and touches its session.
    ///
    /// # Errors
    /// [`SessionsError`]; nothing is then recorded.
    pub fn record(&mut self, event: &NewEvent) -> Result<(), SessionsError> {
        let summary = short(&text::redact(&event.summary), MAX_SUMMARY).to_owned();
        let because = event.because.as_deref().map(|because| text::redact(because).into_owned());
        home::write(&mut self.db, |transaction| {
            let session = touch(transaction, event)?;
            transaction
                .prepare_cached(
                    "INSERT INTO events (session_id, at_ms, kind, tool, summary, decision, because, bytes_before, bytes_after, elapsed_us)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                )?
                .execute(params![
                    session,
                    event.at_ms,
                    event.kind,
                    event.tool,
                    summary,
                    event.decision,
                    because,
                    signed(event.bytes_before),
                    signed(event.bytes_after),
                    signed(event.elapsed_us),
                ])?;
            Ok(())
        })?;
        Ok(())
    }

    /// Whether this is the first nudge of `kind` in the session; remembers that it was given.
    ///
    /// # Errors
    /// [`SessionsError`]; the caller then gives none.
    pub fn nudge_once(
        &mut self,
        agent: &str,
        session: &str,
        kind: &str,
        at_ms: i64,
    ) -> Result<bool, SessionsError> {
        let first = home::write(&mut self.db, |transaction| {
            transaction.execute(
                "INSERT OR IGNORE INTO nudges (agent, session, kind, at_ms) VALUES (?1, ?2, ?3, ?4)",
                params![agent, session, kind, at_ms],
            )
        })?;
        Ok(first == 1)
    }

    /// Forgets sessions whose last event is older than `before_ms`, with their events and nudges. The ledger
    /// stays: it is numbers only. Returns how many sessions went.
    ///
    /// # Errors
    /// [`SessionsError`].
    pub fn forget_before(&mut self, before_ms: i64) -> Result<usize, SessionsError> {
        Ok(home::write(&mut self.db, |transaction| {
            transaction.execute(
                "DELETE FROM events WHERE session_id IN (SELECT id FROM sessions WHERE last_ms < ?1)",
                [before_ms],
            )?;
            transaction.execute("DELETE FROM nudges WHERE at_ms < ?1", [before_ms])?;
            transaction.execute("DELETE FROM sessions WHERE last_ms < ?1", [before_ms])
        })?)
    }

    /// Forgets one session by its row id. Returns whether it was there.
    ///
    /// # Errors
    /// [`SessionsError`].
    pub fn forget(&mut self, session: i64) -> Result<bool, SessionsError> {
        Ok(home::write(&mut self.db, |transaction| {
            transaction.execute("DELETE FROM events WHERE session_id = ?1", [session])?;
            transaction.execute("DELETE FROM sessions WHERE id = ?1", [session])
        })? == 1)
    }
}

fn touch(transaction: &Transaction<'_>, event: &NewEvent) -> rusqlite::Result<i64> {
    let known: Option<i64> = transaction
        .prepare_cached("SELECT id FROM sessions WHERE agent = ?1 AND session = ?2")?
        .query_row(params![event.agent, event.session], |row| row.get(0))
        .optional()?;
    match known {
        Some(id) => {
            transaction
                .prepare_cached("UPDATE sessions SET last_ms = max(last_ms, ?2) WHERE id = ?1")?
                .execute(params![id, event.at_ms])?;
            Ok(id)
        }
        None => {
            transaction.execute(
                "INSERT INTO sessions (agent, session, project, started_ms, last_ms) VALUES (?1, ?2, ?3, ?4, ?4)",
                params![event.agent, event.session, event.project, event.at_ms],
            )?;
            Ok(transaction.last_insert_rowid())
        }
    }
}

/// The longest prefix of at most `max` bytes.
fn short(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let end = (0..=max).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
