//! The system *memory*: what survives the session.
//!
//! `session` keeps what a session teaches and gives it back when the session is compacted or taken up again. Does not know
//! agents' JSON, MCP or screens.

pub mod session;

pub use session::{
    Category, Fact, FactFilter, Facts, GUEST, MAX_NOTE, Meeting, RecordedFact, Remembered, State, notes,
    quoted, resume,
};

use system::{Entry, OnEvent, Setting, System};

/// What there is of it.
pub static SYSTEM: System = System {
    settings: &[Setting::new("sessions.resume_note", Entry::Switch)],
    on_event: Some(OnEvent { tell: notes::tell, after: notes::leave_mark, learn: notes::learn }),
    guest: Some(&GUEST),
    ..System::named("memory")
};
