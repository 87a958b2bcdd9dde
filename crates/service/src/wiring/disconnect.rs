//! The way back: our entries out of every file, also of places that earlier versions used.

use agents::{Agent, Found, Parts, Role, Scope};
use contract::Error;
use edits::Presence;

use super::connect::{AgentPlan, Plan, removal_of};
use super::grouped::{self, Grouped};
use super::{Computer, store};
use crate::{Service, said};

/// Plans to disconnect these agents (all when none is named). Works for an agent that has been uninstalled
/// meanwhile, because its files may still be there.
///
/// # Errors
/// When an id is unknown.
pub fn plan_disconnect(
    service: &Service,
    computer: &Computer,
    ids: &[String],
    scope: &Scope,
) -> Result<Plan, Error> {
    let leaving = super::named(ids)?;
    let store = store(service);
    let mut planned = Vec::new();
    for agent in &leaving {
        let found = found(computer, *agent);
        let mut notes = Vec::new();
        let mut files = Vec::new();
        for group in everything(service, computer, *agent, &found, scope) {
            if let Some(other) = shared_with(service, computer, &group, *agent, &leaving, scope) {
                notes.push(said::stays_for(&group.path, other));
                continue;
            }
            let plan = removal_of(&group, &store);
            files.push((group, plan));
        }
        planned.push(AgentPlan { agent: *agent, found, files, notes });
    }
    Ok(Plan::new(service, planned, true, scope))
}

fn found(computer: &Computer, agent: &dyn Agent) -> Found {
    agent.detect(&computer.machine()).unwrap_or_else(|| agent.assumed(computer.env()))
}

/// Every file that may hold entries of ours: today's and those of former versions.
fn everything(
    service: &Service,
    computer: &Computer,
    agent: &dyn Agent,
    found: &Found,
    scope: &Scope,
) -> Vec<Grouped> {
    let parts = Parts { mcp: true, hooks: true, instructions: true };
    let mut files = grouped::files(service, computer.env(), agent, found, scope, parts);
    for old in grouped::former(service, computer.env(), agent, found, scope) {
        match files.iter_mut().find(|file| file.path == old.path) {
            Some(file) => file.edits.extend(old.edits),
            None => files.push(old),
        }
    }
    files
}

/// The name of another agent that stays connected and needs the same file.
fn shared_with(
    service: &Service,
    computer: &Computer,
    group: &Grouped,
    agent: &dyn Agent,
    leaving: &[&'static dyn Agent],
    scope: &Scope,
) -> Option<&'static str> {
    agents::all()
        .iter()
        .filter(|other| other.id() != agent.id() && !leaving.iter().any(|gone| gone.id() == other.id()))
        .find(|other| {
            let found = found(computer, **other);
            let parts = Parts { mcp: true, hooks: true, instructions: true };
            let files = grouped::files(service, computer.env(), **other, &found, scope, parts);
            // The other one is connected when the file that names its server says so.
            files.iter().any(|file| file.path == group.path)
                && files.iter().filter(|file| file.path != group.path && file.has(Role::Mcp)).any(|file| {
                    file.presences().iter().any(|presence| {
                        matches!(presence, Presence::Ours | Presence::OursWithExtras | Presence::Differs)
                    })
                })
        })
        .map(|other| other.name())
}
