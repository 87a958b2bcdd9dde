//! Uninstalling: removes every entry from every agent's files, then Plimsoll's folder, data before program.
//!
//! Removes only what Plimsoll is known to have written: a foreign file keeps the folder. While an agent's file still
//! names the launcher, none of Plimsoll's files are removed, because that agent would fail on every call. For open
//! sessions, [`launcher_placeholder`] replaces the launcher.

use std::path::{Path, PathBuf};

use agents::Scope;
use contract::{Error, FilePlanReport, ReturnedFile, Sentence, UninstallReport, joined};
use edits::Change;
use home::Home;

use crate::own_files::own_files;
use crate::setup::{self, Computer, Plan};
use crate::{Service, failure, launcher_placeholder, messages};

/// Everything that will be undone.
pub struct UninstallPlan {
    plans: Vec<Plan>,
    data: Vec<PathBuf>,
    program: Vec<PathBuf>,
    elsewhere: Vec<Sentence>,
    kept: Vec<Sentence>,
    /// Whether another version connected agents that this one doesn't know.
    has_unknown_agents: bool,
    /// The files that name the launcher although no plan is about them: the record of the connected projects was damaged.
    forgotten: Vec<PathBuf>,
    /// The files in which agents have their hooks, also those without any of Plimsoll's entries.
    with_hooks: Vec<PathBuf>,
    keep_data: bool,
}

/// Plans an uninstall; changes nothing.
///
/// # Errors
/// If the agents can't be surveyed, or Plimsoll's folder can't be opened: the record of connected projects is in it.
pub fn plan(service: &Service, computer: &Computer, keep_data: bool) -> Result<UninstallPlan, Error> {
    service.home().check_usable_for_edits().map_err(|error| failure::from_storage(&error))?;
    let mut plans = vec![setup::plan_disconnect(service, computer, &[], &Scope::User)?];
    let unknown = unknown_agents(service);
    let mut kept: Vec<Sentence> = unknown.iter().map(messages::agent_unknown).collect();
    let projects = projects(service);
    let roots: Vec<PathBuf> = projects.iter().map(|(root, _)| root.clone()).collect();
    for (root, agents) in projects {
        let now = if root.is_dir() {
            Some(root)
        } else if let Some(now) = setup::renamed_project(service, &root, &roots) {
            kept.push(messages::project_renamed(&root, &now));
            Some(now)
        } else {
            kept.push(messages::project_gone(&root));
            None
        };
        if let Some(root) = now {
            plans.push(setup::plan_disconnect(service, computer, &agents, &Scope::Project(root))?);
        }
    }
    let (data, program) = own_files(service, keep_data);
    let elsewhere = if keep_data { Vec::new() } else { kept_elsewhere(service) };
    let has_unknown_agents = !unknown.is_empty();
    let (forgotten, with_hooks) = (setup::forgotten_files(service, &plans), setup::files_with_hooks(&plans));
    let plans = plans.into_iter().map(Plan::only_changes).collect();
    Ok(UninstallPlan {
        plans,
        data,
        program,
        elsewhere,
        kept,
        has_unknown_agents,
        forgotten,
        with_hooks,
        keep_data,
    })
}

/// The ids of agents that a newer version connected and this one doesn't know. Where their entries are is unknown, too, but not
/// which files Plimsoll wrote.
fn unknown_agents(service: &Service) -> Vec<String> {
    let mut ids: Vec<String> = setup::connections(service).into_iter().map(|one| one.agent).collect();
    ids.retain(|id| agents::by_id(id).is_none());
    ids.sort();
    ids.dedup();
    ids
}

/// The connected projects with their agents. All agents of a project leave together: an entry that two of them share would
/// stay for the other one otherwise.
fn projects(service: &Service) -> Vec<(PathBuf, Vec<String>)> {
    let mut projects: Vec<(PathBuf, Vec<String>)> = Vec::new();
    for connection in setup::connections(service) {
        let Scope::Project(root) = connection.scope else { continue };
        if agents::by_id(&connection.agent).is_none() {
            continue;
        }
        match projects.iter_mut().find(|(project, _)| *project == root) {
            Some((_, agents)) => agents.push(connection.agent),
            None => projects.push((root, vec![connection.agent])),
        }
    }
    projects
}

