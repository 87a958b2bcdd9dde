//! Sharing in the window: through the project's repository, and through the organisation's server. Viewing doesn't
//! connect; the server is called only when the user presses its button.

use contract::desktop::Nothing;
use contract::{Error, LowerError};

use super::team_types::{
    MemoryOrg, MemoryOrgAddress, MemoryOrgAnswer, MemoryRole, MemoryTeam, SharedProblem,
};
use super::types::InProject;
use super::window_context::{WindowContext, action_error, store_error};
use crate::actions::{self, ActionContext, OrgRequest};
use crate::org::{self, ServerAnswer};
use crate::store::{OrgError, Server, StoreError};

/// The shared memories, as far as this computer knows.
pub(super) fn overview(window: &WindowContext, asked: InProject) -> Result<MemoryTeam, Error> {
    let context = window.context_in_folder(&asked.project);
    let org = known_state(&context)?;
    if context.root.is_none() {
        return Ok(MemoryTeam { org, ..MemoryTeam::default() });
    }
    let shared = actions::shared_status(&context).map_err(action_error)?;
    let problems = shared.problems.into_iter().map(|(file, problem)| SharedProblem { file, problem });
    Ok(MemoryTeam {
        folder: context.root,
        files: shared.files,
        theirs: shared.theirs,
        problems: problems.collect(),
        org,
    })
}

/// The server's known state, without calling it.
fn known_state(context: &ActionContext) -> Result<MemoryOrg, Error> {
    let server = match &context.org_server {
        None => return Ok(MemoryOrg::default()),
        Some(Ok(server)) => server,
        Some(Err(error)) => {
            let problem = Some(error.message());
            return Ok(MemoryOrg { configured: true, problem, ..MemoryOrg::default() });
        }
    };
    let lag = org::exchange_lag(&context.database, server).map_err(store_error)?;
    let answer = org::last_answer(&context.database, server).map_err(store_error)?;
    let roles = org::last_roles(&context.database, server).map_err(store_error)?;
    let role = |(project, role)| MemoryRole { project, role };
    // If nothing was captured yet there was no exchange: only the last answer tells what is wrong.
    let since_then = answer.as_ref().filter(|one| lag.met_ms.is_none_or(|met| met < one.at_ms));
    let why = lag.why.or_else(|| since_then.and_then(|one| one.problem.clone()));
    Ok(MemoryOrg {
        configured: true,
        server: server.name(),
        problem: None,
        waiting: lag.waiting,
        since_ms: lag.since_ms,
        met_ms: lag.met_ms,
        sent_ms: lag.sent_ms,
        why,
        answer: answer.map(answer_view),
        roles_ms: roles.as_ref().map(|roles| roles.at_ms),
        roles: roles.unwrap_or_default().roles.into_iter().map(role).collect(),
    })
}

/// Saves another address in the settings, or removes it. The reply contains no password.
pub(super) fn set(window: &WindowContext, asked: MemoryOrgAddress) -> Result<MemoryOrg, Error> {
    crate::entry_points::org_command::set(window.host().home(), &asked.url).map_err(action_error)?;
    known_state(&window.context(""))
}

fn answer_view(answered: ServerAnswer) -> MemoryOrgAnswer {
    MemoryOrgAnswer {
        at_ms: answered.at_ms,
        status: answered.status,
        problem: answered.problem,
        answer_us: answered.answer_us,
        version: answered.postgresql,
        memories: answered.memories,
    }
}

fn server(context: &ActionContext) -> Result<Server, Error> {
    let server = context.org_server.clone();
    server.unwrap_or(Err(OrgError::Unset)).map_err(|error| store_error(StoreError::from(error)))
}

/// Asks the server for its state now.
pub(super) fn check(window: &WindowContext, _: Nothing) -> Result<MemoryOrg, Error> {
    let context = window.context("");
    actions::check_server(&context, &server(&context)?).map_err(action_error)?;
    known_state(&context)
}

/// Exchanges now, as far as the server lets. An unreachable server is reported, and what waits keeps waiting.
pub(super) fn exchange(window: &WindowContext, _: Nothing) -> Result<MemoryOrg, Error> {
    let context = window.context("");
    let server = server(&context)?;
    if !context.database.exists() {
        return known_state(&context);
    }
    if let Err(failure) = actions::run_org_request(&context, &OrgRequest::Sync)
        && org::exchange_lag(&context.database, &server).map_err(store_error)?.why.is_none()
    {
        return Err(action_error(failure));
    }
    known_state(&context)
}
