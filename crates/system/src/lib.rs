//! Defines what a system is.
//!
//! A system is one thing that Plimsoll does for an agent: keep its context small, remember, know the code. Each is a
//! crate with one [`System`]: a static table of what it offers and how it reacts to events. The entry points (server,
//! hook, command line, window) and the maintenance (settings, doctor, purge, retention) loop over the list of systems
//! and know none by name. So a new system is its crate, its folder of the window, and one line in that list.
//!
//! Owns the shape of the table. Doesn't know any system, nor how an entry point presents the table.
//!
//! The table consists of constants and function pointers: a hook, which runs once per tool call, pays nothing for
//! what it doesn't use.

mod address;
mod arguments;
mod call;
mod command;
mod event;
mod host;
mod privacy;
mod prompts;
mod remembered;
mod sampling;
mod screen;
mod search;
mod setting;
mod stored_data;
mod tool;
mod values;
mod verb;
mod window;
mod worker;

pub use address::Addresses;
pub use arguments::Arguments;
pub use call::{Call, CancelHandle, Cancelled, Progress};
pub use command::{Command, CommandHandler, Shape, TerminalEquivalent};
pub use event::{EventHandlers, EventSession, ModelContext, PendingEvent, ReadRules};
pub use host::{CallContext, Host, Readable, ReplyFuture};
pub use privacy::without_secrets;
pub use prompts::{FillPrompt, FilledPrompt, Placeholder, Prompt, Prompts};
pub use remembered::{Remembered, Subject};
pub use sampling::{Sampling, SamplingReply, SamplingRequest};
pub use screen::{Screen, Shows, screens};
pub use search::{Passage, SearchPart};
pub use setting::{DefaultValue, Setting, Switch, ValueKind};
pub use stored_data::{
    DataImport, DataScope, ImportReport, ImportSource, Learn, Purge, PurgedData, Remember, Removed,
};
pub use tool::{LegacyTool, ParsedCall, Tool, find_tool};
pub use values::{clamp, inner_json};
pub use verb::{Argument, ArgumentKind, Group, Verb, VerbArguments};
pub use window::{blocking, folders};
pub use worker::{Worker, find_worker};

use std::path::PathBuf;
use std::sync::Arc;

use contract::desktop::MemoryToday;
use contract::{Check, Sentence};
use home::{Home, Retention, Settings};
use sessions::Guest;

/// A database of a system's, for the doctor.
#[derive(Debug, Clone, PartialEq)]
pub struct Database {
    /// Its name for people.
    pub name: Sentence,
    /// The file; it may not exist.
    pub path: PathBuf,
    /// The newest schema that this build can open.
    pub newest: u32,
}

