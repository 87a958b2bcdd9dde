//! Adds to totals and subtracts from them, in the row's transaction.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::sums::Sums;
use super::{DAYS_A_BLOCK, Dimension, QUARTERS_A_DAY, QUARTERS_AN_HOUR, Span, quarter, sum_id};
use crate::ledger_row::LedgerRow;

/// A key to look up; unused columns are empty.
#[derive(Clone, Copy, Debug, Default)]
struct Key<'a> {
    agent: &'a str,
    project: &'a str,
    tool: &'a str,
    filter: &'a str,
    class: i64,
    tokenizer: &'a str,
}

/// The ID of a key, which is inserted if it is new.
fn key(db: &Connection, part: Dimension, key: Key<'_>) -> rusqlite::Result<i64> {
    let Key { agent, project, tool, filter, class, tokenizer } = key;
    let which = params![part as i64, agent, project, tool, filter, class, tokenizer];
    let known = db
        .prepare_cached(
            "SELECT id FROM ledger_keys WHERE part = ?1 AND agent = ?2 AND project = ?3 AND tool = ?4
               AND filter = ?5 AND class = ?6 AND tokenizer = ?7",
        )?
        .query_row(which, |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    db.prepare_cached(
        "INSERT INTO ledger_keys (part, agent, project, tool, filter, class, tokenizer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(which)?;
    Ok(db.last_insert_rowid())
}

fn upsert(db: &Connection, id: i64, sums: &Sums) -> rusqlite::Result<()> {
    let [a, b, c, d, e, f, g, h, i, j] = sums.0;
    db.prepare_cached(
        "INSERT INTO ledger_sums (id, calls, failed, raw_bytes, returned_bytes, measured_bytes, estimated_bytes,
           overhead_bytes, elapsed_us, measured_tokens, estimated_tokens)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (id) DO UPDATE SET calls = calls + excluded.calls, failed = failed + excluded.failed,
           raw_bytes = raw_bytes + excluded.raw_bytes, returned_bytes = returned_bytes + excluded.returned_bytes,
           measured_bytes = measured_bytes + excluded.measured_bytes,
           estimated_bytes = estimated_bytes + excluded.estimated_bytes,
           overhead_bytes = overhead_bytes + excluded.overhead_bytes,
           elapsed_us = elapsed_us + excluded.elapsed_us,
           measured_tokens = measured_tokens + excluded.measured_tokens,
           estimated_tokens = estimated_tokens + excluded.estimated_tokens",
    )?
    .execute(params![id, a, b, c, d, e, f, g, h, i, j])?;
    Ok(())
}

/// The keys that a row counts for.
struct Keys {
    whole: i64,
    everything: i64,
    /// One per dimension.
    parts: Vec<i64>,
}

impl Keys {
    fn of(db: &Connection, row: &LedgerRow) -> rusqlite::Result<Self> {
        let LedgerRow { agent, project, tool, filter, tokenizer, .. } = row;
        let all = Key { agent, project, tool, filter, class: row.class.to_sql(), tokenizer };
        let none = Key::default();
        let mut parts = vec![
            key(db, Dimension::Agent, Key { agent, ..none })?,
            key(db, Dimension::Project, Key { project, ..none })?,
            key(db, Dimension::Tool, Key { tool, ..none })?,
            key(db, Dimension::Tokenizer, Key { tokenizer, ..none })?,
        ];
        if !filter.is_empty() {
            parts.push(key(db, Dimension::Filter, Key { filter, ..none })?);
        }
        let (whole, everything) = (key(db, Dimension::Whole, all)?, key(db, Dimension::Everything, none)?);
        Ok(Self { whole, everything, parts })
    }

    /// The IDs of the totals that a row at this time counts for.
    fn sum_ids(&self, at_ms: i64) -> impl Iterator<Item = i64> {
        let quarter = quarter(at_ms);
        let short = [
            sum_id(Span::Combination, quarter, self.whole),
            sum_id(Span::Quarter, quarter, self.everything),
            sum_id(Span::Hour, quarter / QUARTERS_AN_HOUR, self.everything),
        ];
        let long = std::iter::once(self.everything).chain(self.parts.iter().copied());
        short.into_iter().chain(long.flat_map(move |key| long_sum_ids(quarter, key)))
    }
}

fn long_sum_ids(quarter: i64, key: i64) -> [i64; 2] {
    let day = quarter / QUARTERS_A_DAY;
    [sum_id(Span::Day, day, key), sum_id(Span::Block, day / DAYS_A_BLOCK, key)]
}

/// Adds a row that is being written.
pub(crate) fn add(db: &Connection, row: &LedgerRow) -> rusqlite::Result<()> {
    let sums = Sums::of(row);
    Keys::of(db, row)?.sum_ids(row.at_ms).try_for_each(|id| upsert(db, id, &sums))
}

/// Adds rows that are being written in one transaction; each total is written once.
pub(crate) fn add_many(db: &Connection, rows: &[LedgerRow]) -> rusqlite::Result<()> {
    apply(db, rows, |sums| sums)
}

fn apply<'a>(
    db: &Connection,
    rows: impl IntoIterator<Item = &'a LedgerRow>,
    how: impl Fn(Sums) -> Sums,
) -> rusqlite::Result<()> {
    let mut known: HashMap<String, Keys> = HashMap::new();
    let mut changes: HashMap<i64, Sums> = HashMap::new();
    let mut name = String::new();
    for row in rows {
        name.clear();
        for part in [&row.agent, &row.project, &row.tool, &row.filter, &row.tokenizer] {
            // Prefixed with the length, so that no two combinations are written alike.
            name.push_str(&part.len().to_string());
            name.push(':');
            name.push_str(part);
        }
        name.push_str(&row.class.to_sql().to_string());
        if !known.contains_key(&name) {
            known.insert(name.clone(), Keys::of(db, row)?);
        }
        let Some(keys) = known.get(&name) else { continue };
        let sums = how(Sums::of(row));
        for id in keys.sum_ids(row.at_ms) {
            changes.entry(id).or_default().add(&sums);
        }
    }
    // In order, because neighbours share a page.
    let mut changes: Vec<(i64, Sums)> = changes.into_iter().collect();
    changes.sort_unstable_by_key(|(id, _)| *id);
    changes.iter().try_for_each(|(id, sums)| upsert(db, *id, sums))
}

