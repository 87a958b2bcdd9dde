//! The ceiling: if the result is still too long, both ends and every line that must stay are shown, and the rest is
//! counted. Owns the ceiling's sizes; the failures' own layout is the crate `text`'s.

use std::collections::HashSet;

use crate::counted::counted;
use crate::guard::stays_and_counts;
use crate::normal;

mod around;

use around::around;

/// Longest line of a capped text, in bytes; a longer one keeps both ends.
const LONG_LINE: usize = 1_000;
/// Fewer lines than this are shown instead of a mark.
const WORTH_A_MARK: usize = 3;
/// Longest line that is a heading, in bytes, and how many lines above are searched for it.
const HEADING: usize = 200;
const FAR: usize = 500;
/// How many of the last lines that count results are always shown.
const TOTALS: usize = 12;
/// The share of the room for the context of the lines that must stay.
const AROUND_SHARE: usize = 4;
/// An extract of less than this share of the room leaves most of that empty.
const LITTLE: usize = 3;
/// How often less is tried until a text fits.
const TRIES: usize = 6;

/// `text` in about `max_bytes` bytes and at most `max_lines` lines: two thirds of the room for the beginning, one
/// third for the end, and in between the lines that must stay with their context. When those alone are too many,
/// their extract.
#[must_use]
pub fn cap(text: &str, max_lines: usize, max_bytes: usize) -> String {
    let lines: Vec<&str> = normal::lines(text).collect();
    if lines.len() <= max_lines && text.len() <= max_bytes {
        return text.to_owned();
    }
    let (mut guarded, mut totals) = (Vec::with_capacity(lines.len()), Vec::new());
    let mut guarded_bytes = 0;
    for (at, line) in lines.iter().enumerate() {
        let (stays, counts) = stays_and_counts(line);
        guarded.push(stays);
        guarded_bytes += if stays { line.len().min(LONG_LINE) + 16 } else { 0 };
        if counts && !stays && line.len() <= HEADING {
            totals.push(at);
        }
        if guarded_bytes > max_bytes {
            return of_too_many(text, &lines, max_lines, max_bytes);
        }
    }
    let left = max_bytes.saturating_sub(guarded_bytes);
    let mut near = vec![false; lines.len()];
    // Where lines are counted, these would be too many.
    if max_lines == usize::MAX {
        for at in around(&lines, &guarded, left / AROUND_SHARE) {
            near[at] = true;
            guarded_bytes += lines[at].len().min(LONG_LINE) + 1;
        }
    }
    // They state the outcome, wherever the tool prints them.
    for at in totals.into_iter().rev().take(TOTALS) {
        guarded[at] = true;
        guarded_bytes += lines[at].len() + 16;
    }
    with_ends(&lines, &guarded, &near, guarded_bytes, max_lines, max_bytes)
        .unwrap_or_else(|| of_too_many(text, &lines, max_lines, max_bytes))
}

/// Both ends around the lines that are `guarded`, which have `guarded_bytes` with those that are `near` them; `None`
/// if that doesn't fit in so many lines and bytes.
fn with_ends(
    lines: &[&str],
    guarded: &[bool],
    near: &[bool],
    guarded_bytes: usize,
    max_lines: usize,
    max_bytes: usize,
) -> Option<String> {
    // The bytes that marks and headings take are only known after the layout.
    let mut asked = max_bytes;
    for _ in 0..TRIES {
        let room = asked.checked_sub(guarded_bytes)?;
        let head = fitting(lines.iter(), max_lines / 3 * 2, room * 2 / 3, LONG_LINE);
        let tail = fitting(lines.iter().rev(), max_lines - max_lines / 3 * 2, room - room * 2 / 3, LONG_LINE)
            .min(lines.len() - head);
        let shows = |at: usize| at < head || at >= lines.len() - tail || guarded[at] || near[at];
        let out = joined(lines, shows, |at| guarded[at], LONG_LINE);
        if out.len() <= max_bytes {
            return Some(out);
        }
        asked = asked.saturating_sub(out.len() - max_bytes + max_bytes / 32);
    }
    None
}

