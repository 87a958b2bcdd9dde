//! The files of a list with each folder named once, for lists in which paths take more room than places. Owns which
//! folders are named above their files, the list of places without rules, and what is shown of a list whose files don't
//! fit: their folders, and the first files with their places.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::list::{File, List, places};
use super::sums::{BEHIND, Sums, begun};
use crate::counted::counted;

/// In front of the folder that the files below it are named relative to, up to the next such line.
pub(super) const BELOW: &str = "files are below ";
/// The line above the files whose places are shown beside folders with counts.
const FIRST: &str = "places in some of the files:\n";

/// A folder, and files in it.
pub(super) type Group<'l, 't> = (&'t str, Vec<&'l File<'t>>);

/// The files in groups, each with the folder that its files are named relative to. Those of the first group are named below the
/// folder that all are in, or whole if there's none: naming a folder of their own once would save nothing.
pub(super) fn groups<'l, 't>(list: &'l List<'t>) -> Vec<Group<'l, 't>> {
    let mut many: HashMap<&str, usize> = HashMap::new();
    for file in &list.files {
        *many.entry(folder_of(file.name)).or_default() += 1;
    }
    let common = common_folder(list);
    let saves = |folder: &str| {
        let files = many.get(folder).copied().unwrap_or_default();
        files * (folder.len() - common.len()) > BELOW.len() + folder.len() + 1
    };
    let mut groups: Vec<Group<'l, 't>> = vec![(common, Vec::new())];
    let mut at: HashMap<&str, usize> = HashMap::new();
    for file in &list.files {
        let folder = folder_of(file.name);
        let group = if saves(folder) {
            *at.entry(folder).or_insert_with(|| {
                groups.push((folder, Vec::new()));
                groups.len() - 1
            })
        } else {
            0
        };
        groups[group].1.push(file);
    }
    groups.retain(|(_, files)| !files.is_empty());
    groups
}

/// The folder of a path with its last separator; nothing where the path is a name.
fn folder_of(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |end| &path[..=end])
}

/// The folder that all files are in, where naming it with each is most of a row.
pub(super) fn common_folder<'t>(list: &List<'t>) -> &'t str {
    let mut names = list.files.iter().map(|file| file.name);
    let Some(first) = names.next() else { return "" };
    let shared = names.fold(first.len(), |shared, name| {
        first.bytes().zip(name.bytes()).take(shared).take_while(|(a, b)| a == b).count()
    });
    let end = first.as_bytes()[..shared].iter().rposition(|byte| matches!(byte, b'/' | b'\\'));
    end.filter(|end| *end >= 12 && list.files.len() > 2).map_or("", |end| &first[..=end])
}

/// Every file with every place, if that fits, and each rule's count as far as they fit.
pub(super) fn bare(
    list: &List<'_>,
    sums: &Sums<'_>,
    groups: &[Group<'_, '_>],
    room: usize,
) -> Option<String> {
    let mut rows = format!("the rules and {}", BEHIND.trim_start_matches("the "));
    for (folder, files) in groups {
        if !folder.is_empty() {
            let _ = writeln!(rows, "{BELOW}{folder}");
        }
        for file in files {
            let _ = write!(rows, "{}: ", &file.name[folder.len()..]);
            places(&mut rows, file.findings.iter().map(|entry| entry.at));
            rows.push('\n');
            if rows.len() > room {
                return None;
            }
        }
    }
    let mut order: Vec<&(String, usize, &str)> = sums.rules.iter().collect();
    order.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    let mut out = Sums::head(list, "by rule: ");
    let mark = 24;
    let mut left = room.checked_sub(rows.len() + out.len() + mark)?;
    for (nth, (name, count, _)) in order.iter().enumerate() {
        let joint = if nth > 0 { ", " } else { "" };
        let printed = if *count > 1 { format!("{joint}{name} ×{count}") } else { format!("{joint}{name}") };
        if printed.len() > left {
            let _ = write!(out, " … {}", counted(order.len() - nth, "more rules"));
            break;
        }
        left -= printed.len();
        out.push_str(&printed);
    }
    out.push('\n');
    Some(out + &rows)
}

