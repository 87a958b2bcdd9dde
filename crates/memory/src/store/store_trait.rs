//! The trait for stores, with its result types.

use serde::{Deserialize, Serialize};

use super::error::Result;
use super::validation::{NewChange, NewMemory};
use crate::domain::{Link, LinkKind, Memory, Record, RecordKind, Status, Trust};
use crate::query::{Scope, Selection};

/// Who did something, and when.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Actor {
    /// When (ms since the epoch).
    pub at_ms: i64,
    /// The agent; `None` for the user at the terminal or in the window.
    pub client: Option<String>,
    /// The session.
    pub session: Option<String>,
}

impl Actor {
    /// The user, at this time.
    pub fn local_user(at_ms: i64) -> Self {
        Self { at_ms, ..Self::default() }
    }

    /// How far to trust their words.
    pub fn trust(&self) -> Trust {
        if self.client.is_some() { Trust::Agent } else { Trust::User }
    }
}

/// The result of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureResult {
    /// The memory: the new one, or the existing one.
    pub memory: Memory,
    /// Whether the same text was there already, so that nothing was stored.
    pub duplicate: bool,
    /// Whether a secret was redacted.
    pub redacted: bool,
}

/// The kind of a change to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It was captured.
    Captured,
    /// Content, tags or another field were changed.
    Updated,
    /// It was archived.
    Archived,
    /// Another memory replaced it.
    Superseded,
    /// It was deleted.
    Deleted,
    /// It was restored, or kept after a review.
    Restored,
}

/// A change in a memory's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The version after the change.
    pub version: u32,
    /// The kind of change.
    pub what: ChangeKind,
    /// Who changed it, and when.
    pub who: Actor,
    /// The text after the change.
    pub content: String,
    /// The tags after the change.
    pub tags: Vec<String>,
}

/// A page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The number of entries to skip.
    pub offset: usize,
    /// Maximum number of entries.
    pub limit: usize,
}

/// A page of a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryPage {
    /// The memories.
    pub memories: Vec<Memory>,
    /// The number of memories on all pages.
    pub total: u64,
}

/// A search term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The typed part, with its words.
    pub part: ranking::Part,
    /// Other forms of the word (`went` for `go`).
    pub forms: Vec<String>,
}

/// A memory that matches some of the terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The store's number for it; later captures have larger ones.
    pub key: i64,
    /// Its thread: one session of one project. `None` without a session.
    pub thread: Option<i64>,
    /// How well each term matches its own text, 0 for not at all.
    pub own: Vec<f64>,
    /// How well each term matches what was captured just before and after it.
    pub around: Vec<f64>,
}

/// How thorough a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// As thorough as a caller has time for.
    #[default]
    Usual,
    /// As thorough as a hook has time for: common words are ignored, and only sure matches are wanted.
    Quick,
}

/// The matches, unordered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matches {
    /// The matches. A term that nearly every memory contains adds none if other terms do.
    pub all: Vec<Match>,
    /// The number of memories that contain each term.
    pub with: Vec<u64>,
    /// The approximate number of memories.
    pub of: u64,
}

/// A question's vector.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    /// The model; vectors of other models aren't comparable.
    pub model: String,
    /// The vector, of length 1.
    pub vector: Vec<f32>,
}

/// A memory's vector similarity to a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearMatch {
    /// The store's number for it, see [`Match::key`].
    pub key: i64,
    /// The cosine, −1 to 1.
    pub cosine: f64,
}

/// A near duplicate.
#[derive(Debug, Clone, PartialEq)]
pub struct Similar {
    /// The memory.
    pub memory: Memory,
    /// The similarity, 0 to 1.
    pub likeness: f64,
}

/// The figures of a selection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The number of selected memories.
    pub total: u64,
    /// By namespace, largest first.
    pub namespaces: Vec<(String, u64)>,
    /// By status, for everything in scope.
    pub statuses: Vec<(Status, u64)>,
    /// By tag, most frequent first, at most 20.
    pub tags: Vec<(String, u64)>,
    /// The tags of the latest captures, at most 10.
    pub recent_topics: Vec<String>,
}

/// The result of a purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Done {
    /// The number of memories.
    pub memories: u64,
}

/// A store of memories. Methods that take `&self` don't write.
pub trait Store {
    /// Stores a memory, or returns the existing one with the same text in the same scope. The memories in
    /// `supersedes` become superseded.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](super::StoreError::NotFound) for an unknown id in `supersedes`, or if the store
    /// fails.
    fn capture(&mut self, new: &NewMemory, who: &Actor) -> Result<CaptureResult>;

