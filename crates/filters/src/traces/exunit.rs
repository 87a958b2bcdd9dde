//! ExUnit's failures if they don't fit the budget: a list of the tests by file, each with the line that failed and
//! its message.

use std::fmt::Write as _;

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::Left;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::normal;

/// Fewer failures are easier to read as they are.
const FEW: usize = 4;
/// The indentation of a failure's lines below the one with its name.
const INDENT: &str = "     ";
/// The maximum number of lines of a message in a list: the differences are in its last ones.
const LINES: usize = 4;

/// A failed test, and the report's text about it.
struct Failure<'t> {
    name: &'t str,
    lines: Vec<&'t str>,
}

/// Whether a failure may begin with `line`.
pub(crate) fn begins(line: &str) -> bool {
    name(line).is_some()
}

/// Where each of several runs begins: an umbrella's applications have one each.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    let with =
        |start: &str| -> Vec<usize> { (0..lines.len()).filter(|at| lines[*at].starts_with(start)).collect() };
    let begins = with("Running ExUnit with seed: ");
    if !begins.is_empty() {
        return begins;
    }
    // Older ones name the seed at their end.
    let ends = with("Randomized with seed ");
    let behind = ends.iter().take(ends.len().saturating_sub(1)).map(|end| end + 1);
    std::iter::once(0).chain(behind).collect()
}

/// The report `text` in about `room` bytes.
pub(crate) fn exunit(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut failures: Vec<Failure<'_>> = Vec::new();
    let (mut before, mut behind) = (String::new(), String::new());
    let mut left = 0;
    let mut at = 0;
    // A test may have printed the same before.
    let end = lines.iter().rposition(|line| line.starts_with("Finished in "))?;
    while let Some(line) = lines[..end].get(at) {
        at += 1;
        // Its place is on the next line.
        let goes_on = |name: &str| {
            lines.get(at).is_some_and(|line| match is_setup(name) {
                true => line.starts_with(INDENT),
                false => place(line).is_some(),
            })
        };
        let Some(name) = name(line).filter(|name| goes_on(name)) else {
            if !line.trim().is_empty() {
                push(&mut before, line);
            }
            continue;
        };
        let own = lines[at..end].iter().take_while(|line| line.starts_with(INDENT) || line.is_empty());
        let own: Vec<&str> = own.copied().collect();
        at += own.len();
        let own: Vec<&str> = own.into_iter().filter(|line| !line.trim().is_empty()).collect();
        left += own.len();
        failures.push(Failure { name, lines: own });
    }
    if failures.len() < FEW {
        return None;
    }
    lines[end..].iter().for_each(|line| push(&mut behind, line));
    let failed: Vec<Failed<'_>> = failures.iter().map(Failure::in_a_list).collect();
    let (before, behind) = (ends_of(&before, room / 6), ends_of(&behind, room / 6));
    let mut mark = String::new();
    let _ = writeln!(mark, "… {} of failures not shown", counted(left, "lines"));
    let list = list(&failed, room.checked_sub(before.len() + mark.len() + behind.len())?)?;
    Some((before + &list + &mark + &behind, Vec::new()))
}

/// The name in ` 12) test adds up (Shop.CartTest)` and in
/// `  3) Shop.CartTest: failure on setup_all callback, all tests have been invalidated`. Numbers are aligned to the
/// right.
fn name(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    let name = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = name.len() < rest.len() && line.len() - rest.len() < INDENT.len();
    let name = name.strip_prefix(") ").map(str::trim_end)?;
    (is_numbered && (name.ends_with(')') || is_setup(name))).then_some(name)
}

/// Whether a module's shared setup failed, which has no line.
fn is_setup(name: &str) -> bool {
    name.contains(": failure on setup_all callback")
}

/// The file and the line in `     test/cart_test.exs:12`, perhaps with more behind it.
fn place(line: &str) -> Option<(&str, &str)> {
    let (file, at) = line.strip_prefix(INDENT)?.trim_start().split_once(".exs:")?;
    let digits = at.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.trim_start();
    (digits > 0 && !file.contains(' ')).then(|| (&rest[..file.len() + ".exs".len()], &at[..digits]))
}

