//! Catch2's report: each failed assertion by its file, with its test case, section and expansion, below the tests'
//! output and above the totals. Owns its headings between rulers; used if a report doesn't fit unchanged.

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::cap::ends_of;
use crate::diagnostics::place;
use crate::{Left, normal};

/// Shortest line of one sign that is a ruler, in bytes.
const RULER: usize = 70;
/// The maximum number of lines of names between two rulers, and of one failed assertion.
const NAMES: usize = 40;
const LINES: usize = 200;
/// Fewer failures are shown as they were printed.
const FEW: usize = 2;
/// The beginning of the totals.
const TOTALS: &str = "test cases: ";

/// The report in about `room` bytes; `None` if it's another text, or hardly anything failed.
pub(crate) fn catch2(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let total = lines.iter().rposition(|line| line.starts_with(TOTALS))?;
    let mut failed: Vec<Failed<'_>> = Vec::new();
    let (mut printed, mut behind) = (String::new(), String::new());
    let mut names: Vec<&str> = Vec::new();
    let (mut at, mut headings) = (0, 0);
    while at < total {
        let (line, rest) = (lines[at], &lines[at + 1..total]);
        if let Some((found, used)) = section(line, rest) {
            names = found;
            headings += 1;
            at += 1 + used;
        } else if let Some((file, place)) = failed_at(line) {
            let ends = |line: &&str| line.trim().is_empty() || is_ruler(line, b'-') || is_ruler(line, b'=');
            let used = rest.iter().take(LINES).position(ends).unwrap_or(rest.len().min(LINES));
            let (name, suites) =
                names.split_last().map_or(("", Vec::new()), |(name, above)| (*name, above.to_vec()));
            let wording = wording(&rest[..used]);
            failed.push(Failed { file, at: place, suites, name, wording, ..Failed::default() });
            at += 1 + used;
        } else {
            if !line.trim().is_empty() && !is_ruler(line, b'=') && !is_ruler(line, b'~') {
                push(&mut printed, line);
            }
            at += 1;
        }
    }
    if failed.len() < FEW {
        return None;
    }
    lines[total..].iter().filter(|line| !line.trim().is_empty()).for_each(|line| push(&mut behind, line));
    let (printed, behind) = (ends_of(&printed, room / 4), ends_of(&behind, room / 6));
    let list = list(&failed, room.checked_sub(printed.len() + behind.len())?)?;
    // The list repeats these lines, or marks what is cut, but doesn't show where each test case begins.
    Some((printed + &list + &behind, vec![("places of test cases", headings)]))
}

/// The names below the ruler `line`, up to the place and the dots below the next one, and how many of the lines behind were used.
fn section<'t>(line: &str, rest: &[&'t str]) -> Option<(Vec<&'t str>, usize)> {
    if !is_ruler(line, b'-') {
        return None;
    }
    let end = rest.iter().take(NAMES).position(|line| is_ruler(line, b'-'))?;
    let dots = rest.get(end + 2).is_some_and(|line| is_ruler(line, b'.'));
    let placed = rest.get(end + 1).is_some_and(|line| is_place(line));
    let names: Vec<&str> = rest[..end].iter().map(|line| line.trim()).collect();
    (dots && placed && !names.is_empty()).then_some((names, end + 3))
}

/// The file and the line in `tests/cart.cpp:14: FAILED:` and in `tests\cart.cpp(14): FAILED:`.
fn failed_at(line: &str) -> Option<(&str, &str)> {
    let at = line.strip_suffix(" FAILED:")?;
    let at = at.strip_prefix("file://").unwrap_or(at);
    let found = place(at).filter(|found| found.sign == ':' && found.rest.is_empty())?;
    let figure = at.get(found.file.len() + 1..)?.trim_end_matches([')', ':']);
    Some((found.file, figure))
}

