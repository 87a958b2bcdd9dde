//! The text for an agent's instruction file, and the edit that adds it. Off by default: where hooks and the server's own
//! instructions work, it adds nothing. Doesn't know which file an agent reads.

use edits::{Comment, Edit};

use crate::{Agent, SERVER_KEY};

/// The marked block, with the tool names that this agent shows.
pub(crate) fn block(agent: &dyn Agent) -> Edit {
    Edit::Block { id: SERVER_KEY.to_owned(), text: text(agent), comment: Comment::Html }
}

/// The block's text, without its marks.
pub(crate) fn text(agent: &dyn Agent) -> String {
    let [execute, batch, index, search, manage] =
        ["execute", "batch", "index", "search", "manage"].map(|tool| agent.tool_name(tool));
    // Without the tool, the command line does the same.
    let (asked, of) = match agent.offer().tools.contains(&"manage") {
        true => (
            format!("call `{manage}`"),
            ["action `stats`", "action `doctor`", "action `upgrade`", "action `purge`"],
        ),
        false => (
            "run in the shell".to_owned(),
            ["`plimsoll stats`", "`plimsoll doctor`", "`plimsoll upgrade`", "`plimsoll purge`"],
        ),
    };
    let [stats, doctor, upgrade, purge] = of;
    format!(
        "## Large outputs\n\n\
         Commands, files and pages with much output can be handled outside the conversation:\n\n\
         - `{execute}` runs code or a command and returns what matters of its output; `{batch}` runs several.\n\
         - `{index}` reads a file, folder or URL into a searchable store.\n\
         - `{search}` answers questions from that store, including everything that was cut from outputs.\n\n\
         When the user asks about Plimsoll itself, {asked}:\n\n\
         - \"how much did it save?\", \"Plimsoll stats\": {stats}\n\
         - \"does Plimsoll work?\", \"check Plimsoll\", \"what's wrong with it?\": {doctor}\n\
         - \"is there a newer Plimsoll?\", \"update it\": {upgrade}\n\
         - \"forget this project\", \"delete what was stored\": {purge}, which asks first\n"
    )
}
