//! Whether files of a crate depend on each other in a circle. Owns how a dependency is read from the code: every path
//! that begins with `crate`, `super`, `self` or a child module leads to the file that defines what it names, also where
//! the name is handed on by another file's `use`. Tests in a file are left out, and so is what a file takes from the
//! modules that it is part of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use anyhow::{Context, Result, bail};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::place::Place;
use crate::steps::say;

/// Fails when a crate of the workspace has a circle, naming each file of it and what ties it to the next.
pub(crate) fn check(place: &Place) -> Result<()> {
    let mut found = 0;
    for root in crates(&place.repo)? {
        let house = House::read(&root)?;
        for circle in house.circles() {
            found += 1;
            say(&format!("\n   circle in {}:", root.strip_prefix(&place.repo).unwrap_or(&root).display()));
            for &from in &circle {
                for (&to, names) in house.arrows[from].iter().filter(|(to, _)| circle.contains(to)) {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    let [from, to] = [from, to].map(|file| house.files[file].shown(&root));
                    say(&format!("     {from} -> {to}: {}", names.join(", ")));
                }
            }
        }
    }
    if found > 0 {
        bail!(
            "{found} circles: move what both files need into a file of its own, or hand it over as a parameter"
        );
    }
    Ok(())
}

/// The `src` folders of the workspace's own crates.
fn crates(repo: &Path) -> Result<Vec<PathBuf>> {
    let mut roots: Vec<PathBuf> =
        ["src-tauri", "tests", "tests/bench", "xtask"].map(|name| repo.join(name)).into();
    for entry in std::fs::read_dir(repo.join("crates"))? {
        roots.push(entry?.path());
    }
    roots.retain(|root| root.join("src").is_dir());
    roots.iter_mut().for_each(|root| root.push("src"));
    roots.sort();
    Ok(roots)
}

/// One file: a module with all that it says of others.
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
    fn shown(&self, root: &Path) -> String {
        self.path.strip_prefix(root).unwrap_or(&self.path).display().to_string()
    }
}

/// A crate's files and what they need of each other.
struct House {
    files: Vec<File>,
    /// By file: the files it needs, with the names it takes from them.
    arrows: Vec<BTreeMap<usize, BTreeSet<String>>>,
}

impl House {
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
        let mut house = Self { arrows: vec![BTreeMap::new(); files.len()], files };
        for from in 0..house.files.len() {
            for path in &house.files[from].named {
                // A module's own file holds what the files below it share.
                if let Some((to, name)) = house.definer(path, 0)
                    && !house.files[from].module.starts_with(&house.files[to].module)
                {
                    house.arrows[from].entry(to).or_default().insert(name);
                }
            }
        }
        Ok(house)
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

