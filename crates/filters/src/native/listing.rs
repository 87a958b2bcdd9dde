//! Lists of files. `ls -l`: details that all entries share (owner, group) are written once, link counts are dropped.
//! Plain lists of paths (`find`, `fd`, `rg --files`, `git ls-files`): each folder is named once, with the names in
//! it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::counted::counted;
use crate::data::sections::Section;
use crate::data::within;

pub(crate) fn listing(text: &str, argv: &[String], room: usize) -> Option<String> {
    let program = argv.first().map(|program| shell::base(program)).unwrap_or_default();
    if program == "ls" || text.lines().any(|line| Entry::parse(line).is_some()) {
        return long(text, room);
    }
    paths(text, room)
}

struct Entry<'t> {
    mode: &'t str,
    owner: &'t str,
    group: &'t str,
    rest: &'t str,
}

impl<'t> Entry<'t> {
    /// `-rw-r--r-- 1 ana staff 120 Nov 20 10:11 name`
    fn parse(line: &'t str) -> Option<Self> {
        let mode = line.split(' ').next()?;
        let kinds = b"-dlcbps";
        let shape = mode.len() >= 10
            && mode.len() <= 11
            && kinds.contains(&mode.as_bytes()[0])
            && mode.bytes().skip(1).take(9).all(|b| b"rwxsStT-".contains(&b));
        if !shape {
            return None;
        }
        let mut rest = line.get(mode.len()..)?.trim_start();
        let mut words = [""; 3];
        for word in &mut words {
            let (first, after) = rest.split_once(' ')?;
            *word = first;
            rest = after.trim_start();
        }
        words[0].parse::<u64>().ok()?;
        Some(Self { mode, owner: words[1], group: words[2], rest })
    }
}

