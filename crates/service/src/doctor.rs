//! Checks everything that Plimsoll needs and reports it as `[OK]`, `[WARN]` and `[FAIL]` lines, each with its remedy.
//! Repairs nothing: a check that repairs things can't be trusted to report them. It leaves one mark, beside a database that it
//! finds damaged, because nobody else looks through a whole file.

pub mod messages;
mod storage;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use contract::{
    AgentReport, AgentState, Check, Error, FileReport, FileState, Health, Reply, Sentence, joined,
};
use home::Settings;
use serde_json::json;
use sessions::heartbeats;
use system::{Database, Host};

use crate::setup::{self, Computer, tilde_path};
use crate::{Service, failure};

/// Size limit of a report for a model, in bytes.
const REPORT_BYTES: usize = 8_000;

/// The subject of a check, in display order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Plimsoll itself: its program, folder and settings.
    Plimsoll,
    /// The language runtimes.
    Languages,
    /// The agents on this computer.
    Agents,
}

impl Subject {
    /// Every subject.
    pub const ALL: [Self; 3] = [Self::Plimsoll, Self::Languages, Self::Agents];

    /// The heading over its checks.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Plimsoll => "Plimsoll",
            Self::Languages => "Languages",
            Self::Agents => "Agents",
        }
    }

    /// The subject of this check.
    #[must_use]
    pub fn of(check: &Check) -> Self {
        let name = check.name.to_string();
        if sandbox::Language::ALL.iter().any(|language| language.name() == name) {
            Self::Languages
        } else if agents::by_id(&name).is_some() || check.name == messages::agents() {
            Self::Agents
        } else {
            Self::Plimsoll
        }
    }
}

fn check(health: Health, name: Sentence, detail: Sentence) -> Check {
    Check { health, name, detail }
}

/// All checks for a model: bounded, passing checks in short, and without starting any agent.
///
/// # Errors
/// Only if a worker thread panics: a failed check is a line of the report.
pub async fn report(service: &Arc<Service>) -> Result<Reply, Error> {
    let computer = Computer::new(service, false);
    let mut checks = checks(service, &computer).await?;
    let failed = checks.iter().any(|check| check.health == Health::Fail);
    let data = json!(checks);
    checks.sort_by_key(|check| std::cmp::Reverse(check.health));
    let mut text = String::new();
    for check in &checks {
        let _ = writeln!(text, "{} {}: {}", check.health.mark(), check.name, check.detail);
    }
    let text = text::cut_middle(text.trim_end(), REPORT_BYTES, 90).into_owned();
    Ok(Reply { failed, ..Reply::plain(text).with_data(data) })
}

/// All checks, in display order.
///
/// # Errors
/// As [`examine`].
pub async fn checks(service: &Arc<Service>, computer: &Computer) -> Result<Vec<Check>, Error> {
    Ok(examine(service, computer).await?.0)
}

/// All checks, in display order, and whether an agent needs the user, by the same law as for [`status`](crate::status).
///
/// # Errors
/// Only if a worker thread panics.
pub async fn examine(service: &Arc<Service>, computer: &Computer) -> Result<(Vec<Check>, bool), Error> {
    let agents: Vec<AgentReport> =
        setup::survey(service, computer).into_iter().map(|surveyed| surveyed.report).collect();
    for file in agents.iter().flat_map(|agent| &agent.files) {
        edits::clean_leftovers(&file.path);
    }
    let mut checks = vec![check(Health::Ok, messages::program(), messages::plain(env!("CARGO_PKG_VERSION")))];
    // Of a folder that can't be opened nothing is known but that.
    let usable = service.home().check_usable().is_ok();
    checks.extend(usable.then(|| launcher(service, &agents)));
    checks.push(on_path(service));
    checks.push(enforcement(service));
    checks.extend(usable.then(|| settings(service)));
    checks.extend(filters(service));
    checks.extend(project(service));
    let host: Arc<dyn Host> = Arc::clone(service) as _;
    let systems: Vec<_> = service.systems_on().collect();
    let slow = tokio::task::spawn_blocking(move || {
        let home = host.home();
        let mut checks = storage::folder(home, host.env());
        if !usable {
            return checks;
        }
        let databases = systems.iter().flat_map(|system| (system.databases)(home));
        let main =
            Database { name: messages::main_database(), path: home.main_db(), newest: sessions::NEWEST };
        let there = std::iter::once(main).chain(databases).filter(|one| one.path.exists());
        let files: Vec<Check> = there.map(storage::database).collect();
        // A system can't read what is broken in its file either, which is told once.
        let is_told = |one: &Check| {
            let is_same =
                |file: &Check| file.health == Health::Fail && file.detail.text() == one.detail.text();
            one.health == Health::Fail && files.iter().any(is_same)
        };
        let of_systems = systems.iter().flat_map(|system| (system.check)(&*host));
        let of_systems: Vec<Check> = of_systems.filter(|one| !is_told(one)).collect();
        checks.extend(files);
        checks.extend(of_systems);
        checks
    });
    checks.extend(slow.await.map_err(|error| failure::from_thread(&error))?);
    checks.extend(servers(service));
    for agent in &agents {
        checks.extend(agent_checks(agent));
    }
    if agents.iter().all(|agent| agent.state == AgentState::NotInstalled) {
        checks.push(check(Health::Ok, messages::agents(), messages::no_agent()));
    }
    Ok((checks, agents.iter().any(crate::status::needs_user)))
}

