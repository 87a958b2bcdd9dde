//! Whether a memory has given way to another one, and that it does so again.

use std::collections::HashSet;

use super::failure::Failure;
use crate::domain::{LinkKind, Status};
use crate::store::{Actor, SqliteStore, Store};

/// Whether a memory that is in use has replaced this one, or what replaced it. `but` and what it was replaced by don't count.
pub(super) fn is_replaced(store: &dyn Store, id: &str, but: Option<&str>) -> Result<bool, Failure> {
    let (mut open, mut seen) = (vec![id.to_owned()], HashSet::from([id.to_owned()]));
    while let Some(old) = open.pop() {
        for link in store.links(&old)? {
            if link.kind != LinkKind::Supersedes || link.to != old || but == Some(link.from.as_str()) {
                continue;
            }
            if store.get(&link.from)?.is_some_and(|new| new.status == Status::Active) {
                return Ok(true);
            }
            if seen.insert(link.from.clone()) {
                open.push(link.from);
            }
        }
    }
    Ok(false)
}

/// Puts away what a restored memory had replaced, and what that had replaced, if it was restored meanwhile: one isn't in use beside
/// the other. Returns their ids.
pub(super) fn replace_again(store: &mut SqliteStore, id: &str, who: &Actor) -> Result<Vec<String>, Failure> {
    let (mut open, mut seen) = (vec![id.to_owned()], HashSet::from([id.to_owned()]));
    let mut replaced = Vec::new();
    while let Some(new) = open.pop() {
        for link in store.links(&new)? {
            if link.kind != LinkKind::Supersedes || link.from != new || !seen.insert(link.to.clone()) {
                continue;
            }
            if store.get(&link.to)?.is_some_and(|old| old.status == Status::Active) {
                store.link(&new, &link.to, LinkKind::Supersedes, who)?;
                replaced.push(link.to.clone());
            }
            open.push(link.to);
        }
    }
    Ok(replaced)
}
