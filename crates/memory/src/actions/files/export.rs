//! Exports memories as JSON, Markdown or CSV. Each can be imported again and restores everything but ids, versions and
//! who captured what: `exported_markdown` and `csv` say how their formats keep texts apart.

use serde_json::{Value, json};

use super::csv::table;
use super::exported::Exported;
use super::exported_markdown;
use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::actions::read::open_existing;
use crate::domain::{LinkKind, UnknownName};
use crate::store::{Page, SqliteStore, Store};

/// The number of memories read at once.
const PAGE: usize = 10_000;

/// Exports everything that matches a filter as one text.
///
/// # Errors
/// [`Failure`].
pub fn export(context: &ActionContext, filter: &str, format: &str) -> crate::actions::Reply {
    let memories = selected(context, filter)?;
    let content = match format.trim().to_ascii_lowercase().as_str() {
        "json" | "" => {
            let all: Vec<Value> = memories.iter().map(Exported::json).collect();
            let mut text = serde_json::to_string_pretty(&json!({"plimsoll_memories": 1, "memories": all}))
                .unwrap_or_default();
            text.push('\n');
            text
        }
        "markdown" | "md" => exported_markdown::write(&memories),
        "csv" => table(&memories),
        other => {
            return Err(Failure::invalid(format!(
                "format {:?} is unknown; allowed: json, markdown, csv",
                UnknownName::shortened(other)
            )));
        }
    };
    Ok(json!({"count": memories.len(), "content": content}))
}

/// One memory as in a Markdown export: its properties, then its text.
///
/// # Errors
/// [`Failure`].
pub fn read_text(context: &ActionContext, address: &str) -> Result<String, Failure> {
    let store = open_existing(context, address)?;
    let memory = context.find(&store, address)?;
    Ok(exported_markdown::write(&[Exported { links: own_links(&store, &memory.id)?, memory }]))
}

fn own_links(store: &SqliteStore, id: &str) -> Result<Vec<(LinkKind, String)>, Failure> {
    let own = store.links(id)?.into_iter().filter(|link| link.from == id);
    Ok(own.map(|link| (link.kind, link.to)).collect())
}

/// The memories that match, oldest first, so that an import restores the order.
fn selected(context: &ActionContext, filter: &str) -> Result<Vec<Exported>, Failure> {
    let selection = context.selection(filter)?;
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    // A memory that is captured meanwhile moves no page, which would repeat one memory or leave one out.
    store.hold_view()?;
    let mut memories = Vec::new();
    loop {
        let page = store.list(&selection, Page { offset: memories.len(), limit: PAGE })?.memories;
        let last = page.len() < PAGE;
        memories.extend(page);
        if last {
            break;
        }
    }
    memories.reverse();
    memories
        .into_iter()
        .map(|memory| Ok(Exported { links: own_links(&store, &memory.id)?, memory }))
        .collect()
}
