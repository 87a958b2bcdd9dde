//! `git blame` of a file that doesn't fit: which lines are of which commit, and as many of the first lines as fit beside
//! that. Owns the form of a line, with and without the clock time that the filter's rule takes out.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use crate::Left;
use crate::counted::counted;
use crate::normal;

/// Room for a mark of what is left out, in bytes.
const MARK: usize = 24;
/// Fewer lines of the file than this aren't worth their heading.
const SOME: usize = 3;
/// Words behind an author: a date, perhaps a clock time and its zone.
const WORDS: usize = 3;

/// Brackets of a line that are tried as the end of the author, date and number.
const BRACKETS: usize = 20;

/// A line's commit, perhaps with a path, its author, and its date.
type Origin<'t> = (&'t str, &'t str, &'t str);

/// Whether a line is one of `git blame`.
pub(crate) fn begins(line: &str) -> bool {
    parsed(line).is_some()
}

/// The lines of each commit by their numbers, if `text` has more than `room` bytes and nothing but lines of one `git blame`.
pub(crate) fn by_commit(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut origins: Vec<(Origin<'_>, Vec<usize>)> = Vec::new();
    let mut at: HashMap<Origin<'_>, usize> = HashMap::new();
    let mut last = 0;
    for line in &lines {
        let (origin, number) = parsed(line)?;
        // Another file's lines: their numbers would be read as this one's.
        if number <= last {
            return None;
        }
        last = number;
        let origin = *at.entry(origin).or_insert_with(|| {
            origins.push((origin, Vec::new()));
            origins.len() - 1
        });
        origins[origin].1.push(number);
    }
    origins.sort_by_key(|(_, numbers)| Reverse(numbers.len()));
    // A commit whose lines come from several files has a row for each.
    let commits: HashSet<&str> = origins.iter().map(|((commit, ..), _)| hash(commit)).collect();
    let mut out = format!(
        "{} of {}, those with the most lines first:\n",
        counted(lines.len(), "lines"),
        counted(commits.len(), "commits")
    );
    let mut shown = 0;
    for ((commit, author, date), numbers) in &origins {
        let row = format!("{commit} {author} {date}: {}\n", ranges(numbers));
        let mark = if shown + 1 < origins.len() { MARK } else { 0 };
        if out.len() + row.len() + mark > room {
            break;
        }
        out.push_str(&row);
        shown += 1;
    }
    match origins.len() - shown {
        _ if shown == 0 => return None,
        0 => push_first(&mut out, &lines, room),
        more => {
            let rows = if commits.len() == origins.len() { "more commits" } else { "more rows" };
            let _ = writeln!(out, "… {}", counted(more, rows));
        }
    }
    Some((out, Vec::new()))
}

/// As many of the first lines as fit in `room` bytes.
fn push_first(out: &mut String, lines: &[&str], room: usize) {
    const TITLE: &str = "the first lines:\n";
    let mut left = room.saturating_sub(out.len() + TITLE.len() + MARK);
    let fits = |line: &&&str| {
        let rest = left.checked_sub(line.len() + 1);
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let count = lines.iter().take_while(fits).count();
    if count < SOME {
        return;
    }
    out.push_str(TITLE);
    lines[..count].iter().for_each(|line| out.extend([*line, "\n"]));
    if count < lines.len() {
        let _ = writeln!(out, "… {}", counted(lines.len() - count, "more lines"));
    }
}

/// `3, 7-9, 12`.
fn ranges(numbers: &[usize]) -> String {
    let mut out = String::new();
    for run in numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next)) {
        let joint = if out.is_empty() { "" } else { ", " };
        let _ = match run {
            [first, .., last] => write!(out, "{joint}{first}-{last}"),
            [one] => write!(out, "{joint}{one}"),
            [] => Ok(()),
        };
    }
    out
}

/// `1ad7ac737f (Ana Lima 2026-11-20 12) code` or `1ad7ac737f cart.py (Ana Lima   2026-11-20 10:11:12 +0100  12) code`.
fn parsed(line: &str) -> Option<(Origin<'_>, usize)> {
    let (commit, rest) = line.split_once(" (")?;
    let hash = hash(commit).trim_start_matches('^');
    if !(7..=40).contains(&hash.len()) || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    // An author may have a bracket in the name.
    let (author, date, number) =
        rest.match_indices(')').take(BRACKETS).find_map(|(end, _)| author(&rest[..end]))?;
    Some(((commit.trim_end(), author, date), number))
}

/// The hash of a commit that may have a path behind it.
fn hash(commit: &str) -> &str {
    commit.split(' ').next().unwrap_or(commit)
}

