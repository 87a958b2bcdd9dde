//! Plans connections and applies plans. A plan is shown before a byte is written and applied agent by agent; a
//! failing agent is rolled back without stopping the others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agents::{Agent, Installation, LoginShell, Parts, Scope};
use contract::{
    AgentPlanReport, AgentState, AppliedReport, Error, ErrorCode, FilePlanReport, PlanReport, Sentence,
    joined,
};
use edits::{ApplyError, Change, FilePlan, FileReceipt, RollbackOutcome, Store};

use super::connections;
use super::detection_cache::DetectionCache;
use super::file_groups::{self, FileGroup, left, removal_of};
use super::{Computer, role_name, store, survey_one};
use crate::{Service, failure, messages};

/// How often a file that another program keeps writing is planned again before giving up.
const RETRIES: u32 = 5;

/// What to connect.
#[derive(Debug, Clone)]
pub struct Request {
    /// Agent IDs; every installed agent if empty.
    pub agents: Vec<String>,
    /// The user's configuration or a project.
    pub scope: Scope,
    /// Which parts.
    pub parts: Parts,
}

/// A plan that can be shown and applied.
pub struct Plan {
    pub(super) agents: Vec<AgentPlan>,
    pub(super) removal: bool,
    scope: Scope,
    backups: PathBuf,
    /// What the survey behind a connection learned. The first plan is made before there is a folder to save it in.
    login: Option<LoginShell>,
}

pub(super) struct AgentPlan {
    pub(super) agent: &'static dyn Agent,
    pub(super) found: Installation,
    pub(super) files: Vec<(FileGroup, FilePlan)>,
    pub(super) notes: Vec<Sentence>,
}

impl Plan {
    pub(super) fn new(service: &Service, agents: Vec<AgentPlan>, removal: bool, scope: &Scope) -> Self {
        Self { agents, removal, scope: scope.clone(), backups: service.home().backups_dir(), login: None }
    }

    /// Whether the plan removes entries.
    pub fn is_removal(&self) -> bool {
        self.removal
    }

    /// The agents in it.
    pub fn ids(&self) -> Vec<&'static str> {
        self.agents.iter().map(|planned| planned.agent.id()).collect()
    }

    /// Whether applying it would write nothing.
    pub fn is_empty(&self) -> bool {
        self.plans().all(|plan| matches!(plan.change, Change::Unchanged | Change::Refused))
    }

    /// Whether a file that can't be edited is left alone.
    pub fn has_refusals(&self) -> bool {
        self.plans().any(|plan| plan.change == Change::Refused)
    }

    /// Keeps the agents for which `keep` is true.
    #[must_use]
    pub fn only(mut self, keep: impl Fn(&str) -> bool) -> Self {
        self.agents.retain(|agent| keep(agent.agent.id()));
        self
    }

    /// Keeps the agents for which something would be written, or would be left in a file that isn't.
    #[must_use]
    pub fn only_changes(mut self) -> Self {
        let matters = |plan: &FilePlan| plan.change != Change::Unchanged || !plan.remains.is_empty();
        self.agents.retain(|agent| agent.files.iter().any(|(_, plan)| matters(plan)));
        self
    }

    /// Every file with its agent's ID.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &FilePlan)> {
        self.agents.iter().flat_map(|agent| agent.files.iter().map(|(_, plan)| (agent.agent.id(), plan)))
    }

    fn plans(&self) -> impl Iterator<Item = &FilePlan> {
        self.agents.iter().flat_map(|agent| agent.files.iter().map(|(_, plan)| plan))
    }

    /// The plan for the front end.
    pub fn report(&self) -> PlanReport {
        let mut seen: Vec<(&Path, &FileGroup, &'static str)> = Vec::new();
        let mut agents = Vec::new();
        for planned in &self.agents {
            let mut files = Vec::new();
            for (group, plan) in &planned.files {
                let mut report = file_report(group, plan);
                // Two agents may share a file's entries; they are written and shown once.
                match seen.iter().find(|(path, first, _)| *path == plan.target && group.has_place_of(first)) {
                    Some((_, _, first)) if report.change != "unchanged" && report.change != "refused" => {
                        report.change = "shared".to_owned();
                        (report.added, report.removed) = (0, 0);
                        report.diff.clear();
                        report.notes.push(messages::same_as_for(*first));
                    }
                    Some(_) => {}
                    None => seen.push((&plan.target, group, planned.agent.name())),
                }
                files.push(report);
            }
            agents.push(AgentPlanReport {
                id: planned.agent.id().to_owned(),
                name: planned.agent.name().to_owned(),
                files,
                notes: planned.notes.clone(),
                blocked: !self.removal && !refusals(planned).is_empty(),
            });
        }
        PlanReport { agents, backups: self.backups.clone() }
    }
}

