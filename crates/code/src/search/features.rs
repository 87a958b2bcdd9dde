//! Computes a candidate's features for the second stage: named numbers between about 0 and 1, from the first stage's hits, the
//! file's path, its definitions and its neighbours. Pure.

use super::candidates::{Candidate, CandidateSet};
use super::query::Query;
use super::reader::{File, Reader, split_path};
use crate::grammar::Kind;
use crate::resolve;
use crate::role::Role;
use crate::words;

/// The names of the numbers, in order; the weights in `weights.rs` are theirs.
pub const NAMES: &[&str] = &[
    "best",
    "sum",
    "cover_chunk",
    "cover_file",
    "cover_names",
    "cover_comment",
    "cover_two",
    "stem_cover",
    "stem_full",
    "stem_exact",
    "folder_cover",
    "path_cover",
    "def_spelt_type",
    "def_spelt_other",
    "def_plain_type",
    "def_plain_other",
    "def_stem",
    "symbol_match",
    "symbol_type_match",
    "spread",
    "importers",
    "size",
    "definitions",
    "near_in",
    "near_out",
    "test",
    "tests_wanted",
    "made_by_others",
    "example",
    "docs",
    "config",
    "barrel",
    "barrel_named",
    "types",
    "legacy",
    "tooling",
    "rank",
    "best_gap",
    "names_only_def",
    "how_size",
    "whole",
    "mean_hit",
    "cover_related",
    "path_related",
    "near_in_mean",
];

/// A definition as the second stage sees it.
#[derive(Debug, Clone)]
pub(super) struct DefinitionMatch {
    pub(super) folded: String,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) nested: bool,
    pub(super) lines: u32,
}

