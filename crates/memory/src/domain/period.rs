//! Parses periods (`7d`, `24h`, `60m`, `3600s`, `2w`, `3mo`, `1y`) and moments (a period ago, or a date). Owns the
//! units; the current time is passed in.

/// A day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// A text that isn't a period or moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{given}\" isn't a {what}; write {example}")]
pub struct InvalidPeriod {
    /// The text, shortened.
    pub given: String,
    /// What the text should be.
    pub what: &'static str,
    /// A valid example.
    pub example: &'static str,
}

/// Units; where one name is a prefix of another, the longer comes first.
const UNITS: &[(&str, i64)] = &[
    ("ms", 1),
    ("mo", 30 * DAY_MS),
    ("s", 1_000),
    ("m", 60_000),
    ("h", 3_600_000),
    ("d", DAY_MS),
    ("w", 7 * DAY_MS),
    ("y", 365 * DAY_MS),
];

/// A period in milliseconds. A bare number is in units of `unit_ms`.
///
/// # Errors
/// [`InvalidPeriod`], also for periods over a thousand years.
pub fn period_ms(text: &str, unit_ms: i64) -> Result<i64, InvalidPeriod> {
    let wrong = || InvalidPeriod {
        given: text.chars().take(40).collect(),
        what: "period",
        example: "a number and a unit: 90s, 60m, 24h, 7d, 2w, 3mo or 1y",
    };
    let trimmed = text.trim();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let number: i64 = trimmed[..digits].parse().map_err(|_| wrong())?;
    let unit = match trimmed[digits..].trim().to_ascii_lowercase().as_str() {
        "" => unit_ms,
        word => UNITS.iter().find(|(name, _)| *name == word).map(|(_, ms)| *ms).ok_or_else(wrong)?,
    };
    number.checked_mul(unit).filter(|ms| *ms <= 366_000 * DAY_MS).ok_or_else(wrong)
}

/// A moment in UTC: a period before now (a bare number means days) or a date like `2026-01-31`, optionally with a
/// time like `2026-01-31T18:00`.
///
/// # Errors
/// [`InvalidPeriod`].
pub fn moment(text: &str, now_ms: i64) -> Result<i64, InvalidPeriod> {
    let trimmed = text.trim();
    if let Some(at) = date(trimmed) {
        return Ok(at);
    }
    period_ms(trimmed, DAY_MS).map(|ms| now_ms.saturating_sub(ms)).map_err(|bad| InvalidPeriod {
        what: "period or date",
        example: "a period before now (7d, 24h, 2w) or a date (2026-01-31, 2026-01-31T18:00)",
        ..bad
    })
}

/// The end of a range, itself excluded: like [`moment`], but a date without a time includes its day.
///
/// # Errors
/// [`InvalidPeriod`].
pub fn range_end(text: &str, now_ms: i64) -> Result<i64, InvalidPeriod> {
    let trimmed = text.trim();
    let is_day = !trimmed.contains(['T', ' ']) && date(trimmed).is_some();
    Ok(moment(trimmed, now_ms)?.saturating_add(if is_day { DAY_MS } else { 0 }))
}

/// The last moment of a period, itself included: like [`moment`], but a date without a time is that day's last second.
///
/// # Errors
/// [`InvalidPeriod`].
pub fn last_moment(text: &str, now_ms: i64) -> Result<i64, InvalidPeriod> {
    let at = moment(text, now_ms)?;
    Ok(if range_end(text, now_ms)? == at { at } else { at.saturating_add(DAY_MS - 1_000) })
}

