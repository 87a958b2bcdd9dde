//! How files are distributed over folders, in a few lines: folders that have little are taken together with their parent
//! until what is left fits. Owns nothing else.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Writes `folders` (each with its files and what is counted in them) in about `room` bytes, deep ones joined to their
/// parents first. `what` names the count; where it equals the number of files it is not told apart.
pub(crate) fn distribution(
    folders: &BTreeMap<&str, (usize, usize)>,
    room: usize,
    what: &str,
    out: &mut String,
) {
    let mut deepest = folders.keys().map(|folder| depth(folder)).max().unwrap_or_default();
    let mut level: BTreeMap<String, (usize, usize)> =
        folders.iter().map(|(folder, counts)| ((*folder).to_owned(), *counts)).collect();
    while deepest > 1 && cost(&level) > room {
        deepest -= 1;
        let mut joined: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (folder, (files, count)) in level {
            let entry = joined.entry(parent(&folder, deepest).to_owned()).or_default();
            *entry = (entry.0 + files, entry.1 + count);
        }
        level = joined;
    }
    let mut most: Vec<(String, (usize, usize))> = level.into_iter().collect();
    most.sort_by(|a, b| b.1.1.cmp(&a.1.1).then_with(|| a.0.cmp(&b.0)));
    let from = out.len();
    for (at, (folder, (files, count))) in most.iter().enumerate() {
        if out.len() - from + folder.len() + 40 > room && at > 0 {
            let rest = &most[at..];
            let (files, count) = rest.iter().fold((0, 0), |sum, (_, add)| (sum.0 + add.0, sum.1 + add.1));
            let _ = writeln!(out, "… {} more folders: {files} files, {count} {what}", rest.len());
            break;
        }
        let name = if folder.is_empty() { "./" } else { folder };
        let _ = if what.is_empty() {
            writeln!(out, "{name}: {files} files")
        } else {
            writeln!(out, "{name}: {files} files, {count} {what}")
        };
    }
}

fn cost(level: &BTreeMap<String, (usize, usize)>) -> usize {
    level.keys().map(|folder| folder.len() + 28).sum()
}

fn depth(folder: &str) -> usize {
    folder.bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count()
}

/// The first `depth` parts of a folder's path, with the separator behind them.
fn parent(folder: &str, depth: usize) -> &str {
    let end =
        folder.match_indices(['/', '\\']).nth(depth.saturating_sub(1)).map_or(folder.len(), |(at, _)| at + 1);
    &folder[..end]
}
