//! Which layout a list of findings has: complete, by rule or in so many bytes. Owns the order in which layouts are tried;
//! the complete ones are `complete`.

use std::fmt::Write as _;

use super::by_folder::{BELOW, bare, common_folder, folders, groups};
use super::complete::{SPELLED, complete, worth_listing};
use super::list::List;
use super::sums::{BEHIND, Sums, files};

/// How much the shorter of two complete layouts must save to be worth a legend, in percent.
const WORTH_LEGEND: usize = 20;
/// Budgets at which a list that doesn't fit is laid out, to see whether a smaller one shows more of its places, in
/// bytes.
const ROOMS: [usize; 8] = [2_000, 3_000, 4_500, 6_750, 10_000, 15_000, 22_500, 33_750];
/// A complete layout up to this size, in bytes, has no legend: whole messages are easier to read.
const PLAIN: usize = 3_000;

/// The list with everything in it.
pub(super) fn whole(list: &List<'_>) -> String {
    let none = vec![false; list.kinds.len()];
    let plain = complete(list, &none, &none);
    let listed = worth_listing(list, SPELLED);
    if !listed.contains(&true) || plain.len() <= PLAIN {
        return plain;
    }
    let short = complete(list, &listed, &none);
    if short.len() * 100 <= plain.len() * (100 - WORTH_LEGEND) { short } else { plain }
}

/// The list with everything in it, if that keeps to `room` bytes.
pub(super) fn complete_within(list: &List<'_>, room: usize) -> Option<String> {
    let plain = whole(list);
    if plain.len() <= room {
        return Some(plain);
    }
    let none = vec![false; list.kinds.len()];
    Some(complete(list, &worth_listing(list, 1), &none)).filter(|short| short.len() <= room)
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