/// The author, the date and the number in `Ana Lima   2026-11-20 10:11:12 +0100  12`.
fn author(inside: &str) -> Option<(&str, &str, usize)> {
    let (mut before, number) = inside.rsplit_once(' ')?;
    let number = number.parse().ok()?;
    for _ in 0..WORDS {
        let (rest, word) = before.trim_end().rsplit_once(' ')?;
        if is_date(word) {
            return Some((rest.trim_end(), word, number));
        }
        before = rest;
    }
    None
}

/// `2026-11-20`.
fn is_date(word: &str) -> bool {
    word.len() == 10
        && word.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::{by_commit, parsed};

    /// 400 lines, each twenty of one of seven commits. Words of failure in a file mean nothing.
    fn blame() -> String {
        let line = |n: usize| {
            let commit = n / 20 % 7;
            format!(
                "{:08x} (Ana Lima   2026-11-{:02} 10:11:12 +0100 {n:>3})   catch (error) {{ // {n}\n",
                0x1234_5670 + commit,
                commit + 1
            )
        };
        (1..=400).map(line).collect()
    }

    #[test]
    fn lines_that_do_not_fit_are_numbers_beside_their_commits() {
        let text = blame();
        let (short, _) = by_commit(&text, 1_000).unwrap();
        assert!(short.len() <= 1_000, "{}", short.len());
        assert!(
            short.starts_with(
                "400 lines of 7 commits, those with the most lines first:\n12345671 Ana Lima 2026-11-02: 20-39, 160-179, 300-319\n"
            ),
            "{short}"
        );
        let beginning = "\n12345676 Ana Lima 2026-11-07: 120-139, 260-279, 400\nthe first lines:\n12345670 (Ana Lima   2026-11-01 10:11:12 +0100   1)   catch (error) { // 1\n";
        assert!(short.contains(beginning), "{short}");
        let begun = short.matches("catch (error)").count();
        assert!(begun >= 3 && short.ends_with(&format!("\n… {} more lines\n", 400 - begun)), "{short}");
    }

    #[test]
    fn commits_that_do_not_fit_are_counted() {
        let text = blame();
        for room in [160, 240, 300, 360] {
            let (short, _) = by_commit(&text, room).unwrap();
            let shown = short.lines().filter(|line| line.contains(" Ana Lima ")).count();
            assert!(short.len() <= room && (1..7).contains(&shown), "{room}: {short}");
            let more = if shown == 6 {
                "… 1 more commit\n".to_owned()
            } else {
                format!("… {} more commits\n", 7 - shown)
            };
            assert!(short.ends_with(&more), "{room}: {short}");
        }
        assert_eq!(by_commit(&text, 60), None);
        assert_eq!(by_commit(&text, text.len()), None);
        assert_eq!(by_commit(&(text + "fatal: no such path 'cart.py' in HEAD\n"), 1_000), None);
    }

    /// With `-C` git finds lines of a commit in several files.
    #[test]
    fn a_commit_with_several_files_is_counted_once() {
        let line = |n: usize| {
            let file = ["cart", "stock"][n % 2];
            format!("{:08x} lib/{file}.js (Ana Lima 2026-11-02 {n}) add({n})\n", 0x1234_5670 + n / 100)
        };
        let text: String = (1..300).map(line).collect();
        let (short, _) = by_commit(&text, 4_000).unwrap();
        assert!(short.starts_with("299 lines of 3 commits, "), "{short}");
        assert!(short.contains("\n12345670 lib/cart.js Ana Lima 2026-11-02: 2, 4, 6"), "{short}");
        assert!(short.contains("\n12345670 lib/stock.js Ana Lima 2026-11-02: 1, 3, 5"), "{short}");
        let (short, _) = by_commit(&text, 1_000).unwrap();
        assert!(short.ends_with("\n… 3 more rows\n"), "{short}");
    }

    #[test]
    fn lines_of_two_files_are_not_those_of_one() {
        assert_eq!(by_commit(&(blame() + &blame()), 1_000), None);
    }

    #[test]
    fn each_form_of_a_line_is_read() {
        for (line, read) in [
            ("^b7a9b65 (Ana Lima 2025-10-21 2)", (("^b7a9b65", "Ana Lima", "2025-10-21"), 2)),
            (
                "1ad7ac737f lib/cart.js (Ana (works)  2026-11-20 10:11:12 +0100  12) add(1)",
                (("1ad7ac737f lib/cart.js", "Ana (works)", "2026-11-20"), 12),
            ),
        ] {
            assert_eq!(parsed(line), Some(read), "{line}");
        }
        for line in ["1ad7ac737f (12)", "cafe (Ana 2025-10-21 2) x", "1ad7ac737f (Ana 2025-10-21) x", "é (Ä)"]
        {
            assert_eq!(parsed(line), None, "{line}");
        }
    }
}
