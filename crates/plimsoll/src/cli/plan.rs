//! Showing a plan and what came of it, alike in `setup`, `connect` and `disconnect`.

use contract::{AppliedReport, FilePlanReport, PlanReport, VerifyReport};
use service::wiring::{self, Computer, Plan};

use super::Desk;
use super::screen::{Stop, Tone};

/// What would change, file by file, with the diff of each.
pub(super) fn show(desk: &Desk, report: &PlanReport) -> Result<(), Stop> {
    let screen = &desk.screen;
    for agent in &report.agents {
        screen.line(screen.tone(Tone::Strong, &agent.name))?;
        for file in &agent.files {
            screen.line(file_line(desk, file))?;
            for note in &file.notes {
                screen.line(format!("    {}", screen.tone(Tone::Quiet, note.text())))?;
            }
            if let Some(refusal) = &file.refusal {
                screen.line(format!(
                    "    {}",
                    screen.tone(Tone::Attention, &format!("left alone: {refusal}"))
                ))?;
            }
            screen.diff(&file.diff)?;
            if let Some(snippet) = &file.snippet {
                screen.line("    To enter by hand:")?;
                for line in snippet.lines() {
                    screen.line(format!("      {line}"))?;
                }
            }
        }
        if agent.blocked {
            let why = "nothing is written for this agent until that file is fixed";
            screen.line(format!("  {}", screen.tone(Tone::Attention, why)))?;
        }
        for note in &agent.notes {
            screen.line(format!("  {}", screen.tone(Tone::Attention, &format!("note: {note}"))))?;
        }
        screen.line("")?;
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
    let count = changes().count();
    if count == 0 {
        return screen.line("Nothing would be written.");
    }
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    screen.line(format!(
        "{files}, {added} lines added, {removed} removed. Backups are kept in {}.",
        desk.shown(&report.backups)
    ))
}

fn is_change(file: &FilePlanReport) -> bool {
    matches!(file.change.as_str(), "create" | "modify" | "delete")
}

fn file_line(desk: &Desk, file: &FilePlanReport) -> String {
    let lines = match (file.added, file.removed) {
        (0, 0) => String::new(),
        (added, 0) => format!("  +{added}"),
        (0, removed) => format!("  -{removed}"),
        (added, removed) => format!("  +{added} -{removed}"),
    };
    format!("  {:<9} {}  ({}){lines}", file.change, desk.shown(&file.path), file.roles.join(", "))
}

/// Carries the plan out, a line per agent as it is done.
pub(super) fn apply(desk: &Desk, plan: &Plan, quiet: bool) -> Result<Vec<AppliedReport>, Stop> {
    let mut gone = None;
    let reports = wiring::apply(&desk.service, plan, &desk.binary()?, |report| {
        if !quiet && gone.is_none() {
            gone = told(desk, report, plan.is_removal()).err();
        }
    })?;
    // The work is done to its end even when nobody reads what is said about it.
    gone.map_or(Ok(reports), Err)
}

fn told(desk: &Desk, report: &AppliedReport, removal: bool) -> Result<(), Stop> {
    let screen = &desk.screen;
    let word = match (&report.error, report.written.is_empty(), removal) {
        (Some(_), ..) => screen.tone(Tone::Bad, "failed"),
        (None, true, false) if report.unchanged.is_empty() => "left as it is".to_owned(),
        (None, true, false) => "already connected".to_owned(),
        (None, true, true) => "was not connected".to_owned(),
        (None, false, false) => screen.tone(Tone::Good, "connected"),
        (None, false, true) => screen.tone(Tone::Good, "disconnected"),
    };
    screen.line(format!("{}: {word}", report.name))?;
    for path in &report.written {
        let word = if !removal {
            "wrote"
        } else if path.exists() {
            "cleaned"
        } else {
            "removed"
        };
        screen.line(format!("  {word} {}", desk.shown(path)))?;
    }
    if let Some(error) = &report.error {
        screen.line(format!("  {error}"))?;
        if !removal {
            screen.line(format!(
                "  Its files are as they were. By hand: plimsoll connect --print {}",
                report.id
            ))?;
        }
    }
    Ok(())
}

/// Starts the servers and hooks of these agents and says how fast they answered.
pub(super) fn verify(
    desk: &Desk,
    computer: &Computer,
    ids: &[String],
    quiet: bool,
) -> Result<Vec<VerifyReport>, Stop> {
    let screen = &desk.screen;
    let mut reports = Vec::new();
    for agent in ids.iter().filter_map(|id| agents::by_id(id)) {
        let report = {
            let _trying = screen.progress(&format!("Starting {}'s server as it would …", agent.name()));
            wiring::verify(&desk.service, computer, agent)
        };
        if !quiet {
            screen.line(verified(desk, &report))?;
            if !report.ok() {
                screen.line(format!("  Undo this one: plimsoll disconnect {}", report.id))?;
                screen.line(format!("  Details: PLIMSOLL_LOG=debug plimsoll verify {}", report.id))?;
            }
        }
        reports.push(report);
    }
    Ok(reports)
}

fn verified(desk: &Desk, report: &VerifyReport) -> String {
    let screen = &desk.screen;
    let mut parts = Vec::new();
    parts.extend(report.initialize_ms.map(|ms| format!("server answered in {ms} ms")));
    if report.tools > 0 {
        parts.push(format!("{} tools", report.tools));
    }
    parts.extend(report.call_ms.map(|ms| format!("a call took {ms} ms")));
    parts.extend(report.hook_ms.map(|ms| format!("a hook took {ms} ms")));
    let mark = match &report.error {
        None => screen.tone(Tone::Good, "[OK]"),
        Some(_) => screen.tone(Tone::Bad, "[FAIL]"),
    };
    parts.extend(report.error.as_ref().map(ToString::to_string));
    format!("{mark} {}: {}", report.name, parts.join(", "))
}

/// What the person does next, each thing once.
pub(super) fn next_steps(desk: &Desk, reports: &[AppliedReport]) -> Result<(), Stop> {
    let steps: Vec<(&str, &str)> = reports
        .iter()
        .flat_map(|report| report.next_steps.iter().map(|step| (report.name.as_str(), step.text())))
        .collect();
    if steps.is_empty() {
        return Ok(());
    }
    desk.screen.line("")?;
    desk.screen.line(desk.screen.tone(Tone::Strong, "Next"))?;
    for (name, step) in steps {
        desk.screen.line(format!("  {name}: {step}"))?;
    }
    Ok(())
}
