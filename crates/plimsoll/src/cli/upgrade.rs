//! `upgrade`: installs a newer version, and updates the entries of connected agents.

use clap::Args;
use service::{setup, upgrade};

use super::terminal::{CommandError, CommandResult, Exit, Tone};
use super::{Context, plan};

/// `upgrade`
#[derive(Debug, Clone, Args)]
pub(crate) struct Upgrade {
    /// Look for a newer version and install nothing
    #[arg(long, visible_alias = "check")]
    pub(crate) dry_run: bool,
    /// Install the server's version even if it's the same or older
    #[arg(long)]
    pub(crate) force: bool,
    /// Install nothing; only bring the entries of connected agents up to date
    #[arg(long, conflicts_with = "force")]
    pub(crate) entries: bool,
    /// Bring the entries of connected agents up to date without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll upgrade`
pub(super) fn upgrade(context: &Context, args: &Upgrade) -> CommandResult {
    if args.entries {
        return entries(context, args);
    }
    let mut report = {
        let _asking = context.terminal.progress("Asking the release server …");
        context.wait(upgrade::upgrade(&context.service, args.dry_run, args.force))?
    };
    let exit = if report.outcome == "not_configured" { Exit::NeedsYou } else { Exit::Done };
    if args.json {
        // The installed version knows its own entries best.
        let write = args.yes && !args.dry_run;
        report.entries = context.wait(async { Ok(upgrade::entries(&context.service, write).await) })?;
        context.terminal.json(&report)?;
        return Ok(exit);
    }
    context.terminal.line(report.text.text())?;
    if report.outcome == "installed" {
        return Ok(if run_new_version(context, args)? { exit } else { Exit::Failed });
    }
    Ok(match entries(context, args)? {
        Exit::Failed => Exit::Failed,
        _ => exit,
    })
}

/// Lets the version just installed update the entries, in this terminal.
fn run_new_version(context: &Context, args: &Upgrade) -> Result<bool, CommandError> {
    let launcher = context.service.home().launcher();
    let mut command = std::process::Command::new(&launcher);
    command.args(["upgrade", "--entries"]).args(args.yes.then_some("--yes"));
    let status =
        command.status().map_err(|error| CommandError::failed(format!("{}: {error}", launcher.display())))?;
    // It prints itself what the user must do.
    Ok(status.code().is_some_and(|code| code != i32::from(Exit::Failed as u8)))
}

/// `plimsoll upgrade --entries`: plans, shows and writes the agents' outdated entries.
fn entries(context: &Context, args: &Upgrade) -> CommandResult {
    let terminal = &context.terminal;
    let computer = context.computer();
    let plans = {
        let _looking = terminal.progress("Reading the agents' files …");
        setup::plan_refresh(&context.service, &computer)
    };
    let planned_report = setup::refresh_report(&plans);
    if planned_report.agents.is_empty() || args.dry_run {
        match (args.json, args.entries) {
            (true, _) => terminal.json(&planned_report)?,
            (false, true) if planned_report.agents.is_empty() => {
                terminal.line("The entries of every connected agent are up to date.")?;
            }
            _ => plans.iter().try_for_each(|planned| plan::show(context, &planned.report()))?,
        }
        return Ok(Exit::Done);
    }
    if !args.yes {
        let names: Vec<&str> = planned_report.agents.iter().map(|agent| agent.name.as_str()).collect();
        let names = names.join(", ");
        if args.json || !terminal.can_ask() {
            if args.json {
                terminal.json(&planned_report)?;
            }
            let how = "`plimsoll upgrade --entries --yes` brings them up to date";
            return Err(CommandError::Message(
                Exit::NeedsYou,
                format!("the entries of {names} are from an earlier version; {how}"),
            ));
        }
        terminal.line(format!("The entries of {names} are from an earlier version."))?;
        plans.iter().try_for_each(|planned| plan::show(context, &planned.report()))?;
        if !terminal.confirm("Bring them up to date?", true)? {
            terminal.line("Nothing was written.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let done = setup::refresh(&context.service, &plans, &context.binary()?)?;
    let failed = done.agents.iter().any(|agent| agent.error.is_some());
    if args.json {
        terminal.json(&done)?;
    } else {
        for agent in &done.agents {
            let word = match &agent.error {
                Some(error) => terminal.tone(Tone::Bad, &format!("not brought up to date: {error}")),
                None => terminal.tone(Tone::Good, "brought up to date"),
            };
            terminal.line(format!("{}: {word}", agent.name))?;
        }
        plan::next_steps(context, &done.agents)?;
    }
    Ok(if failed { Exit::Failed } else { Exit::Done })
}
