//! `projects`: lists the projects with stored data.

use contract::{Amount, count};
use service::desktop::Desktop;

use super::Context;
use super::args::JsonFlag;
use super::terminal::{CommandResult, Exit};

/// `plimsoll projects`
pub(super) fn projects(context: &Context, args: &JsonFlag) -> CommandResult {
    let projects = Desktop::new(context.service.clone()).projects();
    if args.json {
        context.terminal.json(&projects)?;
    }
    for project in projects.iter().filter(|_| !args.json) {
        let place = match &project.root {
            // A name that isn't UTF-8 was stored with this sign, under which nothing can be looked up.
            Some(root) if project.exists || root.to_string_lossy().contains(char::REPLACEMENT_CHARACTER) => {
                context.tilde_path(root)
            }
            Some(root) => format!("{} (no longer there)", context.tilde_path(root)),
            None if project.key.starts_with("no-project-") => "outside every project".to_owned(),
            // An earlier version didn't note it.
            None => "its folder is unknown".to_owned(),
        };
        context.terminal.line(format!(
            "{:<24} {:>14} {:>17} {:>9}  {place}",
            text::one_line(&project.name),
            count(project.sources, "source"),
            count(project.chunks, "chunk"),
            Amount::bytes(project.text_bytes)
        ))?;
        if let Some(problem) = &project.problem {
            context.terminal.line(format!("  {}", context.with_tilde(problem.message.text())))?;
        }
    }
    if projects.is_empty() && !args.json {
        context.terminal.line("Nothing is stored yet; `plimsoll index PATH` stores something.")?;
    }
    Ok(if projects.is_empty() { Exit::Nothing } else { Exit::Done })
}
