//! Writes an event or a call with everything that depends on it: its session, its totals, and the cost of a turn.

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::event::NewEvent;
use crate::ledger_row::{LedgerRow, TOOL_LIST};
use crate::rollup;
use crate::session_table::{ensure_listed, touch};
use crate::values::{count, int};

/// How far apart two hooks note one event, in milliseconds. Nobody sends the same prompt twice in this time.
const ONE_EVENT_MS: i64 = 2_000;

/// The session's events among which the other hook's note is.
const LOOK_BACK: i64 = 16;

/// How many of the newest calls are remembered, so that the second hook's note of one is recognised.
const KNOWN_CALLS: i64 = 256;

/// The events without a call's ID that happen once at a time in a session. Subagents start and stop side by side.
const ONE_AT_A_TIME: [&str; 6] =
    ["prompt", "session_start", "session_end", "pre_compact", "post_compact", "stop"];

/// Writes a hook's cleaned event, which counts once, although an agent with Plimsoll's hooks in two of its files (the
/// user's and the project's) may run both.
pub(crate) fn insert_event_once(db: &Connection, event: &NewEvent) -> rusqlite::Result<()> {
    // Sessions without an ID are many in one.
    if event.session.is_empty() {
        return insert_event(db, event).map(drop);
    }
    let noted = is_noted(db, event)?;
    let answered_key = format!("{} answered", call_key(event));
    if !noted && !event.call.is_empty() {
        // Another call with this ID may have been answered, and may have saved something.
        forget_mark(db, &event.session, &answered_key)?;
        if event.kind == "pre_tool" {
            forget_mark(db, &event.session, &booked_key(&event.agent, &event.call))?;
        }
    }
    let answered =
        event.decision != "pass" && (event.call.is_empty() || is_first(db, &event.session, &answered_key)?);
    match (noted, answered) {
        (false, _) => insert_event(db, event).map(drop),
        (true, true) => keep_answer(db, event),
        (true, false) => Ok(()),
    }
}

/// The key under which a call's booking is remembered.
fn booked_key(agent: &str, call: &str) -> String {
    format!("call {agent} {call}")
}

fn forget_mark(db: &Connection, session: &str, key: &str) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM nudges WHERE session = ?1 AND kind = ?2")?
        .execute([session, key])
        .map(drop)
}

/// The key under which a call's event is remembered.
fn call_key(event: &NewEvent) -> String {
    format!("event {} {} {}", event.agent, event.kind, event.call)
}

/// Whether the other hook has noted the event a moment ago; remembers its call for that hook.
fn is_noted(db: &Connection, event: &NewEvent) -> rusqlite::Result<bool> {
    let may_be = if event.call.is_empty() {
        // Prompts without their text are many in one, too.
        ONE_AT_A_TIME.contains(&event.kind.as_str()) && (event.kind != "prompt" || !event.summary.is_empty())
    } else {
        let first = is_first(db, &event.session, &call_key(event))?;
        if first {
            forget_old_calls(db, &event.session)?;
        }
        !first
    };
    // An agent may use a call's ID again: for another call, later, or as soon as the first call has ended.
    if !may_be {
        return Ok(false);
    }
    Ok(note_of_other_hook(db, event, None)?.is_some())
}

/// A row of `events`, as far as another note of the same event needs it.
struct Noted {
    id: i64,
    at_ms: i64,
    elapsed_us: i64,
}

