//! `read`: prints a stored source, a kept output or what is at another address.

use std::path::PathBuf;

use clap::Args;

use service::Call;

use super::Context;
use super::terminal::{CommandResult, Exit};

/// `read`
#[derive(Debug, Clone, Args)]
pub(crate) struct Read {
    /// The source's number or name, as `plimsoll sources` lists it, or the address of a kept output
    /// (plimsoll://task/…) or of a memory (plimsoll://memory/…)
    #[arg(value_parser = super::args::name, value_name = "SOURCE")]
    pub(crate) source: String,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll read`
pub(super) fn read(context: &Context, args: &Read) -> CommandResult {
    if args.source.starts_with("plimsoll://task/") {
        return read_output(context, args);
    }
    context.choose_project(args.project.as_deref())?;
    let source = context.source_name(args.source.trim());
    let source = source.as_str();
    let text = if source.starts_with("plimsoll://") && !source.starts_with("plimsoll://source/") {
        context.wait(context.service.read_resource(&Call::from_user(), source))?
    } else {
        context.wait(context.service.source_text(source))?
    };
    if args.json {
        context.terminal.json(&serde_json::json!({ "source": args.source, "text": text }))?;
    } else {
        context.terminal.line(text.trim_end())?;
    }
    Ok(Exit::Done)
}

/// `plimsoll read plimsoll://task/…`: a full output of any size.
fn read_output(context: &Context, args: &Read) -> CommandResult {
    let mut whole = String::new();
    let mut at = Some(0);
    while let Some(offset) = at {
        let piece = context.service.read_output(&args.source, offset)?;
        if args.json {
            whole.push_str(&piece.text);
        } else {
            context.terminal.text(&piece.text)?;
        }
        at = piece.next;
    }
    if args.json {
        context.terminal.json(&serde_json::json!({ "source": args.source, "text": whole }))?;
    }
    Ok(Exit::Done)
}