/// One system. Every field but the id may be empty; start from [`System::with_id`].
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// Its name: in `[mcp] toolsets`, as its settings table, and as its folder of the window.
    pub id: &'static str,
    /// The purpose of its tools, as a part of the one line that describes the server to agents: `runs commands
    /// (execute)`.
    pub purpose: &'static str,
    /// The setting that switches it on; `None` if it is always on.
    pub switch: Option<Switch>,
    /// Its tools for agents.
    pub tools: &'static [Tool],
    /// Tool names of older products.
    pub legacy_tools: &'static [LegacyTool],
    /// The prefix of older products' tool names: `ctx_`.
    pub legacy_prefix: &'static str,
    /// Its part in a unified search.
    pub search: Option<SearchPart>,
    /// Which questions of a unified search another tool answers better, and how to ask it.
    pub searched_elsewhere: Option<(contract::System, &'static str)>,
    /// What can be read at its addresses.
    pub addresses: Option<Addresses>,
    /// What it remembers of a part of a project.
    pub remember: Option<Remember>,
    /// Its saved prompts.
    pub prompts: Option<Prompts>,
    /// Its commands for the window.
    pub commands: &'static [Command],
    /// Its verbs on the command line.
    pub verbs: &'static [Verb],
    /// Whether its verbs work while it is off: typing one is an explicit request.
    pub typed_when_off: bool,
    /// Words that may be typed for another verb: `code memory` for `memory`.
    pub forwards: &'static [([&'static str; 2], &'static str)],
    /// Its settings.
    pub settings: &'static [Setting],
    /// Checks a text as the value of one of its settings, by the setting's key; the error says what is expected.
    pub accepts: fn(&str, &str) -> Result<(), Sentence>,
    /// The command that sets what isn't one of its settings, by its key: a secret, or an address that is checked first.
    pub command_for: fn(&str) -> Option<&'static str>,
    /// Its reactions to session events.
    pub event_handlers: Option<EventHandlers>,
    /// The reactions that don't depend on the switch, because they belong to the record of sessions.
    pub unconditional_handlers: Option<EventHandlers>,
    /// Its tables in the sessions' record.
    pub guest: Option<&'static Guest>,
    /// How the names of its files directly in Plimsoll's folder begin, each by the file's whole name, so that what is
    /// kept beside a database goes with it. Uninstalling deletes them, whether it's on or off.
    pub files: &'static [&'static str],
    /// What it keeps outside Plimsoll's folder, which `leave` deletes. Contacts nobody and changes nothing.
    pub elsewhere: fn(&Home) -> Vec<Sentence>,
    /// Deletes what it keeps outside Plimsoll's folder, before an uninstall deletes its files; what stays there, and why.
    pub leave: fn(&Home) -> Vec<Sentence>,
    /// Its databases.
    pub databases: fn(&Home) -> Vec<Database>,
    /// Checks its health. Changes nothing, and may take a while.
    pub check: fn(&dyn Host) -> Vec<Check>,
    /// What a purge deletes.
    pub purge: Option<Purge>,
    /// What it can import.
    pub import: Option<DataImport>,
    /// What it learns from the project's history.
    pub learn: Option<Learn>,
    /// Starts its background work in a server. Called once, and must return at once.
    pub background: fn(&Arc<dyn Host>),
    /// A process that it starts beside the server.
    pub worker: Option<Worker>,
    /// Its figures from one time to another, in milliseconds since 1970, for Home and the tray. They have room for those of
    /// one system.
    pub today: Option<fn(&Home, i64, i64) -> MemoryToday>,
    /// Deletes expired data, given the time in milliseconds since 1970.
    pub retain: fn(&Home, &Retention, i64) -> Vec<Removed>,
    /// Its screens; [`screens()`] puts those of all systems in order.
    pub screens: &'static [Screen],
}

impl System {
    /// A system of this name without any features.
    #[must_use]
    pub const fn with_id(id: &'static str) -> Self {
        Self {
            id,
            purpose: "",
            switch: None,
            tools: &[],
            legacy_tools: &[],
            legacy_prefix: "",
            search: None,
            searched_elsewhere: None,
            addresses: None,
            remember: None,
            prompts: None,
            commands: &[],
            verbs: &[],
            typed_when_off: false,
            forwards: &[],
            settings: &[],
            accepts: |_, _| Ok(()),
            command_for: |_| None,
            event_handlers: None,
            unconditional_handlers: None,
            guest: None,
            files: &[],
            elsewhere: |_| Vec::new(),
            leave: |_| Vec::new(),
            databases: |_| Vec::new(),
            check: |_| Vec::new(),
            purge: None,
            import: None,
            learn: None,
            background: |_| {},
            worker: None,
            today: None,
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
pub fn enabled<'a>(
    systems: &'static [&'static System],
    settings: &'a Settings,
) -> impl Iterator<Item = &'static System> + use<'a> {
    systems.iter().copied().filter(move |system| system.is_on(settings))
}

/// The event handlers to call: every system's unconditional ones, and those of enabled systems.
pub fn event_handlers<'a>(
    systems: &'static [&'static System],
    settings: &'a Settings,
) -> impl Iterator<Item = EventHandlers> + use<'a> {
    systems.iter().flat_map(move |system| {
        let switched = system.event_handlers.filter(|_| system.is_on(settings));
        system.unconditional_handlers.into_iter().chain(switched)
    })
}

/// The systems whose verbs can be typed.
pub fn typed<'a>(
    systems: &'static [&'static System],
    settings: &'a Settings,
) -> impl Iterator<Item = &'static System> + use<'a> {
    systems.iter().copied().filter(move |system| system.typed_when_off || system.is_on(settings))
}

/// The tables of all systems, enabled or not: written data is never lost.
#[must_use]
pub fn guests(systems: &[&'static System]) -> Vec<&'static Guest> {
    systems.iter().filter_map(|system| system.guest).collect()
}
