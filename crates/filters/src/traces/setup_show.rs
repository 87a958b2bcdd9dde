//! Fixtures that pytest names around each test (`--setup-show`): which there are and how often each was set up, and the
//! tests that didn't pass. Owns the form of these lines.

use std::collections::HashMap;

use crate::Left;
use crate::normal;

use super::pytest_report::push;

/// How far a test's own line is set in.
const INSIDE: &str = "        ";

/// Whether a line is about a fixture.
pub(crate) fn begins(line: &str) -> bool {
    fixture(line).is_some()
}

/// A text of more than `room` bytes with its fixtures in one line and without the tests that passed. In a shorter one
/// their order is what was asked for.
pub(crate) fn setup_show(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    // Where the fixtures are written, and how often each was set up.
    let mut at: Option<usize> = None;
    let (mut names, mut fixtures): (HashMap<&str, usize>, Vec<(&str, usize)>) = Default::default();
    let (mut lines, mut passed) = (0, 0);
    // A verbose run names a test above its fixtures, too.
    let mut heading: Option<&str> = None;
    for line in normal::lines(text) {
        if let Some((name, is_setup)) = fixture(line) {
            at = at.or(Some(out.len()));
            lines += 1;
            let known = *names.entry(name).or_insert_with(|| {
                fixtures.push((name, 0));
                fixtures.len() - 1
            });
            fixtures[known].1 += usize::from(is_setup);
            continue;
        }
        let above = heading.take();
        if let Some((test, result)) = own_line(line) {
            if let Some(above) = above.filter(|above| above.trim_end() != test) {
                push(&mut out, above);
            }
            match result {
                "PASSED" | "." => passed += 1,
                _ => push(&mut out, line),
            }
            continue;
        }
        if let Some(above) = above {
            push(&mut out, above);
        }
        if is_heading(line) {
            heading = Some(line);
        } else {
            push(&mut out, line);
        }
    }
    if let Some(above) = heading {
        push(&mut out, above);
    }
    let written = fixtures.iter().map(|(name, count)| match count {
        0 | 1 => (*name).to_owned(),
        count => format!("{name} ×{count}"),
    });
    out.insert_str(at?, &format!("fixtures set up: {}\n", written.collect::<Vec<_>>().join(", ")));
    let counts = [("lines about fixtures", lines), ("lines of tests that passed", passed)];
    Some((out, counts.into_iter().filter(|(_, count)| *count > 0).collect()))
}

/// `F cart` of `        SETUP    F cart['tea'] (fixtures used: shop)`, and whether it's set up there.
fn fixture(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start();
    let (rest, is_setup) = match line.strip_prefix("SETUP    ") {
        Some(rest) => (rest, true),
        None => (line.strip_prefix("TEARDOWN ")?, false),
    };
    let name = rest.get(2..)?;
    let scoped = rest.starts_with(['S', 'P', 'M', 'C', 'F']) && rest[1..].starts_with(' ');
    let end = 2 + name.find(['[', ' ']).unwrap_or(name.len());
    (scoped && end > 2).then(|| (&rest[..end], is_setup))
}

/// The test and the result in `        tests/test_cart.py::test_sum[tea] (fixtures used: cart) PASSED`; without a verbose
/// run, a letter or a dot is behind it.
fn own_line(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(INSIDE)?.trim_end();
    let (test, result) = match rest.find(" (fixtures used: ") {
        Some(at) => (&rest[..at], rest.rsplit_once(')')?.1.trim()),
        None => rest.rsplit_once(' ').filter(|(_, word)| word.bytes().all(|b| b.is_ascii_uppercase()))?,
    };
    (test.contains("::") && !test.starts_with(' ')).then_some((test, result))
}

/// `tests/test_cart.py::test_sum[tea]`, alone in its line.
fn is_heading(line: &str) -> bool {
    let line = line.trim_end();
    line.split_once("::").is_some_and(|(path, name)| {
        path.ends_with(".py") && !path.contains(' ') && (!name.contains(' ') || name.ends_with(']'))
    })
}

#[cfg(test)]
mod tests {
    use super::setup_show;

    #[test]
    fn fixtures_are_named_once_and_only_tests_that_passed_go() {
        let test = |n: usize, result: &str| {
            format!(
                "tests/test_cart.py::test_sum[a {n}]\n        SETUP    F cart['a {n}'] (fixtures used: shop)\n        tests/test_cart.py::test_sum[a {n}] (fixtures used: cart, shop) {result}\n        TEARDOWN F cart['a {n}']\n"
            )
        };
        let passed: String = (0..9).map(|n| test(n, "PASSED")).collect();
        let text = format!(
            "collected 12 items\n\nSETUP    S shop\n{passed}{}        tests/test_cart.py::test_without PASSED\ntests/test_cart.py::test_prints\nprinted by it\n        tests/test_cart.py::test_prints (fixtures used: shop) PASSED\nTEARDOWN S shop\n\n== FAILURES ==\ntests/test_cart.py::test_crashes\n",
            test(9, "FAILED")
        );
        let (out, left_out) = setup_show(&text, 100).unwrap();
        assert_eq!(
            out,
            "collected 12 items\n\nfixtures set up: S shop, F cart ×10\n        tests/test_cart.py::test_sum[a 9] (fixtures used: cart, shop) FAILED\ntests/test_cart.py::test_prints\nprinted by it\n\n== FAILURES ==\ntests/test_cart.py::test_crashes\n"
        );
        assert!(setup_show(&text, text.len()).is_none());
        assert_eq!(left_out, [("lines about fixtures", 22), ("lines of tests that passed", 11)]);
    }

    #[test]
    fn a_run_that_is_not_verbose_has_letters() {
        let text = "tests/test_cart.py\n        SETUP    F cart\n        tests/test_cart.py::test_sum (fixtures used: cart).\n        TEARDOWN F cart\n        SETUP    F cart\n        tests/test_cart.py::test_tax (fixtures used: cart)F\n        TEARDOWN F cart\n";
        let (out, _) = setup_show(text, 100).unwrap();
        assert_eq!(
            out,
            "tests/test_cart.py\nfixtures set up: F cart ×2\n        tests/test_cart.py::test_tax (fixtures used: cart)F\n"
        );
        assert!(setup_show("tests/test_cart.py::test_sum PASSED\nSETUP   complete\n", 10).is_none());
    }
}
