//! Decides what is shown of a run's output, and when. While the run is short, everything is buffered. Then what stays
//! is shown as it comes, binary output is passed through, and output that is too large to buffer or comes for too long
//! is reduced to its ends and its failures. Standard output and standard error never mix.
//!
//! The law: never show more than the agent would have shown of the command's own output. While the exit code is
//! unknown, show no more than it shows in any case.

use agents::{Agent, OutputKind};
use filters::{Answer, FilterSet, Shortened, Stream, fit};

use super::RunSummary;
use super::display_budget::DisplayBudget;
use super::full_output::{Extent, FullOutput};
use super::lane::Lane;
use super::output_stream::OutputStream;
use super::stdio::Stdio;
use super::unshortened::Unshortened;
use crate::printed_text::{self, storable_bytes};

/// Outputs up to this size in bytes are buffered and filtered as a whole.
const BUFFER_BYTES: usize = 8 * 1024 * 1024;
/// An address of full length; reserves room for the real one.
const SAMPLE_ADDRESS: &str = "plimsoll://task/t000000000000";

enum Mode<'s> {
    Buffering,
    Streaming { lanes: [Lane<'s>; 2], address: String },
    PassThrough,
}

/// The output of one run.
pub(super) struct RunOutput<'s> {
    set: &'s FilterSet,
    argv: &'s [String],
    full_output: Option<FullOutput>,
    mode: Mode<'s>,
    buffered: Vec<(OutputStream, Vec<u8>)>,
    buffered_bytes: usize,
    before: u64,
    after: u64,
    agent: Option<&'static dyn Agent>,
    /// The exit code of the agent's command line comes from another program.
    pub(super) exit_code_unknown: bool,
    display_budget: DisplayBudget,
    /// What was printed while it was shown.
    unshortened: Unshortened,
    stdio: Stdio,
}

impl<'s> RunOutput<'s> {
    pub(super) fn new(
        set: &'s FilterSet,
        argv: &'s [String],
        full_output: Option<FullOutput>,
        on: bool,
        agent: Option<&'static dyn Agent>,
    ) -> Self {
        let mode = if on && full_output.is_some() { Mode::Buffering } else { Mode::PassThrough };
        let (stdio, display_budget) = (Stdio::default(), DisplayBudget::for_agent(agent));
        let buffered = Vec::new();
        let exit_code_unknown = false;
        Self {
            set,
            argv,
            full_output,
            mode,
            buffered,
            buffered_bytes: 0,
            before: 0,
            after: 0,
            agent,
            exit_code_unknown,
            display_budget,
            unshortened: Unshortened::default(),
            stdio,
        }
    }

    /// Takes a piece of output.
    pub(super) fn take(&mut self, stream: OutputStream, piece: &[u8]) {
        self.before += piece.len() as u64;
        match &mut self.mode {
            Mode::Buffering => {
                self.buffered_bytes += piece.len();
                match self.buffered.last_mut() {
                    Some((last, bytes)) if *last == stream => bytes.extend_from_slice(piece),
                    _ => self.buffered.push((stream, piece.to_vec())),
                }
                if self.buffered_bytes > BUFFER_BYTES {
                    self.start_streaming(false);
                }
            }
            Mode::Streaming { lanes, .. } => {
                let now = lanes[stream.index()].take(piece);
                self.unshortened.take(stream, piece);
                if let Some(full_output) = self.full_output.as_mut() {
                    full_output.add(piece);
                }
                self.show_early(stream, now);
            }
            Mode::PassThrough => self.print(stream, piece),
        }
    }

    /// Starts showing a run that takes long (or even `very_long`) as it goes.
    pub(super) fn show_progress(&mut self, very_long: bool) {
        let waits = matches!(self.mode, Mode::Buffering) && !self.buffered.is_empty();
        // A filter that needs the complete output is worth waiting for, but not forever; so is a tool that a script
        // hasn't started yet.
        if waits && (very_long || !self.needs_complete_output()) {
            self.start_streaming(true);
            return;
        }
        match &mut self.mode {
            Mode::Streaming { lanes, .. } => {
                let news = lanes.each_mut().map(Lane::available);
                for (stream, text) in OutputStream::BOTH.into_iter().zip(news) {
                    self.show_early(stream, text.unwrap_or_default().as_bytes());
                }
            }
            Mode::Buffering | Mode::PassThrough => {}
        }
    }

    /// Whether nobody reads this stream any longer.
    pub(super) fn is_closed(&mut self, stream: OutputStream) -> bool {
        self.stdio.is_closed(stream)
    }

