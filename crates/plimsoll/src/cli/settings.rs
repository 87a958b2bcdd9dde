//! `settings`, `pause` and `resume`. A pause ends by itself, so that nobody forgets it.

use std::path::{Path, PathBuf};

use super::Desk;
use super::args::{Pause, Resume, Settings, SettingsChange};
use super::screen::{Ended, Exit, Stop};
use service::desktop::Desktop;

/// `plimsoll settings`
pub(super) fn settings(desk: &Desk, args: &Settings) -> Ended {
    let desktop = Desktop::new(desk.service.clone());
    let view = match &args.change {
        None => desktop.settings(),
        Some(SettingsChange::Set { key, value, dry_run: true }) => {
            desk.screen.line(format!("would set {key} to {value} (--dry-run)"))?;
            return Ok(Exit::Done);
        }
        Some(SettingsChange::Set { key, value, .. }) => {
            desktop.set_setting(key, &serde_json::Value::String(value.clone()))?
        }
        Some(SettingsChange::Export { path, dry_run }) => {
            let path = desk.service.env().cwd().join(path);
            if !dry_run {
                desktop.export_settings(&path)?;
            }
            let words = if *dry_run { "would be written" } else { "are written" };
            desk.screen.line(format!("The settings {words} to {}.", desk.shown(&path)))?;
            return Ok(Exit::Done);
        }
        Some(SettingsChange::Import { path, dry_run: true }) => {
            desk.screen.line(format!("would import {} (--dry-run)", path.display()))?;
            return Ok(Exit::Done);
        }
        Some(SettingsChange::Import { path, .. }) => {
            desktop.import_settings(&desk.service.env().cwd().join(path))?
        }
    };
    if args.json {
        desk.screen.json(&view)?;
        return Ok(Exit::Done);
    }
    if let Some(problem) = &view.problem {
        desk.screen.line(format!("{problem}; these are the defaults:"))?;
    }
    desk.screen.line(format!("# {}", desk.shown(&view.path)))?;
    for setting in &view.settings {
        let mark = if setting.value == setting.default { "" } else { "   # changed" };
        desk.screen.line(format!("{} = {}{mark}", setting.key, setting.value))?;
    }
    Ok(if view.problem.is_some() { Exit::Failed } else { Exit::Done })
}

/// `plimsoll pause`
pub(super) fn pause(desk: &Desk, args: &Pause) -> Ended {
    if let Some(folder) = &args.project {
        let folder = real(desk, folder)?;
        if !args.dry_run {
            desk.service.pause_project(&folder, desk.service.now_ms().saturating_add(args.ms))?;
        }
        let words = if args.dry_run { "would be paused" } else { "are paused" };
        desk.screen.line(format!(
            "Hooks {words} in {} for {} min; `plimsoll resume --project` ends that.",
            desk.shown(&folder),
            args.ms / 60_000
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
            desk.service.pause_project(&folder, 0)?;
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

pub(super) fn real(desk: &Desk, folder: &Path) -> Result<PathBuf, Stop> {
    let folder = desk.service.env().cwd().join(folder);
    dunce::canonicalize(&folder).map_err(|error| Stop::failed(format!("{}: {error}", folder.display())))
}
