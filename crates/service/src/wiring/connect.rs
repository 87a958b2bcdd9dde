//! Planning and carrying out. A plan is made and shown before a byte is written; it is carried out agent by
//! agent, and one that fails is rolled back without stopping the others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agents::{Agent, Installation, LoginShell, Parts, Scope};
use contract::{
    AgentPlanReport, AgentState, AppliedReport, Error, ErrorCode, FilePlanReport, PlanReport, Sentence,
    joined,
};
use edits::{ApplyError, Change, FilePlan, FileReceipt, RollbackOutcome, Store};

use super::detection_cache::Known;
use super::file_groups::{self, Grouped};
use super::record;
use super::{Computer, role_word, store, survey_one};
use crate::{Service, failure, messages};

/// How often a file that somebody else keeps writing is planned anew before giving up.
const RETRIES: u32 = 5;

/// What to connect.
#[derive(Debug, Clone)]
pub struct Request {
    /// Agents by id; all that are installed when empty.
    pub agents: Vec<String>,
    /// Where.
    pub scope: Scope,
    /// What.
    pub parts: Parts,
}

/// A plan, ready to be shown and carried out.
pub struct Plan {
    pub(super) agents: Vec<AgentPlan>,
    pub(super) removal: bool,
    scope: Scope,
    backups: PathBuf,
    /// What the thorough look behind a connection learned; the first one comes before there is a folder to keep it.
    login: Option<LoginShell>,
}

pub(super) struct AgentPlan {
    pub(super) agent: &'static dyn Agent,
    pub(super) found: Installation,
    pub(super) files: Vec<(Grouped, FilePlan)>,
    pub(super) notes: Vec<Sentence>,
}

impl Plan {
    pub(super) fn new(service: &Service, agents: Vec<AgentPlan>, removal: bool, scope: &Scope) -> Self {
        Self { agents, removal, scope: scope.clone(), backups: service.home().backups_dir(), login: None }
    }

    /// Whether it takes our entries out.
    pub fn is_removal(&self) -> bool {
        self.removal
    }

