//! The setup screen: survey, plan, apply agent by agent, verify. Keeps the last plan shown, so that nothing else can
//! be applied.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use agents::{Parts, Scope};
use contract::desktop::{AgentsQuery, ApplyPlan, PlanConnect, PlanDisconnect, PlanView, SaveDiff};
use contract::{AgentReport, AppliedReport, Error, ErrorCode, VerifyReport};
use home::Project;

use super::Desktop;
use crate::setup::{self, Computer, Plan, Request};
use crate::{failure, messages};

impl Desktop {
    /// Every agent with its state.
    pub fn agents(&self, query: &AgentsQuery) -> Vec<AgentReport> {
        let computer = Computer::new(&self.service, query.thorough);
        setup::survey(&self.service, &computer).into_iter().map(|surveyed| surveyed.report).collect()
    }

    /// Plans connections; writes nothing.
    ///
    /// # Errors
    /// If an agent is unknown or not installed, or the folder isn't a project.
    pub fn plan_connect(&self, request: PlanConnect) -> Result<PlanView, Error> {
        let request = Request {
            agents: request.agents,
            scope: scope(request.project.as_deref())?,
            parts: Parts {
                mcp: true,
                hooks: request.hooks,
                instructions: request.instructions,
                credentials: request.credentials,
            },
        };
        let computer = self.computer_for(&request.agents);
        Ok(self.keep_plan(setup::plan_connect(&self.service, &computer, &request)?))
    }

    /// Plans disconnections; writes nothing.
    ///
    /// # Errors
    /// If an agent is unknown, or the folder isn't a project.
    pub fn plan_disconnect(&self, request: &PlanDisconnect) -> Result<PlanView, Error> {
        let computer = self.computer_for(&request.agents);
        let scope = scope(request.project.as_deref())?;
        Ok(self.keep_plan(setup::plan_disconnect(&self.service, &computer, &request.agents, &scope)?))
    }

    /// Surveys the computer as far as a plan for these agents needs it.
    fn computer_for(&self, agents: &[String]) -> Computer {
        if agents.is_empty() {
            Computer::new(&self.service, true)
        } else {
            Computer::for_named_agents(&self.service)
        }
    }

    fn keep_plan(&self, plan: Plan) -> PlanView {
        let mut kept = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let number = kept.as_ref().map_or(1, |(number, _)| number.wrapping_add(1));
        let view = PlanView { plan: number, removal: plan.is_removal(), report: plan.report() };
        *kept = Some((number, Arc::new(plan)));
        view
    }

    fn kept_plan(&self, number: u32) -> Result<Arc<Plan>, Error> {
        let kept = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = kept.as_ref().filter(|(kept, _)| *kept == number).map(|(_, plan)| Arc::clone(plan));
        plan.ok_or_else(|| Error::new(ErrorCode::NotFound, messages::plan_replaced()))
    }

    /// Applies one agent's part of the last plan shown.
    ///
    /// # Errors
    /// If the plan isn't the last one, or Plimsoll's folder can't be written. If the agent's part fails, the report
    /// says so, and its files are unchanged.
    pub fn apply_plan(&self, request: &ApplyPlan, sidecar: &Path) -> Result<AppliedReport, Error> {
        let plan = self.kept_plan(request.plan)?;
        setup::apply_agent(&self.service, &plan, &request.agent, sidecar)?
            .ok_or_else(|| Error::new(ErrorCode::NotFound, messages::not_in_plan(&request.agent)))
    }

    /// Starts the agent's server and hook as the agent does.
    ///
    /// # Errors
    /// If the agent is unknown. What doesn't answer is in the report.
    pub fn verify_agent(&self, id: &str) -> Result<VerifyReport, Error> {
        let computer = Computer::for_named_agents(&self.service);
        let agent = setup::agents_by_name(&[id.to_owned()])?;
        let agent = agent.first().ok_or_else(|| Error::invalid(messages::no_agent_named()))?;
        Ok(setup::verify(&self.service, &computer, *agent))
    }

    /// Saves the last plan shown as a unified diff.
    ///
    /// # Errors
    /// If the plan isn't the last one, or the file can't be written.
    pub fn save_diff(&self, request: &SaveDiff) -> Result<(), Error> {
        let report = self.kept_plan(request.plan)?.report();
        let mut text = String::new();
        for agent in &report.agents {
            for file in agent.files.iter().filter(|file| !file.diff.is_empty()) {
                let _ = writeln!(text, "# {} · {}\n{}", agent.name, file.roles.join(", "), file.diff);
            }
        }
        // Whoever chose the file was asked whether it may be replaced.
        home::write_chosen(&request.path, text.as_bytes(), true)
            .map_err(|error| failure::from_file(&request.path, &error))
    }
}

fn scope(project: Option<&Path>) -> Result<Scope, Error> {
    match project {
        None => Ok(Scope::User),
        Some(folder) => Project::at(folder)
            .map(|project| Scope::Project(project.root))
            .map_err(|error| Error::from_lower(ErrorCode::InvalidArgument, &error)),
    }
}
