//! Updates memories and entities that name files which git has seen renamed since the last check. Owns when git is
//! asked and which renames count; never runs in a hook or for more than a few seconds.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::context::ActionContext;
use super::failure::Failure;
use super::git::{TIME_LIMIT, git, git_until};
use super::git_branches::{commit_in_files, is_commit};
use crate::store::Actor;

/// Maximum number of commits per check.
const MAX_COMMITS: &str = "--max-count=5000";
/// Maximum number of work trees remembered.
const MAX_WORK_TREES: usize = 500;
/// After which time a question waits again for a git that was too slow or failed.
const RETRY_MS: i64 = 3_600_000;
/// The commit of a work tree where nothing has one.
const NO_COMMIT: &str = "-";

/// Applies the project's renames since the last check; returns the number of updated memories and entities.
///
/// # Errors
/// [`Failure`] if the database fails. If git fails, nothing changes and the next check starts from the same commit.
pub fn follow_renames(context: &ActionContext) -> Result<(usize, usize), Failure> {
    follow(context, true)
}

/// The same before a question is answered, which waits for a slow git once an hour and not every time.
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
    let (seen, now_ms) = (LastCheck::read(&context.database, root), context.who.at_ms);
    let may_ask = |commit: &str| tries_again || !seen.failed_lately(commit, now_ms);
    // Git is asked only where its files don't tell: a question can't wait for a program each time.
    let asked = || may_ask(NO_COMMIT).then(|| head_by_git(root, &seen, now_ms)).flatten();
    let Some(head) = commit_in_files(root).or_else(asked) else { return Ok((0, 0)) };
    if seen.head.as_deref() == Some(head.as_str()) || !may_ask(&head) {
        return Ok((0, 0));
    }
    let Some(steps) = git_renames(root, seen.head.as_deref(), &head, since) else {
        seen.save_failed(&head, now_ms);
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

/// The commit of the work tree, as git knows it.
fn head_by_git(root: &Path, seen: &LastCheck, now_ms: i64) -> Option<String> {
    let told = git(root, &["rev-parse", "--verify", "HEAD"]).map(|text| text.trim().to_owned());
    let head = told.filter(|text| is_commit(text));
    if head.is_none() {
        seen.save_failed(NO_COMMIT, now_ms);
    }
    head
}

/// The renames, oldest first. Along one line of history they come from each commit, so that a file may change a lot
/// on the way; between branches they come from the difference.
fn git_renames(root: &Path, last: Option<&str>, head: &str, since_ms: i64) -> Option<Vec<(String, String)>> {
    const RENAMES: [&str; 3] = ["--find-renames", "--diff-filter=R", "--name-status"];
    const PLAIN: [&str; 4] = ["-z", "--no-ext-diff", "--no-textconv", "--no-color"];
    let end = Instant::now() + TIME_LIMIT;
    let ask = |args: &[&str]| git_until(root, args, end);
    let known = last.filter(|last| ask(&["cat-file", "-e", format!("{last}^{{commit}}").as_str()]).is_some());
    let earlier = known.is_some_and(|last| ask(&["merge-base", "--is-ancestor", last, head]).is_some());
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
    Some(parse_renames(&ask(args.as_slice())?))
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
    let mut seen: HashSet<&str> = HashSet::new();
    // Which of them have which path now: a commit may rename a folder of 50,000 files.
    let mut ending_in: HashMap<&str, Vec<usize>> = HashMap::new();
    for (old, new) in steps {
        let mut moved = ending_in.remove(old.as_str()).unwrap_or_default();
        for at in &moved {
            out[*at].1.clone_from(new);
        }
        if seen.insert(old) {
            moved.push(out.len());
            out.push((old.clone(), new.clone()));
        }
        ending_in.entry(new).or_default().append(&mut moved);
    }
    out.retain(|(old, new)| old != new && !root.join(old).exists() && root.join(new).exists());
    out
}

/// The last checked commit of this work tree: a line in a small file beside the database, and another one for the commit that git
/// failed at since. Losing them only makes the next check longer.
struct LastCheck {
    file: PathBuf,
    place: String,
    head: Option<String>,
    failed: Option<String>,
}

impl LastCheck {
    fn read(database: &Path, root: &Path) -> Self {
        let file = database.with_file_name("memory.heads");
        let place = blake3::hash(root.to_string_lossy().as_bytes()).to_hex()[..16].to_owned();
        let all = lines(&file);
        let of = |place: &str| {
            let rest = |line: &String| line.strip_prefix(place)?.strip_prefix(' ').map(str::to_owned);
            all.iter().find_map(rest)
        };
        let head = of(&place).filter(|head| head.bytes().all(|b| b.is_ascii_hexdigit()));
        let failed = of(&failed_place(&place));
        Self { file, place, head, failed }
    }

    /// Whether git failed less than an hour ago at this commit or another one: where it's too slow for one it is for the next, and
    /// an agent may commit every minute. Where it knew no commit, the first one is asked about.
    fn failed_lately(&self, commit: &str, now_ms: i64) -> bool {
        let Some((failed, at_ms)) = self.failed.as_deref().and_then(|text| text.split_once(' ')) else {
            return false;
        };
        let is_like_it = (failed == NO_COMMIT) == (commit == NO_COMMIT);
        let is_lately = |at_ms: i64| (0..RETRY_MS).contains(&now_ms.saturating_sub(at_ms));
        is_like_it && at_ms.parse::<i64>().is_ok_and(is_lately)
    }

    fn save(&self, head: &str) {
        self.write(vec![format!("{} {head}", self.place)]);
    }

    fn save_failed(&self, commit: &str, now_ms: i64) {
        let head = self.head.iter().map(|head| format!("{} {head}", self.place));
        let failed = format!("{} {commit} {now_ms}", failed_place(&self.place));
        self.write(head.chain([failed]).collect());
    }

    /// Replaces this work tree's lines.
    fn write(&self, new: Vec<String>) {
        let mut all = lines(&self.file);
        all.retain(|line| !line.starts_with(&self.place));
        all.extend(new);
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

/// How the line begins that has what git failed at.
fn failed_place(place: &str) -> String {
    format!("{place}?")
}

fn lines(file: &Path) -> Vec<String> {
    let text = home::read_regular_text(file, 1024 * 1024).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_failed_at_is_known_for_an_hour_and_in_every_process() {
        let dir = tempfile::tempdir().unwrap();
        let (database, root) = (dir.path().join("memory.db"), dir.path().join("shop"));
        let (one, other) = ("a".repeat(40), "b".repeat(40));
        let read = || LastCheck::read(&database, &root);
        assert!(!read().failed_lately(&one, 5));
        LastCheck::read(&database, &dir.path().join("elsewhere")).save(&other);
        read().save(&other);
        read().save_failed(&one, 5);
        assert_eq!(read().head.as_ref(), Some(&other), "the next check begins where the last one ended");
        for (commit, at_ms, expected) in [
            (&one, 5, true),
            (&one, 5 + RETRY_MS - 1, true),
            (&one, 5 + RETRY_MS, false),
            // The clock was set back.
            (&one, 4, false),
            (&other, 5, true),
            (&other, 5 + RETRY_MS, false),
            (&NO_COMMIT.to_owned(), 5, false),
        ] {
            assert_eq!(read().failed_lately(commit, at_ms), expected, "{commit} {at_ms}");
        }
        read().save_failed(NO_COMMIT, 7);
        assert!(read().failed_lately(NO_COMMIT, 8) && !read().failed_lately(&one, 8));
        read().save(&one);
        assert_eq!((read().head, read().failed), (Some(one), None));
        assert_eq!(lines(&database.with_file_name("memory.heads")).len(), 2);
    }

    #[test]
    fn each_file_that_was_renamed_has_the_last_of_its_paths() {
        let dir = tempfile::tempdir().unwrap();
        for file in ["c", "y", "again"] {
            std::fs::write(dir.path().join(file), "").unwrap();
        }
        let steps = [
            ("a", "b"),
            ("x", "y"),
            ("b", "c"),
            ("gone", "lost"),
            ("c", "d"),
            ("d", "c"),
            ("y", "z"),
            ("z", "y"),
            ("again", "other"),
            ("other", "again"),
        ];
        let steps = steps.map(|(old, new)| (old.to_owned(), new.to_owned()));
        let last = final_paths(dir.path(), &steps);
        let last: Vec<(&str, &str)> = last.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        assert_eq!(last, [("a", "c"), ("x", "y"), ("b", "c"), ("d", "c"), ("z", "y"), ("other", "again")]);
    }

    /// Where each rename is compared with all before it, this takes minutes.
    #[test]
    fn a_folder_of_many_files_may_be_renamed_again() {
        let path = |folder: &str, n: usize| format!("{folder}/{n}.rs");
        let step = |old: &str, new: &str| {
            (0..60_000).map(|n| (path(old, n), path(new, n))).collect::<Vec<(String, String)>>()
        };
        let steps = [step("src", "lib"), step("lib", "crates/lib/src")].concat();
        // None of them is there.
        assert!(final_paths(Path::new("/no such folder"), &steps).is_empty());
    }

    #[test]
    fn renames_are_read_one_after_another() {
        let text = "R100\0a.rs\0b.rs\0\nR087\0b.rs\0c d.rs\0";
        let read = parse_renames(text);
        assert_eq!(read, [("a.rs".into(), "b.rs".into()), ("b.rs".into(), "c d.rs".into())]);
        assert!(parse_renames("M\0x\0").is_empty());
    }
}
