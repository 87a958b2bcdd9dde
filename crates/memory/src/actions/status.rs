//! What is remembered here, with what is wrong with it.

use serde_json::{Value, json};

use super::context::ActionContext;
use super::files::shared_problems;
use super::read;

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
    let problems: Vec<Value> = shared_problems(context).into_iter().map(problem).collect();
    if !problems.is_empty() {
        out["shared"] = json!({"problems": problems});
    }
    Ok(out)
}
