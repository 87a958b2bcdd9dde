//! `--stat` of git: each file with its count and its bar. The columns lose their width, and bars are drawn as short
//! as possible; they are dropped if there is no room, and then files from all parts are shown. Owns these lines in
//! any output.

use std::fmt::Write as _;

use crate::cap::spread;

/// Bars are drawn in so many signs.
const BAR: usize = 6;

/// The files of `git diff --stat` in about `room` bytes.
pub(super) fn stat(text: &str, room: usize) -> Option<String> {
    let mut files = 0;
    let mut total = false;
    let mut out = String::with_capacity(text.len() / 2);
    for line in text.lines() {
        let short = line_of(line, BAR);
        files += usize::from(short.is_some());
        total |= is_total(line);
        let _ = writeln!(out, "{}", short.as_deref().unwrap_or(line));
    }
    if !total || files * 10 < text.lines().count() * 8 {
        return None;
    }
    if out.len() > room {
        out = out.lines().map(|line| line_of(line, 0).unwrap_or_else(|| line.to_owned()) + "\n").collect();
    }
    Some(if out.len() > room { spread(&out, usize::MAX, room) } else { out })
}

/// ` src/a.rs  |  12 ++++++++----` as ` src/a.rs | 12 ++++--`, with a bar of at most so many signs.
pub(super) fn line_of(line: &str, signs: usize) -> Option<String> {
    let (path, counts) = line.strip_prefix(' ')?.rsplit_once(" | ")?;
    let (count, bar) = counts.trim().split_once(' ').unwrap_or((counts.trim(), ""));
    let known = !count.is_empty()
        && count.bytes().all(|byte| byte.is_ascii_digit())
        && bar.bytes().all(|byte| b"+-".contains(&byte));
    if !known {
        return None;
    }
    let added = bar.bytes().filter(|byte| *byte == b'+').count();
    let (plus, minus) = scaled(added, bar.len() - added, signs);
    let line = format!(" {} | {count} {}{}", path.trim_end(), "+".repeat(plus), "-".repeat(minus));
    Some(line.trim_end().to_owned())
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
    use super::{line_of, stat};

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
        assert!(
            short.lines().count() == 302
                && short.contains("part299.rs | 40 +++++-\n")
                && short.len() * 2 < text.len()
        );
        let part = stat(&text, 2_000).unwrap();
        assert!(
            part.len() <= 2_000
                && part.contains("301 files changed")
                && part.contains(" src/part000.rs | 40\n"),
            "{part}"
        );
        assert_eq!(stat(" a | 3 ++-\n", 9_000), None);
    }
}
