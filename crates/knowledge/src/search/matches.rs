//! The index's matches for an expression: counted, rated or sampled.

use rusqlite::params_from_iter;
use rusqlite::types::Value;

use super::scope::Scope;
use super::{COUNT_UP_TO, SearchRequest, Sort};
use crate::error::Result;
use crate::store::Store;

/// bm25 weights of title, text and parts.
const WEIGHTS: &str = "5.0, 1.0, 0.6";
/// With more matches, not every one is rated, and the reply says so: rating one costs about 2 µs.
const RATE_ALL_UP_TO: u64 = COUNT_UP_TO - 1;
/// If not all are rated: how many are ranked that match in their title, as many that contain the phrase, and as many of the
/// newest.
const SAMPLE: u64 = 60;

/// One step's matches.
#[derive(Default)]
pub(super) struct Matches {
    /// Best first, with a rating from 0 to 1.
    pub(super) ids: Vec<(i64, f64)>,
    pub(super) total: u64,
    /// Whether the list is an unordered sample, to be ranked as a whole.
    pub(super) sample: bool,
    /// How many were compared with each other, if not all.
    pub(super) ranked: Option<u64>,
}

impl Store {
    /// The matches of one expression.
    pub(super) fn find(
        &self,
        expression: &str,
        row: Option<&str>,
        request: &SearchRequest,
        scope: &Scope,
    ) -> Result<Matches> {
        let total = self.count(expression, scope)?;
        let found = |ids, sample| Matches { ids, total, sample, ranked: None };
        Ok(match (total, request.sort) {
            (0, _) => Matches::default(),
            (_, Sort::Time) => {
                let ids = self.newest(expression, scope, fetch_count(request) as u64)?;
                found(ids.into_iter().map(|id| (id, 0.0)).collect(), false)
            }
            (few, Sort::Relevance) if few <= RATE_ALL_UP_TO => {
                found(normalize(self.rate(expression, scope, fetch_count(request) as u64)?), false)
            }
            (_, Sort::Relevance) => {
                let ids = self.sample(expression, row, scope)?;
                let ranked = Some(ids.len() as u64);
                Matches { ids, total, sample: true, ranked }
            }
        })
    }

    /// The matches of any of several expressions. The rarest are the most informative, so with too many matches to rate, only
    /// the rarest expressions' are.
    pub(super) fn find_any(
        &self,
        expressions: &[String],
        request: &SearchRequest,
        scope: &Scope,
    ) -> Result<Matches> {
        let any = expressions.join(" OR ");
        let total = self.count(&any, scope)?;
        if total <= RATE_ALL_UP_TO || request.sort == Sort::Time {
            return self.find(&any, None, request, scope);
        }
        let mut counted = Vec::with_capacity(expressions.len());
        for expression in expressions {
            let n = self.count(expression, scope)?;
            if n > 0 {
                counted.push((n, expression.as_str()));
            }
        }
        counted.sort_unstable();
        let mut chosen: Vec<&str> = Vec::new();
        let mut sum = 0;
        for (n, expression) in counted {
            if sum + n > RATE_ALL_UP_TO && !chosen.is_empty() {
                break;
            }
            sum += n;
            chosen.push(expression);
        }
        let found = self.find(&chosen.join(" OR "), None, request, scope)?;
        Ok(Matches { total, ranked: Some(found.ranked.unwrap_or(found.total)), ..found })
    }

    fn count(&self, expression: &str, scope: &Scope) -> Result<u64> {
        let join = if scope.join { "CROSS JOIN chunks c ON c.id = f.rowid" } else { "" };
        let sql = format!(
            "SELECT count(*) FROM (SELECT 1 FROM chunk_index f {join} WHERE f.chunk_index MATCH ?{} LIMIT ?)",
            scope.sql
        );
        let values = params_from_iter(values(expression, scope, &[COUNT_UP_TO]));
        self.read(|db| db.prepare_cached(&sql)?.query_row(values, |r| r.get(0)))
    }

    /// The newest matches.
    fn newest(&self, expression: &str, scope: &Scope, limit: u64) -> Result<Vec<i64>> {
        let join = if scope.join { "CROSS JOIN chunks c ON c.id = f.rowid" } else { "" };
        let sql = format!(
            "SELECT f.rowid FROM chunk_index f {join} WHERE f.chunk_index MATCH ?{} ORDER BY f.rowid DESC LIMIT ?",
            scope.sql
        );
        let values = params_from_iter(values(expression, scope, &[limit]));
        self.read(|db| db.prepare_cached(&sql)?.query_map(values, |r| r.get(0))?.collect())
    }

    /// The best matches of `expression`, by bm25 (negative, best smallest).
    fn rate(&self, expression: &str, scope: &Scope, limit: u64) -> Result<Vec<(i64, f64)>> {
        let join = if scope.join { "CROSS JOIN chunks c ON c.id = f.rowid" } else { "" };
        let sql = format!(
            "SELECT f.rowid, bm25(chunk_index, {WEIGHTS}) AS rating FROM chunk_index f {join}
             WHERE f.chunk_index MATCH ?{} ORDER BY rating, f.rowid DESC LIMIT ?",
            scope.sql
        );
        let values = params_from_iter(values(expression, scope, &[limit]));
        self.read(|db| db.prepare_cached(&sql)?.query_map(values, |r| Ok((r.get(0)?, r.get(1)?)))?.collect())
    }

    /// A sample of very many matches: in the title, as a phrase, and the newest. bm25 says little about words that are
    /// everywhere, so the ranking orders them.
    fn sample(&self, expression: &str, row: Option<&str>, scope: &Scope) -> Result<Vec<(i64, f64)>> {
        let mut ids = self.newest(&format!("{{title}} : ({expression})"), scope, SAMPLE)?;
        if let Some(row) = row {
            ids.extend(self.newest(row, scope, SAMPLE)?);
        }
        ids.extend(self.newest(expression, scope, SAMPLE)?);
        let mut seen = std::collections::HashSet::new();
        ids.retain(|id| seen.insert(*id));
        Ok(ids.into_iter().map(|id| (id, 0.5)).collect())
    }
}

/// How many candidates are ranked before the cut.
pub(super) fn pool(request: &SearchRequest) -> usize {
    request.limit.saturating_mul(5).clamp(50, 500)
}

/// How many candidates to fetch.
fn fetch_count(request: &SearchRequest) -> usize {
    pool(request).max(request.offset.saturating_add(request.limit)).min(1_000_000)
}

fn values(expression: &str, scope: &Scope, tail: &[u64]) -> Vec<Value> {
    let mut all = vec![Value::Text(expression.to_owned())];
    all.extend(scope.values.iter().cloned());
    all.extend(tail.iter().map(|n| Value::Integer(i64::try_from(*n).unwrap_or(i64::MAX))));
    all
}

/// bm25 ratings as 0 to 1, the best 1.
fn normalize(rated: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
    let best = rated.first().map_or(0.0, |(_, r)| *r);
    let scale = |r: f64| if best < 0.0 { (r / best).clamp(0.0, 1.0) } else { 1.0 };
    rated.into_iter().map(|(id, r)| (id, scale(r))).collect()
}
