//! The state of the exchange with a server, in a small database beside `memory.db`: what was sent, what both sides
//! agreed on, where to continue. Losing it loses no memory: everything is compared again.

use std::path::{Path, PathBuf};

use home::{Db, Migration};
use rusqlite::{Connection, OptionalExtension};

use crate::domain::Memory;
use crate::store::{Result, SharedVector, StoreError};

/// Every migration from an empty file to the newest schema.
const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: V1 },
    Migration { version: 2, sql: V2 },
    Migration { version: 3, sql: V3 },
    Migration { version: 4, sql: V4 },
    Migration { version: 5, sql: V5 },
];

/// The newest schema version of this build.
pub(crate) const NEWEST: u32 = MIGRATIONS[MIGRATIONS.len() - 1].version;

const V1: &str = "
CREATE TABLE copies (
    server TEXT NOT NULL,
    id     TEXT NOT NULL,            -- there
    memory TEXT NOT NULL,            -- here
    digest BLOB,                     -- of what both sides last agreed on; null while it is on its way
    PRIMARY KEY (server, id)
) WITHOUT ROWID;
CREATE INDEX copies_memory ON copies(server, memory);
CREATE TABLE purges (
    server TEXT NOT NULL,
    id     TEXT NOT NULL,            -- there; removed here for good, and soon there
    PRIMARY KEY (server, id)
) WITHOUT ROWID;
CREATE TABLE state (
    server TEXT NOT NULL,
    key    TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (server, key)
) WITHOUT ROWID;
";

const V2: &str = "
CREATE TABLE withheld (
    server TEXT NOT NULL,
    number INTEGER NOT NULL,         -- of a record here that was not sent
    denied INTEGER NOT NULL,         -- the server refused it; else it names what the server doesn't have
    PRIMARY KEY (server, number)
) WITHOUT ROWID;
";

const V3: &str = "
CREATE TABLE vectors (
    server TEXT NOT NULL,
    memory TEXT NOT NULL,            -- here
    model  TEXT NOT NULL,
    hash   BLOB NOT NULL,            -- of the text whose vector was sent
    PRIMARY KEY (server, memory)
) WITHOUT ROWID;
";

// How far projects were received whose key has a password: such a key is no longer exchanged.
const V4: &str = "
DELETE FROM state WHERE key GLOB '*@*' OR key GLOB '*:*:[^0-9]*';
";

// What the fourth deleted is in the file until that is written again, see `rewrite`. No server has an empty name.
const V5: &str = "
INSERT INTO state VALUES('', 'rewrite', '');
";

/// In the place of a hash: the server has the memory, and refused a later change. No memory has this hash.
const REFUSED_CHANGE: [u8; 16] = [0; 16];

/// Whether both sides agreed on a memory and the server refused nothing since.
pub(super) fn is_agreed(digest: Option<[u8; 16]>) -> bool {
    digest.is_some_and(|digest| digest != REFUSED_CHANGE)
}

/// The key under which is recorded why the server refused something.
pub(super) const REFUSED: &str = "refused";

/// The state of the exchange with one server.
#[derive(Debug)]
pub(crate) struct ExchangeState {
    db: Db,
    path: PathBuf,
    server: String,
}

/// A 16-byte hash of the shared fields, to detect changes.
pub(crate) fn digest(memory: &Memory) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    let expires = memory.expires_ms.map(|ms| ms.to_string()).unwrap_or_default();
    let fields =
        [memory.content.as_str(), memory.namespace.as_str(), memory.status.as_str(), expires.as_str()];
    let source = memory.source.as_deref().unwrap_or_default();
    for part in fields.into_iter().chain([source]).chain(memory.tags.iter().map(String::as_str)) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut out = [0; 16];
    out.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    out
}

/// The path of the state, beside the memory database.
pub(crate) fn exchange_state_path(database: &Path) -> PathBuf {
    database.with_file_name("memory-org.db")
}

