//! A text that is longer than the room: its beginning, its outline with line numbers, its end. Owns what an outline is
//! made of: declarations by their form in any language, headings, sections; lines from all parts where there are none.

use std::fmt::Write as _;

use crate::clip::clipped;
use crate::counted::counted;
use crate::normal;

/// Longest line of an outline, in bytes.
const LONG: usize = 140;

/// Words that begin a declaration, after any modifiers.
const WORDS: &[&str] = &[
    "def",
    "class",
    "fn",
    "func",
    "function",
    "struct",
    "enum",
    "trait",
    "impl",
    "interface",
    "type",
    "module",
    "mod",
    "namespace",
    "protocol",
    "extension",
    "macro_rules!",
    "union",
    "record",
    "object",
    "sub",
    "proc",
    "defmodule",
    "defp",
    "defmacro",
    "package",
    "contract",
    "message",
    "service",
    "template",
    "typedef",
    "describe",
    "it",
    "test",
    "CREATE",
    "create",
    "ALTER",
    "resource",
    "data",
    "variable",
    "target",
    "concept",
    "val",
    "var",
    "let",
    "const",
    "static",
];
/// Words that may be before them.
const BEFORE: &[&str] = &[
    "pub",
    "public",
    "private",
    "protected",
    "internal",
    "export",
    "default",
    "async",
    "static",
    "final",
    "abstract",
    "const",
    "unsafe",
    "extern",
    "inline",
    "virtual",
    "override",
    "declare",
    "sealed",
    "open",
    "data",
    "case",
    "partial",
    "readonly",
    "pub(crate)",
    "pub(super)",
    "local",
    "export default",
    "mut",
    "friend",
    "constexpr",
    "implicit",
    "lazy",
];

/// `text` in at most about `room` bytes.
pub(crate) fn outline(text: &str, argv: &[String], room: usize) -> String {
    let lines: Vec<&str> = normal::lines(text).collect();
    // Where a command shows several files or a part of one, numbers of lines are those of its output.
    let first = offset(argv);
    let marks: Vec<usize> = (0..lines.len()).filter(|at| declares(&lines, *at)).collect();
    if marks.len() * 4 > lines.len() * 3 || marks.len() < 3 {
        return crate::cap::spread(text, usize::MAX, room);
    }
    let mut out = String::with_capacity(room + 128);
    let _ = writeln!(out, "{} lines; beginning, outline with line numbers, end", lines.len());
    let most = room.saturating_sub(out.len() + 160);
    let costs: Vec<usize> = marks.iter().map(|at| lines[*at].trim_end().len().min(LONG + 20) + 8).collect();
    // The outline comes first; deep declarations are dropped if it's too long alone.
    let mut deepest = marks.iter().map(|at| indent(lines[*at])).max().unwrap_or_default();
    let cost = |deepest: usize| -> usize {
        marks.iter().zip(&costs).filter(|(at, _)| indent(lines[**at]) <= deepest).map(|(_, cost)| cost).sum()
    };
    while deepest > 0 && cost(deepest) > most * 6 / 10 {
        deepest -= 1;
    }
    let outlined = cost(deepest).min(most * 6 / 10);
    let (mut head, mut used) = (0, 0);
    while head < lines.len() && used + lines[head].len() < (most - outlined) * 3 / 4 {
        used += lines[head].len() + 1;
        head += 1;
    }
    let (mut tail, mut used) = (lines.len(), 0);
    while tail > head && used + lines[tail - 1].len() < (most - outlined) / 4 {
        used += lines[tail - 1].len() + 1;
        tail -= 1;
    }
    lines[..head].iter().for_each(|line| push(&mut out, line));
    let _ = writeln!(out, "… {} lines, of which these declare something:", tail - head);
    let mut left = outlined + 160;
    let (mut omitted, mut deeper) = (0, 0);
    for at in marks.iter().filter(|at| **at >= head && **at < tail) {
        if indent(lines[*at]) > deepest {
            deeper += 1;
            continue;
        }
        let line = format!("{}: {}", at + first, clipped(lines[*at].trim_end(), LONG));
        if line.len() + 1 > left {
            omitted += 1;
            continue;
        }
        left -= line.len() + 1;
        push(&mut out, &line);
    }
    if omitted + deeper > 0 {
        let _ = writeln!(out, "… {}", counted(omitted + deeper, "more declarations"));
    }
    if tail < lines.len() {
        let _ = writeln!(out, "… from line {} on:", tail + first);
        lines[tail..].iter().for_each(|line| push(&mut out, line));
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The number of the first line: `sed -n 120,900p` begins at 120.
fn offset(argv: &[String]) -> usize {
    let range = argv.iter().skip(1).find_map(|word| {
        let (from, to) = word.strip_suffix('p')?.split_once(',')?;
        (to.is_empty() || to == "$" || to.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| from.parse::<usize>().ok())?
    });
    range.unwrap_or(1).max(1)
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// Whether a line declares or heads something.
fn declares(lines: &[&str], at: usize) -> bool {
    let line = lines[at];
    let text = line.trim_start();
    let deep = indent(line);
    if text.is_empty() || deep > 12 || line.len() > 2_000 {
        return false;
    }
    // Headings of Markdown and sections of settings.
    if deep == 0 && (text.starts_with("# ") || text.starts_with("## ") || text.starts_with("### ")) {
        return true;
    }
    if deep == 0 && text.starts_with('[') && text.trim_end().ends_with(']') && !text.contains([',', '(']) {
        return true;
    }
    let mut words = text.split([' ', '\t', '(', '<', ':', '{', '*']).filter(|word| !word.is_empty());
    let mut before = false;
    for word in words.by_ref().take(6) {
        let value =
            matches!(word, "val" | "var" | "let" | "const" | "static" | "data" | "type" | "it" | "test");
        if WORDS.contains(&word)
            && (!value || deep == 0 && (text.ends_with(['{', '(', '[', '>']) || text.contains("=>")))
        {
            // The declared name follows.
            return text.len() > word.len() + 2;
        }
        if !BEFORE.contains(&word) {
            break;
        }
        before = true;
    }
    // Functions of C's family: a name, brackets, and a body that opens; methods of classes below one another.
    let opens = text.trim_end().ends_with('{')
        || text.trim_end().ends_with(')') && lines.get(at + 1).is_some_and(|next| next.trim() == "{");
    let calls = text.starts_with("if")
        || text.starts_with("for")
        || text.starts_with("while")
        || text.starts_with("switch")
        || text.starts_with("else")
        || text.starts_with('}')
        || text.starts_with("return")
        || text.starts_with("catch")
        || text.starts_with('.')
        || text.starts_with("try")
        || text.starts_with("do ");
    opens
        && !calls
        && text.contains('(')
        && (deep <= 4 || before)
        && !text.contains("=> {")
        && !text.ends_with("({")
}
