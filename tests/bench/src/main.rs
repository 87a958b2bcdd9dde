//! `plimsoll-bench saving | facts | session | speed`: Plimsoll's saving, measured beside its rivals in the same run;
//! and `soak`: one server's resources over time.
//!
//! Every figure comes from running: fixtures are captured or made, facts are checked, and a fact that Plimsoll loses
//! fails the run. Started by `cargo xtask bench`, which builds the sidecar and installs the rival and the agents.

mod facts;
mod make;
mod ours;
mod rivals;
mod saving;
mod scenario;
mod session;
mod soak;
mod speed;
mod table;
mod tokens;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

/// The command line's options.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Root of the clone.
    clone: PathBuf,
    /// The rival's Node and program, where they are installed.
    rival: Option<(PathBuf, PathBuf)>,
    /// Print JSON instead of a table.
    json: bool,
    /// Folder to write the results into, for inspection.
    show: Option<PathBuf>,
    /// How long the soak lasts.
    minutes: u64,
    /// How long it waits between rounds, in milliseconds.
    pause_ms: u64,
    /// Only scenarios whose name contains this.
    only: Option<String>,
    /// List the lost facts.
    list: bool,
    /// The folder of pinned packages that commands are run in.
    packages: PathBuf,
    /// `session`: every agent that is driven here, or those with these ids; which day, and how many of its calls.
    all: bool,
    host: Option<String>,
    day: Option<String>,
    calls: Option<usize>,
    /// Other tools' hooks, as `--hook NAME COMMAND FOLDER`.
    hooks: Vec<facts::Rival>,
    /// The message about tools that couldn't be installed.
    missing: Vec<String>,
}

#[expect(clippy::print_stdout, reason = "this is a command line tool")]
fn main() -> ExitCode {
    match run() {
        Ok(report) => {
            println!("{}", report.text);
            if report.wrong.is_empty() {
                return ExitCode::SUCCESS;
            }
            report.wrong.iter().for_each(|wrong| eprintln!("WRONG: {wrong}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("plimsoll-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The text to print, and the failures.
#[derive(Debug, Default)]
pub(crate) struct Report {
    text: String,
    wrong: Vec<String>,
}

fn run() -> Result<Report> {
    let mut words = std::env::args().skip(1);
    let what = words.next().unwrap_or_default();
    let mut options = Options { clone: std::env::current_dir()?, minutes: 30, ..Options::default() };
    while let Some(word) = words.next() {
        let mut value = || words.next().map(PathBuf::from).with_context(|| format!("{word} wants a value"));
        match word.as_str() {
            "--json" => options.json = true,
            "--rival" => options.rival = Some((value()?, value()?)),
            "--show" => options.show = Some(value()?),
            "--minutes" => {
                options.minutes = value()?.to_string_lossy().parse().context("--minutes wants a number")?;
            }
            "--pause" => {
                options.pause_ms = value()?.to_string_lossy().parse().context("--pause wants a number")?;
            }
            "--only" => options.only = Some(value()?.to_string_lossy().into_owned()),
            "--list" => options.list = true,
            "--all" => options.all = true,
            "--host" => options.host = Some(value()?.to_string_lossy().into_owned()),
            "--day" => options.day = Some(value()?.to_string_lossy().into_owned()),
            "--calls" => {
                options.calls = Some(value()?.to_string_lossy().parse().context("--calls wants a number")?);
            }
            "--packages" => options.packages = value()?,
            "--hook" => {
                let mut text = || Ok::<_, anyhow::Error>(value()?.to_string_lossy().into_owned());
                let (name, before) = (text()?, text()?);
                options.hooks.push(facts::Rival { name, before, bin: value()? });
            }
            "--missing" => options.missing.push(value()?.to_string_lossy().into_owned()),
            _ => bail!("unknown option {word}"),
        }
    }
    match what.as_str() {
        "saving" => saving::measure(&options),
        "facts" => facts::measure(&options),
        "session" => session::measure(&options),
        "soak" => soak::measure(&options),
        "speed" => speed::measure(&options),
        // The measurement that `speed` starts in separate processes.
        "first" => speed::first(&options),
        _ => bail!(
            "usage: plimsoll-bench saving|facts|session|speed|soak [--json] [--list] [--rival NODE CLI] [--packages DIR] [--hook NAME COMMAND FOLDER] [--show DIR] [--only NAME] [--all] [--host IDS] [--day NAME] [--calls N]"
        ),
    }
}
