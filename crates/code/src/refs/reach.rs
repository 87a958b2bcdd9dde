//! Finds the files that one file reaches: its imports, their re-exports, and the sources that belong to both. Doesn't
//! know names.

use std::collections::HashSet;

use super::resolution::{FileContext, MAX_PASSES};

impl FileContext<'_> {
    /// The files that the import on this line means.
    pub(super) fn imported_on(&self, line: u32) -> Vec<usize> {
        let on_line = self.source.lines.iter().filter(|(at, _)| *at == line);
        on_line.filter_map(|(_, id)| self.reader.place(*id)).collect()
    }

    /// These files and those whose names they pass on.
    pub(super) fn reexporting_files(&self, from: &[usize]) -> HashSet<usize> {
        let files = self.reader.files();
        let mut out: HashSet<usize> = from.iter().copied().collect();
        let mut edge: Vec<usize> = from.to_vec();
        for _ in 0..MAX_PASSES {
            let next: Vec<usize> = edge
                .iter()
                .flat_map(|f| &files[*f].passes_on)
                .map(|f| *f as usize)
                .filter(|f| out.insert(*f))
                .collect();
            if next.is_empty() {
                break;
            }
            edge = next;
        }
        out
    }

    /// The free targets that are in these files, else in those that they pass on, the nearest alone.
    pub(super) fn targets_through_reexports(&self, from: &[usize]) -> Vec<usize> {
        let files = self.reader.files();
        let mut known: HashSet<usize> = from.iter().copied().collect();
        let mut level: Vec<usize> = from.to_vec();
        for _ in 0..=MAX_PASSES {
            let of = self.targets_where(|t| t.is_free() && level.contains(&t.file));
            if !of.is_empty() || level.is_empty() {
                return of;
            }
            level = level
                .iter()
                .flat_map(|f| &files[*f].passes_on)
                .map(|f| *f as usize)
                .filter(|f| known.insert(*f))
                .collect();
        }
        Vec::new()
    }

    /// The sources of C and C++ that have the bodies of what these headers declare: they include the header of their own name.
    fn bodies_of(&self, headers: &HashSet<usize>) -> Vec<usize> {
        let files = self.reader.files();
        let stem = |file: usize| {
            let name = files[file].path.rsplit('/').next().unwrap_or_default();
            name.rsplit_once('.').map_or(name, |(stem, _)| stem)
        };
        let own = |file: usize| {
            let mut included = files[file].imports.iter().map(|f| *f as usize);
            included.any(|header| headers.contains(&header) && stem(header) == stem(file))
        };
        let of_c = |file: &usize| matches!(files[*file].language.as_str(), "c" | "cpp");
        (0..files.len()).filter(of_c).filter(|file| own(*file)).collect()
    }

    /// Whether this file imports that one, directly or through files that pass on what they import.
    pub(super) fn reaches(&self, to: usize) -> bool {
        let reached = self.reached.get_or_init(|| {
            let direct: Vec<usize> =
                self.reader.files()[self.file].imports.iter().map(|f| *f as usize).collect();
            let mut reached = self.reexporting_files(&direct);
            if matches!(self.language(), "c" | "cpp") {
                let bodies = self.bodies_of(&reached);
                reached.extend(bodies);
            }
            reached
        });
        reached.contains(&to)
    }
}
