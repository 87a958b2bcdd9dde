//! The fixtures of each test (`pytest --fixtures-per-test`): each fixture once, with its place and its documentation, and
//! the tests below the fixtures that they use. Owns the form of these lines.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::pytest_report::push;
use crate::Left;
use crate::counted::counted;
use crate::normal;

/// In front of a test's name.
const USED_BY: &str = "fixtures used by ";

/// Whether a line names a test above its fixtures.
pub(crate) fn begins(line: &str) -> bool {
    titled(line).is_some_and(|title| title.starts_with(USED_BY))
}

/// A fixture, by the line that names it with its place.
struct Fixture<'t> {
    line: &'t str,
    name: &'t str,
    /// Its documentation, as it's set in.
    about: Vec<&'t str>,
}

/// A test with the numbers of its fixtures.
struct Test<'t> {
    name: &'t str,
    /// `(tests/test_cart.py:12)`, where that is printed.
    place: &'t str,
    uses: Vec<usize>,
}

#[derive(Default)]
struct Report<'t> {
    fixtures: Vec<Fixture<'t>>,
    at: HashMap<&'t str, usize>,
    tests: Vec<Test<'t>>,
    /// Lines about fixtures that were printed for a test before.
    again: usize,
    before: Vec<&'t str>,
    after: Vec<&'t str>,
}

/// `text` with each fixture once, and of its documentation the first line if that takes more than `room` bytes.
pub(crate) fn fixtures_per_test(text: &str, room: usize) -> Option<Left> {
    let report = read(text)?;
    let mut out = report.text(usize::MAX);
    if out.len() > room {
        out = report.text(1);
    }
    Some((out, vec![("lines about the same fixtures", report.again)]))
}

fn read(text: &str) -> Option<Report<'_>> {
    let mut report = Report::default();
    // The fixture that documentation belongs to, and whether it was known.
    let mut fixture: Option<(usize, bool)> = None;
    let mut ended = false;
    for line in normal::lines(text) {
        if let Some(test) = titled(line).and_then(|title| title.strip_prefix(USED_BY)).filter(|_| !ended) {
            report.tests.push(Test { name: test, place: "", uses: Vec::new() });
            fixture = None;
            continue;
        }
        let Some(test) = report.tests.last_mut() else {
            report.before.push(line);
            continue;
        };
        if ended || line.starts_with("===") {
            ended = true;
            report.after.push(line);
            continue;
        }
        if let Some(place) = titled(line).filter(|_| test.place.is_empty() && test.uses.is_empty()) {
            test.place = place;
        } else if let Some(name) = fixture_name(line) {
            let known = report.at.get(line).copied();
            let at = known.unwrap_or_else(|| {
                report.fixtures.push(Fixture { line, name, about: Vec::new() });
                report.fixtures.len() - 1
            });
            report.at.insert(line, at);
            report.again += usize::from(known.is_some());
            test.uses.push(at);
            fixture = Some((at, known.is_some()));
        } else if line.trim().is_empty() {
            // Between tests, or a paragraph's end.
        } else if let Some((at, known)) = fixture.filter(|_| line.starts_with("    ")) {
            match report.fixtures.get_mut(at) {
                Some(fixture) if !known => fixture.about.push(line),
                _ => report.again += 1,
            }
        } else {
            // Something else was printed between tests: the order says what it belongs to.
            return None;
        }
    }
    (report.again > 0).then_some(report)
}

impl Report<'_> {
    /// The report with at most `most` lines of each fixture's documentation.
    fn text(&self, most: usize) -> String {
        let mut out = String::new();
        self.before.iter().for_each(|line| push(&mut out, line));
        out.push_str("fixtures:\n");
        let mut gone = 0;
        for fixture in &self.fixtures {
            push(&mut out, fixture.line);
            fixture.about.iter().take(most).for_each(|line| push(&mut out, line));
            gone += fixture.about.len().saturating_sub(most);
        }
        if gone > 0 {
            let _ = writeln!(out, "… {} of documentation not shown", counted(gone, "lines"));
        }
        let mut order: Vec<&[usize]> = Vec::new();
        let mut alike: HashMap<&[usize], Vec<&Test<'_>>> = HashMap::new();
        for test in &self.tests {
            let tests = alike.entry(&test.uses).or_insert_with(|| {
                order.push(&test.uses);
                Vec::new()
            });
            tests.push(test);
        }
        let labels = self.labels();
        out.push_str("tests below the fixtures that they use:\n");
        for uses in order {
            let names: Vec<&str> = uses.iter().filter_map(|at| labels.get(*at).copied()).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let _ = writeln!(out, "{names}:");
            for test in alike.get(uses).into_iter().flatten() {
                let _ = writeln!(out, "  {} {}", test.name, test.place);
            }
        }
        self.after.iter().for_each(|line| push(&mut out, line));
        out
    }

    /// The fixtures' names; where another file has one of the same name, with their places.
    fn labels(&self) -> Vec<&str> {
        let mut many: HashMap<&str, usize> = HashMap::new();
        for fixture in &self.fixtures {
            *many.entry(fixture.name).or_default() += 1;
        }
        let labels = self.fixtures.iter().map(|fixture| match many.get(fixture.name) {
            Some(1) => fixture.name,
            _ => fixture.line,
        });
        labels.collect()
    }
}

