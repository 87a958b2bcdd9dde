//! The tables of `memory.db` and their migrations.
//!
//! Each text is stored once. The full-text index is contentless: `content`, `tags`, `place` (path, source, branch)
//! and `parts` (of identifiers) are a memory's own; the other columns contain what its session captured around it:
//! the question right before it (`asked`), what else is right before and right after it, and one step further. So an
//! answer is found by the words of its question.

use home::Migration;

/// Every migration from an empty file to the newest schema, oldest first.
pub const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: V1 },
    Migration { version: 2, sql: V2 },
    Migration { version: 3, sql: V3 },
    Migration { version: 4, sql: V4 },
    Migration { version: 5, sql: V5 },
    Migration { version: 6, sql: V6 },
    Migration { version: 7, sql: V7 },
    Migration { version: 8, sql: V8 },
    Migration { version: 9, sql: V9 },
    Migration { version: 10, sql: V10 },
    Migration { version: 11, sql: V11 },
];

/// The newest schema version that this build supports.
pub const NEWEST: u32 = MIGRATIONS[MIGRATIONS.len() - 1].version;

// The text is the last column, so that reading the others doesn't read it.
const V1: &str = "
CREATE TABLE memories (
    row           INTEGER PRIMARY KEY AUTOINCREMENT,
    id            TEXT NOT NULL UNIQUE,
    namespace     TEXT NOT NULL,
    domain        TEXT NOT NULL,
    status        TEXT NOT NULL,
    project       TEXT,
    created_ms    INTEGER NOT NULL,
    expires_ms    INTEGER,
    thread        INTEGER,           -- the session in its domain and project
    branch        TEXT,
    file          TEXT,
    source        TEXT,
    author        TEXT,
    client        TEXT,
    session       TEXT,
    trust         TEXT NOT NULL,
    version       INTEGER NOT NULL,
    updated_ms    INTEGER NOT NULL,
    tombstoned_ms INTEGER,
    hash          BLOB NOT NULL,     -- of the text, white space aside
    content       TEXT NOT NULL
);
CREATE INDEX memories_hash   ON memories(hash);
CREATE INDEX memories_thread ON memories(thread) WHERE thread IS NOT NULL;
CREATE INDEX memories_order  ON memories(created_ms, row);

CREATE TABLE tags (
    memory   INTEGER NOT NULL REFERENCES memories(row) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    tag      TEXT NOT NULL
);
CREATE UNIQUE INDEX tags_memory ON tags(memory, position, tag);
CREATE INDEX tags_tag ON tags(tag);

CREATE TABLE changes (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    memory  INTEGER NOT NULL REFERENCES memories(row) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    what    TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    client  TEXT,
    session TEXT,
    before  TEXT,                    -- what it said until then, where that changed
    tags_before TEXT                 -- a JSON list
);
CREATE INDEX changes_memory ON changes(memory);

CREATE TABLE links (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES memories(row) ON DELETE CASCADE,
    target INTEGER NOT NULL REFERENCES memories(row) ON DELETE CASCADE,
    kind   TEXT NOT NULL,
    at_ms  INTEGER NOT NULL,
    UNIQUE (source, target, kind)
);
CREATE INDEX links_target ON links(target);

-- Who and what memories speak of. `project` is empty for what is seen from everywhere.
CREATE TABLE entities (
    row        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL,
    project    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    aliases    TEXT NOT NULL,        -- a JSON list
    properties TEXT NOT NULL,        -- a JSON object
    confidence REAL NOT NULL,        -- 1 for what somebody made by hand
    created_ms INTEGER NOT NULL
);
CREATE UNIQUE INDEX entities_id ON entities(project, id);

CREATE TABLE names (
    entity  INTEGER NOT NULL REFERENCES entities(row) ON DELETE CASCADE,
    project TEXT NOT NULL,
    name    TEXT NOT NULL            -- folded
);
CREATE UNIQUE INDEX names_name ON names(name, project);
CREATE INDEX names_entity ON names(entity);

