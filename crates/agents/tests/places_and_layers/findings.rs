//! The findings about obstacles.

use crate::computer::Computer;

#[test]
fn obstacles_are_reported() {
    let computer = Computer::new(&[
        ("home/.cursor/hooks.json", r#"{"hooks":{"stop":[]}}"#),
        ("project/.cursor/hooks.json", r#"{"version":1,"hooks":{"onTeapot":[]}}"#),
        ("home/.cursor/mcp.json", r#"{"mcpServers":{"context-mode":{"command":"context-mode"}}}"#),
        ("home/.config/Code/User/settings.json", r#"{"chat.useHooks": false, "chat.useClaudeHooks": true}"#),
        ("home/.copilot/config.json", r#"{"disableAllHooks": true, "disabledMcpServers": ["plimsoll"]}"#),
        (
            "home/.copilot/hooks/old.json",
            r#"{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"/p/plimsoll hook copilot-cli preToolUse"}]}}"#,
        ),
        (
            "home/.kiro/settings/mcp.json",
            r#"{"mcpServers":{"plimsoll":{"command":"/p/plimsoll","args":["mcp"],"disabled":true}}}"#,
        ),
        ("home/.gemini/config/hooks.json", r#"{"plimsoll":{"enabled":false}}"#),
        ("home/.gemini/config/mcp_config.json", "{ not json"),
        (
            "home/.config/opencode/opencode.json",
            r#"{"plugin":["context-mode@1","plimsoll@latest"],"mcp":{"plimsoll":{"type":"local","command":["npx","other"]}}}"#,
        ),
        ("home/.config/opencode/plugins/plimsoll.js", "export default {}"),
    ]);
    let mut all = String::new();
    for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
        for (level, what) in computer.findings(id) {
            all.push_str(&format!("{id}: {level:?}: {what}\n"));
        }
    }
    insta::assert_snapshot!(all.replace('\\', "/"));
}

#[test]
fn a_connected_agent_has_no_findings() {
    let computer = Computer::new(&[
        (
            "home/.cursor/hooks.json",
            r#"{"version":1,"hooks":{"sessionStart":[{"command":"/p/plimsoll hook cursor"}]}}"#,
        ),
        ("home/.copilot/hooks/plimsoll.json", r#"{"version":1,"hooks":{}}"#),
        (
            "home/.kiro/settings/mcp.json",
            r#"{"mcpServers":{"plimsoll":{"command":"/p/plimsoll","args":["mcp"]}}}"#,
        ),
        ("home/.gemini/config/mcp_config.json", ""),
        (
            "home/.config/opencode/opencode.json",
            r#"{"mcp":{"plimsoll":{"type":"local","command":["/p/plimsoll","mcp"]}}}"#,
        ),
    ]);
    for id in ["cursor", "vscode-copilot", "copilot-cli", "antigravity", "kiro", "opencode"] {
        assert_eq!(computer.findings(id), [], "{id}");
    }
}
