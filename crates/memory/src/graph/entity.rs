//! Entities and relations, and the names of their kinds.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::{UnknownName, composed};

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All variants with their names.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, stringify!($variant))),*];

            /// The variant with this name; case, `_` and `-` don't matter.
            ///
            /// # Errors
            /// [`Unknown`], with the allowed names.
            pub fn parse(word: &str) -> Result<Self, UnknownName> {
                let plain: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
                Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(&plain)).map(|(kind, _)| *kind).ok_or_else(
                    || UnknownName {
                        what: $what,
                        given: UnknownName::shortened(word),
                        allowed: Self::ALL.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", "),
                    },
                )
            }

            /// Its name.
            pub fn as_str(self) -> &'static str {
                Self::ALL[self as usize].1
            }
        }
    };
}

kinds! {
    /// The kind of an entity.
    EntityKind, "entity type" {
        /// A person.
        Person,
        /// A company, a team, a community.
        Organization,
        /// A language, a library, a service or a tool.
        Technology,
        /// Anything else with a name.
        Concept,
        /// A file.
        File,
    }
}

kinds! {
    /// How the source relates to the target.
    RelationKind, "relationship type" {
        /// A person works at the organisation.
        WorksAt,
        /// Created the target.
        Created,
        /// Uses the target.
        Uses,
        /// Implements the target.
        Implements,
        /// Is a part of the target.
        PartOf,
        /// Mentioned together with the target.
        RelatesTo,
        /// Is mentioned in the target.
        MentionedIn,
        /// Replaced the target.
        Supersedes,
        /// Is incompatible with the target.
        ConflictsWith,
    }
}

/// Something that memories mention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// `entity_` and a form of its name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: EntityKind,
    /// Its aliases.
    pub aliases: Vec<String>,
    /// Further properties.
    pub properties: Map<String, Value>,
    /// The confidence, 0 to 1; 1 if somebody created it by hand.
    pub confidence: f64,
    /// The number of memories that mention it.
    pub mentions: u64,
}

/// A relation between two entities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    /// Its id.
    pub id: String,
    /// The source entity's id.
    pub from: String,
    /// The target entity's id.
    pub to: String,
    /// How the source relates to the target.
    pub kind: RelationKind,
    /// Further properties.
    pub properties: Map<String, Value>,
    /// The confidence, 0 to 1.
    pub confidence: f64,
    /// When it began (ms since the epoch).
    pub since_ms: i64,
    /// When it ended, if it did.
    pub until_ms: Option<i64>,
}

/// A name as compared: case, runs of white space, and whether an accent is a character of its own don't matter.
pub fn folded(name: &str) -> String {
    let small = composed(name).split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    // Some capitals have no letter with their accent, and their small ones do.
    composed(&small).into_owned()
}

/// The id of the entity with this name.
pub fn entity_id(name: &str) -> String {
    let mut id = String::from("entity");
    let mut gap = true;
    for c in composed(name).trim().chars().take(80) {
        if c.is_alphanumeric() {
            if gap {
                id.push('_');
            }
            id.extend(c.to_lowercase());
        } else if matches!(c, '+' | '#') {
            // C++ and C# aren't C.
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
            ("École", "entity_école"),
            ("E\u{301}cole", "entity_école"),
        ] {
            assert_eq!(entity_id(name), id);
        }
        assert_eq!(folded("E\u{301}cole  X"), "école x");
    }

    /// Stored names are composed again when the index is rebuilt, which must change nothing.
    #[test]
    fn a_folded_name_is_composed_even_if_only_the_lower_case_letter_has_its_accent() {
        for (name, small) in [
            ("J\u{30c}etty", "\u{1f0}etty"),
            ("H\u{331}aven", "\u{1e96}aven"),
            ("\u{3aa}\u{301}", "\u{390}"),
            ("École", "école"),
        ] {
            assert_eq!(folded(name), small, "{name}");
            assert_eq!((folded(small).as_str(), &*composed(small)), (small, small), "{name}");
        }
    }
}
