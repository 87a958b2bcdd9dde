//! TAP as `tape` and `tap` print it: failed assertions, each under the name of its test, with the expected and actual
//! value and the place. Passed assertions, their tests and the frames of the runner are dropped.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use super::subtests::{flatten, verdict};
use crate::cap::ends_of;
use crate::counted::counted;
use crate::diagnostics::place;
use crate::guard::is_foreign;
use crate::{Left, normal};

/// An assertion that failed.
struct Failure<'t> {
    /// Its test, and `not ok 81 should be equal`.
    test: &'t str,
    line: &'t str,
    below: Vec<&'t str>,
}

/// Whether the list of assertions may begin with `line`.
pub(crate) fn begins(line: &str) -> bool {
    line.starts_with("TAP version ") || verdict(line).is_some()
}

/// Where each of several reports begins: after the plan and the totals of the one before. Two copies of a runner in
/// one program both name the version, and have one plan.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    let mut begins = Vec::new();
    let mut end = Some(0);
    for (at, line) in lines.iter().enumerate() {
        // A plan may also be above its assertions.
        let goes_on = || {
            line.starts_with("  ") || verdict(line).is_some() || line.strip_prefix("# ").is_some_and(is_total)
        };
        if line.starts_with("TAP version ") {
            begins.extend(end.take());
        } else if is_plan(line) || end.is_some() && goes_on() {
            end = Some(at + 1);
        }
    }
    begins
}

/// The report `text` in about `room` bytes; `None` if it isn't TAP.
pub(crate) fn tap(text: &str, room: usize) -> Option<Left> {
    let flat = flatten(text);
    let lines: Vec<&str> = normal::lines(flat.as_deref().unwrap_or(text)).collect();
    let mut failures: Vec<Failure<'_>> = Vec::new();
    let (mut passed, mut at, mut test) = (0, 0, "");
    let (mut other, mut behind) = (String::new(), String::new());
    while let Some(line) = lines.get(at) {
        at += 1;
        match verdict(line) {
            // A test marked TODO or skipped gives its reason.
            Some(true) if line.split(" # ").skip(1).any(|told| !told.starts_with("time=")) => {
                push(&mut other, line);
            }
            Some(true) => {
                passed += 1;
                // Details of an assertion that passed.
                if lines.get(at).is_some_and(|next| next.trim() == "---") {
                    at += lines[at..].iter().position(|line| line.trim() == "...").map_or(0, |end| end + 1);
                }
            }
            Some(false) => {
                let end = end_of_details(&lines[at..], flat.is_some());
                let below = &lines[at..at + end];
                at += end;
                if is_expected(line) {
                    push(&mut other, line);
                    below.iter().for_each(|line| push(&mut other, line));
                } else {
                    failures.push(Failure { test, line, below: below.to_vec() });
                }
            }
            None => match line.strip_prefix("# ") {
                Some(total) if is_total(total) => push(&mut behind, line),
                Some(name) => test = name,
                None if line.trim().is_empty() || line.starts_with("TAP version ") || is_plan(line) => {}
                None => push(&mut other, line),
            },
        }
    }
    if passed + failures.len() == 0 {
        return None;
    }
    if passed > 0 {
        let _ = writeln!(behind, "… {passed} assertions that passed not shown");
    }
    let mut out = other.clone();
    let mut left = 0;
    let mut named = "";
    for failure in &failures {
        if failure.test != named {
            named = failure.test;
            if !named.is_empty() {
                push(&mut out, &format!("# {named}"));
            }
        }
        push(&mut out, failure.line);
        left += failure.write(&mut out);
    }
    if left > 0 {
        let _ = writeln!(out, "… {} of frames not shown", counted(left, "lines"));
    }
    if out.len() + behind.len() > room && failures.len() > 1 {
        // A test that failed because of one inside it is covered by that one.
        let outer: HashSet<&str> =
            failures.iter().filter_map(|failure| failure.test.split(" > ").next()).collect();
        let is_sum = |failure: &&Failure<'_>| {
            flat.is_some() && failure.test.is_empty() && outer.contains(asserted(failure.line))
        };
        let listed = failures.iter().filter(|failure| !is_sum(failure));
        let failed: Vec<Failed<'_>> = listed.map(Failure::in_a_list).collect();
        let other = ends_of(&other, room / 6);
        let details: usize = failures.iter().map(|failure| failure.below.len()).sum();
        let behind = format!("… {} of details not shown\n{behind}", counted(details, "lines"));
        if let Some(rows) = room.checked_sub(other.len() + behind.len()).and_then(|room| list(&failed, room))
        {
            return Some((other + &rows + &behind, Vec::new()));
        }
    }
    Some((out + &behind, Vec::new()))
}

