//! Tables in the forms that tools print: a line for each value, with bars and rules (psql, mysql, Markdown, boxes), separated (CSV, tabs,
//! semicolons, sqlite's bars), in columns of blanks under a header. Owns taking them apart into cells.

use std::borrow::Cow;

use super::bars::barred;
use super::records::vertical;
use super::table;
use crate::cap::spread;
use crate::data::rows::Table;
use crate::data::within;
use crate::fit::shared;
use crate::normal;

/// Rows from which on an output is a table.
const ROWS: usize = 3;
/// Outputs up to this size, in bytes, only lose the width of their columns.
const SMALL: usize = 1_500;

/// Tables of named things (services, containers) are shown whole up to this size, in bytes: a reader may look for any
/// name.
const NAMED: usize = 6_000;
/// In a smaller share of the room a table shows little more than its header and marks, in bytes.
const SHARE: usize = 200;

/// A table of named things: without the width of its columns, or, if it is long, by its columns.
pub(crate) fn named_things(text: &str, room: usize) -> Option<String> {
    let squeezed = table::table(text)?;
    if squeezed.len() <= NAMED.min(room) {
        return Some(squeezed);
    }
    if squeezed.len() > room
        && let Some(tables) = several(text, room)
    {
        return Some(tables);
    }
    one(text, room).or(Some(squeezed))
}

/// One table by its columns.
fn one(text: &str, room: usize) -> Option<String> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let parts = parts(&lines)?;
    match parts.table.by_shared_values().filter(|grouped| grouped.len() <= room) {
        Some(grouped) => Some(around_it(&parts, &grouped)),
        None => summarize(&parts, room),
    }
}

/// Several tables with a blank line between them (`kubectl get all`), each in its share of the room; `None` where that says little.
fn several(text: &str, room: usize) -> Option<String> {
    let tables: Vec<&str> =
        text.split("\n\n").map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty()).collect();
    let is_headed = |part: &&str| part.lines().next().is_some_and(|line| columns_under(line).is_some());
    if tables.len() < 2 || !tables.iter().all(is_headed) {
        return None;
    }
    let squeezed: Vec<String> = tables.iter().map(|part| table::table(part)).collect::<Option<_>>()?;
    let wanted: Vec<usize> = squeezed.iter().map(|table| table.len() + 1).collect();
    let granted = shared(&wanted, room);
    if granted.iter().zip(&wanted).any(|(granted, wanted)| granted < wanted && *granted < SHARE) {
        return None;
    }
    let mut out = String::new();
    for ((part, whole), granted) in tables.iter().zip(&squeezed).zip(granted) {
        if !out.is_empty() {
            out.push('\n');
        }
        let left = granted.saturating_sub(1);
        let shown = if whole.len() <= left { Some(whole.clone()) } else { one(part, left) };
        out.push_str(&shown.unwrap_or_else(|| spread(whole, usize::MAX, left)));
    }
    Some(out)
}

/// A table by one of its forms, or the same text without the width of its columns.
pub(crate) fn rows(text: &str, room: usize) -> Option<String> {
    let lines: Vec<&str> = normal::lines(text).collect();
    if text.len() > SMALL
        && let Some(short) = parts(&lines).and_then(|parts| summarize(&parts, room))
    {
        return Some(short);
    }
    table::table(text)
}

/// The same for an unknown output: it must have the form throughout.
pub(crate) fn summary(text: &str, room: usize) -> Option<String> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut parts = parts(&lines)?;
    parts.table.fills = true;
    summarize(&parts, room)
}

fn parts<'t>(lines: &[&'t str]) -> Option<Parts<'t>> {
    let records = || {
        let (start, table, end) = vertical(lines)?;
        around(lines, start, end, table)
    };
    let bars = || {
        let (start, table, end) = barred(lines)?;
        around(lines, start, end, table)
    };
    records().or_else(bars).or_else(|| ruled(lines)).or_else(|| separated(lines)).or_else(|| blanked(lines))
}

