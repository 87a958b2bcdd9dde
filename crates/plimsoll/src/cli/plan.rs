//! Shows and applies a plan, in the same form for `setup`, `connect`, `disconnect` and `upgrade`.

use std::collections::HashSet;

use contract::{AppliedReport, FilePlanReport, PlanReport, count};
use service::setup::{self, Plan};

use super::Context;
use super::terminal::{CommandError, Tone};

/// Prints what would change, file by file, each with its diff.
pub(super) fn show(context: &Context, report: &PlanReport) -> Result<(), CommandError> {
    let terminal = &context.terminal;
    for agent in &report.agents {
        terminal.line(terminal.tone(Tone::Strong, &agent.name))?;
        for file in &agent.files {
            terminal.line(file_line(context, file))?;
            for note in &file.notes {
                let note = context.with_tilde(note.text());
                terminal.line(format!("    {}", terminal.tone(Tone::Quiet, &note)))?;
            }
            if let Some(refusal) = &file.refusal {
                let refusal = context.with_tilde(&format!("left alone: {refusal}"));
                terminal.line(format!("    {}", terminal.tone(Tone::Attention, &refusal)))?;
            }
            terminal.diff(&file.diff)?;
            if let Some(snippet) = &file.snippet {
                terminal.line("    To enter by hand:")?;
                for line in snippet.lines() {
                    terminal.line(format!("      {line}"))?;
                }
            }
        }
        if agent.blocked {
            let why = "nothing is written for this agent until that file is fixed";
            terminal.line(format!("  {}", terminal.tone(Tone::Attention, why)))?;
        }
        for note in &agent.notes {
            let note = context.with_tilde(&format!("note: {note}"));
            terminal.line(format!("  {}", terminal.tone(Tone::Attention, &note)))?;
        }
        terminal.line("")?;
    }
    let changes = || {
        report
            .agents
            .iter()
            .filter(|agent| !agent.blocked)
            .flat_map(|agent| &agent.files)
            .filter(|file| is_change(file))
    };
    let (added, removed): (usize, usize) =
        changes().fold((0, 0), |(added, removed), file| (added + file.added, removed + file.removed));
    // Two agents may have an entry each in one file.
    let files = changes().map(|file| &file.path).collect::<HashSet<_>>().len();
    if files == 0 {
        return terminal.line("Nothing would be written.");
    }
    terminal.line(format!(
        "{}, {} added, {removed} removed. Backups are kept in {}.",
        count(files as u64, "file"),
        count(added as u64, "line"),
        context.tilde_path(&report.backups)
    ))
}

fn is_change(file: &FilePlanReport) -> bool {
    matches!(file.change.as_str(), "create" | "modify" | "delete")
}

fn file_line(context: &Context, file: &FilePlanReport) -> String {
    let lines = match (file.added, file.removed) {
        (0, 0) => String::new(),
        (added, 0) => format!("  +{added}"),
        (0, removed) => format!("  -{removed}"),
        (added, removed) => format!("  +{added} -{removed}"),
    };
    format!("  {:<9} {}  ({}){lines}", file.change, context.tilde_path(&file.path), file.roles.join(", "))
}

/// Applies the plan and prints a line per agent as it's done.
pub(super) fn apply(context: &Context, plan: &Plan, quiet: bool) -> Result<Vec<AppliedReport>, CommandError> {
    let mut print_error = None;
    let reports = setup::apply(&context.service, plan, &context.binary()?, |report| {
        if !quiet && print_error.is_none() {
            print_error = print_outcome(context, report, plan.is_removal()).err();
        }
    })?;
    // The work is completed even if nobody reads the output.
    print_error.map_or(Ok(reports), Err)
}

fn print_outcome(context: &Context, report: &AppliedReport, removal: bool) -> Result<(), CommandError> {
    let terminal = &context.terminal;
    let word = match (&report.error, report.written.is_empty(), removal) {
        (Some(_), ..) => terminal.tone(Tone::Bad, "failed"),
        (None, true, false) if report.unchanged.is_empty() => "left as it is".to_owned(),
        (None, true, false) => "already connected".to_owned(),
        (None, true, true) => "wasn't connected".to_owned(),
        (None, false, false) => terminal.tone(Tone::Good, "connected"),
        (None, false, true) => terminal.tone(Tone::Good, "disconnected"),
    };
    terminal.line(format!("{}: {word}", report.name))?;
    for path in &report.written {
        let word = if !removal {
            "wrote"
        } else if path.exists() {
            "cleaned"
        } else {
            "removed"
        };
        terminal.line(format!("  {word} {}", context.tilde_path(path)))?;
    }
    if let Some(error) = &report.error {
        terminal.line(context.with_tilde(&format!("  {error}")))?;
        if !removal {
            let is_changed = ["messages.edits.torn", "messages.service.not_put_back"];
            let all_are = !is_changed.iter().any(|key| error.says(key));
            let as_they_were = if all_are { "Its files are as they were. " } else { "" };
            terminal.line(format!("  {as_they_were}By hand: plimsoll connect --print {}", report.id))?;
        }
    }
    Ok(())
}

/// Prints what the user must do next, each thing once.
pub(super) fn next_steps(context: &Context, reports: &[AppliedReport]) -> Result<(), CommandError> {
    let steps: Vec<(&str, &str)> = reports
        .iter()
        .flat_map(|report| report.next_steps.iter().map(|step| (report.name.as_str(), step.text())))
        .collect();
    if steps.is_empty() {
        return Ok(());
    }
    context.terminal.line("")?;
    context.terminal.line(context.terminal.tone(Tone::Strong, "Next"))?;
    for (name, step) in steps {
        context.terminal.line(format!("  {name}: {step}"))?;
    }
    Ok(())
}
