//! Formats an error report from the page as a log line without search terms or secrets.

use contract::desktop::PageFault;

/// Size limit of a logged report in bytes.
const LONGEST: usize = 8_000;

/// The log line.
pub fn fault_line(fault: &PageFault) -> String {
    let screen = fault.screen.split('?').next().unwrap_or_default();
    // Redact before cutting: half a secret isn't recognised.
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
