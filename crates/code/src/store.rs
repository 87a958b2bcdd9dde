//! The open `code.db`: its connection and the file records. `update` decides what to write and `write` writes it; `reader` reads
//! what answers need.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use home::Db;
use rusqlite::{Connection, OptionalExtension, Params};

use crate::error::{CodebaseError, Result};
use crate::generation;
use crate::grammar::Kind;
use crate::schema::{FORMAT, MIGRATIONS, NEWEST};
use crate::stamp::mtime_ns;
use crate::write::{self, put_fact};

/// The most imports of a file, or of the files below a folder, that are looked at.
const MOST_EDGES: usize = 4_000;

/// The index of one project.
#[derive(Debug)]
pub struct Store {
    pub(crate) db: Db,
    path: PathBuf,
}

/// What is known about a file that is in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRecord {
    /// Its number.
    pub id: i64,
    /// In bytes.
    pub size: u64,
    /// When it was changed.
    pub mtime_ns: i64,
    /// Of its bytes.
    pub hash: Vec<u8>,
}

/// A definition of a file, for an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// What it is in.
    pub container: String,
    /// The line of its name.
    pub line: u32,
}

/// What is known about a file's definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definitions {
    size: u64,
    mtime_ns: i64,
    /// In order of their lines.
    pub definitions: Vec<OutlineEntry>,
}

impl Definitions {
    /// Whether the file is as it was when it was read.
    pub fn is_unchanged(&self, meta: &std::fs::Metadata) -> bool {
        meta.len() == self.size && mtime_ns(meta) == self.mtime_ns
    }
}

/// Sizes of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stats {
    /// Files that were read.
    pub files: u64,
    /// Their lines.
    pub lines: u64,
    /// Their chunks.
    pub chunks: u64,
    /// Their definitions.
    pub symbols: u64,
    /// What they import from one another.
    pub edges: u64,
    /// The file on disk.
    pub database_bytes: u64,
}

impl Store {
    /// Opens the index at `path`, making it when it is not there. One that another version made is emptied, and one
    /// that was damaged as well: everything in it can be read again from the project.
    ///
    /// # Errors
    /// What [`home::open_db`] reports.
    pub fn open(path: &Path) -> Result<Store> {
        let db = home::open_db(path, MIGRATIONS)?;
        db.set_prepared_statement_cache_capacity(48);
        db.pragma_update(None, "foreign_keys", true)
            .map_err(|source| CodebaseError::Sqlite { path: path.to_owned(), source })?;
        let salvaged = db.salvaged().is_some();
        let mut store = Store { db, path: path.to_owned() };
        let format = store.fact("format")?.and_then(|f| f.parse::<i64>().ok());
        if salvaged || format != Some(FORMAT) {
            store.clear()?;
        }
        Ok(store)
    }

    /// Opens an existing index for reading only; `None` when there is none yet, or one of another version.
    ///
    /// # Errors
    /// What [`home::open_db_read_only`] reports.
    pub fn open_read_only(path: &Path) -> Result<Option<Store>> {
        let Some(db) = home::open_db_read_only(path, NEWEST)? else { return Ok(None) };
        db.set_prepared_statement_cache_capacity(48);
        let store = Store { db, path: path.to_owned() };
        // It's just being created: the file exists before its tables do.
        if store.read(|db| db.query_row("PRAGMA user_version", [], |r| r.get::<_, i64>(0)))?
            < i64::from(NEWEST)
        {
            return Ok(None);
        }
        let format = store.fact("format")?.and_then(|f| f.parse::<i64>().ok());
        Ok((format == Some(FORMAT)).then_some(store))
    }

    /// The file it was opened from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Copies the index as it is now to a new or empty file at `to`, for another checkout of the same repository.
    ///
    /// # Errors
    /// When the database cannot be read or the copy not be written.
    pub fn copy_to(&self, to: &Path) -> Result<()> {
        self.read(|db| db.execute("VACUUM INTO ?1", [to.to_string_lossy()]).map(drop))
    }

