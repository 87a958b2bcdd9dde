//! Headers of C and C++ and the files that implement them. Whoever includes a header needs its implementation, of which the includes
//! say nothing.

use std::collections::BTreeMap;

use super::Graph;

const HEADERS: &[&str] = &[".h", ".hh", ".hpp", ".hxx"];
const SOURCES: &[&str] = &[".c", ".cc", ".cpp", ".cxx", ".m", ".mm"];

impl Graph {
    /// Each header with a file that implements it: one of its name that includes it.
    pub fn implemented_headers(&self) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for (source, imports) in self.imports.iter().enumerate() {
            let Some(stem) = stem_of(&self.paths[source], SOURCES) else { continue };
            let own = imports.iter().filter(|to| stem_of(&self.paths[**to], HEADERS) == Some(stem));
            out.extend(own.map(|header| (*header, source)));
        }
        out
    }

    /// The same graph, in which whoever includes a header imports the files that implement it, too.
    #[must_use]
    pub fn with_implementations(mut self) -> Self {
        let mut implementations: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (header, source) in self.implemented_headers() {
            implementations.entry(header).or_default().push(source);
        }
        for (file, imports) in self.imports.iter_mut().enumerate() {
            let more = imports.iter().filter_map(|to| implementations.get(to)).flatten().copied();
            let more: Vec<usize> = more.filter(|source| *source != file).collect();
            if !more.is_empty() {
                imports.extend(more);
                imports.sort_unstable();
                imports.dedup();
            }
        }
        self
    }
}

/// A file's name without one of these endings.
fn stem_of<'p>(path: &'p str, endings: &[&str]) -> Option<&'p str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    endings.iter().find_map(|ending| name.strip_suffix(*ending)).filter(|stem| !stem.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_includes_a_header_needs_its_implementation() {
        let paths = ["include/tax.h", "src/cart.c", "src/main.c", "src/tax.c", "web/tax.ts"];
        let graph = Graph {
            paths: paths.map(str::to_owned).to_vec(),
            imports: vec![vec![], vec![0], vec![1], vec![0], vec![]],
        };
        assert_eq!(graph.implemented_headers(), [(0, 3)]);
        let expected: Vec<Vec<usize>> = vec![vec![], vec![0, 3], vec![1], vec![0], vec![]];
        assert_eq!(graph.with_implementations().imports, expected);
    }
}
