//! Removes what was indexed. A purge first writes what it removes into a trash file, a small SQLite database that can be
//! restored; only a purge without a trash folder deletes for good. It reports what and how much, and returns the space to
//! the system.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, OpenFlags, Transaction};

use crate::error::{KnowledgeError, Result};
use crate::ingest::delete_chunks;
use crate::search::SourceFilter;
use crate::store::Store;
use ranking::quote;
use ranking::words;

/// What to purge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurgeScope {
    /// One source by label or number (a folder with its files), or every source whose label begins with the text.
    Source(String),
    /// Everything a session indexed.
    Session(String),
    /// The whole knowledge base of the project.
    All,
}

impl std::fmt::Display for PurgeScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PurgeScope::Source(name) => write!(f, "the source \"{}\"", crate::cut(name, 200)),
            PurgeScope::Session(id) => write!(f, "the session \"{}\"", crate::cut(id, 200)),
            PurgeScope::All => write!(f, "this project"),
        }
    }
}

/// What a purge removed, or what a restore brought back.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Purged {
    /// Documents, not counting folders.
    pub sources: u64,
    /// Their chunks.
    pub chunks: u64,
    /// Bytes of their text.
    pub bytes: u64,
    /// The first labels, up to ten; a folder's label for its files.
    pub labels: Vec<String>,
    /// The trash file; `None` if it was deleted.
    pub trash: Option<PathBuf>,
}

/// Marks a trash file (`PRAGMA application_id`): "PLTR".
const TRASH_MARK: i32 = 0x504C_5452;

const TRASH_SCHEMA: &str = "
CREATE TABLE sources (id INTEGER PRIMARY KEY, parent INTEGER, label TEXT, kind TEXT, origin TEXT, session TEXT,
    agent TEXT, hash BLOB, bytes INTEGER, chunks INTEGER, code_chunks INTEGER, file_size INTEGER,
    file_mtime_ns INTEGER, etag TEXT, last_modified TEXT, fetched_ms INTEGER, indexed_ms INTEGER, used_ms INTEGER);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, source INTEGER, title TEXT, text TEXT, code INTEGER,
    start_line INTEGER, end_line INTEGER);
CREATE TABLE origin (folder TEXT NOT NULL);";

const SOURCE_COLUMNS: &str =
    "id, parent, label, kind, origin, session, agent, hash, bytes, chunks, code_chunks,
    file_size, file_mtime_ns, etag, last_modified, fetched_ms, indexed_ms, used_ms";
const CHUNK_COLUMNS: &str = "id, source, title, text, code, start_line, end_line";

impl Store {
    /// What [`Store::purge`] would remove.
    ///
    /// # Errors
    /// [`KnowledgeError::NothingToPurge`] if nothing matches the scope.
    pub fn purge_preview(&self, scope: &PurgeScope) -> Result<Purged> {
        let ids = self.purge_ids(scope)?;
        self.read(|db| count(db, &ids))
    }

    /// Moves what the scope matches to a new file in `trash_dir`, or deletes it for good without one.
    ///
    /// The trash file is complete and on disk before anything is removed; the removal is one transaction.
    ///
    /// # Errors
    /// [`KnowledgeError::NothingToPurge`]; or if the trash or the database can't be written, and then nothing is
    /// removed.
    pub fn purge(&mut self, scope: &PurgeScope, trash_dir: Option<&Path>, now_ms: i64) -> Result<Purged> {
        let trash = match trash_dir {
            Some(dir) => Some(new_trash_file(dir, now_ms)?),
            None => None,
        };
        // Removed data is overwritten in the file, here and when the index is merged afterwards.
        let _ = self.db.pragma_update(None, "secure_delete", "ON");
        let purged = self.purge_into(scope, trash.as_deref());
        match &purged {
            Ok(_) => self.give_space_back(),
            Err(_) => {
                if let Some(file) = &trash {
                    // Half a copy is worthless: the originals are all still there.
                    let _ = std::fs::remove_file(file);
                }
            }
        }
        let _ = self.db.pragma_update(None, "secure_delete", "OFF");
        purged
    }

