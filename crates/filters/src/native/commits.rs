//! `git log` with a line for each commit (`--oneline`, `--graph`): beyond a hundred of them each with the beginning of its
//! subject, and where not all fit how many there are, of which kinds, those with names of branches and tags, the newest, the
//! oldest, and some from between.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::clip::clipped;
use crate::counted::counted;
use crate::data::picked::Picked;
use crate::data::within;

/// Commits that are shown as they came.
const FEW: usize = 100;
/// What a longer log takes at least and at most, in bytes.
const LEAST: usize = 2_500;
const MOST: usize = 6_000;
/// Newest and oldest commits that are shown.
const FIRST: usize = 25;
const LAST: usize = 5;
/// Kinds of subjects that are counted by name.
const KINDS: usize = 12;
/// Lines of a log are cut to so many bytes, except those with names of branches and tags: the widest that saves much,
/// or else that saves at all. The first has room for a hash, a subject as long as git advises, and a graph before
/// them.
const WIDTHS: [usize; 8] = [92, 84, 76, 68, 60, 52, SHORT_SUBJECT, 36];
/// Lines cut at this width keep most of their meaning; below it, only as much as necessary is cut.
const READABLE: usize = 60;
/// How much counts as much: a fifth, or else a tenth.
const SAVED: [usize; 2] = [5, 10];
/// Above so many bytes in all they are cut to so many: the end of a subject is seldom what a reader looks for.
const MUCH: usize = 24_000;
const SHORT_SUBJECT: usize = 44;
/// The mark where a line is cut.
const MARK: &str = "…";
/// Git's message about a failure may be in the middle of a line, because it goes to another stream than the log.
const FAILED: [&str; 2] = ["error: ", "fatal: "];
/// Longest line, in bytes.
const LONG: usize = 140;

struct Commit<'t> {
    line: &'t str,
    /// Names of branches and tags, or git's words about a failure.
    named: bool,
    /// The subject's beginning up to a colon, or the emoji name that it begins with.
    kind: Option<&'t str>,
    merge: bool,
}

/// One commit per line in at most about `room` bytes.
pub(crate) fn commits(text: &str, room: usize) -> Option<String> {
    let (mut lines, mut others) = (0, Vec::new());
    let mut commits: Vec<Commit<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        // Lines with only the graph show which commit comes from which; they are dropped with the commits between.
        if line.chars().all(|c| "|/\\_ .-".contains(c)) {
            continue;
        }
        lines += 1;
        match commit(line) {
            Some(mut commit) => {
                commit.named |= FAILED.iter().any(|word| line.contains(word));
                commits.push(commit);
            }
            None => others.push(line),
        }
    }
    if commits.len() <= FEW || commits.len() * 10 < lines * 9 {
        return None;
    }
    // If git gave up, it says why: lines that aren't commits stay, after the commits.
    let others: String = others.iter().map(|line| clipped(line, LONG).into_owned() + "\n").collect();
    let room = room.saturating_sub(others.len());
    // Hash and subject's beginning of each, as long as that fits: a reader may look for any of them.
    let all = |most: usize| {
        let (mut lines, mut any_cut) = (String::new(), false);
        for commit in &commits {
            let shorter = cut(commit.line, most).filter(|_| !commit.named);
            any_cut |= shorter.is_some();
            lines.push_str(shorter.as_deref().unwrap_or(commit.line));
            lines.push('\n');
        }
        let limit = if any_cut { format!(", lines cut at {most} bytes") } else { String::new() };
        format!("{} commits{limit}\n{lines}", commits.len())
    };
    let fitting: Vec<(usize, String)> = WIDTHS
        .into_iter()
        .map(|most| (most, all(most)))
        .filter(|(most, all)| all.len() <= room && (all.len() <= MUCH || *most <= SHORT_SUBJECT))
        .map(|(most, all)| (most, all + &others))
        .collect();
    let much = SAVED.into_iter().find_map(|part| {
        let saves = |all: &str| all.len() * part < text.len() * (part - 1);
        fitting.iter().find(|(most, all)| *most >= READABLE && saves(all))
    });
    if let Some((_, all)) = much.or_else(|| fitting.iter().find(|(_, all)| all.len() < text.len())) {
        return Some(all.clone());
    }
    // No cut shortens lines as short as these: they stay unchanged.
    if !fitting.is_empty() {
        return None;
    }
    Some(within(room, |room| summary(&commits, text.len(), room)) + &others)
}

