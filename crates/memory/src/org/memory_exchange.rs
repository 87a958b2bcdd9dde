//! The exchange with the organisation's server, step by step: local captures are sent and others' captures received,
//! so that hooks, which never connect, have them as well.
//!
//! Any step may be interrupted (a kill, a cut network) and repeated: memories are identified by id and content, and
//! progress is recorded only afterwards.

use std::collections::BTreeSet;
use std::path::Path;

use super::exchange_counts::ExchangeCounts;
use super::exchange_state::{ExchangeState, REFUSED, digest, is_agreed};
use super::{record_exchange, vector_exchange};
use crate::domain::{Memory, Status, Trust, record_scope};
use crate::store::{
    Actor, Adoption, OrgError, PgStore, Result, SqliteStore, Store, StoreError, clean_memory,
};

/// Number of changes sent at once.
const SEND_BATCH: usize = 200;
/// The key of the last memory that was tried again in a pass; empty between two passes.
const RETRIED: &str = "retried";
/// Number of memories received when a scope is first read; all others are searched on the server.
const MAX_FIRST_TIME: u32 = 2_000;

/// Whether to send a memory: it is for everybody or for a project that others can have, somebody kept it, and it was
/// captured here; or the server has it already.
fn is_for_others(memory: &Memory, is_there: bool) -> bool {
    record_scope(memory).is_some()
        && memory.status != Status::Pending
        && (is_there
            || (matches!(memory.status, Status::Active | Status::Superseded)
                && matches!(memory.trust, Trust::User | Trust::Agent)))
}

/// The memories that wait to be sent among these changes.
fn waiting_of(state: &ExchangeState, changed: Vec<(i64, Memory)>) -> Result<Vec<Memory>> {
    let mut out = Vec::new();
    for (_, memory) in changed {
        let copy = state.copy_of(&memory.id)?;
        let agreed = copy.as_ref().and_then(|(_, agreed)| *agreed) == Some(digest(&memory));
        if !agreed && is_for_others(&memory, copy.is_some()) {
            out.push(memory);
        }
    }
    Ok(out)
}

/// The last change up to which everything was sent; 0 if the local database was replaced.
fn sent_up_to(state: &ExchangeState, here: &SqliteStore) -> Result<i64> {
    let noted = state.number("sent")?.unwrap_or(0);
    Ok(if noted > here.last_change()? { 0 } else { noted })
}

/// The next refused or interrupted memories in their current version, and whether there are more; those that no longer
/// need sending are removed from the list. Each pass goes through all of them, so that none that stays refused hides one
/// that is allowed by now.
fn refused(state: &mut ExchangeState, here: &SqliteStore) -> Result<(Vec<Memory>, bool)> {
    let from = state.state(RETRIED)?.unwrap_or_default();
    if from.is_empty() {
        // Whatever is still refused says why again.
        state.set(REFUSED, "")?;
    }
    let ids = state.unconfirmed(&from, SEND_BATCH)?;
    let more = ids.len() == SEND_BATCH;
    state.set(RETRIED, ids.last().filter(|_| more).map_or("", String::as_str))?;
    let mut out = Vec::new();
    for id in ids {
        // The server may have it and have refused a change.
        let is_there = state.copy_of(&id)?.is_some_and(|(_, agreed)| agreed.is_some());
        match here.get(&id)? {
            Some(memory) if is_for_others(&memory, is_there) => out.push(memory),
            _ => state.forget_copy(&id)?,
        }
    }
    Ok((out, more))
}

/// The number of memories that wait to be sent, and when the oldest was captured; counting stops at `most`.
///
/// # Errors
/// If a local database fails.
pub(super) fn waiting(state: &ExchangeState, here: &SqliteStore, most: usize) -> Result<(u64, Option<i64>)> {
    let (mut from, mut count, mut since) = (sent_up_to(state, here)?, 0_u64, None);
    loop {
        let changed = here.changed_since(from, 1_000)?;
        let Some((last, _)) = changed.last() else { break };
        from = *last;
        for memory in waiting_of(state, changed)? {
            if state.copy_of(&memory.id)?.is_some_and(|(_, agreed)| !is_agreed(agreed)) {
                // Counted below.
                continue;
            }
            count += 1;
            since = Some(since.map_or(memory.updated_ms, |at: i64| at.min(memory.updated_ms)));
        }
        if count >= most as u64 {
            break;
        }
    }
    for memory in state.unconfirmed("", most)?.iter().map(|id| here.get(id)) {
        let Some(memory) = memory? else { continue };
        count += 1;
        since = Some(since.map_or(memory.updated_ms, |at: i64| at.min(memory.updated_ms)));
    }
    let (records, records_since) = record_exchange::waiting(state, here, most)?;
    let since = since.into_iter().chain(records_since).min();
    Ok((count + records + state.pending_purges()?.len() as u64, since))
}

