//! Frames of source that test runners print around a failure: the marked line stays, the lines around it can be read
//! in the file at the place that the runner names.

use crate::Left;

/// The minimum number of lines of a frame.
const LEAST: usize = 3;

/// The text with the marked line of each frame.
pub(crate) fn code_frames(text: &str) -> Option<Left> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut left_out) = (0, 0);
    while at < lines.len() {
        let end =
            at + lines[at..].iter().take_while(|line| numbered(line).is_some() || is_mark(line)).count();
        let frame = &lines[at..end];
        let marked = |nth: usize| {
            numbered(frame[nth]) == Some(true)
                || numbered(frame[nth]).is_some() && frame.get(nth + 1).is_some_and(|line| is_mark(line))
        };
        if frame.len() < LEAST || !(0..frame.len()).any(marked) {
            for line in &lines[at..end.max(at + 1)] {
                out.push_str(line);
                out.push('\n');
            }
            at = end.max(at + 1);
            continue;
        }
        for (nth, line) in frame.iter().enumerate() {
            if marked(nth) {
                out.push_str(line.trim_end());
                out.push('\n');
            } else {
                left_out += usize::from(numbered(line).is_some());
            }
        }
        at = end;
        // The following lines are about the same failure.
        if lines.get(at).is_some_and(|line| line.is_empty())
            && lines.get(at + 1).is_some_and(|line| !line.is_empty())
        {
            at += 1;
        }
    }
    (left_out > 0).then(|| (out, vec![("lines of source around failures", left_out)]))
}

/// Whether a line may belong to a frame.
pub(crate) fn begins(line: &str) -> bool {
    numbered(line).is_some()
}

/// Whether a line of source with its number is marked; `None` for any other line: `> 11 |   order.state`, `  12|`.
fn numbered(line: &str) -> Option<bool> {
    let rest = line.trim_start();
    let (marked, rest) = match rest.strip_prefix('>') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, rest),
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rest = rest.get(digits..).filter(|_| (1..=6).contains(&digits))?;
    let bar = rest.strip_prefix(' ').unwrap_or(rest);
    // A line of source follows its bar after a blank, or is empty.
    let source = bar.strip_prefix('|')?;
    (source.is_empty() || source.starts_with([' ', '\t'])).then_some(marked)
}

/// `     |          ^^^`, `          ^`.
fn is_mark(line: &str) -> bool {
    let rest = line.trim();
    let rest = rest.strip_prefix('|').unwrap_or(rest).trim_start();
    rest.starts_with('^') && rest.bytes().all(|byte| matches!(byte, b'^' | b'~'))
}

#[cfg(test)]
mod tests {
    use super::code_frames;

    #[test]
    fn the_marked_line_stays_in_the_forms_of_all_runners() {
        for (runner, frame, left, count) in [
            (
                "jest",
                "       9 | function ship(id) {\n      10 |   const order = orders.get(id);\n    > 11 |   order.state = 'shipped';\n         |              ^\n      12 |   return order;\n      13 | }\n",
                "    > 11 |   order.state = 'shipped';\n",
                4,
            ),
            (
                "vitest",
                "      5| describe('checkout', () => {\n      6|\n      7|     expect(total).toEqual(1)\n       |                   ^\n      8|   });\n",
                "      7|     expect(total).toEqual(1)\n",
                3,
            ),
            (
                "bun",
                "1 | import { test } from 'bun:test';\n2 | test('x', () => {\n3 |   expect(1).toBe(2);\n                ^\n",
                "3 |   expect(1).toBe(2);\n",
                2,
            ),
        ] {
            let text = format!("message\n\n{frame}\n      at ship (src/a.js:11:14)\n");
            let (out, counts) = code_frames(&text).unwrap();
            assert_eq!(out, format!("message\n\n{left}      at ship (src/a.js:11:14)\n"), "{runner}");
            assert_eq!(counts, [("lines of source around failures", count)], "{runner}");
        }
    }

    #[test]
    fn text_without_a_mark_is_not_a_frame() {
        for text in [
            "1 | a\n2 | b\n3 | c\n",
            "  id | name\n   1 | tea\n   2 | mug\n",
            "> 1 | alone\n",
            "7|x\n8|y\n ^\n",
        ] {
            assert!(code_frames(text).is_none(), "{text}");
        }
    }
}
