//! Failures of Rust's tests, each reported once: libtest names a failed test where it ran, above its output, where it
//! panicked, and in a list at the end. Owns which of these are the same; if not all fits, each failure is one line.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use crate::Left;
use crate::clip::clipped;
use crate::counted::counted;

/// The lengths to which a failure's line is cut, in bytes, until all fits.
const SIZES: [usize; 4] = [400, 240, 160, 110];

/// What may be behind a test's name where it ran, and nowhere else.
pub(super) const EXPECTED: [&str; 2] = [" - should panic", " - compile fail"];

/// The report in about `room` bytes, if possible.
pub(crate) fn libtest(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = text.lines().collect();
    let sections: HashSet<&str> = lines.iter().filter_map(|line| section(line)).collect();
    if sections.is_empty() {
        return None;
    }
    let full = each_failure_once(&lines, &sections, None);
    if full.len() <= room {
        return Some((full, Vec::new()));
    }
    let last = SIZES
        .iter()
        .map(|most| each_failure_once(&lines, &sections, Some(*most)))
        .find(|short| short.len() <= room);
    // A later cut has less to cut.
    Some((last.unwrap_or_else(|| each_failure_once(&lines, &sections, SIZES.last().copied())), Vec::new()))
}

/// Whether a line may begin a failure's report.
pub(crate) fn begins(line: &str) -> bool {
    section(line).is_some() || failed(line).is_some() || line == "failures:"
}

/// `---- name stdout ----`.
fn section(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?;
    name.strip_suffix(" stdout ----").or_else(|| name.strip_suffix(" stderr ----"))
}

/// The name in `test name ... FAILED`, `test name - should panic ... FAILED`, `name --- FAILED`.
fn failed(line: &str) -> Option<&str> {
    match line.strip_prefix("test ") {
        Some(rest) => {
            rest.split_once(" ... FAILED").filter(|(_, rest)| !rest.contains(' ') || rest.starts_with(" <"))
        }
        None => line.split_once(" --- FAILED").filter(|(_, rest)| rest.is_empty()),
    }
    .map(|(name, _)| EXPECTED.iter().find_map(|what| name.strip_suffix(*what)).unwrap_or(name))
}

/// The name and the place of `thread 'name' (17) panicked at src/lib.rs:12:5:`, with what follows in that line.
fn panicked(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("thread '")?;
    let (name, rest) = rest.split_once('\'')?;
    let (_, place) = rest.split_once(" panicked at ")?;
    Some((name, place))
}

