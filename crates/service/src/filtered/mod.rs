//! `plimsoll run -- <command>`: runs a command in our place and passes on what matters of its output.
//!
//! The command has the same input, folder, environment, signals and exit code as without us. A short run is looked at
//! as a whole when it ends; a long one is shown as it goes, as far as a filter by rules can tell what stays. If nothing
//! is shortened, the output is passed on byte for byte. Whatever fails on our side ends in that, too.

mod lane;
mod meter;
mod original;
mod part;
mod shown;
mod ways;

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

use crate::confine::{Wishes, confine};
use original::Original;
use part::Part;
use shown::Shown;

/// A run that takes longer is shown as it goes.
const PATIENCE: Duration = Duration::from_secs(8);
/// The same for one whose output is best looked at as a whole.
const LONG_PATIENCE: Duration = Duration::from_secs(30);
/// How often.
const EVERY: Duration = Duration::from_secs(2);

/// What is to be run, and for whom.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The agent whose command it is.
    pub agent: Option<&'static str>,
    /// Its session.
    pub session: Option<String>,
    /// Program and arguments.
    pub argv: Vec<OsString>,
    /// The command whose output it hands on, where it stands at the end of a pipe. How that one ended is not known.
    pub output_of: Vec<String>,
}

impl Request {
    /// The command that the output is of.
    fn printed_by(&self) -> Vec<String> {
        if self.output_of.is_empty() {
            return self.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        }
        self.output_of.clone()
    }
}

/// The words of a command line with one command; none of any other.
#[must_use]
pub fn words_of(line: &str) -> Vec<String> {
    let parsed = shell::line::parse(line);
    match parsed.commands.as_slice() {
        [one] if !parsed.odd => one.argv(),
        _ => Vec::new(),
    }
}

/// Runs it and returns how it ended: with 127 when there is no such program, 126 when it cannot be started, as a shell
/// says it.
pub async fn run(env: &Env, clock: Clock, request: Request) -> Exit {
    let name = request.argv.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
    let confine = match confined(env, request.agent) {
        Ok(confine) => confine,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "plimsoll run: {}", error.message);
            return Exit { code: 126, signal: None };
        }
    };
    let mut relay = match Relay::start(&request.argv, confine.as_ref()) {
        Ok(relay) => relay,
        Err(error) => {
            let missing = error.kind() == std::io::ErrorKind::NotFound;
            let why = if missing { "command not found".to_owned() } else { error.to_string() };
            let _ = writeln!(std::io::stderr(), "{name}: {why}");
            say_stopped(confine.as_ref());
            return Exit { code: if missing { 127 } else { 126 }, signal: None };
        }
    };
    let home = Home::resolve(env).ok();
    let settings = home.as_ref().and_then(|home| Settings::load(home).ok()).unwrap_or_default();
    let set =
        home.as_ref().map_or_else(FilterSet::builtin, |home| hooks::filters_for(&settings, home, env.cwd()));
    let argv = request.printed_by();
    let original = home.as_ref().map(|home| {
        Original::new(home, &argv, env.cwd(), request.session.as_deref(), clock, settings.output_room())
    });
    let agent = request.agent.and_then(agents::by_id);
    let mut shown = Shown::new(&set, &argv, original, settings.filters.enabled, agent);
    shown.ends_elsewhere = !request.output_of.is_empty();
    let started = Instant::now();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.tick().await;
    let mut exit = loop {
        tokio::select! {
            told = relay.next() => match told {
                Some(RelayEvent::Piece(PrintedTo::Out, piece)) => shown.take(Part::Out, &piece),
                Some(RelayEvent::Piece(PrintedTo::Err, piece)) => shown.take(Part::Err, &piece),
                Some(RelayEvent::Ended(exit)) => break exit,
                None => break Exit { code: 1, signal: None },
            },
            _ = ticks.tick() => {
                if started.elapsed() >= PATIENCE {
                    shown.go_on(started.elapsed() >= LONG_PATIENCE);
                }
            }
        }
        if shown.is_closed(Part::Out) {
            relay.close(PrintedTo::Out);
        }
        if shown.is_closed(Part::Err) {
            relay.close(PrintedTo::Err);
        }
    };
    let ours = Instant::now();
    let (done, failed) = shown.finish(exit.code);
    let _ = std::io::stdout().flush();
    relay.leave();
    if let Some(confine) = &confine {
        say_stopped(Some(confine));
        if let Err(error) = confine.leave(|| successor(request.agent)) {
            log::warn!("nobody answers for what goes on after the command's end: {error}");
        }
    }
    if let (Some(done), Some(home)) = (&done, &home) {
        home::grown(home, done.before);
        if crate::budget::is_due(home, settings.retention.kept_bytes) {
            crate::budget::enforce(home, settings.retention.kept_bytes, clock.now_ms());
        }
    }
    if let (Some(error), 0) = (failed, exit.code) {
        // The command could not know: it wrote to us, and that went well.
        let _ =
            writeln!(std::io::stderr(), "plimsoll run: what {name} printed could not be written: {error}");
        exit.code = 1;
    }
    if let (Some(done), Some(home), Some(agent)) = (done, home, agent) {
        let elapsed_us = u64::try_from(ours.elapsed().as_micros()).unwrap_or(u64::MAX);
        note(&home, env, clock, agent, &request, &argv, &done, exit.code, elapsed_us);
    }
    exit
}

