//! `uninstall`: undoes everything and removes Plimsoll.

use clap::Args;
use contract::UninstallReport;
use serde_json::json;
use service::uninstall;

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit, Tone};

/// `uninstall`
#[derive(Debug, Clone, Args)]
pub(crate) struct Uninstall {
    /// Disconnect every agent and remove Plimsoll's folder
    #[arg(long, required = true)]
    pub(crate) all: bool,
    /// Keep the databases, settings, filters and keys in Plimsoll's folder
    #[arg(long)]
    pub(crate) keep_data: bool,
    /// Say what would be undone and removed, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll uninstall`
pub(super) fn uninstall(context: &Context, args: &Uninstall) -> CommandResult {
    let terminal = &context.terminal;
    let computer = context.computer();
    let plan = uninstall::plan(&context.service, &computer, args.keep_data)?;
    if args.dry_run || !args.yes {
        let report = plan.report(&context.service);
        if args.json {
            print_json(context, &report, true)?;
        } else {
            show(context, &report, true)?;
        }
        if args.dry_run {
            if !args.json {
                terminal.line("Nothing was changed (--dry-run).")?;
            }
            return Ok(Exit::Done);
        }
        if args.json || !terminal.can_ask() {
            return Err(CommandError::Message(
                Exit::NeedsYou,
                "nothing was changed; `plimsoll uninstall --all --yes` does it without asking".into(),
            ));
        }
        if !terminal.confirm("Undo all of this and remove Plimsoll?", false)? {
            terminal.line("Nothing was changed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let report = {
        let _working = terminal.progress("Undoing …");
        uninstall::uninstall(&context.service, plan, &context.binary()?)?
    };
    if args.json {
        print_json(context, &report, false)?;
    } else {
        show(context, &report, false)?;
    }
    Ok(if report.problems.is_empty() { Exit::Done } else { Exit::Failed })
}

/// A script tells by `dry_run` what would be removed from what was.
fn print_json(context: &Context, report: &UninstallReport, dry_run: bool) -> Result<(), CommandError> {
    let mut data = json!(report);
    data["dry_run"] = dry_run.into();
    context.terminal.json(&data)
}

fn show(context: &Context, report: &UninstallReport, before: bool) -> Result<(), CommandError> {
    let terminal = &context.terminal;
    for file in &report.files {
        terminal.line(format!("  {}: {}", context.tilde_path(&file.path), file.state))?;
    }
    // A file that couldn't be cleaned is among the problems.
    if report.files.is_empty() && report.problems.is_empty() {
        terminal.line("No agent's file has any of Plimsoll's entries.")?;
    }
    for path in &report.removed {
        terminal.line(format!(
            "  {}: {}",
            context.tilde_path(path),
            if before { "to be removed" } else { "removed" }
        ))?;
    }
    for gone in &report.removed_elsewhere {
        terminal.line(format!("  {gone}: {}", if before { "to be removed" } else { "removed" }))?;
    }
    for kept in &report.kept {
        terminal.line(context.with_tilde(&format!("  {kept}")))?;
    }
    for problem in &report.problems {
        let problem = context.with_tilde(problem.text());
        terminal.line(format!("  {} {problem}", terminal.tone(Tone::Bad, "problem:")))?;
    }
    if !before && report.problems.is_empty() {
        terminal.line("Plimsoll is removed. Restart agents that still use it.")?;
    }
    Ok(())
}