    fn purge_into(&self, scope: &PurgeScope, trash: Option<&Path>) -> Result<Purged> {
        // Other processes may write meanwhile, so the copy is made inside the removing transaction.
        let path = self.path().to_path_buf();
        let sqlite = |error| KnowledgeError::Db(home::DbError::from_sqlite(&path, error));
        let tx = Transaction::new_unchecked(&self.db, rusqlite::TransactionBehavior::Immediate)
            .map_err(&sqlite)?;
        // The sources are selected in there too: one stored a moment later isn't removed without a copy.
        let ids = self.purge_ids(scope)?;
        let mut purged = count(&tx, &ids).map_err(&sqlite)?;
        if let Some(file) = trash {
            copy_to_trash(&tx, &path, &ids, file)?;
            purged.trash = Some(file.to_path_buf());
        }
        remove(&tx, &ids, *scope == PurgeScope::All).map_err(&sqlite)?;
        tx.commit().map_err(&sqlite)?;
        Ok(purged)
    }

    /// Deletes the command outputs stored before a moment (milliseconds since the Unix epoch) for good, and returns how many.
    /// The file doesn't shrink: later data reuses the space.
    ///
    /// # Errors
    /// If the database can't be written; then nothing is deleted.
    pub fn forget_outputs(&mut self, before_ms: i64) -> Result<u64> {
        let forgotten = home::write(&mut self.db, |tx| {
            let ids: Vec<i64> = tx
                .prepare("SELECT id FROM sources WHERE kind = ?1 AND indexed_ms < ?2")?
                .query_map((crate::SourceKind::Output.as_str(), before_ms), |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            remove(tx, &ids, false)?;
            Ok(ids.len() as u64)
        })?;
        Ok(forgotten)
    }

    fn purge_ids(&self, scope: &PurgeScope) -> Result<Vec<i64>> {
        let mut ids: Vec<i64> = match scope {
            PurgeScope::All => self.ids("SELECT id FROM sources", &[])?,
            PurgeScope::Session(session) => {
                self.ids("SELECT id FROM sources WHERE session = ?1", &[session])?
            }
            PurgeScope::Source(name) => match self.filter_for(name) {
                Ok(SourceFilter::One(id) | SourceFilter::Folder(id)) => vec![id],
                Ok(SourceFilter::Parts(ids)) => ids,
                Ok(SourceFilter::Labels { from, to }) => {
                    self.ids("SELECT id FROM sources WHERE label >= ?1 AND label < ?2", &[&from, &to])?
                }
                Err(KnowledgeError::NoSource(_)) => Vec::new(),
                Err(other) => return Err(other),
            },
        };
        // A folder goes with its files.
        let children = self.read(|db| {
            let mut children = Vec::new();
            let mut of = db.prepare_cached("SELECT id FROM sources WHERE parent = ?1")?;
            for id in &ids {
                let found = of.query_map([id], |r| r.get(0))?;
                children.extend(found.collect::<rusqlite::Result<Vec<i64>>>()?);
            }
            Ok(children)
        })?;
        ids.extend(children);
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Err(KnowledgeError::NothingToPurge(scope.to_string()));
        }
        Ok(ids)
    }

