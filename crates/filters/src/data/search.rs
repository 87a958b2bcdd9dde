//! A search's matches under a limit: how many in how many files, every file with its count, the first matches of each
//! spread evenly over the files, and the lines of the others. Owns what is dropped first; `native` parses the forms
//! of lines.
//!
//! Each file has one place with its name above it, so that no match is ever read under another file's name.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use crate::clip::clipped;
use crate::counted::counted;

/// Longest match that is shown when not all fit, in bytes.
const LONG: usize = 200;
/// Share of the room that names and line numbers may take before they give way, in percent.
const NAMES: usize = 60;

/// A line of a file.
#[derive(Debug)]
pub(crate) struct Hit<'t> {
    /// Its number, where the search prints it.
    pub(crate) number: Option<&'t str>,
    /// The text after the number or name, including the separator.
    pub(crate) rest: &'t str,
    /// Whether it's only context around a match.
    pub(crate) context: bool,
    /// Whether a separator of groups was before it.
    pub(crate) apart: bool,
}

impl Hit<'_> {
    /// The text after the number of a match without neighbours: its separator and its words.
    fn with_separator(&self) -> Cow<'_, str> {
        match self.rest.strip_prefix(':').filter(|text| text.starts_with([' ', '\t']) && !self.context) {
            Some(text) => Cow::Owned(format!(":{}", text.trim_start())),
            None => Cow::Borrowed(self.rest),
        }
    }
}

/// A file with its lines.
#[derive(Debug)]
pub(crate) struct File<'t> {
    pub(crate) name: &'t str,
    pub(crate) hits: Vec<Hit<'t>>,
}

impl File<'_> {
    fn matches(&self) -> usize {
        self.hits.iter().filter(|hit| !hit.context).count()
    }
}

/// All that a search printed.
#[derive(Debug, Default)]
pub(crate) struct Found<'t> {
    pub(crate) files: Vec<File<'t>>,
    /// Lines that aren't matches: unreadable and binary files.
    pub(crate) notes: Vec<&'t str>,
}

