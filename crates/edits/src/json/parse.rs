//! Parses JSON exactly as strictly as the agent, with every node's byte range.
//!
//! `jsonc-parser` gives the ranges; `serde_json` has the last word on the grammar, on a copy of the text in which the
//! comments and trailing commas that the dialect allows are blanked. Both must agree, so a file that the agent would
//! reject (a raw tab in a string, an exotic blank) isn't edited "successfully" here.

use crate::Refusal;
use crate::edit::Dialect;
use crate::splice::position;
use jsonc_parser::ast::Value;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;
use std::borrow::Cow;

/// The text for the parser: same length, same offsets. A lone surrogate (`\ud83d` without its partner, which JavaScript
/// writes when it cuts a string inside an emoji) is legal for agents but not in Rust strings, so the parser sees
/// `\ufffd`. The file's own bytes aren't touched.
pub fn mask_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut lone: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(offset) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += offset;
        match unit(bytes, at) {
            Some(high @ 0xD800..=0xDBFF) => match unit(bytes, at + 6) {
                Some(0xDC00..=0xDFFF) => at += 12,
                _ => {
                    debug_assert!(high < 0xDC00);
                    lone.push(at);
                    at += 6;
                }
            },
            Some(0xDC00..=0xDFFF) => {
                lone.push(at);
                at += 6;
            }
            _ => at += 2,
        }
    }
    if lone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for start in lone {
        out.push_str(&text[from..start]);
        out.push_str("\\ufffd");
        from = start + 6;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// The UTF-16 unit of the escape `\uXXXX` at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    if !escape.starts_with(b"\\u") || !escape[2..].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
}

/// Parses a text that [`mask_surrogates`] returned. `None`: only white space and allowed comments.
pub(super) fn parse(text: &str, dialect: Dialect) -> Result<Option<Value<'_>>, Refusal> {
    let options = ParseOptions {
        allow_comments: dialect != Dialect::Json,
        allow_trailing_commas: dialect == Dialect::Jsonc,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let result = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let (line, column) = position(text, error.range().start);
        Refusal::Syntax { line, column, reason: error.kind().to_string() }
    })?;
    if result.value.is_some() {
        let plain =
            if dialect == Dialect::Json { Cow::Borrowed(text) } else { blank_comments(text, dialect) };
        serde_json::from_str::<IgnoredAny>(&plain).map_err(|error| Refusal::Syntax {
            line: error.line(),
            column: error.column(),
            reason: without_position(&error.to_string()),
        })?;
    }
    Ok(result.value)
}

fn without_position(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(head, _)| head).to_owned()
}

/// A parsed text with its comments and, where the dialect allows them, trailing commas replaced by blanks.
fn blank_comments(text: &str, dialect: Dialect) -> Cow<'_, str> {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    let mut last_comma = None;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                last_comma = None;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while at < bytes.len() && !matches!(bytes[at], b'\n' | b'\r') {
                    bytes[at] = b' ';
                    at += 1;
                }
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = bytes[at + 2..].windows(2).position(|pair| pair == b"*/");
                let end = end.map_or(bytes.len(), |n| at + n + 4);
                for byte in &mut bytes[at..end] {
                    if !matches!(byte, b'\n' | b'\r') {
                        *byte = b' ';
                    }
                }
                at = end;
                continue;
            }
            b',' => last_comma = Some(at),
            b'}' | b']' => {
                if let Some(comma) = last_comma.take()
                    && dialect == Dialect::Jsonc
                {
                    bytes[comma] = b' ';
                }
            }
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => last_comma = None,
        }
        at += 1;
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The name of a value's type with its article, for messages.
pub(super) fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "a boolean",
        Value::Object(_) => "an object",
        Value::Array(_) => "an array",
        Value::NullKeyword(_) => "null",
    }
}