/// One step of sending. `again` includes what was refused before: the rights may have changed.
pub(super) fn send(
    state: &mut ExchangeState,
    here: &SqliteStore,
    there: &mut PgStore,
    again: bool,
) -> Result<ExchangeCounts> {
    let mut moved = ExchangeCounts::default();
    for id in state.pending_purges()? {
        match there.purge(&id) {
            Ok(()) => moved.removed += 1,
            // It is gone, or the user may not remove it: then it stays the team's.
            Err(StoreError::NotFound(_) | StoreError::Org(OrgError::Denied { .. })) => {}
            Err(error) => return Err(error),
        }
        state.purge_done(&id)?;
    }
    let from = sent_up_to(state, here)?;
    let changed = here.changed_since(from, SEND_BATCH)?;
    let last = changed.last().map(|(number, _)| *number);
    let (mut all, more) = match last {
        Some(_) => (waiting_of(state, changed)?, true),
        None if again => refused(state, here)?,
        None => return Ok(moved),
    };
    moved.more = more;
    let ids: Vec<&str> = all.iter().map(|memory| memory.id.as_str()).collect();
    state.mark_sending(&ids)?;
    let here_ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let printed: Vec<[u8; 16]> = all.iter().map(digest).collect();
    for memory in &mut all {
        // Redact again: today's rules may recognise secrets that earlier ones missed.
        clean_memory(memory);
        // The server may have it under another id, if somebody else captured the same text first.
        if let Some((id, _)) = state.copy_of(&memory.id)? {
            memory.id = id;
        }
    }
    let (there_ids, refused) = put(there, &all)?;
    if let Some(refused) = refused {
        state.set(REFUSED, &refused)?;
    }
    let (mut agreed, mut denied) = (Vec::new(), Vec::new());
    for ((id, here), printed) in there_ids.into_iter().zip(here_ids).zip(printed) {
        match id {
            Some(id) => {
                moved.sent += 1;
                agreed.push((id, here, printed));
            }
            None => denied.push(here),
        }
    }
    state.mark_agreed(&agreed)?;
    state.mark_refused(&denied)?;
    if let Some(last) = last {
        state.set("sent", &last.to_string())?;
    }
    Ok(moved)
}

/// Sends the memories together; if one is refused, sends each on its own, so that it doesn't block the others. Returns
/// their ids on the server, and why it refused one.
fn put(there: &mut PgStore, all: &[Memory]) -> Result<(Vec<Option<String>>, Option<String>)> {
    if all.is_empty() {
        return Ok((Vec::new(), None));
    }
    match there.put(all) {
        Ok(ids) => return Ok((ids.into_iter().map(Some).collect(), None)),
        Err(StoreError::Org(error)) if error.refuses_content() => {}
        Err(error) => return Err(error),
    }
    let (mut out, mut refused) = (Vec::new(), None);
    for memory in all {
        match there.put(std::slice::from_ref(memory)) {
            Ok(ids) => out.push(ids.into_iter().next()),
            Err(StoreError::Org(error)) if error.refuses_content() => {
                refused = Some(format!("the memory {} stays here: {error}", memory.id));
                out.push(None);
            }
            Err(error) => return Err(error),
        }
    }
    if let Some(why) = &refused {
        log::warn!("{why}");
    }
    Ok((out, refused))
}

