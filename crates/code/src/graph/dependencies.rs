//! Builds the graph that cycles are searched in. In Rust a module declares its children and re-exports their
//! definitions, and a child uses its parent modules: neither counts as an import, nor do imports of the tests in a
//! file, nor type-only imports, whether they say so or TypeScript leaves them out of what it compiles to. Files of one
//! package that name each other's types count as one; in C# only those of one folder. A header of C++ includes the file with
//! the bodies of its functions, which includes the header.

use std::collections::{HashMap, HashSet};

use super::Graph;
use crate::error::Result;
use crate::resolve::folder;
use crate::search::{File, Reader};
use crate::store::Store;

/// The languages whose imports of types are left out of what they're compiled to.
const SCRIPTS: &str = "('typescript', 'tsx', 'vue', 'svelte')";

impl Graph {
    /// The graph of what files need, of those that `keep` lets through.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn from_dependencies(store: &Store, reader: &Reader, keep: impl Fn(&File) -> bool) -> Result<Graph> {
        // Imports of tests only; if the code also imports the same file, it needs it.
        let tested: HashSet<(String, String)> = store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT a.path, b.path FROM edges e JOIN files a ON a.id = e.importer JOIN files b ON b.id = e.imported
                 JOIN symbols s ON s.file = a.id AND s.kind = 'module' AND s.name IN ('tests', 'test')
                 WHERE e.line BETWEEN s.start_line AND s.end_line AND NOT EXISTS (
                     SELECT 1 FROM edges o WHERE o.importer = e.importer AND o.imported = e.imported AND NOT EXISTS (
                         SELECT 1 FROM symbols t WHERE t.file = o.importer AND t.kind = 'module'
                         AND t.name IN ('tests', 'test') AND o.line BETWEEN t.start_line AND t.end_line))",
            )?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        let types: HashSet<(String, String)> = store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT a.path, b.path FROM imports i JOIN edges e ON e.importer = i.file AND e.line = i.line
                 JOIN files a ON a.id = e.importer JOIN files b ON b.id = e.imported
                 WHERE i.types_only AND NOT EXISTS (
                     SELECT 1 FROM edges o JOIN imports p ON p.file = o.importer AND p.line = o.line
                     WHERE o.importer = e.importer AND o.imported = e.imported AND NOT p.types_only)",
            )?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        let elided = elided(store)?;
        let near: HashSet<(String, String)> = store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT a.path, b.path, a.language FROM edges e JOIN mentions m ON m.file = e.importer
                 JOIN files a ON a.id = e.importer JOIN files b ON b.id = e.imported
                 WHERE NOT EXISTS (
                     SELECT 1 FROM edges o JOIN imports p ON p.file = o.importer AND p.line = o.line
                     WHERE o.importer = e.importer AND o.imported = e.imported)",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let rows = rows.collect::<rusqlite::Result<Vec<(String, String, String)>>>()?;
            let far = |a: &str, b: &str, language: &str| language == "csharp" && folder(a) != folder(b);
            Ok(rows.into_iter().filter(|(a, b, l)| !far(a, b, l)).map(|(a, b, _)| (a, b)).collect())
        })?;
        let mut graph = Graph::of(reader, keep);
        let paths = &graph.paths;
        for (from, imports) in graph.imports.iter_mut().enumerate() {
            imports.retain(|to| {
                let pair = (paths[from].clone(), paths[*to].clone());
                !belongs(&pair.0, &pair.1)
                    && !belongs(&pair.1, &pair.0)
                    && !has_bodies(&pair.0, &pair.1)
                    && !has_bodies(&pair.1, &pair.0)
                    && !tested.contains(&pair)
                    && !types.contains(&pair)
                    && !elided.contains(&pair)
                    && !near.contains(&pair)
            });
        }
        Ok(graph)
    }
}

