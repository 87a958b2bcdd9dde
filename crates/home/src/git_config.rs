//! The address of a work tree's remote, from the repository's own git config. Reads no other settings of git's, and
//! doesn't run git.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// A larger git config, or pointer to one, wasn't written for git.
const MAX_GIT_FILE: u64 = 4 * 1024 * 1024;

/// The address of the remote `origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Where git connects to: `url.….insteadOf` is applied.
    pub(crate) url: String,
    /// The address as written, if that is another one.
    pub(crate) written: Option<String>,
}

/// The remote `origin` of the work tree at `root`, if it has one.
pub(crate) fn origin(root: &Path) -> Option<Origin> {
    let git = root.join(".git");
    let config = if git.is_dir() { git.join("config") } else { common_dir(&git, root)?.join("config") };
    let text = crate::read_regular_text(&config, MAX_GIT_FILE).ok()?;
    let entries = entries(&text);
    let is_url = |entry: &&Entry| {
        entry.section == "remote"
            && entry.subsection == "origin"
            && entry.key == "url"
            && !entry.value.is_empty()
    };
    let written = entries.iter().find(is_url)?.value.clone();
    let url = instead(&entries, &written);
    Some(if url == written { Origin { url, written: None } } else { Origin { url, written: Some(written) } })
}

/// For a worktree: `.git` names `<main>/.git/worktrees/<name>`, whose `commondir` points to the config.
fn common_dir(git_file: &Path, root: &Path) -> Option<PathBuf> {
    let text = crate::read_regular_text(git_file, MAX_GIT_FILE).ok()?;
    let dir = root.join(text.strip_prefix("gitdir:")?.trim());
    match crate::read_regular_text(&dir.join("commondir"), MAX_GIT_FILE) {
        Ok(common) => Some(dir.join(common.trim())),
        Err(_) => Some(dir),
    }
}

/// The folder that a linked work tree's repository is known by: that of its main checkout, or of a repository without one.
/// `None` for every other folder, and for one that the repository doesn't name as its work tree: anybody may write a `.git`.
pub fn main_checkout(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if !git.is_file() {
        return None;
    }
    let text = crate::read_regular_text(&git, MAX_GIT_FILE).ok()?;
    let own = dunce::canonicalize(root.join(text.strip_prefix("gitdir:")?.trim())).ok()?;
    // A submodule has none.
    let common = crate::read_regular_text(&own.join("commondir"), MAX_GIT_FILE).ok()?;
    let repository = dunce::canonicalize(own.join(common.trim())).ok()?;
    let named = crate::read_regular_text(&own.join("gitdir"), MAX_GIT_FILE).ok()?;
    let is_named = own.parent() == Some(repository.join("worktrees").as_path())
        && dunce::canonicalize(own.join(named.trim())).ok()? == dunce::canonicalize(&git).ok()?;
    let has_checkout = repository.file_name().is_some_and(|name| name == ".git");
    is_named.then(|| repository.parent().filter(|_| has_checkout).unwrap_or(&repository).to_owned())
}

/// An address with its beginning replaced, by the longest `insteadOf` that it begins with; of two alike git takes the
/// first.
fn instead(entries: &[Entry], address: &str) -> String {
    let matching = entries.iter().filter(|entry| {
        entry.section == "url"
            && entry.key == "insteadof"
            && !entry.value.is_empty()
            && address.starts_with(&entry.value)
    });
    match matching.min_by_key(|entry| Reverse(entry.value.len())) {
        Some(entry) => format!("{}{}", entry.subsection, &address[entry.value.len()..]),
        None => address.to_owned(),
    }
}

/// A line of a config with its section.
struct Entry {
    /// In small letters.
    section: String,
    subsection: String,
    /// In small letters.
    key: String,
    value: String,
}

fn entries(text: &str) -> Vec<Entry> {
    let mut out = Vec::new();
    let (mut section, mut subsection) = (String::new(), String::new());
    for line in text.lines() {
        let mut line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            let Some((name, inner, rest)) = header_parts(header) else {
                (section, subsection) = (String::new(), String::new());
                continue;
            };
            (section, subsection) = (name, inner);
            line = rest.trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some((key, written)) = line.split_once('=') {
            out.push(Entry {
                section: section.clone(),
                subsection: subsection.clone(),
                key: key.trim().to_ascii_lowercase(),
                value: value(written),
            });
        }
    }
    out
}

/// The section, the subsection and what follows the header on its line: `[remote "origin"] url = …`.
fn header_parts(header: &str) -> Option<(String, String, &str)> {
    let end = header.find(['"', ']'])?;
    let name = header[..end].trim();
    if let Some(rest) = header[end..].strip_prefix(']') {
        // The older form, `[remote.origin]`.
        let (name, inner) = name.split_once('.').unwrap_or((name, ""));
        return Some((name.to_ascii_lowercase(), inner.to_ascii_lowercase(), rest));
    }
    let (mut inner, mut escaped) = (String::new(), false);
    for (at, c) in header[end + 1..].char_indices() {
        match c {
            _ if escaped => {
                inner.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => {
                let rest = header[end + 1 + at + 1..].trim_start().strip_prefix(']')?;
                return Some((name.to_ascii_lowercase(), inner, rest));
            }
            _ => inner.push(c),
        }
    }
    None
}

/// A value without its quotes, escapes and comment.
fn value(written: &str) -> String {
    let (mut out, mut quoted) = (String::new(), false);
    let mut chars = written.trim().chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' => out.extend(chars.next()),
            '#' | ';' if !quoted => break,
            c => out.push(c),
        }
    }
    out.trim_end().to_owned()
}
