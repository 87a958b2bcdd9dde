//! A list of findings in which each rule has a letter, so that every place fits. Owns which of the rules' messages are
//! shown beside their letters: first one of each rule, then more of those that have several.

use std::cmp::Reverse;
use std::fmt::Write as _;

use super::by_folder::{BELOW, Group, groups};
use super::list::{File, Kind, List, places};
use super::place::line_of;
use super::sums::{BEHIND, BRIEF, NO_COLUMNS, Sums};
use crate::counted::counted;

/// Room for the count of a rule's messages that aren't shown, in bytes.
const OTHERS: usize = 24;
/// The line above the rules.
const LETTERS: &str = "by rule, with the letter that stands for it:\n";
/// What is between two messages.
const JOINT: &str = " | ";

/// A rule's messages, the most frequent first.
struct Messages<'l, 't> {
    kinds: Vec<&'l Kind<'t>>,
    /// Those that are shown, each once.
    lines: Vec<String>,
    shown: usize,
}

impl Messages<'_, '_> {
    /// Adds up to `most` messages as long as they are no longer than `room`; how many bytes they take.
    fn add(&mut self, most: usize, room: usize) -> usize {
        let mut taken = 0;
        for kind in self.kinds.iter().skip(self.shown).take(most) {
            let line = brief(kind.message());
            if !self.lines.contains(&line) {
                if taken + line.len() + JOINT.len() > room {
                    break;
                }
                taken += line.len() + JOINT.len();
                self.lines.push(line);
            }
            self.shown += 1;
        }
        taken
    }

    /// `: package a does not exist | package b does not exist | 17 other messages`.
    fn text(&self) -> String {
        if self.lines.is_empty() {
            return String::new();
        }
        let mut text = format!(": {}", self.lines.join(JOINT));
        let others = self.kinds.len() - self.shown;
        if others > 0 {
            let _ = write!(text, "{JOINT}{}", counted(others, "other messages"));
        }
        text
    }
}

/// A message in one line.
fn brief(message: &str) -> String {
    let lines: Vec<&str> = message.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
    let line = lines.join("; ");
    let shown = &line[..line.floor_char_boundary(BRIEF)];
    format!("{shown}{}", if shown.len() < line.len() { " […]" } else { "" })
}

