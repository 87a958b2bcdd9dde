//! Entities and relations, and the words for their kinds.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::Unknown;

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// Every one, with its word.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, stringify!($variant))),*];

            /// The one of this word; case, `_` and `-` don't matter.
            ///
            /// # Errors
            /// [`Unknown`], with the allowed words.
            pub fn parse(word: &str) -> Result<Self, Unknown> {
                let plain: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
                Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(&plain)).map(|(kind, _)| *kind).ok_or_else(
                    || Unknown {
                        what: $what,
                        given: word.chars().take(40).collect(),
                        allowed: Self::ALL.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", "),
                    },
                )
            }

            /// Its word.
            pub fn as_str(self) -> &'static str {
                Self::ALL[self as usize].1
            }
        }
    };
}

kinds! {
    /// What an entity is.
    EntityKind, "entity type" {
        /// A person.
        Person,
        /// A company, a team, a community.
        Organization,
        /// A language, a library, a service, a tool.
        Technology,
        /// Anything else that has a name.
        Concept,
        /// A file.
        File,
    }
}

kinds! {
    /// What the first is to the second.
    RelationKind, "relationship type" {
        /// A person works there.
        WorksAt,
        /// Made it.
        Created,
        /// Uses it.
        Uses,
        /// Implements it.
        Implements,
        /// Belongs to it.
        PartOf,
        /// They are spoken of together.
        RelatesTo,
        /// Is spoken of there.
        MentionedIn,
        /// Took its place.
        Supersedes,
        /// Does not go with it.
        ConflictsWith,
    }
}

/// Something that memories speak of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// `entity_` and its name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// Other names.
    pub aliases: Vec<String>,
    /// Whatever else was said of it.
    pub properties: Map<String, Value>,
    /// How sure it is, 0 to 1; 1 for what somebody made by hand.
    pub confidence: f64,
    /// How many memories speak of it.
    pub mentions: u64,
}

/// How two entities hang together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    /// Its id.
    pub id: String,
    /// The id of the entity it leads from.
    pub from: String,
    /// The id of the entity it leads to.
    pub to: String,
    /// What the first is to the second.
    pub kind: RelationKind,
    /// Whatever else was said of it.
    pub properties: Map<String, Value>,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// Since when (ms since the epoch).
    pub since_ms: i64,
    /// Until when, if no longer.
    pub until_ms: Option<i64>,
}

/// A name as names are compared: case and runs of white space don't matter.
pub fn folded(name: &str) -> String {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The id of the entity of this name.
pub fn entity_id(name: &str) -> String {
    let mut id = String::from("entity");
    let mut gap = true;
    for c in name.trim().chars().take(80) {
        if c.is_alphanumeric() {
            if gap {
                id.push('_');
            }
            id.extend(c.to_lowercase());
        } else if matches!(c, '+' | '#') {
            // C++ and C# are not C.
            id.push_str(if c == '+' { "_plus" } else { "_sharp" });
        }
        gap = !c.is_alphanumeric();
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_back_and_ids_are_told_apart() {
        for (kind, word) in RelationKind::ALL {
            assert_eq!((RelationKind::parse(word), kind.as_str()), (Ok(*kind), *word));
        }
        assert_eq!(RelationKind::parse("works_at"), Ok(RelationKind::WorksAt));
        let error = EntityKind::parse("Animal").map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err(
                "entity type \"Animal\" is unknown; allowed: Person, Organization, Technology, Concept, File"
                    .into()
            )
        );
        for (name, id) in [
            ("PostgreSQL", "entity_postgresql"),
            ("Claude API", "entity_claude_api"),
            ("src/main.rs", "entity_src_main_rs"),
            ("C++", "entity_c_plus_plus"),
            ("C#", "entity_c_sharp"),
            ("データ", "entity_データ"),
        ] {
            assert_eq!(entity_id(name), id);
        }
    }
}
