//! Which files of a folder are worth indexing. Every skipped file is counted with its reason, so the walk is done here with
//! the `ignore` crate's matchers instead of its walker. Never follows symbolic links; reads only a file's first bytes.

use std::io::Read;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::decode::{HEAD_BYTES, is_binary};
use crate::error::{KnowledgeError, Result};

/// Files with ignore rules; the later ones take precedence.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];
/// Hidden folders that are meant to be read.
const WANTED_HIDDEN: &[&str] = &[".github"];
/// No project is deeper; it also stops at mounts that contain themselves.
const MAX_DEPTH: usize = 64;
/// How many of the files that the include patterns don't name are listed, and of the hidden entries.
pub(super) const MAX_NOT_INCLUDED: usize = 100_000;
/// Extensions of files that are never text.
const BINARY_ENDINGS: &[&str] = &[
    "7z", "a", "avi", "avif", "bin", "bmp", "bz2", "class", "db", "dll", "dylib", "exe", "flac", "gif", "gz",
    "heic", "ico", "jar", "jpeg", "jpg", "lib", "m4a", "mkv", "mov", "mp3", "mp4", "o", "obj", "ogg", "otf",
    "pdb", "pdf", "png", "pyc", "rlib", "rmeta", "so", "sqlite", "tar", "tgz", "tif", "tiff", "ttf", "wasm",
    "wav", "webm", "webp", "whl", "woff", "woff2", "xz", "zip", "zst",
];

/// What to include and what to skip.
pub struct WalkOptions<'a> {
    /// Only files that match one of these globs, relative to the folder; empty for all. A hidden folder named here is
    /// included.
    pub include: Vec<String>,
    /// No file or folder that matches one of these.
    pub exclude: Vec<String>,
    /// Whether the user's rules forbid reading a file or folder.
    pub deny_read: &'a (dyn Fn(&Path) -> bool + 'a),
    /// Larger files are left out.
    pub max_file_bytes: u64,
    /// The most files to include.
    pub max_files: usize,
}

impl Default for WalkOptions<'_> {
    fn default() -> Self {
        WalkOptions {
            include: Vec::new(),
            exclude: Vec::new(),
            deny_read: &|_| false,
            max_file_bytes: 2 * 1024 * 1024,
            max_files: 20_000,
        }
    }
}

impl std::fmt::Debug for WalkOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WalkOptions")
            .field("include", &self.include)
            .field("exclude", &self.exclude)
            .field("max_file_bytes", &self.max_file_bytes)
            .field("max_files", &self.max_files)
            .finish_non_exhaustive()
    }
}

/// How many entries were skipped, by reason. A skipped folder counts once.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Skipped {
    /// Not text.
    pub binary: u64,
    /// Larger than the limit.
    pub huge: u64,
    /// Excluded by an ignore file.
    pub ignored: u64,
    /// Hidden and not requested.
    pub hidden: u64,
    /// Excluded by the include and exclude patterns.
    pub filtered: u64,
    /// Forbidden by the user's read rules.
    pub denied: u64,
    /// Refused by the system.
    pub unreadable: u64,
    /// Symbolic links.
    pub symlink: u64,
    /// Above the file limit.
    pub over_limit: u64,
}

impl Skipped {
    /// All of them.
    pub fn total(&self) -> u64 {
        let parts = [self.binary, self.huge, self.ignored, self.hidden, self.filtered];
        parts.iter().sum::<u64>() + self.denied + self.unreadable + self.symlink + self.over_limit
    }
}

/// A walk's result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// The files to index, in order of their paths.
    pub files: Vec<PathBuf>,
    /// What was skipped.
    pub skipped: Skipped,
    /// Folders and files that couldn't be read; what is below them is unknown.
    pub unreadable: Vec<PathBuf>,
    /// Files that the include patterns don't name; a hundred thousand at most.
    pub not_included: Vec<PathBuf>,
    /// Hidden entries that no include pattern names; a hundred thousand at most.
    pub hidden: Vec<PathBuf>,
}

