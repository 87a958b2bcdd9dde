//! Answering queries: find candidates in the index, rank them, cut, and shorten to the byte budget.
//!
//! Each query is tried in steps, and the reply says which one answered: all words; all words with the unknown
//! ones found inside longer words; a corrected spelling; any word. Expressions come from `query`, the order
//! from `rank`, the sharing of bytes from `budget`. How a reply looks to a model is not known here.

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, params_from_iter};
use text::ChunkKind;

use crate::budget::share_groups;
use crate::error::{KnowledgeError, Result};
use crate::ingest::SourceKind;
use crate::query::Query;
use crate::rank::{Candidate, Ranker};
use crate::store::Store;

/// bm25 weights of title, text and parts.
const WEIGHTS: &str = "5.0, 1.0, 0.6";
/// Above this many matches not each is rated: rating one costs about 2 µs, and nobody reads that far.
const RATE_ALL_UP_TO: u64 = 1_000;
/// When not all are rated: so many are ranked that match in their title, as many that have the words in a
/// row, and as many of the newest.
const SAMPLE: u64 = 60;
/// Matches are counted up to here; a reply then says that there are more.
pub const COUNT_UP_TO: u64 = 10_000;
/// No snippet is longer, whatever the budget.
const MAX_SNIPPET_BYTES: usize = 1_500;
/// Titles in replies are cut to this.
const MAX_TITLE_BYTES: usize = 160;
/// Labels in replies are cut to this.
const MAX_LABEL_BYTES: usize = 200;
/// What printing one hit costs besides its title, label and snippet: marks, numbers, line ends.
pub const HIT_OVERHEAD_BYTES: usize = 64;
/// What printing one query's head line costs besides the query itself.
pub const QUERY_OVERHEAD_BYTES: usize = 96;
/// Queries are repeated in replies up to this length.
const MAX_QUERY_ECHO_BYTES: usize = 120;

/// The order of hits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// Best first.
    #[default]
    Relevance,
    /// Newest first.
    Time,
}

/// What is searched for.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The queries, answered one by one.
    pub queries: Vec<String>,
    /// Only in this source: its label, the beginning of labels, or its number.
    pub source: Option<String>,
    /// Only code or only prose.
    pub kind: Option<ChunkKind>,
    /// Hits per query.
    pub limit: usize,
    /// Hits to skip per query.
    pub offset: usize,
    /// The order.
    pub sort: Sort,
    /// What the whole reply may take when printed. See [`SearchReply::bytes`].
    pub budget_bytes: usize,
}

impl Default for SearchRequest {
    fn default() -> Self {
        SearchRequest {
            queries: Vec::new(),
            source: None,
            kind: None,
            limit: 3,
            offset: 0,
            sort: Sort::Relevance,
            budget_bytes: 6_000,
        }
    }
}

/// The answers, in the order of the queries.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct SearchReply {
    /// One for each query, also when it found nothing.
    pub per_query: Vec<QueryReply>,
}

/// The answer to one query.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct QueryReply {
    /// The query as it was given (cut when very long).
    pub query: String,
    /// What was found, in order.
    pub hits: Vec<Hit>,
    /// How many chunks match in all, counted up to [`COUNT_UP_TO`]: when it is that, there may be more.
    pub total: u64,
    /// Nothing matched as it was spelled; this was searched instead.
    pub corrected: Option<String>,
    /// No chunk has all the words, so the hits have at least one.
    pub relaxed: bool,
    /// A word was found only inside longer words.
    pub inside_words: bool,
}

/// One chunk that matches.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Hit {
    /// The chunk's number.
    pub chunk_id: i64,
    /// The source's number.
    pub source_id: i64,
    /// The source's label.
    pub source: String,
    /// Where the source came from.
    pub source_kind: SourceKind,
    /// The chunk's heading path.
    pub title: String,
    /// Windows around the matches; code as it stands.
    pub snippet: String,
    /// The snippet is not the whole chunk.
    pub shortened: bool,
    /// The chunk is code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
    /// When the source was indexed, in milliseconds since 1970.
    pub indexed_ms: i64,
    /// Larger is better; comparable within one query only.
    pub score: f64,
}

