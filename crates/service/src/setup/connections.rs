//! Records which agents were connected where, so that an uninstall also finds entries in projects. An agent's state
//! is never read from here but computed from its files.

use std::sync::Once;

use agents::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Service;

/// A scope in which an agent was connected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// The agent's id.
    #[serde(skip)]
    pub agent: String,
    /// The user's configuration or a project.
    pub scope: Scope,
}

/// The record is asked about each agent, and what is wrong with it is told once.
static TOLD: Once = Once::new();

/// Every recorded connection; empty if there is none or the record can't be read.
pub fn connections(service: &Service) -> Vec<Connection> {
    let stored = service.read_record().and_then(|sessions| match sessions {
        Some(sessions) => sessions.connections(None),
        None => Ok(Vec::new()),
    });
    match stored {
        Ok(stored) => {
            stored.into_iter().filter_map(|stored| parse(stored.agent, &stored.connection)).collect()
        }
        Err(error) => {
            TOLD.call_once(|| log::warn!("which projects were connected cannot be read: {error}"));
            Vec::new()
        }
    }
}

/// Whether the agent was connected in this scope and not disconnected since.
pub(super) fn is_recorded(service: &Service, agent: &str, scope: &Scope) -> bool {
    connections(service).iter().any(|connection| connection.agent == agent && connection.scope == *scope)
}

fn parse(agent: String, stored: &Value) -> Option<Connection> {
    let connection: Connection = serde_json::from_value(stored.clone()).ok()?;
    Some(Connection { agent, ..connection })
}

/// Records a connection once. A write error doesn't prevent connecting: entries in the user's own configuration are
/// found without the record.
pub(super) fn record(service: &Service, agent: &str, scope: &Scope) {
    let written = service.open_record().and_then(|mut sessions| {
        let known = sessions.connections(Some(agent))?;
        if known
            .iter()
            .any(|stored| parse(agent.to_owned(), &stored.connection).is_some_and(|c| c.scope == *scope))
        {
            return Ok(());
        }
        let connection = Connection { agent: agent.to_owned(), scope: scope.clone() };
        let value = serde_json::to_value(connection).unwrap_or_default();
        sessions.save_connection(agent, &value, service.now_ms()).map(|_| ())
    });
    if let Err(error) = written {
        log::warn!("the connection of {agent} could not be written down: {error}");
    }
}

/// Deletes a recorded connection.
pub(super) fn remove(service: &Service, agent: &str, scope: &Scope) {
    if !service.home().main_db().exists() {
        return;
    }
    let dropped = service.open_record().and_then(|mut sessions| {
        for stored in sessions.connections(Some(agent))? {
            if parse(agent.to_owned(), &stored.connection)
                .is_some_and(|connection| connection.scope == *scope)
            {
                sessions.remove_connection(stored.id)?;
            }
        }
        Ok(())
    });
    if let Err(error) = dropped {
        log::info!("the connection of {agent} is still written down: {error}");
    }
}
