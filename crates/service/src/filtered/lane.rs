//! One of the two outputs of a run that is shown as it goes: passed on, filtered line by line, or reduced to its
//! beginning, its failures and its end. Owns what of it is held meanwhile, which is bounded.

use std::collections::VecDeque;

use filters::{FilterSet, Shortened, Stream};
use text::failures::Failures;

/// What is shown of both ends of an output that is too large, in bytes.
const ENDS: usize = 8 * 1024;
/// What is shown of its failures, in bytes.
const FAILURES: usize = 16 * 1024;
/// Lines of context around a failure.
const CONTEXT: usize = 2;
/// A line longer than this is looked at in pieces, in bytes.
const ENDLESS: usize = 256 * 1024;

/// How an output is shown.
pub(super) enum Lane {
    /// As it is.
    Passing,
    /// By the command's own filter.
    Filtered {
        /// The filter at work.
        stream: Box<Stream>,
        /// The line that has not ended.
        line: Vec<u8>,
    },
    /// The beginning, the failures and the end.
    Reduced(Box<Reduced>),
}

/// An output that no filter knows.
pub(super) struct Reduced {
    ends: usize,
    most_failures: usize,
    /// So much of the beginning is still to be shown.
    head_left: usize,
    line: Vec<u8>,
    failures: Failures,
    tail: VecDeque<u8>,
    /// What came after the beginning, in bytes.
    after_head: u64,
}

impl Lane {
    /// By the command's own filter, if that knows the shape of what has come so far: the lane, and what is to be shown
    /// of it.
    pub(super) fn filtered(set: &FilterSet, argv: &[String], held: &[u8]) -> Option<(Lane, Vec<u8>)> {
        let mut stream = Box::new(Stream::new(set, argv)?);
        let whole = held.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line in String::from_utf8_lossy(&held[..whole]).lines() {
            stream.push(line);
        }
        let text = stream.take()?;
        Some((Lane::Filtered { stream, line: held[whole..].to_vec() }, text.into_bytes()))
    }

    /// By what matters in any output, within what is shown whole where that is known.
    pub(super) fn reduced(most: Option<usize>) -> Lane {
        let ends = most.map_or(ENDS, |most| ENDS.min(most / 4));
        Lane::Reduced(Box::new(Reduced {
            ends,
            most_failures: most.map_or(FAILURES, |most| FAILURES.min(most / 3)),
            head_left: ends,
            line: Vec::new(),
            failures: Failures::new(CONTEXT),
            tail: VecDeque::new(),
            after_head: 0,
        }))
    }

    /// Takes a piece; what of it is to be shown at once.
    pub(super) fn take<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        match self {
            Lane::Passing => piece,
            Lane::Filtered { stream, line } => {
                line.extend_from_slice(piece);
                for line in whole_lines(line).lines() {
                    stream.push(line);
                }
                &[]
            }
            Lane::Reduced(reduced) => reduced.take(piece),
        }
    }

    /// What can be shown since the last call.
    pub(super) fn news(&mut self) -> Option<String> {
        match self {
            Lane::Filtered { stream, .. } => stream.take(),
            Lane::Passing | Lane::Reduced(_) => None,
        }
    }

    /// The end: what is still to be shown, and of what filter; `None` when everything has been.
    pub(super) fn finish(self) -> Option<Shortened> {
        match self {
            Lane::Passing => None,
            Lane::Filtered { mut stream, line } => {
                if !line.is_empty() {
                    stream.push(&String::from_utf8_lossy(&line));
                }
                stream.finish()
            }
            Lane::Reduced(reduced) => reduced.finish(),
        }
    }

    /// The end of an output of which nothing is left out after all, if it is one.
    pub(super) fn rest(&mut self) -> Option<Vec<u8>> {
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
        // The beginning ends with a line, so that a failure is not cut in two by it.
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
        let lines = whole_lines(&mut self.line);
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
        let extract = self.failures.finish(self.most_failures);
        let tail: Vec<u8> = self.tail.into_iter().collect();
        let tail = String::from_utf8_lossy(&tail);
        let tail = tail.split_once('\n').map_or(&*tail, |(_, rest)| rest);
        let text = format!("\n… {}\n… the end:\n{tail}", extract.text);
        Some(Shortened { text, filter: filters::GENERIC.into(), left_out: Vec::new() })
    }
}

/// Takes the whole lines out of what has come, or all of it where a line does not end.
fn whole_lines(line: &mut Vec<u8>) -> String {
    let ended = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let whole = if ended == 0 && line.len() > ENDLESS { line.len() } else { ended };
    let rest = line.split_off(whole);
    let lines = std::mem::replace(line, rest);
    String::from_utf8_lossy(&lines).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(output: &[u8], piece: usize) -> (Vec<u8>, Option<Shortened>) {
        let mut lane = Lane::reduced(None);
        let mut shown = Vec::new();
        for piece in output.chunks(piece) {
            shown.extend_from_slice(lane.take(piece));
        }
        if let Some(rest) = lane.rest() {
            shown.extend(rest);
        }
        (shown, lane.finish())
    }

    #[test]
    fn what_both_ends_hold_is_shown_as_it_is() {
        for length in [0, 1, ENDS, ENDS + 1, 2 * ENDS - 100] {
            let output: Vec<u8> = b"a line of output\n".iter().copied().cycle().take(length).collect();
            for piece in [1, 7, 1_000, 70_000] {
                assert_eq!(shown(&output, piece), (output.clone(), None), "{length} in {piece}");
            }
        }
    }

    #[test]
    fn of_more_the_failure_in_the_middle_is_shown() {
        let noise = "nothing in particular\n".repeat(9_000);
        let output = format!("{noise}ERROR the disk is full\n{noise}");
        for piece in [13, 65_536] {
            let (head, rest) = shown(output.as_bytes(), piece);
            assert!(head.len() <= ENDS && output.as_bytes().starts_with(&head));
            let text = rest.unwrap().text;
            assert!(text.contains("ERROR the disk is full") && text.len() < 40_000, "{text}");
        }
    }

    #[test]
    fn numbers_of_lines_are_those_of_the_whole_output() {
        let noise = "nothing in particular\n".repeat(4_000);
        let output = format!("{noise}ERROR the disk is full\n{noise}");
        let (_, rest) = shown(output.as_bytes(), 65_536);
        let text = rest.unwrap().text;
        assert!(text.contains("> 4001| ERROR the disk is full"), "{text}");
        assert!(text.contains("output: 8001 lines, "), "{text}");
    }

    #[test]
    fn an_endless_line_takes_little_memory() {
        let mut lane = Lane::reduced(None);
        for _ in 0..400 {
            lane.take(&[b'x'; 65_536]);
        }
        let Lane::Reduced(reduced) = lane else { panic!("it was reduced") };
        assert!(reduced.line.len() <= ENDLESS + 65_536 && reduced.tail.len() <= ENDS);
    }
}