impl Sums<'_> {
    /// Every file with every place, each rule by a letter, if that fits, and the rules' messages as far as they fit.
    pub(super) fn lettered(&self, list: &List<'_>, room: usize) -> Option<String> {
        let letters = self.letters();
        let mut rows = String::new();
        for file in &list.files {
            self.push_row(&mut rows, file, file.name, &letters, true);
            if rows.len() > room {
                return None;
            }
        }
        self.with_legend(list, room, &letters, BEHIND, &rows)
    }

    /// The same with folders named once above their files.
    pub(super) fn lettered_by_folder(&self, list: &List<'_>, room: usize) -> Option<String> {
        let letters = self.letters();
        let rows = self.rows_by_folder(&groups(list), &letters, usize::MAX);
        self.with_legend(list, room, &letters, BEHIND, &rows)
    }

    /// The same with columns in the first files only.
    pub(super) fn lettered_by_line(&self, list: &List<'_>, room: usize) -> Option<String> {
        let letters = self.letters();
        let groups = groups(list);
        let whole = self.rows_by_folder(&groups, &letters, usize::MAX);
        let rows = self.rows_by_folder(&groups, &letters, 0);
        let titles: usize = self.titles(list, &letters).iter().map(|title| title.len() + 1).sum();
        let used = rows.len() + titles + NO_COLUMNS.len() + Self::head(list, LETTERS).len();
        let left = room.checked_sub(used).filter(|_| rows.len() < whole.len())?;
        // A rule's message says more than a few columns.
        let rows = self.rows_by_folder(&groups, &letters, left / 2);
        self.with_legend(list, room, &letters, NO_COLUMNS, &rows)
    }

    /// The rows of all files, with columns as long as these take no more than `columns` bytes.
    fn rows_by_folder(&self, groups: &[Group<'_, '_>], letters: &[String], mut columns: usize) -> String {
        let mut rows = String::new();
        for (folder, files) in groups {
            if !folder.is_empty() {
                let _ = writeln!(rows, "{BELOW}{folder}");
            }
            for file in files {
                let name = &file.name[folder.len()..];
                let (mut with, mut without) = (String::new(), String::new());
                self.push_row(&mut with, file, name, letters, true);
                self.push_row(&mut without, file, name, letters, false);
                let cost = with.len().saturating_sub(without.len());
                rows.push_str(if cost <= columns { &with } else { &without });
                columns -= if cost <= columns { cost } else { 0 };
            }
        }
        rows
    }

    /// The letter of each rule: frequent rules have the first ones.
    fn letters(&self) -> Vec<String> {
        let mut letters = vec![String::new(); self.rules.len()];
        for (nth, rule) in self.frequent_first().into_iter().enumerate() {
            letters[rule] = letter(nth);
        }
        letters
    }

    fn frequent_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rules.len()).collect();
        order.sort_by_key(|rule| Reverse(self.rules[*rule].1));
        order
    }

    /// Each rule with its letter and its count, frequent ones first.
    fn titles(&self, list: &List<'_>, letters: &[String]) -> Vec<String> {
        let title = |rule: usize| {
            let (name, count, level) = &self.rules[rule];
            let shown = list.level.is_none() && !level.is_empty() && *level != name.as_str();
            let level = if shown { format!("{level} ") } else { String::new() };
            format!("  {} {level}{name} ×{count}", letters[rule])
        };
        self.frequent_first().into_iter().map(title).collect()
    }

    fn push_row(&self, rows: &mut String, file: &File<'_>, name: &str, letters: &[String], columns: bool) {
        let _ = write!(rows, "{name}: ");
        for (nth, (rule, entries)) in self.by_rule(file).into_iter().enumerate() {
            let _ = write!(rows, "{}{} ", if nth > 0 { "; " } else { "" }, letters[rule]);
            places(rows, entries.into_iter().map(|at| if columns { at } else { line_of(at) }));
        }
        rows.push('\n');
    }

    /// `rows` below what the letters stand for, and the line `behind` that says what they lack.
    fn with_legend(
        &self,
        list: &List<'_>,
        room: usize,
        letters: &[String],
        behind: &str,
        rows: &str,
    ) -> Option<String> {
        let mut out = Self::head(list, LETTERS);
        let titles = self.titles(list, letters);
        let used = out.len() + behind.len() + rows.len();
        let mut left = room.checked_sub(used + titles.iter().map(|title| title.len() + 1).sum::<usize>())?;
        let mut messages: Vec<Messages<'_, '_>> = Vec::with_capacity(titles.len());
        for rule in self.frequent_first() {
            let of_rule = list.kinds.iter().zip(&self.rule_of).filter(|(_, of)| **of == rule);
            let mut kinds: Vec<&Kind<'_>> = of_rule.map(|(kind, _)| kind).collect();
            kinds.sort_by_key(|kind| Reverse(kind.count));
            messages.push(Messages { kinds, lines: Vec::new(), shown: 0 });
        }
        for most in [1, usize::MAX] {
            for of_rule in &mut messages {
                let others = if of_rule.kinds.len() > 1 { OTHERS } else { 0 };
                let taken = of_rule.add(most, left.saturating_sub(others));
                // The count stays reserved after the first message.
                left -= taken + if most == 1 && taken > 0 { others } else { 0 };
            }
        }
        for (title, messages) in titles.into_iter().zip(messages) {
            let _ = writeln!(out, "{title}{}", messages.text());
        }
        Some(out + behind + rows)
    }
}

/// `a` to `z`, then `aa` and so on.
pub(crate) fn letter(nth: usize) -> String {
    let last = char::from(b'a' + u8::try_from(nth % 26).unwrap_or(0));
    match nth / 26 {
        0 => last.to_string(),
        before => letter(before - 1) + &last.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::List;
    use super::super::{parse, parted};
    use super::Sums;

    /// As those of javac, which have no names: many messages are below one letter.
    #[test]
    fn messages_beside_a_letter_are_the_most_frequent_and_the_others_are_counted() {
        // Of 60 packages the seventh is missing more often.
        let finding = |n: usize| {
            let package = if n % 60 < 3 { 7 } else { n % 60 };
            format!("src/Part{:02}.java:{n}: error: package p{package} does not exist\n", n % 30)
        };
        let text: String = (1..=900).map(finding).collect();
        let pieces = parse::pieces(&text);
        let (findings, _, _) = parted(&pieces);
        let list = List::new(&findings);
        let sums = Sums::new(&list, 0);
        let whole = sums.lettered(&list, 20_000).expect("a list");
        assert!(whole.contains("  a error ×900: package p7 does not exist | package p"), "{whole}");
        assert!(!whole.contains("other message") && whole.contains("package p59 does not exist"), "{whole}");
        let rows = whole.split_once(super::BEHIND).expect("rows").1.len();
        for more in [220, 400, 900] {
            let room = rows + more;
            let short = sums.lettered(&list, room).expect("a list");
            assert!(short.len() <= room, "{} {room}", short.len());
            let (_, told) = short.split_once("  a error ×900: package p7 does not exist").expect("the first");
            let told = told.lines().next().unwrap_or_default();
            let shown = told.matches(" | package").count();
            assert!(told.ends_with(&format!(" | {} other messages", 56 - shown)), "{more}: {told}");
        }
    }
}
