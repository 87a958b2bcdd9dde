//! A row of the ledger: what a call would have cost the conversation, what it did cost, and how that is known.

use serde::{Deserialize, Serialize};

use crate::values::{clean, int};

/// The longest name of a tool, a filter or a tokenizer that is kept, in characters.
const MAX_TOOL: usize = 100;

/// The tool of the row that says what the list of our tools costs a conversation.
pub const TOOL_LIST: &str = "tool list";

/// The tool of rows that say what a hook put into a conversation.
pub const HOOK: &str = "hook";

/// The tool of rows that say what a note about an earlier part of the session cost.
pub const NOTE: &str = "note";

/// Rows of these tools are costs and no calls.
pub(crate) const COSTS: [&str; 3] = [TOOL_LIST, HOOK, NOTE];

/// The tokenizer of rows whose tokens are estimated from their bytes ([`text::tokens_estimate`]).
pub const ESTIMATE: &str = "plimsoll-4b";

/// Whether tokens of this tokenizer are estimated. The names of our own estimates begin alike, also of later ones.
pub(crate) fn is_estimate(tokenizer: &str) -> bool {
    tokenizer.starts_with("plimsoll-")
}

/// How the figures of a row are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Nothing was kept out (a search, text that the model itself sent): the row saves nothing.
    #[default]
    None,
    /// Both sizes were counted.
    Measured,
    /// The size of what was kept out is a guess.
    Estimated,
}

impl Class {
    pub(crate) fn to_sql(self) -> i64 {
        match self {
            Class::None => 0,
            Class::Measured => 1,
            Class::Estimated => 2,
        }
    }

    pub(crate) fn from_sql(value: i64) -> Class {
        match value {
            1 => Class::Measured,
            2 => Class::Estimated,
            _ => Class::None,
        }
    }
}

/// One call. All sizes in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRow {
    /// The session, as the agent names it.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// The tool.
    pub tool: String,
    /// What the conversation would have got without us.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// How `raw_bytes` is known.
    pub class: Class,
    /// Whether the call did what it was asked.
    pub ok: bool,
    /// What we put into the conversation besides (tool list, notes, nudges).
    pub overhead_bytes: u64,
    /// Time that we took, in microseconds.
    pub elapsed_us: u64,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The filter that shortened an output; empty when none did.
    #[serde(default)]
    pub filter: String,
    /// `raw_bytes` in tokens of `tokenizer`.
    #[serde(default)]
    pub tokens_raw: u64,
    /// `returned_bytes` in tokens of `tokenizer`.
    #[serde(default)]
    pub tokens_returned: u64,
    /// The tokenizer that counted: a public one of the model's family, or [`ESTIMATE`]. Empty when nobody has
    /// counted; the tokens are then estimated when the row is written.
    #[serde(default)]
    pub tokenizer: String,
}

impl LedgerRow {
    /// What the call kept out of the conversation: negative if it made things longer, 0 if it failed.
    pub fn saved_bytes(&self) -> i64 {
        match (self.ok, self.class) {
            (false, _) | (_, Class::None) => 0,
            _ => int(self.raw_bytes).saturating_sub(int(self.returned_bytes)),
        }
    }

    /// The same without secrets, and with tokens.
    pub(crate) fn cleaned(&self) -> Self {
        let row = Self {
            tool: clean(&self.tool, MAX_TOOL),
            filter: clean(&self.filter, MAX_TOOL),
            tokenizer: clean(&self.tokenizer, MAX_TOOL),
            ..self.clone()
        };
        row.estimated()
    }

    /// The same with estimated tokens if nobody has counted them.
    pub(crate) fn estimated(self) -> Self {
        if !self.tokenizer.is_empty() {
            return self;
        }
        Self {
            tokens_raw: estimate(self.raw_bytes),
            tokens_returned: estimate(self.returned_bytes),
            tokenizer: ESTIMATE.to_owned(),
            ..self
        }
    }
}

fn estimate(bytes: u64) -> u64 {
    text::tokens_estimate(usize::try_from(bytes).unwrap_or(usize::MAX)) as u64
}
