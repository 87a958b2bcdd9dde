//! Claude Code's instruction files and its own memories of projects.

use std::path::Path;

use home::Env;

use super::config_dir;
use crate::MemorySources;

pub(super) fn sources(env: &Env, project: Option<&Path>) -> MemorySources {
    let dir = config_dir(env);
    let Some(folder) = project else {
        return MemorySources {
            instructions: vec![dir.join("CLAUDE.md")],
            // The override moves the file into the folder; an older one stays where it was.
            settings: vec![env.home_dir().join(".claude.json"), dir.join(".claude.json")],
            ..MemorySources::default()
        };
    };
    MemorySources {
        instructions: ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"]
            .map(|name| folder.join(name))
            .into(),
        memories: vec![dir.join("projects").join(slug(folder)).join("memory")],
        ..MemorySources::default()
    }
}

/// Its name for a project's folder.
fn slug(folder: &Path) -> String {
    folder.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
