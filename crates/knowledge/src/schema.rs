//! The tables of `knowledge.db` and the migrations from older versions.
//!
//! Each text is stored once, in `chunks`. The full-text index is *contentless*: it has only postings, so it costs about 0.7 of
//! the text instead of repeating it. `words` is the vocabulary as typed (the index has stems); it finds parts of words and
//! corrects typing errors.

use home::Migration;

/// Every step from an empty file to the newest schema, oldest first.
pub const MIGRATIONS: &[Migration] =
    &[Migration { version: 1, sql: V1 }, Migration { version: 2, sql: WHEN_USED }];

/// The newest schema version that this build supports.
pub const NEWEST: u32 = MIGRATIONS[MIGRATIONS.len() - 1].version;

const V1: &str = "
CREATE TABLE sources (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    parent        INTEGER REFERENCES sources(id) ON DELETE CASCADE, -- the folder a file was found in
    label         TEXT NOT NULL UNIQUE,
    kind          TEXT NOT NULL,
    origin        TEXT,               -- path or URL
    session       TEXT,
    agent         TEXT,
    hash          BLOB,               -- blake3 of the text as it was read
    bytes         INTEGER NOT NULL,
    chunks        INTEGER NOT NULL,
    code_chunks   INTEGER NOT NULL,
    file_size     INTEGER,            -- with file_mtime_ns: says whether a file may have changed
    file_mtime_ns INTEGER,
    etag          TEXT,
    last_modified TEXT,
    fetched_ms    INTEGER,
    indexed_ms    INTEGER NOT NULL
);
CREATE INDEX sources_parent  ON sources(parent)  WHERE parent  IS NOT NULL;
CREATE INDEX sources_session ON sources(session) WHERE session IS NOT NULL;
CREATE INDEX sources_origin  ON sources(origin)  WHERE origin  IS NOT NULL;

CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused, so an old address never names new text
    source     INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    code       INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL
);
CREATE INDEX chunks_source ON chunks(source);

CREATE VIRTUAL TABLE chunk_index USING fts5(
    title, text, parts,
    content='', contentless_delete=1,
    tokenize='porter unicode61 remove_diacritics 2'
);

CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;
";

/// When a search last showed text from a source, or from one of a folder's files, to within an hour.
const WHEN_USED: &str = "ALTER TABLE sources ADD COLUMN used_ms INTEGER;";
