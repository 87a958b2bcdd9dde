//! The list of tools as the model sees it. The schemas are hand-written JSON (`tools.json`), because every
//! byte is paid for in each session and because several hosts choke on what generators emit.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Map, Value, json};

const TOOLS: &str = include_str!("tools.json");

/// What the server is for, in one line of at most 250 characters: some models see nothing else of us, and the others have it in
/// each request beside what the tools say of themselves.
pub(crate) const INSTRUCTIONS: &str = "Plimsoll runs commands and code (execute, batch) and stores long output, files and web pages for search (index, search), so that only what matters enters the conversation. An address such as plimsoll://source/3 opens the rest.";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    name: String,
    title: String,
    description: String,
    input_schema: JsonObject,
    annotations: ToolAnnotations,
}

/// The tools that are `wanted`; with `full`, every name of older products too.
pub(crate) fn list(wanted: &[&str], full: bool) -> Vec<Tool> {
    let written: Vec<Written> = serde_json::from_str(TOOLS).unwrap_or_else(|error| {
        // A test reads the file, so this cannot happen in a build that passed them.
        log::error!("tools.json: {error}");
        Vec::new()
    });
    let mut tools: Vec<Tool> = written.into_iter().map(tool).collect();
    if full {
        let older: Vec<Tool> = OLDER.iter().filter_map(|older| older.tool(&tools)).collect();
        let prefixed: Vec<Tool> = OLDER
            .iter()
            .filter_map(|older| older.tool(&tools))
            .chain(
                tools
                    .iter()
                    .filter(|tool| matches!(tool.name.as_ref(), "execute" | "index" | "search"))
                    .cloned(),
            )
            .map(|mut tool| {
                tool.name = Cow::Owned(format!("ctx_{}", tool.name));
                tool
            })
            .collect();
        tools.extend(older);
        tools.extend(prefixed);
        return tools;
    }
    if !wanted.contains(&"task") {
        // Nobody could read or stop what goes on in the background.
        tools.iter_mut().filter(|tool| tool.name == "execute").for_each(|tool| forget(tool, "background"));
    }
    tools.retain(|tool| wanted.contains(&tool.name.as_ref()));
    tools
}

/// Leaves an argument out of a tool's schema.
fn forget(tool: &mut Tool, argument: &str) {
    let schema = Arc::make_mut(&mut tool.input_schema);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove(argument);
    }
}

fn tool(written: Written) -> Tool {
    let mut tool = Tool::new(written.name, written.description, Arc::new(written.input_schema));
    tool.title = Some(written.title);
    tool.annotations = Some(written.annotations);
    tool
}

/// A name of an older product, described by the tool of ours that does the same.
struct Older {
    name: &'static str,
    ours: &'static str,
    description: &'static str,
    /// Arguments that it has of ours; all when empty.
    arguments: &'static [&'static str],
    required: &'static [&'static str],
}

const OLDER: [Older; 7] = [
    Older {
        name: "execute_file",
        ours: "execute",
        description: "Run code over a file without reading it into the conversation; its text is FILE_CONTENT.",
        arguments: &["path", "language", "code", "intent", "timeout_ms"],
        required: &["path", "language", "code"],
    },
    Older {
        name: "batch_execute",
        ours: "batch",
        description: "Run several shell commands, store their outputs, and answer queries from them.",
        arguments: &[],
        required: &["commands"],
    },
    Older {
        name: "fetch_and_index",
        ours: "index",
        description: "Fetch web pages, convert them to Markdown and make them searchable.",
        arguments: &["url", "urls", "source", "force"],
        required: &[],
    },
    Older {
        name: "stats",
        ours: "manage",
        description: "Bytes kept out.",
        arguments: &["scope"],
        required: &[],
    },
    Older {
        name: "doctor",
        ours: "manage",
        description: "What works.",
        arguments: &["scope"],
        required: &[],
    },
    Older {
        name: "upgrade",
        ours: "manage",
        description: "Install the newest version.",
        arguments: &["confirm"],
        required: &[],
    },
    Older {
        name: "purge",
        ours: "manage",
        description: "Remove stored text (to trash).",
        arguments: &["scope", "confirm"],
        required: &["confirm"],
    },
];

impl Older {
    fn tool(&self, ours: &[Tool]) -> Option<Tool> {
        let model = ours.iter().find(|tool| tool.name == self.ours)?;
        let properties = model.input_schema.get("properties")?.as_object()?;
        let kept: Map<String, Value> = properties
            .iter()
            .filter(|(name, _)| self.arguments.is_empty() || self.arguments.contains(&name.as_str()))
            .map(|(name, schema)| (name.clone(), schema.clone()))
            .collect();
        let schema = json!({"type": "object", "properties": kept, "required": self.required});
        let Value::Object(schema) = schema else { return None };
        let mut tool = Tool::new(self.name, self.description, Arc::new(schema));
        tool.title.clone_from(&model.title);
        tool.annotations.clone_from(&model.annotations);
        if matches!(self.name, "stats" | "doctor") {
            tool.annotations = Some(ToolAnnotations::new().read_only(true).open_world(false));
        }
        Some(tool)
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
