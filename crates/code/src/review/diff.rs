//! Reads a diff of git: the list of changed files, and the lines of each from the diff itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Change, FileChange};

/// The files of a diff: `names` is what `git diff --name-status -z` prints, `patch` the same diff without context
/// (`--unified=0 --no-renames`). Only the names are complete: a picture, a new mode, a submodule and an empty file have no lines.
pub fn changed_files(names: &str, patch: &str) -> Vec<FileChange> {
    let mut out: BTreeMap<String, FileChange> = BTreeMap::new();
    let mut parts = names.split('\0');
    while let (Some(status), Some(path)) = (parts.next(), parts.next()) {
        let change = match status.as_bytes().first() {
            Some(b'A') => Change::Added,
            Some(b'D') => Change::Removed,
            _ => Change::Changed,
        };
        let file = || FileChange { path: path.to_owned(), change, ..FileChange::default() };
        out.entry(path.to_owned()).or_insert_with(file);
    }
    // A file that became a link is in a diff twice.
    for mut lines in parse_diff(patch) {
        if let Some(file) = out.get_mut(&lines.path) {
            file.added += lines.added;
            file.removed += lines.removed;
            file.now.append(&mut lines.now);
            file.before.append(&mut lines.before);
        }
    }
    out.into_values().collect()
}

/// The names before of files that only have another name, by their names: `names` is what
/// `git diff --find-renames=100% --diff-filter=R --name-status -z` prints. Only those that `files` have under both names.
pub fn renames(names: &str, files: &[FileChange]) -> BTreeMap<String, String> {
    let changes: BTreeMap<&str, Change> =
        files.iter().map(|file| (file.path.as_str(), file.change)).collect();
    let has = |path: &str, change| changes.get(path) == Some(&change);
    let mut out = BTreeMap::new();
    let mut parts = names.split('\0');
    while let (Some(status), Some(from), Some(to)) = (parts.next(), parts.next(), parts.next()) {
        if status.starts_with('R') && has(from, Change::Removed) && has(to, Change::Added) {
            out.insert(to.to_owned(), from.to_owned());
        }
    }
    out
}

/// The files of a diff, each of those that only have another name once.
pub fn with_renames(files: &[FileChange], renames: &BTreeMap<String, String>) -> Vec<FileChange> {
    let before: BTreeSet<&str> = renames.values().map(String::as_str).collect();
    let named_once = files.iter().filter(|file| !before.contains(file.path.as_str()));
    let shown = named_once.map(|file| match renames.get(&file.path) {
        Some(from) => FileChange {
            path: file.path.clone(),
            change: Change::Renamed,
            from: Some(from.clone()),
            ..FileChange::default()
        },
        None => file.clone(),
    });
    shown.collect()
}

/// The lines that a patch removes from a project's own files, without their indents: one that it adds elsewhere has moved. What is new
/// outside of the tests hasn't moved there from one.
pub fn removed_lines(patch: &str, is_own: impl Fn(&str) -> bool) -> HashSet<String> {
    let mut out = HashSet::new();
    let (mut in_header, mut counts) = (true, false);
    for line in patch.lines() {
        if line.starts_with("diff --git ") {
            (in_header, counts) = (true, false);
        } else if line.starts_with("@@ ") {
            in_header = false;
        } else if in_header {
            counts |= path(line, "--- ", "a/").is_some_and(|path| is_own(&path));
        } else if let Some(removed) = line.strip_prefix('-').filter(|_| counts) {
            out.insert(removed.trim().to_owned());
        }
    }
    out
}

/// The changed lines of each file that has some.
fn parse_diff(text: &str) -> Vec<FileChange> {
    let mut out: Vec<FileChange> = Vec::new();
    // Lines of a hunk are counted, because a line that went may begin like a header.
    let (mut old_left, mut new_left) = (0u64, 0u64);
    for line in text.lines() {
        if old_left > 0 && line.starts_with('-') {
            old_left -= 1;
            continue;
        }
        if new_left > 0 && line.starts_with('+') {
            new_left -= 1;
            continue;
        }
        if line.starts_with("diff --git ") {
            (old_left, new_left) = (0, 0);
            out.push(FileChange::default());
            continue;
        }
        let Some(file) = out.last_mut() else { continue };
        if let Some(path) = path(line, "--- ", "a/").or_else(|| path(line, "+++ ", "b/")) {
            file.path = path;
        } else if let Some((old, new)) = line.strip_prefix("@@ -").and_then(hunk) {
            (old_left, new_left) = (u64::from(old.1), u64::from(new.1));
            file.removed += old_left;
            file.added += new_left;
            if old.1 > 0 {
                file.before.push((old.0, old.0 + old.1 - 1));
            }
            if new.1 > 0 {
                file.now.push((new.0, new.0 + new.1 - 1));
            }
        }
    }
    out.retain(|file| !file.path.is_empty());
    out
}

/// The path of one side's header; git puts one with unusual characters in quotes.
fn path(line: &str, mark: &str, side: &str) -> Option<String> {
    let named = line.strip_prefix(mark)?;
    match named.strip_prefix('"') {
        Some(quoted) => unquoted(quoted.strip_suffix('"')?).strip_prefix(side).map(str::to_owned),
        None => named.strip_prefix(side).map(|path| path.trim_end_matches('\t').to_owned()),
    }
}