impl UninstallPlan {
    /// What would happen.
    pub fn report(&self, service: &Service) -> UninstallReport {
        let planned = self
            .plans
            .iter()
            .flat_map(|plan| plan.report().agents)
            .flat_map(|agent| agent.files.into_iter().map(move |file| (agent.id.clone(), file)))
            .filter(|(_, file)| file.change != "unchanged" && file.change != "shared");
        // Two agents may have an entry each in one file.
        let mut once: Vec<(String, FilePlanReport)> = Vec::new();
        for (agent, file) in planned {
            let same = once.iter_mut().find(|(_, known)| {
                (&known.path, &known.change, &known.refusal) == (&file.path, &file.change, &file.refusal)
            });
            match same {
                Some((_, known)) => known.removed += file.removed,
                None => once.push((agent, file)),
            }
        }
        let files = once
            .into_iter()
            .map(|(agent, file)| {
                let state = match (&file.refusal, file.change.as_str()) {
                    (Some(refusal), _) => messages::would_stay(refusal.clone()),
                    (None, "delete") => messages::would_be_removed(),
                    (None, _) if file.removed == 1 => messages::entry_would_go(),
                    (None, _) => messages::entries_would_go(file.removed),
                };
                ReturnedFile { agent, path: file.path, state }
            })
            .collect();
        let mut removed = self.data.clone();
        removed.extend(self.program.clone());
        with_text_paths(UninstallReport {
            files,
            removed,
            removed_elsewhere: self.elsewhere.clone(),
            kept: self.kept_sentences(service),
            problems: if self.has_unknown_agents {
                Vec::new()
            } else {
                self.forgotten.iter().map(messages::forgotten_names_launcher).collect()
            },
        })
    }

    fn kept_sentences(&self, service: &Service) -> Vec<Sentence> {
        let home = service.home();
        let mut kept = self.kept.clone();
        kept.extend(setup::copies_without_log(service).iter().map(messages::copies_stay));
        if self.keep_data && home.root().exists() {
            kept.push(messages::data_stays(home.root()));
        }
        kept
    }
}

/// Uninstalls.
///
/// # Errors
/// None today; what can't be undone is in the report.
pub fn uninstall(service: &Service, plan: UninstallPlan, running: &Path) -> Result<UninstallReport, Error> {
    let home = service.home();
    let mut report = UninstallReport { kept: plan.kept_sentences(service), ..UninstallReport::default() };
    for plan in &plan.plans {
        // Read first: disconnecting deletes the receipts too.
        let before: Vec<(String, PathBuf, Change, Original)> = plan
            .files()
            .map(|(agent, file)| {
                (agent.to_owned(), file.path.clone(), file.change, original(service, &file.path))
            })
            .collect();
        let applied = setup::apply(service, plan, running, |_| {})?;
        for (agent, path, change, original) in before {
            let failed = applied
                .iter()
                .any(|one| one.id == agent && one.error.is_some() && !one.written.contains(&path));
            let is_told = report.files.iter().any(|told| told.path == path);
            if change == Change::Unchanged || failed || is_told {
                continue;
            }
            let state = file_outcome(&path, &original);
            report.files.push(ReturnedFile { agent, path, state });
        }
        report.problems.extend(
            applied.into_iter().filter_map(|one| one.error.map(|error| joined::about(one.name, error))),
        );
    }
    if plan.has_unknown_agents {
        let named = setup::files_naming_launcher(service);
        report.problems.extend(named.iter().map(messages::unknown_names_launcher));
    } else {
        report.problems.extend(plan.forgotten.iter().map(messages::forgotten_names_launcher));
    }
    if !report.problems.is_empty() {
        report.problems.push(messages::folder_named(home.root()));
        return Ok(with_text_paths(report));
    }
    report.kept.extend(setup::naming_launcher(service, plan.with_hooks).iter().map(messages::line_stays));
    // Checked before the mark that says so is deleted, and their heartbeats.
    let own = home.is_own();
    let agents_open = !sessions::heartbeats::all(home, service.now_ms()).is_empty();
    if !plan.keep_data {
        report.kept.extend(service.systems().iter().flat_map(|system| (system.leave)(home)));
        let left = kept_elsewhere(service);
        report.removed_elsewhere.extend(plan.elsewhere.into_iter().filter(|gone| !left.contains(gone)));
    }
    // Asked again, because disconnecting makes folders for its locks and copies where there are none.
    let (data, program) = own_files(service, plan.keep_data);
    for path in data.into_iter().chain(program) {
        match remove(home, &path, running) {
            Ok(true) => report.removed.push(path),
            Ok(false) => {}
            Err(error) => {
                report.problems.push(messages::not_removed(&path, Sentence::from(error.to_string())));
            }
        }
    }
    let stub = if agents_open {
        launcher_placeholder::write(service).unwrap_or_else(|error| {
            log::warn!("nothing could be left for open sessions: {error}");
            None
        })
    } else {
        None
    };
    report.removed.retain(|path| Some(path) != stub.as_ref());
    report.kept.extend(stub.as_ref().map(messages::stub_stays));
    // Removed only if nothing foreign is in it; an empty folder may be somebody's, too.
    let _ = std::fs::remove_dir(home.bin_dir());
    let bin = home.bin_dir();
    let has_copies = !setup::copies_without_log(service).is_empty();
    let rest: Vec<String> = std::fs::read_dir(home.root())
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| stub.is_none() || entry.path() != bin)
        .filter(|entry| !has_copies || entry.path() != home.backups_dir() && entry.file_name() != Home::MARK)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if rest.is_empty() {
        if own && stub.is_none() && home.root().exists() && std::fs::remove_dir(home.root()).is_ok() {
            report.removed.push(home.root().to_owned());
        }
    } else if !plan.keep_data {
        report.kept.push(messages::folder_stays(home.root(), rest.join(", ")));
    }
    Ok(with_text_paths(report))
}

