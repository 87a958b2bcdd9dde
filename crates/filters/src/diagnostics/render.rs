//! The layout of a list of findings: by file, in a file by rule. Owns the complete layouts, with messages inline or
//! once above the files, and the order in which shorter ones are tried.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::by_folder::{BELOW, bare, common_folder, folders, groups};
use super::list::{Entry, File, Kind, List, places};
use super::sums::{BEHIND, Sums, files};

/// How much the shorter of two complete layouts must save to be worth a legend, in percent.
const WORTH_LEGEND: usize = 20;
/// The factor, and the bytes, that a message in pieces must save.
const SPELLED: usize = 2;
const LITTLE: usize = 300;
/// Budgets at which a list that doesn't fit is laid out, to see whether a smaller one shows more of its places, in
/// bytes.
const ROOMS: [usize; 8] = [2_000, 3_000, 4_500, 6_750, 10_000, 15_000, 22_500, 33_750];
/// A complete layout up to this size, in bytes, has no legend: whole messages are easier to read.
const PLAIN: usize = 3_000;

/// The list with everything in it.
pub(super) fn whole(list: &List<'_>) -> String {
    let plain = complete(list, &vec![false; list.kinds.len()]);
    let listed = worth_listing(list, SPELLED);
    if !listed.contains(&true) || plain.len() <= PLAIN {
        return plain;
    }
    let short = complete(list, &listed);
    if short.len() * 100 <= plain.len() * (100 - WORTH_LEGEND) { short } else { plain }
}

/// The list with everything in it, if that keeps to `room` bytes.
pub(super) fn complete_within(list: &List<'_>, room: usize) -> Option<String> {
    let plain = whole(list);
    if plain.len() <= room {
        return Some(plain);
    }
    Some(complete(list, &worth_listing(list, 1))).filter(|short| short.len() <= room)
}

/// Every place with its rule's name, and above them the rules' messages in about `said` bytes; `None` if some rule
/// has no name.
pub(super) fn by_rule(list: &List<'_>, printed: usize) -> Option<String> {
    if list.kinds.iter().any(|kind| kind.rule.is_empty()) {
        return None;
    }
    let sums = Sums::new(list, printed);
    Some(sums.legend(list) + BEHIND + &sums.places(list, usize::MAX)?)
}

/// The list in about `room` bytes.
pub(super) fn within(list: &List<'_>, room: usize) -> String {
    placed(list, room).text
}

/// A layout, and how many places it shows.
struct Placed {
    text: String,
    places: usize,
    /// Whether places are with their rules.
    by_rule: bool,
}

/// The list in about `room` bytes: at none of `ROOMS` fewer places than at a smaller one.
fn placed(list: &List<'_>, room: usize) -> Placed {
    let every = || list.files.iter().map(|file| file.findings.len()).sum::<usize>();
    if let Some(text) = complete_within(list, room) {
        return Placed { text, places: every(), by_rule: true };
    }
    let sums = Sums::new(list, room / 3);
    let head = sums.legend(list);
    let left = room.saturating_sub(head.len() + 100);
    // Places can't be found again without the full output; for rules a name is enough.
    let rows = sums.places(list, left).map(|rows| head + BEHIND + &rows);
    let rows = rows.or_else(|| sums.lettered(list, room)).or_else(|| {
        below_folder(list, room, |list, room| {
            let head = sums.legend(list);
            let left = room.saturating_sub(head.len() + BEHIND.len());
            let rows = sums.places(list, left).map(|rows| head + BEHIND + &rows);
            rows.or_else(|| sums.lettered(list, room))
        })
    });
    // A place is a line and a column: which rule it breaks is left out before where it is.
    let rows = rows
        .or_else(|| sums.lettered_by_folder(list, room))
        .or_else(|| bare(list, &sums, &[("", list.files.iter().collect())], room))
        .or_else(|| bare(list, &sums, &groups(list), room))
        .or_else(|| sums.lettered_by_line(list, room));
    if let Some(text) = rows {
        return Placed { text, places: every(), by_rule: true };
    }
    // Each file's rule counts may take room that a smaller budget gave to places.
    let mut best: Option<Placed> = None;
    for room in ROOMS.into_iter().take_while(|less| *less < room).chain([room]) {
        let here = summed(list, room, true);
        best = Some(match best {
            Some(less) if less.places > here.places => {
                let wide = (!less.by_rule).then(|| summed(list, room, false));
                wide.filter(|wide| wide.places >= less.places).unwrap_or(less)
            }
            _ => here,
        });
    }
    best.unwrap_or_else(|| summed(list, room, true))
}

