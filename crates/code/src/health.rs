//! What the index can defend about each file's health: its size, whether it parsed, whether it's part of an import
//! cycle, how many files depend on it, and the exported definitions that no other file mentions. Doesn't know
//! history.

mod passing;

use std::collections::{HashMap, HashSet};

use passing::Passing;

use crate::error::Result;
use crate::graph::{Graph, find_cycles};
use crate::parse::Parsed;
use crate::resolve;
use crate::role::Role;
use crate::search::{File, Reader};
use crate::store::Store;
use crate::words;

/// A file with more lines is named as long.
const LONG: u32 = 1_000;
/// The number of unmentioned definitions that a card names.
const NAMED: usize = 3;
/// The number of names that are looked up together: unmerged index entries are read once for them all.
const TOGETHER: usize = 500;

/// A definition that other files could use, and that none mentions.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Unmentioned {
    /// Its name.
    pub name: String,
    /// The line of its name.
    pub line: u32,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FileHealth {
    /// Relative to the project.
    pub path: String,
    /// How many lines it has.
    pub lines: u32,
    /// It has more than 1,000 lines.
    pub long: bool,
    /// Its grammar didn't understand the whole file, so definitions may be missing.
    pub parse_errors: bool,
    /// It imports itself through others.
    pub in_circle: bool,
    /// How many files import it; unknown in a language whose imports aren't followed.
    pub dependants: Option<usize>,
    /// How many tests import it, or one of its names from a file that passes it on; tests in the file itself count as one more.
    pub tests: Option<usize>,
    /// A hint: exported definitions that no other file of the project mentions.
    pub unmentioned: Vec<Unmentioned>,
}

impl FileHealth {
    /// The number of things to check.
    pub fn signs(&self) -> usize {
        usize::from(self.long)
            + usize::from(self.parse_errors)
            + usize::from(self.in_circle)
            + usize::from(!self.unmentioned.is_empty())
    }

    /// A decision card's lines about the file, if any. An import cycle is among its warnings.
    pub fn reasons(&self) -> Option<Health> {
        let mut reasons = Vec::new();
        if self.long {
            reasons.push(format!("{} lines", self.lines));
        }
        if self.parse_errors {
            reasons.push("parse errors, so definitions may be missing".to_owned());
        }
        if !self.unmentioned.is_empty() {
            let named = self.unmentioned.iter().take(NAMED);
            let named: Vec<String> = named.map(|one| format!("{} (line {})", one.name, one.line)).collect();
            let more = if self.unmentioned.len() > NAMED { " …" } else { "" };
            reasons
                .push(format!("exported and in no other file, which is a hint: {}{more}", named.join(", ")));
        }
        (!reasons.is_empty()).then(|| Health { file: self.path.clone(), reasons })
    }
}

/// What to check in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Health {
    /// The file.
    pub file: String,
    /// At most three.
    pub reasons: Vec<String>,
}

/// The health of the files that `keep` lets through: those with most to look at first, then the longest.
///
/// # Errors
/// When the database cannot be read.
pub fn health(store: &Store, reader: &Reader, keep: impl Fn(&File) -> bool) -> Result<Vec<FileHealth>> {
    // A cycle may go through files that weren't requested.
    let needs = Graph::from_dependencies(store, reader, |file| !file.role.is(Role::TEST))?;
    let circled: HashSet<String> = find_cycles(&needs).into_iter().flat_map(|one| one.files).collect();
    let marked = Marked::read(store)?;
    let files = reader.files();
    let kept: Vec<usize> = (0..files.len()).filter(|i| keep(&files[*i])).collect();
    let mut unmentioned = unmentioned(store, reader, &kept)?;
    let mut passing = Passing::new(store, reader);
    let mut out = Vec::with_capacity(kept.len());
    for i in kept {
        let in_circle = circled.contains(&files[i].path);
        let through = passing.tests(i)?;
        out.push(marked.health(files, i, in_circle, unmentioned.remove(&i).unwrap_or_default(), &through));
    }
    out.sort_by(|a, b| {
        (std::cmp::Reverse(a.signs()), std::cmp::Reverse(a.lines), &a.path).cmp(&(
            std::cmp::Reverse(b.signs()),
            std::cmp::Reverse(b.lines),
            &b.path,
        ))
    });
    Ok(out)
}

