//! The trait that every store fulfils, and the types of its answers.

use serde::{Deserialize, Serialize};

use super::check::{NewChange, NewMemory};
use super::error::Result;
use crate::domain::{Link, LinkKind, Memory, Record, RecordKind, Status};
use crate::query::{Scope, Selection};

/// Who did something, and when.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Who {
    /// When (ms since the epoch).
    pub at_ms: i64,
    /// The agent, or `None` for the person at the terminal or in the window.
    pub client: Option<String>,
    /// The session.
    pub session: Option<String>,
}

impl Who {
    /// The person, at this time.
    pub fn person(at_ms: i64) -> Self {
        Self { at_ms, ..Self::default() }
    }
}

/// What came of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The memory: the new one, or the one that was already there.
    pub memory: Memory,
    /// The same text was there already; nothing was stored.
    pub duplicate: bool,
    /// A secret was taken out.
    pub redacted: bool,
}

/// What was done to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// It was captured.
    Captured,
    /// Content, tags or another field were changed.
    Updated,
    /// It was put away.
    Archived,
    /// Another one took its place.
    Superseded,
    /// It was deleted.
    Deleted,
    /// It was brought back, or kept after a review.
    Restored,
}

/// A step in a memory's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The version after this step.
    pub version: u32,
    /// What was done.
    pub what: What,
    /// By whom, when.
    pub who: Who,
    /// What it said after this step.
    pub content: String,
    /// Its tags after this step.
    pub tags: Vec<String>,
}

/// A stretch of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// So many are left out.
    pub offset: usize,
    /// So many come at the most.
    pub limit: usize,
}

/// A stretch of a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// The memories.
    pub memories: Vec<Memory>,
    /// How many there are on all pages.
    pub total: u64,
}

/// One thing that is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// As it was typed, with the words in it.
    pub part: ranking::Part,
    /// Words that mean the same (`went` for `go`).
    pub forms: Vec<String>,
}

/// A memory that has some of the terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The store's own number for it, larger for what was captured later.
    pub key: i64,
    /// The thread it belongs to: one session of one project. `None` without a session.
    pub thread: Option<i64>,
    /// How well each term fits its own text, 0 for not at all.
    pub own: Vec<f64>,
    /// How well each term fits what was captured just before and after.
    pub around: Vec<f64>,
}

/// How much is looked at to find what fits best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// As much as somebody who asked waits for.
    #[default]
    Usual,
    /// As much as fits into a hook: what is in many memories says little, and only what is sure is wanted.
    Quick,
}

/// What has some of the terms, in no order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matches {
    /// The memories. Terms that stand nearly everywhere don't bring any of their own when others do.
    pub all: Vec<Match>,
    /// In how many memories each term is.
    pub with: Vec<u64>,
    /// How many memories there are, about.
    pub of: u64,
}

/// What a question means, as one model says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    /// The model; vectors of another one say nothing beside it.
    pub model: String,
    /// The vector, of length 1.
    pub vector: Vec<f32>,
}

/// A memory that has a vector, with the cosine of the angle between it and a question's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The store's own number for it, as in [`Match::key`].
    pub key: i64,
    /// −1 to 1.
    pub cosine: f64,
}

/// A memory that says nearly the same as a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Similar {
    /// The memory.
    pub memory: Memory,
    /// How alike, 0 to 1.
    pub likeness: f64,
}

/// What there is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Memories of the selection.
    pub total: u64,
    /// By namespace, the largest first.
    pub namespaces: Vec<(String, u64)>,
    /// By status, of everything in the scope.
    pub statuses: Vec<(Status, u64)>,
    /// By tag, the most frequent first, at most 20.
    pub tags: Vec<(String, u64)>,
    /// Tags of what was captured last, at most 10.
    pub recent_topics: Vec<String>,
}

/// What was purged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Done {
    /// So many memories.
    pub memories: u64,
}

/// A store of memories. Nothing that takes `&self` writes.
pub trait Store {
    /// Stores a memory, or finds the one that says the same in the same place. What it supersedes is superseded.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](super::StoreError::NotFound) for an unknown id in `supersedes`, or when the store fails.
    fn capture(&mut self, new: &NewMemory, who: &Who) -> Result<Captured>;

