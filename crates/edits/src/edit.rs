//! The caller's vocabulary: the dialect that an agent reads, and the edits to its file. `json`, `toml`, `block` and
//! `owned_file` turn an edit into bytes.

use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The language that an agent reads its file in. Strictness follows the agent: a file that its owner would reject is
/// refused here too, instead of being "repaired" into something that the owner still rejects.
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

/// A dialect, and whether the agent tolerates a UTF-8 byte order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The language of the file.
    pub dialect: Dialect,
    /// `true`: the file's byte order mark is kept. `false`: it is dropped with a note, because the agent refuses or silently
    /// ignores a file that starts with one.
    pub bom_ok: bool,
}

impl Format {
    /// A format whose agent tolerates a byte order mark.
    pub fn new(dialect: Dialect) -> Format {
        Format { dialect, bom_ok: true }
    }

    /// The same dialect for an agent that doesn't tolerate a byte order mark.
    pub fn without_bom(dialect: Dialect) -> Format {
        Format { dialect, bom_ok: false }
    }
}

/// Recognises a value (an array element, or the value at a path) as Plimsoll's.
#[derive(Clone)]
pub struct EntryMatcher(pub Arc<dyn Fn(&Value) -> bool + Send + Sync>);

impl EntryMatcher {
    /// Wraps a test.
    pub fn new(test: impl Fn(&Value) -> bool + Send + Sync + 'static) -> EntryMatcher {
        EntryMatcher(Arc::new(test))
    }

    /// Whether `value` is Plimsoll's.
    pub fn is(&self, value: &Value) -> bool {
        (self.0)(value)
    }
}

impl fmt::Debug for EntryMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EntryMatcher(…)")
    }
}

/// How a block's marker lines are written, so that the agent doesn't read them as content.
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
    /// A member of an object (JSON) or a table or key (TOML). Missing parents are created. Someone else's value at the path
    /// is refused, never replaced.
    Set {
        /// Keys from the root to the member.
        path: Vec<String>,
        /// The wanted value.
        value: Value,
        /// Whether the current value is one of Plimsoll's earlier entries.
        ours: EntryMatcher,
        /// `true`: keys that the user added to the entry stay, the entry's are updated one by one. `false`: the entry is
        /// replaced as a whole (needed when the transport changes).
        keep_extra_keys: bool,
    },
    /// The array at the path has exactly one of Plimsoll's elements, equal to `value`. A new one goes last, so that the
    /// positions of the user's elements don't shift; an outdated one is replaced in place.
    Put {
        /// Keys from the root to the array.
        path: Vec<String>,
        /// The element.
        value: Value,
        /// Recognises Plimsoll's elements, including outdated ones.
        ours: EntryMatcher,
    },
    /// A member that the agent requires (a schema version); an existing value always stays.
    SetIfAbsent {
        /// Keys from the root to the member.
        path: Vec<String>,
        /// The value if there is none.
        value: Value,
    },
    /// A TOML key to rename on removal, because it counts Plimsoll's entries. Nothing happens if `from` is missing or `to`
    /// exists.
    RenameOnRemoval {
        /// Keys from the root to the current name.
        from: Vec<String>,
        /// The same path with another last key.
        to: Vec<String>,
    },
    /// A block of text between two marker lines, at the end of the file unless it is there already.
    Block {
        /// The block's name; part of both markers.
        id: String,
        /// The text between the markers, without the final line end.
        text: String,
        /// How the markers are written.
        comment: Comment,
    },
    /// A file that is Plimsoll's as a whole. Someone else's file at the path is refused. For a later version to replace
    /// an earlier text, the text must contain [`crate::OWNED_MARK`] in one of its first lines.
    Whole {
        /// The file's complete content.
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

/// A path in the usual dotted notation.
pub(crate) fn dotted(path: &[String]) -> String {
    if path.is_empty() { "the root".to_owned() } else { path.join(".") }
}
