//! Whether files of a crate depend on each other in a circle. Owns how a dependency is read from the code: every path
//! that begins with `crate`, `super`, `self` or a child module points to the file that defines what it names, even if
//! another file re-exports it. Tests in a file are left out, and so is what a file takes from the modules that it is
//! part of.

mod paths;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;

use crate::place::Place;
use crate::steps::say;

/// `cargo xtask circles`: every circle, with each of its files and what ties it to the next.
pub(crate) fn list(place: &Place) -> Result<()> {
    for (root, circles) in find_circles(place)? {
        for circle in circles {
            say(&format!("circle in {root}:\n{circle}"));
        }
    }
    Ok(())
}

/// Fails when a crate of the workspace has a circle.
pub(crate) fn check(place: &Place) -> Result<()> {
    let mut more = Vec::new();
    for (root, circles) in find_circles(place)? {
        if !circles.is_empty() {
            circles.iter().for_each(|circle| say(&format!("   circle in {root}:\n{circle}")));
            more.push(root);
        }
    }
    if !more.is_empty() {
        let more = more.join(", ");
        bail!(
            "circles in {more}: give what both files need a file of its own, or hand it over as a parameter"
        );
    }
    Ok(())
}

/// By crate: its circles, each as lines of `file -> file: names`.
fn find_circles(place: &Place) -> Result<Vec<(String, Vec<String>)>> {
    let told = |root: PathBuf| {
        let graph = ModuleGraph::read(&root)?;
        let circles = graph.circles().iter().map(|circle| graph.describe_circle(&root, circle)).collect();
        let name = root.strip_prefix(&place.repo).unwrap_or(&root).iter();
        let name: Vec<_> = name.map(|part| part.to_string_lossy()).collect();
        Ok((name.join("/"), circles))
    };
    crates(&place.repo)?.into_iter().map(told).collect()
}

/// The `src` folders of the workspace's own crates, and their examples of several files.
fn crates(repo: &Path) -> Result<Vec<PathBuf>> {
    let mut roots: Vec<PathBuf> =
        ["src-tauri", "tests", "tests/bench", "xtask"].map(|name| repo.join(name)).into();
    for entry in std::fs::read_dir(repo.join("crates"))? {
        roots.push(entry?.path());
    }
    roots.retain(|root| root.join("src").is_dir());
    let mut folders: Vec<PathBuf> = roots.iter().map(|root| root.join("src")).collect();
    for examples in roots.iter().map(|root| root.join("examples")).filter(|folder| folder.is_dir()) {
        for entry in std::fs::read_dir(examples)? {
            folders.push(entry?.path());
        }
    }
    folders.retain(|folder| folder.ends_with("src") || folder.join("main.rs").is_file());
    folders.sort();
    Ok(folders)
}

/// One file: a module, and everything that it names in others.
struct File {
    path: PathBuf,
    /// `["json", "set"]`; empty for the crate itself.
    module: Vec<String>,
    /// What the file's own `use` lines bring in, by the name that they give it.
    handed_on: BTreeMap<String, Vec<String>>,
    /// Every path that the file names, from the crate's root on.
    named: Vec<Vec<String>>,
}

impl File {
    fn display_path(&self, root: &Path) -> String {
        self.path.strip_prefix(root).unwrap_or(&self.path).display().to_string()
    }
}

/// A crate's files and what they need of each other.
struct ModuleGraph {
    files: Vec<File>,
    /// By file: the files it needs, with the names it takes from them.
    arrows: Vec<BTreeMap<usize, BTreeSet<String>>>,
}