/// Subtracts rows that the user wants deleted.
pub(crate) fn subtract<'a>(
    db: &Connection,
    rows: impl IntoIterator<Item = &'a LedgerRow>,
) -> rusqlite::Result<()> {
    apply(db, rows, Sums::negated)
}

/// Deletes all totals, because the user wants everything deleted.
pub(crate) fn clear(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("DELETE FROM ledger_sums; DELETE FROM ledger_keys;")
}

fn change_decision(db: &Connection, decision: &str, at_ms: i64, sums: &Sums) -> rusqlite::Result<()> {
    let key = key(db, Dimension::Decision, Key { tool: decision, ..Key::default() })?;
    let quarter = quarter(at_ms);
    upsert(db, sum_id(Span::Combination, quarter, key), sums)?;
    long_sum_ids(quarter, key).into_iter().try_for_each(|id| upsert(db, id, sums))
}

/// Adds a hook event that is being written.
pub(crate) fn add_decision(
    db: &Connection,
    decision: &str,
    at_ms: i64,
    elapsed_us: u64,
) -> rusqlite::Result<()> {
    change_decision(db, decision, at_ms, &Sums::of_events(1, elapsed_us))
}

/// Subtracts events of one verdict and quarter-hour that the user wants deleted.
pub(crate) fn subtract_decisions(
    db: &Connection,
    decision: &str,
    at_ms: i64,
    times: u64,
    elapsed_us: u64,
) -> rusqlite::Result<()> {
    change_decision(db, decision, at_ms, &Sums::of_events(times, elapsed_us).negated())
}

/// After a damaged file was salvaged: totals that lost their name must not be taken for those of a name that gets the
/// same ID later. The overall totals need no name and are kept.
pub(crate) fn repair(db: &Connection) -> rusqlite::Result<()> {
    db.execute(
        "INSERT OR IGNORE INTO ledger_keys (id, part, agent, project, tool, filter, class, tokenizer)
         SELECT id & 268435455, 1, '', '', '', '', 0, '' FROM ledger_sums
         WHERE id >= ?1 AND id < ?2 LIMIT 1",
        [sum_id(Span::Quarter, 0, 0), sum_id(Span::Day, 0, 0)],
    )?;
    db.execute("DELETE FROM ledger_sums WHERE (id & 268435455) NOT IN (SELECT id FROM ledger_keys)", [])
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::read::totals_since;
    use super::*;
    use crate::schema::MIGRATIONS;

    /// As after a damaged page: names are gone, their IDs are free again.
    #[test]
    fn sums_whose_names_were_lost_are_not_attributed_to_others() {
        let db = Connection::open_in_memory().unwrap();
        for step in MIGRATIONS {
            db.execute_batch(step.sql).unwrap();
        }
        let row = |agent: &str| LedgerRow {
            agent: agent.into(),
            ok: true,
            overhead_bytes: 7,
            at_ms: 1_700_000_000_000,
            ..LedgerRow::default()
        };
        add(&db, &row("codex")).unwrap();
        db.execute("DELETE FROM ledger_keys", []).unwrap();
        repair(&db).unwrap();
        add(&db, &row("kiro")).unwrap();
        let parts = totals_since(&db, 0).unwrap();
        let overhead = |part: Dimension, name: &str| {
            parts.get(&(part, name.to_owned())).map(|sums| sums.totals().overhead_bytes)
        };
        assert_eq!(overhead(Dimension::Everything, ""), Some(14));
        assert_eq!(
            (overhead(Dimension::Agent, "codex"), overhead(Dimension::Agent, "kiro")),
            (None, Some(7))
        );
        let orphans =
            "SELECT count(*) FROM ledger_sums WHERE (id & 268435455) NOT IN (SELECT id FROM ledger_keys)";
        assert_eq!(db.query_row(orphans, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    }
}
