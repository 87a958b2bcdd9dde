//! The organisation's server, for those who type and for a server's own time: `plimsoll memory org …`, which no agent can call.

use std::sync::Arc;
use std::time::Duration;

use contract::Error;
use system::{At, Host, Typed, Work};

use super::reply::{self, Show};
use crate::actions::{Asked, manage};
use crate::org::{Link, server};
use crate::place::database;

/// What is asked of the server; `None` where something else is asked.
pub(super) fn asked(typed: &Typed) -> Result<Option<Asked>, Error> {
    let mut words = typed.texts("ACTION");
    if words.next() != Some("org") {
        return Ok(None);
    }
    let action = words.next().unwrap_or_default().to_owned();
    let rest: Vec<String> = words.map(str::to_owned).collect();
    let project = typed.text("--project").unwrap_or("*").to_owned();
    let wrong = |usage: &str| Error::invalid(format!("write plimsoll memory org {usage}"));
    Ok(Some(match (action.as_str(), rest.as_slice()) {
        ("init", []) => Asked::Init,
        ("status", []) => Asked::Status,
        ("sync", []) => Asked::Sync,
        ("grant", [person, role]) => Asked::Grant { person: person.clone(), project, role: role.clone() },
        ("revoke", [person]) => Asked::Revoke { person: person.clone(), project },
        ("grant", _) => return Err(wrong("grant NAME reader|writer|admin [--project HOST/PATH]")),
        ("revoke", _) => return Err(wrong("revoke NAME [--project HOST/PATH]")),
        _ => return Err(wrong("init, status, sync, grant NAME ROLE or revoke NAME")),
    }))
}

/// Does it.
pub(super) fn work(at: At, asked: Asked) -> Work {
    reply::work(at, Show::Json, move |desk| manage(desk, &asked))
}

/// Starts the exchange in a server that an agent has started, so that what hooks capture is sent and what others captured comes.
pub(crate) fn attend(host: &Arc<dyn Host>) {
    match server(host.settings()) {
        Some(Ok(server)) => {
            let project = host.has_project().then(|| crate::domain::project_key(&host.project()));
            Link::of(&database(host.home()), &server).exchange(project.as_deref(), Duration::ZERO);
        }
        Some(Err(error)) => log::warn!("{error}"),
        None => {}
    }
}
