//! The answers, and their printed size.

use crate::source_kind::SourceKind;

/// Matches are counted up to this number; a reply then says that there are more.
pub const COUNT_UP_TO: u64 = 10_000;
/// The printed size of a hit besides its title, label and snippet: marks, numbers, line ends.
pub const HIT_OVERHEAD_BYTES: usize = 64;
/// The printed size of a query's head line besides the query.
pub const QUERY_OVERHEAD_BYTES: usize = 96;

/// The answers, in the order of the queries.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct SearchReply {
    /// One per query, even without hits.
    pub per_query: Vec<QueryReply>,
}

/// The answer to one query.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct QueryReply {
    /// The query as given (cut if very long).
    pub query: String,
    /// The hits in order.
    pub hits: Vec<Hit>,
    /// How many chunks match, counted up to [`COUNT_UP_TO`]: at that number, there may be more.
    pub total: u64,
    /// The corrected query that was searched instead, because nothing matched.
    pub corrected: Option<String>,
    /// How many matches were compared with each other, if there were too many for all; otherwise `None`.
    pub ranked: Option<u64>,
    /// Whether no chunk has all the words, so the hits have at least one.
    pub relaxed: bool,
    /// Whether a word was found only inside longer words.
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
    /// The source's kind.
    pub source_kind: SourceKind,
    /// The chunk's heading path.
    pub title: String,
    /// Windows around the matches; code unchanged.
    pub snippet: String,
    /// Whether the snippet is only a part of the chunk.
    pub shortened: bool,
    /// Whether the chunk is code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
    /// Whether these aren't lines of the source's file, because it was converted.
    #[serde(skip)]
    pub other_lines: bool,
    /// When the source was indexed, in milliseconds since 1970.
    pub indexed_ms: i64,
    /// Larger is better; comparable only within one query.
    pub score: f64,
}

impl SearchReply {
    /// The reply's printed size with the stated overheads; never above the budget, as long as that allows one title line per
    /// query.
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
