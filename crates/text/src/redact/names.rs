//! Names that sound secret, and how a value follows them: `password=…`, `"api_key": "…"`, `--token …`,
//! `<password>…</password>`, `setPassword("…")`. Owns the grammar around a value; `judgement` judges the value, and
//! `declarations` knows what may be between the two besides a sign.

use super::declarations;
use super::value::{How, MAX_VALUE, Value, skip_blanks};

/// The start of the name whose last word begins at `word`.
pub(super) fn name_start(text: &str, word: usize) -> usize {
    let bytes = text.as_bytes();
    let mut i = word;
    while i > 0
        && word - i < 96
        && (bytes[i - 1].is_ascii_alphanumeric() || matches!(bytes[i - 1], b'_' | b'-' | b'.'))
    {
        i -= 1;
    }
    // An escape's letter isn't part of the name.
    if i > 0 && i < word && bytes[i - 1] == b'\\' && matches!(bytes[i], b'n' | b't' | b'r') {
        i += 1;
    }
    i
}

/// The end of the name whose word ends at `end`: `SECRET_KEY_BASE`, `PASSWORD_2`, `password1`.
pub(super) fn name_end(text: &str, end: usize) -> usize {
    const MORE: &[&str] = &[
        "_base",
        "_prod",
        "_production",
        "_dev",
        "_development",
        "_staging",
        "_stage",
        "_test",
        "_live",
        "_value",
        "_old",
        "_new",
        "_current",
        "_previous",
        "_primary",
        "_secondary",
        "_plain",
        "_plaintext",
        "value",
        "base",
    ];
    let rest = &text.as_bytes()[end..];
    let is_end = |at: usize| !rest.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    for more in MORE {
        if rest.get(..more.len()).is_some_and(|part| part.eq_ignore_ascii_case(more.as_bytes()))
            && is_end(more.len())
        {
            return end + more.len();
        }
    }
    let sign = usize::from(rest.first() == Some(&b'_'));
    let digits = rest[sign..].iter().take_while(|b| b.is_ascii_digit()).count();
    if (1..=2).contains(&digits) && is_end(sign + digits) { end + sign + digits } else { end }
}

