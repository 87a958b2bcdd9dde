//! The schema of `plimsoll.db` and its migrations.

use home::Migration;

/// Every migration; released ones never change, new ones are appended.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
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
CREATE INDEX sessions_by_time ON sessions (last_ms);

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  kind TEXT NOT NULL,
  tool TEXT,
  summary TEXT NOT NULL,
  decision TEXT NOT NULL,
  rule TEXT,
  bytes_before INTEGER,
  bytes_after INTEGER,
  elapsed_us INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE INDEX events_by_session ON events (agent, session, id);
CREATE INDEX events_by_time ON events (at_ms);

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  tool TEXT NOT NULL,
  raw_bytes INTEGER NOT NULL,
  returned_bytes INTEGER NOT NULL,
  class INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  overhead_bytes INTEGER NOT NULL,
  elapsed_us INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE INDEX ledger_by_session ON ledger (agent, session, id);
CREATE INDEX ledger_by_time ON ledger (at_ms);

-- What the ledger said about days whose rows are gone. `calls` and `failed` count rows.
CREATE TABLE ledger_days (
  id INTEGER PRIMARY KEY,
  day_ms INTEGER NOT NULL,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  tool TEXT NOT NULL,
  calls INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  raw_bytes INTEGER NOT NULL,
  returned_bytes INTEGER NOT NULL,
  measured_bytes INTEGER NOT NULL,
  estimated_bytes INTEGER NOT NULL,
  overhead_bytes INTEGER NOT NULL,
  elapsed_us INTEGER NOT NULL,
  UNIQUE (day_ms, agent, project, tool)
);

CREATE TABLE nudges (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  kind TEXT NOT NULL,
  UNIQUE (session, kind)
);

CREATE TABLE receipts (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  receipt TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE INDEX receipts_by_agent ON receipts (agent, id);
",
    },
    Migration {
        version: 2,
        sql: "
-- The key of the last line of `events.pending` that was taken over.
CREATE TABLE taken_over (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last TEXT NOT NULL
);
",
    },
    Migration { version: 3, sql: include_str!("schema/rollups.sql") },
    // Another system's table (see `system_table`), created when it belonged to this crate.
    Migration { version: 4, sql: include_str!("schema/facts.sql") },
    // The address of a shortened output's full text.
    Migration { version: 5, sql: "ALTER TABLE events ADD COLUMN full_output TEXT;" },
];

/// The schema version of this build.
pub const NEWEST: u32 = MIGRATIONS[MIGRATIONS.len() - 1].version;
