//! Prints the same facts in fewer bytes: tables with narrower columns, neighbouring lines that differ in one word
//! joined into one, changed files listed by folder. Owns when each is safe: the cells of a table stay
//! distinguishable, indentation stays, and a line that must stay is joined with no other.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Write as _;

use crate::guard::must_stay;
use crate::normal;

mod changes;
mod runs;

use changes::{are_files, begins, changed};
use runs::{MARK, alike};

/// Longer texts are left alone, in bytes.
const MOST: usize = 256 * 1024;
/// Lines of a table at least, and the longest line of one, in bytes.
const ROWS: usize = 6;
const LONG: usize = 2_000;
/// One in this many rows may have a cell that is too long for its column.
const FEW: usize = 20;
/// From this many rows on, what all of them share is written once.
const MANY: usize = 12;
/// The maximum number of lines above or below a table without a gap.
const AROUND: usize = 2;
/// How many lines are checked to recognise a list of files.
const MOST_LOOKED_AT: usize = 200;
/// The shortest line that is a ruler, in bytes.
const RULER: usize = 10;
/// How many lines at each end of a table may be rulers beside its names and totals.
const ENDS: usize = 3;
/// Where a terminal's next stop is.
const STOP: usize = 8;

/// `text` with narrower tables and joined lines; `None` if that isn't shorter.
pub(crate) fn compact(text: &str) -> Option<String> {
    // Most of a longer text is dropped anyway, and a mark repeats a line exactly.
    if text.len() > MOST || text.contains(" lines as above, those with \"") {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let joined = joined(&lines);
    let lines: Vec<&str> = joined.as_ref().map_or(lines, |joined| normal::lines(joined).collect());
    tables(&lines).or(joined).filter(|out| out.len() < text.len())
}

/// The same in at most `room` bytes, if that drops no more than half of the joined words.
pub(crate) fn compact_within(text: &str, room: usize) -> Option<String> {
    let whole = compact(text)?;
    if whole.len() <= room {
        return Some(whole);
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let words = Cell::new(0);
    let joined = replaced(&lines, |_, rest| {
        let (run, length) = alike(rest)?;
        words.set(words.get() + run.words.iter().map(|word| word.len() + 1).sum::<usize>());
        Some((run.summary(usize::MAX), length))
    })?;
    let over = joined.len().checked_sub(room)?;
    let left = words.get().checked_sub(over).filter(|left| left * 2 >= words.get())?;
    // Each list is cut in proportion to its length, and has a mark.
    let fewer = replaced(&lines, |_, rest| {
        let (run, length) = alike(rest)?;
        let bytes: usize = run.words.iter().map(|word| word.len() + 1).sum();
        Some((run.summary((bytes * left / words.get()).saturating_sub(MARK)), length))
    })?;
    (fewer.len() <= room).then_some(fewer)
}

/// The changed files of git (`--name-status`) in `text` by folder.
pub(crate) fn changes(text: &str) -> Option<String> {
    let lines: Vec<&str> = normal::lines(text).collect();
    replaced(&lines, |before, rest| begins(before).then(|| changed(rest)).flatten())
}

/// The text with its tables as narrow as their cells.
fn tables(lines: &[&str]) -> Option<String> {
    let mut out = String::new();
    let mut any = false;
    let whole = lines.iter().filter(|line| !line.trim().is_empty()).count();
    for block in lines.split_inclusive(|line| line.trim().is_empty()) {
        let (rows, blank) = match block.split_last() {
            Some((last, rows)) if last.trim().is_empty() => (rows, true),
            _ => (block, false),
        };
        match narrowed(rows, rows.len() == whole) {
            Some(short) => {
                out.push_str(&short);
                any = true;
            }
            None => rows.iter().for_each(|line| push(&mut out, line)),
        }
        if blank {
            out.push('\n');
        }
    }
    any.then_some(out)
}

/// Lines without a blank one between them with a narrower table; the rulers around its names and rows, and those beside its
/// title, are as wide as it was.
fn narrowed(rows: &[&str], alone: bool) -> Option<String> {
    let with_table = |rows: &[&str]| {
        let (above, short, below) = within(rows, alone)?;
        let mut out = String::new();
        rows[..above].iter().for_each(|line| push(&mut out, line));
        out.push_str(&short);
        rows[below..].iter().for_each(|line| push(&mut out, line));
        Some(out)
    };
    let title = rows.first().and_then(|line| titled(line));
    let untitled = &rows[usize::from(title.is_some())..];
    let bare: Vec<&str> = untitled.iter().copied().filter(|line| !is_ruler(line)).collect();
    // One among the rows separates groups of them.
    let is_around = |at: usize| at < ENDS || at + ENDS >= untitled.len();
    let only_around = untitled.iter().enumerate().all(|(at, line)| is_around(at) || !is_ruler(line));
    let without_rulers = if bare.len() < rows.len() && only_around { with_table(&bare) } else { None };
    let without_rulers = without_rulers.map(|table| match title {
        Some(title) => format!("--{title}--\n{table}"),
        None => table,
    });
    with_table(rows).into_iter().chain(without_rulers).min_by_key(String::len)
}

/// `----------`, `==========`.
fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    line.len() >= RULER && ['-', '='].iter().any(|sign| line.chars().all(|c| c == *sign))
}

/// The title in `---------- benchmark: 6 tests ----------`.
fn titled(line: &str) -> Option<&str> {
    let title = line.trim().trim_matches('-');
    let beside = line.trim().len() - title.len();
    (beside >= 2 * RULER && title.starts_with(' ') && title.ends_with(' ')).then_some(title)
}

/// The table among lines without a blank one between them, with where it begins and ends: a heading may be above it and
/// a total below it.
fn within(rows: &[&str], alone: bool) -> Option<(usize, String, usize)> {
    let mut best: Option<(usize, String, usize)> = None;
    let mut saved = 0;
    for above in 0..=AROUND.min(rows.len()) {
        for below in 0..=AROUND.min(rows.len() - above) {
            let table = &rows[above..rows.len() - below];
            let Some(short) = narrow(table, alone && above + below == 0) else { continue };
            let less = table.iter().map(|line| line.len() + 1).sum::<usize>() - short.len();
            if less > saved {
                saved = less;
                best = Some((above, short, rows.len() - below));
            }
        }
        // If the lines are a table without any heading, it has none.
        if best.is_some() {
            break;
        }
    }
    best
}

/// Lines without a blank one between them, if they are a table. `alone`: there is nothing else, so nothing is to the
/// left of them.
fn narrow(rows: &[&str], alone: bool) -> Option<String> {
    laid_out(rows, alone, 0).or_else(|| laid_out(rows, alone, rows.len() / FEW))
}

/// The same where so many rows may have a cell that is too long for its column.
fn laid_out(rows: &[&str], alone: bool, long: usize) -> Option<String> {
    let fits = |line: &&str| line.is_ascii() && line.len() <= LONG;
    if rows.len() < ROWS || !rows.iter().all(fits) {
        return None;
    }
    let before: usize = rows.iter().map(|line| line.len() + 1).sum();
    let rows: Vec<Cow<'_, str>> = rows.iter().map(|line| expanded(line)).collect();
    let width = rows.iter().map(|line| line.trim_end().len()).max()?;
    let mut filled = vec![0; width];
    for line in &rows {
        let bytes = line.trim_end().bytes().zip(&mut filled);
        bytes.filter(|(byte, _)| *byte != b' ').for_each(|(_, filled)| *filled += 1);
    }
    // A few cells that are too long for their column make no other.
    let used: Vec<bool> = filled.iter().map(|rows_with| *rows_with > long).collect();
    let fits =
        |line: &&Cow<'_, str>| line.trim_end().bytes().zip(&used).all(|(byte, used)| *used || byte == b' ');
    let odd: Vec<bool> = rows.iter().map(|line| !fits(&line)).collect();
    let indent = used.iter().take_while(|used| !**used).count();
    // Where something begins after a gap that all lines have.
    let mut columns: Vec<(usize, usize)> = Vec::new();
    for (at, filled) in used.iter().enumerate() {
        match columns.last_mut() {
            Some((_, end)) if *filled && *end == at => *end = at + 1,
            _ if *filled => columns.push((at, at + 1)),
            _ => {}
        }
    }
    if columns.len() < 2 && !(alone && indent > 0) {
        return None;
    }
    let left = if alone { 0 } else { indent };
    let mut cells: Vec<Vec<&str>> = rows
        .iter()
        .map(|line| columns.iter().map(|(from, to)| cut(line, *from, *to).trim_end()).collect())
        .collect();
    // A cell's indentation shows what it belongs to, unless the blanks only align it to its column's end.
    for at in 0..columns.len() {
        let regular = cells.iter().zip(&odd).filter(|(_, odd)| !**odd);
        if is_pushed(regular.map(|(row, _)| row[at])) {
            cells.iter_mut().for_each(|row| row[at] = row[at].trim_start());
        }
    }
    // An empty cell may only be dropped at the end: otherwise the values after it would be ambiguous.
    let full = cells.iter().zip(&odd).all(|(row, odd)| {
        let last = row.iter().rposition(|cell| !cell.is_empty()).unwrap_or(0);
        *odd || row[..last].iter().all(|cell| !cell.is_empty())
    });
    let mut out = String::with_capacity(before);
    if full && columns.len() > 1 {
        let many = rows.len() >= MANY && !rows.iter().any(|line| must_stay(line)) && !odd.contains(&true);
        let same = |at: usize| many && cells.iter().all(|row| row[at] == cells[0][at]);
        let same: Vec<bool> = (0..columns.len()).map(same).collect();
        // What all rows share is written once, with a gap for the differences.
        if same.contains(&true) {
            let mut all = String::new();
            for (at, cell) in cells[0].iter().enumerate() {
                let cell = if same[at] { cell } else { "…" };
                if cell != "…" || !all.ends_with('…') {
                    let _ = write!(all, "{}{cell}", if at > 0 { " " } else { "" });
                }
            }
            let _ = writeln!(out, "{}{all}  [×{}]", " ".repeat(left), rows.len());
            // Equal rows differ in nothing, so none has words left for a line of its own.
            if !same.contains(&false) {
                return (out.len() * 10 <= before * 9).then_some(out);
            }
        }
        // Two blanks separate columns whose cells contain blanks.
        let wide: Vec<bool> =
            (0..columns.len()).map(|at| cells.iter().any(|row| row[at].contains(' '))).collect();
        for ((row, odd), line) in cells.iter().zip(&odd).zip(&rows) {
            let from = out.len();
            out.push_str(&" ".repeat(left));
            if *odd {
                squeezed(line.trim(), &mut out);
                out.push('\n');
                continue;
            }
            for (at, cell) in row.iter().enumerate().filter(|(at, _)| !same[*at]) {
                if out.len() > from + left && !cell.is_empty() {
                    out.push_str(if wide[at] || at > 0 && wide[at - 1] { "  " } else { " " });
                }
                out.push_str(cell);
            }
            out.truncate(from + out[from..].trim_end().len());
            out.push('\n');
        }
    } else {
        if odd.contains(&true) {
            return None;
        }
        for line in &rows {
            let from = out.len();
            out.push_str(&" ".repeat(left));
            for (nth, (start, end)) in columns.iter().enumerate() {
                let gap = nth.checked_sub(1).map_or(0, |before| start - columns[before].1);
                out.push_str(&" ".repeat(gap.min(2)));
                let cell = cut(line, *start, *end);
                let _ = write!(out, "{cell:<0$}", end - start);
            }
            out.truncate(from + out[from..].trim_end().len());
            out.push('\n');
        }
    }
    (out.len() * 10 <= before * 9).then_some(out)
}

/// An ASCII line with blanks instead of its tabs, as a terminal shows it.
fn expanded(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + STOP);
    for piece in line.split_inclusive('\t') {
        out.push_str(piece.trim_end_matches('\t'));
        if piece.ends_with('\t') {
            out.push_str(&" ".repeat(STOP - out.len() % STOP));
        }
    }
    Cow::Owned(out)
}

