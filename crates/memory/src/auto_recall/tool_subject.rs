//! The subject of a tool call (a file of the project, or a command with its verb), and whether a memory names exactly
//! that. Pure but for one look at git's index; whatever isn't certain counts for nothing.

use std::path::Path;

use agents::{Event, ToolKind};

use crate::domain::Memory;

/// What a tool call is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ToolSubject {
    /// A file: its path within the project, with `/`.
    File(String),
    /// The first two words of a command: `npm publish`; three where the second only says that another follows: `npm run
    /// build`.
    Command(String),
}

/// Programs whose second word isn't a verb of theirs.
const WITHOUT_VERBS: &[&str] = &[
    "awk", "bash", "cat", "cd", "chmod", "cp", "curl", "echo", "env", "export", "fd", "find", "grep", "head",
    "kill", "ls", "mkdir", "mv", "node", "perl", "printf", "python", "python3", "rg", "rm", "ruby", "sed",
    "sh", "sleep", "sudo", "tail", "tee", "time", "timeout", "touch", "wc", "wget", "which", "xargs", "zsh",
];
/// Programs that run a project's own commands, and the verbs for that: the command is the third word.
const RUNNERS: &[&str] =
    &["bun", "composer", "hatch", "npm", "pdm", "pipenv", "pnpm", "poetry", "rye", "turbo", "uv", "yarn"];
const RUN_VERBS: &[&str] = &["dlx", "exec", "run", "run-script", "x"];
/// The same of programs whose second word is itself a program with verbs.
const WITH_COMPOSE: &[&str] = &["docker", "podman"];
/// Programs that are also English words: only a quotation names a command of theirs.
const ENGLISH_WORDS: &[&str] =
    &["bundle", "expect", "go", "helm", "just", "make", "meson", "mix", "rake", "rush", "task"];
/// File names, without what follows the first dot, that say nothing about their content.
const COMMON_STEMS: &[&str] = &[
    "__init__",
    "__main__",
    "agents",
    "app",
    "build",
    "cargo",
    "changelog",
    "claude",
    "config",
    "conftest",
    "constants",
    "dockerfile",
    "error",
    "errors",
    "gemini",
    "helpers",
    "index",
    "layout",
    "lib",
    "license",
    "main",
    "makefile",
    "mod",
    "model",
    "models",
    "package",
    "package-lock",
    "page",
    "pyproject",
    "readme",
    "route",
    "routes",
    "schema",
    "settings",
    "setup",
    "styles",
    "test",
    "tests",
    "tsconfig",
    "types",
    "util",
    "utils",
    "views",
];
/// Longer paths, and longer programs and verbs, don't count.
const MAX_PATH: usize = 240;
const MAX_WORD: usize = 40;
/// The number of commands of one line that are looked at.
const MAX_COMMANDS: usize = 4;
/// A larger index of git isn't read.
const MAX_GIT_INDEX: u64 = 1_000_000;

impl ToolSubject {
    /// The phrase that every memory about it contains; `None` for a name that says too little.
    pub(super) fn phrase(&self) -> Option<&str> {
        match self {
            Self::File(path) if is_distinctive(file_name(path)) => Some(file_name(path)),
            Self::File(path) => path.contains('/').then_some(path.as_str()),
            Self::Command(command) => Some(command.as_str()),
        }
    }

    /// As the activity screen shows it.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::File(text) | Self::Command(text) => text,
        }
    }

    /// Whether a memory names exactly this. `is_only_file` tells whether no other file of the project has a path's name.
    pub(super) fn is_named_in(&self, memory: &Memory, is_only_file: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::File(path) => {
                let name = file_name(path);
                memory.file.as_deref() == Some(path.as_str())
                    || path.contains('/') && names_path(&memory.content, path)
                    || is_distinctive(name) && names_path(&memory.content, name) && is_only_file(path)
            }
            Self::Command(command) => names_command(&memory.content, command),
        }
    }
}

/// The subjects of a tool call's event; none for Plimsoll's own tools.
pub(super) fn subjects(event: &Event, project: &Path) -> Vec<ToolSubject> {
    match event.tool.as_ref().map(|tool| &tool.kind) {
        Some(ToolKind::Read { path, .. } | ToolKind::Edit { path }) => {
            relative(event, project, path).map(ToolSubject::File).into_iter().collect()
        }
        Some(ToolKind::Shell { command }) => {
            commands(command).into_iter().map(ToolSubject::Command).collect()
        }
        _ => Vec::new(),
    }
}

/// A file's path within the project. A file that doesn't exist yet has none. Other paths aren't looked at: they may be on
/// another computer, slow to answer, and the user may still forbid the call.
fn relative(event: &Event, project: &Path, path: &Path) -> Option<String> {
    let root = dunce::canonicalize(project).ok()?;
    let whole = event.cwd.as_ref().map_or_else(|| root.join(path), |cwd| root.join(cwd).join(path));
    let named = home::without_dots(&whole);
    if !named.starts_with(&root) && !named.starts_with(project) {
        return None;
    }
    let real = dunce::canonicalize(whole).ok().filter(|real| real.is_file())?;
    let parts: Option<Vec<&str>> =
        real.strip_prefix(&root).ok()?.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/")).filter(|path| path.len() <= MAX_PATH && !path.contains(char::is_control))
}

