//! The local store: `memory.db`, SQLite in WAL mode, shared by every sidecar and the desktop.
//!
//! Owns opening it, and turning outcomes of transactions into results and errors. `home` owns opening, migrating,
//! checking after a kill and salvaging, as for every database.

mod composed_names;
mod condition;
mod entities;
mod erase;
mod file_renames;
mod forget;
mod graph;
mod graph_load;
mod history;
mod hook_walk;
mod identities;
mod lists;
mod matching;
mod org_exchange;
mod postings;
mod prompts;
mod record_import;
mod records;
mod redacted_keys;
mod row_range;
mod rows;
mod schema;
mod vectors;
mod window_queries;
mod write;

#[cfg(test)]
mod hook_tests;

use std::path::{Path, PathBuf};

use home::{Db, Salvaged};
use rusqlite::{Connection, OptionalExtension};

pub use forget::SavedCounts;
pub(in crate::store) use history::{step, word};
pub use org_exchange::Adoption;
pub use schema::{MIGRATIONS, NEWEST};
pub use vectors::{MissingVector, VectorCount};
use write::Outcome;
pub(in crate::store) use write::{after, fresh_id, thread};

use super::error::{Result, StoreError};
use super::store_trait::{
    Actor, CaptureResult, Effort, HistoryEntry, Matches, MemoryPage, NearMatch, Page, QueryVector,
    Statistics, Store, Term,
};
use super::validation::{NewChange, NewMemory};
use crate::domain::{Link, LinkKind, Memory, Record, RecordKind, Status};
use crate::query::{ProjectKeys, Scope, Selection};

/// The number of memories that a project sees among which a hook looks for the newest.
const HOOK_LOOKS_AMONG: i64 = 20_000;

/// The local store.
#[derive(Debug)]
pub struct SqliteStore {
    db: Db,
    path: PathBuf,
}

impl SqliteStore {
    /// Opens the database at `path`; creates it and its tables if needed.
    ///
    /// # Errors
    /// Those of [`home::open_db`]: a newer schema, damage that can't be salvaged, a full disk, busy.
    pub fn open(path: &Path) -> Result<Self> {
        let store = Self::prepared(home::open_db(path, MIGRATIONS)?, path)?;
        store.finish_erasures();
        Ok(store)
    }

    /// The same for a hook, which is ended after a moment: checking a file whose last user was ended, building its index again,
    /// and overwriting what another process deleted, is left to whoever has the time to read or write the whole file. A hook
    /// would be ended before that is done, each time, and what it's about to store be lost.
    ///
    /// # Errors
    /// Those of [`home::open_db_unchecked`].
    pub(crate) fn open_for_hook(path: &Path) -> Result<Self> {
        let mut store = Self::around(home::open_db_unchecked(path, MIGRATIONS)?, path);
        if !store.has_whole_index() {
            home::write(&mut store.db, |db| postings::plan_rebuild(db))?;
        }
        store.convert_earlier();
        Ok(store)
    }

    fn prepared(db: Db, path: &Path) -> Result<Self> {
        let mut store = Self::around(db, path);
        // Salvaging restores tables but not postings.
        let is_salvaged = store.db.salvaged().is_some();
        if is_salvaged || !store.has_whole_index() {
            log::warn!("{}: the search index does not match its memories and is built again", path.display());
            // Somebody else may have built it while this process waited for the file.
            home::write(&mut store.db, |db| match postings::is_complete(db) {
                Ok(true) if !is_salvaged => Ok(0),
                _ => postings::rebuild(db),
            })?;
        }
        store.convert_earlier();
        Ok(store)
    }

    /// What is done once to what an earlier version stored.
    fn convert_earlier(&mut self) {
        self.redact_keys();
        self.compose_stored_names();
    }

    /// Whether every memory is in the search index. None of the older ones is after a process was ended between salvaging the
    /// file and building the index; a damaged index counts as incomplete.
    pub(crate) fn has_whole_index(&self) -> bool {
        postings::is_complete(&self.db).unwrap_or(false)
    }

    /// Opens an existing database for one answer, also where nothing can be written; `None` if there is none, or one without
    /// its tables yet.
    ///
    /// # Errors
    /// Those of [`home::open_db_briefly`].
    pub fn open_read_only(path: &Path) -> Result<Option<Self>> {
        let Some(db) = home::open_db_briefly(path, NEWEST)? else { return Ok(None) };
        // An agent's calls come at once: another one may just be making it.
        Ok(if db.has_tables()? { Some(Self::around(db, path)) } else { None })
    }

