//! The context of a request: who asks, and how progress and cancellation work.

use std::sync::Arc;

use agents::Agent;
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::sampling::Sampling;

/// The session ID of a user's own request.
const USER_SESSION: &str = "person";

/// The context of one request.
#[derive(Clone)]
pub struct Call {
    /// The agent that asks; `None` for a user at the command line.
    pub agent: Option<&'static dyn Agent>,
    /// The session ID.
    pub session: String,
    /// Whether the request was cancelled.
    pub cancelled: Cancelled,
    /// Receives progress.
    pub progress: Progress,
    /// Access to the agent's own model.
    pub sampling: Sampling,
    /// What the client attached to the call (`_meta` of MCP).
    pub meta: Arc<Map<String, Value>>,
}

impl Call {
    /// A user's own request: no agent, cancellation or progress.
    pub fn from_user() -> Self {
        Self {
            agent: None,
            session: USER_SESSION.into(),
            cancelled: Cancelled::never(),
            progress: Progress::none(),
            sampling: Sampling::none(),
            meta: Arc::default(),
        }
    }

    /// Whether a user asks, in a terminal or in the window. An unknown MCP client is still an agent.
    #[must_use]
    pub fn is_from_user(&self) -> bool {
        self.agent.is_none() && self.session == USER_SESSION
    }

    /// The agent's ID.
    pub fn agent_id(&self) -> Option<&'static str> {
        self.agent.map(Agent::id)
    }

    /// How much of an output of `bytes` bytes the agent's own tool would have shown. The rest would never have been
    /// in the conversation, so keeping it out saves nothing.
    #[must_use]
    pub fn shows(&self, bytes: u64, failed: bool) -> u64 {
        self.agent.map_or(bytes, |agent| {
            agent.output_limits(agents::OutputKind::Shell { failed }).visible_bytes_of(bytes)
        })
    }

    /// Whether the agent shows the model all of a reply. Where no agent is known, nobody is known to cut it.
    #[must_use]
    pub fn shows_all(&self, reply: &str) -> bool {
        self.agent.is_none_or(|agent| agent.output_limits(agents::OutputKind::Tool).shows_all(reply))
    }
}

/// Cancels a request.
#[derive(Debug)]
pub struct CancelHandle(watch::Sender<bool>);

impl CancelHandle {
    /// Cancels it; the request's child processes are killed.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

/// Whether a request was cancelled.
#[derive(Debug, Clone)]
pub struct Cancelled(Option<watch::Receiver<bool>>);

impl Cancelled {
    /// For a request that can't be cancelled.
    pub fn never() -> Self {
        Self(None)
    }

    /// The handle, and what it sets.
    pub fn channel() -> (CancelHandle, Self) {
        let (sender, receiver) = watch::channel(false);
        (CancelHandle(sender), Self(Some(receiver)))
    }

    /// Whether the request was cancelled.
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|receiver| *receiver.borrow())
    }

    /// Resolves when the request is cancelled.
    pub async fn requested(mut self) {
        let Some(receiver) = &mut self.0 else { return std::future::pending().await };
        // The handle was dropped without cancelling: the work continues.
        if receiver.wait_for(|cancelled| *cancelled).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

type OnProgress = dyn Fn(Option<f64>, Option<f64>, &str) + Send + Sync;

/// Receives progress, if anybody wants it.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<OnProgress>>);

impl Progress {
    /// Discards progress.
    pub fn none() -> Self {
        Self(None)
    }

    /// Calls `told` with the progress, the total and a message.
    pub fn new(told: impl Fn(Option<f64>, Option<f64>, &str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    /// Whether anybody wants progress.
    pub fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Reports a step.
    pub fn report(&self, done: Option<f64>, total: Option<f64>, message: &str) {
        if let Some(told) = &self.0 {
            told(done, total, message);
        }
    }
}

impl std::fmt::Debug for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Progress({})", self.is_wanted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_agent_would_have_shown_counts() {
        let of = |id| Call { agent: agents::by_id(id), ..Call::from_user() };
        assert_eq!(of("claude-code").shows(200_000_000, false), 2_204);
        assert_eq!(of("claude-code").shows(200_000_000, true), 10_000);
        assert_eq!(of("claude-code").shows(20_000, false), 20_000);
        let stranger = Call { session: "7".into(), ..Call::from_user() };
        assert!(Call::from_user().is_from_user() && !of("codex").is_from_user() && !stranger.is_from_user());
        assert_eq!(Call::from_user().shows(200_000_000, false), 200_000_000);
    }
}
