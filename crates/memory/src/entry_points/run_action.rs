//! Runs an action for whoever asks; `reply_text` turns its result into text.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use contract::{Error, ErrorCode};
use home::Project;
use serde_json::Value;
use system::{CallContext, ParsedCall, Readable, ReplyFuture};

use super::reply_text::{ReplyFormat, reply};
use crate::actions::{ActionContext, SharedRules};
use crate::store::{Actor, Secrets};

/// How long the command line waits for a change to reach the organisation's server; the change is stored locally in
/// any case.
const SEND_TIME_LIMIT: Duration = Duration::from_millis(700);

/// The name of a client that isn't a known agent.
const UNKNOWN_AGENT: &str = "agent";

/// The caller's action context.
pub(super) fn context(at: &CallContext) -> ActionContext {
    let project = at.host.has_project().then(|| at.host.project());
    context_in(at, project.as_ref())
}

/// The same in another project than the process's own, or in none.
pub(super) fn context_in(at: &CallContext, project: Option<&Project>) -> ActionContext {
    let host = &at.host;
    let by_user = at.call.is_from_user();
    let who = Actor {
        at_ms: host.now_ms(),
        client: (!by_user).then(|| at.call.agent_id().unwrap_or(UNKNOWN_AGENT).to_owned()),
        session: (!by_user).then(|| at.call.session.clone()),
    };
    let mut context = ActionContext::in_project(&crate::paths::database(host.home()), project, who);
    context.utc_offset_min = host.utc_offset_min(context.who.at_ms);
    context.secrets = secrets(host.settings());
    context.shares = super::shared_namespaces::configured(host.settings());
    context.org_server = crate::org::server(host.settings());
    context.embedder = crate::embedding::embedder(host.home(), host.settings());
    context.model = crate::model::model(host.home(), host.settings());
    context.sampling = at.call.sampling.clone();
    context
}

/// The caller's context with what its own rules let it read of the files that the project shares, for whoever may wait.
pub(super) fn context_with_rules(at: &CallContext, project: Option<&Project>) -> ActionContext {
    let mut context = context_in(at, project);
    if let Some(asked) = shared_rules(at, context.root.as_deref()) {
        context.shared_rules = Some(match tokio::runtime::Handle::try_current() {
            Ok(handle) => handle.block_on(asked),
            // There is nobody to ask.
            Err(_) => SharedRules::new(Path::new(""), Readable::new(|_| false)),
        });
    }
    context
}

/// Asks what the calling agent's rules let it read of the files that the project shares, also while there are none, as on another
/// branch: nothing where its rules can't be seen. `None` for a user, and outside a project.
fn shared_rules(at: &CallContext, root: Option<&Path>) -> Option<AskedRules> {
    let root = root.filter(|_| !at.call.is_from_user())?.to_owned();
    let asked = Arc::clone(&at.host).readable(at.call.clone());
    Some(Box::pin(async move {
        let readable = asked.await.unwrap_or_else(|error| {
            log::info!("what the repository shares is given to nobody whose rules can't be seen: {error}");
            Readable::new(|_| false)
        });
        SharedRules::new(&root, readable)
    }))
}

/// Rules that are being asked.
type AskedRules = Pin<Box<dyn Future<Output = SharedRules> + Send>>;

/// How the settings handle secrets.
pub(super) fn secrets(settings: &home::Settings) -> Secrets {
    match settings.own("memory.secrets").and_then(Value::as_str) {
        Some("refuse") => Secrets::Refuse,
        _ => Secrets::default(),
    }
}

/// Runs an action on a thread that may wait for the disk.
pub(super) fn run(
    at: CallContext,
    format: ReplyFormat,
    action: impl FnOnce(&ActionContext) -> crate::actions::Reply + Send + 'static,
) -> ReplyFuture {
    Box::pin(async move {
        // A database in somebody else's folder would make the folder look like Plimsoll's to whatever runs next.
        at.host.home().check().map_err(|error| Error::from_lower(ErrorCode::Storage, &error))?;
        let mut context = context(&at);
        let asked = shared_rules(&at, context.root.as_deref());
        if let Some(asked) = asked {
            context.shared_rules = Some(asked.await);
        }
        let by_user = at.call.is_from_user();
        let done = tokio::task::spawn_blocking(move || {
            let done = action(&context);
            if context.wrote.load(Ordering::Relaxed)
                && let Some(link) = context.org_connection()
            {
                // A command line ends with its reply; a server exchanges later.
                let patience = if by_user { SEND_TIME_LIMIT } else { Duration::ZERO };
                link.exchange(context.project.as_deref(), patience);
            }
            done
        })
        .await;
        let data = done.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))??;
        Ok(reply(data, format, by_user))
    })
}

/// The job that runs an action.
pub(super) fn job(
    format: ReplyFormat,
    action: impl FnOnce(&ActionContext) -> crate::actions::Reply + Send + 'static,
) -> ParsedCall {
    Box::new(move |at| run(at, format, action))
}