/// The agent's deny rules for the command; none for a person's own.
fn confined(env: &Env, agent: Option<&'static str>) -> Result<Option<Confine>, contract::Error> {
    let settings = Home::resolve(env).ok().and_then(|home| Settings::load(&home).ok()).unwrap_or_default();
    let wishes = Wishes::of(&settings);
    let Some(agent) = agent.and_then(agents::by_id).filter(|_| wishes.wanted) else { return Ok(None) };
    let root = Project::find(&[env.cwd().to_owned()], env)
        .map_or_else(|| env.cwd().to_owned(), |project| project.root);
    confine(wishes, &agent.rules(env, &root), &[&root, env.cwd()], env)
}

/// Says what the rules kept the command from.
fn say_stopped(confine: Option<&Confine>) {
    for stopped in confine.map(Confine::stopped).unwrap_or_default() {
        let _ = writeln!(std::io::stderr(), "plimsoll run: stopped by the user's rules: {stopped}");
    }
}

/// Who answers for what goes on after our end.
fn successor(agent: Option<&'static str>) -> std::process::Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "plimsoll".into());
    let mut command = std::process::Command::new(program);
    command.args(["run", "--go-on", "--agent", agent.unwrap_or_default()]);
    command
}

/// `plimsoll run --go-on`: answers for what another `plimsoll run` left behind, for as long as there is something left.
/// The line to the kernel is our standard input.
pub fn go_on(env: &Env, agent: Option<&'static str>) {
    #[cfg(target_os = "linux")]
    if let Ok(Some(confine)) = confined(env, agent)
        && let Ok(line) = std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned()
    {
        confine.go_on(line);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (env, agent);
}

/// What a shortened run amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) filter: String,
    pub(crate) before: u64,
    pub(crate) after: u64,
    /// Where the whole is kept.
    pub(crate) address: Option<String>,
}

#[expect(clippy::too_many_arguments, reason = "one row of the ledger has as many columns")]
fn note(
    home: &Home,
    env: &Env,
    clock: Clock,
    agent: &dyn Agent,
    request: &Request,
    argv: &[String],
    done: &Done,
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
            // The program's failure is not ours: what it printed was shortened all the same.
            ok: true,
            elapsed_us,
            at_ms: clock.now_ms(),
            ..LedgerRow::default()
        }),
    ];
    if let Err(error) = sessions::note(home, &notes) {
        log::info!("the ledger could not be written: {error}");
    }
}