/// Only rows between separators.
pub(crate) fn separate(text: &str, room: usize) -> Option<String> {
    let lines: Vec<&str> = normal::lines(text).collect();
    summarize(&separated(&lines)?, room)
}

fn summarize(parts: &Parts<'_>, room: usize) -> Option<String> {
    if parts.table.rows.len() < ROWS {
        return None;
    }
    let around: usize = parts.before.iter().chain(&parts.after).map(|line| line.len() + 1).sum();
    Some(within(room, |room| around_it(parts, &parts.table.render(room.saturating_sub(around)))))
}

/// The lines around a table, with `short` for the table itself.
fn around_it(parts: &Parts<'_>, short: &str) -> String {
    let mut out = String::new();
    parts.before.iter().for_each(|line| push(&mut out, line));
    out.push_str(short);
    parts.after.iter().for_each(|line| push(&mut out, line));
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

struct Parts<'t> {
    before: Vec<&'t str>,
    table: Table<'t>,
    after: Vec<&'t str>,
}

/// Most lines that may be around a table.
const AROUND: usize = 12;
/// The line above rows that aren't counted with the others, and are in no order with them.
const UNEVEN: &str = "rows with another number of columns:";

/// The lines around a table, if they are few.
fn around<'t>(lines: &[&'t str], start: usize, end: usize, table: Table<'t>) -> Option<Parts<'t>> {
    let printed = |line: &&&str| !line.trim().is_empty();
    let before: Vec<&str> = lines[..start].iter().filter(printed).copied().collect();
    let after: Vec<&str> = lines[end..].iter().filter(printed).copied().collect();
    (before.len() + after.len() <= AROUND.min(table.rows.len())).then_some(Parts { before, table, after })
}

/// Columns of a fixed width with a line of hyphens below the header: sqlite's column mode, PowerShell.
fn ruled<'t>(lines: &[&'t str]) -> Option<Parts<'t>> {
    let rule_at = lines.iter().take(AROUND).position(|line| {
        line.trim_start().starts_with("--")
            && line.contains("- ")
            && line.chars().all(|c| c == '-' || c == ' ')
    })?;
    let header_at = rule_at.checked_sub(1)?;
    let rule = lines.get(rule_at)?;
    let mut starts: Vec<usize> = Vec::new();
    let mut blank = true;
    for (at, byte) in rule.bytes().enumerate() {
        if byte == b'-' && blank {
            starts.push(at);
        }
        blank = byte == b' ';
    }
    let names = fixed(lines[header_at], &starts)?;
    let mut table = Table { header: Some(table::joined(&names)), ..Table::default() };
    let mut end = rule_at + 1;
    for line in &lines[rule_at + 1..] {
        let Some(row) = fixed(line, &starts).filter(|_| !line.trim().is_empty()) else { break };
        table.lines.push(table::joined(&row));
        table.rows.push(row);
        end += 1;
    }
    table.names = names;
    around(lines, header_at, end, table)
}

/// The cells of a line whose columns begin at `starts`, counted in characters; `None` when a cell reaches into the next.
fn fixed<'t>(line: &'t str, starts: &[usize]) -> Option<Vec<Cow<'t, str>>> {
    let ascii = line.is_ascii();
    let at_char = |nth: usize| -> usize {
        if ascii {
            nth.min(line.len())
        } else {
            line.char_indices().nth(nth).map_or(line.len(), |(at, _)| at)
        }
    };
    let mut cells = Vec::with_capacity(starts.len());
    for (nth, start) in starts.iter().enumerate() {
        let from = at_char(*start);
        let to = starts.get(nth + 1).map_or(line.len(), |next| at_char(*next));
        let cell = line.get(from..to)?;
        if to < line.len() && !cell.ends_with(' ') {
            return None;
        }
        cells.push(Cow::Borrowed(cell.trim()));
    }
    Some(cells)
}

