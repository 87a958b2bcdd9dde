//! Finds the files whose types another file names without importing them: those of its package, of its namespaces and of the ones
//! that it uses, of its module. A name that may be one of several is left out, unless they are parts of one type.

use std::collections::{HashMap, HashSet};

use rusqlite::Transaction;

use crate::autoload::{Autoload, LOADER};
use crate::global_usings::GlobalUsings;
use crate::language::family;
use crate::mentions;
use crate::packages::{
    ends_in_package, is_of_all_platforms, package_of, seen_namespaces, swift_modules, swift_modules_seen,
};
use crate::resolve::folder;
use crate::schema::FileRow;
use crate::words;

/// Kinds of definitions whose names are mentioned.
const TYPES: &str = "('class', 'struct', 'interface', 'enum', 'type')";

/// What each file sees: the types of all files by name, and the namespaces that each file declares.
pub(crate) struct MentionEdges<'a> {
    files: &'a [FileRow],
    types: HashMap<String, Vec<(usize, String)>>,
    namespaces: HashMap<usize, HashSet<String>>,
    autoload: Autoload,
    usings: GlobalUsings,
}

impl<'a> MentionEdges<'a> {
    /// Reads the types of the files that may be mentioned; `None` if there are none.
    pub(crate) fn read(tx: &Transaction<'_>, files: &'a [FileRow]) -> rusqlite::Result<Option<Self>> {
        let place: HashMap<i64, usize> = files
            .iter()
            .enumerate()
            .filter(|(_, file)| mentions::has_them(&file.2))
            .map(|(i, file)| (file.0, i))
            .collect();
        if place.is_empty() {
            return Ok(None);
        }
        let mut loading = tx.prepare_cached("SELECT DISTINCT file FROM imports WHERE target = ?1")?;
        let loading: HashSet<i64> =
            loading.query_map([LOADER], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let autoload = Autoload::of(files, &loading);
        let usings = GlobalUsings::read(tx)?;
        let mut out =
            MentionEdges { files, types: HashMap::new(), namespaces: HashMap::new(), autoload, usings };
        let mut statement =
            tx.prepare_cached("SELECT file, name, container FROM symbols WHERE kind = 'module' ORDER BY id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Some(&file) = place.get(&row.get(0)?) else { continue };
            let (name, container): (String, String) = (row.get(1)?, row.get(2)?);
            let path = if container.is_empty() { name } else { format!("{container}.{name}") };
            out.namespaces.entry(file).or_default().insert(path);
        }
        let sql =
            format!("SELECT file, name, container, signature FROM symbols WHERE kind IN {TYPES} ORDER BY id");
        let mut statement = tx.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Some(&file) = place.get(&row.get(0)?) else { continue };
            // Where Swift extends a type, that isn't what its name means, and the type may be somebody else's.
            if mentions::is_extension(row.get_ref(3)?.as_str().unwrap_or_default()) {
                continue;
            }
            let container: String = row.get(2)?;
            // A nested type isn't visible by its name alone.
            let free = container.is_empty()
                || out.namespaces.get(&file).is_some_and(|known| known.contains(&container));
            if free {
                out.types.entry(row.get(1)?).or_default().push((file, container));
            }
        }
        Ok(Some(out))
    }

    /// The declarations of PHP files, by their place.
    pub(crate) fn namespaces_of_php(&self) -> HashMap<usize, HashSet<String>> {
        let of_php = self.namespaces.iter().filter(|(file, _)| self.files[**file].2 == "php");
        of_php.map(|(file, names)| (*file, names.clone())).collect()
    }

    /// The files that the file number `from` needs because it mentions their types, each with the line; `imports` are the
    /// targets of its imports, `bound` the names that they bring.
    pub(crate) fn of(
        &self,
        from: usize,
        mentioned: &str,
        imports: &[String],
        bound: &HashSet<String>,
    ) -> Vec<(usize, u32)> {
        if self.files[from].2 == "ruby" {
            return self.of_constants(from, mentioned);
        }
        let seen = Seen::of(self, from, imports);
        let mut out = Vec::new();
        for (name, line) in mentioned.split(' ').filter_map(|one| one.rsplit_once(':')) {
            // An import of these names a namespace or module, not a type.
            let whole = matches!(seen.language, "csharp" | "swift");
            let Some(all) = self.types.get(name).filter(|_| whole || !bound.contains(name)) else { continue };
            let Ok(line) = line.parse() else { continue };
            let mut found: Vec<usize> = all
                .iter()
                .filter(|(file, container)| seen.sees(*file, container))
                .map(|(file, _)| *file)
                .collect();
            found.dedup();
            // It's the file's own type: one part of a type in several files.
            if found.contains(&from) {
                continue;
            }
            if found.len() > 1 && seen.language != "csharp" {
                found = self.nearest(from, &found);
            }
            out.extend(found.into_iter().map(|file| (file, line)));
        }
        out
    }

