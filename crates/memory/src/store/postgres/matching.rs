//! Finds and rates the memories for all terms in one query.

use std::collections::HashMap;

use super::PgStore;
use super::columns::column;
use super::condition::{Condition, scope_arguments};
use super::index_words;
use crate::query::Selection;
use crate::store::{Effort, Match, Matches, Result, Term};

/// The number of memories rated per term, the newest for a very common one.
const RATE_UP_TO: i64 = 400;
/// The same if a filter will leave some out.
const RATE_FILTERED_UP_TO: i64 = 20_000;
/// The factor from the server's rating to the local store's, where a rare word that matches well has about this
/// value.
const SCALE: f64 = 8.0;

pub(super) fn matches(store: &PgStore, selection: &Selection, terms: &[Term], _: Effort) -> Result<Matches> {
    let mut condition = Condition::clauses(&selection.filter);
    let asked: Vec<serde_json::Value> = terms.iter().map(index_words::asked).collect();
    let (everywhere, here) = scope_arguments(&selection.scope);
    let most = if selection.filter.clauses.is_empty() { RATE_UP_TO } else { RATE_FILTERED_UP_TO };
    let statuses = &selection.filter.statuses;
    let values = &mut condition.values;
    let arguments = [
        format!("{}::jsonb", values.text(&serde_json::Value::from(asked).to_string())),
        values.maybe_switch(Some(everywhere)),
        values.text(here),
        values.texts(statuses.any.iter().map(|status| status.as_str().to_owned()).collect()),
        values.maybe_switch(statuses.expired),
        values.number(selection.now_ms),
        values.number(most),
    ];
    let sql = format!(
        "SELECT r.term, r.beside, r.key, r.of_thread, r.fit::float8, (SELECT max(row) FROM plimsoll.memories)
         FROM plimsoll.rated({}) r JOIN plimsoll.memories m ON m.row = r.key WHERE {}",
        arguments.join(", "),
        condition.sql
    );
    let rows = store.rows(&sql, &condition.values)?;
    let mut found = Matches { all: Vec::new(), with: vec![0; terms.len()], of: 0 };
    let mut places: HashMap<i64, usize> = HashMap::new();
    let mut oldest = vec![i64::MAX; terms.len()];
    for row in &rows {
        let (term, key): (i32, i64) = (column(row, 0)?, column(row, 2)?);
        let beside: bool = column(row, 1)?;
        let fit: f64 = column(row, 4)?;
        let newest: i64 = column(row, 5)?;
        found.of = u64::try_from(newest).unwrap_or(0);
        let Some(term) = usize::try_from(term).ok().filter(|term| *term < terms.len()) else { continue };
        let thread = column(row, 3)?;
        let place = *places.entry(key).or_insert_with(|| {
            let none = vec![0.0; terms.len()];
            found.all.push(Match { key, thread, own: none.clone(), around: none });
            found.all.len() - 1
        });
        if beside {
            found.all[place].around[term] = fit;
        } else {
            if found.all[place].own[term] == 0.0 {
                found.with[term] += 1;
                oldest[term] = oldest[term].min(key);
            }
            found.all[place].own[term] = fit;
        }
    }
    // Only the newest memories with a very common term are counted; their density gives the estimate.
    for (with, oldest) in found.with.iter_mut().zip(oldest) {
        if *with >= RATE_UP_TO.unsigned_abs() {
            let span = found.of.saturating_sub(u64::try_from(oldest).unwrap_or(0)) + 1;
            *with = with.saturating_mul(found.of) / span.max(1);
        }
    }
    let rare: Vec<f64> = found
        .with
        .iter()
        .map(|with| {
            let (with, of) = ((*with).max(1) as f64, found.of as f64);
            ((of - with + 0.5).max(0.0) / (with + 0.5) + 1.0).ln().max(0.05)
        })
        .collect();
    for one in &mut found.all {
        for (term, rare) in rare.iter().enumerate() {
            one.own[term] *= SCALE * rare;
            one.around[term] *= SCALE * rare;
        }
    }
    Ok(found)
}
