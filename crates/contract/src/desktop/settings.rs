//! Settings, pausing, upgrading and uninstalling.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Sentence;

/// How a setting is edited.
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
        /// The unit: `ms`, `bytes`, `hours`, `days`, `tasks`, `percent`.
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
    /// How it is edited.
    #[serde(flatten)]
    pub kind: SettingKind,
    /// The current value.
    #[cfg_attr(feature = "typescript", ts(type = "boolean | number | string"))]
    pub value: Value,
    /// The default.
    #[cfg_attr(feature = "typescript", ts(type = "boolean | number | string"))]
    pub default: Value,
}

/// All settings that the window offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SettingsView {
    /// The file.
    pub path: PathBuf,
    /// The settings in display order.
    pub settings: Vec<SettingView>,
    /// Why the file can't be read; the defaults then apply.
    pub problem: Option<Sentence>,
}

/// Changes one setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetSetting {
    /// Its name.
    pub key: String,
    /// Its new value.
    #[cfg_attr(feature = "typescript", ts(type = "boolean | number | string"))]
    pub value: Value,
}

/// A file that settings are written to or read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SettingsFile {
    /// The file.
    pub path: PathBuf,
}

/// Pauses all hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PauseUntil {
    /// When it ends; 0 ends a pause.
    pub until_ms: i64,
}

/// Pauses one project's hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PauseProject {
    /// The project's folder.
    pub folder: PathBuf,
    /// Whether to start or end the pause.
    pub paused: bool,
}

/// Looks for a newer version, or installs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Upgrade {
    /// Whether to install it.
    pub install: bool,
}

/// Uninstalls Plimsoll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Leave {
    /// Keep databases, settings, filters and keys.
    pub keep_data: bool,
    /// What the user typed; it must be `uninstall`.
    pub typed: String,
}
