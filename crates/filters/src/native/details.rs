//! Lists of files of which each line has a path at its end and details before it (`tar -tv`, `unzip -l`, `find -ls`):
//! each folder is named once, with the names in it and the details that differ; details that all share are written
//! once. Owns finding where in a line the path begins: after a time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::data::within;

/// Lines that are a list of files, and lines that may be around it.
const FILES: usize = 12;
const AROUND: usize = 6;
/// Words of details at most.
const MOST: usize = 12;

/// The largest files that are named in a list that doesn't fit, and in how little room, in bytes.
const LARGEST: usize = 3;
const LITTLE: usize = 4_000;

/// A file, or a folder.
struct Entry<'t> {
    details: Vec<&'t str>,
    folder: &'t str,
    name: &'t str,
}

impl<'t> Entry<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let mut details = Vec::new();
        let mut rest = line.trim_start();
        loop {
            let (word, after) = rest.split_once(' ')?;
            details.push(word);
            rest = after.trim_start();
            if is_time(word) || is_year(&details) {
                break;
            }
            if details.len() > MOST {
                return None;
            }
        }
        if let Some((zone, after)) = rest.split_once(' ').filter(|(word, _)| is_zone(word)) {
            details.push(zone);
            rest = after.trim_start();
        } else if let Some((zone, year, after)) = zone_and_year(rest) {
            details.extend([zone, year]);
            rest = after.trim_start();
        }
        let path = rest;
        // A link's target isn't part of its path.
        let own = path.split(" -> ").next()?;
        let at = own.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
        let (folder, name) = (&path[..at], &path[at..]);
        // A message of a log has a time before it, too.
        let sized =
            details.len() > 2 && details.iter().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        (sized && !name.is_empty() && !folder.contains(' ')).then_some(Self { details, folder, name })
    }

    /// Its size in bytes: behind its owner where its mode is printed, and first in an archive's list without modes. A first
    /// number elsewhere may be anything, such as the number of an inode.
    fn size(&self, of_archive: bool) -> Option<u64> {
        let is_mode = |word: &&str| matches!(word.len(), 10 | 11) && word.starts_with(['-', 'd', 'l']);
        let at = match self.details.iter().position(is_mode) {
            // `ana/ana`, or the number of links, the owner and the group.
            Some(mode) if self.details.get(mode + 1)?.contains('/') => mode + 2,
            Some(mode) => mode + 4,
            None if of_archive || self.ends_with_year() => 0,
            None => return None,
        };
        self.details.get(at)?.parse().ok()
    }

    /// Whether its time is written as `jar` does.
    fn ends_with_year(&self) -> bool {
        let is_zone = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase());
        self.details.len() > 2 && self.details.iter().nth_back(1).is_some_and(is_zone)
    }

    fn is_folder(&self) -> bool {
        self.name.ends_with('/')
            || self.details.iter().any(|word| word.len() == 10 && word.starts_with("drwx"))
    }
}

/// `10:11`, `10:11:12`, with or without a fraction.
fn is_time(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 5
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            2 | 5 => *byte == b':',
            8 => *byte == b'.',
            _ => byte.is_ascii_digit(),
        })
}

/// The year in `Nov 20 2024`, where other files have a time.
fn is_year(words: &[&str]) -> bool {
    let [.., month, day, year] = words else { return false };
    let figures = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    year.len() == 4
        && figures(year)
        && figures(day)
        && month.len() == 3
        && month.starts_with(|c: char| c.is_ascii_uppercase())
}

/// `+0100`, which may follow a time.
fn is_zone(word: &str) -> bool {
    word.len() == 5 && word.starts_with(['+', '-']) && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}

/// `UTC 2026`, which follow a time as `date` and `jar` write it, and what is behind them.
fn zone_and_year(rest: &str) -> Option<(&str, &str, &str)> {
    let (zone, after) = rest.split_once(' ')?;
    let (year, path) = after.split_once(' ')?;
    let is_name = (3..=5).contains(&zone.len()) && zone.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    (is_name && is_year).then_some((zone, year, path))
}

/// A list of files with details in at most about `room` bytes.
pub(super) fn summary(text: &str, room: usize) -> Option<String> {
    let (mut entries, mut others) = (Vec::new(), Vec::new());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match Entry::parse(line) {
            Some(entry) => entries.push(entry),
            None => others.push(line),
        }
        if others.len() > AROUND.max(entries.len()) {
            return None;
        }
    }
    let inside = entries.iter().filter(|entry| !entry.folder.is_empty()).count();
    let width = entries.first()?.details.len();
    let alike = entries.iter().all(|entry| entry.details.len() == width);
    if entries.len() < FILES || others.len() > AROUND || inside * 2 < entries.len() || !alike {
        return None;
    }
    let whole = whole(&entries, &others);
    if whole.len() <= room {
        return (whole.len() < text.len()).then_some(whole);
    }
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| !entry.is_folder()) {
        folders.entry(entry.folder).or_default().push(entry.name);
    }
    // `unzip -l` has this heading.
    let of_archive = others.iter().any(|line| line.trim_start().starts_with("Length "));
    let head = totals(&entries, of_archive, room);
    Some(within(room, |room| {
        let mut out = head.clone();
        crate::data::paths::part(&folders, &others, room, &mut out);
        out
    }))
}

