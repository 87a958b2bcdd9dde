//! The ceiling: when what is left is still too long, both ends and every line that must stay are shown, and what is
//! between is counted. Owns the ceiling's sizes; the failures' own layout is the room `text`'s.

use crate::guard::must_stay;
use crate::normal;

/// Longest line of a capped text, in bytes; a longer one keeps both ends.
const LONG_LINE: usize = 1_000;

/// `text` in about `max_bytes` bytes and at most `max_lines` lines: two thirds of the room for the beginning, one
/// third for the end, and in between the lines that must stay. When those alone are too many, their extract.
#[must_use]
pub fn cap(text: &str, max_lines: usize, max_bytes: usize) -> String {
    let lines: Vec<&str> = normal::lines(text).collect();
    if lines.len() <= max_lines && text.len() <= max_bytes {
        return text.to_owned();
    }
    let mut guarded = Vec::with_capacity(lines.len());
    let mut guarded_bytes = 0;
    for line in &lines {
        let stays = must_stay(line);
        guarded.push(stays);
        guarded_bytes += if stays { line.len().min(LONG_LINE) + 16 } else { 0 };
        if guarded_bytes > max_bytes {
            return text::failures::extract(text, 1, max_bytes).text + "\n";
        }
    }
    let room = max_bytes - guarded_bytes;
    let head = fitting(lines.iter(), max_lines / 3 * 2, room * 2 / 3, LONG_LINE);
    let tail = fitting(lines.iter().rev(), max_lines - max_lines / 3 * 2, room - room * 2 / 3, LONG_LINE)
        .min(lines.len() - head);
    let mut out = String::with_capacity(max_bytes + 256);
    let mut skipped = 0;
    for (at, (line, stays)) in lines.iter().zip(&guarded).enumerate() {
        if at < head || at >= lines.len() - tail || *stays {
            note(&mut out, &mut skipped);
            clip(&mut out, line, *stays, LONG_LINE);
        } else {
            skipped += 1;
        }
    }
    note(&mut out, &mut skipped);
    out
}

/// `text` in about `max_bytes` bytes and at most `max_lines` lines, where no line matters more than another: its
/// beginning and end, and lines from all parts between.
#[must_use]
pub fn spread(text: &str, max_lines: usize, max_bytes: usize) -> String {
    let lines: Vec<&str> = normal::lines(text).collect();
    if lines.len() <= max_lines && text.len() <= max_bytes {
        return text.to_owned();
    }
    // A line may be as long as there is room for all of them.
    let long = LONG_LINE.max(max_bytes / lines.len().max(1) * 3 / 4);
    // Marks need room, too.
    let room = max_bytes.saturating_sub(max_bytes / 16 + 64);
    let head = fitting(lines.iter(), max_lines / 2, room / 2, long);
    let tail = fitting(lines.iter().rev(), max_lines / 4, room / 4, long).min(lines.len() - head);
    let middle = &lines[head..lines.len() - tail];
    let mean = middle.iter().map(|line| line.len().min(long) + 32).sum::<usize>() / middle.len().max(1);
    let samples = (room / 4 / mean.max(1)).min(max_lines / 8).min(middle.len() / 8);
    let mut out = String::with_capacity(max_bytes + 256);
    lines[..head].iter().for_each(|line| clip(&mut out, line, false, long));
    let mut skipped = 0;
    let mut due = 1;
    for (at, line) in middle.iter().enumerate() {
        // The middle of each of as many equal parts.
        if due <= samples && at == (2 * due - 1) * middle.len() / (2 * samples) {
            note(&mut out, &mut skipped);
            clip(&mut out, line, false, long);
            due += 1;
        } else {
            skipped += 1;
        }
    }
    note(&mut out, &mut skipped);
    lines[lines.len() - tail..].iter().for_each(|line| clip(&mut out, line, false, long));
    out
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

fn note(out: &mut String, skipped: &mut usize) {
    if *skipped > 0 {
        out.push_str(&format!("… {skipped} lines left out …\n"));
        *skipped = 0;
    }
}

fn clip(out: &mut String, line: &str, stays: bool, long: usize) {
    if line.len() <= long || stays && line.len() <= 4 * LONG_LINE {
        out.push_str(line);
    } else if stays {
        // What is said in a line of megabytes is looked for, not guessed.
        out.push_str(text::failures::extract(line, 0, LONG_LINE).text.trim_end());
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

    #[test]
    fn of_data_every_part_is_seen_and_no_word_matters() {
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

    #[test]
    fn one_endless_line_is_cut() {
        let capped = cap(&"x".repeat(1 << 20), 100, 8_000);
        assert!(capped.len() < 2_000 && capped.contains("bytes left out"));
    }
}
