//! What a chunk's title says about its text: the part that a search may match. The rest is Plimsoll's own: the range of
//! lines, and the name that an output or a text got because nobody gave it one. "lines" or "5" would match in every one of them.

use std::borrow::Cow;

use crate::source_kind::SourceKind;

/// The beginning of the label of a text that came without one.
const UNNAMED_TEXT: &str = "text:";

/// The searchable part of `title`, which may be empty. `label` is the source's, `lines` are the chunk's first and last.
pub(crate) fn subject<'a>(kind: SourceKind, label: &str, title: &'a str, lines: (u32, u32)) -> Cow<'a, str> {
    let range = if lines.0 == lines.1 {
        format!("line {}", lines.0)
    } else {
        format!("lines {}–{}", lines.0, lines.1)
    };
    let title = match title.strip_suffix(range.as_str()) {
        Some("") => "",
        Some(before) => before.strip_suffix(": ").unwrap_or(title),
        None => title,
    };
    match kind {
        SourceKind::Text => Cow::Borrowed(title.strip_prefix(UNNAMED_TEXT).unwrap_or(title)),
        SourceKind::Output => match title.strip_prefix(label) {
            // `output:<id>`, or `batch:<id>/<number> <the caller's label>`.
            Some(rest) => match label.split_once(' ') {
                Some((_, given)) => Cow::Owned(format!("{given}{rest}")),
                None => Cow::Borrowed(rest.trim_start_matches(": ")),
            },
            None => Cow::Borrowed(title),
        },
        SourceKind::File | SourceKind::Folder | SourceKind::Url => Cow::Borrowed(title),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_is_what_describes_the_text() {
        use SourceKind::{File, Output, Text, Url};
        for (kind, label, title, lines, left) in [
            (Output, "output:hold1", "output:hold1", (1, 9), ""),
            (Output, "output:hold1/2", "output:hold1/2: lines 21–40", (21, 40), ""),
            (Output, "batch:hold1/5 npm test", "batch:hold1/5 npm test: line 7", (7, 7), "npm test"),
            (Output, "batch:hold1/5 npm test", "batch:hold1/5 npm test", (1, 1), "npm test"),
            (Output, "output:hold1", "output:hold1: Tests failed in…", (1, 9), "Tests failed in…"),
            (Output, "output:hold1", "Summary > Totals", (1, 9), "Summary > Totals"),
            (Text, "text:Tide tables", "text:Tide tables", (1, 2), "Tide tables"),
            (Text, "notes", "notes: lines 1–20", (1, 20), "notes"),
            (File, "/a/server.log", "server.log: lines 21–40", (21, 40), "server.log"),
            (File, "/a/server.log", "server.log: lines 21–40", (22, 40), "server.log: lines 21–40"),
            (File, "/a/x.md", "Guide > On line 3", (3, 3), "Guide > On line 3"),
            (Url, "https://x.org/a", "https://x.org/a", (1, 1), "https://x.org/a"),
            (Text, "", "lines 1–2", (1, 2), ""),
        ] {
            assert_eq!(subject(kind, label, title, lines), left, "{label} {title}");
        }
    }
}
