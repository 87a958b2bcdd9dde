//! `changes`: shows how an agent's files differ from before Plimsoll.

use clap::Args;

use super::Context;
use super::terminal::{CommandResult, Exit};

/// `changes`
#[derive(Debug, Clone, Args)]
pub(crate) struct Changes {
    /// The agent, e.g. claude-code
    #[arg(value_parser = super::args::name, value_name = "AGENT")]
    pub(crate) agent: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll changes`
pub(super) fn changes(context: &Context, args: &Changes) -> CommandResult {
    let changes = service::desktop::Desktop::new(context.service.clone()).agent_changes(&args.agent)?;
    if args.json {
        context.terminal.json(&changes)?;
        let any = changes.iter().any(is_written);
        return Ok(if any { Exit::Done } else { Exit::Nothing });
    }
    let mut any = false;
    for change in &changes {
        if let Some(problem) = &change.problem {
            context.terminal.line(format!("{}: {problem}", context.tilde_path(&change.path)))?;
        }
        if !is_written(change) {
            continue;
        }
        any = true;
        let others = if change.changed_since { "; someone else edited it, too" } else { "" };
        context.terminal.line(format!(
            "{}: +{} -{} since before Plimsoll{others}",
            context.tilde_path(&change.path),
            change.added,
            change.removed
        ))?;
        context.terminal.diff(&change.diff)?;
    }
    if !any {
        let how = "`plimsoll setup` shows what connecting would change";
        context.terminal.line(format!("Plimsoll has changed none of this agent's files; {how}."))?;
    }
    Ok(if any { Exit::Done } else { Exit::Nothing })
}

/// Whether Plimsoll wrote the file and it still differs.
fn is_written(change: &contract::desktop::FileChange) -> bool {
    change.written_ms.is_some() && !change.diff.is_empty()
}
