//! Finds and rates the memories for each term: one index query per term, the rarest first.

use std::collections::HashMap;

use ranking::quote;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::condition::Condition;
use super::hook_walk::{self, SeenRows};
use super::row_range::RowRange;
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
/// The number of memories that are found by several common terms together.
const FOUND_TOGETHER: u64 = 100;
/// Up to here the memories with a term are counted; of more the density at one end gives an estimate.
const COUNT_UP_TO: u64 = 1_000;

/// An end of the index.
#[derive(Clone, Copy)]
enum End {
    /// What it is about now says most of how rare a word is.
    Newest,
    /// Each step from there is to the next entry, while the other way begins by reading a whole page of entries.
    Oldest,
}

/// The limits of a search.
struct Bounds {
    rate: u64,
    rate_of_one: u64,
    count: u64,
    /// Where memories are counted from.
    counts_from: End,
    /// Whether the index rates the matches and the context is searched.
    fits: bool,
}

impl Bounds {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Usual => {
                let [rate, rate_of_one, count] = [RATE_UP_TO, RATE_OF_ONE, COUNT_UP_TO];
                Self { rate, rate_of_one, count, counts_from: End::Newest, fits: true }
            }
            // Rating requires each word's count over all memories, which alone takes longer than a hook may. So does looking
            // through what other projects have of a word that is rare in this one: see `hook_walk`.
            Effort::Quick => {
                Self { rate: 120, rate_of_one: 120, count: 200, counts_from: End::Oldest, fits: false }
            }
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
    let rows = RowRange::of(db, selection)?;
    let seen = (!bounds.fits).then(|| SeenRows::of(selection));
    let eligible = Eligible { condition: Condition::of(selection), rows, seen };
    let of: u64 =
        db.prepare_cached("SELECT coalesce(max(row), 0) FROM memories")?.query_row([], |r| r.get(0))?;
    let expressions: Vec<String> =
        terms.iter().map(|term| expression(db, term, bounds.fits)).collect::<Result<_, _>>()?;
    let mut with = vec![0; terms.len()];
    for (with, expression) in with.iter_mut().zip(&expressions) {
        *with = count(db, &in_columns(OWN, expression), &bounds, of)?;
    }
    let mut order: Vec<usize> = (0..terms.len()).filter(|i| with[*i] > 0).collect();
    order.sort_by_key(|i| with[*i]);
    // The context orders memories that share a question; a hook wants only those that match themselves.
    let looked: &[((&str, &str), Side)] =
        if bounds.fits { &[(OWN, Side::Own), (AROUND, Side::Around)] } else { &[(OWN, Side::Own)] };
    let fit_of = |i: usize| if bounds.fits { usual_fit(with[i], of) } else { 1.0 };
    let mut candidates = Candidates { terms: terms.len(), ..Candidates::default() };
    if order.len() > 1 && with[order[0]] > bounds.rate_of_one {
        candidates.add_by_several(db, &eligible, &bounds, (&order, &expressions), &fit_of)?;
    }
    let mut rated = 0;
    for i in order {
        let rates = rated + with[i] <= bounds.rate || candidates.all.is_empty();
        rated += with[i];
        for (columns, side) in looked {
            let expression = in_columns(*columns, &expressions[i]);
            if rates {
                let fit = bounds.fits.then_some(columns.1);
                let rated = rate(db, &eligible, &expression, fit, bounds.rate_of_one)?;
                for (key, thread, fit) in &rated {
                    side.fits_of(candidates.get_or_add(*key, *thread))[i] = *fit;
                }
                candidates.found_by(0, expression, &rated);
            } else if !bounds.fits && with[i] * 5 > of * 4 {
                // Nearly every memory has it, which tells none from another.
                candidates.all.iter_mut().for_each(|found| side.fits_of(found)[i] = fit_of(i));
            } else {
                for place in candidates.positions_with(db, &expression, bounds.fits)? {
                    side.fits_of(&mut candidates.all[place])[i] = fit_of(i) * side.share();
                }
            }
        }
    }
    Ok(Matches { all: candidates.all, with, of })
}

/// Which memories may be found.
struct Eligible<'s> {
    condition: Condition,
    rows: RowRange,
    /// The rows that a hook looks at; `None` for callers that look at every match.
    seen: Option<SeenRows<'s>>,
}

impl Eligible<'_> {
    /// The values of a statement that asks for at most `most`.
    fn values(&self, expression: &str, most: u64) -> Vec<Value> {
        let mut all = vec![Value::Text(expression.to_owned())];
        all.extend([self.rows.first, self.rows.last].map(Value::Integer));
        all.extend(self.condition.values.iter().cloned());
        all.push(Value::Integer(i64::try_from(most).unwrap_or(i64::MAX)));
        all
    }
}

