//! A search request and its order.

use text::ChunkKind;

/// The order of hits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// Best first.
    #[default]
    Relevance,
    /// Newest first.
    Time,
}

/// A search request.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// The queries, answered one by one.
    pub queries: Vec<String>,
    /// Only this source: a label, the start of labels, or a number.
    pub source: Option<String>,
    /// Only code or only prose.
    pub kind: Option<ChunkKind>,
    /// Hits per query.
    pub limit: usize,
    /// Hits to skip per query.
    pub offset: usize,
    /// The order.
    pub sort: Sort,
    /// The printed size limit of the whole reply. See [`SearchReply::bytes`](super::SearchReply::bytes).
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
