//! The exchange of records: prompts, entities, relations, links. It runs after the memories, because links refer to
//! them. Repeating a record changes nothing, so any step may be interrupted and repeated.

use serde_json::Value;

use super::exchange_counts::ExchangeCounts;
use super::exchange_state::{ExchangeState, REFUSED};
use crate::domain::{Record, RecordKind};
use crate::store::{PgStore, Result, SqliteStore, Store, StoreError, clean_json};

/// Number of records sent at once.
const SEND_BATCH: usize = 200;

/// The key of the last record that was tried again in a pass; empty between two passes.
const RETRIED: &str = "retried_records";

/// What to do with a record.
enum Outgoing {
    Ready(Record),
    /// It links a memory that the server doesn't have yet.
    Waits,
    /// It was changed since, and comes again under another number.
    Gone,
}

/// The last record up to which everything was sent; 0 if the local database was replaced.
fn sent_up_to(state: &ExchangeState, here: &SqliteStore) -> Result<i64> {
    let noted = state.number("records")?.unwrap_or(0);
    Ok(if noted > here.last_record()? { 0 } else { noted })
}

/// The number of records that wait to be sent, and when the oldest was written; counting stops at `most`.
pub(super) fn waiting(state: &ExchangeState, here: &SqliteStore, most: usize) -> Result<(u64, Option<i64>)> {
    let mut all: Vec<Record> = Vec::new();
    for (_, record) in here.records_since(sent_up_to(state, here)?, most)? {
        if let Outgoing::Ready(record) = prepare(state, record)? {
            all.push(record);
        }
    }
    for number in state.withheld(true, i64::MIN, most)? {
        all.extend(here.record_numbered(number)?);
    }
    Ok((all.len() as u64, all.iter().map(|record| record.at_ms).min()))
}

/// The record with the server's ids, and without secrets that today's rules recognise.
fn prepare(state: &ExchangeState, mut record: Record) -> Result<Outgoing> {
    if record.kind == RecordKind::Link {
        let mut ids = Vec::new();
        for part in record.key.split('/').take(2) {
            match state.copy_of(part)? {
                Some((id, Some(_))) => ids.push(id),
                _ => return Ok(Outgoing::Waits),
            }
        }
        let kind = record.key.rsplit('/').next().unwrap_or_default();
        record.key = format!("{}/{kind}", ids.join("/"));
    }
    clean_body(&mut record);
    Ok(Outgoing::Ready(record))
}

fn clean_body(record: &mut Record) {
    if let Some(body) = &record.body
        && let Ok(value) = serde_json::from_str::<Value>(body)
    {
        record.body = Some(clean_json(value).to_string());
    }
}

/// Whether a pass over the records that weren't sent must be continued.
pub(super) fn is_amid_pass(state: &ExchangeState) -> Result<bool> {
    Ok(state.number(RETRIED)?.is_some())
}

/// One step of sending. `again` includes records that were refused or linked unknown memories.
pub(super) fn send(
    state: &mut ExchangeState,
    here: &SqliteStore,
    there: &mut PgStore,
    again: bool,
) -> Result<ExchangeCounts> {
    let mut moved = ExchangeCounts::default();
    let changed = here.records_since(sent_up_to(state, here)?, SEND_BATCH)?;
    let last = changed.last().map(|(number, _)| *number);
    let mut all: Vec<(i64, Outgoing)> = Vec::new();
    for (number, record) in changed {
        all.push((number, prepare(state, record)?));
    }
    let mut more = last.is_some();
    if again && last.is_none() {
        // Each pass goes through all, so that none that stays refused hides one that is allowed by now.
        let from = state.number(RETRIED)?.unwrap_or(i64::MIN);
        let numbers = state.withheld(false, from, SEND_BATCH)?;
        more = numbers.len() == SEND_BATCH;
        let next = numbers.last().filter(|_| more);
        state.set(RETRIED, &next.map(i64::to_string).unwrap_or_default())?;
        for number in numbers {
            let record = here.record_numbered(number)?;
            all.push((number, record.map_or(Ok(Outgoing::Gone), |record| prepare(state, record))?));
        }
    }
    let ready: Vec<Record> = all
        .iter()
        .filter_map(|(_, way)| if let Outgoing::Ready(record) = way { Some(record.clone()) } else { None })
        .collect();
    let (taken, refused) = put(there, &ready)?;
    if let Some(refused) = refused {
        state.set(REFUSED, &refused)?;
    }
    let mut taken = taken.into_iter();
    for (number, way) in &all {
        match way {
            Outgoing::Waits => state.withhold(*number, false)?,
            Outgoing::Gone => state.release(*number)?,
            Outgoing::Ready(_) if taken.next().unwrap_or(true) => {
                moved.sent += 1;
                state.release(*number)?;
            }
            Outgoing::Ready(_) => state.withhold(*number, true)?,
        }
    }
    if let Some(last) = last {
        state.set("records", &last.to_string())?;
    }
    moved.more = more;
    Ok(moved)
}

/// Sends the records together; if one is refused, sends each on its own, so that it doesn't block the others. Returns
/// which were accepted, and why one was refused.
fn put(there: &mut PgStore, all: &[Record]) -> Result<(Vec<bool>, Option<String>)> {
    if all.is_empty() {
        return Ok((Vec::new(), None));
    }
    match there.put_records(all) {
        Ok(_) => return Ok((vec![true; all.len()], None)),
        Err(StoreError::Org(error)) if error.refuses_content() => {}
        Err(error) => return Err(error),
    }
    let (mut out, mut refused) = (Vec::new(), None);
    for record in all {
        out.push(match there.put_records(std::slice::from_ref(record)) {
            Ok(_) => true,
            Err(StoreError::Org(error)) if error.refuses_content() => {
                let why = format!("the {} {} stays here: {error}", record.kind.as_str(), record.key);
                log::warn!("{why}");
                refused = Some(why);
                false
            }
            Err(error) => return Err(error),
        });
    }
    Ok((out, refused))
}

/// One step of receiving for a scope. `now` is the server's current position.
pub(super) fn receive(
    state: &mut ExchangeState,
    here: &mut SqliteStore,
    there: &PgStore,
    (place, now): (&str, (i64, i64)),
) -> Result<ExchangeCounts> {
    let key = format!("records:{place}");
    // A server that was set up again starts counting from zero.
    let from = state.cursor(&key)?.filter(|from| from.0 <= now.0).unwrap_or((0, 0));
    let recent = there.recent(place, from)?;
    let mut records = Vec::new();
    for mut record in recent.records {
        if record.kind == RecordKind::Link {
            let mut parts: Vec<String> = record.key.split('/').map(str::to_owned).collect();
            for part in parts.iter_mut().take(2) {
                if let Some((memory, _)) = state.copy_by(part)? {
                    *part = memory;
                }
            }
            record.key = parts.join("/");
        }
        clean_body(&mut record);
        records.push(record);
    }
    let received = if records.is_empty() { 0 } else { here.put_records(&records)? };
    if recent.next != from {
        state.set(&key, &format!("{},{}", recent.next.0, recent.next.1))?;
    }
    Ok(ExchangeCounts { received, more: recent.more, ..ExchangeCounts::default() })
}
