//! Every case of every built-in filter, read from its file.

#![allow(dead_code, reason = "each test reads some of the fields")]

use std::path::Path;

use plimsoll_filters::{Case, Filter};

/// A case with what its tool printed.
pub(crate) struct BuiltinCase {
    pub(crate) filter: String,
    pub(crate) signature: Vec<String>,
    pub(crate) input: String,
    pub(crate) case: Case,
}

pub(crate) fn all() -> Vec<BuiltinCase> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("builtin");
    let mut files: Vec<_> = folder(&root).into_iter().flat_map(|family| folder(&family)).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let filter = Filter::parse(&text, &file.display().to_string()).unwrap();
        for case in filter.cases {
            let input = match (&case.input, &case.input_file) {
                (Some(input), _) => input.clone(),
                (None, Some(name)) => {
                    String::from_utf8_lossy(&std::fs::read(file.with_file_name(name)).unwrap()).into_owned()
                }
                (None, None) => String::new(),
            };
            let (filter, signature) = (filter.name.clone(), filter.signature.clone());
            found.push(BuiltinCase { filter, signature, input, case });
        }
    }
    found
}

/// A folder's entries, in the order of their names.
fn folder(path: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
