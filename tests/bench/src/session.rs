//! `session`: a debugging session through a real agent with a scripted model, once without and once with Plimsoll; what
//! counts is the bytes of the model's requests as they come over the wire. Owns the stand-ins for the tools, which print
//! what the real ones printed; the agent, its shell and its files are real.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use plimsoll_tests::{Cli, Model, Scratch, Step, agents_dir};
use serde::Deserialize;
use serde_json::json;

use crate::ours::script;
use crate::scenario::{self, Captured};
use crate::table::{grouped, markdown, saved};
use crate::{Options, Report};

/// A whole session takes minutes on a busy computer.
const LIMIT: Duration = Duration::from_secs(900);

const PROMPT: &str = "Find out why the shop's tests fail, and repair it.";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    step: Vec<Call>,
}

/// One call: a captured command, or a file that is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    filter: Option<String>,
    name: Option<String>,
    /// For downloads, which Plimsoll redirects: what the model says that it wants of it.
    intent: Option<String>,
    /// A file of the project.
    read: Option<String>,
    /// Where in the clone its text comes from.
    from: Option<String>,
}

/// What one run came to.
#[derive(Debug)]
struct Run {
    requests: usize,
    calls: usize,
    first: usize,
    last: usize,
    total: usize,
    kept: usize,
    facts: usize,
    lost: Vec<String>,
    seconds: f64,
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    let Some(agents) = agents_dir() else {
        let text = "The session was not measured: the agents are not installed (npm on Linux x64 is needed).";
        return Ok(Report { text: text.into(), ..Report::default() });
    };
    let script: Script = toml_edit::de::from_str(&scenario::read(
        &options.clone.join("tests/saving/session/debugging.toml"),
    )?)?;
    let without = run(options, &agents, &script, false).context("without Plimsoll")?;
    let with = run(options, &agents, &script, true).context("with Plimsoll")?;
    let wrong = with.lost.iter().map(|fact| format!("the fact {fact:?} did not reach the model")).collect();
    let text =
        if options.json { as_json(&without, &with)? } else { as_text(script.step.len(), &without, &with) };
    Ok(Report { text, wrong })
}

