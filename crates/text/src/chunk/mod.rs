//! Splits a document into chunks under a byte cap, each with a title, a kind and its line numbers. Owns the choice of method
//! per format; doesn't know how chunks are stored, ranked or shown.
//!
//! The law of all formats: a chunk's text is one slice of the source, slices follow each other in order, and only blanks are
//! between them. So the chunks reproduce every non-blank line exactly.

mod format;
mod json;
mod markdown;
mod pack;
mod plain;
mod source;

use pack::{Unit, pack, units};

pub use format::format_of;

/// The default cap, in bytes.
pub const MAX_CHUNK_BYTES: usize = 4096;

/// The smallest possible cap: one character of four bytes.
const MIN_CAP: usize = 4;

/// A chunk's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkKind {
    /// Text to read.
    Prose,
    /// Source code, data, or prose that contains a block of code.
    Code,
}

/// One part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its location in the document: heading path, key path, first declaration or line range.
    pub title: String,
    /// The exact source text, without blank lines at either end.
    pub text: String,
    /// Its kind.
    pub kind: ChunkKind,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, from 1, included.
    pub end_line: u32,
}

/// A chunking format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// By headings of level 1–4 and rules.
    Markdown,
    /// By paragraphs, or by line count if it looks like a log.
    Plain,
    /// By key path; array items grouped and named.
    Json,
    /// By blocks between blank lines; the language's short name, such as `rust`.
    Source(&'static str),
}

/// Splits `content` into chunks of at most `max_bytes` bytes each (never less than four), in source order.
///
/// `base_title` titles chunks without a better name. Blank content has no chunks. JSON that doesn't parse is chunked as plain
/// text.
#[must_use]
pub fn chunk(content: &str, format: &Format, base_title: &str, max_bytes: usize) -> Vec<Chunk> {
    let cap = max_bytes.max(MIN_CAP);
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    match format {
        Format::Markdown => markdown::chunk(content, base_title, cap),
        Format::Plain => plain::chunk(content, base_title, cap),
        Format::Json => json::chunk(content, base_title, cap),
        Format::Source(_) => source::chunk(content, base_title, cap),
    }
}

/// Splits `content` into chunks of `lines` lines (at least one), whatever its format: for logs and command output.
#[must_use]
pub fn chunk_lines(content: &str, base_title: &str, lines: usize, max_bytes: usize) -> Vec<Chunk> {
    plain::by_lines(content, base_title, lines.max(1), max_bytes.max(MIN_CAP))
}

/// The chunk of `units`, or `None` if they are all blank.
fn chunk_of(content: &str, units: &[Unit], kind: ChunkKind, title: String) -> Option<Chunk> {
    let first = units.iter().find(|u| !u.blank)?;
    let last = units.iter().rfind(|u| !u.blank)?;
    Some(Chunk {
        title,
        text: content[first.start..last.text_end].to_owned(),
        kind,
        start_line: first.line,
        end_line: last.line,
    })
}

/// `text` shortened to about `max` bytes on a word boundary, on one line: for titles.
fn headline(text: &str, max: usize) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() && out.len() + 1 + word.len() > max {
            out.push('…');
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        if word.len() > max {
            out.push_str(&word[..word.floor_char_boundary(max)]);
            out.push('…');
            break;
        }
        out.push_str(word);
    }
    out
}
