//! Rows that differ from the rest, each as a record of its name and its rare values. Owns which columns name a row;
//! `columns` decides what is rare.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::columns::{Column, Judged, judge};
use super::rows::{FIRST, KEY, LAST, LONG_CELL, LONG_ROW, RECORDS, Table};
use crate::clip::clipped;
use crate::counted::counted;

/// Last parts of the keys that name a record, the most usual ones first.
const NAMES: [&str; 8] = ["name", "key", "id", "number", "path", "file", "slug", "title"];
/// How such keys end where another word is before them.
const ENDINGS: [&str; 5] = ["Name", "_name", "Id", "ID", "_id"];
/// So many of them are enough to find a record again.
const ENOUGH: usize = 2;
/// Room for the lines around rows, in bytes.
const AROUND: usize = 80;

/// A row, and the columns in which it differs from the rest.
pub(super) type Differing = (usize, Vec<usize>);

impl Table<'_> {
    /// The rows that differ, those that differ most first.
    pub(super) fn differing(&self, judged: &Judged) -> Vec<Differing> {
        let odd = |at: usize| judged.odd.get(at).copied().unwrap_or_default();
        let mut rows: Vec<usize> = (0..self.rows.len()).filter(|at| odd(*at) > 0.0).collect();
        rows.sort_by(|a, b| odd(*b).total_cmp(&odd(*a)).then(a.cmp(b)));
        let mut all: Vec<Differing> = rows.into_iter().map(|row| (row, Vec::new())).collect();
        if all.is_empty() {
            return all;
        }
        let varies = |at: &usize| judged.columns.get(*at).is_some_and(|column| column.constant().is_none());
        for at in (0..self.width()).filter(varies) {
            let cells: Vec<Vec<&str>> =
                self.rows.iter().map(|row| vec![row.get(at).map_or("", AsRef::as_ref)]).collect();
            let alone = judge(&cells, 1).odd;
            for (row, rare) in &mut all {
                if alone.get(*row).is_some_and(|odd| *odd > 0.0) {
                    rare.push(at);
                }
            }
        }
        all
    }

    /// The columns that name a row: an object's keys, else those called a name, the least nested first, else the
    /// first that identifies all rows.
    pub(super) fn naming(&self, judged: &Judged) -> Vec<usize> {
        let tells = |at: &usize| judged.columns.get(*at).is_some_and(Column::all_differ);
        if !self.names.is_empty() && self.name(0) == KEY && tells(&0) {
            return vec![0];
        }
        let mostly = |at: &usize| judged.columns.get(*at).is_some_and(Column::differs_mostly);
        let mut called: Vec<(usize, usize, usize)> = (0..self.names.len())
            .filter(mostly)
            .filter_map(|at| {
                let name = self.name(at);
                Some((name.matches('.').count(), rank(&name)?, at))
            })
            .collect();
        called.sort_unstable();
        let nearest = called.first().map_or(0, |(depth, ..)| *depth);
        let names: Vec<usize> = called
            .iter()
            .take_while(|(depth, ..)| *depth == nearest)
            .map(|(.., at)| *at)
            .take(ENOUGH)
            .collect();
        if names.is_empty() { (0..self.width()).find(tells).into_iter().collect() } else { names }
    }

    /// Rows that differ, each with its name and its rare values, in about `room` bytes, but always the first.
    pub(super) fn set_apart(&self, naming: &[usize], rows: &[Differing], room: usize) -> String {
        let mut out = String::new();
        if rows.is_empty() {
            return out;
        }
        out.push_str("rows that differ, by name and rare values:\n");
        let mut written = 0;
        for (row, rare) in rows.iter().take(RECORDS) {
            let line = self.row_text(*row, naming, rare);
            let line = clipped(&line, LONG_ROW);
            if written > 0 && out.len() + line.len() + 1 > room {
                break;
            }
            let _ = writeln!(out, "{line}");
            written += 1;
        }
        if written < rows.len() {
            let _ = writeln!(out, "… {}", counted(rows.len() - written, "more rows of those that differ"));
        }
        out
    }

    /// One such row.
    fn row_text(&self, row: usize, naming: &[usize], rare: &[usize]) -> String {
        let cell = |at: usize| -> &str {
            self.rows.get(row).and_then(|cells| cells.get(at)).map_or("", AsRef::as_ref)
        };
        let mut order = naming.to_vec();
        order.extend(rare.iter().copied().filter(|at| !naming.contains(at)));
        let (given, without): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|at| !cell(*at).is_empty());
        let sign = self.record.unwrap_or(": ");
        let fields: Vec<String> = given
            .iter()
            .map(|at| format!("\"{}\"{sign}{}", self.name(*at), clipped(cell(*at), LONG_CELL)))
            .collect();
        let mut line = format!("{{{}}}", fields.join(", "));
        // A missing value only counts if no other value is rare.
        if !given.iter().any(|at| rare.contains(at)) && !without.is_empty() {
            let names: Vec<Cow<'_, str>> = without.iter().map(|at| self.name(*at)).collect();
            let _ = write!(line, " without {}", names.join(", "));
        }
        line
    }

    /// A row as the record that it was, without its long texts.
    pub(super) fn as_record(&self, row: &[Cow<'_, str>], sign: &str) -> String {
        let fields: Vec<String> = row
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
            .map(|(at, cell)| format!("\"{}\"{sign}{}", self.name(at), clipped(cell, LONG_CELL)))
            .collect();
        format!("{{{}}}", fields.join(if sign.len() > 1 { ", " } else { "," }))
    }

    /// The same for rows of which `lines` are shown: nothing if those that differ are already shown whole. Those are
    /// records in JSON with all their keys, if `as_records`.
    pub(super) fn apart_from(
        &self,
        judged: &Judged,
        lines: &Table<'_>,
        as_records: bool,
        limit: usize,
    ) -> String {
        let differing = self.differing(judged);
        let cost = |at: usize| lines.lines.get(at).map_or(0, |line| line.len() + 1);
        let longest = differing.iter().map(|(row, _)| cost(*row)).max().unwrap_or_default();
        let all: usize = differing.iter().map(|(row, _)| cost(*row) + 14).sum();
        let whole = longest <= LONG_ROW && (!as_records || all + lines.ends() <= limit / 2);
        if self.names.is_empty() || self.record.is_some() && whole {
            return String::new();
        }
        self.set_apart(&self.naming(judged), &differing, limit / 2)
    }

    /// The room for the names and the first and last rows, in bytes.
    fn ends(&self) -> usize {
        let bytes: usize = self.lines.iter().map(|line| line.len().min(LONG_ROW) + 1).sum();
        let mean = bytes / self.lines.len().max(1);
        let header = self.header.as_ref().map_or(0, |header| header.len().min(LONG_ROW));
        mean * (FIRST + LAST) + header + AROUND
    }

    /// Whether `room` bytes are too few for names and a first and last row below them.
    pub(super) fn exceeds(&self, room: usize) -> bool {
        let header = self.header.as_ref().map_or(0, |header| header.len().min(LONG_ROW));
        let first = self.lines.first().map_or(0, |line| line.len().min(LONG_ROW));
        header + first * 2 + AROUND > room
    }
}

