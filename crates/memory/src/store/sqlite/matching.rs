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
/// So many memories are rated for all terms together, of a term that is everywhere the newest. What is in more of them
/// says little, and is then only asked of those that rarer terms have brought.
const RATE_UP_TO: u64 = 1_200;
/// Counting stops here.
const COUNT_UP_TO: u64 = 20_000;
/// The same two in a hook. A word of so many memories is no surer sign than one of twice as many.
const QUICKLY: (u64, u64) = (120, 500);

pub(super) fn matches(
    db: &Connection,
    selection: &Selection,
    terms: &[Term],
    effort: Effort,
) -> rusqlite::Result<Matches> {
    let (rate_up_to, count_up_to) = match effort {
        Effort::Usual => (RATE_UP_TO, COUNT_UP_TO),
        Effort::Quick => QUICKLY,
    };
    let condition = Condition::of(selection);
    let of: u64 =
        db.prepare_cached("SELECT coalesce(max(row), 0) FROM memories")?.query_row([], |r| r.get(0))?;
    let mut found = Matches { all: Vec::new(), with: vec![0; terms.len()], of };
    let expressions: Vec<String> = terms.iter().map(expression).collect();
    let mut order = Vec::with_capacity(terms.len());
    for (i, expression) in expressions.iter().enumerate() {
        found.with[i] = count(db, &within(OWN, expression), count_up_to)?;
        order.push((found.with[i], i));
    }
    order.sort_unstable();
    // What stands around a memory orders those that have a question in common; a hook wants only what has it itself.
    let looked: &[((&str, &str), Of)] = match effort {
        Effort::Usual => &[(OWN, Of::Own), (AROUND, Of::Around)],
        Effort::Quick => &[(OWN, Of::Own)],
    };
    let mut places: HashMap<i64, usize> = HashMap::new();
    let mut rated = 0;
    for (with, i) in order.into_iter().filter(|(with, _)| *with > 0) {
        let only = (rated + with > rate_up_to && !places.is_empty()).then(|| {
            let keys: Vec<String> = places.keys().map(i64::to_string).collect();
            keys.join(",")
        });
        rated += with;
        for (columns, of) in looked {
            for (key, thread, fit) in
                rate(db, &condition, (*columns, &expressions[i]), only.as_deref(), (effort, rate_up_to))?
            {
                let place = *places.entry(key).or_insert_with(|| {
                    let none = vec![0.0; terms.len()];
                    found.all.push(Match { key, thread, own: none.clone(), around: none });
                    found.all.len() - 1
                });
                match of {
                    Of::Own => found.all[place].own[i] = fit,
                    Of::Around => found.all[place].around[i] = fit,
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

/// An expression, looked for in these columns only.
fn within(columns: (&str, &str), expression: &str) -> String {
    format!("{} : ({expression})", columns.0)
}

type Rated = (i64, Option<i64>, f64);

fn rate(
    db: &Connection,
    condition: &Condition,
    (columns, expression): ((&str, &str), &str),
    only: Option<&str>,
    (effort, up_to): (Effort, u64),
) -> rusqlite::Result<Vec<Rated>> {
    let only = only.map_or_else(String::new, |keys| format!(" AND f.rowid IN ({keys})"));
    // How well a word fits is made of how often every memory has it: that alone is longer than a hook may take.
    let fit = match effort {
        Effort::Usual => format!("-bm25(memory_index, {})", columns.1),
        Effort::Quick => "1.0".to_owned(),
    };
    let sql = format!(
        "SELECT f.rowid, m.thread, {fit}
         FROM memory_index f CROSS JOIN memories m ON m.row = f.rowid
         WHERE f.memory_index MATCH ? AND {}{only} ORDER BY f.rowid DESC LIMIT {}",
        condition.sql,
        if only.is_empty() { up_to } else { COUNT_UP_TO },
    );
    let read = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, r.get(1)?, r.get(2)?));
    let values = params_from_iter(values(&within(columns, expression), condition));
    if only.is_empty() {
        db.prepare_cached(&sql)?.query_map(values, read)?.collect()
    } else {
        db.prepare(&sql)?.query_map(values, read)?.collect()
    }
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
