//! Connecting agents: survey → plan → apply → verify, and the way back.
//!
//! Composes `agents` (which entries, in which files) with `edits` (which bytes). Owns the order in which
//! files are written, what happens when one fails, and which files two agents share. Does not know what is
//! inside any file.

mod connect;
mod detection_cache;
mod disconnect;
mod file_groups;
mod record;
mod refresh;
mod survey;
mod verify;

pub use connect::{Plan, Request, apply, apply_agent, plan_connect, print};
pub use disconnect::plan_disconnect;
pub use record::{Connection, connections};
pub use refresh::{plan_refresh, refresh, would_refresh};
pub use survey::{Surveyed, survey, survey_one};
pub use verify::verify;

use std::path::PathBuf;

use detection_cache::Known;

use agents::{Agent, LoginShell, Machine};
use contract::{AgentReport, Error, Sentence};
use home::Env;

use crate::{Service, messages};

/// The computer as detection sees it: our environment with the overrides of the login shell.
pub struct Computer {
    env: Env,
    login: LoginShell,
    may_run: bool,
    known: Known,
}

impl Computer {
    /// Looks at this computer. With `may_run` the login shell is asked for its PATH (at most 3 s) and
    /// programs of which neither the files nor an earlier look tell the version for it.
    pub fn new(service: &Service, may_run: bool) -> Self {
        let env = service.env().clone();
        let known = Known::read(service.home());
        let login = if may_run { LoginShell::ask(&env, agents::login_path::LIMIT) } else { known.login() };
        let env = login.overlay(&env);
        Self { env, login, may_run, known }
    }

    /// Looks at this computer for the sake of a few agents: only their programs are asked for a version, and the login shell
    /// only where no earlier look asked it.
    pub fn for_some(service: &Service) -> Self {
        let known = Known::read(service.home());
        if known == Known::default() {
            return Self::new(service, true);
        }
        let login = known.login();
        let env = login.overlay(service.env());
        Self { env, login, may_run: true, known }
    }

    /// The same computer, without asking any program: what is known of the agents that nobody named.
    pub(crate) fn quick(&self) -> Machine<'_> {
        Machine { may_run: false, ..self.machine() }
    }

    /// Whether a thorough look was ever taken, so that versions are known as far as they can be.
    pub(crate) fn was_looked_at(&self) -> bool {
        self.known != Known::default()
    }

    /// Keeps what a thorough look at every agent found, for quick ones. The first time is when a plan is
    /// carried out: looking by itself writes nothing.
    fn remember(&self, service: &Service, surveyed: &[Surveyed]) {
        if self.may_run && !Known::is_empty(service.home()) {
            Known::write(service.home(), &self.login, surveyed.iter().filter_map(|one| one.found.as_ref()));
            Known::wait(service.home(), surveyed.iter().map(|one| &one.report));
        }
    }

    /// What an agent waits for, where nobody may be asked now and somebody was before.
    fn remembered_needs(&self, report: &AgentReport) -> Vec<Sentence> {
        if self.may_run { Vec::new() } else { self.known.needs(report) }
    }

    /// The environment with overrides.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// For detection.
    pub fn machine(&self) -> Machine<'_> {
        let mut machine = Machine::new(&self.env, &self.login);
        machine.may_run = self.may_run;
        machine.version_cache = self.known.versions();
        machine
    }
}

/// The agents that a person names, each once, or all of them when none is named.
///
/// # Errors
/// Names the unknown one with what it may have meant and the known ones; or which agents a name may mean.
pub fn named(names: &[String]) -> Result<Vec<&'static dyn Agent>, Error> {
    if names.is_empty() {
        return Ok(agents::all().to_vec());
    }
    let mut meant: Vec<&'static dyn Agent> = Vec::new();
    for name in names {
        let agent = one_named(name)?;
        if meant.iter().all(|known| known.id() != agent.id()) {
            meant.push(agent);
        }
    }
    Ok(meant)
}

/// The ids of the agents that a person names; none when none is named.
///
/// # Errors
/// As for [`named`].
pub fn ids(names: &[String]) -> Result<Vec<String>, Error> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    Ok(named(names)?.iter().map(|agent| agent.id().to_owned()).collect())
}

fn one_named(name: &str) -> Result<&'static dyn Agent, Error> {
    let listed = |agents: &[&'static dyn Agent], between: &str| {
        agents.iter().map(|agent| agent.id()).collect::<Vec<_>>().join(between)
    };
    let known = || listed(agents::all(), ", ");
    Err(Error::invalid(match agents::by_name(name) {
        agents::NameMatch::One(agent) => return Ok(agent),
        agents::NameMatch::Several(several) => messages::several_agents(name, listed(&several, ", ")),
        agents::NameMatch::None(near) if near.is_empty() => messages::no_such_agent(name, known()),
        agents::NameMatch::None(near) => messages::no_agent_but(name, listed(&near, ", "), known()),
    }))
}

fn store(service: &Service) -> edits::Store {
    edits::Store { backups: service.home().backups_dir(), locks: service.home().locks_dir() }
}

/// The receipt of the last write of ours in this file, if our entries are what we last did there.
pub(crate) fn receipt(service: &Service, path: &std::path::Path) -> Option<edits::FileReceipt> {
    store(service).receipt(path)
}

/// The file as it was before Plimsoll first wrote into it.
pub(crate) fn before_us(service: &Service, path: &std::path::Path) -> Option<edits::Original> {
    store(service).first_original(path)
}

fn role_word(role: agents::Role) -> String {
    match role {
        agents::Role::Mcp => "tools",
        agents::Role::Hooks => "hooks",
        agents::Role::Instructions => "instructions",
        agents::Role::Plugin => "plugin",
    }
    .to_owned()
}

/// A path with the home folder as `~`, for people.
pub fn shown(path: &std::path::Path, env: &Env) -> String {
    match path.strip_prefix(env.home_dir()) {
        Ok(rest) => PathBuf::from("~").join(rest).display().to_string(),
        Err(_) => path.display().to_string(),
    }
}
