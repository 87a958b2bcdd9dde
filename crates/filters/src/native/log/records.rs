//! Records in JSON as lines of a log, perhaps behind the name of a container or a time. Owns which record is a message.

use std::borrow::Cow;

/// A record's names for its time.
const TIMES: [&str; 5] = ["time", "timestamp", "@timestamp", "ts", "date"];
/// Names of which a message has one, wherever it is in the record.
const OF_MESSAGES: [&str; 13] = [
    "\"level\":",
    "\"severity\":",
    "\"lvl\":",
    "\"levelname\":",
    "\"loglevel\":",
    "\"log.level\":",
    "\"@l\":",
    "\"@t\":",
    "\"@timestamp\":",
    "\"timestamp\":",
    "\"asctime\":",
    "\"time\":",
    "\"ts\":",
];

/// Whether a line is a message in JSON: structlog begins with its event, winston with its message.
pub(super) fn is_message(line: &str) -> bool {
    at(line).is_some_and(|at| OF_MESSAGES.iter().any(|name| line[at..].contains(name)))
}

/// Where a line's record begins: first, or behind a name or a time that a container's host prints.
fn at(line: &str) -> Option<usize> {
    if !line.trim_end().ends_with('}') {
        return None;
    }
    if line.starts_with("{\"") {
        return Some(0);
    }
    let at = line.find(" {\"")? + 1;
    let before = line[..at].trim();
    (before.ends_with(['|', ']']) || !before.contains(' ')).then_some(at)
}

/// A record with a blank behind each name and value, so that its values are separate words; any other line unchanged.
pub(super) fn with_blanks(line: &str) -> Cow<'_, str> {
    let Some(at) = at(line) else { return Cow::Borrowed(line) };
    let mut out = String::with_capacity(line.len() + line.len() / 8);
    out.push_str(&line[..at]);
    let (mut quoted, mut escaped) = (false, false);
    for c in line[at..].chars() {
        out.push(c);
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' | ':' if !quoted => out.push(' '),
            _ => {}
        }
    }
    // Its time comes first, as in any other log: without the time's name it's recognised as one.
    let bare = TIMES.iter().find_map(|name| out.strip_prefix(&format!("{{\"{name}\": ")));
    Cow::Owned(bare.map(|rest| format!("{{{rest}")).unwrap_or(out))
}

#[cfg(test)]
mod tests {
    use super::{is_message, with_blanks};

    #[test]
    fn messages_are_recognised_wherever_their_level_is() {
        for line in [
            r#"{"event":"order is paid","order":7,"level":"info","timestamp":"2026-10-14T08:00:00Z"}"#,
            r#"{"message":"order is paid","level":"info"}"#,
            r#"web-1  | {"msg":"order is paid","severity":"INFO"}"#,
            r#"[pod/cart-7d9/cart] {"asctime":"2026-10-14 08:00:00,120","levelname":"INFO","message":"up"}"#,
            r#"2026-10-14T08:00:00.120Z {"@t":"2026-10-14T08:00:00Z","@mt":"order {Id} is paid"}"#,
        ] {
            assert!(is_message(line), "{line}");
        }
        for line in
            [r#"{"order":7,"total":12}"#, r#"{"level":"info""#, "level: info", r#"paid {"level":"a"} now"#]
        {
            assert!(!is_message(line), "{line}");
        }
    }

    #[test]
    fn values_are_words_of_their_own() {
        for (line, words) in [
            (r#"{"level":"info","n":7}"#, r#"{"level": "info", "n": 7}"#),
            (r#"{"time":"08:00:00","n":7}"#, r#"{"08:00:00", "n": 7}"#),
            (r#"web-1  | {"level":"a: b","n":7}"#, r#"web-1  | {"level": "a: b", "n": 7}"#),
            ("paid for {\"n\":7}", "paid for {\"n\":7}"),
        ] {
            assert_eq!(with_blanks(line), words);
        }
    }
}