CREATE TABLE mentions (
    entity INTEGER NOT NULL REFERENCES entities(row) ON DELETE CASCADE,
    memory INTEGER NOT NULL REFERENCES memories(row) ON DELETE CASCADE
);
CREATE UNIQUE INDEX mentions_entity ON mentions(entity, memory);
CREATE INDEX mentions_memory ON mentions(memory);

CREATE TABLE relations (
    row        INTEGER PRIMARY KEY AUTOINCREMENT,
    source     INTEGER NOT NULL REFERENCES entities(row) ON DELETE CASCADE,
    target     INTEGER NOT NULL REFERENCES entities(row) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    properties TEXT NOT NULL,
    confidence REAL NOT NULL,
    since_ms   INTEGER NOT NULL,
    until_ms   INTEGER
);
CREATE UNIQUE INDEX relations_ends ON relations(source, target, kind);
CREATE INDEX relations_target ON relations(target);

-- Saved prompts and templates of memories, every version of each.
CREATE TABLE prompts (
    row         INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL,
    domain      TEXT NOT NULL,
    project     TEXT NOT NULL,       -- empty but for the domain project
    name        TEXT NOT NULL,
    version     INTEGER NOT NULL,
    description TEXT,
    content     TEXT NOT NULL,
    variables   TEXT NOT NULL,       -- a JSON list
    tags        TEXT NOT NULL,       -- a JSON list
    format      TEXT,
    created_ms  INTEGER NOT NULL
);
CREATE UNIQUE INDEX prompts_name ON prompts(kind, domain, project, name, version);

CREATE VIRTUAL TABLE memory_index USING fts5(
    content, tags, place, parts, asked, before, after, around,
    content='', contentless_delete=1,
    tokenize='porter unicode61 remove_diacritics 2'
);
";

// Vectors of texts, derived from them and replaceable at any time.
const V2: &str = "
CREATE TABLE vectors (
    memory INTEGER PRIMARY KEY REFERENCES memories(row) ON DELETE CASCADE,
    model  TEXT NOT NULL,
    hash   BLOB NOT NULL,            -- of the text that it was made from
    vector BLOB NOT NULL             -- numbers of 32 bits, the lowest byte first
);
CREATE INDEX vectors_model ON vectors(model);
";

// Records, what a team shares besides memories, in their latest version; filled from what exists already.
const V3: &str = "
CREATE TABLE records (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    place  TEXT NOT NULL,            -- the project, or empty for what is for everybody
    what   TEXT NOT NULL,
    key    TEXT NOT NULL,
    body   TEXT,                     -- a JSON object; null where it was deleted
    at_ms  INTEGER NOT NULL,
    mine   INTEGER NOT NULL          -- changed here, so others are told
);
CREATE UNIQUE INDEX records_key ON records(place, what, key);
CREATE INDEX records_mine ON records(number) WHERE mine;

INSERT INTO records(place, what, key, body, at_ms, mine)
SELECT CASE domain WHEN 'org' THEN '' ELSE project END, 'prompt', kind || '/' || name || '/' || created_ms || '/' || version,
       json_object('description', description, 'content', content, 'variables', json(iif(json_valid(variables), variables, '[]')), 'tags', json(iif(json_valid(tags), tags, '[]')),
                   'format', format, 'created_ms', created_ms),
       created_ms, 1
FROM prompts WHERE domain = 'org' OR (domain = 'project' AND project <> '' AND project NOT LIKE 'local/%') ORDER BY row;

INSERT INTO records(place, what, key, body, at_ms, mine)
SELECT project, 'entity', id, json_object('name', name, 'kind', kind, 'aliases', json(iif(json_valid(aliases), aliases, '[]')), 'properties', json(iif(json_valid(properties), properties, '{}'))),
       created_ms, 1
FROM entities WHERE confidence >= 1 AND project <> '' AND project NOT LIKE 'local/%' ORDER BY row;

INSERT INTO records(place, what, key, body, at_ms, mine)
SELECT a.project, 'relation', a.id || '/' || b.id || '/' || r.kind,
       json_object('from', json_object('name', a.name, 'kind', a.kind), 'to', json_object('name', b.name, 'kind', b.kind),
                   'confidence', r.confidence, 'properties', json(iif(json_valid(r.properties), r.properties, '{}'))),
       r.since_ms, 1