    fn ids(&self, sql: &str, values: &[&str]) -> Result<Vec<i64>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(sql)?;
            statement.query_map(rusqlite::params_from_iter(values), |r| r.get(0))?.collect()
        })
    }

    /// Merges what the removal left in the index and shrinks the file. The data is safe already, so a failure (another process
    /// reads) is only logged; the next purge tries again.
    fn give_space_back(&mut self) {
        let free = self.db.query_row("PRAGMA freelist_count", [], |r| r.get::<_, i64>(0)).unwrap_or(0);
        let pages = self.db.query_row("PRAGMA page_count", [], |r| r.get::<_, i64>(0)).unwrap_or(0);
        let optimised = self.db.execute("INSERT INTO chunk_index(chunk_index) VALUES('optimize')", []);
        // Rewriting a file to save less than a quarter isn't worth the time.
        let vacuumed = if free * 4 > pages { self.db.execute_batch("VACUUM") } else { Ok(()) };
        let checkpoint = self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        for error in [optimised.map(|_| ()), vacuumed, checkpoint].into_iter().filter_map(Result::err) {
            log::info!("{}: space is given back later: {error}", self.path().display());
        }
    }

    /// Restores what a purge moved to `trash`, and deletes that file.
    ///
    /// A source whose label has been indexed again meanwhile stays as it is; its old text stays in the trash file, which is
    /// then kept.
    ///
    /// # Errors
    /// [`KnowledgeError::BadTrash`] if it isn't a trash file; or if the database can't be written.
    pub fn restore(&mut self, trash: &Path) -> Result<Purged> {
        let old = open_trash(trash)?;
        let (restored, kept_back) = home::write(&mut self.db, |tx| bring_back(tx, &old))?;
        drop(old);
        if kept_back == 0
            && let Err(error) = std::fs::remove_file(trash)
        {
            log::info!("{}: {error}", trash.display());
        }
        Ok(restored)
    }
}

/// What a purge left in the trash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trashed {
    /// The name of the folder whose knowledge base it came from; `None` for earlier versions' files.
    pub folder: Option<String>,
    /// Its content.
    pub holds: Purged,
}

/// Reads a trash file's summary.
///
/// # Errors
/// [`KnowledgeError::BadTrash`] if it isn't a trash file.
pub fn trashed(trash: &Path) -> Result<Trashed> {
    let old = open_trash(trash)?;
    let bad = |error: rusqlite::Error| KnowledgeError::BadTrash {
        path: trash.to_path_buf(),
        reason: error.to_string(),
    };
    let folder = old.query_row("SELECT folder FROM origin LIMIT 1", [], |row| row.get(0)).ok();
    let ids: Vec<i64> = old
        .prepare("SELECT id FROM sources ORDER BY id")
        .and_then(|mut all| all.query_map([], |row| row.get(0))?.collect())
        .map_err(bad)?;
    let holds = Purged { trash: Some(trash.to_path_buf()), ..count(&old, &ids).map_err(bad)? };
    Ok(Trashed { folder, holds })
}

fn open_trash(trash: &Path) -> Result<Connection> {
    let bad = |reason: String| KnowledgeError::BadTrash { path: trash.to_path_buf(), reason };
    let old = Connection::open_with_flags(trash, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|e| bad(e.to_string()))?;
    let mark: i32 =
        old.query_row("PRAGMA application_id", [], |r| r.get(0)).map_err(|e| bad(e.to_string()))?;
    if mark != TRASH_MARK {
        return Err(bad("it was not written by a purge".to_owned()));
    }
    Ok(old)
}

fn new_trash_file(dir: &Path, now_ms: i64) -> Result<PathBuf> {
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |error| KnowledgeError::Io { path, error }
    };
    std::fs::create_dir_all(dir).map_err(io(dir))?;
    for n in 0..1_000 {
        let name =
            if n == 0 { format!("knowledge-{now_ms}.db") } else { format!("knowledge-{now_ms}-{n}.db") };
        let path = dir.join(name);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io(&path)(error)),
        }
    }
    Err(io(dir)(std::io::Error::other("too many purges in one millisecond")))
}

