//! The figures for the home screen and the tray: how many memories there are, and what agents were given today.

use contract::desktop::MemoryToday;
use home::{Home, Settings};

use crate::query::{Filter, Scope, Selection};
use crate::store::{Page, SqliteStore, Store as _};

/// The figures since a moment. Unreadable data counts as zero: the memory screen shows the error.
pub fn daily_figures(home: &Home, since_ms: i64, now_ms: i64) -> MemoryToday {
    let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms };
    let counted = SqliteStore::open_read_only(&crate::paths::database(home)).and_then(|store| match store {
        Some(store) => store.list(&selection, Page { offset: 0, limit: 0 }).map(|listed| listed.total),
        None => Ok(0),
    });
    let server = Settings::load(home).is_ok_and(|settings| crate::org::server(&settings).is_some());
    let mut today = MemoryToday { total: counted.unwrap_or_default(), server, ..MemoryToday::default() };
    for line in crate::auto_recall::deliveries_since(home, since_ms) {
        today.times += 1;
        today.given += line.memories.len() as u64;
        today.bytes += line.bytes;
    }
    today
}
