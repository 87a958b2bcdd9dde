//! JSON that a strict parser refuses, or that hasn't arrived completely: where its first value ends, which members are at its
//! top, and a repaired copy.
//!
//! Everything makes a single pass over the bytes, keeps only a few of them and doesn't recurse, so that no size and no depth
//! is too much.

mod repair;

pub use repair::{repair, repair_surrogates};

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
    /// Takes the next piece; returns how many of its bytes belong to the value, once that is complete.
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
    fn members_are_found_wherever_they_are() {
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
    fn what_parsers_refuse_is_repaired() {
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
        fn any_bytes_are_repaired(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = ValueEnd::default().feed(&bytes);
            let _ = Members::of(&bytes).id().map(str::len);
            let mended = repair(&bytes);
            prop_assert!(mended.len() <= bytes.len() * 6 + 16);
        }

        #[test]
        fn valid_json_stays_unchanged(text in "[ -~äö日\n]{0,60}", number in any::<i64>()) {
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