/// The files of TypeScript of which another one imports nothing but types and interfaces, each with that one before it. Each table
/// is read once: a file may have thousands of imports.
fn elided(store: &Store) -> Result<HashSet<(String, String)>> {
    store.read(|db| {
        // A name without a definition there may be passed on by that file, and one with several may be a value as well.
        let sql = format!(
            "SELECT s.file, s.name FROM files f JOIN symbols s ON s.file = f.id
             WHERE f.language IN {SCRIPTS} AND s.container = ''
             GROUP BY s.file, s.name HAVING min(s.kind IN ('interface', 'type'))"
        );
        let mut defined = db.prepare_cached(&sql)?;
        let mut rows = defined.query([])?;
        let mut types: HashMap<i64, HashSet<String>> = HashMap::new();
        while let Some(row) = rows.next()? {
            types.entry(row.get(0)?).or_default().insert(row.get(1)?);
        }
        let sql = format!(
            "SELECT i.file, i.line, i.names, i.types_only FROM files f JOIN imports i ON i.file = f.id
             WHERE f.language IN {SCRIPTS}"
        );
        let mut imports = db.prepare_cached(&sql)?;
        let mut rows = imports.query([])?;
        let mut asked: HashMap<(i64, i64), Vec<String>> = HashMap::new();
        while let Some(row) = rows.next()? {
            let (names, says_so): (String, bool) = (row.get(2)?, row.get(3)?);
            let line = asked.entry((row.get(0)?, row.get(1)?)).or_default();
            if !says_so {
                line.extend(names.split(',').map(str::to_owned));
            }
        }
        let sql = format!(
            "SELECT e.importer, e.line, e.imported, a.path, b.path FROM files a
             JOIN edges e ON e.importer = a.id JOIN files b ON b.id = e.imported WHERE a.language IN {SCRIPTS}"
        );
        let mut edges = db.prepare_cached(&sql)?;
        let mut rows = edges.query([])?;
        let mut out: HashMap<(String, String), bool> = HashMap::new();
        while let Some(row) = rows.next()? {
            let (importer, line, imported): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let Some(names) = asked.get(&(importer, line)) else { continue };
            let known = types.get(&imported);
            let only = names.iter().all(|name| known.is_some_and(|known| known.contains(name)));
            *out.entry((row.get(3)?, row.get(4)?)).or_insert(true) &= only;
        }
        Ok(out.into_iter().filter(|(_, only)| *only).map(|(pair, _)| pair).collect())
    })
}

/// Whether `child` is part of the module that the Rust file `path` is.
fn belongs(path: &str, child: &str) -> bool {
    let Some(stem) = path.strip_suffix(".rs").filter(|_| child.ends_with(".rs")) else { return false };
    let folder = ["mod", "lib", "main"].iter().find_map(|name| stem.strip_suffix(name)?.strip_suffix('/'));
    let inside = child.strip_prefix(folder.unwrap_or(stem));
    inside.is_some_and(|rest| rest.starts_with('/')) && path != child
}

/// Whether a file of C or C++ has the bodies of what a header declares: `impl/cart_inl.hpp` and `cart.ipp` those of `cart.hpp`.
fn has_bodies(path: &str, header: &str) -> bool {
    const ENDINGS: &[&str] = &["h", "hpp", "hh", "hxx", "h++"];
    const BODIES: &[&str] = &["inl", "ipp", "tcc", "tpp", "txx", "icc", "inc"];
    const MARKS: &[&str] = &["-inl", "_inl", ".inl", "-inline", "_inline", "-impl", "_impl", ".impl"];
    let (around, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (of_header, header) = header.rsplit_once('/').unwrap_or(("", header));
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let Some(declared) = header.rsplit_once('.').filter(|(_, ending)| ENDINGS.contains(ending)) else {
        return false;
    };
    let below = around.strip_prefix(of_header);
    let Some(below) = below.filter(|rest| rest.is_empty() || of_header.is_empty() || rest.starts_with('/'))
    else {
        return false;
    };
    let marked = MARKS.iter().find_map(|mark| stem.strip_suffix(mark));
    let is_marked = BODIES.contains(&ending)
        || ENDINGS.contains(&ending) && (marked.is_some() || below.split('/').any(|folder| folder == "impl"));
    is_marked && marked.unwrap_or(stem) == declared.0
}

#[cfg(test)]
mod tests {
    use super::{belongs, has_bodies};

    #[test]
    fn a_header_has_its_bodies_in_another_file() {
        for (path, header, expected) in [
            ("include/a/impl/cart_inl.hpp", "include/a/cart.hpp", true),
            ("include/a/cart-inl.h", "include/a/cart.h", true),
            ("a/cart.ipp", "a/cart.hpp", true),
            ("impl/cart.hpp", "cart.hpp", true),
            ("a/impl/till_inl.hpp", "a/cart.hpp", false),
            ("a/cart.hpp", "a/impl/cart_inl.hpp", false),
            ("b/cart_inl.hpp", "a/cart.hpp", false),
            ("ab/cart_inl.hpp", "a/cart.hpp", false),
            ("a/detail/cart.hpp", "a/cart.hpp", false),
            ("a/cart.hpp", "a/cart.hpp", false),
            ("a/cart_inl.rs", "a/cart.rs", false),
        ] {
            assert_eq!(has_bodies(path, header), expected, "{path} {header}");
        }
    }

    #[test]
    fn modules_have_their_files() {
        for (path, child, expected) in [
            ("a/src/lib.rs", "a/src/x.rs", true),
            ("a/src/x/mod.rs", "a/src/x/y/z.rs", true),
            ("a/src/x.rs", "a/src/x/y.rs", true),
            ("a/src/x.rs", "a/src/xy.rs", false),
            ("a/src/x/mod.rs", "a/src/y.rs", false),
            ("a/src/x.py", "a/src/x/y.py", false),
        ] {
            assert_eq!(belongs(path, child), expected, "{path} {child}");
        }
    }
}
