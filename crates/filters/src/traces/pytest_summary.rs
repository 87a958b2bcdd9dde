//! The summary that pytest closes a report with, a line for each failed test. Owns which of its lines head a failure, so that none is
//! shown twice.

use std::collections::{HashMap, HashSet};

use super::pytest_report::is_rule;
use crate::guard::has_words;

/// What its heading says.
pub(super) const SUMMARY: &str = "= short test summary info =";

/// The lines of the closing summary, which become headings.
pub(super) struct Summary<'t> {
    lines: Vec<Line<'t>>,
    /// Its lines by their word and test, as its id and as a failure's heading names it; the last one first.
    by_test: HashMap<String, Vec<usize>>,
    /// The report's lines that are about a failure with its heading.
    shown: HashSet<usize>,
}

/// A line for a failed test, and where its message ends: with `-vv` that has all the lines that the failure has.
struct Line<'t> {
    at: usize,
    end: usize,
    text: &'t str,
    used: bool,
}

impl Line<'_> {
    /// The test's id, and what comes before it.
    fn test(&self) -> Option<(&str, &str)> {
        let (word, rest) = self.text.split_at(self.text.find(' ')? + 1);
        Some((word, id_and_message(rest).0))
    }
}

/// The report's lines above its summary, which has a failure's message as these do: those of errors, and others.
pub(super) struct FailureLines<'t> {
    errors: HashSet<&'t str>,
    others: HashSet<&'t str>,
}

