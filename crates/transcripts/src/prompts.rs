//! What the user typed in a session, from the end of its transcript. Owns how far back it reads; the format knows which
//! parts of a line are the user's.

use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use crate::document::Document;
use crate::format::Format;
use crate::lines::{Lines, Piece};
use crate::records::LINE_BYTES;
use crate::value::object;

/// The typed prompts, first to last, from the last `most` bytes of a transcript. A document of messages is read whole, or
/// not at all if it is longer. Unreadable lines are skipped.
///
/// # Errors
/// If the file can't be read.
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
        // The first line may be a fragment.
        let mut lines = Lines::new(file, LINE_BYTES, from, from > 0);
        while let Some(piece) = lines.next()? {
            if matches!(piece, Piece::Whole | Piece::Open) {
                take(lines.line());
            }
        }
    }
    // Text that agents and hooks add in the user's name is in tags; no one types a sentence like that.
    found.retain(|text| !text.trim().is_empty() && !text.trim_start().starts_with(['<', '[']));
    Ok(found)
}
