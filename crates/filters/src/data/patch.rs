//! A diff under a limit: every file with its added and removed lines, every hunk with its heading, and as many
//! changed lines as fit, taken from all hunks in turn. Owns what is dropped first; `native` parses a diff.
//! A hunk shows its beginning and counts its rest, so that no line is ever read under another file or hunk.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use crate::cap::{cap, ends_of};
use crate::clip::clipped;
use crate::counted::counted;

/// Longest line of a hunk that is shown when not all fit, in bytes.
const LONG: usize = 240;
/// One or two lines of a hunk that have no more bytes are shown rather than counted.
const SHORT: usize = 240;
/// Lines and bytes shown of the text between files: a commit's message.
const MESSAGE: (usize, usize) = (8, 600);
/// Different remarks that are gathered.
const KINDS: usize = 64;
/// Lines and bytes of remarks about files beside their diffs.
const REMARKS: (usize, usize) = (6, 600);
/// Share of the room that headings may take before they are dropped, in percent.
const HEADINGS: usize = 70;

/// A diff with the text around its files.
#[derive(Debug, Default)]
pub(crate) struct Patch<'t> {
    pub(crate) pieces: Vec<Piece<'t>>,
    /// A formatter's remark about each file beside its diff, without the file's name, and for how many files.
    remarks: Vec<(String, usize)>,
}

#[derive(Debug)]
pub(crate) enum Piece<'t> {
    /// Lines that belong to no file: a commit and its message, or a formatter's closing lines.
    Text(Vec<&'t str>),
    File(FileDiff<'t>),
}

#[derive(Debug, Default)]
pub(crate) struct FileDiff<'t> {
    /// The file's path, its old one too where that differs.
    pub(crate) name: String,
    /// The file's state: new, deleted, renamed, binary, its mode.
    pub(crate) states: Vec<&'t str>,
    pub(crate) hunks: Vec<Hunk<'t>>,
}

#[derive(Debug, Default)]
pub(crate) struct Hunk<'t> {
    /// Its heading as printed.
    pub(crate) head: &'t str,
    /// Its lines as they are shown when all fit.
    pub(crate) lines: Vec<&'t str>,
    /// All its changed lines under headings that say where each is.
    pub(crate) bare: String,
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

impl FileDiff<'_> {
    fn added(&self) -> usize {
        self.hunks.iter().map(|hunk| hunk.added).sum()
    }

    fn removed(&self) -> usize {
        self.hunks.iter().map(|hunk| hunk.removed).sum()
    }

    fn heading(&self) -> String {
        let mut out = format!("{} +{} -{}", self.name, self.added(), self.removed());
        for state in &self.states {
            let _ = write!(out, ", {state}");
        }
        out
    }

    /// Whether a tool wrote it: its lines come last.
    fn made(&self) -> bool {
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        let locks = ["lock", "sum", "snap", "map", "min.js", "min.css", "lockb", "svg"];
        locks.iter().any(|end| {
            name.rsplit_once('.').is_some_and(|(_, last)| last == *end) || name.ends_with(&format!(".{end}"))
        }) || ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"].contains(&name)
            || self.hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| line.len() > 4_000)
    }
}

