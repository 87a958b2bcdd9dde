//! Shortening outputs: when a command is rewritten, when an output is replaced, and that the full output is kept first.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod outputs;
mod repeated_reads;
mod rewrites;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use home::{Clock, Env, Home};
use plimsoll_hooks::{Context, handle, record};
use serde_json::{Value, json};
use tempfile::TempDir;

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

const NOW: i64 = 1_800_000_000_000;

struct World {
    _dir: TempDir,
    home: Home,
    env: Env,
    project: PathBuf,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = std::fs::canonicalize(dir.path()).unwrap();
        let project = user.join("shop");
        std::fs::create_dir_all(project.join(".claude")).unwrap();
        // Only the names of these programs matter.
        let bin = user.join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in ["cargo", "git", "npm"] {
            std::fs::write(bin.join(program), "").unwrap();
        }
        let env = Env::for_test(&user).with("CLAUDECODE", "1").with("PATH", &bin).with_cwd(&project);
        let home = Home::at(user.join(".plimsoll"));
        std::fs::create_dir_all(home.launcher().parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("/bin/sh", home.launcher()).unwrap();
        Self { home, env, project, _dir: dir }
    }

    fn rules(&self, rules: &Value) {
        let text = json!({ "permissions": rules }).to_string();
        std::fs::write(self.project.join(".claude/settings.json"), text).unwrap();
    }

    fn send(&self, agent: &str, payload: &Value) -> Value {
        let agent = agents::by_id(agent).unwrap();
        let clock = Clock::fixed(NOW);
        let context = Context { home: &self.home, env: &self.env, clock, agent, systems: SYSTEMS };
        let result = handle(payload.to_string().as_bytes(), None, &context);
        record(&self.home, SYSTEMS, clock, &result, 7).unwrap();
        serde_json::from_str(&result.output.stdout).unwrap_or(Value::Null)
    }

    fn before(&self, mode: &str, command: &str) -> Value {
        self.send(
            "claude-code",
            &json!({
                "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": self.project, "permission_mode": mode,
                "tool_name": "Bash", "tool_input": { "command": command, "description": "x" }, "tool_use_id": "t"
            }),
        )
    }

    /// A call of its own.
    fn after(&self, command: &str, stdout: &str) -> Value {
        static CALLS: AtomicU32 = AtomicU32::new(0);
        self.after_call(&format!("t-{}", CALLS.fetch_add(1, Ordering::Relaxed)), command, stdout)
    }

    fn after_call(&self, id: &str, command: &str, stdout: &str) -> Value {
        self.send(
            "claude-code",
            &json!({
                "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": self.project,
                "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": id,
                "tool_response": { "stdout": stdout, "stderr": "", "interrupted": false, "isImage": false }
            }),
        )
    }
}

fn rewritten(reply: &Value) -> Option<String> {
    Some(reply["hookSpecificOutput"]["updatedInput"]["command"].as_str()?.to_owned())
}

fn decision(reply: &Value) -> Option<&str> {
    reply["hookSpecificOutput"]["permissionDecision"].as_str()
}
