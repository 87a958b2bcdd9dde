//! Records from a stream of lines, whatever the stream is. Owns the size limit per line, the handling of unreadable lines,
//! and the counts of both. Knows no files.

use std::collections::VecDeque;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::format::Format;
use crate::lines::{Lines, Piece};
use crate::record::Record;
use crate::state::State;
use crate::value::object;

/// A longer line is skipped and counted. Claude Code's lines with images have a few megabytes.
pub const LINE_BYTES: usize = 8 << 20;

/// A reading's counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Lines, rows or files that were read.
    pub lines: u64,
    /// Lines longer than [`LINE_BYTES`], which were skipped.
    pub too_long: u64,
    /// Lines that aren't JSON objects: damaged or cut off.
    pub unreadable: u64,
}

impl Counts {
    /// Adds another reading's counts.
    pub fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.too_long += other.too_long;
        self.unreadable += other.unreadable;
    }
}

enum Pieces<R> {
    Lines(Lines<R>),
    Document(Document<R>),
}

/// The records of one stream.
pub struct Records<R> {
    format: &'static Format,
    pieces: Pieces<R>,
    pub(crate) state: State,
    queue: VecDeque<Record>,
    counts: Counts,
    pub(crate) error: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Records<R> {
    /// A stream's records from its beginning; `session` is the session's id until a line names another.
    pub fn new(format: &'static Format, session: &str, reader: R) -> Self {
        Self::from(format, State::for_session(session), reader, LINE_BYTES, 0, false)
    }

    pub(crate) fn from(
        format: &'static Format,
        state: State,
        reader: R,
        bound: usize,
        offset: u64,
        skipping: bool,
    ) -> Self {
        let pieces = if format.document {
            Pieces::Document(Document::new(reader, bound))
        } else {
            Pieces::Lines(Lines::new(reader, bound, offset, skipping))
        };
        let (queue, counts) = (VecDeque::new(), Counts::default());
        Self { format, pieces, state, queue, counts, error: None, ended: false }
    }

    /// The counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Where a later reading continues, and whether it is inside a line that was too long.
    pub(crate) fn resume_point(&self) -> (u64, bool) {
        match &self.pieces {
            Pieces::Lines(lines) => (lines.offset(), lines.skipping()),
            Pieces::Document(_) => (0, false),
        }
    }

    /// Reads one more piece; `false` at the end.
    fn advance(&mut self) -> io::Result<bool> {
        let piece = match &mut self.pieces {
            Pieces::Lines(lines) => lines.next()?,
            Pieces::Document(document) => document.next()?,
        };
        let bytes = match &self.pieces {
            Pieces::Lines(lines) => trim_line(lines.line()),
            Pieces::Document(document) => document.piece(),
        };
        let Some(piece) = piece else { return Ok(false) };
        if piece == Piece::Whole && bytes.is_empty() {
            return Ok(true);
        }
        let value = match piece {
            Piece::Whole | Piece::Open => object(bytes),
            Piece::TooLong => None,
        };
        match (piece, &value) {
            (Piece::TooLong, _) => self.counts.too_long += 1,
            (Piece::Whole, None) => self.counts.unreadable += 1,
            // The agent may be writing this very line: it waits for the next reading, unless it is complete.
            (Piece::Open, None) => return Ok(true),
            (Piece::Whole | Piece::Open, Some(_)) => {}
        }
        self.counts.lines += 1;
        if let Some(value) = value {
            if piece == Piece::Open
                && let Pieces::Lines(lines) = &mut self.pieces
            {
                lines.accept_open();
            }
            let mut found = Vec::new();
            (self.format.read)(&value, &mut self.state, &mut found);
            self.queue.extend(found);
        }
        Ok(true)
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            if let Some(record) = self.queue.pop_front() {
                return Some(record);
            }
            if self.ended {
                return None;
            }
            match self.advance() {
                Ok(more) => self.ended = !more,
                Err(error) => {
                    self.error = Some(error);
                    self.ended = true;
                }
            }
        }
    }
}

/// Without what a crash or an editor leaves around a line: zeros, blanks, a byte order mark.
fn trim_line(line: &[u8]) -> &[u8] {
    let blank = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let start = line.iter().position(|byte| !blank(byte)).unwrap_or(line.len());
    let rest = line.get(start..).unwrap_or_default();
    let rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    let end = rest.iter().rposition(|byte| !blank(byte)).map_or(0, |last| last + 1);
    rest.get(..end).unwrap_or_default()
}
