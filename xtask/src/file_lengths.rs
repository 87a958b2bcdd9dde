//! Whether every source file is short enough to be read at once. Owns how many lines that are; which files may be longer,
//! and why, is data in `file_lengths.txt` beside this file. What is generated or a fixture isn't counted.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::place::Place;

/// The most lines of a file.
const LIMIT: usize = 400;

/// The files that may be longer, a line each: the path, a colon, and the reason.
const EXCEPTIONS: &str = include_str!("file_lengths.txt");

/// Where the source files are.
const FOLDERS: &[&str] =
    &["crates", "fuzz/fuzz_targets", "src-tauri/src", "tests", "ui/src", "ui/tests", "xtask/src"];

/// How their names end.
const ENDINGS: &[&str] = &["rs", "svelte", "ts"];

/// Folders whose files stay as they were captured or fetched, by name.
const LEFT_OUT: &[&str] = &["builtin", "fixtures", "node_modules", "target"];

/// The folder that `cargo xtask types` writes.
const MADE: &str = "ui/src/contract";

/// Fails when a file is longer than it may be, or an exception is for a file that isn't.
pub(crate) fn check(place: &Place) -> Result<()> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        measure(&place.repo, &place.repo.join(folder), &mut files)?;
    }
    let complaints = complaints(&files, EXCEPTIONS)?;
    if complaints.is_empty() {
        return Ok(());
    }
    bail!(
        "files over {LIMIT} lines; split each where it has two subjects, or give a reason in xtask/src/file_lengths.txt:\n{}",
        complaints.join("\n")
    )
}

/// The files below a folder: each one's path from the root, and how many lines it has.
fn measure(root: &Path, folder: &Path, files: &mut Vec<(String, usize)>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !LEFT_OUT.contains(&&*name) && path != root.join(MADE) {
                measure(root, &path, files)?;
            }
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|one| ending == *one)) {
            let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let place = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.push((place, text.lines().count()));
        }
    }
    Ok(())
}

/// The problems with these files' lengths, a line each.
fn complaints(files: &[(String, usize)], exceptions: &str) -> Result<Vec<String>> {
    let mut allowed = Vec::new();
    for line in exceptions.lines().filter(|line| !line.trim().is_empty()) {
        let (path, reason) = line.split_once(':').context("file_lengths.txt: a line without a colon")?;
        if reason.trim().is_empty() {
            bail!("file_lengths.txt: the exception for {path} gives no reason");
        }
        allowed.push(path);
    }
    let mut long: Vec<&(String, usize)> = files.iter().filter(|(_, lines)| *lines > LIMIT).collect();
    long.sort();
    let mut found: Vec<String> = long
        .iter()
        .filter(|(path, _)| !allowed.contains(&path.as_str()))
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    let needless = allowed.iter().filter(|path| !long.iter().any(|(long, _)| long == *path));
    found
        .extend(needless.map(|path| format!("{path}: no longer that long; remove it from file_lengths.txt")));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_needs_a_reason_and_a_reason_a_long_file() {
        let files = [("a.rs", LIMIT), ("b.rs", LIMIT + 1), ("c.rs", LIMIT + 7)];
        let files = files.map(|(path, lines)| (path.to_owned(), lines));
        assert_eq!(complaints(&files, "").unwrap(), ["b.rs: 401 lines", "c.rs: 407 lines"]);
        let found = complaints(&files, "b.rs: one table\n\na.rs: was long\nc.rs: one table\n").unwrap();
        assert_eq!(found, ["a.rs: no longer that long; remove it from file_lengths.txt"]);
        assert!(complaints(&files, "b.rs: ").is_err(), "an exception without a reason");
        assert!(complaints(&files, "b.rs").is_err(), "a line that isn't one");
    }

    #[test]
    fn no_file_of_this_clone_is_too_long_without_a_reason() {
        let repo = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
        check(&Place { repo, cache: std::env::temp_dir() }).expect("short files");
    }

    #[test]
    fn generated_and_captured_files_are_not_counted() {
        let repo = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
        let mut files = Vec::new();
        for folder in ["crates", "ui/src"] {
            measure(&repo, &repo.join(folder), &mut files).unwrap();
        }
        let has = |part: &str| files.iter().any(|(path, _)| path.contains(part));
        assert!(has("crates/contract/src/lib.rs") && has("ui/src/shell/route.ts"));
        assert!(!has("ui/src/contract/") && !has("/fixtures/"));
    }
}
