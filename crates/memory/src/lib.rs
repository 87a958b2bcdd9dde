//! The system *memory*: keeps decisions, lessons and requests beyond the session they came up in.
//!
//! `domain` defines a memory, `query` selects which memories may be returned, `store` persists them, `recall` ranks
//! them. `graph` extracts the entities they mention. `embedding` turns texts into vectors, `model` asks a language
//! model and `wire` calls their endpoints; all three are off until you configure them. `prompts` are text templates.
//! `org` exchanges memories with a team's server. `work_tree` recognises a project whose remote or folder changed. `actions` are the operations for you and for agents, with replies
//! as the specification defines them; `entry_points` connects them to the entry points. `session` records what a session
//! teaches and gives it back after a compaction or a resume. `auto_recall` gives an agent memories of earlier sessions
//! unasked, and `proposals` queues what the user asked to remember for review. Knows no agent's JSON, no MCP and no
//! screens; the time and the database's path are passed in.

pub mod actions;
mod auto_recall;
pub mod domain;
pub mod embedding;
mod entry_points;
pub mod graph;
pub mod model;
pub mod org;
mod paths;
pub mod prompts;
mod proposals;
pub mod query;
pub mod recall;
pub mod session;
pub mod store;
pub mod wire;
pub mod work_tree;

pub use auto_recall::prompt_answers;
pub use entry_points::daily_figures;
pub use session::{
    Category, Fact, FactFilter, FactQueries, Facts, GUEST, MAX_NOTE, MergeRule, RecordedFact, State, extract,
    quoted, resume,
};

use session::resume_hook;
use system::{EventHandlers, Screen, Switch, System};

/// The system's table. The switch covers memories only; the resume note belongs to the session record and is always
/// on.
pub static SYSTEM: System = System {
    switch: Some(Switch { key: "memory.enabled", default: true }),
    purpose: "remembers what was decided (memory)",
    tools: entry_points::TOOLS,
    legacy_tools: entry_points::OLDER,
    legacy_prefix: "subcog_",
    search: Some(entry_points::FIND),
    addresses: Some(entry_points::OPEN),
    remember: Some(entry_points::remembered),
    learn: Some(entry_points::learn),
    prompts: Some(entry_points::PROMPTS),
    commands: entry_points::COMMANDS,
    screens: &[Screen::reference("memory").loading_words()],
    verbs: entry_points::VERBS,
    settings: entry_points::SETTINGS,
    accepts: entry_points::accepts,
    command_for: entry_points::command_for,
    event_handlers: Some(EventHandlers {
        context: auto_recall::tell,
        after_answer: proposals::propose,
        note: |_, _| None,
    }),
    unconditional_handlers: Some(EventHandlers {
        context: resume_hook::tell,
        after_answer: resume_hook::mark_compaction,
        note: extract::learn,
    }),
    guest: Some(&GUEST),
    files: paths::FILES,
    elsewhere: entry_points::elsewhere,
    leave: entry_points::leave,
    databases: entry_points::databases,
    check: entry_points::check,
    purge: Some(entry_points::FORGET),
    import: Some(entry_points::DATA_IMPORT),
    retain: entry_points::retain,
    background: entry_points::run_in_background,
    today: Some(daily_figures),
    ..System::with_id("memory")
};
