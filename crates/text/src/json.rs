//! JSON that a strict parser refuses, or that hasn't arrived completely: where its first value ends, which members are at its
//! top, and a repaired copy.
//!
//! Everything makes a single pass over the bytes, keeps only a few of them and doesn't recurse, so that no size and no depth
//! is too much.

use std::fmt::Write as _;

/// A repaired text's maximum nesting: parsers take 128.
const MAX_DEPTH: usize = 100;

/// The longest top-level member that is kept, in bytes.
const MAX_MEMBER: usize = 512;

/// Finds the end of the first object or array in bytes that arrive piece by piece.
#[derive(Debug, Clone, Default)]
pub struct ValueEnd {
    depth: u64,
    in_text: bool,
    escaped: bool,
    begun: bool,
    /// Whether it begins with something else, so that only the end of all bytes is its end.
    other: bool,
}

impl ValueEnd {
    /// Takes the next piece; returns how much of it belongs to the value, once that is complete.
    pub fn feed(&mut self, piece: &[u8]) -> Option<usize> {
        if self.other {
            return None;
        }
        for (at, &byte) in piece.iter().enumerate() {
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'{' | b'[' => {
                    self.begun = true;
                    self.depth += 1;
                }
                b'}' | b']' if self.begun => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                b'"' if self.begun => self.in_text = true,
                // A byte order mark and white space may precede it.
                b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => {}
                _ if !self.begun => {
                    self.other = true;
                    return None;
                }
                _ => {}
            }
        }
        None
    }
}

/// The top-level members of an object that tell a message's kind and id.
#[derive(Debug, Clone, Default)]
pub struct Members {
    depth: u64,
    in_text: bool,
    escaped: bool,
    /// Whether it reads the member's value, not its name.
    in_value: bool,
    /// The current top-level name or plain value, as written.
    word: Vec<u8>,
    name: Vec<u8>,
    id: Option<Vec<u8>>,
    method: bool,
    answer: bool,
}

impl Members {
    /// Takes the next piece.
    pub fn feed(&mut self, piece: &[u8]) {
        for &byte in piece {
            self.step(byte);
        }
    }

    /// The members of a whole text.
    pub fn of(text: &[u8]) -> Self {
        let mut members = Self::default();
        members.feed(text);
        members
    }

    /// The member `id` as written, if it is a plain value.
    pub fn id(&self) -> Option<&str> {
        std::str::from_utf8(self.id.as_deref()?).ok()
    }

    /// Whether there is a member `method`.
    pub fn has_method(&self) -> bool {
        self.method
    }

    /// Whether there is a member `result` or `error`.
    pub fn is_answer(&self) -> bool {
        self.answer && !self.method
    }

    fn step(&mut self, byte: u8) {
        if self.in_text {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                if self.depth == 1 {
                    self.word.clear();
                }
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.word.clear();
            }
            b'}' | b']' => {
                self.end_of_value();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.name = std::mem::take(&mut self.word);
                self.in_value = true;
                match self.name.as_slice() {
                    b"\"method\"" => self.method = true,
                    b"\"result\"" | b"\"error\"" => self.answer = true,
                    _ => {}
                }
            }
            b',' if self.depth == 1 => self.end_of_value(),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.word.len() < MAX_MEMBER {
            self.word.push(byte);
        }
    }

    fn end_of_value(&mut self) {
        if self.depth != 1 {
            return;
        }
        let word = std::mem::take(&mut self.word);
        if std::mem::take(&mut self.in_value) && self.name == b"\"id\"" && !word.is_empty() {
            self.id = Some(word);
        }
    }
}

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

