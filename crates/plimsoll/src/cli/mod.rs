//! The command line: each command parses its arguments, calls one operation of `service` and prints the result. One
//! file per command. Owns printing and asking; doesn't know how anything is done.

mod activity;
mod agents;
mod args;
mod changes;
mod command_line;
mod connect;
mod discover;
mod doctor;
mod filters;
pub(crate) mod help;
mod index;
mod pages;
mod pause;
mod plan;
mod projects;
mod purge;
mod read;
mod restore;
mod search;
mod sessions;
mod settings;
mod setup;
mod sources;
mod stats;
mod status;
mod terminal;
mod tilde;
mod uninstall;
mod upgrade;
mod usage_error;
pub(crate) mod verbs;
mod verify;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ::agents::Scope;
use clap::FromArgMatches as _;
use contract::Reply;
use home::{Clock, Env, Home, Settings};
use service::setup::Computer;
use service::{SYSTEMS, Service};
use system::System;

use args::ScopeChoice;
use command_line::{Cli, Command};
use terminal::{CommandError, CommandResult, Exit, Terminal};

/// What every command needs.
struct Context {
    terminal: Terminal,
    service: Arc<Service>,
}

impl Context {
    /// A path for people, with `~` for the home folder.
    fn tilde_path(&self, path: &Path) -> String {
        text::one_line(&service::setup::tilde_path(path, self.service.env())).into_owned()
    }

    /// One of Plimsoll's own messages, with `~` for the home folder.
    fn with_tilde(&self, message: &str) -> String {
        tilde::with_tilde(message, self.service.env().home_dir())
    }

    /// The name of a source, which may be typed as messages print it, or as the path that `index` took in this folder.
    /// A source with exactly this name comes first.
    fn source_name(&self, typed: &str) -> String {
        if typed.contains("://") {
            return typed.to_owned();
        }
        let is_stored = |name: &str| self.wait(self.service.has_source(name));
        // Where that can't be looked up, the command itself says why.
        if !matches!(is_stored(typed), Ok(false)) {
            return typed.to_owned();
        }
        let env = self.service.env();
        let with_home = tilde::without_tilde(typed, env.home_dir());
        if with_home != typed {
            return with_home;
        }
        let path = env.cwd().join(typed);
        // An earlier version named what it indexed with `..`.
        let names = [home::one_path(&path), path.components().collect()];
        let mut names = names.into_iter().map(|path| path.display().to_string());
        names.find(|name| matches!(is_stored(name), Ok(true))).unwrap_or(with_home)
    }

    /// Surveys the computer, asking programs for their versions.
    fn computer(&self) -> Computer {
        let _looking = self.terminal.progress("Looking at this computer …");
        Computer::new(&self.service, true)
    }

    /// Surveys the computer for these agents, or for all if none is named.
    fn computer_for(&self, agents: &[String]) -> Computer {
        if agents.is_empty() {
            return self.computer();
        }
        let _looking = self.terminal.progress("Looking at this computer …");
        Computer::for_named_agents(&self.service)
    }

    /// Waits for an operation.
    fn wait<T>(&self, work: impl Future<Output = Result<T, contract::Error>>) -> Result<T, CommandError> {
        Ok(self.outcome(work)??)
    }

