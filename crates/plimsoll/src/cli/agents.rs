//! `agents`: lists the agents on this computer and their state.

use contract::{AgentReport, AgentState, FileState};
use service::setup;

use super::Context;
use super::args::JsonFlag;
use super::terminal::{CommandError, CommandResult, Exit, Tone};

/// `plimsoll agents`
pub(super) fn agents(context: &Context, args: &JsonFlag) -> CommandResult {
    let computer = context.computer();
    let reports: Vec<AgentReport> = {
        let _looking = context.terminal.progress("Looking for agents …");
        setup::survey(&context.service, &computer).into_iter().map(|surveyed| surveyed.report).collect()
    };
    if args.json {
        context.terminal.json(&reports)?;
    } else {
        list(context, &reports)?;
    }
    let found = reports.iter().any(|report| report.state != AgentState::NotInstalled);
    Ok(if found { Exit::Done } else { Exit::Nothing })
}

/// Prints the installed agents in a few lines each, and the names of the others.
pub(super) fn list(context: &Context, reports: &[AgentReport]) -> Result<(), CommandError> {
    let terminal = &context.terminal;
    let (missing, found): (Vec<_>, Vec<_>) =
        reports.iter().partition(|report| report.state == AgentState::NotInstalled);
    for report in &found {
        let version = report.version.as_deref().unwrap_or("version unknown");
        terminal.line(format!(
            "{} ({}) {version}: {}",
            terminal.tone(Tone::Strong, &report.name),
            report.id,
            terminal.tone(tone(report.state), report.state.message().text()),
        ))?;
        if let Some(project) = &report.project {
            terminal.line(format!("  only in the project {}", context.tilde_path(project)))?;
        }
        terminal.line(format!("  gains: {}", gains(report)))?;
        if let Some(seen) = report.found.first() {
            let more = match report.found.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            terminal.line(format!("  found: {} {}{more}", seen.how, context.tilde_path(&seen.path)))?;
        }
        for file in report.files.iter().filter(|file| file.state != FileState::Absent) {
            let state = context.with_tilde(file.state_text().text());
            let path = context.tilde_path(&file.path);
            terminal.line(format!("  {state}: {path} ({})", file.roles.join(", ")))?;
        }
        for need in &report.needs {
            let need = context.with_tilde(need.text());
            terminal.line(format!("  {} {need}", terminal.tone(Tone::Attention, "needs you:")))?;
        }
        for warning in &report.warnings {
            let warning = context.with_tilde(warning.text());
            terminal.line(format!("  {} {warning}", terminal.tone(Tone::Attention, "note:")))?;
        }
    }
    if found.is_empty() {
        terminal.line("No agent was found on this computer.")?;
    }
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|report| report.name.as_str()).collect();
        terminal.line(terminal.tone(Tone::Quiet, &format!("Not found: {}.", names.join(", "))))?;
    }
    Ok(())
}

/// What an agent gains, in words.
fn gains(report: &AgentReport) -> String {
    let names = ["tools", "automatic filtering", "session notes"];
    let has = |wanted: bool| -> Vec<&str> {
        names.iter().zip(report.gains).filter(|(_, gain)| *gain == wanted).map(|(name, _)| *name).collect()
    };
    let (with, without) = (has(true).join(" · "), has(false).join(", "));
    if without.is_empty() { with } else { format!("{with} (not: {without})") }
}

pub(super) fn tone(state: AgentState) -> Tone {
    match state {
        AgentState::Connected => Tone::Good,
        AgentState::NeedsYou | AgentState::Partly => Tone::Attention,
        AgentState::Unreadable => Tone::Bad,
        AgentState::NotConnected | AgentState::NotInstalled => Tone::Quiet,
    }
}
