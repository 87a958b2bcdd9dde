//! The exchange with the organisation's server, a step at a time: what was captured here goes there, what others captured comes
//! here, so that hooks, which open no connection, have it as well.
//!
//! Each step may be cut off anywhere (a kill, a cut network) and done again: memories are known by their ids and by what they say,
//! and how far it came is noted only afterwards.

use std::collections::BTreeSet;
use std::path::Path;

use super::beside;
use super::moved::Moved;
use super::notes::{Notes, digest};
use crate::domain::{Memory, Status, Trust, place_of};
use crate::store::{Adopted, OrgError, PgStore, Result, SqliteStore, Store, StoreError, Who};

/// So many changes are sent at once.
const SENT_AT_ONCE: usize = 200;
/// So many memories of a place come when it is looked at for the first time; all others are found on the server.
const FIRST: u32 = 2_000;

/// Whether a memory is for the server: what is for a project that others can have too or for everybody, kept by somebody, and
/// written here; or what is there already.
fn is_for_others(memory: &Memory, is_there: bool) -> bool {
    place_of(memory).is_some()
        && memory.status != Status::Pending
        && (is_there
            || (matches!(memory.status, Status::Active | Status::Superseded)
                && matches!(memory.trust, Trust::User | Trust::Agent)))
}

/// What waits to be sent of these: with the changes that brought them.
fn waiting_of(notes: &Notes, changed: Vec<(i64, Memory)>) -> Result<Vec<Memory>> {
    let mut out = Vec::new();
    for (_, memory) in changed {
        let copy = notes.copy_of(&memory.id)?;
        let agreed = copy.as_ref().and_then(|(_, agreed)| *agreed) == Some(digest(&memory));
        if !agreed && is_for_others(&memory, copy.is_some()) {
            out.push(memory);
        }
    }
    Ok(out)
}

/// The change up to which everything was sent; from the beginning where the database here is another than it was.
fn sent_up_to(notes: &Notes, here: &SqliteStore) -> Result<i64> {
    let noted = notes.number("sent")?.unwrap_or(0);
    Ok(if noted > here.last_change()? { 0 } else { noted })
}

/// Those that were refused or cut off, as they are now; what became of nothing to send is forgotten.
fn refused(notes: &mut Notes, here: &SqliteStore, most: usize) -> Result<Vec<Memory>> {
    let mut out = Vec::new();
    for id in notes.begun(most)? {
        match here.get(&id)? {
            Some(memory) if is_for_others(&memory, false) => out.push(memory),
            _ => notes.purged(&id)?,
        }
    }
    Ok(out)
}

