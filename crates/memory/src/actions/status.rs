//! The stored memories and their problems.

use serde_json::{Value, json};

use super::context::ActionContext;
use super::files::shared_problems;
use super::read;
use super::shared_folder::FOLDER as SHARED_FOLDER;

/// The number of shared files that can't be read that a status names: an agent reads it, and a repository may have
/// thousands.
const MAX_PROBLEMS: usize = 20;

/// The repository, the project's other names, the storage and its statistics, and shared files that can't be read.
///
/// # Errors
/// [`Failure`](super::Failure).
pub fn status(context: &ActionContext) -> super::Reply {
    let mut out = read::status(context)?;
    if let Some(identity) = super::identity::status(context) {
        out["identity"] = identity;
    }
    let problem = |(file, problem): (String, String)| json!({"file": file, "problem": problem});
    let all = shared_problems(context);
    let more = all.len().saturating_sub(MAX_PROBLEMS);
    let mut problems: Vec<Value> = all.into_iter().take(MAX_PROBLEMS).map(problem).collect();
    if more > 0 {
        problems.push(json!({"file": SHARED_FOLDER, "problem": format!("{more} more files can't be read")}));
    }
    if !problems.is_empty() {
        out["shared"] = json!({"problems": problems});
    }
    Ok(out)
}