/// If not all lines that must stay fit, those that state a failure stay. If these are few, as in a long list of
/// places, both ends get the rest of the room.
fn of_too_many(text: &str, lines: &[&str], max_lines: usize, max_bytes: usize) -> String {
    let extract = extract(text, 1, max_bytes);
    if extract.len() * LITTLE > max_bytes {
        return extract;
    }
    let guarded = lines_of(&extract, lines);
    let stays = lines.iter().zip(&guarded).filter(|(_, guarded)| **guarded);
    let bytes = stays.map(|(line, _)| line.len().min(LONG_LINE) + 16).sum::<usize>();
    let near = vec![false; lines.len()];
    with_ends(lines, &guarded, &near, bytes, max_lines, max_bytes).unwrap_or(extract)
}

/// Which of the `lines` are in the `extract`, each text once.
fn lines_of(extract: &str, lines: &[&str]) -> Vec<bool> {
    // A line may end with a mark that says how often it was printed.
    let unmarked = |line: &str| line.rfind("  [×").filter(|_| line.ends_with(']')).unwrap_or(line.len());
    let printed = extract.lines().map(|line| line[..unmarked(line)].trim_end());
    let mut shown: HashSet<&str> = printed.filter(|line| !line.is_empty()).collect();
    lines.iter().map(|line| shown.remove(line.trim_end())).collect()
}

/// The lines that state a failure. The text was shortened before, so its line numbers aren't the output's.
fn extract(text: &str, context: usize, room: usize) -> String {
    let mut out = text::failures::extract_from_part(text, context, room);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// The lines that `shows` picks, with a mark where others are missing. After the mark, the heading of what follows is
/// repeated: the missing lines may have had another heading.
fn joined(
    lines: &[&str],
    shows: impl Fn(usize) -> bool,
    stays: impl Fn(usize) -> bool,
    long: usize,
) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        if shows(at) {
            clip(&mut out, lines[at], stays(at), long);
            at += 1;
            continue;
        }
        let from = at;
        while at < lines.len() && !shows(at) {
            at += 1;
        }
        let heading = lines.get(at).and_then(|_| heading(lines, at));
        let inside = heading.is_some_and(|heading| heading >= from);
        // A reader doesn't count blank lines.
        let printed = lines[from..at].iter().filter(|line| !line.trim().is_empty()).count();
        let hidden = printed - usize::from(inside);
        let mark = mark(hidden);
        let bytes: usize = lines[from..at].iter().map(|line| line.len() + 1).sum();
        // A mark that is no longer than the lines it replaces.
        if hidden < WORTH_A_MARK && bytes <= long || bytes <= mark.len() {
            lines[from..at].iter().for_each(|line| clip(&mut out, line, false, long));
            continue;
        }
        out.push_str(&mark);
        if let Some(heading) = heading {
            clip(&mut out, lines[heading], false, HEADING);
        }
    }
    out
}

fn mark(hidden: usize) -> String {
    format!("… {} left out …\n", counted(hidden, "lines"))
}

/// The heading of the line at `at`: the last earlier one with less indent, unless both are figures in a column.
fn heading(lines: &[&str], at: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines[at]);
    // Figures are aligned to the right of their column, and another row isn't the heading of a column.
    let figures = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    if own == 0 {
        return None;
    }
    let above = (at.saturating_sub(FAR)..at)
        .rev()
        .find(|above| !lines[*above].trim().is_empty() && indent(lines[*above]) < own)?;
    let apart = !(figures(lines[at]) && figures(lines[above]));
    let says = lines[above].chars().any(char::is_alphanumeric);
    (apart && says && lines[above].len() <= HEADING).then_some(above)
}

