//! One session with a real agent that plays many cases, and each case's effects.
//!
//! The programs in the rules are canaries: scripts that report that they ran. A file's text that reaches the model, and a file
//! that was written, are detected too. The agent's next request shows that the previous step is over.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use super::scenario::{Mode, Scenario};
use super::{Case, Outcome, Route};
use crate::cli::{Cli, Run};
use crate::model::Model;
use crate::scratch::Scratch;
use crate::turn::Step;

/// Programs that rules may forbid.
const CANARIES: &[&str] = &["boom", "cargo", "pytest", "npm"];
/// Files that rules may forbid reading, with the text that identifies them.
const SECRETS: &[(&str, &str)] = &[
    (".env", "heron-in-the-root"),
    ("secrets/a", "heron-in-secrets"),
    ("sub/.env", "heron-in-the-sub"),
    ("sub/secrets/a", "heron-in-sub-secrets"),
];
/// Files that rules may forbid writing.
const LOCKED: &[&str] = &["locked/log", "sub/locked/log", "locked.txt"];
/// A command's time limit, in milliseconds.
const PATIENCE_MS: u64 = 6_000;

/// Whether Plimsoll is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The agent alone.
    Without,
    /// Connected.
    With,
}

/// A scratch computer with the agent, one scenario's rules, and Plimsoll or not.
pub struct Bench {
    cli: Cli,
    agents: PathBuf,
    scratch: Scratch,
    how: Run,
    mode: Mode,
    side: Side,
    start: PathBuf,
}

