//! Exports memories: as JSON that can be imported again, as Markdown, or as CSV.

use serde_json::{Value, json};

use super::front_matter::markdown;
use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::actions::reply_json::full_memory;
use crate::domain::{Memory, iso};
use crate::store::{Page, Store};

/// Maximum number of exported memories.
const MAX_MEMORIES: usize = 100_000;

/// Exports everything that matches a filter as one text.
///
/// # Errors
/// [`Failure`].
pub fn export(context: &ActionContext, filter: &str, format: &str) -> crate::actions::Reply {
    let selection = context.selection(filter)?;
    let mut memories = match context.reader()? {
        Some(store) => store.list(&selection, Page { offset: 0, limit: MAX_MEMORIES })?.memories,
        None => Vec::new(),
    };
    // Oldest first, so that an import restores the order.
    memories.reverse();
    let content = match format.trim().to_ascii_lowercase().as_str() {
        "json" | "" => {
            let all: Vec<Value> = memories.iter().map(|memory| Value::Object(full_memory(memory))).collect();
            let mut text = serde_json::to_string_pretty(&json!({"plimsoll_memories": 1, "memories": all}))
                .unwrap_or_default();
            text.push('\n');
            text
        }
        "markdown" | "md" => memories.iter().map(markdown).collect::<Vec<_>>().join("\n"),
        "csv" => csv(&memories),
        other => {
            return Err(Failure::invalid(format!(
                "format {other:?} is unknown; allowed: json, markdown, csv"
            )));
        }
    };
    Ok(json!({"count": memories.len(), "content": content}))
}

fn csv(memories: &[Memory]) -> String {
    let mut out =
        String::from("id,namespace,domain,status,trust,created_at,tags,project,branch,source,content\n");
    for memory in memories {
        let tags = memory.tags.join(" ");
        let created = iso(memory.created_ms);
        let cells = [
            memory.id.as_str(),
            memory.namespace.as_str(),
            memory.domain.as_str(),
            memory.status.as_str(),
            memory.trust.as_str(),
            &created,
            &tags,
            memory.project.as_deref().unwrap_or_default(),
            memory.branch.as_deref().unwrap_or_default(),
            memory.source.as_deref().unwrap_or_default(),
            &memory.content,
        ];
        let cells: Vec<String> = cells.into_iter().map(cell).collect();
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

/// A cell. Spreadsheet programs run cells that begin like a formula, so those get a mark in front.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) || formula {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
