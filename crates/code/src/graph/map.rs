//! A project's map in a few lines: its folders and their contents, entry points, and the files that most others import.
//! The caller leaves out tests, examples and vendored files. Pure.

use std::collections::{BTreeMap, HashSet};

use super::Graph;

/// A folder of the map.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Folder {
    /// Relative to the project; `.` for the project itself.
    pub path: String,
    /// Files in it and below.
    pub files: usize,
    /// Its file that most others import; for Go, whose packages are imported whole, the package's folder.
    pub hub: Option<String>,
    /// Folders that it imports from, most first.
    pub uses: Vec<String>,
}

/// A map.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Map {
    /// Folders, those with most files first.
    pub folders: Vec<Folder>,
    /// Programs, then files with the name of an entry point or of a language whose files name all their imports;
    /// these import others, and no file imports them.
    pub entry_points: Vec<String>,
    /// Files that most others import, with the number of importers; for Go the packages.
    pub hubs: Vec<(String, usize)>,
    /// Folders that are not shown.
    pub more_folders: usize,
}

/// Draws the map of the files that are `inside`, with at most `limit` lines of each kind; `programs` are the files in which programs
/// begin. Who imports a file counts wherever it is.
pub fn map(graph: &Graph, inside: &dyn Fn(&str) -> bool, programs: &HashSet<String>, limit: usize) -> Map {
    let importers = graph.importers();
    let own: Vec<usize> = (0..graph.paths.len()).filter(|i| inside(&graph.paths[*i])).collect();
    let paths: Vec<String> = own.iter().map(|i| graph.paths[*i].clone()).collect();
    let folders = folders(&paths);
    let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut folder_of: Vec<Option<&str>> = vec![None; graph.paths.len()];
    for (i, folder) in own.iter().zip(&folders) {
        members.entry(folder).or_default().push(*i);
        folder_of[*i] = Some(folder.as_str());
    }
    let mut out = Map::default();
    for (folder, files) in &members {
        let hub = files
            .iter()
            .copied()
            .filter(|i| importers[*i] > 0)
            .max_by_key(|i| (importers[*i], std::cmp::Reverse(*i)));
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for to in files.iter().flat_map(|i| &graph.imports[*i]).filter_map(|to| folder_of[*to]) {
            if to != *folder {
                *uses.entry(to).or_default() += 1;
            }
        }
        let mut uses: Vec<(&str, usize)> = uses.into_iter().collect();
        uses.sort_by_key(|(name, n)| (std::cmp::Reverse(*n), *name));
        out.folders.push(Folder {
            path: (*folder).to_owned(),
            files: files.len(),
            hub: hub.map(|i| hub_name(&graph.paths[i]).to_owned()),
            uses: uses.into_iter().take(4).map(|(name, _)| name.to_owned()).collect(),
        });
    }
    out.folders
        .sort_by(|a, b| (std::cmp::Reverse(a.files), &a.path).cmp(&(std::cmp::Reverse(b.files), &b.path)));
    out.more_folders = out.folders.len().saturating_sub(limit);
    out.folders.truncate(limit);
    let imported = own.iter().map(|i| (importers[*i], &graph.paths[*i]));
    let mut hubs: Vec<(usize, &String)> =
        imported.filter(|(n, path)| *n > 1 && !is_settings_of_tool(path)).collect();
    hubs.sort_by_key(|(n, path)| (std::cmp::Reverse(*n), *path));
    let mut named = HashSet::new();
    let hubs = hubs.into_iter().map(|(n, path)| (hub_name(path), n)).filter(|(name, _)| named.insert(*name));
    out.hubs = hubs.take(limit).map(|(name, n)| (name.to_owned(), n)).collect();
    // A program may be imported by its own modules.
    let begins = |path: &str, alone: bool| programs.contains(path) || alone && may_begin(path);
    let mut entries: Vec<(usize, usize)> = own
        .into_iter()
        .filter(|i| begins(&graph.paths[*i], importers[*i] == 0 && !graph.imports[*i].is_empty()))
        .map(|i| (graph.imports[i].len(), i))
        .collect();
    entries.sort_by_key(|(n, i)| {
        let path = &graph.paths[*i];
        (std::cmp::Reverse((programs.contains(path), is_named_as_entry(path), *n)), *i)
    });
    out.entry_points = entries.into_iter().take(limit).map(|(_, i)| graph.paths[i].clone()).collect();
    out
}

/// The name shown for a file that many others import: for Go the folder, with the slash, because every file of a
/// package is imported with it.
pub(crate) fn hub_name(path: &str) -> &str {
    match path.rfind('/') {
        _ if !path.ends_with(".go") => path,
        Some(at) => &path[..=at],
        None => "./",
    }
}

/// Whether a file may be an entry point because no file imports it. Where a package, a framework or a list of names
/// loads files, that isn't evidence.
fn may_begin(path: &str) -> bool {
    const IMPORTING: &[&str] = &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"];
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = name.rsplit('.').next().unwrap_or_default();
    let gem = ending == "rb" && folder.rsplit('/').next() == Some("lib");
    // What only declares types never runs.
    let declares = [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| name.ends_with(ending));
    !declares && !is_settings_of_tool(path) && (IMPORTING.contains(&ending) || gem || is_named_as_entry(path))
}

