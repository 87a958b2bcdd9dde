//! The answers, and what they take when printed.

use crate::ingest::SourceKind;

/// Matches are counted up to here; a reply then says that there are more.
pub const COUNT_UP_TO: u64 = 10_000;
/// What printing one hit costs besides its title, label and snippet: marks, numbers, line ends.
pub const HIT_OVERHEAD_BYTES: usize = 64;
/// What printing one query's head line costs besides the query itself.
pub const QUERY_OVERHEAD_BYTES: usize = 96;

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
    /// Only so many of the matches were compared with one another, because there are too many; `None` when all were.
    pub ranked: Option<u64>,
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
    pub(super) fn bytes(&self) -> usize {
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
