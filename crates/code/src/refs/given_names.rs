//! Follows definitions of JavaScript and TypeScript under the names that files export them by: defaults, aliases of
//! exports and re-exports, and CommonJS modules. Doesn't know their names where they're imported.

use std::collections::{HashMap, HashSet, VecDeque};

use super::infer::{DefinitionLookup, Source};
use super::targets::Target;
use crate::exports::Export;
use crate::imports::{DEFAULT, WHOLE};
use crate::language::family as family_of;
use crate::search::Reader;

/// The maximum number of re-exporting files that are read.
const MAX_FILES: usize = 200;

/// The names by which each file exports the targets.
#[derive(Debug, Default)]
pub(super) struct GivenNames {
    by_file: HashMap<usize, Vec<(String, usize)>>,
}

impl GivenNames {
    /// Follows these targets, whose own name is `name`.
    pub(super) fn of(
        facts: &DefinitionLookup<'_>,
        reader: &Reader,
        targets: &[Target],
        name: &str,
    ) -> GivenNames {
        let files = reader.files();
        let mut out = GivenNames::default();
        let mut open: VecDeque<(usize, String, usize)> = VecDeque::new();
        for (i, target) in targets.iter().enumerate() {
            if !target.is_free() || family_of(&files[target.file].language) != "typescript" {
                continue;
            }
            let Some(source) = facts.source(target.file) else { continue };
            let own = source.outline.exports.iter().filter(|one| !one.from && one.own == name);
            open.extend(own.map(|one| (target.file, one.given.clone(), i)));
        }
        let mut read = 0;
        while let Some((file, given, target)) = open.pop_front() {
            let known = out.by_file.entry(file).or_default();
            if known.contains(&(given.clone(), target)) {
                continue;
            }
            known.push((given.clone(), target));
            for by in &files[file].imported_by {
                let by = *by as usize;
                if read >= MAX_FILES || family_of(&files[by].language) != "typescript" {
                    continue;
                }
                let Some(source) = facts.source(by) else { continue };
                read += 1;
                let passed = passed_on(facts, &source, file, &given);
                open.extend(passed.into_iter().map(|given| (by, given, target)));
            }
        }
        out
    }

    /// The targets that any of these files exports as `there`.
    pub(super) fn targets(&self, files: &[usize], there: &str) -> Vec<usize> {
        let given = files.iter().filter_map(|file| self.by_file.get(file)).flatten();
        let mut out: Vec<usize> =
            given.filter(|(given, _)| given == there).map(|(_, target)| *target).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The files that may use a target without its name: they import a file that exports it under another name.
    pub(super) fn importers(&self, reader: &Reader, name: &str) -> HashSet<usize> {
        let renamed = self.by_file.iter().filter(|(_, given)| given.iter().any(|(given, _)| given != name));
        renamed.flat_map(|(file, _)| &reader.files()[*file].imported_by).map(|by| *by as usize).collect()
    }
}

/// The names under which a file exports `there` from `from`.
fn passed_on(facts: &DefinitionLookup<'_>, source: &Source, from: usize, there: &str) -> Vec<String> {
    let has = |line: u32| facts.imported(source, line).contains(&from);
    let mut bound = Vec::new();
    for import in source.outline.imports.iter().filter(|import| has(import.line)) {
        bound.extend(import.bound.iter().filter(|(_, name)| name == there).map(|(here, _)| here.as_str()));
    }
    let gives = |one: &&Export| {
        if one.from { one.own == there && has(one.line) } else { bound.contains(&one.own.as_str()) }
    };
    let mut out: Vec<String> =
        source.outline.exports.iter().filter(gives).map(|one| one.given.clone()).collect();
    let whole = source.outline.imports.iter().any(|i| i.passed_on && i.names.is_empty() && has(i.line));
    if whole && there != DEFAULT && there != WHOLE {
        out.push(there.to_owned());
    }
    out
}
