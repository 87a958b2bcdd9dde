//! `agents`, `status` and `verify`: how things stand.

use ::agents::all;
use contract::{AgentReport, AgentState, FileState, StatusReport};
use service::wiring;

use super::args::{Changes, Reading, Verify};
use super::screen::{Ended, Exit, Stop, Tone};
use super::{Desk, plan};

/// `plimsoll agents`
pub(super) fn agents(desk: &Desk, args: &Reading) -> Ended {
    let computer = desk.computer();
    let reports: Vec<AgentReport> = {
        let _looking = desk.screen.progress("Looking for agents …");
        wiring::survey(&desk.service, &computer).into_iter().map(|surveyed| surveyed.report).collect()
    };
    if args.json {
        desk.screen.json(&reports)?;
    } else {
        list(desk, &reports)?;
    }
    let found = reports.iter().any(|report| report.state != AgentState::NotInstalled);
    Ok(if found { Exit::Done } else { Exit::Nothing })
}

/// `plimsoll changes`
pub(super) fn changes(desk: &Desk, args: &Changes) -> Ended {
    let changes = service::desktop::Desktop::new(desk.service.clone()).agent_changes(&args.agent)?;
    if args.json {
        desk.screen.json(&changes)?;
        return Ok(Exit::Done);
    }
    let mut any = false;
    for change in &changes {
        if let Some(problem) = &change.problem {
            desk.screen.line(format!("{}: {problem}", desk.shown(&change.path)))?;
        }
        if change.written_ms.is_none() || change.diff.is_empty() {
            continue;
        }
        any = true;
        let others = if change.changed_since { "; someone else edited it, too" } else { "" };
        desk.screen.line(format!(
            "{}: +{} -{} since before Plimsoll{others}",
            desk.shown(&change.path),
            change.added,
            change.removed
        ))?;
        desk.screen.diff(&change.diff)?;
    }
    if !any {
        desk.screen.line("Plimsoll has changed none of this agent's files.")?;
    }
    Ok(if any { Exit::Done } else { Exit::Nothing })
}

/// The agents that were found, a few lines each, and the names of the others.
pub(super) fn list(desk: &Desk, reports: &[AgentReport]) -> Result<(), Stop> {
    let screen = &desk.screen;
    let (missing, found): (Vec<_>, Vec<_>) =
        reports.iter().partition(|report| report.state == AgentState::NotInstalled);
    for report in &found {
        let version = report.version.as_deref().unwrap_or("version unknown");
        screen.line(format!(
            "{} ({}) {version}: {}",
            screen.tone(Tone::Strong, &report.name),
            report.id,
            screen.tone(tone(report.state), report.state.message().text()),
        ))?;
        if let Some(project) = &report.project {
            screen.line(format!("  only in the project {}", desk.shown(project)))?;
        }
        screen.line(format!("  gains: {}", gains(report)))?;
        if let Some(seen) = report.found.first() {
            let more = match report.found.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            screen.line(format!("  found: {} {}{more}", seen.how, desk.shown(&seen.path)))?;
        }
        for file in report.files.iter().filter(|file| file.state != FileState::Absent) {
            screen.line(format!(
                "  {}: {} ({})",
                file.standing(),
                desk.shown(&file.path),
                file.roles.join(", ")
            ))?;
        }
        for need in &report.needs {
            screen.line(format!("  {} {need}", screen.tone(Tone::Attention, "needs you:")))?;
        }
        for warning in &report.warnings {
            screen.line(format!("  {} {warning}", screen.tone(Tone::Attention, "note:")))?;
        }
    }
    if found.is_empty() {
        screen.line("No agent was found on this computer.")?;
    }
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|report| report.name.as_str()).collect();
        screen.line(screen.tone(Tone::Quiet, &format!("Not found: {}.", names.join(", "))))?;
    }
    Ok(())
}

/// The three marks in words.
fn gains(report: &AgentReport) -> String {
    let names = ["tools", "automatic filtering", "session notes"];
    let has = |wanted: bool| -> Vec<&str> {
        names.iter().zip(report.gains).filter(|(_, gain)| *gain == wanted).map(|(name, _)| *name).collect()
    };
    let (with, without) = (has(true).join(" · "), has(false).join(", "));
    if without.is_empty() { with } else { format!("{with} (not: {without})") }
}

fn tone(state: AgentState) -> Tone {
    match state {
        AgentState::Connected => Tone::Good,
        AgentState::NeedsYou | AgentState::Partly => Tone::Attention,
        AgentState::Unreadable => Tone::Bad,
        AgentState::NotConnected | AgentState::NotInstalled => Tone::Quiet,
    }
}

