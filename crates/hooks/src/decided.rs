//! What came of an event: a verdict, why it was given, and what is to be written down about it.

use std::borrow::Cow;

use agents::Verdict;

/// A verdict with what is to be written down about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The answer.
    pub verdict: Verdict,
    /// Why; nothing for an event that we have nothing to say about.
    pub because: Vec<Reason>,
    /// What it is that is said at most once per session.
    pub once: Option<Cow<'static, str>>,
    /// What a replaced output stands for, for the ledger.
    pub saved: Option<Saved>,
}

/// An output that was shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The filter.
    pub filter: String,
    /// What the model would have seen of it without us, in bytes.
    pub raw_bytes: u64,
    /// Where the whole is kept: `plimsoll://task/…`.
    pub full_output: Option<String>,
}

/// Why an event was answered as it was. Activity shows it as it is displayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Hooks are off.
    Paused,
    /// A session starts.
    SessionStart,
    /// A rule of the user's.
    Rule(String),
    /// One of our tools does better.
    Route(Route),
    /// A word about what costs much.
    Nudge(Nudge),
    /// The command runs under `plimsoll run`.
    Rewritten,
    /// This filter made the output shorter.
    Shortened(String),
    /// A system had something to tell.
    Told(&'static str),
}

/// What one of our tools does better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// A command that downloads a page.
    Download,
    /// Code on the command line that asks a server.
    InlineHttp,
    /// A large file, whole.
    Dump,
    /// The agent's own fetching of a page.
    Fetch,
}

/// What costs much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nudge {
    /// A command that prints much.
    Noisy,
    /// Reading a large file.
    LargeRead,
}

impl Route {
    /// Its name in the record.
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
    /// What is said once per session.
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

impl Decided {
    /// Nothing to say.
    pub(crate) fn pass() -> Self {
        Self { verdict: Verdict::Pass, because: Vec::new(), once: None, saved: None }
    }

    pub(crate) fn because(verdict: Verdict, reason: Reason) -> Self {
        Self { verdict, because: vec![reason], once: None, saved: None }
    }

    /// An output that is replaced by a shorter one.
    pub(crate) fn shortened(text: String, saved: Saved) -> Self {
        let reason = Reason::Shortened(saved.filter.clone());
        Self { saved: Some(saved), ..Self::because(Verdict::Replace { text }, reason) }
    }

    /// The same, said at most once per session.
    pub(crate) fn once(self, kind: impl Into<Cow<'static, str>>) -> Self {
        Self { once: Some(kind.into()), ..self }
    }

    /// The reasons as they are recorded; `None` without any.
    pub(crate) fn reasons(&self) -> Option<String> {
        let reasons: Vec<String> = self.because.iter().map(ToString::to_string).collect();
        (!reasons.is_empty()).then(|| reasons.join(", "))
    }
}
