//! Source that a tool shows under a finding, down to a mark in the finding's column: a string over many lines is
//! shown whole. Owns finding where such source ends.

use super::finding::Finding;
use super::forms::at_place;

/// The maximum number of lines of such source.
const MOST_LINES: usize = 400;

/// How many of the lines behind `finding` are its source with the mark below it.
///
/// The mark is behind as many blanks as its column says, counted from where the source begins; where the column is beyond the
/// end of the first line, a blank line as long as that one comes before the mark.
pub(super) fn source_above_mark(finding: &Finding<'_>, rest: &[&str]) -> Option<usize> {
    let (_, column) = finding.at.split_once(':').filter(|_| !finding.rule.is_empty())?;
    let mut blanks = column.parse::<usize>().ok()?.checked_sub(1)?;
    for line in rest.iter().take(MOST_LINES) {
        match blanks.checked_sub(line.chars().count() + 1) {
            Some(left) => blanks = left,
            None => break,
        }
    }
    for (at, line) in rest.iter().copied().take(MOST_LINES).enumerate() {
        let before = line.trim_end().strip_suffix('^').filter(|before| before.trim().is_empty());
        if at > 0 && before.is_some_and(|before| before.chars().count() == blanks) {
            return Some(at + 1);
        }
        // The next finding begins before any mark came.
        if at_place(line).is_some_and(|(found, _)| !found.severity.is_empty() || !found.rule.is_empty()) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::source_above_mark;
    use crate::diagnostics::by_file_and_rule;
    use crate::diagnostics::forms::at_place;

    /// As flake8 prints it with `--show-source`: the text in quotes that a long line is in is shown whole.
    fn in_quotes(file: &str, line: usize) -> String {
        let long = "x".repeat(80);
        format!(
            "./{file}.py:{line}:80: E501 line too long (86 > 79 characters)\n    \"\"\"\n    {long}\n\n    ERROR: setup is missing\n    \"\"\"\n       \n{}^\n",
            " ".repeat(71)
        )
    }

    #[test]
    fn source_over_many_lines_ends_at_its_mark() {
        let text: String =
            (1..30).flat_map(|line| ["api", "jar"].map(|file| in_quotes(file, line * 7))).collect();
        for room in [1_500, 24_000] {
            let short = by_file_and_rule(&text, room).unwrap();
            assert!(short.matches("ERROR: setup").count() <= 2, "{room}: {short}");
            assert!(short.len() * 5 < text.len(), "{room}: {short}");
            for fact in ["E501", "./api.py", "./jar.py", "7:80", "203:80"] {
                assert!(short.contains(fact), "{room} {fact}: {short}");
            }
        }
    }

    #[test]
    fn only_a_mark_in_its_column_ends_a_source() {
        let whole = in_quotes("api", 7);
        let lines: Vec<&str> = whole.lines().collect();
        let (first, rest) = lines.split_first().unwrap();
        let (finding, _) = at_place(first).unwrap();
        assert_eq!(source_above_mark(&finding, rest), Some(7));
        let short = format!("{}^", " ".repeat(79));
        assert_eq!(source_above_mark(&finding, &["    jar = open(path)", short.as_str()]), None);
        let long = "y".repeat(90);
        assert_eq!(source_above_mark(&finding, &[long.as_str(), short.as_str()]), Some(2));
        let other = [long.as_str(), "./b.py:1:1: F401 'os' is unused", short.as_str()];
        // Another finding, or a mark elsewhere, isn't passed over.
        assert_eq!(source_above_mark(&finding, &other), None);
        assert_eq!(source_above_mark(&finding, &[long.as_str(), "    ^"]), None);
        assert_eq!(source_above_mark(&finding, &["Done."]), None);
    }

    /// What Zig prints of each error, the last lines of which have a place of their own.
    #[test]
    fn the_user_of_a_rejected_item_belongs_to_the_finding() {
        use super::super::finding::Piece;

        let text: String = (10..50)
            .map(|n| {
                format!(
                    "src/cart{n}.zig:{n}:13: error: use of undeclared identifier 'tax{n}'\n    const total = tax{n};\n                  ^~~~~\nreferenced by:\n    main: src/main.zig:{n}:9\n    remaining reference traces hidden; use '-freference-trace' to see all reference traces\n\n"
                )
            })
            .collect::<String>()
            + "Build Summary: 0/3 steps succeeded; 1 failed\n";
        let parts = super::super::parse::pieces(&text);
        assert!(matches!(&parts[..], [Piece::Findings(findings, _), Piece::Text(_)] if findings.len() == 40));
        assert!(super::super::is_list(&text));
        let short = by_file_and_rule(&text, 6_000).unwrap();
        for n in 10..50 {
            assert!(
                short.contains(&format!("src/cart{n}.zig")) && short.contains(&format!(" {n}:13")),
                "{short}"
            );
        }
        assert!(short.contains("0/3 steps succeeded") && short.len() <= 6_000, "{short}");
    }
}
