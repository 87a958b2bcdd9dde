//! Reads totals: of a period by dimension, and as a time series.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _};

use super::sums::{COLUMNS, Sums};
use super::{
    DAYS_A_BLOCK, Dimension, KEY_BITS, LAST_QUARTER, QUARTER_MS, QUARTERS_A_DAY, QUARTERS_AN_HOUR, Span,
    quarter, sum_id,
};

/// The totals per dimension and name.
pub(crate) type DimensionTotals = HashMap<(Dimension, String), Sums>;

/// The totals per dimension since the quarter-hour that contains `since_ms`: quarter-hours up to the next UTC day,
/// days up to the next 32, and the rest by 32 days.
pub(crate) fn totals_since(db: &Connection, since_ms: i64) -> rusqlite::Result<DimensionTotals> {
    let first = quarter(since_ms);
    let day = div_up(first, QUARTERS_A_DAY);
    let block = div_up(day, DAYS_A_BLOCK);
    let mut by_key: HashMap<i64, Sums> = HashMap::new();
    for (span, from, to) in [
        (Span::Combination, first, day * QUARTERS_A_DAY),
        (Span::Day, day, block * DAYS_A_BLOCK),
        (Span::Block, block, LAST_QUARTER + 1),
    ] {
        let sql = format!("SELECT id, {COLUMNS} FROM ledger_sums WHERE id >= ?1 AND id < ?2");
        let mut statement = db.prepare_cached(&sql)?;
        // A bucket after the last one would belong to the next span.
        let to = to.min(LAST_QUARTER + 1);
        let mut rows = statement.query([sum_id(span, from, 0), sum_id(span, to, 0)])?;
        while let Some(row) = rows.next()? {
            let key = row.get::<_, i64>(0)? & ((1 << KEY_BITS) - 1);
            by_key.entry(key).or_default().add(&Sums::read(row, 1)?);
        }
    }
    let mut parts = DimensionTotals::new();
    let mut names = db.prepare_cached(
        "SELECT part, agent, project, tool, filter, tokenizer FROM ledger_keys WHERE id = ?1",
    )?;
    for (key, sums) in by_key.into_iter().filter(|(_, sums)| !sums.is_nothing()) {
        let mut add = |part: Dimension, name: String| parts.entry((part, name)).or_default().add(&sums);
        names
            .query_row([key], |row| {
                let [agent, project, tool, filter, tokenizer] =
                    [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get::<_, String>(5)?];
                match row.get(0)? {
                    0 => {
                        add(Dimension::Everything, String::new());
                        add(Dimension::Agent, agent);
                        add(Dimension::Project, project);
                        add(Dimension::Tool, tool);
                        add(Dimension::Tokenizer, tokenizer);
                        if !filter.is_empty() {
                            add(Dimension::Filter, filter);
                        }
                    }
                    1 => add(Dimension::Everything, String::new()),
                    2 => add(Dimension::Agent, agent),
                    3 => add(Dimension::Project, project),
                    4 => add(Dimension::Tool, tool),
                    5 => add(Dimension::Filter, filter),
                    6 => add(Dimension::Tokenizer, tokenizer),
                    7 => add(Dimension::Decision, tool),
                    other => log::warn!("sums of an unknown kind {other} are passed over"),
                }
                Ok(())
            })
            // A damaged file may have lost a name; `repair` has repaired what matters.
            .optional()?;
    }
    Ok(parts)
}

/// The overall totals since the quarter-hour that contains `since_ms`: one query over a row per quarter-hour.
pub(crate) fn total(db: &Connection, since_ms: i64) -> rusqlite::Result<Sums> {
    let sql = format!("SELECT {COLUMNS} FROM ledger_sums WHERE id >= ?1 AND id < ?2");
    let mut statement = db.prepare_cached(&sql)?;
    let ends = [sum_id(Span::Quarter, quarter(since_ms), 0), sum_id(Span::Quarter, LAST_QUARTER + 1, 0)];
    let mut rows = statement.query(ends)?;
    let mut all = Sums::default();
    while let Some(row) = rows.next()? {
        all.add(&Sums::read(row, 0)?);
    }
    Ok(all)
}

/// A time series since `since_ms` in steps of `step_ms`, a multiple of an hour, on a clock `offset_ms` ahead of UTC:
/// at most the `limit` latest steps, earliest first.
pub(crate) fn over_time(
    db: &Connection,
    since_ms: i64,
    offset_ms: i64,
    step_ms: i64,
    limit: usize,
) -> rusqlite::Result<Vec<(i64, Sums)>> {
    let first = quarter(since_ms);
    // Hours where the clock's hours match those of UTC; before the first of them, and elsewhere, quarter-hours.
    let hour = if offset_ms % (QUARTER_MS * QUARTERS_AN_HOUR) == 0 {
        div_up(first, QUARTERS_AN_HOUR)
    } else {
        i64::MAX
    };
    let quarters_to = hour.saturating_mul(QUARTERS_AN_HOUR).min(LAST_QUARTER + 1);
    let mut steps: Vec<(i64, Sums)> = Vec::new();
    for (span, from, to, quarters) in [
        (Span::Hour, hour.min(LAST_QUARTER + 1), LAST_QUARTER + 1, QUARTERS_AN_HOUR),
        (Span::Quarter, first, quarters_to, 1),
    ] {
        let sql =
            format!("SELECT id, {COLUMNS} FROM ledger_sums WHERE id >= ?1 AND id < ?2 ORDER BY id DESC");
        let mut statement = db.prepare_cached(&sql)?;
        let mut rows = statement.query([sum_id(span, from, 0), sum_id(span, to, 0)])?;
        while let Some(row) = rows.next()? {
            let sums = Sums::read(row, 1)?;
            if sums.is_nothing() {
                continue;
            }
            let bucket = row.get::<_, i64>(0)? >> KEY_BITS & LAST_QUARTER;
            let begin_ms = bucket * quarters * QUARTER_MS;
            let step = begin_ms.saturating_add(offset_ms).div_euclid(step_ms);
            let full = steps.len() == limit;
            match steps.last_mut() {
                Some((last, all)) if *last == step => all.add(&sums),
                _ if full => break,
                _ => steps.push((step, sums)),
            }
        }
    }
    steps.reverse();
    Ok(steps.into_iter().map(|(step, sums)| (step.saturating_mul(step_ms) - offset_ms, sums)).collect())
}

fn div_up(value: i64, by: i64) -> i64 {
    value / by + i64::from(value % by > 0)
}
