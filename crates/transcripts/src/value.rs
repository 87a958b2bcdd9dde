//! JSON of unknown origin: parses a line into a tree of limited size, and reads members whatever else is there and whatever
//! their type. Knows no agent.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The most values in one line. Otherwise, a line of eight megabytes of `0,0,0` would become a tree of hundreds.
const MAX_NODES: usize = 200_000;

/// The object in `bytes`; `None` if it isn't a complete JSON object, or has too many values. Invalid UTF-8 is replaced,
/// because agents record what programs print, and so is half a surrogate, because JavaScript writes one when it cuts a text
/// inside an emoji.
pub fn object(bytes: &[u8]) -> Option<Value> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let line = String::from_utf8_lossy(bytes);
    parsed(&line).or_else(|| parsed(&text::json::repair_surrogates(line.as_bytes())?))
}

fn parsed(line: &str) -> Option<Value> {
    let mut left = MAX_NODES;
    let mut read = serde_json::Deserializer::from_str(line);
    let value = Bounded { left: &mut left }.deserialize(&mut read).ok()?;
    read.end().ok()?;
    Some(value)
}

struct Bounded<'a> {
    left: &'a mut usize,
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Bounded<'_> {
    fn count<E: Error>(&mut self) -> Result<(), E> {
        *self.left = self.left.checked_sub(1).ok_or_else(|| E::custom("too many values"))?;
        Ok(())
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E: Error>(mut self, value: bool) -> Result<Value, E> {
        self.count()?;
        Ok(value.into())
    }

    fn visit_i64<E: Error>(mut self, value: i64) -> Result<Value, E> {
        self.count()?;
        Ok(value.into())
    }

    fn visit_u64<E: Error>(mut self, value: u64) -> Result<Value, E> {
        self.count()?;
        Ok(value.into())
    }

    fn visit_f64<E: Error>(mut self, value: f64) -> Result<Value, E> {
        self.count()?;
        Ok(value.into())
    }

    fn visit_str<E: Error>(mut self, value: &str) -> Result<Value, E> {
        self.count()?;
        Ok(value.into())
    }

    fn visit_string<E: Error>(mut self, value: String) -> Result<Value, E> {
        self.count()?;
        Ok(value.into())
    }

    fn visit_unit<E: Error>(mut self) -> Result<Value, E> {
        self.count()?;
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        self.count()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Bounded { left: &mut *self.left })? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        self.count()?;
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Bounded { left: &mut *self.left })?;
            map.insert(name, value);
        }
        Ok(map.into())
    }
}

/// Reads members whatever their type.
pub trait JsonFields {
    /// The member, or null.
    fn at(&self, name: &str) -> &Value;
    /// A member's text, or an empty one.
    fn text(&self, name: &str) -> &str;
    /// A count: a number, also as text; 0 for negative ones and anything else.
    fn count(&self, name: &str) -> u64;
    /// An integer, also as text.
    fn int(&self, name: &str) -> Option<i64>;
    /// A list's items; empty for anything else.
    fn items(&self, name: &str) -> &[Value];
    /// Whether a member is `true`.
    fn is(&self, name: &str) -> bool;
}

const NULL: &Value = &Value::Null;

impl JsonFields for Value {
    fn at(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(NULL)
    }

    fn text(&self, name: &str) -> &str {
        self.at(name).as_str().unwrap_or_default()
    }

