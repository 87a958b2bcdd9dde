//! Splits a stream into lines with a size limit: a longer line is skipped and counted, never kept. Knows neither JSON nor
//! agents. Memory is one buffer of [`CHUNK`] and one line within the limit, however long the stream is.

use std::io::{self, Read};

/// Bytes read at a time.
pub(crate) const CHUNK: usize = 64 * 1024;

/// The next part of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A complete piece.
    Whole,
    /// The stream ended within this piece.
    Open,
    /// A piece over the limit was skipped, to its end or to the end of the stream.
    TooLong,
}

/// The lines of a stream.
pub(crate) struct Lines<R> {
    reader: R,
    bound: usize,
    chunk: Vec<u8>,
    taken: usize,
    line: Vec<u8>,
    offset: u64,
    skipping: bool,
}

impl<R: Read> Lines<R> {
    /// Lines of at most `bound` bytes. `offset` is the stream's position in the file, and `skipping` whether it begins inside
    /// a line that was too long.
    pub(crate) fn new(reader: R, bound: usize, offset: u64, skipping: bool) -> Self {
        Self { reader, bound, chunk: Vec::with_capacity(CHUNK), taken: 0, line: Vec::new(), offset, skipping }
    }

    /// The line that [`Self::next`] announced, without its line end.
    pub(crate) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Where a later call continues: after the last line, or at the start of one that was cut off.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether a later call begins inside a line that was too long.
    pub(crate) fn skipping(&self) -> bool {
        self.skipping
    }

    /// Accepts an unfinished line as complete, so that a later call continues after it.
    pub(crate) fn accept_open(&mut self) {
        self.offset = self.offset.saturating_add(self.line.len() as u64);
    }

