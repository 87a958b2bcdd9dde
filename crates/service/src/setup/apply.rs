//! Applies plans. A plan was shown before a byte is written and is applied agent by agent; a failing agent is rolled back
//! without stopping the others.

use std::path::Path;
use std::time::Duration;

use agents::{Role, Scope};
use contract::{AppliedReport, Error, Sentence, joined};
use edits::{ApplyError, Change, FilePlan, FileReceipt, RollbackOutcome, Store};

use super::connect::plan_file;
use super::connections;
use super::detection_cache::DetectionCache;
use super::file_groups::{FileGroup, entries_left, removal_of};
use super::plan::{AgentPlan, Plan, refusals};
use super::store;
use crate::{Service, failure, messages};

/// How often a file that another program keeps writing is planned again before giving up.
const RETRIES: u32 = 5;

/// Applies a plan. Connecting installs the launcher first, so that no entry ever names a missing program. `told` is
/// called after each agent.
///
/// # Errors
/// Only if Plimsoll's folder can't be opened or written or the launcher can't be installed; an agent's failure is in its
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
    // Locks and receipts are in there. One sentence says so, instead of one for each file.
    service.home().check_usable_for_edits().map_err(storage)?;
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
    let mut failed: Vec<&Path> = Vec::new();
    if problems.is_empty() {
        for (group, plan) in &planned.files {
            match apply_file(service, group, plan, store) {
                Ok(receipt) if receipt.written => {
                    report.written.push(plan.path.clone());
                    written.push((group, receipt));
                }
                Ok(_) => report.unchanged.push(plan.path.clone()),
                Err(error) => {
                    problems.push(error.message());
                    failed.push(&plan.path);
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
        // Checks again, because the report claims that everything is out. Of a file that couldn't be written it doesn't.
        let cleaned = |plan: &FilePlan| {
            plan.removal && plan.change != Change::Refused && !failed.contains(&plan.path.as_path())
        };
        for (group, plan) in planned.files.iter().filter(|(_, plan)| cleaned(plan)) {
            let mut places = edits::remains(&group.path, group.format, &group.edits);
            places.retain(|place| !group.places_of_others.contains(place));
            problems.extend(entries_left(&places).map(|left| joined::about(&plan.path, left)));
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
        let hooks = planned.files.iter().any(|(group, _)| group.has(Role::Hooks));
        report.next_steps = planned.agent.next_steps(&planned.found, hooks);
    }
    report
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
                apply_file(service, group, &plan, store).err().map(|error| error.message())
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
        let again = if plan.removal { removal_of(group, store) } else { plan_file(group) };
        outcome = edits::apply(&again, store, service.now_ms());
    }
    outcome
}
