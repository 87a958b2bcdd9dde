//! The organisation's server, for those who type and for a server's own time: `plimsoll memory org …`, which no agent can call.

use std::sync::Arc;
use std::time::Duration;

use contract::Error;
use system::{At, Host, Typed, Work};

use super::reply::{self, Show};
use crate::actions::{Asked, Desk, Failure, follow_renames, manage};
use crate::org::{Link, server};
use crate::place::database;
use crate::store::{Server, StoreError, Who};

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
        ("set", [url]) => Asked::Set { url: url.clone() },
        ("set", []) => Asked::Set { url: String::new() },
        ("status", []) => Asked::Status,
        ("sync", []) => Asked::Sync,
        ("grant", [person, role]) => Asked::Grant { person: person.clone(), project, role: role.clone() },
        ("revoke", [person]) => Asked::Revoke { person: person.clone(), project },
        ("grant", _) => return Err(wrong("grant NAME reader|writer|admin [--project HOST/PATH]")),
        ("revoke", _) => return Err(wrong("revoke NAME [--project HOST/PATH]")),
        _ => return Err(wrong("init, set ADDRESS, status, sync, grant NAME ROLE or revoke NAME")),
    }))
}

/// Does it.
pub(super) fn work(at: At, asked: Asked) -> Work {
    if let Asked::Set { url } = asked {
        let host = at.host.clone();
        return reply::work(at, Show::Json, move |_| {
            let status = set(host.home(), &url)?.unwrap_or_else(|| "no longer set".into());
            Ok(serde_json::json!({"server": status}))
        });
    }
    reply::work(at, Show::Json, move |desk| manage(desk, &asked))
}

/// Keeps an address in the settings, or takes it out where it is empty; what people are shown of it.
pub(super) fn set(home: &home::Home, url: &str) -> Result<Option<String>, Failure> {
    let url = url.trim();
    let name = match url {
        "" => None,
        url => Some(
            Server::parse(url).map_err(|error| Failure::invalid(StoreError::from(error).to_string()))?.name(),
        ),
    };
    let stored = |error: &dyn std::fmt::Display| Failure::unusable(error.to_string());
    home.ensure().map_err(|error| stored(&error))?;
    home::set_value(home, &["memory", "org", "url"], url).map_err(|error| stored(&error))?;
    Ok(name)
}

/// What a server does that an agent has started: the exchange, so that what hooks capture is sent and what others captured comes; and,
/// beside everything else, a look at what git has seen renamed.
pub(crate) fn attend(host: &Arc<dyn Host>) {
    if host.has_project() && database(host.home()).exists() {
        let who = Who::person(host.now_ms());
        let desk = Desk::in_project(&database(host.home()), Some(&host.project()), who);
        let follow = move || {
            if let Err(failure) = follow_renames(&desk) {
                log::warn!("what was renamed is followed later: {}", failure.message);
            }
        };
        if let Err(error) = std::thread::Builder::new().name("renames".into()).spawn(follow) {
            log::warn!("what was renamed is followed later: {error}");
        }
    }
    match server(host.settings()) {
        Some(Ok(server)) => {
            let project = host.has_project().then(|| crate::domain::project_key(&host.project()));
            Link::of(&database(host.home()), &server).exchange(project.as_deref(), Duration::ZERO);
        }
        Some(Err(error)) => log::warn!("{error}"),
        None => {}
    }
}
