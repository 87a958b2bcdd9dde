//! TAP whose tests contain tests, as node-tap prints it, and in braces as Vitest does: made flat, so that each assertion is
//! under the path of its test. A test that only failed because one inside it did is named on the outermost level alone.

use super::pytest_report::push;
use crate::normal;

/// The indent of each level.
const STEP: usize = 4;
/// Details that don't explain why an assertion failed.
const ASIDE: &[&str] = &[
    "at",
    "compare",
    "tapCaught",
    "test",
    "stdio",
    "cwd",
    "externalID",
    "command",
    "args",
    "exitCode",
    "signal",
];

/// The text without levels; `None` where it has none.
pub(super) fn flatten(text: &str) -> Option<String> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let is_inner = |line: &&&str| line.starts_with("    ") && verdict(line.trim_start()).is_some();
    lines.iter().find(is_inner)?;
    let mut out = String::new();
    // The names of the tests around a line.
    let mut path: Vec<&str> = Vec::new();
    let mut named = String::new();
    // The level of the previous verdict; one that is further out sums up the tests inside it.
    let mut before = 0;
    // With braces, a test's verdict comes before the tests inside it.
    let mut braces = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let level = (line.len() - line.trim_start().len()) / STEP;
        let inner = line.trim_start();
        if let Some(name) = inner.strip_prefix("# Subtest: ") {
            path.truncate(level);
            path.push(name);
            continue;
        }
        let is_open = || lines.get(at).is_some_and(|next| is_below(next, level));
        if let Some((name, line)) = opened(inner).filter(|_| is_open()) {
            braces = true;
            path.truncate(level);
            path.push(name);
            if level == 0 {
                if verdict(line) == Some(false) {
                    unnamed(&mut named, &mut out);
                }
                push(&mut out, line);
            }
            continue;
        }
        let Some(passed) = verdict(inner) else {
            if level == 0 && !inner.is_empty() && !(braces && inner == "}") {
                push(&mut out, line);
            }
            continue;
        };
        let sums_up = level < before && !braces;
        before = level;
        let details = details(&lines[at..]);
        at += details.len();
        if sums_up && (level > 0 || passed) {
            continue;
        }
        let heading = path[..level.min(path.len())].join(" > ");
        if !passed && !sums_up && heading != named {
            push(&mut out, &format!("# {heading}"));
            named = heading;
        }
        if !passed && sums_up {
            unnamed(&mut named, &mut out);
        }
        push(&mut out, inner);
        if !passed && !sums_up {
            write_details(details, &mut out);
        }
    }
    Some(out)
}

/// `ok 3 - name` or `not ok 3 name`: whether it passed.
pub(super) fn verdict(line: &str) -> Option<bool> {
    let (passed, rest) = match line.strip_prefix("not ok ") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok ")?),
    };
    rest.starts_with(|c: char| c.is_ascii_digit()).then_some(passed)
}

/// The name of the test that `not ok 1 - cart # time=66.60ms {` opens, and the line without the brace.
fn opened(line: &str) -> Option<(&str, &str)> {
    verdict(line)?;
    let line = line.strip_suffix(" {")?;
    let (_, named) = line.split_once(" - ")?;
    Some((named.split(" # ").next().unwrap_or(named), line))
}

/// The following lines are in none of the tests named above.
fn unnamed(named: &mut String, out: &mut String) {
    if !named.is_empty() {
        push(out, "# ");
        named.clear();
    }
}

/// Whether `line` is inside a test on this level, and doesn't begin the details of an assertion.
fn is_below(line: &str, level: usize) -> bool {
    let inner = line.trim_start();
    (line.len() - inner.len()) / STEP > level && inner != "---"
}

/// The block of details that begins these lines.
fn details<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let begins = lines.first().is_some_and(|line| line.trim() == "---");
    let end = begins.then(|| lines.iter().position(|line| line.trim() == "...")).flatten();
    end.map_or(&[], |end| &lines[..=end])
}

/// The reason in a block of details: of a stack the first frame, of the source the line above the mark.
fn write_details(details: &[&str], out: &mut String) {
    let Some(inner) = details.get(1..details.len().saturating_sub(1)) else { return };
    let Some(indent) = inner.first().map(|line| line.len() - line.trim_start().len()) else { return };
    push(out, "  ---");
    let mut at = 0;
    while let Some(line) = inner.get(at) {
        let key = line.trim().split(':').next().unwrap_or_default();
        let block = inner[at + 1..]
            .iter()
            .take_while(|line| line.trim().is_empty() || line.len() - line.trim_start().len() > indent)
            .count();
        let below = &inner[at + 1..at + 1 + block];
        at += 1 + block;
        match key {
            "stack" => below.iter().take(1).for_each(|frame| push(out, &format!("    at: {}", frame.trim()))),
            "source" => {
                let mark = below.iter().position(|line| {
                    let line = line.trim();
                    line.ends_with('^') && line.trim_end_matches('^').chars().all(|c| c == '-')
                });
                let marked =
                    mark.and_then(|mark| below[..mark].iter().rev().find(|line| !line.trim().is_empty()));
                marked.into_iter().for_each(|line| push(out, &format!("    {}", line.trim())));
            }
            "at" if place_behind(line).is_some() => {
                let place = place_behind(line).unwrap_or_default();
                push(out, &format!("    at: {place}"));
            }
            key if ASIDE.contains(&key) => {}
            _ => std::iter::once(line).chain(below).filter(|line| !line.trim().is_empty()).for_each(|line| {
                // A text over several lines may begin further out.
                let inside = line.get(..indent).is_some_and(|before| before.trim().is_empty());
                let shown = if inside { &line[indent..] } else { line.trim() };
                push(out, &format!("    {shown}"));
            }),
        }
    }
    push(out, "  ...");
}

