//! `settings`: shows, changes, exports and imports settings.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;
use service::desktop::Desktop;

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit};

/// `settings`
#[derive(Debug, Clone, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Settings {
    #[command(subcommand)]
    pub(crate) change: Option<SettingsChange>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What to do with settings.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum SettingsChange {
    /// Show one setting, or those of a table
    Get {
        /// Its name, e.g. sandbox.timeout_ms or sandbox
        key: String,
    },
    /// Change one setting
    Set {
        /// Its name, e.g. sandbox.timeout_ms
        key: String,
        /// Its new value
        value: String,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Write the settings to a file
    Export {
        /// The file
        path: PathBuf,
        /// Replace a file that is there already
        #[arg(long)]
        force: bool,
        /// Say what would be written and write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Replace the settings with those in a file
    Import {
        /// The file
        path: PathBuf,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

/// `plimsoll settings`
pub(super) fn settings(context: &Context, args: &Settings) -> CommandResult {
    let desktop = Desktop::new(context.service.clone());
    let view = match &args.change {
        None | Some(SettingsChange::Get { .. }) => desktop.settings(),
        Some(SettingsChange::Set { key, value, dry_run: true }) => {
            let would = desktop.preview_setting(key, &serde_json::Value::String(value.clone()))?;
            let mut data = json!(would);
            data["dry_run"] = true.into();
            return context.tell(args.json, &format!("would set {key} to {value} (--dry-run)"), &data);
        }
        Some(SettingsChange::Set { key, value, .. }) => {
            desktop.set_setting(key, &serde_json::Value::String(value.clone()))?
        }
        Some(SettingsChange::Export { path, force, dry_run }) => {
            let path = context.service.env().cwd().join(path);
            if !force && path.is_file() {
                let place = context.tilde_path(&path);
                let how = "name another file, or add --force to replace it. Nothing was changed";
                return Err(CommandError::failed(format!("{place} is there already; {how}")));
            }
            if !dry_run {
                desktop.export_settings(&path, *force)?;
            }
            let words = if *dry_run { "would be written" } else { "are written" };
            let text = format!("The settings {words} to {}.", context.tilde_path(&path));
            let data = json!({ "path": path.to_string_lossy(), "dry_run": dry_run });
            return context.tell(args.json, &text, &data);
        }
        Some(SettingsChange::Import { path, dry_run: true }) => {
            let from = context.service.env().cwd().join(path);
            desktop.check_import(&from)?;
            let data = json!({ "path": from.to_string_lossy(), "dry_run": true });
            return context.tell(args.json, &format!("would import {} (--dry-run)", path.display()), &data);
        }
        Some(SettingsChange::Import { path, .. }) => {
            desktop.import_settings(&context.service.env().cwd().join(path))?
        }
    };
    let one = match &args.change {
        Some(SettingsChange::Get { key } | SettingsChange::Set { key, .. }) => Some(key.as_str()),
        _ => None,
    };
    let is_in_table = |row: &str, key: &str| row.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    let is_asked = |row: &str| match &args.change {
        // A table's are all of its settings.
        Some(SettingsChange::Get { key }) => row == key || is_in_table(row, key),
        _ => one.is_none_or(|key| row == key),
    };
    let rows: Vec<_> = view.settings.iter().filter(|row| is_asked(&row.key)).collect();
    if let (Some(key), []) = (one, rows.as_slice()) {
        // The same answer as for changing one.
        desktop.check_setting(key, &serde_json::Value::Null)?;
    }
    let exit = if view.problem.is_some() { Exit::Failed } else { Exit::Done };
    if args.json {
        match (one, rows.as_slice()) {
            (None, _) => context.terminal.json(&view)?,
            (Some(key), [row]) if row.key == key => context.terminal.json(row)?,
            _ => context.terminal.json(&rows)?,
        }
        return Ok(exit);
    }
    if let Some(problem) = &view.problem {
        context.terminal.line(context.with_tilde(&format!("{problem}; these are the defaults:")))?;
    }
    if one.is_none() {
        context.terminal.line(format!("# {}", context.tilde_path(&view.path)))?;
    }
    for setting in rows {
        let mark = if setting.value == setting.default { "" } else { "   # changed" };
        context.terminal.line(format!("{} = {}{mark}", setting.key, setting.value))?;
    }
    Ok(exit)
}
