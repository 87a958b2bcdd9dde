//! Limits what is shown of a run before its end is known, because an agent that shows 30 KB in full shows 2 KB of 31.
//! Owns the count and the text held back until the end.

use agents::{Agent, OutputKind};
use filters::{Shortened, fit};

use super::output_stream::OutputStream;

/// When the text held back for a stream exceeds four times this size in bytes, it is cut to this size.
const HELD_BYTES: usize = 1024 * 1024;

/// What has been shown, and what is held back.
#[derive(Debug)]
pub(super) struct DisplayBudget {
    /// The least that the agent shows of a long output; no limit for a terminal.
    limit: Option<usize>,
    left: usize,
    held: [Vec<u8>; 2],
    /// Whether a stream is being held back; it then stays so, to keep its order.
    is_held: [bool; 2],
}

impl DisplayBudget {
    pub(super) fn for_agent(agent: Option<&dyn Agent>) -> Self {
        let limit = agent.map(|agent| {
            let of = |failed| agent.output_limits(OutputKind::Shell { failed }).visible_bytes_of(u64::MAX);
            usize::try_from(of(false).min(of(true))).unwrap_or(usize::MAX)
        });
        // Two thirds are reserved for the end, which contains the result.
        let left = limit.map_or(usize::MAX, |limit| limit / 3);
        Self { limit, left, held: Default::default(), is_held: [false; 2] }
    }

    /// The least that the agent shows in any case.
    pub(super) fn limit(&self) -> Option<usize> {
        self.limit
    }

    /// Takes a piece and returns how many of its bytes to show now. Holds the rest back.
    pub(super) fn take(&mut self, stream: OutputStream, piece: &[u8]) -> usize {
        let at = stream.index();
        let now = if self.is_held[at] {
            0
        } else if piece.len() <= self.left {
            piece.len()
        } else {
            self.is_held[at] = true;
            let room = &piece[..self.left];
            room.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
        };
        if self.limit.is_some() {
            self.left -= now;
        }
        self.held[at].extend_from_slice(&piece[now..]);
        if self.held[at].len() > 4 * HELD_BYTES {
            self.held[at] = (fit(&String::from_utf8_lossy(&self.held[at]), false, HELD_BYTES) + "\n").into();
        }
        now
    }

    /// How many bytes are held back.
    pub(super) fn held_bytes(&self) -> usize {
        self.held.iter().map(Vec::len).sum()
    }

    /// Takes the text held back for a stream.
    pub(super) fn take_held(&mut self, stream: OutputStream) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.held[stream.index()])).into_owned()
    }
}

/// The rest of an output with its closing line in at most `room` bytes; if not even that line fits, the end of both.
pub(super) fn fit_with_address(mut rest: Shortened, address: Option<&str>, room: usize) -> String {
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
            let mut display_budget = DisplayBudget::for_agent(agents::by_id(id));
            let mut shown = 0;
            for n in 0..20_000 {
                shown += display_budget
                    .take(if n % 3 == 0 { OutputStream::Err } else { OutputStream::Out }, b"one more line\n");
            }
            let limit = display_budget.limit().unwrap();
            assert!(shown <= limit / 2, "{id}: {shown} of {limit}");
            let text = display_budget.take_held(OutputStream::Out);
            assert!(
                text.len() + display_budget.take_held(OutputStream::Err).len() + shown == 20_000 * 14,
                "{id}: nothing is lost"
            );
            let rest = fit_with_address(
                Shortened { text, ..Shortened::default() },
                Some("plimsoll://task/t1"),
                limit - shown,
            );
            assert!(rest.len() + shown <= limit && rest.contains("plimsoll://task/t1"), "{id}: {rest}");
        }
        let mut display_budget = DisplayBudget::for_agent(None);
        assert_eq!(
            (0..9_999).map(|_| display_budget.take(OutputStream::Out, b"to a person\n")).sum::<usize>(),
            9_999 * 12
        );
    }
}
