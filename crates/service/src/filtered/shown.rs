//! What is shown of a run's output, and when: everything is held while the run is short; then lines that stay are shown
//! as they come; an output that no filter knows is passed on as it is; one that is too large to hold is reduced to its
//! ends and its failures.

use std::collections::VecDeque;
use std::io::Write;

use agents::Agent;
use filters::{FilterSet, Shortened, Stream};
use text::failures::Failures;

use super::Done;
use super::original::Original;

/// An output up to this size, in bytes, is held and looked at as a whole.
const HELD: usize = 8 * 1024 * 1024;
/// What is shown of both ends of an output that is too large, in bytes.
const ENDS: usize = 8 * 1024;
/// What is shown of its failures, in bytes.
const FAILURES: usize = 16 * 1024;
/// Room for the line that says what was left out and where the whole is, in bytes.
const CLOSING: usize = 400;
/// Lines of context around a failure.
const CONTEXT: usize = 2;

/// Where a piece belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Out,
    Err,
}

enum Mode {
    Holding,
    Streaming { stream: Box<Stream>, line: Vec<u8>, address: Option<String> },
    Flood { failures: Box<Failures>, tail: VecDeque<u8>, address: Option<String> },
    Passing,
}

/// The output of one run.
pub(super) struct Shown<'s> {
    set: &'s FilterSet,
    argv: &'s [String],
    original: Option<Original>,
    mode: Mode,
    held: Vec<(Part, Vec<u8>)>,
    held_bytes: usize,
    before: u64,
    after: u64,
    agent: Option<&'static dyn Agent>,
}

impl<'s> Shown<'s> {
    pub(super) fn new(
        set: &'s FilterSet,
        argv: &'s [String],
        original: Option<Original>,
        on: bool,
        agent: Option<&'static dyn Agent>,
    ) -> Self {
        let mode = if on && original.is_some() { Mode::Holding } else { Mode::Passing };
        Self { set, argv, original, mode, held: Vec::new(), held_bytes: 0, before: 0, after: 0, agent }
    }

    /// Takes a piece of output.
    pub(super) fn take(&mut self, part: Part, piece: &[u8]) {
        self.before += piece.len() as u64;
        match &mut self.mode {
            Mode::Holding => {
                self.held_bytes += piece.len();
                match self.held.last_mut() {
                    Some((last, bytes)) if *last == part => bytes.extend_from_slice(piece),
                    _ => self.held.push((part, piece.to_vec())),
                }
                if self.held_bytes > HELD {
                    self.flood();
                }
            }
            Mode::Streaming { .. } => self.stream(piece),
            Mode::Flood { .. } => self.pour(piece),
            Mode::Passing => self.print(part, piece),
        }
    }

    /// The run takes long: from now on it is shown as it goes, if a filter knows how.
    pub(super) fn go_on(&mut self) {
        if matches!(self.mode, Mode::Streaming { .. }) {
            self.show_new();
            return;
        }
        if !matches!(self.mode, Mode::Holding) || self.held.is_empty() {
            return;
        }
        let Some(mut stream) = Stream::new(self.set, self.argv) else { return };
        let held = self.all_held();
        let whole = held.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line in String::from_utf8_lossy(&held[..whole]).lines() {
            stream.push(line);
        }
        let Some(text) = stream.take() else {
            // Whoever waits for a sign of life gets it: what nobody knows is passed on.
            self.pass_held();
            return;
        };
        let Some(address) = self.keep(&held) else {
            self.pass_held();
            return;
        };
        self.held.clear();
        self.print(Part::Out, text.as_bytes());
        self.mode = Mode::Streaming {
            stream: Box::new(stream),
            line: held[whole..].to_vec(),
            address: Some(address),
        };
    }

