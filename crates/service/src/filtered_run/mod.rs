//! `plimsoll run -- <command>`: runs a command in the agent's place and passes on the important part of its output.
//!
//! The command gets the same input, folder, environment, signals and exit code as without Plimsoll. The output of a
//! short run is filtered when it ends; a long run's is shown as it goes, as far as a line filter can tell what stays.
//! If nothing is shortened, or anything in Plimsoll fails, the output is passed on byte for byte.

mod display_budget;
mod full_output;
mod lane;
mod output_stream;
mod run_output;
mod stdio;
mod unshortened;

use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use agents::Agent;
use filters::FilterSet;
use home::{Clock, Env, Home, Project, Settings};
#[cfg(unix)]
pub use sandbox::terminate_by_signal;
use sandbox::{Confine, Exit, PrintedTo, Relay, RelayEvent};
use sessions::{Class, LedgerRow, NewEvent, Note};

use crate::confine::{ConfinePolicy, confine};
use full_output::FullOutput;
use output_stream::OutputStream;
use run_output::RunOutput;

/// A run that takes longer is shown as it goes.
const STREAM_AFTER: Duration = Duration::from_secs(8);
/// The same for a command whose filter needs the complete output.
const STREAM_ANYWAY_AFTER: Duration = Duration::from_secs(30);
/// How often new output is shown.
const SHOW_EVERY: Duration = Duration::from_secs(2);

/// The command to run, and for whom.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The agent that runs the command.
    pub agent: Option<&'static str>,
    /// Its session.
    pub session: Option<String>,
    /// Program and arguments.
    pub argv: Vec<OsString>,
    /// The command at the front of the pipe whose output this one passes on. Its exit code is unknown.
    pub output_of: Vec<String>,
}

impl Request {
    /// The command that printed the output.
    fn printed_by(&self) -> Vec<String> {
        if self.output_of.is_empty() {
            return self.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        }
        self.output_of.clone()
    }
}

/// The words of a command line with a single command; empty for any other.
#[must_use]
pub fn words_of(line: &str) -> Vec<String> {
    let parsed = shell::line::parse(line);
    match parsed.commands.as_slice() {
        [one] if !parsed.odd => one.argv(),
        _ => Vec::new(),
    }
}

/// Runs the command and returns how it ended: 127 if there is no such program, 126 if it can't be started, like a
/// shell. `None` if nothing was started because there is no room for a second process or its pipes: the caller's process can
/// still become the command.
pub async fn run(env: &Env, clock: Clock, request: Request) -> Option<Exit> {
    let name = request.argv.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
    let confine = match confinement_of(env, request.agent) {
        Ok(confine) => confine,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "plimsoll run: {}", error.message);
            return Some(Exit { code: 126, signal: None });
        }
    };
    let mut relay = match Relay::start(&request.argv, confine.as_ref()) {
        Ok(relay) => relay,
        // Under rules it runs only where they can be kept.
        Err(error) if confine.is_none() && sandbox::is_without_room(&error) => return None,
        Err(error) => {
            let missing = error.kind() == std::io::ErrorKind::NotFound;
            let why = if missing { "command not found".to_owned() } else { error.to_string() };
            let _ = writeln!(std::io::stderr(), "{name}: {why}");
            print_denials(confine.as_ref());
            return Some(Exit { code: if missing { 127 } else { 126 }, signal: None });
        }
    };
    let home = Home::resolve(env).ok();
    let settings = home.as_ref().and_then(|home| Settings::load(home).ok()).unwrap_or_default();
    // A project's own filters and switches count in all of its folders, as they do for hooks.
    let project = home::project_root(env.cwd(), env).unwrap_or_else(|| env.cwd().to_owned());
    let set =
        home.as_ref().map_or_else(FilterSet::builtin, |home| hooks::filters_for(&settings, home, &project));
    let argv = request.printed_by();
    let full_output = home.as_ref().map(|home| {
        FullOutput::new(home, &argv, env.cwd(), request.session.as_deref(), clock, settings.output_room())
    });
    let agent = request.agent.and_then(agents::by_id);
    let mut run_output =
        RunOutput::new(&set, &argv, full_output, hooks::filters_are_on(&settings, &project), agent);
    run_output.exit_code_unknown = !request.output_of.is_empty();
    let started = Instant::now();
    let mut ticks = tokio::time::interval(SHOW_EVERY);
    ticks.tick().await;
    let mut exit = loop {
        tokio::select! {
            told = relay.next() => match told {
                Some(RelayEvent::Piece(PrintedTo::Out, piece)) => run_output.take(OutputStream::Out, &piece),
                Some(RelayEvent::Piece(PrintedTo::Err, piece)) => run_output.take(OutputStream::Err, &piece),
                Some(RelayEvent::Ended(exit)) => break exit,
                None => break Exit { code: 1, signal: None },
            },
            _ = ticks.tick() => {
                if started.elapsed() >= STREAM_AFTER {
                    run_output.show_progress(started.elapsed() >= STREAM_ANYWAY_AFTER);
                }
            }
        }
        if run_output.is_closed(OutputStream::Out) {
            relay.close(PrintedTo::Out);
        }
        if run_output.is_closed(OutputStream::Err) {
            relay.close(PrintedTo::Err);
        }
    };
    let finishing = Instant::now();
    let (done, failed) = run_output.finish(exit.code);
    let _ = std::io::stdout().flush();
    relay.leave();
    if let Some(confine) = &confine {
        print_denials(Some(confine));
        if let Err(error) = confine.leave(|| supervisor(request.agent)) {
            log::warn!("nobody answers for what goes on after the command's end: {error}");
        }
    }
    if let (Some(done), Some(home)) = (&done, &home) {
        home::add_growth(home, done.before);
        if crate::disk_budget::is_due(home, settings.retention.kept_bytes) {
            crate::disk_budget::enforce(home, settings.retention.kept_bytes, clock.now_ms());
        }
    }
    if let Some(error) = failed {
        // The command couldn't notice: its writes to Plimsoll succeeded.
        let _ = writeln!(std::io::stderr(), "plimsoll run: what {name} printed couldn't be written: {error}");
        exit.code = if exit.code == 0 { 1 } else { exit.code };
    }
    if let (Some(done), Some(home), Some(agent)) = (done, home, agent) {
        let elapsed_us = u64::try_from(finishing.elapsed().as_micros()).unwrap_or(u64::MAX);
        record(&home, env, clock, agent, &request, &argv, &done, exit.code, elapsed_us);
    }
    Some(exit)
}

