//! The command line: parses, calls one operation of `service`, says what came of it. One file per group of
//! commands. Knows how things are said and asked, never how they are done.

mod agents;
mod args;
mod connect;
mod filters;
pub(crate) mod help;
mod history;
mod knowledge;
mod library;
mod plan;
mod screen;
mod settings;
mod setup;
mod stats;
mod upkeep;
pub(crate) mod verbs;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ::agents::Scope;
use clap::FromArgMatches as _;
use home::{Clock, Env, Home, Settings};
use service::wiring::Computer;
use service::{SYSTEMS, Service};
use system::System;

use args::{Cli, Command, Where};
use screen::{Ended, Exit, Screen, Stop};

/// Everything a command works with.
struct Desk {
    screen: Screen,
    service: Arc<Service>,
}

impl Desk {
    /// A path as people write it.
    fn shown(&self, path: &Path) -> String {
        service::wiring::shown(path, self.service.env())
    }

    /// Looks at the computer; programs are asked for their versions.
    fn computer(&self) -> Computer {
        let _looking = self.screen.progress("Looking at this computer …");
        Computer::new(&self.service, true)
    }

    /// Looks at the computer for the sake of these agents, or of all where none is named.
    fn computer_for(&self, agents: &[String]) -> Computer {
        if agents.is_empty() {
            return self.computer();
        }
        let _looking = self.screen.progress("Looking at this computer …");
        Computer::for_some(&self.service)
    }

    /// Waits for an operation.
    fn wait<T>(&self, work: impl Future<Output = Result<T, contract::Error>>) -> Result<T, Stop> {
        Ok(self.outcome(work)??)
    }

    /// Waits for an operation whose error means something to the command.
    fn outcome<T>(
        &self,
        work: impl Future<Output = Result<T, contract::Error>>,
    ) -> Result<Result<T, contract::Error>, Stop> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(work))
    }

    /// Works in this project instead of the working folder's.
    fn choose_project(&self, folder: Option<&Path>) -> Result<(), Stop> {
        if let Some(folder) = folder {
            self.service.set_project(&[self.service.env().cwd().join(folder)]);
            if !self.service.has_project() {
                return Err(Stop::Said(
                    Exit::Usage,
                    format!(
                        "{} isn't a project folder; name a folder with code or text in it",
                        folder.display()
                    ),
                ));
            }
        }
        Ok(())
    }

    fn scope(&self, wanted: Where) -> Result<Scope, Stop> {
        match wanted {
            Where::User => Ok(Scope::User),
            Where::Project if self.service.has_project() => Ok(Scope::Project(self.service.project().root)),
            Where::Project => Err(Stop::Said(
                Exit::Usage,
                "this folder isn't a project; change to one, or use --scope user".into(),
            )),
        }
    }

    /// The program that the launcher shall lead to: this one.
    fn binary(&self) -> Result<PathBuf, Stop> {
        std::env::current_exe()
            .map_err(|error| Stop::failed(format!("this program's own file is unknown: {error}")))
    }
}

/// Runs the command line.
pub(crate) fn run() -> ExitCode {
    crate::logging::start();
    let env = Env::capture();
    let systems = on(env.as_ref().ok());
    let parsed = help::grouped(&systems).try_get_matches().and_then(|typed| {
        let ours = verbs::typed(&systems, &typed).is_none();
        let cli = ours.then(|| Cli::from_arg_matches(&typed)).transpose()?;
        Ok((typed, cli))
    });
    let (typed, cli) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // The parser repeats what it was given, and colours it: help is its own text, an error isn't.
            if error.use_stderr() {
                screen::complain(error.render().to_string().trim_end());
                return ExitCode::from(Exit::Usage as u8);
            }
            // A reader that went away is no failure.
            let _ = error.print();
            return ExitCode::from(Exit::Done as u8);
        }
    };
    let ended = env.map_err(|error| Stop::failed(error.to_string())).and_then(|env| {
        let screen = Screen::new(env.var("NO_COLOR").is_some(), env.var("TERM") == Some("dumb"));
        let service = Arc::new(Service::new(env, Clock::system())?.in_zone(crate::zone::offset_min));
        let desk = Desk { screen, service };
        match (cli.map(|cli| cli.command), verbs::typed(&systems, &typed)) {
            (Some(Some(wanted)), _) => command(&desk, wanted),
            (None, Some((verb, given))) => verbs::run(&desk, verb, given),
            (Some(None) | None, _) => agents::overview(&desk),
        }
    });
    let exit = match ended {
        Ok(exit) => exit,
        Err(Stop::Gone) => Exit::Done,
        Err(Stop::Said(exit, message)) => {
            screen::complain(&format!("plimsoll: {message}"));
            exit
        }
    };
    ExitCode::from(exit as u8)
}

/// The systems whose verbs can be typed; also where the settings cannot be read, since somebody may want to mend them.
fn on(env: Option<&Env>) -> Vec<&'static System> {
    let home = env.and_then(|env| Home::resolve(env).ok());
    let settings = home.and_then(|home| Settings::load(&home).ok()).unwrap_or_default();
    system::typed(SYSTEMS, &settings).collect()
}

fn command(desk: &Desk, command: Command) -> Ended {
    match command {
        Command::Setup(args) => setup::setup(desk, args),
        Command::Agents(args) => agents::agents(desk, &args),
        Command::Status(args) => agents::status(desk, &args),
        Command::Verify(args) => agents::verify(desk, &args),
        Command::Connect(args) => connect::connect(desk, args),
        Command::Disconnect(args) => connect::disconnect(desk, args),
        Command::Search(args) => knowledge::search(desk, args),
        Command::Index(args) => knowledge::index(desk, &args),
        Command::Sources(args) => knowledge::sources(desk, &args),
        Command::Read(args) => library::read(desk, &args),
        Command::Projects(args) => library::projects(desk, &args),
        Command::Restore(args) => library::restore(desk, &args),
        Command::Sessions(args) => history::sessions(desk, &args),
        Command::Activity(args) => history::activity(desk, &args),
        Command::Changes(args) => agents::changes(desk, &args),
        Command::Settings(args) => settings::settings(desk, &args),
        Command::Stats(args) => stats::stats(desk, &args),
        Command::Filters(args) => filters::filters(desk, args),
        Command::Discover(args) => filters::discover(desk, &args),
        Command::Purge(args) => knowledge::purge(desk, &args),
        Command::Pause(args) => settings::pause(desk, &args),
        Command::Resume(args) => settings::resume(desk, &args),
        Command::Doctor(args) => upkeep::doctor(desk, &args),
        Command::Upgrade(args) => upkeep::upgrade(desk, &args),
        Command::Uninstall(args) => upkeep::uninstall(desk, &args),
        // Dispatched before the command line is parsed; only reached through an option before the name.
        Command::Hook(_) | Command::Mcp(_) | Command::Run(_) => Err(Stop::Said(
            Exit::Usage,
            "`hook`, `mcp` and `run` must be the first word; they are called by agents".into(),
        )),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            let systems: Vec<_> = system::typed(SYSTEMS, desk.service.settings()).collect();
            clap_complete::generate(shell, &mut verbs::parser(&systems), "plimsoll", &mut text);
            desk.screen.line(String::from_utf8_lossy(&text).trim_end())?;
            Ok(Exit::Done)
        }
    }
}