/// What `rows` makes of the list in which files are named relative to the folder that all are in, with that folder named
/// once above.
fn below_folder(
    list: &List<'_>,
    room: usize,
    rows: impl Fn(&List<'_>, usize) -> Option<String>,
) -> Option<String> {
    let folder = Some(common_folder(list)).filter(|folder| !folder.is_empty())?;
    let named = format!("{BELOW}{folder}\n");
    let room = room.checked_sub(named.len())?;
    Some(named + &rows(&list.below(folder), room)?)
}

/// The list with counts for what doesn't fit: of each rule in a file if `by_rule` and if that fits, else of each file or folder.
fn summed(list: &List<'_>, room: usize, by_rule: bool) -> Placed {
    let sums = Sums::new(list, room / 3);
    // Hundreds of rules would leave no room for a file.
    let mut text = sums.legend_within(list, room / 2);
    let folder = common_folder(list);
    // Rows with counts fill the room, so the line about their folder has to fit, too.
    let left = room.saturating_sub(text.len() + 100).saturating_sub(folder.len());
    if !folder.is_empty() {
        let _ = writeln!(text, "{BELOW}{folder}");
    }
    let counts = if by_rule { sums.counts(list, left, folder) } else { None };
    let by_rule = counts.is_some();
    let (title, rows, places) = match counts {
        Some((rows, places)) => {
            ("×n counts findings of a rule of which some or all places are left out:\n", rows, places)
        }
        None => files(list, left, folder).unwrap_or_else(|| {
            let (title, rows) = folders(list, &sums, left, folder);
            // Naming every file is worth more than the places of a few.
            (title, rows, 0)
        }),
    };
    text.push_str(title);
    text.push_str(&rows);
    Placed { text, places, by_rule }
}

/// Which kinds are shorter when their message is written once; if each message has several names, so that it is split
/// into pieces, only if that is much shorter.
fn worth_listing(list: &List<'_>, spelled: usize) -> Vec<bool> {
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
            push_message(&mut out, kind.message());
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
            None if kind.constant => {
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
    use super::super::finding::Piece;
    use super::super::{parse, parted};
    use super::{List, ROOMS, Sums, placed};

    /// Many rules in many files, each finding in a line of its own number: counts of rules take more than places.
    fn all_rules() -> String {
        let finding = |n: usize| {
            let (file, rule) = (n % 20, n / 20 % 50);
            format!("src/part{file:02}.py:{n}:1: RULE{rule:03} What rule {rule} says of a name at {n}\n")
        };
        (1_000..9_000).map(finding).collect()
    }

    #[test]
    fn a_larger_budget_never_shows_fewer_places() {
        let all = all_rules();
        let texts = [
            include_str!("../../tests/fixtures/findings/eslint.txt"),
            include_str!("../../tests/fixtures/findings/tsc.txt"),
            include_str!("../../tests/fixtures/findings/ruff-concise.txt"),
            include_str!("../../tests/fixtures/findings/mypy.txt"),
            all.as_str(),
        ];
        for (nth, text) in texts.into_iter().enumerate() {
            let pieces = parse::pieces(text);
            let (findings, _, _) = parted(&pieces);
            let list = List::new(&findings);
            let mut before = 0;
            for room in ROOMS {
                let here = placed(&list, room);
                assert!(here.places >= before, "{nth} {room}: {} after {before}", here.places);
                before = here.places;
            }
            assert!(before > 0, "{nth}");
        }
    }

    /// As linters write whole paths: the folder in front of each takes more than its places.
    #[test]
    fn every_place_stays_where_the_common_folder_is_named_once() {
        let folder = "/home/ana/shop/packages/web/src/internal/";
        let text: String = (0..600)
            .map(|n| {
                let (file, rule) = (n % 120, n / 120);
                format!(
                    "{folder}part{file:03}.ts:{n}:7: What rule {rule} says of a name [Error/rule-{rule}]\n"
                )
            })
            .collect();
        let pieces = parse::pieces(&text);
        let (findings, _, _) = parted(&pieces);
        let list = List::new(&findings);
        let here = placed(&list, 8_000);
        assert!(here.text.len() <= 8_000 && here.places == 600, "{} {}", here.places, here.text);
        assert!(here.text.contains(&format!("files are below {folder}\n")), "{}", here.text);
        assert!((0..600).all(|n| here.text.contains(&format!("{n}:7"))), "{}", here.text);
        assert!(here.text.lines().any(|line| line.starts_with("part007.ts: ")), "{}", here.text);
        // Where all fits with whole paths, these stay.
        assert!(!placed(&list, 24_000).text.contains("files are below"));
    }

    #[test]
    fn one_omitted_message_is_counted_in_the_singular() {
        let text = "a.py:1:1: E100 a name is never used\na.py:2:1: E100 two blank lines expected\n\
                    a.py:3:1: E100 no newline at the end\n";
        let pieces = parse::pieces(text);
        let Some(Piece::Findings(findings, _)) = pieces.first() else { panic!("no findings") };
        for (shown, others) in [(2, " | 1 other message\n"), (3, " | 2 other messages\n")] {
            let list = List::new(&findings[..shown]);
            // Room for the rule and its first message.
            let legend = Sums::new(&list, 60).legend(&list);
            assert!(legend.contains(&format!("E100 ×{shown}: a name is never used{others}")), "{legend}");
        }
    }

    #[test]
    fn places_are_counted_as_they_are_written() {
        let all = all_rules();
        let pieces = parse::pieces(&all);
        let (findings, _, _) = parted(&pieces);
        let list = List::new(&findings);
        for room in ROOMS {
            let here = placed(&list, room);
            let (_, rows) = here.text.split_once("left out:\n").expect("rows");
            let written = rows.split([' ', ',', ';', '\n']).filter(|word| word.ends_with(":1")).count();
            assert_eq!(written, here.places, "{room}: {}", here.text);
        }
    }
}