impl Bench {
    /// Lays out home and project, and connects.
    ///
    /// # Errors
    /// If a file can't be written or the sidecar doesn't connect.
    pub fn new(cli: Cli, agents: &Path, scenario: &Scenario, mode: Mode, side: Side) -> Result<Self> {
        let scratch = Scratch::new()?;
        cli.install(agents, &scratch)?;
        let mut how = Run {
            asks: mode == Mode::Asks,
            limit: Some(Duration::from_secs(600)),
            start: (!scenario.start.is_empty()).then(|| PathBuf::from(&scenario.start)),
            ..Run::default()
        };
        let filled = |text: &str| {
            let home = scratch.home.to_string_lossy().into_owned();
            text.replace("{home}", &home).replace("{project}", &scratch.project.to_string_lossy())
        };
        how.arguments = scenario.arguments.iter().map(|text| filled(text)).collect();
        let canaries = scratch.home.join("canaries");
        let marker = scratch.home.join("marker");
        for name in CANARIES {
            let script = format!(
                "#!/bin/sh\n(echo \"ran {name} $*\" >> '{}') 2>/dev/null\necho \"ran {name} $*\"\nexit 0\n",
                marker.display()
            );
            let path = canaries.join(name);
            write(&path, &script)?;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
        // Login shells read it.
        let profile =
            format!("PATH=\"{}:{}:$PATH\"\n", canaries.display(), scratch.home.join(".local/bin").display());
        write(&scratch.home.join(".profile"), &profile)?;
        how.path = vec![canaries];
        for (path, token) in SECRETS {
            write(&scratch.project.join(path), &format!("{token}\n"))?;
        }
        for path in LOCKED {
            write(&scratch.project.join(path), "")?;
        }
        write(&scratch.project.join("sub/deep/notes"), "nothing\n")?;
        std::os::unix::fs::symlink(".env", scratch.project.join("link"))?;
        std::os::unix::fs::symlink("..", scratch.project.join("sub/up"))?;
        for (path, text) in &scenario.files {
            let path = match path.split_once('/') {
                Some(("home", rest)) => scratch.home.join(rest),
                Some(("project", rest)) => scratch.project.join(rest),
                _ => anyhow::bail!("{path} begins neither with home/ nor with project/"),
            };
            write(&path, &filled(text))?;
        }
        let start = scratch.project.join(&scenario.start);
        match cli {
            Cli::Claude => claude(&scratch, scenario, mode, &mut how)?,
            Cli::Codex if side == Side::With => {
                let approved = "mcp_servers.plimsoll.default_tools_approval_mode=\"approve\"";
                how.arguments.extend(["-c".into(), approved.into()]);
            }
            Cli::Gemini => gemini(&scratch)?,
            Cli::Copilot if mode == Mode::Asks && side == Side::With => {
                how.arguments.push("--allow-tool=plimsoll".into());
            }
            _ => {}
        }
        if side == Side::With {
            scratch.plimsoll(&["connect", cli.id(), "--yes"])?;
        }
        Ok(Self { cli, agents: agents.to_owned(), scratch, how, mode, side, start })
    }

    /// The agent's permission mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Plays the cases, in as many sessions as needed. A case whose step was never taken has no outcome.
    ///
    /// # Errors
    /// If the agent can't be started or doesn't end.
    pub fn play(&self, cases: &[Case]) -> Result<BTreeMap<String, Outcome>> {
        let before = self.marker().len();
        for path in self.locked() {
            std::fs::write(&path, "")?;
        }
        let mut outcomes = BTreeMap::new();
        let mut ordered: Vec<&Case> = cases.iter().collect();
        ordered.sort_by(|a, b| a.history.cmp(&b.history));
        for session in ordered.chunks(120) {
            let mut open: Vec<&Case> = session.to_vec();
            while !open.is_empty() {
                let played = self.session(&open, &mut outcomes)?;
                // A step that ended a session early is skipped.
                open.drain(..(played + 1).min(open.len()));
            }
        }
        let marker = self.marker();
        for case in cases {
            let Some(outcome) = outcomes.get_mut(&case.mark) else { continue };
            record_canaries(marker.get(before..).unwrap_or(&marker), &case.mark, outcome);
        }
        Ok(outcomes)
    }

    /// Plays one session; returns how many of the cases were played.
    fn session(&self, cases: &[&Case], outcomes: &mut BTreeMap<String, Outcome>) -> Result<usize> {
        let mut steps = Vec::new();
        // Which case a step belongs to.
        let mut owners: Vec<Option<usize>> = Vec::new();
        let mut at: Option<&[String]> = None;
        for (index, case) in cases.iter().enumerate() {
            if at != Some(case.history.as_slice()) && self.cli == Cli::Claude {
                if at.is_some() {
                    steps.push(Step::Shell(format!("cd {}", self.start.display())));
                }
                steps.extend(case.history.iter().map(|step| Step::Shell(step.clone())));
            }
            steps.extend(self.steps(case));
            owners.resize(steps.len() - 1, None);
            owners.push(Some(index));
            // The shell may be elsewhere now, where a host keeps its folder.
            let moves = ["cd", "pushd", "popd"].iter().any(|word| case.command.contains(word));
            at = if moves { Some(&[]) } else { Some(&case.history) };
            if moves && self.cli == Cli::Claude {
                steps.push(Step::Shell(format!("cd {}", self.start.display())));
                owners.push(None);
            }
        }
        let told: Arc<Mutex<Vec<Outcome>>> = Arc::default();
        let (seen, locked, folder) = (Arc::clone(&told), self.locked(), self.scratch.project.clone());
        let marks: Vec<Option<(String, bool)>> = owners
            .iter()
            .map(|owner| owner.map(|index| (cases[index].mark.clone(), in_background(&cases[index].command))))
            .collect();
        let model = Model::watched(steps, move |step, request| {
            let Some(before) = step.checked_sub(1) else { return };
            let text = request.results().pop().map(|result| result.text).unwrap_or_default();
            let mut outcome = Outcome { told: text, ..Outcome::default() };
            if let Some(Some((mark, background))) = marks.get(before) {
                // Neighbours have no mark, and what a call printed is its own. What runs in the background prints
                // into this answer or the next.
                let told = outcome.told.clone();
                record_canaries(&told, if *background { mark } else { "" }, &mut outcome);
                record_effects(mark, &locked, &folder, &mut outcome);
            }
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.resize(before, Outcome::default());
            seen.push(outcome);
        })?;
        let ended =
            self.cli.run(&self.agents, &self.scratch, &model, "Do what the script says.", &self.how)?;
        let told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut played = 0;
        for (owner, outcome) in owners.iter().zip(told.iter()) {
            if let Some(index) = owner {
                outcomes.insert(cases[*index].mark.clone(), outcome.clone());
                played += 1;
            }
        }
        if played == 0 {
            anyhow::bail!("the agent played nothing of {:?}: {ended:?}", cases.first());
        }
        Ok(played)
    }

    /// What the canaries reported.
    fn marker(&self) -> String {
        let bytes = std::fs::read(self.scratch.home.join("marker")).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_else(|error| {
            error.into_bytes().iter().map(|b| *b as char).filter(char::is_ascii).collect()
        })
    }

    fn locked(&self) -> Vec<PathBuf> {
        LOCKED.iter().map(|path| self.scratch.project.join(path)).collect()
    }

    /// The case as tool calls, the last of which shows its effects. Agents that forget a `cd` get the folder with the
    /// call.
    fn steps(&self, case: &Case) -> Vec<Step> {
        let folder = case.history.iter().filter_map(|step| step.strip_prefix("cd ")).collect::<PathBuf>();
        let folder = self.start.join(folder);
        let command = match case.route {
            Route::File | Route::Index => format!("cat {}", case.command),
            _ => case.command.clone(),
        };
        if self.side == Side::With {
            if case.route.uses_plimsoll_tool() {
                return tool_calls(case, &folder);
            }
            if case.route == Route::Run {
                let launcher = self.scratch.home.join(".plimsoll/bin/plimsoll");
                return vec![self.shell(format!("{} run -- {command}", launcher.display()), &folder)];
            }
        }
        vec![self.shell(command, &folder)]
    }

    fn shell(&self, command: String, folder: &Path) -> Step {
        if self.cli == Cli::Codex {
            let input = json!({"cmd": command, "workdir": folder, "yield_time_ms": PATIENCE_MS});
            return Step::Own(&["exec_command"], input);
        }
        if self.cli == Cli::Gemini {
            let input = json!({"command": command, "dir_path": folder});
            return Step::Own(&["run_shell_command"], input);
        }
        Step::Shell(command)
    }
}

/// The case as calls of Plimsoll's tools.
fn tool_calls(case: &Case, folder: &Path) -> Vec<Step> {
    let execute =
        |code: &str| json!({"language": "shell", "code": code, "cwd": folder, "timeout_ms": PATIENCE_MS});
    // Relative paths start at the project, wherever code runs: the folder goes with them.
    let path =
        if case.command.starts_with('~') { PathBuf::from(&case.command) } else { folder.join(&case.command) };
    match case.route {
        Route::Batch => {
            let commands = json!([{"label": case.mark, "command": case.command}]);
            let input =
                json!({"commands": commands, "queries": ["heron"], "cwd": folder, "timeout_ms": PATIENCE_MS});
            vec![Step::Ours("batch", input)]
        }
        Route::Task => {
            let mut input = execute(&case.command);
            input["background"] = json!(true);
            vec![Step::Ours("execute", input)]
        }
        Route::File => {
            let mut input = execute("printf '%s' \"$FILE_CONTENT\"");
            input["path"] = json!(path);
            vec![Step::Ours("execute", input)]
        }
        Route::Index => {
            let input = json!({"path": path, "source": case.mark});
            let found = json!({"queries": ["heron"], "source": case.mark});
            vec![Step::Ours("index", input), Step::Ours("search", found)]
        }
        _ => vec![Step::Ours("execute", execute(&case.command))],
    }
}

/// Claude Code's settings besides its rules: trust, Plimsoll's tools without a question, short time limits.
fn claude(scratch: &Scratch, scenario: &Scenario, mode: Mode, how: &mut Run) -> Result<()> {
    let mut projects = serde_json::Map::new();
    for folder in [scratch.project.clone(), scratch.project.join(&scenario.start)] {
        let folder = folder.to_string_lossy().trim_end_matches('/').to_owned();
        projects.insert(folder, json!({"hasTrustDialogAccepted": scenario.trusted}));
    }
    write(&scratch.home.join(".claude.json"), &json!({"projects": projects, "mcpServers": {}}).to_string())?;
    if mode == Mode::Asks {
        how.arguments.push("--allowedTools=mcp__plimsoll__execute,mcp__plimsoll__batch,mcp__plimsoll__index,mcp__plimsoll__search".into());
    }
    for name in ["BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS"] {
        how.variables.push((name, PATIENCE_MS.to_string()));
    }
    Ok(())
}

/// Gemini CLI's settings besides its rules: short time limits.
fn gemini(scratch: &Scratch) -> Result<()> {
    let settings = scratch.home.join(".gemini/settings.json");
    if settings.exists() {
        return Ok(());
    }
    let shell = json!({"tools": {"shell": {"inactivityTimeout": PATIENCE_MS / 1_000}}});
    write(&settings, &shell.to_string())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Whether one of its parts runs in the background.
fn in_background(command: &str) -> bool {
    let mut rest = command.to_owned();
    for joint in ["&&", ">&", "<&", "|&", "&>"] {
        rest = rest.replace(joint, " ");
    }
    rest.contains('&') || rest.contains("coproc") || rest.contains("<(") || rest.contains(">(")
}

/// The effects visible right after a case besides canaries: files in its answer, files that it wrote.
fn record_effects(mark: &str, locked: &[PathBuf], project: &Path, outcome: &mut Outcome) {
    for (path, token) in SECRETS {
        if outcome.told.contains(token) {
            outcome.effects.insert(format!("read {path}"));
        }
    }
    for path in locked {
        if std::fs::read_to_string(path).is_ok_and(|text| text.contains(mark)) {
            let shown = path.strip_prefix(project).unwrap_or(path);
            outcome.effects.insert(format!("wrote {}", shown.display()));
        }
    }
}

/// The canaries in this text that ran with this mark.
fn record_canaries(text: &str, mark: &str, outcome: &mut Outcome) {
    let mut words = String::new();
    for name in CANARIES {
        words.clear();
        let _ = write!(words, "ran {name} ");
        let found = text.lines().any(|line| line.find(&words).is_some_and(|at| line[at..].contains(mark)));
        if found {
            outcome.effects.insert(format!("ran {name}"));
        }
    }
}
