//! Copies of the database that were kept when it was found damaged. What is removed for good later is still in them, so
//! whoever removes it is told of them, and the user can delete them.

use contract::ErrorCode;
use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;

/// A removal's reply with the copies that may still have what is removed, and how to delete them.
pub fn with_damaged_copies(context: &ActionContext, mut out: Value) -> Value {
    let copies: Vec<String> = home::damaged_copies(&context.database)
        .iter()
        .map(|copy| copy.to_string_lossy().into_owned())
        .collect();
    if copies.is_empty() {
        return out;
    }
    let way = context.in_words_of_caller(
        "`plimsoll memory gc --damaged-copies` deletes them",
        "only the user deletes them, with `plimsoll memory gc --damaged-copies`",
    );
    let note = format!(
        "the copies that were kept when the database was damaged may still have what is removed for good; {way}"
    );
    out["damaged_copies"] = copies.into();
    out["note"] = match out["note"].as_str() {
        Some(there) => format!("{there}; {note}").into(),
        None => note.into(),
    };
    out
}

/// Deletes the copies, or shows which.
///
/// # Errors
/// [`Failure`] for an agent, because with a copy goes what couldn't be salvaged; and if one can't be deleted.
pub(super) fn delete(context: &ActionContext, dry_run: bool) -> super::Reply {
    if context.who.client.is_some() {
        return Err(Failure {
            code: ErrorCode::Denied,
            ..Failure::unusable(
                "only the user deletes copies of a damaged database: `plimsoll memory gc --damaged-copies` in a terminal",
            )
        });
    }
    let (mut deleted, mut problems) = (Vec::new(), Vec::new());
    for copy in home::damaged_copies(&context.database) {
        let name = copy.to_string_lossy().into_owned();
        let done = if dry_run { Ok(()) } else { home::remove_damaged_copy(&copy) };
        match done {
            Ok(()) => deleted.push(name),
            Err(error) => problems.push(home::file_problem(copy.as_path(), &error).to_string()),
        }
    }
    if let Some(first) = problems.first() {
        let total = deleted.len() + problems.len();
        return Err(Failure {
            code: ErrorCode::Storage,
            ..Failure::unusable(format!("{} of {total} copies were deleted; {first}", deleted.len()))
        });
    }
    Ok(json!({"total": deleted.len(), "damaged_copies": deleted, "dry_run": dry_run}))
}