/// The health of one file, if it's in the index. The caller knows whether it's part of an import cycle.
///
/// # Errors
/// When the database cannot be read.
pub fn health_of(store: &Store, reader: &Reader, path: &str, in_circle: bool) -> Result<Option<FileHealth>> {
    let files = reader.files();
    let Ok(i) = files.binary_search_by(|file| file.path.as_str().cmp(path)) else { return Ok(None) };
    let unmentioned = unmentioned(store, reader, &[i])?.remove(&i).unwrap_or_default();
    let through = Passing::new(store, reader).tests(i)?;
    Ok(Some(Marked::read(store)?.health(files, i, in_circle, unmentioned, &through)))
}

/// Whether a language is for data, which isn't split for its length: interface descriptions, translations.
fn is_data(language: &str) -> bool {
    matches!(language, "json" | "yaml" | "xml" | "ini" | "toml")
}

/// What the database marks of files, by their numbers.
struct Marked {
    with_errors: HashSet<i64>,
    /// Tests are in the file itself.
    tested: HashSet<i64>,
}

impl Marked {
    fn read(store: &Store) -> Result<Marked> {
        store.read(|db| {
            let mut errors = db.prepare_cached("SELECT id FROM files WHERE parsed = ?1")?;
            let number = i64::try_from(Parsed::WithErrors.number()).unwrap_or(-1);
            let with_errors: HashSet<i64> =
                errors.query_map([number], |r| r.get(0))?.collect::<rusqlite::Result<_>>()?;
            let mut tests = db.prepare_cached(
                "SELECT DISTINCT file FROM symbols WHERE kind = 'module' AND name IN ('tests', 'test')",
            )?;
            let tested: HashSet<i64> = tests.query_map([], |r| r.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(Marked { with_errors, tested })
        })
    }

    /// The health of one file, of which tests import names `through` others.
    fn health(
        &self,
        files: &[File],
        i: usize,
        in_circle: bool,
        unmentioned: Vec<Unmentioned>,
        through: &HashSet<usize>,
    ) -> FileHealth {
        let file = &files[i];
        let follows = resolve::follows(&file.language);
        let importers = file.imported_by.iter().map(|by| *by as usize);
        let direct = importers.filter(|by| files[*by].role.is(Role::TEST) && !through.contains(by));
        let tests = direct.count() + through.len();
        FileHealth {
            path: file.path.clone(),
            lines: file.lines,
            long: file.lines > LONG && !is_data(&file.language),
            parse_errors: self.with_errors.contains(&file.id),
            in_circle,
            dependants: follows.then_some(file.imported_by.len()),
            tests: follows.then_some(tests + usize::from(self.tested.contains(&file.id))),
            unmentioned,
        }
    }
}

/// Exported definitions at the top of these files whose whole name, however it's spelt, occurs in no other file. Left
/// out are definitions that are used from outside the project or without being named: entry points, what a framework
/// loads, defaults, decorated definitions, and re-exports that others import.
fn unmentioned(store: &Store, reader: &Reader, kept: &[usize]) -> Result<HashMap<usize, Vec<Unmentioned>>> {
    let files = reader.files();
    let passed_on: HashSet<u32> = files
        .iter()
        .filter(|file| !matches!(file.language.as_str(), "python" | "c" | "cpp"))
        .flat_map(|file| file.passes_on.iter().copied())
        .collect();
    let is_open = |i: &usize| {
        let file = &files[*i];
        let public = u32::try_from(*i).is_ok_and(|i| passed_on.contains(&i));
        // A script that no other script sources exports nothing.
        let alone = file.language == "shell" && file.imported_by.is_empty();
        let named = !is_entry(&file.path) && !is_loaded(&file.path, &file.language);
        !public && !alone && named && !file.role.is(Role::TEST)
    };
    let mut candidates: Vec<(usize, Unmentioned, String)> = Vec::new();
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT name, line, signature, kind FROM symbols WHERE file = ?1 AND exported AND container = ''
             AND kind NOT IN ('field', 'variant', 'module')
             -- What keeps a header from being read twice is named there alone.
             AND NOT (kind = 'macro' AND rtrim(signature) = '#define ' || name) ORDER BY line, name",
        )?;
        for i in kept.iter().copied().filter(is_open) {
            let is_unit = is_unit_of_c(&files[i]);
            let mut rows = statement.query([files[i].id])?;
            while let Some(row) = rows.next()? {
                let (name, signature, kind): (String, String, String) =
                    (row.get(0)?, row.get(2)?, row.get(3)?);
                let is_inner = is_unit && !matches!(kind.as_str(), "function" | "variable");
                let unnamed = signature.starts_with('@') || signature.starts_with("export default");
                if is_inner || unnamed || matches!(name.as_str(), "main" | "init" | "setup") {
                    continue;
                }
                let mut word = String::new();
                words::words(&name, &mut String::new(), |found| found.clone_into(&mut word));
                if !word.is_empty() {
                    candidates.push((i, Unmentioned { name, line: row.get(1)? }, word));
                }
            }
        }
        Ok(())
    })?;
    let mut out: HashMap<usize, Vec<Unmentioned>> = HashMap::new();
    for some in candidates.chunks(TOGETHER) {
        let mut wanted: Vec<String> = some.iter().map(|(.., word)| word.clone()).collect();
        wanted.sort();
        wanted.dedup();
        let found = reader.files_with_each(store, &wanted)?;
        for (i, definition, word) in some {
            let at = wanted.binary_search(word).ok();
            let elsewhere = at.is_none_or(|at| found[at].iter().any(|file| file != i));
            let own = out.entry(*i).or_default();
            // It may be defined once for each condition.
            if !elsewhere && own.iter().all(|known| known.name != definition.name) {
                own.push(definition.clone());
            }
        }
    }
    Ok(out)
}

