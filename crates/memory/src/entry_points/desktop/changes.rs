//! The window's changes: write a memory, keep or drop a pending one, forget and restore, share.

use contract::desktop::Nothing;
use contract::{Error, LowerError as _};

use super::queries;
use super::types::{
    MemoryCaptured, MemoryChange, MemoryRef, MemoryShare, MemorySharing, MemoryState, MemoryText,
    MemoryVerdict,
};
use super::window_context::{WindowContext, action_error, no_folder, store_error};
use crate::actions::{self, Capture, Update};
use crate::domain::Status;
use crate::store::{Store as _, messages};

/// Captures a memory.
pub(super) fn capture(window: &WindowContext, given: MemoryText) -> Result<MemoryCaptured, Error> {
    let context = window.context_in_folder(&given.project);
    let new = Capture {
        content: given.content,
        namespace: given.namespace,
        domain: Some(given.scope).filter(|scope| !scope.is_empty()),
        tags: given.tags,
        ..Capture::default()
    };
    let reply = actions::capture(&context, &new).map_err(action_error)?;
    Ok(MemoryCaptured {
        id: reply["id"].as_str().unwrap_or_default().to_owned(),
        duplicate: reply["duplicate"] == true,
        redacted: reply["redacted"] == true,
        not_shared: None,
    })
}

/// Changes a memory if its version is the expected one. A shared memory's file follows, unless others changed it.
pub(super) fn update(window: &WindowContext, given: MemoryChange) -> Result<MemoryCaptured, Error> {
    let (_, memory) = window.find(&given.id)?;
    let change = Update {
        content: Some(given.content).filter(|content| *content != memory.content),
        tags: Some(given.tags).filter(|tags| *tags != memory.tags),
        namespace: Some(given.namespace).filter(|namespace| *namespace != memory.namespace.as_str()),
        version: Some(given.version),
        ..Update::default()
    };
    let context = window.context_of(&memory);
    if change.content.is_none() && change.tags.is_none() && change.namespace.is_none() {
        return Ok(MemoryCaptured { id: memory.id, ..MemoryCaptured::default() });
    }
    let reply = actions::update(&context, &memory.id, &change).map_err(action_error)?;
    Ok(MemoryCaptured {
        id: memory.id,
        redacted: reply["redacted"] == true,
        not_shared: reply["not_shared"].as_str().map(str::to_owned),
        ..MemoryCaptured::default()
    })
}

/// Forgets a memory; it can be restored for a while.
pub(super) fn forget(window: &WindowContext, asked: MemoryRef) -> Result<Nothing, Error> {
    set(window, &asked.id, Status::Tombstoned)
}

/// Restores a memory's earlier state.
pub(super) fn restore(window: &WindowContext, asked: MemoryState) -> Result<Nothing, Error> {
    let status = match asked.status.as_str() {
        "" => Status::Active,
        word => Status::parse(word).map_err(|error| Error::invalid(error.message()))?,
    };
    set(window, &asked.id, status)
}

fn set(window: &WindowContext, id: &str, status: Status) -> Result<Nothing, Error> {
    let (_, memory) = window.find(id)?;
    let context = window.context_of(&memory);
    let mut store = context.writer().map_err(action_error)?;
    store.set_status(&memory.id, status, &context.who).map_err(store_error)?;
    Ok(Nothing {})
}

/// Keeps or drops a pending memory.
pub(super) fn review(window: &WindowContext, verdict: MemoryVerdict) -> Result<Nothing, Error> {
    let (_, memory) = window.find(&verdict.id)?;
    if memory.status != Status::Pending {
        return Err(Error::invalid(messages::not_waiting(memory.id)));
    }
    actions::decide_review(&window.context_of(&memory), &memory.id, verdict.keep).map_err(action_error)?;
    Ok(Nothing {})
}

/// Shares a memory through its repository, or stops sharing it.
pub(super) fn share(window: &WindowContext, wanted: MemoryShare) -> Result<MemorySharing, Error> {
    let (_, memory) = window.find(&wanted.id)?;
    let context = window.context_of(&memory);
    if context.root.is_none() {
        return Err(no_folder(memory.project.as_deref().unwrap_or_default()));
    }
    let done = if wanted.shared {
        actions::share(&context, &memory.id)
    } else {
        actions::unshare(&context, &memory.id)
    };
    done.map_err(action_error)?;
    Ok(queries::sharing(&context, &memory))
}
