//! The tool requests. Every field is plain data with its default applied; parsing and accepted spellings are the
//! front end's job.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Run code outside the conversation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Execute {
    /// Language name or alias (`shell`, `py`, `ts` …).
    pub language: String,
    /// The program.
    pub code: String,
    /// A file whose text is `FILE_CONTENT` in the program.
    pub path: Option<PathBuf>,
    /// What the caller looks for in the output.
    pub intent: Option<String>,
    /// Time limit in milliseconds; `None` for the configured default.
    pub timeout_ms: Option<u64>,
    /// Start it as a task and reply at once.
    pub background: bool,
    /// Working folder; the project if `None`.
    pub cwd: Option<PathBuf>,
}

/// One command of a [`Batch`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The label under which its output is shown and stored.
    pub label: String,
    /// A shell command line.
    pub command: String,
}

/// Run many commands, store every output, answer questions about them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Batch {
    /// What to run.
    pub commands: Vec<Command>,
    /// What to look for in the outputs.
    pub queries: Vec<String>,
    /// How many run at once, 1–8.
    pub concurrency: usize,
    /// Time limit of each command in milliseconds; `None` for the configured default.
    pub timeout_ms: Option<u64>,
    /// Working folder; the project if `None`.
    pub cwd: Option<PathBuf>,
    /// Search everything stored, not only these outputs.
    pub search_everything: bool,
}

/// A page to fetch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebPage {
    /// Its address.
    pub url: String,
    /// Its label; the URL if `None`.
    pub source: Option<String>,
}

/// What to add to the knowledge base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Text that is already in the conversation.
    Content(String),
    /// A file or a folder.
    Path(PathBuf),
    /// Web pages.
    Web(Vec<WebPage>),
}

/// Store something searchable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// The content.
    pub input: Input,
    /// Its label; derived from the input if `None`.
    pub source: Option<String>,
    /// Globs of files to take from a folder; all when empty.
    pub include: Vec<String>,
    /// Globs of files to leave out of a folder.
    pub exclude: Vec<String>,
    /// Index again even if nothing seems to have changed.
    pub force: bool,
    /// How many pages are fetched at once, 1–8.
    pub concurrency: usize,
    /// Maximum age in milliseconds of a cached page; `None` for the configured one.
    pub ttl_ms: Option<u64>,
    /// At most this many files of a folder; `None` for the built-in limit.
    pub max_files: Option<usize>,
    /// At most this many levels below a folder; `None` for all.
    pub max_depth: Option<usize>,
}

impl Index {
    /// A request with every default.
    pub fn of(input: Input) -> Self {
        Self {
            input,
            source: None,
            include: Vec::new(),
            exclude: Vec::new(),
            force: false,
            concurrency: 4,
            ttl_ms: None,
            max_files: None,
            max_depth: None,
        }
    }
}

/// Which system to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// Indexed text.
    Knowledge,
    /// Recorded sessions.
    Sessions,
    /// Memories.
    Memory,
    /// The code index.
    Code,
    /// Everything that can be searched.
    Everything,
}

impl System {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Knowledge, Self::Sessions, Self::Memory, Self::Code, Self::Everything];

    /// Its name in `in`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Knowledge => "knowledge",
            Self::Sessions => "sessions",
            Self::Memory => "memory",
            Self::Code => "code",
            Self::Everything => "all",
        }
    }

    /// Whether another system answers this, rather than the knowledge base or the record.
    #[must_use]
    pub const fn is_own(self) -> bool {
        !matches!(self, Self::Knowledge | Self::Sessions | Self::Everything)
    }
}

/// Which chunks to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Kind {
    /// Chunks with code.
    Code,
    /// Chunks without code.
    Prose,
}

/// The order of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Best first.
    #[default]
    Relevance,
    /// Newest first.
    Time,
}

/// Find stored text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// The queries; each gets its own answer.
    pub queries: Vec<String>,
    /// The systems to search; the knowledge base if empty.
    pub systems: Vec<System>,
    /// Only the source of this label, address or number; else those whose labels begin with it or have it as whole words.
    pub source: Option<String>,
    /// Only chunks of this kind.
    pub kind: Option<Kind>,
    /// Hits per query.
    pub limit: usize,
    /// Hits to skip, for paging.
    pub offset: usize,
    /// Order of hits.
    pub order: Order,
}

impl Search {
    /// A request with every default.
    pub fn of(queries: Vec<String>) -> Self {
        Self {
            queries,
            systems: Vec::new(),
            source: None,
            kind: None,
            limit: 3,
            offset: 0,
            order: Order::Relevance,
        }
    }
}

/// What to do with background tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskAction {
    /// List them.
    #[default]
    List,
    /// Read one's output.
    Output,
    /// Stop one.
    Stop,
}

/// List, read or stop background tasks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Task {
    /// What to do.
    pub action: TaskAction,
    /// The action.
    pub id: Option<String>,
    /// The task's ID.
    pub tail: Option<usize>,
}

/// A management action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ManageAction {
    /// Report how much was kept out of the conversation.
    Stats,
    /// Run the doctor.
    Doctor,
    /// Upgrade the sidecar.
    Upgrade,
    /// Remove stored text.
    Purge,
}

/// What a purge removes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PurgeScope {
    /// One source, by label, number or address.
    Source(String),
    /// What one session stored; the current one when `None`.
    Session(Option<String>),
    /// Everything of this project.
    Project,
    /// Everything of every project.
    Everything,
}

/// Manage Plimsoll itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manage {
    /// The action.
    pub action: ManageAction,
    /// What a purge removes.
    pub scope: Option<PurgeScope>,
    /// Required for destructive actions.
    pub confirm: bool,
    /// Delete instead of moving to the trash.
    pub now: bool,
    /// Statistics of this many days; all if `None`.
    pub days: Option<u32>,
}
