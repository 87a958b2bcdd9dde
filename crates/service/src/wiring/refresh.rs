//! Bringing the entries of connected agents up to what this version writes, for the versions that the agents have today.
//! Owns which entries that concerns: ours that differ, and those that are new since we last wrote into a file that still has
//! some of ours. What a person took out stays out, and nothing is connected that was not.

use agents::{Agent, Installation, Parts, Scope};
use contract::{AppliedReport, EntriesReport, Error};
use edits::{Edit, FileReceipt, Presence};

use super::connect::{AgentPlan, Plan, apply, planned_connect};
use super::file_groups::{self, Grouped};
use super::{Computer, record, store};
use crate::Service;

/// Plans it for the person's own configuration and for every project that an agent was connected in. Writes nothing; empty
/// where every entry is as it should be.
pub fn plan_refresh(service: &Service, computer: &Computer) -> Vec<Plan> {
    let found: Vec<(&'static dyn Agent, Installation)> =
        agents::all().iter().filter_map(|agent| Some((*agent, agent.detect(&computer.machine())?))).collect();
    let mut scopes = vec![Scope::User];
    for connection in record::connections(service) {
        if !scopes.contains(&connection.scope) {
            scopes.push(connection.scope);
        }
    }
    let of = |scope: &Scope| {
        let planned =
            found.iter().filter_map(|(agent, found)| planned(service, computer, *agent, found, scope));
        Plan::new(service, planned.collect(), false, scope).only_changes()
    };
    scopes.iter().map(of).filter(|plan| !plan.is_empty() || plan.has_refusals()).collect()
}

/// Carries such plans out.
///
/// # Errors
/// As for [`apply`].
pub fn refresh(service: &Service, plans: &[Plan], binary: &std::path::Path) -> Result<EntriesReport, Error> {
    let mut agents: Vec<AppliedReport> = Vec::new();
    for plan in plans {
        agents.extend(apply(service, plan, binary, |_| {})?);
    }
    Ok(EntriesReport { written: true, agents })
}

/// What carrying them out would write.
pub fn would_refresh(plans: &[Plan]) -> EntriesReport {
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

fn planned(
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
            let left_out = keep_ours(&mut group, receipt.as_ref())?;
            let mut plan = planned_connect(&group);
            // What the person took out is remembered as written once, so that it stays out the next time too.
            let known = receipt.into_iter().flat_map(|receipt| receipt.entries);
            plan.entries.extend(known.filter(|entry| left_out.contains(&entry.path)));
            Some((group, plan))
        })
        .collect();
    (!files.is_empty()).then(|| AgentPlan { agent, found: found.clone(), files, notes: Vec::new() })
}

/// Leaves in the group what is ours or new; gives the places that are left out, or nothing where the file has nothing of ours.
fn keep_ours(group: &mut Grouped, receipt: Option<&FileReceipt>) -> Option<Vec<Vec<String>>> {
    let presence = |edit: &Edit| edits::presence(&group.path, group.format, edit);
    let presences: Vec<Presence> = group.edits.iter().map(presence).collect();
    let is_ours = |presence: &Presence| {
        matches!(presence, Presence::Ours | Presence::OursWithExtras | Presence::Differs)
    };
    let ours = |wanted: fn(&Edit) -> bool| {
        group.edits.iter().zip(&presences).any(|(edit, presence)| wanted(edit) && is_ours(presence))
    };
    if !ours(|edit| !matches!(edit, Edit::SetIfAbsent { .. })) {
        return None;
    }
    // A hook that is missing is new where others of ours are there and we never wrote this one; else it was declined or
    // taken out. A server that is missing always was.
    let has_hooks = ours(|edit| matches!(edit, Edit::Put { .. }));
    let is_new = |path: &[String]| {
        has_hooks && receipt.is_some_and(|receipt| receipt.entries.iter().all(|entry| entry.path != path))
    };
    let (mut kept, mut left_out) = (Vec::new(), Vec::new());
    for (edit, presence) in group.edits.drain(..).zip(presences) {
        let wanted = match &edit {
            Edit::SetIfAbsent { .. } => true,
            Edit::Put { path, .. } => is_ours(&presence) || presence == Presence::Absent && is_new(path),
            _ => is_ours(&presence),
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
