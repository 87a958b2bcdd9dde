//! Whether a result still has the findings of an output; used by the laws. Owns searching for each finding's file,
//! place and message, and for a count if a place is left out.

use std::collections::{HashMap, HashSet};

use super::annotation::annotation;
use super::by_folder::BELOW;
use super::complete::AT_PLACE;
use super::finding::{Piece, is_source};
use super::forms::is_scope;
use super::issue::wording;
use super::messages::coded;
use super::numbered::{generated, without_number};
use super::parse::pieces;
use super::place::{line_of, place};
use super::project::{Projects, unnumbered};
use super::scala::without_front;
use super::source_frames::is_behind_gutter;
use super::sums::NO_COLUMNS;
use crate::normal::words_of;

/// The findings of an output, compared with what is shown of them.
pub(crate) struct Completeness<'t> {
    /// Lines of the output that are findings or belong to one, and whether the result contains them.
    lines: HashMap<&'t str, bool>,
    wrong: Vec<String>,
}

impl<'t> Completeness<'t> {
    pub(crate) fn new(output: &'t str, shown: &str, printed: &HashSet<&str>) -> Self {
        let pieces = pieces(output);
        let mut completeness = Self { lines: HashMap::new(), wrong: Vec::new() };
        let mut places: HashMap<&str, Vec<&str>> = HashMap::new();
        for piece in &pieces {
            if let Piece::Findings(findings, _) = piece {
                for finding in findings {
                    places.entry(finding.file).or_default().extend(vec![&*finding.at; finding.times]);
                }
            }
        }
        let known: HashSet<&str> = places.keys().copied().collect();
        let by_file = places_by_file(shown, &known, printed);
        let places_left_out = shown.contains("places are left out:\n");
        let messages_left_out =
            places_left_out || shown.contains("messages of single places are left out:\n");
        let names_left_out = shown.contains(AT_PLACE);
        let without_columns = shown.contains(NO_COLUMNS);
        let folders = shown.contains("counts the findings below a folder");
        let listed = by_file.len() * 2 >= known.len().max(1) || folders;
        // Ungrouped findings are compared line by line.
        if !listed {
            completeness.lines = counted_source(&pieces, shown);
            return completeness;
        }
        let mut complete: HashSet<&str> = HashSet::new();
        for (file, wanted) in &places {
            let Some(rows) = by_file.get(*file) else {
                // Findings that were not in the list stay as they were printed.
                let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
                if !folders && !shown.contains(name) {
                    completeness.wrong.push(format!("a file with findings is not named: {file:?}"));
                }
                continue;
            };
            let tokens: Vec<&str> = rows
                .iter()
                .flat_map(|row| row.split([' ', ',', ';']))
                .map(|token| token.trim_end_matches(':'))
                .filter(|token| !token.is_empty())
                .collect();
            let shown_places: HashSet<&str> = tokens.iter().copied().collect();
            // A note's place is given with its file where its finding is in another.
            let told_whole = |at: &str| shown.contains(&format!("{file}:{at}"));
            let shows =
                |at: &str| shown_places.contains(at) || without_columns && shown_places.contains(line_of(at));
            let missing: Vec<&&str> = wanted.iter().filter(|at| !shows(at) && !told_whole(at)).collect();
            if missing.is_empty() {
                complete.insert(file);
            } else if !places_left_out {
                completeness
                    .wrong
                    .push(format!("places of {file:?} are lost: {:?}", &missing[..missing.len().min(5)]));
            } else {
                let counted: usize =
                    tokens.iter().filter_map(|token| token.strip_prefix('×')?.parse::<usize>().ok()).sum();
                if counted < missing.len() {
                    completeness
                        .wrong
                        .push(format!("{} places of {file:?} are lost and {counted} counted", missing.len()));
                }
            }
        }
        let words: HashSet<&str> = words_of(shown).collect();
        for piece in &pieces {
            if let Piece::Findings(findings, lines) = piece {
                let projects = Projects::new(findings);
                for line in lines {
                    let bare = unnumbered(without_front(line));
                    let about = place(bare).map_or(bare, |found| projects.without(found.file, bare));
                    let wording = messages_left_out
                        || (is_source(bare) || is_behind_gutter(line)) && shown.contains(" lines of source")
                        || words_beside(about)
                            .into_iter()
                            .flat_map(words_of)
                            .all(|word| words.contains(word) || names_left_out && is_in_quotes(about, word));
                    let wording = wording && (messages_left_out || !complete.is_empty());
                    completeness.lines.insert(line.trim(), wording);
                }
            }
        }
        completeness
    }

