//! Trash files: small SQLite databases with what a purge removed. Writes them, reads their summary, and restores them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, OpenFlags, Transaction};

use crate::error::{KnowledgeError, Result};
use crate::purge_result::{PurgeResult, count};
use crate::source_kind::SourceKind;
use crate::store::Store;
use crate::subject::subject;
use ranking::words;

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
    /// Restores what a purge moved to `trash`, and deletes that file.
    ///
    /// A source whose label has been indexed again meanwhile stays as it is; its old text, if it's another one, stays in the
    /// trash file, which is then kept and in the result.
    ///
    /// # Errors
    /// [`KnowledgeError::BadTrash`] if it isn't a trash file; or if the database can't be written.
    pub fn restore(&mut self, trash: &Path) -> Result<PurgeResult> {
        let old = open_trash(trash)?;
        let (restored, kept_back) = home::write(&mut self.db, |tx| restore_sources(tx, &old))?;
        drop(old);
        if kept_back > 0 {
            return Ok(PurgeResult { trash: Some(trash.to_path_buf()), ..restored });
        }
        if let Err(error) = std::fs::remove_file(trash) {
            log::info!("{}: {error}", trash.display());
        }
        Ok(restored)
    }
}

/// What a purge left in the trash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrashSummary {
    /// The name of the folder whose knowledge base it came from; `None` for earlier versions' files.
    pub folder: Option<String>,
    /// Its content.
    pub holds: PurgeResult,
}

/// Reads a trash file's summary.
///
/// # Errors
/// [`KnowledgeError::BadTrash`] if it isn't a trash file.
pub fn read_trash(trash: &Path) -> Result<TrashSummary> {
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
    let holds = PurgeResult { trash: Some(trash.to_path_buf()), ..count(&old, &ids).map_err(bad)? };
    Ok(TrashSummary { folder, holds })
}

fn open_trash(trash: &Path) -> Result<Connection> {
    let bad = |reason: String| KnowledgeError::BadTrash { path: trash.to_path_buf(), reason };
    let old = Connection::open_with_flags(trash, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|e| bad(e.to_string()))?;
    let mark: i32 =
        old.query_row("PRAGMA application_id", [], |r| r.get(0)).map_err(|e| bad(e.to_string()))?;
    if mark != TRASH_MARK {
        return Err(bad("it wasn't written by a purge".to_owned()));
    }
    Ok(old)
}

/// A new private trash file in `dir`.
pub(crate) fn new_trash_file(dir: &Path, now_ms: i64) -> Result<PathBuf> {
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |error| KnowledgeError::Io { path, error }
    };
    home::private_dir(dir).map_err(io(dir))?;
    for n in 0..1_000 {
        let name =
            if n == 0 { format!("knowledge-{now_ms}.db") } else { format!("knowledge-{now_ms}-{n}.db") };
        let path = dir.join(name);
        match home::private_options().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io(&path)(error)),
        }
    }
    Err(io(dir)(std::io::Error::other("too many purges in one millisecond")))
}

/// Copies the sources from the database at `from` into the new trash file.
pub(crate) fn copy_to_trash(tx: &Transaction<'_>, from: &Path, ids: &[i64], file: &Path) -> Result<()> {
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

/// Copies everything back under new ids; returns what came back, and how many sources didn't and aren't there either.
fn restore_sources(tx: &Transaction<'_>, old: &Connection) -> rusqlite::Result<(PurgeResult, u64)> {
    let mut restored = PurgeResult::default();
    let mut kept_back = 0;
    let mut renumbered: std::collections::HashMap<i64, i64> = std::collections::HashMap::new();
    let count = SOURCE_COLUMNS.split(',').count();
    let marks: Vec<String> = (1..=count).map(|i| format!("?{i}")).collect();
    let mut put_source =
        tx.prepare(&format!("INSERT INTO sources({SOURCE_COLUMNS}) VALUES({})", marks.join(",")))?;
    let mut label_taken = tx.prepare("SELECT id, kind, hash FROM sources WHERE label = ?1")?;
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
            let (hash, hash_now): (Option<Vec<u8>>, Option<Vec<u8>>) = (row.get(7)?, now.get(2)?);
            if folder && now.get_ref(1)?.as_str()? == "folder" {
                renumbered.insert(id, now.get(0)?);
            } else if hash.is_none() || hash != hash_now {
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
    let mut named = tx.prepare("SELECT kind, label FROM sources WHERE id = ?1")?;
    let mut vocabulary = HashSet::new();
    let mut chunks = old.prepare(&format!("SELECT {CHUNK_COLUMNS} FROM chunks ORDER BY source, id"))?;
    let mut rows = chunks.query([])?;
    while let Some(row) = rows.next()? {
        let Some(source) = renumbered.get(&row.get::<_, i64>(1)?) else { continue };
        let (title, text): (String, String) = (row.get(2)?, row.get(3)?);
        let (code, start, end): (bool, u32, u32) = (row.get(4)?, row.get(5)?, row.get(6)?);
        put.execute((source, &title, &text, code, start, end))?;
        let chunk = tx.last_insert_rowid();
        let (kind, label): (String, String) =
            named.query_row([source], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let subject = subject(SourceKind::from_stored(&kind), &label, &title, (start, end));
        post.execute((chunk, &*subject, &text, words::parts(&text)))?;
        words::vocabulary(&subject, &mut vocabulary);
        words::vocabulary(&text, &mut vocabulary);
        restored.chunks += 1;
    }
    let mut word = tx.prepare("INSERT OR IGNORE INTO words(word) VALUES(?1)")?;
    for w in &vocabulary {
        word.execute([w])?;
    }
    Ok((restored, kept_back))
}
