//! `purge`: moves searchable text to the trash and deletes what is recorded about its sessions.

use std::path::PathBuf;

use clap::Args;
use contract::desktop::PurgeWhat;
use contract::{Manage, ManageAction, PurgeScope, count};
use serde_json::json;
use service::Call;

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit};

/// `purge`
#[derive(Debug, Clone, Args)]
pub(crate) struct Purge {
    /// One source by name or number, a folder with its files, or all below a name
    #[arg(value_parser = super::args::name, long, conflicts_with_all = ["session", "everything"])]
    pub(crate) source: Option<String>,
    /// What one session stored, with its record and the memories captured in it
    #[arg(value_parser = super::args::name, long, conflicts_with = "everything")]
    pub(crate) session: Option<String>,
    /// All of this project, with its memories, saved prompts and graph and the records of its sessions (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    pub(crate) project: Option<PathBuf>,
    /// Every project, session and memory, saved prompts, the graph, kept outputs, caches and downloads; asks you to type a word
    #[arg(long, conflicts_with = "project")]
    pub(crate) everything: bool,
    /// Delete searchable text instead of moving it to the trash; with --everything, also what is in the trash
    #[arg(long)]
    pub(crate) now: bool,
    /// Keep memories, saved prompts, the graph, records and kept outputs, which can't be restored
    #[arg(long, conflicts_with = "source")]
    pub(crate) keep_records: bool,
    /// Say what would be removed and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll purge`
pub(super) fn purge(context: &Context, args: &Purge) -> CommandResult {
    context.choose_project(args.project.as_deref())?;
    let scope = if let Some(source) = &args.source {
        PurgeScope::Source(context.source_name(source))
    } else if let Some(session) = &args.session {
        PurgeScope::Session(Some(session.clone()))
    } else if args.everything {
        PurgeScope::Everything
    } else if args.project.is_some() {
        PurgeScope::Project
    } else {
        let how = "say what to purge: --source NAME, --session ID, --project, or --everything";
        return Err(CommandError::Message(Exit::Usage, how.into()));
    };
    if args.keep_records {
        return purge_text_only(context, args);
    }
    let call = Call::from_user();
    let mut would = context.wait(context.service.preview_purge(&call, scope.clone(), args.now))?;
    let preview = context.with_tilde(&would.text);
    if args.dry_run {
        would.data["dry_run"] = true.into();
        let text = format!("{preview}. Nothing was removed (--dry-run).");
        return context.tell(args.json, &text, &would.data);
    }
    if !args.yes {
        if args.json || !context.terminal.can_ask() {
            return Err(CommandError::Message(
                Exit::NeedsYou,
                format!("{preview}; add --yes to do it without asking"),
            ));
        }
        context.terminal.line(format!("{preview}."))?;
        let sure = if args.everything {
            context.terminal.ask("Type everything to continue: ")?.as_deref() == Some("everything")
        } else {
            context.terminal.confirm("Remove it?", false)?
        };
        if !sure {
            context.terminal.line("Nothing was removed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let request =
        Manage { action: ManageAction::Purge, scope: Some(scope), confirm: true, now: args.now, days: None };
    let reply = {
        let _working = context.terminal.progress("Removing …");
        context.wait(context.service.manage(&call, request))?
    };
    context.print_own_reply(reply, args.json)
}

/// `plimsoll purge --keep-records`: purges stored text only, like the window with nothing else ticked.
fn purge_text_only(context: &Context, args: &Purge) -> CommandResult {
    let desktop = service::desktop::Desktop::new(context.service.clone());
    let project = context.service.home().project(&context.service.project());
    let project = project.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let scope = match &args.session {
        Some(session) => PurgeWhat::Session { project, session: session.clone() },
        None if args.everything => PurgeWhat::Everything,
        None => PurgeWhat::Project { project },
    };
    let found = desktop.purge_preview(&scope)?;
    let what = |sources, chunks| format!("{} with {}", count(sources, "source"), count(chunks, "chunk"));
    // Deleting everything includes the trash of earlier purges.
    let in_trash = if args.everything && args.now { desktop.trash().len() as u64 } else { 0 };
    let earlier = match in_trash {
        0 => String::new(),
        more => format!(", and {} in the trash", count(more, "earlier purge")),
    };
    let lost = what(found.sources, found.chunks) + &earlier;
    if args.dry_run {
        let text = format!("this would remove {lost}. Nothing was removed (--dry-run).");
        let data = json!({
            "sources": found.sources, "chunks": found.chunks, "bytes": found.bytes, "labels": found.labels,
            "trash_deleted": in_trash, "dry_run": true,
        });
        return context.tell(args.json, &text, &data);
    }
    if !args.yes {
        if args.json || !context.terminal.can_ask() {
            return Err(CommandError::Message(
                Exit::NeedsYou,
                format!("this would remove {lost}; add --yes to do it without asking"),
            ));
        }
        if !context.terminal.confirm(&format!("Remove {lost}?"), false)? {
            context.terminal.line("Nothing was removed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let typed = if args.everything { "everything".to_owned() } else { String::new() };
    let removed = desktop.purge(&contract::desktop::Purge { scope, now: args.now, typed, forget: false })?;
    if args.json {
        context.terminal.json(&removed)?;
    } else {
        context.terminal.line(format!("Removed {}{earlier}.", what(removed.sources, removed.chunks)))?;
        for one in &removed.trash {
            context.terminal.line(format!("  {}", context.tilde_path(&one.trash)))?;
        }
    }
    Ok(Exit::Done)
}
