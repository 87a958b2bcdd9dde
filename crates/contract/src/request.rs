//! The six operations that an agent may ask for. Every field is plain data with its default already
//! applied; what spellings are accepted for them is the front end's business.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Run code outside the conversation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Execute {
    /// Language name or alias (`shell`, `py`, `ts` …).
    pub language: String,
    /// The program.
    pub code: String,
    /// File whose text is `FILE_CONTENT` in the program.
    pub path: Option<PathBuf>,
    /// What the caller looks for in the output.
    pub intent: Option<String>,
    /// Time limit in milliseconds; `None` for the configured default.
    pub timeout_ms: Option<u64>,
    /// Start it as a task and answer at once.
    pub background: bool,
    /// Working folder; the project when absent.
    pub cwd: Option<PathBuf>,
}

/// One command of a [`Batch`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Under which its output is shown and stored.
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
    /// Working folder; the project when absent.
    pub cwd: Option<PathBuf>,
    /// Search everything that is stored, not only these outputs.
    pub search_everything: bool,
}

/// A page to fetch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebPage {
    /// Its address.
    pub url: String,
    /// Its label, when the address is not to be the label.
    pub source: Option<String>,
}

/// What to put into the knowledge base.
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
    /// What.
    pub input: Input,
    /// Its label; derived from the input when absent.
    pub source: Option<String>,
    /// Globs of files to take from a folder; all when empty.
    pub include: Vec<String>,
    /// Globs of files to leave out of a folder.
    pub exclude: Vec<String>,
    /// Do it again although nothing seems to have changed.
    pub force: bool,
    /// How many pages are fetched at once, 1–8.
    pub concurrency: usize,
    /// Age in milliseconds up to which a fetched page is used again; `None` for the configured one.
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

/// Where to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// What was indexed.
    Knowledge,
    /// What happened in sessions.
    Sessions,
    /// Memories.
    Memory,
    /// The code index.
    Code,
    /// Everything that can be searched.
    Everything,
}

/// Which chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Kind {
    /// Chunks with code.
    Code,
    /// Chunks without.
    Prose,
}

/// In which order.
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
    /// Each is answered by itself.
    pub queries: Vec<String>,
    /// Where; the knowledge base when empty.
    pub systems: Vec<System>,
    /// Only sources whose label contains this, or the source of this address or number.
    pub source: Option<String>,
    /// Only chunks of this kind.
    pub kind: Option<Kind>,
    /// Hits per query.
    pub limit: usize,
    /// Hits to pass over, for paging.
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
    /// Name them.
    #[default]
    List,
    /// Read one's output.
    Output,
    /// End one.
    Stop,
}

/// Look after background tasks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Task {
    /// What to do.
    pub action: TaskAction,
    /// With which task.
    pub id: Option<String>,
    /// How many of the last lines to read.
    pub tail: Option<usize>,
}

/// What to do with Plimsoll itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ManageAction {
    /// What was kept out of the conversation.
    Stats,
    /// Whether everything works.
    Doctor,
    /// Bring the sidecar up to date.
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

/// Look after Plimsoll itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manage {
    /// What to do.
    pub action: ManageAction,
    /// What a purge removes.
    pub scope: Option<PurgeScope>,
    /// Destructive actions are only carried out when this is set.
    pub confirm: bool,
    /// Delete instead of moving to the trash.
    pub now: bool,
    /// Statistics of this many last days; all when absent.
    pub days: Option<u32>,
}
