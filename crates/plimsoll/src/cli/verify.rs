//! `verify`: starts the connected agents' servers and hooks, and times the answers.

use clap::Args;
use contract::{AgentState, VerifyReport};
use service::setup::{self, Computer};

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit, Tone};

/// `verify`
#[derive(Debug, Clone, Args)]
pub(crate) struct Verify {
    /// Agents; all connected ones when none is named
    #[arg(value_parser = super::args::name, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll verify`
pub(super) fn verify(context: &Context, args: &Verify) -> CommandResult {
    let computer = context.computer();
    let named = setup::agent_ids(&args.agents)?;
    let ids: Vec<String> = if named.is_empty() {
        ::agents::all()
            .iter()
            .filter(|agent| is_connected(context, &computer, **agent))
            .map(|agent| agent.id().to_owned())
            .collect()
    } else {
        named
    };
    if ids.is_empty() {
        return Err(CommandError::Message(
            Exit::Nothing,
            "no agent is connected; `plimsoll setup` connects them".into(),
        ));
    }
    let reports = verify_agents(context, &computer, &ids, args.json)?;
    if args.json {
        context.terminal.json(&reports)?;
    }
    Ok(if reports.iter().all(VerifyReport::ok) { Exit::Done } else { Exit::Failed })
}

/// Whether any of Plimsoll's entries is in its files, or was when it was connected, where a file can't be read.
fn is_connected(context: &Context, computer: &Computer, agent: &'static dyn ::agents::Agent) -> bool {
    match setup::survey_one(&context.service, computer, agent).report.state {
        AgentState::NotInstalled | AgentState::NotConnected => false,
        AgentState::Unreadable => {
            setup::connections(&context.service).iter().any(|connection| connection.agent == agent.id())
        }
        AgentState::Partly | AgentState::NeedsYou | AgentState::Connected => true,
    }
}

/// Starts these agents' servers and hooks, and prints how fast they answered.
pub(super) fn verify_agents(
    context: &Context,
    computer: &Computer,
    ids: &[String],
    quiet: bool,
) -> Result<Vec<VerifyReport>, CommandError> {
    let terminal = &context.terminal;
    let mut reports = Vec::new();
    for agent in ids.iter().filter_map(|id| ::agents::by_id(id)) {
        let report = {
            let _trying = terminal.progress(&format!("Starting {}'s server as it would …", agent.name()));
            setup::verify(&context.service, computer, agent)
        };
        if !quiet {
            terminal.line(report_line(context, &report))?;
            // If nothing is written there is nothing to undo; the message names the command that connects the agent.
            if !report.ok() && is_connected(context, computer, agent) {
                terminal.line(format!("  Undo this one: plimsoll disconnect {}", report.id))?;
                terminal.line(format!("  Details: PLIMSOLL_LOG=debug plimsoll verify {}", report.id))?;
            }
        }
        reports.push(report);
    }
    Ok(reports)
}

fn report_line(context: &Context, report: &VerifyReport) -> String {
    let terminal = &context.terminal;
    let mut parts = Vec::new();
    parts.extend(report.initialize_ms.map(|ms| format!("server answered in {ms} ms")));
    if report.tools > 0 {
        parts.push(contract::count(report.tools as u64, "tool"));
    }
    parts.extend(report.call_ms.map(|ms| format!("a call took {ms} ms")));
    parts.extend(report.hook_ms.map(|ms| format!("a hook took {ms} ms")));
    let mark = match &report.error {
        None => terminal.tone(Tone::Good, "[OK]"),
        Some(_) => terminal.tone(Tone::Bad, "[FAIL]"),
    };
    parts.extend(report.error.as_ref().map(|error| context.with_tilde(error.text())));
    format!("{mark} {}: {}", report.name, parts.join(", "))
}
