//! JSON's numbers as they were written. A number that is read and printed again can come out with other figures
//! (`1.10`, or an identity longer than 64 bits), and a reader would take those for the tool's. Owns how such numbers
//! pass through the parser: as texts after a mark.

use std::borrow::Cow;

use serde_json::Value;

/// Comes before a number that goes through the parser as a text: a control character that normalised text never has.
const MARK: char = '\u{91}';
/// Figures of an integer that surely prints back.
const SURE: usize = 18;

/// `text` with the numbers marked that would not print back; `None` when it uses the mark itself.
pub(super) fn keep_numbers(text: &str) -> Option<Cow<'_, str>> {
    if text.contains(MARK) || text.contains(r"\u0091") {
        return None;
    }
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut at, mut copied) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let part = |b: &&u8| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                let end = at + bytes[at..].iter().take_while(part).count();
                let number = &text[at..end];
                if !prints_back(number) && is_number(number) {
                    out.push_str(&text[copied..at]);
                    out.extend(['"', MARK]);
                    out.push_str(number);
                    out.push('"');
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Some(Cow::Borrowed(text));
    }
    out.push_str(&text[copied..]);
    Some(Cow::Owned(out))
}

/// The number that `value` represents, if it's a marked one.
pub(super) fn as_written(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix(MARK)
}

/// The position after the quotation mark that ends the string whose content begins at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn prints_back(number: &str) -> bool {
    let figures = number.strip_prefix('-').unwrap_or(number);
    let short = figures.len() <= SURE && figures.bytes().all(|b| b.is_ascii_digit());
    short && number != "-0"
        || serde_json::from_str::<Value>(number).is_ok_and(|value| format!("{value}") == number)
}

/// Whether JSON's grammar has such a number; anything else is left for the parser to refuse.
fn is_number(text: &str) -> bool {
    let figures = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (number, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(n, e)| (n, Some(e)));
    let (whole, fraction) = number.split_once('.').map_or((number, None), |(w, f)| (w, Some(f)));
    figures(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(figures)
        && exponent.is_none_or(|exponent| figures(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests {
    use super::keep_numbers;

    #[test]
    fn only_what_would_change_is_marked() {
        for same in [
            r#"{"a":[1,-2,0,1.5,0.1,18446744073709551615],"b 1.10":"\"1.10 \\","c":null}"#,
            "[01, 1., -, 2026-11-20]",
            "\"open",
        ] {
            assert_eq!(keep_numbers(same).unwrap(), same);
        }
        assert_eq!(keep_numbers("[1.10,2]").unwrap(), "[\"\u{91}1.10\",2]");
        assert_eq!(keep_numbers("[\"\u{91}\"]"), None);
    }
}
