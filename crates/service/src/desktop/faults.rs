//! What the page says went wrong in it, as a line for the log: without what was searched for, and without secrets.

use contract::desktop::PageFault;

/// The longest complaint that is logged, in bytes.
const LONGEST: usize = 8_000;

/// The line for the log.
pub fn fault_line(fault: &PageFault) -> String {
    let screen = fault.screen.split('?').next().unwrap_or_default();
    // Whole first: a secret that was cut in half is not recognised.
    let text = text::redact(&fault.text);
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default();
    format!("the window failed at {}: {text}", screen.chars().take(100).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_logged_without_what_was_searched_for_and_without_end() {
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!("RangeError: bad locale {secret}\n{}", "  at screen\n".repeat(10_000));
        let line = fault_line(&PageFault { screen: "knowledge?q=my+diary".into(), text });
        assert!(line.starts_with("the window failed at knowledge: RangeError: bad locale"), "{line}");
        assert!(!line.contains("diary") && !line.contains(&secret), "{line}");
        assert!(line.len() < 9_000, "{}", line.len());
    }
}
