//! The organisation's memories, on a team's own PostgreSQL server (`[memory.org] url`).
//!
//! A capture is always stored locally first; the exchange (`memory_exchange`) sends it when the server is reachable, and
//! receives what others captured. A recall asks both (`joined_recall`) over the process's one connection (`connection`), and
//! continues without the server if that is slow or gone. Without the setting none of this runs. Hooks never run it:
//! they read the local database.

mod connection;
mod exchange_counts;
mod exchange_state;
mod joined_recall;
mod memory_exchange;
mod record_exchange;
mod vector_exchange;

use std::collections::HashSet;
use std::path::Path;

use contract::Sentence;
use home::Settings;
use serde_json::Value;

pub(crate) use connection::{OrgConnection, now_ms, record_failure};
pub use exchange_counts::ExchangeCounts;
pub(crate) use exchange_state::{NEWEST as NEWEST_EXCHANGE, exchange_state_path};
pub(crate) use joined_recall::recall_joined;
pub(crate) use memory_exchange::step;

use exchange_state::{ExchangeState, REFUSED, digest};

use crate::domain::Memory;
use crate::store::{OrgError, PgStore, Result, Server, SqliteStore};

/// The configured server; `None` without one.
pub(crate) fn server(settings: &Settings) -> Option<std::result::Result<Server, OrgError>> {
    let url = settings.own("memory.org")?.get("url").and_then(Value::as_str)?.trim();
    (!url.is_empty()).then(|| Server::parse(url))
}

/// The state of the exchange, as far as this computer knows. Doesn't connect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExchangeLag {
    /// The number of memories and records that wait to be sent, as far as they were counted.
    pub waiting: u64,
    /// When the oldest of them was captured (ms since the epoch).
    pub since_ms: Option<i64>,
    /// When the server was last reached.
    pub met_ms: Option<i64>,
    /// When something was last sent.
    pub sent_ms: Option<i64>,
    /// Why the server couldn't be reached since then; none if it was.
    pub why: Option<Sentence>,
    /// Why it refused some of what waits; empty if it refused nothing.
    pub refused: String,
}

impl ExchangeLag {
    /// Whether to tell the user: the server wasn't reached, or something waits longer than an exchange takes.
    pub(crate) fn is_behind(&self, now_ms: i64) -> bool {
        let long = self.since_ms.is_some_and(|since| now_ms.saturating_sub(since) > BEHIND_MS);
        self.why.is_some() || (self.waiting > 0 && long)
    }
}

/// Anything that waits longer has missed its exchange, which runs every minute while an agent's server runs.
const BEHIND_MS: i64 = 10 * 60_000;

/// Where counting stops.
const MAX_COUNTED: usize = 10_000;

/// The state of the exchange with this server.
///
/// # Errors
/// If a local database fails.
pub(crate) fn exchange_lag(database: &Path, server: &Server) -> Result<ExchangeLag> {
    let Some(here) = SqliteStore::open_read_only(database)? else { return Ok(ExchangeLag::default()) };
    // Without recorded state everything waits.
    let state = match ExchangeState::open_read_only(database, &server.name())? {
        Some(state) => state,
        None => ExchangeState::open(database, &server.name())?,
    };
    let (waiting, since_ms) = memory_exchange::waiting(&state, &here, MAX_COUNTED)?;
    let (why, refused) = (failure(&state)?, state.state(REFUSED)?.unwrap_or_default());
    let (met_ms, sent_ms) = (state.number("met")?, state.number("sent_ms")?);
    Ok(ExchangeLag { waiting, since_ms, met_ms, sent_ms, why, refused })
}

/// The server's answer to the last check.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct ServerAnswer {
    /// When it was asked (ms since the epoch).
    pub at_ms: i64,
    /// `reachable`, or the word for why not.
    pub status: String,
    /// The problem; none if it is reachable.
    pub problem: Option<Sentence>,
    /// The answer time in microseconds.
    pub answer_us: u64,
    /// PostgreSQL's version.
    pub postgresql: String,
    /// The approximate number of visible memories.
    pub memories: u64,
}

/// The logged-in user's roles by project (`*` for every one), as last reported.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Roles {
    /// When they were reported (ms since the epoch).
    pub at_ms: i64,
    /// Projects with the role in each.
    pub roles: Vec<(String, String)>,
}

/// The key under which is recorded why the server couldn't be reached: the sentence as JSON, so that the window can
/// say it in its own language.
const WHY: &str = "why";
const ANSWERED: &str = "answered";
const ROLES: &str = "roles";

/// Why the server wasn't reached, as last recorded. An earlier version recorded the English text alone.
fn failure(state: &ExchangeState) -> Result<Option<Sentence>> {
    let recorded = state.state(WHY)?.filter(|text| !text.is_empty());
    Ok(recorded.map(|text| serde_json::from_str(&text).unwrap_or_else(|_| text.into())))
}

/// Records why the server couldn't be reached, or that it was.
fn record_why(state: &mut ExchangeState, why: Option<&Sentence>) -> Result<()> {
    state.set(WHY, &why.and_then(|why| serde_json::to_string(why).ok()).unwrap_or_default())
}

/// Records an answer for later queries. A server that answers is reachable, so an earlier failure no longer counts.
///
/// # Errors
/// If the state can't be written.
pub(crate) fn record_answer(database: &Path, server: &Server, answered: &ServerAnswer) -> Result<()> {
    let mut state = ExchangeState::open(database, &server.name())?;
    record_why(&mut state, answered.problem.as_ref())?;
    state.set(ANSWERED, &serde_json::to_string(answered).unwrap_or_default())
}

