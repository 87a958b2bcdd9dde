//! `status`, and `plimsoll` alone: the state of everything on one screen.

use std::time::Duration;

use contract::{AgentReport, AgentState, Amount, StatusReport, signed_bytes};

use super::Context;
use super::agents::tone;
use super::args::JsonFlag;
use super::terminal::{CommandError, CommandResult, Exit, Tone};

/// `plimsoll` alone: the status, and what to do next.
pub(super) fn overview(context: &Context) -> CommandResult {
    let report = collect(context);
    print(context, &report)?;
    let connected =
        |agent: &AgentReport| !matches!(agent.state, AgentState::NotInstalled | AgentState::NotConnected);
    let next = if needs_you(&report) {
        "Next: `plimsoll doctor` says what to do."
    } else if report.agents.iter().any(connected) {
        "Next: `plimsoll stats` shows what was kept out, `plimsoll help` lists every command."
    } else if report.agents.is_empty() {
        "Next: install an agent and run `plimsoll setup`, or print what to enter by hand: `plimsoll connect --print <agent>`."
    } else {
        "Next: `plimsoll setup` shows what it would change to connect them."
    };
    context.terminal.line(format!("\n{next}"))?;
    Ok(Exit::Done)
}

/// `plimsoll status`
pub(super) fn status(context: &Context, args: &JsonFlag) -> CommandResult {
    let report = collect(context);
    if args.json {
        context.terminal.json(&report)?;
    } else {
        print(context, &report)?;
    }
    Ok(if needs_you(&report) { Exit::NeedsYou } else { Exit::Done })
}

fn collect(context: &Context) -> StatusReport {
    let computer = context.computer();
    let _looking = context.terminal.progress("Looking …");
    service::status::status(&context.service, &computer)
}

fn needs_you(report: &StatusReport) -> bool {
    report.agents.iter().any(service::status::needs_user) || !report.problems.is_empty()
}

fn print(context: &Context, report: &StatusReport) -> Result<(), CommandError> {
    let terminal = &context.terminal;
    terminal.line(format!("Plimsoll {} in {}", report.version, context.tilde_path(&report.home)))?;
    match report.week_net_bytes {
        Some(bytes) => {
            let bytes = signed_bytes(bytes);
            terminal.line(format!("{bytes} kept out of conversations in the last seven days, net"))?;
        }
        None if report.problems.is_empty() => {
            terminal.line("Nothing was kept out of conversations in the last seven days.")?;
        }
        // The record may be what can't be read.
        None => {}
    }
    if report.agents.is_empty() {
        terminal.line("No agent was found on this computer.")?;
    }
    for agent in &report.agents {
        let word = terminal.tone(tone(agent.state), agent.state.message().text());
        terminal.line(format!("  {}: {word}", agent.name))?;
        for need in &agent.needs {
            terminal.line(context.with_tilde(&format!("    {need}")))?;
        }
    }
    match report.servers.len() {
        0 => terminal.line("No server is running.")?,
        1 => terminal.line("1 server runs:")?,
        n => terminal.line(format!("{n} servers run:"))?,
    }
    for server in &report.servers {
        terminal.line(format!(
            "  {} in {} (process {})",
            server.agent,
            context.tilde_path(&server.project),
            server.pid
        ))?;
    }
    if report.hooks_off {
        terminal
            .line("Hooks are switched off; `plimsoll settings set hooks.enabled true` switches them on.")?;
    } else if let Some(until) = report.paused_until_ms {
        let rest = until.saturating_sub(context.service.now_ms()).max(0).unsigned_abs();
        let rest = Amount::time(Duration::from_millis(rest));
        terminal.line(format!("Hooks are paused for another {rest}; `plimsoll resume` ends that."))?;
    }
    for project in &report.paused_projects {
        terminal.line(format!(
            "Hooks are paused in {}; `plimsoll resume --project` ends that.",
            context.tilde_path(project)
        ))?;
    }
    for problem in &report.problems {
        let problem = context.with_tilde(problem);
        terminal.line(format!("{} {problem}", terminal.tone(Tone::Bad, "problem:")))?;
    }
    Ok(())
}
