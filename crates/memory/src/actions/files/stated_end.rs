//! When a memory ends that comes from a file. What a file states and nobody understands is an error: without its end, what is
//! out of use would come back, and with a wrong one it would be gone.

use serde_json::Value;

use crate::domain::{DAY_MS, period_ms, quoted_beginning, range_end};

/// The values for no end.
const NO_END: &[&str] = &["", "never", "none", "null", "~"];
/// Fewer seconds since 1970 are a year or a number of days: these are in 1973.
const FIRST_SECONDS: i64 = 100_000_000;
/// From here on it's a number of milliseconds: as seconds it would be in the year 5138, and what has ended would be back.
const FIRST_MS: i64 = 100_000_000_000;

/// The end in a value: a date as Plimsoll writes it, seconds since 1970 as subcog does, or milliseconds. `None` if there
/// is none.
pub(super) fn stated_end(value: &Value, now_ms: i64) -> Result<Option<i64>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => end_in_words(text, now_ms),
        other => other.as_i64().map_or_else(|| Err(no_date(&other.to_string())), end_in_numbers),
    }
}

/// The same where everything is a text.
pub(super) fn end_in_words(text: &str, now_ms: i64) -> Result<Option<i64>, String> {
    let text = text.trim();
    if NO_END.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Ok(None);
    }
    if let Ok(since_1970) = text.parse::<i64>() {
        return end_in_numbers(since_1970);
    }
    // A period is counted back from now, so what is to last for 30 days would have ended long ago.
    let is_period = period_ms(text, DAY_MS).is_ok();
    // A date includes its day, as in a filter.
    match range_end(text, now_ms) {
        Ok(at) if !is_period => Ok(Some(at)),
        _ => Err(no_date(text)),
    }
}

fn end_in_numbers(since_1970: i64) -> Result<Option<i64>, String> {
    match since_1970 {
        ..=0 => Ok(None),
        FIRST_MS.. => Ok(Some(since_1970)),
        FIRST_SECONDS.. => Ok(Some(since_1970.saturating_mul(1_000))),
        _ => Err(no_date(&since_1970.to_string())),
    }
}

fn no_date(given: &str) -> String {
    format!(
        "\"{}\" isn't a date; write one like 2026-01-31 or 2026-01-31T18:00, or never",
        quoted_beginning(given)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_end_is_a_date_or_none_and_never_a_guess() {
        for value in
            [json!(null), json!(""), json!(" Never "), json!("none"), json!("null"), json!("~"), json!(0)]
        {
            assert_eq!(stated_end(&value, 5), Ok(None), "{value}");
        }
        for (value, end) in [
            (json!("1970-01-02"), 2 * DAY_MS),
            (json!("1970-01-02T00:00:01Z"), DAY_MS + 1_000),
            (json!(1_900_000_000), 1_900_000_000_000),
            (json!("1900000000"), 1_900_000_000_000),
            (json!(1_900_000_000_000_i64), 1_900_000_000_000),
            (json!(i64::MAX), i64::MAX),
        ] {
            assert_eq!(stated_end(&value, 5), Ok(Some(end)), "{value}");
        }
        for (value, given) in [
            (json!("30d"), "30d"),
            (json!("2w"), "2w"),
            (json!("2031"), "2031"),
            (json!(2031), "2031"),
            (json!(1.5), "1.5"),
            (json!("soon"), "soon"),
            (json!(true), "true"),
            (json!([1]), "[1]"),
        ] {
            assert!(stated_end(&value, 5).is_err_and(|why| why.contains(given)), "{value}");
        }
    }
}
