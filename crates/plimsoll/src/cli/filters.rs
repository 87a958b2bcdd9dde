//! `filters` and `discover`: what there is, what it does, whether it is right, and what it would have saved.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::Desk;
use super::agents::size;
use super::args::{Discover, Filters, FiltersWhat};
use super::screen::{Ended, Exit, Stop, Tone};

/// Largest output that is explained, in bytes.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// `plimsoll filters`
pub(super) fn filters(desk: &Desk, args: Filters) -> Ended {
    match args.what.unwrap_or(FiltersWhat::List) {
        FiltersWhat::List => list(desk, args.json),
        FiltersWhat::Test { names } => test(desk, &names, args.json),
        FiltersWhat::Explain { command, input, exit } => {
            explain(desk, &command, input.as_deref(), exit, args.json)
        }
        FiltersWhat::Off { name, dry_run } => switch(desk, &name, false, dry_run),
        FiltersWhat::On { name, dry_run } => switch(desk, &name, true, dry_run),
        FiltersWhat::Trust { folder, yes } => trust(desk, folder.as_deref(), yes),
        FiltersWhat::Untrust { folder } => {
            let folder = project(desk, folder.as_deref())?;
            desk.service.trust_filters(&folder, false)?;
            desk.screen.line(format!("Plimsoll no longer uses the filters of {}.", desk.shown(&folder)))?;
            Ok(Exit::Done)
        }
    }
}

fn list(desk: &Desk, json: bool) -> Ended {
    let (filters, broken) = desk.service.filters();
    if json {
        desk.screen.json(&serde_json::json!({ "filters": filters, "broken": broken }))?;
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
        desk.screen.line(format!("{:width$}  {commands}{layer}{documented}{off}", filter.name))?;
    }
    for broken in &broken {
        desk.screen.line(desk.screen.tone(Tone::Bad, broken))?;
    }
    desk.screen.line(format!(
        "{} filters. `plimsoll filters explain \"cargo test\"` says what one does, `plimsoll filters off NAME` switches it off.",
        filters.len()
    ))?;
    Ok(if broken.is_empty() { Exit::Done } else { Exit::Failed })
}

fn test(desk: &Desk, names: &[String], json: bool) -> Ended {
    let checked = desk.service.check_filters(names);
    let exit = match (checked.wrong.is_empty(), checked.cases) {
        (false, _) => Exit::Failed,
        (true, 0) => Exit::Nothing,
        _ => Exit::Done,
    };
    if json {
        desk.screen.json(&checked)?;
        return Ok(exit);
    }
    for wrong in &checked.wrong {
        desk.screen.line(desk.screen.tone(Tone::Bad, wrong))?;
    }
    let less = checked.before.saturating_sub(checked.after) * 100 / checked.before.max(1);
    desk.screen.line(format!(
        "{} cases, {} wrong; {} became {} ({less} % less).",
        checked.cases,
        checked.wrong.len(),
        size(checked.before as i64),
        size(checked.after as i64)
    ))?;
    Ok(exit)
}

fn explain(desk: &Desk, command: &str, input: Option<&Path>, exit: Option<i32>, json: bool) -> Ended {
    let output = input.map(|input| read(desk, input)).transpose()?;
    let explained = desk.service.explain_filter(command, exit, output.as_deref());
    if json {
        desk.screen.json(&explained)?;
        return Ok(Exit::Done);
    }
    for filter in &explained.filters {
        let off = if filter.off { " (off)" } else { "" };
        desk.screen.line(format!("{}{off}  {}", filter.name, filter.file))?;
    }
    if let Some(why) = &explained.why_not {
        desk.screen.line(why)?;
    }
    if let Some(result) = &explained.result {
        match &result.filter {
            Some(filter) => {
                let words = format!("{filter}: {} -> {} bytes", result.before, result.after);
                desk.screen.line(desk.screen.tone(Tone::Strong, &words))?;
            }
            None => desk.screen.line("This output is left as it is.")?,
        }
        desk.screen.line(result.text.trim_end())?;
    }
    Ok(Exit::Done)
}