/// Copies the sources from the database at `from` into the new trash file.
fn copy_to_trash(tx: &Transaction<'_>, from: &Path, ids: &[i64], file: &Path) -> Result<()> {
    let full = |error| KnowledgeError::Db(home::DbError::from_sqlite(file, error));
    let unread = |source| KnowledgeError::Sqlite { path: from.to_path_buf(), source };
    let mut trash = Connection::open(file).map_err(full)?;
    trash.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;").map_err(full)?;
    trash.pragma_update(None, "application_id", TRASH_MARK).map_err(full)?;
    let into = trash.transaction().map_err(full)?;
    into.execute_batch(TRASH_SCHEMA).map_err(full)?;
    // Only the folder's name: its path may have changed by the time it is restored.
    if let Some(folder) = from.parent().and_then(Path::file_name) {
        into.execute("INSERT INTO origin(folder) VALUES(?1)", [folder.to_string_lossy()]).map_err(full)?;
    }
    for (table, columns, by) in [("sources", SOURCE_COLUMNS, "id"), ("chunks", CHUNK_COLUMNS, "source")] {
        let n = columns.split(',').count();
        let marks: Vec<String> = (1..=n).map(|i| format!("?{i}")).collect();
        let mut put = into
            .prepare(&format!("INSERT INTO {table}({columns}) VALUES({})", marks.join(",")))
            .map_err(full)?;
        let mut get =
            tx.prepare(&format!("SELECT {columns} FROM {table} WHERE {by} = ?1")).map_err(unread)?;
        for id in ids {
            let mut rows = get.query([id]).map_err(unread)?;
            while let Some(row) = rows.next().map_err(unread)? {
                for i in 0..n {
                    let value = row.get_ref(i).map_err(unread)?;
                    put.raw_bind_parameter(i + 1, ToSqlOutput::Borrowed(value)).map_err(full)?;
                }
                put.raw_execute().map_err(full)?;
            }
        }
    }
    into.commit().map_err(full)?;
    trash.close().map_err(|(_, error)| full(error))
}

fn count(db: &Connection, ids: &[i64]) -> rusqlite::Result<Purged> {
    let mut purged = Purged::default();
    let mut read =
        db.prepare_cached("SELECT label, kind, parent, chunks, bytes FROM sources WHERE id = ?1")?;
    for id in ids {
        let mut rows = read.query([id])?;
        let Some(row) = rows.next()? else { continue };
        purged.sources += u64::from(row.get_ref(1)?.as_str()? != "folder");
        purged.chunks += row.get::<_, u64>(3)?;
        purged.bytes += row.get::<_, u64>(4)?;
        let parent: Option<i64> = row.get(2)?;
        if purged.labels.len() < 10 && parent.is_none_or(|p| ids.binary_search(&p).is_err()) {
            purged.labels.push(row.get(0)?);
        }
    }
    Ok(purged)
}

pub(crate) fn remove(tx: &Transaction<'_>, ids: &[i64], all: bool) -> rusqlite::Result<()> {
    if all {
        tx.execute("INSERT INTO chunk_index(chunk_index) VALUES('delete-all')", [])?;
        tx.execute("DELETE FROM chunks", [])?;
        tx.execute("DELETE FROM sources", [])?;
        tx.execute("DELETE FROM words", [])?;
        return Ok(());
    }
    let mut gone = HashSet::new();
    for id in ids {
        let mut read = tx.prepare_cached("SELECT title, text FROM chunks WHERE source = ?1")?;
        let mut rows = read.query([id])?;
        while let Some(row) = rows.next()? {
            words::vocabulary(row.get_ref(0)?.as_str()?, &mut gone);
            words::vocabulary(row.get_ref(1)?.as_str()?, &mut gone);
        }
    }
    for id in ids {
        delete_chunks(tx, *id)?;
    }
    for id in ids.iter().rev() {
        tx.execute("DELETE FROM sources WHERE id = ?1", [id])?;
    }
    // Purged text must not remain in the vocabulary.
    let mut known = tx.prepare("SELECT 1 FROM chunk_index WHERE chunk_index MATCH ?1 LIMIT 1")?;
    let mut forget = tx.prepare("DELETE FROM words WHERE word = ?1")?;
    for word in &gone {
        if !known.exists([quote(word)])? {
            forget.execute([word])?;
        }
    }
    Ok(())
}

