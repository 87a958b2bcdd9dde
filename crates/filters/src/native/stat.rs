//! `--stat` of git: each file with its count and its bar. The columns lose their width, and bars are drawn as short
//! as possible; in a long list the files of a folder are below it. Where they don't fit, bars are dropped, and then the
//! folders are counted and files from all parts are shown. Owns these lines in any output.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::Left;
use crate::cap::spread;
use crate::counted::counted;
use crate::data::folders::distribution;
use crate::data::within;
use crate::normal;

/// Bars are drawn in so many signs.
const BAR: usize = 6;
/// Longer lists name each folder once, in bytes.
const LONG: usize = 4_000;
/// Shorter lists in a report stay as they are, in files.
const FEW: usize = 12;
/// The share of the room for the counts of folders where not all files fit.
const FOLDERS_SHARE: usize = 4;
/// How git begins a path of which it left out the first part.
const CUT: &str = ".../";

/// The files of `git diff --stat` in about `room` bytes.
pub(super) fn stat(text: &str, room: usize) -> Option<String> {
    let lines: Vec<Line<'_>> = text.lines().map(Line::parse).collect();
    let files = lines.iter().filter(|line| matches!(line, Line::File(_))).count();
    let total = lines.iter().any(|line| matches!(line, Line::Other(line) if is_total(line)));
    if !total || files * 10 < lines.len() * 8 {
        return None;
    }
    let mut out = in_lines(&lines, BAR);
    if out.len() > LONG.min(room) {
        let below = by_folder(&lines, BAR);
        if below.len() * 10 <= out.len() * 9 {
            out = below;
        }
    }
    if out.len() > room {
        let (below, plain) = (by_folder(&lines, 0), in_lines(&lines, 0));
        out = if below.len() < plain.len() { below } else { plain };
    }
    Some(if out.len() > room { within(room, |room| part(&lines, &out, room)) } else { out })
}

/// Whether a line is one of such a list.
pub(crate) fn begins(line: &str) -> bool {
    File::parse(line).is_some()
}

/// A report with its lists of changed files, such as that of a merge, in about `room` bytes.
pub(crate) fn within_report(text: &str, room: usize) -> Option<Left> {
    if text.len() <= LONG.min(room) {
        return None;
    }
    let lines: Vec<Line<'_>> = normal::lines(text).map(Line::parse).collect();
    let runs = || lines.chunk_by(|one, next| one.folder().is_some() == next.folder().is_some());
    let is_list = |run: &&[Line<'_>]| run.len() >= FEW && run.iter().any(|line| line.folder().is_some());
    let lists = runs().filter(is_list).count();
    let others: usize = runs().filter(|run| !is_list(run)).map(|run| in_lines(run, BAR).len()).sum();
    let left = room.saturating_sub(others) / lists.max(1);
    let mut out = String::with_capacity(text.len());
    for run in runs() {
        let list = by_folder(run, BAR);
        match is_list(&run) {
            true if list.len() <= left => out.push_str(&list),
            true => out.push_str(&within(left, |room| part(run, &by_folder(run, 0), room))),
            false => out.push_str(&in_lines(run, BAR)),
        }
    }
    (out.len() < text.len()).then(|| (out, Vec::new()))
}

/// A line of the output.
#[derive(Clone, Copy)]
enum Line<'t> {
    File(File<'t>),
    Other(&'t str),
}

/// A file with what changed in it.
#[derive(Clone, Copy)]
struct File<'t> {
    folder: &'t str,
    name: &'t str,
    change: Change<'t>,
}

#[derive(Clone, Copy)]
enum Change<'t> {
    /// The number of changed lines, and the bar.
    Lines(&'t str, &'t str),
    /// `Bin 0 -> 12 bytes`, `Unmerged`.
    Other(&'t str),
}

impl<'t> Line<'t> {
    fn parse(line: &'t str) -> Self {
        File::parse(line).map_or(Line::Other(line), Line::File)
    }

    fn folder(&self) -> Option<&'t str> {
        match self {
            Line::File(file) => Some(file.folder),
            Line::Other(_) => None,
        }
    }
}