/// The place of `at: "/srv/shop/test/cart.js:6:5"`.
fn place_behind(line: &str) -> Option<&str> {
    let place = line.trim().strip_prefix("at: ")?.trim_matches('"');
    (!place.is_empty()).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::flatten;

    /// As Vitest prints it with `--reporter=tap`.
    #[test]
    fn a_test_in_braces_is_the_path_of_its_subtests() {
        let text = "TAP version 13\n1..2\nnot ok 1 - test/cart.js # time=66.60ms {\n    1..2\n    not ok 1 - Cart # time=66.18ms {\n        1..3\n        ok 1 - adds # time=24.40ms\n        not ok 2 - counts # time=19.44ms\n            ---\n            error:\n                name: \"AssertionError\"\n                message: \"expected 2 to be 3\"\n            at: \"/srv/shop/test/cart.js:23:22\"\n            actual: \"{\n  a: 1,\n}\"\n            expected: \"3\"\n            ...\n        not ok 3 - sums # time=1.00ms\n    }\n    ok 2 - waits # SKIP\n}\nok 2 - test/shop.js # time=2.00ms {\n    1..1\n    ok 1 - opens # time=1.00ms\n}\n";
        assert_eq!(
            flatten(text).unwrap(),
            "TAP version 13\n1..2\nnot ok 1 - test/cart.js # time=66.60ms\nok 1 - adds # time=24.40ms\n# test/cart.js > Cart\nnot ok 2 - counts # time=19.44ms\n  ---\n    error:\n        name: \"AssertionError\"\n        message: \"expected 2 to be 3\"\n    at: /srv/shop/test/cart.js:23:22\n    actual: \"{\n    a: 1,\n    }\"\n    expected: \"3\"\n  ...\nnot ok 3 - sums # time=1.00ms\nok 2 - waits # SKIP\nok 2 - test/shop.js # time=2.00ms\nok 1 - opens # time=1.00ms\n"
        );
    }

    /// A name may end with a brace.
    #[test]
    fn an_assertion_that_ends_with_a_brace_keeps_its_details() {
        let text = "TAP version 14\n# Subtest: reads\n    ok 1 - a line\n    not ok 2 - parses {\n      ---\n      diff: |\n        -2\n        +1\n      ...\n    1..2\nnot ok 1 - reads\n1..1\n";
        assert_eq!(
            flatten(text).unwrap(),
            "TAP version 14\nok 1 - a line\n# reads\nnot ok 2 - parses {\n  ---\n    diff: |\n      -2\n      +1\n  ...\n# \nnot ok 1 - reads\n1..1\n"
        );
    }

    #[test]
    fn an_assertion_is_below_its_tests_path_without_its_sum() {
        let text = "TAP version 14\n# Subtest: test/a.js\n    # Subtest: adds\n        ok 1 - equal\n        not ok 2 - equal\n          ---\n          compare: ===\n          at:\n            fileName: test/a.js\n          stack: |\n            f (test/a.js:6:5)\n            g (test/a.js:3:3)\n          source: |2\n              t.equal(1, 1)\n              t.equal(1, 2)\n            ----^\n          diff: |\n            --- expected\n            +++ actual\n            -2\n            +1\n          ...\n        1..2\n    not ok 1 - adds # time=1ms\n      ---\n      at:\n        fileName: test/a.js\n      ...\n    ok 2 - later # TODO in 8.0\n    1..2\nnot ok 1 - test/a.js # time=2ms\n  ---\n  cwd: /w\n  ...\n1..1\n# { total: 2, pass: 1, fail: 1 }\n";
        assert_eq!(
            flatten(text).unwrap(),
            "TAP version 14\nok 1 - equal\n# test/a.js > adds\nnot ok 2 - equal\n  ---\n    at: f (test/a.js:6:5)\n    t.equal(1, 2)\n    diff: |\n      --- expected\n      +++ actual\n      -2\n      +1\n  ...\nok 2 - later # TODO in 8.0\n# \nnot ok 1 - test/a.js # time=2ms\n1..1\n# { total: 2, pass: 1, fail: 1 }\n"
        );
        assert_eq!(flatten("TAP version 13\nok 1 a\nnot ok 2 b\n"), None);
    }
}
