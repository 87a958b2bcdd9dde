//! Lists a repository's files with size and time. Applies nested ignore rules as git and ripgrep do; counts everything it skips and
//! names the first few. Never follows symbolic links. Doesn't read contents, but for a first look at whether a file is text.

mod names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::{CodebaseError, Result};
use crate::stamp::{self, Stamp};
use names::{NEVER, has_data_ending, is_setting, is_written_beside_settings};

/// Files with ignore rules; later ones take precedence.
pub(crate) const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];
/// An ignore file that is larger was not written to leave files out.
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;
/// No project is deeper; it also bounds mounts that contain themselves.
const MAX_DEPTH: usize = 64;
/// Larger files are data.
pub(crate) const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// The number of skipped paths that are named for each reason.
const NAMED: usize = 8;

/// Why something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// By an ignore file.
    Ignored,
    /// A folder of dependencies or of build output.
    Dependencies,
    /// Hidden.
    Hidden,
    /// Not text, by its ending or its first bytes.
    Binary,
    /// No language that is known.
    Unknown,
    /// Larger than code is.
    Huge,
    /// By the user's read rules.
    Denied,
    /// The system denied access.
    Unreadable,
    /// A symbolic link.
    Symlink,
    /// A repository inside this one.
    Nested,
    /// Deeper than projects are, or a name that is not text.
    Odd,
}

/// What was left out: how many, and the first of them by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Skipped {
    /// How many; a folder counts once.
    pub count: u64,
    /// The first ones.
    pub first: Vec<String>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Relative to the repository, with `/`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// When it was changed.
    pub mtime_ns: i64,
}

/// What a walk found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// In order of their paths.
    pub files: Vec<FoundFile>,
    /// The folders that were looked into and the ignore files that were heeded, as they were before.
    pub watched: Vec<Stamp>,
    /// What was left out.
    pub left_out: BTreeMap<SkipReason, Skipped>,
}

impl Walk {
    fn leave(&mut self, why: SkipReason, path: &str) {
        let left = self.left_out.entry(why).or_default();
        left.count += 1;
        if left.first.len() < NAMED {
            left.first.push(path.to_owned());
        }
    }
}

struct Rules {
    by_file: [Option<Gitignore>; 3],
}

struct Walker<'a> {
    root: &'a Path,
    deny_read: &'a dyn Fn(&Path) -> bool,
    rules: Vec<Rules>,
    out: Walk,
}

/// Walks `root`. `deny_read` says whether the user's rules forbid reading a path.
///
/// # Errors
/// When `root` is not a folder that can be read.
pub fn walk(root: &Path, deny_read: &dyn Fn(&Path) -> bool) -> Result<Walk> {
    std::fs::read_dir(root).map_err(|source| CodebaseError::Io { path: root.to_owned(), source })?;
    let mut out = Walk::default();
    // Rules from above the project count by their whole paths.
    for file in ignore_files_above(root) {
        out.watched.extend(stamp::stamp(&file, &file.to_string_lossy()));
    }
    let mut walker = Walker { root, deny_read, rules: rules_above(root), out };
    walker.folder(root, "", 0);
    walker.out.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walker.out)
}

impl Walker<'_> {
    fn folder(&mut self, dir: &Path, relative: &str, depth: usize) {
        // Before its entries are read: an entry that is added meanwhile changes the time.
        self.out.watched.extend(stamp::stamp(dir, relative));
        let Ok(entries) = std::fs::read_dir(dir) else {
            self.out.leave(SkipReason::Unreadable, relative);
            return;
        };
        for name in IGNORE_FILES {
            self.out.watched.extend(stamp::stamp(&dir.join(name), &path_in(relative, name)));
        }
        self.rules.push(rules_of(dir));
        let mut entries: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        entries.sort();
        for path in entries {
            self.entry(&path, relative, depth);
        }
        self.rules.pop();
    }

    fn entry(&mut self, path: &Path, folder: &str, depth: usize) {
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
            self.out.leave(SkipReason::Odd, &path.strip_prefix(self.root).unwrap_or(path).to_string_lossy());
            return;
        };
        let relative = path_in(folder, name);
        let Ok(meta) = std::fs::symlink_metadata(path) else {
            self.out.leave(SkipReason::Unreadable, &relative);
            return;
        };
        if let Some(why) = self.leaves(path, name, &meta, depth) {
            if !matches!(name, ".git" | ".hg" | ".svn" | ".jj") {
                self.out.leave(why, &relative);
            }
        } else if meta.is_dir() {
            self.folder(path, &relative, depth + 1);
        } else {
            let mtime_ns = stamp::mtime_ns(&meta);
            self.out.files.push(FoundFile { path: relative, size: meta.len(), mtime_ns });
        }
    }

    fn leaves(&self, path: &Path, name: &str, meta: &std::fs::Metadata, depth: usize) -> Option<SkipReason> {
        if meta.is_symlink() {
            return Some(SkipReason::Symlink);
        }
        if meta.is_dir() && (NEVER.contains(&name) || is_written_beside_settings(path)) {
            return Some(SkipReason::Dependencies);
        }
        if ignored(&self.rules, path, meta.is_dir()) {
            return Some(SkipReason::Ignored);
        }
        if name.starts_with('.') && !is_setting(name) {
            return Some(SkipReason::Hidden);
        }
        if (self.deny_read)(path) {
            return Some(SkipReason::Denied);
        }
        if meta.is_dir() {
            // A submodule or a clone: its own project.
            return if depth >= MAX_DEPTH {
                Some(SkipReason::Odd)
            } else {
                path.join(".git").exists().then_some(SkipReason::Nested)
            };
        }
        if !meta.is_file() || has_data_ending(name) {
            return Some(SkipReason::Binary);
        }
        if meta.len() > MAX_FILE_BYTES {
            return Some(SkipReason::Huge);
        }
        // Without an ending, the first line decides; that is seen when it is read.
        (name.contains('.') && crate::language::of(name, "").is_none()).then_some(SkipReason::Unknown)
    }
}

