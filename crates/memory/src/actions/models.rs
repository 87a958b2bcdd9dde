//! A language model's part in actions, where `[memory.model]` names one: tags, entities, relations, summaries. If the
//! model fails, the rules' result is used and the reply says why; only a summary is impossible without it.

use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use crate::domain::Memory;
use crate::graph::{Entity, Extracted};
use crate::model::{self, InferredRelation, MentioningText, Model, ModelError};

/// Tags for a text; `None` without a model, the error's text if the model fails.
pub(super) fn tags(context: &ActionContext, content: &str) -> Option<Result<Vec<String>, String>> {
    ask_model(context, |model| model::tags(model, &context.sampling, content))
}

/// The entities and relations in a text.
pub(super) fn entities(context: &ActionContext, content: &str) -> Option<Result<Extracted, String>> {
    ask_model(context, |model| model::entities(model, &context.sampling, content))
}

/// Relations between these entities in the texts that mention them. Without a text, the model isn't asked.
pub(super) fn relations(
    context: &ActionContext,
    between: &[&Entity],
    texts: &[MentioningText<'_>],
) -> Option<Result<Vec<InferredRelation>, String>> {
    if texts.is_empty() {
        return None;
    }
    ask_model(context, |model| model::relations(model, &context.sampling, between, texts))
}

fn ask_model<T>(
    context: &ActionContext,
    work: impl Fn(&Model) -> Result<T, ModelError>,
) -> Option<Result<T, String>> {
    let model = context.model.as_ref()?.as_ref().map_err(Clone::clone);
    Some(model.and_then(work).map_err(|error| format!("not used, rules alone worked: {error}")))
}

/// The model, for an action that requires one.
///
/// # Errors
/// [`Failure`] that names what is missing.
pub(super) fn required_model(context: &ActionContext) -> Result<&Model, Failure> {
    match &context.model {
        Some(Ok(model)) => Ok(model),
        Some(Err(error)) => Err(error.clone().into()),
        None => Err(Failure::needs_model(
            "strategy \"summarize\" needs a language model, and none is set: `plimsoll settings set memory.model.provider` takes agent, \
             anthropic, openai, ollama or lmstudio; or use merge, which keeps every statement, or write the summary yourself and capture \
             it with supersedes",
        )),
    }
}

/// A summary of several memories.
///
/// # Errors
/// [`Failure`] without a model, or if the model gives no summary.
pub(super) fn summary(context: &ActionContext, of: &[&Memory]) -> Result<String, Failure> {
    let texts: Vec<&str> = of.iter().map(|memory| memory.content.as_str()).collect();
    Ok(model::summary(required_model(context)?, &context.sampling, &texts)?)
}

/// The model's part in `status`; `None` without one.
pub(super) fn status(context: &ActionContext) -> Option<Value> {
    Some(match context.model.as_ref()? {
        Ok(model) => model.state(&context.sampling),
        Err(error) => json!({"problem": error.to_string()}),
    })
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::needs_model(error.to_string())
    }
}
