//! `index`: makes text, files, folders and web pages searchable.

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use contract::{Index as Request, Input, WebPage};
use serde_json::{Value, json};
use service::{Call, Progress};

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit};

/// `index`
#[derive(Debug, Clone, Args)]
pub(crate) struct Index {
    /// Files, folders or addresses; `-` reads standard input
    #[arg(value_parser = super::args::name, required = true, value_name = "WHAT")]
    pub(crate) what: Vec<String>,
    /// Its name; derived from the input if you don't give one
    #[arg(value_parser = super::args::name, long, short)]
    pub(crate) source: Option<String>,
    /// Only these files of a folder, e.g. '*.md'
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Not these files of a folder
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Index again even if nothing seems to have changed
    #[arg(long)]
    pub(crate) force: bool,
    /// Say what would be indexed and store nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Size limit of text from standard input, in bytes.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// `plimsoll index`
pub(super) fn index(context: &Context, args: &Index) -> CommandResult {
    context.choose_project(args.project.as_deref())?;
    let mut inputs = Vec::new();
    let mut pages = Vec::new();
    for what in &args.what {
        if what == "-" {
            let mut text = String::new();
            std::io::stdin().lock().take(MAX_INPUT).read_to_string(&mut text).map_err(|error| {
                CommandError::failed(format!("standard input can't be read as text: {error}; give it UTF-8"))
            })?;
            if text.trim().is_empty() {
                let how = "put a command before |, or name a file";
                return Err(CommandError::Message(
                    Exit::Usage,
                    format!("standard input is empty, so there is nothing to index; {how}"),
                ));
            }
            inputs.push(Input::Content(text));
        } else if what.starts_with("http://") || what.starts_with("https://") {
            pages.push(WebPage { url: what.clone(), source: None });
        } else if what
            .split_once("://")
            .is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()))
        {
            return Err(CommandError::Message(
                Exit::Usage,
                format!(
                    "{what} can't be read; only files, folders and addresses that begin with http:// or https:// can"
                ),
            ));
        } else {
            inputs.push(Input::Path(context.service.env().cwd().join(PathBuf::from(what))));
        }
    }
    if !pages.is_empty() {
        inputs.push(Input::Web(pages));
    }
    if args.source.is_some() && args.what.len() > 1 {
        return Err(CommandError::Message(
            Exit::Usage,
            "--source names one thing; index the others separately".into(),
        ));
    }
    if args.dry_run {
        return preview(context, &inputs, args.json);
    }
    let mut data = Vec::new();
    let mut worst = Exit::Done;
    for input in inputs {
        // A page's reply has some of its text, which stays as it is.
        let is_own = !matches!(input, Input::Web(_));
        let mut request = Request::of(input);
        request.source.clone_from(&args.source);
        request.include.clone_from(&args.include);
        request.exclude.clone_from(&args.exclude);
        request.force = args.force;
        let reply = {
            let shown = Arc::new(context.terminal.progress("Indexing …"));
            let mut call = Call::from_user();
            call.progress = Progress::new(move |_, _, words| shown.update(words));
            context.wait(context.service.index(&call, request))
        };
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => {
                // The pages stored before are reported all the same.
                if args.json && !data.is_empty() {
                    context.terminal.json(&data)?;
                }
                return Err(error);
            }
        };
        // An agent is told of each page; a script has the exit code alone.
        let mut results = reply.data.as_array().into_iter().flatten();
        if reply.failed || results.any(|page| page.get("error").is_some()) {
            worst = Exit::Failed;
        }
        if args.json {
            data.push(reply.data);
        } else if is_own {
            context.terminal.line(context.with_tilde(reply.text.trim_end()))?;
        } else {
            context.terminal.line(reply.text.trim_end())?;
        }
    }
    if args.json {
        context.terminal.json(&data)?;
    }
    Ok(worst)
}

/// `plimsoll index --dry-run`: ends as the real one would where a file is missing.
fn preview(context: &Context, inputs: &[Input], json: bool) -> CommandResult {
    for input in inputs {
        if let Input::Path(path) = input {
            context.service.check_extent(path)?;
        }
    }
    if json {
        context.terminal.json(&inputs.iter().map(data_of).collect::<Vec<_>>())?;
    } else {
        for input in inputs {
            context.terminal.line(format!("would index {}", description(context, input)))?;
        }
    }
    let is_missing = |input: &Input| matches!(input, Input::Path(path) if !path.exists());
    Ok(if inputs.iter().any(is_missing) { Exit::Nothing } else { Exit::Done })
}

fn data_of(input: &Input) -> Value {
    match input {
        Input::Content(text) => json!({ "kind": "text", "bytes": text.len(), "dry_run": true }),
        Input::Path(path) => {
            let kind = if path.is_dir() { "folder" } else { "file" };
            let exists = path.exists();
            json!({ "kind": kind, "path": path.to_string_lossy(), "exists": exists, "dry_run": true })
        }
        Input::Web(pages) => {
            let urls: Vec<_> = pages.iter().map(|page| page.url.as_str()).collect();
            json!({ "kind": "pages", "urls": urls, "dry_run": true })
        }
    }
}

fn description(context: &Context, input: &Input) -> String {
    match input {
        Input::Content(text) => format!("{} of standard input", contract::count(text.len() as u64, "byte")),
        Input::Path(path) => {
            let kind = if path.is_dir() {
                "the folder"
            } else if path.exists() {
                "the file"
            } else {
                "nothing: there is no"
            };
            format!("{kind} {}", context.tilde_path(&home::one_path(path)))
        }
        Input::Web(pages) => {
            let urls: Vec<_> = pages.iter().map(|page| page.url.as_str()).collect();
            urls.join(", ")
        }
    }
}