    /// The end: shows the rest. What was shortened, if anything was.
    pub(super) fn finish(mut self, code: i32) -> Option<Done> {
        match std::mem::replace(&mut self.mode, Mode::Passing) {
            Mode::Holding => self.finish_held(code),
            Mode::Streaming { mut stream, line, address } => {
                if !line.is_empty() {
                    stream.push(&String::from_utf8_lossy(&line));
                }
                self.close(stream.finish()?, address, code)
            }
            Mode::Flood { failures, tail, address, .. } => {
                let extract = failures.finish(FAILURES);
                let tail: Vec<u8> = tail.into_iter().collect();
                let tail = String::from_utf8_lossy(&tail);
                let tail = tail.split_once('\n').map_or(&*tail, |(_, rest)| rest);
                let text = format!("\n… {}\n… the end:\n{tail}", extract.text);
                let shortened = Shortened { text, filter: filters::GENERIC.into(), left_out: Vec::new() };
                self.close(shortened, address, code)
            }
            Mode::Passing => None,
        }
    }

    fn finish_held(&mut self, code: i32) -> Option<Done> {
        let command = filters::command::quoted(self.argv);
        let held = self.all_held();
        let text = String::from_utf8_lossy(&held);
        // What went to two places came in two orders; only what goes to one can be told as one.
        let one = self.held.iter().all(|(part, _)| *part == Part::Out);
        let shortened = if one {
            let done = filters::shorten(self.set, &command, Some(code), &text);
            self.bounded(done, &text, code).map(|done| vec![(Part::Out, done)])
        } else {
            let part = |wanted: Part| -> Vec<u8> {
                self.held
                    .iter()
                    .filter(|(part, _)| *part == wanted)
                    .flat_map(|(_, bytes)| bytes.clone())
                    .collect()
            };
            let (out, err) = (part(Part::Out), part(Part::Err));
            let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
            filters::shorten_parts(self.set, &command, Some(code), &out, &err)
                .map(|(out, err)| vec![(Part::Err, err), (Part::Out, out)])
        };
        let address = shortened.is_some().then(|| self.keep(&held)).flatten();
        let (Some(parts), Some(address)) = (shortened, address) else {
            self.pass_held();
            return None;
        };
        if !self.original.take().is_some_and(|original| original.finish(code)) {
            // Nothing is left out that is not kept.
            self.pass_held();
            return None;
        }
        let mut filter = String::new();
        for (part, shortened) in parts {
            let last = part == Part::Out;
            let shown = if last { shortened.with_address(Some(&address)) } else { shortened.text.clone() };
            filter.clone_from(&shortened.filter);
            self.print(part, shown.as_bytes());
        }
        Some(Done { filter, before: self.before, after: self.after, address: Some(address) })
    }

    /// The same within what the agent shows whole: what it would cut is cut here, by what matters.
    fn bounded(&self, done: Option<Shortened>, text: &str, code: i32) -> Option<Shortened> {
        let Some(most) = self.agent.and_then(|agent| agent.whole_up_to(code != 0)) else { return done };
        // What cuts here is the filter for any command, and a person may have switched it off.
        let off = self.set.is_off(filters::GENERIC);
        if off || done.as_ref().map_or(text.len(), |done| done.text.len()) <= most {
            return done;
        }
        let mut done = done.unwrap_or_else(|| Shortened {
            text: filters::normalise(text).into_owned(),
            filter: filters::GENERIC.into(),
            left_out: Vec::new(),
        });
        done.text = filters::cap(&done.text, usize::MAX, most - CLOSING);
        Some(done)
    }

    /// Shows the closing of a run that was shown as it went.
    fn close(&mut self, shortened: Shortened, address: Option<String>, code: i32) -> Option<Done> {
        let kept = self.original.take().is_some_and(|original| original.finish(code));
        let address = address.filter(|_| kept);
        let shown = shortened.with_address(address.as_deref());
        self.print(Part::Out, shown.as_bytes());
        Some(Done { filter: shortened.filter, before: self.before, after: self.after, address })
    }

    fn stream(&mut self, piece: &[u8]) {
        self.add(piece);
        let Mode::Streaming { stream, line, .. } = &mut self.mode else { return };
        line.extend_from_slice(piece);
        let whole = line.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let rest = line.split_off(whole);
        let lines = std::mem::replace(line, rest);
        for line in String::from_utf8_lossy(&lines).lines() {
            stream.push(line);
        }
    }

