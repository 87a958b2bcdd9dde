//! Memories in the unified search and at their addresses, and saved prompts as agents list them.

use contract::Error;
use serde_json::{Map, Value};
use system::{Addresses, CallContext, FilledPrompt, Passage, Placeholder, Prompt, Prompts, SearchPart};

use super::run_action::{context, context_with_rules};
use crate::actions::{self, ActionContext, Failure, PromptArgs};
use crate::domain::{OLDER_SCHEME, SCHEME, Trust, iso};
use crate::recall::{Detail, shortened};

/// The memories' part in the unified search.
pub(crate) const FIND: SearchPart = SearchPart { what: contract::System::Memory, search: find };

/// The caller with its rules about the files that the project shares.
fn caller(at: &CallContext) -> ActionContext {
    let project = at.host.has_project().then(|| at.host.project());
    context_with_rules(at, project.as_ref())
}

fn find(at: &CallContext, query: &str, limit: usize) -> Result<Vec<Passage>, Error> {
    let context = caller(at);
    actions::refresh_shared(&context);
    let hits = actions::search_answers(&context, query, limit)?;
    let passage = |hit: crate::recall::Hit| {
        let memory = hit.memory;
        Passage {
            place: format!(
                "{}, {}, {}{}",
                memory.namespace,
                &iso(memory.created_ms)[..10],
                if memory.trust == Trust::Untrusted { "untrusted, " } else { "" },
                memory.urn()
            ),
            text: shortened(&memory.content, Detail::Medium, Some(query)).unwrap_or_default(),
            at_ms: memory.created_ms,
            code: false,
        }
    };
    Ok(hits.into_iter().map(passage).collect())
}

/// The memories at their addresses.
pub(crate) const OPEN: Addresses = Addresses {
    prefix: SCHEME,
    older_prefix: OLDER_SCHEME,
    template: "{domain}/{namespace}/{id}",
    name: "memory",
    title: "A memory, with where it comes from",
    read: |at, address| {
        let context = caller(at);
        actions::refresh_shared(&context);
        actions::read_text(&context, address).map_err(Failure::into_worded)
    },
};

/// The saved prompts.
pub(crate) const PROMPTS: Prompts = Prompts { list, fill };

fn list(at: &CallContext) -> Result<Vec<Prompt>, Error> {
    let saved = actions::prompts_here(&context(at))?;
    let places = |one: &crate::prompts::Saved| -> Vec<Placeholder> {
        one.variables
            .iter()
            .map(|variable| Placeholder {
                name: variable.name.clone(),
                description: variable.description.clone(),
                required: variable.required && variable.default.is_none(),
            })
            .collect()
    };
    Ok(saved
        .into_iter()
        .map(|one| Prompt { placeholders: places(&one), name: one.name, description: one.description })
        .collect())
}

fn fill(at: &CallContext, name: &str, variables: Map<String, Value>) -> Result<FilledPrompt, Error> {
    let context = context(at);
    let given = PromptArgs { name: name.to_owned(), variables, ..PromptArgs::default() };
    let run = actions::run_prompt(&context, &given)?;
    let text = run["content"].as_str().unwrap_or_default().to_owned();
    let saved = actions::prompts_here(&context)?.into_iter().find(|one| one.name == name);
    Ok(FilledPrompt { description: saved.and_then(|one| one.description), text })
}
