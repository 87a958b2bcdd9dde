//! What a language model adds to actions, where `[memory.model]` names one: tags, entities, summaries. Where it fails, rules alone have
//! worked and the reply says why; only a summary can't be had without it.

use serde_json::{Value, json};

use super::desk::Desk;
use super::failure::Failure;
use crate::domain::Memory;
use crate::graph::Extracted;
use crate::model::{self, Model, ModelError};

/// Tags of a text; `None` where no model is set up, an error in words where it failed.
pub(super) fn tags(desk: &Desk, content: &str) -> Option<Result<Vec<String>, String>> {
    with(desk, |model| model::tags(model, &desk.sampling, content))
}

/// What a text speaks of.
pub(super) fn entities(desk: &Desk, content: &str) -> Option<Result<Extracted, String>> {
    with(desk, |model| model::entities(model, &desk.sampling, content))
}

fn with<T>(desk: &Desk, work: impl Fn(&Model) -> Result<T, ModelError>) -> Option<Result<T, String>> {
    let model = desk.model.as_ref()?.as_ref().map_err(Clone::clone);
    Some(model.and_then(work).map_err(|error| format!("not used, rules alone worked: {error}")))
}

/// The model that an action can't do without.
///
/// # Errors
/// [`Failure`], with what is missing.
pub(super) fn needed(desk: &Desk) -> Result<&Model, Failure> {
    match &desk.model {
        Some(Ok(model)) => Ok(model),
        Some(Err(error)) => Err(error.clone().into()),
        None => Err(Failure::needs_model(
            "strategy \"summarize\" needs a language model, and none is set: `plimsoll settings set memory.model.provider` takes agent, \
             anthropic, openai, ollama or lmstudio; or use merge, which keeps every statement, or write the summary yourself and capture \
             it with supersedes",
        )),
    }
}

/// What several memories say, in one text.
///
/// # Errors
/// [`Failure`]; without a model, and where it doesn't give one.
pub(super) fn summary(desk: &Desk, of: &[&Memory]) -> Result<String, Failure> {
    let texts: Vec<&str> = of.iter().map(|memory| memory.content.as_str()).collect();
    Ok(model::summary(needed(desk)?, &desk.sampling, &texts)?)
}

/// What `status` says of the model; nothing where none is set up.
pub(super) fn status(desk: &Desk) -> Option<Value> {
    Some(match desk.model.as_ref()? {
        Ok(model) => model.state(&desk.sampling),
        Err(error) => json!({"problem": error.to_string()}),
    })
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::needs_model(error.to_string())
    }
}