/// Every folder with its numbers of files and findings in half of the room, and in the rest the places of the first
/// files; with the line that says so. The files are below `folder`.
pub(super) fn folders(list: &List<'_>, sums: &Sums<'_>, room: usize, folder: &str) -> (&'static str, String) {
    let mut names: Vec<(String, usize, usize)> = list
        .files
        .iter()
        .map(|file| (file.name[folder.len()..].to_owned(), 1, file.findings.len()))
        .collect();
    let rows = loop {
        // One level up, until the folders fit.
        let mut folders: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (name, files, findings) in &names {
            let folder = folder_of(name.trim_end_matches(['/', '\\']));
            let folder = if folder.is_empty() { "./" } else { folder };
            let sum = folders.entry(folder.to_owned()).or_default();
            *sum = (sum.0 + files, sum.1 + findings);
        }
        let fewer: Vec<_> =
            folders.into_iter().map(|(name, (files, findings))| (name, files, findings)).collect();
        let done = fewer.len() == names.len() || fewer.len() <= 1;
        names = fewer;
        let mut rows = String::new();
        for (name, files, findings) in &names {
            let _ = writeln!(rows, "{name} {} ×{findings}", counted(*files, "files"));
        }
        if rows.len() <= room / 2 || done {
            break rows;
        }
    };
    let first = first_files(list, sums, room.saturating_sub(rows.len() + FIRST.len()), folder);
    if first.is_empty() {
        return ("×n counts the findings below a folder, whose places are left out:\n", rows);
    }
    (
        "×n counts the findings below a folder, of which some or all places are left out:\n",
        rows + FIRST + &first,
    )
}

