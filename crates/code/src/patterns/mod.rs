//! A project's conventions: test framework, error style, logging, async runtime, HTTP client and so on, by number of files in
//! each language; exemplary files; naming. Counted from the index; `git_log` and `adoption` add the trend over time.

mod adoption;
mod git_log;
mod pattern_table;
mod test_words;
mod tools;

use std::collections::{BTreeMap, BTreeSet};

pub use adoption::{Growth, History, MONTHS, Trend};
pub use git_log::{Added, LOG, Log, Month};
pub use pattern_table::{CATEGORIES, Key, WAYS, Way, ways_of};

use crate::edges::{CRATES, NEEDED_CRATES};
use crate::error::{CodebaseError, Result};
use crate::language::family;
use crate::role::{self, Role};
use crate::store::Store;
use pattern_table::imported_module;

/// How common a way is.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Adoption {
    /// Its name.
    pub name: String,
    /// The first of the languages that it belongs to.
    pub language: String,
    /// How many files use it.
    pub files: u64,
    /// Its share of all files of its language that use any technology of this category.
    pub share: f64,
    /// One of its files.
    pub example: String,
    /// Its trend, if the history was read.
    pub growth: Option<Growth>,
}

impl Adoption {
    /// Whether it replaces others in its category.
    pub fn is_rival(&self) -> bool {
        let own =
            |way: &&Way| way.name == self.name && way.languages.first() == Some(&self.language.as_str());
        WAYS.iter().filter(own).all(|way| way.is_rival)
    }

    /// Whether it belongs to this language.
    pub fn is_of(&self, language: &str) -> bool {
        let own =
            |way: &&Way| way.name == self.name && way.languages.first() == Some(&self.language.as_str());
        WAYS.iter().filter(own).any(|way| way.languages.contains(&language))
    }
}

/// The ways of one category.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Pattern {
    /// Its category.
    pub category: String,
    /// The most common.
    pub primary: Adoption,
    /// The others, most common first.
    pub also: Vec<Adoption>,
    /// Two competing technologies of one language, of which neither clearly prevails: ask the user which to follow.
    pub conflict: Option<(String, String)>,
}

/// How a project does things.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Patterns {
    /// By category, in the order of [`CATEGORIES`].
    pub patterns: Vec<Pattern>,
    /// Files that use the most common technology in the most categories.
    pub golden_files: Vec<String>,
    /// All such files, best first.
    #[serde(skip)]
    pub examples: Vec<String>,
    /// How names of each kind are written, with its share: `function snake_case .98`.
    pub naming: Vec<(String, String, f64)>,
}

/// A technology is a rival of the first from this share on …
const RIVAL: f64 = 0.2;
/// … and this number of files on, …
const RIVAL_FILES: u64 = 2;
/// … unless the first has this share.
const RULE: f64 = 0.8;
const MAX_GOLDEN: usize = 5;
/// A shorter name of a crate may be any word.
const DISTINCT: usize = 8;