/// The memories that are ranked, and by what they were found.
#[derive(Default)]
struct Candidates {
    all: Vec<Match>,
    places: HashMap<i64, usize>,
    /// By what they were found.
    groups: Vec<Group>,
    /// The number of terms.
    terms: usize,
}

/// Expressions that candidates were found by, each of which matches one of them at least, and the first and the last row
/// of these candidates.
struct Group {
    expressions: Vec<String>,
    rows: Option<(i64, i64)>,
}

impl Candidates {
    fn get_or_add(&mut self, key: i64, thread: Option<i64>) -> &mut Match {
        let place = *self.places.entry(key).or_insert_with(|| {
            let none = vec![0.0; self.terms];
            self.all.push(Match { key, thread, own: none.clone(), around: none });
            self.all.len() - 1
        });
        &mut self.all[place]
    }

    /// Adds the newest memories with all of the terms, then those with some of the rarest, at last with the rarest
    /// alone. Where every term is common, the newest with one of them are hardly those that have most of them.
    fn add_by_several(
        &mut self,
        db: &Connection,
        eligible: &Eligible<'_>,
        bounds: &Bounds,
        (order, expressions): (&[usize], &[String]),
        fit_of: &dyn Fn(usize) -> f64,
    ) -> rusqlite::Result<()> {
        let together = |terms: &[usize]| {
            let each: Vec<String> = terms.iter().map(|i| format!("({})", expressions[*i])).collect();
            each.join(" AND ")
        };
        // A memory that has all terms itself needs no second look.
        let all = in_columns(OWN, &together(order));
        for (key, thread, _) in rate(db, eligible, &all, None, FOUND_TOGETHER)? {
            let found = self.get_or_add(key, thread);
            order.iter().for_each(|i| found.own[*i] = fit_of(*i));
        }
        let pairs = [(0, [0, 1]), (0, [0, 2]), (0, [1, 2]), (1, [0, 0])];
        for (group, [a, b]) in pairs.into_iter().filter(|(_, [_, b])| *b < order.len()) {
            let missing = FOUND_TOGETHER.saturating_sub(self.all.len() as u64);
            if missing == 0 {
                break;
            }
            let both = if a == b { expressions[order[a]].clone() } else { together(&[order[a], order[b]]) };
            let expression = if bounds.fits { both } else { in_columns(OWN, &both) };
            let found = rate(db, eligible, &expression, None, missing)?;
            for (key, thread, _) in &found {
                self.get_or_add(*key, *thread);
            }
            self.found_by(group, expression, &found);
        }
        Ok(())
    }

    /// Notes that these candidates match an expression.
    fn found_by(&mut self, group: usize, expression: String, found: &[Rated]) {
        while self.groups.len() <= group {
            self.groups.push(Group { expressions: Vec::new(), rows: None });
        }
        let group = &mut self.groups[group];
        group.expressions.push(expression);
        for (key, ..) in found {
            let (first, last) = group.rows.unwrap_or((*key, *key));
            group.rows = Some((first.min(*key), last.max(*key)));
        }
    }

    /// The positions of the candidates with a word that most memories may have. The index is asked for what also
    /// matches one of the expressions that brought them: it then passes over the others, where one walk along all of
    /// them, or a question for each one, takes many times longer. A hook doesn't look through `all` that match.
    fn positions_with(&self, db: &Connection, expression: &str, all: bool) -> rusqlite::Result<Vec<usize>> {
        let mut found = Vec::new();
        let mut keys: Vec<i64> = if all { Vec::new() } else { self.places.keys().copied().collect() };
        keys.sort_unstable();
        let mut look = db.prepare_cached(
            "SELECT rowid FROM memory_index WHERE memory_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3",
        )?;
        for group in &self.groups {
            let Some((first, last)) = group.rows else { continue };
            let both = format!("({}) AND ({expression})", group.expressions.join(" OR "));
            if !all {
                hook_walk::walk(db, &both, (first, last), Some(&keys), hook_walk::STEPS, |row| {
                    found.extend(self.places.get(&row).copied());
                    Ok(true)
                })?;
                continue;
            }
            let mut rows = look.query((both, first, last))?;
            while let Some(row) = rows.next()? {
                found.extend(self.places.get(&row.get(0)?).copied());
            }
        }
        Ok(found)
    }
}

