//! pytest's failures in Python's own form (`--tb=native`) as they are in the short one: the place first, the error behind `E`. Owns
//! telling such a trace from one that a test only printed; what of a frame matters is the same in both forms.

use super::pytest_report::{heading, is_captured, is_chain, is_rule, is_section, push};

const TRACEBACK: &str = "Traceback (most recent call last):";
/// Stands for frames that are the same again.
const REPEATED: &str = "[Previous line repeated ";

/// The report with such traces in the short form; nothing where it has none.
pub(super) fn in_short_form(lines: &[&str]) -> Option<String> {
    let is_native = |pair: &[&str]| heading(pair[0]).is_some() && pair[1] == TRACEBACK;
    if !lines.windows(2).any(is_native) {
        return None;
    }
    let mut out = String::new();
    let mut trace = Trace::None;
    let mut in_section = false;
    for (at, line) in lines.iter().enumerate() {
        if is_rule(line) {
            in_section = is_section(line);
            trace = Trace::None;
        } else if in_section && heading(line).is_some() {
            let native = lines.get(at + 1).is_some_and(|next| *next == TRACEBACK);
            trace = if native { Trace::Frames } else { Trace::None };
        } else if is_captured(line) {
            trace = Trace::None;
        } else if trace != Trace::None {
            trace = write_line(line, trace, &mut out);
            continue;
        }
        push(&mut out, line);
    }
    Some(out)
}

/// Where in a trace a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trace {
    None,
    Frames,
    /// In a frame that has no file, whose source belongs to no other.
    Outside,
    Error,
}

/// Writes a line of a trace in the short form; where the next one is.
fn write_line(line: &str, trace: Trace, out: &mut String) -> Trace {
    if line == TRACEBACK {
        return Trace::Frames;
    }
    if is_chain(line) || line.trim().is_empty() {
        push(out, line);
        return trace;
    }
    match frame(line) {
        Some(frame) => {
            push(out, &frame);
            return Trace::Frames;
        }
        // What Python runs of itself has no file.
        None if line.starts_with("  File \"<") => return Trace::Outside,
        None => {}
    }
    if trace != Trace::Error && line.starts_with("    ") {
        if trace == Trace::Frames {
            push(out, line);
        }
        return trace;
    }
    push(out, &format!("E   {line}"));
    if line.trim_start().starts_with(REPEATED) { trace } else { Trace::Error }
}

/// `tests/test_cart.py:12: in test_total` of `  File "tests/test_cart.py", line 12, in test_total`.
fn frame(line: &str) -> Option<String> {
    let (file, rest) = line.strip_prefix("  File \"")?.split_once("\", line ")?;
    let (number, name) = rest.split_once(", in ")?;
    let known = !file.starts_with('<') && number.bytes().all(|byte| byte.is_ascii_digit());
    known.then(|| format!("{file}:{number}: in {name}"))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::in_short_form;
    use crate::traces::pytest;

    const SITE: &str = "/home/dev/shop/.venv/lib/python3.11/site-packages";

    /// A failure as pytest prints it, with as many frames of pytest itself.
    fn failure(name: &str, number: usize, deep: usize) -> String {
        let mut out = format!("______________ {name} ______________\nTraceback (most recent call last):\n");
        for frame in 1..=deep {
            let _ = writeln!(out, "  File \"{SITE}/_pytest/runner.py\", line {frame}, in from_call");
            let _ = writeln!(out, "    result: TResult | None = func()\n                             ^^^^^^");
        }
        let _ = writeln!(out, "  File \"/home/dev/shop/tests/test_cart.py\", line {number}, in {name}");
        let _ = writeln!(out, "    assert total(jars) == {number}\nAssertionError: assert 3 == {number}");
        let _ = writeln!(out, "    +  where 3 = total([{number}])");
        out
    }

    #[test]
    fn a_trace_in_pythons_form_is_a_trace_in_the_short_form() {
        let text = format!(
            "=== FAILURES ===\n{}----- Captured stdout call -----\nTraceback (most recent call last):\n  File \"a.py\", line 3, in a\n=== 1 failed ===",
            failure("test_total", 12, 1)
        );
        let lines: Vec<&str> = text.lines().collect();
        let short = in_short_form(&lines).expect("native traces");
        assert_eq!(
            short,
            format!(
                "=== FAILURES ===\n______________ test_total ______________\n\
                {SITE}/_pytest/runner.py:1: in from_call\n    result: TResult | None = func()\n                             ^^^^^^\n\
                /home/dev/shop/tests/test_cart.py:12: in test_total\n    assert total(jars) == 12\n\
                E   AssertionError: assert 3 == 12\nE       +  where 3 = total([12])\n\
                ----- Captured stdout call -----\nTraceback (most recent call last):\n  File \"a.py\", line 3, in a\n=== 1 failed ===\n"
            )
        );
    }

    #[test]
    fn a_cause_a_repeat_and_what_has_no_file_are_read() {
        let text = "=== FAILURES ===\n____ test_deep ____\nTraceback (most recent call last):\n  File \"a.py\", line 3, in down\n    down(n + 1)\n  [Previous line repeated 970 more times]\n\
            KeyError: 'jar'\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File \"<frozen runpy>\", line 8, in run\n\
            \x20 File \"b.py\", line 9, in up\n    raise RuntimeError()\nRuntimeError\n";
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            in_short_form(&lines).expect("native traces"),
            "=== FAILURES ===\n____ test_deep ____\na.py:3: in down\n    down(n + 1)\nE     [Previous line repeated 970 more times]\n\
            E   KeyError: 'jar'\n\nThe above exception was the direct cause of the following exception:\n\n\
            b.py:9: in up\n    raise RuntimeError()\nE   RuntimeError\n"
        );
        assert_eq!(in_short_form(&["=== FAILURES ===", "____ test_a ____", "a.py:3: in a"]), None);
    }

    /// However little room there is, each failure keeps its place and its error.
    #[test]
    fn where_frames_of_libraries_have_no_room_places_and_errors_do() {
        let failures: String =
            (10..22).map(|number| failure(&format!("test_row_{number}"), number, 30)).collect();
        let text = format!("=== FAILURES ===\n{failures}=== 12 failed in 0.31s ===\n");
        for room in [3_000, 6_000] {
            let (shown, _) = pytest(&text, room).expect("a shorter report");
            assert!(shown.len() <= room, "{room}: {}", shown.len());
            for number in 10..22 {
                for fact in
                    [format!("test_cart.py:{number}: in test_row_{number}"), format!("assert 3 == {number}")]
                {
                    assert!(shown.contains(&fact), "{room}: {fact}\n{shown}");
                }
            }
        }
    }
}
