//! Updates memories and entities that name files which git has seen renamed since the last check. Owns when git is
//! asked and which renames count; never runs in a hook or for more than a few seconds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::context::ActionContext;
use super::failure::Failure;
use super::git::git;
use super::git_branches::{commit_in_files, is_commit};
use crate::store::Actor;

/// Maximum number of commits per check.
const MAX_COMMITS: &str = "--max-count=5000";
/// Maximum number of work trees remembered.
const MAX_WORK_TREES: usize = 500;

/// What git was too slow for in this process, or failed at: work trees, and commits of them.
static FAILED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Applies the project's renames since the last check; returns the number of updated memories and entities.
///
/// # Errors
/// [`Failure`] if the database fails. If git fails, nothing changes and the next check starts from the same commit.
pub fn follow_renames(context: &ActionContext) -> Result<(usize, usize), Failure> {
    follow(context, true)
}

/// The same before a question is answered, which waits for a slow git once and not every time.
///
/// # Errors
/// [`Failure`] if the database fails.
pub fn follow_renames_once(context: &ActionContext) -> Result<(usize, usize), Failure> {
    follow(context, false)
}

fn follow(context: &ActionContext, tries_again: bool) -> Result<(usize, usize), Failure> {
    let (Some(root), Some(keys)) = (&context.root, context.keys()) else { return Ok((0, 0)) };
    let mut since: Option<i64> = None;
    if let Some(store) = context.reader()? {
        for key in keys.all() {
            since = since.into_iter().chain(store.names_files_since(key)?).min();
        }
    }
    let Some(since) = since else { return Ok((0, 0)) };
    let Some(head) = head_of(root, tries_again) else { return Ok((0, 0)) };
    let seen = LastCheck::read(&context.database, root);
    if seen.head.as_deref() == Some(head.as_str()) {
        return Ok((0, 0));
    }
    let attempt = format!("{head} {}", root.display());
    let Some(steps) =
        unless_failed(attempt, tries_again, || git_renames(root, seen.head.as_deref(), &head, since))
    else {
        return Ok((0, 0));
    };
    let renamed = final_paths(root, &steps);
    let mut moved = (0, 0);
    if !renamed.is_empty() {
        // The repository made the change, not a user.
        let who = Actor { at_ms: context.who.at_ms, client: None, session: None };
        let mut store = context.writer()?;
        for key in keys.all() {
            let (memories, entities) = store.follow(key, &renamed, &who)?;
            moved = (moved.0 + memories, moved.1 + entities);
        }
    }
    seen.save(&head);
    Ok(moved)
}

/// The commit of the work tree. Git is asked only where its files don't have it: a question can't wait for a program each time.
fn head_of(root: &Path, tries_again: bool) -> Option<String> {
    let asked = || git(root, &["rev-parse", "--verify", "HEAD"]).map(|text| text.trim().to_owned());
    let asked = || asked().filter(|text| is_commit(text));
    commit_in_files(root).or_else(|| unless_failed(root.display().to_string(), tries_again, asked))
}

/// What git answers, unless it was too slow for this attempt in this process, or failed at it, and isn't to try again.
fn unless_failed<T>(attempt: String, tries_again: bool, ask: impl FnOnce() -> Option<T>) -> Option<T> {
    let failed = || FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    if !tries_again && failed().contains(&attempt) {
        return None;
    }
    let answer = ask();
    if answer.is_none() {
        failed().insert(attempt);
    }
    answer
}

/// The renames, oldest first. Along one line of history they come from each commit, so that a file may change a lot
/// on the way; between branches they come from the difference.
fn git_renames(root: &Path, last: Option<&str>, head: &str, since_ms: i64) -> Option<Vec<(String, String)>> {
    const RENAMES: [&str; 3] = ["--find-renames", "--diff-filter=R", "--name-status"];
    const PLAIN: [&str; 4] = ["-z", "--no-ext-diff", "--no-textconv", "--no-color"];
    let known = last.filter(|last| git(root, &["cat-file", "-e", &format!("{last}^{{commit}}")]).is_some());
    let earlier = known.is_some_and(|last| git(root, &["merge-base", "--is-ancestor", last, head]).is_some());
    let since = format!("--since={}", since_ms / 1_000);
    let range = known.map_or_else(|| head.to_owned(), |last| format!("{last}..{head}"));
    let mut args = match known {
        Some(last) if !earlier => vec!["diff", last, head],
        Some(_) => vec!["log", "--format=", "--reverse", MAX_COMMITS, range.as_str()],
        None => vec!["log", "--format=", "--reverse", MAX_COMMITS, since.as_str(), range.as_str()],
    };
    let place = args.len() - if args[0] == "diff" { 2 } else { 1 };
    args.splice(place..place, RENAMES.into_iter().chain(PLAIN));
    args.push("--");
    Some(parse_renames(&git(root, &args)?))
}

