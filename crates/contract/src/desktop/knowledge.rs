//! The knowledge base: projects, sources, sections and hits.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Error, Kind};

/// A project with a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectView {
    /// Its folder; `None` for what was stored outside every project.
    pub root: Option<PathBuf>,
    /// Its display name.
    pub name: String,
    /// Its key for commands.
    pub key: String,
    /// Whether the folder still exists.
    pub exists: bool,
    /// How many sources.
    pub sources: u64,
    /// How many chunks.
    pub chunks: u64,
    /// Bytes of text.
    pub text_bytes: u64,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// When something was last stored.
    pub last_ms: i64,
    /// Why it can't be read.
    pub problem: Option<Error>,
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
    /// The output of a command.
    Output,
}

/// The order of sources.
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
    /// Recently used first, then never used.
    Used,
}

/// The key that means every project.
pub const EVERY_PROJECT: &str = "*";

/// Selects sources.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SourcesQuery {
    /// The project's key, or `*`.
    pub project: String,
    /// Only if the name contains this, ignoring case; also folders with such a file.
    pub contains: Option<String>,
    /// Only of this kind.
    pub kind: Option<SourceKind>,
    /// The order. An expanded folder's files follow it by name.
    #[serde(default)]
    pub order: SourceOrder,
    /// Folders whose files to list, too.
    #[serde(default)]
    pub unfolded: Vec<DeleteSource>,
    /// How many to skip.
    #[serde(default)]
    pub offset: usize,
    /// How many; at most 1,000.
    pub limit: usize,
}

/// A source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceRow {
    /// Its project's key.
    pub project: String,
    /// Its number in that project.
    pub id: i64,
    /// Its name.
    pub label: String,
    /// Its first heading, if it has one.
    pub title: Option<String>,
    /// The folder that it was found in.
    pub folder: Option<i64>,
    /// Where it came from.
    pub kind: SourceKind,
    /// Its file, folder or URL.
    pub origin: Option<String>,
    /// The agent that stored it.
    pub agent: Option<String>,
    /// The session that stored it.
    pub session: Option<String>,
    /// Files of a folder; 0 for others.
    pub files: u64,
    /// How many chunks.
    pub chunks: u64,
    /// How many of them contain code.
    pub code_chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// When it was stored.
    pub indexed_ms: i64,
    /// When an agent's or a terminal's search last showed it, to within an hour; `None` if never.
    pub used_ms: Option<i64>,
}

/// A page of sources.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourcesPage {
    /// This page.
    pub rows: Vec<SourceRow>,
    /// The total number.
    pub total: u64,
}

/// A search.
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
    /// How many to skip.
    #[serde(default)]
    pub offset: usize,
    /// How many; at most 100.
    pub limit: usize,
}

/// A hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchHit {
    /// Its project's key.
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
    /// The text around the matches.
    pub snippet: String,
    /// The matches in the snippet: pairs of start and end in UTF-16 units, as in JavaScript.
    pub marks: Vec<(u32, u32)>,
    /// Whether it contains code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
    /// When the source was stored.
    pub indexed_ms: i64,
}

/// A page of hits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchPage {
    /// This page.
    pub hits: Vec<SearchHit>,
    /// How many sections match; counting stops at 10,000.
    pub total: u64,
    /// How many sections were searched.
    pub of_chunks: u64,
    /// The corrected words that were searched for, because the given ones had no match.
    pub corrected: Option<String>,
    /// Whether some hits lack some of the words.
    pub relaxed: bool,
    /// How long it took, in microseconds.
    pub elapsed_us: u64,
}

/// Selects a part of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ReadSource {
    /// The project's key.
    pub project: String,
    /// The source's number.
    pub source: i64,
    /// Sections to skip.
    #[serde(default)]
    pub offset: usize,
    /// How many sections; at most 200.
    pub limit: usize,
    /// Start at the page with this section, regardless of the offset.
    pub around: Option<i64>,
}

/// A section of a source. Foreign text: data, shown as text or as sanitised Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Section {
    /// Its number.
    pub id: i64,
    /// The headings above it, joined by ` › `.
    pub title: String,
    /// The stored text.
    pub text: String,
    /// Whether it contains code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
}

/// A page of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceText {
    /// The source.
    pub source: SourceRow,
    /// Whether its text is Markdown (else plain text).
    pub markdown: bool,
    /// This page.
    pub sections: Vec<Section>,
    /// Where this page starts.
    pub offset: usize,
    /// The total number of sections.
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

/// The result of adding, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Added {
    /// The message.
    pub text: String,
    /// Whether nothing was added.
    pub failed: bool,
}

/// Names a source, to move it to the trash or refresh it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DeleteSource {
    /// The project's key.
    pub project: String,
    /// The source's number.
    pub source: i64,
}
