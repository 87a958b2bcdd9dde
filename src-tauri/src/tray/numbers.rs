//! Figures and times for the tray's labels. Pure except for [`Zone`], the user's time zone.

use contract::desktop::Period;
use contract::{Amount, Decimal};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

const DAY_MS: i64 = 86_400_000;
const MORNING: jiff::civil::Time = jiff::civil::time(6, 0, 0, 0);

/// A size in the window's form: `1.93 MB`, in German `1,93 MB`. The tray never shows a negative size; it counts as 0.
pub(crate) fn size(bytes: i64, locale: &str) -> String {
    Amount::bytes(u64::try_from(bytes).unwrap_or(0)).written(signs(locale).1)
}

/// A number in groups of three digits: `15,400`, in German `15.400`, in Austria `15 400`.
pub(crate) fn count(number: u64, locale: &str) -> String {
    let (between, _) = signs(locale);
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(between);
        }
        grouped.push(digit);
    }
    grouped
}

/// What a locale such as `de-AT` or `de_AT.UTF-8` has between groups of digits, and its decimal sign: those of the window,
/// which asks the engine that draws it. Where the window has no words in a language, it's English with the user's region.
fn signs(locale: &str) -> (char, Decimal) {
    let tag = locale.split(['.', '@']).next().unwrap_or_default();
    let mut parts = tag.split(['-', '_']);
    let german = parts.next().is_some_and(|language| language.eq_ignore_ascii_case("de"));
    let region = parts.find(|part| part.len() == 2).unwrap_or_default().to_ascii_uppercase();
    match (german, region.as_str()) {
        (true, "AT") | (false, "FI" | "SE" | "ZA") => ('\u{a0}', Decimal::Comma),
        (_, "CH") | (true, "LI") => ('’', Decimal::Point),
        (true, _) | (false, "AT" | "BE" | "DE" | "DK" | "NL" | "SI") => ('.', Decimal::Comma),
        _ => (',', Decimal::Point),
    }
}

/// The percentage of the raw output that was kept out; `None` if there is nothing to compare.
pub(crate) fn share(kept: i64, raw: u64) -> Option<u64> {
    let kept = u64::try_from(kept).ok().filter(|kept| *kept > 0 && *kept <= raw)?;
    Some(kept.saturating_mul(100) / raw)
}

/// The user's time zone.
pub(crate) struct Zone(TimeZone);

impl Zone {
    /// The system's current zone; it may change while the program runs.
    pub(crate) fn system() -> Self {
        Self(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    #[cfg(test)]
    pub(crate) fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    fn at(&self, ms: i64) -> Option<Zoned> {
        Some(Timestamp::from_millisecond(ms).ok()?.to_zoned(self.0.clone()))
    }

    /// From midnight until now; for a day if the calendar can't tell.
    pub(crate) fn today(&self, now_ms: i64) -> Period {
        let now = self.at(now_ms);
        let begun = now.as_ref().and_then(|now| now.start_of_day().ok());
        Period {
            since_ms: begun.map_or(now_ms.saturating_sub(DAY_MS), |begun| begun.timestamp().as_millisecond()),
            utc_offset_min: now.map_or(0, |now| now.offset().seconds() / 60),
        }
    }

    /// Six o'clock tomorrow, in milliseconds since 1970: a pause until tomorrow outlasts a long evening and is over
    /// when work begins. A day from now if the calendar can't tell.
    pub(crate) fn tomorrow(&self, now_ms: i64) -> i64 {
        self.at(now_ms)
            .and_then(|now| now.checked_add(1.day()).ok()?.with().time(MORNING).build().ok())
            .map_or(now_ms.saturating_add(DAY_MS), |start| start.timestamp().as_millisecond())
    }

    /// The time of day, `14:05`, with its date if that is more than a day away.
    pub(crate) fn time(&self, ms: i64, now_ms: i64) -> String {
        let far = ms.saturating_sub(now_ms) > DAY_MS;
        self.at(ms).map_or_else(String::new, |at| {
            let date = if far { format!("{} ", at.date()) } else { String::new() };
            format!("{date}{:02}:{:02}", at.hour(), at.minute())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short_and_speak_the_language() {
        for (bytes, english, german) in [(2_140, "2.14 KB", "2,14 KB"), (-26_000, "0 B", "0 B")] {
            assert_eq!(size(bytes, "en"), english);
            assert_eq!(size(bytes, "de-AT"), german);
            assert_eq!(size(bytes, "de-CH"), english, "a Swiss fraction begins with a point");
        }
    }

    #[test]
    fn large_numbers_are_in_groups() {
        for (number, english, german) in [
            (0, "0", "0"),
            (999, "999", "999"),
            (1_000, "1,000", "1.000"),
            (1_234_567, "1,234,567", "1.234.567"),
        ] {
            assert_eq!(count(number, "en"), english);
            assert_eq!(count(number, "de"), german);
        }
    }

    #[test]
    fn digit_groups_follow_the_region_however_the_system_names_it() {
        for (locale, written) in [
            ("de-DE", "15.400"),
            ("de-AT", "15\u{a0}400"),
            ("de_AT.UTF-8@euro", "15\u{a0}400"),
            ("de-Latn-AT", "15\u{a0}400"),
            ("DE-ch", "15’400"),
            ("de-LI", "15’400"),
            ("en-US", "15,400"),
            ("en-ZA", "15\u{a0}400"),
            ("en-DE", "15.400"),
            ("fr-FR", "15,400"),
            ("nl-NL", "15.400"),
            ("C", "15,400"),
            ("", "15,400"),
        ] {
            assert_eq!(count(15_400, locale), written, "{locale}");
        }
    }

    #[test]
    fn a_share_is_shown_only_where_it_is_meaningful() {
        assert_eq!(share(94, 100), Some(94));
        assert_eq!(share(999, 1000), Some(99), "never rounded up to all");
        assert_eq!(share(0, 100), None);
        assert_eq!(share(-5, 100), None);
        assert_eq!(share(5, 0), None);
        assert_eq!(share(101, 100), None);
    }

    #[test]
    fn tomorrow_is_six_in_the_morning_where_the_user_is() {
        let zone = Zone(TimeZone::get("Europe/Berlin").unwrap());
        // Saturday, 24 October 2026, 12:00 in Berlin; the clocks go back in the night after.
        let noon = 1_792_836_000_000;
        assert_eq!(zone.time(noon, noon), "12:00");
        let hours = |from: i64, to: i64| (to - from) / 3_600_000;
        assert_eq!(zone.today(noon), Period { since_ms: noon - 12 * 3_600_000, utc_offset_min: 120 });
        let after = noon + 25 * 3_600_000;
        assert_eq!(zone.time(after, after), "12:00", "Sunday");
        assert_eq!(hours(zone.today(after).since_ms, after), 13, "that day has an hour more");
        assert_eq!(zone.today(after).utc_offset_min, 60);
        assert_eq!(hours(noon, zone.tomorrow(noon)), 19, "that night has an hour more");
        assert_eq!(zone.time(zone.tomorrow(noon), noon), "06:00");
        let late = noon + 15 * 3_600_000;
        assert_eq!(zone.time(late, late), "02:00", "Sunday, the second time that hour comes");
        assert_eq!(hours(late, zone.tomorrow(late)), 28);
        assert_eq!(Zone::utc().time(3 * DAY_MS, 0), "1970-01-04 00:00");
        assert_eq!(Zone::utc().time(0, 0), "00:00");
    }
}
