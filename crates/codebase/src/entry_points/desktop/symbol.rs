//! Window commands about a name: its uses, its decision card, both as text for an agent; and the review of current changes. The
//! worker runs before the index is locked, so that typing isn't delayed.

use std::fmt::Write as _;
use std::sync::Arc;

use code::decision_card::{Evidence, Followed, card as decided};
use code::role::Role;
use contract::{Error, ErrorCode};
use home::Project;
use serde_json::Value;
use system::{Remembered, Subject};
use text::tokens_estimate;

use super::browse;
use super::types::{
    CodeCard, CodeDefinition, CodeFollowed, CodeIn, CodeName, CodeReached, CodeReferences, CodeRemembered,
    CodeSpot, CodeText, CodeUse,
};
use super::window::Window;
use crate::actions::{self, Intent, SearchRequest, Uses, gather_evidence};
use crate::messages;
use crate::servers::AvailableServers;

/// More uses are never sent.
const USES: usize = 500;
/// The number of lines of code and of uses in a text to copy.
const LINES: u32 = 160;
const NAMED: usize = 30;

/// The uses of a name.
pub(super) fn references(window: &Window, asked: CodeName) -> Result<CodeReferences, Error> {
    let uses = Uses { symbol: asked.symbol, limit: Some(USES), ..Uses::default() };
    window.on(&window.place(&asked.project)?, |index| {
        let found = actions::references(index, &uses, &AvailableServers::default())?.data;
        let list = |key: &str| found[key].as_array().cloned().unwrap_or_default();
        let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
        let line = |one: &Value| u32::try_from(one["line"].as_u64().unwrap_or(0)).unwrap_or(0);
        let test = |path: &str| index.file(path).is_some_and(|file| file.role.is(Role::TEST));
        let definition = |one: &Value| CodeDefinition {
            path: text(one, "file"),
            line: line(one),
            signature: text(one, "signature"),
        };
        let usage = |one: &Value| CodeUse {
            path: text(one, "file"),
            line: line(one),
            text: text(one, "preview").trim().chars().take(300).collect(),
            confidence: text(one, "confidence"),
            role: text(one, "role"),
            inside: one["inside"].as_str().map(str::to_owned),
            test: test(&text(one, "file")),
        };
        Ok(CodeReferences {
            definitions: list("definitions").iter().map(definition).collect(),
            uses: list("usages").iter().map(usage).collect(),
            total: found["usageCount"].as_u64().unwrap_or(0),
            unread: list("unread").iter().filter_map(|one| one.as_str().map(str::to_owned)).collect(),
        })
    })
}

/// The decision card of a name.
pub(super) fn card(window: &Window, asked: CodeName) -> Result<CodeCard, Error> {
    let find = SearchRequest { query: asked.symbol, intent: Intent::Edit, ..SearchRequest::default() };
    let project = Project::at(&asked.project).ok();
    let remember = |subject: &Subject| {
        let subject = Subject { project: project.clone(), ..subject.clone() };
        Arc::clone(&window.host).remembered(&window.call, &subject, actions::SHOWN_MEMORIES)
    };
    let place = window.place(&asked.project)?;
    let (mut evidence, memories) = window.on(&place, |index| gather_evidence(index, &find, &remember))?;
    // The window lists all callers beside the card.
    evidence.shown.extend(evidence.callers.iter().cloned());
    Ok(card_view(&evidence, &memories))
}

fn card_view(evidence: &Evidence, memories: &[Remembered]) -> CodeCard {
    let card = decided(evidence);
    let reached = card.impact.map(|impact| impact.details).unwrap_or_default();
    let (name, file) = evidence.definition.clone().unzip();
    CodeCard {
        ready: card.ready,
        abstain: card.abstain,
        name,
        file,
        fresh: evidence.fresh,
        same_name: evidence.same_name as u64,
        callers: evidence.callers.len() as u64,
        tests: evidence.tests.iter().take(NAMED).cloned().collect(),
        in_circle: evidence.in_circle,
        preferred: evidence.preferred.iter().map(followed).collect(),
        avoided: evidence.avoided.iter().map(followed).collect(),
        conflicts: evidence.conflicts.clone(),
        example: evidence.best_example.clone(),
        reached: reached
            .into_iter()
            .map(|one| CodeReached { file: one.file, hop: one.hop, line: one.line })
            .collect(),
        remembered: memories.iter().map(remembered).collect(),
    }
}

fn remembered(memory: &Remembered) -> CodeRemembered {
    CodeRemembered {
        id: memory.address.rsplit('/').next().unwrap_or_default().to_owned(),
        kind: memory.kind.to_owned(),
        text: memory.text.clone(),
        written_ms: memory.written_ms,
        stale: memory.stale,
    }
}

fn followed(way: &Followed) -> CodeFollowed {
    CodeFollowed {
        category: way.category.clone(),
        name: way.name.clone(),
        share: way.share,
        trend: way.trend.map(|trend| trend.name().to_owned()),
    }
}

/// The code with its users, as a text to give to an agent; secrets are removed.
pub(super) fn context(window: &Window, asked: CodeName) -> Result<CodeText, Error> {
    let spot = CodeSpot {
        project: asked.project.clone(),
        path: asked.path.clone(),
        start: asked.start,
        end: asked.end.min(asked.start.saturating_add(LINES)),
    };
    let preview = browse::preview(window, spot)?;
    let code = preview.lines.join("\n");
    // The fence is longer than any in the code, so that the code can't end it.
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let last = preview.first as usize + preview.lines.len().saturating_sub(1);
    let mut out = format!(
        "{}:{}-{last}{}\n\n{fence}{}\n{code}\n{fence}\n",
        preview.path,
        preview.first,
        if asked.symbol.is_empty() { String::new() } else { format!(" ({})", asked.symbol) },
        preview.language
    );
    if !asked.symbol.is_empty() {
        let found = references(window, asked)?;
        if !found.uses.is_empty() {
            let _ = write!(out, "\nUsed in {}:\n", contract::count(found.total, "place"));
        }
        for one in found.uses.iter().take(NAMED) {
            let _ = writeln!(out, "- {}:{} ({})", one.path, one.line, one.confidence.replace('_', " "));
        }
    }
    let text = text::redact(&out).into_owned();
    Ok(CodeText { tokens: tokens_estimate(text.len()) as u64, text })
}

/// The review packet of the branch's changes, as Markdown.
pub(super) fn review(window: &Window, asked: CodeIn) -> Result<CodeText, Error> {
    let place = window.place(&asked.project)?;
    if home::git_root(&place.root).is_none() {
        return Err(Error::new(ErrorCode::NotAvailable, messages::no_git(place.root.display())));
    }
    let lines = window.on(&place, |index| Ok(actions::review(index, None)?.lines))?;
    let text = text::redact(&lines.join("\n")).into_owned();
    Ok(CodeText { tokens: tokens_estimate(text.len()) as u64, text })
}
