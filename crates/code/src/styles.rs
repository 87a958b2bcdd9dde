//! Ways of writing that no library names, each with a place that shows it: how a language's files import one another, and how errors
//! are made and passed on. Knows the database, and of shell scripts their text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::error::Result;
use crate::role::Role;
use crate::store::Store;

/// The number of shell scripts that are read …
const SCRIPTS: usize = 300;
/// … and the size of one that isn't.
const MAX_SCRIPT: u64 = 256 * 1024;

/// A way of writing.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Style {
    /// `errors` or `imports`.
    pub category: &'static str,
    /// The language.
    pub language: String,
    /// What it is called.
    pub name: &'static str,
    /// How many files use it.
    pub files: u64,
    /// Their share of all files of the language that go any way of the category, from 0 to 1.
    pub share: f64,
    /// A file that shows it …
    pub path: String,
    /// … on this line.
    pub line: u32,
}

/// By category, language and name: the first line in each file.
type Places = BTreeMap<(&'static str, String, &'static str), BTreeMap<String, u32>>;

/// The styles of the product's own code, in the order of category and language, the most common first. Only scripts that the asker
/// may read are read.
///
/// # Errors
/// When the database cannot be read.
pub fn styles(store: &Store, root: &Path, may_read: &dyn Fn(&str) -> bool) -> Result<Vec<Style>> {
    let mut places = Places::new();
    let mut note = |category, language: &str, name, path: &str, line: u32| {
        let files = places.entry((category, family(language).to_owned(), name)).or_default();
        let first = files.entry(path.to_owned()).or_insert(line);
        *first = line.min(*first);
    };
    let aside = Role::TEST.0 | Role::VENDORED.0 | Role::GENERATED.0;
    let scripts = store.read(|db| {
        // Only what means a file of the project says how its files import one another.
        let mut imports = db.prepare_cached(
            "SELECT f.path, coalesce(f.language, ''), i.target, i.line FROM imports i JOIN files f ON f.id = i.file
             WHERE f.role & ?1 = 0 AND EXISTS (SELECT 1 FROM edges e WHERE e.importer = i.file AND e.line = i.line)",
        )?;
        let mut rows = imports.query([aside])?;
        while let Some(row) = rows.next()? {
            let (path, language, target): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if let Some(name) = import_style(&language, &target) {
                note("imports", &language, name, &path, row.get(3)?);
            }
        }
        let mut symbols = db.prepare_cached(
            "SELECT f.path, f.language, s.kind, s.signature, s.line FROM symbols s JOIN files f ON f.id = s.file
             WHERE f.role & ?1 = 0 AND f.language IN ('python', 'php', 'swift')",
        )?;
        let mut rows = symbols.query([aside])?;
        while let Some(row) = rows.next()? {
            let (path, language, kind): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let signature: String = row.get(3)?;
            if let Some(name) = error_style(&language, &kind, &signature) {
                note("errors", &language, name, &path, row.get(4)?);
            }
        }
        let mut scripts =
            db.prepare_cached("SELECT path FROM files WHERE language = 'shell' AND role & ?1 = 0 ORDER BY path")?;
        let paths = scripts.query_map([aside], |row| row.get::<_, String>(0))?;
        paths.take(SCRIPTS).collect::<rusqlite::Result<Vec<String>>>()
    })?;
    for path in scripts.into_iter().filter(|path| may_read(path)) {
        let text = home::read_regular_text(&root.join(&path), MAX_SCRIPT).unwrap_or_default();
        for (line, text) in (1..).zip(text.lines()) {
            if let Some(name) = shell_style(text) {
                note("errors", "shell", name, &path, line);
            }
        }
    }
    Ok(ranked(places))
}

fn ranked(places: Places) -> Vec<Style> {
    let mut all: BTreeMap<(&'static str, String), BTreeSet<String>> = BTreeMap::new();
    for ((category, language, _), files) in &places {
        all.entry((category, language.clone())).or_default().extend(files.keys().cloned());
    }
    let style = |((category, language, name), files): (
        (&'static str, String, &'static str),
        BTreeMap<String, u32>,
    )| {
        let among = all.get(&(category, language.clone())).map_or(1, BTreeSet::len);
        let share = (files.len() as f64 / among.max(1) as f64 * 100.0).round() / 100.0;
        let count = files.len() as u64;
        // The shortest path is likeliest to be at the project's heart.
        let (path, line) = files.into_iter().min_by_key(|(path, _)| (path.len(), path.clone()))?;
        Some(Style { category, language, name, files: count, share, path, line })
    };
    let mut out: Vec<Style> = places.into_iter().filter_map(style).collect();
    out.sort_by(|a, b| {
        (a.category, &a.language, Reverse(a.files), a.name).cmp(&(
            b.category,
            &b.language,
            Reverse(b.files),
            b.name,
        ))
    });
    out
}

/// Languages whose files import one another are counted together.
fn family(language: &str) -> &str {
    if matches!(language, "tsx" | "javascript" | "svelte" | "vue") { "typescript" } else { language }
}

/// The form in which a file names another one of its project.
fn import_style(language: &str, target: &str) -> Option<&'static str> {
    match family(language) {
        "typescript" if target.starts_with('.') => Some("relative paths"),
        "typescript" => Some("aliases and package names"),
        "python" if target.starts_with('.') => Some("relative modules"),
        "python" => Some("absolute modules"),
        "rust" if target.starts_with("crate::") => Some("paths from the crate"),
        "rust" if target.starts_with("super::") || target.starts_with("self::") => Some("relative paths"),
        _ => None,
    }
}

