//! Sizes, durations and counts in sentences. Amounts travel as numbers with a unit, because `1,93 MB` in one language
//! is `1.93 MB` in another. This is the only formatter in Rust, which `cargo xtask words` checks; the window's is
//! `ui/src/i18n/format.ts`, and both are tested with `crates/contract/tests/amounts.json`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Amount {
    /// The number.
    pub amount: u64,
    /// Its unit.
    pub of: Unit,
}

/// The unit of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Unit {
    /// Bytes, shown in units of 1000: `1.93 MB`.
    Bytes,
    /// Microseconds, shown as a short duration: `4.2 ms`.
    Micros,
}

/// The decimal sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimal {
    /// The English point.
    Point,
    /// The German comma.
    Comma,
}

impl Decimal {
    /// The decimal sign of a locale such as `de-AT` or `en`.
    pub fn of(locale: &str) -> Self {
        let german = locale.get(..2).is_some_and(|language| language.eq_ignore_ascii_case("de"));
        if german { Self::Comma } else { Self::Point }
    }
}

impl Amount {
    /// A size in bytes.
    pub fn bytes(amount: u64) -> Self {
        Self { amount, of: Unit::Bytes }
    }

    /// A duration.
    pub fn time(time: std::time::Duration) -> Self {
        Self { amount: u64::try_from(time.as_micros()).unwrap_or(u64::MAX), of: Unit::Micros }
    }

    /// The amount for people.
    pub fn written(self, decimal: Decimal) -> String {
        let english = match self.of {
            Unit::Bytes => bytes(self.amount),
            Unit::Micros => duration(self.amount),
        };
        match decimal {
            Decimal::Point => english,
            Decimal::Comma => english.replace('.', ","),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.written(Decimal::Point))
    }
}

/// A size that may be negative: `-512 B`.
pub fn signed_bytes(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}{}", Amount::bytes(amount.unsigned_abs()))
}

/// A number with its digits in groups of three: `12,345`.
pub fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with its English word: `1 source`, `2 memories`.
pub fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("{number} {one}") } else { format!("{number} {}", plural(one)) }
}

/// The plural of a regular English noun.
pub fn plural(one: &str) -> String {
    match one.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|ending| one.ends_with(ending)) => format!("{one}es"),
        _ => format!("{one}s"),
    }
}

/// Nouns whose plural ends like that of others: `caches` isn't the plural of `cach`.
const AMBIGUOUS: [&str; 4] = ["cache", "cookie", "alias", "status"];

/// The noun whose [`plural`] a word is; `None` for a word that names one thing (`progress`) or isn't a noun (`skipped`).
pub fn singular(many: &str) -> Option<String> {
    if let Some(one) = AMBIGUOUS.iter().find(|one| plural(one) == many) {
        return Some((*one).to_owned());
    }
    if let Some(stem) = many.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    if ["ches", "shes", "sses", "xes"].iter().any(|ending| many.ends_with(ending)) {
        return many.strip_suffix("es").map(str::to_owned);
    }
    // `progress`, `status` and `basis` name one thing.
    let stem = many.strip_suffix('s')?;
    (stem.len() > 1 && !stem.ends_with(['s', 'u', 'i'])).then(|| stem.to_owned())
}

fn bytes(amount: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    let mut unit = 0;
    let mut size: u64 = 1;
    // 999.95 KB would be written as 1000 KB.
    while unit + 1 < UNITS.len() && (amount / 1000 >= size || (unit > 0 && amount >= 1000 * size - size / 2))
    {
        size *= 1000;
        unit += 1;
    }
    // Three digits, also after rounding up to ten or a hundred.
    let digits = if unit == 0 || amount >= 100 * size - size / 20 {
        0
    } else if amount >= 10 * size - size / 200 {
        1
    } else {
        2
    };
    let number = parts(amount, size, digits);
    format!("{} {}", if unit == 1 { short(&number) } else { &number }, UNITS[unit])
}

fn duration(micros: u64) -> String {
    let (size, digits, unit) = match micros {
        ..1_000 => (1_000, 2, "ms"),
        1_000..10_000 => (1_000, 1, "ms"),
        10_000..999_500 => (1_000, 0, "ms"),
        999_500..99_950_000 => (1_000_000, 1, "s"),
        // Nobody writes an hour as 60 min, but 75 min is more exact than 1.3 h.
        99_950_000..3_570_000_000 | 3_630_000_000..5_400_000_000 => (60_000_000, 0, "min"),
        _ => (3_600_000_000, 1, "h"),
    };
    format!("{} {unit}", short(&parts(micros, size, digits)))
}

/// `amount / size` with this many decimal places. Rounds half up, like people and the window; a binary fraction
/// wouldn't: 1.65 is stored as a little less.
fn parts(amount: u64, size: u64, digits: usize) -> String {
    let ten = [1, 10, 100][digits.min(2)];
    let (amount, size) = (u128::from(amount), u128::from(size));
    let scaled = (2 * amount * ten + size) / (2 * size);
    if digits == 0 { scaled.to_string() } else { format!("{}.{:0digits$}", scaled / ten, scaled % ten) }
}

/// The number without trailing zeros.
fn short(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Case {
        #[serde(flatten)]
        amount: Amount,
        en: String,
        de: String,
    }

    #[test]
    fn a_count_agrees_with_its_number_and_an_amount_fills_a_column() {
        assert_eq!([0, 1, 2].map(|n| count(n, "source")), ["0 sources", "1 source", "2 sources"]);
        assert_eq!(
            ["memory", "day", "code index"].map(|one| count(2, one)),
            ["2 memories", "2 days", "2 code indexes"]
        );
        assert_eq!(["match", "status"].map(|one| count(2, one)), ["2 matches", "2 statuses"]);
        assert_eq!(
            [7, 999, 1_000, 65_536, 1_234_567].map(with_commas),
            ["7", "999", "1,000", "65,536", "1,234,567"]
        );
        assert_eq!([-1_930_000, 512].map(signed_bytes), ["-1.93 MB", "512 B"]);
        assert_eq!(format!("{:>8}|{:<8}|", Amount::bytes(999), Amount::bytes(1_000)), "   999 B|1 KB    |");
    }

    #[test]
    fn the_singular_of_a_plural_is_the_noun_and_other_words_have_none() {
        for one in [
            "line", "match", "branch", "entry", "library", "day", "cache", "cookie", "alias", "status",
            "class", "box", "index", "push", "release", "database", "size", "time", "package",
        ] {
            assert_eq!(singular(&plural(one)).as_deref(), Some(one));
        }
        for word in ["progress", "status", "basis", "ok", "skipped", "s", ""] {
            assert_eq!(singular(word), None, "{word}");
        }
    }

    #[test]
    fn amounts_speak_the_language_as_in_the_window() {
        let cases: Vec<Case> = serde_json::from_str(include_str!("../tests/amounts.json")).unwrap();
        assert!(cases.len() > 20);
        for case in cases {
            assert_eq!(case.amount.to_string(), case.en);
            assert_eq!(case.amount.written(Decimal::of("de-AT")), case.de);
            assert_eq!(case.amount.written(Decimal::of("en")), case.en);
        }
    }
}
