//! The keys of the project at hand: which others are the same project, and how you join and separate them.

use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use crate::domain::quoted_beginning;
use crate::query::ProjectKeys;

fn keys_at(context: &ActionContext) -> Result<ProjectKeys, Failure> {
    context.keys().ok_or_else(|| Failure::invalid("there is no project here; run it in a project's folder"))
}

/// The project's keys, each with its number of memories.
///
/// # Errors
/// [`Failure`] outside any project.
pub fn identity(context: &ActionContext) -> super::Reply {
    let keys = keys_at(context)?;
    let known = match context.reader()? {
        Some(store) => store.projects()?,
        None => Vec::new(),
    };
    let count = |key: &str| known.iter().find(|(project, _)| project == key).map_or(0, |(_, count)| *count);
    let also: Vec<Value> = keys
        .earlier()
        .iter()
        .map(|key| json!({"project": key, "memories": count(key), "undo": undo(key)}))
        .collect();
    Ok(json!({"project_id": keys.here(), "memories": count(keys.here()), "also": also}))
}

/// The part of the status; `None` if the project has one key only.
pub(super) fn status(context: &ActionContext) -> Option<Value> {
    let keys = context.keys()?.earlier();
    let first = keys.first()?;
    Some(json!({"also": keys, "undo": undo(first)}))
}

fn undo(key: &str) -> String {
    format!("plimsoll memory identity separate {key}")
}

/// Makes the memories of another key this project's as well, such as those from before a remote was renamed.
///
/// # Errors
/// [`Failure`] if nothing is known under that key.
pub fn join(context: &ActionContext, key: &str) -> super::Reply {
    let keys = keys_at(context)?;
    let known = match context.reader()? {
        Some(store) => store.projects()?,
        None => Vec::new(),
    };
    if key == keys.here() || !known.iter().any(|(project, _)| project == key) {
        let others: Vec<&str> = known
            .iter()
            .map(|(project, _)| project.as_str())
            .filter(|project| *project != keys.here())
            .collect();
        return Err(Failure::invalid(format!(
            "\"{}\" isn't another project with memories; {}",
            quoted_beginning(key),
            if others.is_empty() {
                "no other project has any".to_owned()
            } else {
                format!("the others are {}", others.join(", "))
            }
        )));
    }
    context.writer()?.set_same_project(key, &[keys.here().to_owned()], false, context.who.at_ms)?;
    Ok(json!({"project_id": keys.here(), "joined": key, "undo": undo(key)}))
}

/// Separates another key from this project. Its memories stay under that key, and what was captured here stays here.
///
/// # Errors
/// [`Failure`] if it isn't one of this project's other keys.
pub fn separate(context: &ActionContext, key: &str) -> super::Reply {
    let keys = keys_at(context)?;
    if key == keys.here() || !keys.contains(key) {
        return Err(Failure::invalid(format!(
            "\"{}\" isn't another name of this project; `plimsoll memory identity` lists them",
            quoted_beginning(key)
        )));
    }
    let others: Vec<String> = keys.all().filter(|other| *other != key).map(str::to_owned).collect();
    context.writer()?.set_same_project(key, &others, true, context.who.at_ms)?;
    let again = format!("plimsoll memory identity join {key}");
    Ok(json!({"project_id": keys.here(), "separated": key, "undo": again}))
}
