//! `pause` and `resume`: hooks do nothing for a while. The setting ends by itself, so that nobody forgets it.

use std::path::{Path, PathBuf};

use super::Desk;
use super::args::{Pause, Resume};
use super::screen::{Ended, Exit, Stop};

/// `plimsoll pause`
pub(super) fn pause(desk: &Desk, args: &Pause) -> Ended {
    if let Some(folder) = &args.project {
        let folder = real(desk, folder)?;
        if !args.dry_run {
            desk.service.pause_project(&folder, true)?;
        }
        let words = if args.dry_run { "would be paused" } else { "are paused" };
        desk.screen.line(format!(
            "Hooks {words} in {}; `plimsoll resume --project` ends that.",
            desk.shown(&folder)
        ))?;
        return Ok(Exit::Done);
    }
    let until = desk.service.now_ms().saturating_add(args.ms);
    if !args.dry_run {
        desk.service.pause_until(until)?;
    }
    let words = if args.dry_run { "would be paused" } else { "are paused" };
    let minutes = args.ms / 60_000;
    desk.screen.line(format!("Hooks {words} everywhere for {minutes} min; `plimsoll resume` ends that."))?;
    Ok(Exit::Done)
}

/// `plimsoll resume`
pub(super) fn resume(desk: &Desk, args: &Resume) -> Ended {
    let words = if args.dry_run { "would work" } else { "work" };
    if let Some(folder) = &args.project {
        let folder = real(desk, folder)?;
        if !args.dry_run {
            desk.service.pause_project(&folder, false)?;
        }
        desk.screen.line(format!("Hooks {words} in {} again.", desk.shown(&folder)))?;
        return Ok(Exit::Done);
    }
    if !args.dry_run {
        desk.service.pause_until(0)?;
    }
    desk.screen.line(format!("Hooks {words} again."))?;
    Ok(Exit::Done)
}

fn real(desk: &Desk, folder: &Path) -> Result<PathBuf, Stop> {
    let folder = desk.service.env().cwd().join(folder);
    dunce::canonicalize(&folder).map_err(|error| Stop::failed(format!("{}: {error}", folder.display())))
}
