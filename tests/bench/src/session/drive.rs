//! One agent's run of the session: lays out the computer, makes the calls, and counts what came over the wire. Owns how each
//! agent reads a file; judges nothing.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use plimsoll_tests::{Cli, Model, Request, Scratch, Step};
use serde_json::{Value, json};

use super::script::{Script, StepKind, written_size};
use super::stand_ins::StandIns;
use crate::Options;
use crate::facts::kept::Text;
use crate::tokens::Counter;

/// A whole session takes minutes on a busy computer.
const LIMIT: Duration = Duration::from_secs(1_200);

const PROMPT: &str = "Find out why the tests fail, mend it, and look at the service.";

/// One run's result.
pub(super) struct Run {
    /// The first request of the conversation, in bytes, and of that the tools.
    pub(super) first: usize,
    pub(super) tools: usize,
    /// Sums up to each request of the conversation, with all other requests before it.
    sums: Vec<Sum>,
    /// The outputs in each of those requests, oldest first, in bytes as they are written there.
    pub(super) carried: Vec<Vec<usize>>,
    /// The result of each call.
    pub(super) calls: Vec<Shown>,
    pub(super) seconds: f64,
}

/// All requests so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    pub(super) requests: usize,
    pub(super) bytes: usize,
    /// o200k tokens and characters of the texts in them.
    pub(super) tokens: usize,
    pub(super) chars: usize,
    /// The last of them, in bytes.
    pub(super) last: usize,
    /// Facts that reached the model, of all.
    pub(super) facts: usize,
    pub(super) of: usize,
}

/// The model's view of a call.
pub(super) struct Shown {
    pub(super) bytes: usize,
    /// By how much the next request is longer: call, result and whatever accompanies it.
    pub(super) growth: usize,
    pub(super) facts: usize,
    pub(super) lost: Vec<String>,
}

impl Run {
    /// The sums of a session of so many calls: it has one more request, which carries the last result.
    pub(super) fn sum_after(&self, calls: usize) -> Sum {
        self.sums[calls.min(self.sums.len() - 1)]
    }
}

pub(super) fn run(options: &Options, agents: &Path, cli: Cli, script: &Script, ours: bool) -> Result<Run> {
    let scratch = Scratch::new()?;
    let bin = cli.install(agents, &scratch)?;
    let stand_ins = StandIns::new(bin.clone(), scratch.home.join("printed"))?;
    for files in &script.files {
        copy_folder(&options.clone.join(&files.from), &scratch.project.join(&files.to))?;
    }
    // Login shells read it.
    std::fs::write(scratch.home.join(".profile"), format!("PATH=\"{}:$PATH\"\n", bin.display()))?;
    let mut steps = Vec::new();
    for call in &script.calls {
        steps.push(match &call.what {
            StepKind::Shell { command, prints } => {
                if let Some((raw, exit)) = prints {
                    stand_ins.add(command, raw, *exit)?;
                }
                Step::Shell(command.clone())
            }
            StepKind::Read(path) => read(cli, &scratch.project.join(path), path),
        });
    }
    if ours {
        scratch.plimsoll(&["connect", cli.id(), "--yes"])?;
    }
    let model = Model::start(steps)?;
    let how = plimsoll_tests::Run { limit: Some(LIMIT), ..plimsoll_tests::Run::default() };
    let started = Instant::now();
    let ended = cli.run(agents, &scratch, &model, PROMPT, &how)?;
    let seconds = started.elapsed().as_secs_f64();
    let requests = model.requests();
    if let Some(folder) = &options.show {
        let folder = folder.join(format!("{}-{}", cli.id(), if ours { "with" } else { "without" }));
        write_requests(&folder, script, &requests)?;
    }
    ensure!(ended.code == Some(0), "the agent ended badly: {ended:?}");
    ensure!(model.remaining_steps() == 0, "{} calls were not made: {ended:?}", model.remaining_steps());
    let counted = counted(script, &requests, seconds)?;
    Ok(counted)
}

/// How the agent reads a file; Codex has no tool for it.
fn read(cli: Cli, path: &Path, relative: &str) -> Step {
    match cli {
        Cli::Claude => Step::Own(&["Read"], json!({"file_path": path})),
        Cli::Gemini => Step::Own(&["read_file"], json!({"file_path": path})),
        Cli::OpenCode => Step::Own(&["read"], json!({"filePath": path})),
        Cli::Copilot => Step::Own(&["view"], json!({"path": path})),
        Cli::Codex => Step::Shell(format!("cat {relative}")),
    }
}

fn counted(script: &Script, requests: &[Request], seconds: f64) -> Result<Run> {
    let mut counter = Counter::new()?;
    let (mut sum, mut sums, mut calls) = (Sum::default(), Vec::new(), Vec::new());
    let (mut first, mut tools, mut before, mut carried) = (0, 0, 0, Vec::new());
    for request in requests {
        sum.requests += 1;
        sum.bytes += request.bytes;
        let (tokens, chars) = counter.all(&request.body);
        sum.tokens += tokens;
        sum.chars += chars;
        if request.tools().len() <= 2 {
            continue;
        }
        sum.last = request.bytes;
        match sums.len() {
            0 => {
                first = request.bytes;
                tools = listed(&request.body);
            }
            at if at <= script.calls.len() => {
                let call = &script.calls[at - 1];
                let told = request.results().pop().context("the result of a call")?;
                let text = Text::new(&told.text);
                let (kept, lost): (Vec<_>, Vec<_>) =
                    call.facts.iter().partition(|fact| text.has(fact, &call.files));
                sum.facts += kept.len();
                sum.of += call.facts.len();
                calls.push(Shown {
                    bytes: told.text.len(),
                    growth: request.bytes.saturating_sub(before),
                    facts: kept.len(),
                    lost: lost.iter().map(|fact| fact.describe()).collect(),
                });
            }
            _ => {}
        }
        before = request.bytes;
        carried.push(request.results().iter().map(|told| written_size(&told.text)).collect());
        sums.push(sum);
    }
    ensure!(calls.len() == script.calls(), "{} of {} results were told", calls.len(), script.calls());
    Ok(Run { first, tools, sums, carried, calls, seconds })
}

/// The tools of a request, in bytes.
fn listed(body: &Value) -> usize {
    let more = body["input"].as_array().into_iter().flatten();
    let more =
        more.filter(|item| item["type"] == "additional_tools").map(|item| item["tools"].to_string().len());
    body.get("tools").map_or(0, |tools| tools.to_string().len()) + more.sum::<usize>()
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}

/// Writes the first requests as they came, and what was shown for each call, to files.
fn write_requests(folder: &Path, script: &Script, requests: &[Request]) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for (at, request) in requests.iter().enumerate().take(4) {
        let text = serde_json::to_string_pretty(&request.body)?;
        std::fs::write(folder.join(format!("request-{:02}.json", at + 1)), text)?;
    }
    let turns: Vec<&Request> = requests.iter().filter(|request| request.tools().len() > 2).collect();
    for (at, (request, call)) in turns.iter().skip(1).zip(&script.calls).enumerate() {
        let seen = request.results().pop().filter(|_| !call.is_held_out());
        if let Some(told) = seen {
            std::fs::write(folder.join(format!("result-{:02}.txt", at + 1)), told.text)?;
        }
    }
    Ok(())
}
