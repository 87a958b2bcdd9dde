//! What a team shares besides memories: prompt versions, manually created entities and relations, and links between
//! memories. Each is a record with a key. If two records have the same key, the later one wins, on every computer and
//! in any order of arrival, so sending a record twice changes nothing.

use super::memory::{Domain, Memory};

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// A version of a prompt or a template. Key: `kind/name/when/version`.
    Prompt,
    /// An entity that somebody created or changed by hand. Key: its id.
    Entity,
    /// A relation that somebody created by hand. Key: `from/to/kind`.
    Relation,
    /// A link between two memories. Key: `from/to/kind`.
    Link,
}

impl RecordKind {
    /// All variants with their names.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::Prompt, "prompt"),
        (Self::Entity, "entity"),
        (Self::Relation, "relation"),
        (Self::Link, "link"),
    ];

    /// The variant with this name.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, name)| *name == word).map(|(kind, _)| *kind)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Something that a team shares besides memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The project; empty if it is for everybody.
    pub place: String,
    /// Its kind.
    pub kind: RecordKind,
    /// Its key within the kind.
    pub key: String,
    /// Its content as a JSON object; `None` if it was deleted.
    pub body: Option<String>,
    /// When it was written (ms since the epoch).
    pub at_ms: i64,
}

impl Record {
    /// Whether it wins over another record with its key. For equal times every computer picks the same one.
    pub fn wins_over(&self, other: &Self) -> bool {
        let rank = |one: &Self| (one.at_ms, one.body.clone().unwrap_or_default());
        rank(self) > rank(other)
    }
}

/// Whether this project's key means something on other computers: a local folder doesn't.
pub fn is_shared_project(project: &str) -> bool {
    !project.is_empty() && !project.starts_with("local/")
}

/// The record scope of a memory; `None` if it is never sent.
pub fn record_scope(memory: &Memory) -> Option<&str> {
    match memory.domain {
        Domain::Project => memory.project.as_deref().filter(|project| is_shared_project(project)),
        Domain::Org => Some(""),
        Domain::User => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_counts_and_of_one_moment_always_the_same() {
        let record = |body: Option<&str>, at_ms| Record {
            place: String::new(),
            kind: RecordKind::Entity,
            key: "entity_x".into(),
            body: body.map(str::to_owned),
            at_ms,
        };
        let all = [record(None, 5), record(Some("{\"a\":1}"), 5), record(Some("{}"), 5), record(None, 6)];
        for (at, one) in all.iter().enumerate() {
            for (other_at, other) in all.iter().enumerate() {
                assert_eq!(one.wins_over(other), at > other_at && one != other, "{one:?} {other:?}");
            }
        }
        for (kind, word) in RecordKind::ALL {
            assert_eq!((RecordKind::from_name(word), kind.as_str()), (Some(*kind), *word));
        }
    }
}
