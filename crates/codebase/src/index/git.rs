//! Reads diffs and earlier file versions from git. Disables everything in the repository that could run a program or access the
//! network, and reads no more than a review needs.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A larger diff isn't reviewed.
const MAX_DIFF: u64 = 32 * 1024 * 1024;
/// A larger file is not code.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// The usual base branches, the likeliest first. Where one of the same place is what is checked out, there is nothing to be a branch
/// of, and another is an old one that was left.
const TRUNKS: &[&[&str]] =
    &[&["@{upstream}"], &["origin/HEAD", "origin/main", "origin/master"], &["main", "master"]];

/// A project in a repository, compared with one of its commits.
#[derive(Debug)]
pub(super) struct Compared<'a> {
    root: &'a Path,
    /// The commit, as it is shown.
    pub(super) base: String,
    commit: String,
}

impl<'a> Compared<'a> {
    /// Compares with `base`, or with the point where the branch diverged.
    ///
    /// # Errors
    /// Without a repository, git or such a commit.
    pub(super) fn with(root: &'a Path, base: Option<&str>) -> Result<Self, String> {
        let commit = |name: &str| {
            run(
                root,
                &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")],
                200,
            )
            .ok()
        };
        let trimmed = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        if run(root, &["rev-parse", "--git-dir"], 4_096).is_err() {
            let asked =
                Command::new("git").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            return Err(match asked {
                Ok(_) => format!(
                    "{} is in no git repository, and a review compares with a commit; run `git init` and commit once, or start in one",
                    root.display()
                ),
                Err(error) => format!("a review needs git, which can't be started: {error}"),
            });
        }
        if let Some(base) = base {
            let found = commit(base).map(trimmed).filter(|commit| !commit.is_empty());
            let found = found
                .ok_or_else(|| format!("there is no commit {base:?}; name a branch, a tag or a commit"))?;
            return Ok(Self { root, base: base.to_owned(), commit: found });
        }
        let head = commit("HEAD").map(trimmed).filter(|commit| !commit.is_empty());
        let head = head.ok_or("nothing is committed yet, so there is nothing to compare with")?;
        for trunks in TRUNKS {
            let others = trunks.iter().filter_map(|trunk| Some((*trunk, commit(trunk).map(trimmed)?)));
            let others: Vec<(&str, String)> = others.collect();
            if others.iter().any(|(trunk, other)| *other == head && *trunk != "@{upstream}") {
                break;
            }
            for (trunk, other) in others.into_iter().filter(|(_, other)| *other != head) {
                if let Ok(shared) = run(root, &["merge-base", &head, &other], 200).map(trimmed)
                    && !shared.is_empty()
                {
                    return Ok(Self { root, base: trunk.to_owned(), commit: shared });
                }
            }
        }
        Ok(Self { root, base: "HEAD".to_owned(), commit: head })
    }