/// How well a key names a record, the best first.
fn rank(key: &str) -> Option<usize> {
    let last = key.rsplit('.').next().unwrap_or(key);
    let whole = NAMES.iter().position(|name| last.eq_ignore_ascii_case(name));
    let ending = || ENDINGS.iter().position(|ending| last.ends_with(ending)).map(|at| NAMES.len() + at);
    whole.or_else(ending)
}

#[cfg(test)]
mod tests {
    use super::rank;
    use crate::{FilterSet, shorten_within};

    #[test]
    fn a_name_is_distinguished_from_other_keys() {
        assert!(rank("metadata.name") < rank("metadata.id") && rank("id") < rank("functionName"));
        for key in ["Name", "user.id", "instance_id", "InstanceId", "order_name"] {
            assert!(rank(key).is_some(), "{key}");
        }
        for key in ["valid", "names", "status.podIP", "ready", "filename"] {
            assert_eq!(rank(key), None, "{key}");
        }
    }

    /// Records nested as a cluster's API prints them: a row that is set apart for a rare value is named at any
    /// budget.
    #[test]
    fn a_record_with_a_rare_value_keeps_its_name() {
        let set = FilterSet::builtin();
        let name = |n: usize| format!("part-{:05x}-{n:05}", n * 7919 % 99_991);
        for key in ["name", "id", "key", "instanceId"] {
            for rows in [20_usize, 60, 100, 400] {
                let (other_image, crashed) = (rows / 3, rows / 2);
                let record = |n: usize| {
                    let image = if n == other_image { "0.9.1" } else { "1.4.2" };
                    let (restarts, state) = if n == crashed {
                        (17, r#""waiting": {"reason": "CrashLoopBackOff"}"#.to_owned())
                    } else {
                        (0, format!(r#""running": {{"since": "2026-03-01T00:{:02}:09Z"}}"#, n % 60))
                    };
                    format!(
                        r#"{{"kind": "Part", "metadata": {{"{key}": "{}", "uid": "{:032x}"}}, "spec": {{"node": "node-{}", "containers": [{{"name": "api", "image": "example.org/api:{image}"}}]}}, "status": {{"address": "10.1.{}.{}", "containers": [{{"name": "api", "restarts": {restarts}, "state": {{{state}}}}}]}}}}"#,
                        name(n),
                        n * 2_654_435_761,
                        n % 5,
                        n / 200,
                        n % 200
                    )
                };
                let text = format!("[{}]", (0..rows).map(record).collect::<Vec<_>>().join(",\n"));
                for room in [2_050, 6_000, 24_000] {
                    let shown =
                        shorten_within(&set, "curl -s https://example.org/api/parts", Some(0), &text, room)
                            .unwrap()
                            .text;
                    assert!(shown.len() <= room + 64, "{key} {rows} {room}: {}", shown.len());
                    for (at, value) in [(other_image, "api:0.9.1"), (crashed, "CrashLoopBackOff")] {
                        let told = shown.lines().any(|line| line.contains(&name(at)) && line.contains(value));
                        assert!(told, "{key} {rows} {room} {value}: {shown}");
                    }
                }
            }
        }
    }
}
