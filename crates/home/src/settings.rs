//! `settings.toml`, typed, every field with a default. Reading never writes; writing keeps the person's
//! comments and order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use contract::{Sentence, Told, joined};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Home, messages, write_private};

/// A settings file that is larger was not written by a person.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// All settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What the MCP server lists.
    pub mcp: Mcp,
    /// Running code.
    pub sandbox: Sandbox,
    /// Fetching pages.
    pub network: Network,
    /// Hooks.
    pub hooks: Hooks,
    /// Shortening what commands print.
    pub filters: Filters,
    /// What is recorded of sessions.
    pub sessions: Sessions,
    /// How long things are kept.
    pub retention: Retention,
    /// Upgrades; empty by default, so that no server is ever contacted by itself.
    pub upgrade: Upgrade,
    /// The window and the tray.
    pub desktop: Desktop,
    /// `[prices]`: what a million tokens cost the person, by the name of the model family. No money is shown
    /// anywhere while it is empty.
    pub prices: BTreeMap<String, f64>,
    /// Tables of systems that have settings of their own.
    #[serde(flatten)]
    pub of_systems: BTreeMap<String, Value>,
}

/// `[mcp]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mcp {
    /// `compact` (six tools) or `full` (every name of older products too).
    pub surface: String,
    /// What is listed of it: `auto` (what was found to pay on each agent), `all` (everything on every agent), or `core` (running,
    /// storing and finding only).
    pub tools: String,
    /// The systems whose tools are listed, by name: `context`, `memory`, `codebase`; or `all`.
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
    /// Bytes of output after which a command is stopped.
    pub max_output_bytes: u64,
    /// Background tasks one session may have at a time.
    pub max_tasks: usize,
    /// Whether deny rules are kept by the system while a program runs: `auto` (where that works without asking for
    /// rights), `on` (where it does not work, nothing is run), or `off`.
    pub enforce: String,
    /// What programs may reach: `all`, `public` (no addresses of private networks), or `off`.
    pub network: String,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            timeout_ms: 120_000,
            max_output_bytes: 256 * 1024 * 1024,
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
    /// Whether addresses of private networks may be fetched (10/8, 172.16/12, 192.168/16, fc00::/7).
    pub private_addresses: bool,
    /// Whether this computer's own servers may be fetched.
    pub loopback: bool,
    /// Whether a redirect may lead to another host.
    pub cross_host_redirects: bool,
    /// Hours for which a fetched page is taken as fresh.
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
    /// Whether downloads and log dumps are sent to our tools instead.
    pub routing: bool,
    /// Paused everywhere until this time (ms since the epoch); ends by itself.
    pub paused_until_ms: i64,
    /// Projects in which hooks do nothing for a while.
    pub paused_projects: Vec<PausedProject>,
    /// Whether a few words about the tools are added when a session starts.
    pub session_start: bool,
}

/// A project in which hooks are paused. A folder by itself is paused until that is ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenPause")]
pub struct PausedProject {
    /// Its folder, as a real path.
    pub folder: PathBuf,
    /// Until when (ms since the epoch); 0: until it is ended.
    pub until_ms: i64,
}

/// The two forms in the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenPause {
    Folder(PathBuf),
    Until { folder: PathBuf, until_ms: i64 },
}

impl From<WrittenPause> for PausedProject {
    fn from(written: WrittenPause) -> Self {
        match written {
            WrittenPause::Folder(folder) => Self { folder, until_ms: 0 },
            WrittenPause::Until { folder, until_ms } => Self { folder, until_ms },
        }
    }
}

impl Hooks {
    /// The projects in which hooks are paused at this time.
    pub fn paused_at(&self, now_ms: i64) -> impl Iterator<Item = &PausedProject> {
        self.paused_projects.iter().filter(move |paused| paused.until_ms == 0 || paused.until_ms > now_ms)
    }

    /// Whether hooks are paused in `folder`, everywhere or in a project that holds it.
    pub fn paused_in(&self, folder: &Path, now_ms: i64) -> bool {
        self.paused_until_ms > now_ms
            || self.paused_at(now_ms).any(|paused| folder.starts_with(&paused.folder))
    }
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            enabled: true,
            routing: true,
            paused_until_ms: 0,
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
    /// When a command is rewritten to run under `plimsoll run`, which reaches what failing commands print:
    /// `allowed` (where that changes no question to the person), `always`, or `never`.
    pub rewrite: String,
    /// Filters that are off, by name; `generic` is the one for unknown commands.
    pub off: Vec<String>,
    /// Projects (real paths) in which nothing is shortened.
    pub off_projects: Vec<PathBuf>,
    /// Bytes from which on answers of other tools (MCP servers, fetched pages) are shortened; 0 for never.
    pub other_tools_from: u64,
    /// Projects whose own filters (`.plimsoll/filters`) are used, each with the hash of their content.
    pub trusted: Vec<Trusted>,
}

/// A project whose filters the person has looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// The project (real path).
    pub project: PathBuf,
    /// Of all filter files together; other content is not trusted.
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
    /// Whether hooks record what happens in sessions.
    pub record: bool,
    /// Projects (real paths) whose sessions are not recorded: neither what happened nor what it was about.
    pub unrecorded_projects: Vec<PathBuf>,
    /// Whether a session that was compacted or resumed is given a note about itself.
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
    /// Days for which session events are kept after their last use.
    pub session_days: u32,
    /// Days for which outputs of commands stay in the knowledge base.
    pub output_days: u32,
    /// Days for which the trash keeps what purge removed.
    pub trash_days: u32,
    /// What outputs of commands and tasks and the cache may take in all, in bytes; the oldest go first.
    pub kept_bytes: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { session_days: 90, output_days: 30, trash_days: 7, kept_bytes: 1 << 30 }
    }
}

