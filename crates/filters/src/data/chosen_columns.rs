//! All rows of a short table with the columns that fit. Owns which columns these are: first one that identifies the
//! rows, preferably a name, then the text that describes each row, then those with few values.

use std::fmt::Write as _;

use super::columns::{Column, Judged, bare};
use super::rows::{KEY, LEAST, Table, push};
use crate::clip::clipped;
use crate::counted::counted;

/// The maximum average length of a name, in bytes.
const SHORT_CELL: usize = 60;
/// The maximum average length of a title, in bytes, and the length that it is never cut below.
const LONG_TITLE: usize = 120;
const SHORT_TITLE: usize = 24;
/// The room for the columns beside a title, in bytes.
const BESIDE_TITLE: usize = 3_000;

impl Table<'_> {
    /// All of a few rows with as many columns as fit in `limit` bytes, and in up to `room` where each row has a title.
    pub(super) fn some_columns(
        &self,
        judged: &Judged,
        varying: &[usize],
        (limit, room): (usize, usize),
    ) -> Option<String> {
        let count = self.rows.len();
        let sizes: Vec<usize> = (0..self.width()).map(|at| self.size(at)).collect();
        let column = |at: usize| judged.columns.get(at);
        // The name of a row is what a reader asks for next.
        let keys = |at: usize| at == 0 && self.name(at) == KEY;
        let tells = |at: usize| {
            column(at).is_some_and(Column::all_differ) && (keys(at) || sizes[at] <= count * SHORT_CELL)
        };
        let title = self.title(judged, varying, &sizes);
        let naming = self.naming(judged);
        let mut order = varying.to_vec();
        order.sort_by_key(|at| {
            let first = (!tells(*at), !keys(*at), !naming.contains(at));
            (first, column(*at).map_or(0, Column::weight), sizes[*at])
        });
        if let Some(title) = title {
            // After the first column that identifies the rows.
            order.retain(|at| *at != title);
            let place = usize::from(order.first().is_some_and(|at| tells(*at)));
            // A second identifying column adds no more than any other column.
            order[place..].sort_by_key(|at| (column(*at).map_or(0, Column::weight), sizes[*at]));
            order.insert(place, title);
        }
        let title_size = title.map_or(0, |title| sizes[title]);
        let limit = limit.max(room.min(LEAST)).max(room.min(title_size + BESIDE_TITLE.min(title_size)));
        let rows_room = (limit * 3 / 4).checked_sub(count)?;
        let choose = |room: usize| -> (Vec<usize>, usize) {
            let mut left = room;
            let mut chosen: Vec<usize> = Vec::new();
            let mut cut = usize::MAX;
            for at in order.iter().copied() {
                let cost = sizes[at] + self.name(at).len() + 1;
                let is_title = title == Some(at);
                if is_title && cost > left && left / count >= SHORT_TITLE {
                    cut = left / count - 1;
                    left = 0;
                    chosen.push(at);
                }
                // One name is enough to identify rows.
                let named =
                    title.is_none() && tells(at) && chosen.iter().filter(|at| tells(**at)).count() > 1;
                if cost <= left && !named {
                    left -= cost;
                    chosen.push(at);
                }
            }
            (chosen, cut)
        };
        let (mut chosen, mut cut) = choose(rows_room);
        // A row's rare values are shown with its name, whatever columns fit.
        let differing = self.differing(judged);
        let is_named = naming.is_empty() || naming.iter().chain(&title).any(|at| chosen.contains(at));
        let mut apart = String::new();
        if differing.iter().any(|(_, rare)| !is_named || !rare.iter().all(|at| chosen.contains(at))) {
            apart = self.set_apart(&naming, &differing, limit / 2);
            (chosen, cut) = choose(rows_room.saturating_sub(apart.len()));
        }
        if !chosen.iter().any(|at| tells(*at) || title == Some(*at)) {
            return None;
        }
        chosen.sort_unstable();
        let mut out = format!("{}, {}\n", counted(count, "rows"), counted(self.width(), "columns"));
        out.push_str(&apart);
        let names = |all: &[usize]| all.iter().map(|at| self.name(*at)).collect::<Vec<_>>().join(",");
        push(&mut out, &names(&chosen));
        for row in &self.rows {
            let cells = chosen.iter().map(|at| {
                let cell = row.get(*at).map_or("", AsRef::as_ref);
                if title == Some(*at) { shortened(cell, cut) } else { cell.into() }
            });
            push(&mut out, &cells.collect::<Vec<_>>().join(","));
        }
        let missing: Vec<usize> = varying.iter().copied().filter(|at| !chosen.contains(at)).collect();
        let left = limit.saturating_sub(out.len() + 48);
        if !missing.is_empty() {
            let _ = writeln!(
                out,
                "  {} left out: {}",
                counted(missing.len(), "columns"),
                clipped(&names(&missing), left)
            );
        }
        let left = limit.saturating_sub(out.len() + 48);
        if left > 80 {
            self.constants(judged, left, &mut out);
        }
        Some(out)
    }

    /// The column that describes each row: a longer text that differs from row to row. If there are several, the
    /// first, because a title usually comes before its details.
    fn title(&self, judged: &Judged, varying: &[usize], sizes: &[usize]) -> Option<usize> {
        let count = self.rows.len();
        varying.iter().copied().find(|at| {
            let cells = || self.rows.iter().filter_map(|row| row.get(*at)).map(|cell| bare(cell));
            let wordy = cells().filter(|cell| cell.contains(' ') && !cell.starts_with(['[', '{'])).count();
            judged.columns.get(*at).is_some_and(|column| column.is_text() && column.differs_mostly())
                && wordy * 3 >= count * 2
                && sizes[*at] <= count * LONG_TITLE
        })
    }
}

/// A cell in at most so many bytes.
fn shortened(cell: &str, most: usize) -> std::borrow::Cow<'_, str> {
    if cell.len() <= most {
        return cell.into();
    }
    format!("{}…", &cell[..cell.floor_char_boundary(most.saturating_sub(3))]).into()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::Table;

    #[test]
    fn values_of_an_object_keep_their_keys() {
        let names = ["key", "get.id", "get.summary", "put.id", "put.summary", "delete.id"];
        let row = |n: usize| -> Vec<Cow<'static, str>> {
            let cells = [
                format!("/v1/shop/thing{n:02}/{{id}}"),
                format!("getThing{n:02}"),
                format!("get one thing{n:02}"),
                format!("putThing{n:02}"),
                format!("put one thing{n:02}"),
                format!("deleteThing{n:02}"),
            ];
            cells.into_iter().map(Cow::Owned).collect()
        };
        let table = Table {
            names: names.into_iter().map(Cow::Borrowed).collect(),
            rows: (0..13).map(row).collect(),
            ..Table::default()
        };
        let shown = table.render(700);
        assert!(shown.contains(" left out: "), "{shown}");
        for n in 0..13 {
            assert!(shown.contains(&format!("/v1/shop/thing{n:02}/{{id}}")), "{n}: {shown}");
        }
    }
}
