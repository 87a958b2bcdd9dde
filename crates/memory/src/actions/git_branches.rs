//! Reads a repository's branches: local branches, and remote branches as last fetched, and the commit that is checked out. From its
//! files, or by git where they're in a format of git's own (reftable).

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::git::git;

/// Larger files aren't read; the branches then count as unreadable.
const MAX_FILE: u64 = 64 * 1024 * 1024;
/// Maximum folder depth: deeper than any real branch name, and a stop for folders that contain themselves.
const MAX_DEPTH: usize = 12;
/// What `HEAD` names where the branches aren't in files.
const NOT_IN_FILES: &str = ".invalid";

/// A repository's branches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Branches {
    /// Local branches, and the one that is checked out.
    pub local: BTreeSet<String>,
    /// Branches of remotes, without the remote's name.
    pub remote: BTreeSet<String>,
}

impl Branches {
    /// Whether there is such a branch, here or on a remote.
    pub fn contains(&self, branch: &str) -> bool {
        self.local.contains(branch) || self.remote.contains(branch)
    }

    fn add(&mut self, reference: &str) {
        if let Some(branch) = reference.strip_prefix("refs/heads/") {
            self.local.insert(branch.to_owned());
        } else if let Some((_, branch)) =
            reference.strip_prefix("refs/remotes/").and_then(|rest| rest.split_once('/'))
        {
            self.remote.insert(branch.to_owned());
        }
    }
}

/// The names of all branches of the work tree at `root`. `None` without a work tree, or when any part of them can't be
/// read: a branch that is only not seen must not count as deleted.
pub fn branches(root: &Path) -> Option<Branches> {
    let mut out = Branches::default();
    if head(root)? == NOT_IN_FILES {
        git(root, &["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"])?
            .lines()
            .for_each(|name| out.add(name));
    } else {
        let dir = common_dir(root)?;
        let unreadable = |error: io::Error| log::info!("branches of {}: {error}", root.display());
        for refs in ["refs/heads", "refs/remotes"] {
            collect_refs(&dir.join(refs), &format!("{refs}/"), 0, &mut out).map_err(unreadable).ok()?;
        }
        let packed = read_if_present(&dir.join("packed-refs")).map_err(unreadable).ok()?;
        // A name in another encoding is unknown, and its memories have it as it was read.
        let packed = String::from_utf8_lossy(&packed);
        packed.lines().filter_map(|line| line.split_once(' ')).for_each(|(_, name)| out.add(name));
    }
    out.local.extend(current(root));
    let known = !out.local.is_empty() || !out.remote.is_empty();
    known.then_some(out)
}

/// The branch checked out at `root`; `None` on a detached HEAD.
pub fn current(root: &Path) -> Option<String> {
    let branch = head(root)?;
    if branch != NOT_IN_FILES {
        return Some(branch).filter(|branch| !branch.is_empty());
    }
    git(root, &["symbolic-ref", "--quiet", "--short", "HEAD"])
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
}

/// The commit that is checked out, where the files have it: before the first one they have none, nor do they in a format of git's own.
pub(super) fn commit_in_files(root: &Path) -> Option<String> {
    let text = |path: &Path| home::read_regular_text(path, MAX_FILE).ok();
    let valid = |text: String| Some(text.trim().to_owned()).filter(|text| is_commit(text));
    let head = text(&git_dir(root)?.join("HEAD"))?;
    let Some(branch) = head.trim().strip_prefix("ref:").map(str::trim) else { return valid(head) };
    if !branch.starts_with("refs/") {
        return None;
    }
    let dir = common_dir(root)?;
    valid(text(&dir.join(branch)).or_else(|| packed_commit(&dir, branch))?)
}

/// The commit of a branch that has no file of its own.
fn packed_commit(dir: &Path, branch: &str) -> Option<String> {
    let packed = read_if_present(&dir.join("packed-refs")).ok()?;
    let packed = String::from_utf8_lossy(&packed);
    let mut all = packed.lines().filter_map(|line| line.split_once(' '));
    all.find(|(_, name)| *name == branch).map(|(commit, _)| commit.to_owned())
}