/// All numbers of one candidate; `rank` is its place in the first stage, from 0.
pub(super) fn features(
    reader: &Reader,
    query: &Query,
    gathered: &CandidateSet,
    candidate: &Candidate,
    (definitions, defined): (usize, &[DefinitionMatch]),
    rank: usize,
) -> Vec<f64> {
    let file = &reader.files[candidate.file as usize];
    let (importers, imports, imported_by): (u32, &[u32], &[u32]) = if resolve::is_linked(&file.language) {
        (file.importers, &file.imports, &file.imported_by)
    } else {
        (0, &[], &[])
    };
    let weights = &gathered.weights;
    let total: f64 = weights.iter().sum::<f64>().max(1e-9);
    let cover = |mask: u32| -> f64 {
        weights.iter().enumerate().filter(|(i, _)| mask >> (i % 32) & 1 == 1).map(|(_, w)| w).sum::<f64>()
            / total
    };
    let top = gathered.candidates.iter().map(|c| c.best).fold(0.0, f64::max).max(1e-9);
    let most = gathered.candidates.iter().map(|c| c.sum).fold(0.0, f64::max).max(1e-9);
    let highest_whole = gathered.candidates.iter().map(|c| c.whole).fold(0.0, f64::max).max(1e-9);
    let all =
        |of: fn(&super::candidates::Hit) -> u32| candidate.hits.iter().fold(0, |mask, hit| mask | of(hit));
    let cover_chunk = candidate.hits.iter().map(|h| cover(h.text)).fold(0.0, f64::max);
    let two = candidate.hits.iter().take(2).fold(0, |mask, hit| mask | hit.text);
    let good = candidate.hits.iter().filter(|h| h.score > 0.5 * top).count();

    let path = PathMatch::of(file, query, weights, total);
    let defs = Definitions::of(query, weights, defined, &path.stem_folded);

    let near = |files: &mut dyn Iterator<Item = u32>| {
        let scores: Vec<f64> = files
            .filter_map(|f| gathered.best_by_file.get(f as usize).copied().filter(|best| *best > 0.0))
            .collect();
        let best = scores.iter().copied().fold(0.0, f64::max) / top;
        (best + (scores.len() as f64).sqrt() / 8.0).min(1.5)
    };
    // Which files use a file matters more than that it is used: everything imports a hub.
    let near_mean = |files: &[u32]| {
        let best = |f: &u32| gathered.best_by_file.get(*f as usize).copied().unwrap_or(0.0) / top;
        files.iter().map(best).sum::<f64>() / (files.len() as f64 + 2.0)
    };
    let is = |role: Role| f64::from(u8::from(file.role.is(role)));
    let size = (f64::from(file.lines.max(1)).ln() / 8.0).min(1.2);
    let test = is(Role::TEST);
    vec![
        candidate.best / top,
        candidate.sum / most,
        cover_chunk,
        cover(all(|h| h.text)),
        cover(all(|h| h.name)),
        cover(all(|h| h.comment)),
        cover(two),
        path.stem_cover,
        path.stem_full,
        path.stem_exact,
        path.folder_cover,
        path.cover,
        defs.spelt_type,
        defs.spelt_other,
        defs.plain_type,
        defs.plain_other,
        defs.stem,
        defs.best,
        defs.best_type,
        (good as f64).sqrt() / 4.0,
        f64::from(importers + 1).ln() / f64::from(reader.most_importers + 2).ln(),
        size,
        (definitions as f64 + 1.0).ln() / 6.0,
        near(&mut imported_by.iter().copied()),
        near(&mut imports.iter().copied()),
        if gathered.tests { 0.0 } else { test },
        if gathered.tests { test } else { 0.0 },
        is(Role::VENDORED).max(is(Role::GENERATED)).max(is(Role::MINIFIED)),
        is(Role::EXAMPLE),
        is(Role::DOCS),
        is(Role::CONFIG),
        is(Role::BARREL),
        is(Role::BARREL) * path.folder_cover.min(1.0),
        is(Role::TYPES),
        is(Role::LEGACY),
        is(Role::TOOLING),
        1.0 / (rank as f64 + 2.0),
        if rank == 0 { 1.0 } else { 0.0 },
        if query.names_only { defs.spelt_type + 0.5 * defs.spelt_other + 0.5 * defs.stem } else { 0.0 },
        if query.how { size } else { 0.0 },
        candidate.whole / highest_whole,
        candidate.sum / candidate.hits.len().max(1) as f64 / top,
        candidate.hits.iter().map(|h| cover(h.text | h.related)).fold(0.0, f64::max),
        path.related,
        near_mean(imported_by),
    ]
}

struct PathMatch {
    stem_cover: f64,
    stem_full: f64,
    stem_exact: f64,
    folder_cover: f64,
    cover: f64,
    related: f64,
    stem_folded: String,
}

impl PathMatch {
    fn of(file: &File, query: &Query, weights: &[f64], total: f64) -> PathMatch {
        let (mut stem, folders) = split_path(&file.path);
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        let mut plain = name.split('.').next().unwrap_or(name);
        // A barrel is named after its folder.
        if file.role.is(Role::BARREL) || matches!(plain, "main" | "mod" | "index" | "lib" | "__init__") {
            let folder = file.path.rsplit('/').nth(1).unwrap_or("");
            plain = if folder.is_empty() { plain } else { folder };
            stem = split_path(folder).0;
        }
        let mut stem_folded = String::new();
        words::whole(plain, &mut stem_folded);
        let share = |has: &dyn Fn(&String) -> bool| {
            query.words.iter().zip(weights).filter(|(w, _)| has(w)).map(|(_, weight)| weight).sum::<f64>()
                / total
        };
        let parts: Vec<&String> = stem.iter().filter(|w| **w != stem_folded || stem.len() == 1).collect();
        let known = parts.iter().filter(|w| query.words.iter().any(|q| alike(q, w))).count();
        let full = known as f64 / parts.len().max(1) as f64;
        PathMatch {
            stem_cover: share(&|q| stem.iter().any(|w| alike(q, w))),
            stem_full: full,
            stem_exact: f64::from(u8::from(
                query.plain.contains(&stem_folded) || query.names.contains(&stem_folded),
            )),
            folder_cover: share(&|q| folders.iter().any(|w| alike(q, w))),
            cover: share(&|q| stem.iter().chain(&folders).any(|w| alike(q, w))),
            related: query
                .words
                .iter()
                .enumerate()
                .zip(weights)
                .filter(|((i, q), _)| {
                    let has = |q: &str| stem.iter().chain(&folders).any(|w| alike(q, w));
                    !has(q) && query.related.iter().any(|(r, of)| of == i && has(r))
                })
                .map(|(_, weight)| weight)
                .sum::<f64>()
                / total,
            stem_folded,
        }
    }
}

