//! What the values of a column have in common, and which rows differ from the rest. Owns the judgement of columns for
//! every shape that has them: tables, CSV, records of JSON, the variable parts of a log's messages.
//!
//! Nothing here knows a word's meaning: a row is odd because it's rare among the others, never because of its words.

use std::collections::HashMap;
use std::fmt::Write as _;

/// How many different values of a column are counted separately.
const FEW: usize = 24;
/// A value makes its row odd if it is rarer than one in this many rows, or in short tables if it comes up to three times.
const RARE: usize = 40;
/// The number of rows from which a value can be rare.
const ENOUGH: usize = 12;
/// How far outside the quartiles a number may be, as a multiple of their distance.
const FAR: f64 = 6.0;
/// Longest value that is quoted in a summary, in bytes.
const LONG_VALUE: usize = 60;

/// One column.
#[derive(Debug, Default)]
pub(crate) struct Column {
    /// Its values with their counts, the rarest first, if they are few: a cut then drops the most frequent.
    few: Vec<(String, usize)>,
    /// How many different values there are.
    different: usize,
    /// Rows in which it has no value, and the text for a missing value.
    empty: (usize, &'static str),
    /// Rows.
    rows: usize,
    /// Its smallest and largest number as written, when nearly all values are numbers.
    range: Option<(String, String)>,
    /// A value that is neither number nor time, for an example.
    example: Option<String>,
    /// First and last in the order of texts, where all have the form of a time.
    times: Option<(String, String)>,
}

/// Whether a cell is empty.
pub(crate) fn is_empty(cell: &str) -> bool {
    matches!(cell, "" | "NULL" | "null" | "None" | "<none>" | "-" | "\\N")
}

/// A cell as a number: with sign, fraction, exponent, per cent or thousands' commas, and nothing else.
pub(crate) fn number(cell: &str) -> Option<f64> {
    let cell = cell.strip_suffix('%').unwrap_or(cell);
    let first = cell.bytes().find(|byte| !b"+-".contains(byte))?;
    if !first.is_ascii_digit() && first != b'.' || cell.len() > 40 {
        return None;
    }
    match cell.parse() {
        Ok(number) => Some(number),
        Err(_) if cell.contains(',') => cell.replace(',', "").parse().ok(),
        Err(_) => None,
    }
}

/// `2026-11-20`, with or without a time behind it: texts that sort by time.
fn is_time(cell: &str) -> bool {
    let bytes = cell.as_bytes();
    bytes.len() >= 10
        && bytes.iter().take(10).enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-' || *byte == b'/',
            _ => byte.is_ascii_digit(),
        })
}

/// The form of a value: letters, figures and signs as kinds, runs of one kind as one.
fn form(cell: &str) -> String {
    let mut out = String::new();
    for c in cell.chars().take(200) {
        let kind = match c {
            '0'..='9' => '0',
            c if c.is_alphabetic() => 'a',
            c if c.is_whitespace() => ' ',
            // Words are joined in many ways.
            '-' | '_' | '.' | '/' | '\'' | '’' => '-',
            c => c,
        };
        if !out.ends_with(kind) {
            out.push(kind);
        }
    }
    // Words of a text in any number.
    while out.contains("a a") {
        out = out.replace("a a", "a");
    }
    while out.contains("a-a") {
        out = out.replace("a-a", "a");
    }
    out
}

/// A cell without blanks around it and JSON's quotation marks.
pub(super) fn bare(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(cell)
}

/// How odd each row is, by all its columns: 0 for most rows.
pub(crate) struct Judged {
    pub(crate) columns: Vec<Column>,
    /// For each row, its oddness.
    pub(crate) odd: Vec<f32>,
}

/// Judges `rows`, each a list of as many cells as there are columns; missing cells count as empty.
pub(crate) fn judge<C: AsRef<str>>(rows: &[Vec<C>], width: usize) -> Judged {
    let mut odd = vec![0.0_f32; rows.len()];
    let columns = (0..width)
        .map(|at| {
            let cells: Vec<&str> =
                rows.iter().map(|row| row.get(at).map_or("", |cell| bare(cell.as_ref()))).collect();
            column(&cells, &mut odd)
        })
        .collect();
    Judged { columns, odd }
}