    /// Memory in use, in bytes.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        self.chunk.capacity() + self.line.capacity()
    }

    /// The next line; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> io::Result<Option<Piece>> {
        self.line.clear();
        let mut seen = 0_u64;
        loop {
            if self.taken == self.chunk.len() && !self.fill()? {
                return Ok(self.finish(seen));
            }
            let rest = self.chunk.get(self.taken..).unwrap_or_default();
            let end = memchr::memchr(b'\n', rest);
            let part = &rest[..end.unwrap_or(rest.len())];
            if !self.skipping {
                if self.line.len() + part.len() > self.bound {
                    self.skipping = true;
                    self.line.clear();
                } else {
                    append(&mut self.line, part, self.bound);
                }
            }
            let used = part.len() + usize::from(end.is_some());
            self.taken += used;
            seen += used as u64;
            if end.is_some() {
                self.offset += seen;
                let skipped = std::mem::take(&mut self.skipping);
                return Ok(Some(if skipped { Piece::TooLong } else { Piece::Whole }));
            }
        }
    }

    fn finish(&mut self, seen: u64) -> Option<Piece> {
        if self.skipping {
            // A skipped line isn't read a second time.
            self.offset += seen;
            return (seen > 0).then_some(Piece::TooLong);
        }
        (seen > 0).then_some(Piece::Open)
    }

    fn fill(&mut self) -> io::Result<bool> {
        self.taken = 0;
        self.chunk.resize(CHUNK, 0);
        let read = loop {
            match self.reader.read(&mut self.chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.chunk.truncate(read.as_ref().copied().unwrap_or(0));
        Ok(read? > 0)
    }
}

/// Grows as needed, never beyond the limit.
pub(crate) fn append(line: &mut Vec<u8>, part: &[u8], bound: usize) {
    let wanted = line.len() + part.len();
    if wanted > line.capacity() {
        let capacity = line.capacity().saturating_mul(2).clamp(wanted, bound.max(wanted));
        line.reserve_exact(capacity - line.len());
    }
    line.extend_from_slice(part);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(bytes: &[u8], bound: usize) -> (Vec<(Piece, Vec<u8>)>, u64, bool) {
        let mut lines = Lines::new(bytes, bound, 0, false);
        let mut found = Vec::new();
        while let Some(piece) = lines.next().unwrap() {
            found.push((piece, lines.line().to_vec()));
        }
        (found, lines.offset(), lines.skipping())
    }

    #[test]
    fn long_lines_are_passed_over() {
        let (found, offset, skipping) = all(b"one\ntoo long\n\ntwo\ncut", 4);
        let wanted = [
            (Piece::Whole, b"one".to_vec()),
            (Piece::TooLong, vec![]),
            (Piece::Whole, vec![]),
            (Piece::Whole, b"two".to_vec()),
            (Piece::Open, b"cut".to_vec()),
        ];
        assert_eq!((found, offset, skipping), (wanted.to_vec(), 18, false));
    }

    #[test]
    fn a_long_line_without_an_end_is_not_read_twice() {
        let (found, offset, skipping) = all(b"one\ntoo long", 4);
        assert_eq!((found.len(), found[1].0, offset, skipping), (2, Piece::TooLong, 12, true));
        let mut later = Lines::new(&b" still\nnext\n"[..], 4, offset, skipping);
        assert_eq!(later.next().unwrap(), Some(Piece::TooLong));
        assert_eq!(later.next().unwrap(), Some(Piece::Whole));
        assert_eq!((later.line(), later.offset()), (&b"next"[..], 24));
    }

    /// A gigabyte that isn't stored anywhere: one line over and over.
    struct Generated {
        line: Vec<u8>,
        at: u64,
        end: u64,
    }

    impl Read for Generated {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let left = usize::try_from(self.end - self.at).unwrap();
            let part = &self.line[usize::try_from(self.at % self.line.len() as u64).unwrap()..];
            let size = part.len().min(out.len()).min(left);
            out[..size].copy_from_slice(&part[..size]);
            self.at += size as u64;
            Ok(size)
        }
    }

    #[test]
    fn a_gigabyte_costs_one_buffer() {
        let mut line = vec![b'x'; 100_000];
        *line.last_mut().unwrap() = b'\n';
        let bound = 150_000;
        let mut lines = Lines::new(Generated { line, at: 0, end: 10_000 * 100_000 }, bound, 0, false);
        let (mut count, mut most) = (0, 0);
        while let Some(piece) = lines.next().unwrap() {
            assert_eq!((piece, lines.line().len()), (Piece::Whole, 99_999));
            most = most.max(lines.held());
            count += 1;
        }
        assert_eq!((count, lines.offset()), (10_000, 1_000_000_000));
        assert!(most <= bound + CHUNK, "{most} bytes were held");
        // One line of a gigabyte.
        let mut lines =
            Lines::new(Generated { line: vec![b'x'; 65_536], at: 0, end: 1 << 30 }, bound, 0, false);
        assert_eq!(lines.next().unwrap(), Some(Piece::TooLong));
        assert!(lines.held() <= bound + CHUNK, "{} bytes were held", lines.held());
        assert_eq!((lines.next().unwrap(), lines.offset(), lines.skipping()), (None, 1 << 30, true));
    }

    proptest! {
        #[test]
        fn whole_lines_are_the_lines(bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), any::<u8>()], 0..300), bound in 1_usize..40) {
            let (found, offset, _) = all(&bytes, bound);
            let ends_open = !bytes.is_empty() && bytes.last() != Some(&b'\n');
            let mut wanted: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
            wanted.pop();
            prop_assert_eq!(found.len(), wanted.len() + usize::from(ends_open));
            for (line, (piece, text)) in wanted.iter().zip(&found) {
                let long = line.len() > bound;
                prop_assert_eq!(*piece, if long { Piece::TooLong } else { Piece::Whole });
                prop_assert_eq!(text.as_slice(), if long { &[][..] } else { *line });
            }
            prop_assert!(offset <= bytes.len() as u64);
        }

        #[test]
        fn resuming_a_read_gives_the_same(bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..300), cut in 0_usize..300, bound in 1_usize..40) {
            let cut = cut.min(bytes.len());
            let (whole, ..) = all(&bytes, bound);
            let (mut first, offset, skipping) = all(&bytes[..cut], bound);
            // A line that was cut off is read again; one that was too long is counted where it is first seen.
            first.retain(|(piece, _)| *piece != Piece::Open);
            if skipping {
                first.pop();
            }
            let mut later = Lines::new(&bytes[usize::try_from(offset).unwrap()..], bound, offset, skipping);
            while let Some(piece) = later.next().unwrap() {
                first.push((piece, later.line().to_vec()));
            }
            if skipping && offset == bytes.len() as u64 && first.len() < whole.len() {
                first.push((Piece::TooLong, Vec::new()));
            }
            prop_assert_eq!(first, whole);
        }
    }
}