    /// The memory with exactly this id, whatever became of it.
    ///
    /// # Errors
    /// When the store fails.
    fn get(&self, id: &str) -> Result<Option<Memory>>;

    /// Ids that begin with this, at most `limit`.
    ///
    /// # Errors
    /// When the store fails.
    fn ids(&self, beginning: &str, limit: usize) -> Result<Vec<String>>;

    /// Changes a memory; what it said before stays in its history.
    ///
    /// # Errors
    /// `NotFound`, `Forgotten`, `Changed`, or when the store fails.
    fn update(&mut self, id: &str, change: &NewChange, who: &Who) -> Result<Memory>;

    /// Moves a memory to another state. The state it is in already is no error and no step of its history.
    ///
    /// # Errors
    /// `NotFound`, or when the store fails.
    fn set_status(&mut self, id: &str, status: Status, who: &Who) -> Result<Memory>;

    /// Removes a memory with its history, links and postings, for good.
    ///
    /// # Errors
    /// `NotFound`, or when the store fails.
    fn purge(&mut self, id: &str) -> Result<()>;

    /// What was done to a memory, the last first, at most `limit`.
    ///
    /// # Errors
    /// `NotFound`, or when the store fails.
    fn history(&self, id: &str, limit: usize) -> Result<Vec<HistoryEntry>>;

    /// Links two memories; twice is once. One that is superseded by it leaves what is found by default.
    ///
    /// # Errors
    /// `NotFound`, `Itself`, or when the store fails.
    fn link(&mut self, from: &str, to: &str, kind: LinkKind, who: &Who) -> Result<()>;

    /// The links from and to a memory, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    fn links(&self, id: &str) -> Result<Vec<Link>>;

    /// What is selected, newest first.
    ///
    /// # Errors
    /// When the store fails.
    fn list(&self, selection: &Selection, page: Page) -> Result<Listed>;

    /// What of the selection has some of these terms.
    ///
    /// # Errors
    /// When the store fails.
    fn matches(&self, selection: &Selection, terms: &[Term], effort: Effort) -> Result<Matches>;

    /// What of the selection has a vector of this model, in no order; nothing in a store that keeps none.
    ///
    /// # Errors
    /// When the store fails.
    fn nearest(&self, _: &Selection, _: &Meaning) -> Result<Vec<Near>> {
        Ok(Vec::new())
    }

    /// The memories behind [`Match::key`]s, in that order; what is gone meanwhile is left out.
    ///
    /// # Errors
    /// When the store fails.
    fn read(&self, keys: &[i64]) -> Result<Vec<(i64, Memory)>>;

    /// Other names, lower-cased, of the entity that is called by this word where `scope` sees it.
    ///
    /// # Errors
    /// When the store fails.
    fn also_called(&self, scope: &Scope, word: &str) -> Result<Vec<String>>;

    /// Ids of memories that speak of one of these names or entities, the newest first, at most `limit`; whatever their state.
    ///
    /// # Errors
    /// When the store fails.
    fn speaking_of(&self, scope: &Scope, names: &[String], limit: usize) -> Result<Vec<String>>;

    /// Takes over what was changed elsewhere beside memories, all of it or nothing: of each key what was said last counts. How many
    /// there were that counted.
    ///
    /// # Errors
    /// When the store fails.
    fn put_records(&mut self, records: &[Record]) -> Result<u64>;

    /// What a place has beside memories, deleted or not, by key.
    ///
    /// # Errors
    /// When the store fails.
    fn records(&self, place: &str, kind: RecordKind) -> Result<Vec<Record>>;

    /// Counts of the selection.
    ///
    /// # Errors
    /// When the store fails.
    fn statistics(&self, selection: &Selection) -> Result<Statistics>;

    /// Builds whatever is derived from the memories again; how many there are.
    ///
    /// # Errors
    /// When the store fails.
    fn reindex(&mut self) -> Result<u64>;
}
