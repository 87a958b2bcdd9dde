//! The rivals that Plimsoll is compared with in the same run: plain cutting to both ends, and the rival as its
//! package installs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use plimsoll_tests::Server;
use serde_json::{Value, json};

use crate::ours::WayResult;

/// Lines that plain cutting leaves at each end.
const ENDS: usize = 50;

/// `head -n 50`, what was left out, `tail -n 50`.
pub(crate) fn cut(raw: &str) -> WayResult {
    let started = Instant::now();
    let lines: Vec<&str> = raw.lines().collect();
    let text = if lines.len() <= 2 * ENDS {
        raw.to_owned()
    } else {
        let left_out = lines.len() - 2 * ENDS;
        let (head, tail) = (lines[..ENDS].join("\n"), lines[lines.len() - ENDS..].join("\n"));
        format!("{head}\n… {left_out} lines …\n{tail}\n")
    };
    WayResult { text, sent: 0, ms: started.elapsed().as_secs_f64() * 1000.0 }
}

/// The rival: its Node and its program.
#[derive(Debug)]
pub(crate) struct Rival {
    pub(crate) node: PathBuf,
    pub(crate) cli: PathBuf,
    /// A home of its own.
    pub(crate) home: PathBuf,
    pub(crate) project: PathBuf,
}

impl Rival {
    fn command(&self, args: &[&str]) -> Result<Command> {
        let mut command = Command::new(&self.node);
        command.arg(&self.cli).args(args).current_dir(&self.project).env("HOME", &self.home);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut dirs = vec![self.node.parent().unwrap_or(Path::new("")).to_owned()];
        dirs.extend(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(dirs)?).env("CLAUDE_PROJECT_DIR", &self.project);
        Ok(command)
    }

    /// A server as an agent starts it. A new one for every question, because it answers less with every search.
    pub(crate) fn server(&self) -> Result<Server> {
        Server::of(self.command(&[])?)
    }

    /// The text that its hook adds at the start of a session, as the agent gets it.
    pub(crate) fn session_start(&self) -> Result<String> {
        let event = json!({"session_id": "bench", "cwd": self.project, "hook_event_name": "SessionStart", "source": "startup"});
        self.hook("sessionstart", &event)
    }

    fn hook(&self, name: &str, event: &Value) -> Result<String> {
        use std::io::Write as _;
        let mut command = self.command(&["hook", "claude-code", name])?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("starting the rival's hook")?;
        if let Some(mut stdin) = child.stdin.take() {
            // A hook that does not read closes its input.
            let _ = stdin.write_all(event.to_string().as_bytes());
        }
        let output = child.wait_with_output()?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
