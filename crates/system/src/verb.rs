//! What can be typed of a system. The words are data; the command line makes its parser and its help of them.

use contract::Error;
use serde_json::{Map, Value};

use crate::{At, Work};

/// A verb: `plimsoll recall <QUERY> [--limit <N>]`.
#[derive(Debug, Clone, Copy)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line of the help.
    pub about: &'static str,
    /// Where the help shows it.
    pub group: Group,
    /// What can be given to it; `--json` is there by itself.
    pub arguments: &'static [Argument],
    /// Carries it out. The reply's text is printed, or with `--json` its data.
    pub run: fn(At, Typed) -> Result<Work, Error>,
}

/// What a reader of the help wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// To begin with Plimsoll.
    Start,
    /// To have something done.
    Use,
    /// To see how things are and what happened.
    Look,
    /// To look after what is there.
    Care,
    /// Nothing: agents call it.
    Agents,
}

/// Something that can be given to a verb.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// Its name: `--limit`, or where it goes by its place `QUERY`.
    pub name: &'static str,
    /// What it is, in one line of the help.
    pub about: &'static str,
    /// What it takes.
    pub takes: Takes,
}

/// What an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing: it is there or not.
    Nothing,
    /// A value, named `--so`.
    Value,
    /// A value by its place that must be given.
    Place,
    /// Values by their place, one at least.
    Places,
}

/// What was typed, by the names of the arguments: `true`, a text, or a list of texts.
#[derive(Debug, Clone, Default)]
pub struct Typed(pub Map<String, Value>);

impl Typed {
    /// The text of an argument.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The texts of an argument that takes several.
    pub fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Whether an argument is there.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
