//! The layout of a list of findings: by file, in a file by rule. Owns what gives way when the room is small: first the names
//! in the messages, then the places of what is frequent, then the rules, and each time what is left out is counted.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use super::list::{Entry, File, Kind, List};

/// What the shorter of two complete layouts must save to be worth the detour through a legend, in percent.
const WORTH_LEGEND: usize = 20;
/// A complete layout up to this size, in bytes, has no legend: whole messages are easier to read.
const PLAIN: usize = 3_000;
/// Longest message in a list that can't be complete, in bytes.
const MESSAGE: usize = 200;

/// The list with everything in it.
pub(super) fn whole(list: &List<'_>) -> String {
    let plain = complete(list, &vec![false; list.kinds.len()]);
    let listed = worth_listing(list);
    if !listed.contains(&true) || plain.len() <= PLAIN {
        return plain;
    }
    let short = complete(list, &listed);
    if short.len() * 100 <= plain.len() * (100 - WORTH_LEGEND) { short } else { plain }
}

/// The list in about `room` bytes.
pub(super) fn within(list: &List<'_>, room: usize) -> String {
    let plain = whole(list);
    if plain.len() <= room {
        return plain;
    }
    let short = complete(list, &worth_listing(list));
    if short.len() <= room {
        return short;
    }
    let sums = Sums::new(list, room / 3);
    let head = sums.legend(list);
    let left = room.saturating_sub(head.len() + 100);
    let mut out = head;
    let folder = common_folder(list);
    let below = |out: &mut String| {
        if !folder.is_empty() {
            let _ = writeln!(out, "files are below {folder}");
        }
    };
    if let Some(rows) = sums.places(list, left) {
        out.push_str("the messages of single places are left out:\n");
        out.push_str(&rows);
    } else if let Some(rows) = sums.counts(list, left, folder) {
        below(&mut out);
        out.push_str("×n counts findings of a rule whose places are left out:\n");
        out.push_str(&rows);
    } else {
        below(&mut out);
        let (title, rows) = files(list, left, folder);
        out.push_str(title);
        out.push_str(&rows);
    }
    out
}

/// The folder that all files are in, where naming it with each is most of a row.
fn common_folder<'t>(list: &List<'t>) -> &'t str {
    let mut names = list.files.iter().map(|file| file.name);
    let Some(first) = names.next() else { return "" };
    let shared = names.fold(first.len(), |shared, name| {
        first.bytes().zip(name.bytes()).take(shared).take_while(|(a, b)| a == b).count()
    });
    let end = first.as_bytes()[..shared].iter().rposition(|byte| matches!(byte, b'/' | b'\\'));
    end.filter(|end| *end >= 12 && list.files.len() > 2).map_or("", |end| &first[..=end])
}

/// Which kinds are shorter when their message is written once.
fn worth_listing(list: &List<'_>) -> Vec<bool> {
    let mut inline = vec![0_usize; list.kinds.len()];
    let mut named = vec![0_usize; list.kinds.len()];
    for file in &list.files {
        let mut seen: HashSet<(usize, &str)> = HashSet::new();
        for entry in &file.findings {
            if seen.insert((entry.kind, &entry.message)) {
                inline[entry.kind] += entry.message.len() + 8;
                named[entry.kind] += entry.names.iter().map(|name| name.len() + 1).sum::<usize>();
            }
        }
    }
    let legend = |(at, kind): (usize, &Kind<'_>)| {
        let names = if kind.constant { 0 } else { named[at] };
        kind.count > 1 && kind.template.len() + 2 * kind.label.len() + 16 + names < inline[at]
    };
    list.kinds.iter().enumerate().map(legend).collect()
}