/// The text with each failure once, each in one line of at most `most` bytes if there is a limit.
fn each_failure_once(lines: &[&str], sections: &HashSet<&str>, most: Option<usize>) -> String {
    let heads: HashMap<&str, &str> = lines.iter().filter_map(|line| Some((failed(line)?, *line))).collect();
    let mut out = String::new();
    let (mut at, mut again, mut omitted) = (0, 0, 0);
    while let Some(line) = lines.get(at) {
        at += 1;
        if failed(line).is_some_and(|name| sections.contains(name)) {
            continue;
        }
        if *line == "failures:" {
            let names = lines[at..].iter().take_while(|line| line.starts_with("    ")).count();
            let known = lines[at..at + names].iter().all(|line| sections.contains(line.trim()));
            let is_heading = names == 0
                && lines[at..]
                    .iter()
                    .find(|line| !line.is_empty())
                    .is_some_and(|line| section(line).is_some());
            if names > 0 && known || is_heading {
                at += names;
                again += names + 1;
                continue;
            }
        }
        let Some(name) = section(line) else {
            // The blank lines are those between dropped parts.
            if !line.is_empty() || !out.ends_with("\n\n") {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        };
        let end = end_of(lines, at);
        let printed = &lines[at..end];
        at = end;
        let head = heads.get(name).copied();
        // Its own heading, and the line where its thread's name was.
        again += 1 + printed
            .iter()
            .filter(|line| panicked(line).is_some_and(|(thread, _)| thread == name))
            .count();
        match most {
            None => whole(name, head, printed, &mut out),
            Some(most) => omitted += in_a_line(name, head, printed, most, &mut out),
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    if omitted > 0 {
        let _ = writeln!(out, "… {} that failed tests printed not shown", counted(omitted, "lines"));
    }
    let _ = writeln!(out, "… {} a failed test again not shown", counted(again, "lines naming"));
    out
}

/// Where a section's lines end.
fn end_of(lines: &[&str], from: usize) -> usize {
    let ends =
        |line: &&str| section(line).is_some() || *line == "failures:" || line.starts_with("test result: ");
    from + lines[from..].iter().take_while(|line| !ends(line)).count()
}

/// All of a test's output, below the line that says that it failed.
fn whole(name: &str, head: Option<&str>, printed: &[&str], out: &mut String) {
    match head {
        Some(head) => out.push_str(head),
        None => {
            let _ = write!(out, "---- {name} stdout ----");
        }
    }
    out.push('\n');
    for line in printed.iter().filter(|line| !line.is_empty()) {
        match panicked(line).filter(|(thread, _)| *thread == name) {
            Some((_, place)) => {
                let _ = writeln!(out, "panicked at {place}");
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
}

/// The test with the place and output of its panic; returns how many of its lines aren't included.
fn in_a_line(name: &str, head: Option<&str>, printed: &[&str], most: usize, out: &mut String) -> usize {
    let from = printed.iter().position(|line| panicked(line).is_some()).unwrap_or(0);
    let mut message = String::new();
    let mut end = printed.len();
    for (at, line) in printed.iter().enumerate().skip(from) {
        let place = panicked(line).map(|(_, place)| format!("panicked at {place}"));
        let line = place.as_deref().unwrap_or(line).trim();
        if line == "stack backtrace:" {
            end = at;
            break;
        }
        if !line.is_empty() && !message.is_empty() {
            message.push_str(if message.ends_with(':') { " " } else { "; " });
        }
        message.push_str(line);
    }
    let head = head.unwrap_or(name);
    let _ = writeln!(out, "{head}: {}", clipped(&message, most.saturating_sub(head.len().min(most / 2))));
    let says = |line: &&&str| !line.trim().is_empty();
    printed[..from].iter().chain(&printed[end..]).filter(says).count()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::libtest;

    fn report(failures: usize) -> String {
        let mut out = String::new();
        (0..failures).for_each(|n| writeln!(out, "test size::tests::giga_{n} ... FAILED").unwrap());
        out.push_str("\nfailures:\n\n");
        for n in 0..failures {
            writeln!(
                out,
                "---- size::tests::giga_{n} stdout ----\ntried {n} and then some more of it\n\nthread 'size::tests::giga_{n}' ({n}) panicked at src/size.rs:{n}:5:\nassertion `left == right` failed\n  left: {n}\n right: 7\n"
            )
            .unwrap();
        }
        out.push_str("\nfailures:\n");
        (0..failures).for_each(|n| writeln!(out, "    size::tests::giga_{n}").unwrap());
        writeln!(out, "\ntest result: FAILED. 3 passed; {failures} failed; 0 ignored").unwrap();
        out
    }

    #[test]
    fn each_failure_is_listed_once_and_in_one_line_if_room_is_short() {
        let text = report(30);
        let whole = libtest(&text, 10_000).unwrap().0.len();
        for (room, wanted) in [
            (
                10_000,
                "test size::tests::giga_12 ... FAILED\ntried 12 and then some more of it\npanicked at src/size.rs:12:5:\nassertion `left == right` failed\n  left: 12\n right: 7\n",
            ),
            (
                whole - 1,
                "test size::tests::giga_12 ... FAILED: panicked at src/size.rs:12:5: assertion `left == right` failed; left: 12; right: 7\n",
            ),
        ] {
            let (out, _) = libtest(&text, room).unwrap();
            assert!(out.len() <= room && out.contains(wanted), "{out}");
            assert!(
                (0..30).all(|n| out.matches(&format!(" size::tests::giga_{n} ...")).count() == 1),
                "{out}"
            );
            assert!(out.contains("test result: FAILED. 3 passed; 30 failed"), "{out}");
        }
        // A failure without a section keeps its line.
        let odd = format!("test killed::early ... FAILED\n{text}");
        assert!(libtest(&odd, 10_000).unwrap().0.contains("test killed::early ... FAILED\n"));
        assert!(libtest("test a ... FAILED\n\nfailures:\n    a\n", 10_000).is_none());
        // What a test expects is only in the line where it ran.
        for (name, expects) in
            [("tests::no_panic", "should panic"), ("src/lib.rs - add (line 8)", "compile fail")]
        {
            let head = format!("test {name} - {expects} ... FAILED");
            let expected = format!(
                "{head}\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nb says\n\n---- {name} stdout ----\nnote: not as expected at src/lib.rs:21:32\n\nfailures:\n    b\n    {name}\n\ntest result: FAILED. 0 passed; 2 failed\n"
            );
            let (short, _) = libtest(&expected, 10_000).unwrap();
            assert!(
                short.contains(&format!("\n{head}\nnote: not as expected at src/lib.rs:21:32\n")),
                "{short}"
            );
            assert_eq!(short.matches(name).count(), 1, "{short}");
        }
    }
}
