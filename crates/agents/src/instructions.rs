//! The text that may go into an agent's instruction file, and the edit that puts it there. Off by default:
//! where hooks and the server's own instructions work, it says nothing new. It does not know which file an
//! agent reads.

use edits::{Comment, Edit};

use crate::{Agent, SERVER_KEY};

/// The marked block with the tool names as this agent shows them.
pub(crate) fn block(agent: &dyn Agent) -> Edit {
    Edit::Block { id: SERVER_KEY.to_owned(), text: text(agent), comment: Comment::Html }
}

/// The block's text without its marks.
pub(crate) fn text(agent: &dyn Agent) -> String {
    let [execute, batch, index, search, manage] =
        ["execute", "batch", "index", "search", "manage"].map(|tool| agent.tool_name(tool));
    format!(
        "## Large outputs\n\n\
         Commands, files and pages with much output can be handled outside the conversation:\n\n\
         - `{execute}` runs code or a command and returns what matters of its output; `{batch}` runs several.\n\
         - `{index}` reads a file, folder or URL into a searchable store.\n\
         - `{search}` answers questions from that store, including everything that was cut from outputs.\n\n\
         When the user asks about Plimsoll itself, call `{manage}`:\n\n\
         - \"how much did it save?\", \"Plimsoll stats\": action `stats`\n\
         - \"does Plimsoll work?\", \"check Plimsoll\", \"what's wrong with it?\": action `doctor`\n\
         - \"is there a newer Plimsoll?\", \"update it\": action `upgrade`\n\
         - \"forget this project\", \"delete what was stored\": action `purge`, which asks first\n"
    )
}