/// `jest.config.ts`: a tool reads it, however many others there are that extend it.
fn is_settings_of_tool(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains(".config."))
}

fn is_named_as_entry(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    // `config/app.php` has the app's settings.
    let settings =
        path.rsplit('/').nth(1).is_some_and(|folder| matches!(folder, "config" | "conf" | "settings"));
    !settings
        && matches!(
            stem.as_str(),
            "main" | "index" | "app" | "server" | "cli" | "lib" | "__main__" | "program" | "entry"
        )
}

/// The folder of each file: the first folder of its path, or the first two if one folder has most files.
pub(crate) fn folders(paths: &[String]) -> Vec<String> {
    let cut = |path: &str, depth: usize| {
        let parts: Vec<&str> = path.split('/').collect();
        let folders = &parts[..parts.len() - 1];
        if folders.is_empty() { ".".to_owned() } else { folders[..folders.len().min(depth)].join("/") }
    };
    let mut depth = 1;
    for _ in 0..4 {
        let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
        paths.iter().for_each(|path| *sizes.entry(cut(path, depth)).or_default() += 1);
        let most = sizes.values().copied().max().unwrap_or(0);
        // A single folder with nearly everything in it isn't informative.
        if most * 4 < paths.len() * 3 || sizes.len() > 24 {
            break;
        }
        depth += 1;
    }
    paths.iter().map(|path| cut(path, depth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_hubs_and_entries() {
        let paths =
            ["crates/a/src/lib.rs", "crates/a/src/x.rs", "crates/b/src/lib.rs", "crates/b/src/main.rs"];
        let graph = Graph {
            paths: paths.map(str::to_owned).to_vec(),
            // The library has a test that uses the program's parts.
            imports: vec![vec![1], vec![], vec![1, 3], vec![0]],
        };
        let programs = HashSet::from(["crates/b/src/main.rs".to_owned()]);
        let map = map(&graph, &|_| true, &programs, 10);
        let names: Vec<&str> = map.folders.iter().map(|f| f.path.as_str()).collect();
        assert_eq!(names, ["crates/a", "crates/b"]);
        assert_eq!(map.folders[1].uses, ["crates/a"]);
        assert_eq!(map.hubs, [("crates/a/src/x.rs".to_owned(), 2)]);
        assert_eq!(map.entry_points, ["crates/b/src/main.rs", "crates/b/src/lib.rs"]);
    }

    #[test]
    fn a_go_package_is_one_hub() {
        let paths = ["ast/node.go", "cmd/main.go", "errors/a.go", "errors/b.go", "task.go", "web/a.ts"];
        let graph = Graph {
            paths: paths.map(str::to_owned).to_vec(),
            imports: vec![vec![2, 3, 4], vec![0, 2, 3, 4], vec![5], vec![5], vec![2, 3], vec![]],
        };
        let map = map(&graph, &|_| true, &HashSet::new(), 3);
        assert_eq!(
            map.hubs,
            [("errors/", 3), ("./", 2), ("web/a.ts", 2)].map(|(name, n)| (name.to_owned(), n))
        );
        let errors = map.folders.iter().find(|folder| folder.path == "errors").unwrap();
        assert_eq!(errors.hub.as_deref(), Some("errors/"));
    }

    #[test]
    fn a_class_or_a_declaration_of_types_that_no_file_imports_is_not_an_entry_point() {
        let paths = [
            "a/Node.java",
            "a/App.java",
            "lib/shop.rb",
            "lib/shop/cart.rb",
            "src/index.d.ts",
            "src/page.ts",
            "shop/views.py",
        ];
        let mut graph =
            Graph { paths: paths.map(str::to_owned).to_vec(), imports: vec![vec![7]; paths.len()] };
        graph.paths.push("core.ts".to_owned());
        graph.imports.push(Vec::new());
        let map = map(&graph, &|_| true, &HashSet::new(), 10);
        assert_eq!(map.entry_points, ["a/App.java", "lib/shop.rb", "src/page.ts"]);
        assert!(is_named_as_entry("app.php") && !is_named_as_entry("config/app.php"));
    }

    #[test]
    fn what_is_imported_from_outside_a_folder_does_not_begin_in_it() {
        let paths = ["a/mod.ts", "a/part.ts", "b/one.ts", "b/two.ts"];
        let graph = Graph {
            paths: paths.map(str::to_owned).to_vec(),
            imports: vec![vec![1], vec![], vec![0, 1], vec![1]],
        };
        let map = map(&graph, &|path| path.starts_with("a/"), &HashSet::new(), 10);
        assert_eq!(map.entry_points, [""; 0]);
        assert_eq!(map.hubs, [("a/part.ts".to_owned(), 3)]);
        assert_eq!((map.folders.len(), map.folders[0].files), (1, 2));
    }
}