impl<'t> Patch<'t> {
    pub(crate) fn files(&self) -> impl Iterator<Item = &FileDiff<'t>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::File(file) => Some(file),
            Piece::Text(_) => None,
        })
    }

    /// Takes out the remarks about each file beside its diff, and its name alone: they'd read as headings of the file below.
    pub(crate) fn gather_remarks(&mut self) {
        let names: Vec<Option<String>> = self
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::File(file) => Some(file.name.clone()),
                Piece::Text(_) => None,
            })
            .collect();
        for at in 0..self.pieces.len() {
            let Piece::Text(lines) = &mut self.pieces[at] else { continue };
            if is_commit(lines) {
                continue;
            }
            let beside = [at.checked_sub(1), Some(at + 1)].map(|beside| names.get(beside?)?.as_deref());
            lines.retain(|line| {
                let named = |name: &&&str| !name.is_empty() && line.contains(**name);
                // A file's path may end in the path of the other.
                let longest = beside.iter().flatten().filter(named).max_by_key(|name| name.len());
                let Some(name) = longest else { return true };
                let remark = line.replacen(*name, "…", 1);
                let full = self.remarks.len() >= KINDS;
                match self.remarks.iter_mut().find(|(known, _)| *known == remark) {
                    Some((_, count)) => *count += 1,
                    None if remark == "…" => {}
                    None if !full => self.remarks.push((remark, 1)),
                    // This many different lines aren't remarks.
                    None => return true,
                }
                false
            });
        }
        self.pieces.retain(|piece| !matches!(piece, Piece::Text(lines) if lines.is_empty()));
    }

    /// Remarks that several files share, a line each.
    fn remarks(&self) -> String {
        let mut out = String::new();
        for (remark, count) in &self.remarks {
            let _ = match count {
                1 => writeln!(out, "{remark}"),
                _ => writeln!(out, "{remark}  [×{count}]"),
            };
        }
        cap(&out, REMARKS.0, REMARKS.1)
    }

    /// `3 files, +12 -4`; `1 file in 6 commits, +80 -65`, where several commits change it.
    pub(crate) fn totals(&self) -> String {
        let (mut names, mut added, mut removed) = (HashSet::new(), 0, 0);
        for file in self.files() {
            names.insert(file.name.as_str());
            added += file.added();
            removed += file.removed();
        }
        let commits_of = |piece: &_| if let Piece::Text(lines) = piece { commits_in(lines) } else { 0 };
        let commits: usize = self.pieces.iter().map(commits_of).sum();
        let of = if commits > 1 { format!(" in {}", counted(commits, "commits")) } else { String::new() };
        format!("{}{of}, +{added} -{removed}", counted(names.len(), "files"))
    }

    /// The totals of several files, for a diff that is shown whole and names each of them; none if commits have their own
    /// totals.
    pub(crate) fn stat(&self) -> Option<String> {
        let between = self.pieces.iter().skip(1).any(|piece| matches!(piece, Piece::Text(_)));
        (self.files().nth(2).is_some() && !between).then(|| self.totals())
    }

    /// Every changed line under its place and its file, without context.
    pub(crate) fn changes(&self) -> String {
        let mut out = format!("{}, without context\n{}", self.totals(), self.remarks());
        for piece in &self.pieces {
            match piece {
                Piece::Text(lines) => lines.iter().for_each(|line| out.extend([line, "\n"])),
                Piece::File(file) => {
                    let _ = writeln!(out, "{}", file.heading());
                    file.hunks.iter().for_each(|hunk| out.push_str(&hunk.bare));
                }
            }
        }
        out
    }

    /// The diff in about `room` bytes.
    pub(crate) fn part(&self, room: usize) -> String {
        let mut out =
            format!("{}; changes that do not fit are counted, not shown\n{}", self.totals(), self.remarks());
        let mut texts = 0;
        let (mut names, mut heads) = (0, 0);
        for piece in &self.pieces {
            match piece {
                Piece::Text(lines) => texts += message(lines).len(),
                Piece::File(file) => {
                    names += file.heading().len() + 1;
                    // Each hunk has a note about what is left out.
                    heads += file.hunks.iter().map(|hunk| hunk.head.len().min(LONG) + 30).sum::<usize>();
                }
            }
        }
        let left = room.saturating_sub(out.len());
        let share = left * HEADINGS / 100;
        if texts + names > share {
            self.by_folder(left, share, &mut out);
            return out;
        }
        let with_heads = texts + names + heads <= share;
        let room = left.saturating_sub(texts + names + if with_heads { heads } else { 0 });
        let shown = self.picked(room, if with_heads { 0 } else { 30 });
        let mut nth = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Text(lines) => out.push_str(&message(lines)),
                Piece::File(file) => {
                    let _ = writeln!(out, "{}", file.heading());
                    let mut unseen = 0;
                    for hunk in &file.hunks {
                        let count = shown.get(nth).copied().unwrap_or_default();
                        nth += 1;
                        if count == 0 && !with_heads {
                            unseen += 1;
                        } else {
                            hunk.part(count, &mut out);
                        }
                    }
                    if unseen > 0 {
                        let _ = writeln!(out, "… {unseen} hunks");
                    }
                }
            }
        }
        out
    }

    /// How many lines of each hunk are shown: one after another from all hunks in turn, files that tools write last.
    fn picked(&self, room: usize, head: usize) -> Vec<usize> {
        let hunks: Vec<(bool, &Hunk<'_>)> = self
            .files()
            .flat_map(|file| {
                let made = file.made();
                file.hunks.iter().map(move |hunk| (made, hunk))
            })
            .collect();
        let mut shown = vec![0; hunks.len()];
        let mut left = room;
        for made in [false, true] {
            let mut open: Vec<usize> = (0..hunks.len()).filter(|at| hunks[*at].0 == made).collect();
            while !open.is_empty() {
                open.retain(|at| {
                    let hunk = hunks[*at].1;
                    let Some(line) = hunk.lines.get(shown[*at]) else { return false };
                    let first =
                        if shown[*at] == 0 && head > 0 { hunk.head.len().min(LONG) + head } else { 0 };
                    let cost = line.len().min(LONG + 20) + 1 + first;
                    if cost > left {
                        return false;
                    }
                    left -= cost;
                    shown[*at] += 1;
                    true
                });
            }
        }
        shown
    }

    /// Too many files for a line each: commits with their own totals, then the files by folder.
    fn by_folder(&self, room: usize, share: usize, out: &mut String) {
        let start = out.len();
        let mut others = String::new();
        let mut commits: Vec<(String, usize, usize, usize)> = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(lines) if is_commit(lines) => commits.push((subject(lines), 0, 0, 0)),
                Piece::Text(lines) => others.push_str(&message(lines)),
                Piece::File(file) => {
                    if let Some(commit) = commits.last_mut() {
                        *commit = (
                            std::mem::take(&mut commit.0),
                            commit.1 + 1,
                            commit.2 + file.added(),
                            commit.3 + file.removed(),
                        );
                    }
                }
            }
        }
        if commits.len() > 1 {
            let lines: Vec<String> = commits
                .iter()
                .map(|(subject, files, added, removed)| {
                    format!("{subject} ({}, +{added} -{removed})", counted(*files, "files"))
                })
                .collect();
            let sections = [super::sections::Section { heading: "", lines }];
            super::sections::part(&sections, "commits", room * 2 / 3, out);
        }
        // A formatter's last lines state its result.
        out.push_str(&ends_of(&others, (room / 4).min(MESSAGE.1)));
        let room = room.saturating_sub(out.len() - start);
        let share = share.min(room);
        let mut folders: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut named: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for file in self.files() {
            let (folder, name) = match file.name.rfind(['/', '\\']) {
                Some(at) => file.name.split_at(at + 1),
                None => ("", file.name.as_str()),
            };
            let entry = folders.entry(folder).or_default();
            *entry = (entry.0 + 1, entry.1 + file.added() + file.removed());
            named.entry(folder).or_default().push(format!("{name} +{} -{}", file.added(), file.removed()));
        }
        let listed: usize = named
            .iter()
            .map(|(folder, files)| folder.len() + 3 + files.iter().map(|file| file.len() + 2).sum::<usize>())
            .sum();
        let from = out.len();
        if listed <= room {
            for (folder, files) in &named {
                let folder = if folder.is_empty() { "./" } else { folder };
                let _ = writeln!(out, "{folder}: {}", files.join("; "));
            }
        } else {
            super::folders::distribution(&folders, share, "changed lines", out);
        }
        // The largest and the smallest are the most informative.
        let mut left = room.saturating_sub(out.len() - from + 32);
        if listed > room {
            let mut largest: Vec<&FileDiff<'_>> = self.files().collect();
            largest.sort_by_key(|file| std::cmp::Reverse(file.added() + file.removed()));
            out.push_str("largest:\n");
            for file in largest {
                let heading = file.heading();
                if heading.len() + 1 > left {
                    break;
                }
                left -= heading.len() + 1;
                let _ = writeln!(out, "{heading}");
            }
        }
    }
}

