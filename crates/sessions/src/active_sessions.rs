//! Finds the sessions that a server may belong to, if it was given no session ID or that of an ended session.

use std::path::Path;

use rusqlite::params;

use crate::error::SessionsError;
use crate::store::Sessions;

/// A session in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveSession {
    /// The session ID that the agent's hooks report.
    pub session: String,
    /// Whether the tool list's cost is booked in it.
    pub has_list: bool,
}

impl Sessions {
    /// The sessions of `agent` in `project` or below it that were in use at `since_ms` (milliseconds since 1970) or
    /// later and haven't ended, most recently used first.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn active_sessions(
        &self,
        agent: &str,
        project: &Path,
        since_ms: i64,
    ) -> Result<Vec<ActiveSession>, SessionsError> {
        let project = project.display().to_string();
        let project = project.trim_end_matches(['/', '\\']);
        self.read(|db| {
            db.prepare_cached(
                "SELECT session, list_bytes > 0 FROM sessions
                 WHERE agent = ?1 AND session <> '' AND turns > 0 AND last_ms >= ?3
                   AND (project = ?2 OR substr(project, 1, length(?2) + 1) IN (?2 || '/', ?2 || '\\'))
                   AND coalesce((SELECT kind FROM events e
                     WHERE e.agent = sessions.agent AND e.session = sessions.session
                     ORDER BY id DESC LIMIT 1), '') <> 'session_end'
                 ORDER BY last_ms DESC, id DESC LIMIT 100",
            )?
            .query_map(params![agent, project, since_ms], |row| {
                Ok(ActiveSession { session: row.get(0)?, has_list: row.get(1)? })
            })?
            .collect()
        })
    }
}
