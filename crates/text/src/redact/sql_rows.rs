//! Secrets in the rows of SQL's `INSERT` and `COPY`, whose columns the statement names. Owns where a row's values are; which column
//! sounds secret is in [`super::columns`].

use std::ops::Range;

use super::columns::{LONGEST, MOST, SecretColumns, judge, record, secret_columns};
use super::{Secret, line_start};

/// The words that trigger [`sql`].
pub(super) const WORDS: &[&str] = &["insert into", "replace into", "from stdin"];

/// The longest row of an `INSERT`, in bytes.
const LONGEST_ROW: usize = 16 * 1024;

/// The statement whose word is at `start..end`. Returns where it ends.
pub(super) fn sql(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    if text[start..end].eq_ignore_ascii_case("from stdin") {
        return copied(text, start, end, out).unwrap_or(end);
    }
    inserted(text, end, out).unwrap_or(end).max(end)
}

/// The names in the brackets that `at` is before, within `reach` bytes: those that sound secret, how many there are, and where
/// the brackets end.
fn named_columns(text: &str, at: usize, reach: usize) -> Option<(SecretColumns, usize, usize)> {
    let head = &text[at..text.floor_char_boundary(at.saturating_add(reach))];
    let open = at + head.find('(')?;
    if text[at..open].contains(';') {
        return None;
    }
    let limit = text.floor_char_boundary(open.saturating_add(LONGEST));
    let close = open + text[open..limit].find(')')?;
    let names = &text[open + 1..close];
    let count = names.split(',').count();
    Some((secret_columns(names.split(',')), count, close + 1)).filter(|(secret, ..)| !secret.is_empty())
}

/// `INSERT INTO users (name, password) VALUES ('…', '…'), …`
fn inserted(text: &str, at: usize, out: &mut Vec<Secret>) -> Option<usize> {
    let bytes = text.as_bytes();
    let (secret, count, mut at) = named_columns(text, at, 200)?;
    // Between the two may be what a program joins them with.
    at = skip(bytes, at, b"\"'+.`&");
    at += bytes.get(at..at + 6).filter(|word| word.eq_ignore_ascii_case(b"values"))?.len();
    loop {
        at = skip(bytes, at, b",");
        if bytes.get(at) != Some(&b'(') {
            return Some(at);
        }
        let (values, end) = tuple(bytes, at + 1)?;
        if values.len() == count {
            for (column, name) in &secret {
                if let Some(range) = &values[*column] {
                    judge(text, name, range.clone(), out);
                }
            }
        }
        at = end;
    }
}

/// The end of the blanks and of `also` at `at`, with ends of lines as they are written in a string.
fn skip(bytes: &[u8], mut at: usize, also: &[u8]) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't')) => at += 2,
            Some(byte) if byte.is_ascii_whitespace() || *byte == b'\\' || also.contains(byte) => at += 1,
            _ => return at,
        }
    }
}

/// The first string of each value up to the closing bracket, and where that is.
fn tuple(bytes: &[u8], mut at: usize) -> Option<(Vec<Option<Range<usize>>>, usize)> {
    let bytes = &bytes[..bytes.len().min(at.saturating_add(LONGEST_ROW))];
    let mut values = vec![None];
    let mut depth = 0_usize;
    loop {
        match *bytes.get(at)? {
            b'\'' | b'"' => {
                let string = string(bytes, at)?;
                at = string.end;
                // An escaped quote's backslash isn't part of the text.
                let end = string.end - bytes[..at].iter().rev().take_while(|b| **b == b'\\').count();
                if let Some(value @ None) = values.last_mut() {
                    *value = Some(string.start..end.max(string.start));
                }
            }
            b'(' => depth += 1,
            b')' if depth == 0 => return Some((values, at + 1)),
            b')' => depth -= 1,
            b',' if depth == 0 && values.len() < MOST => values.push(None),
            _ => {}
        }
        at += 1;
    }
}

/// The content of the string whose quote is at `open`, with the backslashes before its closing quote.
fn string(bytes: &[u8], open: usize) -> Option<Range<usize>> {
    let quote = bytes[open];
    // In a string of another language the quotes themselves are escaped.
    let escaped = open > 0 && bytes[open - 1] == b'\\';
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if !escaped => at += 2,
            byte if byte == quote && bytes.get(at + 1) == Some(&quote) => at += 2,
            byte if byte == quote => return Some(open + 1..at),
            _ => at += 1,
        }
    }
    None
}

/// `COPY users (name, password) FROM stdin;` and the lines below, up to `\.`.
fn copied(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> Option<usize> {
    let line = line_start(text, start);
    if !text.get(line..line + 5)?.eq_ignore_ascii_case("copy ") {
        return None;
    }
    let (secret, count, close) = named_columns(text, line, start - line)?;
    if close > start {
        return None;
    }
    let mut at = end + text[end..].find('\n')? + 1;
    while let Some((fields, next)) = text.get(at..).and_then(|_| record(text, at, b'\t')) {
        if fields.len() != count {
            break;
        }
        for (column, name) in &secret {
            judge(text, name, fields[*column].clone(), out);
        }
        at = next;
        if at >= text.len() {
            break;
        }
    }
    Some(at.min(text.len()))
}
