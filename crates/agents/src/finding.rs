//! What detection and `doctor` report about an agent: findings, and whether it trusts Plimsoll's hooks.

use std::path::Path;

use contract::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{entries, messages};

/// Something outside Plimsoll's entries that keeps hooks or the server from running, or that the user must do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its severity.
    pub level: Level,
    /// The finding, naming the file and key; without a full stop.
    pub what: Sentence,
    /// What to do about it.
    pub remedy: Sentence,
}

/// A [`Finding`]'s severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Good to know.
    Note,
    /// Limited until the user acts.
    NeedsYou,
    /// Doesn't work.
    Broken,
}

/// A finding for each event of a file's hooks that starts Plimsoll's twice, or in a group with others.
pub(crate) fn hooks_not_alone(file: &Path, hooks: Option<&Value>, agent: &str) -> Vec<Finding> {
    let events = hooks.and_then(Value::as_object).into_iter().flatten();
    events
        .filter(|(_, groups)| entries::hook_is_not_alone(groups, agent))
        .map(|(event, _)| Finding {
            level: Level::NeedsYou,
            what: messages::hook_not_alone(event, file),
            remedy: messages::own_group(),
        })
        .collect()
}

/// Whether the agent will run Plimsoll's hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The agent asks for no consent per hook.
    NotNeeded,
    /// The user trusts every hook.
    Trusted,
    /// At least one hook waits for the user's approval; the text says where to give it.
    Untrusted(Sentence),
    /// Couldn't be read; the text says why.
    Unknown(Sentence),
}