/// The name of each command in a line, if its words are plain. A command that runs under Plimsoll counts as itself.
fn commands(line: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for stage in shell::pipelines(line).iter().flatten() {
        let words = of_user(&stage.words);
        let [program, verb, rest @ ..] = words else { continue };
        let program = shell::base(program);
        if !is_plain(program) || !is_plain(verb) || WITHOUT_VERBS.contains(&program) {
            continue;
        }
        let mut command = format!("{program} {verb}");
        if says_little(program, verb) {
            let Some(next) = rest.first().filter(|word| is_plain(word)) else { continue };
            command.push(' ');
            command.push_str(next);
        }
        if !found.contains(&command) {
            found.push(command);
        }
    }
    found.truncate(MAX_COMMANDS);
    found
}

/// The words without assignments, and without `plimsoll run … --`; none where the command is `plimsoll` itself.
fn of_user(words: &[String]) -> &[String] {
    let start = words.iter().take_while(|word| shell::is_assignment(word)).count();
    let words = &words[start..];
    if words.first().is_none_or(|program| shell::base(program) != "plimsoll") {
        return words;
    }
    if words.get(1).is_none_or(|verb| verb != "run") {
        return &[];
    }
    words.iter().position(|word| word == "--").and_then(|at| words.get(at + 1..)).unwrap_or(&[])
}

/// Whether many different commands begin with these two words: `npm run`, `docker compose`.
fn says_little(program: &str, verb: &str) -> bool {
    RUNNERS.contains(&program) && RUN_VERBS.contains(&verb)
        || WITH_COMPOSE.contains(&program) && verb == "compose"
}

fn is_plain(word: &str) -> bool {
    word.len() <= MAX_WORD
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_distinctive(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    name.contains('.') && stem.len() >= 3 && !COMMON_STEMS.contains(&stem.as_str())
}

/// Whether a text has this path as a whole, not as the end or the beginning of another one.
fn names_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = &text[..at];
        let before = before.strip_suffix("./").unwrap_or(before);
        let mut after = text[at + path.len()..].chars();
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "_-./\\~@$".contains(c));
        let ends = match after.next() {
            None => true,
            Some('.') => !after.next().is_some_and(char::is_alphanumeric),
            Some(c) => !(c.is_alphanumeric() || "_-/\\".contains(c)),
        };
        begins && ends
    })
}

/// Whether a text has this command as whole words; of a program with an English name only in quotes.
fn names_command(text: &str, command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or_default();
    let quoted = ENGLISH_WORDS.contains(&program);
    text.match_indices(command).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + command.len()..].chars();
        let begins = match before {
            None => !quoted,
            Some(c) if quoted => matches!(c, '`' | '"' | '\''),
            Some(c) => !(c.is_alphanumeric() || "_-./\\".contains(c)),
        };
        let ends = match after.next() {
            None => true,
            Some('.') => !after.next().is_some_and(char::is_alphanumeric),
            Some(c) => {
                !(c.is_alphanumeric() || "_-/\\:=".contains(c))
                    || c == ':' && after.next().is_none_or(char::is_whitespace)
            }
        };
        begins && ends
    })
}

/// Whether git's index of this project has this file, and no other one with its name. `false` if that can't be seen: in a
/// linked work tree, or with an index whose paths are compressed.
pub(super) fn is_only_file(project: &Path, path: &str) -> bool {
    home::read_regular(&project.join(".git/index"), MAX_GIT_INDEX)
        .is_ok_and(|index| named_in(&index, file_name(path)) == 1 && has_path(&index, path))
}

/// The number of an index's files with this name.
fn named_in(index: &[u8], name: &str) -> usize {
    places(index, name).filter(|before| before.ends_with(b"/") || is_length(before, name)).count()
}

/// Whether an index has a file with this path. One that isn't there may have the name of one that is.
fn has_path(index: &[u8], path: &str) -> bool {
    places(index, path).any(|before| is_length(before, path))
}

/// The bytes in front of each match that ends a path in an index; none for a version with compressed paths.
fn places<'i>(index: &'i [u8], text: &str) -> impl Iterator<Item = &'i [u8]> {
    let version = index.get(4..8);
    let is_plain = index.starts_with(b"DIRC") && matches!(version, Some([0, 0, 0, 2 | 3]));
    let index: &'i [u8] = if is_plain { index } else { &[] };
    // A path ends with a zero byte.
    let wanted = [text.as_bytes(), b"\0"].concat();
    let found = (0..index.len()).filter(move |at| index[*at..].starts_with(&wanted));
    found.map(move |at| &index[..at])
}

/// Whether a path of this length begins here: after two bytes with its length and flags, and two more if a flag says so.
fn is_length(before: &[u8], path: &str) -> bool {
    const LENGTH: u16 = 0x0fff;
    const MORE: u16 = 0x4000;
    let length = u16::try_from(path.len()).unwrap_or(LENGTH).min(LENGTH);
    let number = |high: &u8, low: &u8| u16::from_be_bytes([*high, *low]);
    matches!(before, [.., high, low] if number(high, low) & (LENGTH | MORE) == length)
        || matches!(before, [.., high, low, _, _] if number(high, low) & (LENGTH | MORE) == MORE | length)
}

#[cfg(test)]
#[path = "tool_tests.rs"]
mod tests;