/// The value after a name that ends at `end`.
pub(super) fn value_after(text: &str, start: usize, end: usize) -> Option<Value> {
    let bytes = text.as_bytes();
    let rest = &text[end..];
    let opens = start > 0 && matches!(bytes[start - 1], b'<' | b':' | b';');
    if opens
        && (rest.starts_with('>') || rest.starts_with("&gt;") || rest.starts_with(' '))
        && let Some(value) = element(text, end)
        && (!is_argument_of_type(bytes, start) || is_closed(text, &value))
    {
        return Some(value);
    }
    if let Some(after) = rest.strip_prefix("</key>") {
        let after = after.trim_start().strip_prefix("<string>")?;
        let from = text.len() - after.len();
        return quoted_until(text, from, '<', How::Element);
    }
    let mut i = end;
    // The name's closing quote, escaped if the JSON is in a string, and again if that is in another.
    let escapes = escapes(bytes, i);
    let closed = if matches!(bytes.get(i + escapes), Some(b'"' | b'\'')) { escapes + 1 } else { 0 };
    i += closed;
    // Markdown's emphasis and code.
    let marks = bytes[i..].iter().take(3).take_while(|b| matches!(b, b'*' | b'`')).count();
    let is_marked = bytes.get(start.wrapping_sub(1)).is_some_and(|b| matches!(b, b'*' | b'`'));
    let marked = if closed == 0 && is_marked { marks } else { 0 };
    i += marked;
    if closed == 1 && bytes.get(i) == Some(&b'>') {
        // `<property name="…password">value</property>`.
        return quoted_until(text, i + 1, '<', How::Element);
    }
    if closed == 0 && bytes.get(i) == Some(&b'[') && bytes.get(i + 1) == Some(&b']') {
        i += 2;
    }
    let in_brackets = start > 0 && bytes[start - 1] == b'[';
    if (closed > 0 || in_brackets) && bytes.get(i) == Some(&b']') {
        // `config["password"] = …`, `[password] => …`
        i += 1;
    }
    if closed > 0
        && let Some(at) = declarations::default_in_block(text, i)
    {
        return value_at(text, at, How::Sign('=', false)).filter(|value| value.quoted);
    }
    let declared = declarations::value_start(text, i);
    if let Some(at) = declared.filter(|at| closed == 0 || declarations::tells_value(&text[i..*at])) {
        return value_at(text, at, How::Sign('=', false)).filter(|value| value.quoted);
    }
    if let Some(value) = declarations::percent_encoded(text, i) {
        return Some(value);
    }
    let from = i;
    i = skip_blanks(bytes, i);
    let spaced = i > from;
    let next = bytes.get(i + 1);
    let (sign, how) = match bytes.get(i) {
        Some(b'=') if next == Some(&b'>') => (2, How::Sign('=', false)),
        Some(b'=') if next == Some(&b'=') => {
            (2 + usize::from(bytes.get(i + 2) == Some(&b'=')), How::Compared)
        }
        Some(b'!') if next == Some(&b'=') => {
            (2 + usize::from(bytes.get(i + 2) == Some(&b'=')), How::Compared)
        }
        Some(b':') if next == Some(&b'=') => (2, How::Sign('=', false)),
        // A path isn't an assignment, nor is `${NAME:?message}`.
        Some(b':') if next == Some(&b':') => return None,
        Some(b':') if next == Some(&b'?') && text[..start].ends_with("${") => return None,
        Some(b'+' | b'?' | b'|') if next == Some(&b'=') => (2, How::Sign('=', false)),
        Some(b'=') => (1, How::Sign('=', true)),
        Some(b':') => (1, How::Sign(':', true)),
        // R.
        Some(b'<') if next == Some(&b'-') && spaced => (2, How::Sign('=', false)),
        Some(b',') if closed > 0 => (1, How::Argument),
        Some(b'(') if !spaced && closed == 0 => (1, How::Call),
        _ => (0, How::Blank),
    };
    if sign == 0 && !spaced {
        return None;
    }
    let after = i + sign;
    i = skip_blanks(bytes, after);
    if how == How::Argument {
        i += bytes[i..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    }
    let how = match how {
        How::Sign(sign, tight) => How::Sign(sign, tight && !spaced && i == after),
        How::Blank if spaced && closed == 0 => match declarations::value_in_words(text, i) {
            Some(at) => {
                i = at;
                How::Told
            }
            None => How::Blank,
        },
        how => how,
    };
    if matches!(how, How::Sign(':', _)) && bytes[i..].starts_with(b"**") {
        // `**Password:** …`
        i = skip_blanks(bytes, i + 2);
    }
    if how == How::Call && text[start..end].to_ascii_lowercase().ends_with("set_password") {
        // `keyring.set_password(service, user, "…")`
        i = declarations::last_argument(text, i)?;
    }
    if matches!(how, How::Sign(..)) {
        if let Some(value) = declarations::block_scalar(text, end, i, how) {
            return Some(value);
        }
        if let Some(at) = declarations::on_next_line(text, i) {
            return value_at(text, at, How::Sign('=', false));
        }
        i = declarations::after_tags(text, i, how);
        // Other languages' strings: `@"…"`, `b'…'`, `$'…'`.
        if matches!(bytes.get(i), Some(b'@' | b'b' | b'r' | b'f' | b'$' | b'N' | b'L'))
            && matches!(bytes.get(i + 1), Some(b'"' | b'\''))
        {
            i += 1;
        }
    }
    value_at(text, i, how)
}

/// The value that begins at `i`.
fn value_at(text: &str, mut i: usize, how: How) -> Option<Value> {
    let bytes = text.as_bytes();
    let escapes = escapes(bytes, i);
    let quote_at = i + escapes;
    if let Some(quote @ (b'"' | b'\'' | b'`')) = bytes.get(quote_at).copied() {
        let from = quote_at + 1;
        if bytes.get(from) == Some(&quote) && bytes.get(from + 1) == Some(&quote) {
            if let Some(range) = declarations::joined_in_triple_quotes(text, from + 2, quote) {
                return Some(Value { how, range, quoted: true });
            }
            let first = declarations::in_triple_quotes(text, from + 2);
            // On a line of its own, the line's end is the value's.
            let line = text[first..text.floor_char_boundary(first.saturating_add(MAX_VALUE))].find('\n');
            return match line {
                Some(line) if first > from + 2 => {
                    let value = text[first..first + line].trim_end().trim_end_matches(char::from(quote));
                    let range = first..first + value.len();
                    (!value.is_empty()).then_some(Value { how, range, quoted: true })
                }
                _ => string(text, first, quote, escapes, how),
            };
        }
        return string(text, from, quote, escapes, how);
    }
    if matches!(how, How::Call | How::Compared | How::Argument) {
        return None;
    }
    let stops = |b: &u8| {
        b.is_ascii_whitespace()
            || matches!(
                b,
                b'"' | b'\'' | b',' | b';' | b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'`'
            )
    };
    i = i.min(text.len());
    let limit = text.floor_char_boundary(i.saturating_add(MAX_VALUE));
    let mut stop = bytes[i..limit].iter().position(stops).map_or(limit, |n| i + n);
    if how == How::Sign('=', true) && matches!(bytes.get(i), Some(b'$' | b'{' | b'<')) {
        // Template variables stay.
        stop = stop.max(i);
    }
    (stop > i).then_some(Value { how, range: i..stop, quoted: false })
}

/// A string from `from` to its quote; handles escapes, and a line end ends it.
fn string(text: &str, from: usize, quote: u8, escapes: usize, how: How) -> Option<Value> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from.saturating_add(MAX_VALUE));
    let mut i = from;
    while i < limit {
        match bytes[i] {
            b'\n' => return None,
            b'\\'
                if escapes > 0
                    && bytes.get(i + escapes) == Some(&quote)
                    && bytes[i..i + escapes].iter().all(|b| *b == b'\\') =>
            {
                break;
            }
            b'\\'
                if escapes == 0
                    && quote != b'`'
                    && bytes.get(i + 1).is_some_and(|b| *b == quote || *b == b'\\') =>
            {
                i += 2;
            }
            byte if byte == quote => break,
            _ => i += 1,
        }
    }
    // A string without an end is cut off; it is a secret all the same.
    let end = text.floor_char_boundary(i.min(limit));
    (end > from).then_some(Value { how, range: from..end, quoted: true })
}

