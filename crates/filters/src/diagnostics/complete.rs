//! The layouts of a list of findings that have every place with its message: by file, in a file by rule, with messages inline
//! or once above the files. Owns which messages are written once, and which names are left out because they are at the
//! place itself.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::list::{Entry, File, Kind, List, places};

/// The factor, and the bytes, that a message in pieces must save.
pub(super) const SPELLED: usize = 2;
const LITTLE: usize = 300;

/// The line above messages that are written once.
const NAMES: &str = "rules (… stands for the names behind the places):\n";
/// The same where some names are left out.
pub(super) const AT_PLACE: &str =
    "rules (… stands for the names behind the places, or for those at the places in the files):\n";

/// Words of a message whose name isn't at its place: it's what should be there.
const ELSEWHERE: [&str; 12] = [
    "mean", "instead", "missing", "expect", "replace", "use ", "using ", "require", "renam", "in favo",
    "should", "must",
];

/// The list with every place and message, but without the names that are at their places in the files; `None` if no message
/// has such a name, or if some rule has no name.
pub(super) fn without_names_at_places(list: &List<'_>) -> Option<String> {
    let at_place = names_at_places(list);
    if !at_place.contains(&true) || list.kinds.iter().any(|kind| kind.rule.is_empty()) {
        return None;
    }
    let worth = worth_listing(list, SPELLED);
    let listed: Vec<bool> =
        worth.iter().zip(&at_place).map(|(worth, at_place)| *worth || *at_place).collect();
    Some(complete(list, &listed, &at_place))
}

/// Which kinds have messages that differ in nothing but a quoted name that is at the place: `'x' is not defined`.
fn names_at_places(list: &List<'_>) -> Vec<bool> {
    let may = |kind: &Kind<'_>| {
        let text = kind.template.to_lowercase();
        kind.count > 1 && !kind.constant && !ELSEWHERE.iter().any(|word| text.contains(word))
    };
    let mut at_place: Vec<bool> = list.kinds.iter().map(may).collect();
    for entry in list.files.iter().flat_map(|file| &file.findings) {
        at_place[entry.kind] &= matches!(entry.names.as_slice(), [name] if is_quoted_name(name));
    }
    at_place
}

/// `'total'`, `"os.path"`, and not a type or a text in quotes.
fn is_quoted_name(name: &str) -> bool {
    let inner = name.trim_matches(['\'', '"', '`', '‘', '’', '“', '”']);
    inner.len() < name.len()
        && inner.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
        && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-'))
}

/// Which kinds are shorter when their message is written once; if each message has several names, so that it is split
/// into pieces, only if that is much shorter.
pub(super) fn worth_listing(list: &List<'_>, spelled: usize) -> Vec<bool> {
    let mut inline = vec![0_usize; list.kinds.len()];
    let mut named = vec![0_usize; list.kinds.len()];
    let mut pieces = vec![0_usize; list.kinds.len()];
    for file in &list.files {
        let mut seen: HashSet<(usize, &str)> = HashSet::new();
        for entry in &file.findings {
            if seen.insert((entry.kind, &entry.message)) {
                inline[entry.kind] += entry.message.len() + 8;
                pieces[entry.kind] = pieces[entry.kind].max(entry.names.len());
                named[entry.kind] += entry.names.iter().map(|name| name.len() + 1).sum::<usize>();
            }
        }
    }
    let legend = |(at, kind): (usize, &Kind<'_>)| {
        let names = if kind.constant { 0 } else { named[at] };
        let short = kind.template.len() + 2 * kind.label.len() + 16 + names;
        let in_pieces = pieces[at] > 1 && !kind.constant && spelled > 1;
        let worth = if in_pieces { (short * spelled).max(short + LITTLE) } else { short };
        kind.count > 1 && worth < inline[at]
    };
    list.kinds.iter().enumerate().map(legend).collect()
}