/// Counts the patterns of an index; `category` limits it to one of [`CATEGORIES`], `all` does not.
///
/// # Errors
/// When the category is unknown or the database cannot be read.
pub fn patterns(store: &Store, category: Option<&str>) -> Result<Patterns> {
    let category = category.filter(|c| *c != "all");
    if let Some(wrong) = category.filter(|c| !CATEGORIES.contains(c)) {
        let known = format!("all, {}", CATEGORIES.join(", "));
        return Err(CodebaseError::Unknown { what: "category", value: wrong.to_owned(), known });
    }
    let (uses, history) = (uses(store)?, store.history()?);
    let mut out = Patterns { naming: naming(store)?, ..Patterns::default() };
    let mut good: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for wanted in CATEGORIES.iter().filter(|c| category.is_none_or(|only| only == **c)) {
        let ways: Vec<(&Key, &BTreeSet<String>)> = uses.iter().filter(|((c, ..), _)| c == wanted).collect();
        let mut all: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
        for ((_, language, _), files) in &ways {
            all.entry(language).or_default().extend(files.iter());
        }
        let adoption = |(key, files): &(&Key, &BTreeSet<String>)| Adoption {
            name: key.2.to_owned(),
            language: key.1.to_owned(),
            files: files.len() as u64,
            share: share(files.len(), all.get(key.1).map_or(0, BTreeSet::len)),
            example: files.iter().min_by_key(|f| (f.len(), *f)).cloned().unwrap_or_default(),
            growth: history.growth(**key),
        };
        let mut adoptions: Vec<Adoption> = ways.iter().map(adoption).collect();
        // A test framework comes before what tests written with it use beside it.
        let second = |way: &Adoption| *wanted == "testing" && !way.is_rival();
        adoptions.sort_by(|a, b| (second(a), b.files, &a.name).cmp(&(second(b), a.files, &b.name)));
        let conflict = if *wanted == "testing" { None } else { conflict(&adoptions) };
        // The first in each language is the one to follow.
        for language in all.keys() {
            let first = adoptions.iter().find(|way| way.language == *language);
            let files =
                ways.iter().find(|(key, _)| key.1 == *language && first.is_some_and(|f| f.name == key.2));
            for file in files.into_iter().flat_map(|(_, files)| files.iter()) {
                good.entry(file).or_default().insert(*wanted);
            }
        }
        if !adoptions.is_empty() {
            let primary = adoptions.remove(0);
            out.patterns.push(Pattern { category: (*wanted).to_owned(), primary, also: adoptions, conflict });
        }
    }
    let golden: Vec<(usize, &str)> =
        good.into_iter().map(|(file, ways)| (ways.len(), file)).filter(|(n, _)| *n >= 2).collect();
    // A file that only imports, as with global usings, isn't an example.
    let mut golden: Vec<(usize, &str)> = store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT EXISTS(SELECT 1 FROM files f JOIN symbols s ON s.file = f.id WHERE f.path = ?1)",
        )?;
        let mut defines = |path: &str| statement.query_row([path], |row| row.get::<_, bool>(0));
        golden
            .into_iter()
            .filter_map(|one| defines(one.1).map(|yes| yes.then_some(one)).transpose())
            .collect()
    })?;
    // The product's files come before its examples.
    let aside = |file: &str| role::of(file, None, "").is(Role::EXAMPLE);
    golden.sort_by_key(|(n, file)| (aside(file), std::cmp::Reverse(*n), *file));
    out.examples = golden.into_iter().map(|(_, file)| file.to_owned()).collect();
    out.golden_files = out.examples.iter().take(MAX_GOLDEN).cloned().collect();
    Ok(out)
}

fn share(files: usize, all: usize) -> f64 {
    (files as f64 / all.max(1) as f64 * 100.0).round() / 100.0
}

/// The two technologies of one language of which neither prevails; `ways` are those of a category, most common first.
fn conflict(ways: &[Adoption]) -> Option<(String, String)> {
    let ways: Vec<&Adoption> = ways.iter().filter(|way| way.is_rival()).collect();
    let first_of_its_language =
        |at: &usize| !ways[..*at].iter().any(|before| before.language == ways[*at].language);
    (0..ways.len()).filter(first_of_its_language).find_map(|at| {
        let first = ways[at];
        let second = ways[at + 1..].iter().find(|other| other.language == first.language)?;
        // A single file doesn't make a second technology.
        let is_way = second.files >= RIVAL_FILES && second.share >= RIVAL;
        (first.share < RULE && is_way).then(|| (first.name.clone(), second.name.clone()))
    })
}

/// The technologies that one file uses.
///
/// # Errors
/// When the database cannot be read.
pub fn ways_in(store: &Store, path: &str) -> Result<BTreeSet<Key>> {
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT coalesce(f.language, ''), i.target, i.names FROM imports i JOIN files f ON f.id = i.file
             WHERE f.path = ?1",
        )?;
        let mut rows = statement.query([path])?;
        let mut out = BTreeSet::new();
        while let Some(row) = rows.next()? {
            let language = row.get_ref(0)?.as_str().unwrap_or_default();
            let names = row.get_ref(2)?.as_str().unwrap_or_default();
            let target =
                imported_module(language, row.get_ref(1)?.as_str().unwrap_or_default(), names.split(','));
            out.extend(ways_of(language, target).map(Way::key));
        }
        Ok(out)
    })
}

type Uses = BTreeMap<Key, BTreeSet<String>>;