/// The newest note of the event that the other hook made a moment ago, of this decision if one is given. An event of the
/// other kind between the two makes it another call.
fn note_of_other_hook(
    db: &Connection,
    event: &NewEvent,
    decision: Option<&str>,
) -> rusqlite::Result<Option<Noted>> {
    db.prepare_cached(
        "WITH recent AS (SELECT id, kind, tool, summary, decision, at_ms, elapsed_us FROM events
           WHERE agent = ?1 AND session = ?2 ORDER BY id DESC LIMIT ?3)
         SELECT id, at_ms, elapsed_us FROM recent AS same
         WHERE same.kind = ?4 AND same.tool IS ?5 AND same.summary = ?6 AND abs(same.at_ms - ?7) < ?8
           AND (?9 IS NULL OR same.decision = ?9)
           AND NOT EXISTS (SELECT 1 FROM recent AS between_them
             WHERE between_them.kind <> ?4 AND between_them.tool = ?5 AND between_them.summary = ?6
               AND between_them.at_ms > min(same.at_ms, ?7) AND between_them.at_ms < max(same.at_ms, ?7))
         ORDER BY id DESC LIMIT 1",
    )?
    .query_row(
        params![
            event.agent,
            event.session,
            LOOK_BACK,
            event.kind,
            event.tool,
            event.summary,
            event.at_ms,
            ONE_EVENT_MS,
            decision,
        ],
        |row| Ok(Noted { id: row.get(0)?, at_ms: row.get(1)?, elapsed_us: row.get(2)? }),
    )
    .optional()
}

/// After a call was remembered: forgets those that are too old to be noted by another hook.
fn forget_old_calls(db: &Connection, session: &str) -> rusqlite::Result<()> {
    let oldest = db.last_insert_rowid().saturating_sub(KNOWN_CALLS);
    db.prepare_cached(
        "DELETE FROM nudges WHERE session = ?1 AND kind >= 'event ' AND kind < 'event!' AND id < ?2",
    )?
    .execute(params![session, oldest])
    .map(drop)
}

/// An event that one hook passed and the other answered counts as answered: only one of the two gives what a session
/// gets once.
fn keep_answer(db: &Connection, event: &NewEvent) -> rusqlite::Result<()> {
    let Some(Noted { id, at_ms, elapsed_us }) = note_of_other_hook(db, event, Some("pass"))? else {
        return Ok(());
    };
    rollup::subtract_decisions(db, "pass", at_ms, 1, count(elapsed_us))?;
    rollup::add_decision(db, &event.decision, at_ms, event.elapsed_us)?;
    db.prepare_cached(
        "UPDATE events SET decision = ?2, rule = ?3, bytes_before = ?4, bytes_after = ?5, elapsed_us = ?6,
           full_output = ?7 WHERE id = ?1",
    )?
    .execute(params![
        id,
        event.decision,
        event.rule,
        event.bytes_before.map(int),
        event.bytes_after.map(int),
        int(event.elapsed_us),
        event.full_output,
    ])
    .map(drop)
}

/// Whether this is the first hook that notes this in the session.
fn is_first(db: &Connection, session: &str, key: &str) -> rusqlite::Result<bool> {
    let added = db
        .prepare_cached("INSERT OR IGNORE INTO nudges (session, kind) VALUES (?1, ?2)")?
        .execute([session, key])?;
    Ok(added > 0)
}

/// Writes a cleaned event and returns its number.
pub(crate) fn insert_event(db: &Connection, event: &NewEvent) -> rusqlite::Result<i64> {
    touch(db, &event.agent, &event.session, &event.project, event.at_ms)?;
    db.prepare_cached(
        "INSERT INTO events (session, agent, project, kind, tool, summary, decision, rule, bytes_before,
           bytes_after, elapsed_us, at_ms, full_output)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        event.session,
        event.agent,
        event.project,
        event.kind,
        event.tool,
        event.summary,
        event.decision,
        event.rule,
        event.bytes_before.map(int),
        event.bytes_after.map(int),
        int(event.elapsed_us),
        event.at_ms,
        event.full_output,
    ])?;
    let id = db.last_insert_rowid();
    rollup::add_decision(db, &event.decision, event.at_ms, event.elapsed_us)?;
    if event.kind == "prompt" {
        book_turn(db, &event.agent, &event.session, event.at_ms)?;
    }
    Ok(id)
}