/// Everything, with the messages of the kinds that are `listed` written once above the files, and without the names of those
/// whose names are `at_place`.
pub(super) fn complete(list: &List<'_>, listed: &[bool], at_place: &[bool]) -> String {
    let mut out = String::new();
    match list.level {
        Some("") | None => {}
        Some(level) => {
            let _ = writeln!(out, "each of these: {level}");
        }
    }
    if listed.contains(&true) {
        out.push_str(if at_place.contains(&true) { AT_PLACE } else { NAMES });
        for (_, kind) in in_order(list).filter(|(at, _)| listed[*at]) {
            let _ = write!(out, "  {}", title(list, kind));
            push_message(&mut out, kind.message());
        }
    }
    for file in &list.files {
        let rows = rows(list, file, listed, at_place);
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
fn rows(list: &List<'_>, file: &File<'_>, listed: &[bool], at_place: &[bool]) -> Vec<String> {
    // One row for each kind in the legend, and one for each message of the others.
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
            None if kind.constant || at_place[key.0] => {
                let _ = write!(row, "{} ", kind.label);
                places(&mut row, entries.iter().map(|entry| entry.at));
            }
            None => {
                let _ = write!(row, "{} ", kind.label);
                write_places(&mut row, entries);
            }
        }
        out.push(row);
    }
    out
}

/// `3:9, 8:2 'foo'; 11:4 'bar'`.
fn write_places(row: &mut String, entries: &[&Entry<'_>]) {
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

#[cfg(test)]
mod tests {
    use super::super::by_file_and_rule;
    use super::{AT_PLACE, is_quoted_name};

    /// Up to the room everything is shown without Plimsoll: no message may say less than it did.
    #[test]
    fn what_a_message_says_beyond_its_place_stays_where_the_list_would_be_shown() {
        let finding = |n: usize| {
            let (file, line) = (n % 5, n * 3);
            match n % 6 {
                0 => format!(
                    "src/file{file}.py:{line}:9: error: Argument \"a{n}\" to \"load{n}\" has incompatible type \"T{n}\"  [arg-type]\n"
                ),
                1 => format!(
                    "src/file{file}.py:{line}:1: error: No such option, did you mean 'opt{n}'?  [opt]\n"
                ),
                _ => {
                    format!("src/file{file}.py:{line}:4: error: 'loose{n}' is not defined  [name-defined]\n")
                }
            }
        };
        let text: String = (1..=300).map(finding).collect();
        let text = format!("{text}Found 300 errors in 5 files\n");
        let short = by_file_and_rule(&text, 30_000).unwrap();
        for n in 1..=300 {
            let beyond = match n % 6 {
                0 => vec![format!("\"a{n}\""), format!("\"load{n}\""), format!("\"T{n}\"")],
                1 => vec![format!("'opt{n}'")],
                _ => vec![format!("{}:4", n * 3)],
            };
            beyond.iter().for_each(|fact| assert!(short.contains(fact.as_str()), "{fact}: {short}"));
        }
        // The names at the places are left out, and that is stated.
        assert!(
            short.contains(AT_PLACE) && !short.contains("'loose300'") && !short.contains("'loose2'"),
            "{short}"
        );
        assert!(
            short.contains("is not defined") && short.ends_with("Found 300 errors in 5 files\n"),
            "{short}"
        );
        assert!(short.len() * 4 < text.len(), "{} of {}", short.len(), text.len());
        // Where the agent would cut the list, each place says which rule is broken.
        let cut = by_file_and_rule(&text, 8_000).unwrap();
        assert!(cut.contains("arg-type") && cut.len() <= 8_000, "{cut}");
    }

    #[test]
    fn a_type_or_a_text_in_quotes_is_not_a_name() {
        for name in ["'total'", "\"os.path\"", "`_x`", "‘größe’", "'$el'"] {
            assert!(is_quoted_name(name), "{name}");
        }
        for name in ["112", "\"list[int]\"", "'a b'", "'2'", "\"Callable[[int], str]\"", "''", "src/a.py:3"] {
            assert!(!is_quoted_name(name), "{name}");
        }
    }
}