/// One step of receiving for a scope.
pub(super) fn receive(
    state: &mut ExchangeState,
    here: &mut SqliteStore,
    there: &PgStore,
    (place, now, now_ms): (&str, (i64, i64), i64),
) -> Result<ExchangeCounts> {
    let key = format!("from:{place}");
    let from = state.cursor(&key)?;
    let mut moved = ExchangeCounts::default();
    // A server that was set up again starts counting from zero.
    let (memories, purged, next) = match from.filter(|from| from.0 <= now.0) {
        None => (there.newest(place, MAX_FIRST_TIME)?, Vec::new(), now),
        Some(from) => {
            let incoming = there.since(place, from)?;
            moved.more = incoming.more;
            (incoming.memories, incoming.purged, incoming.next)
        }
    };
    let mut agreed = Vec::new();
    for memory in memories {
        // The server gives rights by place, so what is stored in one says nothing in another.
        if record_scope(&memory) != Some(place) {
            continue;
        }
        let memory = from_others(memory);
        let printed = digest(&memory);
        let known = state.copy_by(&memory.id)?;
        if known.as_ref().is_some_and(|(_, agreed)| *agreed == Some(printed)) {
            continue;
        }
        if let Some((id, before)) = &known
            && let Some(mine) = here.get(id)?
            && *before != Some(digest(&mine))
            && mine.updated_ms > memory.updated_ms
        {
            // It was changed here later, and that change is waiting to be sent.
            continue;
        }
        let (id, adopted) = here.adopt(&memory, known.as_ref().map(|(id, _)| id.as_str()))?;
        if adopted == Adoption::Changed {
            moved.received += 1;
        }
        agreed.push((memory.id, id, printed));
    }
    state.mark_agreed(&agreed)?;
    for id in purged {
        let Some((memory, _)) = state.copy_by(&id)? else { continue };
        if here.get(&memory)?.is_some_and(|known| record_scope(&known) != Some(place)) {
            continue;
        }
        match here.set_status(&memory, Status::Tombstoned, &Actor::local_user(now_ms)) {
            Ok(_) => moved.removed += 1,
            Err(StoreError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
        state.purge_done(&id)?;
    }
    state.set(&key, &format!("{},{}", next.0, next.1))?;
    Ok(moved)
}

/// A memory from somebody else: what its author or their agent captured has the trust of the team's repository, and
/// their program may know fewer kinds of secrets.
pub(crate) fn from_others(mut memory: Memory) -> Memory {
    clean_memory(&mut memory);
    if matches!(memory.trust, Trust::User | Trust::Agent) {
        memory.trust = Trust::Repository;
    }
    memory
}

/// Opens both sides and runs one step in each direction.
pub(crate) fn step(
    database: &Path,
    server: &str,
    there: &mut PgStore,
    places: &BTreeSet<String>,
    (again, now_ms): (bool, i64),
) -> Result<ExchangeCounts> {
    let mut state = ExchangeState::open(database, server)?;
    let mut here = SqliteStore::open(database)?;
    // In the middle of a pass over records the memories were all tried.
    let again_memories = again && !record_exchange::is_amid_pass(&state)?;
    let mut moved = send(&mut state, &here, there, again_memories)?;
    if !moved.more {
        let beside = record_exchange::send(&mut state, &here, there, again)?;
        moved.add(beside);
    }
    if moved.sent > 0 {
        state.set("sent_ms", &now_ms.to_string())?;
    }
    // Everybody's memories, and those of projects in use here.
    let mut all = places.clone();
    all.insert(String::new());
    all.extend(here.projects()?.into_iter().map(|(project, _)| project));
    all.retain(|place| !place.starts_with("local/"));
    let now = there.now()?;
    let mut more = moved.more;
    for place in &all {
        moved.add(receive(&mut state, &mut here, there, (place, now, now_ms))?);
        more |= moved.more;
    }
    // Links are applied once the linked memories are here.
    if !more {
        for place in &all {
            moved.add(record_exchange::receive(&mut state, &mut here, there, (place, now))?);
            more |= moved.more;
        }
    }
    // Rarely, because every local vector is looked at, and once the server has their memories.
    if again && !more {
        more = vector_exchange::send(&mut state, &here, there)?;
    }
    moved.more = more;
    if again && !more {
        super::record_roles(database, server, there, now_ms)?;
    }
    state.set("met", &now_ms.to_string())?;
    super::record_why(&mut state, None)?;
    Ok(moved)
}