/// How many lines belong to an assertion that failed: its block of details, or comments right below it. In a text that was made
/// `flat` the one right above another failed assertion is that one's path.
fn end_of_details(lines: &[&str], flat: bool) -> usize {
    if lines.first().is_some_and(|line| line.trim() == "---") {
        return lines.iter().position(|line| line.trim() == "...").map_or(lines.len(), |end| end + 1);
    }
    let comments = lines.iter().take_while(|line| line.starts_with("# ") && !is_total(&line[2..])).count();
    let is_path = flat && lines.get(comments).and_then(|line| verdict(line)) == Some(false);
    comments.saturating_sub(usize::from(is_path))
}

/// Whether an assertion is expected to fail: `not ok 3 rounds # TODO in May`, which isn't a failure.
fn is_expected(line: &str) -> bool {
    // Its duration may follow.
    let mut words = line.split(" # ").skip(1).filter_map(|directive| directive.get(..4));
    words.any(|word| word.eq_ignore_ascii_case("todo") || word.eq_ignore_ascii_case("skip"))
}

/// What `not ok 3 - adds up # time=1.20ms` asserts: `adds up`.
fn asserted(line: &str) -> &str {
    let rest = line.split_once("ok ").map_or(line, |(_, rest)| rest);
    let named = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches([' ', '-']);
    named.split(" # time=").next().unwrap_or(named)
}

/// `tests 12`, `pass 10`, `fail 2`, `ok`, `{ total: 27, pass: 16 }`.
fn is_total(text: &str) -> bool {
    if text.starts_with("{ total: ") {
        return true;
    }
    let mut words = text.split_whitespace();
    let named = words.next().is_some_and(|word| {
        [
            "tests",
            "pass",
            "fail",
            "skip",
            "todo",
            "ok",
            "suites",
            "time=",
            "failed",
            "cancelled",
            "duration_ms",
        ]
        .iter()
        .any(|total| word.starts_with(total))
    });
    named
        && words.next().is_none_or(|count| count.starts_with(|c: char| c.is_ascii_digit()))
        && words.next().is_none()
}

