//! Records of which each value has a line of its own (`key = value`, psql's expanded form, MySQL's `\\G`): rows like
//! those of a table, with their keys written once. Owns distinguishing these forms from other lines with a sign in
//! them.

use std::borrow::Cow;

use crate::data::rows::Table;

/// The minimum number of records and keys.
const RECORDS: usize = 4;
const KEYS: usize = 2;
/// Longest key, in bytes.
const KEY: usize = 64;
/// Lines that may be above records and below them.
const AROUND: usize = 3;

/// The separator between a key and its value.
const JOINTS: [&str; 3] = [" | ", " = ", ": "];

/// The lines as a table, if they are nothing but records of one kind, with where these begin and end: a warning may be
/// above them and a count below.
pub(super) fn vertical<'t>(lines: &[&'t str]) -> Option<(usize, Table<'t>, usize)> {
    let from = lines.iter().take(AROUND + 1).position(|line| is_head(line)).unwrap_or_default();
    let joint = joint(&lines[from..])?;
    let belongs = |line: &&str| is_head(line) || pair(line, joint).is_some();
    let to = lines.iter().rposition(belongs)? + 1;
    if lines[to..].iter().filter(|line| !line.trim().is_empty()).count() > AROUND {
        return None;
    }
    Some((from, table(&lines[from..to], joint)?, to))
}

fn table<'t>(lines: &[&'t str], joint: &str) -> Option<Table<'t>> {
    let mut names: Vec<&str> = Vec::new();
    let mut rows: Vec<Vec<Cow<'t, str>>> = Vec::new();
    let mut open: Option<Vec<Cow<'t, str>>> = None;
    for line in lines {
        if line.trim().is_empty() || is_head(line) {
            rows.extend(open.take());
            continue;
        }
        let (key, value) = pair(line, joint)?;
        let row = open.get_or_insert_with(Vec::new);
        // All have the same keys in the same order.
        match names.get(row.len()) {
            Some(name) if *name == key => {}
            None if rows.is_empty() => names.push(key),
            _ => return None,
        }
        row.push(Cow::Borrowed(value));
    }
    rows.extend(open);
    if rows.len() < RECORDS || names.len() < KEYS || rows.iter().any(|row| row.len() != names.len()) {
        return None;
    }
    let joined = |cells: &[Cow<'t, str>]| Cow::Owned(cells.join(" | "));
    let names: Vec<Cow<'t, str>> = names.into_iter().map(Cow::Borrowed).collect();
    Some(Table {
        header: Some(joined(&names)),
        lines: rows.iter().map(|row| joined(row)).collect(),
        names,
        rows,
        vertical: true,
        ..Table::default()
    })
}

/// `-[ RECORD 1 ]---`, `*** 1. row ***`.
fn is_head(line: &str) -> bool {
    let postgres = line.starts_with("-[ RECORD ") || line.starts_with("─[ RECORD ");
    let mysql = line.starts_with("***") && line.ends_with("***") && line.contains(". row ");
    postgres || mysql
}

/// The sign of the first line with a value.
fn joint(lines: &[&str]) -> Option<&'static str> {
    let first = lines.iter().find(|line| !line.trim().is_empty() && !is_head(line))?;
    JOINTS.into_iter().find(|joint| pair(first, joint).is_some())
}

fn pair<'t>(line: &'t str, joint: &str) -> Option<(&'t str, &'t str)> {
    let (key, value) = match line.split_once(joint) {
        Some((key, value)) => (key, value),
        // A value that is empty.
        None => (line.trim_end().strip_suffix(joint.trim_end())?, ""),
    };
    let key = key.trim();
    let names =
        !key.is_empty() && key.len() <= KEY && key.starts_with(|c: char| c.is_alphabetic() || c == '_');
    names.then(|| (key, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::vertical;

    #[test]
    fn each_record_form_is_a_table_and_other_lines_are_not() {
        let line = |n: usize| format!("     id = {n}\n  state = {}\n\n", if n == 7 { "held" } else { "" });
        let expanded = |n: usize| format!("-[ RECORD {n} ]--\nid    | {n}\nstate | held\n");
        let starred = |n: usize| format!("**** {n}. row ****\n   id: {n}\nstate: held\n");
        for form in [line as fn(usize) -> String, expanded, starred] {
            let text: String = (1..9).map(form).collect::<String>() + "\n8 rows in set (0.00 sec)\n";
            let lines: Vec<&str> = text.lines().collect();
            let (_, table, _) = vertical(&lines).unwrap();
            assert_eq!(table.names, ["id", "state"]);
            assert_eq!(
                (table.rows.len(), &table.rows[6][..]),
                (8, &["7".into(), "held".into()][..]),
                "{text}"
            );
        }
        for text in [
            "a = 1\n\nb = 2\n\na = 3\n\nb = 4\n",
            "one: two\nthree: four\n\nand a sentence\n",
            "a: 1\nb: 2\n\na: 1\nb: 2\n",
        ] {
            assert!(vertical(&text.lines().collect::<Vec<_>>()).is_none(), "{text}");
        }
    }
}
