//! A memory with its properties, and the names of their values.

use serde::{Deserialize, Serialize};

use super::composed;
use super::duplicates::hash;
use super::namespace::Namespace;
use super::unknown_name::UnknownName;

/// The prefix of Plimsoll's addresses.
pub const SCHEME: &str = "plimsoll://memory/";

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident $word:literal $($alias:literal)*,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All variants with their names.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $word)),*];

            /// The variant with this name, whatever its case.
            pub fn from_name(word: &str) -> Option<Self> {
                match word.trim().to_ascii_lowercase().as_str() {
                    $($word $(| $alias)* => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The same, with the allowed names in the error.
            ///
            /// # Errors
            /// [`Unknown`].
            pub fn parse(word: &str) -> Result<Self, UnknownName> {
                Self::from_name(word).ok_or_else(|| UnknownName {
                    what: $what,
                    given: UnknownName::shortened(word),
                    allowed: Self::ALL.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", "),
                })
            }

            /// Its name.
            pub fn as_str(self) -> &'static str {
                Self::ALL[self as usize].1
            }
        }
    };
}

words! {
    /// Who a memory is for.
    Domain, "domain" {
        /// Everybody who works on one project.
        Project "project",
        /// One user, in every project.
        User "user" "global",
        /// Everybody in an organisation, in every project.
        Org "org" "organization" "organisation",
    }
}

words! {
    /// A memory's state. Searches return only active memories unless a filter asks for others.
    Status, "status" {
        /// In use.
        Active "active",
        /// Put away by somebody: true but no longer needed.
        Archived "archived" "consolidated",
        /// Replaced by another memory.
        Superseded "superseded",
        /// Captured automatically and not reviewed yet.
        Pending "pending",
        /// Deleted; can be restored until it is purged.
        Tombstoned "tombstoned" "deleted",
    }
}

words! {
    /// How far to trust a memory, by its origin.
    Trust, "trust" {
        /// You wrote or reviewed it.
        User "user",
        /// An agent captured it on your behalf.
        Agent "agent",
        /// It was read from the repository.
        Repository "repository" "repo",
        /// It came from a web page, a tool's result or somebody else's repository: data, never an instruction.
        Untrusted "untrusted",
    }
}

words! {
    /// How one memory relates to another.
    LinkKind, "link" {
        /// Replaces the other.
        Supersedes "supersedes",
        /// Contradicts the other.
        Conflicts "conflicts" "contradicts" "conflicts_with",
        /// Says the same in more detail.
        Refines "refines",
        /// Is related to the other.
        RelatesTo "relates_to" "related_to" "related",
        /// Summarises the other.
        Summarizes "summarizes" "summarises",
    }
}

/// A link from one memory to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The source memory's id.
    pub from: String,
    /// The target memory's id.
    pub to: String,
    /// How the source relates to the target.
    pub kind: LinkKind,
    /// When it was created (ms since the epoch).
    pub at_ms: i64,
}

/// A memory in its current version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Its id, which never changes.
    pub id: String,
    /// Its text, word for word as captured, without secrets.
    pub content: String,
    /// Its namespace.
    pub namespace: Namespace,
    /// Who it is for.
    pub domain: Domain,
    /// Its project's key, see [`project_key`](super::project_key). A `user` memory keeps the project it was captured
    /// in.
    pub project: Option<String>,
    /// The git branch it was captured on.
    pub branch: Option<String>,
    /// The file it is about, relative to the project.
    pub file: Option<String>,
    /// The statement's source: a file, an address, a conversation.
    pub source: Option<String>,
    /// Tags, in the given order, without duplicates.
    pub tags: Vec<String>,
    /// Its author.
    pub author: Option<String>,
    /// The agent that captured it.
    pub client: Option<String>,
    /// The session it was captured in.
    pub session: Option<String>,
    /// How far to trust it.
    pub trust: Trust,
    /// Its state.
    pub status: Status,
    /// 1 at first; each change of content or tags adds one.
    pub version: u32,
    /// When it was captured (ms since the epoch).
    pub created_ms: i64,
    /// When it was last changed.
    pub updated_ms: i64,
    /// When it expires.
    pub expires_ms: Option<i64>,
    /// When it was deleted.
    pub tombstoned_ms: Option<i64>,
}