/// Whether a line is nothing but a place: `tests/cart.cpp:14`, `tests\cart.cpp(14)`.
fn is_place(line: &str) -> bool {
    let in_brackets = line.strip_suffix(')').and_then(|line| line.rsplit_once('('));
    place(line).is_some()
        || in_brackets.is_some_and(|(file, at)| {
            !file.is_empty() && !at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// The lines below the place, in one line: `REQUIRE( a == b ) with expansion: 1 == 2`.
fn wording(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// A line that repeats one sign.
fn is_ruler(line: &str, sign: u8) -> bool {
    line.len() >= RULER && line.bytes().all(|byte| byte == sign)
}

#[cfg(test)]
mod tests {
    use super::catch2;
    use crate::{FilterSet, shorten_within};

    /// As Catch2 3 prints it; each test case fails twice, the second time by an exception.
    fn report(cases: usize) -> String {
        let ruler = |sign: &str| sign.repeat(79);
        let mut text = format!(
            "Randomness seeded to: 42\n\n{}\ncart_tests is a Catch2 v3.5.2 host application.\nRun with -? for options\n\n",
            ruler("~")
        );
        for n in 1..=cases {
            let dashes = ruler("-");
            text += &format!(
                "{dashes}\nCart totals {n}\n  rounds half up\n{dashes}\n/w/tests/cart_test.cpp:{0}1\n{1}\n\n/w/tests/cart_test.cpp:{0}3: FAILED:\n  REQUIRE( total({n}) == {0} )\nwith expansion:\n  {n} == {0}\n\nlooking at {n}\n/w/tests/cart_test.cpp:{0}4: FAILED:\n  {{Unknown expression after the reported line}}\ndue to unexpected exception with message:\n  no price {n}\n\n",
                n + 100,
                ruler(".")
            );
        }
        text + &format!(
            "{}\ntest cases: 120 |  40 passed | 80 failed\nassertions: 300 | 220 passed | 80 failed\n\n",
            ruler("=")
        )
    }

    #[test]
    fn each_failed_assertion_keeps_its_place_its_test_and_what_it_expanded_to() {
        let text = report(20);
        let (short, counts) = catch2(&text, 6_000).unwrap();
        assert!(short.len() <= 6_000 && short.len() < text.len(), "{}: {short}", short.len());
        for n in 1..=20 {
            for line in [format!("{}3", n + 100), format!("{}4", n + 100)] {
                assert!(short.contains(&line), "{line}: {short}");
            }
        }
        for fact in [
            "Cart totals 20",
            "rounds half up",
            "looking at 7",
            "test cases: 120 |  40 passed | 80 failed\nassertions: 300 | 220 passed | 80 failed\n",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert_eq!(short.matches("/w/tests/cart_test.cpp").count(), 1, "{short}");
        assert_eq!(counts, [("places of test cases", 20)]);
    }

    /// As Microsoft's compiler has places.
    #[test]
    fn places_with_brackets_are_places() {
        let written = |line: &str| match line.strip_prefix("/w/tests/cart_test.cpp:") {
            Some(rest) => {
                let (at, verdict) = rest.split_at(rest.find(':').unwrap_or(rest.len()));
                format!("C:\\my shop\\cart_test.cpp({at}){verdict}\n")
            }
            None => format!("{line}\n"),
        };
        let text: String = report(20).lines().map(written).collect();
        let (short, counts) = catch2(&text, 6_000).unwrap();
        for n in 1..=20 {
            for line in [format!(" {}3 ", n + 100), format!(" {}4 ", n + 100)] {
                assert!(short.contains(&line), "{line}: {short}");
            }
        }
        assert_eq!(short.matches("C:\\my shop\\cart_test.cpp").count(), 1, "{short}");
        assert!(short.contains("Cart totals 20"), "{short}");
        assert_eq!(counts, [("places of test cases", 20)]);
    }

    #[test]
    fn output_of_a_surrounding_script_is_also_read() {
        let text = report(60);
        let done = shorten_within(&FilterSet::builtin(), "./run-tests.sh", Some(42), &text, 9_000).unwrap();
        for n in 1..=60 {
            let (first, second) = (format!("{}3", n + 100), format!("{}4", n + 100));
            assert!(done.text.contains(&first) && done.text.contains(&second), "{n}: {}", done.text);
        }
        assert!(done.text.contains("test cases: 120 |  40 passed | 80 failed"), "{}", done.text);
    }

    #[test]
    fn anything_else_is_left_alone() {
        assert_eq!(catch2("test cases: 3\n", 9_000), None);
        assert_eq!(catch2(&report(9).replace(": FAILED:", ": warning:"), 9_000), None);
        assert_eq!(catch2(&report(9).replace("test cases: ", "cases: "), 9_000), None);
    }
}
