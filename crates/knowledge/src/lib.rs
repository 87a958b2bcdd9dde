//! A project's knowledge base: sources, chunks, search, folders and web pages.
//!
//! A source is indexed in one transaction and replaced as a whole. Knows no agents or sessions (it stores their names as plain
//! text) and not how a reply is printed; uses the network only in [`web`], and only on request.

mod browse;
mod budget;
mod decode;
mod error;
mod evict;
mod file_text;
pub mod folder;
mod html_page;
mod ingest;
pub mod messages;
mod pdf;
mod purge;
mod purge_result;
mod refresh;
mod schema;
mod search;
mod source_kind;
mod sources;
mod spelling;
mod store;
mod subject;
mod trash;
pub mod web;

pub use browse::{ChunkText, SourceQuery, SourceSort};
pub use error::{KnowledgeError, Result};
pub use evict::StoredOutput;
pub use ingest::{IndexResult, NewSource};
pub use purge::PurgeScope;
pub use purge_result::PurgeResult;
pub use refresh::RefreshResult;
pub use schema::{MIGRATIONS, NEWEST};
pub use search::{
    COUNT_UP_TO, HIT_OVERHEAD_BYTES, Hit, QUERY_OVERHEAD_BYTES, QueryReply, SearchReply, SearchRequest, Sort,
};
pub use source_kind::SourceKind;
pub use sources::{SourceInfo, SourceList, SourceText};
pub use store::{Stats, Store};
pub use trash::{TrashSummary, read_trash};

/// The beginning of `text`, at most `max_bytes` long, cut between characters.
pub(crate) fn cut(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}
