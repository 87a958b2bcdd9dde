//! The part of an index that search keeps in memory: each chunk's file and length, each file's path, role and number of importers.
//! About thirty bytes a chunk; reloaded when the index changes.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::analyse::path_words;
use crate::error::Result;
use crate::generation;
use crate::parse::Parsed;
use crate::postings;
use crate::resolve;
use crate::role::Role;
use crate::stamp::Stamp;
use crate::store::Store;
use crate::write;

/// A removed chunk.
const GONE: u32 = u32::MAX;

/// A file as searching sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The columns that [`file`] reads, and behind them …
const FILE: &str = "id, path, coalesce(language, ''), role, lines, size, mtime_ns, parsed, chunks";
/// … the lengths of its chunks.
const LENGTHS: usize = 8;
/// Lines that import what they give on.
const PASSING: &str = "imports i JOIN edges e ON e.importer = i.file AND e.line = i.line WHERE i.passed_on";

/// The part of an index in memory.
#[derive(Debug)]
pub struct Reader {
    pub(super) files: Vec<File>,
    by_id: HashMap<i64, u32>,
    /// By number of chunk: its file's place and its length.
    chunks: Vec<(u32, u32)>,
    /// By place of a file: the lengths of its chunks together.
    lengths: Vec<u64>,
    pub(super) alive: u32,
    /// The lengths of all chunks together.
    total: u64,
    pub(super) mean_length: f64,
    pub(super) most_importers: u32,
    pub(crate) watched: Vec<Stamp>,
    pub(crate) looked_ns: i64,
    /// How often the index had been written.
    generation: i64,
    version: i64,
}