/// A file of C or C++ that no other one includes: it gives others its functions and variables, and no types and macros.
fn is_unit_of_c(file: &File) -> bool {
    let is_unit = || [".c", ".cc", ".cpp", ".cxx", ".c++"].iter().any(|ending| file.path.ends_with(ending));
    matches!(file.language.as_str(), "c" | "cpp") && file.imported_by.is_empty() && is_unit()
}

/// Files that are started or loaded by their names.
fn is_entry(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let known =
        ["main", "index", "lib", "mod", "__init__", "__main__", "app", "server", "cli", "program", "build"];
    known.contains(&stem.as_str()) || name.contains(".config.") || name.contains(".stories.")
}

/// Files that a framework or a build loads from their places, so that their definitions needn't be named: Django, Rails,
/// Laravel, ASP.NET, TypeORM, Sequelize and Cargo.
fn is_loaded(path: &str, language: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = format!("/{folder}/");
    let within = |places: &[&str]| places.iter().any(|place| folder.contains(place));
    match language {
        "python" => {
            matches!(
                name,
                "admin.py" | "apps.py" | "asgi.py" | "conftest.py" | "settings.py" | "urls.py" | "wsgi.py"
            ) || within(&["/migrations/", "/management/commands/", "/templatetags/", "/settings/"])
        }
        "ruby" => within(&[
            "/app/controllers/",
            "/app/helpers/",
            "/app/mailboxes/",
            "/app/channels/",
            "/config/",
            "/db/",
        ]),
        "php" => within(&["/database/", "/config/", "/routes/", "/Console/Commands/"]),
        "csharp" => within(&["/Controllers/", "/Migrations/"]),
        "typescript" | "javascript" => within(&["/migrations/", "/seeders/"]),
        // Each is a program of its own.
        "rust" => within(&["/benches/", "/examples/", "/src/bin/"]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_card::{Evidence, card};

    #[test]
    fn health_adds_reasons_and_never_decides() {
        let file = FileHealth {
            path: "src/view.ts".to_owned(),
            lines: 1_200,
            long: true,
            parse_errors: true,
            in_circle: false,
            dependants: Some(1),
            tests: Some(1),
            unmentioned: (1..6).map(|line| Unmentioned { name: format!("f{line}"), line }).collect(),
        };
        let with =
            |health: &FileHealth| card(&Evidence { health: Some(health.clone()), ..Evidence::default() });
        let reasons = with(&file).health.unwrap().reasons;
        assert_eq!(reasons[0], "1200 lines");
        assert!(reasons[1].starts_with("parse errors"), "{reasons:?}");
        assert!(reasons[2].ends_with("f1 (line 1), f2 (line 2), f3 (line 3) …"), "{reasons:?}");
        let sound = FileHealth { long: false, parse_errors: false, unmentioned: Vec::new(), ..file.clone() };
        assert_eq!(with(&sound).health, None);
        let decides =
            |health: &FileHealth| (with(health).ready, with(health).abstain, with(health).next_action);
        assert_eq!(decides(&file), decides(&sound));
    }
}
