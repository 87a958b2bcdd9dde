//! The verbs of a system. They are data, from which the command line makes its parser and help.

use contract::Error;
use serde_json::{Map, Value};

use crate::{CallContext, ReplyFuture};

/// A verb: `plimsoll recall <QUERY> [--limit <N>]`.
#[derive(Debug, Clone, Copy)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// Its description, in one line of the help.
    pub about: &'static str,
    /// Its group in the help.
    pub group: Group,
    /// Its arguments; `--json` is added automatically.
    pub arguments: &'static [Argument],
    /// Runs it. Prints the reply's text, or its data with `--json`.
    pub run: fn(CallContext, VerbArguments) -> Result<ReplyFuture, Error>,
}

/// The groups of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Getting started.
    Start,
    /// Getting work done.
    Use,
    /// Looking at state and history.
    Look,
    /// Maintenance.
    Care,
    /// Called by agents.
    Agents,
}

/// An argument of a verb.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// Its name: `--limit`, or `QUERY` for a positional one.
    pub name: &'static str,
    /// Its description, in one line of the help.
    pub about: &'static str,
    /// What it takes.
    pub kind: ArgumentKind,
}

/// What an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    /// Nothing: it is a flag.
    Nothing,
    /// A value: `--name <VALUE>`.
    Value,
    /// A required positional value.
    Place,
    /// One or more positional values.
    Places,
}

/// The parsed arguments by name: `true`, a string, or a list of strings.
#[derive(Debug, Clone, Default)]
pub struct VerbArguments(pub Map<String, Value>);

impl VerbArguments {
    /// The value of an argument.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The values of an argument that takes several.
    pub fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Whether an argument was given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