/// The number of memories in any scope with a term: a word's rarity doesn't depend on the caller, and checking each
/// row's scope would cost more than the search. `of` is the number of all.
fn count(db: &Connection, expression: &str, bounds: &Bounds, of: u64) -> rusqlite::Result<u64> {
    let sql = match bounds.counts_from {
        End::Newest => {
            "SELECT count(*), min(rowid) FROM (SELECT rowid FROM memory_index WHERE memory_index MATCH ?1
                ORDER BY rowid DESC LIMIT ?2)"
        }
        End::Oldest => {
            "SELECT count(*), max(rowid) FROM (SELECT rowid FROM memory_index WHERE memory_index MATCH ?1
                ORDER BY rowid LIMIT ?2)"
        }
    };
    let (with, last): (u64, Option<u64>) =
        db.prepare_cached(sql)?.query_row((expression, bounds.count), |r| Ok((r.get(0)?, r.get(1)?)))?;
    let Some(last) = last.filter(|_| with == bounds.count) else { return Ok(with) };
    let among = match bounds.counts_from {
        End::Newest => of.saturating_sub(last).saturating_add(1),
        End::Oldest => last,
    };
    Ok(with.max(with.saturating_mul(of) / among.max(1)))
}

/// Whose words match: the memory's own or its context's.
#[derive(Clone, Copy)]
enum Side {
    Own,
    Around,
}

impl Side {
    fn fits_of(self, found: &mut Match) -> &mut [f64] {
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

/// The newest memories that match, as many as `most`, each with its rating by the columns' weights.
fn rate(
    db: &Connection,
    eligible: &Eligible<'_>,
    expression: &str,
    weights: Option<&str>,
    most: u64,
) -> rusqlite::Result<Vec<Rated>> {
    if let Some(seen) = &eligible.seen {
        // Nothing is rated there.
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let found = hook_walk::newest(db, expression, (&eligible.condition, eligible.rows, seen), most)?;
        return Ok(found.into_iter().map(|(key, thread)| (key, thread, 1.0)).collect());
    }
    let condition = &eligible.condition.sql;
    let fit = weights.map_or("1.0".to_owned(), |weights| format!("-bm25(memory_index, {weights})"));
    let sql = format!(
        "SELECT f.rowid, m.thread, {fit}
         FROM memory_index f CROSS JOIN memories m ON m.row = f.rowid
         WHERE f.memory_index MATCH ? AND f.rowid BETWEEN ? AND ? AND {condition}
         ORDER BY f.rowid DESC LIMIT ?"
    );
    db.prepare_cached(&sql)?
        .query_map(params_from_iter(eligible.values(expression, most)), |r| {
            Ok((r.get(0)?, r.get(1)?, r.get(2)?))
        })?
        .collect()
}

/// The search expression for a term and its forms; nothing in it is parsed as syntax. With `only_present` without the forms that
/// no memory has: each of these is looked up once instead of five times, which are once to be counted, and on either side once to
/// be found and once to be weighted.
fn expression(db: &Connection, term: &Term, only_present: bool) -> rusqlite::Result<String> {
    let mut any = vec![term.part.expression()];
    let select = "SELECT EXISTS (SELECT 1 FROM memory_index WHERE memory_index MATCH ?1)";
    for form in term.forms.iter().map(|form| quote(form)) {
        if !only_present || db.prepare_cached(select)?.query_row([&form], |r| r.get(0))? {
            any.push(form);
        }
    }
    Ok(any.join(" OR "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::query::{Filter, Scope};
    use crate::store::{Actor, Draft, Secrets, SqliteStore, Store as _};

    #[test]
    fn a_word_form_that_no_memory_has_is_searched_once_and_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for content in
            ["The configuration is read at start", "A config of another kind", "Deploys run at noon"]
        {
            let draft = Draft::new(content, Namespace::Decisions, Domain::User);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(1)).unwrap();
        }
        let term = |forms: &[&str]| Term {
            part: ranking::Query::parse("config").parts.remove(0),
            forms: forms.iter().map(|form| (*form).to_owned()).collect(),
        };
        let all = term(&["configuration", "conf", "configured by hand", "++", ""]);
        let written = |only_present| store.look(|db| expression(db, &all, only_present)).unwrap();
        assert_eq!(written(true), r#""config" OR "configuration""#);
        assert!(written(false).contains("conf\" OR"), "{}", written(false));
        let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 2 };
        let found = |term: Term| {
            let found = store.matches(&selection, &[term], Effort::Usual).unwrap();
            let fits: Vec<_> = found.all.into_iter().map(|one| (one.key, one.own, one.around)).collect();
            (found.with, fits)
        };
        let with_all = found(all.clone());
        assert_eq!(with_all.0, [2]);
        assert_eq!(with_all, found(term(&["configuration"])));
    }
}
