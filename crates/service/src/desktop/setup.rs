//! The wizard: survey, plan, carry out agent by agent, verify. The plan that was shown is kept, so that
//! nothing else can be carried out.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use agents::{Parts, Scope};
use contract::desktop::{AgentsQuery, ApplyPlan, PlanConnect, PlanDisconnect, PlanView, SaveDiff};
use contract::{AgentReport, AppliedReport, Error, ErrorCode, VerifyReport};
use home::Project;

use super::Desktop;
use crate::wiring::{self, Computer, Plan, Request};
use crate::{failure, messages};

impl Desktop {
    /// Every agent and how it stands.
    pub fn agents(&self, query: &AgentsQuery) -> Vec<AgentReport> {
        let computer = Computer::new(&self.service, query.thorough);
        wiring::survey(&self.service, &computer).into_iter().map(|surveyed| surveyed.report).collect()
    }

    /// Plans to connect; writes nothing.
    ///
    /// # Errors
    /// When an agent is unknown or not installed, or the project is no project.
    pub fn plan_connect(&self, wanted: PlanConnect) -> Result<PlanView, Error> {
        let request = Request {
            agents: wanted.agents,
            scope: scope(wanted.project.as_deref())?,
            parts: Parts {
                mcp: true,
                hooks: wanted.hooks,
                instructions: wanted.instructions,
                credentials: wanted.credentials,
            },
        };
        let computer = self.computer_for(&request.agents);
        Ok(self.keep(wiring::plan_connect(&self.service, &computer, &request)?))
    }

    /// Plans to disconnect; writes nothing.
    ///
    /// # Errors
    /// When an agent is unknown, or the project is no project.
    pub fn plan_disconnect(&self, wanted: &PlanDisconnect) -> Result<PlanView, Error> {
        let computer = self.computer_for(&wanted.agents);
        let scope = scope(wanted.project.as_deref())?;
        Ok(self.keep(wiring::plan_disconnect(&self.service, &computer, &wanted.agents, &scope)?))
    }

    /// The computer, looked at as far as a plan for these agents needs.
    fn computer_for(&self, agents: &[String]) -> Computer {
        if agents.is_empty() { Computer::new(&self.service, true) } else { Computer::for_some(&self.service) }
    }

    fn keep(&self, plan: Plan) -> PlanView {
        let mut kept = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let number = kept.as_ref().map_or(1, |(number, _)| number.wrapping_add(1));
        let view = PlanView { plan: number, removal: plan.is_removal(), report: plan.report() };
        *kept = Some((number, Arc::new(plan)));
        view
    }

    fn kept(&self, number: u32) -> Result<Arc<Plan>, Error> {
        let kept = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = kept.as_ref().filter(|(kept, _)| *kept == number).map(|(_, plan)| Arc::clone(plan));
        plan.ok_or_else(|| Error::new(ErrorCode::NotFound, messages::plan_replaced()))
    }

    /// Carries out one agent's part of the plan that was shown.
    ///
    /// # Errors
    /// When the plan is not the last one, or the Plimsoll folder cannot be written; what fails for the agent is
    /// in the report, and its files are then as they were.
    pub fn apply_plan(&self, wanted: &ApplyPlan, sidecar: &Path) -> Result<AppliedReport, Error> {
        let plan = self.kept(wanted.plan)?;
        wiring::apply_agent(&self.service, &plan, &wanted.agent, sidecar)?
            .ok_or_else(|| Error::new(ErrorCode::NotFound, messages::not_in_plan(&wanted.agent)))
    }

    /// Starts the agent's server and hook as the agent would.
    ///
    /// # Errors
    /// When the agent is unknown; what does not answer is in the report.
    pub fn verify_agent(&self, id: &str) -> Result<VerifyReport, Error> {
        let computer = Computer::for_some(&self.service);
        let agent = wiring::named(&[id.to_owned()])?;
        let agent = agent.first().ok_or_else(|| Error::invalid(messages::no_agent_named()))?;
        Ok(wiring::verify(&self.service, &computer, *agent))
    }

    /// Writes the plan that was shown as a unified diff.
    ///
    /// # Errors
    /// When the plan is not the last one, or the file cannot be written.
    pub fn save_diff(&self, wanted: &SaveDiff) -> Result<(), Error> {
        let report = self.kept(wanted.plan)?.report();
        let mut text = String::new();
        for agent in &report.agents {
            for file in agent.files.iter().filter(|file| !file.diff.is_empty()) {
                let _ = writeln!(text, "# {} · {}\n{}", agent.name, file.roles.join(", "), file.diff);
            }
        }
        std::fs::write(&wanted.path, text).map_err(|error| failure::of_file(&wanted.path, &error))
    }
}

fn scope(project: Option<&Path>) -> Result<Scope, Error> {
    match project {
        None => Ok(Scope::User),
        Some(folder) => Project::at(folder)
            .map(|project| Scope::Project(project.root))
            .map_err(|error| Error::told(ErrorCode::InvalidArgument, &error)),
    }
}