    /// The files that differ from those as they are now, in the form of `--name-status -z`, and the diff, without context.
    pub(super) fn diff(&self) -> Result<(String, String), String> {
        let arguments = [
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--relative",
            // A submodule at another commit is a change, what is edited in it isn't this project's.
            "--ignore-submodules=dirty",
            "--submodule=short",
        ];
        let run = |form: &[&str]| {
            let arguments: Vec<&str> =
                arguments.iter().chain(form).copied().chain([self.commit.as_str(), "--"]).collect();
            run(self.root, &arguments, MAX_DIFF).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let patch = run(&["--unified=0", "--src-prefix=a/", "--dst-prefix=b/"])?;
        Ok((run(&["--name-status", "-z"])?, patch))
    }

    /// The files that only have another name, in the form of `--name-status -z`; empty if git can't tell.
    pub(super) fn renamed(&self) -> String {
        let arguments = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--find-renames=100%",
            "--diff-filter=R",
            "--relative",
            "--ignore-submodules=dirty",
            "--name-status",
            "-z",
            self.commit.as_str(),
            "--",
        ];
        let bytes = run(self.root, &arguments, MAX_DIFF).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Files with conflicts of a merge that nobody resolved.
    pub(super) fn unmerged(&self) -> Result<Vec<String>, String> {
        let arguments = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--relative",
            "--name-only",
            "--diff-filter=U",
            "-z",
        ];
        let bytes = run(self.root, &arguments, MAX_DIFF)?;
        let paths = bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        Ok(paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }

    /// Files that git does not know yet and that no rule leaves out.
    pub(super) fn untracked(&self) -> Result<Vec<String>, String> {
        let bytes = run(self.root, &["ls-files", "--others", "--exclude-standard", "-z"], MAX_DIFF)?;
        let paths = bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        Ok(paths.filter_map(|path| String::from_utf8(path.to_vec()).ok()).collect())
    }

    /// A file as it was.
    pub(super) fn before(&self, path: &str) -> Option<String> {
        let bytes =
            run(self.root, &["show", "--no-textconv", &format!("{}:./{path}", self.commit)], MAX_FILE)
                .ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The paths in the last year's commits, once for each commit; empty without a repository.
pub(crate) fn touched(root: &Path) -> Option<Vec<String>> {
    let arguments = [
        "log",
        "--since=365.days",
        "--max-count=5000",
        "--no-merges",
        "--no-renames",
        "--no-show-signature",
        "--relative",
        "--name-only",
        "--format=",
        "-z",
    ];
    let bytes = run(root, &arguments, MAX_DIFF).ok()?;
    let paths = bytes.split(|byte| *byte == 0).map(|path| String::from_utf8_lossy(path));
    Some(paths.map(|path| path.trim_start_matches('\n').to_owned()).filter(|path| !path.is_empty()).collect())
}

/// The longest line that can be an import, in bytes; the rest of a longer one is skipped.
const MAX_LINE: u64 = 16 * 1024;

/// The newest commit and when it was made, in seconds; `None` where nothing is committed.
pub(super) fn newest(root: &Path) -> Option<(String, i64)> {
    let bytes = run(root, &["log", "-1", "--no-show-signature", "--format=%H %ct"], 200).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (commit, seconds) = text.trim().split_once(' ')?;
    Some((commit.to_owned(), seconds.parse().ok()?))
}

/// Whether a commit is an ancestor of another.
pub(super) fn is_ancestor(root: &Path, commit: &str, other: &str) -> bool {
    run(root, &["merge-base", "--is-ancestor", commit, other], 200).is_ok()
}

/// What tells one depth of a shallow clone from another; `None` where the clone has all commits. Starts no git: every query asks.
pub(super) fn shallow_mark(root: &Path) -> Option<String> {
    let git = root.ancestors().map(|folder| folder.join(".git")).find(|git| git.exists())?;
    let folder = repository_folder(git)?;
    let begins = home::read_regular(&folder.join("shallow"), MAX_FILE).ok()?;
    Some(blake3::hash(&begins).to_hex()[..16].to_owned())
}

/// The repository's own folder, of a checkout's `.git`.
fn repository_folder(git: PathBuf) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git);
    }
    // A worktree's `.git` names a folder that names the repository's.
    let text = home::read_regular_text(&git, MAX_LINE).ok()?;
    let own = git.parent()?.join(text.trim().strip_prefix("gitdir:")?.trim());
    Some(match home::read_regular_text(&own.join("commondir"), MAX_LINE) {
        Ok(common) => own.join(common.trim()),
        Err(_) => own,
    })
}

/// The other checkouts of the repository that is checked out at `root`: its main one and its worktrees. Starts no git.
pub(super) fn other_checkouts(root: &Path) -> Vec<PathBuf> {
    let Some(repository) = repository_of(root) else { return Vec::new() };
    let main = repository.parent().filter(|_| repository.file_name().is_some_and(|name| name == ".git"));
    let worktree = |entry: std::fs::DirEntry| -> Option<PathBuf> {
        // `gitdir` names the worktree's `.git`.
        let text = home::read_regular_text(&entry.path().join("gitdir"), MAX_LINE).ok()?;
        Some(entry.path().join(text.trim()).parent()?.to_owned())
    };
    let worktrees = std::fs::read_dir(repository.join("worktrees")).into_iter().flatten().flatten();
    let all = main.map(Path::to_owned).into_iter().chain(worktrees.filter_map(worktree));
    let mut out: Vec<PathBuf> = all.filter_map(|folder| dunce::canonicalize(folder).ok()).collect();
    // Another repository may be where a worktree was.
    out.retain(|folder| folder != root && repository_of(folder).as_ref() == Some(&repository));
    out
}

