//! A hit: its confidence, and whether it's about what was asked.

use serde::Serialize;

use super::scoring::{self, Components};
use crate::domain::Memory;

/// The minimum score for high confidence.
const HIGH: f64 = 0.6;
/// The minimum score for medium confidence.
const MEDIUM: f64 = 0.35;

/// How many of a question's words besides amounts, and what share of all, a memory must have to be about its subject.
const SHARED_WORDS: usize = 3;
const MIN_SHARED: f64 = 0.5;
/// The same where one of the words is a name.
const SHARED_WITH_NAME: usize = 2;
const MIN_SHARED_WITH_NAME: f64 = 0.32;
/// The same where an identifier is in both.
const MIN_SHARED_WITH_IDENTIFIER: f64 = 0.24;

/// The confidence of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Some of the question matches.
    Low,
    /// Much of the question matches.
    Medium,
    /// Most of the question matches.
    High,
}

/// A hit.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// How well it answers, 0 to 1, comparable between questions; `None` in a list.
    pub score: Option<f64>,
    /// The parts of the score; `None` in a list.
    pub components: Option<Components>,
}

impl Hit {
    /// The confidence; `None` in a list.
    pub fn confidence(&self) -> Option<Confidence> {
        self.score.map(|score| match score {
            score if score >= HIGH => Confidence::High,
            score if score >= MEDIUM => Confidence::Medium,
            _ => Confidence::Low,
        })
    }

    /// Whether nothing but a rare word of a long question found it.
    pub fn has_rare_word_only(&self) -> bool {
        let is_rare = |has: Components| has.identifiers == 0 && has.context < scoring::MIN_COVERAGE;
        self.components.is_some_and(|has| has.words > 0 && is_rare(has))
    }

    /// Whether it has enough of the question's words, or rare enough ones, that this can't be an accident, although the
    /// question has more words: `openocd fails since I updated to 0.12`.
    pub fn shares_subject(&self) -> bool {
        self.components.is_some_and(|has| {
            has.coverage >= MIN_SHARED && has.content >= SHARED_WORDS
                || has.names > 0 && has.coverage >= MIN_SHARED_WITH_NAME && has.content >= SHARED_WITH_NAME
                || has.identifiers > 0 && has.coverage >= MIN_SHARED_WITH_IDENTIFIER
        })
    }
}

/// A page of hits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HitPage {
    /// The hits, best first; newest first in a list.
    pub hits: Vec<Hit>,
    /// The number of hits on all pages.
    pub total: u64,
    /// The next page's offset; `None` after the last page.
    pub next: Option<usize>,
}