    /// Answers every question from now on from one view of the database, until the store is dropped. Saves the locks
    /// around each question; a prompt asks two dozen; and whoever reads page by page neither misses nor repeats one. Not for
    /// long: an open view keeps the log from being shortened.
    ///
    /// # Errors
    /// If the database can't be read.
    pub(crate) fn hold_view(&self) -> Result<()> {
        self.look(|db| db.execute_batch("BEGIN"))
    }

    fn around(db: Db, path: &Path) -> Self {
        db.set_prepared_statement_cache_capacity(64);
        Self { db, path: path.to_owned() }
    }

    /// The newest memories of a selection since a moment, for a hook: it looks at the newest that the scope sees only,
    /// whatever other projects have, and counts none.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) fn newest(&self, selection: &Selection, since_ms: i64, most: usize) -> Result<Vec<Memory>> {
        self.look(|db| lists::newest(db, selection, since_ms, (most, HOOK_LOOKS_AMONG)))
    }

    /// Where the memories of these projects come from that were read from files of a repository below this folder, whatever
    /// became of them.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) fn sources_below(&self, projects: &ProjectKeys, folder: &str) -> Result<Vec<String>> {
        self.look(|db| lists::sources_below(db, projects, folder))
    }

    /// The path of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was salvaged, if opening found the file damaged.
    pub fn salvaged(&self) -> Option<&Salvaged> {
        self.db.salvaged()
    }

    /// Captures many memories, all or none: much faster than one by one.
    ///
    /// # Errors
    /// Those of [`Store::capture`].
    pub fn capture_all(&mut self, all: &[(NewMemory, Actor)]) -> Result<Vec<CaptureResult>> {
        let done = self.change("", None, |db| write::capture_all(db, all))?;
        let captured = |((memory, duplicate), (new, _)): ((Memory, bool), &(NewMemory, Actor))| {
            CaptureResult { memory, duplicate, redacted: new.redacted() }
        };
        Ok(done.into_iter().zip(all).map(captured).collect())
    }

    /// The latest memory with the same text in the same scope, in any namespace, with its state; `None` if there is none
    /// or it was purged.
    ///
    /// # Errors
    /// If the store fails.
    pub fn with_same_text(&self, new: &NewMemory) -> Result<Option<(String, Status)>> {
        let draft = new.draft();
        let found: Option<(String, String)> = self.look(|db| {
            db.prepare_cached(
                "SELECT id, status FROM memories WHERE hash = ?1 AND domain = ?2 AND (domain <> 'project' OR project IS ?3)
                 ORDER BY row DESC LIMIT 1",
            )?
            .query_row((new.hash(), draft.domain.as_str(), &draft.project), |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()
        })?;
        Ok(found.and_then(|(id, word)| Some((id, Status::from_name(&word)?))))
    }

    /// Limits the file to `pages` pages, so that a test can fill the disk.
    #[doc(hidden)]
    pub fn limit_pages_for_test(&self, pages: u32) {
        let _ = self.db.pragma_update(None, "max_page_count", pages);
    }

    fn look<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.db).map_err(|source| {
            let error = StoreError::Sqlite { path: self.path.clone(), source };
            if error.is_damage() {
                // The next open checks and salvages it.
                home::mark_damaged(&self.path);
            }
            error
        })
    }

    fn change<T>(
        &mut self,
        id: &str,
        expected: Option<u32>,
        work: impl FnOnce(&Connection) -> rusqlite::Result<Outcome<T>>,
    ) -> Result<T> {
        match home::write(&mut self.db, |transaction| work(transaction))? {
            Outcome::Done(done) => Ok(done),
            Outcome::Unknown(id) => Err(StoreError::NotFound(id)),
            Outcome::Forgotten => Err(StoreError::Forgotten(id.to_owned())),
            Outcome::Changed { found } => {
                Err(StoreError::Changed { id: id.to_owned(), expected: expected.unwrap_or_default(), found })
            }
        }
    }

    fn row_of(&self, id: &str) -> Result<(i64, Memory)> {
        self.look(|db| rows::by_id(db, id))?.ok_or_else(|| StoreError::NotFound(id.to_owned()))
    }
}

impl Store for SqliteStore {
    fn capture(&mut self, new: &NewMemory, who: &Actor) -> Result<CaptureResult> {
        let (memory, duplicate) = self.change("", None, |db| write::capture(db, new, who))?;
        Ok(CaptureResult { memory, duplicate, redacted: new.redacted() })
    }