    /// Shows the rest. Returns what was shortened, if anything, and the first write error.
    pub(super) fn finish(mut self, code: i32) -> (Option<RunSummary>, Option<std::io::Error>) {
        let done = match std::mem::replace(&mut self.mode, Mode::PassThrough) {
            Mode::Buffering => self.finish_buffered(code),
            Mode::Streaming { lanes, address } => self.finish_streaming(lanes, address, code),
            Mode::PassThrough => None,
        };
        (done, self.stdio.failure())
    }

    fn finish_buffered(&mut self, code: i32) -> Option<RunSummary> {
        if !self.is_text(true) {
            self.pass_through();
            return None;
        }
        let command = shell::join_quoted(self.argv);
        let held = self.all_buffered();
        let text = String::from_utf8_lossy(&held);
        // The order between the two streams isn't known, so only output to one stream is filtered as one text.
        let one = self.buffered.iter().all(|(stream, _)| *stream == OutputStream::Out);
        let limit = self.shown_bytes(&text, code);
        let shortened = if one {
            let done = Answer::of_command(self.set, &command, Some(code), &text, limit, SAMPLE_ADDRESS);
            done.map(|done| vec![(OutputStream::Out, done.shortened)])
        } else {
            let (out, err) = (self.buffered_from(OutputStream::Out), self.buffered_from(OutputStream::Err));
            let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
            self.shortened_streams(&command, &out, &err, code, limit)
        };
        let address = shortened.is_some().then(|| self.keep(&storable_bytes(&held))).flatten();
        let (Some(parts), Some(address)) = (shortened, address) else {
            self.pass_through();
            return None;
        };
        if self.full_output.take().and_then(|full_output| full_output.finish(code)) != Some(Extent::Whole) {
            // Nothing is left out unless it is kept.
            self.pass_through();
            return None;
        }
        let mut filter = String::new();
        for (stream, shortened) in parts {
            let last = stream == OutputStream::Out;
            let shown = if last { shortened.with_address(Some(&address)) } else { shortened.text.clone() };
            filter.clone_from(&shortened.filter);
            self.print(stream, shown.as_bytes());
        }
        Some(RunSummary { filter, before: self.before, after: self.after, address: Some(address) })
    }

    /// How much of the output the agent would show; all without an agent.
    fn shown_bytes(&self, text: &str, code: i32) -> usize {
        let of =
            |agent: &dyn Agent, failed| agent.output_limits(OutputKind::Shell { failed }).visible_bytes(text);
        match self.agent {
            None => text.len(),
            Some(agent) if self.exit_code_unknown => of(agent, false).min(of(agent, true)),
            Some(agent) => of(agent, code != 0),
        }
    }

    /// Standard output and standard error, each shortened by itself, within what the agent would show of the two.
    fn shortened_streams(
        &self,
        command: &str,
        out: &str,
        err: &str,
        code: i32,
        limit: usize,
    ) -> Option<Vec<(OutputStream, Shortened)>> {
        // A runner of several packages only prints about itself to standard error.
        let most = limit.saturating_sub(err.len());
        let (out, err) = match Answer::of_packages(self.set, command, out, most, SAMPLE_ADDRESS) {
            Some(done) => (done.shortened, Shortened { text: err.to_owned(), ..Shortened::default() }),
            None => filters::shorten_parts(self.set, command, Some(code), out, err)
                .and_then(|(out, err)| self.fit_both(out, err, limit))?,
        };
        Some(vec![(OutputStream::Err, err), (OutputStream::Out, out)])
    }

    /// Both streams within what the agent would show of the two.
    fn fit_both(
        &self,
        mut out: Shortened,
        mut err: Shortened,
        limit: usize,
    ) -> Option<(Shortened, Shortened)> {
        let closing =
            |out: &Shortened| out.with_address(Some(SAMPLE_ADDRESS)).len() - out.text.trim_end().len();
        if closing(&out) > limit / 3 {
            out.left_out.clear();
        }
        let room = limit.checked_sub(closing(&out))?;
        let (out_bytes, err_bytes) = (out.text.len(), err.text.len());
        if out_bytes + err_bytes > room {
            if self.set.is_off(filters::GENERIC) {
                return None;
            }
            let err_room = room.saturating_sub(out_bytes).max(room / 2);
            err.text = fit(&err.text, false, err_room.saturating_sub(1));
            err.text.push('\n');
            out.text = fit(&out.text, false, room.checked_sub(err.text.len())?);
        }
        (out.with_address(Some(SAMPLE_ADDRESS)).len() + err.text.len() <= limit).then_some((out, err))
    }

