//! Failures that `cargo nextest` reports and that do not all fit: each test in one line with the place and the words of
//! its panic, instead of one test with its output and the names of the others. Owns where a test's output begins and
//! ends.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::libtest::EXPECTED;
use crate::Left;
use crate::clip::clipped;
use crate::counted::counted;

/// The lengths to which a failure's line is cut, in bytes, until all fits.
const SIZES: [usize; 4] = [400, 240, 160, 110];

/// How far a test's output is set in, in columns.
const INSIDE: usize = 4;

/// The report in about `room` bytes, where it is longer.
pub(crate) fn nextest(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let fits = |most: &usize| each_in_a_line(&lines, *most).filter(|short| short.len() <= room);
    let shortest = || each_in_a_line(&lines, *SIZES.last()?);
    // A later cut has less to cut.
    SIZES.iter().find_map(fits).or_else(shortest).map(|short| (short, Vec::new()))
}

/// Whether a line may begin a failure's report.
pub(crate) fn begins(line: &str) -> bool {
    status(line).is_some_and(is_failure)
}

/// `FAIL`, `TRY 2 SIGSEGV` of `        FAIL [   0.346s] ( 51/111) crate tests::name`.
fn status(line: &str) -> Option<&str> {
    let (status, rest) = line.trim_start().split_once(" [")?;
    let time = rest.split_once("s] ")?.0.trim_start_matches(['>', ' ']);
    let word = |word: &str| word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
    let shape = line.starts_with("  ")
        && !status.is_empty()
        && status.split(' ').all(word)
        && !time.is_empty()
        && time.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    shape.then_some(status)
}

fn is_failure(status: &str) -> bool {
    let last = status.rsplit(' ').next().unwrap_or(status);
    matches!(last, "FAIL" | "LEAK-FAIL" | "ABORT" | "TIMEOUT") || last.starts_with("SIG")
}

/// `  stderr ───`, the heading of one of a test's streams.
fn is_stream(line: &str) -> bool {
    line.starts_with("  ")
        && ["stdout ─", "stderr ─", "output ─"].iter().any(|name| line.trim_start().starts_with(name))
}

/// Where the output of the test that `lines` begin with ends; nothing if none follows.
fn end_of(lines: &[&str]) -> Option<usize> {
    let says = |line: &&&str| !line.trim().is_empty();
    lines.iter().find(says).filter(|line| is_stream(line))?;
    let inside = |line: &&&str| {
        line.trim().is_empty()
            || is_stream(line)
            || line.len() - line.trim_start().len() >= INSIDE
                && status(line).is_none()
                && !line.trim_start().starts_with("Summary [")
    };
    Some(lines.iter().take_while(inside).count())
}