impl ModuleGraph {
    fn read(root: &Path) -> Result<Self> {
        let mut paths = Vec::new();
        sources(root, &mut paths)?;
        let modules: BTreeSet<Vec<String>> = paths.iter().map(|path| module_of(root, path)).collect();
        let mut files = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let tokens = TokenStream::from_str(&text)
                .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
            files.push(read(&path, module_of(root, &path), tokens, &modules));
        }
        let mut graph = Self { arrows: vec![BTreeMap::new(); files.len()], files };
        for from in 0..graph.files.len() {
            for path in &graph.files[from].named {
                // A module's own file contains what the files below it share.
                if let Some((to, name)) = graph.definer(path, 0)
                    && !graph.files[from].module.starts_with(&graph.files[to].module)
                {
                    graph.arrows[from].entry(to).or_default().insert(name);
                }
            }
        }
        Ok(graph)
    }

    /// The file that defines what `path` names, and the name.
    fn definer(&self, path: &[String], depth: usize) -> Option<(usize, String)> {
        let length = (0..=path.len()).rev().find(|&length| self.module(&path[..length]).is_some())?;
        let file = self.module(&path[..length])?;
        let Some(name) = path.get(length) else {
            return Some((file, path.last().cloned().unwrap_or_else(|| "*".to_owned())));
        };
        let onward = self.files[file].handed_on.get(name).filter(|_| depth < 8);
        match onward {
            Some(onward) => {
                let mut onward = onward.clone();
                onward.extend_from_slice(&path[length + 1..]);
                self.definer(&onward, depth + 1)
            }
            None => Some((file, name.clone())),
        }
    }

    fn module(&self, path: &[String]) -> Option<usize> {
        self.files.iter().position(|file| file.module == path)
    }

    /// A circle as lines of `file -> file: names`.
    fn describe_circle(&self, root: &Path, circle: &[usize]) -> String {
        let mut lines = String::new();
        for &from in circle {
            for (&to, names) in self.arrows[from].iter().filter(|(to, _)| circle.contains(to)) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let [from, to] = [from, to].map(|file| self.files[file].display_path(root));
                let _ = writeln!(lines, "     {from} -> {to}: {}", names.join(", "));
            }
        }
        lines
    }

    /// Files that reach each other, each circle in the order of the files.
    fn circles(&self) -> Vec<Vec<usize>> {
        let reach: Vec<BTreeSet<usize>> =
            (0..self.files.len()).map(|from| self.reachable_from(from)).collect();
        let mut circles: Vec<Vec<usize>> = Vec::new();
        for from in 0..self.files.len() {
            if circles.iter().any(|circle| circle.contains(&from)) {
                continue;
            }
            let circle: Vec<usize> =
                reach[from].iter().copied().filter(|&to| reach[to].contains(&from)).collect();
            if circle.len() > 1 {
                circles.push(circle);
            }
        }
        circles
    }

    fn reachable_from(&self, from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut next = vec![from];
        while let Some(file) = next.pop() {
            next.extend(self.arrows[file].keys().copied().filter(|&to| reached.insert(to)));
        }
        reached
    }
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, out)?;
        } else if path.extension().is_some_and(|end| end == "rs")
            && path.file_stem().is_none_or(|stem| stem != "tests")
        {
            out.push(path);
        }
    }
    Ok(())
}

fn module_of(root: &Path, path: &Path) -> Vec<String> {
    let inside = path.strip_prefix(root).unwrap_or(path).with_extension("");
    let mut module: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

fn read(path: &Path, module: Vec<String>, tokens: TokenStream, modules: &BTreeSet<Vec<String>>) -> File {
    let mut file = File { path: path.to_owned(), module, handed_on: BTreeMap::new(), named: Vec::new() };
    paths::walk(&tokens.into_iter().collect::<Vec<_>>(), &mut file, modules);
    file
}

#[cfg(test)]
mod tests {
    use super::ModuleGraph;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let folder =
            std::env::temp_dir().join(format!("plimsoll-circles-{}-{}", std::process::id(), files.len()));
        let _ = std::fs::remove_dir_all(&folder);
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let graph = ModuleGraph::read(&folder).expect("readable");
        let found = graph
            .circles()
            .into_iter()
            .map(|circle| circle.into_iter().map(|file| graph.files[file].display_path(&folder)).collect())
            .collect();
        let _ = std::fs::remove_dir_all(&folder);
        found
    }

    #[test]
    fn a_circle_is_found_through_re_exports() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b; pub use a::A; pub(crate) use b::made;"),
            ("a.rs", "pub struct A; fn f() { crate::made(); }"),
            ("b.rs", "use super::A; pub fn made() -> A { A }"),
        ]);
        assert_eq!(found, [["a.rs", "b.rs"]]);
    }

    #[test]
    fn the_examples_of_a_crate_are_looked_at_too() {
        let repo = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
        let found = super::crates(&repo).expect("the crates of this repository");
        assert!(found.iter().any(|folder| folder.ends_with("crates/memory/src")), "{found:?}");
        assert!(found.iter().any(|folder| folder.ends_with("crates/memory/examples/recall")), "{found:?}");
    }

    #[test]
    fn a_module_shares_with_the_files_below_it() {
        let found = circles(&[
            ("lib.rs", "mod json; mod toml;"),
            ("json/mod.rs", "mod set; pub struct Step; pub fn go() { set::put(Step) }"),
            ("json/set.rs", "use super::Step; pub fn put(_: Step) {}"),
            ("toml.rs", "mod read; pub struct Row; fn go() { crate::json::go() }"),
            ("toml/read.rs", "use super::Row; pub fn at(_: crate::json::Step) {}"),
        ]);
        assert_eq!(found, Vec::<Vec<String>>::new());
        let found = circles(&[
            ("lib.rs", "mod json; mod toml; mod step;"),
            ("json/mod.rs", "mod set;"),
            ("json/set.rs", "use crate::toml::Row; pub fn put(_: Row) {}"),
            ("toml.rs", "pub struct Row; fn go() { crate::json::set::put(Row) }"),
        ]);
        assert_eq!(found, [["json/set.rs", "toml.rs"]]);
    }

    #[test]
    fn tests_comments_and_strings_are_not_dependencies() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "// crate::b::x\nconst T: &str = \"crate::b::x\"; pub fn y() {}\n#[cfg(test)] mod tests { use crate::b::x; }",
            ),
            ("b.rs", "pub fn x() { crate::a::y() }"),
            ("unused.rs", ""),
        ]);
        assert_eq!(found, Vec::<Vec<String>>::new());
    }
}
