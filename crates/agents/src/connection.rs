//! What connecting an agent consists of: the scope, the chosen parts, and the files with the edits that connect it.

use std::path::{Path, PathBuf};

use home::Env;
use serde::{Deserialize, Serialize};

use crate::Installation;

/// The key of Plimsoll's MCP server in every agent's config. Lower-case letters only and at most 13 of them, because Gemini
/// splits on `_` and VS Code shortens longer names.
pub const SERVER_KEY: &str = "plimsoll";

/// Where entries are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The user's own configuration: every project.
    User,
    /// The configuration inside one project folder.
    Project(PathBuf),
}

/// What to connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// The MCP server entry.
    pub mcp: bool,
    /// The hook registration (or the plugin file).
    pub hooks: bool,
    /// A short marked block in the agent's instruction file.
    pub instructions: bool,
    /// Whether an agent that withholds credentials from its servers forwards them to Plimsoll's; `None` keeps the entry's
    /// choice.
    pub credentials: Option<bool>,
}

impl Default for Parts {
    fn default() -> Self {
        Self { mcp: true, hooks: true, instructions: false, credentials: None }
    }
}

/// What an agent's entries depend on.
#[derive(Debug, Clone)]
pub struct EntryContext<'a> {
    /// Absolute path of the stable launcher that the entries name.
    pub launcher: &'a Path,
    /// User or project scope.
    pub scope: &'a Scope,
    /// The agent's installation; events and keys follow its version.
    pub installation: &'a Installation,
    /// What to connect.
    pub parts: Parts,
    /// The agent's environment (overrides of config folders).
    pub env: &'a Env,
}

/// A file's purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Names the MCP server.
    Mcp,
    /// Registers hook commands.
    Hooks,
    /// Instruction text for the model.
    Instructions,
    /// Plimsoll's own plugin file.
    Plugin,
}

/// One of an agent's files and the edits that connect it. Several roles may share one path; the caller joins the edits of
/// equal paths into one plan.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    /// The file as the agent names it; `edits` resolves a symlink.
    pub path: PathBuf,
    /// Its dialect.
    pub format: edits::Format,
    /// Its purpose.
    pub role: Role,
    /// The edits.
    pub edits: Vec<edits::Edit>,
}
