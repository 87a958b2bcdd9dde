//! The copies that were kept of a damaged database, in doctor and in a purge of everything.

use std::path::Path;

use contract::{Check, Error, ErrorCode, Health};
use system::{DataScope, PurgedData};

use crate::store::messages;

/// That there are copies, and how to delete them.
pub(super) fn check(database: &Path) -> Option<Check> {
    let copies = home::damaged_copies(database);
    let first = copies.first()?;
    let detail = messages::damaged_copies_kept(copies.len(), first.as_path());
    Some(Check { health: Health::Ok, name: messages::damaged_copies(), detail })
}

/// What a purge deletes of them: all with everything. What is one project's can't be taken out of them.
pub(super) fn preview(database: &Path, which: &DataScope) -> Vec<PurgedData> {
    if *which != DataScope::All {
        return Vec::new();
    }
    let copies = home::damaged_copies(database);
    let bytes = copies.iter().filter_map(|copy| std::fs::metadata(copy).ok()).map(|meta| meta.len()).sum();
    counted(copies.len(), bytes)
}

/// Deletes them; one that can't be deleted keeps no other.
pub(super) fn delete(database: &Path, which: &DataScope) -> Result<Vec<PurgedData>, Error> {
    let gone = preview(database, which);
    let mut failed = None;
    if !gone.is_empty() {
        for copy in home::damaged_copies(database) {
            if let Err(error) = home::remove_damaged_copy(&copy) {
                failed = failed.or(Some(home::file_problem(copy.as_path(), &error)));
            }
        }
    }
    failed.map_or(Ok(gone), |problem| Err(Error::new(ErrorCode::Storage, problem)))
}

fn counted(number: usize, bytes: u64) -> Vec<PurgedData> {
    if number == 0 {
        return Vec::new();
    }
    vec![PurgedData {
        what: "damaged_copies",
        one: "damaged file",
        number: number as u64,
        bytes: Some(("damaged_copies_bytes", bytes)),
    }]
}
