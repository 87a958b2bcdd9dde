//! The namespaces: one table with each one's description and cue words. An unknown name is an error and never maps to
//! another namespace.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::unknown_name::UnknownName;

/// The properties of a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NamespaceInfo {
    /// Its name.
    pub name: &'static str,
    /// What belongs in it.
    pub description: &'static str,
    /// Words that suggest it.
    #[serde(rename = "signal_words")]
    pub cues: &'static [&'static str],
    /// The factor for its memories in a ranking; 1 is neutral.
    #[serde(skip)]
    pub weight: f64,
}

macro_rules! namespaces {
    ($($variant:ident $name:literal $weight:literal $about:literal [$($cue:literal)*];)*) => {
        /// A namespace.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Namespace {
            $(#[doc = $about] #[serde(rename = $name)] $variant,)*
        }

        /// Every namespace, in the order of [`Namespace`].
        pub const NAMESPACES: &[(Namespace, NamespaceInfo)] = &[
            $((Namespace::$variant, NamespaceInfo {
                name: $name, description: $about, cues: &[$($cue),*], weight: $weight,
            }),)*
        ];
    };
}

namespaces! {
    Decisions "decisions" 1.05 "Architectural and design decisions, with their reasons"
        ["decided" "chose" "going with" "selected" "prefer" "went with"];
    Patterns "patterns" 1.02 "Conventions and solutions that recur"
        ["always" "never" "convention" "pattern" "approach"];
    Learnings "learnings" 1.02 "What was discovered: mistakes, causes, insights"
        ["learned" "discovered" "turns out" "TIL"];
    Context "context" 1.0 "Background, constraints and facts of the subject"
        ["because" "constraint" "note that" "important"];
    TechDebt "tech-debt" 1.0 "Shortcuts and known weak points"
        ["TODO" "FIXME" "hack" "temporary"];
    Blockers "blockers" 1.0 "Obstacles and how they were overcome"
        ["blocked" "stuck" "failed" "fixed"];
    Progress "progress" 0.97 "Milestones and what was finished"
        ["completed" "shipped" "released"];
    Apis "apis" 1.0 "Contracts, endpoints and schemas"
        ["endpoint" "request" "response"];
    Config "config" 1.0 "Settings, environment variables and flags"
        ["config" "setting" "variable"];
    Security "security" 1.02 "Findings and rules of access"
        ["auth" "vulnerability" "permission"];
    Performance "performance" 1.0 "Measurements and what made things faster"
        ["slow" "benchmark" "latency"];
    Testing "testing" 1.0 "Test strategies and edge cases"
        ["test" "coverage" "mock"];
}

impl Namespace {
    /// The namespace with this name; `-`, `_` and case don't matter.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = name.trim().to_ascii_lowercase().replace('_', "-");
        NAMESPACES.iter().find(|(_, info)| info.name == plain).map(|(namespace, _)| *namespace)
    }

    /// The namespace with this name.
    ///
    /// # Errors
    /// [`UnknownName`].
    pub fn parse(name: &str) -> Result<Self, UnknownName> {
        Self::from_name(name).ok_or_else(|| UnknownName {
            what: "namespace",
            given: UnknownName::shortened(name),
            allowed: Self::names(),
        })
    }

    /// Its properties.
    pub fn info(self) -> &'static NamespaceInfo {
        &NAMESPACES[self as usize].1
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        self.info().name
    }

    /// All names, for error messages.
    pub fn names() -> String {
        let names: Vec<&str> = NAMESPACES.iter().map(|(_, info)| info.name).collect();
        names.join(", ")
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_names_lead_back() {
        for (i, (namespace, info)) in NAMESPACES.iter().enumerate() {
            assert_eq!(*namespace as usize, i);
            assert_eq!(Namespace::from_name(info.name), Some(*namespace));
            assert!(!info.cues.is_empty() && !info.description.is_empty());
        }
        assert_eq!(Namespace::from_name("TECH_DEBT"), Some(Namespace::TechDebt));
        assert_eq!(Namespace::from_name("decison"), None);
    }
}