impl<'t> FailureLines<'t> {
    pub(super) fn new(lines: &[&'t str]) -> Self {
        let (mut errors, mut others) = (HashSet::new(), HashSet::new());
        for line in lines.iter().copied().take(summary_at(lines).unwrap_or(lines.len())) {
            match line.strip_prefix("E ") {
                Some(error) => errors.insert(error.trim()),
                None => others.insert(line.trim()),
            };
        }
        Self { errors, others }
    }

    /// Whether a line below one of the summary's goes on with its message. What a plugin prints there isn't in any failure, and a run's
    /// totals may be in what a test printed.
    pub(super) fn goes_on(&self, line: &str) -> bool {
        let bare = line.trim();
        line.is_empty() || self.errors.contains(bare) || line.starts_with("  ") && self.others.contains(bare)
    }
}

/// A test's id in a line of the summary behind its first word, and the message.
pub(super) fn id_and_message(rest: &str) -> (&str, &str) {
    let (id, message) = rest.split_once(" - ").unwrap_or((rest, ""));
    if !id.contains('[') {
        return (id, message);
    }
    // A value of a test may have such a mark, too: `test_total[2 - 3] - assert …`, `test_total[a[0] - 1] - assert …`.
    let (mut depth, mut from) = (0i64, 0);
    let mut is_closed = |end: usize| {
        for byte in rest[from..end].bytes() {
            depth += i64::from(byte == b'[') - i64::from(byte == b']');
        }
        from = end;
        depth == 0
    };
    let ends = rest.match_indices("] - ").map(|(at, _)| at + 1).find(|end| is_closed(*end));
    match ends.or_else(|| rest.find("] - ").map(|at| at + 1)) {
        Some(end) => (&rest[..end], &rest[end + " - ".len()..]),
        None if rest.ends_with(']') => (rest, ""),
        None => (id, message),
    }
}

fn summary_at(lines: &[&str]) -> Option<usize> {
    lines.iter().rposition(|line| is_rule(line) && line.contains(SUMMARY))
}

impl<'t> Summary<'t> {
    pub(super) fn new(lines: &[&'t str]) -> Self {
        let (from, above) = (summary_at(lines), FailureLines::new(lines));
        let named = lines.iter().enumerate().skip(from.map_or(lines.len(), |from| from + 1));
        let named = named.filter(|(_, line)| line.starts_with("FAILED ") || line.starts_with("ERROR "));
        let line = |(at, text): (usize, &&'t str)| {
            let more = lines[at + 1..].iter().take_while(|line| above.goes_on(line)).count();
            Line { at, end: at + 1 + more, text, used: false }
        };
        let lines: Vec<Line<'t>> = named.map(line).collect();
        let mut by_test: HashMap<String, Vec<usize>> = HashMap::new();
        for (nth, line) in lines.iter().enumerate().rev() {
            let Some((word, id)) = line.test() else { continue };
            by_test.entry(format!("{word}{id}")).or_default().push(nth);
            if let Some((_, test)) = id.split_once("::") {
                by_test.entry(format!("{word}{}", test.replace("::", "."))).or_default().push(nth);
            }
        }
        Self { lines, by_test, shown: HashSet::new() }
    }

    pub(super) fn is_shown(&self, at: usize) -> bool {
        self.shown.contains(&at)
    }

    /// Whether nothing of the summary below its own heading remains to be shown.
    pub(super) fn all_shown(&self, from: usize, lines: &[&str]) -> bool {
        (from..lines.len()).take_while(|at| !is_rule(lines[*at])).all(|at| self.is_shown(at))
    }

    /// The heading of a failure with its first `error`, from the first line of the summary that is about it.
    pub(super) fn heading(&mut self, name: &str, error: &str) -> Option<String> {
        let (word, before, name) = match name.strip_prefix("ERROR ") {
            Some(rest) => match rest.split_once(" of ") {
                Some((when, test)) => ("ERROR ", format!("{when} of "), test),
                None => ("ERROR ", "collecting ".to_owned(), rest.strip_prefix("collecting ")?),
            },
            None => ("FAILED ", String::new(), name),
        };
        let of_test = self.by_test.get_mut(&format!("{word}{name}"))?;
        while of_test.last().is_some_and(|nth| self.lines[*nth].used) {
            of_test.pop();
        }
        let line = self.lines.get_mut(*of_test.last()?)?;
        let rest = line.text.strip_prefix(word)?;
        let (id, _) = id_and_message(rest);
        let heading = match error {
            "" => format!("{word}{before}{rest}"),
            error => format!("{word}{before}{id} - {error}"),
        };
        // Text that was cut there is whole here.
        if !has_words(&heading, line.text.trim_end_matches('.')) {
            return None;
        }
        line.used = true;
        self.shown.extend(line.at..line.end);
        Some(heading)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pytest::pytest;
    use super::{Summary, id_and_message};

    /// Each is found at once, however many there are; a test that failed twice has two lines.
    #[test]
    fn each_of_many_failures_has_its_line() {
        let line = |n: usize| format!("FAILED t.py::T::test_{} - assert {n} == 1", n / 2);
        let mut lines = vec![format!("{:=^80}", " short test summary info ")];
        lines.extend((0..60_000).map(line));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut summary = Summary::new(&lines);
        for n in 0..60_000 {
            assert!(!summary.is_shown(n + 1));
            assert_eq!(summary.heading(&format!("T.test_{}", n / 2), ""), Some(line(n)));
        }
        assert!(summary.all_shown(1, &lines));
        assert_eq!(summary.heading("T.test_7", ""), None);
    }

    #[test]
    fn what_is_printed_below_the_summary_stays() {
        let (mut text, mut summary) = (format!("{:=^80}\n", " FAILURES "), String::new());
        for n in 10..50 {
            let heading = format!(" test_total{n} ");
            text += &format!(
                "{heading:_^80}\n\n    def test_total{n}():\n>       assert total() == {n}\nE       assert 7 == {n}\nE         \nE         since May\nE       and June\n\ntests/test_cart.py:{n}: AssertionError\n"
            );
            summary += &format!(
                "FAILED tests/test_cart.py::test_total{n} - assert 7 == {n}\n  \n  since May\nand June\n"
            );
        }
        let info = format!("{:=^80}\n", " short test summary info ");
        let text = text + &info + &summary + "\n  Coverage: 41% of 90 needed\n40 failed in 0.12s\n";
        for room in [24_000, 5_000, 4_000] {
            let (out, _) = pytest(&text, room).unwrap();
            assert!(out.len() <= room && out.contains("\n  Coverage: 41% of 90 needed\n"), "{room}: {out}");
            assert!(!out.contains("\n  since May") && !out.contains("\nand June"), "{room}: {out}");
        }
    }

    #[test]
    fn an_id_ends_where_its_values_do() {
        for (rest, id, message) in [
            ("t.py::test_a - assert [1] - 2", "t.py::test_a", "assert [1] - 2"),
            ("t.py::test_a[2 - 3] - assert 1 - 2", "t.py::test_a[2 - 3]", "assert 1 - 2"),
            ("t.py::test_a[2 - 3]", "t.py::test_a[2 - 3]", ""),
            ("t.py::test_a[é-3] - [XPASS(strict)] no", "t.py::test_a[é-3]", "[XPASS(strict)] no"),
            ("t.py::test_a[2 - 3", "t.py::test_a[2", "3"),
            ("t.py::test_a[b[0] - 1] - assert c[2] - 3", "t.py::test_a[b[0] - 1]", "assert c[2] - 3"),
            ("t.py::test_a[[] - assert 1 - 2", "t.py::test_a[[]", "assert 1 - 2"),
            ("t.py", "t.py", ""),
        ] {
            assert_eq!(id_and_message(rest), (id, message), "{rest}");
        }
    }

    /// As `pytest -vv` prints it: the summary has the whole of each message.
    #[test]
    fn a_message_is_told_once_and_its_lines_that_differ_stay() {
        let (mut text, mut summary) = (format!("{:=^80}\n", " FAILURES "), String::new());
        for n in 0..3 {
            let first = format!("AssertionError: assert 'line 0' == 'line {n}'");
            let heading = format!(" test_text{n} ");
            let compared: Vec<String> = (0..60)
                .map(|i| if i == 33 { format!("- line {n}x33\n+ line 33") } else { format!("  line {i}") })
                .collect();
            let compared = compared.join("\n");
            let lines = |before: &str| -> String {
                compared.lines().map(|line| format!("{before}{line}\n")).collect()
            };
            text += &format!(
                "{heading:_^80}\n\n    def test_text{n}():\n>       assert a == b{n}\nE       {first}\n{}\ntests/test_vv.py:{n}7: AssertionError\n",
                lines("E         ")
            );
            summary += &format!("FAILED tests/test_vv.py::test_text{n} - {first}\n\n{}", lines("  "));
        }
        let info = format!("{:=^80}\n", " short test summary info ");
        let text = text + &info + &summary + &format!("{:=^80}\n", " 3 failed in 0.12s ");
        for room in [24_000, 1_500] {
            let (out, _) = pytest(&text, room).unwrap();
            assert!(out.len() <= room && out.contains(" 3 failed in 0.12s "), "{room}: {out}");
            assert!(!out.contains("short test summary"), "{room}: {out}");
            for n in 0..3 {
                assert_eq!(out.matches(&format!("- line {n}x33\n")).count(), 1, "{room}: {out}");
            }
        }
    }
}