/// `1..12`
fn is_plan(line: &str) -> bool {
    line.split_once("..").is_some_and(|(from, to)| {
        [from, to].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

impl<'t> Failure<'t> {
    /// Its details without the marks around them, the frames of runners and the message that heads them again; how many are left out.
    fn write(&self, out: &mut String) -> usize {
        let mut left = 0;
        let mut in_stack = false;
        let mut frames = 0;
        let named = self.below.iter().find_map(|line| line.trim().strip_prefix("at: "));
        for line in &self.below {
            let printed = line.trim();
            if in_stack && !line.starts_with("    ") {
                in_stack = false;
            }
            if printed == "---" || printed == "..." || printed.is_empty() {
                continue;
            }
            if printed.starts_with("stack: ") {
                in_stack = true;
                continue;
            }
            let frame = printed.starts_with("at ");
            let told = frame && named.is_some_and(|named| printed.ends_with(named));
            if told
                || frame && (is_foreign(printed) || printed.contains("node:") || frames >= 3)
                || in_stack && !frame
            {
                left += 1;
                continue;
            }
            frames += usize::from(frame);
            push(out, line);
        }
        left
    }

    fn in_a_list(&self) -> Failed<'t> {
        let detail = |key: &str| -> Option<&'t str> {
            let at = self.below.iter().position(|line| line.trim_start().starts_with(key))?;
            let rest = self.below[at].trim_start().strip_prefix(key)?.trim();
            if rest.is_empty() || rest.starts_with('|') || matches!(rest, ">" | ">-" | ">+") {
                return self.below.get(at + 1).map(|line| line.trim());
            }
            Some(rest)
        };
        let where_ =
            detail("at:").or_else(|| self.below.iter().find_map(|line| line.trim().strip_prefix("at ")));
        let path = where_.map(|at| at.rsplit_once('(').map_or(at, |(_, path)| path.trim_end_matches(')')));
        let found = path.and_then(place);
        let (file, at) = match (&found, path) {
            (Some(found), Some(path)) => (found.file, path.get(found.file.len() + 1..).unwrap_or_default()),
            _ => ("", ""),
        };
        let wording = asserted(self.line);
        let first = |keys: &[&str]| {
            let has = |line: &&str| keys.iter().any(|key| line.trim_start().starts_with(key));
            self.below.iter().position(has)
        };
        // If a reason is given, the assertion's text is the name of a test. A value may also have a message.
        let is_reason = match (first(&["message:"]), first(&["actual:", "expected:", "diff:"])) {
            (Some(message), Some(value)) => message < value,
            (message, _) => message.is_some(),
        };
        if let Some(reason) = detail("message:").filter(|_| is_reason) {
            let reason = reason.trim_matches('"').to_owned();
            let mut suites: Vec<&str> = self.test.split(" > ").filter(|name| !name.is_empty()).collect();
            if suites.first().is_some_and(|first| file.ends_with(first)) {
                suites.remove(0);
            }
            return Failed { file, at, suites, name: wording, wording: reason, ..Failed::default() };
        }
        let mut wording = wording.to_owned();
        for (key, word) in [("expected:", "expected"), ("actual:", "got")] {
            if let Some(value) = detail(key) {
                let _ = write!(wording, "; {word} {value}");
            }
        }
        Failed {
            file,
            at,
            name: if self.test.is_empty() { self.line } else { self.test },
            wording,
            ..Failed::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tap;

    #[test]
    fn failures_are_below_their_test() {
        let text = "TAP version 13\n# adds\nok 1 one\n# takes away\nok 2 two\nnot ok 3 three\n  ---\n    operator: equal\n    expected: 1\n    actual:   2\n    at: Test.<anonymous> (/w/test/a.js:7:5)\n    stack: |-\n      Error: three\n          at Test.assert (/w/node_modules/tape/lib/test.js:5:4)\n          at Test.<anonymous> (/w/test/a.js:7:5)\n  ...\n# later\nok 4 four # SKIP no network\n\n1..4\n# tests 4\n# pass  3\n# fail  1\n";
        let (short, _) = tap(text, 4_000).unwrap();
        assert_eq!(
            short,
            "ok 4 four # SKIP no network\n# takes away\nnot ok 3 three\n    operator: equal\n    expected: 1\n    actual:   2\n    at: Test.<anonymous> (/w/test/a.js:7:5)\n… 3 lines of frames not shown\n# tests 4\n# pass  3\n# fail  1\n… 2 assertions that passed not shown\n"
        );
    }

    /// A TODO test fails without being a failure, and node counts cancelled tests.
    #[test]
    fn expected_failures_arent_in_the_list_of_failures() {
        let mut text = String::from(
            "TAP version 13\nnot ok 1 - rounds # TODO in May\n  ---\n  error: 'not yet'\n  ...\n",
        );
        for n in 2..40 {
            text += &format!(
                "not ok {n} - adds {n}\n  ---\n  expected: {n}\n  actual: 0\n  at: f (/w/test/a.js:{n}:5)\n  ...\n"
            );
        }
        text += "1..39\n# tests 40\n# fail 38\n# cancelled 1\n# todo 1\n# duration_ms 12.5\n";
        let (short, _) = tap(&text, 2_500).unwrap();
        let (before, list) = short.split_once("each failed test").unwrap_or_else(|| panic!("{short}"));
        assert!(before.contains("not ok 1 - rounds # TODO in May\n  ---\n  error: 'not yet'\n"), "{short}");
        assert!(!list.contains("rounds"), "{short}");
        for fact in ["# fail 38\n", "# cancelled 1\n", "# todo 1\n", "# duration_ms 12.5\n"] {
            assert!(list.contains(fact), "{fact}: {short}");
        }
    }

    /// As Vitest and node-tap report a file: before its tests, and after them.
    #[test]
    fn a_file_is_named_once_and_isnt_in_a_test_of_another_one() {
        let (mut braces, mut levels) = (String::from("TAP version 13\n"), String::from("TAP version 14\n"));
        for file in 1..9 {
            let failing: String = (10..20)
                .map(|n| {
                    format!(
                        "    not ok {n} - adds {file}{n}\n      ---\n      diff: |\n        -{n}\n      ...\n"
                    )
                })
                .collect();
            braces += &format!("not ok {file} - test/p{file}.js # time=2ms {{\n    1..9\n{failing}}}\n");
            levels +=
                &format!("# Subtest: test/p{file}.js\n{failing}not ok {file} - test/p{file}.js # time=2ms\n");
        }
        braces += "not ok 9 - test/broken.js # time=1ms {\n    1..1\n    ok 1 - waits # SKIP\n}\n";
        levels += "not ok 9 - test/broken.js # time=1ms\n1..9\n";
        for text in [braces, levels] {
            let (short, _) = tap(&text, 2_500).unwrap();
            let (_, list) = short.split_once("each failed test").unwrap_or_else(|| panic!("{short}"));
            assert!(!list.contains("not ok 2 ") && !list.contains("p8.js; "), "{short}");
            let broken = list.lines().find(|line| line.contains("not ok 9 - test/broken.js"));
            assert!(broken.is_some_and(|line| !line.contains("p8.js")), "{short}");
        }
    }

    /// As `tape` prints an object, and what runs may add behind a directive.
    #[test]
    fn a_message_key_inside_a_value_is_not_the_reason() {
        let mut text = String::from("TAP version 13\n# adds\nnot ok 1 rounds # TODO in May # time=1.20ms\n");
        for n in 2..40 {
            text += &format!(
                "not ok {n} should be equal\n  ---\n    operator: equal\n    expected: {n}\n    actual: |-\n      {{\n      message: 'no such price'\n    at: f (/w/test/a.js:{n}:5)\n  ...\n"
            );
        }
        let (short, _) = tap(&text, 2_500).unwrap();
        let (before, list) = short.split_once("each failed test").unwrap_or_else(|| panic!("{short}"));
        assert!(before.contains("rounds # TODO in May") && !list.contains("rounds"), "{short}");
        assert!(list.contains("should be equal; expected ") && !list.contains("no such price"), "{short}");
        // A reason over several lines begins below its key.
        let text = text.replace("    operator: equal\n", "    message: >-\n      no cart\n");
        assert!(tap(&text, 2_500).unwrap().0.contains(": no cart\n"));
    }

    /// As Vitest prints it with `--reporter=tap`.
    #[test]
    fn a_tests_duration_is_not_a_reason_to_show_it() {
        let mut text = String::from("TAP version 13\n1..1\nnot ok 1 - cart.test.js # time=9.00ms {\n");
        for n in 1..60 {
            text += &format!(
                "    ok {n} - adds {n} # time=0.{n}ms\n    not ok {n} - counts {n} # time=1.{n}ms\n        ---\n        error:\n            name: \"AssertionError\"\n            message: \"expected {n} to be 0\"\n        at: \"/w/test/cart.js:{n}:22\"\n        actual: \"{n}\"\n        expected: \"0\"\n        ...\n"
            );
        }
        text += "    ok 60 - waits # SKIP no network\n}\n";
        for room in [6_000, 24_000] {
            let (short, _) = tap(&text, room).unwrap();
            assert!(short.len() <= room && !short.contains("- adds 7 "), "{room}: {short}");
            assert!(short.contains("cart.test.js"), "{room}: {short}");
            assert!(
                short.contains("# SKIP no network") && short.contains("59 assertions that passed"),
                "{short}"
            );
            for n in 1..60 {
                assert!(
                    short.contains(&format!("counts {n}")) && short.contains(&format!("{n}:22")),
                    "{n}: {short}"
                );
            }
        }
    }

    #[test]
    fn failures_that_do_not_fit_are_counted_and_printed_lines_stay() {
        let mut text = String::from("TAP version 13\nconnected to the bank\n");
        for n in 1..60 {
            text += &format!(
                "# test {n}\nnot ok {n} equal\n  ---\n    expected: {n}\n    actual:   0\n    at: f (/w/test/a.js:{n}:5)\n  ...\n"
            );
        }
        let (short, _) = tap(&(text + "# tests 59\n# fail 59\n"), 3_000).unwrap();
        assert!(short.starts_with("connected to the bank\n") && short.len() <= 3_000, "{short}");
        assert!(short.contains("… 295 lines of details not shown\n# tests 59\n"), "{short}");
    }
}
