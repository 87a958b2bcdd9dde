//! `doctor`: checks everything that Plimsoll needs.

use clap::Args;
use contract::Health;
use service::doctor;

use super::Context;
use super::terminal::{CommandResult, Exit, Tone};

/// `doctor`
#[derive(Debug, Clone, Args)]
pub(crate) struct Doctor {
    /// Set aside a record that can't be read and start a new one; the damaged file is kept
    #[arg(long)]
    pub(crate) start_fresh: bool,
    /// List what's fine, too
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll doctor`. It ends like `status` where an agent needs the user, and as a failure where something is broken.
pub(super) fn doctor(context: &Context, args: &Doctor) -> CommandResult {
    let terminal = &context.terminal;
    if args.start_fresh {
        let fresh = service::desktop::Desktop::new(context.service.clone()).start_fresh()?;
        if args.json {
            terminal.json(&fresh)?;
        } else {
            terminal.line(format!(
                "Plimsoll started a new record; the damaged file is {}.",
                context.tilde_path(&fresh.kept)
            ))?;
        }
        return Ok(Exit::Done);
    }
    let computer = context.computer();
    let (checks, needs_user) = {
        let _looking = terminal.progress("Checking runtimes, storage and agents …");
        context.wait(doctor::examine(&context.service, &computer))?
    };
    let exit = if checks.iter().any(|check| check.health == Health::Fail) {
        Exit::Failed
    } else if needs_user {
        Exit::NeedsYou
    } else {
        Exit::Done
    };
    if args.json {
        terminal.json(&checks)?;
        return Ok(exit);
    }
    for subject in doctor::Subject::ALL {
        let mut title = Some(subject.title());
        for check in checks.iter().filter(|check| doctor::Subject::of(check) == subject) {
            if check.health == Health::Ok && !args.all {
                continue;
            }
            if let Some(title) = title.take() {
                terminal.line(title)?;
            }
            let tone = match check.health {
                Health::Ok => Tone::Good,
                Health::Warn => Tone::Attention,
                Health::Fail => Tone::Bad,
            };
            let mark = terminal.tone(tone, check.health.mark());
            terminal.line(context.with_tilde(&format!("{mark} {}: {}", check.name, check.detail)))?;
        }
    }
    let count = |health: Health| checks.iter().filter(|check| check.health == health).count();
    let more = if args.all { "" } else { " `plimsoll doctor --all` lists every check." };
    terminal.line(format!(
        "{} fine, {} to look at, {} broken.{more}",
        count(Health::Ok),
        count(Health::Warn),
        count(Health::Fail)
    ))?;
    Ok(exit)
}
