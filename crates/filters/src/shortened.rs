//! A shortened output: the text that is left, the filter that did it, and what was left out, with the line that says so.

use std::fmt::Write as _;

use crate::counted::counted;

/// The name under which the filter for unknown commands is listed and switched off.
pub const GENERIC: &str = "generic";

/// A shortened output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shortened {
    /// What is left.
    pub text: String,
    /// The filter that did it.
    pub filter: String,
    /// What was left out, by the filter's own words: `("tests passed", 4012)`.
    pub left_out: Vec<(String, usize)>,
}

impl Shortened {
    /// The text with its closing line: what was left out, and where the whole is (`full: plimsoll://task/…`).
    #[must_use]
    pub fn with_address(&self, address: Option<&str>) -> String {
        let mut out = self.text.trim_end_matches('\n').to_owned();
        let mut closing = String::new();
        if !self.left_out.is_empty() {
            let parts: Vec<String> =
                self.left_out.iter().map(|(what, count)| counted(*count, what)).collect();
            closing = format!("left out: {}", parts.join(", "));
        }
        if let Some(address) = address {
            let joint = if closing.is_empty() { "" } else { "; " };
            let _ = write!(closing, "{joint}full: {address}");
        }
        if !closing.is_empty() {
            if !out.is_empty() {
                out.push('\n');
            }
            let _ = write!(out, "[{closing}]");
        }
        out.push('\n');
        out
    }
}
