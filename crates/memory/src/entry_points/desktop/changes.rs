//! The window's changes: write a memory, keep or drop a pending one, forget and restore, share.

use contract::Error;
use contract::desktop::Nothing;

use super::queries;
use super::types::{
    MemoryCaptured, MemoryChange, MemoryRef, MemoryShare, MemorySharing, MemoryState, MemoryText,
    MemoryVerdict,
};
use super::window_context::{WindowContext, failed, no_folder, refused};
use crate::actions::{self, Capture, Update};
use crate::domain::Status;
use crate::store::{Store as _, messages};

/// Captures a memory.
pub(super) fn capture(place: &WindowContext, given: MemoryText) -> Result<MemoryCaptured, Error> {
    let context = place.context_in_folder(&given.project);
    let new = Capture {
        content: given.content,
        namespace: given.namespace,
        domain: Some(given.scope).filter(|scope| !scope.is_empty()),
        tags: given.tags,
        ..Capture::default()
    };
    let reply = actions::capture(&context, &new).map_err(refused)?;
    Ok(MemoryCaptured {
        id: reply["id"].as_str().unwrap_or_default().to_owned(),
        duplicate: reply["duplicate"] == true,
        redacted: reply["redacted"] == true,
    })
}

/// Changes a memory if its version is the expected one.
pub(super) fn update(place: &WindowContext, given: MemoryChange) -> Result<MemoryCaptured, Error> {
    let (_, memory) = place.find(&given.id)?;
    let change = Update {
        content: Some(given.content).filter(|content| *content != memory.content),
        tags: Some(given.tags).filter(|tags| *tags != memory.tags),
        namespace: Some(given.namespace).filter(|namespace| *namespace != memory.namespace.as_str()),
        version: Some(given.version),
        ..Update::default()
    };
    let context = place.context_of(&memory);
    if change.content.is_none() && change.tags.is_none() && change.namespace.is_none() {
        return Ok(MemoryCaptured { id: memory.id, ..MemoryCaptured::default() });
    }
    let reply = actions::update(&context, &memory.id, &change).map_err(refused)?;
    // A shared memory's file follows.
    if queries::sharing(&context, &memory).state == "shared" {
        actions::share(&context, &memory.id).map_err(refused)?;
    }
    Ok(MemoryCaptured { id: memory.id, redacted: reply["redacted"] == true, ..MemoryCaptured::default() })
}

/// Forgets a memory; it can be restored for a while.
pub(super) fn forget(place: &WindowContext, asked: MemoryRef) -> Result<Nothing, Error> {
    set(place, &asked.id, Status::Tombstoned)
}

/// Restores a memory's earlier state.
pub(super) fn restore(place: &WindowContext, asked: MemoryState) -> Result<Nothing, Error> {
    let status = match asked.status.as_str() {
        "" => Status::Active,
        word => Status::parse(word).map_err(|error| Error::invalid(error.to_string()))?,
    };
    set(place, &asked.id, status)
}

fn set(place: &WindowContext, id: &str, status: Status) -> Result<Nothing, Error> {
    let (_, memory) = place.find(id)?;
    let context = place.context_of(&memory);
    let mut store = context.writer().map_err(refused)?;
    store.set_status(&memory.id, status, &context.who).map_err(failed)?;
    Ok(Nothing {})
}

/// Keeps or drops a pending memory.
pub(super) fn review(place: &WindowContext, verdict: MemoryVerdict) -> Result<Nothing, Error> {
    let (_, memory) = place.find(&verdict.id)?;
    if memory.status != Status::Pending {
        return Err(Error::invalid(messages::not_waiting(memory.id)));
    }
    actions::decide(&place.context_of(&memory), &memory.id, verdict.keep).map_err(refused)?;
    Ok(Nothing {})
}

/// Shares a memory through its repository, or stops sharing it.
pub(super) fn share(place: &WindowContext, wanted: MemoryShare) -> Result<MemorySharing, Error> {
    let (_, memory) = place.find(&wanted.id)?;
    let context = place.context_of(&memory);
    if context.root.is_none() {
        return Err(no_folder(memory.project.as_deref().unwrap_or_default()));
    }
    let done = if wanted.shared {
        actions::share(&context, &memory.id)
    } else {
        actions::unshare(&context, &memory.id)
    };
    done.map_err(refused)?;
    Ok(queries::sharing(&context, &memory))
}
