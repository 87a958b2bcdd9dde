//! The organisation's memories, on a PostgreSQL server of the team's own (`[memory.org] url`).
//!
//! A capture is written here first, always; the exchange (`sync`) brings it to the server when that can be reached, and brings what
//! others captured here. A recall asks both (`join`) over one connection of the process (`link`), and goes on without the server
//! when that is slow or gone. Without the setting nothing of this runs, and hooks never run any of it: they read what is here.

mod beside;
mod join;
mod link;
mod moved;
mod notes;
mod sync;

use std::path::Path;

use home::Settings;
use serde_json::Value;

pub(crate) use join::recall_joined;
pub(crate) use link::{Link, note_failure, now_ms};
pub use moved::Moved;
pub(crate) use notes::notes_path;
pub(crate) use sync::step;

use notes::Notes;

use crate::store::{OrgError, PgStore, Result, Server, SqliteStore};

/// The server in the settings; `None` where there is none.
pub(crate) fn server(settings: &Settings) -> Option<std::result::Result<Server, OrgError>> {
    let url = settings.own("memory.org")?.get("url").and_then(Value::as_str)?.trim();
    (!url.is_empty()).then(|| Server::parse(url))
}

/// How far the exchange is, as far as this computer knows. Opens no connection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lag {
    /// Memories, and what is shared beside them, that wait to be sent, as far as they were counted.
    pub waiting: u64,
    /// Since when the oldest of them waits (ms since the epoch).
    pub since_ms: Option<i64>,
    /// When the server was last met.
    pub met_ms: Option<i64>,
    /// When something was last sent there.
    pub sent_ms: Option<i64>,
    /// Why it was not met since then; empty where it was.
    pub why: String,
}

impl Lag {
    /// Whether somebody should know: the server was not met, or what waits has waited longer than an exchange takes.
    pub(crate) fn is_behind(&self, now_ms: i64) -> bool {
        let long = self.since_ms.is_some_and(|since| now_ms.saturating_sub(since) > BEHIND_MS);
        !self.why.is_empty() || (self.waiting > 0 && long)
    }
}

/// What has waited so long has missed its exchange, which is done every minute while an agent's server runs.
const BEHIND_MS: i64 = 10 * 60_000;

/// Counting what waits stops here.
const MOST: usize = 10_000;

/// How far the exchange with this server is.
///
/// # Errors
/// When a database here fails.
pub(crate) fn lag(database: &Path, server: &Server) -> Result<Lag> {
    let Some(here) = SqliteStore::open_read_only(database)? else { return Ok(Lag::default()) };
    // Nothing was ever noted: everything waits.
    let notes = match Notes::look_at(database, &server.name())? {
        Some(notes) => notes,
        None => Notes::open(database, &server.name())?,
    };
    let (waiting, since_ms) = sync::waiting(&notes, &here, MOST)?;
    let why = notes.state("why")?.unwrap_or_default();
    let (met_ms, sent_ms) = (notes.number("met")?, notes.number("sent_ms")?);
    Ok(Lag { waiting, since_ms, met_ms, sent_ms, why })
}

/// What the server answered when somebody last asked it how it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Answered {
    /// When it was asked (ms since the epoch).
    pub at_ms: i64,
    /// `reachable`, or the word for why not.
    pub status: String,
    /// Why not, in words; empty where it is reachable.
    pub problem: String,
    /// How long its answer took.
    pub answer_us: u64,
    /// Its version.
    pub postgresql: String,
    /// About how many memories may be seen there.
    pub memories: u64,
}

/// What whoever logs in may do, by project (`*` for every one), as the server said last.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Roles {
    /// When (ms since the epoch).
    pub at_ms: i64,
    /// Projects, with the role there.
    pub roles: Vec<(String, String)>,
}

const ANSWERED: &str = "answered";
const ROLES: &str = "roles";

/// Notes it, for the next look. A server that answers is met: what kept it from that before no longer does.
///
/// # Errors
/// When the notes can't be written.
pub(crate) fn note_answer(database: &Path, server: &Server, answered: &Answered) -> Result<()> {
    let mut notes = Notes::open(database, &server.name())?;
    notes.set("why", &answered.problem)?;
    notes.set(ANSWERED, &serde_json::to_string(answered).unwrap_or_default())
}

/// The last such answer; `None` where nobody asked yet. Opens no connection.
///
/// # Errors
/// When the notes can't be read.
pub(crate) fn answered(database: &Path, server: &Server) -> Result<Option<Answered>> {
    let Some(notes) = Notes::look_at(database, &server.name())? else { return Ok(None) };
    Ok(notes.state(ANSWERED)?.and_then(|text| serde_json::from_str(&text).ok()))
}

/// The last roles; `None` where the server never said any. Opens no connection.
///
/// # Errors
/// When the notes can't be read.
pub(crate) fn roles(database: &Path, server: &Server) -> Result<Option<Roles>> {
    let Some(notes) = Notes::look_at(database, &server.name())? else { return Ok(None) };
    Ok(notes.state(ROLES)?.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Notes what the server says that whoever logs in may do.
///
/// # Errors
/// When the server or the notes fail.
pub(crate) fn note_roles(database: &Path, server: &str, there: &PgStore, at_ms: i64) -> Result<()> {
    let roles = Roles { at_ms, roles: there.roles()? };
    Notes::open(database, server)?.set(ROLES, &serde_json::to_string(&roles).unwrap_or_default())
}

/// Notes that a memory is removed here for good, so that it is removed on the server as well.
///
/// # Errors
/// When the notes can't be written.
pub(crate) fn note_purge(database: &Path, server: &Server, id: &str) -> Result<()> {
    Notes::open(database, &server.name())?.purge(id)
}
