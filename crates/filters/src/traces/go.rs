//! Failures of `go test` that do not all fit: every test that failed keeps its name and the places of its messages,
//! and the messages get the remaining room. If not even names and places fit, they become a list with each message
//! once. Owns distinguishing a message's first line from its continuation, and a test's lines from other ones.

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::cap::ends_of;
use crate::clip::clipped;
use crate::{Left, normal};

/// The lengths to which a message's line is cut, in bytes, until all fits; at last only its place.
const SIZES: [usize; 5] = [400, 200, 120, 70, 0];

/// How far a test's lines are set in below the line that says it failed, in columns; older versions set them in by a tab.
const STEP: usize = 4;

/// Fewer tests that failed aren't listed: other lines take the room.
const FEW: usize = 8;

/// The report in about `room` bytes, where it is longer.
pub(crate) fn go(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room || !text.lines().any(is_failure) {
        return None;
    }
    let left = |most: usize| {
        let (out, left_out, messages) = summary(text, most);
        (out, vec![("messages", messages), ("lines that messages go on with", left_out)])
    };
    if let Some(fitting) = SIZES.into_iter().map(left).find(|(out, _)| out.len() <= room) {
        return Some(fitting);
    }
    // A later cut keeps failures first: few keep their messages, and with many there is less to cut.
    if text.lines().filter(|line| is_failure(line)).count() < FEW {
        return Some(left(SIZES[0]));
    }
    listed(text, room).or_else(|| Some(left(0)))
}

/// The failed tests with each message once, between the other lines. If tests report as they run (`-v`), their
/// messages are above their verdicts, and nothing is listed.
fn listed(text: &str, room: usize) -> Option<Left> {
    let mut failed: Vec<Failed<'_>> = Vec::new();
    let (mut before, mut behind) = (String::new(), String::new());
    // The package of the tests before it, as soon as its result names it.
    let mut packages: Vec<&str> = Vec::new();
    // The tests that failed, each a part of the one before it, as long as a line may be their own, and how far their lines are set
    // in.
    let mut open: Vec<(&str, usize)> = Vec::new();
    for line in normal::lines(text) {
        let (trimmed, own) = (line.trim_start(), indent(line));
        if trimmed.starts_with("=== ") {
            return None;
        }
        if let Some(verdict) = trimmed.strip_prefix("--- FAIL: ") {
            let name = verdict.rsplit_once(" (").map_or(verdict, |(name, _)| name);
            // A test with a failed subtest is covered by the subtest.
            let last = failed.get(packages.len()..).and_then(<[_]>::last);
            let last = last.filter(|last| is_part(name, last.name) && last.wording.is_empty());
            if last.is_some_and(|last| last.file.is_empty()) {
                failed.pop();
            }
            failed.push(Failed { name, ..Failed::default() });
            open.retain(|(_, from)| *from <= own);
            open.push((name, own + STEP));
            continue;
        }
        if !trimmed.is_empty() {
            // After a subtest's lines a test may continue with its own.
            open.retain(|(_, from)| *from <= own && !is_test(line));
        }
        let Some((name, from)) = open.last().copied() else {
            if let Some(package) = failed_package(line) {
                packages.resize(failed.len(), package);
            }
            push(if failed.is_empty() { &mut before } else { &mut behind }, line);
            continue;
        };
        // Lines that are indented further continue a message.
        let found = place(line).filter(|_| own == from).and_then(|end| split_place(line, end));
        // A test may fail at several places.
        let is_next = |last: &Failed<'_>| {
            last.name != name && !trimmed.is_empty() || found.is_some() && !last.file.is_empty()
        };
        if failed.last().is_none_or(is_next) {
            failed.push(Failed { name, ..Failed::default() });
        }
        let Some(last) = failed.last_mut() else { continue };
        if let Some((file, at, message)) = found {
            (last.file, last.at) = (file, at);
            go_on(&mut last.wording, message);
        } else {
            go_on(&mut last.wording, trimmed);
        }
    }
    packages.resize(failed.len(), "");
    let several = packages.iter().any(|package| Some(package) != packages.first());
    let files: Vec<String> = failed
        .iter()
        .zip(&packages)
        .map(|(one, package)| if several { in_package(package, one.file) } else { one.file.to_owned() })
        .collect();
    let failed: Vec<Failed<'_>> =
        failed.into_iter().zip(&files).map(|(one, file)| Failed { file: file.as_str(), ..one }).collect();
    let others = before.len().min(room / 8) + behind.len().min(room / 4);
    let list = list(&failed, room.checked_sub(others)?)?;
    let left = room.saturating_sub(list.len());
    let before = ends_of(&before, left.saturating_sub(behind.len()).max(left / 3));
    let behind = ends_of(&behind, left.saturating_sub(before.len()));
    Some((before + &list + &behind, Vec::new()))
}

