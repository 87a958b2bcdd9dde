//! `discover`: estimates what the filters would have kept out of past sessions.

use clap::Args;
use contract::Amount;

use super::Context;
use super::terminal::{CommandResult, Exit, Tone};

/// `discover`
#[derive(Debug, Clone, Args)]
pub(crate) struct Discover {
    /// How many days back
    #[arg(long, default_value_t = 30, value_parser = super::args::days)]
    pub(crate) days: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll discover`
pub(super) fn discover(context: &Context, args: &Discover) -> CommandResult {
    let found = {
        let _reading = context.terminal.progress("Reading your agents' transcripts …");
        context.service.discover(args.days)
    };
    let is_empty = found.agents.iter().all(|agent| agent.sources == 0);
    if args.json {
        context.terminal.json(&found)?;
        return Ok(if is_empty { Exit::Nothing } else { Exit::Done });
    }
    if is_empty {
        let what = "an agent writes one as it works; --days looks further back";
        context.terminal.line(format!("No transcripts of your agents were found; {what}."))?;
        return Ok(Exit::Nothing);
    }
    let kept = |outputs: &service::discover::Outputs| Amount::bytes(outputs.kept_out());
    context.terminal.line(format!(
        "In your last {} {} of {} would have been shorter, by {} of {} together (an estimate from your agents' own transcripts).",
        contract::count(u64::from(args.days), "day"),
        found.outputs.shortened,
        contract::count(found.outputs.calls, "output"),
        kept(&found.outputs),
        Amount::bytes(found.outputs.raw_bytes),
    ))?;
    for agent in &found.agents {
        context.terminal.line(format!(
            "  {:14} {} of {}, {} less",
            agent.agent,
            agent.outputs.shortened,
            contract::count(agent.outputs.calls, "output"),
            kept(&agent.outputs)
        ))?;
    }
    for family in found.families.iter().filter(|family| family.outputs.shortened > 0) {
        context.terminal.line(format!(
            "  {:24} {:>13}, {} less",
            family.family,
            contract::count(family.outputs.calls, "output"),
            kept(&family.outputs)
        ))?;
    }
    for problem in &found.problems {
        context.terminal.line(context.terminal.tone(Tone::Quiet, problem))?;
    }
    Ok(Exit::Done)
}
