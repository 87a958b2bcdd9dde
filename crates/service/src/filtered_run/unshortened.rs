//! What a run printed while it was shown as it went, so that an output of which hardly anything would be left out is shown as it is.
//! Owns these bytes, which are bounded, and how many of them were shown.
//!
//! The law: a shortened output, with everything that Plimsoll adds to it, is shorter than the output by as much for a slow run as for
//! a fast one.

use filters::WORTH_BYTES;

use super::output_stream::OutputStream;

/// Of a longer output more is left out than an address takes, or its filter leaves nothing out; in bytes.
const LONGEST: usize = 64 * 1024;

/// What was printed, and how much was shown.
#[derive(Debug, Default)]
pub(super) struct Unshortened {
    printed: [Vec<u8>; 2],
    shown: [usize; 2],
    /// The output is too long, or something is shown that isn't its beginning.
    is_over: bool,
}

impl Unshortened {
    /// Takes a piece that was printed.
    pub(super) fn take(&mut self, stream: OutputStream, piece: &[u8]) {
        if self.is_over {
            return;
        }
        if self.printed_bytes() + piece.len() > LONGEST {
            self.end();
            return;
        }
        self.printed[stream.index()].extend_from_slice(piece);
    }

    /// Takes note of what is shown.
    pub(super) fn show(&mut self, stream: OutputStream, bytes: &[u8]) {
        if self.is_over {
            return;
        }
        let at = stream.index();
        let rest = &self.printed[at][self.shown[at]..];
        let length = if rest.starts_with(bytes) { Some(bytes.len()) } else { length_of_lines(rest, bytes) };
        match length {
            Some(length) => self.shown[at] += length,
            None => self.end(),
        }
    }

    /// The rest of both streams, where nothing was left out so far and `shortened` more bytes instead would leave out too
    /// little; `None` otherwise.
    pub(super) fn rest(&mut self, shortened: usize) -> Option<[Vec<u8>; 2]> {
        let before = self.printed_bytes();
        let after = self.shown.iter().sum::<usize>() + shortened;
        if self.is_over || after + WORTH_BYTES.max(before / 10) <= before {
            return None;
        }
        let mut printed = std::mem::take(&mut self.printed);
        for (bytes, shown) in printed.iter_mut().zip(self.shown) {
            bytes.drain(..shown);
        }
        self.is_over = true;
        Some(printed)
    }

    fn printed_bytes(&self) -> usize {
        self.printed.iter().map(Vec::len).sum()
    }

    fn end(&mut self) {
        *self = Self { is_over: true, ..Self::default() };
    }
}

/// How long the lines in `shown` are at the beginning of `printed`; `None` if more than empty lines and colours is missing between
/// them.
fn length_of_lines(printed: &[u8], shown: &[u8]) -> Option<usize> {
    let shown = std::str::from_utf8(shown).ok().filter(|shown| shown.ends_with('\n'))?;
    let mut lines = std::str::from_utf8(printed).ok()?.split_inclusive('\n');
    let mut length = 0;
    for wanted in shown.lines() {
        loop {
            let line = lines.next()?;
            length += line.len();
            let line = text::strip_ansi(line);
            if line.trim_end() == wanted.trim_end() {
                break;
            }
            if !line.trim().is_empty() {
                return None;
            }
        }
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown of an output that came in two pieces, when `early` is shown before its end and `late` would be shown
    /// there.
    fn rest(printed: [&str; 2], early: &str, late: usize) -> Option<String> {
        let mut unshortened = Unshortened::default();
        unshortened.take(OutputStream::Out, printed[0].as_bytes());
        unshortened.show(OutputStream::Out, early.as_bytes());
        unshortened.take(OutputStream::Out, printed[1].as_bytes());
        let [out, err] = unshortened.rest(late)?;
        assert!(err.is_empty());
        String::from_utf8(out).ok()
    }

    #[test]
    fn little_is_left_out_of_nothing() {
        let (begin, end) = ("head\n", "line\n".repeat(60));
        let all = begin.len() + end.len();
        // Shorter by less than what is worth it.
        for late in [all - begin.len() - WORTH_BYTES + 1, all, 2 * all] {
            assert_eq!(rest([begin, &end], begin, late), Some(end.clone()), "{late}");
        }
        assert_eq!(rest([begin, &end], "", all - 1), Some(format!("{begin}{end}")));
        assert_eq!(rest([begin, &end], begin, all - begin.len() - WORTH_BYTES), None);
        // Of a longer one it's a tenth.
        let long = "line\n".repeat(4_000);
        assert_eq!(rest([begin, &long], begin, 17_900), None);
        assert_eq!(rest([begin, &long], begin, 18_100), Some(long.clone()));
    }

    /// A filter that drops empty lines and colours has left nothing out yet.
    #[test]
    fn empty_lines_and_colours_say_nothing() {
        let end = "line\n".repeat(60);
        let begin = "\n \u{1b}[1mRUN\u{1b}[0m v3\n\n\n a.test.ts \n";
        assert_eq!(rest([begin, &end], " RUN v3\n a.test.ts\n", 2_000), Some(end.clone()));
        assert_eq!(rest([begin, &end], " RUN v3\n", 2_000), Some(format!("\n\n a.test.ts \n{end}")));
        assert_eq!(rest([begin, &end], " a.test.ts\n", 2_000), None);
        assert_eq!(rest([begin, &end], " RUN v3\n b.test.ts\n", 2_000), None);
    }

    #[test]
    fn what_was_left_out_already_stays_so() {
        let end = "line\n".repeat(60);
        assert_eq!(rest(["a\nb\n", &end], "b\n", 2_000), None);
        assert_eq!(rest(["a\nb\n", &end], "a\nb\nmore\n", 2_000), None);
        assert_eq!(rest(["a\n", &"x".repeat(LONGEST)], "a\n", 2 * LONGEST), None);
    }
}
