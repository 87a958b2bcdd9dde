//! TAP whose tests contain tests, as node-tap prints it: made flat, so that each assertion is under the path of its
//! test. A test that only failed because one inside it did is named on the outermost level alone.

use super::pytest_report::push;
use crate::normal;

/// So much further in is each level.
const STEP: usize = 4;
/// Details that say nothing about why an assertion failed.
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
    // The level of the verdict before; one that is further out sums up what is inside it.
    let mut before = 0;
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
        let Some(passed) = verdict(inner) else {
            if level == 0 && !inner.is_empty() {
                push(&mut out, line);
            }
            continue;
        };
        let sums_up = level < before;
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

/// The block of details that begins these lines.
fn details<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let begins = lines.first().is_some_and(|line| line.trim() == "---");
    let end = begins.then(|| lines.iter().position(|line| line.trim() == "...")).flatten();
    end.map_or(&[], |end| &lines[..=end])
}

/// What a block of details says of the reason: of a stack the first frame, of the source the line that the mark is below.
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
            key if ASIDE.contains(&key) => {}
            _ => std::iter::once(line).chain(below).filter(|line| !line.trim().is_empty()).for_each(|line| {
                push(out, &format!("    {}", line.get(indent..).unwrap_or_default()));
            }),
        }
    }
    push(out, "  ...");
}

#[cfg(test)]
mod tests {
    use super::flatten;

    #[test]
    fn an_assertion_is_below_the_path_of_its_test_and_its_sum_goes() {
        let text = "TAP version 14\n# Subtest: test/a.js\n    # Subtest: adds\n        ok 1 - equal\n        not ok 2 - equal\n          ---\n          compare: ===\n          at:\n            fileName: test/a.js\n          stack: |\n            f (test/a.js:6:5)\n            g (test/a.js:3:3)\n          source: |2\n              t.equal(1, 1)\n              t.equal(1, 2)\n            ----^\n          diff: |\n            --- expected\n            +++ actual\n            -2\n            +1\n          ...\n        1..2\n    not ok 1 - adds # time=1ms\n      ---\n      at:\n        fileName: test/a.js\n      ...\n    ok 2 - later # TODO in 8.0\n    1..2\nnot ok 1 - test/a.js # time=2ms\n  ---\n  cwd: /w\n  ...\n1..1\n# { total: 2, pass: 1, fail: 1 }\n";
        assert_eq!(
            flatten(text).unwrap(),
            "TAP version 14\nok 1 - equal\n# test/a.js > adds\nnot ok 2 - equal\n  ---\n    at: f (test/a.js:6:5)\n    t.equal(1, 2)\n    diff: |\n      --- expected\n      +++ actual\n      -2\n      +1\n  ...\nok 2 - later # TODO in 8.0\nnot ok 1 - test/a.js # time=2ms\n1..1\n# { total: 2, pass: 1, fail: 1 }\n"
        );
        assert_eq!(flatten("TAP version 13\nok 1 a\nnot ok 2 b\n"), None);
    }
}
