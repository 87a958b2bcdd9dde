//! `setup`: the desktop's setup wizard in the terminal, with the same questions. Nothing is written before you have
//! seen the diff and agreed.

use ::agents::{Parts, Scope};
use clap::Args;
use contract::{AgentReport, AgentState, AppliedReport, FileState};
use service::setup::{self, Computer, Request};

use super::terminal::{CommandError, CommandResult, Exit, Tone};
use super::{Context, agents, plan, verify};

/// A test prompt to paste into an agent.
const TEST_PHRASE: &str = "Use plimsoll's execute tool to run a shell command that prints the numbers 1 to 20000, \
                           and tell me the last one.";

/// `setup`
#[derive(Debug, Clone, Args)]
pub(crate) struct Setup {
    /// Ask nothing: connect the agents found and verify them
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Only these agents, e.g. claude-code,codex
    #[arg(value_parser = super::args::name, long, value_delimiter = ',', value_name = "IDS")]
    pub(crate) agents: Vec<String>,
    /// Show the plan and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `plimsoll setup`
pub(super) fn setup(context: &Context, mut args: Setup) -> CommandResult {
    args.agents = setup::agent_ids(&args.agents)?;
    welcome(context)?;
    let computer = context.computer();
    let reports = survey(context, &computer);
    heading(context, "Your agents")?;
    agents::list(context, &reports)?;
    context.terminal.line("")?;
    let asks = context.terminal.can_ask() && !args.yes && !args.dry_run;
    let mut selection = Selection::initial(&reports, &args.agents);
    for report in reports.iter().filter(|report| selection.is_left_out(report, &args.agents)) {
        context.terminal.line(format!(
            "{}: you removed Plimsoll's entries yourself, so they stay out. `plimsoll connect {}` brings them back.",
            report.name, report.id
        ))?;
    }
    if let Some(id) = args.agents.iter().find(|id| !selection.ids.contains(*id)) {
        return Err(CommandError::Message(
            Exit::Nothing,
            format!(
                "{id} wasn't found on this computer; `plimsoll connect --print {id}` shows what to enter by hand"
            ),
        ));
    }
    if asks && !selection.edit(context, &reports)? {
        context.terminal.line("Nothing was written.")?;
        return Ok(Exit::NeedsYou);
    }
    if selection.ids.is_empty() {
        context.terminal.line("No agent is chosen, so there is nothing to do.")?;
        return Ok(Exit::Nothing);
    }
    review(context, &computer, selection, &args, asks)
}

fn welcome(context: &Context) -> Result<(), CommandError> {
    let terminal = &context.terminal;
    heading(context, "Plimsoll keeps noise out of your agents' context windows.")?;
    terminal.line(format!(
        "It will touch the configuration files of the agents you choose, and {}. Nothing else,",
        context.tilde_path(context.service.home().root())
    ))?;
    terminal
        .line("and nothing before you have seen the exact edits. Nothing leaves this computer unasked.")?;
    terminal.line("")
}

fn heading(context: &Context, text: &str) -> Result<(), CommandError> {
    context.terminal.line(context.terminal.tone(Tone::Strong, text))
}

fn survey(context: &Context, computer: &Computer) -> Vec<AgentReport> {
    let _looking = context.terminal.progress("Looking for agents …");
    setup::survey(&context.service, computer).into_iter().map(|surveyed| surveyed.report).collect()
}

/// What will be connected.
struct Selection {
    ids: Vec<String>,
    parts: Parts,
}

impl Selection {
    /// Every installed agent or the named ones, without those whose entries the user removed by hand.
    fn initial(reports: &[AgentReport], named: &[String]) -> Self {
        let wanted = |report: &&AgentReport| {
            report.state != AgentState::NotInstalled
                && if named.is_empty() { !removed_by_hand(report) } else { named.contains(&report.id) }
        };
        let ids = reports.iter().filter(wanted).map(|report| report.id.clone()).collect();
        Self { ids, parts: Parts::default() }
    }

    fn is_left_out(&self, report: &AgentReport, named: &[String]) -> bool {
        named.is_empty() && removed_by_hand(report) && !self.ids.contains(&report.id)
    }

    /// Lets the user toggle agents and options until Enter is pressed; whether to go on.
    fn edit(&mut self, context: &Context, reports: &[AgentReport]) -> Result<bool, CommandError> {
        let terminal = &context.terminal;
        let found: Vec<&AgentReport> =
            reports.iter().filter(|report| report.state != AgentState::NotInstalled).collect();
        loop {
            heading(context, "Choices")?;
            let mark = |on: bool| if on { "[x]" } else { "[ ]" };
            for (number, report) in found.iter().enumerate() {
                terminal.line(format!(
                    "  {} {} {}",
                    number + 1,
                    mark(self.ids.contains(&report.id)),
                    report.name
                ))?;
            }
            terminal.line(format!(
                "  f {} automatic filtering and session notes (hooks)",
                mark(self.parts.hooks)
            ))?;
            terminal.line(format!(
                "  i {} a few lines in each agent's instruction file",
                mark(self.parts.instructions)
            ))?;
            terminal.line(format!(
                "  c {} credentials (GH_TOKEN, AWS, npm, Google, Docker) for what Plimsoll runs in {}",
                mark(self.parts.credentials == Some(true)),
                ::agents::withholding_agents().join(" and ")
            ))?;
            let answer = terminal.ask("Numbers and letters toggle, Enter continues, q quits: ")?;
            let Some(answer) = answer.filter(|answer| answer != "q") else {
                return Ok(false);
            };
            if answer.is_empty() {
                return Ok(true);
            }
            for word in answer.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
            {
                match word {
                    "f" => self.parts.hooks = !self.parts.hooks,
                    "i" => self.parts.instructions = !self.parts.instructions,
                    "c" => self.parts.credentials = Some(self.parts.credentials != Some(true)),
                    number => match number.parse::<usize>().ok().and_then(|n| found.get(n.wrapping_sub(1))) {
                        Some(report) => self.toggle(&report.id),
                        None => terminal.line(format!("There is no {number} to switch."))?,
                    },
                }
            }
        }
    }