/// Writes a cleaned row and returns its number. The tool list is in the conversation at every turn, so its row counts
/// once for each past turn; later turns add theirs (see [`book_turn`]).
pub(crate) fn book_call(db: &Connection, row: &LedgerRow) -> rusqlite::Result<i64> {
    // The server books the list, possibly long after the session ended; that isn't activity of the session.
    if row.tool == TOOL_LIST {
        ensure_listed(db, &row.agent, &row.session, &row.project, row.at_ms)?;
    } else {
        touch(db, &row.agent, &row.session, &row.project, row.at_ms)?;
    }
    // Lines of a version without tokens.
    let mut row = row.clone().estimated();
    if row.tool == TOOL_LIST && row.overhead_bytes > 0 && !row.session.is_empty() {
        let which = params![row.agent, row.session];
        let (turns, before): (i64, i64) = db
            .prepare_cached("SELECT turns, list_bytes FROM sessions WHERE agent = ?1 AND session = ?2")?
            .query_row(which, |row| Ok((row.get(0)?, row.get(1)?)))?;
        db.prepare_cached("UPDATE sessions SET list_bytes = ?3 WHERE agent = ?1 AND session = ?2")?
            .execute(params![row.agent, row.session, int(row.overhead_bytes)])?;
        // A second list (after a restart of the server) replaces the first from here on.
        if before == 0 {
            row.overhead_bytes = row.overhead_bytes.saturating_mul(count(turns).max(1));
        }
    }
    insert_call(db, &row)
}

/// The same for a row of a hook, which counts once for each call: an agent with Plimsoll's hooks in two of its files (the
/// user's and the project's) may run both.
pub(crate) fn book_call_once(db: &Connection, row: &LedgerRow) -> rusqlite::Result<()> {
    // Sessions without an ID are many in one.
    if !row.call.is_empty()
        && !row.session.is_empty()
        && !is_first(db, &row.session, &booked_key(&row.agent, &row.call))?
    {
        return Ok(());
    }
    book_call(db, row).map(drop)
}

/// Records a turn of a session (a prompt at `at_ms`) and the tool list's cost for it.
fn book_turn(db: &Connection, agent: &str, session: &str, at_ms: i64) -> rusqlite::Result<()> {
    // Sessions without an ID are many in one: their turns are unknown.
    if session.is_empty() {
        return Ok(());
    }
    let (turns, list_bytes, project): (i64, i64, String) = db
        .prepare_cached(
            "UPDATE sessions SET turns = turns + 1 WHERE agent = ?1 AND session = ?2
             RETURNING turns, list_bytes, project",
        )?
        .query_row([agent, session], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    // The list's own row has counted the first.
    if turns < 2 || list_bytes <= 0 {
        return Ok(());
    }
    let row = LedgerRow {
        session: session.to_owned(),
        agent: agent.to_owned(),
        project,
        tool: TOOL_LIST.to_owned(),
        ok: true,
        overhead_bytes: count(list_bytes),
        at_ms,
        ..LedgerRow::default()
    };
    insert_call(db, &row.estimated()).map(drop)
}

fn insert_call(db: &Connection, row: &LedgerRow) -> rusqlite::Result<i64> {
    rollup::add(db, row)?;
    insert_call_only(db, row)
}

/// Writes a row whose totals are written separately.
pub(crate) fn insert_call_only(db: &Connection, row: &LedgerRow) -> rusqlite::Result<i64> {
    db.prepare_cached(
        "INSERT INTO ledger (session, agent, project, tool, raw_bytes, returned_bytes, class, ok,
           overhead_bytes, elapsed_us, at_ms, filter, tokens_raw, tokens_returned, tokenizer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )?
    .execute(params![
        row.session,
        row.agent,
        row.project,
        row.tool,
        int(row.raw_bytes),
        int(row.returned_bytes),
        row.class.to_sql(),
        row.ok,
        int(row.overhead_bytes),
        int(row.elapsed_us),
        row.at_ms,
        row.filter,
        int(row.tokens_raw),
        int(row.tokens_returned),
        row.tokenizer,
    ])?;
    Ok(db.last_insert_rowid())
}
