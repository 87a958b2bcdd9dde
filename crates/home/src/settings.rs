//! The settings in `settings.toml`, typed, every field with a default. `settings_file` reads and writes the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pause::{self, Moment};
use crate::plain_path::as_text;

/// All settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The tool list of the MCP server.
    pub mcp: Mcp,
    /// Running code.
    pub sandbox: Sandbox,
    /// Fetching pages.
    pub network: Network,
    /// Hooks.
    pub hooks: Hooks,
    /// Shortening the output of commands.
    pub filters: Filters,
    /// What is recorded about sessions.
    pub sessions: Sessions,
    /// How long things are kept.
    pub retention: Retention,
    /// Upgrades; empty by default, so that no server is ever contacted unasked.
    pub upgrade: Upgrade,
    /// The window and the tray.
    pub desktop: Desktop,
    /// `[prices]`: the user's price of a million tokens, by model family. While it is empty, no amount of money is
    /// shown anywhere.
    pub prices: BTreeMap<String, f64>,
    /// The tables of systems with their own settings.
    #[serde(flatten)]
    pub of_systems: BTreeMap<String, Value>,
}

/// `[mcp]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mcp {
    /// `compact` (six tools) or `full` (with all names of older products).
    pub surface: String,
    /// Which tools are listed: `auto` (those found to pay on each agent), `all` (everything on every agent), or
    /// `core` (only running, storing and searching).
    pub tools: String,
    /// The systems whose tools are listed: `context`, `memory`, `codebase`; or `all`.
    pub toolsets: Vec<String>,
}

impl Mcp {
    /// Whether the tools of this system are listed.
    pub fn lists(&self, system: &str) -> bool {
        self.toolsets.iter().any(|set| set == "all" || set == system)
    }
}

impl Default for Mcp {
    fn default() -> Self {
        Self { surface: "compact".into(), tools: "auto".into(), toolsets: vec!["all".into()] }
    }
}

/// `[sandbox]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sandbox {
    /// Default time limit in milliseconds.
    pub timeout_ms: u64,
    /// The output size in bytes at which a command is stopped.
    pub max_output_bytes: u64,
    /// The maximum number of background tasks per session.
    pub max_tasks: usize,
    /// Whether the system enforces deny rules while a program runs: `auto` (where that works without extra
    /// permissions), `on` (where it doesn't work, nothing is run), or `off`.
    pub enforce: String,
    /// What programs may connect to: `all`, `public` (no private addresses), or `off`.
    pub network: String,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            timeout_ms: 120_000,
            max_output_bytes: 256_000_000,
            max_tasks: 16,
            enforce: "auto".into(),
            network: "all".into(),
        }
    }
}

/// `[network]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Network {
    /// Whether `index url` may connect at all.
    pub enabled: bool,
    /// Whether private addresses may be fetched (10/8, 172.16/12, 192.168/16, fc00::/7).
    pub private_addresses: bool,
    /// Whether servers on this computer may be fetched.
    pub loopback: bool,
    /// Whether a redirect may go to another host.
    pub cross_host_redirects: bool,
    /// How many hours a fetched page is considered fresh.
    pub cache_hours: u64,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            enabled: true,
            private_addresses: false,
            loopback: true,
            cross_host_redirects: false,
            cache_hours: 24,
        }
    }
}

/// `[hooks]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hooks {
    /// Whether hooks do anything.
    pub enabled: bool,
    /// Whether downloads and log dumps are routed to Plimsoll's tools.
    pub routing: bool,
    /// When the pause everywhere ends, in milliseconds since 1970.
    pub paused_until_ms: i64,
    /// When that pause began, so that a clock that's set back doesn't lengthen it.
    pub paused_since: Moment,
    /// Projects in which hooks are paused.
    pub paused_projects: Vec<PausedProject>,
    /// Whether a short text about the tools is added when a session starts.
    pub session_start: bool,
}

/// A project in which hooks are paused. A bare folder is paused until the user ends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PauseForm")]
pub struct PausedProject {
    /// Its folder, as a real path.
    pub folder: PathBuf,
    /// When the pause ends, in milliseconds since 1970; 0 if the user ends it.
    pub until_ms: i64,
    /// When it began.
    pub since: Moment,
}

/// The two forms in the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum PauseForm {
    Folder(PathBuf),
    Until {
        folder: PathBuf,
        until_ms: i64,
        #[serde(default)]
        since: Moment,
    },
}

impl From<PauseForm> for PausedProject {
    fn from(written: PauseForm) -> Self {
        match written {
            PauseForm::Folder(folder) => Self { folder, until_ms: 0, since: Moment::default() },
            PauseForm::Until { folder, until_ms, since } => Self { folder, until_ms, since },
        }
    }
}