/// The report with each failed test in a line of at most about `most` bytes; nothing if no test's output is in it.
fn each_in_a_line(lines: &[&str], most: usize) -> Option<String> {
    let mut out = String::new();
    let (mut at, mut again, mut omitted) = (0, 0, 0);
    let mut named: HashSet<&str> = HashSet::new();
    while let Some(line) = lines.get(at) {
        at += 1;
        let head = line.trim();
        let printed = Some(*line).filter(|line| begins(line)).and_then(|_| end_of(&lines[at..]));
        if let Some(length) = printed {
            let (message, more, same) = message(head, &lines[at..at + length]);
            at += length;
            omitted += more;
            again += same;
            named.insert(head);
            let _ =
                writeln!(out, "{head}: {}", clipped(&message, most.saturating_sub(head.len().min(most / 2))));
        } else if named.contains(head) {
            again += 1;
        } else if !head.is_empty() || !out.ends_with("\n\n") {
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    if named.is_empty() {
        return None;
    }
    if omitted > 0 {
        let _ = writeln!(out, "… {} that failed tests printed not shown", counted(omitted, "lines"));
    }
    if again > 0 {
        let _ = writeln!(out, "… {} a failed test again not shown", counted(again, "lines naming"));
    }
    Some(out)
}

/// What the test says about its failure, in one line: from its panic to the backtrace, or else all that it wrote to its
/// last stream. With how many of its other lines aren't in it, and how many only name the test once more.
fn message(head: &str, printed: &[&str]) -> (String, usize, usize) {
    let name = head.rsplit(' ').next().unwrap_or(head);
    let lines: Vec<&str> = printed.iter().copied().filter(|line| !line.trim().is_empty()).collect();
    let panics = |line: &&str| line.trim_start().starts_with("thread '") && line.contains(" panicked at ");
    let panicked = lines.iter().position(panics);
    let stream = lines.iter().rposition(|line| is_stream(line));
    let from = panicked.or(stream).unwrap_or(0);
    let trace = lines[from..].iter().position(|line| line.trim() == "stack backtrace:");
    let end = trace.map_or(lines.len(), |length| from + length);
    let (mut message, mut omitted, mut again) = (String::new(), 0, 0);
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !is_stream(line)) {
        let line = line.trim();
        if names_again(line, name) {
            again += 1;
            continue;
        }
        if !(from..end).contains(&at) {
            omitted += 1;
            continue;
        }
        if !message.is_empty() {
            message.push_str(if message.ends_with(':') { " " } else { "; " });
        }
        // The thread is the test's.
        let own = line.strip_prefix("thread '").and_then(|rest| rest.strip_prefix(name)?.strip_prefix('\''));
        match own.and_then(|rest| rest.split_once(" panicked at ")) {
            Some((_, place)) => {
                let _ = write!(message, "panicked at {place}");
            }
            None => message.push_str(line),
        }
    }
    (message, omitted, again)
}

/// Whether a line is libtest's own around a single test, which says only once more that it failed.
fn names_again(line: &str, name: &str) -> bool {
    line == name
        || line == "failures:"
        || line == "running 1 test"
        || line.starts_with("test result: FAILED. 0 passed; 1 failed; ")
        || behind(line, "---- ", name, " stdout ----") == Some("")
        || behind(line, "test ", name, " ... FAILED")
            .is_some_and(|what| what.is_empty() || EXPECTED.contains(&what))
}

/// What `line` has behind the name, between the words before and after it.
fn behind<'l>(line: &'l str, before: &str, name: &str, after: &str) -> Option<&'l str> {
    line.strip_prefix(before)?.strip_prefix(name)?.strip_suffix(after)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::nextest;

    fn report(failures: usize) -> String {
        let mut out = String::from("    Starting 90 tests across 1 binary\n");
        let head = |n: usize| format!("        FAIL [   0.0{n}s] ( {n}/90) heck snake::tests::test{n}\n");
        for n in 10..10 + failures {
            write!(
                out,
                "{}  stdout ───\n\n    printed before it failed {n}\n    test snake::tests::test{n} ... FAILED\n\n    failures:\n\n        snake::tests::test{n}\n\n    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 89 filtered out; finished in 0.{n}s\n\n  stderr ───\n\n    thread 'snake::tests::test{n}' (77{n}) panicked at src/snake.rs:{n}:5:\n    assertion `left == right` failed\n      left: \"abc_{n}\"\n     right: \"abc{n}\"\n    stack backtrace:\n       1: core::panicking::panic_fmt\n                 at ./src/snake.rs:{n}:5\n\n",
                head(n)
            )
            .unwrap();
        }
        out.push_str("        FAIL [   0.010s] ( 87/90) heck no_panic\n  stdout ───\n\n    running 1 test\n    test no_panic - should panic ... FAILED\n\n    ---- no_panic stdout ----\n    note: test did not panic as expected at src/lib.rs:21:32\n\n");
        out.push_str("        FAIL [   0.020s] ( 86/90) heck threads\n  stderr ───\n\n    thread 'worker-3' (1) panicked at src/lib.rs:26:8:\n    in worker\n\n    thread 'threads' (2) panicked at src/lib.rs:27:9:\n    joined\n\n");
        out.push_str("        SIGABRT [   0.200s] ( 88/90) heck killed\n  stderr ───\n\n    memory allocation of 7 bytes failed\n\n");
        writeln!(
            out,
            "     Summary [   3.092s] 90 tests run: {} passed, {} failed, 0 skipped",
            89 - failures,
            failures + 1
        )
        .unwrap();
        (10..10 + failures).for_each(|n| out.push_str(&head(n)));
        out.push_str("        SIGABRT [   0.200s] ( 88/90) heck killed\nerror: test run failed\n");
        out
    }

    #[test]
    fn each_failed_test_keeps_the_words_of_its_panic() {
        let text = report(30);
        assert_eq!(nextest(&text, text.len()), None);
        let (short, _) = nextest(&text, 10_000).unwrap();
        assert!(short.len() <= 10_000, "{}: {short}", short.len());
        for n in 10..40 {
            let line = format!(
                "\nFAIL [   0.0{n}s] ( {n}/90) heck snake::tests::test{n}: panicked at src/snake.rs:{n}:5: assertion `left == right` failed; left: \"abc_{n}\"; right: \"abc{n}\"\n"
            );
            assert!(short.contains(&line), "{n}: {short}");
            assert_eq!(short.matches(&format!("snake::tests::test{n}")).count(), 1, "{short}");
        }
        for line in [
            "    Starting 90 tests across 1 binary\n",
            "\nFAIL [   0.010s] ( 87/90) heck no_panic: note: test did not panic as expected at src/lib.rs:21:32\n",
            "\nFAIL [   0.020s] ( 86/90) heck threads: thread 'worker-3' (1) panicked at src/lib.rs:26:8: in worker; panicked at src/lib.rs:27:9: joined\n",
            "\nSIGABRT [   0.200s] ( 88/90) heck killed: memory allocation of 7 bytes failed\n",
            "\n     Summary [   3.092s] 90 tests run: 59 passed, 31 failed, 0 skipped\nerror: test run failed\n",
            // The line before the panic and the backtrace's three; libtest's four and the list at the end.
            "… 120 lines that failed tests printed not shown\n… 154 lines naming a failed test again not shown\n",
        ] {
            assert!(short.contains(line), "{line}: {short}");
        }
        // Messages are cut before a test is.
        let (brief, _) = nextest(&text, 4_200).unwrap();
        assert!(brief.len() < short.len(), "{brief}");
        assert!(
            (10..40).all(|n| brief.contains(&format!("test{n}: panicked at src/snake.rs:{n}:5"))),
            "{brief}"
        );
        assert_eq!(nextest(&"     Summary [   3.092s] 90 tests run\n".repeat(400), 10_000), None);
    }
}
