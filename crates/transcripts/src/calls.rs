//! What one transcript has told so far that later lines need: the session, the model, calls of which the result is
//! still to come. Bounded, and small enough to be kept between two readings. Knows no format.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::record::{Key, Tokens};

/// A longer command is cut there, at a character.
pub const COMMAND_BYTES: usize = 4096;

/// Calls that wait for their result; more are only open at once when results never came.
const OPEN_CALLS: usize = 256;

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The tool, as the agent names it.
    pub tool: String,
    /// The command, when it runs one.
    pub command: Option<String>,
}

impl Call {
    /// A call; the command is cut.
    pub fn new(tool: &str, command: Option<&str>) -> Self {
        let command = command.filter(|command| !command.is_empty());
        Self { tool: cut(tool), command: command.map(cut) }
    }
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(COMMAND_BYTES)].to_owned()
}

/// What later lines of the same transcript need.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The session.
    pub session: String,
    /// The model of the responses to come.
    pub model: String,
    /// The session of which this one says to be a copy, or itself; empty until it says so.
    pub family: String,
    /// Calls without a result, oldest first.
    open: VecDeque<(Key, Call)>,
    /// Tools called since the last count.
    pub called: Vec<String>,
    /// The last running total.
    pub total: Option<Tokens>,
    /// Whether each response is counted by itself, which makes running totals superfluous.
    pub by_response: bool,
}

impl State {
    /// The state before the first line of a file that is named after its session.
    pub fn named(session: &str) -> Self {
        Self { session: session.to_owned(), ..Self::default() }
    }

    /// The session of which this one is a copy, or itself.
    pub fn family(&self) -> &str {
        if self.family.is_empty() { &self.session } else { &self.family }
    }

    /// Remembers a call until its result comes.
    pub fn opened(&mut self, id: Key, call: Call) {
        self.open.retain(|(known, _)| *known != id);
        if self.open.len() >= OPEN_CALLS {
            self.open.pop_front();
        }
        self.open.push_back((id, call));
    }

    /// The call that this result answers.
    pub fn closed(&mut self, id: Key) -> Call {
        let found = self.open.iter().rposition(|(known, _)| *known == id);
        found.and_then(|index| self.open.remove(index)).map(|(_, call)| call).unwrap_or_default()
    }

    /// Notes that a tool was called since the last count.
    pub fn called(&mut self, tool: &str) {
        if self.called.len() < OPEN_CALLS && !self.called.iter().any(|known| known == tool) {
            self.called.push(cut(tool));
        }
    }

    /// The one kind of tool called since the last count, which starts anew.
    pub fn only_called(&mut self) -> Option<String> {
        only(std::mem::take(&mut self.called))
    }
}

/// The only name among these, if they are all the same.
pub fn only(names: impl IntoIterator<Item = String>) -> Option<String> {
    let mut names = names.into_iter().filter(|name| !name.is_empty());
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}