fn date(text: &str) -> Option<i64> {
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let mut parts = day.split('-');
    let mut next = |length: usize| -> Option<i64> {
        let part = parts.next()?;
        (part.len() == length && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let (year, month, day) = (next(4)?, next(2)?, next(2)?);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }
    let mut ms = days_since_epoch(year, month, day) * DAY_MS;
    if !time.is_empty() {
        let time = time.trim_end_matches('Z');
        let zone = time.find(['+', '-']).unwrap_or(time.len());
        ms -= zone_ms(&time[zone..])?;
        // Fractions of a second don't matter here.
        let (time, fraction) = time[..zone].split_once('.').unwrap_or((&time[..zone], "0"));
        if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let mut clock = time.split(':');
        for (most, unit) in [(23, 3_600_000), (59, 60_000), (59, 1_000)] {
            let Some(part) = clock.next() else { break };
            let value: i64 = part.parse().ok().filter(|v| (0..=most).contains(v))?;
            ms += value * unit;
        }
        if clock.next().is_some() {
            return None;
        }
    }
    Some(ms)
}

/// The UTC offset `+02:00`, `-0530`, `+01`; empty for none.
fn zone_ms(text: &str) -> Option<i64> {
    let ahead = match text.as_bytes().first() {
        None => return Some(0),
        Some(sign) => *sign == b'+',
    };
    let digits: String = text[1..].split(':').collect();
    let minutes = match (digits.len(), digits.bytes().all(|b| b.is_ascii_digit())) {
        (2, true) => digits.parse::<i64>().ok()? * 60,
        (4, true) => digits[..2].parse::<i64>().ok()? * 60 + digits[2..].parse::<i64>().ok()?,
        _ => return None,
    };
    Some(if ahead { minutes } else { -minutes } * 60_000)
}

/// A moment as `2026-01-31T18:00:05Z`.
pub fn iso(ms: i64) -> String {
    let (days, rest) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS) / 1_000);
    // The year is close to this estimate; a step or two finds it.
    let mut year = 1970 + days.div_euclid(366);
    while days_since_epoch(year + 1, 1, 1) <= days {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && days_since_epoch(year, month + 1, 1) <= days {
        month += 1;
    }
    let day = days - days_since_epoch(year, month, 1) + 1;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the Gregorian calendar. Years start in March here, so that the leap day comes last.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_and_moments() {
        for (text, ms) in [
            ("7d", 7 * DAY_MS),
            ("24h", DAY_MS),
            ("60m", 3_600_000),
            ("3600s", 3_600_000),
            (" 2 W ", 14 * DAY_MS),
            ("1y", 365 * DAY_MS),
            ("3mo", 90 * DAY_MS),
            ("90", 90_000),
            ("0", 0),
        ] {
            assert_eq!(period_ms(text, 1_000), Ok(ms), "{text}");
        }
        for text in ["", "d", "7x", "-1d", "7.5d", "99999999999999999999d", "999999999y", "7 days ago"] {
            assert!(period_ms(text, 1_000).unwrap_err().to_string().contains("7d"), "{text}");
        }
        let now = 1_700_000_000_000;
        assert_eq!(moment("7d", now), Ok(now - 7 * DAY_MS));
        assert_eq!(moment("3", now), Ok(now - 3 * DAY_MS));
        for (text, seconds) in [
            ("1970-01-01", 0),
            ("2000-02-29", 951_782_400),
            ("2026-01-31", 1_769_817_600),
            ("2026-01-31T18:00", 1_769_882_400),
            ("2026-01-31T18:00:05Z", 1_769_882_405),
            ("2026-01-31T18:00:05.250Z", 1_769_882_405),
            ("2026-01-31T20:00:05.123456+02:00", 1_769_882_405),
            ("2026-01-31 12:30-0530", 1_769_882_400),
        ] {
            assert_eq!(moment(text, now), Ok(seconds * 1_000), "{text}");
        }
        for (text, seconds) in [
            ("2026-01-31", 1_769_904_000),
            (" 2026-01-31 ", 1_769_904_000),
            ("2026-01-31T18:00", 1_769_882_400),
        ] {
            assert_eq!(range_end(text, now), Ok(seconds * 1_000), "{text}");
        }
        for (text, seconds) in [("2026-01-31", 1_769_903_999), ("2026-01-31T18:00", 1_769_882_400)] {
            assert_eq!(last_moment(text, now), Ok(seconds * 1_000), "{text}");
        }
        assert_eq!((last_moment("7d", now), last_moment("x", now).is_err()), (Ok(now - 7 * DAY_MS), true));
        assert_eq!((range_end("7d", now), range_end("x", now).is_err()), (Ok(now - 7 * DAY_MS), true));
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-1-1",
            "2026-01-31T25:00",
            "yesterday",
            "2026-01-31T1:2:3:4",
            "2026-01-31T18:00:05.",
            "2026-01-31T18:00+2",
            "2026-01-31T18:00-é",
        ] {
            assert!(moment(text, now).is_err(), "{text}");
        }
    }
}
