//! Rows under a limit: how many there are, what each column contains, and then rows: the first, those that differ from
//! the rest, some from all parts, the last. Owns the choice and the layout; what is odd is `columns`' judgement.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::columns::{Column, Judged, judge};
use super::picked::Picked;
use crate::clip::clipped;
use crate::counted::counted;

/// Rows that take up to this many bytes are all shown: a reader may need any of them.
const SMALL: usize = 8_000;
/// The same for things with names and hardly any other column, and how many columns that means.
const SMALL_NAMED: usize = 16_000;
const NARROW: usize = 4;
/// What a longer table may take at most, in bytes, however much room there is.
const MOST: usize = 6_000;
/// The room that it may always take.
pub(super) const LEAST: usize = 2_000;
/// Rows shown from the beginning and the end.
pub(super) const FIRST: usize = 5;
pub(super) const LAST: usize = 2;
/// Longest row and longest summary of a column, in bytes.
pub(super) const LONG_ROW: usize = 600;
const LONG_SUMMARY: usize = 240;

/// The column of the keys where rows are the values of an object.
pub(crate) const KEY: &str = "key";

/// Rows with cells, and each as it is shown.
#[derive(Debug, Default)]
pub(crate) struct Table<'t> {
    /// Names of the columns; empty if the output has none.
    pub(crate) names: Vec<Cow<'t, str>>,
    /// The cells of each row.
    pub(crate) rows: Vec<Vec<Cow<'t, str>>>,
    /// Each row as it is shown; where there are none, its cells are, but those that are the same in all rows.
    pub(crate) lines: Vec<Cow<'t, str>>,
    /// The line with the names, as it is shown.
    pub(crate) header: Option<Cow<'t, str>>,
    /// Each value had its own line: as rows they are already much shorter.
    pub(crate) vertical: bool,
    /// The rows are records in JSON, with this between a key and its value: one that differs from the rest is shown as such.
    pub(crate) record: Option<&'static str>,
    /// As many rows are shown as fit, because their meaning is unknown.
    pub(crate) fills: bool,
}

/// Rows made of cells that take up to this many bytes are all shown: they are records of many kinds of values.
const SMALL_CELLS: usize = 8_000;
/// Up to so many records that differ from the others are shown with their keys.
pub(super) const RECORDS: usize = 12;
/// Up to so many records are shown column by column, each value behind the other.
const BESIDE: usize = 12;
/// Neighbours that are sampled together where many fit.
const RUN: usize = 12;
/// Rows up to this number are all shown, with fewer columns, where there are at least so many of these.
const FEW_ROWS: usize = 64;
const SOME: usize = 6;
/// Longest cell that is shown where rows are made of cells, in bytes.
pub(super) const LONG_CELL: usize = 160;
/// With this many columns, those of addresses aren't shown: they repeat the others.
const MANY: usize = 12;

