//! The errors of the organisation's server. Every message names the server and the remedy; none contains a password.

use contract::{LowerError, Sentence};

use super::messages;

/// An error of the organisation's server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrgError {
    /// The settings have no address.
    Unset,
    /// The address in the settings is unusable.
    Url {
        /// Why.
        reason: Sentence,
    },
    /// No connection.
    Unreachable {
        /// The server.
        host: String,
        /// Why.
        reason: String,
    },
    /// It didn't answer in time.
    Slow {
        /// The server.
        host: String,
        /// The time limit.
        ms: u64,
    },
    /// It refused the name or password.
    Login {
        /// The server.
        host: String,
        /// The user name.
        user: String,
        /// The server's reason.
        reason: String,
    },
    /// Its tables don't exist yet, or aren't visible.
    NotSetUp {
        /// The server.
        host: String,
        /// The database.
        database: String,
        /// The user name.
        user: String,
    },
    /// PostgreSQL is too old.
    OldServer {
        /// The server.
        host: String,
        /// Its version.
        found: String,
    },
    /// The tables have a version that this program doesn't know.
    Schema {
        /// The server.
        host: String,
        /// The version there.
        found: i32,
        /// The version here.
        known: i32,
    },
    /// A right is missing.
    Denied {
        /// The server.
        host: String,
        /// The user name.
        user: String,
        /// The server's reason.
        reason: Box<Sentence>,
    },
    /// The server has no such role.
    NoRole {
        /// The server.
        host: String,
        /// The role.
        person: String,
    },
    /// Something else failed.
    Failed {
        /// The server.
        host: String,
        /// The server's reason.
        reason: String,
    },
    /// A column has an unexpected value.
    Column {
        /// Its index, from 0.
        index: usize,
        /// Why.
        reason: String,
    },
}

impl LowerError for OrgError {
    fn message(&self) -> Sentence {
        match self {
            Self::Unset => messages::org_unset(),
            Self::Url { reason } => messages::org_url(reason.clone()),
            Self::Unreachable { host, reason } => messages::org_unreachable(host, foreign(reason)),
            Self::Slow { host, ms } => messages::org_slow(host, *ms),
            Self::Login { host, user, reason } => messages::org_login(host, user, foreign(reason)),
            Self::NotSetUp { host, database, user } => messages::org_not_set_up(database, host, user),
            Self::OldServer { host, found } => messages::org_old_server(host, found),
            Self::Schema { host, found, known } => {
                let remedy = if found > known { messages::org_upgrade() } else { messages::org_init() };
                messages::org_schema(host, found.to_string(), known.to_string(), remedy)
            }
            Self::Denied { host, user, reason } => messages::org_denied(user, host, Sentence::clone(reason)),
            Self::NoRole { host, person } => messages::org_no_role(host, person),
            Self::Failed { host, reason } => messages::org_failed(host, foreign(reason)),
            Self::Column { index, reason } => messages::org_column(*index, foreign(reason)),
        }
    }
}

impl std::fmt::Display for OrgError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

/// The words of a server or of the system.
fn foreign(reason: &str) -> Sentence {
    reason.into()
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
