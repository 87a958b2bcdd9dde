//! A list of findings that can't be shown whole: by rule with examples, every file with as many of its places as fit,
//! and counts for the rest. Owns what is dropped first: the places of frequent rules, then the rules. Where the files
//! don't fit, `by_folder` shows their folders.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use super::list::{File, List, places};
use crate::counted::counted;

/// Longest message in a list that can't be complete, in bytes.
const MESSAGE: usize = 200;
/// The same if rules are shown by letters, in bytes.
pub(super) const BRIEF: usize = 80;

/// Room for the count of the rules that aren't shown, in bytes.
const MORE_RULES: usize = 24;

/// A group that doesn't fit shows at least this many places, or none.
const SOME: usize = 3;

/// The line above rows without messages.
pub(super) const BEHIND: &str = "the messages of single places are left out:\n";
/// The line above rows of which some have only lines in place of places, too.
pub(super) const NO_COLUMNS: &str = "some or all columns and the messages of single places are left out:\n";

/// Findings summed up by rule, for lists that can't be complete.
pub(super) struct Sums<'t> {
    /// For each kind the rule that it is counted under.
    pub(super) rule_of: Vec<usize>,
    /// Each rule's name, how many findings it has, and their level.
    pub(super) rules: Vec<(String, usize, &'t str)>,
    /// The kinds whose messages are shown as examples.
    examples: Vec<usize>,
}

