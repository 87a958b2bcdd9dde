//! The knowledge base as the window shows it: projects, sources, sections, hits, trash.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Error, Kind};

/// A project with a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectView {
    /// Its folder; `None` for what was stored outside every project.
    pub root: Option<PathBuf>,
    /// What people call it.
    pub name: String,
    /// What the commands want as `project`.
    pub key: String,
    /// The folder is still there.
    pub exists: bool,
    /// How many sources.
    pub sources: u64,
    /// How many sections.
    pub chunks: u64,
    /// Bytes of text.
    pub text_bytes: u64,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// When something was last stored.
    pub last_ms: i64,
    /// Why it cannot be read.
    pub problem: Option<Error>,
}

/// One project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectRef {
    /// Its key, as in [`ProjectView`].
    pub project: String,
}

/// Where a source came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SourceKind {
    /// A file.
    File,
    /// A folder with its files.
    Folder,
    /// A web page.
    Web,
    /// Text that an agent or person passed in.
    Text,
    /// What a command printed.
    Output,
}

/// By what sources are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SourceOrder {
    /// Newest first.
    #[default]
    Newest,
    /// By name.
    Name,
    /// Largest first.
    Size,
    /// Used last first, then never used.
    Used,
}

/// Stands for every project, in the place of a key.
pub const EVERY_PROJECT: &str = "*";

/// Which sources are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SourcesQuery {
    /// The project's key, or `*`.
    pub project: String,
    /// Only those whose name contains this, whatever the case, and folders with such a file.
    pub contains: Option<String>,
    /// Only those of this kind.
    pub kind: Option<SourceKind>,
    /// Order. The files of an unfolded folder follow it by name.
    #[serde(default)]
    pub order: SourceOrder,
    /// Folders whose files are wanted as well.
    #[serde(default)]
    pub unfolded: Vec<DeleteSource>,
    /// How many to pass over.
    #[serde(default)]
    pub offset: usize,
    /// How many; at most 1,000.
    pub limit: usize,
}

/// A source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceRow {
    /// The key of its project.
    pub project: String,
    /// Its number in that project.
    pub id: i64,
    /// Its name.
    pub label: String,
    /// Its first heading, where it has any.
    pub title: Option<String>,
    /// The folder that it was found in.
    pub folder: Option<i64>,
    /// Where it came from.
    pub kind: SourceKind,
    /// The file, folder or address behind it.
    pub origin: Option<String>,
    /// The agent that stored it.
    pub agent: Option<String>,
    /// The session that stored it.
    pub session: Option<String>,
    /// Files of a folder; 0 for others.
    pub files: u64,
    /// How many sections.
    pub chunks: u64,
    /// How many of them hold code.
    pub code_chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// When it was stored.
    pub indexed_ms: i64,
    /// When a search of an agent or at the command line last showed something of it, to within an hour; none before.
    pub used_ms: Option<i64>,
}

/// A piece of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourcesPage {
    /// This piece.
    pub rows: Vec<SourceRow>,
    /// How many there are altogether.
    pub total: u64,
}

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SearchQuery {
    /// The project's key, or `*`.
    pub project: String,
    /// The words.
    pub query: String,
    /// Only in sources whose name contains this.
    pub source: Option<String>,
    /// Only sections with code, or only without.
    pub kind: Option<Kind>,
    /// Newest first instead of best first.
    #[serde(default)]
    pub newest: bool,
    /// How many to pass over.
    #[serde(default)]
    pub offset: usize,
    /// How many; at most 100.
    pub limit: usize,
}

/// One find.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchHit {
    /// The key of its project.
    pub project: String,
    /// The section's number.
    pub section: i64,
    /// Its source's number.
    pub source_id: i64,
    /// Its source's name.
    pub source: String,
    /// Where the source came from.
    pub kind: SourceKind,
    /// The headings above it, joined by ` › `.
    pub title: String,
    /// A window around the matches.
    pub snippet: String,
    /// Where the matches are in the snippet: pairs of begin and end, in UTF-16 units as JavaScript counts.
    pub marks: Vec<(u32, u32)>,
    /// Whether it holds code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
    /// When the source was stored.
    pub indexed_ms: i64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchPage {
    /// This piece.
    pub hits: Vec<SearchHit>,
    /// How many sections match; at 10,000 counting stops.
    pub total: u64,
    /// How many sections were searched.
    pub of_chunks: u64,
    /// The words that were searched for instead, because nothing matched the ones given.
    pub corrected: Option<String>,
    /// Not every word is in every hit.
    pub relaxed: bool,
    /// How long it took, in microseconds.
    pub elapsed_us: u64,
}

