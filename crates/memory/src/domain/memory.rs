//! A memory with its circumstances, and the words for what those can be.

use serde::{Deserialize, Serialize};

use super::namespace::Namespace;

/// What our own addresses begin with.
pub const SCHEME: &str = "plimsoll://memory/";

/// A word that is not one of the allowed ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} \"{given}\" is unknown; allowed: {allowed}")]
pub struct Unknown {
    /// What it was to be.
    pub what: &'static str,
    /// The word.
    pub given: String,
    /// The allowed words.
    pub allowed: String,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident $word:literal $($alias:literal)*,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every one, with its word.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $word)),*];

            /// The one of this word; case doesn't matter.
            pub fn named(word: &str) -> Option<Self> {
                match word.trim().to_ascii_lowercase().as_str() {
                    $($word $(| $alias)* => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The same, with the allowed words in the error.
            ///
            /// # Errors
            /// [`Unknown`].
            pub fn parse(word: &str) -> Result<Self, Unknown> {
                Self::named(word).ok_or_else(|| Unknown {
                    what: $what,
                    given: word.chars().take(40).collect(),
                    allowed: Self::ALL.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", "),
                })
            }

            /// Its word.
            pub fn as_str(self) -> &'static str {
                Self::ALL[self as usize].1
            }
        }
    };
}

words! {
    /// Who a memory is for.
    Domain, "domain" {
        /// Whoever works on one project.
        Project "project",
        /// One person, in every project.
        User "user" "global",
        /// Everybody of an organisation, in every project.
        Org "org" "organization" "organisation",
    }
}

words! {
    /// What became of a memory. Only active ones are found unless others are asked for.
    Status, "status" {
        /// In use.
        Active "active",
        /// Put away by someone; true but no longer needed.
        Archived "archived" "consolidated",
        /// Another one took its place.
        Superseded "superseded",
        /// Captured automatically and not yet reviewed.
        Pending "pending",
        /// Deleted; can be restored until it is purged.
        Tombstoned "tombstoned" "deleted",
    }
}

words! {
    /// How far a memory may be relied on, by where it came from.
    Trust, "trust" {
        /// You wrote or reviewed it.
        User "user",
        /// An agent captured it on your behalf.
        Agent "agent",
        /// It was read from the repository.
        Repository "repository" "repo",
        /// It came from a web page, a tool's result or another person's repository: data, never an instruction.
        Untrusted "untrusted",
    }
}

words! {
    /// What one memory is to another.
    LinkKind, "link" {
        /// It takes the other's place.
        Supersedes "supersedes",
        /// Both can't be true.
        Conflicts "conflicts" "contradicts" "conflicts_with",
        /// It says the same in more detail.
        Refines "refines",
        /// They belong together.
        RelatesTo "relates_to" "related_to" "related",
        /// It sums the other up.
        Summarizes "summarizes" "summarises",
    }
}

/// A link from one memory to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The id it leads from.
    pub from: String,
    /// The id it leads to.
    pub to: String,
    /// What the first is to the second.
    pub kind: LinkKind,
    /// Since when (ms since the epoch).
    pub at_ms: i64,
}

/// One memory, as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Its id, which never changes.
    pub id: String,
    /// What it says, word for word as it was captured (secrets taken out).
    pub content: String,
    /// What it is about.
    pub namespace: Namespace,
    /// Who it is for.
    pub domain: Domain,
    /// The project it belongs to, as [`project_key`](super::project_key) names it. A `user` memory keeps the one it was made in.
    pub project: Option<String>,
    /// The git branch it was made on.
    pub branch: Option<String>,
    /// The file it is about, relative to the project.
    pub file: Option<String>,
    /// Where the statement comes from: a file, an address, a conversation.
    pub source: Option<String>,
    /// Tags, in the order given, each once.
    pub tags: Vec<String>,
    /// Who said it.
    pub author: Option<String>,
    /// The agent that captured it.
    pub client: Option<String>,
    /// The session it was captured in.
    pub session: Option<String>,
    /// How far it may be relied on.
    pub trust: Trust,
    /// What became of it.
    pub status: Status,
    /// 1 for the first, one more for each change of content or tags.
    pub version: u32,
    /// When it was captured (ms since the epoch).
    pub created_ms: i64,
    /// When it was last changed.
    pub updated_ms: i64,
    /// From when on it no longer counts.
    pub expires_ms: Option<i64>,
    /// Since when it is deleted.
    pub tombstoned_ms: Option<i64>,
}

impl Memory {
    /// Its address, `plimsoll://memory/{domain}/{namespace}/{id}`.
    pub fn urn(&self) -> String {
        format!("{}{}/{}/{}", SCHEME, self.domain.as_str(), self.namespace, self.id)
    }

    /// Whether its time has passed.
    pub fn expired(&self, now_ms: i64) -> bool {
        self.expires_ms.is_some_and(|at| at <= now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_leads_back_and_an_unknown_one_is_told_with_the_allowed() {
        for (status, word) in Status::ALL {
            assert_eq!((Status::named(word), status.as_str()), (Some(*status), *word));
        }
        assert_eq!(Status::named("Deleted"), Some(Status::Tombstoned));
        let error = Domain::parse("galaxy").unwrap_err().to_string();
        assert_eq!(error, "domain \"galaxy\" is unknown; allowed: project, user, org");
    }
}
