//! A child's output in bounded memory: the first 60 KB and the last 40 KB of each stream and of both together in arrival
//! order, with exact counts of everything. [`crate::spill`] keeps the full output.

use std::collections::VecDeque;
use std::path::PathBuf;

use crate::spill::Spill;

/// Bytes kept from the start of an output that is too long to keep in full.
pub const HEAD_BYTES: usize = 60 * 1024;
/// Bytes kept from its end.
pub const TAIL_BYTES: usize = 40 * 1024;
/// An output up to this many bytes is kept in full.
pub const WHOLE_BYTES: usize = HEAD_BYTES + TAIL_BYTES;

/// One stream's captured output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captured {
    /// The full text up to [`WHOLE_BYTES`]; beyond that the start and the end, cut at line ends, with a line between them that
    /// says how much is missing. Bytes that aren't UTF-8 are replaced.
    pub text: String,
    /// Bytes printed.
    pub bytes: u64,
    /// Lines printed; a last line without a line end counts.
    pub lines: u64,
    /// Lines of the middle missing from [`Captured::text`]; a line cut in two counts.
    pub cut_lines: u64,
    /// The file with the run's full output, both streams in arrival order, if this text is cut. `None` too if that file couldn't
    /// be written: then [`Captured::text`] is all there is.
    pub spilled: Option<PathBuf>,
}

impl Captured {
    /// Whether the middle is missing from [`Captured::text`].
    pub fn is_cut(&self) -> bool {
        self.bytes > WHOLE_BYTES as u64
    }
}

/// Which stream a piece of output is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Out,
    Err,
}

/// One stream's start and end, and its counts.
#[derive(Debug, Default)]
pub(crate) struct HeadTail {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    bytes: u64,
    newlines: u64,
    last: Option<u8>,
}

impl HeadTail {
    pub(crate) fn push(&mut self, mut piece: &[u8]) {
        let Some(last) = piece.last() else { return };
        self.bytes += piece.len() as u64;
        self.newlines += memchr::memchr_iter(b'\n', piece).count() as u64;
        self.last = Some(*last);
        let room = HEAD_BYTES - self.head.len();
        if room > 0 {
            let (into_head, rest) = piece.split_at(room.min(piece.len()));
            self.head.extend_from_slice(into_head);
            piece = rest;
        }
        let piece = &piece[piece.len().saturating_sub(TAIL_BYTES)..];
        let excess = (self.tail.len() + piece.len()).saturating_sub(TAIL_BYTES);
        self.tail.drain(..excess);
        self.tail.extend(piece);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Everything so far, as long as nothing has been dropped.
    pub(crate) fn whole(&self) -> Option<Vec<u8>> {
        (self.bytes <= WHOLE_BYTES as u64).then(|| {
            let mut all = self.head.clone();
            all.extend(&self.tail);
            all
        })
    }

    pub(crate) fn finish(self, spilled: Option<PathBuf>) -> Captured {
        let lines = self.newlines + u64::from(self.last.is_some_and(|b| b != b'\n'));
        if let Some(all) = self.whole() {
            return Captured { text: into_text(all), bytes: self.bytes, lines, cut_lines: 0, spilled: None };
        }
        let head = cut_head(&self.head);
        let tail = Vec::from(self.tail);
        let tail = cut_tail(&tail);
        let newlines = |part: &[u8]| memchr::memchr_iter(b'\n', part).count() as u64;
        // The head ends with a whole line, and so does the text before the tail, unless a line is longer than the
        // buffer: then its pieces count as one missing line.
        let tail_lines = newlines(tail) + u64::from(self.last.is_some_and(|b| b != b'\n'));
        let cut_lines = lines.saturating_sub(newlines(head) + tail_lines).max(1);
        let cut_bytes = self.bytes - head.len() as u64 - tail.len() as u64;
        let mut text = into_text(head.to_vec());
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("[… {cut_lines} lines, {cut_bytes} bytes left out …]\n"));
        text.push_str(&String::from_utf8_lossy(tail));
        Captured { text, bytes: self.bytes, lines, cut_lines, spilled }
    }
}

/// The head up to its last line end, or up to its last whole character.
fn cut_head(head: &[u8]) -> &[u8] {
    match memchr::memrchr(b'\n', head) {
        Some(at) => &head[..=at],
        None => {
            let mut end = head.len();
            // A character is at most four bytes: step back over continuation bytes to its first.
            while end > 0 && head.len() - end < 3 && head[end - 1] & 0b1100_0000 == 0b1000_0000 {
                end -= 1;
            }
            let starts_char = end > 0 && head[end - 1] >= 0b1100_0000;
            let cut = if starts_char { end - 1 } else { head.len() };
            let whole = std::str::from_utf8(&head[cut..]).is_ok();
            if whole { head } else { &head[..cut] }
        }
    }
}

