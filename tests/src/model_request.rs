//! Reads a model request in any of the four dialects: the offered tools, the results of calls.

use serde_json::Value;

/// Names of the offered tools in any of the dialects.
pub(crate) fn offered(body: &Value) -> Vec<String> {
    let mut names = Vec::new();
    let mut lists: Vec<&Value> = body.get("tools").into_iter().collect();
    // Codex's newer models get tools in an item of the input.
    for item in body.get("input").and_then(Value::as_array).into_iter().flatten() {
        if item.get("type").and_then(Value::as_str) == Some("additional_tools") {
            lists.extend(item.get("tools"));
        }
    }
    for tool in lists.into_iter().filter_map(Value::as_array).flatten() {
        let name = |tool: &Value| tool.get("name").and_then(Value::as_str).map(str::to_owned);
        if let Some(declared) = tool.get("functionDeclarations").and_then(Value::as_array) {
            names.extend(declared.iter().filter_map(name));
        } else if let Some(function) = tool.get("function") {
            names.extend(name(function));
        } else if let Some(inner) = tool.get("tools").and_then(Value::as_array) {
            let namespace = name(tool).unwrap_or_default();
            names.extend(inner.iter().filter_map(name).map(|name| format!("{namespace}.{name}")));
        } else {
            names.extend(name(tool));
        }
    }
    names
}

/// A tool call's result, as the model receives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// Its text; for Gemini, the response member that contains it.
    pub text: String,
    /// Whether it is marked as an error, if the dialect has such a mark.
    pub failed: bool,
}

/// The results of tool calls in any of the dialects, oldest first.
pub(crate) fn results(body: &Value) -> Vec<ToolResult> {
    let list = |key: &str| body.get(key).and_then(Value::as_array).into_iter().flatten();
    let inner = |item: &Value, key: &str| {
        item.get(key).and_then(Value::as_array).into_iter().flatten().cloned().collect::<Vec<_>>()
    };
    let mut out = Vec::new();
    for message in list("messages") {
        if message["role"] == "tool" {
            out.push(ToolResult { text: parts_text(&message["content"]), failed: false });
        }
        for part in inner(message, "content").iter().filter(|part| part["type"] == "tool_result") {
            out.push(ToolResult { text: parts_text(&part["content"]), failed: part["is_error"] == true });
        }
    }
    for item in list("input") {
        let kind = item["type"].as_str().unwrap_or_default();
        if matches!(kind, "function_call_output" | "custom_tool_call_output") {
            out.push(ToolResult { text: parts_text(&item["output"]), failed: false });
        }
    }
    for content in list("contents") {
        for part in inner(content, "parts") {
            let Some(response) = part.get("functionResponse").map(|told| &told["response"]) else { continue };
            let failed = response.get("error").is_some();
            let told = response.get("error").or_else(|| response.get("output")).unwrap_or(response);
            out.push(ToolResult { text: parts_text(told), failed });
        }
    }
    out
}

/// A text, or the texts of a list of parts.
fn parts_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

/// Every string in the body, for searching words.
pub(crate) fn all_text(value: &Value) -> String {
    fn walk(value: &Value, out: &mut String) {
        match value {
            Value::String(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, out)),
            Value::Object(members) => members.values().for_each(|member| walk(member, out)),
            _ => {}
        }
    }
    let mut out = String::new();
    walk(value, &mut out);
    out
}
