//! One session start as each agent reports it, for trying the hook command. The payloads have just the
//! fields by which the agent's own file recognises its host. Knows nothing of what is answered.

use std::path::Path;

use serde_json::{Value, json};

/// The session under which a trial is recorded.
pub(super) const SESSION: &str = "plimsoll-verify";

/// The event's name on the command line, for agents whose payload does not name it, and the payload.
pub(super) fn session_start(agent: &str, home: &Path) -> (Option<&'static str>, Value) {
    let transcript = |folder: &str, file: &str| home.join(folder).join(file).display().to_string();
    match agent {
        "codex" => (
            None,
            json!({"hook_event_name": "SessionStart", "session_id": SESSION, "transcript_path": null, "cwd": home,
                "model": "none", "permission_mode": "default", "source": "startup"}),
        ),
        "cursor" => (
            None,
            json!({"hook_event_name": "sessionStart", "conversation_id": SESSION, "session_id": SESSION,
                "generation_id": SESSION, "cursor_version": "0.0.0", "workspace_roots": [home]}),
        ),
        "vscode-copilot" => (
            Some("SessionStart"),
            json!({"hookEventName": "SessionStart", "sessionId": SESSION, "timestamp": "2026-01-01T00:00:00.000Z",
                "cwd": home, "source": "new"}),
        ),
        "copilot-cli" => (
            Some("sessionStart"),
            json!({"sessionId": SESSION, "timestamp": 1_767_225_600_000_i64, "cwd": home, "source": "new"}),
        ),
        "antigravity" => (
            Some("PreInvocation"),
            json!({"conversationId": SESSION, "workspacePaths": [home], "artifactDirectoryPath": home,
                "stepIdx": 0, "invocationNum": 0}),
        ),
        "kiro" => (
            None,
            json!({"hook_event_name": "SessionStart", "session_id": format!("sess_{SESSION}"), "cwd": home}),
        ),
        "opencode" => (
            None,
            json!({"host": "opencode", "event": "session.start", "session": SESSION, "directory": home,
                "source": "startup"}),
        ),
        "gemini-cli" => (
            None,
            json!({"hook_event_name": "SessionStart", "session_id": SESSION, "cwd": home,
                "transcript_path": transcript(".gemini/tmp", "none.jsonl"), "timestamp": "2026-01-01T00:00:00Z",
                "source": "startup"}),
        ),
        _ => (
            None,
            json!({"hook_event_name": "SessionStart", "session_id": SESSION, "cwd": home,
                "transcript_path": transcript(".claude/projects/none", "none.jsonl"), "source": "startup"}),
        ),
    }
}