    /// The memory with exactly this id, whatever its state.
    ///
    /// # Errors
    /// If the store fails.
    fn get(&self, id: &str) -> Result<Option<Memory>>;

    /// Ids with this prefix, at most `limit`.
    ///
    /// # Errors
    /// If the store fails.
    fn ids(&self, beginning: &str, limit: usize) -> Result<Vec<String>>;

    /// Changes a memory; its history keeps the old text.
    ///
    /// # Errors
    /// `NotFound`, `Forgotten`, `Changed`, or if the store fails.
    fn update(&mut self, id: &str, change: &NewChange, who: &Actor) -> Result<Memory>;

    /// Sets a memory's status. Setting the current status changes nothing.
    ///
    /// # Errors
    /// `NotFound`, or if the store fails.
    fn set_status(&mut self, id: &str, status: Status, who: &Actor) -> Result<Memory>;

    /// Removes a memory permanently, with its history, links and postings.
    ///
    /// # Errors
    /// `NotFound`, or if the store fails.
    fn purge(&mut self, id: &str) -> Result<()>;

    /// A memory's changes, latest first, at most `limit`.
    ///
    /// # Errors
    /// `NotFound`, or if the store fails.
    fn history(&self, id: &str, limit: usize) -> Result<Vec<HistoryEntry>>;

    /// Links two memories; repeating it changes nothing. A superseded memory is no longer found by default.
    ///
    /// # Errors
    /// `NotFound`, `Itself`, or if the store fails.
    fn link(&mut self, from: &str, to: &str, kind: LinkKind, who: &Actor) -> Result<()>;

    /// The links from and to a memory, oldest first.
    ///
    /// # Errors
    /// If the store fails.
    fn links(&self, id: &str) -> Result<Vec<Link>>;

    /// The selected memories, newest first.
    ///
    /// # Errors
    /// If the store fails.
    fn list(&self, selection: &Selection, page: Page) -> Result<MemoryPage>;

    /// The selected memories that match some of these terms.
    ///
    /// # Errors
    /// If the store fails.
    fn matches(&self, selection: &Selection, terms: &[Term], effort: Effort) -> Result<Matches>;

    /// The selected memories with a vector of this model, unordered; none in a store without vectors. A store may leave out
    /// those that are far.
    ///
    /// # Errors
    /// If the store fails.
    fn nearest(&self, _: &Selection, _: &QueryVector) -> Result<Vec<NearMatch>> {
        Ok(Vec::new())
    }

    /// The newest selected memories whose text is like one of these (`%` stands for anything, `_` for a character), at most
    /// the first number, among the newest of each of the selection's projects, as many as the second. None in a store that
    /// keeps no texts at hand.
    ///
    /// # Errors
    /// If the store fails.
    fn containing(
        &self,
        _: &Selection,
        _patterns: &[String],
        _bounds: (usize, usize),
    ) -> Result<Vec<(i64, Memory)>> {
        Ok(Vec::new())
    }

    /// The memories for [`Match::key`]s, in that order; deleted ones are left out.
    ///
    /// # Errors
    /// If the store fails.
    fn read(&self, keys: &[i64]) -> Result<Vec<(i64, Memory)>>;

    /// The aliases, lower-cased, of the entity with this name that `scope` sees.
    ///
    /// # Errors
    /// If the store fails.
    fn aliases_of(&self, scope: &Scope, word: &str) -> Result<Vec<String>>;

    /// Ids of memories in any state that mention one of these names or entities, newest first, at most `limit`.
    ///
    /// # Errors
    /// If the store fails.
    fn ids_mentioning(&self, scope: &Scope, names: &[String], limit: usize) -> Result<Vec<String>>;

    /// Applies records from elsewhere, all or none: of each key the latest wins. Returns how many were applied.
    ///
    /// # Errors
    /// If the store fails.
    fn put_records(&mut self, records: &[Record]) -> Result<u64>;

    /// The records of a scope, including deleted ones, by key.
    ///
    /// # Errors
    /// If the store fails.
    fn records(&self, place: &str, kind: RecordKind) -> Result<Vec<Record>>;

    /// The figures of the selection.
    ///
    /// # Errors
    /// If the store fails.
    fn statistics(&self, selection: &Selection) -> Result<Statistics>;

    /// Rebuilds everything that is derived from the memories; returns their number.
    ///
    /// # Errors
    /// If the store fails.
    fn reindex(&mut self) -> Result<u64>;
}
