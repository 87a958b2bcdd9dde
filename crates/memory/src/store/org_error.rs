//! The errors of the organisation's server. Every message names the server and the remedy; none contains a password.

/// An error of the organisation's server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrgError {
    /// The address in the settings is unusable.
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
    /// It didn't answer in time.
    #[error("{host} did not answer within {ms} ms; what you capture is kept here and sent later")]
    Slow {
        /// The server.
        host: String,
        /// The time limit.
        ms: u64,
    },
    /// It refused the name or password.
    #[error("{host} refuses the login of {user}: {reason}; check name and password in memory.org.url")]
    Login {
        /// The server.
        host: String,
        /// The user name.
        user: String,
        /// The server's reason.
        reason: String,
    },
    /// Its tables don't exist yet, or aren't visible.
    #[error(
        "the database {database} on {host} has no memories that {user} may see; run `plimsoll memory org init` as its owner, \
         or have an admin run `plimsoll memory org grant {user} writer`"
    )]
    NotSetUp {
        /// The server.
        host: String,
        /// The database.
        database: String,
        /// The user name.
        user: String,
    },
    /// PostgreSQL is too old.
    #[error("{host} runs PostgreSQL {found}; 14 or newer is needed")]
    OldServer {
        /// The server.
        host: String,
        /// Its version.
        found: String,
    },
    /// The tables have a version that this program doesn't know.
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
        /// The remedy.
        remedy: &'static str,
    },
    /// A right is missing.
    #[error(
        "{user} may not do this on {host}: {reason}; an admin gives rights with `plimsoll memory org grant {user} writer`"
    )]
    Denied {
        /// The server.
        host: String,
        /// The user name.
        user: String,
        /// The server's reason.
        reason: String,
    },
    /// The server has no such role.
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
        /// The server's reason.
        reason: String,
    },
    /// A column has an unexpected value.
    #[error(
        "column {index} of the server's answer can't be read: {reason}; `plimsoll memory org status` shows its version"
    )]
    Column {
        /// Its index, from 0.
        index: usize,
        /// Why.
        reason: String,
    },
}

impl OrgError {
    /// Whether the server refuses what it was sent, by right or because it can't store it: something else may still be
    /// accepted.
    pub fn refuses_content(&self) -> bool {
        matches!(self, Self::Denied { .. } | Self::Failed { .. })
    }

    /// Whether trying again later may help.
    pub fn passes(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Slow { .. })
    }
}