impl Found<'_> {
    pub(crate) fn matches(&self) -> usize {
        self.files.iter().map(File::matches).sum()
    }

    /// Everything in `room` bytes, or a summary of that size.
    pub(crate) fn render(&self, room: usize) -> String {
        let whole = self.whole();
        if whole.len() <= room {
            return whole;
        }
        super::within(room, |room| self.part(room))
    }

    fn totals(&self) -> String {
        let (matches, files) = (self.matches(), self.files.len());
        match self.files.as_slice() {
            [only] if only.name.is_empty() => counted(matches, "matches"),
            _ => format!("{} in {}", counted(matches, "matches"), counted(files, "files")),
        }
    }

    fn whole(&self) -> String {
        let mut out = String::new();
        if self.matches() >= 10 {
            let _ = writeln!(out, "{}", self.totals());
        }
        for file in &self.files {
            if let ([hit], false) = (file.hits.as_slice(), file.name.is_empty()) {
                let joint = if hit.context { "-" } else { ":" };
                let _ = match hit.number {
                    Some(number) => writeln!(out, "{}{joint}{number}{}", file.name, hit.with_separator()),
                    None => writeln!(out, "{}{}", file.name, hit.rest),
                };
                continue;
            }
            // A number alone shows that its line is below the name, and a match's indentation only matters beside the
            // lines around it.
            let numbered = file.hits.iter().all(|hit| hit.number.is_some());
            let alone = numbered && file.hits.iter().all(|hit| !hit.context);
            let indent = if file.name.is_empty() || alone { "" } else { "  " };
            if !file.name.is_empty() {
                let _ = writeln!(out, "{}", file.name);
            }
            for (at, hit) in file.hits.iter().enumerate() {
                if hit.apart && at > 0 {
                    let _ = writeln!(out, "{indent}--");
                }
                let _ = match hit.number {
                    Some(number) if alone => writeln!(out, "{number}{}", hit.with_separator()),
                    Some(number) => writeln!(out, "{indent}{number}{}", hit.rest),
                    None => writeln!(out, "{indent}{}", hit.rest.strip_prefix(':').unwrap_or(hit.rest)),
                };
            }
        }
        for note in &self.notes {
            let _ = writeln!(out, "{note}");
        }
        out
    }

    fn part(&self, room: usize) -> String {
        let mut out = String::with_capacity(room + 256);
        let context: usize = self.files.iter().flat_map(|file| &file.hits).filter(|hit| hit.context).count();
        let _ = write!(out, "{}", self.totals());
        if context > 0 {
            let _ = write!(out, "; {} around them left out", counted(context, "lines"));
        }
        out.push('\n');
        let notes: String =
            self.notes.iter().take(5).map(|note| format!("{}\n", clipped(note, LONG))).collect();
        let more_notes = self.notes.len().saturating_sub(5);
        let left = room.saturating_sub(out.len() + notes.len() + 96);
        // Names with their counts, then line numbers as well, as far as they fit.
        let names: usize = self.files.iter().map(|file| file.name.len() + 10).sum();
        let numbers: usize = self
            .files
            .iter()
            .flat_map(|file| &file.hits)
            .filter(|hit| !hit.context)
            .map(|hit| hit.number.map_or(0, |number| number.len() + 2))
            .sum::<usize>()
            + self.files.len() * 10;
        let share = left * NAMES / 100;
        if names <= share {
            self.by_file(left, names, (names + numbers <= left * 4 / 5).then_some(numbers), &mut out);
        } else {
            self.by_folder(left, share, &mut out);
        }
        out.push_str(&notes);
        if more_notes > 0 {
            let _ = writeln!(out, "… {}", counted(more_notes, "more messages"));
        }
        out
    }

    /// Which matches are shown with their text: the first of each file, then those that differ from the shown ones,
    /// then the rest, file by file in turn, as far as `room` allows.
    fn pick(&self, room: usize, cost: impl Fn(&File<'_>, &str) -> usize) -> Vec<HashSet<usize>> {
        let mut picked: Vec<HashSet<usize>> = self.files.iter().map(|_| HashSet::new()).collect();
        let mut left = room;
        let mut wording: HashSet<&str> = HashSet::new();
        let matches: Vec<Vec<usize>> = self
            .files
            .iter()
            .map(|file| {
                file.hits.iter().enumerate().filter(|(_, hit)| !hit.context).map(|(at, _)| at).collect()
            })
            .collect();
        let deepest = matches.iter().map(Vec::len).max().unwrap_or_default();
        for new_only in [true, false] {
            for nth in 0..deepest {
                for (file, hits) in matches.iter().enumerate() {
                    let Some(&at) = hits.get(nth) else { continue };
                    let text = self.files[file].hits[at].rest.trim_start_matches(':').trim();
                    if picked[file].contains(&at) || new_only && nth > 0 && wording.contains(text) {
                        continue;
                    }
                    let cost = cost(&self.files[file], text);
                    if cost > left {
                        // Shorter ones may still fit, but not for long.
                        if left < 40 {
                            return picked;
                        }
                        continue;
                    }
                    left -= cost;
                    wording.insert(text);
                    picked[file].insert(at);
                }
            }
        }
        picked
    }

    fn by_file(&self, room: usize, names: usize, numbers: Option<usize>, out: &mut String) {
        let texts = room.saturating_sub(names + numbers.unwrap_or_default());
        // A match that is shown needs no place in the list of numbers, but has its number itself.
        let picked = self.pick(texts, |_, text| text.len().min(LONG + 20) + 4);
        for (file, picked) in self.files.iter().zip(&picked) {
            let _ = writeln!(out, "{} ({})", file.name, file.matches());
            let mut rest = Vec::new();
            for (at, hit) in file.hits.iter().enumerate().filter(|(_, hit)| !hit.context) {
                if picked.contains(&at) {
                    let text = clipped(hit.rest.trim_start_matches(':').trim(), LONG);
                    let _ = match hit.number {
                        Some(number) => writeln!(out, "  {number}: {text}"),
                        None => writeln!(out, "  {text}"),
                    };
                } else {
                    rest.push(hit.number);
                }
            }
            match (numbers, rest.iter().copied().collect::<Option<Vec<&str>>>()) {
                _ if rest.is_empty() => {}
                (Some(_), Some(lines)) => {
                    let _ = writeln!(out, "  also {}", lines.join(", "));
                }
                _ => {
                    let _ = writeln!(out, "  … {} more", rest.len());
                }
            }
        }
    }

    /// Too many files for a line each: names by folder if they fit, otherwise the folders alone; then samples.
    fn by_folder(&self, room: usize, share: usize, out: &mut String) {
        let mut folders: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
        for file in &self.files {
            let (folder, name) = match file.name.rfind(['/', '\\']) {
                Some(at) => file.name.split_at(at + 1),
                None => ("", file.name),
            };
            folders.entry(folder).or_default().push((name, file.matches()));
        }
        let listed: usize = folders
            .iter()
            .map(|(folder, files)| {
                folder.len() + 3 + files.iter().map(|(name, _)| name.len() + 6).sum::<usize>()
            })
            .sum();
        let from = out.len();
        if listed <= share + room / 5 {
            for (folder, files) in &folders {
                let files: Vec<String> =
                    files.iter().map(|(name, count)| format!("{name} {count}")).collect();
                let folder = if folder.is_empty() { "./" } else { folder };
                let _ = writeln!(out, "{folder}: {}", files.join(", "));
            }
        } else {
            let counts: BTreeMap<&str, (usize, usize)> = folders
                .iter()
                .map(|(folder, files)| (*folder, (files.len(), files.iter().map(|(_, count)| count).sum())))
                .collect();
            super::folders::distribution(&counts, share, "matches", out);
        }
        let left = room.saturating_sub(out.len() - from + 32);
        let picked = self.pick(left, |file, text| file.name.len() + text.len().min(LONG + 20) + 10);
        if picked.iter().all(HashSet::is_empty) {
            return;
        }
        out.push_str("samples:\n");
        for (file, picked) in self.files.iter().zip(&picked) {
            for (_, hit) in file.hits.iter().enumerate().filter(|(at, _)| picked.contains(at)) {
                let text = clipped(hit.rest.trim_start_matches(':').trim(), LONG);
                let _ = match hit.number {
                    Some(number) => writeln!(out, "  {}:{number}: {text}", file.name),
                    None => writeln!(out, "  {}: {text}", file.name),
                };
            }
        }
    }
}