impl SearchReply {
    /// What the reply takes when printed with the stated overheads; never above the budget, as long as that
    /// allows one title line per query.
    pub fn bytes(&self) -> usize {
        self.per_query.iter().map(QueryReply::bytes).sum()
    }
}

impl QueryReply {
    fn bytes(&self) -> usize {
        let echo = self.query.len() + self.corrected.as_ref().map_or(0, String::len);
        QUERY_OVERHEAD_BYTES
            + echo
            + self.hits.iter().map(|h| h.head_bytes() + h.snippet.len()).sum::<usize>()
    }
}

impl Hit {
    fn head_bytes(&self) -> usize {
        HIT_OVERHEAD_BYTES + self.title.len() + self.source.len()
    }
}

/// Which chunks are considered: an SQL condition on `f` (index), `c` (chunk), with its values.
#[derive(Debug, Default)]
struct Scope {
    /// The condition, empty when everything is searched.
    sql: String,
    values: Vec<Value>,
    /// The condition needs the chunk's own row.
    join: bool,
}

/// Which sources a name means.
#[derive(Debug)]
pub(crate) enum SourceFilter {
    /// This one.
    One(i64),
    /// The files of this folder.
    Folder(i64),
    /// Every label from the first to before the second.
    Labels { from: String, to: String },
}

/// What one step of a query found.
#[derive(Default)]
struct Found {
    /// Best first, with a rating from 0 to 1.
    ids: Vec<(i64, f64)>,
    total: u64,
    /// The list is a sample without an order of its own, to be ranked as a whole.
    sample: bool,
}

struct Row {
    hit: Hit,
    text: String,
}

