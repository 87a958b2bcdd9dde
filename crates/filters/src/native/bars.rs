//! Tables with bars between their cells: psql's aligned form, mysql's, Markdown's and boxes. Owns telling their borders from bars in
//! cells, and which lines are one row: a line break in a cell takes a line of the table.

use std::borrow::Cow;

use super::table;
use crate::data::rows::Table;

/// Most lines above a table.
const AROUND: usize = 12;
/// Rows between rules from which on each rule ends a row.
const RULED: usize = 3;
/// A line break in a cell, as it's shown.
const BREAK: &str = "\\n";

fn is_rule(line: &str) -> bool {
    line.chars().any(|c| matches!(c, '-' | '=' | '─' | '━' | '═'))
        && line.chars().all(|c| matches!(c, '-' | '+' | '|' | '=' | ' ' | ':' | '\u{2500}'..='\u{257f}'))
}

/// Whether a line is a rule of a table in which `rule` is one. A rule with bars has crossings or no blank, or is as `rule` is: what
/// else has bars and dashes is a row.
fn is_rule_as(line: &str, rule: &str) -> bool {
    let line = line.trim();
    let is_drawn = !line.contains(is_bar) || line.contains('+') || !line.contains(' ');
    is_rule(line) && (is_drawn || line == rule.trim())
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

/// The table, with the line that it begins at and the one behind it.
pub(super) fn barred<'t>(lines: &[&'t str]) -> Option<(usize, Table<'t>, usize)> {
    let first_rule = lines.iter().take(AROUND).position(|line| is_rule(line) && line.trim().len() > 2)?;
    // A border comes before the header, a rule below it.
    let upper = lines[first_rule];
    let is_lower = |line: &str| if upper.contains(is_bar) { is_rule_as(line, upper) } else { is_rule(line) };
    let header_at = if lines.get(first_rule + 1).is_some_and(|next| next.contains(is_bar))
        && lines.get(first_rule + 2).copied().is_some_and(is_lower)
    {
        first_rule + 1
    } else {
        first_rule.checked_sub(1)?
    };
    let header = lines.get(header_at).copied().filter(|line| line.contains(is_bar))?;
    let borders = Borders::of(header);
    let names = borders.split(header);
    let rule = lines.get(header_at + 1).copied().unwrap_or_default();
    let mut end = header_at + 1;
    let (mut found, mut ruled): (Vec<Line<'t>>, bool) = (Vec::new(), true);
    for line in &lines[header_at + 1..] {
        if is_rule_as(line, rule) {
            ruled = true;
            end += 1;
            continue;
        }
        let Some(cells) = borders.cells(line, names.len()) else { break };
        found.push(Line { cells, ruled: std::mem::take(&mut ruled), open: borders.open(line, rule) });
        end += 1;
    }
    let rows = in_rows(found, borders.framed);
    let start = header_at - usize::from(header_at > 0 && is_rule(lines[header_at - 1]));
    let table = Table {
        header: Some(table::in_one(&names, " | ")),
        lines: rows.iter().map(|row| table::in_one(row, " | ")).collect(),
        names,
        rows,
        ..Table::default()
    };
    Some((start, table, end))
}

/// What is between cells, as the header has it.
struct Borders {
    /// A bar as ASCII has it: one that is drawn belongs to a cell, and the other way round.
    plain: bool,
    /// Whether there is one before the first cell.
    framed: bool,
    /// Their columns, in characters.
    at: Vec<usize>,
}

impl Borders {
    fn of(header: &str) -> Self {
        let mut borders =
            Self { plain: header.contains('|'), framed: header.trim().starts_with(is_bar), at: Vec::new() };
        let columns = header.chars().enumerate().filter(|(_, c)| borders.has(*c)).map(|(at, _)| at);
        borders.at = columns.collect();
        borders
    }

    fn has(&self, c: char) -> bool {
        is_bar(c) && (c == '|') == self.plain
    }

    /// The cells of a row; `None` for a line that isn't one.
    fn cells<'t>(&self, line: &'t str, width: usize) -> Option<Vec<Cow<'t, str>>> {
        if !line.contains(|c| self.has(c)) {
            return None;
        }
        let cells = self.split(line);
        if cells.len() == width {
            return Some(cells);
        }
        // A title over all columns has no border between.
        self.between(line).filter(|cells| width > 1 && cells.len() == width)
    }

    fn split<'t>(&self, line: &'t str) -> Vec<Cow<'t, str>> {
        let mut inner = line;
        if self.framed {
            inner = inner.trim();
            inner = inner.strip_prefix(|c| self.has(c)).unwrap_or(inner);
            inner = inner.strip_suffix(|c| self.has(c)).unwrap_or(inner);
        }
        inner.split(|c| self.has(c)).map(|cell| Cow::Borrowed(cell.trim())).collect()
    }

    /// The cells between the header's columns, for a row with a bar in one of them.
    fn between<'t>(&self, line: &'t str) -> Option<Vec<Cow<'t, str>>> {
        let chars: Vec<(usize, char)> = line.char_indices().collect();
        let (mut cells, mut from) = (Vec::new(), 0);
        for at in &self.at {
            let (to, sign) = chars.get(*at).copied().filter(|(_, sign)| self.has(*sign))?;
            cells.push(Cow::Borrowed(line[from..to].trim()));
            from = to + sign.len_utf8();
        }
        let last = line[from..].trim();
        if self.framed {
            cells.remove(0);
        }
        if !(self.framed && last.is_empty()) {
            cells.push(Cow::Borrowed(last));
        }
        Some(cells)
    }

    /// Which cells go on in the next line: psql has a plus sign for it in the blank before a border.
    fn open(&self, line: &str, rule: &str) -> Vec<bool> {
        if self.framed || !line.contains('+') {
            return Vec::new();
        }
        let cells: Vec<&str> = line.split(|c| self.has(c)).collect();
        let full = line.chars().count() == rule.chars().count();
        let is_open = |(at, cell): (usize, &&str)| cell.ends_with('+') && (at + 1 < cells.len() || full);
        cells.iter().enumerate().map(is_open).collect()
    }
}

