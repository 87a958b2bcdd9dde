//! How much may be shown of a run before it is known how it ends: an agent that shows 30 KB whole shows 2 KB of 31. Owns
//! counting it, and holding the rest until the end.

use agents::{Agent, OutputKind};
use filters::{Shortened, fit};

use super::part::Part;

/// What is held of a part is cut down to this size when it has grown to four times as much, in bytes.
const KEPT: usize = 1024 * 1024;

/// What has been shown, and what waits.
#[derive(Debug)]
pub(super) struct Meter {
    /// The least that the agent would show of a long output; none for a person.
    most: Option<usize>,
    left: usize,
    held: [Vec<u8>; 2],
    /// Nothing more is shown of this part, so that it stays in order.
    waits: [bool; 2],
}

impl Meter {
    pub(super) fn for_agent(agent: Option<&dyn Agent>) -> Self {
        let most = agent.map(|agent| {
            let of = |failed| agent.output_limits(OutputKind::Shell { failed }).visible_bytes_of(u64::MAX);
            usize::try_from(of(false).min(of(true))).unwrap_or(usize::MAX)
        });
        // A good part of it is for the end, which says what came out.
        let left = most.map_or(usize::MAX, |most| most / 3);
        Self { most, left, held: Default::default(), waits: [false; 2] }
    }

    /// The least that would be shown in any case.
    pub(super) fn most(&self) -> Option<usize> {
        self.most
    }

    /// Takes a piece; how many bytes of it are to be shown now. The rest is held.
    pub(super) fn take(&mut self, part: Part, piece: &[u8]) -> usize {
        let at = part.at();
        let now = if self.waits[at] {
            0
        } else if piece.len() <= self.left {
            piece.len()
        } else {
            self.waits[at] = true;
            let room = &piece[..self.left];
            room.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
        };
        if self.most.is_some() {
            self.left -= now;
        }
        self.held[at].extend_from_slice(&piece[now..]);
        if self.held[at].len() > 4 * KEPT {
            self.held[at] = (fit(&String::from_utf8_lossy(&self.held[at]), false, KEPT) + "\n").into();
        }
        now
    }

    /// What is held of a part.
    pub(super) fn rest(&mut self, part: Part) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.held[part.at()])).into_owned()
    }
}

/// The rest of an output with its closing line in at most `room` bytes; where not even that line fits, what does of it.
pub(super) fn within(mut rest: Shortened, address: Option<&str>, room: usize) -> String {
    let whole = rest.with_address(address);
    if whole.len() <= room {
        return whole;
    }
    let closing =
        |rest: &Shortened| rest.with_address(address).len() - rest.text.trim_end_matches('\n').len();
    if closing(&rest) > room / 3 {
        rest.left_out.clear();
    }
    rest.text = fit(&rest.text, false, room.saturating_sub(closing(&rest)));
    let whole = rest.with_address(address);
    if whole.len() <= room {
        whole
    } else {
        whole[whole.floor_char_boundary(whole.len() - room)..].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_before_the_end_leaves_room_for_it() {
        for id in ["claude-code", "codex", "gemini-cli", "opencode", "copilot-cli"] {
            let mut meter = Meter::for_agent(agents::by_id(id));
            let mut shown = 0;
            for n in 0..20_000 {
                shown += meter.take(if n % 3 == 0 { Part::Err } else { Part::Out }, b"one more line\n");
            }
            let most = meter.most().unwrap();
            assert!(shown <= most / 2, "{id}: {shown} of {most}");
            let text = meter.rest(Part::Out);
            assert!(text.len() + meter.rest(Part::Err).len() + shown == 20_000 * 14, "{id}: nothing is lost");
            let rest =
                within(Shortened { text, ..Shortened::default() }, Some("plimsoll://task/t1"), most - shown);
            assert!(rest.len() + shown <= most && rest.contains("plimsoll://task/t1"), "{id}: {rest}");
        }
        let mut meter = Meter::for_agent(None);
        assert_eq!((0..9_999).map(|_| meter.take(Part::Out, b"to a person\n")).sum::<usize>(), 9_999 * 12);
    }
}
