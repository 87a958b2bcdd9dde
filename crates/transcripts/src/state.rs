//! What later lines of a transcript need from earlier ones: the session, the model, calls that wait for their result.
//! Bounded, and small enough to keep between two readings. Knows no format.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::record::{Key, Tokens};

/// A longer command is cut here, at a character boundary.
pub const COMMAND_BYTES: usize = 4096;

/// The most open calls; more only remain open if results never came.
const OPEN_CALLS: usize = 256;

/// A tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The tool, as the agent names it.
    pub tool: String,
    /// The command, if it runs one.
    pub command: Option<String>,
}

impl Call {
    /// A call, with its command cut to the limit.
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
    /// The model of the next responses.
    pub model: String,
    /// The session that this one was copied from, if any; empty until a line names it.
    pub family: String,
    /// Calls without a result, oldest first.
    open: VecDeque<(Key, Call)>,
    /// Tools called since the last token count.
    pub called: Vec<String>,
    /// The last running total.
    pub total: Option<Tokens>,
    /// Whether each response has its own count, which makes running totals redundant.
    pub by_response: bool,
}

impl State {
    /// The state before the first line of a file that is named after its session.
    pub(crate) fn for_session(session: &str) -> Self {
        Self { session: session.to_owned(), ..Self::default() }
    }

    /// The session that this one was copied from, or itself.
    pub fn family(&self) -> &str {
        if self.family.is_empty() { &self.session } else { &self.family }
    }

    /// Keeps a call until its result comes.
    pub fn opened(&mut self, id: Key, call: Call) {
        self.open.retain(|(known, _)| *known != id);
        if self.open.len() >= OPEN_CALLS {
            self.open.pop_front();
        }
        self.open.push_back((id, call));
    }

    /// Removes and returns the call that this result answers.
    pub fn closed(&mut self, id: Key) -> Call {
        let found = self.open.iter().rposition(|(known, _)| *known == id);
        found.and_then(|index| self.open.remove(index)).map(|(_, call)| call).unwrap_or_default()
    }

    /// Records that a tool was called since the last token count.
    pub fn called(&mut self, tool: &str) {
        if self.called.len() < OPEN_CALLS && !self.called.iter().any(|known| known == tool) {
            self.called.push(cut(tool));
        }
    }

    /// The only kind of tool called since the last token count, and resets the list.
    pub fn take_only_tool(&mut self) -> Option<String> {
        only(std::mem::take(&mut self.called))
    }
}

/// The name, if these are all the same.
pub fn only(names: impl IntoIterator<Item = String>) -> Option<String> {
    let mut names = names.into_iter().filter(|name| !name.is_empty());
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}