/// A line without the end of its subject, where that is shorter. The number of a pull request there stays.
fn cut(line: &str, most: usize) -> Option<String> {
    let number = request_number(line);
    let end = line.floor_char_boundary(most.saturating_sub(number.len()));
    (line.len() > end + MARK.len() + number.len())
        .then(|| format!("{}{MARK}{number}", line[..end].trim_end()))
}

/// `(#1234)` at a line's end, as a merge on a host of repositories leaves it; empty where there is none.
fn request_number(line: &str) -> &str {
    let Some(at) = line.rfind(" (#") else { return "" };
    let is_number =
        line[at..].strip_prefix(" (#").and_then(|rest| rest.strip_suffix(')')).is_some_and(|digits| {
            (1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
    if is_number { &line[at..] } else { "" }
}

fn commit(line: &str) -> Option<Commit<'_>> {
    let drawn = line.trim_start_matches(|c: char| "*|/\\_ .-".contains(c));
    let (hash, rest) = drawn.split_once(' ')?;
    if hash.len() < 7 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let rest = rest.trim_start();
    let (names, subject) = match rest.strip_prefix('(').and_then(|inner| inner.split_once(") ")) {
        Some((names, subject))
            if names.contains("->")
                || names.contains("tag: ")
                || !names.contains(' ')
                || names.contains(", ") =>
        {
            (names, subject)
        }
        _ => ("", rest),
    };
    let subject = undated(subject);
    Some(Commit { line, named: !names.is_empty(), kind: kind(subject), merge: subject.starts_with("Merge ") })
}

/// A subject without the date and the time that a format puts before it: they don't describe the change.
fn undated(mut subject: &str) -> &str {
    let figures = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    // `2026-03-01`, `2026-03-01T10:12:14+01:00`, `18:07:21`, `+0100`; a number of an issue has none of the signs between.
    let is_time = |word: &str| {
        figures(word) >= 4
            && word.bytes().all(|byte| byte.is_ascii_digit() || b"-:/.+TZ".contains(&byte))
            && word.bytes().any(|byte| b"-:/+".contains(&byte))
    };
    while let Some((_, rest)) = subject.split_once(' ').filter(|(word, _)| is_time(word)) {
        subject = rest.trim_start();
    }
    subject
}

/// A subject's kind: `fix` of `fix(cart): …`, or the name of an emoji, such as `:bug:`.
fn kind(subject: &str) -> Option<&str> {
    let picture = subject.strip_prefix(':').and_then(|rest| rest.split_once(':')).map(|(name, _)| name);
    if let Some(name) = picture {
        let is_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+".contains(&byte));
        return subject.get(..name.len() + 2).filter(|_| is_name);
    }
    let kind = subject.split_once(':').map(|(kind, _)| kind.split('(').next().unwrap_or(kind))?;
    let words = kind.len() <= 24 && kind.split(' ').count() < 3;
    Some(kind).filter(|kind| words && kind.contains(char::is_alphabetic))
}

fn summary(commits: &[Commit<'_>], whole: usize, room: usize) -> String {
    let limit = (whole / 4).clamp(LEAST, MOST).min(room);
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    for commit in commits {
        if let Some(kind) = commit.kind {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    let mut by_count: Vec<(&str, usize)> = kinds.iter().map(|(kind, count)| (*kind, *count)).collect();
    by_count.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let mut out = format!("{} commits", commits.len());
    let merges = commits.iter().filter(|commit| commit.merge).count();
    if merges > 0 {
        let _ = write!(out, ", {merges} of them merges");
    }
    if by_count.first().is_some_and(|(_, most)| *most > 2) {
        let named: Vec<String> =
            by_count.iter().take(KINDS).map(|(kind, count)| format!("{kind} ×{count}")).collect();
        let more = by_count.len().saturating_sub(KINDS);
        let more = if more > 0 { format!(", {}", counted(more, "more kinds")) } else { String::new() };
        let _ = write!(out, "; subjects begin with {}{more}", named.join(", "));
    }
    out.push('\n');
    let count = commits.len();
    let cost = |at: usize| commits.get(at).map_or(0, |commit| commit.line.len().min(LONG + 20) + 1);
    let mut picked = Picked::new(count, limit.saturating_sub(out.len() + 32));
    (0..FIRST.min(count)).for_each(|at| {
        if picked.left > limit / 3 {
            picked.take(at, cost(at));
        }
    });
    (count.saturating_sub(LAST)..count).rev().for_each(|at| {
        picked.take(at, cost(at));
    });
    let rare =
        |commit: &Commit<'_>| commit.kind.and_then(|kind| kinds.get(kind)).is_some_and(|count| *count <= 2);
    for (at, _) in commits.iter().enumerate().filter(|(_, commit)| commit.named) {
        picked.take(at, cost(at) + 16);
    }
    if by_count.first().is_some_and(|(_, most)| *most * 5 > count) {
        for (at, _) in commits.iter().enumerate().filter(|(_, commit)| rare(commit)).take(20) {
            picked.take(at, cost(at) + 16);
        }
    }
    let mean = commits.iter().map(|commit| commit.line.len().min(LONG) + 18).sum::<usize>() / count.max(1);
    let samples = picked.left / mean.max(1);
    for nth in 0..samples {
        let at = (2 * nth + 1) * count / (2 * samples);
        picked.take(at, cost(at) + 16);
    }
    picked.close_gaps(cost);
    let mut skipped = 0;
    for (commit, shown) in commits.iter().zip(&picked.shown) {
        if !shown {
            skipped += 1;
            continue;
        }
        gap(&mut out, &mut skipped);
        let _ = writeln!(out, "{}", clipped(commit.line, LONG));
    }
    gap(&mut out, &mut skipped);
    out
}

fn gap(out: &mut String, skipped: &mut usize) {
    if *skipped > 0 {
        let _ = writeln!(out, "… {}", counted(*skipped, "commits"));
        *skipped = 0;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_log_shows_its_ends_and_names() {
        let line = |n: usize| {
            let names = if n == 200 {
                "(tag: v1.2.0) "
            } else if n == 0 {
                "(HEAD -> main, origin/main) "
            } else {
                ""
            };
            format!(
                "{}{:07x} {names}{}: change {n}\n",
                if n % 9 == 3 { "| * " } else { "* " },
                0x1000000 + n,
                ["fix", "feat", "docs"][n % 3]
            )
        };
        let text: String = (0..400).map(line).collect();
        assert_eq!(super::commits(&text, 24_000), None, "nothing to cut: as it came");
        let short = super::commits(&text, 6_000).unwrap();
        assert!(
            short.starts_with("400 commits; subjects begin with fix ×134, docs ×133, feat ×133\n"),
            "{short}"
        );
        for n in [0, 1, 200, 399] {
            assert!(short.contains(line(n).trim_end()), "{n}: {short}");
        }
        let gaps: usize = short
            .lines()
            .filter_map(|line| line.strip_prefix("… ")?.split(' ').next()?.parse::<usize>().ok())
            .sum();
        assert_eq!(gaps + short.lines().filter(|line| line.contains(": change ")).count(), 400);
        assert!(short.len() < text.len() / 3);
        assert_eq!(super::commits(&text.lines().take(90).collect::<Vec<_>>().join("\n"), 6_000), None);
    }

    /// 150 commits, of which the subject of each has `long(n)` letters and its number behind them.
    fn log(long: impl Fn(usize) -> usize) -> String {
        (0..150).map(|n| format!("{:09x} {}{n:04}\n", 0x1000_0000 + n, "a".repeat(long(n)))).collect()
    }

    #[test]
    fn lines_are_cut_no_shorter_than_it_takes_to_save_and_never_become_longer() {
        // The widest cut that saves a fifth or a tenth, or else that saves at all; shorter lines stay whole.
        for (every, most) in [(3, 76), (10, 60), (50, 92)] {
            let text = log(|n| if n % every == 0 { 120 } else { 40 });
            let all = super::commits(&text, 24_000).expect("a log");
            assert!(all.starts_with(&format!("150 commits, lines cut at {most} bytes\n")), "{all}");
            for (n, line) in text.lines().enumerate() {
                assert_eq!(all.contains(line), n % every != 0, "{line}: {all}");
            }
        }
        // The number of a pull request is part of what stays.
        let numbered: String =
            (0..150).map(|n| format!("{:09x} {} (#{n})\n", 0x1000_0000 + n, "words ".repeat(20))).collect();
        let all = super::commits(&numbered, 24_000).expect("a log");
        assert!(
            all.lines().nth(8).is_some_and(|line| line.ends_with("… (#7)") && line.len() <= 92 + 3),
            "{all}"
        );
        for width in 1..140 {
            let text = log(|n| (n % 5 + width) % 140);
            let longest = text.lines().map(str::len).max().unwrap_or(0);
            for room in [24_000, 12_000, 8_000] {
                let Some(all) = super::commits(&text, room) else {
                    assert!(text.len() <= room, "{width}");
                    continue;
                };
                assert!(all.len() < text.len() && all.len() <= room, "{width}: {all}");
                let head = all.lines().next().unwrap_or_default();
                let is_cut = all.lines().any(|line| line.contains('…'));
                assert_eq!(head.contains("cut at"), is_cut, "{width}: {all}");
                if let Some((_, most)) = head.split_once("cut at ") {
                    let most: usize = most.trim_end_matches(" bytes").parse().expect("a width");
                    assert!(most < longest, "{width}: {head}");
                }
            }
        }
    }

    #[test]
    fn one_omitted_commit_is_counted_in_the_singular() {
        let mut out = String::new();
        for mut skipped in [1, 2, 0] {
            super::gap(&mut out, &mut skipped);
        }
        assert_eq!(out, "… 1 commit\n… 2 commits\n");
    }

    #[test]
    fn omitted_graph_lines_save_room_without_a_cut() {
        let text: String = log(|_| 40).lines().map(|line| format!("* {line}\n|\\  \n")).collect();
        // Nine of ten lines have to be commits.
        assert_eq!(super::commits(&text.replace("|\\", "*"), 24_000), None);
        let all = super::commits(&text, 24_000).expect("a log");
        assert!(all.starts_with("150 commits\n* ") && !all.contains('…'), "{all}");
    }

    #[test]
    fn a_subjects_first_word_is_not_a_date_or_number() {
        for (line, kind) in [
            ("199dea11b 2024-03-15 fix(cart): Round", Some("fix")),
            ("199dea11b 2024-03-15 :bug: Round", Some(":bug:")),
            ("199dea11b 2024-03-15T10:12:14+01:00 fix: Round", Some("fix")),
            ("199dea11b 2024-03-15 18:07:21 +0100 docs: Say why", Some("docs")),
            ("199dea11b 2024-03-15 18:07:21 +0100 Say why", None),
            ("199dea11b 2024-03-15 10:1 is said", None),
            ("199dea11b :art: Round", Some(":art:")),
            ("199dea11b : Round", None),
            ("199dea11b (tag: v1.2.0) feat!: Round", Some("feat!")),
            ("199dea11b 4307: Round", None),
        ] {
            assert_eq!(super::commit(line).expect("a commit").kind, kind, "{line}");
        }
        assert!(super::commit("199dea11b 2024-03-15 Merge branch 'main'").expect("a commit").merge);
        let text: String = (0..300)
            .map(|n| {
                format!(
                    "{:09x} 2024-0{}-1{} change of a line that goes on: {n}\n",
                    0x1000_0000 + n,
                    n % 9 + 1,
                    n % 3
                )
            })
            .collect();
        let short = super::commits(&text, 5_000).unwrap();
        assert!(short.starts_with("300 commits\n"), "{short}");
    }
}
