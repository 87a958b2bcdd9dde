//! Operations on prompts and templates: save, list, delete, restore; run a prompt. `templates` renders templates.

use serde_json::{Map, Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use crate::domain::{Domain, Namespace, UnknownName, iso, quoted_beginning};
use contract::{LowerError as _, Sentence};

use crate::prompts::{
    Kind, NAME_CHARS, Output, Saved, Template, TemplateError, Variable, is_name, list_of, messages,
};
use crate::store::{Checked, Draft};

/// Arguments of the prompt actions.
#[derive(Debug, Clone, Default)]
pub struct PromptArgs {
    /// Its name.
    pub name: String,
    /// Its text.
    pub content: Option<String>,
    /// Its purpose.
    pub description: Option<String>,
    /// Who it is for.
    pub domain: Option<String>,
    /// Tags; a list returns prompts that have all of them.
    pub tags: Vec<String>,
    /// Definitions of its placeholders.
    pub variables_def: Vec<Variable>,
    /// Values for its placeholders.
    pub variables: Map<String, Value>,
    /// Maximum number of results.
    pub limit: Option<usize>,
    /// How many results to skip.
    pub offset: Option<usize>,
    /// An older version.
    pub version: Option<u32>,
    /// A template's query for memories.
    pub query: Option<String>,
    /// A template's filter for memories.
    pub filter: Option<String>,
    /// `markdown`, `json`, `xml`.
    pub format: Option<String>,
}

impl From<TemplateError> for Failure {
    fn from(error: TemplateError) -> Self {
        Self::translated(-32608, messages::template_content(error.message()))
    }
}

/// A text without its secrets; refused if the settings refuse secrets.
pub(super) fn redacted(context: &ActionContext, text: &str) -> Result<String, Failure> {
    let draft = Draft::new(text, Namespace::Context, Domain::User).check(context.secrets)?;
    Ok(draft.draft().content.clone())
}

fn domain(given: &PromptArgs) -> Result<Option<Domain>, Failure> {
    Ok(given.domain.as_deref().map(Domain::parse).transpose()?)
}

fn name(given: &PromptArgs) -> Result<&str, Failure> {
    let name = given.name.trim();
    if !is_name(name) {
        let name = format!("{:?}", name.chars().take(80).collect::<String>());
        return Err(Failure::translated(-32608, messages::prompt_name(name, NAME_CHARS)));
    }
    Ok(name)
}

/// A text that can't be filled.
pub(super) fn too_large(reason: Sentence) -> Failure {
    Failure::translated(-32608, reason)
}

pub(super) fn format(word: &str) -> Result<&'static str, Failure> {
    match word.trim().to_ascii_lowercase().as_str() {
        "markdown" | "md" | "text" => Ok("markdown"),
        "json" => Ok("json"),
        "xml" => Ok("xml"),
        _ => Err(Failure::translated(
            -32602,
            messages::prompt_format(format!("{:?}", UnknownName::shortened(word))),
        )),
    }
}

/// Saves a text, or a new version of one.
///
/// # Errors
/// [`Failure`].
pub fn save_prompt(context: &ActionContext, kind: Kind, given: &PromptArgs) -> super::Reply {
    let name = name(given)?.to_owned();
    let content = given.content.as_deref().filter(|text| !text.trim().is_empty());
    let content = content.ok_or_else(|| Failure::translated(-32602, messages::prompt_no_content()))?;
    let content = redacted(context, content)?;
    let places = Template::parse(&content)?.names(kind);
    let usual = if context.project.is_some() { Domain::Project } else { Domain::User };
    let domain = domain(given)?.unwrap_or(usual);
    if domain == Domain::Project && context.project.is_none() {
        return Err(Failure::translated(-32602, messages::prompt_no_project()));
    }
    if let Some(unknown) = given.variables_def.iter().find(|one| !places.contains(&one.name)) {
        let places = if places.is_empty() { "none".into() } else { places.join(", ") };
        let message =
            messages::prompt_unknown_variable(format!("{:?}", quoted_beginning(&unknown.name)), places);
        return Err(Failure::translated(-32608, message));
    }
    let variables: Vec<Variable> =
        places
            .iter()
            .map(|place| {
                given.variables_def.iter().find(|one| one.name == *place).cloned().unwrap_or_else(|| {
                    Variable { name: place.clone(), required: true, ..Variable::default() }
                })
            })
            .collect();
    let saved = Saved {
        kind,
        domain,
        name,
        version: 0,
        description: given.description.clone(),
        content,
        variables,
        tags: given.tags.clone(),
        format: given.format.as_deref().map(format).transpose()?.map(str::to_owned),
        created_ms: context.who.at_ms,
    };
    let saved = Checked::new(saved, context.secrets)?;
    let version = context.writer()?.save_prompt(&context.scope(), &saved)?;
    Ok(json!({"name": saved.get().name, "domain": domain.as_str(), "version": version, "variables": places}))
}

