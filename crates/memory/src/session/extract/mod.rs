//! Extracts facts from events.
//!
//! [`facts`] is pure: an event in, facts out, for every agent. It is conservative: only plain decisions, constraints
//! and failures count, because a note full of guesses is worse than a short one. Knows no agent's JSON beyond the
//! shapes that task lists and questions share, and not how facts are stored.

mod commands;
mod conversation;
mod files;
mod outcome;
mod printed;
mod prompts;
mod quotes;
mod short_words;
mod source_signs;
mod sources;
mod tasks;
mod whole_words;

use agents::{Event, EventKind, ToolCall, ToolKind};
use sessions::Note;
use system::{EventSession, without_secrets};

use crate::session::fact::{Category, Fact, Facts};

pub(crate) use prompts::{Sentence, begins_clause, plain};
pub(crate) use quotes::quotations;
pub(crate) use whole_words::{contains_words, find_words};

/// Maximum length of a subagent's report, in characters.
const MAX_FINDING: usize = 500;

/// The user's own sentences in a prompt, without code and quotations.
pub(crate) fn own_sentences(prompt: &str) -> Vec<Sentence> {
    let looked: String = prompt.chars().take(prompts::MAX_SEARCHED).collect();
    prompts::sentences(&looked)
}

/// The facts from an event. Private spans and secrets are removed first.
#[must_use]
pub fn facts(event: &Event) -> Vec<Fact> {
    facts_of(&without_secrets(event))
}

/// The facts from an event without private spans and secrets, as a line of the session's record.
pub(crate) fn learn(event: &Event, session: &EventSession<'_>) -> Option<Note> {
    let facts = facts_of(event);
    if facts.is_empty() {
        return None;
    }
    let EventSession { session, agent, project, at_ms } = *session;
    let (session, agent, project) = (session.to_owned(), agent.to_owned(), project.to_owned());
    let line = Facts { session, agent, project, at_ms, facts }.note();
    line.inspect_err(|error| log::info!("facts cannot be written down: {error}")).ok()
}

/// The same for an event without private spans and secrets.
fn facts_of(event: &Event) -> Vec<Fact> {
    match &event.kind {
        // The conversation keeps its name, but its earlier content is gone.
        EventKind::SessionStart { source } if source.as_deref() == Some("clear") => {
            vec![Fact::new(Category::Cleared, 4, "cleared")]
        }
        // A subagent's prompt comes from the agent, not from the user.
        EventKind::Prompt if !event.subagent => {
            event.prompt.as_deref().map(prompts::facts).unwrap_or_default()
        }
        EventKind::SubagentStop { report } => {
            report.as_deref().and_then(|report| finding(report, "")).into_iter().collect()
        }
        EventKind::PostTool | EventKind::PostToolFailure => {
            event.tool.as_ref().map(|call| tool_facts(event, call)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn tool_facts(event: &Event, call: &ToolCall) -> Vec<Fact> {
    let name = match &call.kind {
        ToolKind::Mcp { server, tool } if !server.is_empty() => format!("{server}/{tool}"),
        _ => call.name.clone(),
    };
    let mut facts = vec![Fact::new(Category::Tool, 4, name)];
    let failed =
        event.kind == EventKind::PostToolFailure || call.output.as_ref().is_some_and(|output| output.failed);
    match &call.kind {
        ToolKind::Shell { command } if failed || has_ended(event, call) => {
            facts.extend(commands::facts(command, call.output.as_ref(), failed));
        }
        ToolKind::Ours(tool) => facts.extend(commands::own_tool_facts(tool, call, failed)),
        ToolKind::Read { .. } | ToolKind::Edit { .. } if !failed => facts.extend(files::facts(event, call)),
        ToolKind::Subagent if !failed => facts.extend(subagent_report(call)),
        ToolKind::Other if !failed => {
            facts.extend(files::facts(event, call));
            facts.extend(tasks::facts(call));
        }
        _ => {}
    }
    facts
}

/// Whether the call's command has ended: what runs on in the background has neither passed nor failed.
fn has_ended(event: &Event, call: &ToolCall) -> bool {
    agents::by_id(event.agent).is_none_or(|agent| agent.has_ended(call))
}

/// A subagent's report to the tool that started it, with its task.
fn subagent_report(call: &ToolCall) -> Option<Fact> {
    let asked = ["description", "prompt", "objective", "task"]
        .iter()
        .find_map(|key| call.input.get(key)?.as_str())
        .and_then(|asked| asked.lines().find(|line| !line.trim().is_empty()))
        .unwrap_or_default();
    finding(&call.output.as_ref()?.text, asked)
}

/// A subagent's report. The tool's and the subagent's own copy are one fact.
fn finding(report: &str, asked: &str) -> Option<Fact> {
    let report: String = report.trim().chars().take(MAX_FINDING).collect();
    (report.chars().count() > 20).then(|| Fact::new(Category::Finding, 2, report).detail(asked.trim()))
}

/// The command that an event reports as failed: its error's key and text.
pub(crate) fn failed_command(event: &Event) -> Option<(String, String)> {
    // A subagent's repetitions don't concern the agent.
    if event.subagent || !matches!(event.kind, EventKind::PostTool | EventKind::PostToolFailure) {
        return None;
    }
    let call = event.tool.as_ref()?;
    let one =
        matches!(&call.kind, ToolKind::Shell { .. }) || call.kind == ToolKind::Ours("execute".to_owned());
    if !one {
        return None;
    }
    let error = |event: &Event| {
        let call = event.tool.as_ref()?;
        tool_facts(event, call).into_iter().find(|fact| fact.category == Category::Error)
    };
    // Most commands succeed, and looking for secrets in a long output takes longer than all else here.
    error(event)?;
    error(&without_secrets(event)).map(|error| (error.key, error.text))
}
