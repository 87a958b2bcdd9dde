//! Whether a memory has given way to another one.

use std::collections::HashSet;

use super::failure::Failure;
use crate::domain::{LinkKind, Status};
use crate::store::Store;

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
