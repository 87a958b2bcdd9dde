//! The figures for the home screen and the tray: how many memories there are, and what agents were given today.

use home::Home;

use crate::query::{Filter, Scope, Selection};
use crate::store::{Page, SqliteStore, Store as _};

/// The figures of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Today {
    /// The number of active memories, of every project.
    pub total: u64,
    /// The number of memories given unasked.
    pub given: u64,
    /// The number of deliveries.
    pub times: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// The figures since a moment. Unreadable data counts as zero: the memory screen shows the error.
pub fn today(home: &Home, since_ms: i64, now_ms: i64) -> Today {
    let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms };
    let counted = SqliteStore::open_read_only(&crate::paths::database(home)).and_then(|store| match store {
        Some(store) => store.list(&selection, Page { offset: 0, limit: 0 }).map(|listed| listed.total),
        None => Ok(0),
    });
    let mut today = Today { total: counted.unwrap_or_default(), ..Today::default() };
    for line in crate::auto_recall::given_since(home, since_ms) {
        today.times += 1;
        today.given += line.memories.len() as u64;
        today.bytes += line.bytes;
    }
    today
}