fn file_report(group: &FileGroup, plan: &FilePlan) -> FilePlanReport {
    let refused = plan.change == Change::Refused;
    let mut notes = plan.notes.clone();
    notes.extend(left(&plan.remains));
    FilePlanReport {
        path: plan.path.clone(),
        roles: group.roles.iter().copied().map(role_name).collect(),
        change: match plan.change {
            Change::Unchanged => "unchanged",
            Change::Create => "create",
            Change::Modify => "modify",
            Change::Delete => "delete",
            Change::Refused => "refused",
        }
        .to_owned(),
        added: plan.added,
        removed: plan.removed,
        diff: plan.diff.clone(),
        notes,
        refusal: plan.refusal.as_ref().map(edits::Refusal::message),
        snippet: (refused && !plan.removal)
            .then(|| edits::snippet(group.format, &group.edits))
            .filter(|text| !text.is_empty()),
    }
}

/// Plans connections. Writes nothing.
///
/// # Errors
/// If a named agent is unknown or not installed.
pub fn plan_connect(service: &Service, computer: &Computer, request: &Request) -> Result<Plan, Error> {
    let mut planned = Vec::new();
    for agent in super::agents_by_name(&request.agents)? {
        let surveyed = survey_one(service, computer, agent);
        let Some(found) = surveyed.found else {
            if request.agents.is_empty() {
                continue;
            }
            return Err(Error::new(ErrorCode::NotFound, messages::agent_not_found(agent.name(), agent.id())));
        };
        let project = match &request.scope {
            Scope::User => None,
            Scope::Project(root) => Some(root.as_path()),
        };
        // An agent that is connected stays so, and its plugin steps aside; the survey reports that.
        if surveyed.report.state == AgentState::NotConnected && agent.plugin(&found, project).is_some() {
            planned.push(AgentPlan { agent, found, files: Vec::new(), notes: surveyed.report.warnings });
            continue;
        }
        let files = file_groups::files(service, computer.env(), agent, &found, &request.scope, request.parts)
            .into_iter()
            .map(|group| {
                let plan = plan_file(&group);
                (group, plan)
            })
            .collect();
        let notes = surveyed.report.warnings;
        planned.push(AgentPlan { agent, found, files, notes });
    }
    let mut plan = Plan::new(service, planned, false, &request.scope);
    plan.login = computer.may_run.then(|| computer.login.clone());
    Ok(plan)
}

pub(super) fn plan_file(group: &FileGroup) -> FilePlan {
    let mut plan = edits::plan(&group.path, group.format, &group.edits);
    // The agent is installed, so a missing folder of its own may be created.
    plan.allow_folders = true;
    plan
}

/// The snippets for manual setup.
///
/// # Errors
/// If the agent is unknown.
pub fn print(
    service: &Service,
    computer: &Computer,
    id: &str,
    scope: &Scope,
    parts: Parts,
) -> Result<Vec<(PathBuf, String)>, Error> {
    let agents = super::agents_by_name(&[id.to_owned()])?;
    let mut out = Vec::new();
    for agent in agents {
        let found =
            agent.detect(&computer.machine()).unwrap_or_else(|| agent.assumed_installation(computer.env()));
        for group in file_groups::files(service, computer.env(), agent, &found, scope, parts) {
            out.push((group.path.clone(), edits::snippet(group.format, &group.edits)));
        }
    }
    Ok(out)
}

/// Applies a plan. Connecting installs the launcher first, so that no entry ever names a missing program. `told` is
/// called after each agent.
///
/// # Errors
/// Only if Plimsoll's folder can't be written or the launcher can't be installed; an agent's failure is in its
/// report.
pub fn apply(
    service: &Service,
    plan: &Plan,
    binary: &Path,
    told: impl FnMut(&AppliedReport),
) -> Result<Vec<AppliedReport>, Error> {
    apply_agents(service, plan, binary, None, told)
}

/// Applies one agent's part of a plan; `None` if it has none.
///
/// # Errors
/// As for [`apply`].
pub fn apply_agent(
    service: &Service,
    plan: &Plan,
    agent: &str,
    binary: &Path,
) -> Result<Option<AppliedReport>, Error> {
    Ok(apply_agents(service, plan, binary, Some(agent), |_| {})?.pop())
}

fn apply_agents(
    service: &Service,
    plan: &Plan,
    binary: &Path,
    only: Option<&str>,
    mut told: impl FnMut(&AppliedReport),
) -> Result<Vec<AppliedReport>, Error> {
    let storage = |error: home::HomeError| failure::from_storage(&error);
    if !plan.removal {
        service.home().ensure().map_err(storage)?;
        home::launcher::install(service.home(), binary, env!("CARGO_PKG_VERSION")).map_err(storage)?;
        if let Some(login) = plan.login.as_ref().filter(|_| DetectionCache::is_empty(service.home())) {
            DetectionCache::save_survey(
                service.home(),
                login,
                plan.agents.iter().map(|planned| &planned.found),
            );
        }
    }
    let store = store(service);
    let mut reports = Vec::new();
    let wanted = plan.agents.iter().filter(|planned| only.is_none_or(|only| only == planned.agent.id()));
    for planned in wanted {
        let writes = !plan.removal && planned.files.iter().any(|(_, file)| file.change != Change::Unchanged);
        if writes && plan.scope != Scope::User {
            // Recorded before the first byte, so that an uninstall always finds it.
            connections::record(service, planned.agent.id(), &plan.scope);
        }
        let report = apply_one_agent(service, planned, plan.removal, &store);
        match (&report.error, plan.removal) {
            (None, false) if writes => connections::record(service, planned.agent.id(), &plan.scope),
            (None, true) => connections::remove(service, planned.agent.id(), &plan.scope),
            _ => {}
        }
        told(&report);
        reports.push(report);
    }
    if plan.removal {
        store.remove_abandoned_folders();
    }
    Ok(reports)
}

