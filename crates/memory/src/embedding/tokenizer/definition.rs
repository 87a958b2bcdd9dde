//! Parses the used parts of a `tokenizer.json`, with size limits: the file is untrusted, and unused parts are skipped
//! without being stored.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Maximum number of tokens or merges.
const MAX_TOKENS: usize = 1_000_000;
/// Maximum number of values in the parts that describe how to split words.
const MAX_VALUES: usize = 4_000;
/// Maximum length of a quoted parser error.
const MAX_QUOTED: usize = 200;

/// The used parts of the file.
#[derive(Debug, serde::Deserialize)]
pub(super) struct TokenizerFile {
    pub(super) model: Model,
}

/// How words are split into tokens.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Model {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) unk_token: Option<String>,
    pub(super) unk_id: Option<usize>,
    pub(super) continuing_subword_prefix: Option<String>,
    pub(super) vocab: Option<Vocab>,
    pub(super) merges: Option<Merges>,
}

/// The tokens: with their ids, or in order with their scores.
#[derive(Debug)]
pub(super) enum Vocab {
    Numbers(HashMap<String, usize>),
    Scores(Vec<(String, f64)>),
}

/// The pairs to merge, in order of priority.
#[derive(Debug)]
pub(super) struct Merges(pub(super) Vec<(String, String)>);

/// The steps before tokenisation.
#[derive(Debug, Default, serde::Deserialize)]
pub(super) struct Preprocessing {
    #[serde(default)]
    pub(super) normalizer: Value,
    #[serde(default)]
    pub(super) pre_tokenizer: Value,
}

/// Parses the file's bytes.
///
/// # Errors
/// A description of the problem.
pub(super) fn read(bytes: &[u8]) -> Result<(Model, Preprocessing), String> {
    let wrong = |error: serde_json::Error| {
        let message: String =
            error.to_string().chars().filter(|c| !c.is_control()).take(MAX_QUOTED).collect();
        if error.is_data() { message } else { format!("it is not valid JSON: {message}") }
    };
    // Count the values first, so that a small file can't expand into a large tree.
    serde_json::from_slice::<SizeCheck>(bytes).map_err(wrong)?;
    let file: TokenizerFile = serde_json::from_slice(bytes).map_err(wrong)?;
    let before: Preprocessing = serde_json::from_slice(bytes).map_err(wrong)?;
    Ok((file.model, before))
}

#[derive(serde::Deserialize)]
struct SizeCheck {
    #[serde(default, rename = "normalizer")]
    _normalizer: ValueCount,
    #[serde(default, rename = "pre_tokenizer")]
    _pre_tokenizer: ValueCount,
}

/// The number of values in a JSON value.
#[derive(Default)]
struct ValueCount(usize);

impl ValueCount {
    fn and<E: Error>(self, more: usize) -> Result<Self, E> {
        let all = self.0 + more;
        if all > MAX_VALUES {
            Err(E::custom("its normalizer or pre-tokenizer is too long"))
        } else {
            Ok(Self(all))
        }
    }
}

impl<'de> Deserialize<'de> for ValueCount {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Counts;
        impl<'de> Visitor<'de> for Counts {
            type Value = ValueCount;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_bool<E>(self, _: bool) -> Result<ValueCount, E> {
                Ok(ValueCount(1))
            }
            fn visit_i64<E>(self, _: i64) -> Result<ValueCount, E> {
                Ok(ValueCount(1))
            }
            fn visit_u64<E>(self, _: u64) -> Result<ValueCount, E> {
                Ok(ValueCount(1))
            }
            fn visit_f64<E>(self, _: f64) -> Result<ValueCount, E> {
                Ok(ValueCount(1))
            }
            fn visit_str<E>(self, _: &str) -> Result<ValueCount, E> {
                Ok(ValueCount(1))
            }
            fn visit_unit<E>(self) -> Result<ValueCount, E> {
                Ok(ValueCount(1))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<ValueCount, A::Error> {
                let mut sum = ValueCount(1);
                while let Some(ValueCount(one)) = all.next_element()? {
                    sum = sum.and(one)?;
                }
                Ok(sum)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<ValueCount, A::Error> {
                let mut sum = ValueCount(1);
                while let Some((IgnoredAny, ValueCount(one))) = all.next_entry()? {
                    sum = sum.and(one)?;
                }
                Ok(sum)
            }
        }
        from.deserialize_any(Counts)
    }
}

const TOO_MANY: &str = "its vocab or its merges are longer than any static model's";

impl<'de> Deserialize<'de> for Vocab {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct SubwordModel;
        impl<'de> Visitor<'de> for SubwordModel {
            type Value = Vocab;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a vocab")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<Vocab, A::Error> {
                let mut out = HashMap::new();
                while let Some(word) = all.next_key()? {
                    let number: usize = all
                        .next_value()
                        .map_err(|_| A::Error::custom("its vocab has a number that isn't one"))?;
                    if number >= MAX_TOKENS {
                        return Err(A::Error::custom(TOO_MANY));
                    }
                    out.insert(word, number);
                }
                Ok(Vocab::Numbers(out))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vocab, A::Error> {
                let mut out: Vec<(String, f64)> = Vec::new();
                loop {
                    let next = all.next_element();
                    let wrong =
                        |_| A::Error::custom(format!("its vocab has no piece and score at {}", out.len()));
                    let Some(one) = next.map_err(wrong)? else { return Ok(Vocab::Scores(out)) };
                    out.push(one);
                    if out.len() > MAX_TOKENS {
                        return Err(A::Error::custom(TOO_MANY));
                    }
                }
            }
        }
        from.deserialize_any(SubwordModel)
    }
}

impl<'de> Deserialize<'de> for Merges {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Merges;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of merges")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Merges, A::Error> {
                let mut out = Vec::new();
                while let Some(Pair(a, b)) = all.next_element()? {
                    out.push((a, b));
                    if out.len() > MAX_TOKENS {
                        return Err(A::Error::custom(TOO_MANY));
                    }
                }
                Ok(Merges(out))
            }
        }
        from.deserialize_any(Pairs)
    }
}

/// Two tokens: `"a b"` or `["a", "b"]`.
struct Pair(String, String);

impl<'de> Deserialize<'de> for Pair {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Two;
        impl<'de> Visitor<'de> for Two {
            type Value = Pair;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("two pieces in its merges")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Pair, E> {
                let (a, b) = text
                    .split_once(' ')
                    .ok_or_else(|| E::custom("its merges have one that isn't two pieces"))?;
                Ok(Pair(a.to_owned(), b.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Pair, A::Error> {
                let short = || A::Error::custom("its merges have one that isn't two pieces");
                let a = all.next_element()?.ok_or_else(short)?;
                let b = all.next_element()?.ok_or_else(short)?;
                if all.next_element::<IgnoredAny>()?.is_some() { Err(short()) } else { Ok(Pair(a, b)) }
            }
        }
        from.deserialize_any(Two)
    }
}
