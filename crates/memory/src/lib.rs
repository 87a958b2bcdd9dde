//! The system *memory*: keeps decisions, lessons and requests beyond the session they came up in.
//!
//! `domain` defines a memory, `query` selects which memories may be returned, `store` persists them, `recall` ranks
//! them. `graph` extracts the entities they mention. `meaning` turns texts into vectors, `model` asks a language
//! model and `wire` calls their endpoints; all three are off until you configure them. `prompts` are text templates.
//! `org` exchanges memories with a team's server. `actions` are the operations for you and for agents, with replies
//! as the specification defines them; `offer` connects them to the entry points. `session` records what a session
//! teaches and gives it back after a compaction or a resume. `told` gives an agent memories of earlier sessions
//! unasked, and `proposed` queues what the user asked to remember for review. Knows no agent's JSON, no MCP and no
//! screens; the time and the database's path are passed in.

pub mod actions;
pub mod domain;
pub mod graph;
pub mod meaning;
pub mod model;
mod offer;
pub mod org;
mod place;
pub mod prompts;
mod proposed;
pub mod query;
pub mod recall;
pub mod session;
pub mod store;
mod told;
pub mod wire;

pub use offer::{Today, today};
pub use session::{
    Category, Fact, FactFilter, Facts, GUEST, MAX_NOTE, Meeting, RecordedFact, Remembered, State, notes,
    quoted, resume,
};

use system::{OnEvent, Switch, System};

/// The system's table. The switch covers memories only; the resume note belongs to the session record and is always
/// on.
pub static SYSTEM: System = System {
    switch: Some(Switch { key: "memory.enabled", default: true }),
    purpose: "remembers what was decided (memory)",
    tools: offer::TOOLS,
    older: offer::OLDER,
    prefix: "subcog_",
    find: Some(offer::FIND),
    prompts: Some(offer::PROMPTS),
    commands: offer::COMMANDS,
    screens: &["memory"],
    verbs: offer::VERBS,
    settings: offer::SETTINGS,
    on_event: Some(OnEvent { tell: told::tell, after: proposed::after, learn: |_, _| None }),
    always: Some(OnEvent { tell: notes::tell, after: notes::leave_mark, learn: notes::learn }),
    guest: Some(&GUEST),
    databases: offer::databases,
    check: offer::check,
    forget: Some(offer::FORGET),
    take_in: Some(offer::TAKE_IN),
    retain: offer::retain,
    background: offer::attend,
    ..System::named("memory")
};