impl Hooks {
    /// When the pause everywhere ends; `None` if there is none at this time.
    pub fn paused_until(&self, now: Moment) -> Option<i64> {
        pause::ends_ms(self.paused_since, self.paused_until_ms, now)
    }

    /// The projects in which hooks are paused at this time.
    pub fn paused_at(&self, now: Moment) -> impl Iterator<Item = &PausedProject> {
        let is_paused = move |paused: &&PausedProject| {
            paused.until_ms == 0 || pause::is_active(paused.since, paused.until_ms, now)
        };
        self.paused_projects.iter().filter(is_paused)
    }

    /// Whether hooks are paused in `folder`, everywhere or in a project that contains it.
    pub fn paused_in(&self, folder: &Path, now: Moment) -> bool {
        let folder = as_text(folder);
        self.paused_until(now).is_some()
            || self.paused_at(now).any(|paused| folder.starts_with(&paused.folder))
    }

    /// Whether a pause is noted at all, past ones too.
    pub fn has_pause(&self) -> bool {
        self.paused_until_ms > 0 || !self.paused_projects.is_empty()
    }
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            enabled: true,
            routing: true,
            paused_until_ms: 0,
            paused_since: Moment::default(),
            paused_projects: Vec::new(),
            session_start: true,
        }
    }
}

/// `[filters]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filters {
    /// Whether outputs are shortened at all.
    pub enabled: bool,
    /// When a command is rewritten to run under `plimsoll run`, which also reaches the output of failing commands:
    /// `allowed` (if that changes no question to the user), `always`, or `never`.
    pub rewrite: String,
    /// The names of disabled filters; `generic` is the one for unknown commands.
    pub off: Vec<String>,
    /// Projects (real paths) in which nothing is shortened.
    pub off_projects: Vec<PathBuf>,
    /// The size in bytes from which other tools' outputs (MCP servers, fetched pages) are shortened; 0 for never.
    pub other_tools_from: u64,
    /// Projects whose own filters (`.plimsoll/filters`) are used, each with the hash of their content.
    pub trusted: Vec<Trusted>,
}

/// A project whose filters the user has reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// The project (real path).
    pub project: PathBuf,
    /// The hash over all filter files; other content isn't trusted.
    pub hash: String,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            enabled: true,
            rewrite: "allowed".into(),
            off: Vec::new(),
            off_projects: Vec::new(),
            other_tools_from: 16_000,
            trusted: Vec::new(),
        }
    }
}

/// `[sessions]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sessions {
    /// Whether hooks record events.
    pub record: bool,
    /// Projects (real paths) whose sessions aren't recorded at all.
    pub unrecorded_projects: Vec<PathBuf>,
    /// Whether a compacted or resumed session gets a resume note.
    pub resume_note: bool,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { record: true, unrecorded_projects: Vec::new(), resume_note: true }
    }
}

/// `[retention]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Retention {
    /// How many days session events are kept after their last use.
    pub session_days: u32,
    /// How many days outputs of commands stay in the knowledge base.
    pub output_days: u32,
    /// How many days the trash keeps purged sources.
    pub trash_days: u32,
    /// The size limit in bytes for outputs of commands and tasks and the cache; the oldest are removed first.
    pub kept_bytes: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { session_days: 90, output_days: 30, trash_days: 7, kept_bytes: 1_000_000_000 }
    }
}

/// `[upgrade]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Upgrade {
    /// The URL of the release manifest; nothing is contacted while it is empty.
    pub manifest_url: String,
    /// The minisign public key that must have signed releases.
    pub public_key: String,
}

/// `[desktop]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Desktop {
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// `system`, `en` or `de`.
    pub language: String,
    /// How large the window draws itself, in percent.
    pub zoom: u16,
    /// Whether setup was completed or dismissed.
    pub setup_done: bool,
    /// Whether the user was told that this desktop has no tray, which happens once.
    pub tray_missing_told: bool,
    /// Whether a notification tells, once, that an agent needs the user.
    pub notify: bool,
}

impl Default for Desktop {
    fn default() -> Self {
        Self {
            theme: "system".into(),
            language: "system".into(),
            zoom: 100,
            setup_done: false,
            tray_missing_told: false,
            notify: true,
        }
    }
}

impl Settings {
    /// The size limit of one output in bytes: a few of them must fit into the limit for all.
    pub fn output_room(&self) -> u64 {
        self.sandbox.max_output_bytes.min(self.retention.kept_bytes / 4)
    }

    /// The value in a system's own table: `memory.review`.
    pub fn own(&self, key: &str) -> Option<&Value> {
        let (table, key) = key.split_once('.')?;
        key.split('.').try_fold(self.of_systems.get(table)?, |value, name| value.get(name))
    }
}
