//! The settings of a system.

use home::Settings;
use serde_json::Value;

/// How a setting is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
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
pub enum DefaultValue {
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
    pub kind: ValueKind,
    /// The default; `None` if [`Settings`] has a field with it.
    pub default: Option<DefaultValue>,
}

impl Setting {
    /// A setting that [`Settings`] has a field for.
    #[must_use]
    pub const fn new(key: &'static str, kind: ValueKind) -> Self {
        Self { key, kind, default: None }
    }

    /// A setting in the system's own table.
    #[must_use]
    pub const fn own(key: &'static str, kind: ValueKind, default: DefaultValue) -> Self {
        Self { key, kind, default: Some(default) }
    }
}

impl From<DefaultValue> for Value {
    fn from(plain: DefaultValue) -> Self {
        match plain {
            DefaultValue::Switch(on) => on.into(),
            DefaultValue::Number(number) => number.into(),
            DefaultValue::Text(text) => text.into(),
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