/// Columns of blanks under a header of names in capitals (`docker ps`, `kubectl get`, `ps`): where every row has two
/// blanks or its header's column begins.
fn blanked<'t>(lines: &[&'t str]) -> Option<Parts<'t>> {
    let header = lines.first()?;
    let starts = columns_under(header).filter(|_| lines.len() >= 12)?;
    let names = fixed(header, &starts)?;
    let mut table = Table { header: Some(table::joined(&names)), ..Table::default() };
    let mut end = 1;
    for line in &lines[1..] {
        let Some(row) = fixed(line, &starts).filter(|_| !line.trim().is_empty()) else { break };
        table.lines.push(table::joined(&row));
        table.rows.push(row);
        end += 1;
    }
    table.names = names;
    around(lines, 0, end, table)
}

/// Where the columns begin below a header of names in capitals.
fn columns_under(header: &str) -> Option<Vec<usize>> {
    let starts: Vec<usize> = header
        .char_indices()
        .filter(|(at, c)| *c != ' ' && (*at == 0 || header[..*at].ends_with("  ")))
        .map(|(at, _)| at)
        .collect();
    let named =
        header.is_ascii() && header.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_ascii_uppercase());
    (starts.len() >= 3 && named).then_some(starts)
}

/// Cells between commas, tabs, semicolons or sqlite's bars: the same number of them in nearly every row.
fn separated<'t>(lines: &[&'t str]) -> Option<Parts<'t>> {
    let records = records(lines);
    let rows = records.iter().filter(|record| !record.trim().is_empty()).count();
    if rows < 8 {
        return None;
    }
    let (separator, width) = ['\t', ',', '|', ';'].into_iter().find_map(|separator| {
        let first = cells(records.first()?, separator).len();
        let least = if separator == '\t' || separator == '|' { 2 } else { 3 };
        let same = records.iter().filter(|record| cells(record, separator).len() == first).count();
        (first >= least && same * 50 >= rows * 49).then_some((separator, first))
    })?;
    let mut table = Table::default();
    let (mut after, mut uneven) = (Vec::new(), Vec::new());
    let mut at = 0;
    for record in records {
        let from = at;
        at += 1 + memchr::memchr_iter(b'\n', record.as_bytes()).count();
        if record.trim().is_empty() {
            continue;
        }
        let cells: Vec<Cow<'t, str>> = match &record {
            Cow::Borrowed(record) => cells(record, separator),
            Cow::Owned(record) => {
                cells(record, separator).into_iter().map(|cell| Cow::Owned(cell.into_owned())).collect()
            }
        };
        // Other lines are shown after the rows: the tool's messages, or damaged rows.
        if cells.len() != width {
            let aside = if cells.len() > 1 { &mut uneven } else { &mut after };
            aside.extend_from_slice(lines.get(from..at).unwrap_or_default());
            continue;
        }
        table.rows.push(cells);
        table.lines.push(record);
    }
    // Prose has commas, too: cells are short, and most columns contain one kind of thing.
    let long = table.rows.iter().flatten().filter(|cell| cell.len() > 120).count();
    if separator != '\t' && long * 4 > table.rows.len() || after.len() + uneven.len() > AROUND {
        return None;
    }
    if !uneven.is_empty() {
        after.push(UNEVEN);
        after.append(&mut uneven);
    }
    if has_names(&table.rows) {
        table.header = Some(table.lines.remove(0));
        table.names = table.rows.remove(0);
    }
    Some(Parts { before: Vec::new(), table, after })
}