fn run(options: &Options, agents: &Path, session: &Script, ours: bool) -> Result<Run> {
    let scratch = Scratch::new()?;
    Cli::Claude.install(agents, &scratch)?;
    let mut stands = StandIns::new(scratch.home.join(".local/bin"), scratch.home.join("printed"))?;
    let mut steps = Vec::new();
    let mut facts = Vec::new();
    for call in &session.step {
        if let (Some(filter), Some(name)) = (&call.filter, &call.name) {
            let captured = Captured { filter: filter.clone(), name: name.clone() };
            let (case, raw) = scenario::captured_case(&options.clone, &captured)?;
            stands.add(&case.command, &raw, case.exit.unwrap_or(0))?;
            steps.push(Step::Shell(case.command.clone()));
            if let (Some(intent), true) = (&call.intent, ours) {
                // The stand-in prints once more for this call.
                stands.add(&case.command, &raw, case.exit.unwrap_or(0))?;
                let arguments = json!({"language": "shell", "code": case.command, "intent": intent});
                steps.push(Step::Ours("execute", arguments));
            } else if call.intent.is_none() {
                facts.extend(case.keep);
            }
        } else if let Some(read) = &call.read {
            let path = scratch.project.join(read);
            if let Some(from) = &call.from {
                std::fs::create_dir_all(path.parent().context("a folder")?)?;
                std::fs::copy(options.clone.join(from), &path).with_context(|| from.clone())?;
            }
            steps.push(Step::Own(&["Read"], json!({"file_path": path})));
        }
    }
    if ours {
        scratch.plimsoll(&["connect", Cli::Claude.id(), "--yes"])?;
    }
    let calls = steps.len();
    let model = Model::start(steps)?;
    let how = plimsoll_tests::Run { limit: Some(LIMIT), ..plimsoll_tests::Run::default() };
    let started = Instant::now();
    let ended = Cli::Claude.run(agents, &scratch, &model, PROMPT, &how)?;
    ensure!(ended.code == Some(0), "the agent ended badly: {ended:?}");
    ensure!(model.left() == 0, "{} calls were not made: {ended:?}", model.left());
    let turns = model.turns();
    let (first, last) = (turns.first().context("a request")?, turns.last().context("a request")?);
    let seen = last.text();
    if let Some(folder) = &options.show {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(if ours { "session-with.txt" } else { "session-without.txt" }), &seen)?;
    }
    let plain = filters::normalise(&seen).into_owned();
    // What a tool coloured in the middle of a fact is no loss.
    let lost: Vec<String> =
        facts.iter().filter(|fact| !seen.contains(*fact) && !plain.contains(*fact)).cloned().collect();
    Ok(Run {
        requests: turns.len(),
        calls,
        first: first.bytes,
        last: last.bytes,
        total: model.requests().iter().map(|request| request.bytes).sum(),
        kept: facts.len() - lost.len(),
        facts: facts.len(),
        lost,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Programs that print what the real ones printed, one output after the other for the same words, and otherwise get out
/// of the way.
struct StandIns {
    bin: PathBuf,
    printed: PathBuf,
    counts: HashMap<String, usize>,
}

const STAND_IN: &str = r#"#!/bin/sh
# Prints the next captured output for these words; the real program otherwise.
PATH=$(printf '%s' "$PATH" | sed "s|$(dirname "$0"):||g")
name=$(basename "$0")
key=$(printf '%s' "$name $*" | tr -c 'A-Za-z0-9' '_')
folder='FOLDER'
n=$(cat "$folder/$key.n" 2>/dev/null || echo 0)
n=$((n + 1))
if [ -f "$folder/$key.$n.txt" ]; then
  echo "$n" > "$folder/$key.n"
  cat "$folder/$key.$n.txt"
  exit "$(cat "$folder/$key.$n.exit")"
fi
exec "$name" "$@"
"#;

impl StandIns {
    fn new(bin: PathBuf, printed: PathBuf) -> Result<Self> {
        std::fs::create_dir_all(&bin)?;
        std::fs::create_dir_all(&printed)?;
        Ok(Self { bin, printed, counts: HashMap::new() })
    }

    fn add(&mut self, command: &str, raw: &str, exit: i32) -> Result<()> {
        let command = command.split(['|', '&']).next().unwrap_or(command).trim();
        let words: String = command.chars().filter(|c| !matches!(c, '\'' | '"')).collect();
        let program = words.split_whitespace().next().context("a program")?;
        let key: String =
            words.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b) } else { '_' }).collect();
        let count = self.counts.entry(key.clone()).or_default();
        *count += 1;
        std::fs::write(self.printed.join(format!("{key}.{count}.txt")), raw)?;
        std::fs::write(self.printed.join(format!("{key}.{count}.exit")), exit.to_string())?;
        let folder = self.printed.to_str().context("the scratch folder is no Unicode")?;
        script(&self.bin.join(program), &STAND_IN.replace("FOLDER", folder))
    }
}

fn as_text(steps: usize, without: &Run, with: &Run) -> String {
    let line = |what: &str, before: usize, after: usize| {
        vec![what.to_owned(), grouped(before), grouped(after), saved(before, after)]
    };
    let mut out = format!(
        "### A debugging session of {steps} calls through Claude Code, bytes of the model's requests on the wire\n\n"
    );
    out += &markdown(
        &["", "without Plimsoll", "with Plimsoll", "less"],
        &[
            line("all requests together", without.total, with.total),
            line("the last request: the context at the end", without.last, with.last),
            line(
                "the last request beyond the first: what the session added",
                without.last - without.first,
                with.last - with.first,
            ),
            vec![
                "facts that reached the model".into(),
                format!("{}/{}", without.kept, without.facts),
                format!("{}/{}", with.kept, with.facts),
                "–".into(),
            ],
            vec![
                "calls, requests".into(),
                format!("{}, {}", without.calls, without.requests),
                format!("{}, {}", with.calls, with.requests),
                "–".into(),
            ],
            vec![
                "seconds".into(),
                format!("{:.0}", without.seconds),
                format!("{:.0}", with.seconds),
                "–".into(),
            ],
        ],
    );
    let overhead = with.first.saturating_sub(without.first);
    out += &format!(
        "\nOverhead: the first request is {} bytes larger with Plimsoll (tool list, session-start text), counted in every figure above. Claude Code was told to use the scripted model, and then sends the tool list whole; with its tool search it would send less.\n",
        grouped(overhead)
    );
    out
}

fn as_json(without: &Run, with: &Run) -> Result<String> {
    let one = |run: &Run| {
        json!({"requests": run.requests, "calls": run.calls, "first_request_bytes": run.first, "last_request_bytes": run.last,
            "total_bytes": run.total, "facts_kept": run.kept, "facts": run.facts, "seconds": run.seconds})
    };
    Ok(serde_json::to_string_pretty(&json!({"without": one(without), "with": one(with)}))?)
}