    /// Waits for an operation whose error the command handles.
    fn outcome<T>(
        &self,
        work: impl Future<Output = Result<T, contract::Error>>,
    ) -> Result<Result<T, contract::Error>, CommandError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(work))
    }

    /// Chooses this project instead of the working folder's.
    fn choose_project(&self, folder: Option<&Path>) -> Result<(), CommandError> {
        if let Some(folder) = folder {
            self.service.set_project(&[self.service.env().cwd().join(folder)]);
            if !self.service.has_project() {
                self.real_folder(folder)?;
                return Err(CommandError::Message(
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

    fn scope(&self, wanted: ScopeChoice) -> Result<Scope, CommandError> {
        match wanted {
            ScopeChoice::User => Ok(Scope::User),
            ScopeChoice::Project if self.service.has_project() => {
                Ok(Scope::Project(self.service.project().root))
            }
            ScopeChoice::Project => Err(CommandError::Message(
                Exit::Usage,
                "this folder isn't a project; change to one, or use --scope user".into(),
            )),
        }
    }

    /// The real path of a folder, relative to the working folder.
    fn real_folder(&self, folder: &Path) -> Result<PathBuf, CommandError> {
        let folder = self.service.env().cwd().join(folder);
        dunce::canonicalize(&folder).map_err(|error| CommandError::file(&folder, &error))
    }

    /// What was done or would be: a line, or data for a script that asked for JSON and must never get a sentence.
    fn tell(&self, json: bool, text: &str, data: &serde_json::Value) -> CommandResult {
        if json {
            self.terminal.json(data)?;
        } else {
            self.terminal.line(text)?;
        }
        Ok(Exit::Done)
    }

    /// Prints a reply, or its data.
    fn print_reply(&self, reply: &Reply, json: bool) -> Result<Exit, CommandError> {
        if json {
            self.terminal.json(&reply.data)?;
        } else {
            self.terminal.line(reply.text.trim_end())?;
        }
        Ok(if reply.failed { Exit::Failed } else { Exit::Done })
    }

    /// The same for a reply in Plimsoll's own words, whose paths may begin with `~`.
    fn print_own_reply(&self, reply: Reply, json: bool) -> Result<Exit, CommandError> {
        let text = self.with_tilde(&reply.text);
        self.print_reply(&Reply { text, ..reply }, json)
    }

    /// This program's file, which the launcher starts.
    fn binary(&self) -> Result<PathBuf, CommandError> {
        std::env::current_exe()
            .map_err(|error| CommandError::failed(format!("this program's own file is unknown: {error}")))
    }
}

/// Runs the command line.
pub(crate) fn run() -> ExitCode {
    crate::logging::start();
    let env = Env::capture();
    let systems = typeable_systems(env.as_ref().ok());
    let of_code = std::env::args_os().nth(1).is_some_and(|word| word == verbs::CODE);
    let words = help::of_entry_point(verbs::forwarded(&systems, std::env::args_os()));
    let parsed = help::grouped_help(&systems).try_get_matches_from(words).and_then(|typed| {
        let is_builtin = verbs::typed_verb(&systems, &typed).is_none();
        let cli = is_builtin.then(|| Cli::from_arg_matches(&typed)).transpose()?;
        Ok((typed, cli))
    });
    let (typed, cli) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // It quotes what was typed, so it must be cleaned; help is Plimsoll's own text.
            if let Some(message) = usage_error::message(&error, SYSTEMS) {
                terminal::print_error(&format!("plimsoll: {message}"));
                return ExitCode::from(Exit::Usage as u8);
            }
            return match help::print(&error).map_err(terminal::unwritten) {
                Err(CommandError::Message(exit, message)) => {
                    terminal::print_error(&format!("plimsoll: {message}"));
                    ExitCode::from(exit as u8)
                }
                // A closed pipe isn't a failure.
                Ok(()) | Err(CommandError::ReaderGone) => ExitCode::from(Exit::Done as u8),
            };
        }
    };
    let home_dir = env.as_ref().ok().map(|env| env.home_dir().to_owned());
    let ended = env.map_err(|error| CommandError::failed(error.to_string())).and_then(|env| {
        let terminal = Terminal::new(env.var("NO_COLOR").is_some(), env.var("TERM") == Some("dumb"));
        let service =
            Arc::new(Service::new(env, Clock::system())?.with_time_zone(crate::time_zone::offset_min));
        let context = Context { terminal, service };
        // Nothing is found in a folder that can't be opened, which mustn't be reported as nothing stored.
        if !cli.as_ref().is_some_and(|cli| cli.command.as_ref().is_some_and(works_without_folder)) {
            context.service.home().check_usable().map_err(|error| CommandError::failed(error.to_string()))?;
        }
        match (cli.map(|cli| cli.command), verbs::typed_verb(&systems, &typed)) {
            (Some(Some(wanted)), _) => run_command(&context, wanted),
            (None, Some((verb, given))) => verbs::run(&context, verb, given, of_code),
            (Some(None) | None, _) => status::overview(&context),
        }
    });
    let exit = match ended {
        Ok(exit) => exit,
        Err(CommandError::ReaderGone) => Exit::Done,
        Err(CommandError::Message(exit, message)) => {
            let message = home_dir.map_or_else(|| message.clone(), |home| tilde::with_tilde(&message, &home));
            terminal::print_error(&format!("plimsoll: {message}"));
            exit
        }
    };
    ExitCode::from(exit as u8)
}

/// The systems whose verbs can be typed. If the settings can't be read, the defaults apply, because the user may want
/// to repair them.
fn typeable_systems(env: Option<&Env>) -> Vec<&'static System> {
    let home = env.and_then(|env| Home::resolve(env).ok());
    let settings = home.and_then(|home| Settings::load(&home).ok()).unwrap_or_default();
    system::typed(SYSTEMS, &settings).collect()
}

/// Whether a command is of use while Plimsoll's folder can't be opened: it reports that itself, or looks elsewhere.
fn works_without_folder(command: &Command) -> bool {
    matches!(
        command,
        Command::Agents(_)
            | Command::Connect(_)
            | Command::Disconnect(_)
            | Command::Verify(_)
            | Command::Discover(_)
            | Command::Doctor(_)
            | Command::Settings(_)
            | Command::Filters(_)
            | Command::Upgrade(_)
            | Command::Uninstall(_)
            | Command::Hook(_)
            | Command::Mcp(_)
            | Command::Run(_)
            | Command::Completions { .. }
    )
}

fn run_command(context: &Context, command: Command) -> CommandResult {
    match command {
        Command::Setup(args) => setup::setup(context, args),
        Command::Agents(args) => agents::agents(context, &args),
        Command::Status(args) => status::status(context, &args),
        Command::Verify(args) => verify::verify(context, &args),
        Command::Connect(args) => connect::connect(context, args),
        Command::Disconnect(args) => connect::disconnect(context, args),
        Command::Search(args) => search::search(context, args),
        Command::Index(args) => index::index(context, &args),
        Command::Sources(args) => sources::sources(context, &args),
        Command::Read(args) => read::read(context, &args),
        Command::Projects(args) => projects::projects(context, &args),
        Command::Restore(args) => restore::restore(context, &args),
        Command::Sessions(args) => sessions::sessions(context, &args),
        Command::Activity(args) => activity::activity(context, &args),
        Command::Changes(args) => changes::changes(context, &args),
        Command::Settings(args) => settings::settings(context, &args),
        Command::Stats(args) => stats::stats(context, &args),
        Command::Filters(args) => filters::filters(context, args),
        Command::Discover(args) => discover::discover(context, &args),
        Command::Purge(args) => purge::purge(context, &args),
        Command::Pause(args) => pause::pause(context, &args),
        Command::Resume(args) => pause::resume(context, &args),
        Command::Doctor(args) => doctor::doctor(context, &args),
        Command::Upgrade(args) => upgrade::upgrade(context, &args),
        Command::Uninstall(args) => uninstall::uninstall(context, &args),
        // Dispatched before the command line is parsed; only reached through an option before the name.
        Command::Hook(_) | Command::Mcp(_) | Command::Run(_) => Err(CommandError::Message(
            Exit::Usage,
            "`hook`, `mcp` and `run` must be the first word; they are called by agents".into(),
        )),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            let systems: Vec<_> = system::typed(SYSTEMS, context.service.settings()).collect();
            clap_complete::generate(shell, &mut verbs::parser(&systems), "plimsoll", &mut text);
            context.terminal.line(String::from_utf8_lossy(&text).trim_end())?;
            Ok(Exit::Done)
        }
    }
}