/// Whether a source is a web page or names one, in either case of its scheme. What such a page says is never trusted,
/// whoever captured it.
pub fn is_from_web(source: &str) -> bool {
    let source = source.to_ascii_lowercase();
    source.contains("https://") || source.contains("http://")
}

impl Trust {
    /// The trust in something with this source: a web page's words are untrusted, whoever captured them.
    pub fn with_source(self, source: Option<&str>) -> Self {
        if source.is_some_and(is_from_web) { Self::Untrusted } else { self }
    }
}

impl Memory {
    /// Its address, `plimsoll://memory/{domain}/{namespace}/{id}`.
    pub fn urn(&self) -> String {
        format!("{}{}/{}/{}", SCHEME, self.domain.as_str(), self.namespace, self.id)
    }

    /// Its trust once it has these words, which somebody gives who is trusted like this. Trust belongs to a wording: the
    /// same words keep it, however their accents are stored, and new ones have no more than whoever gave them.
    pub fn trust_with(&self, content: &str, giver: Trust) -> Trust {
        let is_same = hash(&composed(content)) == hash(&composed(&self.content));
        if is_same { self.trust } else { self.trust.max(giver) }
    }

    /// Whether it has expired.
    pub fn expired(&self, now_ms: i64) -> bool {
        self.expires_ms.is_some_and(|at| at <= now_ms)
    }

    /// The definition in its file that it is about: what its source names after `#`, as in `src/app.rs#App.run`. A line or a
    /// document's heading isn't one.
    pub fn symbol(&self) -> Option<&str> {
        symbol_of(self.file.as_deref()?, self.source.as_deref()?)
    }
}

fn symbol_of<'s>(file: &str, source: &'s str) -> Option<&'s str> {
    let documents = [".md", ".mdx", ".rst", ".txt", ".adoc", ".html"];
    let is_document = documents.iter().any(|ending| file.ends_with(ending));
    let name = source.split_once('#')?.1.trim();
    let rest = name.strip_prefix('L').unwrap_or_default();
    let is_line = rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | 'L' | 'C'));
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'));
    (is_name && !is_line && !is_document).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_address_is_recognised_in_either_case_and_a_file_is_not_one() {
        for source in ["https://example.org/a", " HTTP://EXAMPLE.ORG", "fetched from Https://example.org"] {
            assert!(is_from_web(source), "{source}");
            assert_eq!(Trust::User.with_source(Some(source)), Trust::Untrusted);
        }
        for source in ["", "src/http.rs", "docs/https.md", "a prompt", "commit 1a2b3c"] {
            assert!(!is_from_web(source), "{source}");
            assert_eq!(Trust::Agent.with_source(Some(source)), Trust::Agent);
        }
    }

    #[test]
    fn a_source_names_a_definition_and_a_line_or_a_heading_isnt_one() {
        for (source, expected) in [
            ("src/app.rs#App.run", Some("App.run")),
            ("src/app.rs# run ", Some("run")),
            ("src/app.rs#L12-L20", None),
            ("src/app.rs#Layer", Some("Layer")),
            ("src/app.rs#", None),
            ("src/app.rs", None),
            ("docs/use.md#setup", None),
        ] {
            let file = source.split('#').next().unwrap_or_default();
            assert_eq!(symbol_of(file, source), expected, "{source}");
        }
    }

    #[test]
    fn every_word_maps_back_and_an_unknown_one_lists_the_allowed() {
        for (status, word) in Status::ALL {
            assert_eq!((Status::from_name(word), status.as_str()), (Some(*status), *word));
        }
        assert_eq!(Status::from_name("Deleted"), Some(Status::Tombstoned));
        let error = Domain::parse("galaxy").unwrap_err().to_string();
        assert_eq!(error, "domain \"galaxy\" is unknown; allowed: project, user, org");
    }
}
