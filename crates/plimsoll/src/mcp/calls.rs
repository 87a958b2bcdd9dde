//! Runs tool calls: resolves the tool, cancels a call with its request or the process, and reports progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use contract::{Error, ErrorCode, Reply};
use rmcp::model::{CallToolRequestParams, ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer};
use serde_json::json;
use service::{Call, Cancelled, Progress};

use super::client;
use super::sampling::sampling;
use super::server::{Server, Shared};

/// Stops running calls, from outside the handler.
#[derive(Clone)]
pub(crate) struct Stopper(Arc<Shared>);

impl Stopper {
    /// Cancels every call; their child processes are killed.
    pub(crate) fn stop(&self) {
        self.0.stop.send_replace(true);
    }

    /// Waits until no call is running.
    pub(crate) async fn wait_until_idle(&self) {
        let mut running = self.0.running.subscribe();
        let _ = running.wait_for(|running| *running == 0).await;
    }
}

/// Counts a call as running until dropped.
struct RunningCall(Arc<Shared>);

impl RunningCall {
    fn start(shared: &Arc<Shared>) -> Self {
        shared.running.send_modify(|running| *running += 1);
        Self(Arc::clone(shared))
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.0.running.send_modify(|running| *running = running.saturating_sub(1));
    }
}

impl Server {
    pub(crate) fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.shared))
    }

    /// A call's session: the ID in the call, else the one that hooks report here, else the server's.
    pub(super) async fn call_session(&self, meta: &serde_json::Map<String, serde_json::Value>) -> String {
        if let Some(named) = client::session_of_call(meta) {
            return named;
        }
        let told = client::session(self.service.env());
        let live = match self.agent() {
            Some(agent) => self.service.live_session(agent.id(), told.as_deref()).await,
            None => None,
        };
        live.unwrap_or_else(|| self.session())
    }

    /// Resolves when the process is about to end.
    async fn stopping(&self) {
        let mut stop = self.shared.stop.subscribe();
        let _ = stop.wait_for(|stop| *stop).await;
    }

    /// The protocol's own error for a name that no tool has, whatever its prefix; the message lists the tools. A tool
    /// that is switched off isn't unknown: its result says how to switch it on.
    pub(super) fn unknown_tool(&self, name: &str) -> Option<ErrorData> {
        if self.service.has_tool(name) {
            return None;
        }
        let error = system::find_tool(&self.systems(), name, serde_json::Map::new()).err()?;
        let error = service::brief(error);
        Some(ErrorData::invalid_params(error.to_string(), Some(json!({"code": error.code}))))
    }

    pub(super) async fn run_call(
        &self,
        params: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Reply, Error> {
        if let Some(why) = self.service.disabled_reason(&params.name) {
            return Err(Error::new(ErrorCode::UnknownTool, why));
        }
        let (tool, job) =
            system::find_tool(&self.systems(), &params.name, params.arguments.unwrap_or_default())?;
        self.ensure_project().await;
        let (cancel, cancelled) = Cancelled::channel();
        let call = Call {
            agent: self.agent(),
            session: self.call_session(&context.meta).await,
            cancelled,
            progress: progress(context),
            sampling: sampling(&context.peer),
            meta: Arc::new((**context.meta).clone()),
        };
        let service = Arc::clone(&self.service);
        let running_call = RunningCall::start(&self.shared);
        // Its own task, so that a panic fails only this call instead of leaving the request unanswered.
        let mut work = tokio::spawn(async move {
            let _running_call = running_call;
            service.run_tool(call, tool, job).await
        });
        let finished = tokio::select! {
            finished = &mut work => Some(finished),
            () = context.ct.cancelled() => None,
            () = self.stopping() => None,
        };
        let finished = match finished {
            Some(finished) => finished,
            None => {
                cancel.cancel();
                work.await
            }
        };
        finished.unwrap_or_else(|defect| {
            log::error!("a call ended in a defect: {defect}");
            Err(Error::new(
                ErrorCode::Internal,
                "a defect in Plimsoll ended this call; nothing was stored by it",
            ))
        })
    }
}

/// Reports progress if the client asked for it.
fn progress(context: &RequestContext<RoleServer>) -> Progress {
    let Some(token) = context.meta.get_progress_token() else { return Progress::none() };
    let peer = context.peer.clone();
    let sent = AtomicUsize::new(0);
    Progress::new(move |done, total, message: &str| {
        // Progress must increase; a step without a number counts as one.
        let step = sent.fetch_add(1, Ordering::Relaxed);
        send_progress(&peer, token.clone(), done.unwrap_or(step as f64), total, message);
    })
}

fn send_progress(
    peer: &Peer<RoleServer>,
    token: ProgressToken,
    done: f64,
    total: Option<f64>,
    message: &str,
) {
    let mut param = ProgressNotificationParam::new(token, done).with_message(message);
    param.total = total;
    let peer = peer.clone();
    tokio::spawn(async move {
        if let Err(error) = peer.notify_progress(param).await {
            log::debug!("progress was not sent: {error}");
        }
    });
}
