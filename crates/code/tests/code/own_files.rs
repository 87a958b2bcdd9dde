//! Random edits of this repository's own files: the index that followed them is the one that would be made of the result.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;

use crate::common::{Project, dump};
use crate::this_repository::root;

/// Files of many languages, and enough of them to mean each other.
const FOLDERS: &[&str] =
    &["crates/code/src", "crates/code/tests/fixtures", "crates/ranking/src", "ui/src/features/code"];
const MANIFESTS: &[&str] =
    &["Cargo.toml", "crates/code/Cargo.toml", "crates/ranking/Cargo.toml", "ui/package.json"];
const QUERIES: &[&str] = &["open the store", "Graph", "how are files walked", "search.svelte"];
/// Each takes seconds: as many as are worth it, and all of them run on a slow computer, too.
const CASES: u32 = 4;

type Files = BTreeMap<String, Vec<u8>>;

fn add(files: &mut Files, root: &Path, path: &str) {
    let whole = root.join(path);
    if whole.is_dir() {
        for entry in std::fs::read_dir(whole).unwrap() {
            let name = entry.unwrap().file_name();
            add(files, root, &format!("{path}/{}", name.to_str().unwrap()));
        }
    } else {
        files.insert(path.to_owned(), std::fs::read(whole).unwrap());
    }
}

fn own_files() -> Files {
    let (root, mut files) = (root(), Files::new());
    FOLDERS.iter().chain(MANIFESTS).for_each(|path| add(&mut files, &root, path));
    files
}

#[derive(Debug, Clone)]
enum Edit {
    /// Takes lines out.
    Cut {
        file: usize,
        at: usize,
        lines: usize,
    },
    /// Puts lines of one file into another.
    Copy {
        from: usize,
        to: usize,
        at: usize,
        lines: usize,
    },
    /// Moves a file into another's folder.
    Move {
        file: usize,
        beside: usize,
    },
    /// Gives each of two files the other's text.
    Swap(usize, usize),
    Remove(usize),
    /// Brings back what a file's text was at first.
    Restore(usize),
    /// Writes the same text again.
    Touch(usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let any = || 0usize..10_000;
    let one = prop_oneof![
        4 => (any(), any(), 1usize..40).prop_map(|(file, at, lines)| Edit::Cut { file, at, lines }),
        4 => (any(), any(), any(), 1usize..40)
            .prop_map(|(from, to, at, lines)| Edit::Copy { from, to, at, lines }),
        2 => (any(), any()).prop_map(|(file, beside)| Edit::Move { file, beside }),
        1 => (any(), any()).prop_map(|(one, other)| Edit::Swap(one, other)),
        1 => any().prop_map(Edit::Remove),
        1 => any().prop_map(Edit::Restore),
        1 => any().prop_map(Edit::Touch),
    ];
    prop::collection::vec(one, 1..10)
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The text with `count` lines taken out at `at`, and `new` put there.
fn changed(text: &[u8], at: usize, count: usize, new: &[u8]) -> Vec<u8> {
    let all = lines(text);
    let from = at % (all.len() + 1);
    let to = (from + count).min(all.len());
    let (before, after) = (all[..from].concat(), all[to..].concat());
    [before.as_slice(), new, after.as_slice()].concat()
}

/// The paths and texts that an edit writes; a path without a text is removed.
fn writes(edit: &Edit, files: &Files, first: &Files) -> Vec<(String, Option<Vec<u8>>)> {
    let paths: Vec<&String> = files.keys().collect();
    let path = |number: usize| paths[number % paths.len()].clone();
    match edit {
        Edit::Cut { file, at, lines } => {
            let path = path(*file);
            let text = changed(&files[&path], *at, *lines, b"");
            vec![(path, Some(text))]
        }
        Edit::Copy { from, to, at, lines: count } => {
            let (from, to) = (path(*from), path(*to));
            let source = lines(&files[&from]);
            let begin = at % (source.len() + 1);
            let piece = source[begin..(begin + count).min(source.len())].concat();
            let text = changed(&files[&to], *at, 0, &piece);
            vec![(to, Some(text))]
        }
        Edit::Move { file, beside } => {
            let (old, beside) = (path(*file), path(*beside));
            let folder = beside.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            let new = format!("{folder}moved_{}", old.rsplit('/').next().unwrap_or_default());
            let text = files[&old].clone();
            vec![(old, None), (new, Some(text))]
        }
        Edit::Swap(one, other) => {
            let (one, other) = (path(*one), path(*other));
            let (first, second) = (files[&one].clone(), files[&other].clone());
            vec![(one, Some(second)), (other, Some(first))]
        }
        Edit::Remove(file) => vec![(path(*file), None)],
        Edit::Restore(file) => {
            let (path, text) = first.iter().nth(file % first.len()).unwrap();
            vec![(path.clone(), Some(text.clone()))]
        }
        Edit::Touch(file) => {
            let path = path(*file);
            let text = files[&path].clone();
            vec![(path, Some(text))]
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 16, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn incremental_equals_fresh_for_edits_of_real_files(edits in edits()) {
        let first = own_files();
        prop_assert!(first.len() > 100, "{} files", first.len());
        let mut files = first.clone();
        let project = Project::new(&[]);
        for (path, text) in &files {
            project.write(path, text);
        }
        let mut store = project.store("incremental");
        project.update(&mut store);
        for edit in &edits {
            for (path, text) in writes(edit, &files, &first) {
                match text {
                    Some(text) => {
                        project.write(&path, &text);
                        files.insert(path, text);
                    }
                    None => {
                        project.remove(&path);
                        files.remove(&path);
                    }
                }
            }
            project.update(&mut store);
        }
        let mut fresh = project.store("fresh");
        project.update(&mut fresh);
        prop_assert_eq!(dump(store.path(), QUERIES), dump(fresh.path(), QUERIES));
    }
}
