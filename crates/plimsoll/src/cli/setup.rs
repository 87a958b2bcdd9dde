//! `setup`: the wizard of the desktop, in the terminal. It asks the same and shows the same; nothing is
//! written before the person has seen the diff and said yes.

use ::agents::{Parts, Scope};
use contract::{AgentReport, AgentState, AppliedReport, FileState};
use service::wiring::{self, Computer, Request};

use super::args::Setup;
use super::screen::{Ended, Exit, Stop, Tone};
use super::{Desk, agents, plan};

/// What the person pastes into an agent to see it work.
const TEST_PHRASE: &str = "Use plimsoll's execute tool to run a shell command that prints the numbers 1 to 20000, \
                           and tell me the last one.";

/// `plimsoll setup`
pub(super) fn setup(desk: &Desk, mut args: Setup) -> Ended {
    args.agents = wiring::ids(&args.agents)?;
    welcome(desk)?;
    let computer = desk.computer();
    let reports = survey(desk, &computer);
    heading(desk, "Your agents")?;
    agents::list(desk, &reports)?;
    desk.screen.line("")?;
    let asks = desk.screen.can_ask() && !args.yes && !args.dry_run;
    let mut choice = Choice::first(&reports, &args.agents);
    for report in reports.iter().filter(|report| choice.left_out(report, &args.agents)) {
        desk.screen.line(format!(
            "{}: you removed Plimsoll's entries yourself, so they stay out. `plimsoll connect {}` brings them back.",
            report.name, report.id
        ))?;
    }
    if let Some(id) = args.agents.iter().find(|id| !choice.ids.contains(*id)) {
        return Err(Stop::Said(
            Exit::Nothing,
            format!(
                "{id} was not found on this computer; `plimsoll connect --print {id}` shows what to enter by hand"
            ),
        ));
    }
    if asks {
        choice.ask(desk, &reports)?;
    }
    if choice.ids.is_empty() {
        desk.screen.line("No agent is chosen, so there is nothing to do.")?;
        return Ok(Exit::Nothing);
    }
    review(desk, &computer, choice, &args, asks)
}

fn welcome(desk: &Desk) -> Result<(), Stop> {
    let screen = &desk.screen;
    heading(desk, "Plimsoll keeps noise out of your agents' context windows.")?;
    screen.line(format!(
        "It will touch the configuration files of the agents you choose, and {}. Nothing else,",
        desk.shown(desk.service.home().root())
    ))?;
    screen.line("and nothing before you have seen the exact edits. Nothing leaves this computer.")?;
    screen.line("")
}

fn heading(desk: &Desk, text: &str) -> Result<(), Stop> {
    desk.screen.line(desk.screen.tone(Tone::Strong, text))
}

fn survey(desk: &Desk, computer: &Computer) -> Vec<AgentReport> {
    let _looking = desk.screen.progress("Looking for agents …");
    wiring::survey(&desk.service, computer).into_iter().map(|surveyed| surveyed.report).collect()
}

/// What is to be connected.
struct Choice {
    ids: Vec<String>,
    parts: Parts,
}

impl Choice {
    /// Every agent that was found, or those that were named; without the ones whose entries the person took
    /// out by hand.
    fn first(reports: &[AgentReport], named: &[String]) -> Self {
        let wanted = |report: &&AgentReport| {
            report.state != AgentState::NotInstalled
                && if named.is_empty() { !removed_by_hand(report) } else { named.contains(&report.id) }
        };
        let ids = reports.iter().filter(wanted).map(|report| report.id.clone()).collect();
        Self { ids, parts: Parts::default() }
    }

    fn left_out(&self, report: &AgentReport, named: &[String]) -> bool {
        named.is_empty() && removed_by_hand(report) && !self.ids.contains(&report.id)
    }

    /// Lets the person switch agents and options until Enter is pressed.
    fn ask(&mut self, desk: &Desk, reports: &[AgentReport]) -> Result<(), Stop> {
        let screen = &desk.screen;
        let found: Vec<&AgentReport> =
            reports.iter().filter(|report| report.state != AgentState::NotInstalled).collect();
        loop {
            heading(desk, "Choices")?;
            let mark = |on: bool| if on { "[x]" } else { "[ ]" };
            for (number, report) in found.iter().enumerate() {
                screen.line(format!(
                    "  {} {} {}",
                    number + 1,
                    mark(self.ids.contains(&report.id)),
                    report.name
                ))?;
            }
            screen.line(format!(
                "  f {} automatic filtering and session notes (hooks)",
                mark(self.parts.hooks)
            ))?;
            screen.line(format!(
                "  i {} a few lines in each agent's instruction file",
                mark(self.parts.instructions)
            ))?;
            screen.line(format!(
                "  c {} credentials (GH_TOKEN, AWS, npm, Google, Docker) for what Plimsoll runs in Codex and Gemini CLI",
                mark(self.parts.credentials == Some(true))
            ))?;
            let answer = screen.ask("Numbers and letters switch, Enter goes on, q leaves: ")?;
            let Some(answer) = answer.filter(|answer| answer != "q") else {
                self.ids.clear();
                return Ok(());
            };
            if answer.is_empty() {
                return Ok(());
            }
            for word in answer.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
            {
                match word {
                    "f" => self.parts.hooks = !self.parts.hooks,
                    "i" => self.parts.instructions = !self.parts.instructions,
                    "c" => self.parts.credentials = Some(self.parts.credentials != Some(true)),
                    number => match number.parse::<usize>().ok().and_then(|n| found.get(n.wrapping_sub(1))) {
                        Some(report) => self.switch(&report.id),
                        None => screen.line(format!("There is no {number} to switch."))?,
                    },
                }
            }
        }
    }

