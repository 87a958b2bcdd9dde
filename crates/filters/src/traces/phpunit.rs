//! PHPUnit's errors and failures, where they are too many for the room: a list of the tests by file, with each message once. Data sets of
//! one test that say the same share a row.

use super::failed_tests::{Failed, list};
use crate::cap::ends_of;
use crate::{Left, normal};

/// Fewer failures are easier to read as they are.
const FEW: usize = 8;

/// Whether a list of failures may begin with `line`: `There were 3 errors:`, `There was 1 risky test:`.
pub(crate) fn begins(line: &str) -> bool {
    let rest = line.strip_prefix("There were ").or_else(|| line.strip_prefix("There was "));
    rest.and_then(|rest| rest.strip_suffix(':')).is_some_and(|rest| {
        let (count, what) = rest.split_once(' ').unwrap_or_default();
        !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) && !what.contains(':')
    })
}

/// Where the failures of each of several runs begin.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    let mut all = Vec::new();
    let mut has_ended = true;
    for (at, line) in lines.iter().enumerate() {
        if !begins(line) {
            has_ended |= is_end(line);
        } else if std::mem::take(&mut has_ended) {
            all.push(at);
        }
    }
    all
}

/// The line above a run's totals.
fn is_end(line: &str) -> bool {
    matches!(line, "FAILURES!" | "ERRORS!" | "WARNINGS!") || line.starts_with("OK, but")
}

/// The report `text` in about `room` bytes.
pub(crate) fn phpunit(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let first = lines.iter().position(|line| begins(line))?;
    // An earlier run without failures may have ended like that, too.
    let end = first + lines[first..].iter().position(|line| is_end(line))?;
    let mut failed: Vec<Test<'_>> = Vec::new();
    let mut headings = String::new();
    for line in &lines[first..end] {
        if begins(line) {
            headings += &format!("{line}\n");
        } else if let Some(name) = numbered(line) {
            failed.push(Test { name, lines: Vec::new() });
        } else if let (Some(test), false) = (failed.last_mut(), *line == "--") {
            test.lines.push(line);
        }
    }
    if failed.len() < FEW {
        return None;
    }
    let failed: Vec<Failed<'_>> = failed.iter().map(Test::in_a_list).collect();
    let texts = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let before = ends_of(&texts(&lines[..first]), room / 8) + &headings;
    let behind = ends_of(&texts(&lines[end..]), room / 6);
    let list = list(&failed, room.checked_sub(before.len() + behind.len())?)?;
    Some((format!("{before}{list}{behind}"), Vec::new()))
}

/// A test with what the report says about it.
struct Test<'t> {
    name: &'t str,
    lines: Vec<&'t str>,
}

/// The name behind `12) `.
fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix(") ").filter(|name| rest.len() < line.len() && !name.is_empty())
}

impl<'t> Test<'t> {
    fn in_a_list(&self) -> Failed<'t> {
        // The last place is the test's own.
        let place = self.lines.iter().rev().find_map(|line| {
            let (file, at) = line.trim().rsplit_once(':')?;
            (file.contains(['/', '\\']) && !at.is_empty() && at.bytes().all(|b| b.is_ascii_digit()))
                .then_some((file, at))
        });
        let (file, at) = place.unwrap_or_default();
        let message = self.lines.iter().skip_while(|line| line.trim().is_empty());
        let wording: Vec<&str> =
            message.map(|line| line.trim()).take_while(|line| !line.is_empty()).take(2).collect();
        Failed { file, at, name: self.name, wording: wording.join(" "), ..Failed::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::phpunit;

    #[test]
    fn too_many_are_a_list() {
        let mut text = String::from(
            "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\nEEEE\n\nThere were 60 errors:\n\n",
        );
        for n in 1..=60 {
            text += &format!(
                "{n}) Shop\\CartTest::testTotal with data set #{n} ('a long value that says little', {n}, false)\nTypeError: assertContains(): Argument #2 must be of type array\n\n/home/ana/shop/src/Cart.php:{n}\n/home/ana/shop/test/CartTest.php:26\n\n"
            );
        }
        text += "--\n\nThere was 1 failure:\n\n1) Shop\\OrderTest::testCode\nFailed asserting that 8 is identical to 9.\n\n/home/ana/shop/test/OrderTest.php:16\n\nERRORS!\nTests: 80, Assertions: 70, Errors: 60, Failures: 1.\n";
        let (short, _) = phpunit(&text, 6_000).unwrap();
        assert!(short.len() <= 6_000, "{}", short.len());
        for fact in [
            "There were 60 errors:",
            "There was 1 failure:",
            "×60: TypeError: assertContains(): Argument #2 must be of type array",
            "/home/ana/shop/test/CartTest.php",
            "OrderTest::testCode",
            "8 is identical to 9",
            "Tests: 80, Assertions: 70",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert_eq!(phpunit(&text, 90_000), None);
    }
}