    /// Files that reach each other, each circle in the order of the files.
    fn circles(&self) -> Vec<Vec<usize>> {
        let reach: Vec<BTreeSet<usize>> = (0..self.files.len()).map(|from| self.reached(from)).collect();
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

    fn reached(&self, from: usize) -> BTreeSet<usize> {
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
            && !path.file_stem().is_some_and(|stem| stem == "tests")
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
    walk(&tokens.into_iter().collect::<Vec<_>>(), &mut file, modules);
    file
}

/// Goes over the tokens of a file and notes every path that leads to a file of the crate.
fn walk(tokens: &[TokenTree], file: &mut File, modules: &BTreeSet<Vec<String>>) {
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            // `mod tests { … }`: what tests need ties nothing.
            TokenTree::Ident(word) if word == "mod" => {
                let inline = matches!(tokens.get(at + 2), Some(TokenTree::Group(_)));
                at += if inline { 3 } else { 2 };
                continue;
            }
            TokenTree::Ident(word) if word == "use" => {
                let end = tokens[at..]
                    .iter()
                    .position(|token| is_sign(token, ';'))
                    .map_or(tokens.len(), |n| at + n);
                let mut brought = Vec::new();
                tree(&tokens[at + 1..end], &[], &mut brought);
                for (path, name) in brought {
                    if let Some(path) = absolute(&path, &file.module, modules) {
                        file.handed_on.insert(name, path.clone());
                        file.named.push(path);
                    }
                }
                at = end;
            }
            TokenTree::Ident(_) if starts_path(tokens, at) => {
                let (path, next) = path_at(tokens, at);
                if path.len() > 1
                    && let Some(path) = absolute(&path, &file.module, modules)
                {
                    file.named.push(path);
                }
                at = next;
                continue;
            }
            TokenTree::Group(group) => {
                walk(&group.stream().into_iter().collect::<Vec<_>>(), file, modules);
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether the word at `at` is the first of a path: nothing of one stands before it.
fn starts_path(tokens: &[TokenTree], at: usize) -> bool {
    at == 0
        || !(is_sign(&tokens[at - 1], ':') && at > 1 && is_sign(&tokens[at - 2], ':')
            || is_sign(&tokens[at - 1], '.'))
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// The words of the path at `at`, and where it ends.
fn path_at(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        path.push(word.to_string());
        at += 1;
        let goes_on = tokens.len() > at + 2 && is_sign(&tokens[at], ':') && is_sign(&tokens[at + 1], ':');
        if !goes_on || !matches!(tokens[at + 2], TokenTree::Ident(_)) {
            break;
        }
        at += 2;
    }
    (path, at)
}

/// The paths of a `use` line, each with the name that it gets.
fn tree(tokens: &[TokenTree], before: &[String], out: &mut Vec<(Vec<String>, String)>) {
    let mut path = before.to_vec();
    let mut name = None;
    let mut at = 0;
    let end = |path: &mut Vec<String>, name: &mut Option<String>, out: &mut Vec<(Vec<String>, String)>| {
        let last = name.take().or_else(|| path.last().cloned());
        if path.len() > before.len()
            && let Some(last) = last
        {
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            out.push((path.clone(), last));
        }
        path.truncate(before.len());
    };
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if word == "as" => {
                name = tokens.get(at + 1).map(ToString::to_string);
                at += 1;
            }
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                tree(&group.stream().into_iter().collect::<Vec<_>>(), &path, out);
                path.truncate(before.len());
            }
            token if is_sign(token, ',') => end(&mut path, &mut name, out),
            _ => {}
        }
        at += 1;
    }
    end(&mut path, &mut name, out);
}

/// `path` from the crate's root on; nothing for what is outside the crate.
fn absolute(path: &[String], module: &[String], modules: &BTreeSet<Vec<String>>) -> Option<Vec<String>> {
    let first = path.first()?;
    let mut whole: Vec<String> = match first.as_str() {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        child => {
            let mut below = module.to_vec();
            below.push(child.to_owned());
            return modules.contains(&below).then(|| {
                below.extend_from_slice(&path[1..]);
                below
            });
        }
    };
    for part in &path[1..] {
        if part == "super" {
            whole.pop()?;
        } else {
            whole.push(part.clone());
        }
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::House;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let folder =
            std::env::temp_dir().join(format!("plimsoll-circles-{}-{}", std::process::id(), files.len()));
        let _ = std::fs::remove_dir_all(&folder);
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let house = House::read(&folder).expect("readable");
        let found = house
            .circles()
            .into_iter()
            .map(|circle| circle.into_iter().map(|file| house.files[file].shown(&folder)).collect())
            .collect();
        let _ = std::fs::remove_dir_all(&folder);
        found
    }

    #[test]
    fn a_circle_is_found_through_names_that_are_handed_on() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b; pub use a::A; pub(crate) use b::made;"),
            ("a.rs", "pub struct A; fn f() { crate::made(); }"),
            ("b.rs", "use super::A; pub fn made() -> A { A }"),
        ]);
        assert_eq!(found, [["a.rs", "b.rs"]]);
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
    fn tests_and_words_in_texts_tie_nothing() {
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
