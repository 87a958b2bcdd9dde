//! Plans connections: which agents, and which entries in which of their files. Writes nothing.

use std::path::PathBuf;

use agents::{Parts, Scope};
use contract::{AgentState, Error, ErrorCode};
use edits::{Change, Edit, FilePlan, Refusal};

use super::file_groups::{self, FileGroup};
use super::plan::{AgentPlan, Plan};
use super::{Computer, survey_one};
use crate::{Service, messages};

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
    if plan.refusal.is_none() && group.edits.iter().any(names_no_program) {
        (plan.change, plan.refusal) = (Change::Refused, Some(Refusal::NotUtf8Program));
        (plan.added, plan.removed, plan.diff) = (0, 0, String::new());
    }
    plan
}

/// Whether the edit would write a path whose text isn't the path: the launcher's, where that isn't UTF-8.
fn names_no_program(edit: &Edit) -> bool {
    let is_in = |text: &str| text.contains(char::REPLACEMENT_CHARACTER);
    match edit {
        Edit::Set { value, .. } | Edit::Put { value, .. } => is_in(&value.to_string()),
        Edit::Block { text, .. } | Edit::Whole { text } => is_in(text),
        Edit::SetIfAbsent { .. } | Edit::RenameOnRemoval { .. } => false,
    }
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