/// How far a line is set in.
fn indent(line: &str) -> usize {
    let columns = |byte: u8| match byte {
        b' ' => Some(1),
        b'\t' => Some(STEP),
        _ => None,
    };
    line.bytes().map_while(columns).sum()
}

/// Appends a line to a message.
fn go_on(wording: &mut String, line: &str) {
    if !wording.is_empty() && !line.is_empty() {
        wording.push_str("; ");
    }
    wording.push_str(line);
}

/// The package in `FAIL\texample.org/shop\t0.012s`, which is below the package's tests.
fn failed_package(line: &str) -> Option<&str> {
    line.strip_prefix("FAIL\t")?.split(['\t', ' ']).next().filter(|package| !package.is_empty())
}

/// The name of a file within its package: go prints no folder, and several packages may have a file of that name.
fn in_package(package: &str, file: &str) -> String {
    match (package, file) {
        (package, "") => package.to_owned(),
        (_, file) if package.is_empty() || file.contains(['/', '\\']) => file.to_owned(),
        (package, file) => format!("{package}/{file}"),
    }
}

/// Whether `name` is a subtest of the test `whole`: `TestCart/empty`.
fn is_part(name: &str, whole: &str) -> bool {
    name.strip_prefix(whole).is_some_and(|rest| rest.starts_with('/'))
}

/// The file, the line and the message of a line whose place ends at `end`.
fn split_place(line: &str, end: usize) -> Option<(&str, &str, &str)> {
    let (head, message) = line.split_at(end);
    let (file, at) = head.trim().strip_suffix(':')?.rsplit_once(':')?;
    Some((file, at, message.trim()))
}

fn is_failure(line: &str) -> bool {
    line.trim_start().starts_with("--- FAIL: ")
}

/// `    shop_test.go:12: ` with the text before the message.
fn place(line: &str) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..).filter(|_| start > 0)?;
    let file = rest.find(".go:")? + 4;
    let digits = rest[file..].bytes().take_while(u8::is_ascii_digit).count();
    let plain = rest[..file].bytes().all(|byte| !byte.is_ascii_whitespace());
    (plain && digits > 0 && rest[file + digits..].starts_with(':')).then_some(start + file + digits + 1)
}

/// Each message's first line, cut to `most` bytes, without the lines that continue it; returns how many of these
/// there were, and how many messages were reduced to their place.
fn summary(text: &str, most: usize) -> (String, usize, usize) {
    let (mut out, mut left_out, mut messages) = (String::new(), 0, 0);
    // Whether the next lines continue a message.
    let mut inside = false;
    for line in normal::lines(text) {
        if let Some(at) = place(line) {
            inside = true;
            let (head, message) = line.split_at(at);
            out.push_str(head);
            if most > 0 {
                out.push_str(&clipped(message, most));
            } else {
                messages += usize::from(!message.trim().is_empty());
            }
            out.push('\n');
            continue;
        }
        let goes_on = inside && (line.starts_with([' ', '\t']) || line.is_empty()) && !is_test(line);
        if goes_on {
            left_out += 1;
            continue;
        }
        inside = false;
        out.push_str(line);
        out.push('\n');
    }
    (out, left_out, messages)
}

/// A line about a test itself, whether it failed or not.
fn is_test(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("--- ") || line.starts_with("=== ") || line.starts_with("panic: ")
}

