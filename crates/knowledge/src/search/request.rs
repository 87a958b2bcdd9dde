//! What is searched for, and in which order it is wanted.

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
    /// What the whole reply may take when printed. See
    /// [`SearchReply::bytes`](super::SearchReply::bytes).
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
