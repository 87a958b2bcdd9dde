//! `doctor`, `upgrade` and `uninstall`: looking after Plimsoll itself.

use contract::{Health, UninstallReport};
use service::{doctor as checkup, uninstall as leaving, upgrade as newer};

use super::Desk;
use super::args::{Reading, Uninstall, Upgrade};
use super::screen::{Ended, Exit, Stop, Tone};

/// `plimsoll doctor`
pub(super) fn doctor(desk: &Desk, args: &Reading) -> Ended {
    let screen = &desk.screen;
    let computer = desk.computer();
    let checks = {
        let _looking = screen.progress("Checking runtimes, storage and agents …");
        desk.wait(checkup::checks(&desk.service, &computer))?
    };
    let failed = checks.iter().any(|check| check.health == Health::Fail);
    let exit = if failed { Exit::Failed } else { Exit::Done };
    if args.json {
        screen.json(&checks)?;
        return Ok(exit);
    }
    for check in &checks {
        let tone = match check.health {
            Health::Ok => Tone::Good,
            Health::Warn => Tone::Attention,
            Health::Fail => Tone::Bad,
        };
        screen.line(format!(
            "{} {}: {}",
            screen.tone(tone, check.health.mark()),
            check.name,
            check.detail
        ))?;
    }
    let count = |health: Health| checks.iter().filter(|check| check.health == health).count();
    screen.line(format!(
        "{} fine, {} to look at, {} broken.",
        count(Health::Ok),
        count(Health::Warn),
        count(Health::Fail)
    ))?;
    Ok(exit)
}

/// `plimsoll upgrade`
pub(super) fn upgrade(desk: &Desk, args: &Upgrade) -> Ended {
    let report = {
        let _asking = desk.screen.progress("Asking the release server …");
        desk.wait(newer::upgrade(&desk.service, args.dry_run, args.force))?
    };
    if args.json {
        desk.screen.json(&report)?;
    } else {
        desk.screen.line(report.text.text())?;
    }
    Ok(if report.outcome == "not_configured" { Exit::NeedsYou } else { Exit::Done })
}

/// `plimsoll uninstall`
pub(super) fn uninstall(desk: &Desk, args: &Uninstall) -> Ended {
    let screen = &desk.screen;
    let computer = desk.computer();
    let plan = leaving::plan(&desk.service, &computer, args.keep_data)?;
    if args.dry_run || !args.yes {
        let report = plan.report(&desk.service);
        if args.json {
            screen.json(&report)?;
        } else {
            show(desk, &report, true)?;
        }
        if args.dry_run {
            if !args.json {
                screen.line("Nothing was changed (--dry-run).")?;
            }
            return Ok(Exit::Done);
        }
        if args.json || !screen.can_ask() {
            return Err(Stop::Said(
                Exit::NeedsYou,
                "nothing was changed; `plimsoll uninstall --all --yes` does it without asking".into(),
            ));
        }
        if !screen.confirm("Undo all of this and remove Plimsoll?", false)? {
            screen.line("Nothing was changed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let report = {
        let _working = screen.progress("Undoing …");
        leaving::carry_out(&desk.service, plan, &desk.binary()?)?
    };
    if args.json {
        screen.json(&report)?;
    } else {
        show(desk, &report, false)?;
    }
    Ok(if report.problems.is_empty() { Exit::Done } else { Exit::Failed })
}

fn show(desk: &Desk, report: &UninstallReport, before: bool) -> Result<(), Stop> {
    let screen = &desk.screen;
    for file in &report.files {
        screen.line(format!("  {}: {}", desk.shown(&file.path), file.state))?;
    }
    if report.files.is_empty() {
        screen.line("No agent's file holds anything of Plimsoll's.")?;
    }
    for path in &report.removed {
        screen.line(format!(
            "  {}: {}",
            desk.shown(path),
            if before { "to be removed" } else { "removed" }
        ))?;
    }
    for kept in &report.kept {
        screen.line(format!("  {kept}"))?;
    }
    for problem in &report.problems {
        screen.line(format!("  {} {problem}", screen.tone(Tone::Bad, "problem:")))?;
    }
    if !before && report.problems.is_empty() {
        screen.line("Plimsoll is gone. Restart agents that still run with it.")?;
    }
    Ok(())
}