/// Copies everything back under new ids; returns what came back and how many sources didn't.
fn bring_back(tx: &Transaction<'_>, old: &Connection) -> rusqlite::Result<(Purged, u64)> {
    let mut restored = Purged::default();
    let mut kept_back = 0;
    let mut renumbered: std::collections::HashMap<i64, i64> = std::collections::HashMap::new();
    let count = SOURCE_COLUMNS.split(',').count();
    let marks: Vec<String> = (1..=count).map(|i| format!("?{i}")).collect();
    let mut put_source =
        tx.prepare(&format!("INSERT INTO sources({SOURCE_COLUMNS}) VALUES({})", marks.join(",")))?;
    let mut label_taken = tx.prepare("SELECT id, kind FROM sources WHERE label = ?1")?;
    let mut id_taken = tx.prepare("SELECT 1 FROM sources WHERE id = ?1")?;
    // An earlier version's trash doesn't contain the time of last use.
    let known = old.prepare("SELECT used_ms FROM sources").is_ok();
    let columns = if known { SOURCE_COLUMNS.to_owned() } else { SOURCE_COLUMNS.replace("used_ms", "NULL") };
    let mut sources =
        old.prepare(&format!("SELECT {columns} FROM sources ORDER BY parent IS NOT NULL, id"))?;
    let mut rows = sources.query([])?;
    while let Some(row) = rows.next()? {
        let (id, parent): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
        let label: String = row.get(2)?;
        let folder = row.get_ref(3)?.as_str()? == "folder";
        let mut taken = label_taken.query([&label])?;
        if let Some(now) = taken.next()? {
            if folder && now.get_ref(1)?.as_str()? == "folder" {
                renumbered.insert(id, now.get(0)?);
            } else {
                kept_back += 1;
            }
            continue;
        }
        drop(taken);
        if !id_taken.exists([id])? {
            put_source.raw_bind_parameter(1, id)?;
        } else {
            put_source.raw_bind_parameter(1, rusqlite::types::Null)?;
        }
        put_source.raw_bind_parameter(2, parent.and_then(|p| renumbered.get(&p).copied()))?;
        for i in 2..count {
            put_source.raw_bind_parameter(i + 1, ToSqlOutput::Borrowed(row.get_ref(i)?))?;
        }
        put_source.raw_execute()?;
        renumbered.insert(id, tx.last_insert_rowid());
        restored.sources += u64::from(!folder);
        restored.bytes += row.get::<_, u64>(8)?;
        if restored.labels.len() < 10 && parent.is_none_or(|p| !renumbered.contains_key(&p)) {
            restored.labels.push(label);
        }
    }
    let mut put = tx.prepare(
        "INSERT INTO chunks(source, title, text, code, start_line, end_line) VALUES(?1,?2,?3,?4,?5,?6)",
    )?;
    let mut post = tx.prepare("INSERT INTO chunk_index(rowid, title, text, parts) VALUES(?1,?2,?3,?4)")?;
    let mut vocabulary = HashSet::new();
    let mut chunks = old.prepare(&format!("SELECT {CHUNK_COLUMNS} FROM chunks ORDER BY source, id"))?;
    let mut rows = chunks.query([])?;
    while let Some(row) = rows.next()? {
        let Some(source) = renumbered.get(&row.get::<_, i64>(1)?) else { continue };
        let (title, text): (String, String) = (row.get(2)?, row.get(3)?);
        let (code, start, end): (bool, u32, u32) = (row.get(4)?, row.get(5)?, row.get(6)?);
        put.execute((source, &title, &text, code, start, end))?;
        post.execute((tx.last_insert_rowid(), &title, &text, words::parts(&text)))?;
        words::vocabulary(&title, &mut vocabulary);
        words::vocabulary(&text, &mut vocabulary);
        restored.chunks += 1;
    }
    let mut word = tx.prepare("INSERT OR IGNORE INTO words(word) VALUES(?1)")?;
    for w in &vocabulary {
        word.execute([w])?;
    }
    Ok((restored, kept_back))
}
