//! The floor: how far a session's bytes can fall at most, from the run without Plimsoll alone. The agent's own prompts,
//! tools and calls can't be changed, and a file that is read stays whole; that leaves the outputs that may be
//! shortened.
//!
//! Two figures: as if those outputs had cost nothing, which no method can reach; and as if each had been a short text
//! with all its facts, or what the agent itself shows if that is shorter. An output without written facts counts as
//! nothing in the first and as it is in the second.

use super::drive::Run;
use super::script::{Call, Script, StepKind};

/// The parts of a session's bytes without Plimsoll, all requests together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Floor {
    /// Everything.
    pub(super) all: usize,
    /// All outputs, as the agent shows them.
    pub(super) outputs: usize,
    /// The files among them that are read for the first time.
    pub(super) whole: usize,
    /// The size of the other outputs as short texts with their facts.
    pub(super) facts: usize,
}

impl Floor {
    pub(super) fn of(run: &Run, script: &Script, calls: usize) -> Self {
        let whole: Vec<bool> = (0..script.calls.len()).map(|at| stays_whole(&script.calls, at)).collect();
        let least: Vec<Option<usize>> = script.calls.iter().map(|call| call.least).collect();
        let mut floor = Self { all: run.sum_after(calls).bytes, ..Self::default() };
        for carried in run.carried.iter().take(calls + 1) {
            floor.add(carried, &whole, &least);
        }
        floor
    }

    /// One request, with the sizes of the outputs in it, oldest first.
    fn add(&mut self, carried: &[usize], whole: &[bool], least: &[Option<usize>]) {
        for (at, shown) in carried.iter().enumerate() {
            self.outputs += shown;
            if whole.get(at).copied().unwrap_or(true) {
                self.whole += shown;
            } else {
                self.facts += least.get(at).copied().flatten().unwrap_or(*shown).min(*shown);
            }
        }
    }

    /// Prompts, tools and calls of the agent itself.
    pub(super) fn agents_own(&self) -> usize {
        self.all.saturating_sub(self.outputs)
    }

    /// The rest if every output that may be shortened cost nothing.
    pub(super) fn least_possible(&self) -> usize {
        self.agents_own() + self.whole
    }

    /// The rest if each of them consisted of its facts only.
    pub(super) fn with_facts(&self) -> usize {
        self.least_possible() + self.facts
    }
}

/// Whether the law forbids shortening this output: a file that is read for the first time.
fn stays_whole(calls: &[Call], at: usize) -> bool {
    let Some(call) = calls.get(at) else { return true };
    match &call.what {
        StepKind::Read(path) => {
            !calls[..at].iter().any(|other| matches!(&other.what, StepKind::Read(before) if before == path))
        }
        StepKind::Shell { command, prints: None } => {
            let program = command.split_whitespace().next().unwrap_or_default();
            let prints = program == "sed" && command.contains(" -n ");
            prints || matches!(program, "cat" | "head" | "tail")
        }
        StepKind::Shell { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Floor, stays_whole};
    use crate::session::script::{Call, StepKind};

    fn call(what: StepKind) -> Call {
        Call { name: String::new(), what, facts: Vec::new(), files: Vec::new(), least: None }
    }

    #[test]
    fn a_file_stays_whole_once_and_what_a_command_makes_does_not() {
        let read = |path: &str| call(StepKind::Read(path.into()));
        let ran = |command: &str, prints| call(StepKind::Shell { command: command.into(), prints });
        let calls = [
            read("a.ts"),
            read("b.ts"),
            read("a.ts"),
            ran("sed -n '1,90p' c.ts", None),
            ran("sed -i s/a/b/ c.ts", None),
            ran("ls -la", None),
            ran("cat log", Some((Vec::new(), 0))),
        ];
        let whole: Vec<bool> = (0..calls.len()).map(|at| stays_whole(&calls, at)).collect();
        assert_eq!(whole, [true, true, false, true, false, false, false]);
    }

    #[test]
    fn the_parts_are_the_whole_and_no_output_grows() {
        let mut floor = Floor { all: 10_000, ..Floor::default() };
        let (whole, least) = ([true, false, false], [None, Some(300), Some(5_000)]);
        for carried in [&[][..], &[1_000], &[1_000, 900], &[1_000, 900, 700]] {
            floor.add(carried, &whole, &least);
        }
        // No text with the facts is made if it's longer than what the agent shows.
        assert_eq!(floor, Floor { all: 10_000, outputs: 5_500, whole: 3_000, facts: 2 * 300 + 700 });
        assert_eq!((floor.agents_own(), floor.least_possible(), floor.with_facts()), (4_500, 7_500, 8_800));
    }

    #[test]
    fn an_output_without_a_plimsoll_call_is_the_agents_own() {
        let mut floor = Floor { all: 100, ..Floor::default() };
        floor.add(&[40, 20], &[false], &[None]);
        assert_eq!((floor.whole, floor.facts, floor.with_facts()), (20, 40, 100));
    }
}
