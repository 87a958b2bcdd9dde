//! The errors of memory stores, with the cause and the remedy.

use std::path::PathBuf;

use contract::{Fault, LowerError, Sentence};

use super::messages;
use super::org_error::OrgError;

/// Maximum size of a text.
pub const MAX_CONTENT_BYTES: usize = 500_000;

/// An error of a store, or of what should go into one.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database couldn't be opened, migrated or written.
    Db(#[from] home::DbError),
    /// A single statement failed.
    Sqlite {
        /// The database.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// The organisation's server failed.
    Org(#[from] OrgError),
    /// No memory has this id.
    NotFound(String),
    /// Several ids have this prefix.
    Ambiguous {
        /// The given prefix.
        id: String,
        /// How many.
        count: usize,
    },
    /// The id exists, but not in the address's domain or namespace.
    Elsewhere {
        /// The id.
        id: String,
        /// The address.
        asked: String,
    },
    /// The memory is deleted.
    Forgotten(String),
    /// The memory isn't deleted.
    NotDeleted(String),
    /// Somebody else changed it first.
    Changed {
        /// The memory.
        id: String,
        /// The expected version.
        expected: u32,
        /// The current version.
        found: u32,
    },
    /// The text is empty.
    Empty,
    /// The text exceeds the limit.
    TooLong {
        /// Its size.
        bytes: usize,
    },
    /// A field is unusable.
    BadField {
        /// The field.
        field: &'static str,
        /// Why.
        reason: Sentence,
    },
    /// A secret, which the settings refuse.
    Secret {
        /// The field.
        field: &'static str,
        /// The kinds of secrets.
        kinds: String,
    },
    /// The change changes nothing.
    NothingToChange,
    /// A link from a memory to itself.
    Itself(String),
}

impl LowerError for StoreError {
    fn message(&self) -> Sentence {
        match self {
            Self::Db(error) => error.message(),
            Self::Sqlite { path, source } if home::is_disk_full(path, source) => {
                home::DbError::Full { path: path.clone() }.message()
            }
            Self::Sqlite { path, source } => {
                home::messages::statement(path, Sentence::from(source.to_string()))
            }
            Self::Org(error) => error.message(),
            Self::NotFound(id) => messages::not_found(id),
            Self::Ambiguous { id, count } => messages::ambiguous(id, *count),
            Self::Elsewhere { id, asked } => messages::elsewhere(id, asked),
            Self::Forgotten(id) => messages::forgotten(id),
            Self::NotDeleted(id) => messages::not_deleted(id),
            Self::Changed { id, expected, found } => messages::changed_meanwhile(id, *expected, *found),
            Self::Empty => messages::empty(),
            Self::TooLong { bytes } => messages::too_long(*bytes, MAX_CONTENT_BYTES),
            Self::BadField { field, reason } => messages::bad_field(*field, reason.clone()),
            Self::Secret { field, kinds } => messages::has_secret(*field, kinds),
            Self::NothingToChange => messages::nothing_to_change(),
            Self::Itself(id) => messages::itself(id),
        }
    }

    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Db(error) => error.fault(),
            Self::Sqlite { path, source } if home::is_disk_full(path, source) => Some(Fault::Full),
            _ if self.is_damage() => Some(Fault::Damaged),
            _ => None,
        }
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl StoreError {
    /// Whether the database's file is damaged.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Db(home::DbError::Damaged { .. }) => true,
            Self::Sqlite { source, .. } => home::is_damage(source),
            _ => false,
        }
    }

    /// The specification's error number.
    pub fn number(&self) -> i32 {
        match self {
            Self::NotFound(_) | Self::Elsewhere { .. } => -32604,
            Self::Secret { .. } => -32605,
            Self::Db(_) | Self::Sqlite { .. } | Self::Org(_) => -32603,
            Self::Ambiguous { .. } | Self::NothingToChange => -32602,
            Self::Forgotten(_)
            | Self::NotDeleted(_)
            | Self::Changed { .. }
            | Self::Empty
            | Self::TooLong { .. }
            | Self::BadField { .. }
            | Self::Itself(_) => -32608,
        }
    }
}

/// Results with this module's error.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