/// `text` in about `max_bytes` bytes and at most `max_lines` lines, treating all lines alike: its beginning and end,
/// and lines from all parts between.
#[must_use]
pub fn spread(text: &str, max_lines: usize, max_bytes: usize) -> String {
    let lines: Vec<&str> = normal::lines(text).collect();
    if lines.len() <= max_lines && text.len() <= max_bytes {
        return text.to_owned();
    }
    // A line may be as long as there is room for all of them.
    let long = LONG_LINE.max(max_bytes / lines.len().max(1) * 3 / 4);
    let mut asked = max_bytes;
    let mut out = String::new();
    for _ in 0..TRIES {
        out = sampled(&lines, max_lines, asked, long);
        if out.len() <= max_bytes {
            break;
        }
        asked = asked.saturating_sub(out.len() - max_bytes + max_bytes / 32);
    }
    // The room that long lines leave.
    for _ in 0..TRIES {
        if out.len() > max_bytes || out.len() + max_bytes / 8 >= max_bytes {
            break;
        }
        asked += max_bytes - out.len();
        let more = sampled(&lines, max_lines, asked, long);
        if more.len() > max_bytes {
            break;
        }
        out = more;
    }
    out
}

fn sampled(lines: &[&str], max_lines: usize, max_bytes: usize, long: usize) -> String {
    // Marks need room, too.
    let room = max_bytes.saturating_sub(max_bytes / 16 + 64);
    let head = fitting(lines.iter(), max_lines / 2, room / 2, long);
    let tail = fitting(lines.iter().rev(), max_lines / 4, room / 4, long).min(lines.len() - head);
    let middle = &lines[head..lines.len() - tail];
    let mean = middle.iter().map(|line| line.len().min(long) + 32).sum::<usize>() / middle.len().max(1);
    let samples = (room / 4 / mean.max(1)).min(max_lines / 8).min(middle.len() / 8);
    // The middle of each of as many equal parts.
    let chosen: Vec<usize> =
        (1..=samples).map(|due| head + (2 * due - 1) * middle.len() / (2 * samples)).collect();
    let shows = |at: usize| at < head || at >= lines.len() - tail || chosen.binary_search(&at).is_ok();
    joined(lines, shows, |_| false, long)
}

/// A text around a list, in about `room` bytes.
pub(crate) fn ends_of(text: &str, room: usize) -> String {
    if text.len() <= room { text.to_owned() } else { cap(text, usize::MAX, room) }
}

fn fitting<'a>(lines: impl Iterator<Item = &'a &'a str>, max: usize, room: usize, long: usize) -> usize {
    let mut used = 0;
    lines
        .take(max)
        .take_while(|line| {
            used += line.len().min(long) + 1;
            used <= room
        })
        .count()
}

