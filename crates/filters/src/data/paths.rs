//! Paths under a limit: counts by kind, distribution over folders, the rare kinds by name, and samples from all
//! parts. Owns nothing else.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::clip::clipped;
use crate::counted::counted;

/// Kinds that are counted by name.
const KINDS: usize = 16;
/// Paths of a kind that has no more are named.
const RARE: usize = 3;

/// Writes a summary of `folders` with their names, and of `others`, which aren't paths, in about `room` bytes.
pub(crate) fn part(folders: &BTreeMap<&str, Vec<&str>>, others: &[&str], room: usize, out: &mut String) {
    let mut kinds: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (folder, names) in folders {
        for name in names {
            kinds.entry(kind(name)).or_default().push((folder, name));
        }
    }
    let mut by_count: Vec<(&str, &Vec<(&str, &str)>)> =
        kinds.iter().map(|(kind, paths)| (*kind, paths)).collect();
    by_count.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(b.0)));
    let named: Vec<String> =
        by_count.iter().take(KINDS).map(|(kind, paths)| format!("{kind} ×{}", paths.len())).collect();
    let more = by_count.len().saturating_sub(KINDS);
    let more = if more > 0 { format!(", {}", counted(more, "more kinds")) } else { String::new() };
    let _ = writeln!(out, "kinds: {}{more}", named.join(", "));
    for line in others.iter().take(10) {
        let _ = writeln!(out, "{}", clipped(line, 200));
    }
    if others.len() > 10 {
        let _ = writeln!(out, "… {} more by themselves", others.len() - 10);
    }
    // The rare ones are named where there are many more of another kind.
    let mut rare = String::new();
    for (_, paths) in by_count.iter().rev().filter(|(_, paths)| paths.len() <= RARE) {
        for (folder, name) in *paths {
            if rare.len() + folder.len() + name.len() > room / 5 {
                break;
            }
            let _ = writeln!(rare, "  {folder}{name}");
        }
    }
    if !rare.is_empty() {
        let _ = write!(out, "of rare kinds:\n{rare}");
    }
    let counts: BTreeMap<&str, (usize, usize)> =
        folders.iter().map(|(folder, names)| (*folder, (names.len(), names.len()))).collect();
    let left = room.saturating_sub(out.len() + 16);
    super::folders::distribution(&counts, left * 2 / 3, "", out);
    let mut left = room.saturating_sub(out.len() + 16);
    let all: Vec<(&str, &str)> =
        folders.iter().flat_map(|(folder, names)| names.iter().map(|name| (*folder, *name))).collect();
    let mean =
        all.iter().map(|(folder, name)| folder.len() + name.len() + 3).sum::<usize>() / all.len().max(1);
    let samples = (left / mean.max(1)).min(all.len());
    if samples == 0 {
        return;
    }
    out.push_str("samples:\n");
    for nth in 0..samples {
        let Some((folder, name)) = all.get((2 * nth + 1) * all.len() / (2 * samples)) else { continue };
        let cost = folder.len() + name.len() + 3;
        if cost <= left {
            left -= cost;
            let _ = writeln!(out, "  {folder}{name}");
        }
    }
}

/// The extension of a name, or a label if it has none.
fn kind(name: &str) -> &str {
    match name.trim_end_matches(['/', '\\']).rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 12 => &name[stem.len()..],
        _ if name.ends_with('/') => "folders",
        _ => "no extension",
    }
}
