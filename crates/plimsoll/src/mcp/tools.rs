//! The list of tools as the model sees it, made of what each system says of its tools.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use system::{Older, System};

/// What the server is for, in one line of at most 250 characters: some models see nothing else of us, and the others have it in
/// each request beside what the tools say of themselves.
pub(crate) fn instructions(systems: &[&'static System]) -> String {
    let printed: Vec<&str> =
        systems.iter().map(|system| system.purpose).filter(|words| !words.is_empty()).collect();
    match printed.split_last() {
        None => "Plimsoll has nothing switched on here.".to_owned(),
        Some((last, [])) => format!("Plimsoll {last}. {ADDRESSES}"),
        Some((last, others)) => format!("Plimsoll {} and {last}. {ADDRESSES}", others.join(", ")),
    }
}

/// How what is too long for a reply is had whole.
const ADDRESSES: &str = "Addresses such as plimsoll://source/3 open the rest.";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    name: String,
    title: String,
    description: String,
    input_schema: JsonObject,
    annotations: ToolAnnotations,
}

/// The tools of these systems that are `wanted`; with `full`, all of them and every name of older products too.
pub(crate) fn list(systems: &[&'static System], wanted: impl Fn(&str) -> bool, full: bool) -> Vec<Tool> {
    let ours = || systems.iter().flat_map(|system| system.tools);
    if !full {
        return ours()
            .filter(|ours| wanted(ours.name))
            .filter_map(|ours| {
                let mut tool = tool(ours)?;
                for (argument, _) in ours.needs.iter().filter(|(_, other)| !wanted(other)) {
                    forget(&mut tool, argument);
                }
                Some(tool)
            })
            .collect();
    }
    let mut tools: Vec<Tool> = ours().filter_map(tool).collect();
    let of_older: Vec<(&System, Vec<Tool>)> = systems
        .iter()
        .map(|system| (*system, system.older.iter().filter_map(|older| of_older(older, &tools)).collect()))
        .collect();
    let prefixed: Vec<Tool> = of_older
        .iter()
        .filter(|(system, _)| !system.prefix.is_empty())
        .flat_map(|(system, older)| {
            let same = system.tools.iter().filter(|ours| ours.prefixed).filter_map(tool);
            older.iter().cloned().chain(same).map(|mut tool| {
                tool.name = Cow::Owned(format!("{}{}", system.prefix, tool.name));
                tool
            })
        })
        .collect();
    tools.extend(of_older.into_iter().flat_map(|(_, older)| older));
    tools.extend(prefixed);
    tools
}

/// Leaves an argument out of a tool's schema.
fn forget(tool: &mut Tool, argument: &str) {
    let schema = Arc::make_mut(&mut tool.input_schema);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove(argument);
    }
}

fn tool(ours: &system::Tool) -> Option<Tool> {
    // A test reads what each tool says, so this cannot fail in a build that passed it.
    let written: Written = serde_json::from_str(ours.written)
        .inspect_err(|error| log::error!("what the tool {} says of itself: {error}", ours.name))
        .ok()?;
    let mut tool = Tool::new(written.name, written.description, Arc::new(written.input_schema));
    tool.title = Some(written.title);
    tool.annotations = Some(written.annotations);
    Some(tool)
}

/// A name of an older product, described by the tool of ours that does the same.
fn of_older(older: &Older, ours: &[Tool]) -> Option<Tool> {
    let model = ours.iter().find(|tool| tool.name == older.tool)?;
    let properties = model.input_schema.get("properties")?.as_object()?;
    let kept: Map<String, Value> = properties
        .iter()
        .filter(|(name, _)| older.arguments.is_empty() || older.arguments.contains(&name.as_str()))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
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
