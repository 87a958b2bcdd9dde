//! Prompts and templates in the window: list, versions, save, delete, restore, and a preview while the user types.

use contract::desktop::Nothing;
use contract::{Error, LowerError as _};
use serde_json::{Map, Value};

use super::prompt_types::{
    MemoryPrompt, MemoryPrompts, PromptDraft, PromptPreview, PromptRef, PromptVariable, RestorePrompt,
    SavePrompt,
};
use super::types::InProject;
use super::window_context::{WindowContext, action_error, store_error};
use crate::actions::{self, ActionContext, PromptArgs};
use crate::domain::Domain;
use crate::prompts::{Kind, Output, Saved, Template, Variable, list_of};

fn kind(word: &str) -> Kind {
    if word == Kind::Template.as_str() { Kind::Template } else { Kind::Prompt }
}

fn domain(word: &str) -> Result<Domain, Error> {
    Domain::parse(word).map_err(|error| Error::invalid(error.message()))
}

/// The text, if it isn't blank.
fn text(text: &str) -> Option<String> {
    Some(text).filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn prompt_row(saved: Saved) -> MemoryPrompt {
    MemoryPrompt {
        kind: saved.kind.as_str().to_owned(),
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
        tags: saved.tags,
        format: saved.format.unwrap_or_default(),
        created_ms: saved.created_ms,
    }
}

fn variables(of: &[PromptVariable]) -> Vec<Variable> {
    let variable = |one: &PromptVariable| Variable {
        name: one.name.clone(),
        description: one.description.as_deref().and_then(text),
        default: one.default.as_deref().and_then(text),
        required: one.required,
    };
    of.iter().map(variable).collect()
}

/// The saved texts: prompts, then templates.
pub(super) fn list(window: &WindowContext, asked: InProject) -> Result<MemoryPrompts, Error> {
    let context = window.context(&asked.project);
    let Some(store) = context.reader().map_err(action_error)? else { return Ok(MemoryPrompts::default()) };
    let mut rows = store.prompts(&context.scope(), Kind::Prompt).map_err(store_error)?;
    rows.extend(store.prompts(&context.scope(), Kind::Template).map_err(store_error)?);
    Ok(MemoryPrompts { rows: rows.into_iter().map(prompt_row).collect() })
}

/// Every version of a text, newest first.
pub(super) fn versions(window: &WindowContext, asked: PromptRef) -> Result<MemoryPrompts, Error> {
    every_version(&window.context(&asked.project), &asked)
}

fn every_version(context: &ActionContext, asked: &PromptRef) -> Result<MemoryPrompts, Error> {
    let Some(store) = context.reader().map_err(action_error)? else { return Ok(MemoryPrompts::default()) };
    let named = (kind(&asked.kind), asked.name.as_str());
    let rows = store.prompt_versions(&context.scope(), named, domain(&asked.scope)?).map_err(store_error)?;
    Ok(MemoryPrompts { rows: rows.into_iter().map(prompt_row).collect() })
}

/// Saves a text, or a new version of one.
pub(super) fn save(window: &WindowContext, asked: SavePrompt) -> Result<MemoryPrompt, Error> {
    let SavePrompt { project, prompt } = asked;
    let of = kind(&prompt.kind);
    let places = Template::parse(&prompt.content).map(|template| template.names(of)).unwrap_or_default();
    let given = PromptArgs {
        name: prompt.name.clone(),
        content: Some(prompt.content.clone()),
        description: text(&prompt.description),
        domain: Some(prompt.scope.clone()).filter(|scope| !scope.is_empty()),
        tags: prompt.tags.clone(),
        format: text(&prompt.format),
        // Definitions of placeholders that the text no longer contains are dropped.
        variables_def: variables(&prompt.variables)
            .into_iter()
            .filter(|one| places.contains(&one.name))
            .collect(),
        ..PromptArgs::default()
    };
    let context = window.context(&project);
    let reply = actions::save_prompt(&context, of, &given).map_err(action_error)?;
    let version =
        reply["version"].as_u64().and_then(|version| u32::try_from(version).ok()).unwrap_or_default();
    Ok(MemoryPrompt { version, created_ms: window.now_ms(), ..prompt })
}

/// Deletes a text with all its versions; returns them, so that it can be undone.
pub(super) fn delete(window: &WindowContext, asked: PromptRef) -> Result<MemoryPrompts, Error> {
    let context = window.context(&asked.project);
    let gone = every_version(&context, &asked)?;
    let given = PromptArgs { name: asked.name, domain: Some(asked.scope), ..PromptArgs::default() };
    actions::delete_prompt(&context, kind(&asked.kind), &given).map_err(action_error)?;
    Ok(gone)
}

/// Restores a deleted text.
pub(super) fn restore(window: &WindowContext, asked: RestorePrompt) -> Result<Nothing, Error> {
    let mut versions = Vec::new();
    for one in asked.rows {
        versions.push(Saved {
            kind: kind(&one.kind),
            domain: domain(&one.scope)?,
            variables: variables(&one.variables),
            description: text(&one.description),
            format: text(&one.format),
            name: one.name,
            version: one.version,
            content: one.content,
            tags: one.tags,
            created_ms: one.created_ms,
        });
    }
    actions::restore_prompt(&window.context(&asked.project), versions).map_err(action_error)?;
    Ok(Nothing {})
}

/// A preview with these values; a template shows its memories. Stores nothing.
pub(super) fn preview(window: &WindowContext, draft: PromptDraft) -> Result<PromptPreview, Error> {
    let template = match Template::parse(&draft.content) {
        Ok(template) => template,
        Err(error) => {
            return Ok(PromptPreview { problem: Some(error.message()), ..PromptPreview::default() });
        }
    };
    let of = kind(&draft.kind);
    let (places, lists) = (template.names(of), template.lists(of));
    let given: Map<String, Value> = draft
        .values
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| {
            let value = Value::from(value.clone());
            (name.clone(), if lists.contains(name) { list_of(value) } else { value })
        })
        .collect();
    if of == Kind::Prompt {
        let shown = match template.fill(&template.with_open_places(of, &given), Output::Plain) {
            Ok(text) => PromptPreview { text, ..PromptPreview::default() },
            Err(problem) => PromptPreview { problem: Some(problem), ..PromptPreview::default() },
        };
        return Ok(PromptPreview { places, lists, ..shown });
    }
    let given = PromptArgs {
        name: draft.name,
        content: Some(draft.content),
        format: Some(draft.format),
        variables: given,
        query: text(&draft.query),
        ..PromptArgs::default()
    };
    let shown = actions::preview_template(&window.context(&draft.project), &given).map_err(action_error)?;
    Ok(PromptPreview {
        text: shown.text,
        places,
        lists,
        memories: shown.memories,
        examples: shown.examples,
        problem: None,
    })
}
