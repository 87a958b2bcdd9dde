//! What is shown of a run's output, and when: everything is held while the run is short; then what stays is shown as it
//! comes; what is no text is passed on as it is; an output that is too large to hold, or that comes for too long, is
//! reduced to its ends and its failures. What was printed to one place is never shown at the other.
//!
//! The law: never more than the agent would have shown of the command's own output. While it is not known how that ends,
//! no more is shown than would be in any case.

use agents::{Agent, OutputKind};
use filters::{Answer, FilterSet, Shortened, Stream, fit};

use super::Done;
use super::lane::Lane;
use super::meter::{self, Meter};
use super::original::{Extent, Original};
use super::part::Part;
use super::ways::Ways;

/// An output up to this size, in bytes, is held and looked at as a whole.
const HELD: usize = 8 * 1024 * 1024;
/// An address as long as any, for which room is left before there is one.
const ADDRESS: &str = "plimsoll://task/t000000000000";

enum Mode {
    Holding,
    Going { lanes: [Lane; 2], address: String },
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
    /// How the agent's command line ends is another program's affair.
    pub(super) ends_elsewhere: bool,
    meter: Meter,
    ways: Ways,
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
        let (ways, meter) = (Ways::default(), Meter::for_agent(agent));
        let held = Vec::new();
        let ends_elsewhere = false;
        Self {
            set,
            argv,
            original,
            mode,
            held,
            held_bytes: 0,
            before: 0,
            after: 0,
            agent,
            ends_elsewhere,
            meter,
            ways,
        }
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
                    self.let_go(false);
                }
            }
            Mode::Going { lanes, .. } => {
                let now = lanes[part.at()].take(piece);
                if let Some(original) = self.original.as_mut() {
                    original.add(piece);
                }
                self.go(part, now);
            }
            Mode::Passing => self.print(part, piece),
        }
    }

    /// The run takes long, or even `very_long`: from now on it is shown as it goes.
    pub(super) fn go_on(&mut self, very_long: bool) {
        let waits = matches!(self.mode, Mode::Holding) && !self.held.is_empty();
        // What has a shape of its own is worth waiting for, but not for ever.
        if waits && (very_long || !self.has_native()) {
            self.let_go(true);
            return;
        }
        match &mut self.mode {
            Mode::Going { lanes, .. } => {
                let news = lanes.each_mut().map(Lane::news);
                for (part, text) in Part::BOTH.into_iter().zip(news) {
                    self.go(part, text.unwrap_or_default().as_bytes());
                }
            }
            Mode::Holding | Mode::Passing => {}
        }
    }

    /// Whether nobody reads at `part` any more.
    pub(super) fn is_closed(&mut self, part: Part) -> bool {
        self.ways.is_closed(part)
    }

    /// The end: shows the rest. What was shortened, if anything was, and why something could not be shown.
    pub(super) fn finish(mut self, code: i32) -> (Option<Done>, Option<std::io::Error>) {
        let done = match std::mem::replace(&mut self.mode, Mode::Passing) {
            Mode::Holding => self.finish_held(code),
            Mode::Going { lanes, address } => self.finish_lanes(lanes, address, code),
            Mode::Passing => None,
        };
        (done, self.ways.failure())
    }

    fn finish_held(&mut self, code: i32) -> Option<Done> {
        if !self.is_text(true) {
            self.pass_held();
            return None;
        }
        let command = shell::join_quoted(self.argv);
        let held = self.all_held();
        let text = String::from_utf8_lossy(&held);
        // What went to two places came in two orders; only what goes to one can be told as one.
        let one = self.held.iter().all(|(part, _)| *part == Part::Out);
        let most = self.room(&text, code);
        let shortened = if one {
            let done = Answer::of_command(self.set, &command, Some(code), &text, most, ADDRESS);
            done.map(|done| vec![(Part::Out, done.shortened)])
        } else {
            let (out, err) = (self.held_of(Part::Out), self.held_of(Part::Err));
            let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
            filters::shorten_parts(self.set, &command, Some(code), &out, &err)
                .and_then(|(out, err)| self.both_within(out, err, most))
                .map(|(out, err)| vec![(Part::Err, err), (Part::Out, out)])
        };
        let address = shortened.is_some().then(|| self.keep(&held)).flatten();
        let (Some(parts), Some(address)) = (shortened, address) else {
            self.pass_held();
            return None;
        };
        if self.original.take().and_then(|original| original.finish(code)) != Some(Extent::Whole) {
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

    /// How much of what a command printed the agent would show; all of it where there is none.
    fn room(&self, text: &str, code: i32) -> usize {
        let of =
            |agent: &dyn Agent, failed| agent.output_limits(OutputKind::Shell { failed }).visible_bytes(text);
        match self.agent {
            None => text.len(),
            Some(agent) if self.ends_elsewhere => of(agent, false).min(of(agent, true)),
            Some(agent) => of(agent, code != 0),
        }
    }

    /// Both outputs within what the agent would show of them together.
    fn both_within(
        &self,
        mut out: Shortened,
        mut err: Shortened,
        most: usize,
    ) -> Option<(Shortened, Shortened)> {
        let closing = |out: &Shortened| out.with_address(Some(ADDRESS)).len() - out.text.trim_end().len();
        if closing(&out) > most / 3 {
            out.left_out.clear();
        }
        let room = most.checked_sub(closing(&out))?;
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
        (out.with_address(Some(ADDRESS)).len() + err.text.len() <= most).then_some((out, err))
    }

    /// Whether the command's own filter can only look at the whole.
    fn has_native(&self) -> bool {
        Stream::new(self.set, self.argv).is_none() && self.set.answers_to(self.argv)
    }

    /// Ends the holding: each of the two outputs gets its own way of being shown.
    fn let_go(&mut self, waiting: bool) {
        let filtered = if self.is_text(false) {
            Part::BOTH.map(|part| Lane::filtered(self.set, self.argv, &self.held_of(part)))
        } else {
            [None, None]
        };
        let known = filtered.iter().any(Option::is_some);
        let own = Stream::new(self.set, self.argv).is_some();
        // Nobody but the command's own filter may leave something out where the one for any command is off; and one whose
        // filter does not know what it prints is waited for by somebody who wants a sign of life.
        let reduce = self.is_text(false) && !self.set.is_off(filters::GENERIC) && !(waiting && own);
        if !known && !reduce {
            self.pass_held();
            return;
        }
        let held = self.all_held();
        let Some(address) = self.keep(&held) else {
            self.pass_held();
            return;
        };
        let held = std::mem::take(&mut self.held);
        let mut lanes = [Lane::Passing, Lane::Passing];
        let mut begun = [false; 2];
        for (part, lane) in Part::BOTH.into_iter().zip(filtered) {
            match lane {
                Some((lane, text)) => {
                    self.go(part, &text);
                    lanes[part.at()] = lane;
                    begun[part.at()] = true;
                }
                None if reduce && !known => {
                    lanes[part.at()] = Lane::reduced(self.meter.most());
                }
                None => {}
            }
        }
        for (part, bytes) in held {
            if !begun[part.at()] {
                let now = lanes[part.at()].take(&bytes);
                self.go(part, now);
            }
        }
        self.mode = Mode::Going { lanes, address };
    }

    fn finish_lanes(&mut self, mut lanes: [Lane; 2], address: String, code: i32) -> Option<Done> {
        for part in Part::BOTH {
            if let Some(rest) = lanes[part.at()].rest() {
                self.go(part, &rest);
            }
        }
        let [out, err] = lanes.map(Lane::finish);
        let kept = self.original.take().and_then(|original| original.finish(code));
        let last = if out.is_some() { Part::Out } else { Part::Err };
        let of = |agent: &dyn Agent, failed| {
            agent.output_limits(OutputKind::Shell { failed }).visible_bytes_of(self.before)
        };
        let most = self.agent.map(|agent| {
            if self.ends_elsewhere { of(agent, false).min(of(agent, true)) } else { of(agent, code != 0) }
        });
        let mut filter = None;
        let mut parts = [(Part::Err, err), (Part::Out, out)];
        // The last part has the closing line, whichever it is.
        parts.sort_by_key(|(part, _)| *part == last);
        for (part, shortened) in parts {
            let held = self.meter.rest(part);
            let left_to_say = shortened.is_some();
            let mut shortened = shortened.unwrap_or_default();
            shortened.text.insert_str(0, &held);
            if left_to_say {
                filter = Some(shortened.filter.clone());
            }
            let whole = Some(address.as_str()).filter(|_| part == last && kept == Some(Extent::Whole));
            let mut beginning = String::new();
            if let (true, Some(Extent::Beginning(bytes))) = (part == last, kept) {
                beginning = format!("[only the first {} are kept: {address}]\n", crate::output::size(bytes));
            }
            let room = most.map(|most| most.saturating_sub(self.after) as usize);
            let text = match (room, left_to_say || !held.is_empty()) {
                (_, false) => continue,
                (None, _) if left_to_say => shortened.with_address(whole),
                (None, _) => shortened.text,
                (Some(room), _) => meter::within(shortened, whole, room.saturating_sub(beginning.len())),
            };
            self.print(part, (text + &beginning).as_bytes());
        }
        let address = kept.is_some().then_some(address);
        Some(Done { filter: filter?, before: self.before, after: self.after, address })
    }

    /// Whether what is held is text, which can be shortened: no NUL and no foreign bytes. Before the `end`, a letter may
    /// have begun.
    fn is_text(&self, end: bool) -> bool {
        let text = |part: Part| {
            let bytes = self.held_of(part);
            let whole = match std::str::from_utf8(&bytes) {
                Ok(_) => true,
                Err(error) => !end && error.error_len().is_none(),
            };
            whole && !bytes.contains(&0)
        };
        Part::BOTH.into_iter().all(text)
    }

    fn held_of(&self, wanted: Part) -> Vec<u8> {
        let of = self.held.iter().filter(|(part, _)| *part == wanted);
        of.flat_map(|(_, bytes)| bytes.iter().copied()).collect()
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

    fn pass_held(&mut self) {
        self.mode = Mode::Passing;
        // One that has begun to be kept is not wanted any more.
        if let Some(original) = self.original.take() {
            original.discard();
        }
        for (part, bytes) in std::mem::take(&mut self.held) {
            self.print(part, &bytes);
        }
    }

    /// Shows a piece while it is not known how the run ends: as much as would be shown in any case.
    fn go(&mut self, part: Part, bytes: &[u8]) {
        let now = self.meter.take(part, bytes);
        self.print(part, &bytes[..now]);
    }

    fn print(&mut self, part: Part, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.after += bytes.len() as u64;
            self.ways.print(part, bytes);
        }
    }
}

#[cfg(test)]
mod tests;
