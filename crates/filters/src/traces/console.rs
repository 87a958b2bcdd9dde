//! Console output of tests, as Jest shows it: each message with its place, without the source around it; messages of
//! one place together. Owns where such a block ends.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::Left;
use crate::guard::must_stay;
use crate::normal;

/// Longest message that shares a line with others, in bytes, and how many share one.
const SHORT: usize = 160;
const BESIDE: usize = 12;

/// Whether a block begins here: `console.warn`, and nothing else.
pub(crate) fn begins(line: &str) -> bool {
    let word = line.trim();
    word.strip_prefix("console.")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Messages of one place.
struct Place<'t> {
    heading: &'t str,
    at: &'t str,
    /// Each message that is different, with how often it came.
    messages: Vec<(Vec<&'t str>, usize)>,
}

/// The report with its blocks grouped by their places.
pub(crate) fn console(text: &str) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut places: Vec<Place<'_>> = Vec::new();
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    // Lines that stay, and the positions of places that are shown.
    let mut out: Vec<Result<&str, usize>> = Vec::new();
    let (mut at, mut source) = (0, 0);
    while let Some(line) = lines.get(at) {
        let block = if begins(line) { Block::read(line, &lines[at + 1..]) } else { None };
        let Some(block) = block else {
            out.push(Ok(line));
            at += 1;
            continue;
        };
        at += 1 + block.lines;
        source += block.source;
        let next = places.len();
        let place = *known.entry((line.trim(), block.at)).or_insert(next);
        if place == next {
            places.push(Place { heading: line, at: block.at, messages: Vec::new() });
            out.push(Err(place));
        }
        let messages = &mut places[place].messages;
        match messages.iter_mut().find(|(message, _)| *message == block.message) {
            Some((_, count)) => *count += 1,
            None => messages.push((block.message, 1)),
        }
    }
    if places.is_empty() {
        return None;
    }
    let mut short = String::with_capacity(text.len());
    for line in out {
        match line {
            Ok(line) => short.extend([line, "\n"]),
            Err(place) => places[place].write(&mut short),
        }
    }
    let left_out = (source > 0).then_some(("lines of source around console output", source));
    Some((short, left_out.into_iter().collect()))
}

/// One block.
struct Block<'t> {
    message: Vec<&'t str>,
    at: &'t str,
    source: usize,
    lines: usize,
}

impl<'t> Block<'t> {
    fn read(heading: &str, lines: &[&'t str]) -> Option<Self> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let depth = indent(heading);
        let mut block = Self { message: Vec::new(), at: "", source: 0, lines: 0 };
        for line in lines {
            let text = line.trim();
            // The marked line has its mark further left.
            let inside = text.is_empty() || indent(line) > depth || is_source(text);
            if !inside || !text.is_empty() && !block.at.is_empty() && !text.starts_with("at ") {
                break;
            }
            block.lines += 1;
            match text {
                "" => {}
                // The place is the first frame's.
                _ if text.starts_with("at ") && block.at.is_empty() => block.at = text,
                _ if text.starts_with("at ") || is_source(text) => block.source += 1,
                _ => block.message.push(line),
            }
            if text.is_empty() && !block.at.is_empty() {
                break;
            }
        }
        (!block.at.is_empty() && !block.message.is_empty()).then_some(block)
    }
}

/// `> 5 | code`, `    |   ^`.
fn is_source(text: &str) -> bool {
    let rest =
        text.trim_start_matches(['>', ' ']).trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    rest == "|" || rest.starts_with("| ")
}

impl Place<'_> {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "{} {}", self.heading.trim_end(), self.at);
        let all: usize = self.messages.iter().map(|(_, count)| count).sum();
        if all > 1 {
            let _ = write!(out, " ×{all}");
        }
        out.push(':');
        let short = |message: &&(Vec<&str>, usize)| {
            message.0.len() == 1 && message.0[0].len() <= SHORT && !must_stay(message.0[0])
        };
        let counted = |count: usize| if count > 1 { format!(" [×{count}]") } else { String::new() };
        let (one, more): (Vec<_>, Vec<_>) = self.messages.iter().partition(short);
        for (nth, (message, count)) in one.iter().take(BESIDE).enumerate() {
            let _ =
                write!(out, "{} {}{}", if nth > 0 { " |" } else { "" }, message[0].trim(), counted(*count));
        }
        if one.len() > BESIDE {
            let others = crate::counted::counted(one.len() - BESIDE, "other messages");
            let _ = write!(out, " | … {others}");
        }
        out.push('\n');
        for (message, count) in more {
            for (nth, line) in message.iter().enumerate() {
                let _ = writeln!(out, "{line}{}", if nth == 0 { counted(*count) } else { String::new() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::console;

    #[test]
    fn messages_at_one_place_are_grouped_without_the_source() {
        let block = |message: &str| {
            format!(
                "    console.warn\n      {message}\n\n      3 | before();\n    > 5 | warn(n);\n        |  ^\n      6 |\n\n      at Object.warn (test/a.test.js:5:51)\n      at run (test/run.js:1:2)\n\n"
            )
        };
        let text: String = (0..30).map(|n| block(&format!("slow path {}", n % 14))).collect();
        let text = format!(
            "FAIL test/a.test.js\n  ● Console\n\n{text}{}  ● adds › one\n",
            block("Error: no such row")
        );
        let (short, _) = console(&text).unwrap();
        assert!(
            short.contains("    console.warn at Object.warn (test/a.test.js:5:51) ×31: slow path 0 [×3] | slow path 1 [×3] | slow path 2 [×2]"),
            "{short}"
        );
        assert!(
            short.contains(" | … 2 other messages\n      Error: no such row\n  ● adds › one\n"),
            "{short}"
        );
        assert!(short.len() < 600, "{short}");
        let text: String = (0..26).map(|n| block(&format!("slow path {}", n % 13))).collect();
        let (short, _) =
            console(&format!("FAIL test/a.test.js\n  ● Console\n\n{text}  ● adds › one\n")).unwrap();
        assert!(short.contains(" | … 1 other message\n"), "{short}");
        assert_eq!(console("console.log\nand a text\n"), None);
    }
}
