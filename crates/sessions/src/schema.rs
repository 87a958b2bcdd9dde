//! The tables of `plimsoll.db`, as steps that are each applied once.

use home::Migration;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    version: 1,
    sql: "
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    UNIQUE (agent, session)
);
CREATE INDEX sessions_last ON sessions (last_ms);
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    tool TEXT,
    summary TEXT NOT NULL,
    decision TEXT NOT NULL,
    because TEXT,
    bytes_before INTEGER NOT NULL,
    bytes_after INTEGER NOT NULL,
    elapsed_us INTEGER NOT NULL
);
CREATE INDEX events_session ON events (session_id, at_ms);
CREATE INDEX events_at ON events (at_ms);
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    tool TEXT NOT NULL,
    raw_bytes INTEGER NOT NULL,
    returned_bytes INTEGER NOT NULL,
    class INTEGER NOT NULL,
    ok INTEGER NOT NULL,
    overhead_bytes INTEGER NOT NULL,
    elapsed_us INTEGER NOT NULL
);
CREATE INDEX ledger_at ON ledger (at_ms);
CREATE TABLE nudges (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    kind TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    UNIQUE (agent, session, kind)
);
",
}];

/// The newest schema version that this build knows.
pub(crate) const NEWEST: u32 = 1;
