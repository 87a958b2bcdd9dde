//! Reads a repository's branches from its files: local branches, and remote branches as last fetched.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Git writes no larger files.
const MAX_FILE: u64 = 16 * 1024 * 1024;
/// Maximum folder depth: deeper than any real branch name, and a stop for folders that contain themselves.
const MAX_DEPTH: usize = 12;

/// The names of all branches of the work tree at `root`. `None` without a work tree or when its branches can't be
/// read: then nothing counts as deleted.
pub fn branches(root: &Path) -> Option<BTreeSet<String>> {
    let git = common_dir(root)?;
    let mut out = BTreeSet::new();
    collect_refs(&git.join("refs/heads"), "", 0, &mut out);
    for remote in std::fs::read_dir(git.join("refs/remotes")).into_iter().flatten().flatten() {
        collect_refs(&remote.path(), "", 0, &mut out);
    }
    if let Ok(packed) = home::read_regular_text(&git.join("packed-refs"), MAX_FILE) {
        for name in packed.lines().filter_map(|line| line.split_once(' ')).map(|(_, name)| name) {
            if let Some(branch) = name.strip_prefix("refs/heads/") {
                out.insert(branch.to_owned());
            } else if let Some((_, branch)) =
                name.strip_prefix("refs/remotes/").and_then(|r| r.split_once('/'))
            {
                out.insert(branch.to_owned());
            }
        }
    }
    out.extend(current(root));
    (!out.is_empty()).then_some(out)
}

/// The branch checked out at `root`; `None` on a detached HEAD.
pub fn current(root: &Path) -> Option<String> {
    let head = home::read_regular_text(&git_dir(root)?.join("HEAD"), MAX_FILE).ok()?;
    head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
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

fn collect_refs(dir: &Path, prefix: &str, depth: usize, out: &mut BTreeSet<String>) {
    if depth > MAX_DEPTH {
        return;
    }
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect_refs(&entry.path(), &format!("{name}/"), depth + 1, out),
            Ok(kind) if kind.is_file() => {
                out.insert(name);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loose_packed_remote_and_those_of_a_linked_work_tree() {
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
        let all: Vec<String> = branches(&root).unwrap().into_iter().collect();
        assert_eq!(all, ["far", "feature/old-auth", "fix/x", "main", "packed", "unborn"]);
        assert_eq!(branches(&dir.path().join("two")).unwrap().len(), 5);
        assert_eq!(current(&dir.path().join("two")).as_deref(), Some("feature/old-auth"));
        assert_eq!(current(&root).as_deref(), Some("unborn"));
    }
}