impl Hunk<'_> {
    fn part(&self, count: usize, out: &mut String) {
        let _ = writeln!(out, "{}", clipped(self.head, LONG));
        let (mut added, mut removed) = (self.added, self.removed);
        // No mark replaces one or two lines.
        let rest = self.lines.get(count..).unwrap_or_default();
        let short = count > 0 && rest.len() < 3 && rest.iter().map(|line| line.len()).sum::<usize>() <= SHORT;
        let count = if short { self.lines.len() } else { count };
        for line in self.lines.iter().take(count) {
            added -= usize::from(line.starts_with('+')).min(added);
            removed -= usize::from(line.starts_with('-')).min(removed);
            let _ = writeln!(out, "{}", clipped(line, LONG));
        }
        if added + removed > 0 {
            let _ = writeln!(out, "… +{added} -{removed} more");
        }
    }
}

/// Whether a text between files is a commit's, as `git log` and `git format-patch` print it.
fn is_commit(lines: &[&str]) -> bool {
    lines.first().is_some_and(|line| line.starts_with("commit ") || line.starts_with("From "))
}

/// The number of commits in a text between files: several where one changes no file or an error is printed between them.
fn commits_in(lines: &[&str]) -> usize {
    let is_hash = |rest: &str| rest.bytes().take_while(u8::is_ascii_hexdigit).count() >= 7;
    let begun = lines.iter().filter(|line| line.strip_prefix("commit ").is_some_and(is_hash)).count();
    begun.max(usize::from(is_commit(lines)))
}

/// A commit's hash and the first line of its message; the first line of any other text.
fn subject(lines: &[&str]) -> String {
    let hash = lines.iter().find_map(|line| line.strip_prefix("commit ")).and_then(|rest| rest.get(..10));
    let subject = lines
        .iter()
        .find_map(|line| line.strip_prefix("    "))
        .or(lines.first().copied())
        .unwrap_or_default();
    match hash {
        Some(hash) => format!("{hash} {}", clipped(subject, LONG)),
        None => clipped(subject, LONG).into_owned(),
    }
}

/// A commit with its message, its body cut.
fn message(lines: &[&str]) -> String {
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at >= MESSAGE.0 || out.len() + line.len() > MESSAGE.1 {
            let _ = writeln!(out, "… {}", counted(lines.len() - at, "more lines"));
            break;
        }
        let _ = writeln!(out, "{line}");
    }
    out
}