fn long(text: &str, room: usize) -> Option<String> {
    let entries: Vec<Entry<'_>> = text.lines().filter_map(Entry::parse).collect();
    let first = entries.first()?;
    let common = entries.iter().all(|entry| entry.owner == first.owner && entry.group == first.group);
    let mut out = String::with_capacity(text.len());
    if common {
        let _ = writeln!(out, "all owned by {} {}", first.owner, first.group);
    }
    for line in text.lines() {
        match Entry::parse(line) {
            Some(entry) => {
                let mode = entry.mode;
                let rest: Vec<&str> = entry.rest.splitn(2, ' ').collect();
                let _ = if common {
                    write!(out, "{mode}")
                } else {
                    write!(out, "{mode} {} {}", entry.owner, entry.group)
                };
                let _ = writeln!(out, " {}", rest.join(" ").trim_start());
            }
            None if line.starts_with("total ") => {}
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    if out.len() > room {
        return Some(within(room, |room| long_part(&out, room)));
    }
    Some(out)
}

/// A long listing that does not fit: folders with how much is in them, and the first entries of each.
fn long_part(text: &str, room: usize) -> String {
    let mut sections = vec![Section::default()];
    let mut common = "";
    let (mut entries, mut bytes) = (0_usize, 0_u64);
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(folder) = line.strip_suffix(':').filter(|_| !is_entry(line)) {
            sections.push(Section { heading: folder, lines: Vec::new() });
        } else if line.starts_with("all owned by ") && sections.len() == 1 {
            common = line;
        } else if let Some(section) = sections.last_mut() {
            if is_entry(line) {
                entries += 1;
                let size = line.split(' ').find_map(|word| word.parse::<u64>().ok()).unwrap_or_default();
                bytes += if line.starts_with('-') { size } else { 0 };
            }
            section.lines.push(line.to_owned());
        }
    }
    sections.retain(|section| !section.heading.is_empty() || !section.lines.is_empty());
    let mut out = format!("{}, {bytes} bytes in files", counted(entries, "entries"));
    let _ = if common.is_empty() { writeln!(out) } else { writeln!(out, ", {common}") };
    // One folder: entries from all its parts.
    if let [only] = sections.as_slice() {
        let all = only.lines.join("\n");
        out.push_str(&crate::cap::spread(&all, usize::MAX, room.saturating_sub(out.len())));
        return out;
    }
    let left = room.saturating_sub(out.len());
    crate::data::sections::part(&sections, "entries", left, &mut out);
    out
}

fn is_entry(line: &str) -> bool {
    line.as_bytes().get(1).is_some_and(|byte| b"rwxsStT-".contains(byte)) && line.split(' ').nth(1).is_some()
}

pub(super) fn paths(text: &str, room: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    // The comments in a patch may look like paths: `-// what it does`.
    if lines.iter().any(|line| line.starts_with("@@ -")) {
        return None;
    }
    // A few paths, or other lines, stay unchanged.
    let is_message = |line: &&&str| line.contains(": ");
    let path_like = |line: &&&str| line.contains(['/', '\\']) && !is_message(line) && line.len() < 400;
    if lines.len() < 12 || lines.iter().filter(path_like).count() * 10 < lines.len() * 9 {
        return None;
    }
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut others = Vec::new();
    for line in &lines {
        // Blanks in names would make the list ambiguous: such a path stays whole.
        match line.trim_end_matches('/').rfind(['/', '\\']) {
            Some(at) if path_like(&line) && !line.contains(' ') => {
                folders.entry(&line[..=at]).or_default().push(&line[at + 1..]);
            }
            _ => others.push(*line),
        }
    }
    let count = lines.iter().filter(|line| !is_message(line)).count();
    let mut out = format!("{count} paths, by folder:\n");
    let whole: usize = folders
        .iter()
        .map(|(folder, names)| folder.len() + 2 + names.iter().map(|name| name.len() + 1).sum::<usize>())
        .sum();
    if out.len() + whole + others.iter().map(|line| line.len() + 1).sum::<usize>() <= room {
        for (folder, names) in folders {
            let _ = writeln!(out, "{folder}: {}", names.join(" "));
        }
        for line in others {
            let _ = writeln!(out, "{line}");
        }
        return Some(out);
    }
    let head = format!("{} in {}\n", counted(count, "paths"), counted(folders.len(), "folders"));
    // Only a few of them have room.
    others.sort_by_key(|line| !is_message(&line));
    Some(within(room, |room| {
        let mut out = head.clone();
        crate::data::paths::part(&folders, &others, room, &mut out);
        out
    }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn folders_are_named_once() {
        let text: String = (0..20).map(|n| format!("./src/rooms/{n}.rs\n")).collect();
        let short = super::listing(&text, &["find".into()], 9_000).unwrap();
        assert!(short.starts_with("20 paths, by folder:\n./src/rooms/: 0.rs 1.rs"), "{short}");
    }

    #[test]
    fn a_message_among_paths_is_no_path_and_is_shown_before_names() {
        let names: String = (0..400).map(|n| format!("src/part{n}/cart.go\n")).collect();
        let top: String = (0..20).map(|n| format!("cmd{n}.go\n")).collect();
        let text = format!("{names}{top}src/bad.go:3:1: expected declaration, found x\n");
        for (room, head) in [(20_000, "420 paths, by folder:\n"), (2_000, "420 paths in 400 folders\n")] {
            let short = super::listing(&text, &["gofmt".into(), "-l".into()], room).unwrap();
            assert!(short.starts_with(head), "{short}");
            assert!(short.contains("src/bad.go:3:1: expected declaration, found x\n"), "{room}: {short}");
        }
    }

    /// As `gofmt -l -d` prints it.
    #[test]
    fn a_patch_below_its_path_is_no_list() {
        let lines: String = (0..60).map(|n| format!("-// old comment {n}\n+//  new comment {n}\n")).collect();
        let patch = format!("cmd/main.go\n--- cmd/main.go.orig\n+++ cmd/main.go\n@@ -1,60 +1,60 @@\n{lines}");
        for room in [1_000, 9_000] {
            assert_eq!(super::listing(&patch, &["gofmt".into(), "-l".into()], room), None);
        }
    }

    #[test]
    fn owners_are_named_once() {
        let text = "total 8\ndrwxr-xr-x 2 ana ana 4096 Nov 20 10:11 src\n-rw-r--r-- 1 ana ana   12 Nov 20 10:12 a b.txt\n";
        assert_eq!(
            super::listing(text, &["ls".into(), "-l".into()], 9_000).unwrap(),
            "all owned by ana ana\ndrwxr-xr-x 4096 Nov 20 10:11 src\n-rw-r--r-- 12 Nov 20 10:12 a b.txt\n"
        );
    }
}