/// Lists the saved texts.
///
/// # Errors
/// [`Failure`].
pub fn list_prompts(context: &ActionContext, kind: Kind, given: &PromptArgs) -> super::Reply {
    let domain = domain(given)?;
    let mut all = match context.reader()? {
        Some(store) => store.prompts(&context.scope(), kind)?,
        None => Vec::new(),
    };
    all.retain(|one| domain.is_none_or(|domain| one.domain == domain));
    all.retain(|one| given.tags.iter().all(|tag| one.tags.contains(tag)));
    all.retain(|one| {
        crate::query::Glob::new(if given.name.is_empty() { "*" } else { &given.name }).matches(&one.name)
    });
    let (shown, next) =
        super::reply_json::page_of(&all, given.offset, given.limit.unwrap_or(20).clamp(1, 500));
    let shown: Vec<Value> = shown
        .iter()
        .map(|one| {
            let places: Vec<&str> = one.variables.iter().map(|variable| variable.name.as_str()).collect();
            json!({
                "name": one.name, "domain": one.domain.as_str(), "version": one.version,
                "description": one.description, "tags": one.tags, "variables": places,
            })
        })
        .collect();
    let mut out = json!({format!("{}s", kind.as_str()): shown, "total": all.len()});
    if let Some(next) = next {
        out["next_offset"] = next.into();
    }
    Ok(out)
}

/// The prompts that can be run here, one per name: the project's before the user's before the organisation's.
///
/// # Errors
/// [`Failure`].
pub fn prompts_here(context: &ActionContext) -> Result<Vec<Saved>, Failure> {
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let mut all = store.prompts(&context.scope(), Kind::Prompt)?;
    let place = |domain: Domain| match domain {
        Domain::Project => 0,
        Domain::User => 1,
        Domain::Org => 2,
    };
    all.sort_by(|a, b| a.name.cmp(&b.name).then(place(a.domain).cmp(&place(b.domain))));
    all.dedup_by(|later, first| later.name == first.name);
    Ok(all)
}

pub(super) fn find(context: &ActionContext, kind: Kind, given: &PromptArgs) -> Result<Saved, Failure> {
    let domain = domain(given)?;
    let found = match context.reader()? {
        Some(store) => store.prompt(&context.scope(), (kind, given.name.trim()), domain, given.version)?,
        None => None,
    };
    found.ok_or_else(|| unknown(context, kind, given, domain))
}

fn unknown(context: &ActionContext, kind: Kind, given: &PromptArgs, domain: Option<Domain>) -> Failure {
    let command = match kind {
        Kind::Prompt => "`plimsoll prompt list`",
        Kind::Template => "`plimsoll prompt list --kind template`",
    };
    let list = context.in_words_of_caller(command, "`list`");
    let kind = kind.as_str();
    let version = given.version.map(|version| format!(", version {version},")).unwrap_or_default();
    let place = domain.map(|domain| format!(" in the domain {}", domain.as_str())).unwrap_or_default();
    Failure::not_found(
        -32607,
        format!(
            "there is no {kind} {:?}{version}{place}; {list} shows those there are",
            quoted_beginning(&given.name)
        ),
    )
}

