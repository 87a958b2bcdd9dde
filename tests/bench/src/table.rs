//! Figures in readable form: bytes, shares, a Markdown table.

/// `12,345`.
pub(crate) fn with_separators(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How much less `after` is than `before`: `96.2 %`; more is negative.
pub(crate) fn saved(before: usize, after: usize) -> String {
    format!("{:.1} %", share(before, after))
}

/// The same as a number.
#[expect(clippy::cast_precision_loss, reason = "bytes of a benchmark are far below 2^52")]
pub(crate) fn share(before: usize, after: usize) -> f64 {
    if before == 0 { 0.0 } else { 100.0 * (1.0 - after as f64 / before as f64) }
}

/// A Markdown table.
pub(crate) fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!("| {} |\n|{}|\n", head.join(" | "), vec!["---"; head.len()].join("|"));
    for row in rows {
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{saved, with_separators};

    #[test]
    fn figures_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(with_separators), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(saved(200, 8), "96.0 %");
        assert_eq!(saved(100, 110), "-10.0 %");
    }
}