impl<'t> Failure<'t> {
    fn in_a_list(&self) -> Failed<'t> {
        let own = self.lines.first().and_then(|line| place(line));
        let rest = self.lines.get(usize::from(own.is_some())..).unwrap_or_default();
        let traced = rest.iter().skip_while(|line| line.trim() != "stacktrace:");
        let mut traced = traced.filter_map(|line| place(line));
        let (file, at) = match own {
            // The failed line of a test is more useful than its first line.
            Some((file, begins)) => (file, traced.find(|(of, _)| *of == file).map_or(begins, |(_, at)| at)),
            None => traced.next().unwrap_or_default(),
        };
        let message = rest.iter().map(|line| line.trim()).take_while(|line| *line != "stacktrace:");
        let wording: Vec<&str> = message.take(LINES).collect();
        let (name, module) = self.name.rsplit_once(" (").unwrap_or((self.name, ""));
        let module = module.trim_end_matches(')');
        let suites = if module.is_empty() { Vec::new() } else { vec![module] };
        Failed { file, at, suites, name, wording: wording.join(" "), ..Failed::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::{exunit, runs};
    use crate::traces::by_run;

    fn report(app: &str, many: usize) -> String {
        let mut text = format!("==> {app}\nRunning ExUnit with seed: 1, max_cases: 8\n\n.....\n\n");
        for n in 0..many {
            let number = format!("{})", n + 1);
            text += &format!(
                "{number:>4} test adds up the {n}th ({app}.CartTest)\n     test/cart_test.exs:{n}10\n     Assertion with == failed\n     code:  assert total() == {n}7\n     left:  {n}9\n     right: {n}7\n     stacktrace:\n       (shop 0.1.0) lib/shop.ex:15: Shop.total/0\n       test/cart_test.exs:{n}12: (test)\n\n"
            );
        }
        let number = format!("{})", many + 1);
        text + &format!(
            "{number:>4} test asks for a price ({app}.TillTest)\n     test/till_test.exs:8\n     ** (KeyError) key \"AUTUMN\" not found\n     code: assert price()\n     stacktrace:\n       test/till_test.exs:9: (test)\n\n..\nFinished in 0.3 seconds (0.2s async, 0.1s sync)\n80 tests, {} failures\n\n",
            many + 1
        )
    }

    #[test]
    fn too_many_failures_are_a_list_with_the_line_that_failed() {
        let text = report("Shop", 60);
        let (short, _) = exunit(&text, 6_000).unwrap();
        assert!(short.len() <= 6_000, "{}: {short}", short.len());
        assert!((0..60).all(|n| short.contains(&format!(" {n}12 a test adds up the {n}th"))), "{short}");
        for fact in ["Running ExUnit", "test/till_test.exs", " 9 b test asks", "key \"AUTUMN\" not found"] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert!(short.contains("80 tests, 61 failures") && short.contains("lines of failures not shown"));
        assert_eq!(exunit(&text, 90_000), None);
        assert_eq!(exunit(&report("Shop", 2), 300), None);
    }

    /// As Elixir 1.14 printed it, where numbers have up to three figures and a module has no tests because of its setup.
    #[test]
    fn a_real_report_keeps_each_failure() {
        let text = include_str!("../../tests/fixtures/runs/mix-test-many.txt");
        let (short, _) = exunit(text, 5_000).unwrap();
        assert!(short.len() <= 5_000, "{}: {short}", short.len());
        for n in 0..105 {
            assert!(
                short.split(['\n', ';']).any(|row| row.ends_with(&format!("test m {n}"))
                    || row.contains(&format!("test m {n} "))),
                "{n}: {short}"
            );
        }
        for fact in ["SetupTest: failure on setup_all callback", "db is down", "test/setup_test.exs\n 4 "] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert!(
            short.contains("Finished in 3 days") && short.contains("107 tests, 105 failures, 2 invalid"),
            "{short}"
        );
    }

    #[test]
    fn each_application_of_an_umbrella_has_its_own_list() {
        let text = report("shop", 20) + &report("till", 20);
        let (short, _) = by_run(&text, 5_000, runs, exunit).unwrap();
        let (first, second) = short.split_once("==> till").unwrap_or_else(|| panic!("{short}"));
        for part in [first, second] {
            assert!((0..20).all(|n| part.contains(&format!(" {n}12 a test adds up the {n}th"))), "{short}");
            assert_eq!(part.matches("80 tests, 21 failures").count(), 1, "{short}");
        }
        let old = "1 test, 1 failure\n\nRandomized with seed 1\n==> till\n1 test, 0 failures\n\nRandomized with seed 1\n";
        assert_eq!(runs(&old.lines().collect::<Vec<_>>()), [0, 3]);
    }
}
