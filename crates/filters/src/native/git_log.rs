//! `git log` in its long form: one line per commit (hash, day and minute, author, subject) and the body below it.
//! Text after a message stays unchanged, except for the bars after the counts of `--stat`, which are drawn shorter
//! and dropped if there is no room. Owns what goes first where commits don't fit: bodies, then dates and authors.

use std::fmt::Write as _;

use super::stat;
use crate::cap::spread;
use crate::compact;
use crate::counted::counted;

/// Bars are drawn in so many signs.
const BAR: usize = 6;
/// Longest line of a commit without its date and author, in bytes.
const WIDTHS: [usize; 6] = [92, 76, 60, 44, 32, 26];
/// What is behind a subject whose body is left out.
const MORE: &str = " […]";
/// How git's own words may begin that are printed before the first commit.
const WORDS: [&str; 4] = ["warning: ", "error: ", "fatal: ", "hint: "];
/// How lines of `--format=raw` begin.
const RAW: [&str; 4] = ["tree ", "parent ", "author ", "committer "];

#[derive(Default)]
struct Commit<'t> {
    hash: &'t str,
    refs: &'t str,
    author: Option<&'t str>,
    date: String,
    merge: &'t str,
    committer: &'t str,
    committed: String,
    /// Those that were left out of the author's date and of the committer's.
    zones: (&'t str, &'t str),
    /// What some options print between the hash and the author, such as a signature.
    more: Vec<&'t str>,
}

