//! Repaired copies of JSON that a strict parser refuses although the meaning is clear.

use std::fmt::Write as _;

use super::ValueEnd;

/// A repaired text's maximum nesting: parsers take 128.
pub(super) const MAX_DEPTH: usize = 100;

/// The same JSON without what parsers refuse although the meaning is clear: invalid UTF-8, lone surrogates, control characters
/// and unknown escapes in strings, numbers out of range, values nested too deep (which become `null`).
pub fn repair(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut depth = 0;
    while let Some(c) = rest.chars().next() {
        match c {
            '"' => rest = repair_string(rest, &mut out),
            '{' | '[' if depth == MAX_DEPTH => {
                rest = after_value(rest);
                out.push_str("null");
            }
            '{' | '[' => {
                depth += 1;
                out.push(c);
                rest = &rest[1..];
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                out.push(c);
                rest = &rest[1..];
            }
            '-' | '0'..='9' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
                let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
                let beyond = number.parse::<f64>().is_ok_and(f64::is_infinite);
                out.push_str(if beyond { "null" } else { number });
                rest = after;
            }
            _ => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// The same JSON with lone surrogates replaced: JavaScript writes one when it cuts a text inside an emoji. `None` without one,
/// and for bytes that aren't UTF-8.
pub fn repair_surrogates(bytes: &[u8]) -> Option<String> {
    let mut rest = std::str::from_utf8(bytes).ok()?;
    let mut out = String::new();
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at + 1..];
        out.push_str(&rest[..=at]);
        let taken = match surrogate(escape) {
            Some((Surrogate::Lone, taken)) => {
                out.push_str("ufffd");
                changed = true;
                taken
            }
            Some((Surrogate::Pair, taken)) => {
                out.push_str(&escape[..taken]);
                taken
            }
            None => {
                let escaped = escape.chars().next().map_or(0, char::len_utf8);
                out.push_str(&escape[..escaped]);
                escaped
            }
        };
        rest = &escape[taken..];
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// The UTF-16 unit of an escape, given what follows its backslash.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('u')?.get(..4)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

enum Surrogate {
    Pair,
    Lone,
}

/// The surrogate whose escape begins after a backslash, and how many bytes it and its partner take.
fn surrogate(escape: &str) -> Option<(Surrogate, usize)> {
    match unit(escape)? {
        0xd800..=0xdbff => {
            let second = escape[5..].strip_prefix('\\').and_then(unit);
            let pair = second.is_some_and(|second| (0xdc00..=0xdfff).contains(&second));
            Some(if pair { (Surrogate::Pair, 11) } else { (Surrogate::Lone, 5) })
        }
        0xdc00..=0xdfff => Some((Surrogate::Lone, 5)),
        _ => None,
    }
}

/// What follows the value at the start of `text`.
fn after_value(text: &str) -> &str {
    let end = ValueEnd::default().feed(text.as_bytes()).unwrap_or(text.len());
    // A bracket is one byte, so this is a boundary.
    text.get(end..).unwrap_or_default()
}

/// Copies the string that begins with a quote, repaired; returns what follows it.
fn repair_string<'a>(text: &'a str, out: &mut String) -> &'a str {
    out.push('"');
    let mut rest = &text[1..];
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '"' => {
                out.push('"');
                return rest;
            }
            '\\' => rest = repair_escape(rest, out),
            c if u32::from(c) < 0x20 => {
                // Writing to a text never fails.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    rest
}

/// Copies what follows a backslash; returns the rest.
fn repair_escape<'a>(rest: &'a str, out: &mut String) -> &'a str {
    match (rest.chars().next(), unit(rest)) {
        (_, Some(0xd800..=0xdfff)) => match surrogate(rest) {
            Some((Surrogate::Pair, taken)) => {
                out.push('\\');
                out.push_str(&rest[..taken]);
                &rest[taken..]
            }
            _ => {
                out.push_str("\\ufffd");
                &rest[5..]
            }
        },
        (_, Some(_)) => {
            out.push('\\');
            out.push_str(&rest[..5]);
            &rest[5..]
        }
        (Some(c @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')), None) => {
            out.push('\\');
            out.push(c);
            &rest[1..]
        }
        // Not an escape, as in an unescaped Windows path.
        _ => {
            out.push_str("\\\\");
            rest
        }
    }
}
