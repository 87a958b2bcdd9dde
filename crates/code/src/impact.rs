//! Finds the files that a change may affect, by their imports: the change of a whole file, or of one name in it.
//! Pure.

use std::collections::BTreeSet;

use crate::graph::Graph;

/// A file that a change may reach.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Reached {
    /// 1 imports the changed file, 2 imports one that does.
    pub hop: u8,
    /// The file.
    pub file: String,
    /// The line of its import of the changed file, or of one that imports it, or of its first use; where that is known.
    pub line: Option<u32>,
}

/// The files that a change of `file` may reach, one and two imports away, nearest first.
pub fn impact(graph: &Graph, file: &str) -> Vec<Reached> {
    let Some(at) = graph.paths.iter().position(|path| path == file) else { return Vec::new() };
    let importers =
        |of: usize| graph.imports.iter().enumerate().filter(move |(_, to)| to.contains(&of)).map(|(i, _)| i);
    let first: BTreeSet<usize> = importers(at).collect();
    let second: BTreeSet<usize> =
        first.iter().flat_map(|i| importers(*i)).filter(|i| *i != at && !first.contains(i)).collect();
    let told = |hop: u8| move |i: usize| Reached { hop, file: graph.paths[i].clone(), line: None };
    first.into_iter().map(told(1)).chain(second.into_iter().map(told(2))).collect()
}

/// The files that a change of one name in `file` may reach: those that import the file and mention the name, those
/// that use it otherwise (`users`), and the importers of these. A file that only re-exports the file's names adds
/// those that mention this one.
pub fn impact_of_name(
    graph: &Graph,
    file: &str,
    mentions: impl Fn(&str) -> bool,
    users: &[String],
) -> Vec<Reached> {
    let all = impact(graph, file);
    let place = |path: &str| graph.paths.iter().position(|known| known == path);
    let direct = |one: &&Reached| one.hop == 1;
    let mut first: BTreeSet<usize> =
        users.iter().filter(|path| *path != file).filter_map(|path| place(path)).collect();
    let (named, passing): (Vec<&Reached>, Vec<&Reached>) =
        all.iter().filter(direct).partition(|one| mentions(&one.file));
    first.extend(named.into_iter().filter_map(|one| place(&one.file)));
    let passing: BTreeSet<usize> = passing.into_iter().filter_map(|one| place(&one.file)).collect();
    let imports =
        |from: usize, some: &BTreeSet<usize>| graph.imports[from].iter().any(|to| some.contains(to));
    let changed = place(file);
    let second = (0..graph.paths.len())
        .filter(|from| Some(*from) != changed && !first.contains(from))
        .filter(|from| imports(*from, &first) || imports(*from, &passing) && mentions(&graph.paths[*from]));
    let second: Vec<usize> = second.collect();
    let told = |hop: u8| move |i: usize| Reached { hop, file: graph.paths[i].clone(), line: None };
    first.into_iter().map(told(1)).chain(second.into_iter().map(told(2))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impact_goes_two_steps() {
        let graph = Graph {
            paths: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            imports: vec![vec![], vec![0], vec![1], vec![2]],
        };
        let reached: Vec<(u8, String)> = impact(&graph, "a").into_iter().map(|r| (r.hop, r.file)).collect();
        assert_eq!(reached, [(1, "b".to_owned()), (2, "c".to_owned())]);
        assert!(impact(&graph, "nowhere").is_empty());
    }

    #[test]
    fn a_name_affects_its_users_and_the_files_that_import_them() {
        // index re-exports view; app and page import index; far imports app; other imports view.
        let graph = Graph {
            paths: ["view", "index", "app", "page", "far", "other", "late"].map(str::to_owned).to_vec(),
            imports: vec![vec![], vec![0], vec![1], vec![1], vec![2], vec![0], vec![]],
        };
        let told = |users: &[String]| -> Vec<String> {
            let mentions = |path: &str| matches!(path, "app");
            let reached = impact_of_name(&graph, "view", mentions, users);
            reached.into_iter().map(|one| format!("{} {}", one.hop, one.file)).collect()
        };
        assert_eq!(told(&[]), ["2 app"]);
        assert_eq!(told(&["app".to_owned(), "late".to_owned()]), ["1 app", "1 late", "2 far"]);
    }
}
