//! Renders templates with memories, and previews unsaved ones.

use serde_json::{Map, Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use super::prompts::{PromptArgs, find, format, too_large, values};
use crate::domain::{Domain, NAMESPACES, iso};
use crate::prompts::{Kind, Output, Template, escaped};
use crate::recall::{RecallRequest, recall};
use crate::store::Store;

/// Default number of memories in a template.
const DEFAULT_MEMORIES: usize = 10;

/// A template filled with memories.
///
/// # Errors
/// [`Failure`].
pub fn render_template(context: &ActionContext, given: &PromptArgs) -> super::Reply {
    let saved = find(context, Kind::Template, given)?;
    let format = match (&given.format, &saved.format) {
        (Some(word), _) | (None, Some(word)) => format(word)?,
        (None, None) => "markdown",
    };
    let values = values(&saved, &given.variables)?;
    let memories = memories(context, given)?;
    let content = fill((&saved.name, &saved.content), values, &memories, format)?;
    Ok(json!({"name": saved.name, "domain": saved.domain.as_str(), "format": format, "content": content}))
}

/// A preview of a template.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// The text.
    pub text: String,
    /// Number of memories in it.
    pub memories: u64,
    /// Whether it shows examples because no memory matches.
    pub examples: bool,
}

/// Previews a template with these values; a placeholder without one stays. Stores nothing.
///
/// # Errors
/// [`Failure`]; a syntax error names its line.
pub fn preview_template(context: &ActionContext, given: &PromptArgs) -> Result<Preview, Failure> {
    let content = given.content.as_deref().unwrap_or_default();
    let template = Template::parse(content)?;
    let format = given.format.as_deref().filter(|word| !word.is_empty()).map_or(Ok("markdown"), format)?;
    let found = memories(context, given)?;
    let examples = found.is_empty();
    let shown = if examples { example_memories(context) } else { found };
    let values = template.with_open_places(Kind::Template, &given.variables);
    let text = fill((given.name.trim(), content), values, &shown, format)?;
    Ok(Preview { text, memories: if examples { 0 } else { shown.len() as u64 }, examples })
}

/// Example memories: two namespaces with their descriptions.
fn example_memories(context: &ActionContext) -> Vec<Value> {
    let now = iso(context.who.at_ms);
    NAMESPACES
        .iter()
        .take(2)
        .map(|(_, info)| {
            json!({
                "id": "", "content": info.description, "namespace": info.name, "tags": [], "score": null,
                "created_at": now, "updated_at": now, "domain": Domain::Project.as_str(),
            })
        })
        .collect()
}

/// A template's text filled with memories and their statistics.
fn fill(
    (name, content): (&str, &str),
    mut values: Map<String, Value>,
    memories: &[Value],
    format: &str,
) -> Result<String, Failure> {
    let mut counts: Map<String, Value> = Map::new();
    for memory in memories {
        let namespace = memory["namespace"].as_str().unwrap_or_default();
        let count = counts.get(namespace).and_then(Value::as_u64).unwrap_or(0);
        counts.insert(namespace.to_owned(), (count + 1).into());
    }
    values.insert("total_count".into(), memories.len().into());
    values.insert("statistics".into(), json!({"total_count": memories.len(), "namespace_counts": counts}));
    values.insert("namespace_counts".into(), Value::Object(counts));
    values.insert("memories".into(), memories.iter().map(marked).collect());
    let output = if format == "xml" { Output::Xml } else { Output::Plain };
    let text = Template::parse(content)?.fill(&values, output).map_err(too_large)?;
    Ok(match format {
        "xml" => {
            format!("<context template=\"{}\">\n{}\n</context>", escaped(name), text.trim_end())
        }
        "json" => json!({"template": name, "text": text, "memories": memories}).to_string(),
        _ => text,
    })
}

/// A memory as a text shows it: what others wrote is marked, because the text around it is the user's.
fn marked(memory: &Value) -> Value {
    let mut out = memory.clone();
    if let (Some(trust), Some(content)) = (memory["trust"].as_str(), memory["content"].as_str()) {
        out["content"] = format!("[{trust}] {content}").into();
    }
    out
}

fn memories(context: &ActionContext, given: &PromptArgs) -> Result<Vec<Value>, Failure> {
    let selection = match &given.filter {
        Some(filter) => context.selection(filter)?,
        None => context.in_use(),
    };
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let asked = RecallRequest {
        query: given.query.clone(),
        selection,
        limit: given.limit.unwrap_or(DEFAULT_MEMORIES).clamp(1, 100),
        branch: context.branch.clone(),
        ..RecallRequest::default()
    };
    let found = recall(&store as &dyn Store, &asked)?;
    Ok(found
        .hits
        .iter()
        .map(|hit| {
            let memory = &hit.memory;
            let mut one = json!({
                "id": memory.id, "content": memory.content, "namespace": memory.namespace, "tags": memory.tags,
                "score": hit.score.map(super::reply_json::rounded), "domain": memory.domain.as_str(),
                "created_at": iso(memory.created_ms), "updated_at": iso(memory.updated_ms),
            });
            super::reply_json::tell_trust(memory.trust, &mut one);
            one
        })
        .collect())
}
