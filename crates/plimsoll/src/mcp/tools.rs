//! The tool list as the model sees it, built from the systems' tools.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use system::{LegacyTool, System};

/// The server's purpose in one line of at most 250 characters: some models see nothing else, and for the others it is
/// in every request beside the tool descriptions.
pub(crate) fn instructions(systems: &[&'static System]) -> String {
    let printed: Vec<&str> =
        systems.iter().map(|system| system.purpose).filter(|words| !words.is_empty()).collect();
    match printed.split_last() {
        None => "Plimsoll has nothing switched on here.".to_owned(),
        Some((last, [])) => format!("Plimsoll {last}. {ADDRESS_NOTE}"),
        Some((last, others)) => format!("Plimsoll {} and {last}. {ADDRESS_NOTE}", others.join(", ")),
    }
}

/// How to read what is too long for a reply.
const ADDRESS_NOTE: &str = "Addresses such as plimsoll://source/3 open the rest.";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Definition {
    name: String,
    title: String,
    description: String,
    input_schema: JsonObject,
    annotations: ToolAnnotations,
}

/// The `wanted` tools of these systems; with `full`, all of them and all names of older products.
pub(crate) fn list(systems: &[&'static System], wanted: impl Fn(&str) -> bool, full: bool) -> Vec<Tool> {
    let own = || systems.iter().flat_map(|system| system.tools);
    if !full {
        return own()
            .filter(|own| wanted(own.name))
            .filter_map(|own| {
                let mut tool = tool(own)?;
                for (argument, _) in own.needs.iter().filter(|(_, other)| !wanted(other)) {
                    remove_argument(&mut tool, argument);
                }
                Some(tool)
            })
            .collect();
    }
    let mut tools: Vec<Tool> = own().filter_map(tool).collect();
    let older_tool: Vec<(&System, Vec<Tool>)> = systems
        .iter()
        .map(|system| {
            (*system, system.legacy_tools.iter().filter_map(|older| older_tool(older, &tools)).collect())
        })
        .collect();
    let prefixed: Vec<Tool> = older_tool
        .iter()
        .filter(|(system, _)| !system.legacy_prefix.is_empty())
        .flat_map(|(system, older)| {
            // An older product may describe a tool of the same name in its own words.
            let is_described = move |name: &str| older.iter().any(|older| older.name == name);
            let same = system.tools.iter().filter(move |own| own.has_legacy_name && !is_described(own.name));
            let same = same.filter_map(tool);
            older.iter().cloned().chain(same).map(|mut tool| {
                tool.name = Cow::Owned(format!("{}{}", system.legacy_prefix, tool.name));
                tool
            })
        })
        .collect();
    let is_own = |name: &str| own().any(|own| own.name == name);
    let older = older_tool.into_iter().flat_map(|(_, older)| older);
    tools.extend(older.filter(|older| !is_own(&older.name)));
    tools.extend(prefixed);
    tools
}

/// Removes an argument from a tool's schema.
fn remove_argument(tool: &mut Tool, argument: &str) {
    let schema = Arc::make_mut(&mut tool.input_schema);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove(argument);
    }
}

fn tool(own: &system::Tool) -> Option<Tool> {
    // A test parses every description, so this can't fail in a build that passed it.
    let definition: Definition = serde_json::from_str(own.definition)
        .inspect_err(|error| log::error!("the description of the tool {}: {error}", own.name))
        .ok()?;
    let mut tool = Tool::new(definition.name, definition.description, Arc::new(definition.input_schema));
    tool.title = Some(definition.title);
    tool.annotations = Some(definition.annotations);
    Some(tool)
}

/// A tool name of an older product, described by the tool that replaces it.
fn older_tool(older: &LegacyTool, own: &[Tool]) -> Option<Tool> {
    let model = own.iter().find(|tool| tool.name == older.tool)?;
    let properties = model.input_schema.get("properties")?.as_object()?;
    let mut kept: Map<String, Value> = properties
        .iter()
        .filter(|(name, _)| older.arguments.is_empty() || older.arguments.contains(&name.as_str()))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    if !older.unlisted.is_empty() {
        // Parsed by a test as well, so this can't fail in a build that passed it.
        let unlisted: JsonObject = serde_json::from_str(older.unlisted)
            .inspect_err(|error| log::error!("the arguments of {}: {error}", older.name))
            .ok()?;
        kept.extend(unlisted);
    }
    if !older.actions.is_empty() {
        kept.insert("action".to_owned(), json!({"type": "string", "enum": older.actions}));
    }
    let schema = json!({"type": "object", "properties": kept, "required": older.required});
    let Value::Object(schema) = schema else { return None };
    let mut tool = Tool::new(older.name, older.description, Arc::new(schema));
    tool.title.clone_from(&model.title);
    tool.annotations.clone_from(&model.annotations);
    if older.reads {
        tool.annotations = Some(ToolAnnotations::new().read_only(true).open_world(false));
    }
    Some(tool)
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