impl<'t> Sums<'t> {
    pub(super) fn new(list: &List<'t>, room: usize) -> Self {
        let mut rules: Vec<(String, usize, &'t str)> = Vec::new();
        let mut at: HashMap<(&str, &str), usize> = HashMap::new();
        let mut rule_of = Vec::with_capacity(list.kinds.len());
        let mut used = 0;
        let mut examples = Vec::new();
        // Rules without a name are kept apart as long as there are few.
        let nameless = list.kinds.iter().filter(|kind| kind.rule.is_empty()).count();
        let mut kinds: Vec<_> = list.kinds.iter().enumerate().collect();
        for (_, kind) in &kinds {
            let name = if kind.rule.is_empty() && nameless <= 40 { kind.label.as_str() } else { kind.rule };
            let rule = *at.entry((kind.level, name)).or_insert_with(|| {
                // Findings without a rule are grouped by their level.
                let shown = match (name, kind.level) {
                    ("", "") => "other",
                    ("", level) => level,
                    (name, _) => name,
                };
                used += shown.len() + 20;
                rules.push((shown.to_owned(), 0, kind.level));
                rules.len() - 1
            });
            rules[rule].1 += kind.count;
            rule_of.push(rule);
        }
        // Rare ones first: a reader overlooks them. But each rule's first message comes before a rule's second.
        kinds.sort_by_key(|(_, kind)| kind.count);
        let mut begun = HashSet::new();
        let (first, more): (Vec<_>, Vec<_>) =
            kinds.into_iter().partition(|(at, _)| begun.insert(rule_of[*at]));
        let mut printed: HashSet<(usize, &str)> = HashSet::new();
        for (at, kind) in first.into_iter().chain(more) {
            let line = kind.message().split('\n').next().unwrap_or_default();
            let new = printed.insert((rule_of[at], line));
            let cost = if new { line.len().min(MESSAGE) + 8 } else { 0 };
            if used + cost <= room {
                used += cost;
                examples.push(at);
            }
        }
        Self { rule_of, rules, examples }
    }

    /// The rules with how often each was broken, and an example of its messages.
    pub(super) fn legend(&self, list: &List<'_>) -> String {
        let mut out = match list.level {
            Some(level) if !level.is_empty() => {
                format!("{}, each finding: {level}\n", counted(list.files.len(), "files"))
            }
            _ => format!("{}\n", counted(list.files.len(), "files")),
        };
        let mut order: Vec<usize> = (0..self.rules.len()).collect();
        order.sort_by_key(|rule| std::cmp::Reverse(self.rules[*rule].1));
        out.push_str(if self.examples.is_empty() { "by rule:\n" } else { "by rule, with what it says:\n" });
        // Each rule's kinds, and those that are examples.
        let mut kinds: Vec<Vec<usize>> = vec![Vec::new(); self.rules.len()];
        self.rule_of.iter().enumerate().for_each(|(at, rule)| kinds[*rule].push(at));
        let mut examples: Vec<Vec<usize>> = vec![Vec::new(); self.rules.len()];
        self.examples.iter().for_each(|at| examples[self.rule_of[*at]].push(*at));
        for rule in order {
            let (name, count, level) = &self.rules[rule];
            out.push_str("  ");
            if list.level.is_none() && !level.is_empty() && *level != name.as_str() {
                let _ = write!(out, "{level} ");
            }
            let _ = write!(out, "{name} ×{count}");
            let mut shown = 0;
            let mut printed: HashSet<&str> = HashSet::new();
            for at in &examples[rule] {
                let kind = &list.kinds[*at];
                let message = kind.message();
                let line = message.split('\n').next().unwrap_or(message);
                shown += 1;
                if !printed.insert(line) {
                    continue;
                }
                out.push_str(if printed.len() == 1 { ": " } else { " | " });
                out.push_str(&line[..line.floor_char_boundary(MESSAGE)]);
                if line.len() < message.len() || line.len() > MESSAGE {
                    out.push_str(" […]");
                }
            }
            // The number of a rule without a name means nothing.
            let first = kinds[rule].first().filter(|_| shown == 0 && name.starts_with('#'));
            if let Some(kind) = first.map(|at| &list.kinds[*at]) {
                let line = kind.message().split('\n').next().unwrap_or_default();
                let _ = write!(out, ": {}", &line[..line.floor_char_boundary(BRIEF / 2)]);
                out.push_str(if line.len() > BRIEF / 2 { " […]" } else { "" });
            }
            let others = kinds[rule].len() - shown;
            if others > 0 && shown > 0 {
                let _ = write!(out, " | {}", counted(others, "other messages"));
            }
            out.push('\n');
        }
        out
    }

    /// The same in about `most` bytes: what doesn't fit are the rarest rules, which are counted.
    pub(super) fn legend_within(&self, list: &List<'_>, most: usize) -> String {
        let mut legend = self.legend(list);
        if legend.len() <= most {
            return legend;
        }
        let mut end = 0;
        for (nth, line) in legend.split_inclusive('\n').enumerate() {
            // Two lines say what the list is, and the first rule is the most frequent one.
            if nth > 2 && end + line.len() + MORE_RULES > most {
                break;
            }
            end += line.len();
        }
        let more = legend[end..].lines().count();
        legend.truncate(end);
        if more > 0 {
            let _ = writeln!(legend, "  … {}", counted(more, "more rules"));
        }
        legend
    }

    /// Every file with every place of each rule, if that fits.
    pub(super) fn places(&self, list: &List<'_>, room: usize) -> Option<String> {
        let mut out = String::new();
        for file in &list.files {
            out.push_str(&self.row(file, file.name));
            if out.len() > room {
                return None;
            }
        }
        Some(out)
    }

    /// A file by this `name` with every place of each rule.
    pub(super) fn row(&self, file: &File<'_>, name: &str) -> String {
        let mut row = format!("{name}: ");
        for (nth, (rule, entries)) in self.by_rule(file).into_iter().enumerate() {
            let _ = write!(row, "{}{} ", if nth > 0 { "; " } else { "" }, self.rules[rule].0);
            places(&mut row, entries.into_iter());
        }
        row.push('\n');
        row
    }

    /// How many files there are, the level that all findings have, and what follows.
    pub(super) fn head(list: &List<'_>, follows: &str) -> String {
        let each = match list.level {
            Some(level) if !level.is_empty() => format!(", each finding: {level}"),
            _ => String::new(),
        };
        format!("{}{each}\n{follows}", counted(list.files.len(), "files"))
    }

    pub(super) fn by_rule<'l>(&self, file: &'l File<'_>) -> BTreeMap<usize, Vec<&'l str>> {
        let mut rules: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for entry in &file.findings {
            rules.entry(self.rule_of[entry.kind]).or_default().push(entry.at);
        }
        rules
    }

    /// Every file with each rule's count, and the places of rare rules and small groups as long as there is room; and how many
    /// places these are.
    pub(super) fn counts(&self, list: &List<'_>, room: usize, folder: &str) -> Option<(String, usize)> {
        let below = |file: &File<'_>| file.name.len().min(folder.len());
        let files: Vec<_> =
            list.files.iter().map(|file| (&file.name[below(file)..], self.by_rule(file))).collect();
        let with_count = |rule: usize, count: usize| format!("{} ×{count}", self.rules[rule].0);
        let mut used = 0;
        let mut upgrades = Vec::new();
        for (at, (name, rules)) in files.iter().enumerate() {
            used += name.len() + 3;
            for (rule, entries) in rules {
                let short = with_count(*rule, entries.len()).len() + 2;
                used += short;
                let mut shown = String::new();
                places(&mut shown, entries.iter().copied());
                let long = self.rules[*rule].0.len() + 3 + shown.len();
                upgrades.push((self.rules[*rule].1, entries.len(), at, *rule, long.saturating_sub(short)));
            }
        }
        if used > room {
            return None;
        }
        upgrades.sort_unstable();
        let mut with_places = HashSet::new();
        for (_, _, at, rule, cost) in upgrades {
            if used + cost <= room {
                used += cost;
                with_places.insert((at, rule));
            }
        }
        let (mut left, mut placed) = (room - used, 0);
        let mut out = String::with_capacity(room);
        for (at, (name, rules)) in files.iter().enumerate() {
            let _ = write!(out, "{name}: ");
            for (nth, (rule, entries)) in rules.iter().enumerate() {
                out.push_str(if nth > 0 { "; " } else { "" });
                if with_places.contains(&(at, *rule)) {
                    let _ = write!(out, "{} ", self.rules[*rule].0);
                    places(&mut out, entries.iter().copied());
                    placed += entries.len();
                } else {
                    out.push_str(&with_count(*rule, entries.len()));
                    placed += begun(&mut out, entries.iter().copied(), &mut left);
                }
            }
            out.push('\n');
        }
        Some((out, placed))
    }
}

/// After the count of a group its first places, as far as they fit in `left`: `: 3:9, 8:2, …`, without the mark if
/// these are all. Returns how many it shows.
pub(super) fn begun<'p>(out: &mut String, all: impl Iterator<Item = &'p str>, left: &mut usize) -> usize {
    let mut cost = ": , …".len();
    let mut shown: Vec<&str> = Vec::new();
    let mut more = false;
    for place in all {
        cost += place.len() + 2;
        if cost > *left {
            more = true;
            break;
        }
        shown.push(place);
    }
    let count = shown.len();
    if count < SOME {
        return 0;
    }
    let before = out.len();
    out.push_str(": ");
    places(out, shown.into_iter());
    if more {
        out.push_str(", …");
    }
    *left = left.saturating_sub(out.len() - before);
    count
}

/// Every file with its number of findings, and as many places as fit beside them; with the line that says so, and how
/// many places are shown. `None` where the files are too many.
pub(super) fn files(list: &List<'_>, room: usize, folder: &str) -> Option<(&'static str, String, usize)> {
    let mut rows = Vec::with_capacity(list.files.len());
    let mut used = 0;
    for file in &list.files {
        let row = format!("{} ×{}", &file.name[folder.len()..], file.findings.len());
        used += row.len() + 1;
        rows.push(row);
    }
    let mut left = room.checked_sub(used)?;
    let mut placed = 0;
    let mut out = String::with_capacity(room);
    for (file, row) in list.files.iter().zip(rows) {
        out.push_str(&row);
        // A single place is as long as its count.
        if file.findings.len() > SOME {
            placed += begun(&mut out, file.findings.iter().map(|entry| entry.at), &mut left);
        }
        out.push('\n');
    }
    Some(("×n counts the findings of a file, of which some or all places are left out:\n", out, placed))
}
