//! Tokens by a public tokenizer. Claude has none, so these are o200k's, which OpenAI's models use; for Claude's there is an
//! estimate, which is marked as one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use anyhow::{Result, anyhow};
use serde_json::Value;
use tiktoken_rs::CoreBPE;

/// Which tokenizer counts.
pub(crate) const NAME: &str = "o200k_base (OpenAI's; Claude has no public tokenizer)";
/// The estimate for Claude's tokens.
pub(crate) const ESTIMATE: &str = "Claude's are estimated as a token for 3.5 characters";

pub(crate) struct Tokens(CoreBPE);

impl Tokens {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self(tiktoken_rs::o200k_base().map_err(|error| anyhow!("{error}"))?))
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.0.encode_ordinary(text).len()
    }
}

/// Claude's tokens of a text with so many characters, as its maker's documentation has one count them.
pub(crate) fn claude_estimate(chars: usize) -> usize {
    chars * 2 / 7
}

/// Counts the texts of requests, of which each repeats the one before.
pub(crate) struct Counter {
    tokens: Tokens,
    known: HashMap<(u64, usize), usize>,
}

impl Counter {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self { tokens: Tokens::new()?, known: HashMap::new() })
    }

    /// Tokens and characters of every text and key in `value`.
    pub(crate) fn all(&mut self, value: &Value) -> (usize, usize) {
        let add = |(a, b): (usize, usize), (c, d): (usize, usize)| (a + c, b + d);
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().fold((0, 0), |sum, item| add(sum, self.all(item))),
            Value::Object(members) => members.iter().fold((0, 0), |sum, (key, member)| {
                let key = self.text(key);
                add(add(sum, key), self.all(member))
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => (1, 1),
        }
    }

    fn text(&mut self, text: &str) -> (usize, usize) {
        let mut hash = DefaultHasher::new();
        text.hash(&mut hash);
        let tokens = &self.tokens;
        let count = *self.known.entry((hash.finish(), text.len())).or_insert_with(|| tokens.count(text));
        (count, text.chars().count())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Counter, claude_estimate};

    #[test]
    fn texts_and_keys_are_counted_at_each_occurrence() {
        let mut counter = Counter::new().expect("the tokenizer");
        let (one, chars) = counter.all(&json!({"text": "hello world"}));
        assert_eq!((one, chars), (3, 15));
        let many = counter.all(&json!([{"text": "hello world"}, {"text": "hello world"}]));
        assert_eq!(many, (2 * one, 2 * chars));
        assert_eq!(claude_estimate(35), 10);
    }
}
