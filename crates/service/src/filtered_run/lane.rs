//! One output stream of a long run, shown while it runs: passed through, filtered line by line, or reduced to its
//! beginning, failures and end. Owns the text held back meanwhile, which is bounded.

use std::collections::VecDeque;

use filters::{FilterSet, Shortened, Stream};
use text::failures::Failures;

/// How much of each end of a too large output is shown, in bytes.
const END_BYTES: usize = 8 * 1024;
/// How much of its failures is shown, in bytes.
const FAILURE_BYTES: usize = 16 * 1024;
/// Lines of context around a failure.
const CONTEXT_LINES: usize = 2;
/// The name in the note for lines that are shown only once.
const REPEATED: &str = "repeated lines";
/// Longer lines are scanned in pieces, in bytes.
const LONGEST_LINE: usize = 256 * 1024;

/// How the stream is shown.
pub(super) enum Lane<'s> {
    /// Unchanged.
    PassThrough,
    /// By the command's own filter.
    Filtered {
        /// The running filter.
        stream: Box<Stream<'s>>,
        /// The unfinished last line.
        line: Vec<u8>,
    },
    /// The beginning, the failures and the end.
    Reduced(Box<Reduced>),
}

/// A stream that no filter knows.
pub(super) struct Reduced {
    ends: usize,
    failure_limit: usize,
    /// How much more of the beginning may be shown.
    head_left: usize,
    line: Vec<u8>,
    failures: Failures,
    tail: VecDeque<u8>,
    /// Bytes received after the beginning.
    after_head: u64,
}

impl<'s> Lane<'s> {
    /// Filters the stream with the command's own filter if that recognises what has come so far; returns the lane and
    /// the text to show at once.
    pub(super) fn filtered(set: &'s FilterSet, argv: &[String], held: &[u8]) -> Option<(Lane<'s>, Vec<u8>)> {
        let mut stream = Box::new(Stream::new(set, argv)?);
        let whole = held.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line in String::from_utf8_lossy(&held[..whole]).lines() {
            stream.push(line);
        }
        let text = stream.take()?;
        Some((Lane::Filtered { stream, line: held[whole..].to_vec() }, text.into_bytes()))
    }

    /// Reduces the stream by generic rules, to fit what is shown in full if that limit is known.
    pub(super) fn reduced(limit: Option<usize>) -> Lane<'s> {
        let ends = limit.map_or(END_BYTES, |limit| END_BYTES.min(limit / 4));
        Lane::Reduced(Box::new(Reduced {
            ends,
            failure_limit: limit.map_or(FAILURE_BYTES, |limit| FAILURE_BYTES.min(limit / 3)),
            head_left: ends,
            line: Vec::new(),
            failures: Failures::new(CONTEXT_LINES),
            tail: VecDeque::new(),
            after_head: 0,
        }))
    }

    /// Takes a piece and returns the part to show at once.
    pub(super) fn take<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        match self {
            Lane::PassThrough => piece,
            Lane::Filtered { stream, line } => {
                line.extend_from_slice(piece);
                for line in take_lines(line).lines() {
                    stream.push(line);
                }
                &[]
            }
            Lane::Reduced(reduced) => reduced.take(piece),
        }
    }

    /// What can be shown since the last call.
    pub(super) fn available(&mut self) -> Option<String> {
        match self {
            Lane::Filtered { stream, .. } => stream.take().map(|text| without_repetitions(text).0),
            Lane::PassThrough | Lane::Reduced(_) => None,
        }
    }

    /// Ends the stream and returns the rest to show with its filter; `None` if everything has been shown.
    pub(super) fn finish(self) -> Option<Shortened> {
        match self {
            Lane::PassThrough => None,
            Lane::Filtered { mut stream, line } => {
                if !line.is_empty() {
                    stream.push(&String::from_utf8_lossy(&line));
                }
                let mut shortened = stream.finish()?;
                let (text, count) = without_repetitions(std::mem::take(&mut shortened.text));
                shortened.text = text;
                if count > 0 {
                    shortened.left_out.push((REPEATED.to_owned(), count));
                }
                Some(shortened)
            }
            Lane::Reduced(reduced) => reduced.finish(),
        }
    }

    /// The tail of a reduced stream that turned out short enough to show in full.
    pub(super) fn unshortened_tail(&mut self) -> Option<Vec<u8>> {
        match self {
            Lane::Reduced(reduced) if reduced.after_head == reduced.tail.len() as u64 => {
                reduced.after_head = 0;
                Some(std::mem::take(&mut reduced.tail).into())
            }
            _ => None,
        }
    }
}

