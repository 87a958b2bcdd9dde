//! Finds a name as a whole word in a text, and returns single lines. Pure.

/// The positions where `name` is a whole word.
pub(super) fn whole_words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(name).map(|(at, _)| at).filter(move |at| is_whole(text, *at, name))
}

/// The same, the last first.
pub(super) fn whole_words_back<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    text.rmatch_indices(name).map(|(at, _)| at).filter(move |at| is_whole(text, *at, name))
}

fn is_whole(text: &str, at: usize, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let before = text[..at].chars().next_back();
    let after = text[at + name.len()..].chars().next();
    !before.is_some_and(part) && !after.is_some_and(part)
}

/// The part of a line that is shown, in bytes.
const MAX_SHOWN: usize = 200;

/// Where the lines of a text begin: a name may be on each of them.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Lines<'t> {
        let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// Line and column of a place.
    pub(super) fn place(&self, at: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(at - start + 1).unwrap_or(u32::MAX))
    }

    /// The text of a line, cut. A name may be on a long line many times, so that its end isn't searched for.
    pub(super) fn text(&self, line: u32) -> String {
        let line = (line as usize).saturating_sub(1);
        let place = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        let text = self.text[place(line)..place(line + 1)].trim_start();
        text[..text.floor_char_boundary(MAX_SHOWN)].trim_end().to_owned()
    }
}

/// Where the bracket opens that a text's last `>` closes.
pub(super) fn opening_bracket(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    text.char_indices().rev().find_map(|(at, c)| {
        depth += i32::from(c == '>') - i32::from(c == '<');
        (depth == 0).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_gives_its_line() {
        let text = "é a\r\n\n  b  \nc";
        let lines = Lines::of(text);
        for (word, place, line) in [("a", (1, 4), "é a"), ("b", (3, 3), "b"), ("c", (4, 1), "c")] {
            let at = text.find(word).unwrap();
            assert_eq!(lines.place(at), place, "{word}");
            assert_eq!(lines.text(place.0), line);
        }
        assert_eq!((lines.text(2).as_str(), lines.text(9).as_str()), ("", ""));
        assert_eq!(whole_words_back("a ab a", "a").collect::<Vec<_>>(), [5, 0]);
    }

    #[test]
    fn a_name_many_times_on_a_long_line_is_shown_in_time() {
        let text = format!("b\n  {}\r\nc", "a ".repeat(2_000_000));
        let lines = Lines::of(&text);
        let start = std::time::Instant::now();
        for _ in 0..200_000 {
            assert_eq!(lines.text(2).len(), MAX_SHOWN - 1);
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
        assert_eq!((lines.text(1).as_str(), lines.text(3).as_str()), ("b", "c"));
    }
}