FROM relations r JOIN entities a ON a.row = r.source JOIN entities b ON b.row = r.target
WHERE r.confidence >= 1 AND a.project = b.project AND a.project <> '' AND a.project NOT LIKE 'local/%' ORDER BY r.row;

INSERT INTO records(place, what, key, body, at_ms, mine)
SELECT CASE a.domain WHEN 'org' THEN '' ELSE a.project END, 'link', a.id || '/' || b.id || '/' || l.kind, '{}', l.at_ms, 1
FROM links l JOIN memories a ON a.row = l.source JOIN memories b ON b.row = l.target
WHERE (a.domain = 'org' OR (a.domain = 'project' AND a.project <> '' AND a.project NOT LIKE 'local/%'))
  AND (b.domain = 'org' OR (b.domain = 'project' AND b.project <> '' AND b.project NOT LIKE 'local/%')) ORDER BY l.number;
";

// What waits for review or is deleted is no longer in a graph.
const V4: &str = "
DELETE FROM entities WHERE confidence < 1
    AND row IN (SELECT t.entity FROM mentions t JOIN memories m ON m.row = t.memory WHERE m.status IN ('pending', 'tombstoned'))
    AND NOT EXISTS (SELECT 1 FROM mentions t JOIN memories m ON m.row = t.memory
                    WHERE t.entity = entities.row AND m.status NOT IN ('pending', 'tombstoned'));
DELETE FROM mentions WHERE memory IN (SELECT row FROM memories WHERE status IN ('pending', 'tombstoned'));
";

// What was removed for good, so that a file in a repository doesn't bring it back.
const V5: &str = "
CREATE TABLE purged (
    project TEXT NOT NULL,
    id      TEXT NOT NULL,
    hash    BLOB NOT NULL,           -- of a text that it had, as files have it
    PRIMARY KEY (project, id, hash)
) WITHOUT ROWID;
";

// The folders in which memories of a project were captured: its clones and work trees, whose branches are in use.
const V6: &str = "
CREATE TABLE clones (
    project TEXT NOT NULL,
    root    TEXT NOT NULL,
    PRIMARY KEY (project, root)
) WITHOUT ROWID;
";

// What was captured from a web page before that lowered its trust. `lower` knows ASCII letters, as `is_from_web` does.
const V7: &str = "
UPDATE memories SET trust = 'untrusted'
WHERE trust <> 'untrusted' AND (instr(lower(source), 'https://') > 0 OR instr(lower(source), 'http://') > 0);
";

// Where memories were captured and as which project, so that a project whose remote or folder changes is recognised.
const V8: &str = "
CREATE TABLE trees (
    root    TEXT PRIMARY KEY,
    folder  TEXT NOT NULL,           -- what tells the folder from another one at its path
    git     TEXT,                    -- the same of its repository; null without one
    project TEXT NOT NULL
) WITHOUT ROWID;

-- Two keys of one project, in the order of their letters. `apart` is what you separated; it's never joined by itself.
CREATE TABLE same_projects (
    one    TEXT NOT NULL,
    other  TEXT NOT NULL,
    apart  INTEGER NOT NULL,
    folder TEXT NOT NULL,            -- the work tree that had both, see `trees`; empty for your own choice
    at_ms  INTEGER NOT NULL,
    PRIMARY KEY (one, other)
) WITHOUT ROWID;
";

// What is done once to what was stored before, and needs more than SQL: see `redacted_keys`.
const V9: &str = "
CREATE TABLE tasks (
    name TEXT PRIMARY KEY
) WITHOUT ROWID;
INSERT INTO tasks VALUES('redact keys');
";

// Names of entities are compared with each accent in its letter: see `composed_names`.
const V10: &str = "
INSERT INTO tasks VALUES('compose names');
";

// A hook looks for the newest memories of one project, whatever others have: see `lists::PLACE`.
const V11: &str = "
CREATE INDEX memories_place ON memories(CASE domain WHEN 'project' THEN project ELSE '' END, created_ms);
";