impl Reduced {
    fn take<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        // Ends the beginning at a line end, so that it never cuts a failure in two.
        let shown = if piece.len() <= self.head_left {
            piece.len()
        } else {
            piece[..self.head_left].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
        };
        self.head_left = if shown == piece.len() { self.head_left - shown } else { 0 };
        let (now, later) = piece.split_at(shown);
        self.failures.count_preceding(now);
        self.after_head += later.len() as u64;
        self.line.extend_from_slice(later);
        let lines = take_lines(&mut self.line);
        self.failures.text(&lines);
        let from = later.len().saturating_sub(self.ends);
        self.tail.extend(&later[from..]);
        let excess = self.tail.len().saturating_sub(self.ends);
        self.tail.drain(..excess);
        now
    }

    fn finish(mut self) -> Option<Shortened> {
        if self.after_head == 0 {
            return None;
        }
        self.failures.text(&String::from_utf8_lossy(&self.line));
        let extract = self.failures.finish(self.failure_limit);
        let tail: Vec<u8> = self.tail.into_iter().collect();
        let tail = String::from_utf8_lossy(&tail);
        let tail = tail.split_once('\n').map_or(&*tail, |(_, rest)| rest);
        let (extract, tail) = (without_repetitions(extract.text).0, without_repetitions(tail.to_owned()).0);
        let text = format!("\n… {}\n… the end:\n{tail}", extract.trim_end_matches('\n'));
        Some(Shortened { text, filter: filters::GENERIC.into(), left_out: Vec::new() })
    }
}

/// The text with repetitions shown once, and the number of lines left out. A trace is printed in one go, so it is
/// complete between two looks.
fn without_repetitions(text: String) -> (String, usize) {
    filters::fold_repeats(&text).unwrap_or((text, 0))
}

/// Takes the complete lines, or everything if a line is too long to wait for.
fn take_lines(line: &mut Vec<u8>) -> String {
    let ended = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let whole = if ended == 0 && line.len() > LONGEST_LINE { line.len() } else { ended };
    let rest = line.split_off(whole);
    let lines = std::mem::replace(line, rest);
    String::from_utf8_lossy(&lines).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_lane(output: &[u8], piece: usize) -> (Vec<u8>, Option<Shortened>) {
        let mut lane = Lane::reduced(None);
        let mut shown = Vec::new();
        for piece in output.chunks(piece) {
            shown.extend_from_slice(lane.take(piece));
        }
        if let Some(rest) = lane.unshortened_tail() {
            shown.extend(rest);
        }
        (shown, lane.finish())
    }

    #[test]
    fn an_output_that_fits_both_ends_is_shown_unchanged() {
        for length in [0, 1, END_BYTES, END_BYTES + 1, 2 * END_BYTES - 100] {
            let output: Vec<u8> = b"a line of output\n".iter().copied().cycle().take(length).collect();
            for piece in [1, 7, 1_000, 70_000] {
                assert_eq!(run_lane(&output, piece), (output.clone(), None), "{length} in {piece}");
            }
        }
    }

    #[test]
    fn a_longer_output_shows_the_failure_in_its_middle() {
        let noise = "nothing in particular\n".repeat(9_000);
        let output = format!("{noise}ERROR the disk is full\n{noise}");
        for piece in [13, 65_536] {
            let (head, rest) = run_lane(output.as_bytes(), piece);
            assert!(head.len() <= END_BYTES && output.as_bytes().starts_with(&head));
            let text = rest.unwrap().text;
            assert!(text.contains("ERROR the disk is full") && text.len() < 40_000, "{text}");
        }
    }

    #[test]
    fn frames_of_a_deep_recursion_are_shown_once() {
        let frames = "  File \"deep.py\", line 3, in f\n    return g(n + 1)\n  File \"deep.py\", line 5, in g\n    return f(n + 1)\n";
        let trace =
            format!("Traceback (most recent call last):\n{}RecursionError: too deep\n", frames.repeat(480));
        let set = FilterSet::builtin();
        let argv = ["cargo", "test"].map(str::to_owned);
        let begin = "running 1 test\n";
        let (mut lane, shown) = Lane::filtered(&set, &argv, begin.as_bytes()).unwrap();
        lane.take(trace.as_bytes());
        let now = lane.available().unwrap_or_default();
        let rest = lane.finish().map_or_else(String::new, |rest| rest.text);
        let text = format!("{}{now}{rest}", String::from_utf8_lossy(&shown));
        assert!(text.contains("… the 4 lines above 479 more times\nRecursionError"), "{text}");
        // Where no filter knows the tool, the end has its frames once as well.
        let output = format!("{}{trace}", "nothing in particular\n".repeat(2_000));
        let (_, rest) = run_lane(output.as_bytes(), 4_096);
        let text = rest.unwrap().text;
        let end = text.split("… the end:\n").nth(1).unwrap();
        assert!(end.lines().count() < 16 && end.contains(" more times\n"), "{end}");
        assert!(end.trim_end().ends_with("RecursionError: too deep"), "{end}");
    }

    #[test]
    fn line_numbers_are_those_of_the_full_output() {
        let noise = "nothing in particular\n".repeat(4_000);
        let output = format!("{noise}ERROR the disk is full\n{noise}");
        let (_, rest) = run_lane(output.as_bytes(), 65_536);
        let text = rest.unwrap().text;
        assert!(text.contains("> 4001| ERROR the disk is full"), "{text}");
        assert!(text.contains("output: 8001 lines, "), "{text}");
    }

    #[test]
    fn a_very_long_line_takes_little_memory() {
        let mut lane = Lane::reduced(None);
        for _ in 0..400 {
            lane.take(&[b'x'; 65_536]);
        }
        let Lane::Reduced(reduced) = lane else { panic!("it was reduced") };
        assert!(reduced.line.len() <= LONGEST_LINE + 65_536 && reduced.tail.len() <= END_BYTES);
    }
}
