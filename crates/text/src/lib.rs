//! Text without storage: chunking, identifiers, query words, snippets, failure lines, redaction of secrets, HTML to Markdown,
//! ANSI stripping and size estimates.
//!
//! Everything is a pure function of its input: it knows no database, no agent, no file and no clock. It must accept any text of
//! any size without panicking, in linear time and memory.

mod ansi;
mod chunk;
mod comments;
mod cut;
pub mod failures;
mod html;
mod identifiers;
pub mod json;
mod one_line;
mod own_output;
mod pattern;
mod query;
mod redact;
mod snippet;
mod terminal;
mod tokens;
mod word_list;

pub use ansi::strip_ansi;
pub use chunk::{Chunk, ChunkKind, Format, MAX_CHUNK_BYTES, chunk, chunk_lines, format_of};
pub use comments::without_comments;
pub use cut::cut_middle;
pub use html::{Page, html_to_markdown, without_invisible};
pub use identifiers::{identifiers, split_identifier};
pub use one_line::one_line;
pub use own_output::is_own_output;
pub use pattern::{Pattern, PatternError, Patterns};
pub use query::query_terms;
pub use redact::{TYPED_PASSWORD, open_table, redact, redact_after, redact_typed, undecided};
pub use snippet::snippet;
pub use terminal::for_terminal;
pub use tokens::tokens_estimate;
pub use word_list::WordList;
