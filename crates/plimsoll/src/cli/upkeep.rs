//! `doctor`, `upgrade` and `uninstall`: looking after Plimsoll itself.

use contract::{Health, UninstallReport};
use service::{doctor as checkup, uninstall as leaving, upgrade as newer, wiring};

use super::args::{Doctor, Uninstall, Upgrade};
use super::screen::{Ended, Exit, Stop, Tone};
use super::{Desk, plan};

/// `plimsoll doctor`
pub(super) fn doctor(desk: &Desk, args: &Doctor) -> Ended {
    let screen = &desk.screen;
    if args.start_fresh {
        let fresh = service::desktop::Desktop::new(desk.service.clone()).start_fresh()?;
        if args.json {
            screen.json(&fresh)?;
        } else {
            screen.line(format!(
                "Plimsoll started a new record; the damaged file is {}.",
                desk.shown(&fresh.kept)
            ))?;
        }
        return Ok(Exit::Done);
    }
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
    for subject in checkup::Subject::ALL {
        let mut title = Some(subject.title());
        for check in checks.iter().filter(|check| checkup::Subject::of(check) == subject) {
            if check.health == Health::Ok && !args.all {
                continue;
            }
            if let Some(title) = title.take() {
                screen.line(title)?;
            }
            let tone = match check.health {
                Health::Ok => Tone::Good,
                Health::Warn => Tone::Attention,
                Health::Fail => Tone::Bad,
            };
            let mark = screen.tone(tone, check.health.mark());
            screen.line(format!("{mark} {}: {}", check.name, check.detail))?;
        }
    }
    let count = |health: Health| checks.iter().filter(|check| check.health == health).count();
    let more = if args.all { "" } else { " `plimsoll doctor --all` lists every check." };
    screen.line(format!(
        "{} fine, {} to look at, {} broken.{more}",
        count(Health::Ok),
        count(Health::Warn),
        count(Health::Fail)
    ))?;
    Ok(exit)
}

/// `plimsoll upgrade`
pub(super) fn upgrade(desk: &Desk, args: &Upgrade) -> Ended {
    if args.entries {
        return entries(desk, args);
    }
    let mut report = {
        let _asking = desk.screen.progress("Asking the release server …");
        desk.wait(newer::upgrade(&desk.service, args.dry_run, args.force))?
    };
    let exit = if report.outcome == "not_configured" { Exit::NeedsYou } else { Exit::Done };
    if args.json {
        // The installed version knows best what its entries are.
        let write = args.yes && !args.dry_run;
        report.entries = desk.wait(async { Ok(newer::entries(&desk.service, write).await) })?;
        desk.screen.json(&report)?;
        return Ok(exit);
    }
    desk.screen.line(report.text.text())?;
    if report.outcome == "installed" {
        return Ok(if by_the_new_version(desk, args)? { exit } else { Exit::Failed });
    }
    Ok(match entries(desk, args)? {
        Exit::Failed => Exit::Failed,
        _ => exit,
    })
}

/// Has the version that was just installed bring its entries up to date, in this terminal.
fn by_the_new_version(desk: &Desk, args: &Upgrade) -> Result<bool, Stop> {
    let launcher = desk.service.home().launcher();
    let mut command = std::process::Command::new(&launcher);
    command.args(["upgrade", "--entries"]).args(args.yes.then_some("--yes"));
    let status =
        command.status().map_err(|error| Stop::failed(format!("{}: {error}", launcher.display())))?;
    // It says itself what waits for the person.
    Ok(status.code().is_some_and(|code| code != i32::from(Exit::Failed as u8)))
}

/// `plimsoll upgrade --entries`: what of the agents' entries is from an earlier version is planned, shown, and written.
fn entries(desk: &Desk, args: &Upgrade) -> Ended {
    let screen = &desk.screen;
    let computer = desk.computer();
    let plans = {
        let _looking = screen.progress("Reading the agents' files …");
        wiring::plan_refresh(&desk.service, &computer)
    };
    let would = wiring::would_refresh(&plans);
    if would.agents.is_empty() || args.dry_run {
        match (args.json, args.entries) {
            (true, _) => screen.json(&would)?,
            (false, true) if would.agents.is_empty() => {
                screen.line("The entries of every connected agent are up to date.")?;
            }
            _ => plans.iter().try_for_each(|planned| plan::show(desk, &planned.report()))?,
        }
        return Ok(Exit::Done);
    }
    if !args.yes {
        let names: Vec<&str> = would.agents.iter().map(|agent| agent.name.as_str()).collect();
        let names = names.join(", ");
        if args.json || !screen.can_ask() {
            if args.json {
                screen.json(&would)?;
            }
            let how = "`plimsoll upgrade --entries --yes` brings them up to date";
            return Err(Stop::Said(
                Exit::NeedsYou,
                format!("the entries of {names} are from an earlier version; {how}"),
            ));
        }
        screen.line(format!("The entries of {names} are from an earlier version."))?;
        plans.iter().try_for_each(|planned| plan::show(desk, &planned.report()))?;
        if !screen.confirm("Bring them up to date?", true)? {
            screen.line("Nothing was written.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let done = wiring::refresh(&desk.service, &plans, &desk.binary()?)?;
    let failed = done.agents.iter().any(|agent| agent.error.is_some());
    if args.json {
        screen.json(&done)?;
    } else {
        for agent in &done.agents {
            let word = match &agent.error {
                Some(error) => screen.tone(Tone::Bad, &format!("not brought up to date: {error}")),
                None => screen.tone(Tone::Good, "brought up to date"),
            };
            screen.line(format!("{}: {word}", agent.name))?;
        }
        plan::next_steps(desk, &done.agents)?;
    }
    Ok(if failed { Exit::Failed } else { Exit::Done })
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
        screen.line("No agent's file contains anything from Plimsoll.")?;
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
        screen.line("Plimsoll is removed. Restart agents that still use it.")?;
    }
    Ok(())
}