/// Whether two stems are of one family: one begins the other (`req`, `request`), or most of both is the same
/// (`resolut`, `resolv`).
fn alike(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
    same == short && (short == long || short >= 3) || (same >= 5 && same * 10 >= long * 7)
}

#[derive(Default)]
struct Definitions {
    spelt_type: f64,
    spelt_other: f64,
    plain_type: f64,
    plain_other: f64,
    stem: f64,
    best: f64,
    best_type: f64,
}

impl Definitions {
    fn of(query: &Query, weights: &[f64], defined: &[DefinitionMatch], stem: &str) -> Definitions {
        let mut out = Definitions::default();
        let heaviest = weights.iter().copied().fold(0.0, f64::max).max(1e-9);
        let total: f64 = weights.iter().sum::<f64>().max(1e-9);
        let mut scratch = String::new();
        let most = query.names.len().max(1) as f64;
        let mut spelt_types = std::collections::HashSet::new();
        let mut spelt_others = std::collections::HashSet::new();
        for d in defined {
            let type_like = d.kind.is_type() || (d.kind == Kind::Module);
            let outer = !d.nested && type_like;
            // A definition of one line passes a name on more often than it makes it.
            let whole = if d.lines > 2 { 1.0 } else { 0.6 };
            if query.names.contains(&d.folded) {
                if outer {
                    spelt_types.insert(&d.folded)
                } else {
                    spelt_others.insert(&d.folded)
                };
                if d.folded == stem {
                    out.stem = 1.0;
                }
                if outer {
                    out.spelt_type = f64::max(out.spelt_type, whole);
                }
            } else if query.plain.contains(&d.folded) {
                let of = if outer { &mut out.plain_type } else { &mut out.plain_other };
                *of = f64::max(*of, whole);
                if d.folded == stem {
                    out.stem = f64::max(out.stem, 0.7);
                }
            }
            // How much of the name is asked for, and how much of the question it is.
            let (mut hit, mut parts, mut known) = (0.0, 0.0, 0.0);
            words::words(&d.name, &mut scratch, |word| {
                if word.len() == d.folded.len() && word == d.folded && parts > 0.0 {
                    return;
                }
                parts += 1.0;
                if let Some(i) = query.words.iter().position(|w| w == word) {
                    known += 1.0;
                    hit += weights[i];
                }
            });
            if known > 0.0 {
                let precise = known / parts;
                let score = precise * (0.5 * hit / total + 0.5 * (hit / (2.0 * heaviest)).min(1.0));
                out.best = f64::max(out.best, score);
                if outer {
                    out.best_type = f64::max(out.best_type, score);
                }
            }
        }
        if !spelt_types.is_empty() {
            out.spelt_type = out.spelt_type * 0.5 + 0.5 * spelt_types.len() as f64 / most;
        }
        out.spelt_other = spelt_others.len() as f64 / most;
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_name_and_a_weight() {
        assert_eq!(super::super::prior::PRIOR.len(), NAMES.len());
        assert_eq!(super::super::weights::WEIGHTS.len(), NAMES.len());
    }

    #[test]
    fn families_of_stems() {
        for (a, b, same) in [
            ("req", "request", true),
            ("resolut", "resolv", true),
            ("rout", "round", false),
            ("ws", "wsgi", false),
            ("a", "a", true),
        ] {
            assert_eq!(alike(a, b), same, "{a} {b}");
        }
    }
}
