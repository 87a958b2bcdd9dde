//! The lines in which tools print a finding, each by itself: with its place in front, in a row below its file, with its place on
//! the next line. Owns telling them from other lines; what a finding's words say is `said`'s affair.

use std::borrow::Cow;

use super::finding::Finding;
use super::messages::{Said, says, severity, trailing_rule};
use super::place::{is_path, place};

/// A line that begins with its place; whether its frame of source is set apart by blank lines.
pub(super) fn at_place(line: &str) -> Option<(Finding<'_>, bool)> {
    let (line, times) = repeated(line);
    let trimmed = line.trim_start();
    let (prefix, rest) = level_before(trimmed);
    let found = place(rest)?;
    if found.sign == '\n' {
        return None;
    }
    let mut printed = says(found.rest);
    if printed.severity.is_empty() {
        printed.severity = prefix;
    }
    let plain = printed.severity.is_empty() && printed.rule.is_empty();
    // A blank behind a place is a finding's only where a level or a rule follows; a frame of a trace is none at all.
    if plain && found.sign != ':' || printed.message.is_empty() || trimmed.starts_with("at ") {
        return None;
    }
    // What is indented and calls itself nothing belongs to something else.
    if plain && trimmed.len() < line.len() {
        return None;
    }
    let finding = Finding {
        file: found.file,
        at: found.at,
        severity: printed.severity,
        rule: printed.rule,
        message: printed.message,
        times,
        more: Vec::new(),
        beside: Vec::new(),
    };
    Some((finding, found.sign == '-'))
}

/// The line without the mark that says how often it came, and that number.
fn repeated(line: &str) -> (&str, usize) {
    let marked = line.strip_suffix(']').and_then(|line| line.rsplit_once("  [×"));
    let counted = marked.and_then(|(line, times)| Some((line, times.parse().ok()?)));
    counted.unwrap_or((line, 1))
}

/// `[ERROR] `, `ERROR: `, `e: ` before a path.
fn level_before(line: &str) -> (&str, &str) {
    for (before, level) in [
        ("[ERROR] ", "ERROR"),
        ("[WARNING] ", "WARNING"),
        ("[WARN] ", "WARN"),
        ("[INFO] ", "INFO"),
        ("ERROR: ", "ERROR"),
        ("WARNING: ", "WARNING"),
        ("error: ", "error"),
        ("warning: ", "warning"),
        ("e: ", "e"),
        ("w: ", "w"),
    ] {
        if let Some(rest) = line.strip_prefix(before) {
            return (level, rest);
        }
    }
    ("", line)
}

/// `  3:9  error  message  rule` under the name of `file`.
pub(super) fn row<'t>(line: &'t str, file: &'t str) -> Option<Finding<'t>> {
    let (line, times) = repeated(line);
    let trimmed = line.trim_start();
    if trimmed.len() == line.len() {
        return None;
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(trimmed);
    if end == 0 {
        return None;
    }
    if trimmed.as_bytes().get(end) == Some(&b':') {
        end += 1 + digits(&trimmed[end + 1..]);
    }
    let (at, rest) = trimmed.split_at(end);
    if !rest.starts_with([' ', '\t']) || at.ends_with(':') {
        return None;
    }
    let rest = rest.trim_start();
    let (severity, rest) = severity(rest)?;
    let rest = rest.trim_start().trim_end();
    let (message, rule) = match rest.rsplit_once("  ") {
        Some((message, rule)) if !rule.contains(' ') => (message.trim_end(), rule),
        _ => trailing_rule(rest),
    };
    let at = Cow::Borrowed(at);
    (!message.is_empty()).then(|| Finding {
        file,
        at,
        severity,
        rule,
        message,
        times,
        more: Vec::new(),
        beside: Vec::new(),
    })
}

/// `error[E0308]: message` or `F821 message`, with `--> path:3:9` on the line behind.
pub(super) fn arrow<'t>(line: &'t str, next: &'t str) -> Option<Finding<'t>> {
    let path = next.trim_start();
    let path = path.strip_prefix("--> ").or_else(|| path.strip_prefix("┌─ "))?;
    let found = place(path.trim_end()).filter(|found| found.sign == '\n')?;
    let printed = says(line);
    if line.starts_with([' ', '\t', '=', '|']) || printed.severity.is_empty() && printed.rule.is_empty() {
        return None;
    }
    let (Said { severity, rule, message }, times) = (printed, 1);
    let (file, at) = (found.file, found.at);
    (!message.is_empty()).then(|| Finding {
        file,
        at,
        severity,
        rule,
        message,
        times,
        more: Vec::new(),
        beside: Vec::new(),
    })
}

/// `        ^~~~`.
pub(super) fn is_caret(line: &str) -> bool {
    let marks = line.trim();
    marks.contains('^') && marks.chars().all(|c| "^~-.| ".contains(c))
}

pub(super) fn is_heading(line: &str) -> bool {
    !line.starts_with([' ', '\t'])
        && line.len() < 300
        && is_path(line.trim_end())
        && !line.ends_with(['.', ':', ','])
}