#[cfg(test)]
mod tests {
    use super::go;

    #[test]
    fn every_failed_test_keeps_its_name_and_places() {
        let text: String = (0..200)
            .map(|n| format!("--- FAIL: TestPart{n} (0.00s)\n    part_test.go:{n}: Expected a but got {}\n        and more of it\n", "x".repeat(300)))
            .collect();
        for room in [12_000, 24_000, 60_000] {
            let (short, _) = go(&text, room).unwrap();
            assert!(short.len() <= room, "{}", short.len());
            for n in 0..200 {
                assert!(
                    short.contains(&format!("TestPart{n} ")) && short.contains(&format!("part_test.go:{n}:")),
                    "{n}"
                );
            }
        }
        assert_eq!(go(&text, text.len()), None);
    }

    /// A separate line for each test takes more than the room.
    #[test]
    fn too_many_failures_become_a_list_of_places_and_messages() {
        let one = |n: usize| {
            let (file, message) =
                (["cart", "till", "jar"][n % 3], if n == 77 { "no bank" } else { "no price" });
            format!(
                "--- FAIL: TestOfTheShop{n} (0.00s)\n    --- FAIL: TestOfTheShop{n}/of_an_empty_cart (0.00s)\n        {file}_test.go:{n}: {message}\n            in the list\n"
            )
        };
        let text: String = (1..=300).map(one).collect();
        let text = format!("loading\n{text}FAIL\nFAIL\texample.org/shop\t0.012s\nFAIL\n");
        for room in [9_000, 14_000] {
            let (short, counts) = go(&text, room).unwrap();
            assert!(short.len() <= room && counts.is_empty(), "{}: {short}", short.len());
            for fact in
                ["no price; in the list", "no bank; in the list", "loading\n", "FAIL\texample.org/shop\t"]
            {
                assert!(short.contains(fact), "{room} {fact}: {short}");
            }
            let words: Vec<&str> = short.split_whitespace().collect();
            assert!((1..=300).all(|n| words.contains(&n.to_string().as_str())), "{room}: {short}");
            assert!(words.contains(&"TestOfTheShop77/of_an_empty_cart"), "{room}: {short}");
            for file in ["cart_test.go", "till_test.go", "jar_test.go"] {
                assert_eq!(short.matches(file).count(), 1, "{room} {file}: {short}");
            }
        }
        // A test's output is above its verdict.
        let running = text.replace("loading\n", "=== RUN   TestOfTheShop1\n");
        let (short, counts) = go(&running, 9_000).unwrap();
        assert!(short.contains("--- FAIL: TestOfTheShop300 ") && !counts.is_empty(), "{short}");
    }

    /// The file has the same name in each package, as go prints it.
    #[test]
    fn each_failed_test_is_listed_with_its_package() {
        let one = |package: &str| -> String {
            let failed = |n: usize| {
                format!(
                    "--- FAIL: TestTotalsOf{n} (0.00s)\n    --- FAIL: TestTotalsOf{n}/of_an_empty_cart (0.00s)\n        shop_test.go:{n}: no {package}\n"
                )
            };
            let failed: String = (100..240).map(failed).collect();
            format!(
                "{failed}FAIL\nFAIL\texample.org/shop/{package}\t0.012s\nok  \texample.org/shop/tin\t0.01s\n"
            )
        };
        let text = format!(
            "{}{}--- FAIL: TestBare (0.00s)\nFAIL\nFAIL\texample.org/shop/jar\t0.012s\n",
            one("cart"),
            one("till")
        );
        let (short, _) = go(&text, 9_000).unwrap();
        assert!(short.len() <= 9_000, "{short}");
        for heading in ["example.org/shop/cart/shop_test.go", "example.org/shop/till/shop_test.go"] {
            let (_, below) = short.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{short}"));
            assert_eq!(
                below.lines().take_while(|row| row.starts_with(' ')).count(),
                140,
                "{heading}: {short}"
            );
        }
        assert!(short.contains("\nexample.org/shop/jar\n TestBare\n"), "{short}");
    }

