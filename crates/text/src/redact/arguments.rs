//! The arguments of a command in a line of a shell, a string or a list of JSON, without their quotes.

use std::ops::Range;

/// A value without the quotes around it.
pub(super) fn unquoted(text: &str, value: Range<usize>) -> Range<usize> {
    let shown = &text[value.clone()];
    match shown.chars().next() {
        Some(quote @ ('"' | '\'')) if shown.len() > 2 && shown.ends_with(quote) => {
            value.start + 1..value.end - 1
        }
        _ => value,
    }
}

/// The unquoted arguments after `at`, up to the end of the command; those of a JSON list too. The command's line is searched
/// back from `start` to see whether it is quoted itself.
pub(super) fn words(text: &str, start: usize, at: usize) -> Vec<Range<usize>> {
    const MOST: usize = 200;
    let bytes = text.as_bytes();
    let line = super::line_start(text, start);
    let outer = |quote: u8| {
        let mut odd = false;
        for i in line..start {
            odd ^= bytes[i] == quote && (i == 0 || bytes[i - 1] != b'\\');
        }
        odd
    };
    let (in_double, in_single) = (outer(b'"'), outer(b'\''));
    let list = matches!(bytes.get(at), Some(b'"' | b'\''))
        && bytes[at + 1..].iter().find(|b| **b != b' ') == Some(&b',');
    let limit = bytes.len().min(at + 8_000);
    let mut out = Vec::new();
    let mut i = at + usize::from(list);
    while i < limit && out.len() < MOST {
        match bytes[i] {
            b' ' | b'\t' => i += 1,
            b',' if list => i += 1,
            b'\n' if list => i += 1,
            b']' if list => break,
            b'\\' if bytes.get(i + 1) == Some(&b'\n') => i += 2,
            b'\\' if bytes[i + 1..].starts_with(b"\\n") || bytes[i + 1..].starts_with(b"\r\n") => i += 3,
            b'\n' | b'\r' | b'|' | b';' | b'&' => break,
            b'"' if in_double && !list => break,
            b'\'' if in_single && !list => break,
            b'\\' if matches!(bytes.get(i + 1), Some(b'"' | b'\'')) => {
                let quote = bytes[i + 1];
                let from = i + 2;
                let mut end = from;
                while end < limit
                    && !(bytes[end] == b'\\' && bytes.get(end + 1) == Some(&quote))
                    && bytes[end] != b'\n'
                {
                    end += 1;
                }
                out.push(from..end);
                i = end + 2;
            }
            quote @ (b'"' | b'\'') => {
                let from = i + 1;
                let mut end = from;
                while end < limit && bytes[end] != quote {
                    end += if bytes[end] == b'\\' && quote == b'"' { 2 } else { 1 };
                }
                let end = end.min(limit);
                out.push(from..end);
                i = end + 1;
            }
            _ => {
                let from = i;
                // A quote in the middle of a word belongs to it: `-p'secret word'`, `--user='a:b'`.
                while i < limit && !bytes[i].is_ascii_whitespace() && !matches!(bytes[i], b'|' | b';') {
                    match bytes[i] {
                        b'"' if in_double => break,
                        b'\'' if in_single => break,
                        quote @ (b'"' | b'\'') if !list && i > from => {
                            match bytes[i + 1..limit].iter().position(|b| *b == quote || *b == b'\n') {
                                Some(n) if bytes[i + 1 + n] == quote => i += n + 2,
                                _ => i += 1,
                            }
                        }
                        b'\\' if bytes.get(i + 1) == Some(&b'\n') => break,
                        b'\\' if matches!(bytes.get(i + 1), Some(b'n')) && (in_double || in_single) => break,
                        _ => i += 1,
                    }
                }
                out.push(from..i);
                if i == from {
                    i += 1;
                }
            }
        }
    }
    out.retain(|word| {
        text.is_char_boundary(word.start) && text.is_char_boundary(word.end) && word.start < word.end
    });
    out
}
