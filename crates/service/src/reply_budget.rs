//! Fits replies into what the caller's host shows in full. A longer reply would be cut by the host at arbitrary
//! places, or replaced by a file with a preview; so it is cut here, where the full text's address can be added.

use agents::{OutputKind, OutputLimits};
use contract::{Amount, Reply};
use sandbox::task::KeptOutput;

use crate::{Call, Service};

/// How much of a cut reply is its beginning, in percent: the answer comes first.
const HEAD_PERCENT: u8 = 80;

impl Service {
    /// Cuts the reply if this host wouldn't show it in full, and keeps the full text. If that can't be kept, the reply
    /// stays as it is and the host cuts it.
    pub(crate) fn fit_to_host(&self, call: &Call, tool: &str, mut reply: Reply) -> Reply {
        let Some(agent) = call.agent else { return reply };
        let limits = agent.output_limits(OutputKind::Tool);
        if limits.shows_all(&reply.text) {
            return reply;
        }
        let size = Amount::bytes(reply.text.len() as u64);
        let Some(address) = self.keep_reply(call, tool, &reply.text) else { return reply };
        let note = format!("\n({size} in all: plimsoll://task/{address})");
        reply.text = cut_to_limits(&reply.text, &limits, note.len()) + &note;
        reply
    }

    fn keep_reply(&self, call: &Call, tool: &str, text: &str) -> Option<String> {
        self.home().ensure().ok()?;
        let (label, cwd, clean) = (format!("reply of {tool}"), self.work_dir(), text::redact(text));
        let kept = KeptOutput {
            label: &label,
            cwd: &cwd,
            session: Some(&call.session),
            exit: None,
            text: clean.as_bytes(),
            now_ms: self.now_ms(),
        };
        let id = self.tasks().keep(&kept).map_err(|error| log::warn!("{error}")).ok()?;
        self.record_stored(text.len() as u64);
        Some(id)
    }
}

/// As much of `text` as is shown in full beside a note of `taken` bytes on its own line.
fn cut_to_limits(text: &str, limits: &OutputLimits, taken: usize) -> String {
    let room = limits.full_bytes().saturating_sub(taken);
    let lines = limits.max_lines.saturating_sub(2);
    let mut left = text::cut_middle(text, room, HEAD_PERCENT).into_owned();
    // Many short lines can exceed the line limit within the byte limit.
    while left.lines().count() > lines {
        let fewer = left.len() / 2;
        left = text::cut_middle(text, fewer, HEAD_PERCENT).into_owned();
    }
    left
}

#[cfg(test)]
mod tests {
    use home::{Clock, Env};

    use super::*;

    #[test]
    fn no_reply_is_longer_than_its_host_shows_all() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(0)).unwrap();
        let lines = |count: usize| (0..count).map(|n| format!("{n} found here\n")).collect::<String>();
        for agent in agents::all() {
            let call = Call { agent: Some(*agent), ..Call::from_user() };
            let limits = agent.output_limits(OutputKind::Tool);
            for text in [lines(10), lines(900), lines(9_000), "\n".repeat(9_000), "漢字".repeat(40_000)] {
                let reply = service.fit_to_host(&call, "search", Reply::plain(text.clone()));
                assert!(limits.shows_all(&reply.text), "{}: {}", agent.id(), reply.text.len());
                if limits.shows_all(&text) {
                    assert_eq!(reply.text, text, "{}", agent.id());
                    continue;
                }
                let address = reply.text.rsplit("plimsoll://task/").next().unwrap().trim_end_matches(')');
                let whole = service.tasks().output(address, None).unwrap();
                assert_eq!(std::fs::read_to_string(whole.path).unwrap(), text, "{}", agent.id());
            }
        }
    }

    #[test]
    fn a_user_sees_everything() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(0)).unwrap();
        let text = "found\n".repeat(50_000);
        let reply = service.fit_to_host(&Call::from_user(), "search", Reply::plain(text.clone()));
        assert_eq!(reply.text, text);
    }
}