/// The files of each technology. Tests count for testing only; vendored code doesn't count, nor do tools in a
/// language that the product isn't written in.
fn uses(store: &Store) -> Result<Uses> {
    let mut out = uses_from_imports(store)?;
    // In Rust a crate can be named by its path without being imported: `#[derive(thiserror::Error)]`. A comment isn't
    // a use, and the project's own crates aren't a choice.
    let own = store.fact(CRATES)?.unwrap_or_default();
    // A word or a string may read like a crate; what no manifest names isn't used.
    let needed = store.fact(NEEDED_CRATES)?;
    let is_needed =
        |module: &str| needed.as_ref().is_none_or(|needed| needed.split(' ').any(|one| one == module));
    out.retain(|key, _| {
        let mut own = WAYS.iter().filter(|way| way.key() == *key && way.languages == ["rust"]).peekable();
        own.peek().is_none() || own.any(|way| way.imports.iter().any(|module| is_needed(module)))
    });
    let rust = WAYS.iter().filter(|way| way.languages == ["rust"]);
    for (way, module) in rust.flat_map(|way| way.imports.iter().map(move |module| (way, module))) {
        if module.len() < DISTINCT || own.split(' ').any(|one| one == *module) || !is_needed(module) {
            continue;
        }
        let files = store.files_with_code(module)?;
        let counts = |role: Role| way.category == "testing" || !role.is(Role::TEST);
        let paths = files.into_iter().filter(|file| file.path.ends_with(".rs") && counts(file.role));
        let mut paths = paths.map(|file| file.path).peekable();
        if paths.peek().is_some() {
            out.entry(way.key()).or_default().extend(paths);
        }
    }
    // Bats tests are recognised by their names, because a shell script imports nothing.
    let bats = store.read(|db| {
        let mut statement = db.prepare_cached("SELECT path FROM files WHERE path LIKE '%.bats'")?;
        let paths = statement.query_map([], |row| row.get(0))?;
        paths.collect::<rusqlite::Result<BTreeSet<String>>>()
    })?;
    if let Some(way) = WAYS.iter().find(|way| way.name == "Bats").filter(|_| !bats.is_empty()) {
        out.entry(way.key()).or_default().extend(bats);
    }
    for key in out.keys().copied().collect::<Vec<Key>>() {
        if is_own(store, key)? {
            // The tests of a test framework are written with it.
            let is_written_with =
                |path: &String| key.0 == "testing" && role::of(path, None, "").is(Role::TEST);
            out.entry(key).or_default().retain(is_written_with);
        }
    }
    // `support/fetch.py` of a library in C++ says nothing about the library.
    let of_tools = tools::languages(store)?;
    for ((category, language, _), files) in &mut out {
        if *category != "testing" && of_tools.contains(family(language)) {
            files.retain(|path| !tools::is_tool(path));
        }
    }
    out.retain(|_, files| !files.is_empty());
    test_words::add_tests(store, &mut out)?;
    Ok(out)
}

/// Whether the project itself provides a technology, which its examples import from outside: a namespace that it
/// defines, a package of Swift.
fn is_own(store: &Store, key: Key) -> Result<bool> {
    let (_, language, _) = key;
    if !matches!(language, "csharp" | "php" | "swift") {
        return Ok(false);
    }
    // A backport isn't the library itself.
    let names = WAYS.iter().filter(|way| way.key() == key).flat_map(|way| way.imports);
    let names = names.filter(|name| !name.starts_with("System."));
    for name in names {
        // Libraries put what they add to Microsoft's into its namespaces: only a project with such a name defines
        // one.
        let adds = name.starts_with("Microsoft.Extensions.");
        let aside = (Role::TEST.0 | Role::VENDORED.0 | Role::EXAMPLE.0).to_string();
        let found: bool = store.read(|db| {
            db.query_row(
                "SELECT EXISTS (SELECT 1 FROM symbols s JOIN files f ON f.id = s.file
                     WHERE f.language = ?1 AND NOT f.role & ?3 AND s.kind = 'module'
                     AND (s.name = ?2 OR s.name LIKE ?2 || '.%' OR s.name LIKE ?2 || '\\%')
                     AND (NOT ?4 OR EXISTS (SELECT 1 FROM files WHERE path LIKE '%' || ?2 || '.csproj')))
                 OR ?1 = 'swift' AND EXISTS (SELECT 1 FROM files
                     WHERE path LIKE 'Sources/' || ?2 || '/%' OR path LIKE ?2 || '.xcodeproj/%' OR path = ?2 || '.podspec')",
                (language, *name, aside.as_str(), adds),
                |row| row.get(0),
            )
        })?;
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The files that import what each way needs. An import that resolves to one of the project's own files isn't a
/// choice of library; but the tests of a test framework are written with it.
fn uses_from_imports(store: &Store) -> Result<Uses> {
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT f.path, coalesce(f.language, ''), f.role, i.target,
                 (SELECT max(NOT t.role & ?2) FROM edges e JOIN files t ON t.id = e.imported
                  WHERE e.importer = i.file AND e.line = i.line AND NOT t.role & ?1),
                 i.names
             FROM imports i JOIN files f ON f.id = i.file",
        )?;
        let mut rows = statement.query([Role::VENDORED.0, Role::TEST.0])?;
        let mut out: Uses = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let role = Role(row.get(2)?);
            if role.is(Role::VENDORED) || role.is(Role::GENERATED) {
                continue;
            }
            // Whether the project file that it imports is part of the product; `None` if it imports something else.
            let own: Option<bool> = row.get(4)?;
            let test_of_own = own == Some(true) && role.is(Role::TEST);
            let language = row.get_ref(1)?.as_str().unwrap_or_default();
            let names = row.get_ref(5)?.as_str().unwrap_or_default();
            let target =
                imported_module(language, row.get_ref(3)?.as_str().unwrap_or_default(), names.split(','));
            for way in ways_of(language, target) {
                let chosen = own.is_none() || test_of_own && way.category == "testing";
                if chosen && (way.category == "testing" || !role.is(Role::TEST)) {
                    out.entry(way.key()).or_default().insert(row.get(0)?);
                }
            }
        }
        Ok(out)
    })
}

