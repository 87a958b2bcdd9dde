//! Cuts and insertions in a text by byte range, and the line arithmetic that every dialect needs. All ranges come from a
//! parser or from ASCII searches, so they are on character boundaries.

use std::ops::Range;

/// One replacement in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Splice {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Splice {
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Splice {
        Splice { range: at..at, text: text.into() }
    }

    pub(crate) fn delete(range: Range<usize>) -> Splice {
        Splice { range, text: String::new() }
    }

    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Splice {
        Splice { range, text: text.into() }
    }
}

/// The text after all splices. They must not overlap; two at the same position keep their order.
pub(crate) fn apply_splices(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.range.start);
    let mut out = String::with_capacity(text.len() + splices.iter().map(|s| s.text.len()).sum::<usize>());
    let mut from = 0;
    for splice in splices {
        out.push_str(text.get(from..splice.range.start).unwrap_or_default());
        out.push_str(&splice.text);
        from = splice.range.end.max(from);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// The most common line end in the text; `\n` for a text without any.
pub(crate) fn dominant_line_end(text: &str) -> &'static str {
    let (mut all, mut windows) = (0, 0);
    for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
        all += 1;
        windows += usize::from(text.as_bytes()[..at].ends_with(b"\r"));
    }
    if windows * 2 > all { "\r\n" } else { "\n" }
}

/// The start of the line that contains `at`.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |newline| newline + 1)
}

/// Just after the line end of the line that contains `at`, or the end of the text.
pub(crate) fn after_line(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |newline| at + newline + 1)
}

/// The blanks and tabs at the start of the line that contains `at`.
pub(crate) fn indent_of(text: &str, at: usize) -> &str {
    let start = line_start(text, at);
    let end = text.as_bytes()[start..]
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t'))
        .map_or(text.len(), |offset| start + offset);
    &text[start..end.min(at.max(start))]
}

/// The start of the blanks and tabs before `at`.
pub(crate) fn blanks_before(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1)
}

/// The end of the blanks and tabs from `at` on.
pub(crate) fn blanks_after(text: &str, at: usize) -> usize {
    text.as_bytes()[at..].iter().position(|byte| !matches!(byte, b' ' | b'\t')).map_or(text.len(), |n| at + n)
}

/// The start of the line end that ends right before `at`, if there is one.
pub(crate) fn line_end_before(text: &str, at: usize) -> Option<usize> {
    let head = &text.as_bytes()[..at];
    if head.ends_with(b"\r\n") {
        Some(at - 2)
    } else if head.ends_with(b"\n") {
        Some(at - 1)
    } else {
        None
    }
}

/// Line and column (in characters), both from 1, of a byte offset.
pub(crate) fn position(text: &str, at: usize) -> (usize, usize) {
    let at = text.floor_char_boundary(at);
    let line = text[..at].matches('\n').count() + 1;
    let column = text[line_start(text, at)..at].chars().count() + 1;
    (line, column)
}

/// The text with `block` (without a final line end) as its last paragraph, after an empty line. A text without a final
/// line end stays without. [`without_paragraph`] is the exact inverse.
pub(crate) fn with_paragraph(text: &str, block: &str, eol: &str) -> String {
    if text.is_empty() {
        format!("{block}{eol}")
    } else if text.ends_with('\n') {
        format!("{text}{eol}{block}{eol}")
    } else {
        format!("{text}{eol}{eol}{block}")
    }
}

/// The cut that removes a paragraph: the lines in `range`, and the empty line before them. `range` begins at a line start
/// and ends after the last line's end, or at the end of the text.
pub(crate) fn without_paragraph(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start;
    if let Some(above) = line_end_before(text, start) {
        let open_end = range.end == text.len() && !text[range.clone()].ends_with('\n');
        let empty_line = above == 0 || line_end_before(text, above).is_some();
        if empty_line {
            start = above;
        }
        if open_end {
            // The text had no final line end before: remove the one that the edit added.
            start = line_end_before(text, start).unwrap_or(start);
        }
    }
    start..range.end
}