    fn get(&self, id: &str) -> Result<Option<Memory>> {
        Ok(self.look(|db| rows::by_id(db, id))?.map(|(_, memory)| memory))
    }

    fn ids(&self, beginning: &str, limit: usize) -> Result<Vec<String>> {
        self.look(|db| {
            // Ids are hexadecimal, so all ids with this prefix sort before the prefix followed by `g`.
            db.prepare_cached(
                "SELECT id FROM memories WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id LIMIT ?2",
            )?
            .query_map((beginning, limit), |r| r.get(0))?
            .collect()
        })
    }

    fn update(&mut self, id: &str, change: &NewChange, who: &Actor) -> Result<Memory> {
        let expected = change.change().expected;
        self.change(id, expected, |db| write::update(db, id, change, who))
    }

    fn set_status(&mut self, id: &str, status: Status, who: &Actor) -> Result<Memory> {
        self.change(id, None, |db| write::set_status(db, id, status, who))
    }

    fn purge(&mut self, id: &str) -> Result<()> {
        match self.purge_all(std::slice::from_ref(&id.to_owned()))? {
            0 => Err(StoreError::NotFound(id.to_owned())),
            _ => Ok(()),
        }
    }

    fn history(&self, id: &str, limit: usize) -> Result<Vec<HistoryEntry>> {
        let (row, memory) = self.row_of(id)?;
        self.look(|db| history::of(db, row, memory, limit))
    }

    fn link(&mut self, from: &str, to: &str, kind: LinkKind, who: &Actor) -> Result<()> {
        if from == to {
            return Err(StoreError::Itself(from.to_owned()));
        }
        self.change(from, None, |db| write::link(db, from, to, kind, who))
    }

    fn links(&self, id: &str) -> Result<Vec<Link>> {
        self.look(|db| {
            let row: Option<i64> =
                db.query_row("SELECT row FROM memories WHERE id = ?1", [id], |r| r.get(0)).optional()?;
            let Some(row) = row else { return Ok(Vec::new()) };
            db.prepare_cached(
                "SELECT a.id, b.id, l.kind, l.at_ms FROM links l JOIN memories a ON a.row = l.source
                 JOIN memories b ON b.row = l.target WHERE l.source = ?1 OR l.target = ?1 ORDER BY l.number",
            )?
            .query_map([row], |r| {
                let kind = LinkKind::from_name(r.get_ref(2)?.as_str()?).unwrap_or(LinkKind::RelatesTo);
                Ok(Link { from: r.get(0)?, to: r.get(1)?, kind, at_ms: r.get(3)? })
            })?
            .collect()
        })
    }

    fn list(&self, selection: &Selection, page: Page) -> Result<MemoryPage> {
        self.look(|db| lists::list(db, selection, page))
    }

    fn matches(&self, selection: &Selection, terms: &[Term], effort: Effort) -> Result<Matches> {
        self.look(|db| matching::matches(db, selection, terms, effort))
    }

    fn nearest(&self, selection: &Selection, meaning: &QueryVector) -> Result<Vec<NearMatch>> {
        self.look(|db| vectors::nearest(db, selection, meaning))
    }

    fn containing(
        &self,
        selection: &Selection,
        patterns: &[String],
        bounds: (usize, usize),
    ) -> Result<Vec<(i64, Memory)>> {
        self.look(|db| lists::containing(db, selection, patterns, bounds))
    }

    fn read(&self, keys: &[i64]) -> Result<Vec<(i64, Memory)>> {
        self.look(|db| rows::by_rows(db, keys))
    }

    fn aliases_of(&self, scope: &Scope, word: &str) -> Result<Vec<String>> {
        self.look(|db| entities::aliases_of(db, scope, word))
    }

    fn ids_mentioning(&self, scope: &Scope, names: &[String], limit: usize) -> Result<Vec<String>> {
        self.mentioning(scope, names, limit)
    }

    fn put_records(&mut self, records: &[Record]) -> Result<u64> {
        self.apply_records(records)
    }

    fn records(&self, place: &str, kind: RecordKind) -> Result<Vec<Record>> {
        self.records_of(place, kind)
    }

    fn statistics(&self, selection: &Selection) -> Result<Statistics> {
        self.look(|db| lists::statistics(db, selection))
    }

    fn reindex(&mut self) -> Result<u64> {
        Ok(home::write(&mut self.db, |transaction| postings::rebuild(transaction))?)
    }
}