    /// Whether the command's own filter needs the complete output, or the command starts other tools of which none is
    /// recognised yet.
    fn needs_complete_output(&self) -> bool {
        match Stream::new(self.set, self.argv) {
            None => self.set.answers_to(self.argv),
            Some(_) if filters::command::runs_other_tools(filters::command::unwrapped(self.argv)) => {
                !OutputStream::BOTH
                    .into_iter()
                    .any(|stream| Lane::filtered(self.set, self.argv, &self.buffered_from(stream)).is_some())
            }
            Some(_) => false,
        }
    }

    /// Stops holding and gives each stream its lane.
    fn start_streaming(&mut self, waiting: bool) {
        let filtered = if self.is_text(false) {
            OutputStream::BOTH.map(|stream| Lane::filtered(self.set, self.argv, &self.buffered_from(stream)))
        } else {
            [None, None]
        };
        let known = filtered.iter().any(Option::is_some);
        let own = Stream::new(self.set, self.argv).is_some() && self.set.answers_to(self.argv);
        // With the generic filter off, only the command's own filter may leave something out. If that doesn't
        // recognise the output of a slow run yet, somebody is waiting for a sign of life.
        let reduce = self.is_text(false) && !self.set.is_off(filters::GENERIC) && !(waiting && own);
        if !known && !reduce {
            self.pass_through();
            return;
        }
        let held = self.all_buffered();
        let Some(address) = self.keep(&held) else {
            self.pass_through();
            return;
        };
        let held = std::mem::take(&mut self.buffered);
        held.iter().for_each(|(stream, bytes)| self.unshortened.take(*stream, bytes));
        let mut lanes = [Lane::PassThrough, Lane::PassThrough];
        let mut started = [false; 2];
        for (stream, lane) in OutputStream::BOTH.into_iter().zip(filtered) {
            match lane {
                Some((lane, text)) => {
                    self.show_early(stream, &text);
                    lanes[stream.index()] = lane;
                    started[stream.index()] = true;
                }
                None if reduce && !known => {
                    lanes[stream.index()] = Lane::reduced(self.display_budget.limit());
                }
                None => {}
            }
        }
        for (stream, bytes) in held {
            if !started[stream.index()] {
                let now = lanes[stream.index()].take(&bytes);
                self.show_early(stream, now);
            }
        }
        self.mode = Mode::Streaming { lanes, address };
    }

    /// Whether the buffered bytes are text and can be shortened. Before the `end` they are valid UTF-8 without NUL, and the
    /// last character may be incomplete.
    fn is_text(&self, end: bool) -> bool {
        let text = |stream: OutputStream| {
            let bytes = self.buffered_from(stream);
            if end {
                return printed_text::is_text(&bytes);
            }
            let whole =
                std::str::from_utf8(&bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
            whole && !bytes.contains(&0)
        };
        OutputStream::BOTH.into_iter().all(text)
    }

    fn buffered_from(&self, wanted: OutputStream) -> Vec<u8> {
        let of = self.buffered.iter().filter(|(stream, _)| *stream == wanted);
        of.flat_map(|(_, bytes)| bytes.iter().copied()).collect()
    }

    fn all_buffered(&self) -> Vec<u8> {
        self.buffered.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect()
    }

    /// Keeps `bytes` and returns the address if all of them are kept.
    fn keep(&mut self, bytes: &[u8]) -> Option<String> {
        let full_output = self.full_output.as_mut()?;
        let address = full_output.begin()?;
        full_output.add(bytes).then_some(address)
    }

    fn pass_through(&mut self) {
        self.mode = Mode::PassThrough;
        // A partly kept output is no longer needed.
        if let Some(full_output) = self.full_output.take() {
            full_output.discard();
        }
        for (stream, bytes) in std::mem::take(&mut self.buffered) {
            self.print(stream, &bytes);
        }
    }

    /// Shows as much of a piece as is allowed before the exit code is known.
    fn show_early(&mut self, stream: OutputStream, bytes: &[u8]) {
        let now = self.display_budget.take(stream, bytes);
        self.unshortened.show(stream, &bytes[..now]);
        self.print(stream, &bytes[..now]);
    }

    fn print(&mut self, stream: OutputStream, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.after += bytes.len() as u64;
            self.stdio.print(stream, bytes);
        }
    }
}

mod finish_streaming;
#[cfg(test)]
mod tests;
