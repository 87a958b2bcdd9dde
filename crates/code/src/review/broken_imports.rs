//! Finds the imports whose file a diff removes or moves away, in its own files as in others. The index has no edge for them now,
//! so each import is resolved among the files as they are and among those and the ones that are gone.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::{Change, FileChange};
use crate::analyse::analyse;
use crate::error::Result;
use crate::grammar::Kind;
use crate::language;
use crate::resolve::{Resolver, follows};
use crate::store::Store;

/// An import whose file is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenImport {
    /// The file that imports.
    pub file: String,
    /// The line.
    pub line: u32,
    /// What it names, as it's written.
    pub target: String,
}

/// A file as resolving knows it.
struct File {
    path: String,
    language: String,
    /// What it declares: namespaces of PHP, and modules of Rust that have no file of their own.
    namespaces: HashSet<String>,
}

/// An import: the place of its file, target, names, line.
type Row = (usize, String, String, u32);

/// The imports that mean one of the diff's files that are gone; `before` reads a file as it was.
///
/// # Errors
/// When the index cannot be read.
pub fn broken_imports(
    store: &Store,
    root: &Path,
    diff: &[FileChange],
    before: impl Fn(&str) -> Option<String>,
) -> Result<Vec<BrokenImport>> {
    let gone = diff.iter().filter(|file| file.change == Change::Removed).filter_map(|file| {
        let language = language::of(&file.path, "").filter(|language| follows(language.name))?;
        let symbols =
            || analyse(&file.path, before(&file.path).unwrap_or_default().as_bytes()).outline.symbols;
        let symbols = if language.name == "php" { symbols() } else { Vec::new() };
        let modules = symbols.into_iter().filter(|symbol| symbol.kind == Kind::Module);
        let namespaces = modules.map(|symbol| symbol.name).collect();
        Some(File { path: file.path.clone(), language: language.name.to_owned(), namespaces })
    });
    let gone: Vec<File> = gone.collect();
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    let (mut files, imports) = read(store)?;
    let there = files.len();
    let now = resolver(&files, root);
    files.extend(gone);
    let then = resolver(&files, root);
    let in_diff: HashMap<&str, Change> = diff.iter().map(|file| (file.path.as_str(), file.change)).collect();
    let change = |file: usize| in_diff.get(files[file].path.as_str()).copied();
    let (mut meant, mut found, mut out) = (Vec::new(), Vec::new(), Vec::new());
    for (from, target, names, line) in imports {
        let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).collect();
        meant.clear();
        then.resolve(from, &target, &names, &mut meant);
        if !meant.iter().any(|file| *file >= there) {
            continue;
        }
        found.clear();
        now.resolve(from, &target, &names, &mut found);
        let answered = match files[from].language.as_str() {
            // A path whose module is gone means the module around it: only a new file takes its place, or that module has
            // taken it in (`mod net { … }`).
            "rust" => {
                let lost = meant.iter().filter(|file| **file >= there);
                let lost: Vec<&str> = lost.map(|file| rust_module(&files[*file].path)).collect();
                found.iter().any(|file| {
                    let own = &files[*file].namespaces;
                    change(*file) == Some(Change::Added) || lost.iter().any(|name| own.contains(*name))
                })
            }
            // So does a name, of which the package around it may have got one of its own.
            "python" => found.iter().any(|file| change(*file).is_some()),
            _ => !found.is_empty(),
        };
        if !answered {
            out.push(BrokenImport { file: files[from].path.clone(), line, target });
        }
    }
    out.dedup();
    Ok(out)
}

/// What the module in a file is called.
fn rust_module(path: &str) -> &str {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.rsplit('/').next().unwrap_or(path)
}

fn resolver(files: &[File], root: &Path) -> Resolver {
    let read = |path: &str| home::read_regular_text(&root.join(path), 1024 * 1024).ok();
    let declaring = files.iter().enumerate().filter(|(_, file)| !file.namespaces.is_empty());
    let namespaces = declaring.map(|(at, file)| (at, file.namespaces.clone())).collect();
    Resolver::new(files.iter().map(|file| (file.path.as_str(), file.language.as_str())), &read)
        .with_namespaces(namespaces)
}

/// The files of the index and what they import.
fn read(store: &Store) -> Result<(Vec<File>, Vec<Row>)> {
    store.read(|db| {
        let mut files = Vec::new();
        let mut places = HashMap::new();
        let mut statement =
            db.prepare_cached("SELECT id, path, coalesce(language, '') FROM files ORDER BY path")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            places.insert(row.get::<_, i64>(0)?, files.len());
            files.push(File { path: row.get(1)?, language: row.get(2)?, namespaces: HashSet::new() });
        }
        let mut statement = db.prepare_cached(
            "SELECT s.file, s.name FROM symbols s JOIN files f ON f.id = s.file
             WHERE s.kind = 'module' AND f.language IN ('php', 'rust')",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(at) = places.get(&row.get(0)?) {
                files[*at].namespaces.insert(row.get(1)?);
            }
        }
        let mut statement = db.prepare_cached("SELECT file, target, names, line FROM imports ORDER BY id")?;
        let mut rows = statement.query([])?;
        let mut imports = Vec::new();
        while let Some(row) = rows.next()? {
            if let Some(at) = places.get(&row.get(0)?) {
                imports.push((*at, row.get(1)?, row.get(2)?, row.get(3)?));
            }
        }
        Ok((files, imports))
    })
}