/// Old and new path of each rename, from git's `-z` output.
fn parse_renames(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut parts = text.split('\0').map(|part| part.trim_start_matches('\n'));
    while let Some(part) = parts.next() {
        let score = part.strip_prefix('R').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        if score && let (Some(old), Some(new)) = (parts.next(), parts.next()) {
            out.push((old.to_owned(), new.to_owned()));
        }
    }
    out
}

/// Each file's final path. Files that still exist under the old path, or under neither, are left out.
fn final_paths(root: &Path, steps: &[(String, String)]) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for (old, new) in steps {
        for (_, last) in &mut out {
            if last == old {
                last.clone_from(new);
            }
        }
        if !out.iter().any(|(first, _)| first == old) {
            out.push((old.clone(), new.clone()));
        }
    }
    out.retain(|(old, new)| old != new && !root.join(old).exists() && root.join(new).exists());
    out
}

/// The last checked commit of this work tree: a line in a small file beside the database. Losing it only makes the
/// next check longer.
struct LastCheck {
    file: PathBuf,
    place: String,
    head: Option<String>,
}

impl LastCheck {
    fn read(database: &Path, root: &Path) -> Self {
        let file = database.with_file_name("memory.heads");
        let place = blake3::hash(root.to_string_lossy().as_bytes()).to_hex()[..16].to_owned();
        let head = lines(&file).into_iter().find_map(|line| {
            let (known, head) = line.split_once(' ')?;
            (known == place).then(|| head.to_owned())
        });
        Self { file, place, head: head.filter(|head| head.bytes().all(|b| b.is_ascii_hexdigit())) }
    }

    fn save(&self, head: &str) {
        let mut all = lines(&self.file);
        all.retain(|line| !line.starts_with(&self.place));
        all.push(format!("{} {head}", self.place));
        let old = all.len().saturating_sub(MAX_WORK_TREES);
        let text = all[old..].join("\n") + "\n";
        let written = || -> std::io::Result<()> {
            let dir = self.file.parent().unwrap_or(Path::new("."));
            let temporary = tempfile::NamedTempFile::new_in(dir)?;
            std::fs::write(temporary.path(), text)?;
            temporary.persist(&self.file).map_err(|error| error.error)?;
            Ok(())
        };
        if let Err(error) = written() {
            log::warn!("{}: {error}", self.file.display());
        }
    }
}

fn lines(file: &Path) -> Vec<String> {
    let text = home::read_regular_text(file, 1024 * 1024).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn git_is_waited_for_once() {
        let asked = std::cell::Cell::new(0);
        let ask = |tries_again: bool, answer: Option<u8>| {
            super::unless_failed("git_is_waited_for_once".into(), tries_again, || {
                asked.set(asked.get() + 1);
                answer
            })
        };
        assert_eq!((ask(false, Some(1)), ask(false, None), asked.get()), (Some(1), None, 2));
        assert_eq!((ask(false, Some(2)), asked.get()), (None, 2));
        assert_eq!((ask(true, Some(3)), asked.get()), (Some(3), 3));
        // Where neither the files nor git have a commit, git isn't asked by every question.
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".git"), "gitdir: nowhere\n").unwrap();
        assert_eq!(super::head_of(dir.path(), false), None);
        assert!(super::FAILED.lock().unwrap().contains(&dir.path().display().to_string()));
    }

    #[test]
    fn renames_are_read_one_after_another() {
        let text = "R100\0a.rs\0b.rs\0\nR087\0b.rs\0c d.rs\0";
        let read = super::parse_renames(text);
        assert_eq!(read, [("a.rs".into(), "b.rs".into()), ("b.rs".into(), "c d.rs".into())]);
        assert!(super::parse_renames("M\0x\0").is_empty());
    }
}