/// Lines as records: a quotation mark that stays open takes the next line in.
fn records<'t>(lines: &[&'t str]) -> Vec<Cow<'t, str>> {
    let open = |line: &str| memchr::memchr_iter(b'"', line.as_bytes()).count() % 2 == 1;
    let mut records: Vec<Cow<'t, str>> = Vec::with_capacity(lines.len());
    let mut joining: Option<(String, usize)> = None;
    for line in lines {
        match &mut joining {
            Some((record, taken)) => {
                record.push('\n');
                record.push_str(line);
                *taken += 1;
                // A quotation mark that never closes doesn't count.
                if open(line) || *taken > 50 {
                    records.extend(joining.take().map(|(record, _)| Cow::Owned(record)));
                }
            }
            None if open(line) => joining = Some(((*line).to_owned(), 0)),
            None => records.push(Cow::Borrowed(line)),
        }
    }
    records.extend(joining.map(|(record, _)| Cow::Owned(record)));
    records
}

fn cells(record: &str, separator: char) -> Vec<Cow<'_, str>> {
    if !record.contains('"') {
        return record.split(separator).map(Cow::Borrowed).collect();
    }
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = record.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            c if c == separator && !quoted => cells.push(Cow::Owned(std::mem::take(&mut cell))),
            c => cell.push(c),
        }
    }
    cells.push(Cow::Owned(cell));
    cells
}

/// Whether the first row names the columns: short words of its own, over columns of which one contains numbers or
/// times, or none of which has its name again.
fn has_names(rows: &[Vec<Cow<'_, str>>]) -> bool {
    let Some((first, rest)) = rows.split_first() else { return false };
    let name = |cell: &Cow<'_, str>| {
        let cell = cell.trim();
        cell.starts_with(|c: char| c.is_alphabetic() || c == '_') && cell.len() <= 40
    };
    first.iter().all(name)
        && (0..first.len()).any(|at| {
            let mut values =
                rest.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.trim().is_empty()).peekable();
            values.peek().is_some()
                && values
                    .all(|cell| cell.trim().starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+'))
        })
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_of_another_width_are_kept_separately() {
        let mut text = String::from("sku,name,stock\n");
        for nth in 0..400 {
            text += &format!("S{nth},jar {nth},{}\n", nth % 7);
            text += match nth {
                90 => "S-BAD,only two\n",
                200 => "S-LONG,jar,3,\"and\nmore\"\n",
                _ => "",
            };
        }
        let short = super::rows(&text, 4_000).expect("a table");
        assert!(short.starts_with("400 rows, 3 columns\n"), "{short}");
        let apart = "\nrows with another number of columns:\nS-BAD,only two\nS-LONG,jar,3,\"and\nmore\"\n";
        assert!(short.ends_with(apart), "{short}");
    }

    #[test]
    fn of_several_tables_each_keeps_its_odd_row() {
        let table = |kind: &str, odd: &str| {
            let mut out = format!("{:30}{:10}{:20}{}\n", "NAME", "READY", "STATUS", "AGE");
            for n in 0..300 {
                let state = if n == 133 { odd } else { "Running" };
                out += &format!("{:30}{:10}{state:20}{}d\n", format!("{kind}/cart-{n}"), "1/1", n % 40);
            }
            out
        };
        let few = "NAME                READY     STATUS    AGE\nsts/stock           1/1       Running   9d\n";
        let text = format!("{}\n{few}\n{}", table("pod", "ImagePullBackOff"), table("job", "Evicted"));
        let short = super::named_things(&text, 6_000).expect("tables");
        assert!(short.len() <= 6_000, "{}: {short}", short.len());
        for fact in
            ["pod/cart-133", "ImagePullBackOff", "job/cart-133", "Evicted", "\nsts/stock 1/1 Running 9d\n"]
        {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        let (pods, jobs) = (short.find("pod/cart-0"), short.find("job/cart-0"));
        assert!(pods.is_some() && pods < jobs, "{short}");
        // Of too many tables there would be nothing but marks.
        let many = "NAME  READY  AGE\nx/1  1/1  9d\ny/1  1/1  9d\nz/1  1/1  9d\n\n".repeat(900);
        let short = super::named_things(&many, 2_000).expect("tables");
        assert!(short.contains("x/1"), "{short}");
    }
}