/// Everything, with the messages of the kinds that are `listed` written once above the files.
fn complete(list: &List<'_>, listed: &[bool]) -> String {
    let mut out = String::new();
    match list.level {
        Some("") | None => {}
        Some(level) => {
            let _ = writeln!(out, "each of these: {level}");
        }
    }
    if listed.contains(&true) {
        out.push_str("rules (… stands for the names behind the places):\n");
        for (_, kind) in in_order(list).filter(|(at, _)| listed[*at]) {
            let _ = write!(out, "  {}", title(list, kind));
            push_message(&mut out, kind.said());
        }
    }
    for file in &list.files {
        let rows = rows(list, file, listed);
        match rows.as_slice() {
            [only] if !only.contains('\n') => {
                let _ = writeln!(out, "{}: {only}", file.name);
            }
            _ => {
                let _ = writeln!(out, "{}", file.name);
                for row in rows {
                    let _ = writeln!(out, "  {row}");
                }
            }
        }
    }
    out
}

/// Frequent kinds before rare ones.
fn in_order<'l, 't>(list: &'l List<'t>) -> impl Iterator<Item = (usize, &'l Kind<'t>)> {
    let mut kinds: Vec<_> = list.kinds.iter().enumerate().collect();
    kinds.sort_by_key(|(_, kind)| std::cmp::Reverse(kind.count));
    kinds.into_iter()
}

/// `error no-undef ×12: `.
fn title(list: &List<'_>, kind: &Kind<'_>) -> String {
    let level = if list.level.is_none() && !kind.level.is_empty() {
        format!("{} ", kind.level)
    } else {
        String::new()
    };
    format!("{level}{} ×{}: ", kind.label, kind.count)
}

/// A message, its further lines indented.
fn push_message(out: &mut String, message: &str) {
    for (nth, line) in message.split('\n').enumerate() {
        if nth > 0 {
            out.push_str("\n    ");
        }
        out.push_str(line.trim_end());
    }
    out.push('\n');
}

/// One row for each rule of a file, in order of appearance.
fn rows(list: &List<'_>, file: &File<'_>, listed: &[bool]) -> Vec<String> {
    // What is in the legend: one row for each kind; what is not: one for each message.
    let mut order: Vec<(usize, Option<&str>)> = Vec::new();
    let mut groups: HashMap<(usize, Option<&str>), Vec<&Entry<'_>>> = HashMap::new();
    for entry in &file.findings {
        let key = (entry.kind, (!listed[entry.kind]).then_some(entry.message.as_str()));
        let group = groups.entry(key).or_insert_with(|| {
            order.push(key);
            Vec::new()
        });
        group.push(entry);
    }
    let mut out = Vec::with_capacity(order.len());
    for key in order {
        let (Some(kind), Some(entries)) = (list.kinds.get(key.0), groups.get(&key)) else { continue };
        let mut row = String::new();
        match key.1 {
            Some(message) => {
                for part in [if list.level.is_none() { kind.level } else { "" }, kind.rule] {
                    if !part.is_empty() {
                        row.push_str(part);
                        row.push(' ');
                    }
                }
                places(&mut row, entries.iter().map(|entry| entry.at));
                row.push_str(": ");
                push_message(&mut row, message);
                row.truncate(row.trim_end().len());
            }
            None if kind.constant => {
                let _ = write!(row, "{} ", kind.label);
                places(&mut row, entries.iter().map(|entry| entry.at));
            }
            None => {
                let _ = write!(row, "{} ", kind.label);
                named(&mut row, entries);
            }
        }
        out.push(row);
    }
    out
}

