//! `restore`: lists the trash and restores from it.

use std::path::PathBuf;

use clap::Args;
use contract::count;
use serde_json::json;
use service::desktop::{Desktop, trash_file};

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit};

/// `restore`
#[derive(Debug, Clone, Args)]
pub(crate) struct Restore {
    /// The file in the trash, as `plimsoll purge` named it; without it, lists the trash
    #[arg(value_name = "FILE")]
    pub(crate) trash: Option<PathBuf>,
    /// Restore it into this project instead of the one it came from
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Say what would be restored and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll restore`
pub(super) fn restore(context: &Context, args: &Restore) -> CommandResult {
    let desktop = Desktop::new(context.service.clone());
    let Some(file) = &args.trash else { return list(context, &desktop, args) };
    let trash = context.service.home().trash_dir();
    let file = trash_file(&trash, context.service.env().cwd(), file);
    let Some(row) = desktop.trash().into_iter().find(|row| row.trash == *home::as_text(&file)) else {
        let how = "`plimsoll restore` lists what is in the trash";
        return Err(CommandError::Message(
            Exit::Nothing,
            format!("{} isn't there; {how}", context.tilde_path(&file)),
        ));
    };
    // Where it came from, unless the user names another project; the working folder alone means nothing.
    let project = match &args.project {
        Some(folder) => {
            context.choose_project(Some(folder))?;
            let own = context.service.home().project(&context.service.project());
            own.file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
        None => String::new(),
    };
    let request = contract::desktop::Restore { project, trash: file };
    if args.dry_run {
        desktop.check_restore(&request)?;
        let place = if args.project.is_some() {
            context.tilde_path(&context.service.project().root)
        } else {
            row.name
        };
        let data = json!({
            "trash": request.trash.to_string_lossy(), "to": place, "sources": row.sources, "chunks": row.chunks,
            "dry_run": true,
        });
        let text = format!("would restore {} to {place}", context.tilde_path(&request.trash));
        return context.tell(args.json, &text, &data);
    }
    let back = desktop.restore(&request)?;
    let exit = if back.sources == 0 && !back.trash.is_empty() { Exit::Nothing } else { Exit::Done };
    if args.json {
        context.terminal.json(&back)?;
        return Ok(exit);
    }
    context.terminal.line(format!(
        "Restored {} with {} to {}.",
        count(back.sources, "source"),
        count(back.chunks, "chunk"),
        if args.project.is_some() { context.tilde_path(&context.service.project().root) } else { row.name }
    ))?;
    for left in &back.trash {
        context.terminal.line(format!(
            "What was indexed again since stays as it is; its earlier text stays in {}.",
            context.tilde_path(&left.trash)
        ))?;
    }
    Ok(exit)
}

fn list(context: &Context, desktop: &Desktop, args: &Restore) -> CommandResult {
    let rows = desktop.trash();
    if args.json {
        context.terminal.json(&rows)?;
    } else if rows.is_empty() {
        context.terminal.line("The trash is empty; what `plimsoll purge` removes waits there.")?;
    }
    for row in rows.iter().filter(|_| !args.json) {
        let name = row.trash.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let place = if row.name.is_empty() { "project unknown" } else { &row.name };
        let line =
            format!("{name}  {place}  {}, {}", count(row.sources, "source"), count(row.chunks, "chunk"));
        context.terminal.line(text::one_line(&line))?;
    }
    Ok(if rows.is_empty() { Exit::Nothing } else { Exit::Done })
}