fn element(text: &str, end: usize) -> Option<Value> {
    let rest = &text[end..text.floor_char_boundary(end.saturating_add(300))];
    let opened = match (rest.find('>'), rest.find("&gt;")) {
        (_, Some(0)) => 4,
        (Some(at), _) if !rest[..at].contains(['<', '\n']) && !rest[..at].ends_with('/') => at + 1,
        _ => return None,
    };
    let mut from = end + opened;
    if text[from..].starts_with("<![CDATA[") {
        from += "<![CDATA[".len();
        return quoted_until(text, from, ']', How::Element);
    }
    quoted_until(text, from, if opened == 4 { '&' } else { '<' }, How::Element)
}

/// Whether the name that begins at `start` is a type's argument, as in `Vec<Token>`, or an element behind a word.
fn is_argument_of_type(bytes: &[u8], start: usize) -> bool {
    let before = start.checked_sub(2).map(|at| bytes[at]);
    bytes[start - 1] == b'<' && before.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'))
}

/// Whether the element's end is behind its value.
fn is_closed(text: &str, value: &Value) -> bool {
    let rest = text[value.range.end..].trim_start();
    let rest = rest.strip_prefix("]]>").map_or(rest, str::trim_start);
    rest.starts_with("</") || rest.starts_with("<\\/")
}

fn quoted_until(text: &str, from: usize, stop: char, how: How) -> Option<Value> {
    let limit = text.floor_char_boundary(from.saturating_add(MAX_VALUE));
    let length = text[from..limit].find(stop)?;
    let value = &text[from..from + length];
    let lead = value.len() - value.trim_start().len();
    let value = value.trim();
    // Markup or page text, not a value.
    (!value.is_empty() && !value.contains('\n')).then_some(Value {
        how,
        range: from + lead..from + lead + value.len(),
        quoted: true,
    })
}

/// How many backslashes are at `at`: each time that a text is put into a string, its quotes have more.
fn escapes(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take(8).take_while(|b| **b == b'\\').count()
}