    /// The next test's output comes before its verdict.
    #[test]
    fn a_tests_output_is_not_part_of_the_message_above_it() {
        let one = |n: usize| {
            format!(
                "  starting part {n}\n--- FAIL: TestOfTheShop{n} (0.00s)\n    --- FAIL: TestOfTheShop{n}/of_an_empty_cart (0.00s)\n        till_test.go:{n}: no price\n"
            )
        };
        let text: String = (1..=300).map(one).collect();
        let (short, _) = go(&text, 9_000).unwrap();
        assert!(short.contains("  a ×300: no price\n"), "{short}");
    }

    /// A message may have a place in it, and a test goes on when one of its parts has failed.
    #[test]
    fn only_a_tests_own_places_count() {
        let one = |n: usize| {
            format!(
                "--- FAIL: TestOfTheShop{n} (0.00s)\n    till_test.go:{n}1: opened\n    --- FAIL: TestOfTheShop{n}/of_an_empty_cart (0.00s)\n        till_test.go:{n}2: no build:\n            cart.go:12:3: no tax\n    --- FAIL: TestOfTheShop{n}/bare (0.00s)\n    till_test.go:{n}3: not closed\n"
            )
        };
        let text: String = (100..240).map(one).collect();
        let (list, _) = go(&text, 20_000).unwrap();
        assert!(list.len() <= 20_000, "{list}");
        for message in ["×140: opened\n", "×140: no build:; cart.go:12:3: no tax\n", "×140: not closed\n"]
        {
            assert!(list.contains(message), "{message}: {list}");
        }
        for n in 100..240 {
            let places = [1, 2, 3].map(|place| format!(" {n}{place} "));
            assert!(places.iter().all(|place| list.contains(place.as_str())), "{n}: {list}");
            assert!(list.contains(&format!(" TestOfTheShop{n}/bare")), "{n}: {list}");
        }
        assert!(!list.contains("\ncart.go\n") && !list.contains("\n    till_test.go"), "{list}");
    }

    #[test]
    fn a_few_failures_in_a_long_output_keep_their_messages() {
        let log: String = (0..900).map(|n| format!("request {n} was served\n")).collect();
        let text = format!(
            "{log}--- FAIL: TestTill (0.00s)\n    till_test.go:12: the till has 3, want 4\n{log}FAIL\n"
        );
        let (short, counts) = go(&text, 4_000).unwrap();
        assert!(short.contains("till_test.go:12: the till has 3, want 4\n"), "{short}");
        assert_eq!(counts[0], ("messages", 0));
    }

    #[test]
    fn a_test_that_fails_at_several_places_keeps_each() {
        let one = |n: usize| {
            format!(
                "--- FAIL: TestPart{n} (0.00s)\n    a_test.go:{n}1: got {n}\n    a_test.go:{n}2: no end of {n}\n--- FAIL: TestBare{n} (0.00s)\n"
            )
        };
        let text: String = (100..300).map(one).collect();
        let (short, _) = go(&text, 9_000).unwrap();
        assert!(short.len() <= 9_000, "{short}");
        let words: Vec<&str> = short.split_whitespace().collect();
        let all = (100..300).flat_map(|n| [format!("{n}1"), format!("{n}2")]);
        assert!(all.into_iter().all(|place| words.contains(&place.as_str())), "{short}");
    }

    #[test]
    fn messages_reduced_to_their_place_are_counted() {
        let text = |more: &str| -> String {
            let one = |n: usize| {
                format!("--- FAIL: TestPart{n} (0.00s)\n    part_test.go:{n}: got {n}, want 7\n{more}")
            };
            (0..500).map(one).collect()
        };
        let counts = |text: &str, room: usize| go(text, room).unwrap().1;
        let lines = |count: usize| ("lines that messages go on with", count);
        let long = text("        and more\n");
        assert_eq!(counts(&long, long.len() - 1), [("messages", 0), lines(500)]);
        let short = text("");
        assert_eq!(counts(&short, short.len() - 1), [("messages", 500), lines(0)]);
    }
}
