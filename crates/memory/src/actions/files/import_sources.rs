//! Finds what can be imported: instruction files, agents' own memory files, and other memory tools' data. Looks at
//! file names and at a few of those tools' settings; reads no memory and writes nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use agents::MemorySources;
use home::{Env, Project};
use serde_json::Value;

use super::claude_mem;

/// Larger settings files aren't read.
const MAX_SETTINGS: u64 = 32 * 1024 * 1024;
/// Maximum number of projects.
const MAX_FOLDERS: usize = 100;

/// The kind of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// People wrote it for agents.
    Instructions,
    /// An agent wrote it for itself.
    AgentMemory,
    /// The reference memory server's file.
    MemoryServer,
    /// basic-memory's folder of notes.
    BasicMemory,
    /// A subcog export.
    Subcog,
    /// claude-mem's database.
    ClaudeMem,
    /// Commits that state decisions or mistakes.
    Commits,
}

impl Kind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::AgentMemory => "agent_memory",
            Self::MemoryServer => "memory_server",
            Self::BasicMemory => "basic_memory",
            Self::Subcog => "subcog",
            Self::ClaudeMem => "claude_mem",
            Self::Commits => "commits",
        }
    }
}

/// Something that can be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportSource {
    /// Its kind.
    pub kind: Kind,
    /// The file or folder.
    pub path: PathBuf,
    /// The project it belongs to; `None` if it applies everywhere.
    pub folder: Option<PathBuf>,
}

/// Instruction files in a project of agents that aren't in `agents`.
const OTHER_INSTRUCTION_FILES: &[&str] = &[".windsurfrules"];

/// The sources on this computer: the user's, and those of these projects and of the projects in agents' settings.
pub fn find_import_sources(env: &Env, known: &[Project]) -> Vec<ImportSource> {
    let home = env.home_dir();
    let everywhere: Vec<MemorySources> =
        agents::all().iter().map(|agent| agent.memory_sources(env, None)).collect();
    let settings: Vec<Value> =
        everywhere.iter().flat_map(|one| &one.settings).filter_map(|path| json(path)).collect();
    let folders = folders(known, &settings);
    let mut out = Vec::new();
    let mut add = |kind, path: PathBuf, folder: Option<&Path>| {
        let filled = if path.is_dir() {
            std::fs::read_dir(&path).is_ok_and(|mut all| all.next().is_some())
        } else {
            std::fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() > 0)
        };
        if filled
            && !out.iter().any(|spot: &ImportSource| spot.path == path && spot.folder.as_deref() == folder)
        {
            out.push(ImportSource { kind, path, folder: folder.map(Path::to_owned) });
        }
    };
    for one in everywhere {
        one.instructions.into_iter().for_each(|path| add(Kind::Instructions, path, None));
        one.memories.into_iter().for_each(|path| add(Kind::AgentMemory, path, None));
    }
    for path in memory_servers(home, &settings) {
        add(Kind::MemoryServer, path, None);
    }
    for path in basic_memory(home) {
        add(Kind::BasicMemory, path, None);
    }
    for folder in [home.to_owned(), home.join(".subcog"), home.join(".config/subcog")] {
        for path in exports(&folder) {
            add(Kind::Subcog, path, None);
        }
    }
    let database =
        env.path("CLAUDE_MEM_DATA_DIR").unwrap_or_else(|| home.join(".claude-mem")).join("claude-mem.db");
    let observed =
        if database.is_file() { claude_mem::projects(&database).unwrap_or_default() } else { Vec::new() };
    for folder in &folders {
        for agent in agents::all() {
            let here = agent.memory_sources(env, Some(folder));
            here.instructions.into_iter().for_each(|path| add(Kind::Instructions, path, Some(folder)));
            here.memories.into_iter().for_each(|path| add(Kind::AgentMemory, path, Some(folder)));
        }
        for name in OTHER_INSTRUCTION_FILES {
            add(Kind::Instructions, folder.join(name), Some(folder));
        }
        for path in exports(folder) {
            add(Kind::Subcog, path, Some(folder));
        }
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| observed.contains(&name)) {
            add(Kind::ClaudeMem, database.clone(), Some(folder));
        }
        let git = folder.join(".git");
        // In a linked work tree it is a file.
        if git.is_file() || git.join("HEAD").is_file() {
            add(Kind::Commits, git, Some(folder));
        }
    }
    out.sort_by(|a, b| (a.kind, &a.folder, &a.path).cmp(&(b.kind, &b.folder, &b.path)));
    out
}

fn json(path: &Path) -> Option<Value> {
    serde_json::from_str(&home::read_regular_text(path, MAX_SETTINGS).ok()?).ok()
}

/// These projects, and the folders that agents' settings list as theirs.
fn folders(known: &[Project], settings: &[Value]) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = known.iter().map(|project| project.root.clone()).collect();
    let started = settings.iter().filter_map(|one| one["projects"].as_object()).flat_map(|all| all.keys());
    for path in started.map(Path::new).filter(|path| path.is_absolute() && path.join(".git").exists()) {
        if let Ok(project) = Project::at(path)
            && !out.contains(&project.root)
        {
            out.push(project.root);
        }
    }
    out.truncate(MAX_FOLDERS);
    out
}

/// Where the reference memory server writes: its configured files and its default.
fn memory_servers(home: &Path, settings: &[Value]) -> BTreeSet<PathBuf> {
    let mut out = BTreeSet::new();
    for one in settings {
        collect_memory_files(one, 0, &mut out);
    }
    let started = std::fs::read_dir(home.join(".npm/_npx")).into_iter().flatten().flatten();
    for entry in started.take(200) {
        let dist = entry.path().join("node_modules/@modelcontextprotocol/server-memory/dist");
        out.extend(["memory.jsonl", "memory.json"].map(|name| dist.join(name)));
    }
    out
}

fn collect_memory_files(value: &Value, depth: usize, out: &mut BTreeSet<PathBuf>) {
    match value {
        Value::Object(all) if depth < 12 => {
            for (key, inner) in all {
                match inner.as_str() {
                    Some(path) if key == "MEMORY_FILE_PATH" && Path::new(path).is_absolute() => {
                        out.insert(PathBuf::from(path));
                    }
                    _ => collect_memory_files(inner, depth + 1, out),
                }
            }
        }
        Value::Array(all) if depth < 12 => {
            all.iter().for_each(|inner| collect_memory_files(inner, depth + 1, out));
        }
        _ => {}
    }
}

/// basic-memory's projects: a path each, or an object with one.
fn basic_memory(home: &Path) -> BTreeSet<PathBuf> {
    let mut out = BTreeSet::new();
    if let Some(settings) = json(&home.join(".basic-memory/config.json")) {
        for one in settings["projects"].as_object().into_iter().flatten().map(|(_, one)| one) {
            let path = one.as_str().or_else(|| one["path"].as_str());
            out.extend(path.map(PathBuf::from).filter(|path| path.is_absolute()));
        }
        if out.is_empty() {
            out.insert(home.join("basic-memory"));
        }
    }
    out
}

/// Files named like a subcog export.
fn exports(folder: &Path) -> Vec<PathBuf> {
    let named = |name: &str| {
        let ours = name.starts_with("subcog") || name.starts_with("memories-export");
        ours && [".json", ".jsonl", ".ndjson", ".csv"].iter().any(|ending| name.ends_with(ending))
    };
    let all = std::fs::read_dir(folder).into_iter().flatten().flatten().take(2_000);
    let mut found: Vec<PathBuf> =
        all.filter(|entry| named(&entry.file_name().to_string_lossy())).map(|entry| entry.path()).collect();
    found.sort();
    found
}