/// Whether the blanks before a column's cells only align them: all end at one place, or are numbers. The first row may be the
/// column's name.
fn is_pushed<'c>(cells: impl Iterator<Item = &'c str> + Clone) -> bool {
    let filled = |cell: &&str| !cell.trim_start().is_empty();
    let mut all = cells.clone().filter(filled);
    let rows = cells.skip(1).filter(filled);
    let end = rows.clone().map(str::len).max().unwrap_or(0);
    rows.clone().all(|cell| cell.len() == end)
        || rows.clone().all(is_number)
        || all.all(|cell| !cell.starts_with(' '))
}

/// A figure, perhaps with a unit, a sign or a share.
fn is_number(cell: &str) -> bool {
    let cell = cell.trim();
    cell.contains(|c: char| c.is_ascii_digit())
        && cell.chars().all(|c| c.is_ascii_digit() || "+-.,:/%KMGTBkmgib".contains(c))
}

/// A line with its wide gaps as two blanks.
fn squeezed(cell: &str, out: &mut String) {
    let mut blanks = 0;
    for c in cell.chars() {
        if c == ' ' {
            blanks += 1;
            continue;
        }
        out.push_str(&" ".repeat(blanks.min(2)));
        blanks = 0;
        out.push(c);
    }
}

/// The part of an ASCII line between two columns.
fn cut(line: &str, from: usize, to: usize) -> &str {
    line.get(from.min(line.len())..to.min(line.len())).unwrap_or_default()
}

/// The text with changed files by folder and lines that differ in one word merged. Anything may begin with one letter
/// and a tab, so what isn't git's for certain must look like files.
fn joined(lines: &[&str]) -> Option<String> {
    replaced(lines, |before, rest| {
        (begins(before) && are_files(rest))
            .then(|| changed(rest))
            .flatten()
            .or_else(|| alike(rest).map(|(run, length)| (run.summary(usize::MAX), length)))
    })
}

/// The text with groups of lines replaced by what `short` returns for the lines before and from a place on, with how many
/// lines it replaces.
fn replaced(lines: &[&str], short: impl Fn(&[&str], &[&str]) -> Option<(String, usize)>) -> Option<String> {
    let mut out = String::new();
    let mut any = false;
    let mut at = 0;
    while at < lines.len() {
        match short(&lines[..at], &lines[at..]) {
            Some((short, length)) => {
                out.push_str(&short);
                any = true;
                at += length;
            }
            None => {
                push(&mut out, lines[at]);
                at += 1;
            }
        }
    }
    any.then_some(out)
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests;
