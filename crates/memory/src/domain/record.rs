//! What a team shares beside memories: versions of prompts, entities and relations made by hand, and links between memories. Each
//! is a record with a key; of two that have the same key the later one counts, on every computer alike, in whichever order they
//! come. So sending twice is sending once.

use super::memory::{Domain, Memory};

/// What a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// A version of a prompt or a template. Key: `kind/name/when/version`.
    Prompt,
    /// An entity that somebody made or changed by hand. Key: its id.
    Entity,
    /// A relation that somebody made by hand. Key: `from/to/kind`.
    Relation,
    /// A link between two memories. Key: `from/to/kind`.
    Link,
}

impl RecordKind {
    /// Every one, with its word.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::Prompt, "prompt"),
        (Self::Entity, "entity"),
        (Self::Relation, "relation"),
        (Self::Link, "link"),
    ];

    /// The one of this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, name)| *name == word).map(|(kind, _)| *kind)
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Something that a team shares beside memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The project, or empty for what is for everybody.
    pub place: String,
    /// What it is about.
    pub kind: RecordKind,
    /// Which of them.
    pub key: String,
    /// What it says, as a JSON object; `None` where it was deleted.
    pub body: Option<String>,
    /// When it was said (ms since the epoch).
    pub at_ms: i64,
}

impl Record {
    /// Whether it counts where there are both. Of two from one moment the same one counts everywhere.
    pub fn beats(&self, other: &Self) -> bool {
        let rank = |one: &Self| (one.at_ms, one.body.clone().unwrap_or_default());
        rank(self) > rank(other)
    }
}

/// Whether others can have this project, too: a folder of this computer says nothing to another one.
pub fn is_shared_project(project: &str) -> bool {
    !project.is_empty() && !project.starts_with("local/")
}

/// Under which name a team keeps what is shared of a memory; `None` for what is never sent.
pub fn place_of(memory: &Memory) -> Option<&str> {
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
                assert_eq!(one.beats(other), at > other_at && one != other, "{one:?} {other:?}");
            }
        }
        for (kind, word) in RecordKind::ALL {
            assert_eq!((RecordKind::named(word), kind.as_str()), (Some(*kind), *word));
        }
    }
}
