//! `plimsoll memory org …`: the organisation's server, on the command line only and not for agents, and the exchange
//! that a server runs in the background.

use std::sync::Arc;
use std::time::Duration;

use contract::Error;
use system::{CallContext, Host, ReplyFuture, VerbArguments};

use super::reply_text::ReplyFormat;
use super::run_action;
use crate::actions::{ActionContext, Failure, OrgRequest, follow_renames, refresh_shared, run_org_request};
use crate::org::{OrgConnection, server};
use crate::paths::database;
use crate::store::{Actor, Server, StoreError};

/// The request about the server; `None` for another action.
pub(super) fn parse(typed: &VerbArguments) -> Result<Option<OrgRequest>, Error> {
    let mut words = typed.texts("ACTION");
    if words.next() != Some("org") {
        return Ok(None);
    }
    let action = words.next().unwrap_or_default().to_owned();
    let rest: Vec<String> = words.map(str::to_owned).collect();
    let project = typed.text("--project").unwrap_or("*").to_owned();
    let wrong = |usage: &str| Error::invalid(format!("write plimsoll memory org {usage}"));
    Ok(Some(match (action.as_str(), rest.as_slice()) {
        ("init", []) => OrgRequest::Init,
        // A script's empty variable isn't a request to forget the address.
        ("set", [url]) if !url.trim().is_empty() => OrgRequest::Set { url: url.clone() },
        ("unset", []) => OrgRequest::Set { url: String::new() },
        ("status", []) => OrgRequest::Status,
        ("sync", []) => OrgRequest::Sync,
        ("grant", [person, role]) => {
            OrgRequest::Grant { person: person.clone(), project, role: role.clone() }
        }
        ("revoke", [person]) => OrgRequest::Revoke { person: person.clone(), project },
        ("grant", _) => return Err(wrong("grant NAME reader|writer|admin [--project HOST/PATH]")),
        ("revoke", _) => return Err(wrong("revoke NAME [--project HOST/PATH]")),
        ("set", _) => {
            return Err(wrong("set ADDRESS; `plimsoll memory org unset` removes the one that is set"));
        }
        _ => return Err(wrong("init, set ADDRESS, unset, status, sync, grant NAME ROLE or revoke NAME")),
    }))
}

/// Runs the request.
pub(super) fn run(at: CallContext, asked: OrgRequest) -> ReplyFuture {
    if let OrgRequest::Set { url } = asked {
        let host = at.host.clone();
        return run_action::run(at, ReplyFormat::Json, move |_| {
            let status = set(host.home(), &url)?.unwrap_or_else(|| "no longer set".into());
            Ok(serde_json::json!({"server": status}))
        });
    }
    run_action::run(at, ReplyFormat::Json, move |context| run_org_request(context, &asked))
}

/// Saves an address in the settings, or removes it if empty; returns the server's display name.
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

/// The background work of a server that an agent started: the exchange, so that hooks' captures are sent and others'
/// captures arrive, the memories in the project's files, so that hooks have them in a fresh clone too, and a check for
/// files renamed in git.
pub(crate) fn run_in_background(host: &Arc<dyn Host>) {
    if host.has_project() {
        let who = Actor::local_user(host.now_ms());
        let mut context = ActionContext::in_project(&database(host.home()), Some(&host.project()), who);
        context.secrets = run_action::secrets(host.settings());
        let follow = move || {
            // Without shared files this makes no database.
            refresh_shared(&context);
            if !context.database.exists() {
                return;
            }
            context.record_start();
            if let Err(failure) = follow_renames(&context) {
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
            OrgConnection::of(&database(host.home()), &server).exchange(project.as_deref(), Duration::ZERO);
        }
        Some(Err(error)) => log::warn!("{error}"),
        None => {}
    }
}
