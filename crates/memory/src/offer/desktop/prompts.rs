//! Saved prompts for the window: the list with every text, saving, deleting, and how a text reads while it is typed.

use contract::Error;
use contract::desktop::Nothing;
use serde_json::{Map, Value};

use super::graph_shapes::{
    MemoryPrompt, MemoryPrompts, PromptDraft, PromptPreview, PromptRef, PromptVariable, SavePrompt,
};
use super::place::{Place, failed, refused};
use super::shapes::InProject;
use crate::actions::{self, OfPrompt};
use crate::prompts::{Kind, Output, Saved, Template, Variable};

fn shown(saved: Saved) -> MemoryPrompt {
    MemoryPrompt {
        name: saved.name,
        scope: saved.domain.as_str().to_owned(),
        version: saved.version,
        description: saved.description.unwrap_or_default(),
        content: saved.content,
        variables: saved
            .variables
            .into_iter()
            .map(|one| PromptVariable {
                name: one.name,
                description: one.description,
                default: one.default,
                required: one.required,
            })
            .collect(),
        created_ms: saved.created_ms,
    }
}

/// What is saved.
pub(super) fn list(place: &Place, asked: InProject) -> Result<MemoryPrompts, Error> {
    let desk = place.desk(&asked.project);
    let rows = match desk.reader().map_err(refused)? {
        Some(store) => store.prompts(&desk.scope(), Kind::Prompt).map_err(failed)?,
        None => Vec::new(),
    };
    Ok(MemoryPrompts { rows: rows.into_iter().map(shown).collect() })
}

/// Saves one, or a new version of it.
pub(super) fn save(place: &Place, asked: SavePrompt) -> Result<MemoryPrompt, Error> {
    let SavePrompt { project, prompt } = asked;
    let places = Template::parse(&prompt.content).map(|template| template.names()).unwrap_or_default();
    let printed = |text: Option<&String>| text.filter(|text| !text.trim().is_empty()).cloned();
    let given = OfPrompt {
        name: prompt.name.clone(),
        content: Some(prompt.content.clone()),
        description: printed(Some(&prompt.description)),
        domain: Some(prompt.scope.clone()).filter(|scope| !scope.is_empty()),
        // What was said of a place that is no longer in the text is let go with it.
        variables_def: prompt
            .variables
            .iter()
            .filter(|one| places.contains(&one.name))
            .map(|one| Variable {
                name: one.name.clone(),
                description: printed(one.description.as_ref()),
                default: printed(one.default.as_ref()),
                required: one.required,
            })
            .collect(),
        ..OfPrompt::default()
    };
    let desk = place.desk(&project);
    let reply = actions::save_prompt(&desk, Kind::Prompt, &given).map_err(refused)?;
    let version =
        reply["version"].as_u64().and_then(|version| u32::try_from(version).ok()).unwrap_or_default();
    Ok(MemoryPrompt { version, created_ms: place.now_ms(), ..prompt })
}

/// Deletes one with all its versions.
pub(super) fn delete(place: &Place, asked: PromptRef) -> Result<Nothing, Error> {
    let given = OfPrompt { name: asked.name, domain: Some(asked.scope), ..OfPrompt::default() };
    actions::delete_prompt(&place.desk(&asked.project), Kind::Prompt, &given).map_err(refused)?;
    Ok(Nothing {})
}

/// How a text reads with these values. Nothing is stored.
pub(super) fn preview(_: &Place, draft: PromptDraft) -> Result<PromptPreview, Error> {
    let template = match Template::parse(&draft.content) {
        Ok(template) => template,
        Err(error) => {
            return Ok(PromptPreview { problem: Some(error.to_string()), ..PromptPreview::default() });
        }
    };
    let places = template.names();
    let values: Map<String, Value> = places
        .iter()
        .map(|name| {
            let value = draft.values.get(name).filter(|value| !value.is_empty());
            (name.clone(), value.cloned().unwrap_or_else(|| format!("{{{{{name}}}}}")).into())
        })
        .collect();
    Ok(PromptPreview { text: template.fill(&values, Output::Plain), places, problem: None })
}
