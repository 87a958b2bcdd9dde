//! Tables of named things that are too long to be shown whole: every name, under the few values that its rows share.
//! Owns which column has the names; `rows` decides what else of a table is shown.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use super::columns::{Column, Judged, bare};
use super::rows::Table;

/// The maximum average length of a name, in bytes.
const SHORT: usize = 60;
/// The beginnings of names differ in at least one of so many rows; generated ids have one beginning, or none.
const ALIKE: usize = 40;
const BEGINNINGS: usize = 3;
/// Rows that share their values on an average, and columns whose values head them.
const SHARED: usize = 6;
const HEADED: usize = 3;
/// Most bytes that the summary of columns and rows may take above a list of all names.
const ROWS: usize = 4_000;

impl Table<'_> {
    /// The column of names: all different, without blanks, with words of their own.
    pub(super) fn names_at(&self, judged: &Judged) -> Option<usize> {
        (0..judged.columns.len()).find(|at| {
            let cells = || self.rows.iter().filter_map(|row| row.get(*at)).map(|cell| bare(cell));
            let bytes: usize = cells().map(str::len).sum();
            let word = |cell: &str| cell.chars().take_while(|c| c.is_alphabetic()).count();
            let beginnings: HashSet<&str> = cells().filter(|cell| word(cell) > 2).map(beginning).collect();
            judged.columns.get(*at).is_some_and(Column::all_differ)
                && bytes <= self.rows.len() * SHORT
                && cells().filter(|cell| cell.is_empty() || cell.contains(char::is_whitespace)).count() * 10
                    < self.rows.len()
                && beginnings.len() >= BEGINNINGS.max(self.rows.len() / ALIKE)
        })
    }

    /// All names in at most `room` bytes.
    pub(super) fn all_names(&self, judged: &Judged, room: usize) -> Option<String> {
        let names = self.names_at(judged)?;
        let cell = |row: usize, at: usize| {
            self.rows.get(row).and_then(|row| row.get(at)).map_or("", |cell| bare(cell))
        };
        let few = |at: &usize| {
            judged.columns.get(*at).is_some_and(|column| column.has_few() && column.constant().is_none())
        };
        let mut order: Vec<usize> = (0..judged.columns.len()).filter(|at| *at != names && few(at)).collect();
        order.sort_by_key(|at| judged.columns.get(*at).map_or(0, Column::weight));
        let grouped = |columns: &[usize]| {
            let mut groups: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
            for row in 0..self.rows.len() {
                let values = columns.iter().map(|at| cell(row, *at)).collect();
                groups.entry(values).or_default().push(cell(row, names));
            }
            groups
        };
        let mut columns: Vec<usize> = Vec::new();
        for at in order.into_iter().take(HEADED * 2) {
            columns.push(at);
            if columns.len() > HEADED || grouped(&columns).len() * SHARED > self.rows.len() {
                columns.pop();
            }
        }
        columns.sort_unstable();
        let name = self.name(names);
        if columns.is_empty() {
            let all: Vec<&str> = (0..self.rows.len()).map(|row| cell(row, names)).collect();
            let out = format!("all by {name}: {}\n", all.join(" "));
            return (out.len() <= room).then_some(out);
        }
        let headings: Vec<_> = columns.iter().map(|at| self.name(*at)).collect();
        let mut out = format!("all by {name}, below {}:\n", headings.join(", "));
        let mut groups: Vec<_> = grouped(&columns).into_iter().collect();
        groups.sort_by_key(|(_, names)| names.len());
        for (values, names) in groups {
            let values: Vec<&str> =
                values.into_iter().map(|value| if value.is_empty() { "(empty)" } else { value }).collect();
            let _ = writeln!(out, "  {} ({}): {}", values.join(", "), names.len(), names.join(" "));
        }
        (out.len() <= room).then_some(out)
    }

    /// Rows in `limit` bytes, or in fewer where all `names` follow them.
    pub(super) fn rows_and_names(
        &self,
        judged: &Judged,
        limit: usize,
        room: usize,
        names: Option<String>,
        out: &mut String,
    ) {
        let names = names.unwrap_or_default();
        let left =
            if names.is_empty() { limit } else { limit.min(ROWS).min(room.saturating_sub(names.len())) };
        self.write_sample(judged, left.saturating_sub(out.len()), out);
        out.push_str(&names);
    }
}

/// The letters that a cell begins with.
fn beginning(cell: &str) -> &str {
    cell.find(|c: char| !c.is_alphabetic()).map_or(cell, |end| &cell[..end])
}

#[cfg(test)]
mod tests {
    use crate::data::rows::Table;

    const WORDS: [&str; 12] = [
        "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "islet", "juniper", "kelp",
        "lotus",
    ];

    fn table(cell: impl Fn(usize) -> String) -> Table<'static> {
        let rows: Vec<Vec<_>> = (0..300)
            .map(|n| {
                let state = if n == 123 { "Pending" } else { "Running" };
                vec![
                    cell(n).into(),
                    state.into(),
                    format!("10.42.{}.{}", n % 7, n).into(),
                    "a cell of some length".into(),
                    "node".into(),
                ]
            })
            .collect();
        let lines = rows.iter().map(|row| row.join("  ").into()).collect();
        let names = ["NAME", "STATE", "ADDRESS", "WORDS", "NODE"].map(Into::into).to_vec();
        Table { names, rows, lines, ..Table::default() }
    }

    #[test]
    fn every_name_is_listed_under_its_shared_prefix() {
        let named = |n: usize| format!("{}-{n}", WORDS[n % WORDS.len()]);
        let short = table(named).render(20_000);
        assert!((0..300).all(|n| short.contains(&named(n))), "{short}");
        assert!(
            short.contains("all by NAME, below STATE:\n  Pending (1): delta-123\n  Running (299): amber-0 "),
            "{short}"
        );
        assert!(short.len() < 9_000, "{}", short.len());
        let small = table(named).render(1_900);
        assert!(small.len() <= 2_000 && !small.contains("all by"), "{small}");
    }

    #[test]
    fn ids_are_not_names() {
        for cell in [
            |n: usize| format!("ord_{n:06}"),
            |n: usize| format!("{n}"),
            |n: usize| format!("{:08x}", n * 2_654_435),
        ] {
            let short = table(cell).render(20_000);
            assert!(!short.contains("all by"), "{short}");
        }
    }
}
