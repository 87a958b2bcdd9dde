//! Recognises times in texts: a time of day, and a date. Owns which words are one rather than a value of a message.

/// Whether a word is a date, a time of day, or both.
pub(super) fn is_time(word: &str) -> bool {
    clock(word).is_some() || is_date(word.trim_matches(|c: char| !c.is_ascii_digit()))
}

/// Whether a word may begin a web server's time: `[22/Nov/2026`. If no time of day follows, it's a value.
pub(super) fn is_named_date(word: &str) -> bool {
    let bytes = word.trim_matches(|c: char| !c.is_ascii_digit()).as_bytes();
    let digits = |from: usize, to: usize| bytes[from..to].iter().all(u8::is_ascii_digit);
    bytes.len() == 11
        && (bytes[2], bytes[6]) == (b'/', b'/')
        && (digits(0, 2) && digits(7, 11))
        && bytes[3..6].iter().all(u8::is_ascii_alphabetic)
}

/// Whether a word may end a web server's time: `+0000]`. Behind anything but a time it's a value: `[change +0012]`.
pub(super) fn is_offset(word: &str) -> bool {
    let hours = word.strip_suffix(']').and_then(|rest| rest.strip_prefix(['+', '-']));
    hours.is_some_and(|hours| hours.len() == 4 && hours.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_date(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 8
        && bytes.len() <= 10
        && bytes.iter().filter(|byte| matches!(byte, b'-' | b'/')).count() == 2
        && bytes.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/'))
        && word.split(['-', '/']).any(|part| part.len() == 4)
}

/// The time of day in a text: `HH:MM:SS` that no figure or colon continues, and that a clock can show.
pub(crate) fn clock(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let two = |at: usize, most: u8| -> bool {
        matches!((bytes.get(at), bytes.get(at + 1)), (Some(tens), Some(ones))
            if tens.is_ascii_digit() && ones.is_ascii_digit() && (tens - b'0') * 10 + ones - b'0' <= most)
    };
    (0..bytes.len().saturating_sub(7).min(200)).find_map(|at| {
        let shape = bytes.get(at + 2) == Some(&b':') && bytes.get(at + 5) == Some(&b':');
        let apart = at == 0 || !bytes[at - 1].is_ascii_digit();
        let ends = bytes.get(at + 8).is_none_or(|byte| !byte.is_ascii_digit() && *byte != b':');
        // After a colon there is a time only if a year is before it: `20/Nov/2026:10:00:00`.
        let behind = at == 0
            || bytes[at - 1] != b':'
            || at >= 5
                && bytes[at - 5..at - 1].iter().all(u8::is_ascii_digit)
                && (at == 5 || !bytes[at - 6].is_ascii_digit());
        (shape && apart && ends && behind && two(at, 23) && two(at + 3, 59) && two(at + 6, 60))
            .then(|| text.get(at..at + 8))
            .flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::{clock, is_named_date, is_offset, is_time};

    #[test]
    fn a_clock_is_one() {
        for (text, time) in [
            ("2026-11-20T10:11:12Z", Some("10:11:12")),
            ("[20/Nov/2026:10:11:12 +0000]", Some("10:11:12")),
            ("2026:02:35", None),
            ("took 99:10:11", None),
            ("1:10:11:12:13", None),
            ("02:00:00:ce:b9:f0", None),
        ] {
            assert_eq!(clock(text), time, "{text}");
        }
    }

    #[test]
    fn a_date_is_a_time_however_it_is_written() {
        for word in ["2026-11-22", "22/11/2026", "22/Nov/2026:06:24:24", "(2026/11/22)"] {
            assert!(is_time(word), "{word}");
        }
        for word in ["[22/Nov/2026", "22/Dec/2026,"] {
            assert!(is_named_date(word) && !is_time(word), "{word}");
        }
        for word in
            ["22/Nov/202", "22/No1/2026", "a2/Nov/2026", "2/Nov/2026", "orders/22", "2026", "[4411]", "é"]
        {
            assert!(!is_named_date(word) && !is_time(word), "{word}");
        }
        assert!(is_offset("+0100]") && is_offset("-0530]"));
        for word in ["+0100", "0100]", "+010]", "+01000]", "[+0100]"] {
            assert!(!is_offset(word), "{word}");
        }
    }
}
