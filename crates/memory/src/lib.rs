//! The system *memory*: what was decided, learned and asked survives the session.
//!
//! `domain` says what a memory is, `query` which ones may come back, `store` keeps them, `recall` finds them again, `graph` is who
//! and what they speak of, `meaning` turns texts into vectors where you set that up, `model` asks a language model where you set one up, `wire` asks endpoints that you named, `prompts` are texts with places for values, `org` joins a team's server, `actions` are what a person or an agent can ask for, with
//! replies of the specification's shapes, `offer` is how entry points come by all that. `session` keeps what a session teaches
//! and gives it back when the session is compacted or taken up again; `told` is what an agent is told of earlier sessions, `proposed` what a
//! person asked to be remembered and nobody has kept yet.
//! Does not know agents' JSON, MCP or screens; the time and the place of the database are handed in.

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

/// What there is of it. The switch is of memories; what a session is given back of itself belongs to its record.
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