/// The ignore rules of one folder, in the order of [`IGNORE_FILES`].
struct Rules {
    by_file: [Option<Gitignore>; 3],
}

struct Walker<'a, 'o> {
    root: &'a Path,
    options: &'a WalkOptions<'o>,
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
    wanted_hidden: Vec<String>,
    /// From the repository's root down to the current folder.
    rules: Vec<Rules>,
    out: Walk,
}

/// Finds the files below `root` to index.
///
/// # Errors
/// If `root` isn't a readable folder, or a pattern doesn't parse.
pub fn walk(root: &Path, options: &WalkOptions<'_>) -> Result<Walk> {
    let io = |error| KnowledgeError::Io { path: root.to_path_buf(), error };
    if std::fs::canonicalize(root).is_ok_and(|real| home::is_made_up(&real)) {
        let words = "the system generates its files as they are read, so there is nothing to keep; name a folder with files of your own";
        return Err(io(std::io::Error::other(words)));
    }
    std::fs::read_dir(root).map_err(io)?;
    let mut walker = Walker {
        root,
        options,
        include: globs(&options.include)?,
        exclude: globs(&options.exclude)?,
        wanted_hidden: wanted_hidden(&options.include),
        rules: rules_above(root),
        out: Walk::default(),
    };
    walker.folder(root, 0);
    walker.out.files.sort();
    Ok(walker.out)
}

impl Walker<'_, '_> {
    fn folder(&mut self, dir: &Path, depth: usize) {
        let Ok(entries) = std::fs::read_dir(dir) else {
            self.unreadable(dir);
            return;
        };
        self.rules.push(rules_of(dir));
        let mut entries: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        entries.sort();
        for path in entries {
            self.entry(&path, depth);
        }
        self.rules.pop();
    }

    fn entry(&mut self, path: &Path, depth: usize) {
        let Some(name) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else { return };
        if matches!(name.as_str(), ".git" | ".hg" | ".svn" | ".jj") {
            return;
        }
        let Ok(meta) = std::fs::symlink_metadata(path) else {
            self.unreadable(path);
            return;
        };
        let relative = path.strip_prefix(self.root).unwrap_or(path);
        let skipped = &mut self.out.skipped;
        if meta.is_symlink() {
            skipped.symlink += 1;
        } else if ignored(&self.rules, path, meta.is_dir()) {
            skipped.ignored += 1;
        } else if name.starts_with('.')
            && !WANTED_HIDDEN.contains(&name.as_str())
            && !self.wanted_hidden.contains(&name)
        {
            skipped.hidden += 1;
            if self.out.hidden.len() < MAX_NOT_INCLUDED {
                self.out.hidden.push(path.to_path_buf());
            }
        } else if self.exclude.as_ref().is_some_and(|g| g.is_match(relative)) {
            skipped.filtered += 1;
        } else if (self.options.deny_read)(path) {
            skipped.denied += 1;
        } else if meta.is_dir() && home::is_made_up(path) {
            self.unreadable(path);
        } else if meta.is_dir() {
            if depth < MAX_DEPTH {
                self.folder(path, depth + 1);
            } else {
                self.out.skipped.over_limit += 1;
            }
        } else if self.include.as_ref().is_some_and(|g| !g.is_match(relative)) {
            skipped.filtered += 1;
            if self.out.not_included.len() < MAX_NOT_INCLUDED {
                self.out.not_included.push(path.to_path_buf());
            }
        } else if !meta.is_file() {
            // Sockets, devices, pipes: reading one could block forever.
            skipped.binary += 1;
        } else if meta.len() > self.options.max_file_bytes {
            skipped.huge += 1;
        } else if has_binary_ending(path) {
            skipped.binary += 1;
        } else if self.out.files.len() >= self.options.max_files {
            // No longer opened: a folder may contain a million files.
            skipped.over_limit += 1;
        } else {
            match head(path) {
                Err(_) => self.unreadable(path),
                Ok(head) if is_binary(&head) => skipped.binary += 1,
                Ok(_) => self.out.files.push(path.to_path_buf()),
            }
        }
    }

