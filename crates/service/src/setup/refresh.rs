//! Updates connected agents' entries to what this version writes for the agents' current versions. Owns which entries
//! that affects: outdated ones, and new ones in files that still have some of Plimsoll's entries. What the user
//! removed stays removed, and no new agent is connected.

use agents::{Agent, Installation, Parts, Scope};
use contract::{AppliedReport, EntriesReport, Error};
use edits::{Edit, EntryState, FileReceipt};

use super::apply::apply;
use super::connect::plan_file;
use super::file_groups::{self, FileGroup};
use super::plan::{AgentPlan, Plan};
use super::{Computer, connections, store};
use crate::Service;

/// Plans the refresh of the user's configuration and of every project with a connection. Writes nothing; empty if
/// everything is up to date.
pub fn plan_refresh(service: &Service, computer: &Computer) -> Vec<Plan> {
    let found: Vec<(&'static dyn Agent, Installation)> =
        agents::all().iter().filter_map(|agent| Some((*agent, agent.detect(&computer.machine())?))).collect();
    let mut scopes = vec![Scope::User];
    for connection in connections(service) {
        if !scopes.contains(&connection.scope) {
            scopes.push(connection.scope);
        }
    }
    let of = |scope: &Scope| {
        let planned =
            found.iter().filter_map(|(agent, found)| plan_agent(service, computer, *agent, found, scope));
        Plan::new(service, planned.collect(), false, scope).only_changes()
    };
    scopes.iter().map(of).filter(|plan| !plan.is_empty() || plan.has_refusals()).collect()
}

/// Applies refresh plans.
///
/// # Errors
/// Like [`apply`].
pub fn refresh(service: &Service, plans: &[Plan], binary: &std::path::Path) -> Result<EntriesReport, Error> {
    let mut agents: Vec<AppliedReport> = Vec::new();
    for plan in plans {
        agents.extend(apply(service, plan, binary, |_| {})?);
    }
    Ok(EntriesReport { written: true, agents })
}

/// What applying the plans would write.
pub fn refresh_report(plans: &[Plan]) -> EntriesReport {
    let mut agents = Vec::new();
    for agent in plans.iter().flat_map(|plan| plan.report().agents) {
        let changed =
            |file: &&contract::FilePlanReport| file.change != "unchanged" && file.change != "refused";
        agents.push(AppliedReport {
            written: agent.files.iter().filter(changed).map(|file| file.path.clone()).collect(),
            error: agent.files.iter().find_map(|file| file.refusal.clone()),
            id: agent.id,
            name: agent.name,
            unchanged: Vec::new(),
            next_steps: Vec::new(),
        });
    }
    EntriesReport { written: false, agents }
}

fn plan_agent(
    service: &Service,
    computer: &Computer,
    agent: &'static dyn Agent,
    found: &Installation,
    scope: &Scope,
) -> Option<AgentPlan> {
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    let files = file_groups::files(service, computer.env(), agent, found, scope, parts);
    let files: Vec<_> = files
        .into_iter()
        .filter_map(|mut group| {
            let receipt = store(service).receipt(&group.path);
            let left_out = keep_owned_edits(&mut group, receipt.as_ref())?;
            let mut plan = plan_file(&group);
            // Recorded as written, so that what the user removed stays out next time too.
            let known = receipt.into_iter().flat_map(|receipt| receipt.entries);
            plan.entries.extend(known.filter(|entry| left_out.contains(&entry.path)));
            Some((group, plan))
        })
        .collect();
    (!files.is_empty()).then(|| AgentPlan { agent, found: found.clone(), files, notes: Vec::new() })
}

/// Keeps the edits of existing and new entries. Returns the paths of those left out, or `None` if the file has none
/// of Plimsoll's entries.
fn keep_owned_edits(group: &mut FileGroup, receipt: Option<&FileReceipt>) -> Option<Vec<Vec<String>>> {
    let entry_states: Vec<EntryState> =
        edits::entry_states(&group.path, group.format, &group.edits.iter().collect::<Vec<_>>());
    let is_ours = |entry_state: &EntryState| {
        matches!(entry_state, EntryState::Ours | EntryState::OursWithExtras | EntryState::Differs)
    };
    let ours = |wanted: fn(&Edit) -> bool| {
        group.edits.iter().zip(&entry_states).any(|(edit, entry_state)| wanted(edit) && is_ours(entry_state))
    };
    if !ours(|edit| !matches!(edit, Edit::SetIfAbsent { .. })) {
        return None;
    }
    // A missing hook is new if other hooks of Plimsoll's are there and the receipt doesn't list it; otherwise the
    // user declined or removed it. A missing server was always removed.
    let has_hooks = ours(|edit| matches!(edit, Edit::Put { .. }));
    let is_new = |path: &[String]| {
        has_hooks && receipt.is_some_and(|receipt| receipt.entries.iter().all(|entry| entry.path != path))
    };
    let (mut kept, mut left_out) = (Vec::new(), Vec::new());
    for (edit, entry_state) in group.edits.drain(..).zip(entry_states) {
        let wanted = match &edit {
            Edit::SetIfAbsent { .. } => true,
            Edit::Put { path, .. } => {
                is_ours(&entry_state) || entry_state == EntryState::Absent && is_new(path)
            }
            _ => is_ours(&entry_state),
        };
        if wanted {
            kept.push(edit);
        } else if let Edit::Put { path, .. } | Edit::Set { path, .. } = edit {
            left_out.push(path);
        }
    }
    group.edits = kept;
    Some(left_out)
}