/// How many memories wait to be sent, and since when; counting stops at `most`.
///
/// # Errors
/// When a database here fails.
pub(super) fn waiting(notes: &Notes, here: &SqliteStore, most: usize) -> Result<(u64, Option<i64>)> {
    let (mut from, mut count, mut since) = (sent_up_to(notes, here)?, 0_u64, None);
    loop {
        let changed = here.changed_since(from, 1_000)?;
        let Some((last, _)) = changed.last() else { break };
        from = *last;
        for memory in waiting_of(notes, changed)? {
            if notes.copy_of(&memory.id)?.is_some_and(|(_, agreed)| agreed.is_none()) {
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
    for memory in notes.begun(most)?.iter().map(|id| here.get(id)) {
        let Some(memory) = memory? else { continue };
        count += 1;
        since = Some(since.map_or(memory.updated_ms, |at: i64| at.min(memory.updated_ms)));
    }
    let (records, records_since) = beside::waiting(notes, here, most)?;
    let since = since.into_iter().chain(records_since).min();
    Ok((count + records + notes.purges()?.len() as u64, since))
}

/// One step of sending. With `again`, also what was refused before: rights may have been given since.
pub(super) fn send(notes: &mut Notes, here: &SqliteStore, there: &mut PgStore, again: bool) -> Result<Moved> {
    let mut moved = Moved::default();
    for id in notes.purges()? {
        match there.purge(&id) {
            Ok(()) => moved.removed += 1,
            // It is gone, or nobody here may remove it: then it stays the team's.
            Err(StoreError::NotFound(_) | StoreError::Org(OrgError::Denied { .. })) => {}
            Err(error) => return Err(error),
        }
        notes.purged(&id)?;
    }
    let from = sent_up_to(notes, here)?;
    let changed = here.changed_since(from, SENT_AT_ONCE)?;
    let last = changed.last().map(|(number, _)| *number);
    let mut all = match last {
        Some(_) => waiting_of(notes, changed)?,
        None if again => refused(notes, here, SENT_AT_ONCE)?,
        None => return Ok(moved),
    };
    moved.more = last.is_some();
    let ids: Vec<&str> = all.iter().map(|memory| memory.id.as_str()).collect();
    notes.begin(&ids)?;
    let here_ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let printed: Vec<[u8; 16]> = all.iter().map(digest).collect();
    for memory in &mut all {
        // The rules of today may know secrets that those of the day of its capture let pass.
        for text in [Some(&mut memory.content), memory.source.as_mut()].into_iter().flatten() {
            *text = text::redact(text).into_owned();
        }
        // It may be known there by another id, when somebody else said the same first.
        if let Some((id, _)) = notes.copy_of(&memory.id)? {
            memory.id = id;
        }
    }
    let there_ids = put(there, &all)?;
    let mut agreed = Vec::new();
    for ((id, here), printed) in there_ids.into_iter().zip(here_ids).zip(printed) {
        if let Some(id) = id {
            moved.sent += 1;
            agreed.push((id, here, printed));
        }
    }
    notes.agreed(&agreed)?;
    if let Some(last) = last {
        notes.set("sent", &last.to_string())?;
    }
    Ok(moved)
}

/// Sends them together; where one may not be written, each by itself, so that it holds up no other.
fn put(there: &mut PgStore, all: &[Memory]) -> Result<Vec<Option<String>>> {
    if all.is_empty() {
        return Ok(Vec::new());
    }
    match there.put(all) {
        Ok(ids) => Ok(ids.into_iter().map(Some).collect()),
        Err(StoreError::Org(OrgError::Denied { .. })) if all.len() > 1 => {
            let mut out = Vec::new();
            let mut denied = None;
            for memory in all {
                match there.put(std::slice::from_ref(memory)) {
                    Ok(ids) => out.push(ids.into_iter().next()),
                    Err(StoreError::Org(error @ OrgError::Denied { .. })) => {
                        denied = Some(error);
                        out.push(None);
                    }
                    Err(error) => return Err(error),
                }
            }
            if let Some(error) = denied {
                log::warn!("some memories stay here: {error}");
            }
            Ok(out)
        }
        Err(StoreError::Org(error @ OrgError::Denied { .. })) => {
            log::warn!("a memory stays here: {error}");
            Ok(vec![None])
        }
        Err(error) => Err(error),
    }
}

/// One step of receiving for a place.
pub(super) fn receive(
    notes: &mut Notes,
    here: &mut SqliteStore,
    there: &PgStore,
    (place, now, now_ms): (&str, (i64, i64), i64),
) -> Result<Moved> {
    let key = format!("from:{place}");
    let from = notes.cursor(&key)?;
    let mut moved = Moved::default();
    // A server that was set up again counts from the beginning again.
    let (memories, purged, next) = match from.filter(|from| from.0 <= now.0) {
        None => (there.newest(place, FIRST)?, Vec::new(), now),
        Some(from) => {
            let incoming = there.since(place, from)?;
            moved.more = incoming.more;
            (incoming.memories, incoming.purged, incoming.next)
        }
    };
    let mut agreed = Vec::new();
    for memory in memories {
        let memory = of_others(memory);
        let printed = digest(&memory);
        let known = notes.copy_by(&memory.id)?;
        if known.as_ref().is_some_and(|(_, agreed)| *agreed == Some(printed)) {
            continue;
        }
        if let Some((id, before)) = &known
            && let Some(mine) = here.get(id)?
            && *before != Some(digest(&mine))
            && mine.updated_ms > memory.updated_ms
        {
            // It was changed here later, and that is on its way there.
            continue;
        }
        let (id, adopted) = here.adopt(&memory, known.as_ref().map(|(id, _)| id.as_str()))?;
        if adopted == Adopted::Changed {
            moved.received += 1;
        }
        agreed.push((memory.id, id, printed));
    }
    notes.agreed(&agreed)?;
    for id in purged {
        let Some((memory, _)) = notes.copy_by(&id)? else { continue };
        match here.set_status(&memory, Status::Tombstoned, &Who::person(now_ms)) {
            Ok(_) => moved.removed += 1,
            Err(StoreError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
        notes.purged(&id)?;
    }
    notes.set(&key, &format!("{},{}", next.0, next.1))?;
    Ok(moved)
}

/// A memory as it is for somebody else: what its author or an agent of theirs said is trusted as the team's repository is.
pub(crate) fn of_others(mut memory: Memory) -> Memory {
    if matches!(memory.trust, Trust::User | Trust::Agent) {
        memory.trust = Trust::Repository;
    }
    memory
}

/// Opens both sides and goes one step in each direction.
pub(crate) fn step(
    database: &Path,
    server: &str,
    there: &mut PgStore,
    places: &BTreeSet<String>,
    (again, now_ms): (bool, i64),
) -> Result<Moved> {
    let mut notes = Notes::open(database, server)?;
    let mut here = SqliteStore::open(database)?;
    let mut moved = send(&mut notes, &here, there, again)?;
    if !moved.more {
        let beside = beside::send(&mut notes, &here, there, again)?;
        moved.add(beside);
    }
    if moved.sent > 0 {
        notes.set("sent_ms", &now_ms.to_string())?;
    }
    // What is for everybody, and the projects that somebody has worked in here.
    let mut all = places.clone();
    all.insert(String::new());
    all.extend(here.projects()?.into_iter().map(|(project, _)| project));
    all.retain(|place| !place.starts_with("local/"));
    let now = there.now()?;
    let mut more = moved.more;
    for place in &all {
        moved.add(receive(&mut notes, &mut here, there, (place, now, now_ms))?);
        more |= moved.more;
    }
    // Links are taken over where what they link is here.
    if !more {
        for place in &all {
            moved.add(beside::receive(&mut notes, &mut here, there, (place, now))?);
            more |= moved.more;
        }
    }
    moved.more = more;
    if again && !more {
        super::note_roles(database, server, there, now_ms)?;
    }
    notes.set("met", &now_ms.to_string())?;
    notes.set("why", "")?;
    Ok(moved)
}
