//! Enriches one memory with tags, layout and origin: by rules, plus a model's tags where one is configured. Never
//! changes its words.

use serde_json::json;

use super::context::ActionContext;
use super::failure::Failure;
use super::files::tell_file;
use crate::domain::{Memory, Status};
use crate::graph::{EntityKind, extract};
use crate::store::{Change, Store};

/// Arguments of an enrichment.
#[derive(Debug, Clone)]
pub struct Enrich {
    /// Whether to add tags.
    pub tags: bool,
    /// Whether to tidy the layout.
    pub structure: bool,
    /// Whether to add where it comes from.
    pub context: bool,
    /// Report the changes without making them.
    pub dry_run: bool,
}

impl Default for Enrich {
    fn default() -> Self {
        Self { tags: true, structure: true, context: false, dry_run: false }
    }
}

/// Maximum number of added tags.
const MAX_NEW_TAGS: usize = 5;

/// Adds tags, layout and origin to a memory without changing its words.
///
/// # Errors
/// [`Failure`].
pub fn enrich(context: &ActionContext, address: &str, given: &Enrich) -> super::Reply {
    let store = context
        .reader()?
        .ok_or_else(|| Failure::not_found(-32604, format!("no memory has the id {address}")))?;
    let memory = context.find(&store, address)?;
    drop(store);
    let mut changes = json!({});
    let mut change = Change { expected: Some(memory.version), ..Change::default() };
    if given.tags {
        let mut new = suggested_tags(&memory);
        match super::models::tags(context, &memory.content) {
            None => {}
            Some(Ok(more)) => {
                let known =
                    |tag: &String| memory.tags.iter().chain(&new).any(|one| one.eq_ignore_ascii_case(tag));
                let more: Vec<String> = more.into_iter().filter(|tag| !known(tag)).collect();
                new.extend(more);
                new.truncate(MAX_NEW_TAGS);
                changes["method"] = "rules and model".into();
            }
            Some(Err(why)) => changes["model"] = why.into(),
        }
        changes["tags_added"] = new.clone().into();
        if !new.is_empty() {
            change.tags = Some(memory.tags.iter().cloned().chain(new).collect());
        }
    }
    let mut content = memory.content.clone();
    if given.structure {
        content = tidied(&content);
        changes["structure_improved"] = (content != memory.content).into();
    }
    if given.context {
        let context = origin_line(&memory);
        if !context.is_empty() && !content.contains(&context) {
            content = format!("{}\n\n{context}", content.trim_end());
            changes["context_added"] = context.into();
        }
    }
    if content != memory.content {
        change.content = Some(content);
    }
    if given.dry_run {
        return Ok(json!({"memory_id": memory.id, "changes": changes, "dry_run": true}));
    }
    if change.tags.is_some() || change.content.is_some() {
        if memory.status == Status::Tombstoned {
            return Err(crate::store::StoreError::Forgotten(memory.id).into());
        }
        let after = context.writer()?.update(&memory.id, &change.check(context.secrets)?, &context.who)?;
        let mut out = json!({"memory_id": memory.id, "changes": changes});
        tell_file(context, &memory, &after, &mut out);
        return Ok(out);
    }
    Ok(json!({"memory_id": memory.id, "changes": changes}))
}

/// Tags for the technologies, organisations and file types that it mentions and isn't tagged with yet.
fn suggested_tags(memory: &Memory) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for entity in extract(&memory.content).entities {
        let fits = matches!(entity.kind, EntityKind::Technology | EntityKind::Organization)
            && entity.confidence >= 0.7;
        let tag: String = entity.name.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
        let known = memory.tags.iter().chain(&out).any(|known| known.eq_ignore_ascii_case(&tag));
        if fits && !known && !tag.contains(',') && out.len() < MAX_NEW_TAGS {
            out.push(tag);
        }
    }
    out
}

/// The same words without trailing white space and repeated blank lines, with one list marker. Code stays as it is.
fn tidied(content: &str) -> String {
    let mut out = String::with_capacity(content.len());
    let mut empty = 0;
    let mut fence: Option<(char, usize)> = None;
    for line in content.lines() {
        let start = line.trim_start();
        let is_code = fence.is_some();
        fence = match (fence, fence_mark(start)) {
            // Code within a line (```x```) opens no block.
            (None, Some((mark, count, rest))) if mark == '~' || !rest.contains('`') => Some((mark, count)),
            // A block may contain shorter marks, and such with a language behind.
            (Some((open, length)), Some((mark, count, rest)))
                if mark == open && count >= length && rest.trim().is_empty() =>
            {
                None
            }
            (same, _) => same,
        };
        if is_code {
            out.push('\n');
            out.push_str(line);
            continue;
        }
        let line = line.trim_end();
        if line.is_empty() {
            empty += 1;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if empty > 0 { "\n\n" } else { "\n" });
        }
        empty = 0;
        match start.strip_prefix("* ").or_else(|| start.strip_prefix("• ")) {
            Some(point) => {
                out.push_str(&line[..line.len() - start.trim_end().len()]);
                out.push_str("- ");
                out.push_str(point.trim_end());
            }
            None => out.push_str(line),
        }
    }
    out
}

/// The mark of a block of code that a line begins with: its character, how many there are, and what comes behind them.
fn fence_mark(line: &str) -> Option<(char, usize, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let count = line.len() - rest.len();
    (count >= 3).then_some((mark, count, rest))
}

/// One line that states where a memory comes from.
fn origin_line(memory: &Memory) -> String {
    let mut printed = Vec::new();
    if let Some(file) = &memory.file {
        printed.push(format!("about {file}"));
    }
    if let Some(branch) = memory.branch.as_deref().filter(|branch| !matches!(*branch, "main" | "master")) {
        printed.push(format!("on the branch {branch}"));
    }
    if let Some(source) = memory.source.as_ref().filter(|source| memory.file.as_ref() != Some(*source)) {
        printed.push(format!("from {source}"));
    }
    let day = &crate::domain::iso(memory.created_ms)[..10];
    printed.push(format!("noted on {day}"));
    format!("Context: {}.", printed.join(", "))
}