fn apply_one_agent(service: &Service, planned: &AgentPlan, removal: bool, store: &Store) -> AppliedReport {
    let mut report = AppliedReport {
        id: planned.agent.id().to_owned(),
        name: planned.agent.name().to_owned(),
        written: Vec::new(),
        unchanged: Vec::new(),
        error: None,
        next_steps: Vec::new(),
    };
    let mut problems: Vec<Sentence> = if removal { Vec::new() } else { refusals(planned) };
    let mut written: Vec<(&FileGroup, FileReceipt)> = Vec::new();
    if problems.is_empty() {
        for (group, plan) in &planned.files {
            match apply_file(service, group, plan, removal, store) {
                Ok(receipt) if receipt.written => {
                    report.written.push(plan.path.clone());
                    written.push((group, receipt));
                }
                Ok(_) => report.unchanged.push(plan.path.clone()),
                Err(error) => {
                    problems.push(error.message());
                    // Half an agent is worse than none: hooks without tools send the model to tools that don't exist.
                    // When disconnecting, every file that can be cleaned is cleaned.
                    if !removal {
                        break;
                    }
                }
            }
        }
    }
    if removal {
        // Checks again, because the report claims that everything is out.
        for (group, plan) in planned.files.iter().filter(|(_, plan)| plan.change != Change::Refused) {
            let places = edits::remains(&group.path, group.format, &group.edits);
            problems.extend(left(&places).map(|left| joined::about(&plan.path, left)));
        }
    }
    if !removal && !problems.is_empty() && !written.is_empty() {
        problems.extend(roll_back(service, &written, store));
        report.written.clear();
    }
    report.error = Sentence::all(problems);
    // The agent was left out because its own plugin does the same.
    if planned.files.is_empty() && !removal {
        report.next_steps.clone_from(&planned.notes);
    }
    if report.error.is_none() && !removal && !report.written.is_empty() {
        report.next_steps = planned.agent.next_steps(&planned.found);
    }
    report
}

/// What prevents editing an agent's files, known before the first edit.
fn refusals(planned: &AgentPlan) -> Vec<Sentence> {
    let refused = |(_, plan): &(FileGroup, FilePlan)| {
        plan.refusal.as_ref().map(|refusal| joined::about(&plan.path, refusal.message()))
    };
    planned.files.iter().filter_map(refused).collect()
}

/// Undoes the writes of an agent whose later file failed, and describes the result.
fn roll_back(service: &Service, written: &[(&FileGroup, FileReceipt)], store: &Store) -> Vec<Sentence> {
    let receipts: Vec<FileReceipt> = written.iter().map(|(_, receipt)| receipt.clone()).collect();
    let mut problems = vec![messages::put_back()];
    for undone in edits::rollback(&receipts, store) {
        let group = written.iter().find(|(group, _)| group.path == undone.path).map(|(group, _)| *group);
        let failed = match (undone.outcome, group) {
            (RollbackOutcome::Restored | RollbackOutcome::NothingToDo, _) => None,
            // Somebody else has written since: remove only Plimsoll's entries.
            (RollbackOutcome::ChangedSince, Some(group)) => {
                let plan = removal_of(group, store);
                apply_file(service, group, &plan, true, store).err().map(|error| error.message())
            }
            (RollbackOutcome::ChangedSince, None) => Some(messages::changed_meanwhile()),
            (RollbackOutcome::Failed(reason), _) => Some(reason),
        };
        problems.extend(failed.map(|reason| messages::not_put_back(&undone.path, reason)));
    }
    problems
}

fn apply_file(
    service: &Service,
    group: &FileGroup,
    plan: &FilePlan,
    removal: bool,
    store: &Store,
) -> Result<FileReceipt, ApplyError> {
    let mut outcome = edits::apply(plan, store, service.now_ms());
    for attempt in 1..=RETRIES {
        if !matches!(outcome, Err(ApplyError::Changed { .. })) {
            break;
        }
        // Somebody else has written since (Claude Code rewrites its file all the time): make the same edit in the new
        // content, so that neither loses anything.
        std::thread::sleep(Duration::from_millis(u64::from(attempt) * 10));
        let again = if removal { removal_of(group, store) } else { plan_file(group) };
        outcome = edits::apply(&again, store, service.now_ms());
    }
    outcome
}
