//! The tool list that a server sent.

use std::collections::HashSet;

/// A sent tool list.
#[derive(Debug)]
pub(crate) struct ToolList {
    pub(crate) agent: Option<String>,
    /// The session ID that the server was given.
    pub(crate) session: String,
    pub(crate) bytes: u64,
    pub(crate) booked: HashSet<String>,
}
