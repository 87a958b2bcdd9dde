//! Replies within what the asker's host shows whole. What is longer a host cuts at places of its own, or puts into a file of
//! which the model sees the beginning; so it is cut here, where the address of the whole can be said.

use agents::{OutputKind, OutputLimits};
use contract::Reply;
use sandbox::task::KeptOutput;

use crate::{Call, Service, output};

/// How much of a reply that is cut is its beginning, in percent: what answers comes first.
const HEAD: u8 = 80;

impl Service {
    /// The reply, cut where this host would not show all of it. The whole is kept first; of one that cannot be kept nothing
    /// else is left out than the host would leave out.
    pub(crate) fn within_view(&self, call: &Call, tool: &str, mut reply: Reply) -> Reply {
        let Some(agent) = call.agent else { return reply };
        let limits = agent.output_limits(OutputKind::Tool);
        if limits.shows_all(&reply.text) {
            return reply;
        }
        let size = output::size(reply.text.len() as u64);
        let Some(address) = self.kept_reply(call, tool, &reply.text) else { return reply };
        let note = format!("\n({size} in all: plimsoll://task/{address})");
        reply.text = fitted(&reply.text, &limits, note.len()) + &note;
        reply
    }

    fn kept_reply(&self, call: &Call, tool: &str, text: &str) -> Option<String> {
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
        self.stored(text.len() as u64);
        Some(id)
    }
}

/// As much of `text` as is shown whole beside a note of `taken` bytes in a line of its own.
fn fitted(text: &str, limits: &OutputLimits, taken: usize) -> String {
    let room = limits.full_bytes().saturating_sub(taken);
    let lines = limits.max_lines.saturating_sub(2);
    let mut left = text::cut_middle(text, room, HEAD).into_owned();
    // Short lines: there may be too many of them although they are few bytes.
    while left.lines().count() > lines {
        let fewer = left.len() / 2;
        left = text::cut_middle(text, fewer, HEAD).into_owned();
    }
    left
}

#[cfg(test)]
mod tests {
    use home::{Clock, Env};

    use super::*;

    #[test]
    fn no_reply_is_longer_than_its_host_shows_whole() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(0)).unwrap();
        let lines = |count: usize| (0..count).map(|n| format!("{n} found here\n")).collect::<String>();
        for agent in agents::all() {
            let call = Call { agent: Some(*agent), ..Call::of_person() };
            let limits = agent.output_limits(OutputKind::Tool);
            for text in [lines(10), lines(900), lines(9_000), "\n".repeat(9_000), "漢字".repeat(40_000)] {
                let reply = service.within_view(&call, "search", Reply::plain(text.clone()));
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
    fn a_person_is_shown_all() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(0)).unwrap();
        let text = "found\n".repeat(50_000);
        let reply = service.within_view(&Call::of_person(), "search", Reply::plain(text.clone()));
        assert_eq!(reply.text, text);
    }
}
