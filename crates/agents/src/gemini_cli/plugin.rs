//! Plimsoll's extension for Gemini CLI.

use serde_json::{Map, Value, json};

use super::{GeminiCli, HOOKS, ID};
use crate::plugin::{
    DESCRIPTION, NAME, PluginFile, group, hook_command, json_file, server, skills, system_message,
};
use crate::{Agent as _, entries};

/// Every file of the extension at version `version`.
pub(super) fn files(version: &str) -> Vec<PluginFile> {
    let hooks: Map<String, Value> = HOOKS
        .iter()
        .map(|(event, matcher, name)| {
            let handler = json!({
                "name": name,
                "type": "command",
                "command": hook_command(ID, None, system_message(event, "SessionStart")),
                "timeout": entries::HOOK_TIMEOUT_S * 1000,
            });
            ((*event).to_owned(), json!([group(*matcher, &handler)]))
        })
        .collect();
    let mut server = server(ID);
    server["timeout"] = json!(entries::TOOL_TIMEOUT_S * 1000);
    let manifest = json!({
        "name": NAME,
        "version": version,
        "description": DESCRIPTION,
        "mcpServers": { NAME: server },
    });
    let mut files = vec![
        json_file("gemini-cli/gemini-extension.json", &manifest),
        json_file("gemini-cli/hooks/hooks.json", &json!({ "hooks": hooks })),
    ];
    files.extend(skills::files("gemini-cli", "plimsoll-", &|tool| GeminiCli.tool_name(tool)));
    files
}
