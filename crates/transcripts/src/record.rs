//! What a transcript contains: the tokens of a model's response, and a tool's output. Owns the two records, their units, and
//! the keys that identify a repeated record. Knows no agent's format.

use serde::{Deserialize, Serialize};

/// Tokens, with the same meaning for every agent: the four kinds never overlap, so their sum is everything that the model
/// was charged for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Prompt tokens that came from no cache and went into none.
    pub input: u64,
    /// Answer tokens, including reasoning.
    pub output: u64,
    /// Prompt tokens read from the provider's cache.
    pub cache_read: u64,
    /// Prompt tokens written to the provider's cache.
    pub cache_write: u64,
}

impl Tokens {
    /// From a format whose prompt count includes the cache's reads and writes.
    pub fn inclusive(prompt: u64, output: u64, cache_read: u64, cache_write: u64) -> Self {
        let input = prompt.saturating_sub(cache_read).saturating_sub(cache_write);
        Self { input, output, cache_read, cache_write }
    }

    /// Whether nothing was counted.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// The sum of all four kinds.
    pub fn total(&self) -> u64 {
        [self.output, self.cache_read, self.cache_write].into_iter().fold(self.input, u64::saturating_add)
    }

    /// The larger count per kind: a response that is recorded while it streams grows with each record.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        self.zip(other, u64::max)
    }

    /// The sum per kind.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    /// The difference per kind, never below zero.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.zip(other, u64::saturating_sub)
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            input: f(self.input, other.input),
            output: f(self.output, other.output),
            cache_read: f(self.cache_read, other.cache_read),
            cache_write: f(self.cache_write, other.cache_write),
        }
    }
}

/// Identifies a response or a tool result, the same in every copy. 64 bits of a BLAKE3 hash: stable across versions and
/// systems, so it may be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key(pub u64);

impl Key {
    /// The key of a record that these parts identify.
    pub fn of(agent: &str, parts: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(agent.as_bytes());
        for part in parts {
            // The length separates ("ab", "c") from ("a", "bc").
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Self(u64::from_le_bytes(first))
    }
}

/// What a [`Usage`] covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UsageScope {
    /// One response of the model.
    Response,
    /// Everything that a model did in the session so far. Used only if the session has no [`UsageScope::Response`]; a later
    /// one replaces an earlier one.
    Session,
}

/// The tokens of a model's response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// The agent's id.
    pub agent: &'static str,
    /// The agent's session id; a subagent counts for the session that started it if the format says so.
    pub session: String,
    /// The model as the agent names it; empty if unknown.
    pub model: String,
    /// The tool that this response called, if known and of one kind only.
    pub tool: Option<String>,
    /// Milliseconds since 1970, UTC; 0 if unknown.
    pub at_ms: i64,
    /// The tokens.
    pub tokens: Tokens,
    /// Identifies the response. Of two records with the same key, the larger counts apply; they are never added.
    pub key: Key,
    /// Identifies the response without its request, to find copies in a subagent's record.
    pub alias: Option<Key>,
    /// Whether it is in a subagent's record.
    pub sidechain: bool,
    /// One response, or a whole session.
    pub scope: UsageScope,
}

/// What a tool added to the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolOutput {
    /// The agent's id.
    pub agent: &'static str,
    /// The agent's session id.
    pub session: String,
    /// When it was recorded, milliseconds since 1970, UTC; 0 if unknown.
    pub at_ms: i64,
    /// The tool, as the agent names it; empty if its call wasn't seen.
    pub tool: String,
    /// The command, if the tool ran one; cut at [`crate::COMMAND_BYTES`].
    pub command: Option<String>,
    /// The output as the model saw it, without the agent's frame.
    pub text: String,
    /// The command's exit code, if the format has it.
    pub exit: Option<i32>,
    /// Identifies the result, the same in every copy.
    pub key: Key,
}

/// One entry of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Tokens.
    Usage(Usage),
    /// An output.
    ToolOutput(ToolOutput),
}

impl Record {
    /// When it happened, milliseconds since 1970, UTC; 0 if unknown.
    pub fn at_ms(&self) -> i64 {
        match self {
            Self::Usage(usage) => usage.at_ms,
            Self::ToolOutput(shown) => shown.at_ms,
        }
    }
}