    fn show_new(&mut self) {
        let Mode::Streaming { stream, .. } = &mut self.mode else { return };
        if let Some(text) = stream.take() {
            self.print(Part::Out, text.as_bytes());
        }
        let _ = std::io::stdout().flush();
    }

    /// The output is too large to be held.
    fn flood(&mut self) {
        if self.set.is_off(filters::GENERIC) {
            // Nobody but the command's own filter may leave something out.
            self.go_on();
            if matches!(self.mode, Mode::Holding) {
                self.pass_held();
            }
            return;
        }
        let held = self.all_held();
        let Some(address) = self.keep(&held) else {
            self.pass_held();
            return;
        };
        self.held.clear();
        let head = String::from_utf8_lossy(&held[..ENDS.min(held.len())]).into_owned();
        let cut = head.rfind('\n').map_or(head.len(), |at| at + 1);
        self.print(Part::Out, &head.as_bytes()[..cut]);
        let failures = Box::new(Failures::new(CONTEXT));
        self.mode = Mode::Flood { failures, tail: VecDeque::new(), address: Some(address) };
        self.scan(&held);
    }

    fn pour(&mut self, piece: &[u8]) {
        self.add(piece);
        self.scan(piece);
    }

    fn scan(&mut self, piece: &[u8]) {
        let Mode::Flood { failures, tail, .. } = &mut self.mode else { return };
        failures.text(&String::from_utf8_lossy(piece));
        let from = piece.len().saturating_sub(ENDS);
        tail.extend(&piece[from..]);
        while tail.len() > ENDS {
            tail.pop_front();
        }
    }

    fn all_held(&self) -> Vec<u8> {
        self.held.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect()
    }

    /// Keeps `bytes`; the address when all of them are kept.
    fn keep(&mut self, bytes: &[u8]) -> Option<String> {
        let original = self.original.as_mut()?;
        let address = original.begin()?;
        original.add(bytes).then_some(address)
    }

    fn add(&mut self, bytes: &[u8]) {
        if let Some(original) = self.original.as_mut() {
            original.add(bytes);
        }
    }

    fn pass_held(&mut self) {
        self.mode = Mode::Passing;
        for (part, bytes) in std::mem::take(&mut self.held) {
            self.print(part, &bytes);
        }
    }

    fn print(&mut self, part: Part, bytes: &[u8]) {
        self.after += bytes.len() as u64;
        // A reader that went away is no reason to end: the command goes on as it would without us.
        let _ = match part {
            Part::Out => std::io::stdout().write_all(bytes),
            Part::Err => std::io::stderr().write_all(bytes),
        };
        if matches!(self.mode, Mode::Passing) {
            let _ = std::io::stdout().flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_output_is_cut_only_where_the_filter_for_any_command_is_on() {
        let argv = ["make".to_owned()];
        let text: String = (0..2_000).map(|n| format!("step {n} of something\n")).collect();
        let agent = agents::by_id("claude-code");
        let bounded = |off: &[String]| {
            let set = FilterSet::load(None, None, off);
            Shown::new(&set, &argv, None, true, agent).bounded(None, &text, 1)
        };
        let cut = bounded(&[]).unwrap();
        assert!(cut.filter == filters::GENERIC && cut.text.len() < 9_600);
        assert_eq!(bounded(&[filters::GENERIC.to_owned()]), None);
    }

    #[test]
    fn a_flood_is_passed_on_where_the_filter_for_any_command_is_off() {
        let argv = ["plimsoll-none".to_owned()];
        let set = FilterSet::load(None, None, &[filters::GENERIC.to_owned()]);
        let mut shown = Shown::new(&set, &argv, None, true, None);
        shown.mode = Mode::Holding;
        shown.held_bytes = HELD;
        // Empty, so that the test prints nothing.
        shown.held = vec![(Part::Out, Vec::new())];
        shown.flood();
        assert!(matches!(shown.mode, Mode::Passing));
    }
}