/// One saved text in full.
///
/// # Errors
/// [`Failure`].
pub fn get_prompt(context: &ActionContext, kind: Kind, given: &PromptArgs) -> super::Reply {
    let one = find(context, kind, given)?;
    let mut out = json!({
        "name": one.name, "domain": one.domain.as_str(), "version": one.version, "description": one.description,
        "content": one.content, "variables": one.variables, "tags": one.tags, "created_at": iso(one.created_ms),
    });
    if let Some(format) = one.format {
        out["format"] = format.into();
    }
    Ok(out)
}

/// Deletes a text with all its versions. The domain is required.
///
/// # Errors
/// [`Failure`].
pub fn delete_prompt(context: &ActionContext, kind: Kind, given: &PromptArgs) -> super::Reply {
    let domain = domain(given)?.ok_or_else(|| {
        let option = context.in_words_of_caller("--domain", "domain");
        Failure::invalid(format!(
            "delete needs {option} (project, user, org): a name may be saved in several"
        ))
    })?;
    let there = context.reader()?.is_some()
        && context.writer()?.delete_prompt(
            &context.scope(),
            (kind, given.name.trim()),
            domain,
            context.who.at_ms,
        )?;
    if there {
        Ok(json!({"name": given.name.trim(), "domain": domain.as_str(), "status": "deleted"}))
    } else {
        Err(unknown(context, kind, given, Some(domain)))
    }
}

/// Restores a deleted text with all its versions, unless the name is taken.
///
/// # Errors
/// [`Failure`].
pub fn restore_prompt(context: &ActionContext, versions: Vec<Saved>) -> Result<(), Failure> {
    let mut all = Vec::new();
    for one in versions {
        name(&PromptArgs { name: one.name.clone(), ..PromptArgs::default() })?;
        all.push(Checked::new(one, context.secrets)?);
    }
    let Some(first) = all.first().map(Checked::get) else {
        return Err(Failure::invalid("there is nothing to bring back"));
    };
    let (kind, name) = (first.kind.as_str(), first.name.clone());
    if !context.writer()?.restore_prompt(&context.scope(), &all, context.who.at_ms)? {
        return Err(Failure::unusable(format!(
            "there is another {kind} {name:?} now; it was left as it is, and nothing was brought back"
        )));
    }
    Ok(())
}

/// The values of all placeholders: the given ones, else the defaults.
pub(super) fn values(saved: &Saved, given: &Map<String, Value>) -> Result<Map<String, Value>, Failure> {
    let mut out = Map::new();
    let mut missing = Vec::new();
    let lists = Template::parse(&saved.content)?.lists(saved.kind);
    let as_meant = |name: &String, value: Value| if lists.contains(name) { list_of(value) } else { value };
    for variable in &saved.variables {
        match (given.get(&variable.name).filter(|value| !value.is_null()), &variable.default) {
            (Some(value), _) => out.insert(variable.name.clone(), as_meant(&variable.name, value.clone())),
            (None, Some(default)) => {
                out.insert(variable.name.clone(), as_meant(&variable.name, default.clone().into()))
            }
            (None, None) => {
                if variable.required {
                    missing.push(variable.name.as_str());
                }
                None
            }
        };
    }
    if !missing.is_empty() {
        return Err(Failure::unusable(format!(
            "{:?} needs a value for {}; give it in variables",
            saved.name,
            missing.join(", ")
        )));
    }
    if let Some(unknown) = given.keys().find(|key| !saved.variables.iter().any(|one| one.name == **key)) {
        let names: Vec<&str> = saved.variables.iter().map(|one| one.name.as_str()).collect();
        return Err(Failure::unusable(format!(
            "{:?} has no variable {:?}; it has: {}",
            saved.name,
            quoted_beginning(unknown),
            if names.is_empty() { "none".into() } else { names.join(", ") }
        )));
    }
    Ok(out)
}

/// A prompt with its placeholders filled.
///
/// # Errors
/// [`Failure`] that names a placeholder without a value.
pub fn run_prompt(context: &ActionContext, given: &PromptArgs) -> super::Reply {
    let saved = find(context, Kind::Prompt, given)?;
    let values = values(&saved, &given.variables)?;
    let content = Template::parse(&saved.content)?.fill(&values, Output::Plain).map_err(too_large)?;
    Ok(json!({"name": saved.name, "domain": saved.domain.as_str(), "content": content}))
}