impl ExchangeState {
    /// Opens the state for this server; creates the file if needed.
    pub(crate) fn open(database: &Path, server: &str) -> Result<Self> {
        let path = exchange_state_path(database);
        let state = Self { db: home::open_db(&path, MIGRATIONS)?, path, server: server.to_owned() };
        state.rewrite();
        Ok(state)
    }

    /// Writes the file again without what was deleted from it, if that wasn't done yet. A failure is only logged: whoever
    /// opens it next tries again.
    fn rewrite(&self) {
        const WAITS: &str = "SELECT EXISTS (SELECT 1 FROM state WHERE server = '' AND key = 'rewrite')";
        if !self.db.query_row(WAITS, [], |r| r.get(0)).unwrap_or(false) {
            return;
        }
        let done = self
            .db
            .execute_batch("VACUUM")
            .and_then(|()| self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())))
            .and_then(|()| self.db.execute("DELETE FROM state WHERE server = '' AND key = 'rewrite'", []));
        if let Err(error) = done {
            log::info!("{}: what was deleted is overwritten later: {error}", self.path.display());
        }
    }

    /// Opens it for reading; `None` if there is none yet.
    pub(crate) fn open_read_only(database: &Path, server: &str) -> Result<Option<Self>> {
        let path = exchange_state_path(database);
        let Some(db) = home::open_db_read_only(&path, NEWEST)? else { return Ok(None) };
        let found = db.query_row("PRAGMA user_version", [], |r| r.get::<_, u32>(0));
        // Another process is creating it.
        let made = found.map_err(|source| StoreError::Sqlite { path: path.clone(), source })? == NEWEST;
        Ok(made.then(|| Self { db, path, server: server.to_owned() }))
    }

    fn look<T>(&self, work: impl FnOnce(&Connection, &str) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.db, &self.server).map_err(|source| StoreError::Sqlite { path: self.path.clone(), source })
    }

    /// The value under this key.
    pub(crate) fn state(&self, key: &str) -> Result<Option<String>> {
        self.look(|db, server| {
            db.query_row("SELECT value FROM state WHERE server = ?1 AND key = ?2", (server, key), |r| {
                r.get(0)
            })
            .optional()
        })
    }

    /// The value as a number.
    pub(crate) fn number(&self, key: &str) -> Result<Option<i64>> {
        Ok(self.state(key)?.and_then(|text| text.parse().ok()))
    }

    /// The value as a position in the server's changes.
    pub(crate) fn cursor(&self, key: &str) -> Result<Option<(i64, i64)>> {
        Ok(self.state(key)?.and_then(|text| {
            let (xid, row) = text.split_once(',')?;
            Some((xid.parse().ok()?, row.parse().ok()?))
        }))
    }

    /// Stores a value.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            db.execute("INSERT OR REPLACE INTO state VALUES(?1, ?2, ?3)", (&server, key, value)).map(|_| ())
        })?)
    }

    /// A local memory's id on the server with the last agreed hash; `None` if it was never sent.
    pub(crate) fn copy_of(&self, memory: &str) -> Result<Option<(String, Option<[u8; 16]>)>> {
        self.look(|db, server| {
            db.prepare_cached("SELECT id, digest FROM copies WHERE server = ?1 AND memory = ?2")?
                .query_row((server, memory), |r| Ok((r.get(0)?, r.get(1)?)))
                .optional()
        })
    }

    /// The reverse: by the server's id, with the local id.
    pub(crate) fn copy_by(&self, id: &str) -> Result<Option<(String, Option<[u8; 16]>)>> {
        self.look(|db, server| {
            db.prepare_cached("SELECT memory, digest FROM copies WHERE server = ?1 AND id = ?2")?
                .query_row((server, id), |r| Ok((r.get(0)?, r.get(1)?)))
                .optional()
        })
    }

    /// Records memories (their ids on the server and here) as being sent.
    pub(crate) fn mark_sending(&mut self, all: &[&str]) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            let mut insert = db.prepare_cached(
                "INSERT INTO copies SELECT ?1, ?2, ?2, NULL
                 WHERE NOT EXISTS (SELECT 1 FROM copies WHERE server = ?1 AND memory = ?2) ON CONFLICT DO NOTHING",
            )?;
            all.iter().try_for_each(|id| insert.execute((&server, id)).map(|_| ()))
        })?)
    }

    /// Records that the server refused changes of memories, by their ids here. One that it never had is being sent anyway.
    pub(crate) fn mark_refused(&mut self, all: &[String]) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            let mut mark = db.prepare_cached(
                "UPDATE copies SET digest = ?3 WHERE server = ?1 AND memory = ?2 AND digest IS NOT NULL",
            )?;
            all.iter().try_for_each(|id| mark.execute((&server, id, REFUSED_CHANGE)).map(|_| ()))
        })?)
    }

    /// Memories after this one that were being sent without the server's agreement: it refused them or a change of them, or
    /// the step was interrupted.
    pub(crate) fn unconfirmed(&self, after: &str, most: usize) -> Result<Vec<String>> {
        self.look(|db, server| {
            db.prepare_cached(
                "SELECT memory FROM copies WHERE server = ?1 AND (digest IS NULL OR digest = ?4) AND memory > ?2
                 ORDER BY memory LIMIT ?3",
            )?
            .query_map((server, after, most, REFUSED_CHANGE), |r| r.get(0))?
            .collect()
        })
    }

    /// Records what both sides agree on: the server's id, the local id, the hash.
    pub(crate) fn mark_agreed(&mut self, all: &[(String, String, [u8; 16])]) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            for (id, memory, digest) in all {
                db.prepare_cached("DELETE FROM copies WHERE server = ?1 AND memory = ?2 AND id <> ?3")?
                    .execute((&server, memory, id))?;
                db.prepare_cached("INSERT OR REPLACE INTO copies VALUES(?1, ?2, ?3, ?4)")?
                    .execute((&server, id, memory, digest))?;
            }
            Ok(())
        })?)
    }

    /// Records that a memory was purged here and must be purged on the server, if it was ever sent.
    pub(crate) fn mark_for_purge(&mut self, memory: &str) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            db.execute(
                "INSERT OR IGNORE INTO purges SELECT server, id FROM copies WHERE server = ?1 AND memory = ?2",
                (&server, memory),
            )
            .map(|_| ())
        })?)
    }

    /// The memories to purge on the server.
    pub(crate) fn pending_purges(&self) -> Result<Vec<String>> {
        self.look(|db, server| {
            db.prepare_cached("SELECT id FROM purges WHERE server = ?1")?
                .query_map([server], |r| r.get(0))?
                .collect()
        })
    }

    /// Records that a purge is done, or that the server no longer has the memory.
    pub(crate) fn purge_done(&mut self, id: &str) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            db.execute("DELETE FROM purges WHERE server = ?1 AND id = ?2", (&server, id))?;
            db.execute("DELETE FROM copies WHERE server = ?1 AND id = ?2", (&server, id)).map(|_| ())
        })?)
    }

    /// Records that a memory here is no longer sent, whatever its id on the server.
    pub(crate) fn forget_copy(&mut self, memory: &str) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            db.execute("DELETE FROM copies WHERE server = ?1 AND memory = ?2", (&server, memory)).map(|_| ())
        })?)
    }

    /// Whether this vector of a local memory was sent.
    pub(crate) fn is_vector_sent(&self, one: &SharedVector) -> Result<bool> {
        self.look(|db, server| {
            db.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM vectors WHERE server = ?1 AND memory = ?2 AND model = ?3 AND hash = ?4)",
            )?
            .query_row((server, &one.id, &one.model, one.hash), |r| r.get(0))
        })
    }

    /// Records that these vectors of local memories were sent.
    pub(crate) fn mark_vectors_sent(&mut self, all: &[SharedVector]) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            let mut put = db.prepare_cached("INSERT OR REPLACE INTO vectors VALUES(?1, ?2, ?3, ?4)")?;
            all.iter().try_for_each(|one| put.execute((&server, &one.id, &one.model, one.hash)).map(|_| ()))
        })?)
    }

    /// Records that a record wasn't sent, and whether the server refused it.
    pub(crate) fn withhold(&mut self, number: i64, denied: bool) -> Result<()> {
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            db.execute("INSERT OR REPLACE INTO withheld VALUES(?1, ?2, ?3)", (&server, number, denied))
                .map(|_| ())
        })?)
    }

    /// Records after this one that weren't sent: all, or only those that the server refused.
    pub(crate) fn withheld(&self, only_denied: bool, after: i64, most: usize) -> Result<Vec<i64>> {
        self.look(|db, server| {
            db.prepare_cached(
                "SELECT number FROM withheld WHERE server = ?1 AND (denied OR NOT ?2) AND number > ?3 ORDER BY number LIMIT ?4",
            )?
            .query_map((server, only_denied, after, most), |r| r.get(0))?
            .collect()
        })
    }

    /// Removes a record from those that weren't sent.
    pub(crate) fn release(&mut self, number: i64) -> Result<()> {
        let withheld = self.look(|db, server| {
            db.prepare_cached("SELECT EXISTS (SELECT 1 FROM withheld WHERE server = ?1 AND number = ?2)")?
                .query_row((server, number), |r| r.get::<_, bool>(0))
        })?;
        if !withheld {
            return Ok(());
        }
        let server = self.server.clone();
        Ok(home::write(&mut self.db, |db| {
            db.execute("DELETE FROM withheld WHERE server = ?1 AND number = ?2", (&server, number))
                .map(|_| ())
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server may have a memory under another id, which tells nothing about other memories here.
    #[test]
    fn a_copy_is_forgotten_by_its_local_id() {
        let dir = tempfile::tempdir().unwrap();
        let mut state = ExchangeState::open(&dir.path().join("memory.db"), "s").unwrap();
        let copy = |there: &str, here: &str| (there.to_owned(), here.to_owned(), [1; 16]);
        state.mark_agreed(&[copy("there", "here"), copy("here", "other")]).unwrap();
        state.mark_for_purge("other").unwrap();
        state.mark_refused(&["here".to_owned()]).unwrap();
        assert_eq!(state.unconfirmed("", 9).unwrap(), ["here"]);
        state.forget_copy("here").unwrap();
        assert!(state.unconfirmed("", 9).unwrap().is_empty());
        assert_eq!(state.copy_of("here").unwrap(), None);
        assert_eq!(state.copy_of("other").unwrap(), Some(("here".into(), Some([1; 16]))));
        assert_eq!(state.pending_purges().unwrap(), ["here"]);
    }

    #[test]
    fn a_password_in_a_projects_key_leaves_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("memory.db");
        let path = exchange_state_path(&database);
        let older = home::open_db(&path, &MIGRATIONS[..3]).unwrap();
        // Written again after each exchange.
        for n in 0..50 {
            older
                .execute(
                    "INSERT OR REPLACE INTO state VALUES('s', 'from:ana:geheim@git.example.org/a/b', ?1)",
                    [format!("{n},1")],
                )
                .unwrap();
        }
        older.execute("INSERT INTO state VALUES('s', 'from:git.example.org:8443/a/b', '7,1')", []).unwrap();
        drop(older);
        let has_password = || {
            ["memory-org.db", "memory-org.db-wal"].iter().any(|name| {
                let bytes = std::fs::read(dir.path().join(name)).unwrap_or_default();
                bytes.windows(6).any(|part| part == b"geheim")
            })
        };
        assert!(has_password());
        let state = ExchangeState::open(&database, "s").unwrap();
        assert_eq!(state.cursor("from:git.example.org:8443/a/b").unwrap(), Some((7, 1)));
        assert!(!has_password());
        drop(state);
        assert!(!has_password());
    }
}
