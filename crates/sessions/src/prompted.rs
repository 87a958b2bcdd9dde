//! Sessions in which a person has said something: which of them a server serves that was told none, or one that is over.

use std::path::Path;

use rusqlite::params;

use crate::error::SessionsError;
use crate::store::Sessions;

/// A session with turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompted {
    /// The session, as the agent's hooks name it.
    pub session: String,
    /// Whether what the list of our tools costs it is known.
    pub has_list: bool,
}

impl Sessions {
    /// The sessions of `agent` in `project` or below it that were in use at `since_ms` (milliseconds since the Unix
    /// epoch) or later and have not ended, the latest used first.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn prompted(
        &self,
        agent: &str,
        project: &Path,
        since_ms: i64,
    ) -> Result<Vec<Prompted>, SessionsError> {
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
                Ok(Prompted { session: row.get(0)?, has_list: row.get(1)? })
            })?
            .collect()
        })
    }
}
