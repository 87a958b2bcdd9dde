//! What of an index is held while it is searched: for each chunk its file and length, for each file its path, part
//! and how many others need it. About thirty bytes for a chunk; read anew when the index changed.

use std::collections::HashMap;

use rusqlite::OptionalExtension as _;

use crate::analyse::path_words;
use crate::error::Result;
use crate::parse::Parsed;
use crate::postings;
use crate::role::Role;
use crate::stamp::Stamp;
use crate::store::Store;

/// A chunk that is gone.
const GONE: u32 = u32::MAX;

/// A file as searching sees it.
#[derive(Debug, Clone)]
pub struct File {
    /// Its number in the database.
    pub id: i64,
    /// Relative to the project.
    pub path: String,
    /// Its language.
    pub language: String,
    /// The part it plays.
    pub role: Role,
    /// How many lines it has.
    pub lines: u32,
    /// How many files import it.
    pub importers: u32,
    /// The files it imports, as places in the list of files.
    pub imports: Vec<u32>,
    /// The files that import it.
    pub imported_by: Vec<u32>,
    /// The files whose names it gives on: `export … from`, `pub use`, what a package of Python imports.
    pub passes_on: Vec<u32>,
    /// Its grammar must not see it.
    pub fatal: bool,
    /// In bytes, when it was read.
    pub size: u64,
    /// When it had been changed.
    pub mtime_ns: i64,
}

/// What is held of an index.
#[derive(Debug)]
pub struct Reader {
    pub(super) files: Vec<File>,
    by_id: HashMap<i64, u32>,
    /// By number of chunk: its file's place and its length.
    chunks: Vec<(u32, u32)>,
    pub(super) alive: u32,
    pub(super) mean_length: f64,
    pub(super) most_importers: u32,
    pub(crate) watched: Vec<Stamp>,
    pub(crate) looked_ns: i64,
    version: i64,
}

/// One word's chunks.
pub(super) struct Matches {
    /// Chunk, counts.
    pub(super) list: Vec<(u32, u8)>,
}