    /// The same for a file of Ruby, which names constants with the namespaces around them.
    fn of_constants(&self, from: usize, mentioned: &str) -> Vec<(usize, u32)> {
        let named = mentioned.split(' ').filter_map(|one| one.rsplit_once(':'));
        let found = named.filter_map(|(name, line)| {
            let (space, name) = name.rsplit_once('/').unwrap_or(("", name));
            Some((self.autoload.file_of(&self.files[from].1, space, name)?, line.parse::<u32>().ok()?))
        });
        found.filter(|(to, _)| *to != from).collect()
    }

    /// The files that define what an import of Kotlin names, where that isn't a file's own name: a function, a value.
    pub(crate) fn of_import(
        &self,
        tx: &Transaction<'_>,
        from: usize,
        target: &str,
    ) -> rusqlite::Result<Vec<usize>> {
        let Some((package, name)) = target.rsplit_once('.').filter(|_| self.files[from].2 == "kotlin") else {
            return Ok(Vec::new());
        };
        let package: Vec<&str> = package.split('.').collect();
        let mut folded = String::new();
        words::whole(name, &mut folded);
        let mut statement = tx.prepare_cached(
            "SELECT DISTINCT file FROM symbols WHERE folded = ?1 AND name = ?2 AND container = ''",
        )?;
        let files: HashSet<i64> = statement
            .query_map([folded.as_str(), name], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let fits = |file: &FileRow| {
            files.contains(&file.0)
                && family(&file.2) == family("kotlin")
                && ends_in_package(folder(&file.1), &package)
        };
        let found: Vec<usize> =
            self.files.iter().enumerate().filter(|(_, file)| fits(file)).map(|(i, _)| i).collect();
        Ok(if found.len() > 1 { self.nearest(from, &found) } else { found })
    }

    /// The one file whose path has most in common, if it's one; of several the one that all platforms share.
    fn nearest(&self, from: usize, found: &[usize]) -> Vec<usize> {
        let own = &self.files[from].1;
        let shared =
            |i: usize| own.split('/').zip(self.files[i].1.split('/')).take_while(|(a, b)| a == b).count();
        let most = found.iter().map(|i| shared(*i)).max().unwrap_or(0);
        let mut nearest: Vec<usize> = found.iter().copied().filter(|i| shared(*i) == most).collect();
        if nearest.len() > 1 {
            nearest.retain(|i| is_of_all_platforms(&self.files[*i].1));
        }
        if nearest.len() == 1 { nearest } else { Vec::new() }
    }
}

/// What one file sees.
struct Seen<'a> {
    edges: &'a MentionEdges<'a>,
    language: &'a str,
    path: &'a str,
    /// Namespaces of C#, modules of Swift, packages that are imported whole.
    names: HashSet<String>,
}

impl<'a> Seen<'a> {
    fn of(edges: &'a MentionEdges<'a>, from: usize, imports: &[String]) -> Seen<'a> {
        let (_, path, language) = &edges.files[from];
        let mut names = HashSet::new();
        match language.as_str() {
            "csharp" => {
                let own = edges.namespaces.get(&from).into_iter().flatten().map(String::as_str);
                let used = imports.iter().map(String::as_str).chain(edges.usings.seen_by(path));
                names = seen_namespaces(own, used);
            }
            "swift" => {
                names.extend(imports.iter().cloned());
                names.extend(swift_modules_seen(path).map(str::to_owned));
            }
            _ => {}
        }
        Seen { edges, language, path, names }
    }

    fn sees(&self, file: usize, container: &str) -> bool {
        let (_, path, language) = &self.edges.files[file];
        if family(language) != family(self.language) {
            return false;
        }
        match self.language {
            "csharp" => self.names.contains(container),
            "swift" => swift_modules(path).any(|module| self.names.contains(module)),
            "php" => folder(path) == folder(self.path),
            _ => package_of(folder(path)) == package_of(folder(self.path)),
        }
    }
}
