//! What a caller asks for: the dialect a host reads, and the edits to be made in its file.
//!
//! Owns the words only. How an edit becomes bytes is the business of `json`, `toml`, `block` and `whole`.

use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The language a host reads its file in. Strictness follows the host: a file that its owner would reject
/// is refused here too, instead of being "repaired" into something the owner still rejects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// RFC 8259: no comments, no trailing commas.
    Json,
    /// JSON with `//` and `/* */` comments, but no trailing commas.
    JsonComments,
    /// Comments and trailing commas.
    Jsonc,
    /// TOML 1.1.
    Toml,
    /// Markdown or any other plain text; only [`Edit::Block`] and [`Edit::Whole`] apply.
    Markdown,
}

impl Dialect {
    /// Whether the file is one of the three kinds of JSON.
    pub fn is_json(self) -> bool {
        matches!(self, Dialect::Json | Dialect::JsonComments | Dialect::Jsonc)
    }
}

/// A dialect, and whether the host tolerates a UTF-8 byte order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The language of the file.
    pub dialect: Dialect,
    /// `true`: a byte order mark in the file is kept. `false`: it is dropped with a note, because the host
    /// refuses or silently ignores a file that starts with one.
    pub bom_ok: bool,
}

impl Format {
    /// A format whose host tolerates a byte order mark.
    pub fn new(dialect: Dialect) -> Format {
        Format { dialect, bom_ok: true }
    }

    /// The same dialect read by a host that does not tolerate a byte order mark.
    pub fn without_bom(dialect: Dialect) -> Format {
        Format { dialect, bom_ok: false }
    }
}

/// Recognises a value (an array element, or what stands at a path) as an entry of ours.
#[derive(Clone)]
pub struct Ours(pub Arc<dyn Fn(&Value) -> bool + Send + Sync>);

impl Ours {
    /// Wraps a test.
    pub fn new(test: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Ours {
        Ours(Arc::new(test))
    }

    /// Whether `value` is ours.
    pub fn is(&self, value: &Value) -> bool {
        (self.0)(value)
    }
}

impl fmt::Debug for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ours(…)")
    }
}

/// How a marked block's two marker lines are written, so that the host does not read them as content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comment {
    /// `<!-- … -->`
    Html,
    /// `# …`
    Hash,
}

/// One change to one file. All edits of a file are planned together: one refusal refuses the file.
#[derive(Debug, Clone)]
pub enum Edit {
    /// A member of an object (JSON) or a table or key (TOML). Missing parents are created. A foreign value
    /// at the path is refused, never replaced.
    Set {
        /// Keys from the root to the member.
        path: Vec<String>,
        /// What shall stand there.
        value: Value,
        /// Whether what stands there now is an earlier entry of ours.
        ours: Ours,
        /// `true`: keys that the user added to our entry stay, ours are updated one by one.
        /// `false`: the entry is replaced as a whole (needed when the transport changes).
        keep_extra_keys: bool,
    },
    /// The array at the path holds exactly one element of ours, equal to `value`. A new one goes last, so
    /// that the positions of the user's own elements do not shift; an outdated one is replaced where it is.
    Put {
        /// Keys from the root to the array.
        path: Vec<String>,
        /// The element.
        value: Value,
        /// Recognises elements of ours, including outdated ones.
        ours: Ours,
    },
    /// A member that must exist for the host's sake (a schema version); an existing value always stays.
    SetIfAbsent {
        /// Keys from the root to the member.
        path: Vec<String>,
        /// What shall stand there if nothing does.
        value: Value,
    },
    /// A key that is called otherwise once our entries are gone, because it counts them: made when taking out, in TOML.
    /// Nothing happens when there is nothing at `from`, or something at `to`.
    RenameOnRemoval {
        /// Keys from the root to what stands there now.
        from: Vec<String>,
        /// The same path with another last key.
        to: Vec<String>,
    },
    /// A block of text between two marker lines, at the end of the file unless it is there already.
    Block {
        /// Names the block; part of both markers.
        id: String,
        /// The text between the markers, without the final line end.
        text: String,
        /// How the markers are written.
        comment: Comment,
    },
    /// A file that is wholly ours. A foreign file at the path is refused. To let a later version replace an
    /// earlier text, the text must carry [`crate::OWNED_MARK`] in one of its first lines.
    Whole {
        /// The whole content of the file.
        text: String,
    },
}

impl Edit {
    /// The path inside the file, for messages: `mcpServers.plimsoll`, a block's id, or `the whole file`.
    pub fn place(&self) -> String {
        match self {
            Edit::Set { path, .. } | Edit::Put { path, .. } | Edit::SetIfAbsent { path, .. } => dotted(path),
            Edit::RenameOnRemoval { from, .. } => dotted(from),
            Edit::Block { id, .. } => format!("block `{id}`"),
            Edit::Whole { .. } => "the whole file".to_owned(),
        }
    }
}

/// A path as people write it.
pub(crate) fn dotted(path: &[String]) -> String {
    if path.is_empty() { "the root".to_owned() } else { path.join(".") }
}