impl Reader {
    /// Reads what searching needs.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn open(store: &Store) -> Result<Reader> {
        store.read(|db| {
            let version = db.query_row("PRAGMA data_version", [], |r| r.get(0))?;
            let mut files = Vec::new();
            let mut by_id = HashMap::new();
            let mut statement =
                db.prepare("SELECT id, path, coalesce(language, ''), role, lines, size, mtime_ns, parsed FROM files ORDER BY path")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let id = row.get(0)?;
                by_id.insert(id, u32::try_from(files.len()).unwrap_or(GONE));
                files.push(File {
                    id,
                    path: row.get(1)?,
                    language: row.get(2)?,
                    role: Role(row.get(3)?),
                    lines: row.get(4)?,
                    importers: 0,
                    imports: Vec::new(),
                    imported_by: Vec::new(),
                    passes_on: Vec::new(),
                    size: row.get::<_, i64>(5)?.unsigned_abs(),
                    mtime_ns: row.get(6)?,
                    fatal: row.get::<_, i64>(7)? == i64::try_from(Parsed::Fatal.number()).unwrap_or(-1),
                });
            }
            let mut statement = db.prepare("SELECT DISTINCT importer, imported FROM edges")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (from, to): (i64, i64) = (row.get(0)?, row.get(1)?);
                if let (Some(from), Some(to)) = (by_id.get(&from), by_id.get(&to)) {
                    files[*to as usize].importers += 1;
                    files[*to as usize].imported_by.push(*from);
                    files[*from as usize].imports.push(*to);
                }
            }
            let mut statement = db.prepare(
                "SELECT DISTINCT e.importer, e.imported FROM imports i JOIN edges e ON e.importer = i.file AND e.line = i.line
                 WHERE i.passed_on ORDER BY 1, 2",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (from, to): (i64, i64) = (row.get(0)?, row.get(1)?);
                if let (Some(from), Some(to)) = (by_id.get(&from), by_id.get(&to)) {
                    files[*from as usize].passes_on.push(*to);
                }
            }
            // A module of Python passes on whatever it imports.
            for file in files.iter_mut().filter(|f| f.language == "python") {
                file.passes_on.clone_from(&file.imports);
            }
            let mut statement = db.prepare("SELECT path, size, mtime_ns FROM watched ORDER BY path")?;
            let rows = statement.query_map([], |r| {
                Ok(Stamp {
                    path: r.get(0)?,
                    size: r.get::<_, i64>(1)?.unsigned_abs(),
                    mtime_ns: r.get(2)?,
                })
            })?;
            let watched = rows.collect::<rusqlite::Result<_>>()?;
            let looked: Option<String> = db
                .prepare("SELECT value FROM facts WHERE name = 'looked_ns'")?
                .query_row([], |r| r.get(0))
                .optional()?;
            let mut chunks = Vec::new();
            let mut alive = 0u32;
            let mut total = 0u64;
            let mut statement = db.prepare("SELECT id, file, length FROM chunks ORDER BY id")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let id = usize::try_from(row.get::<_, i64>(0)?).unwrap_or(0);
                let length: u32 = row.get(2)?;
                let Some(file) = by_id.get(&row.get::<_, i64>(1)?) else { continue };
                if id >= chunks.len() {
                    chunks.resize(id + 1, (GONE, 0));
                }
                chunks[id] = (*file, length);
                alive += 1;
                total += u64::from(length);
            }
            Ok(Reader {
                most_importers: files.iter().map(|f| f.importers).max().unwrap_or(0),
                files,
                by_id,
                chunks,
                alive,
                mean_length: (total as f64 / f64::from(alive.max(1))).max(1.0),
                watched,
                looked_ns: looked.and_then(|ns| ns.parse().ok()).unwrap_or(0),
                version,
            })
        })
    }

    /// Whether the index is as it was when this was read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_current(&self, store: &Store) -> Result<bool> {
        let now: i64 = store.read(|db| db.query_row("PRAGMA data_version", [], |r| r.get(0)))?;
        Ok(now == self.version)
    }

    /// The files, in order of their paths.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The place of the file with this number.
    pub fn place(&self, id: i64) -> Option<usize> {
        self.by_id.get(&id).map(|i| *i as usize)
    }

    /// The highest number of a chunk, and one.
    pub(super) fn chunk_numbers(&self) -> usize {
        self.chunks.len()
    }

    /// A chunk's file and length, if it is there.
    pub(super) fn chunk(&self, chunk: u32) -> Option<(u32, u32)> {
        self.chunks.get(chunk as usize).copied().filter(|(file, _)| *file != GONE)
    }

    /// The files with a chunk that has `word`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn files_with(&self, store: &Store, word: &str) -> Result<std::collections::HashSet<usize>> {
        let found = self.matches(store, &[word.to_owned()])?;
        let chunks = found.iter().flat_map(|m| &m.list);
        Ok(chunks.filter_map(|(chunk, _)| self.chunk(*chunk)).map(|(file, _)| file as usize).collect())
    }

    /// The chunks of each word.
    pub(super) fn matches(&self, store: &Store, words: &[String]) -> Result<Vec<Matches>> {
        let mut out: Vec<Matches> = words.iter().map(|_| Matches { list: Vec::new() }).collect();
        store.read(|db| {
            let mut statement = db.prepare_cached("SELECT docs FROM postings WHERE word = ?1")?;
            for (word, matches) in words.iter().zip(&mut out) {
                let mut rows = statement.query([word])?;
                while let Some(row) = rows.next()? {
                    self.take(row.get_ref(0)?.as_blob().unwrap_or_default(), matches);
                }
            }
            let mut statement = db.prepare_cached("SELECT words FROM pending ORDER BY id")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                postings::unbundle(row.get_ref(0)?.as_blob().unwrap_or_default(), |word, list| {
                    if let Some(at) = words.iter().position(|w| w == word) {
                        self.take(list, &mut out[at]);
                    }
                });
            }
            Ok(())
        })?;
        Ok(out)
    }

    fn take(&self, bytes: &[u8], matches: &mut Matches) {
        postings::read(bytes, |chunk, counts| {
            if let Ok(chunk) = u32::try_from(chunk)
                && self.chunk(chunk).is_some()
            {
                matches.list.push((chunk, counts));
            }
        });
    }
}

/// The words of a file's name, and of its folders.
pub(super) fn split_path(path: &str) -> (Vec<String>, Vec<String>) {
    let (stem, folders): (Vec<_>, Vec<_>) =
        path_words(path).into_iter().partition(|(_, weight)| *weight == 2);
    let names = |list: Vec<(String, u8)>| list.into_iter().map(|(word, _)| word).collect();
    (names(stem), names(folders))
}