/// The real folder of the repository that is checked out at `root`.
fn repository_of(root: &Path) -> Option<PathBuf> {
    dunce::canonicalize(repository_folder(root.join(".git"))?).ok()
}

/// When the latest of the commits was made, in seconds, at which the history of a shallow clone begins; `None` where the clone has
/// all commits.
pub(super) fn shallow_begin(root: &Path, head: &str) -> Option<i64> {
    let shallow = run(root, &["rev-parse", "--is-shallow-repository"], 200).ok()?;
    if shallow.trim_ascii() != b"true" {
        return None;
    }
    let first = ["log", "-1", "--max-parents=0", "--no-show-signature", "--format=%ct", head];
    let bytes = run(root, &first, 200).ok()?;
    std::str::from_utf8(&bytes).ok()?.trim().parse().ok()
}

/// Calls `line` with each line of a log, until it says that this is enough.
///
/// # Errors
/// Without git, or when it fails.
pub(super) fn log(
    root: &Path,
    arguments: &[&str],
    mut line: impl FnMut(&[u8]) -> bool,
) -> Result<(), String> {
    let own = ["log", "--no-show-signature", "--no-color", "--no-ext-diff", "--no-textconv", "--relative"];
    let sides = ["--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules"];
    let arguments: Vec<&str> = own.iter().chain(&sides).chain(arguments).copied().collect();
    let mut child = command(root, &arguments)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("git can't be started: {error}"))?;
    let mut lines = BufReader::with_capacity(64 * 1024, child.stdout.take().ok_or("git gives no output")?);
    let mut bytes = Vec::new();
    let mut goes_on = true;
    while goes_on {
        bytes.clear();
        let read = (&mut lines).take(MAX_LINE).read_until(b'\n', &mut bytes);
        match read.map_err(|error| format!("git's output: {error}"))? {
            0 => break,
            _ => {
                let whole = bytes.last() == Some(&b'\n');
                goes_on = line(bytes.strip_suffix(b"\n").unwrap_or(&bytes));
                if !whole {
                    lines.skip_until(b'\n').map_err(|error| format!("git's output: {error}"))?;
                }
            }
        }
    }
    if !goes_on {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| format!("git is lost: {error}"))?;
    if goes_on && !status.success() { Err(format!("git log ended with {status}")) } else { Ok(()) }
}

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .args(["-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "-c", "diff.noprefix=false"])
        .args(arguments)
        .current_dir(root)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env_remove("GIT_EXTERNAL_DIFF")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// Whether only a part of what is committed is checked out.
pub(crate) fn is_sparse(root: &Path) -> bool {
    let says = run(root, &["config", "--bool", "--get", "core.sparseCheckout"], 64);
    says.is_ok_and(|says| says.starts_with(b"true"))
}

fn run(root: &Path, arguments: &[&str], most: u64) -> Result<Vec<u8>, String> {
    let mut child = command(root, arguments)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("git can't be started: {error}"))?;
    let complaints = child.stderr.take();
    let listening = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(complaints) = complaints {
            let _ = complaints.take(4_096).read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).trim().to_owned()
    });
    let mut out = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        let _ = stdout.take(most + 1).read_to_end(&mut out);
    }
    if out.len() as u64 > most {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("git {} says more than {most} bytes", arguments.first().unwrap_or(&"")));
    }
    let status = child.wait().map_err(|error| format!("git is lost: {error}"))?;
    let complaint = listening.join().unwrap_or_default();
    if status.success() {
        Ok(out)
    } else {
        Err(format!("git {}: {complaint}", arguments.first().unwrap_or(&"")))
    }
}
