//! The list of tools as a server sent it.

use std::collections::HashSet;

/// The list that was sent.
#[derive(Debug)]
pub(crate) struct ToolList {
    pub(crate) agent: Option<String>,
    /// The session as the server knows it.
    pub(crate) session: String,
    pub(crate) bytes: u64,
    pub(crate) booked: HashSet<String>,
}
