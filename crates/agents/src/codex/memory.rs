//! Codex's instruction files and its own memories.

use std::path::Path;

use home::Env;

use super::config_dir;
use crate::MemorySources;

pub(super) fn sources(env: &Env, project: Option<&Path>) -> MemorySources {
    let dir = config_dir(env);
    let instructions = vec![project.unwrap_or(&dir).join("AGENTS.md")];
    let memories = if project.is_none() { vec![dir.join("memories")] } else { Vec::new() };
    MemorySources { instructions, memories, ..MemorySources::default() }
}
