//! The system *codebase*: what the code of a project is. Empty so far, and off: `[codebase] enabled` in the settings is
//! kept for it.

use system::{Switch, System};

/// What there is of it.
pub static SYSTEM: System =
    System { switch: Some(Switch { key: "codebase.enabled", default: false }), ..System::named("codebase") };
