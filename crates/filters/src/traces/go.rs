//! Failures of `go test` that do not all fit: every test that failed keeps its name and the places of its messages, and the
//! messages get as much of the room as there is. Owns telling a message's first line from what it goes on with.

use crate::Left;
use crate::data::rows::clipped;
use crate::normal;

/// What is left of a message's line, in bytes, until all fits; at last only its place.
const SIZES: [usize; 5] = [400, 200, 120, 70, 0];

/// The report in about `room` bytes, where it is longer.
pub(crate) fn go(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room || !text.lines().any(is_failure) {
        return None;
    }
    let mut last = None;
    for most in SIZES {
        let (out, left_out, messages) = summary(text, most);
        let fits = out.len() <= room;
        last = Some((out, vec![("messages", messages), ("lines that messages go on with", left_out)]));
        if fits {
            break;
        }
    }
    // Names and places alone: whoever cuts further has less to cut.
    last
}

fn is_failure(line: &str) -> bool {
    line.trim_start().starts_with("--- FAIL: ")
}

/// `    shop_test.go:12: ` with what is before the message.
fn place(line: &str) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..).filter(|_| start > 0)?;
    let file = rest.find(".go:")? + 4;
    let digits = rest[file..].bytes().take_while(u8::is_ascii_digit).count();
    let plain = rest[..file].bytes().all(|byte| !byte.is_ascii_whitespace());
    (plain && digits > 0 && rest[file + digits..].starts_with(':')).then_some(start + file + digits + 1)
}

/// Each message's first line, cut to `most` bytes, without the lines that continue it; how many of these there were, and of
/// how many messages only the place is left.
fn summary(text: &str, most: usize) -> (String, usize, usize) {
    let (mut out, mut left_out, mut messages) = (String::new(), 0, 0);
    // Whether what comes now goes on with a message.
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

    #[test]
    fn messages_of_which_only_the_place_is_left_are_counted() {
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