/// What was reloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refreshed {
    /// Nothing: the index is as it was.
    Nothing,
    /// This number of files with their related rows.
    Files(usize),
    /// Everything.
    Everything,
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
            // A consistent snapshot, even during a write.
            let db = db.unchecked_transaction()?;
            let mut reader = Reader {
                files: Vec::new(),
                by_id: HashMap::new(),
                chunks: Vec::new(),
                lengths: Vec::new(),
                alive: 0,
                total: 0,
                mean_length: 1.0,
                most_importers: 0,
                watched: write::watched(&db)?,
                looked_ns: looked_ns(&db)?,
                generation: generation::now(&db)?,
                version,
            };
            let mut statement = db.prepare(&format!("SELECT {FILE} FROM files"))?;
            let mut rows = statement.query([])?;
            let mut chunks = Vec::new();
            while let Some(row) = rows.next()? {
                chunks.push((row.get(0)?, row.get_ref(LENGTHS)?.as_blob().unwrap_or_default().to_vec()));
                reader.files.push(file(row)?);
            }
            // Sorting here is quicker than reading the rows in the order of an index.
            reader.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
            reader.lengths = vec![0; reader.files.len()];
            let places = reader.files.iter().enumerate();
            reader.by_id = places.map(|(at, file)| (file.id, u32::try_from(at).unwrap_or(GONE))).collect();
            for (id, lengths) in chunks {
                if let Some(place) = reader.by_id.get(&id).copied() {
                    reader.put_chunks(place, &lengths);
                }
            }
            // In order of their numbers: lines with the same imports are adjacent.
            let mut statement = db.prepare("SELECT importer, imported FROM edges ORDER BY 1, 2")?;
            let mut rows = statement.query([])?;
            let mut last = None;
            while let Some(row) = rows.next()? {
                let edge: (i64, i64) = (row.get(0)?, row.get(1)?);
                if last.replace(edge) == Some(edge) {
                    continue;
                }
                if let (Some(from), Some(to)) = (reader.by_id.get(&edge.0), reader.by_id.get(&edge.1)) {
                    reader.files[*to as usize].imported_by.push(*from);
                    reader.files[*from as usize].imports.push(*to);
                }
            }
            let mut statement =
                db.prepare(&format!("SELECT DISTINCT e.importer, e.imported FROM {PASSING} ORDER BY 1, 2"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (from, to): (i64, i64) = (row.get(0)?, row.get(1)?);
                if let (Some(from), Some(to)) = (reader.by_id.get(&from), reader.by_id.get(&to)) {
                    reader.files[*from as usize].passes_on.push(*to);
                }
            }
            for file in reader.files.iter_mut().filter(|file| passes_on_all(file)) {
                file.passes_on.clone_from(&file.imports);
            }
            reader.count();
            Ok(reader)
        })
    }

    /// Brings the reader up to date: if the written files are known, only those are reloaded.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn refresh(&mut self, store: &Store) -> Result<Refreshed> {
        if self.is_current(store)? {
            return Ok(Refreshed::Nothing);
        }
        if let Some(files) = store.read(|db| self.refresh_edited(db))? {
            return Ok(Refreshed::Files(files));
        }
        *self = Reader::open(store)?;
        Ok(Refreshed::Everything)
    }

    /// Reloads the files written since and returns their number; `None` if it isn't known which.
    fn refresh_edited(&mut self, db: &Connection) -> rusqlite::Result<Option<usize>> {
        let version = db.query_row("PRAGMA data_version", [], |r| r.get(0))?;
        let db = db.unchecked_transaction()?;
        let now = generation::now(&db)?;
        let Some(edited) = generation::changed_since(&db, self.generation, now)? else { return Ok(None) };
        for id in &edited {
            if *id == generation::WATCHED {
                self.watched = write::watched(&db)?;
            } else if !self.refresh_file(&db, *id)? {
                return Ok(None);
            }
        }
        self.count();
        (self.looked_ns, self.generation, self.version) = (looked_ns(&db)?, now, version);
        Ok(Some(edited.iter().filter(|id| **id != generation::WATCHED).count()))
    }

    fn refresh_file(&mut self, db: &Connection, id: i64) -> rusqlite::Result<bool> {
        let Some(place) = self.by_id.get(&id).copied() else { return Ok(false) };
        let at = place as usize;
        let mut statement = db.prepare_cached(&format!("SELECT {FILE} FROM files WHERE id = ?1"))?;
        let mut rows = statement.query([id])?;
        let Some(row) = rows.next()? else { return Ok(false) };
        let mut new = file(row)?;
        for gone in self.chunks.iter_mut().filter(|chunk| chunk.0 == place) {
            self.alive -= 1;
            self.total -= u64::from(gone.1);
            self.lengths[at] -= u64::from(gone.1);
            *gone = (GONE, 0);
        }
        self.put_chunks(place, row.get_ref(LENGTHS)?.as_blob().unwrap_or_default());
        let places = |sql: &str| -> rusqlite::Result<Vec<u32>> {
            let mut statement = db.prepare_cached(sql)?;
            let ids = statement.query_map([id], |r| r.get::<_, i64>(0))?;
            ids.filter_map(|id| id.map(|id| self.by_id.get(&id).copied()).transpose()).collect()
        };
        new.imports = places("SELECT DISTINCT imported FROM edges WHERE importer = ?1 ORDER BY 1")?;
        new.passes_on = if passes_on_all(&new) {
            new.imports.clone()
        } else {
            places(&format!("SELECT DISTINCT e.imported FROM {PASSING} AND i.file = ?1 ORDER BY 1"))?
        };
        new.imported_by = std::mem::take(&mut self.files[at].imported_by);
        let old = std::mem::replace(&mut self.files[at], new);
        for to in old.imports {
            self.files[to as usize].imported_by.retain(|from| *from != place);
        }
        for to in self.files[at].imports.clone() {
            let mut by = std::mem::take(&mut self.files[to as usize].imported_by);
            // In order of their numbers, as they are read.
            let before = by.partition_point(|from| self.files[*from as usize].id < id);
            by.insert(before, place);
            self.files[to as usize].imported_by = by;
        }
        Ok(true)
    }

    fn put_chunks(&mut self, place: u32, lengths: &[u8]) {
        postings::read_lengths(lengths, |chunk, length| {
            let Ok(chunk) = u32::try_from(chunk) else { return };
            let chunk = chunk as usize;
            if chunk >= self.chunks.len() {
                self.chunks.resize(chunk + 1, (GONE, 0));
            }
            if self.chunks[chunk].0 == GONE {
                self.chunks[chunk] = (place, length);
                self.alive += 1;
                self.total += u64::from(length);
                self.lengths[place as usize] += u64::from(length);
            }
        });
    }

    /// Recomputes the totals over all files.
    fn count(&mut self) {
        for file in &mut self.files {
            file.importers = u32::try_from(file.imported_by.len()).unwrap_or(u32::MAX);
        }
        let linked = self.files.iter().filter(|file| resolve::is_linked(&file.language));
        self.most_importers = linked.map(|file| file.importers).max().unwrap_or(0);
        self.mean_length = (self.total as f64 / f64::from(self.alive.max(1))).max(1.0);
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

    /// The lengths of a file's chunks together.
    pub(super) fn length(&self, place: u32) -> u64 {
        self.lengths.get(place as usize).copied().unwrap_or(0)
    }

    /// A chunk's file and length, if it is there.
    #[inline]
    pub(super) fn chunk(&self, chunk: u32) -> Option<(u32, u32)> {
        self.chunks.get(chunk as usize).copied().filter(|(file, _)| *file != GONE)
    }

    /// The files with a chunk that has `word`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn files_with(&self, store: &Store, word: &str) -> Result<std::collections::HashSet<usize>> {
        let mut found = self.files_with_each(store, &[word.to_owned()])?;
        Ok(found.pop().unwrap_or_default())
    }

    /// The same for each of several words.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn files_with_each(
        &self,
        store: &Store,
        words: &[String],
    ) -> Result<Vec<std::collections::HashSet<usize>>> {
        let files = |found: &Matches| {
            let chunks = found.list.iter().filter_map(|(chunk, _)| self.chunk(*chunk));
            chunks.map(|(file, _)| file as usize).collect()
        };
        Ok(self.matches(store, words)?.iter().map(files).collect())
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

/// A file without what it has to do with others.
fn file(row: &Row<'_>) -> rusqlite::Result<File> {
    Ok(File {
        id: row.get(0)?,
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
    })
}

/// A Python module re-exports everything it imports, and what a file of C includes is part of whatever includes that file.
fn passes_on_all(file: &File) -> bool {
    matches!(file.language.as_str(), "python" | "c" | "cpp")
}

fn looked_ns(db: &Connection) -> rusqlite::Result<i64> {
    let told: Option<String> = db
        .prepare_cached("SELECT value FROM facts WHERE name = 'looked_ns'")?
        .query_row([], |r| r.get(0))
        .optional()?;
    Ok(told.and_then(|ns| ns.parse().ok()).unwrap_or(0))
}

/// The words of a file's name, and of its folders.
pub(super) fn split_path(path: &str) -> (Vec<String>, Vec<String>) {
    let (stem, folders): (Vec<_>, Vec<_>) =
        path_words(path).into_iter().partition(|(_, weight)| *weight == 2);
    let names = |list: Vec<(String, u8)>| list.into_iter().map(|(word, _)| word).collect();
    (names(stem), names(folders))
}
