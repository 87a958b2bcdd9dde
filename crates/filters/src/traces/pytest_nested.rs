//! Sessions of pytest that a test started and whose output was captured, as tests of plugins do. Their rulers and
//! headings look like those of the report around them; the names in the last summary distinguish them.

use std::collections::HashSet;

use super::pytest_report::{heading, is_rule};
use super::pytest_summary::id_and_message;

const STARTS: &str = "test session starts";
const SUMMARY: &str = "short test summary info";
const WARNINGS: &str = "warnings summary";

/// The lines with empty ones in place of the rulers and headings of captured sessions; `None` where there is no such
/// session.
pub(super) fn without_captured_sessions<'t>(lines: &[&'t str]) -> Option<Vec<&'t str>> {
    let is = |line: &str, what: &str| is_rule(line) && line.contains(what);
    let sessions = lines.iter().filter(|line| is(line, STARTS)).count();
    let summaries = lines.iter().filter(|line| is(line, SUMMARY)).count();
    let last = lines.iter().rposition(|line| is(line, SUMMARY)).filter(|_| sessions > 1 || summaries > 1)?;
    let names: HashSet<String> = lines[last + 1..].iter().filter_map(|line| name(line)).collect();
    let inner = lines[..last].iter().rposition(|line| is(line, STARTS) || is(line, SUMMARY)).unwrap_or(0);
    let mut captured = false;
    let shown = lines.iter().enumerate().map(|(at, line)| {
        let own = heading(line)
            .is_some_and(|name| names.contains(name.rsplit_once(" of ").map_or(name, |(_, name)| name)));
        // The text after the last captured session belongs to the report again.
        captured &= at < last && !own && !(at > inner && is(line, WARNINGS));
        if captured && (is_rule(line) || heading(line).is_some()) {
            return "";
        }
        captured |= line.starts_with("---") && line.contains(" Captured ");
        *line
    });
    Some(shown.collect())
}

/// The test of a line of the summary, as headings call it.
fn name(line: &str) -> Option<String> {
    let id = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
    let (_, test) = id_and_message(id).0.split_once("::")?;
    Some(test.replace("::", "."))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::pytest::pytest;

    /// A report of forty tests with `values`, the first of which captured another session.
    fn report(values: &str) -> String {
        let rule = |name: &str| format!("{name:=^80}\n");
        let mut text = rule(" test session starts ") + "collected 40 items\n\n" + &rule(" FAILURES ");
        let mut summary = rule(" short test summary info ");
        for n in 0..40 {
            let heading = format!(" test_part_{n}{values} ");
            let _ = write!(
                text,
                "{heading:_^80}\n\n    def test_part_{n}():\n        x = {n}\n>       assert x == -1\nE       assert {n} == -1\n\ntest_parts.py:{n}3: AssertionError\n"
            );
            if n == 0 {
                let inner = rule(" test session starts ") + "collected 1 item\n\n" + &rule(" FAILURES ");
                let inner = inner
                    + &format!("{:_^80}\n", " test_in ")
                    + "E       assert 0\n\ntest_in.py:1: AssertionError\n";
                let inner =
                    inner + &rule(" short test summary info ") + "FAILED test_in.py::test_in - assert 0\n";
                let _ =
                    write!(text, "{:-^80}\n{inner}{}", " Captured stdout call ", rule(" 1 failed in 0.01s "));
            }
            let _ = writeln!(summary, "FAILED test_parts.py::test_part_{n}{values} - assert {n} == -1");
        }
        text + &summary + &rule(" 40 failed in 1.50s ")
    }

    #[test]
    fn a_captured_session_hides_no_failure_and_adds_none() {
        for room in [4_000, 9_000] {
            let (out, _) = pytest(&report(""), room).unwrap();
            for n in 0..40 {
                assert!(out.contains(&format!("test_part_{n}")), "{n} in {room}: {out}");
            }
            assert!(!out.contains("test_in.py::test_in\n") && out.contains("40 failed in 1.50s"), "{out}");
        }
        // A test's value may have what is before a message.
        let (out, _) = pytest(&report("[2 - 3]"), 9_000).unwrap();
        for n in 0..40 {
            let told = format!(
                "FAILED test_parts.py::test_part_{n}[2 - 3] - assert {n} == -1\n  test_parts.py:{n}3: AssertionError: "
            );
            assert!(out.contains(&told), "{n}: {out}");
        }
    }
}