fn column(cells: &[&str], odd: &mut [f32]) -> Column {
    let rows = cells.len();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut empty = 0;
    for cell in cells {
        empty += usize::from(is_empty(cell));
        *counts.entry(cell).or_default() += 1;
    }
    let different = counts.len();
    let enough = rows >= ENOUGH;
    let rare = |count: usize| enough && count <= (rows / RARE).max(3) && count * 8 <= rows;
    // Where no value is frequent, none is rare.
    let most = counts.values().max().copied().unwrap_or_default();
    let rare_value = |count: usize| rare(count) && count * 5 <= most;
    let mut mark = |at: usize, weight: f32| {
        if let Some(odd) = odd.get_mut(at) {
            *odd += weight;
        }
    };
    // Empty where nearly all have a value, or the other way round.
    let filled = rows - empty;
    if empty > 0 && filled > 0 && (rare(empty) || rare(filled)) {
        let (wanted, count) = if empty < filled { (true, empty) } else { (false, filled) };
        for (at, _) in cells.iter().enumerate().filter(|(_, cell)| is_empty(cell) == wanted) {
            mark(at, weight(count));
        }
    }
    let mut few: Vec<(String, usize)> = Vec::new();
    if different <= FEW && different * 2 <= rows.max(2) || different == 1 {
        few = counts.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect();
        few.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        if different > 1 {
            for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !is_empty(cell)) {
                let count = counts.get(cell).copied().unwrap_or_default();
                if rare_value(count) {
                    mark(at, weight(count));
                }
            }
        }
    }
    let numbers: Vec<Option<f64>> = cells.iter().map(|cell| number(cell)).collect();
    let numeric = numbers.iter().flatten().count();
    let mut range = None;
    let mut times = None;
    if numeric > 0 && (filled == numeric || enough && rare(filled.abs_diff(numeric))) {
        range = far_numbers(cells, &numbers, &mut mark);
        // A word where all others are numbers.
        for (at, cell) in cells.iter().enumerate() {
            if filled > numeric && numbers[at].is_none() && !is_empty(cell) && few.is_empty() {
                mark(at, weight(filled - numeric));
            }
        }
    } else if filled > 0 && cells.iter().all(|cell| is_empty(cell) || is_time(cell)) {
        let values = || cells.iter().filter(|cell| !is_empty(cell));
        times =
            values().min().zip(values().max()).map(|(first, last)| ((*first).to_owned(), (*last).to_owned()));
    } else if few.is_empty() && enough {
        odd_forms(cells, &mut mark);
    }
    // The same identity twice, where all others are different.
    if few.is_empty()
        && different < rows
        && enough
        && rare((rows - different) * 2)
        && empty == 0
        && range_is_whole(&numbers)
    {
        for (at, cell) in cells.iter().enumerate() {
            if counts.get(cell).is_some_and(|count| *count > 1) {
                mark(at, 0.5);
            }
        }
    }
    let example = (range.is_none() && times.is_none() && few.is_empty())
        .then(|| cells.iter().find(|cell| !is_empty(cell)).map(|cell| (*cell).to_owned()))
        .flatten();
    let none = if cells.iter().all(|cell| *cell == "NULL" || !is_empty(cell)) { "NULL" } else { "empty" };
    Column { few, different, empty: (empty, none), rows, range, times, example }
}

/// Whether a column may be one of identities: no fractions in it.
fn range_is_whole(numbers: &[Option<f64>]) -> bool {
    numbers.iter().flatten().all(|number| number.fract() == 0.0)
}

/// The weight of a rare value: a unique one weighs more than one of several.
fn weight(count: usize) -> f32 {
    1.0 + 1.0 / (count as f32 + 1.0)
}

