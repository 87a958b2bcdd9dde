//! What the person typed in a session, out of the end of its transcript. Owns how far back is read; what of a line is the
//! person's, the format says.

use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use crate::document::Document;
use crate::format::Format;
use crate::lines::{Lines, Piece};
use crate::records::LINE_BYTES;
use crate::value::object;

/// What was typed, the first first, out of the last `most` bytes of a transcript. A document of messages is read whole or, when
/// it is longer, not at all. Lines that cannot be read are passed over.
///
/// # Errors
/// When the file cannot be read.
pub fn prompts(path: &Path, format: &Format, most: u64) -> io::Result<Vec<String>> {
    let mut file = home::open_regular(path)?;
    let length = file.metadata()?.len();
    let from = length.saturating_sub(most);
    let mut found = Vec::new();
    let mut take = |bytes: &[u8]| {
        if let Some(line) = object(bytes) {
            (format.prompts)(&line, &mut found);
        }
    };
    if format.document {
        if from > 0 {
            return Ok(Vec::new());
        }
        let mut pieces = Document::new(file, LINE_BYTES);
        while let Some(piece) = pieces.next()? {
            if piece == Piece::Whole {
                take(pieces.piece());
            }
        }
    } else {
        file.seek(SeekFrom::Start(from))?;
        // Whoever begins within a line does not know what it is.
        let mut lines = Lines::new(file, LINE_BYTES, from, from > 0);
        while let Some(piece) = lines.next()? {
            if matches!(piece, Piece::Whole | Piece::Open) {
                take(lines.line());
            }
        }
    }
    // What agents and their hooks put into a conversation in the person's name is framed; nobody begins a sentence so.
    found.retain(|text| !text.trim().is_empty() && !text.trim_start().starts_with(['<', '[']));
    Ok(found)
}