    /// Empties the index.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn clear(&mut self) -> Result<()> {
        home::write(&mut self.db, |tx| {
            tx.execute_batch(
                "DELETE FROM edges; DELETE FROM mentions; DELETE FROM imports; DELETE FROM symbols; DELETE FROM chunks; DELETE FROM files;
                 DELETE FROM postings; DELETE FROM pending; DELETE FROM watched; DELETE FROM adoption;
                 DELETE FROM facts WHERE name <> 'generation';",
            )?;
            // Advances the generation, so that open readers don't mistake this index for the old one.
            generation::advance(tx, None)?;
            put_fact(tx, "format", &FORMAT.to_string())
        })?;
        Ok(())
    }

    /// Reads from the database; what SQLite cannot do is told with the file it is about.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.db).map_err(|source| CodebaseError::Sqlite { path: self.path.clone(), source })
    }

    /// Something that is known about the whole index.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn fact(&self, name: &str) -> Result<Option<String>> {
        self.read(|db| {
            db.prepare_cached("SELECT value FROM facts WHERE name = ?1")?
                .query_row([name], |r| r.get(0))
                .optional()
        })
    }

    /// The files in the index.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn file_records(&self) -> Result<BTreeMap<String, FileRecord>> {
        self.read(|db| {
            let mut statement = db.prepare_cached("SELECT path, id, size, mtime_ns, hash FROM files")?;
            let rows = statement.query_map([], |r| {
                let size: i64 = r.get(2)?;
                let known = FileRecord {
                    id: r.get(1)?,
                    size: size.unsigned_abs(),
                    mtime_ns: r.get(3)?,
                    hash: r.get(4)?,
                };
                Ok((r.get::<_, String>(0)?, known))
            })?;
            rows.collect()
        })
    }

    /// Size and time of what is watched besides the files in the index: folders, ignore files, and files that turned out not to
    /// be text that is read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn watched(&self) -> Result<BTreeMap<String, (u64, i64)>> {
        let watched = self.read(write::watched)?;
        Ok(watched.into_iter().map(|one| (one.path, (one.size, one.mtime_ns))).collect())
    }

    /// The definitions of one file, if it is in the index.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn definitions_of(&self, path: &str) -> Result<Option<Definitions>> {
        let Some(known) = self.file_record(path)? else { return Ok(None) };
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT name, kind, container, line FROM symbols WHERE file = ?1 ORDER BY line, id",
            )?;
            let rows = statement.query_map([known.id], |r| {
                let kind = Kind::from_name(r.get_ref(1)?.as_str().unwrap_or_default());
                Ok(OutlineEntry {
                    name: r.get(0)?,
                    kind: kind.unwrap_or(Kind::Constant),
                    container: r.get(2)?,
                    line: r.get(3)?,
                })
            })?;
            let definitions = rows.collect::<rusqlite::Result<_>>()?;
            Ok(Some(Definitions { size: known.size, mtime_ns: known.mtime_ns, definitions }))
        })
    }

    /// One file in the index.
    pub(crate) fn file_record(&self, path: &str) -> Result<Option<FileRecord>> {
        self.read(|db| {
            let mut statement =
                db.prepare_cached("SELECT id, size, mtime_ns, hash FROM files WHERE path = ?1")?;
            let known = |r: &rusqlite::Row<'_>| {
                let size: i64 = r.get(1)?;
                Ok(FileRecord {
                    id: r.get(0)?,
                    size: size.unsigned_abs(),
                    mtime_ns: r.get(2)?,
                    hash: r.get(3)?,
                })
            };
            statement.query_row([path], known).optional()
        })
    }

    /// The files that import this one, with the line on which each does.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn import_lines(&self, path: &str) -> Result<BTreeMap<String, u32>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT a.path, min(e.line) FROM edges e JOIN files a ON a.id = e.importer JOIN files b ON b.id = e.imported
                 WHERE b.path = ?1 GROUP BY a.path",
            )?;
            let rows = statement.query_map([path], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect()
        })
    }

    /// Whether a file imports another one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_import(&self, importer: &str, imported: &str) -> Result<bool> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT EXISTS(SELECT 1 FROM files a CROSS JOIN files b CROSS JOIN edges e ON e.importer = a.id AND e.imported = b.id
                 WHERE a.path = ?1 AND b.path = ?2)",
            )?;
            statement.query_row([importer, imported], |r| r.get(0))
        })
    }

    /// Who imports a file, on which line first, in the order of their paths. Of a file that nearly all import only the first some
    /// thousand imports are looked at: a hook asks this.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn first_importers(&self, path: &str) -> Result<Vec<(String, u32)>> {
        let found = self.first_imports("b.path = ?1", [path])?;
        Ok(found.into_iter().map(|((_, importer), line)| (importer, line)).collect())
    }

    /// The imports of files below a folder by files outside: the file, who imports it, on which line first. At most `most`, in the
    /// order of their paths. Of a large folder only the first some thousand imports are looked at: a hook asks this.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn import_lines_below(&self, folder: &str, most: usize) -> Result<Vec<(String, String, u32)>> {
        // `0` comes behind `/`.
        let (from, behind) = (format!("{folder}/"), format!("{folder}0"));
        let found = self.first_imports("b.path > ?1 AND b.path < ?2", [from.as_str(), &behind])?;
        let outside = found.into_iter().filter(|((_, importer), _)| !importer.starts_with(&from));
        Ok(outside.take(most).map(|((imported, importer), line)| (imported, importer, line)).collect())
    }

    /// By imported file and importer, the first line of each import.
    fn first_imports(&self, of: &str, values: impl Params) -> Result<BTreeMap<(String, String), u32>> {
        self.read(|db| {
            // The files in the order of their paths, each with its importers: nothing is sorted before the limit.
            let mut statement = db.prepare_cached(&format!(
                "SELECT b.path, a.path, e.line FROM files b CROSS JOIN edges e ON e.imported = b.id
                 CROSS JOIN files a ON a.id = e.importer WHERE {of} LIMIT {MOST_EDGES}"
            ))?;
            let mut rows = statement.query(values)?;
            let mut out = BTreeMap::<(String, String), u32>::new();
            while let Some(row) = rows.next()? {
                let line: u32 = row.get(2)?;
                let first = out.entry((row.get(0)?, row.get(1)?)).or_insert(line);
                *first = line.min(*first);
            }
            Ok(out)
        })
    }

    /// The files that this one imports, with the first line on which it does.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn imported_lines(&self, path: &str) -> Result<BTreeMap<String, u32>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT b.path, min(e.line) FROM edges e JOIN files a ON a.id = e.importer JOIN files b ON b.id = e.imported
                 WHERE a.path = ?1 GROUP BY b.path",
            )?;
            let rows = statement.query_map([path], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect()
        })
    }

    /// The lines of the file number `file` that import, each with the number of a file that it imports.
    pub(crate) fn imported_on(&self, file: i64) -> Result<Vec<(u32, i64)>> {
        self.read(|db| {
            let mut statement = db.prepare_cached("SELECT line, imported FROM edges WHERE importer = ?1")?;
            let rows = statement.query_map([file], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect()
        })
    }

    /// How many files were read in each way, by language: (language, way, files).
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn languages(&self) -> Result<Vec<(String, crate::Parsed, u64)>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT coalesce(language, ''), parsed, count(*) FROM files GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2",
            )?;
            let rows = statement.query_map([], |r| {
                let parsed = usize::try_from(r.get::<_, i64>(1)?).unwrap_or(0);
                let parsed = crate::Parsed::ALL.get(parsed).copied().unwrap_or_default();
                Ok((r.get(0)?, parsed, r.get::<_, i64>(2)?.unsigned_abs()))
            })?;
            rows.collect()
        })
    }

    /// Counts and sizes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn stats(&self) -> Result<Stats> {
        self.read(|db| {
            let count = |sql: &str| db.query_row(sql, [], |r| r.get::<_, i64>(0)).map(i64::unsigned_abs);
            Ok(Stats {
                files: count("SELECT count(*) FROM files")?,
                lines: count("SELECT coalesce(sum(lines), 0) FROM files")?,
                chunks: count("SELECT count(*) FROM chunks")?,
                symbols: count("SELECT count(*) FROM symbols")?,
                edges: count("SELECT count(*) FROM (SELECT DISTINCT importer, imported FROM edges)")?,
                database_bytes: count("PRAGMA page_count")? * count("PRAGMA page_size")?,
            })
        })
    }
}