/// `3:9, 8:2 'foo'; 11:4 'bar'`.
fn named(row: &mut String, entries: &[&Entry<'_>]) {
    let mut order: Vec<&[String]> = Vec::new();
    let mut by_names: HashMap<&[String], Vec<&str>> = HashMap::new();
    for entry in entries {
        let places = by_names.entry(&entry.names).or_insert_with(|| {
            order.push(&entry.names);
            Vec::new()
        });
        places.push(entry.at);
    }
    for (nth, names) in order.into_iter().enumerate() {
        if nth > 0 {
            row.push_str("; ");
        }
        places(row, by_names.get(names).into_iter().flatten().copied());
        for name in names {
            row.push(' ');
            row.push_str(name);
        }
    }
}

/// `3:9, 8:2 ×2, 11:4`.
fn places<'p>(row: &mut String, all: impl Iterator<Item = &'p str>) {
    let mut all = all.peekable();
    let mut first = true;
    while let Some(place) = all.next() {
        let mut times = 1;
        while all.next_if_eq(&place).is_some() {
            times += 1;
        }
        if !std::mem::take(&mut first) {
            row.push_str(", ");
        }
        row.push_str(place);
        if times > 1 {
            let _ = write!(row, " ×{times}");
        }
    }
}

/// Findings summed up by rule, for lists that can't be complete.
struct Sums<'t> {
    /// For each kind the rule that it is counted under.
    rule_of: Vec<usize>,
    rules: Vec<(String, usize, &'t str)>,
    /// The kinds whose messages are shown as examples.
    examples: Vec<usize>,
}

