//! After an agent reads a large file whole, tells it where the definitions are, if the index has the file unchanged; once a
//! session, and again after a change. Reads one file's definition rows.

use std::fmt::Write as _;
use std::path::Path;

use code::OutlineEntry;
use system::ModelContext;

use super::{MAX_BYTES, Near};

/// Smaller files are read without an outline.
const LARGE: u64 = 50 * 1024;
/// Fewer definitions say nothing that reading does not.
const FEW: usize = 3;
/// The bytes of the shortest line: its end, a number, a kind and a name.
const LEAST_LINE: usize = 8;

pub(super) fn tell(near: &Near<'_>, path: &Path) -> Option<ModelContext> {
    let relative = near.relative(path)?;
    let meta = std::fs::metadata(near.root.join(&relative)).ok()?;
    if !meta.is_file() || meta.len() < LARGE {
        return None;
    }
    let known = near.store.definitions_of(&relative).ok()??;
    if !known.is_unchanged(&meta) {
        return None;
    }
    let text = outline(&relative, &known.definitions)?;
    let changed = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_millis();
    if !near.first_time(&format!("outline {relative} {} {changed}", meta.len())) {
        return None;
    }
    Some(ModelContext { text, reason: "outline of a large file", ledger_name: "outline" })
}

/// The definitions with their lines: all where they fit, else those without fields, else the outer ones, else as many of those as
/// fit, from the file's beginning to its end: the first ones alone would say nothing about the rest of a flat file.
fn outline(path: &str, all: &[OutlineEntry]) -> Option<String> {
    if all.len() < FEW {
        return None;
    }
    let outer: Vec<&OutlineEntry> = all.iter().filter(|one| one.container.is_empty()).collect();
    let fits = |list: &[&OutlineEntry], rest: &str| {
        if list.len() > MAX_BYTES / LEAST_LINE {
            return None;
        }
        let text = lines(path, list, all.len(), rest);
        (text.len() <= MAX_BYTES).then_some(text)
    };
    let every: Vec<&OutlineEntry> = all.iter().collect();
    let apart: Vec<&OutlineEntry> = all.iter().filter(|one| !one.kind.is_part()).collect();
    let list = if outer.len() >= FEW { outer } else { every.clone() };
    // A line has some bytes, so that of many entries only a few can fit.
    let most = list.len().min(MAX_BYTES / LEAST_LINE);
    fits(&every, "more")
        .or_else(|| fits(&apart, "more").filter(|_| apart.len() >= FEW))
        .or_else(|| fits(&list, "more"))
        .or_else(|| (1..=most).rev().find_map(|count| fits(&spread(&list, count), "more in between")))
}

/// `count` of a list at equal distances, with the first and the last one.
fn spread<'a>(list: &[&'a OutlineEntry], count: usize) -> Vec<&'a OutlineEntry> {
    let (gaps, last) = (count.saturating_sub(1).max(1), list.len().saturating_sub(1));
    (0..count.min(list.len())).map(|at| list[at * last / gaps]).collect()
}

fn lines(path: &str, list: &[&OutlineEntry], all: usize, rest: &str) -> String {
    let mut out = format!("Definitions in {path}, by line:");
    for one in list {
        let _ = write!(out, "\n{} {} {}", one.line, one.kind.name(), one.name);
    }
    if list.len() < all {
        let _ = write!(out, "\n… {} {rest}", all - list.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use code::Kind;

    use super::*;

    fn all(count: u32) -> Vec<OutlineEntry> {
        let one = |line: u32| OutlineEntry {
            name: format!("a_rather_long_name_{line}"),
            kind: Kind::from_name(if line.is_multiple_of(4) { "class" } else { "method" }).unwrap(),
            container: if line.is_multiple_of(4) { String::new() } else { "Some.Type".to_owned() },
            line,
        };
        (1..=count).map(one).collect()
    }

    #[test]
    fn an_outline_never_has_more_than_its_share_and_says_what_it_leaves_out() {
        assert_eq!(outline("src/big.ts", &all(2)), None);
        for count in [3, 10, 100, 4_000] {
            let text = outline("src/big.ts", &all(count)).unwrap();
            assert!(text.len() <= MAX_BYTES, "{} bytes", text.len());
            assert_eq!(text.contains("more"), count > 10, "{text}");
        }
        let many = all(30_000);
        let began = std::time::Instant::now();
        assert!(outline("src/big.ts", &many).unwrap().ends_with(" more in between"));
        assert!(began.elapsed() < std::time::Duration::from_secs(2), "a hook has no time for more");
        assert!(outline("src/big.ts", &all(100)).unwrap().contains("\n4 class a_rather_long_name_4"));
    }

    #[test]
    fn an_outline_samples_the_whole_length_of_a_flat_file() {
        let flat = |line: u32| OutlineEntry {
            name: format!("part_{line}"),
            kind: Kind::from_name("function").unwrap(),
            container: String::new(),
            line,
        };
        for count in [40, 90, 2_000] {
            let all: Vec<OutlineEntry> = (1..=count).map(flat).collect();
            let text = outline("src/flat.c", &all).unwrap();
            assert!(text.len() <= MAX_BYTES, "{} bytes", text.len());
            let named: Vec<u32> =
                text.lines().filter_map(|line| line.split_once(" function ")?.0.parse().ok()).collect();
            assert_eq!((named.first(), named.last()), (Some(&1), Some(&count)), "{text}");
            let gaps = || named.windows(2).map(|two| two[1] - two[0]);
            assert!(gaps().max().unwrap() <= gaps().min().unwrap() + 1, "{named:?}");
            let more = format!("… {} more in between", count as usize - named.len());
            assert!(text.ends_with(&more), "{text}");
        }
    }
}