    fn switch(&mut self, id: &str) {
        match self.ids.iter().position(|known| known == id) {
            Some(at) => {
                self.ids.remove(at);
            }
            None => self.ids.push(id.to_owned()),
        }
    }
}

fn removed_by_hand(report: &AgentReport) -> bool {
    report.state == AgentState::NotConnected
        && report.files.iter().any(|file| file.state == FileState::Removed)
}

fn review(desk: &Desk, computer: &Computer, choice: Choice, args: &Setup, asks: bool) -> Ended {
    let screen = &desk.screen;
    let ids = choice.ids.clone();
    let request = Request { agents: choice.ids, scope: Scope::User, parts: choice.parts };
    let planned = wiring::plan_connect(&desk.service, computer, &request)?;
    heading(desk, "Review")?;
    plan::show(desk, &planned.report())?;
    if args.dry_run {
        screen.line("Nothing was written (--dry-run).")?;
        return Ok(Exit::Done);
    }
    let nothing = planned.is_empty() && !planned.has_refusals();
    if !args.yes && !nothing {
        if !asks {
            screen.line("")?;
            screen.line("Nothing was written, because nobody could be asked. To go on:")?;
            screen.line("  plimsoll setup --yes                        connect all of the above")?;
            screen.line("  plimsoll setup --yes --agents claude-code   connect only some")?;
            return Ok(Exit::NeedsYou);
        }
        if !screen.confirm("Apply?", true)? {
            screen.line("Nothing was written.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    screen.line("")?;
    heading(desk, "Apply and verify")?;
    let applied = plan::apply(desk, &planned, false)?;
    let good: Vec<String> = ids
        .into_iter()
        .filter(|id| applied.iter().any(|report| report.id == *id && is_connected(report)))
        .collect();
    let verified = plan::verify(desk, computer, &good, false)?;
    plan::next_steps(desk, &applied)?;
    if asks {
        take_in(desk)?;
    }
    screen.line("")?;
    heading(desk, "Done")?;
    screen.line("To see it work, paste this into an agent:")?;
    screen.line(format!("  {TEST_PHRASE}"))?;
    screen.line("To undo one agent: plimsoll disconnect <agent>. Everything: plimsoll uninstall --all.")?;
    let failed =
        applied.iter().any(|report| report.error.is_some()) || verified.iter().any(|report| !report.ok());
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

/// The optional last step: what the systems could take in of what is on this computer. Nothing is taken in unasked.
fn take_in(desk: &Desk) -> Result<(), Stop> {
    let screen = &desk.screen;
    let host: &dyn system::Host = &*desk.service;
    let mut all = Vec::new();
    for taking in desk.service.systems_on().filter_map(|one| one.take_in) {
        let _looking = screen.progress("Looking for what can be imported …");
        all.extend((taking.look)(host).into_iter().map(|source| (taking, source)));
    }
    let (good, bad): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, source)| source.problem.is_none());
    if good.is_empty() {
        return Ok(());
    }
    screen.line("")?;
    heading(desk, "Import what you have")?;
    for (_, source) in &good {
        screen.line(format!("  {}: {} to review", desk.shown(&source.path), source.new))?;
        for sample in &source.samples {
            screen.line(format!("      {}", sample.lines().next().unwrap_or_default()))?;
        }
    }
    for (_, source) in &bad {
        screen.line(format!(
            "  {} is left out: {}",
            desk.shown(&source.path),
            source.problem.as_deref().unwrap_or_default()
        ))?;
    }
    screen.line("Everything waits in `plimsoll memory review`; no agent gets it before you keep it.")?;
    if !screen.confirm("Import it for review?", false)? {
        screen.line("Nothing was imported. `plimsoll memory sources` shows it again.")?;
        return Ok(());
    }
    let mut waiting = 0;
    for (taking, source) in &good {
        match (taking.take)(host, source) {
            Ok(taken) => {
                waiting += taken.waiting;
                if taken.refused > 0 {
                    let path = desk.shown(&source.path);
                    screen.line(format!("{path}: {} refused, with a secret in each", taken.refused))?;
                }
            }
            Err(error) => screen.line(format!("{}: {}", desk.shown(&source.path), error.message))?,
        }
    }
    screen.line(format!("{waiting} wait for you in `plimsoll memory review`."))
}

/// Whether something of the agent can be verified: one that has a plugin of ours is left out.
fn is_connected(report: &AppliedReport) -> bool {
    report.error.is_none() && !(report.written.is_empty() && report.unchanged.is_empty())
}