/// What git writes with escapes as in C.
fn unquoted(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next() {
            Some(b'a') => out.push(7),
            Some(b'b') => out.push(8),
            Some(b't') => out.push(b'\t'),
            Some(b'n') => out.push(b'\n'),
            Some(b'v') => out.push(11),
            Some(b'f') => out.push(12),
            Some(b'r') => out.push(b'\r'),
            Some(first @ b'0'..=b'7') => {
                let mut code = u32::from(first - b'0');
                for _ in 0..2 {
                    let digit = bytes.next_if(|byte| (b'0'..=b'7').contains(byte));
                    code = digit.map_or(code, |digit| code * 8 + u32::from(digit - b'0'));
                }
                out.push(u8::try_from(code).unwrap_or(b'?'));
            }
            Some(other) => out.push(other),
            None => out.push(b'\\'),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

type Lines = (u32, u32);

/// `3,2 +3,4 @@ …`
fn hunk(text: &str) -> Option<(Lines, Lines)> {
    let (old, rest) = text.split_once(" +")?;
    let new = rest.split(" @@").next()?;
    let range = |text: &str| {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some((range(old)?, range(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -2 +2,2 @@ fn a\n-    1\n+    2\n+    3\n@@ -9,2 +10,0 @@\n---- a/not a header\n-}\ndiff --git a/new.rs b/new.rs\nnew file mode 100644\n--- /dev/null\n+++ b/new.rs\n@@ -0,0 +1 @@\n+fn n() {}\ndiff --git a/old.rs b/old.rs\ndeleted file mode 100644\n--- a/old.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-fn o() {}\n";

    #[test]
    fn a_renamed_file_is_listed_once() {
        let files = changed_files("A\0b.rs\0D\0a.rs\0M\0c.rs\0", "");
        let renamed = renames("R100\0a.rs\0b.rs\0R100\0gone.rs\0c.rs\0", &files);
        let shown = with_renames(&files, &renamed);
        let told: Vec<_> =
            shown.iter().map(|file| (file.path.as_str(), file.change, file.from.as_deref())).collect();
        assert_eq!(told, [("b.rs", Change::Renamed, Some("a.rs")), ("c.rs", Change::Changed, None)]);
    }

    #[test]
    fn a_diff_is_read() {
        let all = changed_files("M\0src/a.rs\0A\0new.rs\0D\0old.rs\0", DIFF);
        let seen: Vec<_> =
            all.iter().map(|one| (one.path.as_str(), one.change, one.added, one.removed)).collect();
        assert_eq!(
            seen,
            [
                ("new.rs", Change::Added, 1, 0),
                ("old.rs", Change::Removed, 0, 1),
                ("src/a.rs", Change::Changed, 2, 3)
            ]
        );
        assert_eq!(
            (all[2].now.as_slice(), all[2].before.as_slice()),
            (&[(2, 3)][..], &[(2, 2), (9, 10)][..])
        );
    }

    #[test]
    fn only_lines_of_own_files_can_move() {
        let patch = "diff --git a/app/a.py b/app/a.py\n--- a/app/a.py\n+++ b/app/a.py\n@@ -1,2 +1 @@\n-  eval(x)\n--- b\n+c\ndiff --git a/tests/b.py b/tests/b.py\n--- a/tests/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-eval(y)\n";
        let found = removed_lines(patch, |path| !path.starts_with("tests/"));
        assert_eq!(found, HashSet::from(["eval(x)".to_owned(), "-- b".to_owned()]));
    }

    #[test]
    fn files_without_hunks_are_listed_and_quoted_names_are_decoded() {
        let names =
            "M\0logo.png\0M\0run.sh\0A\0empty.rs\0M\0lib/sub\0T\0link\0M\0a\"\u{e4}\n.rs\0U\0m.rs\0M\0m.rs\0";
        let patch = "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\ndiff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\ndiff --git a/lib/sub b/lib/sub\nindex 1..2 160000\n--- a/lib/sub\n+++ b/lib/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\ndiff --git a/link b/link\ndeleted file mode 100644\n--- a/link\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\ndiff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+there\ndiff --git \"a/a\\\"\\303\\244\\n.rs\" \"b/a\\\"\\303\\244\\n.rs\"\n--- \"a/a\\\"\\303\\244\\n.rs\"\n+++ \"b/a\\\"\\303\\244\\n.rs\"\n@@ -1 +1 @@\n-a\n+b\n";
        let all = changed_files(names, patch);
        let seen: Vec<_> =
            all.iter().map(|one| (one.path.as_str(), one.change, one.added, one.removed)).collect();
        assert_eq!(
            seen,
            [
                ("a\"\u{e4}\n.rs", Change::Changed, 1, 1),
                ("empty.rs", Change::Added, 0, 0),
                ("lib/sub", Change::Changed, 1, 1),
                ("link", Change::Changed, 1, 2),
                ("logo.png", Change::Changed, 0, 0),
                ("m.rs", Change::Changed, 0, 0),
                ("run.sh", Change::Changed, 0, 0),
            ]
        );
        assert!(changed_files("", "").is_empty());
    }
}