/// Which source to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ReadSource {
    /// The project's key.
    pub project: String,
    /// The source's number.
    pub source: i64,
    /// Sections to pass over.
    #[serde(default)]
    pub offset: usize,
    /// How many sections; at most 200.
    pub limit: usize,
    /// Begin at the piece with this section, whatever the offset.
    pub around: Option<i64>,
}

/// A section of a source. Its text was written by others and is data: shown as text or as sanitised Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Section {
    /// Its number.
    pub id: i64,
    /// The headings above it, joined by ` › `.
    pub title: String,
    /// Its text, as it was stored.
    pub text: String,
    /// Whether it holds code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
}

/// A piece of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceText {
    /// The source.
    pub source: SourceRow,
    /// Whether its text is Markdown (else plain text).
    pub markdown: bool,
    /// This piece.
    pub sections: Vec<Section>,
    /// Where this piece begins.
    pub offset: usize,
    /// How many sections there are altogether.
    pub total: u64,
    /// The files of a folder, by name; at most 1,000.
    pub files: Vec<SourceRow>,
}

/// A file or folder to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AddPath {
    /// The project's key.
    pub project: String,
    /// The file or folder.
    pub path: PathBuf,
}

/// A page to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AddUrl {
    /// The project's key.
    pub project: String,
    /// The address.
    pub url: String,
}

/// What was added, or why not, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Added {
    /// For people.
    pub text: String,
    /// Nothing was added.
    pub failed: bool,
}

/// A source to be moved to the trash, or refreshed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DeleteSource {
    /// The project's key.
    pub project: String,
    /// The source's number.
    pub source: i64,
}

/// What to purge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PurgeWhat {
    /// All of one project.
    Project {
        /// The project's key.
        project: String,
    },
    /// What one session stored in one project.
    Session {
        /// The project's key.
        project: String,
        /// The session, as the agent names it.
        session: String,
    },
    /// All of every project.
    Everything,
}

/// A purge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Purge {
    /// What.
    pub scope: PurgeWhat,
    /// Delete instead of moving to the trash.
    pub now: bool,
    /// What the person typed; for everything it must be `everything`.
    pub typed: String,
    /// Also delete what is remembered of sessions, for good. Nothing brings that back, so it is asked separately.
    #[serde(default)]
    pub forget: bool,
}

/// What is or would be gone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Removed {
    /// How many sources.
    pub sources: u64,
    /// How many sections.
    pub chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Names of the first sources.
    pub labels: Vec<String>,
    /// Where it can be brought back from, with the project's key; empty when it was deleted at once.
    pub trash: Vec<Restore>,
    /// Days for which the trash keeps it.
    pub kept_days: u32,
    /// What goes with it and is deleted for good.
    pub forgotten: Forgotten,
}

/// What is or would be forgotten of sessions. It goes to no trash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Forgotten {
    /// Recorded events, remembered facts and calls together; they leave the figures too.
    pub records: u64,
    /// Outputs that were kept whole.
    pub outputs: u64,
    /// Cached texts and downloads.
    pub files: u64,
}

/// A purge that can still be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TrashRow {
    /// The file in the trash.
    pub trash: PathBuf,
    /// The key of the project it came from; `None` where an earlier version did not write it down.
    pub project: Option<String>,
    /// That project's name.
    pub name: String,
    /// When it was purged.
    pub at_ms: i64,
    /// When it goes for good.
    pub until_ms: i64,
    /// How many sources.
    pub sources: u64,
    /// How many sections.
    pub chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Names of the first sources.
    pub labels: Vec<String>,
    /// Why it cannot be read.
    pub problem: Option<crate::Sentence>,
}

/// What to bring back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Restore {
    /// The project's key; empty for the one it came from.
    pub project: String,
    /// The file in the trash.
    pub trash: PathBuf,
}