impl Table<'_> {
    /// The size of a column's cells with separators, in bytes.
    pub(super) fn size(&self, at: usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.len() + 1).sum()
    }

    pub(super) fn width(&self) -> usize {
        self.names.len().max(self.rows.iter().map(Vec::len).max().unwrap_or_default())
    }

    /// All rows when they are few; otherwise a summary and a choice of rows, in at most about `room` bytes.
    pub(crate) fn render(&self, room: usize) -> String {
        if self.lines.is_empty() && !self.rows.is_empty() {
            return self.of_cells(room);
        }
        let whole: usize = self.lines.iter().map(|line| line.len() + 1).sum::<usize>()
            + self.header.as_ref().map_or(0, |header| header.len() + 1);
        let mut out = String::new();
        let judged = judge(&self.rows, self.width());
        let width = judged.columns.iter().filter(|column| column.constant().is_none()).count();
        let named = !self.fills && self.names_at(&judged).is_some();
        let small = match (self.vertical, named && width <= NARROW) {
            (true, _) => room,
            (_, true) => SMALL_NAMED,
            _ => SMALL,
        };
        if whole <= small.min(room) {
            self.header.iter().for_each(|header| push(&mut out, header));
            self.lines.iter().for_each(|line| push(&mut out, line));
            return out;
        }
        let limit = if self.fills { room } else { (whole / 4).clamp(LEAST, MOST).min(room) };
        let _ = writeln!(out, "{}, {}", counted(self.rows.len(), "rows"), counted(self.width(), "columns"));
        // The rows of an unknown table say more than its columns.
        let about = if self.fills { limit.min(MOST) / 8 } else { limit.min(MOST) / 2 };
        self.columns(&judged, about, &mut out);
        let names = if named { self.all_names(&judged, room.min(SMALL_NAMED) * 2 / 3) } else { None };
        self.rows_and_names(&judged, limit, room, names, &mut out);
        out
    }

    /// The same where rows are made of their cells: a value that all rows share is shown once.
    fn of_cells(&self, room: usize) -> String {
        let width = self.width();
        let judged = judge(&self.rows, width);
        let varying = |at: &usize| {
            width == 1 || judged.columns.get(*at).is_some_and(|column| column.constant().is_none())
        };
        let all: Vec<usize> = (0..width).filter(varying).collect();
        let constant: usize =
            (0..width).filter(|at| !varying(at)).map(|at| self.name(at).len() + LONG_CELL / 4).sum();
        let whole: usize = all.iter().map(|at| self.size(*at)).sum::<usize>() + constant;
        let small = whole <= SMALL_CELLS.min(room);
        let limit = (whole / 4).clamp(LEAST, MOST).min(room);
        let address = |at: &usize| {
            let cells = || self.rows.iter().filter_map(|row| row.get(*at)).filter(|cell| cell.len() > 2);
            cells().next().is_some()
                && cells().all(|cell| cell.starts_with("\"http") || cell.starts_with("http"))
        };
        let chosen: Vec<usize> = if small || all.len() <= MANY {
            all.clone()
        } else {
            all.iter().copied().filter(|at| !address(at)).collect()
        };
        let line = |row: &Vec<Cow<'_, str>>| -> String {
            let cells = chosen.iter().map(|at| {
                row.get(*at).map_or(Cow::Borrowed(""), |cell| {
                    if small { Cow::Borrowed(cell.as_ref()) } else { clipped(cell, LONG_CELL) }
                })
            });
            cells.collect::<Vec<_>>().join(",")
        };
        if self.rows.len() <= BESIDE && width > self.rows.len() && !self.names.is_empty() {
            return self.by_column(&judged, &all, room.min(if small { room } else { MOST * 2 }));
        }
        if !small
            && self.rows.len() <= FEW_ROWS
            && all.len() >= SOME
            && let Some(part) = self.some_columns(&judged, &all, (limit, room))
        {
            return part;
        }
        let names: Vec<Cow<'_, str>> = chosen.iter().map(|at| self.name(*at)).collect();
        let header = (!self.names.is_empty()).then(|| Cow::Owned(names.join(",")));
        let differs = |at: usize| !small && judged.odd.get(at).is_some_and(|odd| *odd > 0.0);
        let as_records =
            self.record.filter(|_| judged.odd.iter().filter(|odd| **odd > 0.0).count() <= RECORDS);
        let lines = self.rows.iter().enumerate().map(|(at, row)| match as_records {
            Some(sign) if differs(at) => Cow::Owned(self.as_record(row, sign)),
            _ => Cow::Owned(line(row)),
        });
        let lines = lines.collect();
        let shown = Table { names: self.names.clone(), lines, header, ..Table::default() };
        let mut out = String::new();
        if all.is_empty() {
            let _ = writeln!(out, "{}, all equal", counted(self.rows.len(), "rows"));
            self.constants(&judged, room, &mut out);
            return out;
        }
        if small {
            self.constants(&judged, room, &mut out);
            shown.header.iter().for_each(|header| push(&mut out, header));
            shown.lines.iter().for_each(|line| push(&mut out, line));
            return out;
        }
        let _ = writeln!(out, "{}, {}", counted(self.rows.len(), "rows"), counted(width, "columns"));
        let apart = self.apart_from(&judged, &shown, as_records.is_some(), limit);
        out.push_str(&apart);
        self.columns(&judged, limit / if apart.is_empty() { 2 } else { 4 }, &mut out);
        if chosen.len() < all.len() {
            let _ = writeln!(
                out,
                "  not shown below: {} of addresses",
                counted(all.len() - chosen.len(), "columns")
            );
        }
        let names = self.all_names(&judged, room.min(SMALL_NAMED) * 2 / 3);
        if !apart.is_empty() && shown.exceeds(limit.saturating_sub(out.len())) {
            gap(&mut out, &mut self.rows.len());
            out.push_str(&names.unwrap_or_default());
            return out;
        }
        shown.rows_and_names(&judged, limit, room, names, &mut out);
        out
    }

    /// Few records of many columns: one line for each column, with the values of all records.
    fn by_column(&self, judged: &Judged, varying: &[usize], room: usize) -> String {
        let mut out =
            format!("{}, values in their order between bars\n", counted(self.rows.len(), "records"));
        self.constants(judged, room / 2, &mut out);
        let left = room.saturating_sub(out.len());
        let line = |at: usize, most: usize| -> String {
            let cells: Vec<Cow<'_, str>> = self
                .rows
                .iter()
                .map(|row| row.get(at).map_or(Cow::Borrowed(""), |cell| clipped(cell, most)))
                .collect();
            format!("  {}: {}", self.name(at), cells.join(" | "))
        };
        let whole: usize = varying.iter().map(|at| line(*at, usize::MAX / 2).len() + 1).sum();
        let most = if whole <= left { usize::MAX / 2 } else { LONG_CELL / 2 };
        let mut omitted = Vec::new();
        let from = out.len();
        for at in varying {
            let line = line(*at, most);
            if out.len() - from + line.len() > left {
                omitted.push(self.name(*at));
                continue;
            }
            push(&mut out, &line);
        }
        if !omitted.is_empty() {
            let _ = writeln!(
                out,
                "  {}: {}",
                counted(omitted.len(), "more columns"),
                clipped(&omitted.join(", "), 400)
            );
        }
        out
    }

    /// The values that all rows share, in one line.
    pub(super) fn constants(&self, judged: &Judged, room: usize, out: &mut String) {
        let constant: Vec<String> = judged
            .columns
            .iter()
            .enumerate()
            .filter_map(|(at, column)| {
                column.constant().filter(|_| self.width() > 1)?;
                // As it was written: quotation marks distinguish a text from a number.
                let only = self.rows.first().and_then(|row| row.get(at)).map_or("", |cell| cell.trim());
                let only = if only.is_empty() { "(empty)" } else { only };
                Some(format!("{}={}", self.name(at), clipped(only, LONG_CELL)))
            })
            .collect();
        if !constant.is_empty() {
            let _ = writeln!(out, "  the same in all rows: {}", clipped(&constant.join(", "), room));
        }
    }

    /// Names grouped by the values they share, if the first column names a thing and all others have few values: that
    /// loses nothing, however long the table is.
    pub(crate) fn by_shared_values(&self) -> Option<String> {
        let judged = judge(&self.rows, self.width());
        let (first, others) = judged.columns.split_first()?;
        if !first.all_differ() || others.is_empty() || !others.iter().all(Column::has_few) {
            return None;
        }
        let mut groups: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
        for row in &self.rows {
            let (name, values) = row.split_first()?;
            groups.entry(values.iter().map(AsRef::as_ref).collect()).or_default().push(name);
        }
        if groups.len() * 4 > self.rows.len() {
            return None;
        }
        let names: Vec<Cow<'_, str>> = (1..self.width()).map(|at| self.name(at)).collect();
        let mut out = format!("{} rows, {} by {}\n", self.rows.len(), self.name(0), names.join("  "));
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, names)| names.len());
        for (values, names) in groups {
            let _ = writeln!(out, "{} ({}): {}", values.join("  "), names.len(), names.join(" "));
        }
        Some(out)
    }

    pub(super) fn name(&self, at: usize) -> Cow<'_, str> {
        match self.names.get(at) {
            Some(name) if !name.trim().is_empty() => Cow::Borrowed(name.trim()),
            _ => Cow::Owned(format!("column {}", at + 1)),
        }
    }

    fn columns(&self, judged: &Judged, room: usize, out: &mut String) {
        let from = out.len();
        let mut omitted = Vec::new();
        // Columns with few values say most about the rows.
        let mut order: Vec<usize> = (0..judged.columns.len()).collect();
        if order.len() > MANY {
            order.sort_by_key(|at| judged.columns.get(*at).map_or(0, Column::weight));
        }
        for at in order {
            let Some(column) = judged.columns.get(at) else { continue };
            let name = self.name(at);
            if column.constant().is_some() && self.width() > 1 {
                continue;
            }
            let printed = column.summary();
            if out.len() - from + name.len() + printed.len().min(LONG_SUMMARY) > room {
                omitted.push(name);
                continue;
            }
            let _ = writeln!(out, "  {name}: {}", clipped(&printed, LONG_SUMMARY));
        }
        let left = room.saturating_sub(out.len() - from).max(room / 3);
        self.constants(judged, left, out);
        if !omitted.is_empty() {
            let _ = writeln!(
                out,
                "  {}: {}",
                counted(omitted.len(), "more columns"),
                clipped(&omitted.join(", "), left)
            );
        }
    }

    /// Rows in at most about `room` bytes, with counts of those between.
    pub(super) fn write_sample(&self, judged: &Judged, room: usize, out: &mut String) {
        let count = self.lines.len();
        let cost = |at: usize| self.lines.get(at).map_or(0, |line| line.len().min(LONG_ROW) + 1);
        let header = self.header.as_deref().unwrap_or_default();
        let left = room.saturating_sub(header.len().min(LONG_ROW) + 80);
        let mut picked = Picked::new(count, left);
        // One row of each end is shown even if there is hardly room.
        let firsts = (0..FIRST.min(count)).filter(|at| picked.take(*at, cost(*at))).count();
        let lasts =
            (count.saturating_sub(LAST)..count).rev().filter(|at| picked.take(*at, cost(*at))).count();
        let mut order: Vec<usize> =
            (0..count).filter(|at| judged.odd.get(*at).is_some_and(|odd| *odd > 0.0)).collect();
        order.sort_by(|a, b| judged.odd[*b].total_cmp(&judged.odd[*a]).then(a.cmp(b)));
        let odd = order.len();
        let odd_shown = order.into_iter().filter(|at| picked.take(*at, cost(*at) + 14)).count();
        // What is left goes to rows from all parts.
        let mean =
            (self.lines.iter().map(|line| line.len().min(LONG_ROW)).sum::<usize>() / count.max(1)).max(1);
        let samples = (picked.left / (mean + 16)).min(count / 2);
        // If there is room for many, neighbours are shown: marks between single rows would take the room of others.
        let run = if samples * 5 > count { RUN } else { 1 };
        let samples =
            if run == 1 { samples } else { (picked.left / (run * (mean + 1) + 16)).min(count / (run + 3)) };
        for nth in 0..samples {
            let middle = (2 * nth + 1) * count / (2 * samples);
            let from = middle.saturating_sub(run / 2);
            for at in from..from + run {
                picked.take(at, cost(at) + if at == from { 14 } else { 0 });
            }
        }
        picked.close_gaps(cost);
        let differ = match (odd, odd_shown) {
            (0, _) => String::new(),
            (all, some) if some < all => format!(", {some} of {all} that differ"),
            (all, _) => format!(", {all} that differ"),
        };
        let _ = writeln!(out, "shown: first {firsts}{differ}, samples, last {lasts}");
        if !header.is_empty() {
            push(out, &clipped(header, LONG_ROW));
        }
        let mut skipped = 0;
        for (at, line) in self.lines.iter().enumerate() {
            if !picked.shown[at] {
                skipped += 1;
                continue;
            }
            gap(out, &mut skipped);
            push(out, &clipped(line, LONG_ROW));
        }
        gap(out, &mut skipped);
    }
}

fn gap(out: &mut String, skipped: &mut usize) {
    if *skipped > 0 {
        let _ = writeln!(out, "… {}", counted(*skipped, "rows"));
        *skipped = 0;
    }
}

pub(super) fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}
