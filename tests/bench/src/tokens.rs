//! Tokens by a public tokenizer. Claude has none, so these are o200k's, which OpenAI's models use.

use anyhow::{Result, anyhow};
use tiktoken_rs::CoreBPE;

/// Which tokenizer counts.
pub(crate) const NAME: &str = "o200k_base (OpenAI's; Claude has no public tokenizer)";

pub(crate) struct Tokens(CoreBPE);

impl Tokens {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self(tiktoken_rs::o200k_base().map_err(|error| anyhow!("{error}"))?))
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.0.encode_ordinary(text).len()
    }
}
