//! The decision card: whether the evidence is enough to make a change, what the change affects, and what would help if it
//! isn't enough. The rules are a table; the caller gathers the evidence. Pure.

use std::collections::BTreeSet;

use crate::health::{FileHealth, Health};
pub use crate::impact::{Reached, impact, impact_of_name};
use crate::patterns::Trend;

/// The evidence before a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// The request, for the words of the hints.
    pub query: String,
    /// The search was sure enough.
    pub quality_ok: bool,
    /// The index agrees with the files.
    pub fresh: bool,
    /// The definition to change: its name and file.
    pub definition: Option<(String, String)>,
    /// Its line.
    pub line: Option<u32>,
    /// If it isn't known: the languages without a grammar that have the name.
    pub unread_languages: Vec<String>,
    /// How many other definitions have its name.
    pub same_name: usize,
    /// The file of one of them, where no type tells them apart.
    pub namesake: Option<String>,
    /// Files that call it.
    pub callers: Vec<String>,
    /// Files whose code contains its name, where it's unknown whether they mean it.
    pub undecided: Vec<String>,
    /// Tests that mention it.
    pub tests: Vec<String>,
    /// Files that the answers show.
    pub shown: Vec<String>,
    /// Files that a change may reach: path, line of the import, 1 or 2 steps away.
    pub impact: Vec<Reached>,
    /// What most of the project's code does.
    pub preferred: Vec<Followed>,
    /// What it is leaving.
    pub avoided: Vec<Followed>,
    /// Categories without a rule.
    pub conflicts: Vec<String>,
    /// A file that shows how it is done here.
    pub best_example: Option<String>,
    /// Failures that are remembered.
    pub failures: Vec<String>,
    /// Memories that are so old that they may no longer be true.
    pub stale: Vec<String>,
    /// It is part of an import cycle.
    pub in_circle: bool,
    /// The health of its file.
    pub health: Option<FileHealth>,
}

/// A technology that the project follows, or is leaving.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// What it is about.
    pub category: String,
    /// What it is called.
    pub name: String,
    /// Its share of all files that use any technology of the category, from 0 to 1.
    pub share: f64,
    /// Its trend, if known.
    pub trend: Option<Trend>,
}

impl std::fmt::Display for Followed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} ({} %", self.category, self.name, (self.share * 100.0).round())?;
        match self.trend {
            Some(Trend::Rising) => f.write_str(", rising)"),
            Some(Trend::Declining) => f.write_str(", declining)"),
            _ => f.write_str(")"),
        }
    }
}

/// What the impact says.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Impact {
    /// `X/Y callers in results`.
    pub coverage: String,
    /// The first three files.
    pub files: Vec<String>,
    /// All listed files, nearest first.
    pub details: Vec<Reached>,
    /// `low`, `medium` or `high`.
    pub risk: &'static str,
}

/// The definition that a card is about.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The card.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Card {
    /// What is known suffices.
    pub ready: bool,
    /// What was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<Judged>,
    /// Too little is known about it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub abstain: bool,
    /// Why the evidence isn't enough: the first thing to do.
    #[serde(rename = "nextAction", skip_serializing_if = "Option::is_none")]
    pub next_action: Option<String>,
    /// Remembered failures, and other warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What to do and what to avoid, by the project's conventions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patterns: Option<DoAvoid>,
    /// A file that shows how it is done here.
    #[serde(rename = "bestExample", skip_serializing_if = "Option::is_none")]
    pub best_example: Option<String>,
    /// What to check in the file, if anything. An import cycle is among the warnings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// What a change affects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// What to look at next.
    #[serde(rename = "whatWouldHelp", skip_serializing_if = "Vec::is_empty")]
    pub what_would_help: Vec<String>,
}

/// What to do and what to avoid.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct DoAvoid {
    /// At most three.
    #[serde(rename = "do")]
    pub preferred: Vec<String>,
    /// At most three.
    pub avoid: Vec<String>,
}

/// The number of files that a change reaches which are listed.
pub const LISTED: usize = 20;

/// One requirement of the evidence.
struct Rule {
    /// Whether it is missing.
    missing: fn(&Evidence) -> bool,
    /// Whether a decision isn't possible without it.
    abstains: bool,
    /// What is missing, and how to get it.
    says: fn(&Evidence) -> String,
}

/// The share of callers that must have been seen …
const COVERED: f64 = 0.4;
/// … when there are more than this.
const FEW_CALLERS: usize = 3;

