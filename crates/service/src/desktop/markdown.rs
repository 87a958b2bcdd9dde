//! Which sources are rendered as Markdown.

use std::path::Path;

use knowledge::SourceInfo;

/// Pages are stored as Markdown, files tell by their extension, and text that an agent hands over usually is.
pub(super) fn is_markdown(info: &SourceInfo) -> bool {
    let of = info.origin.as_deref().unwrap_or(&info.label);
    let extension = Path::new(of).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match info.kind {
        knowledge::SourceKind::Url | knowledge::SourceKind::Text => true,
        knowledge::SourceKind::File => {
            ["md", "markdown", "mdx", "mdc"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        }
        knowledge::SourceKind::Folder | knowledge::SourceKind::Output => false,
    }
}
