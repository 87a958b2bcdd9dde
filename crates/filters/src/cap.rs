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
    let head = fitting(lines.iter(), max_lines / 3 * 2, room * 2 / 3);
    let tail = fitting(lines.iter().rev(), max_lines - max_lines / 3 * 2, room - room * 2 / 3)
        .min(lines.len() - head);
    let mut out = String::with_capacity(max_bytes + 256);
    let mut skipped = 0;
    for (at, (line, stays)) in lines.iter().zip(&guarded).enumerate() {
        if at < head || at >= lines.len() - tail || *stays {
            note(&mut out, &mut skipped);
            clip(&mut out, line, *stays);
        } else {
            skipped += 1;
        }
    }
    note(&mut out, &mut skipped);
    out
}

fn fitting<'a>(lines: impl Iterator<Item = &'a &'a str>, max: usize, room: usize) -> usize {
    let mut used = 0;
    lines
        .take(max)
        .take_while(|line| {
            used += line.len().min(LONG_LINE) + 1;
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

fn clip(out: &mut String, line: &str, stays: bool) {
    if line.len() <= LONG_LINE || stays && line.len() <= 4 * LONG_LINE {
        out.push_str(line);
    } else if stays {
        // What is said in a line of megabytes is looked for, not guessed.
        out.push_str(text::failures::extract(line, 0, LONG_LINE).text.trim_end());
    } else {
        let (head, tail) = (
            line.floor_char_boundary(LONG_LINE * 2 / 3),
            line.ceil_char_boundary(line.len() - LONG_LINE / 3),
        );
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
    fn one_endless_line_is_cut() {
        let capped = cap(&"x".repeat(1 << 20), 100, 8_000);
        assert!(capped.len() < 2_000 && capped.contains("bytes left out"));
    }
}