    /// Whether `line` belongs to a finding and the result contains it.
    pub(crate) fn covers(&self, line: &str) -> bool {
        self.lines.get(line.trim()).copied().unwrap_or(false)
    }

    /// The errors of the list in the result.
    pub(crate) fn wrong(&self) -> Vec<String> {
        self.wrong.iter().take(5).cloned().collect()
    }
}

/// The lines of source around findings, if `shown` counts those that it leaves out.
fn counted_source<'t>(pieces: &[Piece<'t>], shown: &str) -> HashMap<&'t str, bool> {
    let mut source = HashMap::new();
    if shown.contains(" lines of source") {
        for piece in pieces {
            if let Piece::Findings(_, lines) = piece {
                source.extend(
                    lines.iter().filter(|line| is_behind_gutter(line)).map(|line| (line.trim(), true)),
                );
            }
        }
    }
    source
}

/// Whether `word` is part of a name in quotes.
fn is_in_quotes(line: &str, word: &str) -> bool {
    let mut names = line.split(['\'', '"', '`', '‘', '’']).skip(1).step_by(2);
    names.any(|name| words_of(name).any(|part| part == word))
}

/// A line's information about a finding, without its form.
fn words_beside(line: &str) -> Vec<&str> {
    // A finding's place already shows its function.
    if is_scope(line) {
        return Vec::new();
    }
    if let Some(found) = annotation(line) {
        return [found.rule, found.message].into_iter().chain(found.more).collect();
    }
    if let Some(wording) = wording(line) {
        return vec![wording];
    }
    if let Some((place, rest)) = line.find(": [").map(|at| line.split_at(at + 2))
        && let Some((rule, message)) = coded(rest)
    {
        return vec![place, rule, message];
    }
    match generated(line) {
        Some((severity, rule)) => vec![severity, rule],
        None => vec![without_number(line).unwrap_or(line)],
    }
}

/// Which files' findings a list in `shown` places or counts.
fn places_by_file<'s>(
    shown: &'s str,
    known: &HashSet<&str>,
    printed: &HashSet<&str>,
) -> HashMap<String, Vec<&'s str>> {
    let mut folder = "";
    let mut files: HashMap<String, Vec<&str>> = HashMap::new();
    let mut current = None;
    for line in shown.lines() {
        let as_printed = printed.contains(line.trim());
        if line.starts_with([' ', '\t']) {
            if !as_printed
                && let Some(file) = &current
                && let Some(rows) = files.get_mut(file)
            {
                rows.push(line);
            }
            continue;
        }
        current = None;
        if let Some(below) = line.strip_prefix(BELOW) {
            folder = below;
            continue;
        }
        if as_printed && !known.contains(line) {
            continue;
        }
        let ends = [line.len()]
            .into_iter()
            .chain(line.match_indices(": ").chain(line.match_indices(" ×")).map(|(at, _)| at));
        for end in ends {
            let Some(name) = [line[..end].to_owned(), format!("{folder}{}", &line[..end])]
                .into_iter()
                .find(|name| known.contains(name.as_str()))
            else {
                continue;
            };
            let rows = files.entry(name.clone()).or_default();
            if end < line.len() {
                rows.push(&line[end..]);
            }
            current = Some(name);
            break;
        }
    }
    files.retain(|_, rows| !rows.is_empty());
    files
}