/// How names of functions and types are written, when most are written alike.
fn naming(store: &Store) -> Result<Vec<(String, String, f64)>> {
    let mut counts: BTreeMap<(String, String), BTreeMap<&'static str, u64>> = BTreeMap::new();
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT s.kind, s.name, coalesce(f.language, '') FROM symbols s JOIN files f ON f.id = s.file WHERE f.role & 6 = 0",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, language): (String, String) = (row.get(0)?, row.get(2)?);
            if let Some(form) = naming_form(row.get_ref(1)?.as_str().unwrap_or_default()) {
                *counts.entry((language, kind)).or_default().entry(form).or_default() += 1;
            }
        }
        Ok(())
    })?;
    let mut out = Vec::new();
    for ((language, kind), forms) in counts {
        let total: u64 = forms.values().sum();
        if let Some((form, most)) = forms.into_iter().max_by_key(|(form, n)| (*n, std::cmp::Reverse(*form)))
            && total >= 10
        {
            let share = (most as f64 / total as f64 * 100.0).round() / 100.0;
            out.push((format!("{language} {kind}"), form.to_owned(), share));
        }
    }
    Ok(out)
}

/// How a name is written; a single lower-case word is both snake and camel and says nothing.
fn naming_form(name: &str) -> Option<&'static str> {
    let name = name.trim_matches('_');
    let upper = name.chars().any(char::is_uppercase);
    let lower = name.chars().any(char::is_lowercase);
    match (name.contains('_'), upper, lower) {
        (_, true, false) if name.len() > 1 => Some("UPPER_CASE"),
        (true, false, true) => Some("snake_case"),
        (false, true, true) if name.starts_with(char::is_uppercase) => Some("PascalCase"),
        (false, true, true) => Some("camelCase"),
        (true, true, true) => Some("Mixed_case"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adoption(name: &str, language: &str, files: u64, share: f64) -> Adoption {
        let (name, language) = (name.to_owned(), language.to_owned());
        Adoption { name, language, files, share, example: String::new(), growth: None }
    }

    #[test]
    fn only_interchangeable_patterns_compete() {
        let both = |one: &str, other: &str, language: &str| {
            conflict(&[adoption(one, language, 6, 0.6), adoption(other, language, 4, 0.4)]).is_some()
        };
        let few = [adoption("urllib", "python", 2, 0.5), adoption("HTTPX", "python", 1, 0.25)];
        assert_eq!(conflict(&few), None);
        assert!(both("Tokio", "async-std", "rust"));
        assert!(!both("Tokio", "rayon", "rust"));
        assert!(!both("anyhow", "thiserror", "rust") && both("anyhow", "eyre", "rust"));
        assert!(!both("encoding/json", "yaml", "go"));
        assert!(!both("sync", "x/sync", "go"));
        assert!(!both("Serilog", "Microsoft.Extensions.Logging", "csharp"));
    }
}
