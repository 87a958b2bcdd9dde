//! The outcome of an event: a verdict, its reasons, and what to record.

use std::borrow::Cow;

use agents::Verdict;

/// A verdict with what to record about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Why; empty if there is nothing to say about the event.
    pub reasons: Vec<Reason>,
    /// The kind of message that is given at most once per session.
    pub once: Option<Cow<'static, str>>,
    /// The output that a replacement stands for, for the ledger.
    pub shortened: Option<ShortenedOutput>,
}

/// An output that was shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortenedOutput {
    /// The filter.
    pub filter: String,
    /// The size of the text that the model would have seen without Plimsoll, in bytes.
    pub raw_bytes: u64,
    /// The address of the full output: `plimsoll://task/…`.
    pub full_output: Option<String>,
}

/// Why an event was answered as it was. The activity screen shows its display form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Hooks are off.
    Paused,
    /// A session starts.
    SessionStart,
    /// One of the user's rules.
    Rule(String),
    /// A better tool was advised.
    Route(Route),
    /// A nudge about an expensive call.
    Nudge(Nudge),
    /// The command runs under `plimsoll run`.
    Rewritten,
    /// This filter made the output shorter.
    Shortened(String),
    /// A system added context.
    Told(&'static str),
}

/// What one of Plimsoll's tools does better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// A command that downloads a page.
    Download,
    /// Code on the command line that sends an HTTP request.
    InlineHttp,
    /// A large file, printed in full.
    Dump,
    /// The agent's own page fetching.
    Fetch,
}

/// An expensive call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nudge {
    /// A command with long output.
    Noisy,
    /// Reading a large file.
    LargeRead,
}

impl Route {
    /// The name in the record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Download => "route:download",
            Self::InlineHttp => "route:inline-http",
            Self::Dump => "route:dump",
            Self::Fetch => "route:fetch",
        }
    }
}

impl Nudge {
    /// The key for once per session.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Noisy => "noisy",
            Self::LargeRead => "large-read",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Paused => f.write_str("paused"),
            Self::SessionStart => f.write_str("session start"),
            Self::Rule(rule) => write!(f, "rule {rule}"),
            Self::Route(route) => f.write_str(route.name()),
            Self::Nudge(nudge) => write!(f, "nudge:{}", nudge.name()),
            Self::Rewritten => f.write_str("filter"),
            Self::Shortened(filter) => write!(f, "filter {filter}"),
            Self::Told(what) => f.write_str(what),
        }
    }
}

impl Outcome {
    /// Nothing to say.
    pub(crate) fn pass() -> Self {
        Self { verdict: Verdict::Pass, reasons: Vec::new(), once: None, shortened: None }
    }

    pub(crate) fn with_reason(verdict: Verdict, reason: Reason) -> Self {
        Self { verdict, reasons: vec![reason], once: None, shortened: None }
    }

    /// Replaces an output by a shorter one.
    pub(crate) fn shortened(text: String, shortened_output: ShortenedOutput) -> Self {
        let reason = Reason::Shortened(shortened_output.filter.clone());
        Self { shortened: Some(shortened_output), ..Self::with_reason(Verdict::Replace { text }, reason) }
    }

    /// The same outcome, at most once per session.
    pub(crate) fn once(self, kind: impl Into<Cow<'static, str>>) -> Self {
        Self { once: Some(kind.into()), ..self }
    }

    /// The reasons in the recorded form; `None` without any.
    pub(crate) fn reasons_text(&self) -> Option<String> {
        let reasons: Vec<String> = self.reasons.iter().map(ToString::to_string).collect();
        (!reasons.is_empty()).then(|| reasons.join(", "))
    }
}
