//! Answers queries: finds candidates in the index, ranks them, cuts, and shortens to the byte budget.
//!
//! Each query is tried in steps, and the reply says which one answered: all words; all words with the unknown ones found
//! inside longer words; a corrected spelling; any word. Doesn't know how a reply looks to a model.
//!
//! This file owns the steps; `scope` limits them, `matches` queries the index, `order` ranks and pages, `fit` keeps the
//! budget.

mod fit;
mod matches;
mod order;
mod reply;
mod request;
mod scope;

use crate::error::Result;
use crate::store::Store;
use fit::fit;
use matches::Matches;
use ranking::Query;
pub use reply::{COUNT_UP_TO, HIT_OVERHEAD_BYTES, Hit, QUERY_OVERHEAD_BYTES, QueryReply, SearchReply};
pub use request::{SearchRequest, Sort};
use scope::Scope;
pub(crate) use scope::SourceFilter;

/// The longest label in replies.
const MAX_LABEL_BYTES: usize = 200;
/// The longest query that is repeated in full in a reply.
const MAX_QUERY_ECHO_BYTES: usize = 120;

impl Store {
    /// Answers every query of the request.
    ///
    /// Any text is a valid query. The printed reply stays within the budget by shortening snippets, equally per query; a query
    /// never loses its head line and its first title.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`](crate::KnowledgeError::NoSource) if no source matches `source`, or if the database can't be
    /// read.
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

    /// One query: its hits without snippets, their texts, and the query that was finally searched.
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
            found = self.find_with_fallbacks(&mut query, request, scope, &mut reply)?;
        }
        reply.total = found.total;
        reply.ranked = found.ranked.filter(|ranked| *ranked < found.total);
        let rows = self.order(found, &query, request)?;
        let (hits, texts) = rows.into_iter().map(|r| (r.hit, r.text)).unzip();
        reply.hits = hits;
        Ok((reply, texts, query))
    }

    /// The steps after "all words" found nothing.
    fn find_with_fallbacks(
        &self,
        query: &mut Query,
        request: &SearchRequest,
        scope: &Scope,
        reply: &mut QueryReply,
    ) -> Result<Matches> {
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
            // Beside known words, only an unmistakable typo in a long word is corrected.
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
        // Several unknown words: the corrected ones don't have to be adjacent either.
        if let Some(corrected) = self.corrected(query, &unknown, false)? {
            let found = self.find_any(&corrected.any(), request, scope)?;
            if found.total > 0 {
                reply.corrected = Some(crate::cut(&corrected.text(), MAX_QUERY_ECHO_BYTES).to_owned());
                reply.relaxed = corrected.parts.len() > 1;
                *query = corrected;
                return Ok(found);
            }
        }
        Ok(Matches::default())
    }

    /// The parts of the query that no chunk contains.
    fn unknown_parts(&self, query: &Query) -> Result<Vec<usize>> {
        self.read(|db| {
            let mut probe =
                db.prepare_cached("SELECT 1 FROM chunk_index WHERE chunk_index MATCH ?1 LIMIT 1")?;
            let mut unknown = Vec::new();
            for (i, part) in query.parts.iter().enumerate() {
                if !probe.exists([part.expression()])? {
                    unknown.push(i);
                }
            }
            Ok(unknown)
        })
    }
}
