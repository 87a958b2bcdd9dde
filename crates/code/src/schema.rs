//! The tables of `code.db`. It stores no texts: a chunk has its line numbers, and its text comes from the file, which is checked
//! for changes anyway. Words are indexed by `postings` instead of FTS5: the second stage of a search needs to know which words
//! each chunk has and where (code, comment, name, path), and FTS5 gives only a score.

use home::Migration;

/// What most questions need of a row of `files`: its number, path and language.
pub(crate) type FileRow = (i64, String, String);

/// Every migration from an empty file to the newest schema, oldest first.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: V1 },
    Migration { version: 2, sql: V2 },
    Migration { version: 3, sql: V3 },
    Migration { version: 4, sql: V4 },
    Migration { version: 5, sql: V5 },
    Migration { version: 6, sql: V6 },
];

/// The newest schema version this build understands.
pub const NEWEST: u32 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// The version of the contents; a database of another version is filled again.
pub(crate) const FORMAT: i64 = 25;

const V1: &str = "
CREATE TABLE files (
    id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused, so an old number never names another file
    path     TEXT NOT NULL UNIQUE,              -- relative to the project, with /
    size     INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    hash     BLOB NOT NULL,
    language TEXT,
    role     INTEGER NOT NULL,
    parsed   INTEGER NOT NULL,
    lines    INTEGER NOT NULL
);
CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- ascending, which the postings rely on
    file       INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
    key        BLOB NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    symbol     INTEGER,                           -- of symbols
    length     INTEGER NOT NULL
);
CREATE INDEX chunks_file ON chunks(file);
CREATE TABLE symbols (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    file       INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    folded     TEXT NOT NULL,                     -- lower case without _
    kind       TEXT NOT NULL,
    container  TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    exported   INTEGER NOT NULL,
    signature  TEXT NOT NULL
);
CREATE INDEX symbols_file   ON symbols(file);
CREATE INDEX symbols_folded ON symbols(folded);
CREATE TABLE imports (
    id        INTEGER PRIMARY KEY,
    file      INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
    target    TEXT NOT NULL,
    names     TEXT NOT NULL,
    line      INTEGER NOT NULL,
    passed_on INTEGER NOT NULL
);
CREATE INDEX imports_file ON imports(file);
CREATE TABLE edges (
    importer INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
    imported INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
    line     INTEGER NOT NULL,
    PRIMARY KEY (importer, imported)
) WITHOUT ROWID;
CREATE INDEX edges_imported ON edges(imported);
CREATE TABLE postings (word TEXT PRIMARY KEY, docs BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE pending (id INTEGER PRIMARY KEY, chunks INTEGER NOT NULL, words BLOB NOT NULL);
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
";

/// What a query checks to know whether there are new files or other ignore rules: folders and ignore files, with their times.
const V2: &str = "
CREATE TABLE watched (path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID;
";

/// Each line that imports is an edge of its own: what a name means depends on the line that brought it.
const V3: &str = "
DROP TABLE edges;
CREATE TABLE edges (
    importer INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
    imported INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
    line     INTEGER NOT NULL,
    PRIMARY KEY (importer, imported, line)
) WITHOUT ROWID;
CREATE INDEX edges_imported ON edges(imported);
";

/// A file's chunk lengths are in the file's row, so that opening an index reads one row for each file, not for each chunk.
/// The files of the latest writes are recorded for readers that have the index open, and what commits added of each
/// recognised technology, by month.
const V4: &str = "
ALTER TABLE files ADD COLUMN chunks BLOB NOT NULL DEFAULT x''; -- the first number, then each length
ALTER TABLE chunks DROP COLUMN length;
CREATE INDEX imports_passed_on ON imports(file, line) WHERE passed_on;
CREATE TABLE edits (generation INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (generation, file)) WITHOUT ROWID;
CREATE TABLE adoption (
    month    INTEGER NOT NULL, -- counted from that of the year 0
    category TEXT NOT NULL,
    language TEXT NOT NULL,
    way      TEXT NOT NULL,
    added    INTEGER NOT NULL, -- uses that commits added
    PRIMARY KEY (month, category, language, way)
) WITHOUT ROWID;
";

/// A type-only import doesn't exist when the program runs, so it makes no cycle.
const V5: &str = "
ALTER TABLE imports ADD COLUMN types_only INTEGER NOT NULL DEFAULT 0;
";

/// The types that a file names without importing them, with their lines, as `Name:1 Other:7`: which files those are depends on all
/// other files.
const V6: &str = "
CREATE TABLE mentions (file INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE, names TEXT NOT NULL);
";
