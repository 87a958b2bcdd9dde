//! `git log` in its long form: one line per commit (hash, day and minute, author, subject) and the body below it.
//! Text after a message stays unchanged, except for the bars after the counts of `--stat`, which are drawn shorter
//! and dropped if there is no room.

use std::fmt::Write as _;

use super::stat;
use crate::cap::spread;
use crate::compact;

/// Bars are drawn in so many signs.
const BAR: usize = 6;

#[derive(Default)]
struct Commit<'t> {
    hash: &'t str,
    refs: &'t str,
    author: &'t str,
    date: String,
    merge: &'t str,
}

pub(crate) fn git_log(text: &str, room: usize) -> Option<String> {
    // A patch's context looks like a message's body; a log with patches is left to others.
    if text.lines().any(|line| line.starts_with("diff --") || line.starts_with("@@ ")) {
        return None;
    }
    let mut out = String::with_capacity(text.len() / 2);
    let mut commit: Option<Commit<'_>> = None;
    let mut subject_due = false;
    let mut commits = 0;
    for line in text.lines() {
        if let Some((hash, refs)) = head(line) {
            if subject_due {
                finish(&mut out, commit.take(), "");
            }
            commits += 1;
            commit = Some(Commit { hash, refs, ..Commit::default() });
            subject_due = true;
            continue;
        }
        if subject_due && let Some(open) = commit.as_mut() {
            if let Some(author) = line.strip_prefix("Author:") {
                open.author = author.split('<').next().unwrap_or(author).trim();
            } else if let Some(date) = line.strip_prefix("Date:").or_else(|| line.strip_prefix("AuthorDate:"))
            {
                open.date = short_date(date.trim());
            } else if let Some(merge) = line.strip_prefix("Merge: ") {
                open.merge = merge;
            } else if let Some(subject) = line.strip_prefix("    ") {
                finish(&mut out, commit.take(), subject.trim_end());
                subject_due = false;
            } else if !line.is_empty() {
                // `--format=fuller` and others print more; nothing is lost.
                let _ = writeln!(out, "{line}");
            }
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        match line.strip_prefix("    ") {
            Some(body) => {
                let _ = writeln!(out, "  {}", body.trim_end());
            }
            None => {
                let short = stat::line_of(line, BAR);
                let _ = writeln!(out, "{}", short.as_deref().unwrap_or(line));
            }
        }
    }
    if subject_due {
        finish(&mut out, commit.take(), "");
    }
    if out.len() > room {
        out = out
            .lines()
            .map(|line| stat::line_of(line, 0).unwrap_or_else(|| line.to_owned()) + "\n")
            .collect();
    }
    (commits > 0).then_some(out)
}

/// The same with the files that each commit changed (`--name-status`), by folder; also without any commit.
pub(crate) fn changes(text: &str, room: usize) -> Option<String> {
    let log = git_log(text, room);
    let out = compact::changes(log.as_deref().unwrap_or(text)).or(log)?;
    Some(if out.len() > room { spread(&out, usize::MAX, room) } else { out })
}

/// The hash of a `commit …` line, and the names in brackets behind it.
fn head(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("commit ")?;
    let (hash, refs) = rest.split_once(' ').unwrap_or((rest, ""));
    (hash.len() >= 7 && hash.bytes().all(|b| b.is_ascii_hexdigit())).then_some((hash, refs))
}

fn finish(out: &mut String, commit: Option<Commit<'_>>, subject: &str) {
    let Some(commit) = commit else { return };
    let hash = commit.hash.get(..10).unwrap_or(commit.hash);
    let _ = write!(out, "{hash}");
    for part in [commit.date.as_str(), commit.author, commit.refs] {
        if !part.is_empty() {
            let _ = write!(out, " {part}");
        }
    }
    if !commit.merge.is_empty() {
        let _ = write!(out, " (merge {})", commit.merge);
    }
    let _ = writeln!(out, ": {subject}");
}

/// `Fri Nov 20 10:11:12 2026 +0100` as `2026-11-20 10:11`; any other form as it is.
fn short_date(date: &str) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = date.split_whitespace().collect();
    if let [_, month, day, time, year, ..] = words[..]
        && let Some(month) = MONTHS.iter().position(|known| *known == month)
        && let (Ok(day), Some(minute)) = (day.parse::<u32>(), time.get(..5))
        && year.len() == 4
    {
        return format!("{year}-{:02}-{day:02} {minute}", month + 1);
    }
    date.to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_line_per_commit_and_its_body() {
        let text = "commit 0123456789abcdef0123456789abcdef01234567 (HEAD -> main)\nAuthor: Ana <ana@example.org>\nDate:   Fri Nov 20 10:11:12 2026 +0100\n\n    Subject\n\n    Body line\n\ncommit fedcba9876543210fedcba9876543210fedcba98\nAuthor: Omar <omar@example.org>\nDate:   Thu Nov 19 09:00:00 2026 +0100\n\n    Other\n";
        assert_eq!(
            super::git_log(text, 9_000).unwrap(),
            "0123456789 2026-11-20 10:11 Ana (HEAD -> main): Subject\n  Body line\nfedcba9876 2026-11-19 09:00 Omar: Other\n"
        );
        assert_eq!(super::git_log("0123456 Subject\n", 9_000), None);
    }
    #[test]
    fn bars_are_dropped_where_room_is_short() {
        let text = "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: Ana <ana@example.org>\nDate:   Fri Nov 20 10:11:12 2026 +0100\n\n    Subject\n\n src/a b.rs      |  12 +++++++-----\n img.png         | Bin 0 -> 12 bytes\n 2 files changed, 7 insertions(+), 5 deletions(-)\n";
        assert_eq!(
            super::git_log(text, 90).unwrap(),
            "0123456789 2026-11-20 10:11 Ana: Subject\n src/a b.rs | 12\n img.png         | Bin 0 -> 12 bytes\n 2 files changed, 7 insertions(+), 5 deletions(-)\n"
        );
    }
}
