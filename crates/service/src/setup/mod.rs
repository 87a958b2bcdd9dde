//! Connects agents: survey → plan → apply → verify, and disconnects them.
//!
//! Combines `agents` (which entries, in which files) with `edits` (which bytes). Owns the order in which files are
//! written, what happens on a failure, and which files agents share. Doesn't know any file's content.

mod apply;
mod connect;
mod connections;
mod detection_cache;
mod disconnect;
mod file_groups;
mod moved_files;
mod plan;
mod refresh;
mod survey;
mod verify;

pub use apply::{apply, apply_agent};
pub use connect::{Request, plan_connect, print};
pub use connections::{Connection, connections};
pub use disconnect::plan_disconnect;
pub use plan::Plan;
pub use refresh::{plan_refresh, refresh, refresh_report};
pub use survey::{Surveyed, survey, survey_one};
pub use verify::verify;

use std::path::PathBuf;

use detection_cache::DetectionCache;
use file_groups::real;

use agents::{Agent, LoginShell, Machine};
use contract::{AgentReport, Error, Sentence};
use home::Env;

use crate::{Service, messages};

/// The computer as detection sees it: the process environment with the login shell's overrides.
pub struct Computer {
    env: Env,
    login: LoginShell,
    may_run: bool,
    cache: DetectionCache,
}

impl Computer {
    /// Surveys this computer. With `may_run`, asks the login shell for its PATH (at most 3 s), and asks programs for
    /// a version that neither files nor the cache know.
    pub fn new(service: &Service, may_run: bool) -> Self {
        let env = service.env().clone();
        let cache = DetectionCache::read(service.home());
        let login = if may_run { LoginShell::ask(&env, agents::login_path::LIMIT) } else { cache.login() };
        let env = login.overlay(&env);
        Self { env, login, may_run, cache }
    }

    /// Surveys this computer for a few agents: asks only their programs for a version, and the login shell only if
    /// the cache is empty.
    pub fn for_named_agents(service: &Service) -> Self {
        let cache = DetectionCache::read(service.home());
        if cache == DetectionCache::default() {
            return Self::new(service, true);
        }
        let login = cache.login();
        let env = login.overlay(service.env());
        Self { env, login, may_run: true, cache }
    }

    /// The same computer without starting any program, for agents that weren't named.
    pub(crate) fn machine_without_programs(&self) -> Machine<'_> {
        Machine { may_run: false, ..self.machine() }
    }

    /// Whether a full survey was ever made, so that versions are known as far as possible.
    pub(crate) fn has_full_survey(&self) -> bool {
        self.cache != DetectionCache::default()
    }

    /// Caches a full survey for later quick ones. The first time is when a plan is applied: a survey alone writes
    /// nothing.
    fn cache_survey(&self, service: &Service, surveyed: &[Surveyed]) {
        if self.may_run && !DetectionCache::is_empty(service.home()) {
            DetectionCache::save_survey(
                service.home(),
                &self.login,
                surveyed.iter().filter_map(|one| one.found.as_ref()),
            );
            DetectionCache::save_needs(service.home(), surveyed.iter().map(|one| &one.report));
        }
    }

    /// What an agent waits for according to the cache, if its program may not be asked now.
    fn cached_needs(&self, report: &AgentReport) -> Vec<Sentence> {
        if self.may_run { Vec::new() } else { self.cache.needs(report) }
    }

    /// The environment with overrides.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// The input of detection.
    pub fn machine(&self) -> Machine<'_> {
        let mut machine = Machine::new(&self.env, &self.login);
        machine.may_run = self.may_run;
        machine.version_cache = self.cache.versions();
        machine
    }
}

/// The named agents, each once, or all if none is named.
///
/// # Errors
/// If a name is unknown (with suggestions and the known names) or ambiguous.
pub fn agents_by_name(names: &[String]) -> Result<Vec<&'static dyn Agent>, Error> {
    if names.is_empty() {
        return Ok(agents::all().to_vec());
    }
    let mut agents: Vec<&'static dyn Agent> = Vec::new();
    for name in names {
        let agent = agent_by_name(name)?;
        if agents.iter().all(|known| known.id() != agent.id()) {
            agents.push(agent);
        }
    }
    Ok(agents)
}