/// A name in a folder, as paths are written here.
pub(crate) fn path_in(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// What a walk would find in a folder.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Relative to the repository, with `/`.
    pub(crate) path: String,
    /// Whether it would be looked into.
    pub(crate) folder: bool,
}

/// What a walk would find directly in the folder `relative`, by the rules that apply there; `None` if it can't be read.
pub(crate) fn entries(root: &Path, relative: &str, deny_read: &dyn Fn(&Path) -> bool) -> Option<Vec<Entry>> {
    let mut rules = rules_above(root);
    let mut dir = root.to_owned();
    rules.push(rules_of(&dir));
    let folders = || relative.split('/').filter(|name| !name.is_empty());
    for name in folders() {
        dir.push(name);
        rules.push(rules_of(&dir));
    }
    let walker = Walker { root, deny_read, rules, out: Walk::default() };
    let mut found = Vec::new();
    for path in std::fs::read_dir(&dir).ok()?.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let meta = std::fs::symlink_metadata(&path).ok()?;
        if walker.leaves(&path, name, &meta, folders().count()).is_none() {
            found.push(Entry { path: path_in(relative, name), folder: meta.is_dir() });
        }
    }
    Some(found)
}

/// Whether these first bytes are those of a text.
pub(crate) fn is_text(head: &[u8]) -> bool {
    !head[..head.len().min(8_000)].contains(&0)
}

/// A kind of ignore file of a deeper folder outranks the same kind above it, and a later kind outranks an
/// earlier one at any depth, as with ripgrep.
fn ignored(rules: &[Rules], path: &Path, is_dir: bool) -> bool {
    for kind in (0..IGNORE_FILES.len()).rev() {
        for folder in rules.iter().rev() {
            match folder.by_file[kind].as_ref().map_or(Match::None, |m| m.matched(path, is_dir)) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
    }
    false
}

fn rules_of(dir: &Path) -> Rules {
    Rules { by_file: IGNORE_FILES.map(|name| matcher(dir, &dir.join(name))) }
}

/// Rules of `file`, or `None` when there are none. Lines that do not parse are passed over, as git does.
fn matcher(dir: &Path, file: &Path) -> Option<Gitignore> {
    let bytes = home::read_regular(file, MAX_IGNORE_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut builder = GitignoreBuilder::new(dir);
    for line in text.strip_prefix('\u{feff}').unwrap_or(&text).lines() {
        if let Err(error) = builder.add_line(None, line) {
            log::debug!("{}: {error}", file.display());
        }
    }
    builder.build().ok().filter(|m| !m.is_empty())
}

/// The files that [`rules_above`] reads.
pub(crate) fn ignore_files_above(root: &Path) -> Vec<PathBuf> {
    let Some(repository) = root.ancestors().find(|dir| dir.join(".git").exists()) else { return Vec::new() };
    let between = root.ancestors().skip(1).take_while(|dir| dir.starts_with(repository));
    let files = between.flat_map(|dir| IGNORE_FILES.map(|name| dir.join(name)));
    std::iter::once(repository.join(".git").join("info").join("exclude")).chain(files).collect()
}

/// The rules between the repository's root and the folder, and the repository's own exclude list.
fn rules_above(root: &Path) -> Vec<Rules> {
    let Some(repository) = root.ancestors().find(|dir| dir.join(".git").exists()) else { return Vec::new() };
    let exclude = matcher(repository, &repository.join(".git").join("info").join("exclude"));
    let mut above = vec![Rules { by_file: [exclude, None, None] }];
    let mut between: Vec<&Path> =
        root.ancestors().skip(1).take_while(|dir| dir.starts_with(repository)).collect();
    between.reverse();
    above.extend(between.into_iter().map(rules_of));
    above
}