/// How many entries there are, and in little room the bytes of all files, where they are printed, and the largest ones.
/// In more room more names are worth more.
fn totals(entries: &[Entry<'_>], of_archive: bool, room: usize) -> String {
    let count = entries.len();
    let files = entries.iter().filter(|entry| !entry.is_folder());
    let Some(mut sized) = files
        .map(|entry| Some((entry.size(of_archive)?, entry)))
        .collect::<Option<Vec<_>>>()
        .filter(|all| !all.is_empty() && room < LITTLE)
    else {
        return format!("{count} entries, details left out\n");
    };
    let bytes = sized.iter().fold(0_u64, |sum, (size, _)| sum.saturating_add(*size));
    sized.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let largest =
        sized.iter().take(LARGEST).map(|(size, entry)| format!("{size} {}{}", entry.folder, entry.name));
    let largest = format!("largest: {}\n", largest.collect::<Vec<_>>().join(", "));
    let largest = if largest.len() <= room / 5 { largest.as_str() } else { "" };
    format!("{count} entries, {bytes} bytes in files, other details left out\n{largest}")
}

fn whole(entries: &[Entry<'_>], others: &[&str]) -> String {
    let (mut out, mut below) = (String::new(), String::new());
    let _ = writeln!(out, "{} entries; each with what differs of its details", entries.len());
    let kinds = [(false, "files"), (true, "folders")];
    let same = kinds.map(|(folders, what)| {
        let of_kind: Vec<&Entry<'_>> = entries.iter().filter(|entry| entry.is_folder() == folders).collect();
        let width = of_kind.first().map_or(0, |entry| entry.details.len());
        let same: Vec<bool> = (0..width)
            .map(|at| of_kind.iter().all(|one| one.details[at] == of_kind[0].details[at]))
            .collect();
        if let Some(first) = of_kind.first() {
            let words = first.details.iter().zip(&same).map(|(word, same)| if *same { word } else { "…" });
            let _ = writeln!(out, "{} {what}: {}", of_kind.len(), words.collect::<Vec<_>>().join(" "));
        }
        same
    });
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for entry in entries {
        let same = &same[usize::from(entry.is_folder())];
        let details = entry.details.iter().zip(same).filter(|(_, same)| !**same).map(|(word, _)| *word);
        let own: Vec<&str> = details.chain([entry.name]).collect();
        rows.entry(entry.folder).or_default().push(own.join(" "));
    }
    for (folder, names) in rows {
        let _ = writeln!(below, "{}: {}", if folder.is_empty() { "./" } else { folder }, names.join(", "));
    }
    others.iter().for_each(|line| out.extend([*line, "\n"]));
    out + &below
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn each_folder_is_named_once_and_no_file_detail_is_lost() {
        let tar = |n: usize| {
            format!("-rw-r--r-- ana/ana {:>9} 2026-11-20 10:11 shop/src/part{}/file {n}.rs\n", n * 7, n % 3)
        };
        let zip = |n: usize| format!("{:>9}  2026-11-20 10:11   shop/src/part{}/file {n}.rs\n", n * 7, n % 3);
        let find = |n: usize| {
            format!(
                "  {} {:>4} -rw-r--r-- 1 ana ana {} Nov 20 10:11 ./shop/part{}/file {n}.rs\n",
                4_000 + n,
                8,
                n * 7,
                n % 3
            )
        };
        let jar = |n: usize| {
            format!("{:>6} Wed Oct 01 01:48:56 UTC 2025 shop/src/part{}/file {n}.rs\n", n * 7, n % 3)
        };
        for form in [tar as fn(usize) -> String, zip, find, jar] {
            let text: String = (0..60).map(form).collect();
            let short = summary(&text, 20_000).unwrap();
            assert!(short.len() * 2 < text.len(), "{short}");
            assert!((0..60).all(|n| short.contains(&format!(" {} file {n}.rs", n * 7))), "{short}");
            assert!(short.starts_with("60 entries") && short.matches("part1/: ").count() == 1, "{short}");
        }
        for form in [tar as fn(usize) -> String, zip, find, jar] {
            let list: String = (0..900).map(form).collect();
            let heading = if form(1) == zip(1) { "  Length      Date    Time    Name\n" } else { "" };
            let part = summary(&format!("{heading}{list}"), 2_000).unwrap();
            let named = part.lines().nth(1).unwrap_or_default();
            assert!(part.len() <= 2_000, "{part}");
            assert!(
                part.starts_with("900 entries, 2831850 bytes in files, other details left out\n"),
                "{part}"
            );
            assert!(
                named.starts_with("largest: 6293 ") && named.contains("/part2/file 899.rs, 6286 "),
                "{part}"
            );
        }
        // Numbers of inodes aren't bytes.
        let list: String = (0..900).map(zip).collect();
        let part = summary(&list, 2_000).unwrap();
        assert!(part.starts_with("900 entries, details left out\n"), "{part}");
        for other in [
            "2026-11-20 10:11:12 INFO a line of a log/with a sign\n",
            "src/a.rs\n",
            "10:11 src/a.rs has changed\n",
        ] {
            assert_eq!(summary(&other.repeat(40), 20_000), None, "{other}");
        }
    }
}