/// The words of `------ fixtures used by test_sum[tea] ------`.
fn titled(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let title = line.strip_prefix('-')?.strip_suffix('-')?.trim_matches('-');
    let words = title.strip_prefix(' ')?.strip_suffix(' ')?.trim();
    (!words.is_empty()).then_some(words)
}

/// The name in `cart -- tests/conftest.py:12`, with or without a scope.
fn fixture_name(line: &str) -> Option<&str> {
    let (head, place) = line.split_once(" -- ")?;
    let name = head.split(' ').next().filter(|name| !name.is_empty())?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (_, number) = place.trim_end().rsplit_once(':')?;
    (plain && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::fixtures_per_test;
    use crate::{FilterSet, check, shorten};

    fn report() -> String {
        let cart = "cart -- tests/conftest.py:12\n    A cart with a tea.\n    \n    Its price can raise a KeyError.\n";
        let test = |n: usize| {
            format!(
                "\n------------------------ fixtures used by test_sum[tea{n}] -------------------------\n------------------------- (tests/test_cart.py:{n}) -------------------------\n{cart}shop -- ../shop/plugin.py:306\n    no docstring available\n"
            )
        };
        let tests: String = (20..50).map(test).collect();
        format!(
            "============================= test session starts ==============================\nplatform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0\nrootdir: /home/ana/shop\ncollected 31 items\n{tests}\n- fixtures used by test_tax -\n- (tests/test_tax.py:9) -\n{cart}\n============================ no tests ran in 0.02s =============================\n"
        )
    }

    #[test]
    fn each_fixture_is_told_once_and_each_test_is_named_below_its_fixtures() {
        let text = report();
        let (out, left) = fixtures_per_test(&text, 8_000).unwrap();
        assert_eq!(out.matches("cart -- tests/conftest.py:12\n").count(), 1, "{out}");
        assert_eq!(out.matches("Its price can raise a KeyError.").count(), 1, "{out}");
        assert!(out.contains("cart, shop:\n  test_sum[tea20] (tests/test_cart.py:20)\n"), "{out}");
        assert!(
            out.contains(
                "  test_sum[tea49] (tests/test_cart.py:49)\ncart:\n  test_tax (tests/test_tax.py:9)\n"
            ),
            "{out}"
        );
        assert!(
            out.contains("collected 31 items\n")
                && out.ends_with(" no tests ran in 0.02s =============================\n"),
            "{out}"
        );
        // Two lines of the shop and three of the cart for each test but the first, and the cart once more.
        assert_eq!(left, [("lines about the same fixtures", 29 * 5 + 3)]);
        let (out, _) = fixtures_per_test(&text, 1_000).unwrap();
        assert!(out.contains("    A cart with a tea.\nshop -- "), "{out}");
        assert!(out.contains("\n… 1 line of documentation not shown\ntests below"), "{out}");
    }

    #[test]
    fn the_filter_for_pytest_lists_fixtures_and_keeps_the_laws() {
        let set = FilterSet::builtin();
        let text = report();
        for command in ["pytest --fixtures-per-test", "make fixtures"] {
            let done = shorten(&set, command, Some(0), &text).unwrap();
            assert!(
                done.text.contains("collected 31 items") && done.text.len() * 2 < text.len(),
                "{}",
                done.text
            );
            let wrong = check::laws(check::form(&done.filter, command), &text, Some(&done));
            assert!(wrong.is_empty(), "{command}: {wrong:?}\n{}", done.text);
        }
        let done = shorten(&set, "pytest --fixtures-per-test", Some(0), &text).unwrap();
        assert!(
            done.text.contains("cart, shop:\n  test_sum[tea20] (tests/test_cart.py:20)\n"),
            "{}",
            done.text
        );
    }

    #[test]
    fn a_fixture_of_the_same_name_in_another_file_is_another_one() {
        let text = report().replacen(
            "(tests/test_tax.py:9) -\ncart -- tests/conftest.py:12",
            "(tests/test_tax.py:9) -\ncart -- tests/test_tax.py:3",
            1,
        );
        let (out, _) = fixtures_per_test(&text, 8_000).unwrap();
        assert!(out.contains("cart -- tests/test_tax.py:3:\n  test_tax (tests/test_tax.py:9)\n"), "{out}");
        assert!(out.contains("cart -- tests/conftest.py:12, shop:\n  test_sum[tea20]"), "{out}");
    }

    #[test]
    fn other_text_between_tests_stays_where_it_is() {
        let text = report().replacen(
            "\n- fixtures used by test_tax",
            "\nprinted by a plugin\n- fixtures used by test_tax",
            1,
        );
        assert!(fixtures_per_test(&text, 8_000).is_none());
        assert!(fixtures_per_test("collected 3 items\n", 8_000).is_none());
    }
}