/// The range of a column of numbers; those far outside of the others are marked.
fn far_numbers(
    cells: &[&str],
    numbers: &[Option<f64>],
    mark: &mut impl FnMut(usize, f32),
) -> Option<(String, String)> {
    let mut sorted: Vec<(f64, usize)> =
        numbers.iter().enumerate().filter_map(|(at, number)| Some(((*number)?, at))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (sorted.first()?, sorted.last()?);
    let range = (cells.get(first.1)?.to_string(), cells.get(last.1)?.to_string());
    if sorted.len() >= ENOUGH {
        let quartile = |part: usize| sorted.get(sorted.len() * part / 4).map_or(0.0, |(number, _)| *number);
        let (low, high) = (quartile(1), quartile(3));
        let distance = (high - low).max((high.abs() + low.abs()) * 0.005);
        let far: Vec<usize> = sorted
            .iter()
            .filter(|(number, _)| *number > high + FAR * distance || *number < low - FAR * distance)
            .map(|(_, at)| *at)
            .collect();
        // Numbers in a long tail aren't exceptions.
        if far.len() * 20 <= sorted.len() {
            far.iter().for_each(|at| mark(*at, weight(far.len())));
        }
    }
    Some(range)
}

/// Marks values whose form hardly any other has, where nearly all have the same.
fn odd_forms(cells: &[&str], mark: &mut impl FnMut(usize, f32)) {
    let forms: Vec<String> = cells.iter().map(|cell| form(cell)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for form in &forms {
        *counts.entry(form).or_default() += 1;
    }
    let most = counts.values().max().copied().unwrap_or_default();
    if most * 10 < cells.len() * 9 {
        return;
    }
    for (at, form) in forms.iter().enumerate() {
        let count = counts.get(form.as_str()).copied().unwrap_or_default();
        if count * RARE <= cells.len().max(RARE) && count < most {
            mark(at, 0.6 * weight(count));
        }
    }
}

impl Column {
    /// The one value of all rows.
    pub(crate) fn constant(&self) -> Option<&str> {
        match self.few.as_slice() {
            [(only, _)] if self.rows > 1 => Some(only),
            _ => None,
        }
    }

    /// Which columns are shown first: those of few values, then those of a range, then the others.
    pub(crate) fn weight(&self) -> usize {
        match (self.few.is_empty(), self.range.is_some() || self.times.is_some()) {
            (false, _) => self.few.len(),
            (true, true) => FEW + 1,
            (true, false) if self.all_differ() => FEW + 3,
            (true, false) => FEW + 2,
        }
    }

    /// Whether its values are neither numbers nor times.
    pub(crate) fn is_text(&self) -> bool {
        self.range.is_none() && self.times.is_none()
    }

    /// Whether most rows have a value that few others have.
    pub(crate) fn differs_mostly(&self) -> bool {
        self.different * 3 >= self.rows
    }

    /// Whether its values are few.
    pub(crate) fn has_few(&self) -> bool {
        !self.few.is_empty()
    }

    /// Whether each row has another value.
    pub(crate) fn all_differ(&self) -> bool {
        self.different == self.rows && self.rows > 1
    }

    /// A short description of the column.
    pub(crate) fn summary(&self) -> String {
        let mut out = String::new();
        if let Some(only) = self.constant() {
            let _ = write!(out, "{} in all", quoted(only));
            return out;
        }
        if let Some((first, last)) = self.range.as_ref().or(self.times.as_ref()) {
            let _ = write!(out, "{first} to {last}");
        }
        if !self.few.is_empty() && (out.is_empty() || self.different <= 6) {
            out.clear();
            // Values with the same frequency share their count.
            let mut rest = self.few.as_slice();
            while let Some((_, count)) = rest.first() {
                let same = rest.iter().take_while(|(_, other)| other == count).count();
                let (group, after) = rest.split_at(same);
                let values: Vec<_> = group.iter().map(|(value, _)| quoted(value)).collect();
                let each = if same > 1 { " each" } else { "" };
                let joint = if out.is_empty() { "" } else { "; " };
                let _ = write!(out, "{joint}{} ×{count}{each}", values.join(", "));
                rest = after;
            }
            return out;
        }
        let joint = if out.is_empty() { "" } else { ", " };
        if self.all_differ() {
            let _ = write!(out, "{joint}all different");
        } else if self.few.is_empty() {
            let _ = write!(out, "{joint}{} different values", self.different - usize::from(self.empty.0 > 0));
        }
        if let Some(example) = &self.example {
            let _ = write!(out, " such as {}", quoted(example));
        }
        if self.empty.0 > 0 {
            let _ = write!(out, ", {} {}", self.empty.0, self.empty.1);
        }
        out
    }
}

fn quoted(value: &str) -> String {
    if value.is_empty() {
        return "(empty)".to_owned();
    }
    if value.len() <= LONG_VALUE {
        return value.to_owned();
    }
    format!("{}…", &value[..value.floor_char_boundary(LONG_VALUE)])
}

#[cfg(test)]
mod tests {
    use super::judge;

    fn odd(rows: &[Vec<String>]) -> Vec<usize> {
        let judged = judge(rows, rows[0].len());
        (0..rows.len()).filter(|at| judged.odd[*at] > 0.0).collect()
    }

    fn plain(n: usize) -> Vec<String> {
        vec![
            format!("{n}"),
            format!("user{n}@example.org"),
            if n.is_multiple_of(3) { "paid" } else { "open" }.into(),
            format!("{}.{:02}", 10 + n % 17, n % 100),
            format!("2026-11-{:02} 10:00:00", n % 28 + 1),
        ]
    }

    #[test]
    fn a_rare_value_is_odd_regardless_of_its_words() {
        let all: Vec<Vec<String>> = (0..200).map(plain).collect();
        assert_eq!(odd(&all), Vec::<usize>::new());
        for (column, value) in [
            (0, "17"),
            (1, ""),
            (1, "no address at all"),
            (2, "parked"),
            (3, "9000.00"),
            (3, "n/a"),
            (4, ""),
            (4, "NULL"),
        ] {
            let mut rows = all.clone();
            rows[120][column] = value.into();
            let found = odd(&rows);
            assert!(found.contains(&120) && found.len() <= 2, "{column} {value}: {found:?}");
        }
    }

    #[test]
    fn columns_are_described_briefly() {
        let rows: Vec<Vec<String>> = (0..200).map(plain).collect();
        let judged = judge(&rows, 5);
        let printed: Vec<String> = judged.columns.iter().map(super::Column::summary).collect();
        assert_eq!(printed[0], "0 to 199, all different");
        assert_eq!(printed[1], "all different such as user0@example.org");
        assert_eq!(printed[2], "paid ×67; open ×133");
        assert!(printed[3].starts_with("10.") && printed[3].contains(" to 26."), "{}", printed[3]);
        assert!(printed[4].starts_with("2026-11-01 10:00:00 to 2026-11-28 10:00:00"), "{}", printed[4]);
        let some: Vec<_> = (0..200).map(|n| vec![(n % 9).to_string().replace('0', "")]).collect();
        assert_eq!(judge(&some, 1).columns[0].summary(), "1 to 8, 23 empty");
    }
}