/// A line with cells.
struct Line<'t> {
    cells: Vec<Cow<'t, str>>,
    /// Whether there is a rule above it.
    ruled: bool,
    /// Which of its cells go on below; empty when none does.
    open: Vec<bool>,
}

/// Lines as rows: one goes on where one of its cells does, or, in a frame with a rule below each row, up to the rule.
fn in_rows(lines: Vec<Line<'_>>, framed: bool) -> Vec<Vec<Cow<'_, str>>> {
    let groups = lines.iter().filter(|line| line.ruled).count();
    // A row's further lines leave cells empty that its first one fills; a column that is empty in all rows says nothing.
    let mut first: &[Cow<'_, str>] = &[];
    let mut all_go_on = true;
    for line in &lines {
        if line.ruled {
            first = &line.cells;
        } else {
            all_go_on &=
                line.cells.iter().zip(first).any(|(cell, above)| cell.is_empty() && !above.is_empty());
        }
    }
    let by_rules =
        framed && groups >= RULED && lines.len() > groups && lines.len() <= groups * 2 && all_go_on;
    let mut rows: Vec<Vec<Line<'_>>> = Vec::new();
    for line in lines {
        let above = rows.last_mut().filter(|row| if by_rules { !line.ruled } else { continues(row, &line) });
        match above {
            Some(row) => row.push(line),
            None => rows.push(vec![line]),
        }
    }
    rows.into_iter().map(one_row).collect()
}

/// Whether a line has nothing but what goes on in it.
fn continues(row: &[Line<'_>], line: &Line<'_>) -> bool {
    let Some(above) = row.last().filter(|above| above.open.contains(&true)) else { return false };
    above.open.len() == line.cells.len()
        && above.open.iter().zip(&line.cells).all(|(open, cell)| *open || cell.is_empty())
}

fn one_row(mut lines: Vec<Line<'_>>) -> Vec<Cow<'_, str>> {
    if lines.len() == 1 {
        return lines.pop().map(|line| line.cells).unwrap_or_default();
    }
    let width = lines.first().map_or(0, |line| line.cells.len());
    let column = |at: usize| {
        let part = |line: &Line<'_>| -> String {
            let cell = line.cells.get(at).map_or("", AsRef::as_ref);
            let open = line.open.get(at) == Some(&true);
            let cell = if open { cell.strip_suffix('+').unwrap_or(cell) } else { cell };
            cell.trim_end().to_owned()
        };
        let mut parts: Vec<String> = lines.iter().map(part).collect();
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
        Cow::<str>::Owned(parts.join(BREAK))
    };
    (0..width).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::barred;

    /// Thirty rows; the fifth has a line break and a bar in its last cell.
    fn drawn(form: &str) -> String {
        let rule = |left: &str, middle: &str, right: &str, line: &str| {
            format!("{left}{}{middle}{}{right}\n", line.repeat(5), line.repeat(14))
        };
        let mut text = match form {
            "box" => rule("┌", "┬", "┐", "─") + "│ id  │ note         │\n",
            "table" => rule("+", "+", "+", "-") + "| id  | note         |\n",
            _ => " id  | note         \n".to_owned(),
        };
        let between = match form {
            "box" => rule("├", "┼", "┤", "─"),
            "table" => rule("+", "+", "+", "-"),
            _ => rule("", "+", "", "-"),
        };
        text += &between;
        for id in 1..=30 {
            let cells: &[(String, &str)] = &match id {
                5 => vec![("5".to_owned(), "two"), (String::new(), "lines | here")],
                _ => vec![(id.to_string(), "plain")],
            };
            for (nth, (id, note)) in cells.iter().enumerate() {
                text += &match form {
                    "box" => format!("│ {id:<3} │ {note:<12} │\n"),
                    "table" => format!("| {id:<3} | {note:<12} |\n"),
                    _ if nth + 1 < cells.len() => format!(" {id:>3} | {note:<12}+\n"),
                    _ => format!(" {id:>3} | {}\n", note.replace(" | ", " / ")),
                };
            }
            if form != "psql" {
                text += &between;
            }
        }
        text
    }

    #[test]
    fn line_breaks_and_bars_in_cells_add_no_rows_or_columns() {
        for (form, note) in
            [("box", r"two\nlines | here"), ("table", r"two\nlines | here"), ("psql", r"two\nlines / here")]
        {
            let text = drawn(form);
            let lines: Vec<&str> = text.lines().collect();
            let (start, table, end) = barred(&lines).expect(form);
            assert_eq!((start, end), (0, lines.len()), "{form}");
            assert_eq!((table.rows.len(), table.header.as_deref()), (30, Some("id | note")), "{form}");
            assert_eq!(table.lines[4], format!("5 | {note}"), "{form}");
            assert_eq!(table.lines[5], "6 | plain", "{form}");
        }
    }

    #[test]
    fn rows_that_only_look_like_continuations_stay_rows() {
        // Groups of rows between rules, and a value that ends in a plus sign above a row without a first cell.
        let groups = "+----+----+\n| a  | b  |\n+----+----+\n| 1  | x  |\n|    | y  |\n|    | z  |\n+----+----+\n| 2  | x  |\n|    | y  |\n|    | z  |\n+----+----+\n";
        let plus = " id | type \n----+------\n  1 | AB+\n    | B+\n  3 | A\n";
        // Groups of two with a column that is empty in all rows.
        let rule = "+----+----+----+\n";
        let empty: String =
            (1..9).map(|n| format!("| {n}  | x  |    |\n{}", if n % 2 == 0 { rule } else { "" })).collect();
        let empty = format!("{rule}| a  | b  | c  |\n{rule}{empty}");
        for (text, rows) in [(groups, 6), (plus, 3), (&*empty, 8)] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(barred(&lines).expect("a table").1.rows.len(), rows, "{text}");
        }
    }

    #[test]
    fn a_row_of_dashes_is_a_row() {
        let psql = " a | b \n---+---\n 1 | x \n 2 | y \n - | - \n 4 | z \n";
        let rule = "+---+---+\n";
        let mysql = format!("{rule}| a | b |\n{rule}| 1 | x |\n| 2 | y |\n| - | - |\n| 4 | z |\n{rule}");
        // The second row of Markdown isn't the rule below a header.
        let markdown = "| a | b |\n|---|---|\n| 1 | x |\n| - | - |\n| - | - |\n| 4 | z |\n";
        let org = "|---+---|\n| a | b |\n|---+---|\n| 1 | x |\n| 2 | y |\n|---+---|\n| - | - |\n| 4 | z |\n|---+---|\n";
        let bun = "|-------|\n| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n| - | - |\n| 4 | z |\n|-------|\n";
        for text in [psql, mysql.as_str(), markdown, org, bun] {
            let lines: Vec<&str> = text.lines().collect();
            let (start, table, end) = barred(&lines).expect("a table");
            assert_eq!((start, end), (0, lines.len()), "{text}");
            assert_eq!(table.header.as_deref(), Some("a | b"), "{text}");
            assert_eq!(table.lines.len(), 4, "{text}");
            assert_eq!(table.lines[2], "- | -", "{text}");
            assert_eq!(table.lines[3], "4 | z", "{text}");
        }
    }

    #[test]
    fn a_null_is_called_a_null() {
        let rule = "+------+----------+-------+\n";
        let row = |n: usize| {
            let total = if n == 77 { "NULL".to_owned() } else { (1_000 + n * 7).to_string() };
            format!("| {n:>4} | cust{:<4} | {total:>5} |\n", n % 37)
        };
        let rows: String = (0..400).map(row).collect();
        let text = format!("{rule}|   id | name     | total |\n{rule}{rows}{rule}");
        let lines: Vec<&str> = text.lines().collect();
        let short = barred(&lines).expect("a table").1.render(4_000);
        assert!(short.contains("total: 1000 to 3793, all different, 1 NULL\n"), "{short}");
        assert!(short.contains("77 | cust3 | NULL\n"), "{short}");
    }
}