pub(crate) fn git_log(text: &str, room: usize) -> Option<String> {
    // A patch's context looks like a message's body; a log with patches is left to others.
    if text.lines().any(|line| line.starts_with("diff --") || line.starts_with("@@ ")) {
        return None;
    }
    let mut out = String::with_capacity(text.len() / 2);
    let mut commit: Option<Commit<'_>> = None;
    let mut subject_due = false;
    // A format of the user's own may have words and messages in front of a line that looks like a commit's.
    let begins =
        text.lines().find(|line| !line.trim().is_empty() && !WORDS.iter().any(|word| line.starts_with(word)));
    begins.and_then(head)?;
    let mut subjects: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        if let Some((hash, refs)) = head(line) {
            if subject_due {
                finish(&mut out, commit.take(), "")?;
            }
            subjects.push((hash, ""));
            commit = Some(Commit { hash, refs, ..Commit::default() });
            subject_due = true;
            continue;
        }
        if subject_due && let Some(open) = commit.as_mut() {
            if let Some(author) = line.strip_prefix("Author:") {
                open.author = Some(name(author));
            } else if let Some(committer) = line.strip_prefix("Commit:") {
                open.committer = name(committer);
            } else if let Some(date) = line.strip_prefix("CommitDate:") {
                (open.committed, open.zones.1) = short_date(date.trim());
            } else if let Some(date) = line.strip_prefix("Date:").or_else(|| line.strip_prefix("AuthorDate:"))
            {
                (open.date, open.zones.0) = short_date(date.trim());
            } else if let Some(merge) = line.strip_prefix("Merge: ") {
                open.merge = merge;
            } else if let Some(subject) = line.strip_prefix("    ") {
                finish(&mut out, commit.take(), subject.trim_end())?;
                if let Some((_, said)) = subjects.last_mut() {
                    *said = subject.trim_end();
                }
                subject_due = false;
            } else if RAW.iter().any(|word| line.starts_with(word)) {
                return None;
            } else if !line.is_empty() {
                open.more.push(line);
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
        finish(&mut out, commit.take(), "")?;
    }
    if out.len() > room {
        out = out
            .lines()
            .map(|line| stat::line_of(line, 0).unwrap_or_else(|| line.to_owned()) + "\n")
            .collect();
        out = if out.len() > room { within(&out, &subjects, room).unwrap_or(out) } else { out };
    }
    Some(out)
}

/// The commits of `log`, whose hashes and subjects are `subjects`, without what doesn't fit in `room` bytes, as far as less of
/// each makes them fit; `None` if there is more than commits and their messages.
fn within(log: &str, subjects: &[(&str, &str)], room: usize) -> Option<String> {
    let mut commits: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in log.lines() {
        let hash = subjects.get(commits.len()).map(|(hash, _)| short_hash(hash));
        match commits.last_mut() {
            Some((_, body)) if line.starts_with("  ") => body.push(line),
            _ if hash.is_some_and(|hash| line.starts_with(hash)) => commits.push((line, Vec::new())),
            _ => return None,
        }
    }
    let title = format!("{}; […] stands for the rest of a message\n", counted(subjects.len(), "commits"));
    let least: usize = commits.iter().map(|(head, _)| head.len() + MORE.len() + 1).sum();
    if let Some(mut left) = room.checked_sub(title.len() + least) {
        let mut out = title;
        for (head, body) in &commits {
            let length: usize = body.iter().map(|line| line.len() + 1).sum();
            out.push_str(head);
            if length > left {
                out.push_str(MORE);
            } else {
                left -= length;
                body.iter().for_each(|line| out.extend(["\n", *line]));
            }
            out.push('\n');
        }
        return Some(out);
    }
    let cut = WIDTHS.into_iter().find_map(|width| {
        let mut out = format!(
            "{}, lines cut at {width} bytes; all but hashes and subjects is left out\n",
            counted(subjects.len(), "commits")
        );
        for (hash, subject) in subjects {
            let line = format!("{} {subject}", hash.get(..8).unwrap_or(hash));
            let end = line.floor_char_boundary(width);
            let _ = writeln!(out, "{}{}", &line[..end], if end < line.len() { "…" } else { "" });
        }
        (out.len() <= room).then_some(out)
    });
    Some(cut.unwrap_or_else(|| {
        // Of more commits the caller shows some.
        let title =
            format!("{}; the rest of their messages is left out\n", counted(subjects.len(), "commits"));
        commits.iter().fold(title, |out, (head, _)| out + *head + "\n")
    }))
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

/// A person without the mail.
fn name(person: &str) -> &str {
    person.split('<').next().unwrap_or(person).trim()
}

fn short_hash(hash: &str) -> &str {
    hash.get(..10).unwrap_or(hash)
}

/// Writes `commit` with its subject, and below them what was printed above its author; `None` if it has no author, as in a format
/// of the user's own, whose lines may be anything.
fn finish(out: &mut String, commit: Option<Commit<'_>>, subject: &str) -> Option<()> {
    let commit = commit?;
    let author = commit.author?;
    // Two times can't be compared without their zones where these differ.
    let is_apart = !commit.committed.is_empty() && commit.zones.0 != commit.zones.1;
    let zones = if is_apart { commit.zones } else { ("", "") };
    let date = format!("{} {}", commit.date, zones.0);
    let committed = format!("{} {}", commit.committed, zones.1);
    let (date, committed) = (date.trim(), committed.trim());
    out.push_str(short_hash(commit.hash));
    for part in [date, author, commit.refs] {
        if !part.is_empty() {
            let _ = write!(out, " {part}");
        }
    }
    if !commit.merge.is_empty() {
        let _ = write!(out, " (merge {})", commit.merge);
    }
    let by = Some(commit.committer).filter(|by| !by.is_empty() && *by != author);
    let at = Some(committed).filter(|at| !at.is_empty() && *at != date);
    let _ = match (by, at) {
        (Some(by), Some(at)) => write!(out, " (committed by {by} {at})"),
        (Some(by), None) => write!(out, " (committed by {by})"),
        (None, Some(at)) => write!(out, " (committed {at})"),
        (None, None) => Ok(()),
    };
    let _ = writeln!(out, ": {subject}");
    commit.more.iter().for_each(|line| out.extend([*line, "\n"]));
    Some(())
}

/// `Fri Nov 20 10:11:12 2026 +0100` as `2026-11-20 10:11` and the zone; any other form as it is.
fn short_date(date: &str) -> (String, &str) {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = date.split_whitespace().collect();
    if let [_, month, day, time, year, ..] = words[..]
        && let Some(month) = MONTHS.iter().position(|known| *known == month)
        && let (Ok(day), Some(minute)) = (day.parse::<u32>(), time.get(..5))
        && year.len() == 4
    {
        let zone = words.get(5).copied().unwrap_or_default();
        return (format!("{year}-{:02}-{day:02} {minute}", month + 1), zone);
    }
    (date.to_owned(), "")
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
    fn a_committer_is_named_where_it_is_another_and_a_raw_log_is_left_alone() {
        let commit = |committer: &str, date: &str| {
            format!(
                "commit 0123456789abcdef0123456789abcdef01234567\nAuthor:     Ana <ana@example.org>\nAuthorDate: Fri Nov 20 10:11:12 2026 +0100\nCommit:     {committer} <c@example.org>\nCommitDate: {date}\n\n    Subject\n"
            )
        };
        for (committer, date, said) in [
            ("GitHub", "Sat Nov 21 08:00:00 2026 +0100", " Ana (committed by GitHub 2026-11-21 08:00)"),
            ("GitHub", "Fri Nov 20 10:11:12 2026 +0100", " Ana (committed by GitHub)"),
            ("Ana", "Sat Nov 21 08:00:00 2026 +0100", " Ana (committed 2026-11-21 08:00)"),
            ("Ana", "Fri Nov 20 10:11:12 2026 +0100", " Ana"),
            // The same moment, which would read as hours before.
            (
                "GitHub",
                "Fri Nov 20 04:11:12 2026 -0500",
                " +0100 Ana (committed by GitHub 2026-11-20 04:11 -0500)",
            ),
            ("Ana", "Fri Nov 20 10:11:12 2026 -0500", " +0100 Ana (committed 2026-11-20 10:11 -0500)"),
            ("Ana", "2026-11-20 04:11:12 -0500", " +0100 Ana (committed 2026-11-20 04:11:12 -0500)"),
        ] {
            assert_eq!(
                super::git_log(&commit(committer, date), 9_000).unwrap(),
                format!("0123456789 2026-11-20 10:11{said}: Subject\n")
            );
        }
        let raw = "commit 0123456789abcdef\ntree fedcba9876543210\nauthor Ana <ana@example.org> 1795166772 +0100\ncommitter Ana <ana@example.org> 1795166772 +0100\n\n    Subject\n";
        assert_eq!(super::git_log(raw, 9_000), None);
        // Formats of the user's own: one that begins like git's, and one whose message names a commit.
        let own = "commit 0123456789abcdef\nSubject of the first\n\n    Its body\ncommit fedcba9876543210\nSubject of the second\n";
        assert_eq!(super::git_log(own, 9_000), None);
        let own = "Revert the limits\n\ncommit 0123456789abcdef\nwas wrong\n";
        assert_eq!(super::git_log(own, 9_000), None);
    }

    #[test]
    fn all_commits_stay_where_their_messages_do_not_fit() {
        let commit = |n: usize| {
            format!(
                "commit {n:040x}\nAuthor: Ana <ana@example.org>\nDate:   Fri Nov 20 10:11:12 2026 +0100\n\n    Subject {n} of many that goes on for a while\n\n    A body of commit {n}.\n\n"
            )
        };
        let text: String = (1_000..1_060).map(commit).collect();
        let whole = super::git_log(&text, 24_000).unwrap();
        assert!(whole.contains("\n  A body of commit 1059.\n") && !whole.contains("[…]"), "{whole}");
        let some = super::git_log(&text, whole.len() - 100).unwrap();
        assert!(some.starts_with("60 commits; […] stands for the rest of a message\n"), "{some}");
        assert!(some.contains("\n  A body of commit 1000.\n"), "{some}");
        assert!(some.contains("Subject 1059 of many that goes on for a while […]\n"), "{some}");
        let short = super::git_log(&text, 3_000).unwrap();
        assert!(short.len() <= 3_000, "{}", short.len());
        assert!(
            short.starts_with("60 commits, lines cut at 44 bytes; all but hashes and subjects is left out\n"),
            "{short}"
        );
        assert!(
            (1_000..1_060).all(|n| short.contains(&format!("\n00000000 Subject {n} of many"))),
            "{short}"
        );
        let heads = super::git_log(&text, 900).unwrap();
        assert!(heads.starts_with("60 commits; the rest of their messages is left out\n"), "{heads}");
        assert!(heads.lines().count() == 61 && !heads.contains("A body"), "{heads}");
        // What is more than a message stays with the caller.
        let signed = text.replace("Author:", "gpg: Good signature\nAuthor:");
        assert!(super::git_log(&signed, 3_000).unwrap().len() > 3_000);
    }

    #[test]
    fn what_is_printed_above_an_author_is_below_its_own_commit() {
        let commit = |n: usize| {
            format!(
                "commit {n:040x}\nReflog: HEAD@{{{n}}} (Ana <ana@example.org>)\nReflog message: commit: Subject {n}\nAuthor: Ana <ana@example.org>\nDate:   Fri Nov 20 10:11:12 2026 +0100\n\n    Subject {n}\n\n"
            )
        };
        let line = |n: usize| {
            format!(
                "0000000000 2026-11-20 10:11 Ana: Subject {n}\nReflog: HEAD@{{{n}}} (Ana <ana@example.org>)\nReflog message: commit: Subject {n}\n"
            )
        };
        assert_eq!(super::git_log(&(commit(1) + &commit(2)), 9_000).unwrap(), line(1) + &line(2));
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