    fn count(&self, name: &str) -> u64 {
        match self.at(name) {
            Value::Number(number) =>
            {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a float that is no count saturates"
                )]
                number.as_u64().or_else(|| number.as_f64().map(|float| float as u64)).unwrap_or(0)
            }
            Value::String(text) => text.trim().parse().unwrap_or(0),
            _ => 0,
        }
    }

    fn int(&self, name: &str) -> Option<i64> {
        match self.at(name) {
            Value::Number(number) => number.as_i64().or_else(|| {
                #[expect(clippy::cast_possible_truncation, reason = "a float that is no count saturates")]
                number.as_f64().map(|float| float as i64)
            }),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    fn items(&self, name: &str) -> &[Value] {
        self.at(name).as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn is(&self, name: &str) -> bool {
        self.at(name).as_bool().unwrap_or(false)
    }
}

/// Milliseconds since 1970 of a time given as RFC 3339 text, or as a number of seconds or milliseconds.
pub fn at_ms(value: &Value) -> i64 {
    match value {
        Value::String(text) => {
            text.trim().parse::<jiff::Timestamp>().map(jiff::Timestamp::as_millisecond).unwrap_or(0)
        }
        Value::Number(number) => {
            #[expect(clippy::cast_possible_truncation, reason = "an impossible time saturates")]
            let number = number.as_i64().or_else(|| number.as_f64().map(|float| float as i64)).unwrap_or(0);
            // 1e11 seconds are the year 5138, 1e11 milliseconds are 1973.
            if number.unsigned_abs() < 100_000_000_000 { number.saturating_mul(1000) } else { number }
        }
        _ => 0,
    }
}

/// An exit code from any integer.
pub fn exit_code(value: Option<i64>) -> Option<i32> {
    value.and_then(|code| i32::try_from(code).ok())
}

/// A tool result's text: a string, or the joined text blocks of a list.
pub fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| match block {
                Value::String(text) => Some(text.as_str()),
                block => block.at("text").as_str(),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_objects_of_bounded_size() {
        assert!(object(b"{\"a\":[1,2,{\"b\":null}]}").is_some());
        for bad in [&b"[]"[..], b"7", b"", b"{\"a\":1", b"{\"a\":1} x", b"\"{}\""] {
            assert!(object(bad).is_none(), "{bad:?}");
        }
        let many = format!("{{\"a\":[{}0]}}", "0,".repeat(MAX_NODES));
        assert!(object(many.as_bytes()).is_none());
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
        assert!(object(deep.as_bytes()).is_none());
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        let value = object(b"{\"a\":\"x\xff\xfey\"}").unwrap();
        assert_eq!(value.text("a"), "x\u{fffd}\u{fffd}y");
    }

    #[test]
    fn half_a_surrogate_is_replaced() {
        let value = object(br#"{"a":"cut \ud83d","b":["\ud83d\ude00"],"c":"\\ud83d"}"#).unwrap();
        assert_eq!((value.text("a"), value.text("c")), ("cut \u{fffd}", "\\ud83d"));
        assert_eq!(value.items("b")[0], "\u{1f600}");
        assert!(object(br#"{"a":"cut \ud83d"#).is_none(), "it isn't complete");
    }

    #[test]
    fn accessors_accept_any_type() {
        let value = object(br#"{"n":3,"s":"12","f":4.7,"neg":-2,"l":[1],"t":true,"o":{}}"#).unwrap();
        assert_eq!((value.count("n"), value.count("s"), value.count("f"), value.count("neg")), (3, 12, 4, 0));
        assert_eq!((value.count("l"), value.count("none"), value.text("n")), (0, 0, ""));
        assert_eq!((value.int("neg"), value.int("s"), value.int("o")), (Some(-2), Some(12), None));
        assert_eq!((value.items("l").len(), value.items("o").len()), (1, 0));
        assert!(value.is("t") && !value.is("n"));
    }

    #[test]
    fn times_are_read_in_each_form() {
        let ms = |json: &str| at_ms(&serde_json::from_str(json).unwrap());
        assert_eq!(ms("\"2026-11-22T06:13:03.757Z\""), 1_795_327_983_757);
        assert_eq!(ms("\"2026-11-22T07:13:03+01:00\""), 1_795_327_983_000);
        assert_eq!((ms("1795327983757"), ms("1795327983")), (1_795_327_983_757, 1_795_327_983_000));
        assert_eq!((ms("\"yesterday\""), ms("null"), ms("{}")), (0, 0, 0));
        assert_eq!(ms("1e300"), i64::MAX);
    }
}