/// `plimsoll` alone: the same as `status`, and what to do next.
pub(super) fn overview(desk: &Desk) -> Ended {
    let report = standing(desk);
    print(desk, &report)?;
    let connected =
        |agent: &AgentReport| !matches!(agent.state, AgentState::NotInstalled | AgentState::NotConnected);
    let next = if needs_you(&report) {
        "Next: `plimsoll doctor` says what to do."
    } else if report.agents.iter().any(connected) {
        "Next: `plimsoll stats` explains the figure, `plimsoll help` lists every command."
    } else if report.agents.is_empty() {
        "Next: install an agent and run `plimsoll setup`, or print what to enter by hand: `plimsoll connect --print <agent>`."
    } else {
        "Next: `plimsoll setup` shows what it would change to connect them."
    };
    desk.screen.line(format!("\n{next}"))?;
    Ok(Exit::Done)
}

/// `plimsoll status`
pub(super) fn status(desk: &Desk, args: &Reading) -> Ended {
    let report = standing(desk);
    if args.json {
        desk.screen.json(&report)?;
    } else {
        print(desk, &report)?;
    }
    Ok(if needs_you(&report) { Exit::NeedsYou } else { Exit::Done })
}

fn standing(desk: &Desk) -> StatusReport {
    let computer = desk.computer();
    let _looking = desk.screen.progress("Looking …");
    service::status::status(&desk.service, &computer)
}

fn needs_you(report: &StatusReport) -> bool {
    let needs = |agent: &AgentReport| {
        matches!(agent.state, AgentState::NeedsYou | AgentState::Partly | AgentState::Unreadable)
    };
    report.agents.iter().any(needs) || !report.problems.is_empty()
}

fn print(desk: &Desk, report: &StatusReport) -> Result<(), Stop> {
    let screen = &desk.screen;
    screen.line(format!("Plimsoll {} in {}", report.version, desk.shown(&report.home)))?;
    let kept = report.week_net_bytes.map_or_else(
        || "Nothing was kept out of conversations in the last seven days.".to_owned(),
        |bytes| format!("{} kept out of conversations in the last seven days, net", size(bytes)),
    );
    screen.line(kept)?;
    if report.agents.is_empty() {
        screen.line("No agent was found on this computer.")?;
    }
    for agent in &report.agents {
        let word = screen.tone(tone(agent.state), agent.state.message().text());
        screen.line(format!("  {}: {word}", agent.name))?;
        for need in &agent.needs {
            screen.line(format!("    {need}"))?;
        }
    }
    match report.servers.len() {
        0 => screen.line("No server is running.")?,
        1 => screen.line("1 server runs:")?,
        n => screen.line(format!("{n} servers run:"))?,
    }
    for server in &report.servers {
        screen.line(format!(
            "  {} in {} (process {})",
            server.agent,
            desk.shown(&server.project),
            server.pid
        ))?;
    }
    if report.hooks_off {
        screen.line("Hooks are switched off in the settings ([hooks] enabled).")?;
    } else if let Some(until) = report.paused_until_ms {
        let minutes = until.saturating_sub(desk.service.now_ms()).max(0) / 60_000 + 1;
        screen.line(format!("Hooks are paused for {minutes} more min; `plimsoll resume` ends that."))?;
    }
    for project in &report.paused_projects {
        screen.line(format!(
            "Hooks are paused in {}; `plimsoll resume --project` ends that.",
            desk.shown(project)
        ))?;
    }
    for problem in &report.problems {
        screen.line(format!("{} {problem}", screen.tone(Tone::Bad, "problem:")))?;
    }
    Ok(())
}

/// Bytes for people; may be negative.
pub(super) fn size(bytes: i64) -> String {
    let sign = if bytes < 0 { "-" } else { "" };
    let bytes = bytes.unsigned_abs();
    match bytes {
        0..1_000 => format!("{sign}{bytes} bytes"),
        1_000..1_000_000 => format!("{sign}{}.{} KB", bytes / 1_000, bytes % 1_000 / 100),
        1_000_000..1_000_000_000 => format!("{sign}{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
        _ => format!("{sign}{}.{} GB", bytes / 1_000_000_000, bytes % 1_000_000_000 / 100_000_000),
    }
}

/// `plimsoll verify`
pub(super) fn verify(desk: &Desk, args: &Verify) -> Ended {
    let computer = desk.computer();
    let named = wiring::ids(&args.agents)?;
    let ids: Vec<String> = if named.is_empty() {
        all()
            .iter()
            .map(|agent| wiring::survey_one(&desk.service, &computer, *agent).report)
            .filter(|report| !matches!(report.state, AgentState::NotInstalled | AgentState::NotConnected))
            .map(|report| report.id)
            .collect()
    } else {
        named
    };
    if ids.is_empty() {
        return Err(Stop::Said(
            Exit::Nothing,
            "no agent is connected; `plimsoll setup` connects them".into(),
        ));
    }
    let reports = plan::verify(desk, &computer, &ids, args.json)?;
    if args.json {
        desk.screen.json(&reports)?;
    }
    Ok(if reports.iter().all(contract::VerifyReport::ok) { Exit::Done } else { Exit::Failed })
}
