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
    /// The omissions, in the filter's own words: `("tests passed", 4012)`.
    pub left_out: Vec<(String, usize)>,
}

impl Shortened {
    /// The text with its closing line: what was left out, and the address of the whole (`full: plimsoll://task/…`).
    #[must_use]
    pub fn with_address(&self, address: Option<&str>) -> String {
        let mut out = self.text.trim_end_matches('\n').to_owned();
        let mut closing = String::new();
        let gone = self.left_out.iter().filter(|(_, count)| *count > 0);
        let parts: Vec<String> = gone.map(|(what, count)| counted(*count, what)).collect();
        if !parts.is_empty() {
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

#[cfg(test)]
mod tests {
    use super::Shortened;

    #[test]
    fn nothing_omitted_is_not_named() {
        let of = |left_out: &[(&str, usize)]| {
            let left_out = left_out.iter().map(|(what, count)| ((*what).to_owned(), *count)).collect();
            Shortened { text: "FAIL\n".into(), filter: "go-test".into(), left_out }.with_address(None)
        };
        assert_eq!(of(&[("tests passed", 3), ("frames", 0)]), "FAIL\n[left out: 3 tests passed]\n");
        assert_eq!(of(&[("frames", 0)]), "FAIL\n");
    }
}