    fn unreadable(&mut self, path: &Path) {
        self.out.skipped.unreadable += 1;
        self.out.unreadable.push(path.to_path_buf());
    }
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    home::open_regular(path)?.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn has_binary_ending(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|e| BINARY_ENDINGS.binary_search(&e.as_str()).is_ok())
}

/// A deeper folder's ignore file outranks the same kind above it, and a later kind outranks an earlier one wherever it is,
/// as with ripgrep.
fn ignored(rules: &[Rules], path: &Path, is_dir: bool) -> bool {
    for kind in (0..IGNORE_FILES.len()).rev() {
        for folder in rules.iter().rev() {
            let Some(matcher) = &folder.by_file[kind] else { continue };
            match matcher.matched(path, is_dir) {
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

/// A larger ignore file wasn't written to exclude files.
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;

/// The rules of `file`, or `None` without any. Lines that don't parse are skipped, as in git.
fn matcher(dir: &Path, file: &Path) -> Option<Gitignore> {
    let bytes = match home::read_regular(file, MAX_IGNORE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => {
            log::info!("{}: {error}; the files that it leaves out are indexed", file.display());
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut builder = GitignoreBuilder::new(dir);
    for line in text.strip_prefix('\u{feff}').unwrap_or(&text).lines() {
        if let Err(error) = builder.add_line(None, line) {
            log::debug!("{}: {error}", file.display());
        }
    }
    builder.build().ok().filter(|m| !m.is_empty())
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

pub(super) fn globs(patterns: &[String]) -> Result<Option<GlobSet>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let bad = |pattern: &str, error: &globset::Error| KnowledgeError::BadGlob {
        pattern: pattern.to_owned(),
        reason: error.kind().to_string(),
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let plain = pattern.trim().trim_start_matches("./").trim_end_matches('/');
        // `*.md` means every Markdown file, `docs` the folder and its content.
        let mut forms = vec![plain.to_owned(), format!("{plain}/**")];
        if !plain.contains('/') {
            forms.push(format!("**/{plain}"));
            forms.push(format!("**/{plain}/**"));
        }
        for form in forms {
            set.add(GlobBuilder::new(&form).literal_separator(true).build().map_err(|e| bad(pattern, &e))?);
        }
    }
    Ok(Some(set.build().map_err(|e| bad("", &e))?))
}

/// The hidden names that the include patterns contain.
fn wanted_hidden(include: &[String]) -> Vec<String> {
    let steps = include.iter().flat_map(|p| p.split('/'));
    steps.filter(|s| s.len() > 1 && s.starts_with('.') && *s != "..").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_system_makes_up_is_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink("/proc", &link).unwrap();
        let started = std::time::Instant::now();
        for root in [Path::new("/proc"), Path::new("/sys"), Path::new("/dev"), Path::new("/proc/self"), &link]
        {
            let refused = walk(root, &WalkOptions::default()).unwrap_err().to_string();
            assert!(refused.contains(&*root.to_string_lossy()) && refused.contains("generates"), "{refused}");
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(2), "{:?}", started.elapsed());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_walk_skips_files_that_the_system_makes_up() {
        // Nothing but these folders: the rest of the computer isn't the test's.
        let others = std::fs::read_dir("/").unwrap().flatten().map(|entry| entry.file_name());
        let others = others.map(|name| name.to_string_lossy().into_owned());
        let others = others.filter(|name| !["proc", "sys", "dev"].contains(&name.as_str()));
        let options = WalkOptions { exclude: others.collect(), ..WalkOptions::default() };
        let found = walk(Path::new("/"), &options).unwrap();
        assert!(found.files.is_empty(), "{:?}", found.files);
        assert!(found.unreadable.contains(&PathBuf::from("/proc")), "{:?}", found.unreadable);
    }

    #[test]
    fn the_extensions_are_sorted() {
        assert!(BINARY_ENDINGS.is_sorted());
    }
}
