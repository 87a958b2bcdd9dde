//! The user's operations on the organisation's server: configure, inspect, exchange, grant and revoke. Not available
//! to agents.

use std::path::Path;
use std::time::Duration;

use contract::LowerError;
use serde_json::{Value, json};

use super::{ActionContext, Failure, Reply};
use crate::domain::{UnknownName, iso};
use crate::org::{self, ExchangeCounts, ServerAnswer, now_ms, record_failure, step};
use crate::store::{OrgError, PgStore, Role, Server, StoreError};

/// How long somebody at a terminal waits for an answer.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// Time limit for creating tables and indexes.
const SETUP_TIME_LIMIT: Duration = Duration::from_secs(300);

/// The status word for a server that answers.
pub(crate) const REACHABLE: &str = "reachable";

/// A request about the organisation's server.
#[derive(Debug, Clone)]
pub(crate) enum OrgRequest {
    Init,
    /// The caller has saved the address; `run_org_request` only reports the server's state.
    Set {
        url: String,
    },
    Status,
    Sync,
    Grant {
        person: String,
        project: String,
        role: String,
    },
    Revoke {
        person: String,
        project: String,
    },
}

/// Runs a request.
pub(crate) fn run_org_request(context: &ActionContext, asked: &OrgRequest) -> Reply {
    let server = context.org_server.clone().unwrap_or(Err(OrgError::Unset)).map_err(StoreError::from)?;
    let on = |reply: Value| -> Value {
        let mut out = json!({"server": server.name()});
        if let (Some(out), Value::Object(reply)) = (out.as_object_mut(), reply) {
            out.extend(reply);
        }
        out
    };
    match asked {
        OrgRequest::Init => {
            let (_, made) = PgStore::init(&server, SETUP_TIME_LIMIT)?;
            Ok(on(json!({"status": if made { "set up" } else { "was set up already" }})))
        }
        OrgRequest::Status | OrgRequest::Set { .. } => status(context, &server).map(on),
        OrgRequest::Sync => {
            let moved = sync(context, &server)?;
            let lag = org::exchange_lag(&context.database, &server)?;
            Ok(on(json!({
                "sent": moved.sent, "received": moved.received, "removed": moved.removed, "waiting": lag.waiting,
            })))
        }
        OrgRequest::Grant { person, project, role } => {
            let Some(level) = Role::from_name(role) else {
                let allowed: Vec<&str> = Role::ALL.iter().map(|(_, word)| *word).collect();
                return Err(Failure::invalid(format!(
                    "the role \"{}\" is unknown; allowed: {}",
                    UnknownName::shortened(role),
                    allowed.join(", ")
                )));
            };
            PgStore::open(&server, TIME_LIMIT)?.grant(person, project, level)?;
            Ok(on(json!({"person": person, "project": project, "role": role})))
        }
        OrgRequest::Revoke { person, project } => {
            let had = PgStore::open(&server, TIME_LIMIT)?.revoke(person, project)?;
            let status = if had { "revoked" } else { "had no right there" };
            Ok(on(json!({"person": person, "project": project, "status": status})))
        }
    }
}

/// Exchanges until nothing is left to do.
fn sync(context: &ActionContext, server: &Server) -> Result<ExchangeCounts, Failure> {
    let run = |database: &Path| -> crate::store::Result<ExchangeCounts> {
        let mut there = PgStore::open(server, TIME_LIMIT)?;
        let mut moved = ExchangeCounts::default();
        let places = context.project.iter().cloned().collect();
        loop {
            moved.add(step(database, &server.name(), &mut there, &places, (true, now_ms()))?);
            if !moved.more {
                return Ok(moved);
            }
        }
    };
    run(&context.database).map_err(|error| {
        record_failure(&context.database, server, &error);
        error.into()
    })
}

/// Asks the server for its state and records the answer. An unreachable server is an answer, too.
///
/// # Errors
/// [`Failure`] if a local database fails.
pub(crate) fn check_server(context: &ActionContext, server: &Server) -> Result<ServerAnswer, Failure> {
    let mut answered =
        ServerAnswer { at_ms: context.who.at_ms, status: REACHABLE.into(), ..ServerAnswer::default() };
    match PgStore::open(server, TIME_LIMIT).and_then(|store| Ok((store.health()?, store))) {
        Ok((health, store)) => {
            answered.answer_us = u64::try_from(health.answer.as_micros()).unwrap_or(u64::MAX);
            answered.postgresql = health.version;
            answered.memories = health.memories;
            org::record_roles(&context.database, &server.name(), &store, context.who.at_ms)?;
        }
        Err(StoreError::Org(error)) => {
            (answered.status, answered.problem) = (status_word(&error).into(), Some(error.message()));
        }
        Err(error) => return Err(error.into()),
    }
    org::record_answer(&context.database, server, &answered)?;
    Ok(answered)
}

/// The state of the exchange and the server. An unreachable server is a state, not an error.
fn status(context: &ActionContext, server: &Server) -> Reply {
    let lag = org::exchange_lag(&context.database, server)?;
    let mut out = json!({
        "user": server.user(),
        "waiting": lag.waiting,
        "waiting_since": lag.since_ms.map(iso),
        "last_exchange": lag.met_ms.map(iso),
        "last_sent": lag.sent_ms.map(iso),
    });
    if !lag.refused.is_empty() {
        out["refused"] = lag.refused.into();
    }
    match PgStore::open(server, TIME_LIMIT).and_then(|store| Ok((store.health()?, store))) {
        Ok((health, store)) => {
            org::record_roles(&context.database, &server.name(), &store, context.who.at_ms)?;
            out["status"] = REACHABLE.into();
            out["postgresql"] = health.version.into();
            out["answer_ms"] = (health.answer.as_secs_f64() * 1e4).round().into();
            out["answer_ms"] = (out["answer_ms"].as_f64().unwrap_or(0.0) / 10.0).into();
            out["memories"] = health.memories.into();
            out["mistyped_words"] =
                if health.trigrams { "found (pg_trgm)" } else { "not found: pg_trgm is not installed" }
                    .into();
            out["vectors"] = match health.vectors.as_deref() {
                Some("used") => "stored (pgvector)",
                Some("installed") => "not stored: pgvector is installed; `plimsoll memory org init` by the tables' owner uses it",
                Some(_) => "not stored: pgvector could be installed; `plimsoll memory org init` by the tables' owner does that",
                None => "not stored: pgvector is not installed",
            }
            .into();
            let given = |one: &crate::store::GrantedRole| json!({"name": one.person, "project": one.project, "role": one.role});
            out["rights"] = health.given.iter().map(given).collect();
        }
        Err(StoreError::Org(error)) => {
            out["status"] = status_word(&error).into();
            out["problem"] = error.to_string().into();
        }
        Err(error) => return Err(error.into()),
    }
    Ok(out)
}

fn status_word(error: &OrgError) -> &'static str {
    match error {
        OrgError::Unreachable { .. } => "unreachable",
        OrgError::Slow { .. } => "slow",
        OrgError::Login { .. } | OrgError::Denied { .. } | OrgError::NoRole { .. } => "refused",
        OrgError::NotSetUp { .. } => "not set up",
        OrgError::OldServer { .. } | OrgError::Schema { .. } => "wrong version",
        OrgError::Unset | OrgError::Url { .. } | OrgError::Failed { .. } | OrgError::Column { .. } => {
            "failed"
        }
    }
}
