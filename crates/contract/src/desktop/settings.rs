//! Settings, pausing, upgrading, leaving.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Sentence;

/// How a setting is entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SettingKind {
    /// On or off.
    Switch,
    /// A whole number within these bounds.
    Number {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
        /// What one is: `ms`, `bytes`, `hours`, `days`, `tasks`.
        unit: String,
    },
    /// One of these words.
    Choice {
        /// The words.
        of: Vec<String>,
    },
    /// Any text.
    Text,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SettingView {
    /// Its name in the file: `sandbox.timeout_ms`.
    pub key: String,
    /// How it is entered.
    #[serde(flatten)]
    pub kind: SettingKind,
    /// What holds now.
    #[cfg_attr(feature = "typescript", ts(type = "boolean | number | string"))]
    pub value: Value,
    /// What holds when the file does not say.
    #[cfg_attr(feature = "typescript", ts(type = "boolean | number | string"))]
    pub default: Value,
}

/// All settings that the window offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SettingsView {
    /// The file.
    pub path: PathBuf,
    /// In the order in which they are shown.
    pub settings: Vec<SettingView>,
    /// Why the file cannot be read; the defaults hold then.
    pub problem: Option<Sentence>,
}

/// A change of one setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetSetting {
    /// Its name.
    pub key: String,
    /// Its new value.
    #[cfg_attr(feature = "typescript", ts(type = "boolean | number | string"))]
    pub value: Value,
}

/// Where settings are written to or read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SettingsFile {
    /// The file.
    pub path: PathBuf,
}

/// A pause of all hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PauseUntil {
    /// Until when; 0 ends a pause.
    pub until_ms: i64,
}

/// A pause of the hooks in one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PauseProject {
    /// The project's folder.
    pub folder: PathBuf,
    /// Begin or end.
    pub paused: bool,
}

/// Look for a newer version, or install it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Upgrade {
    /// Install it; only look otherwise.
    pub install: bool,
}

/// Leaving altogether.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Leave {
    /// Keep databases and settings.
    pub keep_data: bool,
    /// What the person typed; it must be `uninstall`.
    pub typed: String,
}
