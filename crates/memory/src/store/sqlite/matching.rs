//! Which memories have which terms, and how well: one look into the index for each term, the rarest first.

use std::collections::HashMap;

use ranking::quote;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::condition::Condition;
use crate::query::Selection;
use crate::store::{Effort, Match, Matches, Term};

/// A memory's own columns, and what each counts. How rare a word is, is counted in these columns alone.
const OWN: (&str, &str) = ("{content tags place parts}", "1.0, 1.2, 0.6, 0.6");
/// Its neighbours' columns. An answer comes right after its question.
const AROUND: (&str, &str) = ("{asked before after around}", "0.0, 0.0, 0.0, 0.0, 1.25, 0.8, 0.6, 0.45");
/// So many memories are rated for all terms together. What is in more of them says little, and is then only looked for in
/// those that rarer terms have brought.
const RATE_UP_TO: u64 = 300;
/// So many are rated for a single term, the newest.
const RATE_OF_ONE: u64 = 1_200;
/// Counting stops here.
const COUNT_UP_TO: u64 = 20_000;

/// How far a look goes.
struct Bounds {
    rate: u64,
    rate_of_one: u64,
    count: u64,
    /// So far is walked along those that have a common word.
    walk: u64,
    /// How well a word fits is asked of the index, and so is what is around a memory.
    fits: bool,
}

impl Bounds {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Usual => Self {
                rate: RATE_UP_TO,
                rate_of_one: RATE_OF_ONE,
                count: COUNT_UP_TO,
                walk: COUNT_UP_TO,
                fits: true,
            },
            // A word of so many memories is no surer sign than one of twice as many. How well it fits is made of how often
            // every memory has it, which alone is longer than a hook may take.
            Effort::Quick => Self { rate: 120, rate_of_one: 120, count: 500, walk: 5_000, fits: false },
        }
    }
}

pub(super) fn matches(
    db: &Connection,
    selection: &Selection,
    terms: &[Term],
    effort: Effort,
) -> rusqlite::Result<Matches> {
    let bounds = Bounds::of(effort);
    let condition = Condition::of(selection);
    let of: u64 =
        db.prepare_cached("SELECT coalesce(max(row), 0) FROM memories")?.query_row([], |r| r.get(0))?;
    let mut found = Matches { all: Vec::new(), with: vec![0; terms.len()], of };
    let expressions: Vec<String> = terms.iter().map(expression).collect();
    let mut order = Vec::with_capacity(terms.len());
    for (i, expression) in expressions.iter().enumerate() {
        found.with[i] = count(db, &within(OWN, expression), bounds.count)?;
        order.push((found.with[i], i));
    }
    order.sort_unstable();
    // What stands around a memory orders those that have a question in common; a hook wants only what has it itself.
    let looked: &[((&str, &str), Of)] =
        if bounds.fits { &[(OWN, Of::Own), (AROUND, Of::Around)] } else { &[(OWN, Of::Own)] };
    let mut places: HashMap<i64, usize> = HashMap::new();
    let mut rated = 0;
    for (with, i) in order.into_iter().filter(|(with, _)| *with > 0) {
        let brings = rated + with <= bounds.rate || places.is_empty();
        rated += with;
        for (columns, of) in looked {
            if brings {
                for (key, thread, fit) in rate(db, &condition, (*columns, &expressions[i]), &bounds)? {
                    let place = *places.entry(key).or_insert_with(|| {
                        let none = vec![0.0; terms.len()];
                        found.all.push(Match { key, thread, own: none.clone(), around: none });
                        found.all.len() - 1
                    });
                    of.column(&mut found.all[place])[i] = fit;
                }
            } else {
                let fit = if bounds.fits { usual_fit(with, found.of) } else { 1.0 };
                for place in having(db, &within(*columns, &expressions[i]), &places, bounds.walk)? {
                    of.column(&mut found.all[place])[i] = fit * of.share();
                }
            }
        }
    }
    Ok(found)
}

/// In how many memories of any scope a term is: how rare a word is does not depend on who asks, and a look at each row
/// to know whose it is would cost more than the whole search.
fn count(db: &Connection, expression: &str, up_to: u64) -> rusqlite::Result<u64> {
    db.prepare_cached(&format!(
        "SELECT count(*) FROM (SELECT 1 FROM memory_index WHERE memory_index MATCH ?1 LIMIT {up_to})"
    ))?
    .query_row([expression], |r| r.get(0))
}

/// Whose words fit.
#[derive(Clone, Copy)]
enum Of {
    Own,
    Around,
}

impl Of {
    fn column(self, found: &mut Match) -> &mut [f64] {
        match self {
            Self::Own => &mut found.own,
            Self::Around => &mut found.around,
        }
    }

    /// What a word counts there, about, beside one in the text itself.
    fn share(self) -> f64 {
        match self {
            Self::Own => 1.0,
            Self::Around => 0.8,
        }
    }
}

/// How well a word fits that a memory of usual length has once.
fn usual_fit(with: u64, of: u64) -> f64 {
    let (with, of) = (with as f64, of as f64);
    // Where the index has less, it says the same of every word.
    ((of - with + 0.5).max(0.0) / (with + 0.5)).ln().max(1e-6)
}

/// An expression, looked for in these columns only.
fn within(columns: (&str, &str), expression: &str) -> String {
    format!("{} : ({expression})", columns.0)
}

type Rated = (i64, Option<i64>, f64);

fn rate(
    db: &Connection,
    condition: &Condition,
    (columns, expression): ((&str, &str), &str),
    bounds: &Bounds,
) -> rusqlite::Result<Vec<Rated>> {
    let fit = if bounds.fits { format!("-bm25(memory_index, {})", columns.1) } else { "1.0".to_owned() };
    let sql = format!(
        "SELECT f.rowid, m.thread, {fit}
         FROM memory_index f CROSS JOIN memories m ON m.row = f.rowid
         WHERE f.memory_index MATCH ? AND {} ORDER BY f.rowid DESC LIMIT {}",
        condition.sql, bounds.rate_of_one,
    );
    db.prepare_cached(&sql)?
        .query_map(params_from_iter(values(&within(columns, expression), condition)), |r| {
            Ok((r.get(0)?, r.get(1)?, r.get(2)?))
        })?
        .collect()
}

/// The places of those that have a word. One walk along all that have it: to ask of each by itself is many times slower, and
/// what the selection says of them is known.
fn having(
    db: &Connection,
    expression: &str,
    places: &HashMap<i64, usize>,
    up_to: u64,
) -> rusqlite::Result<Vec<usize>> {
    let (Some(first), Some(last)) = (places.keys().min(), places.keys().max()) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let mut look = db.prepare_cached(
        "SELECT rowid FROM memory_index WHERE memory_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3
         ORDER BY rowid DESC LIMIT ?4",
    )?;
    let mut rows = look.query((expression, first, last, up_to))?;
    while let Some(row) = rows.next()? {
        found.extend(places.get(&row.get(0)?).copied());
    }
    Ok(found)
}

fn values(expression: &str, condition: &Condition) -> Vec<Value> {
    let mut all = vec![Value::Text(expression.to_owned())];
    all.extend(condition.values.iter().cloned());
    all
}

/// A term with its other forms; nothing in it is ever read as syntax.
fn expression(term: &Term) -> String {
    let mut any = vec![term.part.expression()];
    any.extend(term.forms.iter().map(|form| quote(form)));
    any.join(" OR ")
}
