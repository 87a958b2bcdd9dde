//! A system's reactions to session events. A hook runs for milliseconds while an agent waits: only the rare event
//! that needs a database may open one.

use std::path::Path;

use agents::Event;
use home::{Home, Settings};
use sessions::{Guest, Note};

use crate::host::Readable;

/// The reactions to an event, before and after the hook's answer is printed.
#[derive(Debug, Clone, Copy)]
pub struct EventHandlers {
    /// Context for the agent's model beside the verdict; not asked if the verdict is to deny or to ask.
    pub context: fn(&PendingEvent<'_>) -> Option<ModelContext>,
    /// Writes files for a later event after the answer is printed. Called for every event, even if nothing is
    /// recorded. The folder is the project's; `None` outside every project.
    pub after_answer: fn(&Home, &Event, Option<&Path>),
    /// A record entry for the event, which has no private spans and secrets.
    pub note: fn(&Event, &EventSession<'_>) -> Option<Note>,
}

/// An event before it is answered.
#[derive(Debug)]
pub struct PendingEvent<'a> {
    /// Plimsoll's folder.
    pub home: &'a Home,
    /// The event.
    pub event: &'a Event,
    /// The settings.
    pub settings: &'a Settings,
    /// The project's folder, as a server has it: in a git work tree its root; outside every project the session's folder.
    pub project: &'a Path,
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
    /// The agent's name for the search tool.
    pub search: &'a str,
    /// Every system's tables in the sessions' record, for opening it.
    pub guests: &'a [&'static Guest],
    /// The agent's read permissions.
    pub readable: ReadRules<'a>,
}

/// An agent's read permissions, for files other than the event's own. The rules are read on demand, because few
/// events need them.
#[derive(Clone, Copy)]
pub struct ReadRules<'a>(pub &'a dyn Fn() -> Readable);

impl ReadRules<'_> {
    /// Reads the rules.
    #[must_use]
    pub fn ask(&self) -> Readable {
        (self.0)()
    }
}

impl std::fmt::Debug for ReadRules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rules")
    }
}

/// The session that an event belongs to.
#[derive(Debug, Clone, Copy)]
pub struct EventSession<'a> {
    /// The session ID from the agent; empty if it has none.
    pub session: &'a str,
    /// The agent's ID.
    pub agent: &'a str,
    /// The project's folder, as a server has it; else the session's. Empty if the agent names none.
    pub project: &'a str,
    /// The event's time, in milliseconds since 1970.
    pub at_ms: i64,
}

/// Context for the agent's model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelContext {
    /// The text.
    pub text: String,
    /// The reason, for the activity screen.
    pub reason: &'static str,
    /// The tool name under which the ledger books its size.
    pub ledger_name: &'static str,
}
