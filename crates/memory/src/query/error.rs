//! Errors of the filter grammar. Each names the position and what is allowed there.

use contract::{LowerError, Sentence};

use super::messages;
use crate::domain::{InvalidPeriod, UnknownName};

/// A filter that couldn't be parsed; nothing was searched or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterError {
    /// The position of the error in characters, from 1.
    pub at: usize,
    /// The problem, and what is allowed.
    pub reason: Sentence,
}

impl LowerError for FilterError {
    fn message(&self) -> Sentence {
        messages::filter_at(self.at, self.reason.clone())
    }
}

impl std::fmt::Display for FilterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for FilterError {}

impl LowerError for UnknownName {
    fn message(&self) -> Sentence {
        messages::unknown_name(self.what, &self.given, &self.allowed)
    }
}

impl LowerError for InvalidPeriod {
    fn message(&self) -> Sentence {
        if self.what == "period" {
            messages::not_a_period(&self.given, self.example)
        } else {
            messages::not_a_moment(&self.given, self.example)
        }
    }
}
