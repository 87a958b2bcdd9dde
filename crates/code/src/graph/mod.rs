//! The import graph: cycles, most imported files, entry points, unused files. Pure functions of the files and their imports;
//! [`Graph::of`] builds it from an index.

mod cycles;
mod declared_programs;
mod dependencies;
mod implementations;
mod map;
mod programs;

pub use cycles::{Cycle, find_cycles, find_cycles_through};
pub use map::{Folder, Map, map};
pub(crate) use map::{folders, hub_name};
pub use programs::programs;

use crate::search::Reader;

/// Files and who imports whom, by place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// Relative to the project, in order.
    pub paths: Vec<String>,
    /// The imports of each file, ascending, without itself.
    pub imports: Vec<Vec<usize>>,
}

impl Graph {
    /// The graph of an index, or of the files that `keep` accepts.
    pub fn of(reader: &Reader, keep: impl Fn(&crate::search::File) -> bool) -> Graph {
        let files = reader.files();
        let mut place = vec![None; files.len()];
        let mut graph = Graph::default();
        for (i, file) in files.iter().enumerate().filter(|(_, f)| keep(f)) {
            place[i] = Some(graph.paths.len());
            graph.paths.push(file.path.clone());
        }
        for (_, file) in files.iter().enumerate().filter(|(i, _)| place[*i].is_some()) {
            let mut imports: Vec<usize> = file.imports.iter().filter_map(|to| place[*to as usize]).collect();
            imports.sort_unstable();
            imports.dedup();
            graph.imports.push(imports);
        }
        graph
    }

    /// How many imports there are.
    pub fn edges(&self) -> usize {
        self.imports.iter().map(Vec::len).sum()
    }

    /// How many files import each.
    pub fn importers(&self) -> Vec<usize> {
        let mut out = vec![0; self.paths.len()];
        for to in self.imports.iter().flatten() {
            out[*to] += 1;
        }
        out
    }
}