impl<'t> Sums<'t> {
    fn new(list: &List<'t>, room: usize) -> Self {
        let mut rules: Vec<(String, usize, &'t str)> = Vec::new();
        let mut at: HashMap<(&str, &str), usize> = HashMap::new();
        let mut rule_of = Vec::with_capacity(list.kinds.len());
        let mut used = 0;
        let mut examples = Vec::new();
        // Rules without a name are told apart as long as there are few.
        let nameless = list.kinds.iter().filter(|kind| kind.rule.is_empty()).count();
        let mut kinds: Vec<_> = list.kinds.iter().enumerate().collect();
        for (_, kind) in &kinds {
            let name = if kind.rule.is_empty() && nameless <= 40 { kind.label.as_str() } else { kind.rule };
            let rule = *at.entry((kind.level, name)).or_insert_with(|| {
                // What has no rule is told apart by its level.
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
        // Rare ones first: they're what a reader overlooks.
        kinds.sort_by_key(|(_, kind)| kind.count);
        let mut said: HashSet<(usize, &str)> = HashSet::new();
        for (at, kind) in kinds {
            let line = kind.said().split('\n').next().unwrap_or_default();
            let new = said.insert((rule_of[at], line));
            let cost = if new { line.len().min(MESSAGE) + 8 } else { 0 };
            if used + cost <= room {
                used += cost;
                examples.push(at);
            }
        }
        Self { rule_of, rules, examples }
    }

    /// The rules with how often each was broken, and an example of what they say.
    fn legend(&self, list: &List<'_>) -> String {
        let mut out = match list.level {
            Some(level) if !level.is_empty() => {
                format!("{} files, each finding: {level}\n", list.files.len())
            }
            _ => format!("{} files\n", list.files.len()),
        };
        let mut order: Vec<usize> = (0..self.rules.len()).collect();
        order.sort_by_key(|rule| std::cmp::Reverse(self.rules[*rule].1));
        out.push_str("by rule, with what it says:\n");
        for rule in order {
            let (name, count, level) = &self.rules[rule];
            out.push_str("  ");
            if list.level.is_none() && !level.is_empty() && *level != name.as_str() {
                let _ = write!(out, "{level} ");
            }
            let _ = write!(out, "{name} ×{count}");
            let mut told = 0;
            let mut said: HashSet<&str> = HashSet::new();
            for at in self.examples.iter().filter(|at| self.rule_of[**at] == rule) {
                let kind = &list.kinds[*at];
                let message = kind.said();
                let line = message.split('\n').next().unwrap_or(message);
                told += 1;
                if !said.insert(line) {
                    continue;
                }
                out.push_str(if said.len() == 1 { ": " } else { " | " });
                out.push_str(&line[..line.floor_char_boundary(MESSAGE)]);
                if line.len() < message.len() || line.len() > MESSAGE {
                    out.push_str(" […]");
                }
            }
            let untold = self.rule_of.iter().filter(|of| **of == rule).count() - told;
            if untold > 0 && told > 0 {
                let _ = write!(out, " | {untold} other messages");
            }
            out.push('\n');
        }
        out
    }

    /// Every file with every place of each rule, if that fits.
    fn places(&self, list: &List<'_>, room: usize) -> Option<String> {
        let mut out = String::new();
        for file in &list.files {
            let mut row = format!("{}: ", file.name);
            for (nth, (rule, entries)) in self.by_rule(file).into_iter().enumerate() {
                let _ = write!(row, "{}{} ", if nth > 0 { "; " } else { "" }, self.rules[rule].0);
                places(&mut row, entries.into_iter());
            }
            row.push('\n');
            out.push_str(&row);
            if out.len() > room {
                return None;
            }
        }
        Some(out)
    }

    fn by_rule<'l>(&self, file: &'l File<'_>) -> BTreeMap<usize, Vec<&'l str>> {
        let mut rules: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for entry in &file.findings {
            rules.entry(self.rule_of[entry.kind]).or_default().push(entry.at);
        }
        rules
    }

    /// Every file with each rule's count, and the places of rare rules and small groups as long as there is room.
    fn counts(&self, list: &List<'_>, room: usize, folder: &str) -> Option<String> {
        let below = |file: &File<'_>| file.name.len().min(folder.len());
        let files: Vec<_> =
            list.files.iter().map(|file| (&file.name[below(file)..], self.by_rule(file))).collect();
        let counted = |rule: usize, count: usize| format!("{} ×{count}", self.rules[rule].0);
        let mut used = 0;
        let mut upgrades = Vec::new();
        for (at, (name, rules)) in files.iter().enumerate() {
            used += name.len() + 3;
            for (rule, entries) in rules {
                let short = counted(*rule, entries.len()).len() + 2;
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
        let mut out = String::with_capacity(used);
        for (at, (name, rules)) in files.iter().enumerate() {
            let _ = write!(out, "{name}: ");
            for (nth, (rule, entries)) in rules.iter().enumerate() {
                out.push_str(if nth > 0 { "; " } else { "" });
                if with_places.contains(&(at, *rule)) {
                    let _ = write!(out, "{} ", self.rules[*rule].0);
                    places(&mut out, entries.iter().copied());
                } else {
                    out.push_str(&counted(*rule, entries.len()));
                }
            }
            out.push('\n');
        }
        Some(out)
    }
}

/// Every file with its number of findings, or where these are too many, every folder.
fn files(list: &List<'_>, room: usize, folder: &str) -> (&'static str, String) {
    let mut names: Vec<(String, usize, usize)> = list
        .files
        .iter()
        .map(|file| (file.name[folder.len()..].to_owned(), 1, file.findings.len()))
        .collect();
    let text = |names: &[(String, usize, usize)], folders: bool| {
        let mut out = String::new();
        for (name, files, findings) in names {
            let _ = match folders {
                true => writeln!(out, "{name} {files} files ×{findings}"),
                false => writeln!(out, "{name} ×{findings}"),
            };
        }
        out
    };
    let rows = text(&names, false);
    if rows.len() <= room {
        return ("×n counts the findings of a file, whose places are left out:\n", rows);
    }
    loop {
        // One level up, until the folders fit.
        let mut folders: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (name, files, findings) in &names {
            let folder = name.trim_end_matches(['/', '\\']);
            let folder = folder.rfind(['/', '\\']).map_or("./", |end| &folder[..=end]);
            let sum = folders.entry(folder.to_owned()).or_default();
            *sum = (sum.0 + files, sum.1 + findings);
        }
        let fewer: Vec<_> =
            folders.into_iter().map(|(name, (files, findings))| (name, files, findings)).collect();
        let done = fewer.len() == names.len() || fewer.len() <= 1;
        names = fewer;
        let rows = text(&names, true);
        if rows.len() <= room || done {
            return ("×n counts the findings below a folder, whose places are left out:\n", rows);
        }
    }
}
