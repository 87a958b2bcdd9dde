//! Finds and rates the memories for each term: one index query per term, the rarest first.

use std::collections::HashMap;

use ranking::quote;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::condition::Condition;
use crate::query::Selection;
use crate::store::{Effort, Match, Matches, Term};

/// A memory's own columns with their weights. A word's rarity is computed over these columns only.
const OWN: (&str, &str) = ("{content tags place parts}", "1.0, 1.2, 0.6, 0.6");
/// The columns of its context. An answer comes right after its question.
const AROUND: (&str, &str) = ("{asked before after around}", "0.0, 0.0, 0.0, 0.0, 1.25, 0.8, 0.6, 0.45");
/// The number of memories rated for all terms together. A term with more matches says little, and is only searched in
/// those that rarer terms found.
const RATE_UP_TO: u64 = 300;
/// The number of memories rated for a single term, the newest.
const RATE_OF_ONE: u64 = 1_200;
/// Where counting stops.
const COUNT_UP_TO: u64 = 20_000;

/// The limits of a search.
struct Bounds {
    rate: u64,
    rate_of_one: u64,
    count: u64,
    /// How many memories with a common word are walked.
    walk: u64,
    /// Whether the index rates the matches and the context is searched.
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
            // A word in this many memories is as weak a sign as one in twice as many. Rating requires each word's
            // count over all memories, which alone takes longer than a hook may.
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
        found.with[i] = count(db, &in_columns(OWN, expression), bounds.count)?;
        order.push((found.with[i], i));
    }
    order.sort_unstable();
    // The context orders memories that share a question; a hook wants only those that match themselves.
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
                for place in positions_with(db, &in_columns(*columns, &expressions[i]), &places, bounds.walk)?
                {
                    of.column(&mut found.all[place])[i] = fit * of.share();
                }
            }
        }
    }
    Ok(found)
}

/// The number of memories in any scope with a term: a word's rarity doesn't depend on the caller, and checking each
/// row's scope would cost more than the search.
fn count(db: &Connection, expression: &str, up_to: u64) -> rusqlite::Result<u64> {
    db.prepare_cached(&format!(
        "SELECT count(*) FROM (SELECT 1 FROM memory_index WHERE memory_index MATCH ?1 LIMIT {up_to})"
    ))?
    .query_row([expression], |r| r.get(0))
}

/// Which columns match.
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

    /// The weight of a word there relative to the text itself.
    fn share(self) -> f64 {
        match self {
            Self::Own => 1.0,
            Self::Around => 0.8,
        }
    }
}

/// The typical rating of a word that occurs once in a memory of average length.
fn usual_fit(with: u64, of: u64) -> f64 {
    let (with, of) = (with as f64, of as f64);
    // For more common words the index returns the same value.
    ((of - with + 0.5).max(0.0) / (with + 0.5)).ln().max(1e-6)
}

/// An expression limited to these columns.
fn in_columns(columns: (&str, &str), expression: &str) -> String {
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
        .query_map(params_from_iter(values(&in_columns(columns, expression), condition)), |r| {
            Ok((r.get(0)?, r.get(1)?, r.get(2)?))
        })?
        .collect()
}

/// The positions of the memories with a word. One walk along all of them: testing each one separately is many times
/// slower, and the selection has been applied already.
fn positions_with(
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

/// The search expression for a term and its forms; nothing in it is parsed as syntax.
fn expression(term: &Term) -> String {
    let mut any = vec![term.part.expression()];
    any.extend(term.forms.iter().map(|form| quote(form)));
    any.join(" OR ")
}
