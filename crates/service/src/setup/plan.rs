//! A plan: which files of which agents change, and how. Owns what a front end is shown; makes no plan and applies none.

use std::path::{Path, PathBuf};

use agents::{Agent, Installation, LoginShell, Scope};
use contract::{AgentPlanReport, FilePlanReport, PlanReport, Sentence, joined};
use edits::{Change, FilePlan};

use super::file_groups::{FileGroup, entries_left};
use super::role_name;
use crate::{Service, messages};

/// A plan that can be shown and applied.
pub struct Plan {
    pub(super) agents: Vec<AgentPlan>,
    pub(super) removal: bool,
    pub(super) scope: Scope,
    backups: PathBuf,
    /// What the survey behind a connection learned. The first plan is made before there is a folder to save it in.
    pub(super) login: Option<LoginShell>,
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
                let is_shown = |first: &FileGroup| group.edits.iter().all(|edit| first.has_place(edit));
                match seen.iter().find(|(path, first, _)| *path == plan.target && is_shown(first)) {
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
        PlanReport { agents, backups: home::as_text(&self.backups).into_owned() }
    }
}

fn file_report(group: &FileGroup, plan: &FilePlan) -> FilePlanReport {
    let refused = plan.change == Change::Refused;
    let mut notes = plan.notes.clone();
    notes.extend(entries_left(&plan.remains));
    FilePlanReport {
        path: home::as_text(&plan.path).into_owned(),
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
            .filter(|text| !text.is_empty() && plan.refusal != Some(edits::Refusal::NotUtf8Program)),
    }
}

/// What prevents editing an agent's files, known before the first edit.
pub(super) fn refusals(planned: &AgentPlan) -> Vec<Sentence> {
    let refused = |(_, plan): &(FileGroup, FilePlan)| {
        plan.refusal.as_ref().map(|refusal| joined::about(&plan.path, refusal.message()))
    };
    planned.files.iter().filter_map(refused).collect()
}
