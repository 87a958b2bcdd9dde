//! Plimsoll's plugin for Claude Code, and the marketplace that lists it.

use serde_json::{Map, Value, json};

use super::{HOOKS, ID, IN_PLUGIN};
use crate::entries;
use crate::plugin::{
    DESCRIPTION, NAME, PluginFile, group, hook_command, json_file, manifest, marketplace, server, skills,
    system_message,
};

/// Every file of the plugin at version `version`.
pub(super) fn files(version: &str) -> Vec<PluginFile> {
    let hooks: Map<String, Value> = HOOKS
        .iter()
        .map(|(event, matcher, _)| {
            let command = hook_command(ID, None, system_message(event, "SessionStart"));
            let handler =
                json!({ "type": "command", "command": command, "timeout": entries::HOOK_TIMEOUT_S });
            ((*event).to_owned(), json!([group(*matcher, &handler)]))
        })
        .collect();
    let mut server = server(ID);
    server["timeout"] = json!(entries::TOOL_TIMEOUT_S * 1000);
    server["alwaysLoad"] = json!(true);
    let mut files = vec![
        json_file(".claude-plugin/marketplace.json", &marketplace("./claude-code", version)),
        json_file("claude-code/.claude-plugin/plugin.json", &manifest(version)),
        json_file("claude-code/hooks/hooks.json", &json!({ "description": DESCRIPTION, "hooks": hooks })),
        json_file("claude-code/.mcp.json", &json!({ "mcpServers": { NAME: server } })),
    ];
    files.extend(skills::files("claude-code", "", &|tool| format!("{IN_PLUGIN}{tool}")));
    files
}
