//! The copies that were kept of a damaged database, in doctor.

use std::path::Path;

use contract::{Check, Health};

use crate::store::messages;

/// That there are copies, and how to delete them.
pub(super) fn check(database: &Path) -> Option<Check> {
    let copies = home::damaged_copies(database);
    let first = copies.first()?;
    let detail = messages::damaged_copies_kept(copies.len(), first.as_path());
    Some(Check { health: Health::Ok, name: messages::damaged_copies(), detail })
}
