//! Sharing in the window: through the project's repository, and through the organisation's server. Viewing doesn't
//! connect; the server is called only when the user presses its button.

use contract::Error;
use contract::desktop::Nothing;

use super::team_types::{
    MemoryOrg, MemoryOrgAddress, MemoryOrgAnswer, MemoryRole, MemoryTeam, SharedProblem,
};
use super::types::InProject;
use super::window_context::{Place, failed, refused};
use crate::actions::{self, Asked, Desk};
use crate::org::{self, Answered};
use crate::store::{OrgError, Server, StoreError};

/// What is shared, as far as this computer knows.
pub(super) fn look(place: &Place, asked: InProject) -> Result<MemoryTeam, Error> {
    let desk = place.desk_at_folder(&asked.project);
    let org = known(&desk)?;
    if desk.root.is_none() {
        return Ok(MemoryTeam { org, ..MemoryTeam::default() });
    }
    let shared = actions::sharing(&desk).map_err(refused)?;
    let problems = shared.problems.into_iter().map(|(file, problem)| SharedProblem { file, problem });
    Ok(MemoryTeam {
        folder: desk.root,
        files: shared.files,
        theirs: shared.theirs,
        problems: problems.collect(),
        org,
    })
}

/// The server's known state, without calling it.
fn known(desk: &Desk) -> Result<MemoryOrg, Error> {
    let server = match &desk.org_server {
        None => return Ok(MemoryOrg::default()),
        Some(Ok(server)) => server,
        Some(Err(error)) => {
            let problem = Some(error.to_string());
            return Ok(MemoryOrg { configured: true, problem, ..MemoryOrg::default() });
        }
    };
    let lag = org::lag(&desk.database, server).map_err(failed)?;
    let answer = org::answered(&desk.database, server).map_err(failed)?;
    let roles = org::roles(&desk.database, server).map_err(failed)?;
    let role = |(project, role)| MemoryRole { project, role };
    // If nothing was captured yet there was no exchange: only the last answer tells what is wrong.
    let since_then = answer.as_ref().filter(|one| lag.met_ms.is_none_or(|met| met < one.at_ms));
    let why = if lag.why.is_empty() { since_then.map(|one| one.problem.clone()) } else { Some(lag.why) };
    Ok(MemoryOrg {
        configured: true,
        server: server.name(),
        problem: None,
        waiting: lag.waiting,
        since_ms: lag.since_ms,
        met_ms: lag.met_ms,
        sent_ms: lag.sent_ms,
        why: why.unwrap_or_default(),
        answer: answer.map(shown),
        roles_ms: roles.as_ref().map(|roles| roles.at_ms),
        roles: roles.unwrap_or_default().roles.into_iter().map(role).collect(),
    })
}

/// Saves another address in the settings, or removes it. The reply contains no password.
pub(super) fn set(place: &Place, asked: MemoryOrgAddress) -> Result<MemoryOrg, Error> {
    crate::entry_points::org_command::set(place.host().home(), &asked.url).map_err(refused)?;
    known(&place.desk(""))
}

fn shown(answered: Answered) -> MemoryOrgAnswer {
    MemoryOrgAnswer {
        at_ms: answered.at_ms,
        status: answered.status,
        problem: answered.problem,
        answer_us: answered.answer_us,
        version: answered.postgresql,
        memories: answered.memories,
    }
}

fn server(desk: &Desk) -> Result<Server, Error> {
    let server = desk.org_server.clone();
    server
        .unwrap_or_else(|| Err(OrgError::Url { reason: "it is not set".into() }))
        .map_err(|error| failed(StoreError::from(error)))
}

/// Asks the server for its state now.
pub(super) fn check(place: &Place, _: Nothing) -> Result<MemoryOrg, Error> {
    let desk = place.desk("");
    actions::check_server(&desk, &server(&desk)?).map_err(refused)?;
    known(&desk)
}

/// Exchanges now, as far as the server lets. An unreachable server is reported, and what waits keeps waiting.
pub(super) fn exchange(place: &Place, _: Nothing) -> Result<MemoryOrg, Error> {
    let desk = place.desk("");
    let server = server(&desk)?;
    if !desk.database.exists() {
        return known(&desk);
    }
    if let Err(failure) = actions::manage(&desk, &Asked::Sync)
        && org::lag(&desk.database, &server).map_err(failed)?.why.is_empty()
    {
        return Err(refused(failure));
    }
    known(&desk)
}