/// The surrogate whose escape begins after a backslash, and the bytes of it and its partner.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn only_lone_surrogates_are_replaced() {
        for (text, repaired) in [
            (r#"{"a":"cut \ud83d"}"#, Some(r#"{"a":"cut \ufffd"}"#)),
            (
                r#"["\udc00\ud83d\ude00\uD83D\u0041\ud83d\n"]"#,
                Some(r#"["\ufffd\ud83d\ude00\ufffd\u0041\ufffd\n"]"#),
            ),
            (r#"["\\ud83d","\ud83d\ude00","\u00e9","\q"]"#, None),
            ("[\"\u{1}\",1e999]", None),
            ("\"\\", None),
            ("\"\\ud8", None),
            ("\\é\\ud800", Some("\\é\\ufffd")),
        ] {
            assert_eq!(repair_surrogates(text.as_bytes()).as_deref(), repaired, "{text}");
        }
        assert_eq!(repair_surrogates(b"\"\xff\\ud800\""), None);
    }

    #[test]
    fn the_end_is_where_the_first_value_is_whole() {
        for (text, end) in [
            (r#"{"a":1} "#, Some(7)),
            (r#" [1,{"b":"]}"}]x"#, Some(15)),
            (r#"{"a":"\"}"}"#, Some(11)),
            ("\u{feff}{}", Some(5)),
            (r#"{"a":"}"#, None),
            ("{", None),
            ("", None),
            ("null {}", None),
            ("]", None),
        ] {
            assert_eq!(ValueEnd::default().feed(text.as_bytes()), end, "{text}");
        }
    }

    #[test]
    fn members_are_found_wherever_they_stand() {
        let deep = format!(r#"{{"params":{}1{},"id":7,"method":"m"}}"#, "[".repeat(9_000), "]".repeat(9_000));
        for (text, id, method) in [
            (r#"{"jsonrpc":"2.0","id":3,"method":"m"}"#, Some("3"), true),
            (r#"{"params":{"id":1,"x":"\ud800"},"id":"a\"b","method":"m"}"#, Some(r#""a\"b""#), true),
            (r#"{"id":{"id":1},"method":"m"}"#, None, true),
            (r#"{"id" : -5 }"#, Some("-5"), false),
            (r#"{"id":12,"params":{"code":"ec"#, Some("12"), false),
            (r#"{"params":["id",1],"name":"id"}"#, None, false),
            (r#"[{"id":1}]"#, None, false),
            ("no json", None, false),
            (&deep, Some("7"), true),
        ] {
            let members = Members::of(text.as_bytes());
            assert_eq!((members.id(), members.has_method()), (id, method), "{}", &text[..text.len().min(80)]);
        }
        assert!(Members::of(br#"{"id":1,"result":{}}"#).is_answer());
        assert!(!Members::of(br#"{"id":1,"method":"m","params":{"result":1}}"#).is_answer());
    }

    #[test]
    fn what_parsers_refuse_is_mended() {
        let deep = format!(r#"{{"a":{}1{},"b":2}}"#, "[".repeat(9_000), "]".repeat(9_000));
        let cases: [(&[u8], &str); 10] = [
            (br#"{"a":"x\ud800y"}"#, r#"{"a":"x\ufffdy"}"#),
            (br#"{"a":"\udc00\ud83d\ude00"}"#, r#"{"a":"\ufffd\ud83d\ude00"}"#),
            (br#"{"a":"\ud800\ud83d\ude00\ud800"}"#, r#"{"a":"\ufffd\ud83d\ude00\ufffd"}"#),
            (b"{\"a\":\"\xff\"}", "{\"a\":\"\u{fffd}\"}"),
            (b"{\"a\":\"1\n2\"}", r#"{"a":"1\u000a2"}"#),
            (br#"{"a":"C:\dir\u12"}"#, r#"{"a":"C:\\dir\\u12"}"#),
            (br#"{"a":1e999,"b":-2.5e3}"#, r#"{"a":null,"b":-2.5e3}"#),
            (b"\xef\xbb\xbf{}", "{}"),
            (br#"{"a":"\\\"","b":"\t"}"#, r#"{"a":"\\\"","b":"\t"}"#),
            (br#"{"a":"\"#, r#"{"a":"\\"#),
        ];
        for (text, mended) in cases {
            assert_eq!(repair(text), mended);
        }
        let value: Value = serde_json::from_str(&repair(deep.as_bytes())).unwrap();
        assert_eq!(value["b"], 2);
    }

    proptest! {
        #[test]
        fn any_bytes_are_gone_over(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = ValueEnd::default().feed(&bytes);
            let _ = Members::of(&bytes).id().map(str::len);
            let mended = repair(&bytes);
            prop_assert!(mended.len() <= bytes.len() * 6 + 16);
        }

        #[test]
        fn what_is_fine_stays_as_it_is(text in "[ -~äö日\n]{0,60}", number in any::<i64>()) {
            let value = serde_json::json!({"text": text, "list": [number, {"deep": [null, true]}]});
            let written = value.to_string();
            prop_assert_eq!(repair(written.as_bytes()), written.clone());
            let halves = written.as_bytes().split_at(written.len() / 2);
            let mut ending = ValueEnd::default();
            prop_assert_eq!(ending.feed(halves.0), None);
            prop_assert_eq!(ending.feed(halves.1), Some(halves.1.len()));
        }
    }
}
