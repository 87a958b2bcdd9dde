//! The user's time zone: the UTC offset, and when a date begins.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The user's UTC offset in minutes at a time in milliseconds since 1970.
pub(crate) fn offset_min(at_ms: i64) -> i32 {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    TimeZone::system().to_offset(at).seconds() / 60
}

/// The time that `text` names, in milliseconds since 1970: a date (`2026-01-31`, which begins at the user's
/// midnight), or a duration before `now_ms` (`7d`, `24h`). `None` for anything else.
pub(crate) fn parse_time(text: &str, now_ms: i64) -> Option<i64> {
    parse_time_in(text, now_ms, &TimeZone::system())
}

fn parse_time_in(text: &str, now_ms: i64, zone: &TimeZone) -> Option<i64> {
    for (unit, ms) in [('d', 86_400_000), ('h', 3_600_000)] {
        if let Some(number) = text.strip_suffix(unit) {
            let number: u32 = number.parse().ok()?;
            return Some(now_ms.saturating_sub(i64::from(number).saturating_mul(ms)));
        }
    }
    let date: Date = text.parse().ok()?;
    Some(date.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_begin_at_local_midnight_and_spans_end_now() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        for (text, wanted) in [
            ("1970-01-02", Some(79_200_000)),
            ("1h", Some(86_400_000)),
            ("1d", Some(3_600_000)),
            ("0d", Some(90_000_000)),
            ("yesterday", None),
            ("1970-13-01", None),
            ("-1d", None),
            ("d", None),
            ("", None),
            ("ü", None),
        ] {
            assert_eq!(parse_time_in(text, 90_000_000, &zone), wanted, "{text}");
        }
    }
}
