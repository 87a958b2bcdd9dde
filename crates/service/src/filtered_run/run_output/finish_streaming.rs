//! The end of a run that was shown as it went: the rest that its filters left, or the rest as it was printed where that is hardly
//! longer. Owns the choice; what was shown before is `RunOutput`'s.

use agents::{Agent, OutputKind};
use filters::Shortened;

use super::RunOutput;
use crate::filtered_run::RunSummary;
use crate::filtered_run::display_budget;
use crate::filtered_run::full_output::Extent;
use crate::filtered_run::lane::Lane;
use crate::filtered_run::output_stream::OutputStream;

impl RunOutput<'_> {
    /// Shows the rest of a run that was shown as it went. Returns what was shortened, if anything.
    pub(super) fn finish_streaming(
        &mut self,
        mut lanes: [Lane<'_>; 2],
        address: String,
        code: i32,
    ) -> Option<RunSummary> {
        for stream in OutputStream::BOTH {
            if let Some(tail) = lanes[stream.index()].unshortened_tail() {
                self.show_early(stream, &tail);
            }
        }
        let [out, err] = lanes.map(Lane::finish);
        let last = if out.is_some() { OutputStream::Out } else { OutputStream::Err };
        let of = |agent: &dyn Agent, failed| {
            agent.output_limits(OutputKind::Shell { failed }).visible_bytes_of(self.before)
        };
        let limit = self.agent.map(|agent| {
            if self.exit_code_unknown { of(agent, false).min(of(agent, true)) } else { of(agent, code != 0) }
        });
        let bytes_of = |part: Option<&Shortened>, stream: OutputStream| {
            let address = Some(address.as_str()).filter(|_| stream == last);
            part.map_or(0, |part| part.with_address(address).len())
        };
        let shortened = bytes_of(out.as_ref(), OutputStream::Out) + bytes_of(err.as_ref(), OutputStream::Err);
        // Where the agent would show everything and hardly anything is gone, nothing is.
        if shortened > 0
            && limit.is_none_or(|limit| self.before <= limit)
            && let Some(rest) = self.unshortened.rest(shortened + self.display_budget.held_bytes())
        {
            if let Some(full_output) = self.full_output.take() {
                full_output.discard();
            }
            for stream in [OutputStream::Err, OutputStream::Out] {
                self.print(stream, &rest[stream.index()]);
            }
            return None;
        }
        let kept = self.full_output.take().and_then(|full_output| full_output.finish(code));
        let mut filter = None;
        let mut parts = [(OutputStream::Err, err), (OutputStream::Out, out)];
        // The last part carries the closing line, whichever stream it is.
        parts.sort_by_key(|(stream, _)| *stream == last);
        for (stream, shortened) in parts {
            let held = self.display_budget.take_held(stream);
            let was_shortened = shortened.is_some();
            let mut shortened = shortened.unwrap_or_default();
            shortened.text.insert_str(0, &held);
            if was_shortened {
                filter = Some(shortened.filter.clone());
            }
            let whole = Some(address.as_str()).filter(|_| stream == last && kept == Some(Extent::Whole));
            let mut beginning = String::new();
            if let (true, Some(Extent::Beginning(bytes))) = (stream == last, kept) {
                beginning =
                    format!("[only the first {} are kept: {address}]\n", contract::Amount::bytes(bytes));
            }
            let room = limit.map(|limit| limit.saturating_sub(self.after) as usize);
            let text = match (room, was_shortened || !held.is_empty()) {
                (_, false) => continue,
                (None, _) if was_shortened => shortened.with_address(whole),
                (None, _) => shortened.text,
                (Some(room), _) => {
                    display_budget::fit_with_address(shortened, whole, room.saturating_sub(beginning.len()))
                }
            };
            self.print(stream, (text + &beginning).as_bytes());
        }
        let address = kept.is_some().then_some(address);
        Some(RunSummary { filter: filter?, before: self.before, after: self.after, address })
    }
}
