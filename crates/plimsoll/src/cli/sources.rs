//! `sources`: lists what's searchable in a project.

use std::path::PathBuf;

use clap::Args;

use super::Context;
use super::terminal::{CommandResult, Exit};

/// `sources`
#[derive(Debug, Clone, Args)]
pub(crate) struct Sources {
    /// How many
    #[arg(long, short = 'n', default_value_t = 50)]
    pub(crate) limit: usize,
    /// How many to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll sources`
pub(super) fn sources(context: &Context, args: &Sources) -> CommandResult {
    context.choose_project(args.project.as_deref())?;
    let reply = context.wait(context.service.list_sources(args.offset, args.limit.clamp(1, 1000)))?;
    let empty = reply.data["sources"].as_array().is_none_or(Vec::is_empty);
    let exit = context.print_own_reply(reply, args.json)?;
    Ok(if empty { Exit::Nothing } else { exit })
}
