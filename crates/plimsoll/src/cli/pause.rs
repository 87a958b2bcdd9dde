//! `pause` and `resume`. A pause ends on its own, so that nobody has to remember it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use contract::Amount;
use serde_json::json;

use super::Context;
use super::terminal::CommandResult;

/// `pause`
#[derive(Debug, Clone, Args)]
pub(crate) struct Pause {
    /// For how long, e.g. 30m, 1h, 2d
    #[arg(long = "for", value_name = "TIME", default_value = "1h", value_parser = duration)]
    pub(crate) ms: i64,
    /// Only in this project (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    pub(crate) project: Option<PathBuf>,
    /// Say what would change and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `resume`
#[derive(Debug, Clone, Args)]
pub(crate) struct Resume {
    /// Only this project (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    pub(crate) project: Option<PathBuf>,
    /// Say what would change and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll pause`
pub(super) fn pause(context: &Context, args: &Pause) -> CommandResult {
    let project = args.project.as_deref().map(|folder| context.real_folder(folder)).transpose()?;
    let until = context.service.now_ms().saturating_add(args.ms);
    if !args.dry_run {
        match &project {
            Some(folder) => context.service.pause_project(folder, until)?,
            None => context.service.pause_until(until)?,
        }
    }
    let words = if args.dry_run { "would be paused" } else { "are paused" };
    let time = Amount::time(Duration::from_millis(args.ms.unsigned_abs()));
    let text = match &project {
        Some(folder) => format!(
            "Hooks {words} in {} for {time}; `plimsoll resume --project` ends that.",
            context.tilde_path(folder)
        ),
        None => format!("Hooks {words} everywhere for {time}; `plimsoll resume` ends that."),
    };
    context.tell(args.json, &text, &data(project.as_deref(), Some(until), args.dry_run))
}

/// `plimsoll resume`
pub(super) fn resume(context: &Context, args: &Resume) -> CommandResult {
    let project = args.project.as_deref().map(|folder| context.real_folder(folder)).transpose()?;
    if !args.dry_run {
        match &project {
            Some(folder) => context.service.pause_project(folder, 0)?,
            None => context.service.pause_until(0)?,
        }
    }
    let words = if args.dry_run { "would work" } else { "work" };
    let text = match &project {
        Some(folder) => format!("Hooks {words} in {} again.", context.tilde_path(folder)),
        None => format!("Hooks {words} again."),
    };
    context.tell(args.json, &text, &data(project.as_deref(), None, args.dry_run))
}

/// What a script gets: where hooks are paused (`null`: everywhere), and until when (`null`: no longer).
fn data(project: Option<&Path>, until_ms: Option<i64>, dry_run: bool) -> serde_json::Value {
    let project = project.map(|folder| folder.to_string_lossy());
    json!({ "project": project, "paused_until_ms": until_ms, "dry_run": dry_run })
}

/// Parses a duration: a number and `m`, `h` or `d`.
fn duration(text: &str) -> Result<i64, String> {
    let wrong = || "write a length of time like 30m, 1h or 2d".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let number: i64 = digits.parse().map_err(|_| wrong())?;
    let minutes = match unit {
        "m" | "min" => 1,
        "h" => 60,
        "d" => 24 * 60,
        _ => return Err(wrong()),
    };
    let ms = number.checked_mul(minutes * 60_000).filter(|ms| *ms <= 366 * 86_400_000);
    ms.filter(|ms| *ms > 0).ok_or_else(|| "it must be between a minute and a year".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read() {
        assert_eq!(duration("30m"), Ok(1_800_000));
        assert_eq!(duration("2d"), Ok(172_800_000));
        for wrong in ["", "h", "1", "-1h", "0m", "1x", "99999999999999d", "é"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