    fn toggle(&mut self, id: &str) {
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

fn review(
    context: &Context,
    computer: &Computer,
    selection: Selection,
    args: &Setup,
    asks: bool,
) -> CommandResult {
    let terminal = &context.terminal;
    let ids = selection.ids.clone();
    let request = Request { agents: selection.ids, scope: Scope::User, parts: selection.parts };
    let planned = setup::plan_connect(&context.service, computer, &request)?;
    heading(context, "Review")?;
    plan::show(context, &planned.report())?;
    if args.dry_run {
        terminal.line("Nothing was written (--dry-run).")?;
        return Ok(Exit::Done);
    }
    let nothing = planned.is_empty() && !planned.has_refusals();
    if !args.yes && !nothing {
        if !asks {
            terminal.line("")?;
            terminal.line("Nothing was written, because nobody could be asked. To go on:")?;
            terminal.line("  plimsoll setup --yes                        connect all of the above")?;
            terminal.line("  plimsoll setup --yes --agents claude-code   connect only some")?;
            return Ok(Exit::NeedsYou);
        }
        if !terminal.confirm("Apply?", true)? {
            terminal.line("Nothing was written.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    terminal.line("")?;
    heading(context, "Apply and verify")?;
    let applied = plan::apply(context, &planned, false)?;
    let good: Vec<String> = ids
        .into_iter()
        .filter(|id| applied.iter().any(|report| report.id == *id && is_connected(report)))
        .collect();
    let verified = verify::verify_agents(context, computer, &good, false)?;
    plan::next_steps(context, &applied)?;
    if asks {
        offer_import(context)?;
    }
    terminal.line("")?;
    heading(context, "Done")?;
    terminal.line("To see it work, paste this into an agent:")?;
    terminal.line(format!("  {TEST_PHRASE}"))?;
    terminal.line("To undo one agent: plimsoll disconnect <agent>. Everything: plimsoll uninstall --all.")?;
    let failed =
        applied.iter().any(|report| report.error.is_some()) || verified.iter().any(|report| !report.ok());
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

/// The optional last step: offers to import what the systems find on this computer. Nothing is imported unasked.
fn offer_import(context: &Context) -> Result<(), CommandError> {
    let terminal = &context.terminal;
    let host: &dyn system::Host = &*context.service;
    let mut all = Vec::new();
    for import in context.service.systems_on().filter_map(|one| one.import) {
        let _looking = terminal.progress("Looking for what can be imported …");
        all.extend((import.sources)(host).into_iter().map(|source| (import, source)));
    }
    let (good, bad): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, source)| source.problem.is_none());
    if good.is_empty() {
        return Ok(());
    }
    terminal.line("")?;
    heading(context, "Import what you have")?;
    for (_, source) in &good {
        terminal.line(format!("  {}: {} to review", context.tilde_path(&source.path), source.new))?;
        for sample in &source.samples {
            terminal.line(format!("      {}", sample.lines().next().unwrap_or_default()))?;
        }
    }
    for (_, source) in &bad {
        terminal.line(format!(
            "  {} is left out: {}",
            context.tilde_path(&source.path),
            source.problem.as_ref().map(ToString::to_string).unwrap_or_default()
        ))?;
    }
    terminal.line("Everything waits in `plimsoll memory review`; no agent gets it before you keep it.")?;
    if !terminal.confirm("Import it for review?", false)? {
        terminal.line("Nothing was imported. `plimsoll memory sources` shows it again.")?;
        return Ok(());
    }
    let mut waiting = 0;
    for (import, source) in &good {
        match (import.run)(host, source) {
            Ok(taken) => {
                waiting += taken.waiting;
                if taken.refused > 0 {
                    let path = context.tilde_path(&source.path);
                    terminal.line(format!("{path}: {} refused, with a secret in each", taken.refused))?;
                }
            }
            Err(error) => {
                terminal.line(format!("{}: {}", context.tilde_path(&source.path), error.message))?;
            }
        }
    }
    terminal.line(format!("{waiting} wait for you in `plimsoll memory review`."))
}

/// Whether the agent can be verified: one with its own plugin is left out.
fn is_connected(report: &AppliedReport) -> bool {
    report.error.is_none() && !(report.written.is_empty() && report.unchanged.is_empty())
}