/// The agent's deny rules for the command; none for a user's own command.
fn confinement_of(env: &Env, agent: Option<&'static str>) -> Result<Option<Confine>, contract::Error> {
    let settings = Home::resolve(env).ok().and_then(|home| Settings::load(&home).ok()).unwrap_or_default();
    let policy = ConfinePolicy::of(&settings);
    let Some(agent) = agent.and_then(agents::by_id).filter(|_| policy.enabled) else { return Ok(None) };
    let root = Project::find(&[env.cwd().to_owned()], env)
        .map_or_else(|| env.cwd().to_owned(), |project| project.root);
    confine(policy, &agent.rules(env, &root), &[&root, env.cwd()], env)
}

/// Prints what the rules stopped the command from doing.
fn print_denials(confine: Option<&Confine>) {
    for stopped in confine.map(Confine::stopped).unwrap_or_default() {
        let _ = writeln!(std::io::stderr(), "plimsoll run: stopped by the user's rules: {stopped}");
    }
}

/// The program that answers the kernel after this process has ended.
fn supervisor(agent: Option<&'static str>) -> std::process::Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "plimsoll".into());
    let mut command = std::process::Command::new(program);
    command.args(["run", "--go-on", "--agent", agent.unwrap_or_default()]);
    command
}

/// `plimsoll run --go-on`: answers the kernel for the processes that another `plimsoll run` left behind, until the
/// last one ends. The kernel's notification descriptor is standard input.
pub fn supervise_leftovers(env: &Env, agent: Option<&'static str>) {
    #[cfg(target_os = "linux")]
    if let Ok(Some(confine)) = confinement_of(env, agent)
        && let Ok(line) = std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned()
    {
        confine.go_on(line);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (env, agent);
}

/// The result of a shortened run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunSummary {
    pub(crate) filter: String,
    pub(crate) before: u64,
    pub(crate) after: u64,
    /// The address of the full output.
    pub(crate) address: Option<String>,
}

#[expect(clippy::too_many_arguments, reason = "one row of the ledger has as many columns")]
fn record(
    home: &Home,
    env: &Env,
    clock: Clock,
    agent: &dyn Agent,
    request: &Request,
    argv: &[String],
    done: &RunSummary,
    code: i32,
    elapsed_us: u64,
) {
    let session = request.session.clone().unwrap_or_default();
    let project = env.cwd().to_string_lossy().into_owned();
    let notes = [
        Note::Event(NewEvent {
            agent: agent.id().to_owned(),
            session: session.clone(),
            project: project.clone(),
            kind: "filter".into(),
            tool: Some("run".into()),
            summary: argv.join(" "),
            decision: "replace".into(),
            rule: Some(format!("filter {}", done.filter)),
            bytes_before: Some(done.before),
            bytes_after: Some(done.after),
            full_output: done.address.clone(),
            call: String::new(),
            elapsed_us,
            at_ms: clock.now_ms(),
        }),
        Note::Call(LedgerRow {
            agent: agent.id().to_owned(),
            session,
            project,
            tool: "run".into(),
            filter: done.filter.clone(),
            raw_bytes: agent
                .output_limits(agents::OutputKind::Shell { failed: code != 0 })
                .visible_bytes_of(done.before),
            returned_bytes: done.after,
            class: Class::Measured,
            // The program's failure isn't Plimsoll's: its output was shortened all the same.
            ok: true,
            elapsed_us,
            at_ms: clock.now_ms(),
            ..LedgerRow::default()
        }),
    ];
    if let Err(error) = sessions::append_notes(home, &notes) {
        log::info!("the ledger could not be written: {error}");
    }
}