fn launcher(service: &Service, agents: &[AgentReport]) -> Check {
    let path = service.home().launcher();
    let wired = agents
        .iter()
        .any(|agent| !matches!(agent.state, AgentState::NotInstalled | AgentState::NotConnected));
    let name = tilde_path(&path, service.env());
    match std::fs::canonicalize(&path) {
        Ok(binary) if !home::launcher::can_start(&binary) => {
            check(Health::Fail, messages::launcher(), messages::launcher_not_startable(name))
        }
        Ok(binary) => {
            let folder =
                binary.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            let version = folder.unwrap_or_default();
            let ours = env!("CARGO_PKG_VERSION");
            // On Windows the launcher is a copy, whose folder says nothing.
            if version == "bin" || version == ours || version.starts_with(&format!("{ours}-")) {
                check(Health::Ok, messages::launcher(), messages::launcher_is(name, ours))
            } else {
                check(
                    Health::Warn,
                    messages::launcher(),
                    messages::launcher_points_elsewhere(name, version, ours),
                )
            }
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            check(Health::Fail, messages::launcher(), home::file_problem(name, &error))
        }
        Err(_) if wired => check(Health::Fail, messages::launcher(), messages::launcher_missing(name)),
        Err(_) => check(Health::Ok, messages::launcher(), messages::no_launcher_yet()),
    }
}

fn path_of(service: &Service) -> Option<&std::ffi::OsStr> {
    service.env().vars().find(|(name, _)| name.eq_ignore_ascii_case("PATH")).map(|(_, value)| value)
}

/// Whether `plimsoll` can be typed: Plimsoll's own folder is searched, or a package put the program into another one that is.
fn on_path(service: &Service) -> Check {
    let bin = service.home().bin_dir();
    let folders: Vec<PathBuf> =
        path_of(service).map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
    let program = home::binary_name(home::Os::current());
    let named = |path: &Path| tilde_path(path, service.env());
    let detail = if folders.contains(&bin) {
        messages::on_path(named(&bin))
    } else if let Some(file) = folders.iter().map(|folder| folder.join(program)).find(|file| file.is_file()) {
        messages::another_on_path(named(&file))
    } else {
        messages::not_on_path(named(&bin))
    };
    check(Health::Ok, messages::path(), detail)
}

fn settings(service: &Service) -> Check {
    match Settings::load(service.home()) {
        Err(error) => check(
            Health::Fail,
            messages::settings(),
            messages::settings_broken(Sentence::from(error.to_string())),
        ),
        Ok(settings) => {
            let hooks = &settings.hooks;
            if !hooks.enabled {
                check(Health::Warn, messages::settings(), messages::hooks_off())
            } else if hooks.paused_until(service.moment()).is_some() {
                check(Health::Warn, messages::settings(), messages::hooks_paused())
            } else {
                let there = service.home().settings_path().exists();
                let detail = if there { messages::settings_read() } else { messages::no_settings() };
                check(Health::Ok, messages::settings(), detail)
            }
        }
    }
}

/// Filter files that can't be read or used, each with its reason, and a project's own that have changed since they were trusted.
fn filters(service: &Service) -> Vec<Check> {
    let (_, broken) = service.filters();
    let told = |reason: String| {
        check(Health::Fail, messages::filters(), messages::filter_unused(Sentence::from(reason)))
    };
    let changed = service.changed_project_filters();
    let changed = changed.map(|why| check(Health::Warn, messages::filters(), why));
    broken.into_iter().map(told).chain(changed).collect()
}

/// The project that was asked from. A folder that isn't one says nothing about Plimsoll: the window starts in whatever
/// folder the desktop chose.
fn project(service: &Service) -> Option<Check> {
    service.has_project().then(|| {
        let root = tilde_path(&service.project().root, service.env());
        check(Health::Ok, messages::project(), messages::plain(root))
    })
}

