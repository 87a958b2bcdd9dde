//! What a person can set of a system.

use home::Settings;
use serde_json::Value;

/// How a setting is entered.
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

/// What holds when the file does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Number(u64),
    /// A word or a text.
    Text(&'static str),
}

/// A setting: its name in the file and how it is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// `table.key`.
    pub key: &'static str,
    /// How it is entered.
    pub entry: Entry,
    /// What holds when the file does not say; `None` where [`Settings`] has a field that knows.
    pub default: Option<Plain>,
}

impl Setting {
    /// One that [`Settings`] has a field for.
    #[must_use]
    pub const fn new(key: &'static str, entry: Entry) -> Self {
        Self { key, entry, default: None }
    }

    /// One in a table of the system's own.
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
    /// What holds when the file does not say.
    pub default: bool,
}

impl Switch {
    pub(crate) fn is_on(self, settings: &Settings) -> bool {
        settings.own(self.key).and_then(Value::as_bool).unwrap_or(self.default)
    }
}
