//! Queries facts: of one session, of a project by words, of a command that keeps failing.

use std::path::Path;

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use sessions::table::{Conditions, clean, count, like_anywhere};
use sessions::{Page, Paged, Sessions, SessionsError};

use crate::session::fact::{Category, Fact, MAX_FACTS, MAX_NAME, MergeRule, State, hash};

/// Maximum number of words in a search.
const MAX_WORDS: usize = 16;
/// Minimum length of a session's name in a path; a shorter one may occur by chance.
const MIN_NAME: u32 = 8;

/// A recorded fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFact {
    /// Its number; later facts have larger ones.
    pub id: i64,
    /// The session's id, as the agent names it.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder of the session.
    pub project: String,
    /// The fact.
    #[serde(flatten)]
    pub fact: Fact,
    /// How often it occurred.
    pub times: u64,
    /// When it first occurred (ms since the epoch).
    pub first_ms: i64,
    /// When it last occurred (ms since the epoch).
    pub at_ms: i64,
}

/// A filter for facts; `None` matches anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FactFilter {
    /// Of this agent.
    pub agent: Option<String>,
    /// Of this session.
    pub session: Option<String>,
    /// Of sessions in this project folder or below.
    pub project: Option<String>,
    /// Of this category.
    pub category: Option<Category>,
    /// Containing all of these words, whatever their case.
    pub contains: Option<String>,
    /// Since this moment (ms since the epoch).
    pub since_ms: Option<i64>,
}

const COLUMNS: &str =
    "id, session, agent, project, category, priority, text, detail, subject, state, times, first_ms, at_ms";

/// `None` for a later version's category.
fn read_row(row: &Row<'_>) -> rusqlite::Result<Option<RecordedFact>> {
    let name: String = row.get(4)?;
    let Some(category) = Category::from_name(&name) else { return Ok(None) };
    Ok(Some(RecordedFact {
        id: row.get(0)?,
        session: row.get(1)?,
        agent: row.get(2)?,
        project: row.get(3)?,
        fact: Fact {
            category,
            priority: row.get(5)?,
            text: row.get(6)?,
            detail: row.get(7)?,
            subject: row.get(8)?,
            key: String::new(),
            state: State::from_sql(row.get(9)?),
            meeting: MergeRule::Again,
        },
        times: count(row.get(10)?),
        first_ms: row.get(11)?,
        at_ms: row.get(12)?,
    }))
}

/// Queries of the facts in a record of sessions.
pub trait FactQueries {
    /// The matching facts, latest first.
    ///
    /// # Errors
    /// See [`home::DbError`].
    fn facts(&self, filter: &FactFilter, page: Page) -> Result<Paged<RecordedFact>, SessionsError>;

    /// Every fact of one session, in order.
    ///
    /// # Errors
    /// See [`home::DbError`].
    fn facts_of(&self, agent: &str, session: &str) -> Result<Vec<RecordedFact>, SessionsError>;

    /// How often a command, identified by its error's key, has failed in this session since it last succeeded.
    ///
    /// # Errors
    /// See [`home::DbError`].
    fn failure_count(&self, agent: &str, session: &str, key: &str) -> Result<u64, SessionsError>;

    /// The recorded session that `session` continues: itself, or the one named in its transcript's path (some agents
    /// rename a session on resuming but continue the old file). It must be of the same project: in the same folder,
    /// above or below.
    ///
    /// # Errors
    /// See [`home::DbError`].
    fn continued_session(
        &self,
        agent: &str,
        session: &str,
        project: &Path,
        transcript: Option<&Path>,
    ) -> Result<Option<String>, SessionsError>;

    /// The number of a session's errors that aren't resolved.
    ///
    /// # Errors
    /// See [`home::DbError`].
    fn open_errors(&self, agent: &str, session: &str) -> Result<u64, SessionsError>;
}

impl FactQueries for Sessions {
    fn facts(&self, filter: &FactFilter, page: Page) -> Result<Paged<RecordedFact>, SessionsError> {
        let mut wanted = Conditions::default();
        wanted.and("agent = ?", filter.agent.clone());
        wanted.and("session = ?", filter.session.clone());
        let project = filter.project.clone().map(|project| project.trim_end_matches(['/', '\\']).to_owned());
        let below = "(project = ? OR substr(project, 1, length(?) + 1) IN (? || '/', ? || '\\'))";
        wanted.and(below, project);
        wanted.and("category = ?", filter.category.map(|category| category.name().to_owned()));
        for word in filter.contains.as_deref().unwrap_or_default().split_whitespace().take(MAX_WORDS) {
            wanted.and(
                "(text || ' ' || detail || ' ' || category) LIKE ? ESCAPE '\\'",
                Some(like_anywhere(word)),
            );
        }
        wanted.and("at_ms >= ?", filter.since_ms);
        let found =
            self.read_at_once(|db| wanted.page(db, "facts", COLUMNS, "at_ms DESC, id DESC", page, read_row))?;
        Ok(Paged {
            items: found.items.into_iter().flatten().collect(),
            total: found.total,
            offset: found.offset,
        })
    }

    fn facts_of(&self, agent: &str, session: &str) -> Result<Vec<RecordedFact>, SessionsError> {
        let sql =
            format!("SELECT {COLUMNS} FROM facts WHERE agent = ?1 AND session = ?2 ORDER BY id LIMIT ?3");
        let rows: Vec<Option<RecordedFact>> = self.read(|db| {
            db.prepare_cached(&sql)?.query_map(params![agent, session, MAX_FACTS], read_row)?.collect()
        })?;
        Ok(rows.into_iter().flatten().collect())
    }

    fn failure_count(&self, agent: &str, session: &str, key: &str) -> Result<u64, SessionsError> {
        // Keys are stored without secrets, so they are searched without secrets.
        let key = clean(key, MAX_NAME);
        let times: Option<i64> = self.read(|db| {
            db.prepare_cached(
                "SELECT times FROM facts WHERE agent = ?1 AND session = ?2 AND hash = ?3 AND state = 0",
            )?
            .query_row([agent, session, &hash(Category::Error, &key)], |row| row.get(0))
            .optional()
        })?;
        Ok(times.map_or(0, count))
    }

    fn continued_session(
        &self,
        agent: &str,
        session: &str,
        project: &Path,
        transcript: Option<&Path>,
    ) -> Result<Option<String>, SessionsError> {
        let transcript = transcript.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        let candidates: Vec<(String, String)> = self.read(|db| {
            db.prepare_cached(
                "SELECT session, project FROM sessions WHERE agent = ?1 AND session <> ''
                   AND (session = ?2 OR length(session) >= ?4 AND instr(?3, session) > 0)
                 ORDER BY session = ?2 DESC, length(session) DESC, last_ms DESC",
            )?
            .query_map(params![agent, session, transcript, MIN_NAME], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
        })?;
        let near = |other: &str| {
            let other = Path::new(other);
            !other.as_os_str().is_empty() && (project.starts_with(other) || other.starts_with(project))
        };
        for (name, folder) in candidates {
            if near(&folder) && !self.facts_of(agent, &name)?.is_empty() {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    fn open_errors(&self, agent: &str, session: &str) -> Result<u64, SessionsError> {
        let sql = "SELECT count(*) FROM facts WHERE agent = ?1 AND session = ?2 AND category = 'error' AND state = 0";
        self.read(|db| Ok(count(db.prepare_cached(sql)?.query_row([agent, session], |row| row.get(0))?)))
    }
}
