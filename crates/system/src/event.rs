//! What a system does when something happens in a session. A hook runs for milliseconds and an agent waits for it: nothing
//! here may open a database but for the rare event that needs one.

use std::path::Path;

use agents::Event;
use home::{Home, Settings};
use sessions::{Guest, Note};

use crate::host::Readable;

/// The two moments of an event: before the hook's answer is out, and after.
#[derive(Debug, Clone, Copy)]
pub struct OnEvent {
    /// What the agent's model is told beside the verdict; said to nobody who was denied or asked.
    pub tell: fn(&Happening<'_>) -> Option<Told>,
    /// What is left in files for a later event, after the answer is out. Called for every event, also where nothing is to
    /// be recorded.
    pub after: fn(&Home, &Event),
    /// What is remembered of it, as a line of the record. The event is without private spans and secrets.
    pub learn: fn(&Event, &Session<'_>) -> Option<Note>,
}

/// An event before it is answered.
#[derive(Debug)]
pub struct Happening<'a> {
    /// The Plimsoll folder.
    pub home: &'a Home,
    /// The event.
    pub event: &'a Event,
    /// The settings.
    pub settings: &'a Settings,
    /// The project's folder.
    pub project: &'a Path,
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
    /// What the agent's model calls the search.
    pub search: &'a str,
    /// Everybody with a table beside the record of sessions, for whoever opens it.
    pub guests: &'a [&'static Guest],
    /// What the agent may read.
    pub readable: Rules<'a>,
}

/// What an agent may read, for whoever names files other than the one that an event is about. The rules are read when they are
/// asked for, because few events need them.
#[derive(Clone, Copy)]
pub struct Rules<'a>(pub &'a dyn Fn() -> Readable);

impl Rules<'_> {
    /// Reads the rules.
    #[must_use]
    pub fn ask(&self) -> Readable {
        (self.0)()
    }
}

impl std::fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rules")
    }
}

/// Whose event it was.
#[derive(Debug, Clone, Copy)]
pub struct Session<'a> {
    /// The session, as the agent names it; empty if it does not.
    pub session: &'a str,
    /// The agent's id.
    pub agent: &'a str,
    /// The project's folder; empty if there is none.
    pub project: &'a str,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
}

/// Words for the agent's model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The words.
    pub text: String,
    /// Why, for Activity.
    pub because: &'static str,
    /// Under which name the ledger books what they cost.
    pub booked: &'static str,
}
