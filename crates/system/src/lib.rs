//! What a system of Plimsoll is.
//!
//! A system is one thing that Plimsoll can do for an agent: keep its context small, remember, know the code. Each is a
//! crate with one [`System`] in it: a static table of what it offers and of what it does when something happens. The entry
//! points (server, hook, command line, window) and what looks after all of them (settings, doctor, purge, retention) loop
//! over the list of systems and know none of them by name. So a new one is its crate, its folder of the window, and one line
//! in that list.
//!
//! Owns the shape of the table. Does not know any system, nor how an entry point shows what the table says.
//!
//! Everything in it is a constant or a function pointer: a hook, of which there is one per tool call, pays nothing for what
//! it does not use.

mod arguments;
mod asked;
mod call;
mod command;
mod event;
mod host;
mod kept;
mod private;
mod sampling;
mod setting;
mod tool;
mod verb;
mod window;

pub use arguments::{Arguments, clamp, inner_json};
pub use asked::{Fill, Filled, Find, Passage, Place, Prompt, Prompts};
pub use call::{Call, CancelHandle, Cancelled, Progress};
pub use command::{Answer, Command, Shape, Twin};
pub use event::{Happening, OnEvent, Rules, Session, Told};
pub use host::{At, Host, Readable, Work};
pub use kept::{Forget, Gone, Removed, Source, TakeIn, Taken, Whose};
pub use private::writable;
pub use sampling::{Answered, Question, Sampling};
pub use setting::{Entry, Plain, Setting, Switch};
pub use tool::{Job, Older, Tool, named};
pub use verb::{Argument, Group, Takes, Typed, Verb};
pub use window::{blocking, folders};

use std::path::PathBuf;
use std::sync::Arc;

use contract::{Check, Sentence};
use home::{Home, Retention, Settings};
use sessions::Guest;

/// One system. Every field but the name may be empty: [`System::named`] is where a new one begins.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// Its name: in `[mcp] toolsets`, as its table in the settings, as its folder of the window.
    pub id: &'static str,
    /// What its tools are for, in a few words of the one line that every agent reads of the server: `runs commands (execute)`.
    pub purpose: &'static str,
    /// What switches it on; always on where there is none.
    pub switch: Option<Switch>,
    /// What agents can call.
    pub tools: &'static [Tool],
    /// Names of older products for its tools.
    pub older: &'static [Older],
    /// What older products put before their names: `ctx_`.
    pub prefix: &'static str,
    /// How it is searched together with others.
    pub find: Option<Find>,
    /// Prompts that it keeps for people.
    pub prompts: Option<Prompts>,
    /// What the window can ask for.
    pub commands: &'static [Command],
    /// What can be typed.
    pub verbs: &'static [Verb],
    /// Whether it can be typed also while the system is off: a person who types it has asked for it.
    pub typed_when_off: bool,
    /// What a person can set.
    pub settings: &'static [Setting],
    /// What it does when something happens in a session.
    pub on_event: Option<OnEvent>,
    /// The same where the switch has no say in it: what belongs to the record of sessions and not to what is switched off.
    pub always: Option<OnEvent>,
    /// What it keeps of each session beside the record of it.
    pub guest: Option<&'static Guest>,
    /// Its databases, with what people call each.
    pub databases: fn(&Home) -> Vec<(Sentence, PathBuf)>,
    /// What can be found out about its health. It looks and repairs nothing, and may take a while.
    pub check: fn(&dyn Host) -> Vec<Check>,
    /// What a purge forgets besides.
    pub forget: Option<Forget>,
    /// What of other programs' it can take in.
    pub take_in: Option<TakeIn>,
    /// What it does in a server beside answering, from its start on. Called once, and must return at once.
    pub attend: fn(&Arc<dyn Host>),
    /// Removes what the settings say need not be kept any longer, at a moment in milliseconds since 1970.
    pub retain: fn(&Home, &Retention, i64) -> Vec<Removed>,
    /// Its screens of the window, in the order of the navigation: each a folder below `ui/src/features`.
    pub screens: &'static [&'static str],
}

impl System {
    /// A system of this name that does nothing yet.
    #[must_use]
    pub const fn named(id: &'static str) -> Self {
        Self {
            id,
            purpose: "",
            switch: None,
            tools: &[],
            older: &[],
            prefix: "",
            find: None,
            prompts: None,
            commands: &[],
            verbs: &[],
            typed_when_off: false,
            settings: &[],
            on_event: None,
            always: None,
            guest: None,
            databases: |_| Vec::new(),
            check: |_| Vec::new(),
            forget: None,
            take_in: None,
            attend: |_| {},
            retain: |_, _, _| Vec::new(),
            screens: &[],
        }
    }

    /// Whether it is on.
    #[must_use]
    pub fn is_on(&self, settings: &Settings) -> bool {
        self.switch.is_none_or(|switch| switch.is_on(settings))
    }
}

/// The systems that are on.
pub fn on<'a>(
    systems: &'static [&'static System],
    settings: &'a Settings,
) -> impl Iterator<Item = &'static System> + use<'a> {
    systems.iter().copied().filter(move |system| system.is_on(settings))
}

/// What is done when something happens in a session: by every system what is always done, by those that are on the rest.
pub fn on_events<'a>(
    systems: &'static [&'static System],
    settings: &'a Settings,
) -> impl Iterator<Item = OnEvent> + use<'a> {
    systems.iter().flat_map(move |system| {
        let switched = system.on_event.filter(|_| system.is_on(settings));
        system.always.into_iter().chain(switched)
    })
}

/// The systems whose verbs can be typed.
pub fn typed<'a>(
    systems: &'static [&'static System],
    settings: &'a Settings,
) -> impl Iterator<Item = &'static System> + use<'a> {
    systems.iter().copied().filter(move |system| system.typed_when_off || system.is_on(settings))
}

/// Everybody who keeps something beside the record of sessions, whether on or off: what is written is never lost.
#[must_use]
pub fn guests(systems: &[&'static System]) -> Vec<&'static Guest> {
    systems.iter().filter_map(|system| system.guest).collect()
}
