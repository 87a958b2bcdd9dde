//! Lists of files in which each has a line, perhaps with its counts: `  - src/cart.ts (1 error, 2 warnings)`. Where they
//! don't fit, the files of a folder with the same counts share a line. Owns the form of such a list.

use std::collections::HashMap;

use crate::Left;
use crate::counted::counted;
use crate::normal;

/// Shorter lists stay as they are.
const FEW: usize = 12;
/// How many files of a folder are named where they have no counts and not all fit.
const NAMES: usize = 4;

/// A line of a list.
#[derive(Clone, Copy)]
struct Item<'t> {
    /// The blanks and the dash.
    front: &'t str,
    folder: &'t str,
    name: &'t str,
    /// `(1 error, 2 warnings)`, or nothing.
    counts: &'t str,
}

/// Whether a line may be one of such a list.
pub(crate) fn begins(line: &str) -> bool {
    item(line).is_some()
}

/// A text of more than `room` bytes with its lists of files by folder.
pub(crate) fn by_folder(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let fits = |detail: &Detail| Some(with_lists(text, *detail)).filter(|out| out.len() <= room);
    let out = [Detail::All, Detail::Counted].iter().find_map(fits);
    let out = out.unwrap_or_else(|| with_lists(text, Detail::Errors));
    (out.len() < text.len()).then(|| (out, Vec::new()))
}

/// Which files are named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    All,
    /// Few of those without counts.
    Counted,
    /// None of those whose counts have no errors, either, if there are others.
    Errors,
}

/// The text with its lists by folder.
fn with_lists(text: &str, detail: Detail) -> String {
    let mut out = String::with_capacity(text.len());
    let mut list: Vec<Item<'_>> = Vec::new();
    let mut begin = 0;
    for line in normal::lines(text) {
        let item = item(line);
        let goes_on = item.zip(list.first()).is_some_and(|(item, first)| item.front == first.front);
        if !goes_on {
            replace_list(&list, detail, begin, &mut out);
            list.clear();
            begin = out.len();
        }
        list.extend(item);
        out.extend([line, "\n"]);
    }
    replace_list(&list, detail, begin, &mut out);
    out
}

/// Writes a list by folder in place of what is in `out` from `begin` on, if that is shorter.
fn replace_list(list: &[Item<'_>], detail: Detail, begin: usize, out: &mut String) {
    if list.len() < FEW {
        return;
    }
    let mut groups: Vec<(Item<'_>, Vec<&str>)> = Vec::new();
    let mut at: HashMap<(&str, &str), usize> = HashMap::new();
    for item in list {
        let group = *at.entry((item.folder, item.counts)).or_insert_with(|| {
            groups.push((*item, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(item.name);
    }
    let has_errors = |counts: &str| counts.contains(" error");
    let errors_only = detail == Detail::Errors && groups.iter().any(|(item, _)| has_errors(item.counts));
    let (mut short, mut calm) = (String::new(), 0);
    for (Item { front, folder, counts, .. }, names) in groups {
        if errors_only && !has_errors(counts) {
            calm += names.len();
            continue;
        }
        let gap = if counts.is_empty() { "" } else { " " };
        let line = match names.as_slice() {
            [name] => format!("{front}{folder}{name}{gap}{counts}\n"),
            names => {
                let folder = if folder.is_empty() { "./" } else { folder };
                let all = detail == Detail::All || !counts.is_empty();
                let most = if all { usize::MAX } else { NAMES };
                let (named, more) = names.split_at(most.min(names.len()));
                let more = if more.is_empty() { String::new() } else { format!(", … {} more", more.len()) };
                format!("{front}{folder}{gap}{counts}: {}{more}\n", named.join(", "))
            }
        };
        short.push_str(&line);
    }
    if let Some(first) = list.first().filter(|_| calm > 0) {
        short.push_str(&format!("{}… {} without errors\n", first.front, counted(calm, "more files")));
    }
    if short.len() < out.len() - begin {
        out.truncate(begin);
        out.push_str(&short);
    }
}

fn item(line: &str) -> Option<Item<'_>> {
    let end = line.find("- ")? + 2;
    let (front, rest) = line.split_at(end);
    let (path, counts) = match rest.split_once(" (") {
        Some((path, _)) => (path, &rest[path.len() + 1..]),
        None => (rest, ""),
    };
    let (folder, name) = path.split_at(path.rfind(['/', '\\']).map_or(0, |at| at + 1));
    let is_item = front.starts_with(' ')
        && front.trim() == "-"
        && !path.contains(char::is_whitespace)
        && name.contains('.')
        && (counts.is_empty() || are_counts(counts));
    is_item.then_some(Item { front, folder, name, counts })
}

/// `(1 error, 2 warnings)`
fn are_counts(text: &str) -> bool {
    let is_count = |count: &str| {
        count.split_once(' ').is_some_and(|(number, what)| {
            !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && !what.is_empty()
                && what.bytes().all(|byte| byte.is_ascii_lowercase())
        })
    };
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|inner| inner.split(", ").all(is_count))
}

#[cfg(test)]
mod tests {
    use super::by_folder;

    #[test]
    fn files_of_a_folder_with_the_same_counts_share_a_line() {
        let counts = [" (1 error, 2 warnings)", " (1 info)", ""];
        let line = |n: usize, counts: &str| format!("  - src/part{}/file{n}.ts{counts}\n", n / 20);
        let list = |counts: &str| -> String { (0..40).map(|n| line(n, counts)).collect() };
        for counts in counts {
            let text =
                format!("files:\n  - index.ts{counts}\n{}  - other.ts\n\nFound 40 errors.\n", list(counts));
            let (out, left_out) = by_folder(&text, text.len() - 1).unwrap();
            let names =
                |from: usize| (from..from + 20).map(|n| format!("file{n}.ts")).collect::<Vec<_>>().join(", ");
            // Only where nothing has counts are both files outside of a folder alike.
            let (first, last) = match counts {
                "" => ("  - ./: index.ts, other.ts\n".to_owned(), ""),
                counts => (format!("  - index.ts{counts}\n"), "  - other.ts\n"),
            };
            assert_eq!(
                out,
                format!(
                    "files:\n{first}  - src/part0/{counts}: {}\n  - src/part1/{counts}: {}\n{last}\nFound 40 errors.\n",
                    names(0),
                    names(20)
                )
            );
            assert!(left_out.is_empty());
            for file in text.lines() {
                assert!(crate::guard::carries(&out, file), "{file}: {out}");
            }
            assert!(by_folder(&text, text.len()).is_none());
            // Files without counts give way first.
            let (out, _) = by_folder(&text, 200).unwrap();
            let brief = "  - src/part0/: file0.ts, file1.ts, file2.ts, file3.ts, … 16 more\n";
            assert_eq!(out.contains(brief), counts.is_empty(), "{out}");
            // Then those without errors.
            let errors = format!("{}{}", list(" (1 warning)").replace("file", "calm"), list(" (2 errors)"));
            let (out, _) = by_folder(&errors, 200).unwrap();
            assert!(out.contains("file39.ts") && !out.contains("calm"), "{out}");
            assert!(out.ends_with("\n  - … 40 more files without errors\n"), "{out}");
        }
    }

    #[test]
    fn other_lists_stay() {
        for line in [
            "  - a remark about cart.ts (1 error)",
            "- src/cart.ts",
            "  - src/cart.ts (see above)",
            "  - src/",
        ] {
            let text = format!("{line}\n").repeat(40);
            assert!(by_folder(&text, 100).is_none(), "{line}");
        }
    }
}