/// Which rules the operating system itself enforces on this computer.
fn enforcement(service: &Service) -> Check {
    use sandbox::confine::{NetworkAccess, Support, support};
    let policy = crate::confine::ConfinePolicy::of(service.settings());
    let (health, printed) = match support() {
        _ if !policy.enabled => (Health::Ok, messages::enforced_off()),
        Support::Yes(means) if cfg!(target_os = "macos") => (Health::Ok, messages::enforced_in_part(means)),
        Support::Yes(means) => (Health::Ok, messages::enforced(means)),
        Support::No(why) if policy.required || policy.network != NetworkAccess::All => {
            (Health::Warn, messages::enforced_not_but_wanted(Sentence::from(why)))
        }
        Support::No(why) => (Health::Ok, messages::enforced_not(Sentence::from(why))),
    };
    check(health, messages::enforcement(), printed)
}

fn servers(service: &Service) -> Option<Check> {
    let living = heartbeats::all(service.home(), service.now_ms());
    if living.is_empty() {
        return None;
    }
    let names: Vec<_> = living
        .iter()
        .take(10)
        .map(|beat| format!("{} in {} ({})", beat.agent, tilde_path(&beat.project, service.env()), beat.pid))
        .collect();
    Some(check(Health::Ok, messages::servers(), messages::servers_running(living.len(), names.join(", "))))
}

fn agent_checks(agent: &AgentReport) -> Vec<Check> {
    let connected = !matches!(agent.state, AgentState::NotInstalled | AgentState::NotConnected);
    let health = match agent.state {
        AgentState::NotInstalled => return Vec::new(),
        AgentState::Connected | AgentState::NotConnected => Health::Ok,
        AgentState::NeedsYou | AgentState::Partly => Health::Warn,
        AgentState::Unreadable => Health::Fail,
    };
    let version = agent.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let mut detail = messages::agent_is(format!("{}{version}", agent.name), agent.state.message());
    let tested = agents::by_id(&agent.id)
        .zip(agent.version.as_deref())
        .and_then(|(agent, version)| agents::last_tested_before(agent.tested_versions(), version));
    if let Some(tested) = tested.filter(|_| connected) {
        detail = joined::also(detail, messages::newer_than_tested(tested));
    }
    if agent.state == AgentState::Partly {
        detail = joined::also(detail, messages::connect_completes(&agent.id));
    }
    let odd = |file: &&FileReport| connected && !matches!(file.state, FileState::Ours | FileState::Absent);
    for file in agent.files.iter().filter(odd) {
        detail = joined::also(detail, joined::about(&file.path, file.state_text()));
    }
    // An agent that waits for something needs the user for that reason: one line says both, and it's counted once.
    let reasons: &[Sentence] = if agent.state == AgentState::NeedsYou { &agent.needs } else { &[] };
    detail = reasons.iter().cloned().fold(detail, joined::also);
    let mut checks = vec![check(health, messages::plain(&agent.id), detail)];
    for finding in agent.needs[reasons.len()..].iter().chain(&agent.warnings) {
        checks.push(check(Health::Warn, messages::plain(&agent.id), finding.clone()));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codex(state: AgentState, version: &str) -> AgentReport {
        AgentReport {
            id: "codex".into(),
            name: "Codex".into(),
            state,
            project: None,
            version: Some(version.into()),
            products: Vec::new(),
            found: Vec::new(),
            gains: [true; 3],
            works: [true, false, false],
            files: Vec::new(),
            needs: vec!["3 hooks wait for your approval".into()],
            warnings: vec!["its history is off".into()],
        }
    }

    #[test]
    fn an_untested_version_is_reported_and_counts_as_fine() {
        let first = |state| agent_checks(&codex(state, "0.172.0")).swap_remove(0);
        let told = first(AgentState::Connected);
        assert_eq!(told.health, Health::Ok);
        assert!(told.detail.text().contains("newer than 0.171.0"), "{}", told.detail.text());
        assert!(!first(AgentState::NotConnected).detail.text().contains("newer"));
    }

    #[test]
    fn an_agent_that_waits_for_you_has_one_line_with_the_reason() {
        let lines = |state| -> Vec<_> {
            agent_checks(&codex(state, "0.171.0")).iter().map(|one| one.detail.text().to_owned()).collect()
        };
        assert_eq!(
            lines(AgentState::NeedsYou),
            ["Codex 0.171.0, needs you; 3 hooks wait for your approval", "its history is off"]
        );
        assert_eq!(lines(AgentState::Connected).len(), 3);
    }
}