/// The IDs of the named agents; empty if none is named.
///
/// # Errors
/// Like [`agents_by_name`].
pub fn agent_ids(names: &[String]) -> Result<Vec<String>, Error> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    Ok(agents_by_name(names)?.iter().map(|agent| agent.id().to_owned()).collect())
}

fn agent_by_name(name: &str) -> Result<&'static dyn Agent, Error> {
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

/// The receipt of Plimsoll's last write to this file, if that left entries there: its own or, after a removal, another agent's.
pub(crate) fn receipt(service: &Service, path: &std::path::Path) -> Option<edits::FileReceipt> {
    store(service).receipt_for_removal(path)
}

/// The folders with copies of agents' files whose log can't be read.
pub(crate) fn copies_without_log(service: &Service) -> Vec<PathBuf> {
    store(service).copies_without_log()
}

/// The files with Plimsoll's entries that name its launcher, by the record of its writes: no agent has to be known for that.
pub(crate) fn files_naming_launcher(service: &Service) -> Vec<PathBuf> {
    let written = store(service).receipts().into_iter().map(|receipt| receipt.path);
    written.filter(names_launcher(service)).collect()
}

/// The same without the files that these plans are about. Whether the record of connections can be read now says nothing: a damaged
/// one was replaced by an empty one as soon as anything wrote into it.
pub(crate) fn forgotten_files(service: &Service, plans: &[Plan]) -> Vec<PathBuf> {
    let planned = plans.iter().flat_map(Plan::files).map(|(_, file)| real(&file.path));
    let planned: Vec<PathBuf> = planned.collect();
    let mut files = files_naming_launcher(service);
    files.retain(|path| !planned.contains(&real(path)));
    files
}

/// The files of these plans in which agents have their hooks, whether anything would change in them or not.
pub(crate) fn files_with_hooks(plans: &[Plan]) -> Vec<PathBuf> {
    let files = plans.iter().flat_map(|plan| &plan.agents).flat_map(|agent| &agent.files);
    let with_hooks = files.filter(|(group, _)| group.has(agents::Role::Hooks));
    let mut paths: Vec<PathBuf> = with_hooks.map(|(group, _)| group.path.clone()).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Those of these files that name the launcher: where all of Plimsoll's entries are out, in lines that somebody else wrote.
pub(crate) fn naming_launcher(service: &Service, mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.retain(names_launcher(service));
    paths
}

/// The most that is read of a file that somebody else may have put in the place of an agent's, in bytes.
pub(crate) const MAX_FILE: u64 = 64 * 1024 * 1024;

/// Whether a file's text has the launcher's path.
fn names_launcher(service: &Service) -> impl Fn(&PathBuf) -> bool + use<> {
    let launcher = service.home().launcher();
    // A command may begin with `$HOME`, and JSON and TOML write a path's backslashes twice.
    let shortest = launcher.strip_prefix(service.env().home_dir()).unwrap_or(&launcher).display().to_string();
    let ways = [shortest.replace('\\', "/"), shortest.replace('\\', "\\\\"), shortest];
    move |path: &PathBuf| {
        // Somebody's file may have become a pipe, at which a plain reader waits.
        let bytes = home::read_regular(path, MAX_FILE);
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        text.is_ok_and(|text| ways.iter().any(|way| text.contains(way)))
    }
}

/// What a connected project's folder that is gone is called now; `None` if it isn't beside that. `connected` are the projects
/// that are known.
pub(crate) fn renamed_project(
    service: &Service,
    root: &std::path::Path,
    connected: &[PathBuf],
) -> Option<PathBuf> {
    store(service).renamed_folder(root, connected)
}

/// The file's content before Plimsoll's first write.
pub(crate) fn original_content(service: &Service, path: &std::path::Path) -> Option<edits::Original> {
    store(service).first_original(path)
}

fn role_name(role: agents::Role) -> String {
    match role {
        agents::Role::Mcp => "tools",
        agents::Role::Hooks => "hooks",
        agents::Role::Instructions => "instructions",
        agents::Role::Plugin => "plugin",
    }
    .to_owned()
}

/// A path for people, with `~` for the home folder.
pub fn tilde_path(path: &std::path::Path, env: &Env) -> String {
    match path.strip_prefix(env.home_dir()) {
        Ok(rest) => PathBuf::from("~").join(rest).display().to_string(),
        Err(_) => path.display().to_string(),
    }
}
