//! Reads the times of a log's lines: the time at the beginning of each, whether all run in one direction, and the
//! first and the last of some lines.

use crate::data::template;
use crate::native::rare::Entry;

/// The times of the first and the last of these lines.
pub(super) fn span(entries: &[Entry<'_>], lines: &[usize]) -> String {
    let line = |at: Option<&usize>| at.and_then(|at| entries.get(*at)).map_or("", |entry| entry.line);
    let (first, last) = (line(lines.first()), line(lines.last()));
    // Over more than a day the times alone say too little.
    let days = (moment(first).map(|at| at.0), moment(last).map(|at| at.0));
    let time_of = |line| if days.0 == days.1 { template::clock(line) } else { stamp(line) };
    match (time_of(first), time_of(last)) {
        (Some(first), Some(last)) => format!(" ({})", from_to(first, last)),
        _ => String::new(),
    }
}

/// Two times, or the one if they're the same.
pub(super) fn from_to(first: &str, last: &str) -> String {
    if first == last { first.to_owned() } else { format!("{first} to {last}") }
}

/// Seconds by which lines of several threads may be out of order.
const JITTER: u32 = 10;
/// A time that falls by more than this, in seconds, is on the next day where no date is printed.
const MIDNIGHT: u32 = 12 * 3_600;

/// Whether the times of these lines only go forward, or only back.
pub(super) fn runs_in_one_direction(entries: &[Entry<'_>]) -> bool {
    let moments: Vec<(&str, u32)> = entries.iter().filter_map(|entry| moment(entry.line)).collect();
    let after = |(day, at): (&str, u32), (next_day, next): (&str, u32)| {
        let wraps = day.is_empty() && next_day.is_empty() && at.saturating_sub(next) > MIDNIGHT;
        day < next_day || day == next_day && (next + JITTER >= at || wraps)
    };
    let mut pairs = moments.iter().zip(moments.iter().skip(1));
    pairs.clone().all(|(one, next)| after(*one, *next)) || pairs.all(|(one, next)| after(*next, *one))
}

/// A line's date, empty if it has none in figures, and its time in seconds of that day.
fn moment(line: &str) -> Option<(&str, u32)> {
    let time = template::clock(line)?;
    let at = line.find(time)?;
    let number = |from: usize| time.get(from..from + 2).and_then(|digits| digits.parse::<u32>().ok());
    let seconds = number(0)? * 3_600 + number(3)? * 60 + number(6)?;
    let day = at.checked_sub(11).and_then(|from| line.get(from..from + 10)).unwrap_or_default();
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => matches!(byte, b'-' | b'/'),
        _ => byte.is_ascii_digit(),
    });
    Some((if is_day { day } else { "" }, seconds))
}

/// A line's beginning up to the end of its time.
pub(super) fn stamp(line: &str) -> Option<&str> {
    let time = template::clock(line)?;
    let end = line.find(time)? + time.len();
    // A record's first field may be its time.
    let record = line[..end].rfind("\":").map_or(0, |at| at + 2);
    // An access log has the caller before it.
    let bracket = line[..end].rfind('[').filter(|at| !line[*at..end].contains(']'));
    let from = record.max(bracket.unwrap_or(0));
    (end - from < 60).then(|| line[from..end].trim_start_matches(['[', '(', '<', '"', ' ']))
}
