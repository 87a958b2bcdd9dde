//! Splits the input into lines of one message each, in bounded memory: of an overlong line only the top-level members
//! are kept. Doesn't know what a message means; `transport` does.

use std::io;

use text::json::Members;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// A buffer that grew beyond this is freed after its line.
const KEPT_CAPACITY: usize = 1024 * 1024;

/// The result of a read.
#[derive(Debug)]
pub(crate) enum Line {
    /// A complete line is in [`LineReader::text`].
    Whole,
    /// A line that exceeds the limit; its text was discarded.
    TooLong(Members),
    /// The end of the input. An unfinished last line was never sent completely.
    End,
}

/// The reader.
pub(crate) struct LineReader<R> {
    input: BufReader<R>,
    text: Vec<u8>,
    max_line: usize,
    /// The members of the line being discarded. A field, because reading may be interrupted at any moment.
    too_long: Option<Members>,
    /// Whether the line in `text` was handed out.
    done: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(crate) fn new(input: R, max_line: usize) -> Self {
        Self { input: BufReader::new(input), text: Vec::new(), max_line, too_long: None, done: false }
    }

    /// The last line, without its line end and a byte order mark.
    pub(crate) fn text(&self) -> &[u8] {
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
    }

    /// Reads the next line. Can be cancelled without losing anything: what has arrived stays for the next call.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub(crate) async fn next(&mut self) -> io::Result<Line> {
        if std::mem::take(&mut self.done) {
            if self.text.capacity() > KEPT_CAPACITY {
                self.text = Vec::new();
            }
            self.text.clear();
        }
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                return Ok(Line::End);
            }
            let end = memchr::memchr(b'\n', available);
            let taken = end.map_or(available.len(), |at| at + 1);
            let piece = &available[..taken];
            if let Some(members) = &mut self.too_long {
                members.feed(piece);
            } else if self.text.len() + taken > self.max_line {
                let mut members = Members::of(&self.text);
                members.feed(piece);
                self.text = Vec::new();
                self.too_long = Some(members);
            } else {
                self.text.extend_from_slice(piece);
            }
            self.input.consume(taken);
            if end.is_some() {
                if let Some(members) = self.too_long.take() {
                    return Ok(Line::TooLong(members));
                }
                self.done = true;
                return Ok(Line::Whole);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_arrive_one_at_a_time_and_of_long_ones_only_the_members() {
        let long = format!("{{\"id\":5,\"params\":\"{}\",\"method\":\"m\"}}\r\n", "x".repeat(100));
        let input = format!("one\r\n\n{long}\u{feff}two\nunfinished");
        let mut lines = LineReader::new(input.as_bytes(), 50);
        let mut seen = Vec::new();
        loop {
            match lines.next().await.unwrap() {
                Line::Whole => seen.push(String::from_utf8_lossy(lines.text()).into_owned()),
                Line::TooLong(members) => {
                    assert!(members.has_method());
                    seen.push(format!("too long: {}", members.id().unwrap_or("-")));
                }
                Line::End => break,
            }
        }
        assert_eq!(seen, ["one", "", "too long: 5", "two"]);
    }
}