/// Whether a text is the name of a commit.
pub(super) fn is_commit(text: &str) -> bool {
    [40, 64].contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The branch that `HEAD` names, empty on a detached one.
fn head(root: &Path) -> Option<String> {
    let head = home::read_regular_text(&git_dir(root)?.join("HEAD"), MAX_FILE).ok()?;
    Some(head.trim().strip_prefix("ref: refs/heads/").unwrap_or_default().to_owned())
}

/// The git folder of this work tree.
fn git_dir(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = home::read_regular_text(&git, MAX_FILE).ok()?;
    Some(root.join(text.strip_prefix("gitdir:")?.trim()))
}

/// The git folder that all work trees share.
fn common_dir(root: &Path) -> Option<PathBuf> {
    let own = git_dir(root)?;
    match home::read_regular_text(&own.join("commondir"), MAX_FILE) {
        Ok(common) => Some(own.join(common.trim())),
        Err(_) => Some(own),
    }
}

fn read_if_present(path: &Path) -> io::Result<Vec<u8>> {
    match home::read_regular(path, MAX_FILE) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

fn collect_refs(dir: &Path, prefix: &str, depth: usize, out: &mut Branches) -> io::Result<()> {
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        read => read?,
    };
    if depth > MAX_DEPTH {
        return Err(io::Error::new(ErrorKind::InvalidInput, format!("{} is too deep", dir.display())));
    }
    for entry in entries {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect_refs(&entry.path(), &format!("{name}/"), depth + 1, out)?;
        } else {
            // A file, or a link as old git makes them.
            out.add(&name);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loose_packed_remote_and_linked_work_tree_branches_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("shop");
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert_eq!(branches(&root), None);
        write("shop/.git/HEAD", "ref: refs/heads/unborn\n");
        write("shop/.git/refs/heads/main", "1\n");
        write("shop/.git/refs/heads/feature/old-auth", "1\n");
        write("shop/.git/refs/remotes/origin/fix/x", "1\n");
        write(
            "shop/.git/packed-refs",
            "# pack-refs\nabc refs/heads/packed\nabc refs/remotes/origin/far\nabc refs/tags/v1\n",
        );
        write("shop/.git/worktrees/two/commondir", "../..\n");
        write("shop/.git/worktrees/two/HEAD", "ref: refs/heads/feature/old-auth\n");
        write("two/.git", "gitdir: ../shop/.git/worktrees/two\n");
        let names = |all: &BTreeSet<String>| all.iter().cloned().collect::<Vec<_>>();
        let all = branches(&root).unwrap();
        assert_eq!(names(&all.local), ["feature/old-auth", "main", "packed", "unborn"]);
        assert_eq!(names(&all.remote), ["far", "fix/x"]);
        assert_eq!(branches(&dir.path().join("two")).unwrap().local.len(), 3);
        assert_eq!(current(&dir.path().join("two")).as_deref(), Some("feature/old-auth"));
        assert_eq!(current(&root).as_deref(), Some("unborn"));
    }

    #[test]
    fn the_commit_is_read_from_the_files_of_git() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let head = |path: &str| commit_in_files(&dir.path().join(path));
        let (one, other, third) = ("a".repeat(40), "b".repeat(40), "c".repeat(64));
        assert_eq!(head("main"), None);
        write("main/.git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(head("main"), None, "there is no commit yet");
        // As `git gc` leaves it. A newer commit has a file again.
        let packed =
            format!("# pack-refs with: peeled\n{other} refs/heads/main-2\n{third} refs/heads/main\n^{one}\n");
        write("main/.git/packed-refs", &packed);
        assert_eq!(head("main"), Some(third.clone()));
        write("main/.git/refs/heads/main", &format!("{one}\n"));
        assert_eq!(head("main"), Some(one.clone()));
        // A linked work tree has its own HEAD, and its branches where the others are.
        write("linked/.git", "gitdir: ../main/.git/worktrees/linked\n");
        write("main/.git/worktrees/linked/HEAD", "ref: refs/heads/main-2\n");
        write("main/.git/worktrees/linked/commondir", "../..\n");
        assert_eq!(head("linked"), Some(other.clone()));
        write("main/.git/HEAD", &format!("{other}\n"));
        assert_eq!(head("main"), Some(other), "detached");
        for (head_file, branch_file) in
            [("ref: ../../secret\n", ""), ("ref: refs/heads/odd\n", "no commit\n")]
        {
            write("main/.git/HEAD", head_file);
            write("main/.git/refs/heads/odd", branch_file);
            assert_eq!(head("main"), None, "{head_file}");
        }
    }

    /// A branch whose name can't be seen isn't one that was deleted.
    #[test]
    fn branches_that_cannot_be_read_whole_are_unknown() {
        let dir = tempfile::tempdir().unwrap();
        let git = dir.path().join(".git");
        std::fs::create_dir_all(git.join("refs/heads")).unwrap();
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(git.join("refs/heads/main"), "1\n").unwrap();
        std::fs::create_dir(git.join("packed-refs")).unwrap();
        assert_eq!(branches(dir.path()), None);
        std::fs::remove_dir(git.join("packed-refs")).unwrap();
        // One name in Latin-1 hides no other.
        std::fs::write(git.join("packed-refs"), b"abc refs/heads/gr\xfcn\nabc refs/heads/blau\n").unwrap();
        assert!(branches(dir.path()).unwrap().contains("blau"));
        // Branches in a format of git's own, which this git doesn't know or this repository hasn't.
        std::fs::write(git.join("HEAD"), "ref: refs/heads/.invalid\n").unwrap();
        std::fs::remove_dir_all(git.join("refs")).unwrap();
        std::fs::write(git.join("config"), "[core]\n\trepositoryformatversion = 99\n").unwrap();
        assert_eq!((branches(dir.path()), current(dir.path())), (None, None));
    }
}