fn clip(out: &mut String, line: &str, stays: bool, long: usize) {
    if line.len() <= long || stays && line.len() <= 4 * LONG_LINE {
        out.push_str(line);
    } else if stays {
        // The relevant parts of a line of megabytes are searched for, not guessed.
        out.push_str(text::failures::extract_from_part(line, 0, LONG_LINE).trim_end());
    } else {
        let (head, tail) =
            (line.floor_char_boundary(long * 2 / 3), line.ceil_char_boundary(line.len() - long / 3));
        out.push_str(&line[..head]);
        out.push_str(&format!(" … {} bytes left out … ", tail - head));
        out.push_str(&line[tail..]);
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::cap;

    #[test]
    fn the_one_error_of_many_lines_is_shown() {
        let mut text: String = (0..100_000).map(|n| format!("INFO request {n} served\n")).collect();
        text.insert_str(text.len() / 2 / 10 * 10, "\nERROR the disk is full\n");
        let capped = cap(&text, 200, 8_000);
        assert!(capped.len() <= 9_000, "{}", capped.len());
        assert!(capped.contains("ERROR the disk is full"));
        assert!(capped.contains("lines left out"));
    }

    /// As tools for unused code print it: each line names a place, and hardly one states a failure.
    #[test]
    fn a_long_list_of_places_has_all_the_room() {
        let mut text: String =
            (0..400).map(|n| format!("name{n}   src/operators/part{n}.ts:{n}:10\n")).collect();
        text.push_str("Error: no entry file\n");
        text.extend((0..400).map(|n| format!("type{n}   src/types/part{n}.ts:{n}:10\n")));
        let capped = cap(&text, usize::MAX, 9_000);
        assert!(capped.len() > 7_000 && capped.len() <= 9_000, "{}: {capped}", capped.len());
        assert!(capped.contains("Error: no entry file") && capped.contains("lines left out"), "{capped}");
        for place in ["part0.ts:0:10", "part80.ts:80:10", "types/part399.ts:399:10"] {
            assert!(capped.contains(place), "{place}: {capped}");
        }
    }

    /// One line that must stay, so often that it fills almost all of the room or a little more than that.
    #[test]
    fn a_repeated_failure_leaves_its_room_to_both_ends() {
        for many in 95..130 {
            let text: String = (0..many)
                .map(|n| {
                    format!("delivers event {n} of the day\nERROR queue overflow at forty-four, nothing is delivered any more\n")
                })
                .collect();
            let capped = cap(&text, usize::MAX, 9_000);
            assert!(capped.len() <= 9_000 && capped.len() > 4_500, "{many}: {}", capped.len());
            assert!(capped.contains("ERROR queue overflow"), "{many}: {capped}");
        }
    }

    #[test]
    fn data_is_sampled_from_every_part_regardless_of_words() {
        let mut text: String = (0..10_000).map(|n| format!("row {n}\n")).collect();
        text.insert_str(30_000, "\nERROR is a word of this row\n");
        let cut = super::spread(&text, 600, 4_000);
        assert!(cut.len() <= 4_000 && !cut.contains("ERROR"), "{}", cut.len());
        let shown: Vec<usize> =
            cut.lines().filter_map(|line| line.strip_prefix("row ")?.parse().ok()).collect();
        assert!(shown.first() == Some(&0) && shown.last() == Some(&9_999));
        assert!(shown.windows(2).all(|pair| pair[1] - pair[0] < 1_000), "{shown:?}");
        let left_out: usize = cut
            .lines()
            .filter_map(|line| line.strip_prefix("… ")?.split(' ').next()?.parse::<usize>().ok())
            .sum::<usize>();
        assert_eq!(left_out + shown.len(), text.lines().count());
    }

    /// A list that a filter has shortened, too long for the room once more.
    #[test]
    fn a_second_cut_states_no_second_count() {
        let text: String = ('a'..='z')
            .flat_map(|a| ('a'..='z').map(move |b| format!("ERROR {a}{b} cannot be opened\n")))
            .collect();
        for (text, room) in [
            (format!("{text}many tests failed\n"), 2_000),
            (format!("{}\n", text.replace('\n', " ")), 2_000),
            (format!("{text}many tests failed\n").repeat(9), 9_000),
        ] {
            let cut = cap(&text, 600, room);
            assert!(cut.len() <= room && cut.contains("ERROR aa cannot be opened"), "{cut}");
            // Marks say how often a line came and how many lines are missing; neither is part of the text.
            let own = |line: &&str| !line.ends_with("lines left out …") && !line.contains("  [×");
            let plain: String = cut.lines().filter(own).collect();
            assert!(!plain.contains(|c: char| c.is_ascii_digit()), "{cut}");
        }
    }

    #[test]
    fn the_heading_is_repeated_after_a_gap() {
        let mut text = String::new();
        for file in 0..60 {
            text.push_str(&format!("== part {file}\n"));
            (0..20).for_each(|line| text.push_str(&format!("    step {line} of part {file}\n")));
        }
        for cut in [cap(&text, 200, 4_000), super::spread(&text, 200, 4_000)] {
            assert!(cut.len() <= 4_000 && cut.contains("left out"), "{cut}");
            let mut part = "";
            for line in cut.lines() {
                if let Some(named) = line.strip_prefix("== ") {
                    part = named;
                } else if line.starts_with('…') {
                    part = "";
                } else {
                    assert!(line.ends_with(&format!("of {part}")), "{line}: {cut}");
                }
            }
        }
    }

    #[test]
    fn no_mark_replaces_one_or_two_lines() {
        let text: String = (0..900)
            .map(|n| if n % 3 == 0 { format!("ERROR {n}\n") } else { format!("step {n} is done\n") })
            .collect();
        let cut = cap(&text, 2_000, 9_000);
        assert!(cut.len() <= 9_000 && !cut.contains("… 2 lines"), "{cut}");
    }

    #[test]
    fn one_endless_line_is_cut() {
        let capped = cap(&"x".repeat(1 << 20), 100, 8_000);
        assert!(capped.len() < 2_000 && capped.contains("bytes left out"));
    }
}