impl<'t> File<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let (path, change) = line.strip_prefix(' ')?.rsplit_once(" | ")?;
        let (path, change) = (path.trim_end(), change.trim());
        let change = match counts(change) {
            Some((count, bar)) => Change::Lines(count, bar),
            None if change == "Bin" || change.starts_with("Bin ") || change == "Unmerged" => {
                Change::Other(change)
            }
            None => return None,
        };
        // A moved file has two paths, and a quoted one ends with its quote.
        let whole = path.contains(" => ") || path.starts_with('"');
        let (folder, name) = path.split_at(if whole { 0 } else { path.rfind('/').map_or(0, |at| at + 1) });
        (!name.trim().is_empty()).then_some(Self { folder, name, change })
    }

    /// Whether its path isn't taken apart: it belongs to two folders, or to one that is quoted.
    fn is_in_no_folder(&self) -> bool {
        self.folder.is_empty() && self.name.contains('/')
    }

    /// Writes the file with its change, and a bar of at most so many signs.
    fn write(&self, front: &str, folder: &str, signs: usize, out: &mut String) {
        let from = out.len();
        let _ = match self.change {
            Change::Lines(count, bar) => {
                let added = bar.bytes().filter(|byte| *byte == b'+').count();
                let (plus, minus) = scaled(added, bar.len() - added, signs);
                write!(
                    out,
                    "{front}{folder}{} | {count} {}{}",
                    self.name,
                    "+".repeat(plus),
                    "-".repeat(minus)
                )
            }
            Change::Other(change) => write!(out, "{front}{folder}{} | {change}", self.name),
        };
        out.truncate(from + out[from..].trim_end().len());
        out.push('\n');
    }
}