    /// The agents in it.
    pub fn ids(&self) -> Vec<&'static str> {
        self.agents.iter().map(|planned| planned.agent.id()).collect()
    }

    /// Whether carrying it out would write nothing.
    pub fn is_empty(&self) -> bool {
        self.plans().all(|plan| matches!(plan.change, Change::Unchanged | Change::Refused))
    }

    /// Whether some file is left alone because it cannot be edited.
    pub fn has_refusals(&self) -> bool {
        self.plans().any(|plan| plan.change == Change::Refused)
    }

    /// Leaves out the agents for which `keep` says no.
    #[must_use]
    pub fn only(mut self, keep: impl Fn(&str) -> bool) -> Self {
        self.agents.retain(|agent| keep(agent.agent.id()));
        self
    }

    /// Leaves out the agents of which nothing would be written.
    #[must_use]
    pub fn only_changes(mut self) -> Self {
        self.agents.retain(|agent| agent.files.iter().any(|(_, plan)| plan.change != Change::Unchanged));
        self
    }

    /// Every file with the id of its agent.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &FilePlan)> {
        self.agents.iter().flat_map(|agent| agent.files.iter().map(|(_, plan)| (agent.agent.id(), plan)))
    }

    fn plans(&self) -> impl Iterator<Item = &FilePlan> {
        self.agents.iter().flat_map(|agent| agent.files.iter().map(|(_, plan)| plan))
    }

    /// For the front end.
    pub fn report(&self) -> PlanReport {
        let mut seen: Vec<(&Path, &'static str)> = Vec::new();
        let mut agents = Vec::new();
        for planned in &self.agents {
            let mut files = Vec::new();
            for (group, plan) in &planned.files {
                let mut report = file_report(group, plan);
                // Two agents may read one file; it is written once and shown once.
                match seen.iter().find(|(path, _)| *path == plan.target) {
                    Some((_, first)) if report.change != "unchanged" && report.change != "refused" => {
                        report.change = "shared".to_owned();
                        (report.added, report.removed) = (0, 0);
                        report.diff.clear();
                        report.notes.push(messages::same_as_for(*first));
                    }
                    Some(_) => {}
                    None => seen.push((&plan.target, planned.agent.name())),
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

fn file_report(group: &Grouped, plan: &FilePlan) -> FilePlanReport {
    let refused = plan.change == Change::Refused;
    FilePlanReport {
        path: plan.path.clone(),
        roles: group.roles.iter().copied().map(role_word).collect(),
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
        notes: plan.notes.clone(),
        refusal: plan.refusal.as_ref().map(edits::Refusal::message),
        snippet: (refused && !plan.removal)
            .then(|| edits::snippet(group.format, &group.edits))
            .filter(|text| !text.is_empty()),
    }
}

/// Plans to connect. Writes nothing.
///
/// # Errors
/// When an agent that was named is unknown or not installed.
pub fn plan_connect(service: &Service, computer: &Computer, request: &Request) -> Result<Plan, Error> {
    let mut planned = Vec::new();
    for agent in super::named(&request.agents)? {
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
        // Where it is connected already, that stays so and the plugin steps aside; the survey says so.
        if surveyed.report.state == AgentState::NotConnected && agent.plugin(&found, project).is_some() {
            planned.push(AgentPlan { agent, found, files: Vec::new(), notes: surveyed.report.warnings });
            continue;
        }
        let files = file_groups::files(service, computer.env(), agent, &found, &request.scope, request.parts)
            .into_iter()
            .map(|group| {
                let plan = planned_connect(&group);
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

pub(super) fn planned_connect(group: &Grouped) -> FilePlan {
    let mut plan = edits::plan(&group.path, group.format, &group.edits);
    // The agent was found, so a folder of its own that is missing may be made.
    plan.allow_folders = true;
    plan
}

/// The snippets for work by hand.
///
/// # Errors
/// When the agent is unknown.
pub fn print(
    service: &Service,
    computer: &Computer,
    id: &str,
    scope: &Scope,
    parts: Parts,
) -> Result<Vec<(PathBuf, String)>, Error> {
    let agents = super::named(&[id.to_owned()])?;
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

/// Carries a plan out. Connecting puts the launcher in place first, so that no entry ever names a program
/// that is not there. `told` hears of each agent when it is done.
///
/// # Errors
/// Only when the Plimsoll folder cannot be written or the launcher not be put in place; what fails for one
/// agent is in its report.
pub fn apply(
    service: &Service,
    plan: &Plan,
    binary: &Path,
    told: impl FnMut(&AppliedReport),
) -> Result<Vec<AppliedReport>, Error> {
    apply_some(service, plan, binary, None, told)
}

/// Carries out one agent's part of a plan; `None` when it has none.
///
/// # Errors
/// As for [`apply`].
pub fn apply_agent(
    service: &Service,
    plan: &Plan,
    agent: &str,
    binary: &Path,
) -> Result<Option<AppliedReport>, Error> {
    Ok(apply_some(service, plan, binary, Some(agent), |_| {})?.pop())
}

fn apply_some(
    service: &Service,
    plan: &Plan,
    binary: &Path,
    only: Option<&str>,
    mut told: impl FnMut(&AppliedReport),
) -> Result<Vec<AppliedReport>, Error> {
    let storage = |error: home::HomeError| failure::of_storage(&error);
    if !plan.removal {
        service.home().ensure().map_err(storage)?;
        home::launcher::install(service.home(), binary, env!("CARGO_PKG_VERSION")).map_err(storage)?;
        if let Some(login) = plan.login.as_ref().filter(|_| Known::is_empty(service.home())) {
            Known::write(service.home(), login, plan.agents.iter().map(|planned| &planned.found));
        }
    }
    let store = store(service);
    let mut reports = Vec::new();
    let wanted = plan.agents.iter().filter(|planned| only.is_none_or(|only| only == planned.agent.id()));
    for planned in wanted {
        let writes = !plan.removal && planned.files.iter().any(|(_, file)| file.change != Change::Unchanged);
        if writes && plan.scope != Scope::User {
            // Written down before the first byte, so that an uninstallation finds it whatever happens.
            record::remember(service, planned.agent.id(), &plan.scope);
        }
        let report = apply_one(service, planned, plan.removal, &store);
        match (&report.error, plan.removal) {
            (None, false) if writes => record::remember(service, planned.agent.id(), &plan.scope),
            (None, true) => record::forget(service, planned.agent.id(), &plan.scope),
            _ => {}
        }
        told(&report);
        reports.push(report);
    }
    Ok(reports)
}

fn apply_one(service: &Service, planned: &AgentPlan, removal: bool, store: &Store) -> AppliedReport {
    let mut report = AppliedReport {
        id: planned.agent.id().to_owned(),
        name: planned.agent.name().to_owned(),
        written: Vec::new(),
        unchanged: Vec::new(),
        error: None,
        next_steps: Vec::new(),
    };
    let mut problems: Vec<Sentence> = if removal { Vec::new() } else { refusals(planned) };
    let mut written: Vec<(&Grouped, FileReceipt)> = Vec::new();
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
                    // Half an agent is worse than none: hooks without tools send the model to what is
                    // not there. Taking out, every file that can be cleaned is cleaned.
                    if !removal {
                        break;
                    }
                }
            }
        }
    }
    if !removal && !problems.is_empty() && !written.is_empty() {
        problems.extend(put_back(service, &written, store));
        report.written.clear();
    }
    report.error = Sentence::all(problems);
    // Left out, because a plugin of its own brings the same.
    if planned.files.is_empty() && !removal {
        report.next_steps.clone_from(&planned.notes);
    }
    if report.error.is_none() && !removal && !report.written.is_empty() {
        report.next_steps = planned.agent.next_steps(&planned.found);
    }
    report
}

/// What keeps an agent's files from being edited, known before the first of them is.
fn refusals(planned: &AgentPlan) -> Vec<Sentence> {
    let refused = |(_, plan): &(Grouped, FilePlan)| {
        plan.refusal.as_ref().map(|refusal| joined::about(&plan.path, refusal.message()))
    };
    planned.files.iter().filter_map(refused).collect()
}

/// Takes back what was written for an agent whose later file failed; says how that went.
fn put_back(service: &Service, written: &[(&Grouped, FileReceipt)], store: &Store) -> Vec<Sentence> {
    let receipts: Vec<FileReceipt> = written.iter().map(|(_, receipt)| receipt.clone()).collect();
    let mut problems = vec![messages::put_back()];
    for undone in edits::rollback(&receipts, store) {
        let group = written.iter().find(|(group, _)| group.path == undone.path).map(|(group, _)| *group);
        let failed = match (undone.outcome, group) {
            (RollbackOutcome::Restored | RollbackOutcome::NothingToDo, _) => None,
            // Somebody wrote meanwhile: only our entries go.
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

pub(super) fn removal_of(group: &Grouped, store: &Store) -> FilePlan {
    edits::plan_removal(&group.path, group.format, &group.edits, store.receipt(&group.path).as_ref())
}

fn apply_file(
    service: &Service,
    group: &Grouped,
    plan: &FilePlan,
    removal: bool,
    store: &Store,
) -> Result<FileReceipt, ApplyError> {
    let mut outcome = edits::apply(plan, store, service.now_ms());
    for attempt in 1..=RETRIES {
        if !matches!(outcome, Err(ApplyError::Changed { .. })) {
            break;
        }
        // Somebody wrote meanwhile (Claude Code rewrites its file all the time): the same edit is made
        // anew on what they wrote, so that neither loses anything.
        std::thread::sleep(Duration::from_millis(u64::from(attempt) * 10));
        let again = if removal { removal_of(group, store) } else { planned_connect(group) };
        outcome = edits::apply(&again, store, service.now_ms());
    }
    outcome
}
