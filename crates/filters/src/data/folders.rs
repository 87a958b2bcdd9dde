//! How files are distributed over folders, in a few lines: small folders are merged into their parents until the rest
//! fits. Owns nothing else.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::counted::counted;

/// Writes `folders` (each with its files and what is counted in them) in about `room` bytes: the fullest are expanded
/// first. `what` names the count; it isn't shown separately where it equals the number of files.
pub(crate) fn distribution(
    folders: &BTreeMap<&str, (usize, usize)>,
    room: usize,
    what: &str,
    out: &mut String,
) {
    let level = open_folders(folders, room);
    let mut most: Vec<(String, (usize, usize))> = level.into_iter().collect();
    most.sort_by(|a, b| b.1.1.cmp(&a.1.1).then_with(|| a.0.cmp(&b.0)));
    let from = out.len();
    for (at, (folder, (files, count))) in most.iter().enumerate() {
        if out.len() - from + folder.len() + 40 > room && at > 0 {
            let rest = &most[at..];
            let (files, count) = rest.iter().fold((0, 0), |sum, (_, add)| (sum.0 + add.0, sum.1 + add.1));
            let _ = write!(out, "… {}: {}", counted(rest.len(), "more folders"), counted(files, "files"));
            let _ = if what.is_empty() { writeln!(out) } else { writeln!(out, ", {}", counted(count, what)) };
            break;
        }
        let name = if folder.is_empty() { "./" } else { folder };
        let _ = if what.is_empty() {
            writeln!(out, "{name}: {}", counted(*files, "files"))
        } else {
            writeln!(out, "{name}: {}, {}", counted(*files, "files"), counted(*count, what))
        };
    }
}

/// The top folders; while there is room, the fullest is replaced by its contents.
fn open_folders(folders: &BTreeMap<&str, (usize, usize)>, room: usize) -> BTreeMap<String, (usize, usize)> {
    let mut level = joined(folders.iter().map(|(folder, counts)| (*folder, *counts)), 1);
    let mut used: usize = level.keys().map(|folder| cost(folder)).sum();
    // The depth of each; those at full depth, or too large for the room, stay closed. Files in no folder have nothing below
    // them: every path begins with their folder's empty name.
    let named = level.iter().filter(|(folder, _)| !folder.is_empty());
    let mut open: Vec<(usize, usize, String)> =
        named.map(|(folder, counts)| (counts.1, 1, folder.clone())).collect();
    while used < room {
        open.sort();
        let Some((_, depth, folder)) = open.pop() else { break };
        let within = folders.range(folder.as_str()..).take_while(|(inner, _)| inner.starts_with(&folder));
        let inner = joined(within.map(|(inner, counts)| (*inner, *counts)), depth + 1);
        let costs: usize = inner.keys().map(|folder| cost(folder)).sum();
        let same = inner.len() == 1 && inner.contains_key(&folder);
        if same || used + costs > room + cost(&folder) {
            continue;
        }
        used = used + costs - cost(&folder);
        level.remove(&folder);
        for (inner, counts) in inner {
            // Files of the folder itself have nothing below them.
            if inner != folder {
                open.push((counts.1, depth + 1, inner.clone()));
            }
            level.insert(inner, counts);
        }
    }
    level
}

/// Folders merged by their first `depth` parts.
fn joined<'f>(
    folders: impl Iterator<Item = (&'f str, (usize, usize))>,
    depth: usize,
) -> BTreeMap<String, (usize, usize)> {
    let mut joined: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (folder, (files, count)) in folders {
        let entry = joined.entry(parent(folder, depth).to_owned()).or_default();
        *entry = (entry.0 + files, entry.1 + count);
    }
    joined
}

fn cost(folder: &str) -> usize {
    folder.len() + 28
}

/// The first `depth` parts of a folder's path, with the separator behind them.
fn parent(folder: &str, depth: usize) -> &str {
    let end =
        folder.match_indices(['/', '\\']).nth(depth.saturating_sub(1)).map_or(folder.len(), |(at, _)| at + 1);
    &folder[..end]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    #[test]
    fn the_fullest_folder_is_described_by_its_contents() {
        let names: Vec<String> = (0..40).map(|n| format!("src/rooms/{n}/")).collect();
        let mut folders: BTreeMap<&str, (usize, usize)> =
            names.iter().map(|name| (name.as_str(), (9, 9))).collect();
        folders.extend([("src/", (2, 2)), ("src/api/", (70, 70)), ("docs/", (3, 3)), ("", (1, 1))]);
        let short = |room| {
            let mut out = String::new();
            super::distribution(&folders, room, "", &mut out);
            out
        };
        let few = short(220);
        assert_eq!(
            few,
            "src/rooms/: 360 files\nsrc/api/: 70 files\ndocs/: 3 files\nsrc/: 2 files\n./: 1 file\n"
        );
        assert!(short(120).starts_with("src/: 432 files\n"), "{}", short(120));
        let all = short(9_000);
        assert!(all.contains("src/rooms/39/: 9 files\n") && all.lines().count() == 44, "{all}");
    }

    #[test]
    fn no_file_is_counted_twice_at_any_budget() {
        let folders: BTreeMap<&str, (usize, usize)> = BTreeMap::from([
            ("", (1, 1)),
            ("docs/", (3, 3)),
            ("src/shop/a/", (50, 50)),
            ("src/shop/b/", (40, 40)),
        ]);
        for room in (30..600).step_by(5) {
            let mut out = String::new();
            super::distribution(&folders, room, "", &mut out);
            let files = out
                .lines()
                .filter_map(|line| line.split(": ").nth(1)?.split(' ').next()?.parse::<usize>().ok());
            assert_eq!(files.sum::<usize>(), 94, "{room}: {out}");
        }
    }
}
