//! The settings of a system.

use home::Settings;
use serde_json::Value;

/// How a setting is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// On or off.
    Switch,
    /// A whole number: smallest, largest, unit.
    Number(u64, u64, &'static str),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
}

/// A default value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Number(u64),
    /// A word or a text.
    Text(&'static str),
}

/// A setting: its key and how it is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// `table.key`.
    pub key: &'static str,
    /// How it is edited.
    pub entry: Entry,
    /// The default; `None` if [`Settings`] has a field with it.
    pub default: Option<Plain>,
}

impl Setting {
    /// A setting that [`Settings`] has a field for.
    #[must_use]
    pub const fn new(key: &'static str, entry: Entry) -> Self {
        Self { key, entry, default: None }
    }

    /// A setting in the system's own table.
    #[must_use]
    pub const fn own(key: &'static str, entry: Entry, default: Plain) -> Self {
        Self { key, entry, default: Some(default) }
    }
}

impl From<Plain> for Value {
    fn from(plain: Plain) -> Self {
        match plain {
            Plain::Switch(on) => on.into(),
            Plain::Number(number) => number.into(),
            Plain::Text(text) => text.into(),
        }
    }
}

/// The setting that switches a system on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// `table.key`.
    pub key: &'static str,
    /// The default.
    pub default: bool,
}

impl Switch {
    pub(crate) fn is_on(self, settings: &Settings) -> bool {
        settings.own(self.key).and_then(Value::as_bool).unwrap_or(self.default)
    }
}
