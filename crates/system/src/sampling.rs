//! The agent's own model, if the agent supports MCP sampling: one question, one answer.

use std::pin::Pin;
use std::sync::Arc;

/// A question for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SamplingRequest {
    /// The system prompt.
    pub system: String,
    /// The user message.
    pub text: String,
    /// The limit of the answer, in the model's tokens.
    pub max_tokens: u32,
}

/// The model's text, or the error.
pub type SamplingReply = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;

type Ask = dyn Fn(SamplingRequest) -> SamplingReply + Send + Sync;

/// Access to the agent's model, if the agent offers it.
#[derive(Clone, Default)]
pub struct Sampling(Option<Arc<Ask>>);

impl Sampling {
    /// For an agent that doesn't offer it.
    #[must_use]
    pub fn none() -> Self {
        Self(None)
    }

    /// Asks with `ask`, which enforces its own time limit.
    pub fn new(ask: impl Fn(SamplingRequest) -> SamplingReply + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(ask)))
    }

    /// Whether the agent offers it.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.0.is_some()
    }

    /// Asks; `None` if the agent doesn't offer it.
    #[must_use]
    pub fn ask(&self, question: SamplingRequest) -> Option<SamplingReply> {
        self.0.as_ref().map(|ask| ask(question))
    }
}

impl std::fmt::Debug for Sampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sampling({})", self.is_offered())
    }
}
