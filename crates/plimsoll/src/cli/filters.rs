//! `filters`: lists the output filters, tests and explains them, switches them, and trusts a project's own.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use contract::{Amount, count};
use serde_json::json;

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit, Tone};

/// `filters`
#[derive(Debug, Clone, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Filters {
    #[command(subcommand)]
    pub(crate) what: Option<FiltersWhat>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What to do with filters.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum FiltersWhat {
    /// List them: built in, your own (~/.plimsoll/filters), the project's (.plimsoll/filters)
    List,
    /// Run their cases: real outputs, what is left, and the facts that must stay
    Test {
        /// Only these filters
        #[arg(value_name = "NAME", value_parser = super::args::name)]
        names: Vec<String>,
    },
    /// Show which filters a command goes through, and what they make of its output
    Explain {
        /// The command line
        #[arg(value_name = "COMMAND")]
        command: String,
        /// What it printed: a file, or `-` for standard input
        #[arg(long, value_name = "FILE")]
        input: Option<PathBuf>,
        /// Its exit code
        #[arg(long, value_name = "CODE")]
        exit: Option<i32>,
    },
    /// Switch one off; `generic` is the one for commands that no filter knows
    Off {
        /// Its name
        #[arg(value_parser = super::args::name)]
        name: String,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Switch one on again
    On {
        /// Its name
        #[arg(value_parser = super::args::name)]
        name: String,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Look at a project's own filters and use them from now on, as they are
    Trust {
        /// The project's folder, instead of the working folder's
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
        /// Don't ask
        #[arg(long, short = 'y')]
        yes: bool,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Stop using a project's own filters
    Untrust {
        /// The project's folder, instead of the working folder's
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

/// Size limit of an output to explain, in bytes.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// `plimsoll filters`
pub(super) fn filters(context: &Context, args: Filters) -> CommandResult {
    match args.what.unwrap_or(FiltersWhat::List) {
        FiltersWhat::List => list(context, args.json),
        FiltersWhat::Test { names } => test(context, &names, args.json),
        FiltersWhat::Explain { command, input, exit } => {
            explain(context, &command, input.as_deref(), exit, args.json)
        }
        FiltersWhat::Off { name, dry_run } => switch(context, &name, false, dry_run, args.json),
        FiltersWhat::On { name, dry_run } => switch(context, &name, true, dry_run, args.json),
        FiltersWhat::Trust { folder, yes, dry_run } => {
            trust(context, folder.as_deref(), yes, dry_run, args.json)
        }
        FiltersWhat::Untrust { folder, dry_run } => {
            let folder = project(context, folder.as_deref())?;
            write_trust(context, &folder, false, dry_run)?;
            let words = if dry_run { "would no longer use" } else { "no longer uses" };
            let text = format!("Plimsoll {words} the filters of {}.", context.tilde_path(&folder));
            let data = json!({ "project": folder.to_string_lossy(), "trusted": false, "dry_run": dry_run });
            context.tell(args.json, &text, &data)
        }
    }
}

fn list(context: &Context, json: bool) -> CommandResult {
    let (filters, broken) = context.service.filters();
    let unused = context.service.unused_project_filters().map(|why| why.to_string());
    if json {
        context.terminal.json(&json!({ "filters": filters, "broken": broken, "unused": unused }))?;
        return Ok(if broken.is_empty() { Exit::Done } else { Exit::Failed });
    }
    let width = filters.iter().map(|filter| filter.name.len()).max().unwrap_or(0);
    for filter in &filters {
        let layer = match filter.layer {
            filters::Layer::Builtin => "",
            filters::Layer::User => "  (yours)",
            filters::Layer::Project => "  (this project's)",
        };
        let off = if filter.off { "  off" } else { "" };
        let documented = if filter.documented { "  (from documentation)" } else { "" };
        let commands = filter.commands.join(", ");
        context.terminal.line(format!("{:width$}  {commands}{layer}{documented}{off}", filter.name))?;
    }
    for broken in &broken {
        context.terminal.line(context.terminal.tone(Tone::Bad, &context.with_tilde(broken)))?;
    }
    if let Some(unused) = &unused {
        context.terminal.line(context.terminal.tone(Tone::Attention, &context.with_tilde(unused)))?;
    }
    context.terminal.line(format!(
        "{} filters. `plimsoll filters explain \"cargo test\"` says what one does, `plimsoll filters off NAME` switches it off.",
        filters.len()
    ))?;
    Ok(if broken.is_empty() { Exit::Done } else { Exit::Failed })
}

fn test(context: &Context, names: &[String], json: bool) -> CommandResult {
    let checked = context.service.check_filters(names)?;
    let exit = match (checked.wrong.is_empty(), checked.cases) {
        (false, _) => Exit::Failed,
        (true, 0) => Exit::Nothing,
        _ => Exit::Done,
    };
    if json {
        context.terminal.json(&checked)?;
        return Ok(exit);
    }
    for wrong in &checked.wrong {
        context.terminal.line(context.terminal.tone(Tone::Bad, wrong))?;
    }
    let less = checked.before.saturating_sub(checked.after) * 100 / checked.before.max(1);
    context.terminal.line(format!(
        "{}, {} wrong; {} became {} ({less} % less).",
        count(checked.cases as u64, "case"),
        checked.wrong.len(),
        Amount::bytes(checked.before as u64),
        Amount::bytes(checked.after as u64)
    ))?;
    Ok(exit)
}

fn explain(
    context: &Context,
    command: &str,
    input: Option<&Path>,
    exit: Option<i32>,
    json: bool,
) -> CommandResult {
    let output = input.map(|input| read(context, input)).transpose()?;
    let explained = context.service.explain_filter(command, exit, output.as_deref());
    if json {
        context.terminal.json(&explained)?;
        return Ok(Exit::Done);
    }
    for filter in &explained.filters {
        let off = if filter.off { " (off)" } else { "" };
        context.terminal.line(format!("{}{off}  {}", filter.name, filter.file))?;
    }
    if let Some(why) = &explained.why_not {
        context.terminal.line(context.with_tilde(why))?;
    }
    if let Some(result) = &explained.result {
        match &result.filter {
            Some(filter) => {
                let words = format!("{filter}: {} -> {} bytes", result.before, result.after);
                context.terminal.line(context.terminal.tone(Tone::Strong, &words))?;
            }
            None => context.terminal.line("This output is left as it is.")?,
        }
        context.terminal.line(result.text.trim_end())?;
    }
    Ok(Exit::Done)
}

fn read(context: &Context, input: &Path) -> Result<String, CommandError> {
    let mut bytes = Vec::new();
    if input == Path::new("-") || input == Path::new("/dev/stdin") {
        std::io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes)?;
    } else {
        let path = context.service.env().cwd().join(input);
        // A pipe of the shell's own (`<(…)`) has an end; a named one or a device may have none.
        let file = if path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") {
            std::fs::File::open(&path)
        } else {
            home::open_regular(&path)
        };
        let file = file.map_err(|error| CommandError::file(&path, &error))?;
        file.take(MAX_INPUT).read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn switch(context: &Context, name: &str, on: bool, dry_run: bool, json: bool) -> CommandResult {
    if dry_run {
        context.service.check_filter(name)?;
    } else {
        context.service.switch_filter(name, on)?;
    }
    let words = match (dry_run, on) {
        (true, true) => "would be on",
        (true, false) => "would be off",
        (false, true) => "is on",
        (false, false) => "is off",
    };
    let data = json!({ "filter": name, "on": on, "dry_run": dry_run });
    context.tell(json, &format!("The filter {name} {words}."), &data)
}

fn project(context: &Context, folder: Option<&Path>) -> Result<PathBuf, CommandError> {
    let folder = match folder {
        Some(folder) => folder.to_owned(),
        None if context.service.has_project() => context.service.project().root,
        None => context.service.env().cwd().to_owned(),
    };
    context.real_folder(&folder)
}

fn write_trust(context: &Context, folder: &Path, trust: bool, dry_run: bool) -> Result<(), CommandError> {
    if dry_run {
        context.service.check_trust(folder, trust)?;
    } else {
        context.service.trust_filters(folder, trust)?;
    }
    Ok(())
}

fn trust(context: &Context, folder: Option<&Path>, yes: bool, dry_run: bool, json: bool) -> CommandResult {
    let folder = project(context, folder)?;
    let files = context.service.project_filters(&folder)?;
    for (path, text) in files.iter().filter(|_| !json) {
        context.terminal.line(context.terminal.tone(Tone::Strong, &context.tilde_path(path)))?;
        // Foreign text: its control sequences must not reach the terminal.
        let plain: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        context.terminal.line(plain.trim_end())?;
    }
    if !yes && !dry_run {
        if json || !context.terminal.can_ask() {
            return Err(CommandError::Message(
                Exit::NeedsYou,
                "a project's filters decide what your agents see of outputs; look at them, then repeat with --yes".into(),
            ));
        }
        if !context.terminal.confirm("Use these filters in this project, as they are?", false)? {
            context.terminal.line("Nothing was changed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    write_trust(context, &folder, true, dry_run)?;
    let names: Vec<_> = files.iter().map(|(path, _)| path.to_string_lossy()).collect();
    let data = json!({
        "project": folder.to_string_lossy(), "files": names, "trusted": true, "dry_run": dry_run,
    });
    let words = if dry_run { "would use" } else { "uses" };
    context.tell(json, &format!("Plimsoll {words} them from now on. When a file changes, look again."), &data)
}
