//! The table of sessions, which every event and call refers to.

use rusqlite::{Connection, params};

/// Records that `session` of `agent` was active at `at_ms`.
///
/// # Errors
/// The database's.
pub fn touch(db: &Connection, agent: &str, session: &str, project: &str, at_ms: i64) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO sessions (agent, session, project, started_ms, last_ms) VALUES (?1, ?2, ?3, ?4, ?4)
         ON CONFLICT (agent, session) DO UPDATE SET
           started_ms = min(started_ms, excluded.started_ms),
           last_ms = max(last_ms, excluded.last_ms),
           project = CASE WHEN project = '' THEN excluded.project ELSE project END",
    )?
    .execute(params![agent, session, project, at_ms])?;
    Ok(())
}

/// Inserts a session if it is missing, without marking it active.
pub(crate) fn ensure_listed(
    db: &Connection,
    agent: &str,
    session: &str,
    project: &str,
    at_ms: i64,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO sessions (agent, session, project, started_ms, last_ms) VALUES (?1, ?2, ?3, ?4, ?4)
         ON CONFLICT (agent, session) DO UPDATE SET
           project = CASE WHEN project = '' THEN excluded.project ELSE project END",
    )?
    .execute(params![agent, session, project, at_ms])?;
    Ok(())
}