/// The rules, the most important first.
const RULES: &[Rule] = &[
    Rule {
        missing: |e| !e.fresh,
        abstains: true,
        says: |_| "files changed since the index was made: reindex, then ask again".to_owned(),
    },
    Rule {
        missing: |e| !e.quality_ok,
        abstains: true,
        says: |e| format!("the answers to \"{}\" are not sure enough: name the type or function", e.query),
    },
    Rule {
        missing: |e| e.definition.is_none(),
        abstains: false,
        says: |e| {
            if e.unread_languages.is_empty() && !e.query.trim().contains(char::is_whitespace) {
                return format!("nothing is called {} here: search for what it does", e.query.trim());
            }
            if e.unread_languages.is_empty() {
                return format!(
                    "no definition is among the answers to \"{}\": ask for the name alone",
                    e.query
                );
            }
            let languages = e.unread_languages.join(", ");
            format!("no card can be made of what {languages} defines: look at the references of {}", e.query)
        },
    },
    Rule {
        missing: |e| e.same_name > 0 && e.definition.is_some(),
        abstains: false,
        says: |e| {
            let name = e.definition.as_ref().map_or("", |(name, _)| name);
            let others = if e.same_name == 1 {
                "1 other definition is".to_owned()
            } else {
                format!("{} other definitions are", e.same_name)
            };
            match &e.namesake {
                Some(file) => format!(
                    "{others} called {name} ({file}): ask again with the file that is meant as the scope"
                ),
                None => format!("{others} called {name}: ask for it with its type, as in Type.{name}"),
            }
        },
    },
    Rule {
        missing: |e| {
            let (seen, all) = covered(e);
            all > FEW_CALLERS && (seen as f64) < COVERED * all as f64
        },
        abstains: false,
        says: |e| {
            let (seen, all) = covered(e);
            let name = e.definition.as_ref().map_or("it", |(name, _)| name);
            format!("{} of {all} callers missing: look at the references of {name}", all - seen)
        },
    },
    Rule {
        missing: |e| e.callers.is_empty() && !e.undecided.is_empty(),
        abstains: false,
        says: |e| {
            let name = e.definition.as_ref().map_or("it", |(name, _)| name);
            let files = if e.undecided.len() == 1 {
                "1 file has".to_owned()
            } else {
                format!("{} files have", e.undecided.len())
            };
            format!("{files} the word {name}, and whether they mean it isn't known: look at its references")
        },
    },
    Rule {
        missing: |e| e.tests.is_empty() && !e.callers.is_empty(),
        abstains: false,
        says: |e| {
            let name = e.definition.as_ref().map_or("it", |(name, _)| name);
            // Tests may mention another of its name.
            let is_asked_for = e.query.ends_with(name) && !e.query.contains(char::is_whitespace);
            let name = if is_asked_for { e.query.as_str() } else { name };
            format!("no test mentions {name}: search for its tests, or write one first")
        },
    },
    Rule {
        missing: |e| !e.stale.is_empty(),
        abstains: false,
        says: |e| {
            let first = e.stale.first().map_or("", String::as_str);
            format!("a memory about this may be out of date; check it, then update or forget it: {first}")
        },
    },
];

/// How many of the calling files were shown, and how many there are.
fn covered(e: &Evidence) -> (usize, usize) {
    let callers: BTreeSet<&String> = e.callers.iter().collect();
    let shown: BTreeSet<&String> = e.shown.iter().chain(e.definition.iter().map(|(_, file)| file)).collect();
    (callers.intersection(&shown).count(), callers.len())
}

/// The card for this evidence.
pub fn card(e: &Evidence) -> Card {
    let missing: Vec<&Rule> = RULES.iter().filter(|rule| (rule.missing)(e)).collect();
    let says: Vec<String> = missing.iter().map(|rule| (rule.says)(e)).collect();
    let (seen, all) = covered(e);
    let risk = match e.impact.len() {
        _ if e.in_circle => "high",
        0..=3 => "low",
        4..=10 => "medium",
        _ => "high",
    };
    let mut warnings: Vec<String> = e.failures.iter().take(3).cloned().collect();
    if e.in_circle && warnings.len() < 3 {
        warnings.push("the file is part of an import cycle".to_owned());
    }
    for conflict in e.conflicts.iter().take(3 - warnings.len().min(3)) {
        warnings.push(format!("{conflict}: the project uses both; ask which one to follow"));
    }
    let first = |list: &[Followed]| list.iter().take(3).map(Followed::to_string).collect::<Vec<_>>();
    let patterns = (!e.preferred.is_empty() || !e.avoided.is_empty())
        .then(|| DoAvoid { preferred: first(&e.preferred), avoid: first(&e.avoided) });
    let mut details = e.impact.clone();
    details.sort();
    details.truncate(LISTED);
    Card {
        ready: missing.is_empty(),
        definition: e.definition.clone().map(|(name, file)| Judged { name, file, line: e.line }),
        abstain: missing.iter().any(|rule| rule.abstains),
        next_action: says.first().cloned(),
        warnings,
        patterns,
        best_example: e.best_example.clone(),
        health: e.health.as_ref().and_then(FileHealth::reasons),
        impact: e.definition.is_some().then(|| Impact {
            coverage: format!("{seen}/{all} callers in results"),
            files: details.iter().take(3).map(|r| r.file.clone()).collect(),
            details,
            risk,
        }),
        what_would_help: says.into_iter().take(4).collect(),
    }
}

#[cfg(test)]
mod tests;