/// The last answer; `None` if nobody asked yet. Doesn't connect.
///
/// # Errors
/// If the state can't be read.
pub(crate) fn last_answer(database: &Path, server: &Server) -> Result<Option<ServerAnswer>> {
    let Some(state) = ExchangeState::open_read_only(database, &server.name())? else { return Ok(None) };
    Ok(state.state(ANSWERED)?.and_then(|text| serde_json::from_str(&text).ok()))
}

/// The last roles; `None` if the server never reported any. Doesn't connect.
///
/// # Errors
/// If the state can't be read.
pub(crate) fn last_roles(database: &Path, server: &Server) -> Result<Option<Roles>> {
    let Some(state) = ExchangeState::open_read_only(database, &server.name())? else { return Ok(None) };
    Ok(state.state(ROLES)?.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Records the logged-in user's roles.
///
/// # Errors
/// If the server or the local state fails.
pub(crate) fn record_roles(database: &Path, server: &str, there: &PgStore, at_ms: i64) -> Result<()> {
    let roles = Roles { at_ms, roles: there.roles()? };
    ExchangeState::open(database, server)?.set(ROLES, &serde_json::to_string(&roles).unwrap_or_default())
}

/// Records that a memory was purged here, so that it is purged on the server as well.
///
/// # Errors
/// If the state can't be written.
pub(crate) fn record_purge(database: &Path, server: &Server, id: &str) -> Result<()> {
    ExchangeState::open(database, &server.name())?.mark_for_purge(id)
}

/// The ids of those memories that the server has in another state than they are in here. Once one is removed for good here, nobody
/// would tell the server of that state, and a recall would show the server's again.
///
/// # Errors
/// If the state can't be read.
pub(crate) fn unheard<'m>(
    database: &Path,
    server: &Server,
    memories: impl IntoIterator<Item = &'m Memory>,
) -> Result<HashSet<String>> {
    let mut out = HashSet::new();
    let state = match ExchangeState::open_read_only(database, &server.name())? {
        Some(state) => state,
        // An earlier version's, which can't be read before it's migrated.
        None if exchange_state_path(database).exists() => ExchangeState::open(database, &server.name())?,
        None => return Ok(out),
    };
    for memory in memories {
        if state.copy_of(&memory.id)?.is_some_and(|(_, agreed)| agreed != Some(digest(memory))) {
            out.insert(memory.id.clone());
        }
    }
    Ok(out)
}

/// What tests of other modules need of the exchange's state.
#[cfg(test)]
pub(crate) mod for_tests {
    use super::*;

    /// Records that the server has this state of a memory, under the same id.
    pub(crate) fn agree(database: &Path, server: &Server, memory: &Memory) {
        let mut state = ExchangeState::open(database, &server.name()).unwrap();
        state.mark_agreed(&[(memory.id.clone(), memory.id.clone(), digest(memory))]).unwrap();
    }

    /// Memories that the server must still remove.
    pub(crate) fn purges(database: &Path, server: &Server) -> Vec<String> {
        ExchangeState::open_read_only(database, &server.name()).unwrap().unwrap().pending_purges().unwrap()
    }
}

#[cfg(test)]
mod tests {
    use contract::LowerError;

    use super::*;
    use crate::domain::{Domain, Namespace, Status};
    use crate::store::{Actor, Draft, Secrets, Store as _};

    #[test]
    fn an_earlier_versions_sync_state_is_understood() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("memory.db");
        let server = Server::parse("postgres://ana@db.example.com/team").unwrap();
        let who = Actor::local_user(1);
        let mut store = SqliteStore::open(&database).unwrap();
        let draft = Draft::new("Deploys run at noon", Namespace::Decisions, Domain::Org);
        let before = store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory;
        let after = store.set_status(&before.id, Status::Tombstoned, &who).unwrap();
        let not_told = || unheard(&database, &server, [&after]).unwrap().into_iter().collect::<Vec<_>>();
        assert_eq!(not_told(), Vec::<String>::new());
        assert!(!exchange_state_path(&database).exists(), "it only looks");
        for_tests::agree(&database, &server, &before);
        let older = rusqlite::Connection::open(exchange_state_path(&database)).unwrap();
        older.pragma_update(None, "user_version", NEWEST_EXCHANGE - 1).unwrap();
        drop(older);
        assert_eq!(not_told(), std::slice::from_ref(&before.id));
    }

    #[test]
    fn why_a_server_failed_is_recorded_with_its_key_and_older_text_is_still_read() {
        let dir = tempfile::tempdir().unwrap();
        let mut state = ExchangeState::open(&dir.path().join("memory.db"), "ana@db:5432/team").unwrap();
        assert_eq!(failure(&state).unwrap(), None);
        let why = OrgError::Slow { host: "db:5432".into(), ms: 1_500 }.message();
        assert_eq!(why.key(), Some("messages.memory.org_slow"));
        record_why(&mut state, Some(&why)).unwrap();
        assert_eq!(failure(&state).unwrap(), Some(why));
        state.set(WHY, "can't reach db:5432: gone").unwrap();
        assert_eq!(failure(&state).unwrap(), Some("can't reach db:5432: gone".into()));
        record_why(&mut state, None).unwrap();
        assert_eq!(failure(&state).unwrap(), None);
    }
}
