//! Writes an event or a call with everything that depends on it: its session, its totals, and the cost of a turn.

use rusqlite::{Connection, params};

use crate::event::NewEvent;
use crate::ledger_row::{LedgerRow, TOOL_LIST};
use crate::rollup;
use crate::session_table::{ensure_listed, touch};
use crate::values::{count, int};

/// How far apart two hooks note one prompt, in milliseconds. Nobody sends the same prompt twice in this time.
const ONE_PROMPT_MS: i64 = 2_000;

/// The session's events among which the other hook's note is.
const LOOK_BACK: i64 = 16;

/// Writes a hook's cleaned event; a prompt counts once, although an agent with Plimsoll's hooks in two of its files (the
/// user's and the project's) may run both.
pub(crate) fn insert_event_once(db: &Connection, event: &NewEvent) -> rusqlite::Result<()> {
    // Sessions without an ID are many in one.
    if event.kind == "prompt" && !event.session.is_empty() && !event.summary.is_empty() {
        let noted: bool = db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM (SELECT kind, summary, at_ms FROM events
                   WHERE agent = ?1 AND session = ?2 ORDER BY id DESC LIMIT ?3)
                 WHERE kind = ?4 AND summary = ?5 AND abs(at_ms - ?6) < ?7)",
            )?
            .query_row(
                params![
                    event.agent,
                    event.session,
                    LOOK_BACK,
                    event.kind,
                    event.summary,
                    event.at_ms,
                    ONE_PROMPT_MS
                ],
                |row| row.get(0),
            )?;
        if noted {
            return Ok(());
        }
    }
    insert_event(db, event).map(drop)
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
    if !row.call.is_empty() && !row.session.is_empty() {
        let first = db
            .prepare_cached("INSERT OR IGNORE INTO nudges (session, kind) VALUES (?1, ?2)")?
            .execute(params![row.session, format!("call {} {}", row.agent, row.call)])?;
        if first == 0 {
            return Ok(());
        }
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
