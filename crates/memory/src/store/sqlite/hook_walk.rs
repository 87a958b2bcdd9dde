//! A hook's walk along the memories with a word, the newest first. It passes over what other projects have, which costs a step
//! in the index each, and looks only at what its own project sees.

use std::cell::OnceCell;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::condition::Condition;
use super::lists::{PLACE, places};
use super::row_range::RowRange;
use crate::query::Selection;

/// The number of memories with a word that a hook looks at, the newest that its project sees.
const LOOKS_AT: u64 = 4_000;
/// The number of memories with a word that one walk comes by. A step takes a tenth of a look.
pub(super) const STEPS: u64 = 10_000;
/// The first so many are looked at, whosever they are: of most words there aren't more, and listing what a project sees takes
/// longer.
const LOOKED_AT_FIRST: u64 = 500;
/// After so many others in a row the index is asked again, from the next row that's wanted. That takes about as long as so many
/// steps.
const OTHERS_IN_A_ROW: u64 = 200;
/// The rows of a larger project aren't listed: most of what is found is its own.
const MOST_LISTED: usize = 20_000;

/// The rows that a selection's scope sees, listed when they are first wanted.
pub(super) struct SeenRows<'s> {
    selection: &'s Selection,
    /// In their order; `None` where they aren't listed, and each may be seen.
    listed: OnceCell<Option<Vec<i64>>>,
}

impl<'s> SeenRows<'s> {
    pub(super) fn of(selection: &'s Selection) -> Self {
        Self { selection, listed: OnceCell::new() }
    }

    fn list(&self, db: &Connection) -> rusqlite::Result<Option<&[i64]>> {
        if self.listed.get().is_none() {
            let _ = self.listed.set(rows_in(db, &places(db, self.selection)?)?);
        }
        Ok(self.listed.get().and_then(Option::as_deref))
    }
}

fn rows_in(db: &Connection, places: &[Option<&str>]) -> rusqlite::Result<Option<Vec<i64>>> {
    let sql = format!("SELECT m.row FROM memories m WHERE {PLACE} = ?1 LIMIT ?2");
    let mut rows: Vec<i64> = Vec::new();
    for place in places {
        let Some(place) = place else { return Ok(None) };
        let mut found = db.prepare_cached(&sql)?;
        for row in found.query_map((*place, MOST_LISTED + 1 - rows.len()), |r| r.get(0))? {
            rows.push(row?);
        }
        if rows.len() > MOST_LISTED {
            return Ok(None);
        }
    }
    rows.sort_unstable();
    Ok(Some(rows))
}

/// The newest memories that match and fulfil the condition, at most `most`, each with its thread.
pub(super) fn newest(
    db: &Connection,
    expression: &str,
    (condition, rows, seen): (&Condition, RowRange, &SeenRows<'_>),
    most: usize,
) -> rusqlite::Result<Vec<(i64, Option<i64>)>> {
    let mut read =
        db.prepare_cached(&format!("SELECT m.thread FROM memories m WHERE m.row = ? AND {}", condition.sql))?;
    let mut values = vec![Value::Null];
    values.extend(condition.values.iter().cloned());
    let (mut found, mut looked) = (Vec::new(), 0);
    let mut look = |row: i64| -> rusqlite::Result<bool> {
        values[0] = Value::Integer(row);
        let thread: Option<Option<i64>> =
            read.query_row(params_from_iter(&values), |r| r.get(0)).optional()?;
        found.extend(thread.map(|thread| (row, thread)));
        looked += 1;
        Ok(found.len() < most && looked < LOOKS_AT)
    };
    let next = walk(db, expression, (rows.first, rows.last), None, LOOKED_AT_FIRST, &mut look)?;
    if let Some(next) = next {
        walk(db, expression, (rows.first, next), seen.list(db)?, STEPS, &mut look)?;
    }
    Ok(found)
}

/// Calls `take` with each row that matches, the newest first, until it returns `false`; with `wanted`, which is in order, only
/// with these. Comes by at most `steps` rows and returns the next one then, `None` if that was all.
pub(super) fn walk(
    db: &Connection,
    expression: &str,
    (first, last): (i64, i64),
    wanted: Option<&[i64]>,
    steps: u64,
    mut take: impl FnMut(i64) -> rusqlite::Result<bool>,
) -> rusqlite::Result<Option<i64>> {
    let mut matching = db.prepare_cached(
        "SELECT rowid FROM memory_index WHERE memory_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC",
    )?;
    let mut left = steps;
    let mut next = newest_until(wanted, last);
    while let Some(from) = next {
        let mut rows = matching.query((expression, first, from))?;
        let mut others = 0;
        next = loop {
            let Some(row) = rows.next()? else { return Ok(None) };
            let row: i64 = row.get(0)?;
            if left == 0 {
                return Ok(Some(row));
            }
            left -= 1;
            if wanted.is_none_or(|wanted| wanted.binary_search(&row).is_ok()) {
                others = 0;
                if !take(row)? {
                    return Ok(None);
                }
            } else {
                others += 1;
                if others == OTHERS_IN_A_ROW {
                    left = left.saturating_sub(OTHERS_IN_A_ROW);
                    break newest_until(wanted, row);
                }
            }
        };
    }
    Ok(None)
}

/// The newest wanted row up to this one.
fn newest_until(wanted: Option<&[i64]>, last: i64) -> Option<i64> {
    match wanted {
        None => Some(last),
        Some(wanted) => wanted[..wanted.partition_point(|row| *row <= last)].last().copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::SqliteStore;
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::store::{Actor, Draft, Secrets};

    #[test]
    fn a_walk_takes_wanted_rows_and_skips_the_rest_in_few_steps() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        let of = |n: u64| {
            let draft = Draft::new(format!("walrus {n}"), Namespace::Decisions, Domain::User);
            (draft.check(Secrets::Redact).unwrap(), Actor::local_user(1))
        };
        let rows = i64::try_from(4 * OTHERS_IN_A_ROW).unwrap();
        store.capture_all(&(0..4 * OTHERS_IN_A_ROW).map(of).collect::<Vec<_>>()).unwrap();
        let walked = |last: i64, wanted: Option<&[i64]>, steps: u64| -> (Vec<i64>, Option<i64>) {
            let mut taken = Vec::new();
            let take = |row| {
                taken.push(row);
                Ok(true)
            };
            let next = store.look(|db| walk(db, "walrus", (1, last), wanted, steps, take)).unwrap();
            (taken, next)
        };
        assert_eq!(walked(9, None, 3), (vec![9, 8, 7], Some(6)));
        assert_eq!(walked(3, None, 3), (vec![3, 2, 1], None));
        // Goes from one wanted row to the next, however many are between.
        let wanted = [1, 2, rows - 9];
        assert_eq!(walked(rows, Some(&wanted), 3 * OTHERS_IN_A_ROW), (vec![rows - 9, 2, 1], None));
        assert_eq!(walked(rows, Some(&wanted), 3), (vec![rows - 9], Some(rows - 12)));
        assert_eq!(walked(rows, Some(&wanted), OTHERS_IN_A_ROW + 1), (vec![rows - 9], Some(2)));
        assert_eq!(walked(rows, Some(&[]), 3), (Vec::new(), None));
        assert_eq!(walked(rows, Some(&[rows + 1]), 3), (Vec::new(), None));
    }
}