/// The first files with their places as far as there is room: where levels differ, those with an error before others.
fn first_files(list: &List<'_>, sums: &Sums<'_>, room: usize, folder: &str) -> String {
    let fails = |file: &File<'_>| {
        let is_error = |kind: usize| list.kinds[kind].level.eq_ignore_ascii_case("error");
        file.findings.iter().any(|entry| is_error(entry.kind))
    };
    let mut files: Vec<&File<'_>> = list.files.iter().collect();
    if list.level.is_none() {
        files.sort_by_key(|file| !fails(file));
    }
    let mut out = String::new();
    for file in files {
        let name = &file.name[folder.len()..];
        let row = sums.row(file, name);
        if out.len() + row.len() <= room {
            out.push_str(&row);
            continue;
        }
        let mut row = format!("{name} ×{}", file.findings.len());
        let mut left = room.saturating_sub(out.len() + row.len() + 1);
        if begun(&mut row, file.findings.iter().map(|entry| entry.at), &mut left) > 0 {
            out.push_str(&row);
            out.push('\n');
        }
        break;
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::by_file_and_rule;
    use super::super::completeness::Completeness;

    /// As tsc prints a project whose dependencies aren't installed: paths take most of the room.
    fn findings() -> String {
        let finding = |n: usize| {
            let (file, code) = (n % 145, [2_307, 2_580, 7_006][n % 3]);
            let folder =
                ["helpers", "scripts/property-generation-scripts", "infrastructure/persistence/document"]
                    [file % 3];
            format!(
                "src/generated/{folder}/part-{file:03}.ts({n},{}): error TS{code}: What is wrong with 'name{n}' here\n",
                n % 70 + 1
            )
        };
        (1..=613).map(finding).collect()
    }

    fn wrong(text: &str, shown: &str) -> Vec<String> {
        let printed: HashSet<&str> = text.lines().map(str::trim).collect();
        Completeness::new(text, shown, &printed).wrong()
    }

    #[test]
    fn every_place_stays_where_each_folder_is_named_once() {
        let text = findings();
        // Rules are left out before columns.
        for (room, rules, columns) in [(9_000, true, true), (7_200, false, true), (6_400, true, false)] {
            let short = by_file_and_rule(&text, room).expect("a list");
            assert!(short.len() <= room, "{room}: {}", short.len());
            assert_eq!(short.matches("files are below src/generated/").count(), 3, "{room}: {short}");
            for n in 1..=613 {
                let name = format!("\npart-{:03}.ts: ", n % 145);
                let (_, row) = short.split_once(&name).unwrap_or_else(|| panic!("{room} {name}: {short}"));
                let (line, place) = (n.to_string(), format!("{n}:{}", n % 70 + 1));
                let mut words = row.lines().next().unwrap_or_default().split([' ', ',', ';']);
                assert!(
                    words.any(|word| word == place || !columns && word == line),
                    "{room} {name} {place}: {short}"
                );
            }
            assert_eq!(short.contains("some or all columns"), !columns, "{room}: {short}");
            let first = if rules {
                "part-001.ts: a 1:2, 436:17; "
            } else {
                "part-001.ts: 1:2, 146:7, 291:12, 436:17, "
            };
            assert!(short.contains(first), "{room}: {short}");
            assert_eq!(wrong(&text, &short), Vec::<String>::new(), "{room}: {short}");
            // A place that is gone is missed, with its column or without.
            let (at, without) = if columns { (" 435:16", " ") } else { (" 435", " ") };
            assert!(!wrong(&text, &short.replacen(at, without, 1)).is_empty(), "{room}: {short}");
        }
    }

    #[test]
    fn the_first_files_keep_their_places_where_only_folders_fit() {
        let text = findings();
        let short = by_file_and_rule(&text, 2_000).expect("a list");
        assert!(short.len() <= 2_000, "{}: {short}", short.len());
        assert!(short.contains("\nplaces in some of the files:\n"), "{short}");
        assert!(short.contains("\nhelpers/ 49 files ×"), "{short}");
        for fact in ["part-001.ts: ", " 1:2", " 146:7", " 581:22"] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert_eq!(wrong(&text, &short), Vec::<String>::new(), "{short}");
    }

    /// As of a linter with all its rules on: their names alone take more than a preview.
    #[test]
    fn rules_that_do_not_fit_are_counted_and_leave_room_for_files() {
        let finding = |n: usize| {
            let (file, rule) = (n % 90, n * n % 150);
            format!(
                "src/query/tests/part-{file:02}.ts:{n}:7: Unexpected use of it [Warning/eslint(some-rule-{rule})]\n"
            )
        };
        let text: String = (1..=2_000).map(finding).collect();
        let short = by_file_and_rule(&text, 2_000).expect("a list");
        assert!(short.len() <= 2_000, "{}: {short}", short.len());
        assert!(short.contains(" more rules\n") && short.matches("by rule").count() == 1, "{short}");
        assert!(short.contains("90 files") && short.contains("part-01.ts"), "{short}");
        assert_eq!(wrong(&text, &short), Vec::<String>::new(), "{short}");
    }

    /// Warnings in the first files don't displace the errors of the last.
    #[test]
    fn files_with_errors_come_first_where_levels_differ() {
        let finding = |n: usize| {
            let level = if n > 500 { "error" } else { "warning" };
            format!(
                "src/generated/helpers/some-longer-part-of-it-{n:03}.ts:{n}:7: {level}: no such name [E{}]\n",
                n % 4
            )
        };
        let text: String = (1..=600).map(finding).collect();
        let short = by_file_and_rule(&text, 2_000).expect("a list");
        let (_, first) =
            short.split_once("places in some of the files:\n").unwrap_or_else(|| panic!("{short}"));
        assert!(first.contains("-501.ts: ") && !first.contains("-001.ts: "), "{short}");
    }
}
