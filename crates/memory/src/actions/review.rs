//! The review queue: lists automatically captured memories, and keeps or drops them.

use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use crate::domain::Status;
use crate::store::{Page, Store};

/// Lists the memories that wait for review, newest first.
///
/// # Errors
/// [`Failure`].
pub fn review(context: &ActionContext, limit: Option<usize>, offset: Option<usize>) -> super::Reply {
    context.require_user("what waits for a review")?;
    let mut selection = context.selection("status:pending")?;
    selection.now_ms = context.who.at_ms;
    let Some(store) = context.reader()? else { return Ok(json!({"pending": [], "total": 0})) };
    let page = Page { offset: offset.unwrap_or(0), limit: limit.unwrap_or(20).clamp(1, 200) };
    let listed = store.list(&selection, page)?;
    let shown: Vec<Value> =
        listed.memories.iter().map(|memory| Value::Object(super::reply_json::full_memory(memory))).collect();
    let end = page.offset.saturating_add(shown.len());
    let mut out = json!({"pending": shown, "total": listed.total});
    if !listed.memories.is_empty() && (end as u64) < listed.total {
        out["next_offset"] = end.into();
    }
    Ok(out)
}

/// Keeps or drops a memory that waits for review.
///
/// # Errors
/// [`Failure`], also if the memory doesn't wait for review.
pub fn decide_review(context: &ActionContext, address: &str, keep: bool) -> super::Reply {
    context.require_user("what waits for a review")?;
    let mut store = super::read::open_to_change(context, address)?;
    let memory = context.find(&store, address)?;
    if memory.status != Status::Pending {
        return Err(Failure::unusable(format!(
            "the memory {} does not wait for a review: it is {}",
            memory.id,
            memory.status.as_str()
        )));
    }
    let status = if keep { Status::Active } else { Status::Tombstoned };
    let memory = store.set_status(&memory.id, status, &context.who)?;
    let mut out = json!({"id": memory.id, "urn": memory.urn(), "status": memory.status.as_str()});
    super::files::share_new(context, &memory, &mut out);
    Ok(out)
}
