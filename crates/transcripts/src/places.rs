//! Where the agents' transcripts lie. Owns the folders, the variables that move them, and which files in them are
//! transcripts. Reads folders' lists and nothing of the files.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use home::Env;

use crate::agents::Format;
use crate::record::Agent;

/// How a source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file of lines, or a document of messages.
    File(Format),
    /// OpenCode's database.
    OpenCodeDb,
    /// The folder of files that OpenCode kept before it had a database.
    OpenCodeFiles,
}

/// One transcript, or a database of many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Whose it is.
    pub agent: Agent,
    /// The file or folder.
    pub path: PathBuf,
    /// When it was last written, milliseconds since 1970.
    pub modified_ms: i64,
    pub(crate) kind: Kind,
}

/// Deepest folder below a root; Codex' are `sessions/2026/11/22`, Claude Code's
/// `projects/<slug>/<session>/subagents`.
const DEPTH: usize = 6;

/// Every transcript on this computer that was written at or after `since_ms` (milliseconds since 1970), in an order
/// that is always the same. What cannot be listed is left out.
pub fn sources(env: &Env, since_ms: i64) -> Vec<Source> {
    let mut found = Vec::new();
    claude_code(env, &mut found);
    codex(env, &mut found);
    gemini_cli(env, &mut found);
    opencode(env, &mut found);
    copilot_cli(env, &mut found);
    found.retain(|source| source.modified_ms >= since_ms);
    found.sort_by(|a, b| (a.agent, &a.path).cmp(&(b.agent, &b.path)));
    found.dedup_by(|a, b| a.path == b.path);
    found
}

fn claude_code(env: &Env, found: &mut Vec<Source>) {
    let moved = env.path("CLAUDE_CONFIG_DIR").unwrap_or_else(|| env.home_dir().join(".claude"));
    let xdg = env.path("XDG_CONFIG_HOME").unwrap_or_else(|| env.home_dir().join(".config")).join("claude");
    for config in [moved, xdg] {
        let kind = Kind::File(Format::ClaudeCode);
        files(&config.join("projects"), Agent::ClaudeCode, found, |name| {
            name.ends_with(".jsonl").then_some(kind)
        });
    }
}

fn codex(env: &Env, found: &mut Vec<Source>) {
    let dir = env.path("CODEX_HOME").unwrap_or_else(|| env.home_dir().join(".codex"));
    for below in ["sessions", "archived_sessions"] {
        files(&dir.join(below), Agent::Codex, found, |name| {
            let ours = name.starts_with("rollout-") && name.ends_with(".jsonl");
            ours.then_some(Kind::File(Format::Codex))
        });
    }
}

fn gemini_cli(env: &Env, found: &mut Vec<Source>) {
    let dir = env.path("GEMINI_CLI_HOME").unwrap_or_else(|| env.home_dir().to_path_buf());
    for project in entries(&dir.join(".gemini").join("tmp")) {
        files(&project.join("chats"), Agent::GeminiCli, found, |name| match name {
            name if name.ends_with(".jsonl") => Some(Kind::File(Format::Gemini)),
            name if name.ends_with(".json") => Some(Kind::File(Format::GeminiDocument)),
            _ => None,
        });
    }
}

fn opencode(env: &Env, found: &mut Vec<Source>) {
    let data = env.path("XDG_DATA_HOME").unwrap_or_else(|| env.home_dir().join(".local").join("share"));
    let data = data.join("opencode");
    // Builds of other channels have a database of their own beside it. A relative name is taken from the data folder.
    let mut databases: Vec<PathBuf> = entries(&data)
        .into_iter()
        .filter(|path| {
            name_of(path).is_some_and(|name| name.starts_with("opencode") && name.ends_with(".db"))
        })
        .collect();
    databases.extend(env.var("OPENCODE_DB").map(|named| data.join(named)));
    for path in databases {
        let Ok(metadata) = fs::metadata(&path) else { continue };
        // Only the log changes as long as OpenCode runs.
        let mut log = path.clone().into_os_string();
        log.push("-wal");
        let logged = fs::metadata(log).as_ref().map(modified_ms).unwrap_or(0);
        let modified_ms = modified_ms(&metadata).max(logged);
        found.push(Source { agent: Agent::OpenCode, path, modified_ms, kind: Kind::OpenCodeDb });
    }
    let storage = data.join("storage");
    let sessions = entries(&storage.join("message"));
    let newest =
        sessions.iter().filter_map(|path| fs::metadata(path).ok()).map(|data| modified_ms(&data)).max();
    if let Some(modified_ms) = newest {
        found.push(Source { agent: Agent::OpenCode, path: storage, modified_ms, kind: Kind::OpenCodeFiles });
    }
}

fn copilot_cli(env: &Env, found: &mut Vec<Source>) {
    let dir = env.path("COPILOT_HOME").unwrap_or_else(|| env.home_dir().join(".copilot"));
    let lines = |format| move |name: &str| name.ends_with(".jsonl").then_some(Kind::File(format));
    files(&dir.join("session-state"), Agent::CopilotCli, found, lines(Format::CopilotEvents));
    files(&dir.join("otel"), Agent::CopilotCli, found, lines(Format::CopilotTelemetry));
    if let Some(path) = env.path("COPILOT_OTEL_FILE_EXPORTER_PATH")
        && let Ok(metadata) = fs::metadata(&path)
        && metadata.is_file()
    {
        let kind = Kind::File(Format::CopilotTelemetry);
        found.push(Source { agent: Agent::CopilotCli, path, modified_ms: modified_ms(&metadata), kind });
    }
}

/// Adds the files below a folder that `kind` knows by name. Links to folders are not followed: they may lead back.
fn files(root: &Path, agent: Agent, found: &mut Vec<Source>, kind: impl Fn(&str) -> Option<Kind>) {
    let mut open = vec![(root.to_path_buf(), 0)];
    while let Some((dir, depth)) = open.pop() {
        for path in entries(&dir) {
            let Ok(plain) = fs::symlink_metadata(&path) else { continue };
            if plain.is_dir() {
                if depth < DEPTH {
                    open.push((path, depth + 1));
                }
                continue;
            }
            let Some(kind) = name_of(&path).and_then(&kind) else { continue };
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_file() {
                found.push(Source { agent, path, modified_ms: modified_ms(&metadata), kind });
            }
        }
    }
}

/// Paths in a folder, sorted; none when it cannot be listed.
pub(crate) fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name().and_then(|name| name.to_str())
}

/// When a file was last written, milliseconds since 1970; 0 when the system does not say.
pub(crate) fn modified_ms(metadata: &Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or(0)
}
