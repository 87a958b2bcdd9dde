//! The agent's own model, where the agent lets its servers ask it (MCP sampling): one question, one answer.

use std::pin::Pin;
use std::sync::Arc;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What the model is told about its work.
    pub system: String,
    /// What it works on.
    pub text: String,
    /// No answer is longer, in the model's own tokens.
    pub max_tokens: u32,
}

/// The model's text, or why there is none.
pub type Answered = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;

type Ask = dyn Fn(Question) -> Answered + Send + Sync;

/// The way to the agent's model, if the agent offers one.
#[derive(Clone, Default)]
pub struct Sampling(Option<Arc<Ask>>);

impl Sampling {
    /// The agent offers none.
    #[must_use]
    pub fn none() -> Self {
        Self(None)
    }

    /// Asks by `ask`, which bears its own time limit.
    pub fn new(ask: impl Fn(Question) -> Answered + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(ask)))
    }

    /// Whether the agent offers it.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.0.is_some()
    }

    /// Asks; `None` where the agent doesn't offer it.
    #[must_use]
    pub fn ask(&self, question: Question) -> Option<Answered> {
        self.0.as_ref().map(|ask| ask(question))
    }
}

impl std::fmt::Debug for Sampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sampling({})", self.is_offered())
    }
}