/// The tail from its first line start, or from its first whole character.
fn cut_tail(tail: &[u8]) -> &[u8] {
    match memchr::memchr(b'\n', tail) {
        Some(at) if at + 1 < tail.len() => &tail[at + 1..],
        _ => {
            let skip = tail.iter().take(3).take_while(|b| **b & 0b1100_0000 == 0b1000_0000).count();
            &tail[skip..]
        }
    }
}

/// UTF-8 as it is; invalid bytes replaced.
fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Both streams and their order, with a file for what doesn't fit in memory.
#[derive(Debug)]
pub(crate) struct Capture {
    out: HeadTail,
    err: HeadTail,
    both: HeadTail,
    spill: Spill,
    max: u64,
}

impl Capture {
    pub(crate) fn new(spill: Spill, max: u64) -> Capture {
        let empty = HeadTail::default;
        Capture { out: empty(), err: empty(), both: empty(), spill, max }
    }

    /// Stdout, stderr, and both in order of arrival.
    pub(crate) fn finish(mut self) -> (Captured, Captured, Captured) {
        let file = self.spill.finish();
        let of = |part: &HeadTail| file.clone().filter(|_| part.whole().is_none());
        let (out, err, both) = (of(&self.out), of(&self.err), of(&self.both));
        (self.out.finish(out), self.err.finish(err), self.both.finish(both))
    }
}

/// Where a child's output goes while it is read.
pub(crate) trait Sink {
    /// Takes a piece. `false`: the limit is reached, stop the child.
    fn take(&mut self, stream: Stream, piece: &[u8]) -> bool;
}

impl Sink for Capture {
    fn take(&mut self, stream: Stream, piece: &[u8]) -> bool {
        let room = self.max.saturating_sub(self.both.bytes());
        let fits = usize::try_from(room).map_or(piece.len(), |room| room.min(piece.len()));
        let kept = &piece[..fits];
        if !self.spill.is_open()
            && self.both.bytes() + fits as u64 > WHOLE_BYTES as u64
            && let Some(so_far) = self.both.whole()
        {
            self.spill.write(&so_far);
        }
        if self.spill.is_open() {
            self.spill.write(kept);
        }
        match stream {
            Stream::Out => self.out.push(kept),
            Stream::Err => self.err.push(kept),
        }
        self.both.push(kept);
        fits == piece.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn capture(pieces: &[&[u8]]) -> Captured {
        let mut kept = HeadTail::default();
        for piece in pieces {
            kept.push(piece);
        }
        kept.finish(None)
    }

    #[test]
    fn a_short_output_is_whole_and_counted() {
        let got = capture(&[b"a\nb", b"\nc"]);
        assert_eq!((got.text.as_str(), got.bytes, got.lines), ("a\nb\nc", 5, 3));
        assert_eq!(capture(&[]).lines, 0);
        assert_eq!(capture(&[b"\n"]).lines, 1);
    }

    #[test]
    fn a_long_output_keeps_both_ends_on_line_ends_and_counts_the_rest() {
        let all: String = (0..100_000).map(|n| format!("line {n}\n")).collect();
        let got = capture(&[all.as_bytes()]);
        assert_eq!((got.bytes, got.lines), (all.len() as u64, 100_000));
        assert!(got.text.starts_with("line 0\n") && got.text.ends_with("line 99999\n"));
        assert!(got.text.len() <= WHOLE_BYTES + 80);
        let shown = got.text.lines().filter(|l| l.starts_with("line ")).count() as u64;
        assert_eq!(shown + got.cut_lines, 100_000);
        for line in got.text.lines().filter(|l| !l.starts_with("[…")) {
            let number = line.strip_prefix("line ").and_then(|n| n.parse::<u32>().ok());
            assert!(number.is_some_and(|n| n < 100_000), "{line}");
        }
    }

    #[test]
    fn one_very_long_line_is_cut_between_characters() {
        let all = "ü€😀".repeat(40_000);
        for shift in 0..9 {
            let got = capture(&[&b"x".repeat(shift), all.as_bytes()]);
            assert!(!got.text.contains('\u{fffd}'), "shift {shift}");
            assert_eq!(got.lines, 1);
        }
    }

    #[test]
    fn invalid_utf8_is_replaced_not_refused() {
        assert_eq!(capture(&[b"a\xff\xfeb\n"]).text, "a\u{fffd}\u{fffd}b\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_size_of_the_pieces_makes_no_difference(bytes in proptest::collection::vec(any::<u8>(), 0..2000), cuts in proptest::collection::vec(1usize..400, 1..20), times in 1usize..80) {
            let all: Vec<u8> = bytes.repeat(times);
            let mut piecewise = HeadTail::default();
            let mut rest = all.as_slice();
            let mut sizes = cuts.iter().cycle();
            while !rest.is_empty() {
                let (piece, next) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
                piecewise.push(piece);
                rest = next;
            }
            let at_once = capture(&[&all]);
            prop_assert_eq!(piecewise.finish(None), at_once.clone());
            prop_assert_eq!(at_once.bytes, all.len() as u64);
            prop_assert_eq!(at_once.is_cut(), all.len() > WHOLE_BYTES);
        }
    }
}
