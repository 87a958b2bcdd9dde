//! Shortens a text by removing its middle. Owns the marker between the two ends and the rule that both end at line boundaries;
//! `failures` decides what is worth keeping.

use std::borrow::Cow;

/// Room kept free for the marker line.
const MARKER_ROOM: usize = 72;

/// `text` shortened to at most `max_bytes`: a head of `head_percent` of the room and a tail of the rest, both on line
/// boundaries, and between them a line that counts what is missing. Borrowed if the text fits.
///
/// A line longer than its share is cut at a character boundary. Below about a hundred bytes there is no room for
/// the marker and only a head remains.
#[must_use]
pub fn cut_middle(text: &str, max_bytes: usize, head_percent: u8) -> Cow<'_, str> {
    if text.len() <= max_bytes {
        return Cow::Borrowed(text);
    }
    if max_bytes < MARKER_ROOM + 16 {
        return Cow::Borrowed(&text[..text.floor_char_boundary(max_bytes)]);
    }
    let room = max_bytes - MARKER_ROOM;
    let head_room = room * usize::from(head_percent.min(100)) / 100;
    let head_end = head_end(text, head_room);
    let tail_start = tail_start(text, head_end, room - head_room);
    let between = &text[head_end..tail_start];
    let (head, tail) = (&text[..head_end], &text[tail_start..]);
    let glue = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let marker = marker(between);
    Cow::Owned(format!("{head}{glue}{marker}\n{tail}"))
}

/// The line that replaces `between` and counts its lines and bytes.
fn marker(between: &str) -> String {
    let lines = contract::count(line_count(between) as u64, "line");
    format!("… [{lines}, {} not shown] …", contract::Amount::bytes(between.len() as u64))
}

/// Number of lines, a last one without its line feed included.
pub(crate) fn line_count(text: &str) -> usize {
    let feeds = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    feeds + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

fn head_end(text: &str, room: usize) -> usize {
    let window = &text[..text.floor_char_boundary(room)];
    match memchr::memrchr(b'\n', window.as_bytes()) {
        Some(feed) => feed + 1,
        // No line fits: the start of a long line is better than nothing.
        None => window.len(),
    }
}

fn tail_start(text: &str, head_end: usize, room: usize) -> usize {
    let from = text.ceil_char_boundary(text.len() - room.min(text.len())).max(head_end);
    if from == 0 || text.as_bytes()[from - 1] == b'\n' {
        return from;
    }
    // The last line feed ends the last line; a tail that begins after it would be empty.
    let window = text[from..].strip_suffix('\n').unwrap_or(&text[from..]);
    memchr::memchr(b'\n', window.as_bytes()).map_or(from, |feed| from + feed + 1)
}

#[cfg(test)]
mod tests {
    use super::{cut_middle, line_count};
    use proptest::prelude::*;

    #[test]
    fn keeps_both_ends_on_lines_and_counts_the_rest() {
        let text: String = (1..=100).map(|i| format!("line {i:03}\n")).collect();
        assert_eq!(
            cut_middle(&text, 172, 60),
            "line 001\nline 002\nline 003\nline 004\nline 005\nline 006\n… [90 lines, 810 B not shown] …\nline 097\nline 098\nline 099\nline 100\n"
        );
    }

    #[test]
    fn one_long_line_is_cut_at_characters() {
        let text = "é".repeat(10_000);
        let cut = cut_middle(&text, 200, 60);
        assert!(cut.len() <= 200 && cut.contains("1 line") && cut.ends_with('é'), "{cut}");
    }

    #[test]
    fn what_is_missing_is_counted() {
        let middle = cut_middle(&"a\n".repeat(2_000), 172, 60).into_owned();
        assert!(middle.contains("… [1950 lines, 3.9 KB not shown] …"), "{middle}");
        assert_eq!(["", "a", "a\n", "a\nb"].map(line_count), [0, 1, 1, 2]);
    }

    proptest! {
        #[test]
        fn never_exceeds_the_limit(s in "(\\PC|\n|中){0,400}", max in 0usize..500, pct in 0u8..=120) {
            let cut = cut_middle(&s, max, pct);
            prop_assert!(cut.len() <= max);
            if s.len() <= max { prop_assert_eq!(cut.as_ref(), s.as_str()); }
        }
    }
}