/// `[upgrade]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Upgrade {
    /// Address of the release manifest; nothing is contacted while it is empty.
    pub manifest_url: String,
    /// minisign public key that releases must be signed with.
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
    /// Whether the wizard has been gone through or left on purpose.
    pub setup_done: bool,
    /// Whether the tray was told to be missing on this desktop, which is said once.
    pub tray_missing_told: bool,
    /// Whether a message outside the window tells, once, that an agent needs somebody.
    pub notify: bool,
}

impl Default for Desktop {
    fn default() -> Self {
        Self {
            theme: "system".into(),
            language: "system".into(),
            setup_done: false,
            tray_missing_told: false,
            notify: true,
        }
    }
}

/// What can go wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// It does not parse or has a value of the wrong kind.
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        reason: String,
    },
    /// It cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Told for SettingsError {
    fn message(&self) -> Sentence {
        match self {
            Self::Invalid { path, reason } => messages::bad_settings(path, Sentence::from(reason.as_str())),
            Self::Io { path, source } => joined::about(path, source.message()),
        }
    }
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl Settings {
    /// What one output may take, in bytes: a few of them must fit into what all may take.
    pub fn output_room(&self) -> u64 {
        self.sandbox.max_output_bytes.min(self.retention.kept_bytes / 4)
    }

    /// What the file says in a table of a system's own: `memory.review`.
    pub fn own(&self, key: &str) -> Option<&Value> {
        let (table, key) = key.split_once('.')?;
        key.split('.').try_fold(self.of_systems.get(table)?, |value, name| value.get(name))
    }

    /// Reads the settings; a missing file means all defaults.
    ///
    /// # Errors
    /// [`SettingsError`]; a caller that must go on uses the defaults and says so.
    pub fn load(home: &Home) -> Result<Self, SettingsError> {
        let path = home.settings_path();
        let text = match crate::read_regular_text(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(SettingsError::Io { path, source }),
        };
        toml_edit::de::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| SettingsError::Invalid {
            path,
            reason: error.to_string().trim_end().replace('\n', " "),
        })
    }
}

/// Sets one value (`["hooks", "enabled"]`), keeping everything else in the file as it is.
///
/// # Errors
/// [`SettingsError`] when the file does not parse or the result would not load; nothing is written then.
pub fn set_value(
    home: &Home,
    path: &[&str],
    value: impl Into<toml_edit::Value>,
) -> Result<(), SettingsError> {
    let file = home.settings_path();
    let text = match crate::read_regular_text(&file, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(SettingsError::Io { path: file, source }),
    };
    let invalid = |reason: String| SettingsError::Invalid { path: file.clone(), reason };
    let mut document: toml_edit::DocumentMut = text
        .trim_start_matches('\u{feff}')
        .parse()
        .map_err(|error: toml_edit::TomlError| invalid(error.to_string()))?;
    let Some((key, tables)) = path.split_last() else { return Err(invalid("no setting was named".into())) };
    let mut table = document.as_table_mut();
    for name in tables {
        let item = table.entry(name).or_insert_with(toml_edit::table);
        table = item.as_table_mut().ok_or_else(|| invalid(format!("`{name}` is not a table")))?;
    }
    let mut value: toml_edit::Value = value.into();
    if let Some(before) = table.get(key).and_then(toml_edit::Item::as_value) {
        // The comment behind the old value stays behind the new one.
        *value.decor_mut() = before.decor().clone();
    }
    table[key] = toml_edit::value(value);
    let text = document.to_string();
    toml_edit::de::from_str::<Settings>(&text).map_err(|error| invalid(error.to_string()))?;
    write_private(&file, text.as_bytes()).map_err(|source| SettingsError::Io { path: file.clone(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_survive_a_change_and_wrong_kinds_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert_eq!(Settings::load(&home).unwrap(), Settings::default());
        std::fs::write(home.settings_path(), "# mine\n[hooks]\nenabled = true # yes\n").unwrap();
        set_value(&home, &["hooks", "paused_until_ms"], 42).unwrap();
        set_value(&home, &["mcp", "surface"], "full").unwrap();
        let text = std::fs::read_to_string(home.settings_path()).unwrap();
        assert!(text.starts_with("# mine\n[hooks]\nenabled = true # yes\n"), "{text}");
        let settings = Settings::load(&home).unwrap();
        assert_eq!(settings.hooks.paused_until_ms, 42);
        assert_eq!(settings.mcp.surface, "full");
        set_value(&home, &["hooks", "enabled"], false).unwrap();
        let text = std::fs::read_to_string(home.settings_path()).unwrap();
        assert!(text.starts_with("# mine\n[hooks]\nenabled = false # yes\n"), "{text}");
        let error = set_value(&home, &["hooks", "enabled"], "maybe").unwrap_err().to_string();
        assert!(error.contains("settings.toml"), "{error}");
        assert_eq!(std::fs::read_to_string(home.settings_path()).unwrap(), text);
    }

    #[test]
    fn a_file_that_does_not_parse_names_the_line() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        std::fs::write(home.settings_path(), "[hooks\n").unwrap();
        assert!(Settings::load(&home).unwrap_err().to_string().contains("line 1"));
    }
}
