//! Which agents were connected where, so that undoing everything also finds entries inside projects. How an
//! agent stands is never read from here: that is computed from its files.

use agents::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Service;

/// A place in which an agent was connected once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// The agent's id.
    #[serde(skip)]
    pub agent: String,
    /// Where.
    pub scope: Scope,
}

/// Every place that is remembered; empty when nothing was connected or the record cannot be read.
pub fn connections(service: &Service) -> Vec<Connection> {
    let receipts = service.read_record().and_then(|sessions| match sessions {
        Some(sessions) => sessions.receipts(None),
        None => Ok(Vec::new()),
    });
    match receipts {
        Ok(receipts) => {
            receipts.into_iter().filter_map(|receipt| read(receipt.agent, &receipt.receipt)).collect()
        }
        Err(error) => {
            log::warn!("which projects were connected cannot be read: {error}");
            Vec::new()
        }
    }
}

/// Whether the agent was connected there and not disconnected since.
pub(super) fn is_known(service: &Service, agent: &str, scope: &Scope) -> bool {
    connections(service).iter().any(|connection| connection.agent == agent && connection.scope == *scope)
}

fn read(agent: String, receipt: &Value) -> Option<Connection> {
    let connection: Connection = serde_json::from_value(receipt.clone()).ok()?;
    Some(Connection { agent, ..connection })
}

/// Writes a place down, once. A record that cannot be written keeps nobody from connecting: the entries of
/// the user's own configuration are found without it.
pub(super) fn remember(service: &Service, agent: &str, scope: &Scope) {
    let written = service.open_record().and_then(|mut sessions| {
        let known = sessions.receipts(Some(agent))?;
        if known
            .iter()
            .any(|receipt| read(agent.to_owned(), &receipt.receipt).is_some_and(|c| c.scope == *scope))
        {
            return Ok(());
        }
        let connection = Connection { agent: agent.to_owned(), scope: scope.clone() };
        let value = serde_json::to_value(connection).unwrap_or_default();
        sessions.save_receipt(agent, &value, service.now_ms()).map(|_| ())
    });
    if let Err(error) = written {
        log::warn!("the connection of {agent} could not be written down: {error}");
    }
}

/// Forgets a place.
pub(super) fn forget(service: &Service, agent: &str, scope: &Scope) {
    if !service.home().main_db().exists() {
        return;
    }
    let dropped = service.open_record().and_then(|mut sessions| {
        for receipt in sessions.receipts(Some(agent))? {
            if read(agent.to_owned(), &receipt.receipt).is_some_and(|connection| connection.scope == *scope) {
                sessions.drop_receipt(receipt.id)?;
            }
        }
        Ok(())
    });
    if let Err(error) = dropped {
        log::info!("the connection of {agent} is still written down: {error}");
    }
}
