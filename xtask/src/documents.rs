//! Whether the documents name what is there. Owns how a place in the code is written in a document: a path from the
//! repository's root in backquotes, and behind `::` a function in that file. Owns also the number of filters that the
//! README gives.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::place::Place;

/// The documents that name places in the code.
const DOCUMENTS: &[&str] =
    &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "installers/README.md"];

/// What a path from the root begins with.
const ROOTS: &[&str] = &[
    "crates/",
    "src-tauri/",
    "ui/",
    "tests/",
    "xtask/",
    "fuzz/",
    "icons/",
    "plugin/",
    "installers/",
    "docs/",
    ".ci/",
];

/// Fails when a document names a file, or a function in a file, that does not exist.
pub(crate) fn check(place: &Place) -> Result<()> {
    let mut missing = Vec::new();
    for document in documents(&place.repo)? {
        let text = std::fs::read_to_string(&document).with_context(|| document.display().to_string())?;
        let name = document.strip_prefix(&place.repo).unwrap_or(&document).display();
        for (line, named) in places(&text) {
            if let Some(why) = absent(&place.repo, &named) {
                missing.push(format!("{name}:{line}: `{named}`: {why}"));
            }
        }
    }
    let readme = std::fs::read_to_string(place.repo.join("README.md")).context("README.md")?;
    let filters = toml_files(&place.repo.join("crates/filters/builtin"))?;
    if counted(&readme) != Some(filters) {
        missing.push(format!("README.md: {filters} filters are built in; write `{filters} filters`"));
    }
    if missing.is_empty() {
        return Ok(());
    }
    bail!("documents name what isn't there; correct the name, or the document:\n{}", missing.join("\n"))
}

fn documents(root: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for name in DOCUMENTS {
        let path = root.join(name);
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "md") {
                    found.push(path);
                }
            }
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// How many filters a text says there are: the number before the first `filters`.
fn counted(text: &str) -> Option<usize> {
    let before = text.split_once(" filters")?.0;
    before.rsplit(|sign: char| !sign.is_ascii_digit()).next()?.parse().ok()
}

/// How many TOML files are in a folder and below it.
fn toml_files(folder: &Path) -> Result<usize> {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        files += match path.is_dir() {
            true => toml_files(&path)?,
            false => usize::from(path.extension().is_some_and(|extension| extension == "toml")),
        };
    }
    Ok(files)
}

/// Every path that a text names, with its line number. Text with a placeholder or a pattern isn't a path.
fn places(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for quoted in line.split('`').skip(1).step_by(2) {
            let rooted = ROOTS.iter().any(|root| quoted.starts_with(root));
            if rooted && !quoted.contains(['<', '*', '{', ' ', '…', '$']) {
                found.push((index + 1, quoted.to_owned()));
            }
        }
    }
    found
}

/// Why a place does not exist; `None` when it does.
fn absent(root: &Path, named: &str) -> Option<&'static str> {
    let (path, function) = named.split_once("::").map_or((named, None), |(path, rest)| (path, Some(rest)));
    let path = root.join(path);
    if !path.exists() {
        return Some("no such file");
    }
    let function = function?;
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let declared = [format!("fn {function}("), format!("fn {function}<"), format!("function {function}(")];
    let declared = declared.iter().any(|form| text.contains(form.as_str()))
        || text.contains(&format!("function {function}<"))
        || text.contains(&format!("struct {function}"))
        || text.contains(&format!("mod {function}"));
    (!declared).then_some("no such function in that file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_in_backquotes_are_places() {
        let text =
            "see `crates/a/src/b.rs::run` and `crates/<room>`\n```\n`crates/no`\n```\n`ui/x.ts` `word`\n";
        let found: Vec<String> =
            places(text).into_iter().map(|(line, named)| format!("{line} {named}")).collect();
        assert_eq!(found, ["1 crates/a/src/b.rs::run", "5 ui/x.ts"]);
    }

    #[test]
    fn the_number_of_filters_is_the_one_before_the_word() {
        assert_eq!(counted("In 13 languages.\n\n142 filters know 7 tools, and 9 filters more"), Some(142));
        assert_eq!(counted("filters"), None);
    }

    #[test]
    fn a_file_or_function_that_is_gone_is_told_apart_from_one_that_is_there() {
        let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
        assert_eq!(absent(&root, "xtask/src/documents.rs::places"), None);
        assert_eq!(absent(&root, "xtask/src/documents.rs::nowhere"), Some("no such function in that file"));
        assert_eq!(absent(&root, "xtask/src/nowhere.rs"), Some("no such file"));
    }

    #[test]
    fn the_documents_name_what_is_there() {
        let repo = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
        check(&Place { repo, cache: std::env::temp_dir() }).expect("documents that name what is there");
    }
}
