//! What is shown of a run's output, and when: everything is held while the run is short; then what stays is shown as it
//! comes; what is no text is passed on as it is; an output that is too large to hold, or that comes for too long, is
//! reduced to its ends and its failures. What was printed to one place is never shown at the other.

use agents::Agent;
use filters::{FilterSet, Shortened, Stream};

use super::Done;
use super::lane::Lane;
use super::original::{Extent, Original};
use super::ways::Ways;

/// An output up to this size, in bytes, is held and looked at as a whole.
const HELD: usize = 8 * 1024 * 1024;
/// Room for the line that says what was left out and where the whole is, in bytes.
const CLOSING: usize = 400;

/// Where a piece belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Out,
    Err,
}

impl Part {
    pub(super) const BOTH: [Part; 2] = [Part::Out, Part::Err];

    pub(super) fn at(self) -> usize {
        usize::from(self == Part::Err)
    }
}

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
        let ways = Ways::default();
        Self { set, argv, original, mode, held: Vec::new(), held_bytes: 0, before: 0, after: 0, agent, ways }
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
                self.print(part, now);
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
                    self.print(part, text.unwrap_or_default().as_bytes());
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
        let command = filters::command::quoted(self.argv);
        let held = self.all_held();
        let text = String::from_utf8_lossy(&held);
        // What went to two places came in two orders; only what goes to one can be told as one.
        let one = self.held.iter().all(|(part, _)| *part == Part::Out);
        let shortened = if one {
            let done = filters::shorten(self.set, &command, Some(code), &text);
            self.bounded(done, &text, code).map(|done| vec![(Part::Out, done)])
        } else {
            let (out, err) = (self.held_of(Part::Out), self.held_of(Part::Err));
            let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
            filters::shorten_parts(self.set, &command, Some(code), &out, &err)
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
                    self.print(part, &text);
                    lanes[part.at()] = lane;
                    begun[part.at()] = true;
                }
                None if reduce && !known => {
                    let most = self.agent.and_then(|agent| agent.whole_up_to(true));
                    lanes[part.at()] = Lane::reduced(most);
                }
                None => {}
            }
        }
        for (part, bytes) in held {
            if !begun[part.at()] {
                let now = lanes[part.at()].take(&bytes);
                self.print(part, now);
            }
        }
        self.mode = Mode::Going { lanes, address };
    }

    fn finish_lanes(&mut self, mut lanes: [Lane; 2], address: String, code: i32) -> Option<Done> {
        for part in Part::BOTH {
            if let Some(rest) = lanes[part.at()].rest() {
                self.print(part, &rest);
            }
        }
        let [out, err] = lanes.map(Lane::finish);
        let kept = self.original.take().and_then(|original| original.finish(code));
        let last = if out.is_some() { Part::Out } else { Part::Err };
        let mut filter = None;
        for (part, shortened) in [(Part::Err, err), (Part::Out, out)] {
            let Some(mut shortened) = shortened else { continue };
            let whole = Some(address.as_str()).filter(|_| part == last && kept == Some(Extent::Whole));
            if let (true, Some(Extent::Beginning(bytes))) = (part == last, kept) {
                let beginning =
                    format!("\n[only the first {} are kept: {address}]", crate::output::size(bytes));
                shortened.text.truncate(shortened.text.trim_end().len());
                shortened.text.push_str(&beginning);
            }
            self.print(part, shortened.with_address(whole).as_bytes());
            filter = Some(shortened.filter);
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

    fn print(&mut self, part: Part, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.after += bytes.len() as u64;
            self.ways.print(part, bytes);
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
        shown.let_go(false);
        assert!(matches!(shown.mode, Mode::Passing));
    }
}
