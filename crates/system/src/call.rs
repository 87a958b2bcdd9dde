//! Who asks, and how the asker is told of progress or takes the request back.

use std::sync::Arc;

use agents::Agent;
use tokio::sync::watch;

use crate::sampling::Sampling;

/// The session of a request that a person makes.
const PERSON: &str = "person";

/// One request's surroundings.
#[derive(Clone)]
pub struct Call {
    /// The agent in whose session this happens; `None` for a person at the command line.
    pub agent: Option<&'static dyn Agent>,
    /// The session's id.
    pub session: String,
    /// Whether the request was taken back.
    pub cancelled: Cancelled,
    /// Where progress is told.
    pub progress: Progress,
    /// The way to the agent's own model.
    pub sampling: Sampling,
}

impl Call {
    /// A request of a person's: no agent, no cancelling, no progress.
    pub fn of_person() -> Self {
        Self {
            agent: None,
            session: PERSON.into(),
            cancelled: Cancelled::never(),
            progress: Progress::none(),
            sampling: Sampling::none(),
        }
    }

    /// Whether a person asks: in a terminal or in the window. A client whose name says nothing is an agent all the same.
    #[must_use]
    pub fn is_of_person(&self) -> bool {
        self.agent.is_none() && self.session == PERSON
    }

    /// The agent's id.
    pub fn agent_id(&self) -> Option<&'static str> {
        self.agent.map(Agent::id)
    }

    /// How much of an output of `bytes` bytes the asker's own tool would have shown: what lies beyond was never in the
    /// conversation, so keeping it out saves nothing.
    #[must_use]
    pub fn shows(&self, bytes: u64, failed: bool) -> u64 {
        self.agent.map_or(bytes, |agent| {
            agent.output_limits(agents::OutputKind::Shell { failed }).visible_bytes_of(bytes)
        })
    }
}

/// Takes a request back.
#[derive(Debug)]
pub struct CancelHandle(watch::Sender<bool>);

impl CancelHandle {
    /// Takes it back; children of the request are ended.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

/// Whether a request was taken back.
#[derive(Debug, Clone)]
pub struct Cancelled(Option<watch::Receiver<bool>>);

impl Cancelled {
    /// A request that cannot be taken back.
    pub fn never() -> Self {
        Self(None)
    }

    /// The handle, and what is to be watched.
    pub fn pair() -> (CancelHandle, Self) {
        let (sender, receiver) = watch::channel(false);
        (CancelHandle(sender), Self(Some(receiver)))
    }

    /// Whether it was.
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|receiver| *receiver.borrow())
    }

    /// Resolves when it is.
    pub async fn requested(mut self) {
        let Some(receiver) = &mut self.0 else { return std::future::pending().await };
        // The asker is gone without having taken it back: the work goes on to its end.
        if receiver.wait_for(|cancelled| *cancelled).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

type Told = dyn Fn(Option<f64>, Option<f64>, &str) + Send + Sync;

/// Where progress is told, if anybody wants to know.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Told>>);

impl Progress {
    /// Nobody wants to know.
    pub fn none() -> Self {
        Self(None)
    }

    /// Calls `told` with what is done, out of how much, and a few words.
    pub fn new(told: impl Fn(Option<f64>, Option<f64>, &str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    /// Whether anybody wants to know.
    pub fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Tells of a step.
    pub fn tell(&self, done: Option<f64>, total: Option<f64>, message: &str) {
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
    fn what_counts_is_what_the_agent_would_have_shown() {
        let of = |id| Call { agent: agents::by_id(id), ..Call::of_person() };
        assert_eq!(of("claude-code").shows(200_000_000, false), 2_204);
        assert_eq!(of("claude-code").shows(200_000_000, true), 10_000);
        assert_eq!(of("claude-code").shows(20_000, false), 20_000);
        let stranger = Call { session: "7".into(), ..Call::of_person() };
        assert!(Call::of_person().is_of_person() && !of("codex").is_of_person() && !stranger.is_of_person());
        assert_eq!(Call::of_person().shows(200_000_000, false), 200_000_000);
    }
}
