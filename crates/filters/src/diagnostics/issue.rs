//! Findings of bandit: the rule and the message first, then more details, the place last, and below it the source
//! with its numbers. Owns which of these lines add something to the rule's name.

use super::finding::Finding;
use super::place::place;

/// Lines between a message and its source at most, and lines of source.
const ABOUT: usize = 6;
const SOURCE: usize = 40;
/// The minimum length of a line that separates two findings.
const RULER: usize = 20;

/// `>> Issue: [B101:assert_used] message` with `   Location: src/cart.py:3:4` below it, and how many of the lines behind were used.
pub(super) fn issue<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    let (rule, message) = line.strip_prefix(">> Issue: [")?.split_once("] ")?;
    let about: Vec<&'t str> =
        rest.iter().take(ABOUT).take_while(|line| line.starts_with("   ")).map(|line| line.trim()).collect();
    let location = about.iter().find_map(|line| line.strip_prefix("Location: "))?;
    let found = place(location).filter(|found| found.sign == '\n')?;
    let severity = about.iter().copied().find(|line| line.starts_with("Severity: ")).unwrap_or_default();
    let more = about.iter().copied().filter(|line| line.starts_with("CWE: ")).collect();
    let behind = rest.get(about.len()..)?;
    let beside: Vec<&'t str> =
        behind.iter().copied().take(SOURCE).take_while(|line| is_numbered(line)).collect();
    let mut used = about.len() + beside.len();
    let blank = |used: usize| rest.get(used).is_some_and(|line| line.trim().is_empty());
    let ruler = |used: usize| {
        rest.get(used).is_some_and(|line| line.len() >= RULER && line.bytes().all(|byte| byte == b'-'))
    };
    used += usize::from(blank(used));
    used += usize::from(ruler(used));
    let (file, at) = (found.file, found.at);
    Some((Finding { file, at, severity, rule, message, times: 1, more, beside }, used))
}

/// `39<tab>    assert total`.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with(['\t', ' ']))
}

/// The value of a line of such a finding, without its label.
pub(super) fn wording(line: &str) -> Option<&str> {
    [">> Issue: ", "   Location: "].iter().find_map(|name| line.strip_prefix(name))
}

#[cfg(test)]
mod tests {
    use super::issue;

    #[test]
    fn a_finding_ends_with_its_source_and_the_ruler_below() {
        let rest = [
            "   Severity: Low   Confidence: High",
            "   CWE: CWE-78 (https://cwe.mitre.org/data/definitions/78.html)",
            "   More Info: https://bandit.readthedocs.io/en/1.9.4/plugins/b603.html",
            "   Location: src/cart.py:275:24",
            "274\t    new = 1",
            "275\t    call(new)",
            "276\t",
            "",
            "--------------------------------------------------",
            ">> Issue: [B404:blacklist] Consider what it does.",
        ];
        let (found, used) =
            issue(">> Issue: [B603:subprocess] subprocess call - check it.", &rest).expect("a finding");
        assert_eq!((found.file, &*found.at, found.rule), ("src/cart.py", "275:24", "B603:subprocess"));
        assert_eq!(found.severity, "Severity: Low   Confidence: High");
        assert_eq!(found.message, "subprocess call - check it.");
        assert_eq!(found.more, ["CWE: CWE-78 (https://cwe.mitre.org/data/definitions/78.html)"]);
        assert_eq!((found.beside.len(), used), (3, 9));
    }

    #[test]
    fn a_message_without_a_place_is_not_a_finding() {
        let line = ">> Issue: [B603:subprocess] subprocess call";
        assert_eq!(issue(line, &["   Severity: Low   Confidence: High", "", "   Location: a.py:3:1"]), None);
        assert_eq!(issue("Issue: [B603] x", &["   Location: a.py:3:1"]), None);
        let (_, used) = issue(line, &["   Location: a.py:3:1"]).expect("a finding");
        assert_eq!(used, 1);
    }
}