impl Store {
    /// Answers every query of the request.
    ///
    /// Any text is a valid query. The printed reply stays within the budget by shortening snippets, those of
    /// each query alike; a query never loses its head line and its first title.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`] when `source` names none, or when the database cannot be read.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchReply> {
        let scope = self.scope(request)?;
        let mut replies = Vec::with_capacity(request.queries.len());
        let mut texts: Vec<Vec<String>> = Vec::with_capacity(request.queries.len());
        let mut words: Vec<Vec<String>> = Vec::with_capacity(request.queries.len());
        for query in &request.queries {
            let (reply, found, searched) = self.answer(query, request, &scope)?;
            replies.push(reply);
            texts.push(found);
            words.push(searched.words());
        }
        fit(&mut replies, &texts, &words, request.budget_bytes);
        Ok(SearchReply { per_query: replies })
    }

    /// The part of the knowledge base that the request is limited to.
    fn scope(&self, request: &SearchRequest) -> Result<Scope> {
        let mut scope = Scope::default();
        let mut conditions: Vec<String> = Vec::new();
        if let Some(name) = request.source.as_deref().map(str::trim).filter(|n| !n.is_empty()) {
            let (sql, values) = self.source_scope(name)?;
            conditions.push(sql);
            scope.values = values;
            scope.join = true;
        }
        if let Some(kind) = request.kind {
            conditions.push(if matches!(kind, ChunkKind::Code) {
                "c.code".into()
            } else {
                "NOT c.code".into()
            });
            scope.join = true;
        }
        scope.sql = conditions.iter().map(|c| format!(" AND {c}")).collect();
        Ok(scope)
    }

    /// A condition for the source called `name`.
    fn source_scope(&self, name: &str) -> Result<(String, Vec<Value>)> {
        match self.filter_for(name)? {
            SourceFilter::Folder(id) => {
                Ok(("c.source IN (SELECT id FROM sources WHERE parent = ?)".into(), vec![id.into()]))
            }
            SourceFilter::One(id) => {
                // The chunks of a source are written in one transaction and lie together.
                let range: (Option<i64>, Option<i64>) = self
                    .db
                    .prepare_cached("SELECT min(id), max(id) FROM chunks WHERE source = ?1")?
                    .query_row([id], |r| Ok((r.get(0)?, r.get(1)?)))?;
                let (low, high) = (range.0.unwrap_or(0), range.1.unwrap_or(-1));
                let condition = "f.rowid >= ? AND f.rowid <= ? AND c.source = ?";
                Ok((condition.into(), vec![low.into(), high.into(), id.into()]))
            }
            SourceFilter::Labels { from, to } => {
                let condition = "c.source IN (SELECT id FROM sources WHERE label >= ? AND label < ?)";
                Ok((condition.into(), vec![from.into(), to.into()]))
            }
        }
    }

    /// Which sources `name` means: the label itself, a number, or the beginning of labels.
    pub(crate) fn filter_for(&self, name: &str) -> Result<SourceFilter> {
        match self.find_source(name)? {
            Some((id, SourceKind::Folder)) => return Ok(SourceFilter::Folder(id)),
            Some((id, _)) => return Ok(SourceFilter::One(id)),
            None => {}
        }
        let to = format!("{name}\u{10FFFF}");
        let any: bool = self
            .db
            .prepare_cached("SELECT EXISTS(SELECT 1 FROM sources WHERE label >= ?1 AND label < ?2)")?
            .query_row([name, &to], |r| r.get(0))?;
        if !any || name.is_empty() {
            return Err(KnowledgeError::NoSource(crate::cut(name, MAX_LABEL_BYTES).to_owned()));
        }
        Ok(SourceFilter::Labels { from: name.to_owned(), to })
    }

    /// The source with this label, or with this number (`12` or `#12`).
    pub(crate) fn find_source(&self, name: &str) -> Result<Option<(i64, SourceKind)>> {
        let row = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, SourceKind::from_stored(r.get_ref(1)?.as_str()?)));
        let by_label = self
            .db
            .prepare_cached("SELECT id, kind FROM sources WHERE label = ?1")?
            .query_row([name], row)
            .optional()?;
        if by_label.is_some() {
            return Ok(by_label);
        }
        let Ok(id) = name.trim_start_matches('#').parse::<i64>() else { return Ok(None) };
        Ok(self
            .db
            .prepare_cached("SELECT id, kind FROM sources WHERE id = ?1")?
            .query_row([id], row)
            .optional()?)
    }

    /// One query: its hits (without snippets), their texts, and the query as it was searched in the end.
    fn answer(
        &self,
        input: &str,
        request: &SearchRequest,
        scope: &Scope,
    ) -> Result<(QueryReply, Vec<String>, Query)> {
        let mut reply =
            QueryReply { query: crate::cut(input, MAX_QUERY_ECHO_BYTES).to_owned(), ..QueryReply::default() };
        let mut query = Query::parse(input);
        let Some(all) = query.all() else { return Ok((reply, Vec::new(), query)) };

        let mut found = self.find(&all, query.row().as_deref(), request, scope)?;
        if found.total == 0 {
            found = self.find_otherwise(&mut query, request, scope, &mut reply)?;
        }
        reply.total = found.total;
        let rows = self.order(found, &query, request)?;
        let (hits, texts) = rows.into_iter().map(|r| (r.hit, r.text)).unzip();
        reply.hits = hits;
        Ok((reply, texts, query))
    }

    /// The steps after "all words" found nothing.
    fn find_otherwise(
        &self,
        query: &mut Query,
        request: &SearchRequest,
        scope: &Scope,
        reply: &mut QueryReply,
    ) -> Result<Found> {
        let unknown = self.unknown_parts(query)?;
        if !unknown.is_empty() {
            // Inside longer words: `ibase` finds `libbase`.
            if let Some(expression) = self.inside_words(query, &unknown)? {
                let found = self.find(&expression, None, request, scope)?;
                if found.total > 0 {
                    reply.inside_words = true;
                    return Ok(found);
                }
            }
            // Beside known words only an unmistakable slip of a long word is put right.
            let alone = unknown.len() == query.parts.len();
            if let Some(corrected) = self.corrected(query, &unknown, !alone)?
                && let Some(expression) = corrected.all()
            {
                let found = self.find(&expression, None, request, scope)?;
                if found.total > 0 {
                    reply.corrected = Some(crate::cut(&corrected.text(), MAX_QUERY_ECHO_BYTES).to_owned());
                    *query = corrected;
                    return Ok(found);
                }
            }
        }
        let any = query.any();
        if any.len() > 1 {
            let found = self.find_any(&any, request, scope)?;
            if found.total > 0 {
                reply.relaxed = true;
                return Ok(found);
            }
        }
        // Several words, none of them known: the corrected ones need not stand together either.
        if let Some(corrected) = self.corrected(query, &unknown, false)? {
            let found = self.find_any(&corrected.any(), request, scope)?;
            if found.total > 0 {
                reply.corrected = Some(crate::cut(&corrected.text(), MAX_QUERY_ECHO_BYTES).to_owned());
                reply.relaxed = corrected.parts.len() > 1;
                *query = corrected;
                return Ok(found);
            }
        }
        Ok(Found::default())
    }

    /// The parts of the query that no chunk has.
    fn unknown_parts(&self, query: &Query) -> Result<Vec<usize>> {
        let mut probe =
            self.db.prepare_cached("SELECT 1 FROM chunk_index WHERE chunk_index MATCH ?1 LIMIT 1")?;
        let mut unknown = Vec::new();
        for (i, part) in query.parts.iter().enumerate() {
            if !probe.exists([part.expression()])? {
                unknown.push(i);
            }
        }
        Ok(unknown)
    }

    /// What matches one expression.
    fn find(
        &self,
        expression: &str,
        row: Option<&str>,
        request: &SearchRequest,
        scope: &Scope,
    ) -> Result<Found> {
        let total = self.count(expression, scope)?;
        let found = |ids, sample| Found { ids, total, sample };
        Ok(match (total, request.sort) {
            (0, _) => Found::default(),
            (_, Sort::Time) => {
                let ids = self.newest(expression, scope, wanted(request) as u64)?;
                found(ids.into_iter().map(|id| (id, 0.0)).collect(), false)
            }
            (few, Sort::Relevance) if few <= RATE_ALL_UP_TO => {
                found(normalised(self.rated(expression, scope, wanted(request) as u64)?), false)
            }
            (_, Sort::Relevance) => found(self.sampled(expression, row, scope)?, true),
        })
    }

    /// What matches any of several expressions. The rarest say most, so when there are too many matches
    /// to rate, only those of the rarest expressions are.
    fn find_any(&self, expressions: &[String], request: &SearchRequest, scope: &Scope) -> Result<Found> {
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
        Ok(Found { total, ..found })
    }

    fn count(&self, expression: &str, scope: &Scope) -> Result<u64> {
        let join = if scope.join { "CROSS JOIN chunks c ON c.id = f.rowid" } else { "" };
        let sql = format!(
            "SELECT count(*) FROM (SELECT 1 FROM chunk_index f {join} WHERE f.chunk_index MATCH ?{} LIMIT ?)",
            scope.sql
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        Ok(statement.query_row(params_from_iter(values(expression, scope, &[COUNT_UP_TO])), |r| r.get(0))?)
    }

    /// The newest matches.
    fn newest(&self, expression: &str, scope: &Scope, limit: u64) -> Result<Vec<i64>> {
        let join = if scope.join { "CROSS JOIN chunks c ON c.id = f.rowid" } else { "" };
        let sql = format!(
            "SELECT f.rowid FROM chunk_index f {join} WHERE f.chunk_index MATCH ?{} ORDER BY f.rowid DESC LIMIT ?",
            scope.sql
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows =
            statement.query_map(params_from_iter(values(expression, scope, &[limit])), |r| r.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The best of the matches of `expression`, by bm25 (negative, best smallest).
    fn rated(&self, expression: &str, scope: &Scope, limit: u64) -> Result<Vec<(i64, f64)>> {
        let join = if scope.join { "CROSS JOIN chunks c ON c.id = f.rowid" } else { "" };
        let sql = format!(
            "SELECT f.rowid, bm25(chunk_index, {WEIGHTS}) AS rating FROM chunk_index f {join}
             WHERE f.chunk_index MATCH ?{} ORDER BY rating, f.rowid DESC LIMIT ?",
            scope.sql
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values(expression, scope, &[limit])), |r| {
            Ok((r.get(0)?, r.get(1)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// A sample of very many matches: in the title, in a row, and the newest. bm25 has little to say about
    /// words that are everywhere, so the order is left to the ranking.
    fn sampled(&self, expression: &str, row: Option<&str>, scope: &Scope) -> Result<Vec<(i64, f64)>> {
        let mut ids = self.newest(&format!("{{title}} : ({expression})"), scope, SAMPLE)?;
        if let Some(row) = row {
            ids.extend(self.newest(row, scope, SAMPLE)?);
        }
        ids.extend(self.newest(expression, scope, SAMPLE)?);
        let mut seen = std::collections::HashSet::new();
        ids.retain(|id| seen.insert(*id));
        Ok(ids.into_iter().map(|id| (id, 0.5)).collect())
    }

    /// Ranks the pool, cuts to the page that was asked for, and reads its texts.
    fn order(&self, found: Found, query: &Query, request: &SearchRequest) -> Result<Vec<Row>> {
        let page = request.offset..request.offset.saturating_add(request.limit);
        if request.sort == Sort::Time {
            let ids = found.ids.into_iter().skip(page.start).take(request.limit);
            return ids.map(|(id, _)| self.row(id)).filter_map(Result::transpose).collect();
        }
        // The pool does not depend on the offset, so that pages neither repeat nor lose a hit.
        let pool = if found.sample { found.ids.len() } else { pool(request).min(found.ids.len()) };
        let ranker = Ranker::new(query);
        let mut ranked = Vec::with_capacity(pool);
        if page.start < pool {
            for &(id, base) in &found.ids[..pool] {
                let Some(mut row) = self.row(id)? else { continue };
                let candidate =
                    Candidate { base, title: &row.hit.title, text: &row.text, code: row.hit.code };
                row.hit.score = ranker.score(&candidate);
                ranked.push(row);
            }
            ranked.sort_by(|a, b| {
                b.hit.score.total_cmp(&a.hit.score).then(b.hit.chunk_id.cmp(&a.hit.chunk_id))
            });
        }
        let mut rows: Vec<Row> = ranked.into_iter().skip(page.start).take(request.limit).collect();
        if page.end > pool {
            for &(id, base) in found.ids.iter().take(page.end).skip(pool.max(page.start)) {
                if let Some(mut row) = self.row(id)? {
                    row.hit.score = base;
                    rows.push(row);
                }
            }
        }
        Ok(rows)
    }

    fn row(&self, id: i64) -> Result<Option<Row>> {
        let row = self
            .db
            .prepare_cached(
                "SELECT c.title, c.text, c.code, c.start_line, c.end_line, s.id, s.label, s.kind, s.indexed_ms
                 FROM chunks c CROSS JOIN sources s ON s.id = c.source WHERE c.id = ?1",
            )?
            .query_row([id], |r| {
                Ok(Row {
                    text: r.get(1)?,
                    hit: Hit {
                        chunk_id: id,
                        source_id: r.get(5)?,
                        source: r.get(6)?,
                        source_kind: SourceKind::from_stored(r.get_ref(7)?.as_str()?),
                        title: r.get(0)?,
                        snippet: String::new(),
                        shortened: false,
                        code: r.get(2)?,
                        lines: (r.get(3)?, r.get(4)?),
                        indexed_ms: r.get(8)?,
                        score: 0.0,
                    },
                })
            })
            .optional()?;
        Ok(row)
    }
}

/// How many candidates are ranked before the cut.
fn pool(request: &SearchRequest) -> usize {
    request.limit.saturating_mul(5).clamp(50, 500)
}

/// How many candidates have to be fetched.
fn wanted(request: &SearchRequest) -> usize {
    pool(request).max(request.offset.saturating_add(request.limit)).min(1_000_000)
}

fn values(expression: &str, scope: &Scope, tail: &[u64]) -> Vec<Value> {
    let mut all = vec![Value::Text(expression.to_owned())];
    all.extend(scope.values.iter().cloned());
    all.extend(tail.iter().map(|n| Value::Integer(i64::try_from(*n).unwrap_or(i64::MAX))));
    all
}

/// bm25 ratings as 0 to 1, the best 1.
fn normalised(rated: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
    let best = rated.first().map_or(0.0, |(_, r)| *r);
    let scale = |r: f64| if best < 0.0 { (r / best).clamp(0.0, 1.0) } else { 1.0 };
    rated.into_iter().map(|(id, r)| (id, scale(r))).collect()
}

/// Writes the snippets so that the whole reply stays within `budget`.
fn fit(replies: &mut [QueryReply], texts: &[Vec<String>], words: &[Vec<String>], budget: usize) {
    for reply in replies.iter_mut() {
        for hit in &mut reply.hits {
            shorten_to(&mut hit.title, MAX_TITLE_BYTES);
            shorten_to(&mut hit.source, MAX_LABEL_BYTES);
        }
    }
    // Heads first. Where even they do not fit, titles and labels shrink, then the later hits go; `total`
    // still counts those, and each query keeps its first.
    let heads = |replies: &[QueryReply]| replies.iter().map(QueryReply::bytes).sum::<usize>();
    for length in [80, 48, 24] {
        if heads(replies) <= budget {
            break;
        }
        for hit in replies.iter_mut().flat_map(|r| &mut r.hits) {
            shorten_to(&mut hit.title, length);
            shorten_to(&mut hit.source, length);
        }
    }
    while heads(replies) > budget {
        let Some(longest) = replies.iter_mut().filter(|r| r.hits.len() > 1).max_by_key(|r| r.hits.len())
        else {
            break;
        };
        longest.hits.pop();
    }
    let left = budget.saturating_sub(heads(replies));
    let wants: Vec<Vec<usize>> = replies
        .iter()
        .zip(texts)
        .map(|(reply, texts)| {
            let most = |hit: &Hit, text: &String| {
                if hit.code { text.len() } else { text.len().min(MAX_SNIPPET_BYTES) }
            };
            reply.hits.iter().zip(texts).map(|(hit, text)| most(hit, text)).collect()
        })
        .collect();
    let shares = share_groups(&wants, left);
    for (i, reply) in replies.iter_mut().enumerate() {
        for (j, hit) in reply.hits.iter_mut().enumerate() {
            let (text, share) = (&texts[i][j], shares[i][j]);
            hit.snippet =
                if text.len() <= share { text.clone() } else { text::snippet(text, &words[i], share) };
            if hit.snippet.len() > share {
                shorten_to(&mut hit.snippet, share);
            }
            hit.shortened = hit.snippet.len() < text.len();
        }
    }
}

fn shorten_to(text: &mut String, max_bytes: usize) {
    if text.len() > max_bytes {
        if max_bytes >= 8 {
            text.truncate(crate::cut(text, max_bytes - '…'.len_utf8()).len());
            text.push('…');
        } else {
            text.truncate(crate::cut(text, max_bytes).len());
        }
    }
}
