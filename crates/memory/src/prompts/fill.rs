//! Fills parsed texts. Values are inserted once and never parsed as placeholders. Owns how values are escaped, and how
//! large a filled text may be.

use std::fmt::Write as _;

use contract::Sentence;
use serde_json::{Map, Value};

use super::messages;
use super::piece::{Piece, of_item};

/// Maximum length of a filled text.
const MAX_FILLED_BYTES: usize = 10_000_000;
/// The cost of each loop item besides its text, so that a loop without any text also reaches the limit.
const ITEM_BYTES: usize = 16;

/// How values are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// Not at all.
    #[default]
    Plain,
    /// As XML text.
    Xml,
}

/// The text of these parts with these values.
pub(super) fn filled(
    pieces: &[Piece],
    values: &Map<String, Value>,
    output: Output,
) -> Result<String, Sentence> {
    let mut filling = Filling { values, output, out: String::new(), left: MAX_FILLED_BYTES };
    filling.pieces(pieces, &[])?;
    Ok(filling.out)
}

struct Filling<'a> {
    values: &'a Map<String, Value>,
    output: Output,
    out: String,
    /// How much more it may have.
    left: usize,
}

impl Filling<'_> {
    fn pieces(&mut self, pieces: &[Piece], items: &[(&str, &Value)]) -> Result<(), Sentence> {
        let values = self.values;
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.put(text)?,
                Piece::Value(name) => {
                    let own = items.iter().rev().find_map(|(list, item)| match of_item(name, list) {
                        Some(field) => Some(field.split('.').fold(*item, |value, key| &value[key])),
                        None => (name == "this").then_some(*item),
                    });
                    if let Some(value) = own.or_else(|| values.get(name)) {
                        let text = plain(value);
                        match self.output {
                            Output::Plain => self.put(&text)?,
                            Output::Xml => self.put(&escaped(&text))?,
                        }
                    }
                }
                Piece::Each(list, inner) => {
                    for item in values.get(list).and_then(Value::as_array).into_iter().flatten() {
                        self.count(ITEM_BYTES)?;
                        self.pieces(inner, &[items, &[(list, item)]].concat())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, text: &str) -> Result<(), Sentence> {
        self.count(text.len())?;
        self.out.push_str(text);
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), Sentence> {
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| messages::template_too_large(MAX_FILLED_BYTES))?;
        Ok(())
    }
}

/// A value as text.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(all) if all.iter().all(Value::is_string) => {
            all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Escapes for XML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML can't represent these.
            c if c.is_control() && !matches!(c, '\n' | '\t' | '\r') => {
                let _ = write!(out, "\u{fffd}");
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Template;
    use super::*;

    fn filled_with(text: &str, items: usize) -> Result<String, Sentence> {
        let values = json!({"items": vec!["x"; items]});
        Template::parse(text).unwrap().fill(values.as_object().unwrap(), Output::Plain)
    }

    /// Four loops over a list of a thousand are a million million turns.
    #[test]
    fn loops_that_multiply_end_with_an_error() {
        for inner in ["", "{{this}}", "text"] {
            let nested = format!("{}{inner}{}", "{{#each items}}".repeat(4), "{{/each}}".repeat(4));
            assert!(filled_with(&nested, 5).is_ok_and(|text| text.len() <= 625 * inner.len()), "{inner}");
            let error = filled_with(&nested, 1_000).unwrap_err();
            assert!(error.to_string().contains("10000000"), "{error}");
        }
        assert_eq!(filled_with("{{#each items}}{{this}}{{/each}}", 1_000).unwrap().len(), 1_000);
    }
}