/// The report in a form that JSON can contain, whatever its paths are called.
fn with_text_paths(mut report: UninstallReport) -> UninstallReport {
    let files = report.files.iter_mut().map(|file| &mut file.path);
    for path in files.chain(&mut report.removed) {
        *path = home::as_text(path).into_owned();
    }
    report
}

/// What the systems keep outside Plimsoll's folder.
fn kept_elsewhere(service: &Service) -> Vec<Sentence> {
    service.systems().iter().flat_map(|system| (system.elsewhere)(service.home())).collect()
}

/// A file's content before Plimsoll's first write.
enum Original {
    /// Unknown.
    Unknown,
    /// There was no file.
    Absent,
    /// It had these bytes (blake3).
    Hash(String),
}

fn original(service: &Service, path: &Path) -> Original {
    match setup::receipt(service, path) {
        None => Original::Unknown,
        Some(receipt) => receipt.original.hash.map_or(Original::Absent, Original::Hash),
    }
}

fn file_outcome(path: &Path, original: &Original) -> Sentence {
    let now = std::fs::read(path).ok().map(|bytes| blake3::hash(&bytes).to_hex().to_string());
    match (now, original) {
        (None, Original::Absent) => messages::removed_again(),
        (None, _) => messages::removed(),
        (Some(now), Original::Hash(before)) if now == *before => messages::byte_for_byte(),
        (Some(_), _) => messages::entries_out(),
    }
}

fn remove(home: &Home, path: &Path, running: &Path) -> std::io::Result<bool> {
    if path.symlink_metadata().is_err() {
        return Ok(false);
    }
    if cfg!(windows) && path.starts_with(home.bin_dir()) {
        move_away_and_delete(&home.bin_dir(), running);
    }
    // A link is removed, never its target.
    if path.symlink_metadata()?.is_dir() {
        std::fs::remove_dir_all(path)?;
    } else {
        std::fs::remove_file(path)?;
    }
    Ok(true)
}

/// Windows can't delete a running program but can rename it: out of the folder, to where the system cleans up.
fn move_away_and_delete(bin: &Path, running: &Path) {
    if !running.starts_with(bin) {
        return;
    }
    let aside = std::env::temp_dir().join(format!("plimsoll-removed-{}.exe", std::process::id()));
    if let Err(error) = std::fs::rename(running, &aside) {
        log::warn!("{} could not be moved aside: {error}", running.display());
    }
}
