//! What a transcript tells: tokens that a model response cost, and outputs that a tool put into the
//! conversation. Owns the two records, their units and the keys by which a repeated record is recognised. Does
//! not know any agent's format.

use serde::{Deserialize, Serialize};

/// Tokens, in the same sense for every agent: the four kinds never overlap, so that their sum is everything
/// that the model was charged for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Prompt tokens that came from no cache and went into none.
    pub input: u64,
    /// Answer tokens, reasoning included.
    pub output: u64,
    /// Prompt tokens read from the provider's cache.
    pub cache_read: u64,
    /// Prompt tokens written to the provider's cache.
    pub cache_write: u64,
}

impl Tokens {
    /// From a format whose prompt count includes what was read from and written to the cache.
    pub fn inclusive(prompt: u64, output: u64, cache_read: u64, cache_write: u64) -> Self {
        let input = prompt.saturating_sub(cache_read).saturating_sub(cache_write);
        Self { input, output, cache_read, cache_write }
    }

    /// Whether nothing was counted.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// All four kinds together.
    pub fn total(&self) -> u64 {
        [self.output, self.cache_read, self.cache_write].into_iter().fold(self.input, u64::saturating_add)
    }

    /// Per kind the larger count: a response that is recorded while it streams grows with each record.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        self.zip(other, u64::max)
    }

    /// Per kind the sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    /// Per kind the difference, never below zero.
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

/// Names a response or a tool result, the same in every copy of it. 64 bits of a BLAKE3 hash: stable over
/// versions and systems, so that it may be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key(pub u64);

impl Key {
    /// The key of a record that these parts name together.
    pub fn of(agent: &str, parts: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(agent.as_bytes());
        for part in parts {
            // The length keeps ("ab", "c") and ("a", "bc") apart.
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Self(u64::from_le_bytes(first))
    }
}

/// How far one [`Usage`] reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// One response of the model.
    Response,
    /// Everything that a model did in the session until then. Holds only where the session has no
    /// [`Reach::Response`]; a later one replaces an earlier one.
    Session,
}

/// What a response of a model cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// The agent's id.
    pub agent: &'static str,
    /// The agent's id of the session; a subagent counts to the session that started it where the format says so.
    pub session: String,
    /// The model as the agent names it; empty when the format does not say.
    pub model: String,
    /// The tool that this response called, where the format says it and it called just one kind.
    pub tool: Option<String>,
    /// Milliseconds since 1970, UTC; 0 when the format does not say.
    pub at_ms: i64,
    /// The tokens.
    pub tokens: Tokens,
    /// Names the response. Of two records with one key the larger counts hold; they are never added.
    pub key: Key,
    /// Names the response without the request it answered, for finding copies of it in a subagent's record.
    pub alias: Option<Key>,
    /// Whether it stands in a subagent's record.
    pub sidechain: bool,
    /// One response, or a whole session.
    pub reach: Reach,
}

/// What a tool put into the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// The agent's id.
    pub agent: &'static str,
    /// The agent's id of the session.
    pub session: String,
    /// When it was recorded, milliseconds since 1970, UTC; 0 when the format does not say.
    pub at_ms: i64,
    /// The tool, as the agent names it; empty when its call was not seen.
    pub tool: String,
    /// The command, when the tool ran one; cut at [`crate::COMMAND_BYTES`].
    pub command: Option<String>,
    /// The output as the model saw it, without the agent's own frame around it.
    pub text: String,
    /// Exit code of the command, where the format says it.
    pub exit: Option<i32>,
    /// Names the result, the same in every copy of it.
    pub key: Key,
}

/// One thing that a transcript tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Tokens.
    Usage(Usage),
    /// An output.
    Shown(Shown),
}

impl Record {
    /// When it happened, milliseconds since 1970, UTC; 0 when unknown.
    pub fn at_ms(&self) -> i64 {
        match self {
            Self::Usage(usage) => usage.at_ms,
            Self::Shown(shown) => shown.at_ms,
        }
    }
}