/// A head without what is between angles or square brackets: `Error` in `Box<E: Error, T>` isn't what a type is made from.
fn without_parameters(head: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::with_capacity(head.len());
    for letter in head.chars() {
        match letter {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(letter),
            _ => {}
        }
    }
    out
}

/// What a definition shows about how errors are made or passed on.
fn error_style(language: &str, kind: &str, signature: &str) -> Option<&'static str> {
    const OWN: &str = "exceptions of its own";
    let is_error = |name: &str| {
        let name = name.trim().rsplit(['.', '\\']).next().unwrap_or_default();
        name.ends_with("Error") || name.ends_with("Exception")
    };
    match (language, kind) {
        ("python", "class") => {
            let head = without_parameters(signature);
            let bases = head.split_once('(')?.1.split(')').next()?;
            bases.split(',').any(is_error).then_some(OWN)
        }
        ("php", "class") => {
            let base = signature.split_once(" extends ")?.1.split([' ', '{']).next()?;
            is_error(base).then_some(OWN)
        }
        ("swift", "enum" | "struct" | "class") => {
            let head = without_parameters(signature);
            let bases = head.split_once(':')?.1.split('{').next()?;
            let is_own = |base: &str| matches!(base.trim(), "Error" | "LocalizedError" | "Swift.Error");
            bases.split(',').any(is_own).then_some("error types of its own")
        }
        ("swift", "function" | "method") => {
            let after = signature.rsplit_once(')').map_or("", |(_, after)| after);
            if after.split_whitespace().any(|word| word == "throws") {
                return Some("throwing functions");
            }
            after.contains("-> Result<").then_some("results")
        }
        _ => None,
    }
}

/// What a shell script's line sets for the time after a failed command.
fn shell_style(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let flag = |word: &&str| {
        word.strip_prefix('-').is_some_and(|flags| !flags.starts_with('-') && flags.contains('e'))
    };
    let given = words.iter().skip(1).take_while(|word| !word.starts_with('#'));
    match words.first()? {
        &"set" => {
            // What comes after `--` are the script's own arguments.
            let options: Vec<&str> = given.copied().take_while(|word| *word != "--").collect();
            let exits = options.iter().any(|word| flag(word) || *word == "errexit");
            let pipes = options.contains(&"pipefail");
            match (exits, pipes) {
                (true, true) => Some("stops at errors, in pipes as well"),
                (true, false) => Some("stops at errors"),
                _ => None,
            }
        }
        // `trap - ERR` ends it.
        &"trap" => {
            let given: Vec<&str> = given.copied().collect();
            (given.first() != Some(&"-") && given.last() == Some(&"ERR")).then_some("trap for errors")
        }
        first if first.starts_with("#!") => words.iter().skip(1).any(flag).then_some("stops at errors"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_line_sets_what_happens_after_an_error() {
        for (line, expected) in [
            ("set -euo pipefail", Some("stops at errors, in pipes as well")),
            ("  set -o errexit", Some("stops at errors")),
            ("set -e", Some("stops at errors")),
            ("#!/bin/sh -e", Some("stops at errors")),
            ("set -u", None),
            ("set -- \"$@\"", None),
            ("set -- -e", None),
            ("set -u # not -e", None),
            ("set -euo pipefail # strict", Some("stops at errors, in pipes as well")),
            ("trap - ERR", None),
            ("set +e", None),
            ("trap 'echo failed' ERR", Some("trap for errors")),
            ("trap cleanup EXIT", None),
            ("echo set -e", None),
            ("", None),
        ] {
            assert_eq!(shell_style(line), expected, "{line}");
        }
    }

    #[test]
    fn a_definition_shows_how_errors_are_returned() {
        let own = Some("exceptions of its own");
        for (language, kind, signature, expected) in [
            ("python", "class", "class PaymentError(Exception)", own),
            ("python", "class", "class Gone(http.HTTPException, Base)", own),
            ("python", "class", "class Cart(Base)", None),
            ("python", "class", "class Cart", None),
            ("python", "class", "class Names(Dict[Exception, str])", None),
            ("python", "class", "class Failed(Generic[T], Exception)", own),
            ("php", "class", "final class Gone extends \\RuntimeException", own),
            ("php", "class", "class Cart extends Model", None),
            ("swift", "enum", "enum NetError: Error", Some("error types of its own")),
            ("swift", "enum", "enum Side: String", None),
            ("swift", "struct", "struct Box<E: Error, T>", None),
            ("swift", "struct", "struct Box<E: Error, T>: Error", Some("error types of its own")),
            ("swift", "function", "func load() throws -> Int", Some("throwing functions")),
            ("swift", "function", "func get() -> Result<Int, NetError>", Some("results")),
            ("swift", "function", "func throws(it: Int)", None),
        ] {
            assert_eq!(error_style(language, kind, signature), expected, "{signature}");
        }
    }
}
