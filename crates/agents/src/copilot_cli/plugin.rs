//! Plimsoll's plugin for Copilot CLI, and the marketplace that lists it.

use serde_json::{Map, Value, json};

use super::{CopilotCli, EVENTS, ID};
use crate::plugin::{
    NAME, NOT_INSTALLED, PluginFile, hook_command, json_file, manifest, marketplace, powershell, server,
    skills,
};
use crate::{Agent as _, entries};

/// Every file of the plugin at version `version`.
pub(super) fn files(version: &str) -> Vec<PluginFile> {
    let hooks: Map<String, Value> = EVENTS
        .iter()
        .map(|event| {
            let otherwise = (*event == "sessionStart").then(|| json!({ "additionalContext": NOT_INSTALLED }));
            let handler = json!({
                "type": "command",
                "bash": hook_command(ID, Some(event), otherwise),
                "powershell": powershell(ID, event),
                "timeoutSec": entries::HOOK_TIMEOUT_S,
            });
            ((*event).to_owned(), json!([handler]))
        })
        .collect();
    let mut server = server(ID);
    server["type"] = json!("local");
    server["tools"] = json!(["*"]);
    server["timeout"] = json!(entries::TOOL_TIMEOUT_S * 1000);
    let mut manifest = manifest(version);
    manifest["hooks"] = json!("hooks.json");
    manifest["mcpServers"] = json!(".mcp.json");
    manifest["skills"] = json!("skills/");
    let mut files = vec![
        json_file(".github/plugin/marketplace.json", &marketplace("./copilot-cli", version)),
        json_file("copilot-cli/plugin.json", &manifest),
        json_file("copilot-cli/hooks.json", &json!({ "version": 1, "hooks": hooks })),
        json_file("copilot-cli/.mcp.json", &json!({ "mcpServers": { NAME: server } })),
    ];
    files.extend(skills::files("copilot-cli", "plimsoll-", &|tool| CopilotCli.tool_name(tool)));
    files
}