fn read(desk: &Desk, input: &Path) -> Result<String, Stop> {
    let mut bytes = Vec::new();
    if input == Path::new("-") {
        std::io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes)?;
    } else {
        let path = desk.service.env().cwd().join(input);
        let file = std::fs::File::open(&path)
            .map_err(|error| Stop::failed(format!("{}: {error}", path.display())))?;
        file.take(MAX_INPUT).read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn switch(desk: &Desk, name: &str, on: bool, dry_run: bool) -> Ended {
    if !dry_run {
        desk.service.switch_filter(name, on)?;
    }
    let words = match (dry_run, on) {
        (true, true) => "would be on",
        (true, false) => "would be off",
        (false, true) => "is on",
        (false, false) => "is off",
    };
    desk.screen.line(format!("The filter {name} {words}."))?;
    Ok(Exit::Done)
}

fn project(desk: &Desk, folder: Option<&Path>) -> Result<PathBuf, Stop> {
    let folder = match folder {
        Some(folder) => desk.service.env().cwd().join(folder),
        None if desk.service.has_project() => desk.service.project().root,
        None => desk.service.env().cwd().to_owned(),
    };
    dunce::canonicalize(&folder).map_err(|error| Stop::failed(format!("{}: {error}", folder.display())))
}

fn trust(desk: &Desk, folder: Option<&Path>, yes: bool) -> Ended {
    let folder = project(desk, folder)?;
    for (path, text) in desk.service.project_filters(&folder)? {
        desk.screen.line(desk.screen.tone(Tone::Strong, &desk.shown(&path)))?;
        // Somebody else's text: no control sequence of it reaches the terminal.
        let plain: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        desk.screen.line(plain.trim_end())?;
    }
    if !yes {
        if !desk.screen.can_ask() {
            return Err(Stop::Said(
                Exit::NeedsYou,
                "a project's filters decide what your agents see of outputs; look at them, then repeat with --yes".into(),
            ));
        }
        if !desk.screen.confirm("Use these filters in this project, as they are?", false)? {
            desk.screen.line("Nothing was changed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    desk.service.trust_filters(&folder, true)?;
    desk.screen.line("Plimsoll uses them from now on. When a file changes, look again.")?;
    Ok(Exit::Done)
}

/// `plimsoll discover`
pub(super) fn discover(desk: &Desk, args: &Discover) -> Ended {
    let found = {
        let _reading = desk.screen.progress("Reading your agents' transcripts …");
        desk.service.discover(args.days)
    };
    if args.json {
        desk.screen.json(&found)?;
        return Ok(Exit::Done);
    }
    if found.agents.iter().all(|agent| agent.sources == 0) {
        desk.screen.line("No transcripts of your agents were found.")?;
        return Ok(Exit::Nothing);
    }
    let kept =
        |outputs: &service::discover::Outputs| size(i64::try_from(outputs.kept_out()).unwrap_or(i64::MAX));
    desk.screen.line(format!(
        "In your last {} days {} of {} outputs would have been shorter, by {} of {} together (an estimate from your agents' own transcripts).",
        args.days,
        found.outputs.shortened,
        found.outputs.calls,
        kept(&found.outputs),
        size(i64::try_from(found.outputs.raw_bytes).unwrap_or(i64::MAX)),
    ))?;
    for agent in &found.agents {
        desk.screen.line(format!(
            "  {:14} {} of {} outputs, {} less",
            agent.agent,
            agent.outputs.shortened,
            agent.outputs.calls,
            kept(&agent.outputs)
        ))?;
    }
    for family in found.families.iter().filter(|family| family.outputs.shortened > 0) {
        desk.screen.line(format!(
            "  {:24} {:>5} outputs, {} less",
            family.family,
            family.outputs.calls,
            kept(&family.outputs)
        ))?;
    }
    for problem in &found.problems {
        desk.screen.line(desk.screen.tone(Tone::Quiet, problem))?;
    }
    Ok(Exit::Done)
}
