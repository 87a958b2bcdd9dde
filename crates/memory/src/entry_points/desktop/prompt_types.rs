//! The window's requests about prompts and templates and their replies.

use std::collections::BTreeMap;

use contract::Sentence;

system::shapes! {
    /// A saved prompt or template.
    MemoryPrompt {
        /// `prompt`, or `template` for a text that shows memories.
        kind: String,
        /// Its name.
        name: String,
        /// Who it is for.
        scope: String,
        /// Its version.
        version: u32,
        /// Its purpose.
        description: String,
        /// The text.
        content: String,
        /// Its placeholders, in the order of the text.
        variables: Vec<PromptVariable>,
        /// Tags.
        tags: Vec<String>,
        /// A template's default format: `markdown`, `json`, `xml`; empty means the first.
        format: String,
        /// When this version was saved.
        created_ms: i64,
    }

    /// Saved prompts and templates.
    MemoryPrompts {
        /// Sorted by name, prompts first, each with its newest version first.
        rows: Vec<MemoryPrompt>,
    }

    /// A placeholder.
    PromptVariable {
        /// Its name.
        name: String,
        /// What to fill in.
        description: Option<String>,
        /// The value if none is given.
        default: Option<String>,
        /// Whether a value is required.
        required: bool,
    }

    /// A prompt to save.
    SavePrompt {
        /// The project's key, `*` or empty.
        project: String,
        /// The prompt; its version and time are ignored.
        prompt: MemoryPrompt,
    }

    /// A deleted prompt to restore.
    RestorePrompt {
        /// The project's key, `*` or empty.
        project: String,
        /// Its versions.
        rows: Vec<MemoryPrompt>,
    }

    /// A reference to a prompt.
    PromptRef {
        /// The project's key, `*` or empty.
        project: String,
        /// `prompt` or `template`.
        kind: String,
        /// Who it is for.
        scope: String,
        /// Its name.
        name: String,
    }

    /// A text to preview while the user types.
    PromptDraft {
        /// The project's key: a template shows this project's memories.
        project: String,
        /// `prompt` or `template`.
        kind: String,
        /// Its name so far.
        name: String,
        /// A template's format.
        format: String,
        /// A template's query for memories; empty for the newest.
        query: String,
        /// The text.
        content: String,
        /// Values by name; a missing one leaves the placeholder. A list's items are separated by commas.
        values: BTreeMap<String, String>,
    }

    /// A preview.
    PromptPreview {
        /// The text with its placeholders filled.
        text: String,
        /// The placeholders, in the order of the text.
        places: Vec<String>,
        /// The placeholders that are lists.
        lists: Vec<String>,
        /// The number of memories that a template shows.
        memories: u64,
        /// Whether it shows examples because no memory matches.
        examples: bool,
        /// The syntax error with its line.
        problem: Option<Sentence>,
    }
}
