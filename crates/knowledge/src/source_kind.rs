//! The kinds of sources, and the words that they are stored as.

/// A source's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// Text passed directly.
    Text,
    /// A file.
    File,
    /// A folder; its files are sources of their own.
    Folder,
    /// A web page.
    Url,
    /// A command's output.
    Output,
}

impl SourceKind {
    /// The word it is stored as.
    pub fn as_str(self) -> &'static str {
        match self {
            SourceKind::Text => "text",
            SourceKind::File => "file",
            SourceKind::Folder => "folder",
            SourceKind::Url => "url",
            SourceKind::Output => "output",
        }
    }

    pub(crate) fn from_stored(word: &str) -> SourceKind {
        match word {
            "file" => SourceKind::File,
            "folder" => SourceKind::Folder,
            "url" => SourceKind::Url,
            "output" => SourceKind::Output,
            _ => SourceKind::Text,
        }
    }
}