/// All lines as they came, with bars of at most so many signs.
fn in_lines(lines: &[Line<'_>], signs: usize) -> String {
    let mut out = String::new();
    for line in lines {
        match line {
            Line::File(file) => file.write(" ", file.folder, signs, &mut out),
            Line::Other(line) => out.extend([*line, "\n"]),
        }
    }
    out
}

/// The same with the neighbours of one folder below it, where that is shorter.
fn by_folder(lines: &[Line<'_>], signs: usize) -> String {
    let mut out = String::new();
    for same in lines.chunk_by(|one, next| one.folder().is_some() && one.folder() == next.folder()) {
        let named = same.first().and_then(Line::folder).filter(|folder| {
            // A blank, a colon and a line's end beside the folder, and another blank in front of each file.
            folder.len() * (same.len() - 1) > same.len() + 3
        });
        match named {
            Some(folder) => {
                let _ = writeln!(out, " {folder}:");
                for line in same {
                    if let Line::File(file) = line {
                        file.write("  ", "", signs, &mut out);
                    }
                }
            }
            None => out.push_str(&in_lines(same, signs)),
        }
    }
    out
}

/// What doesn't fit: how many files and changed lines are in which folders, and files from all parts of `list`.
fn part(lines: &[Line<'_>], list: &str, room: usize) -> String {
    let files = lines.iter().filter_map(|line| match line {
        Line::File(file) => Some(file),
        Line::Other(_) => None,
    });
    let mut folders: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut apart = 0;
    for file in files {
        if file.is_in_no_folder() {
            apart += 1;
            continue;
        }
        let counts = folders.entry(file.folder).or_default();
        counts.0 += 1;
        // More lines than that are in no file.
        if let Change::Lines(count, _) = file.change
            && let Ok(count) = count.parse::<u32>()
        {
            counts.1 += count as usize;
        }
    }
    let mut out = String::new();
    // Of a path without its beginning it is unknown which folder it is in.
    if folders.len() > 1 && !folders.keys().any(|folder| folder.starts_with(CUT)) {
        distribution(&folders, room / FOLDERS_SHARE, "changed lines", &mut out);
        if apart > 0 {
            let _ = writeln!(out, "{} with a moved or quoted path", counted(apart, "files"));
        }
    }
    let left = room.saturating_sub(out.len());
    out + &spread(list, usize::MAX, left)
}

/// ` src/a.rs  |  12 ++++++++----` as ` src/a.rs | 12 ++++--`, with a bar of at most so many signs.
pub(super) fn line_of(line: &str, signs: usize) -> Option<String> {
    let file = File::parse(line).filter(|file| matches!(file.change, Change::Lines(..)))?;
    let mut out = String::new();
    file.write(" ", file.folder, signs, &mut out);
    out.truncate(out.trim_end().len());
    Some(out)
}

/// `12 ++++----` as its number and its bar.
fn counts(change: &str) -> Option<(&str, &str)> {
    let (count, bar) = change.split_once(' ').unwrap_or((change, ""));
    let known = !count.is_empty()
        && count.bytes().all(|byte| byte.is_ascii_digit())
        && bar.bytes().all(|byte| b"+-".contains(&byte));
    known.then_some((count, bar))
}

/// Both parts of a bar in at most `most` signs, at least one for each existing part.
fn scaled(plus: usize, minus: usize, most: usize) -> (usize, usize) {
    let all = plus + minus;
    if all <= most || most < 2 {
        return if most < 2 { (0, 0) } else { (plus, minus) };
    }
    let least = |part: usize| usize::from(part > 0);
    let plus = (plus * most / all).clamp(least(plus), most - least(minus));
    (plus, if minus == 0 { 0 } else { most - plus })
}

fn is_total(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(3).collect();
    matches!(words[..], [count, "file" | "files", "changed," | "changed"] if count.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{line_of, stat, within_report};

    #[test]
    fn bars_are_short_and_show_additions_and_deletions() {
        for (line, short) in [
            (" src/a.rs              |  12 ++++++++----", " src/a.rs | 12 ++++--"),
            (" src/a.rs | 400 +++++++++++++++++++++++++++++++++++++-", " src/a.rs | 400 +++++-"),
            (" src/a.rs | 400 -------------------------------------+", " src/a.rs | 400 +-----"),
            (" a | 3 ++-", " a | 3 ++-"),
            (" a | 0", " a | 0"),
            (" {old => new}/b c.rs |  9 +++++++++", " {old => new}/b c.rs | 9 ++++++"),
        ] {
            assert_eq!(line_of(line, 6).unwrap(), short);
        }
        for other in
            [" logo.png | Bin 0 -> 12 bytes", "a | 12 +", " a | b | c", " 3 files changed, 2 insertions(+)"]
        {
            assert_eq!(line_of(other, 6), None, "{other}");
        }
    }

    #[test]
    fn every_file_stays_as_long_as_there_is_room() {
        let text: String = (0..300)
            .map(|n| format!(" src/part{n:03}.rs{} |  40 {}-\n", " ".repeat(30), "+".repeat(39)))
            .collect();
        let text = format!(
            "{text} logo.png | Bin 0 -> 12 bytes\n 301 files changed, 11700 insertions(+), 300 deletions(-)\n"
        );
        let short = stat(&text, 90_000).unwrap();
        assert!(short.starts_with(" src/:\n  part000.rs | 40 +++++-\n"), "{short}");
        assert!(
            short.lines().count() == 303
                && short.contains("\n  part299.rs | 40 +++++-\n logo.png | Bin 0 -> 12 bytes\n 301 files")
                && short.len() * 2 < text.len()
        );
        let part = stat(&text, 2_000).unwrap();
        assert!(
            part.len() <= 2_000
                && part.contains("301 files changed")
                && part.contains("\n src/:\n  part000.rs | 40\n"),
            "{part}"
        );
        assert!(
            part.starts_with("src/: 300 files, 12000 changed lines\n./: 1 file, 0 changed lines\n"),
            "{part}"
        );
        assert_eq!(stat(" a | 3 ++-\n", 9_000), None);
    }

    /// A folder is named once where that is shorter; paths that belong to no folder keep their line.
    #[test]
    fn files_of_a_folder_are_below_it_in_their_order() {
        let file = |path: &str| format!(" {path} | 7 +++++--\n");
        let within = |folder: &str, from: usize| -> String {
            (from..from + 60).map(|n| file(&format!("{folder}part{n}.rs"))).collect()
        };
        let text = format!(
            "{}{}{} {{old => new}}/a.rs | 0\n \"src/\\303\\251.rs\" | 2 ++\n img/logo.png | Bin 0 -> 9 bytes\n img/mark.png | Bin\n 124 files changed, 602 insertions(+), 240 deletions(-)\n",
            file("README.md"),
            within("crates/shop/src/", 100),
            within("crates/shop/src/cart/", 200),
        );
        let short = stat(&text, 24_000).unwrap();
        assert!(
            short.starts_with(" README.md | 7 ++++--\n crates/shop/src/:\n  part100.rs | 7 ++++--\n"),
            "{short}"
        );
        assert!(
            short.contains("  part159.rs | 7 ++++--\n crates/shop/src/cart/:\n  part200.rs | 7 ++++--\n"),
            "{short}"
        );
        let rest = "  part259.rs | 7 ++++--\n {old => new}/a.rs | 0\n \"src/\\303\\251.rs\" | 2 ++\n img/logo.png | Bin 0 -> 9 bytes\n img/mark.png | Bin\n 124 files";
        assert!(short.contains(rest), "{short}");
        let moved = text.replace(" README.md", " src/{a => b}/c.rs | 1 +\n README.md");
        let part = stat(&moved, 1_200).unwrap();
        let counts = "\n./: 1 file, 7 changed lines\nimg/: 2 files, 0 changed lines\n3 files with a moved or quoted path\n";
        assert!(part.contains(counts), "{part}");
        // A short list stays as it came.
        let few: String = ["a", "b", "c", "d", "e"].map(|name| file(&format!("src/{name}.rs"))).concat();
        let few = format!("{few} 5 files changed, 25 insertions(+), 10 deletions(-)\n");
        assert!(stat(&few, 24_000).unwrap().starts_with(" src/a.rs | 7 ++++--\n src/b.rs"));
    }

    /// git leaves out the beginning of a long path, so that folders have no counts of their own.
    #[test]
    fn folders_of_paths_without_their_beginning_are_not_counted() {
        let text: String =
            (0..300).map(|n| format!(" .../shop/part{n}.rs | 3 +++\n src/part{n}.rs | 1 +\n")).collect();
        let text = format!("{text} 600 files changed, 1200 insertions(+)\n");
        let part = stat(&text, 2_000).unwrap();
        assert!(part.len() <= 2_000 && part.starts_with(" .../shop/part0.rs | 3\n"), "{part}");
        assert!(part.contains(" 600 files changed") && !part.contains("changed lines"), "{part}");
    }

    #[test]
    fn counts_of_any_length_are_survived() {
        let file = |n: usize| format!(" src/{}/part{n}.rs | 18446744073709551615 +\n", n % 7);
        let text: String = (0..300).map(file).collect();
        let part = stat(&format!("{text} 300 files changed, 1 insertion(+)\n"), 2_000).unwrap();
        assert!(part.len() <= 2_000 && part.contains(" 300 files changed"), "{part}");
    }

    #[test]
    fn a_merge_names_each_folder_once_and_what_it_says_around_stays() {
        let list: String = (0..400).map(|n| format!(" src/shop/cart/part{n}.rs | 3 +\n")).collect();
        let around = |list: &str| {
            format!(
                "Updating 63e295f..1213165\nFast-forward\n{list} 400 files changed, 1200 insertions(+)\n delete mode 100644 src/old.rs\n"
            )
        };
        let (out, left_out) = within_report(&around(&list), 24_000).unwrap();
        let below = list.replace(" src/shop/cart/", "  ");
        assert_eq!(out, around(&format!(" src/shop/cart/:\n{below}")));
        assert!(left_out.is_empty());
        let (out, _) = within_report(&around(&list), 3_000).unwrap();
        assert!(out.len() <= 3_000 && out.contains(" src/shop/cart/:\n  part0.rs | 3\n"), "{out}");
        assert!(out.starts_with("Updating ") && out.ends_with("\n delete mode 100644 src/old.rs\n"), "{out}");
        assert!(within_report(&around(" src/a.rs | 3 +\n"), 24_000).is_none());
    }

    #[test]
    fn a_list_of_pictures_is_one_too() {
        let text: String =
            (0..40).map(|n| format!(" img/{n}.png{} | Bin 0 -> 12{n} bytes\n", " ".repeat(40))).collect();
        let short =
            stat(&format!("{text} 40 files changed, 0 insertions(+), 0 deletions(-)\n"), 9_000).unwrap();
        assert!(
            short.starts_with(" img/0.png | Bin 0 -> 120 bytes\n") && short.lines().count() == 41,
            "{short}"
        );
    }
}
