//! What can go wrong with the organisation's server. Every message names the server and what to do; none has a password in it.

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrgError {
    /// The address in the settings can't be used.
    #[error("memory.org.url can't be used: {reason}; write postgres://name:password@host/database")]
    Url {
        /// Why.
        reason: String,
    },
    /// No connection.
    #[error(
        "can't reach {host}: {reason}; what you capture is kept here and sent as soon as the server answers"
    )]
    Unreachable {
        /// The server.
        host: String,
        /// Why.
        reason: String,
    },
    /// No answer in time.
    #[error("{host} did not answer within {ms} ms; what you capture is kept here and sent later")]
    Slow {
        /// The server.
        host: String,
        /// How long it was given.
        ms: u64,
    },
    /// The name or password is refused.
    #[error("{host} refuses the login of {user}: {reason}; check name and password in memory.org.url")]
    Login {
        /// The server.
        host: String,
        /// Who wanted in.
        user: String,
        /// What the server said.
        reason: String,
    },
    /// Nobody has made the tables yet, or they can't be seen.
    #[error(
        "the database {database} on {host} has no memories that {user} may see; run `plimsoll memory org init` as its owner, \
         or have an admin run `plimsoll memory org grant {user} writer`"
    )]
    NotSetUp {
        /// The server.
        host: String,
        /// The database.
        database: String,
        /// Who looked.
        user: String,
    },
    /// The server is too old.
    #[error("{host} runs PostgreSQL {found}; 14 or newer is needed")]
    OldServer {
        /// The server.
        host: String,
        /// Its version.
        found: String,
    },
    /// The tables are of a version that this program does not know.
    #[error(
        "the memories on {host} have version {found} of their tables, and this Plimsoll knows {known}; {remedy}"
    )]
    Schema {
        /// The server.
        host: String,
        /// The version there.
        found: i32,
        /// The version here.
        known: i32,
        /// What to do.
        remedy: &'static str,
    },
    /// A right is missing.
    #[error(
        "{user} may not do this on {host}: {reason}; an admin gives rights with `plimsoll memory org grant {user} writer`"
    )]
    Denied {
        /// The server.
        host: String,
        /// Who wanted to.
        user: String,
        /// What the server said.
        reason: String,
    },
    /// A role that the server does not have.
    #[error(
        "{host} has no role {person}; have its administrator run: CREATE ROLE \"{person}\" LOGIN PASSWORD '…'"
    )]
    NoRole {
        /// The server.
        host: String,
        /// The role.
        person: String,
    },
    /// Something else failed.
    #[error("{host} could not do it: {reason}")]
    Failed {
        /// The server.
        host: String,
        /// What it said.
        reason: String,
    },
    /// A column that isn't what it should be.
    #[error(
        "column {index} of the server's answer can't be read: {reason}; `plimsoll memory org status` shows its version"
    )]
    Column {
        /// Which, from 0.
        index: usize,
        /// Why.
        reason: String,
    },
}

impl OrgError {
    /// Whether trying again later may help without anybody doing something.
    pub fn passes(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Slow { .. })
    }
}
