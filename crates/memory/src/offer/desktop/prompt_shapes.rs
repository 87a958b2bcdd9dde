//! What the window asks of prompts and templates and what it is answered, as types like those of `shapes`.

use std::collections::BTreeMap;

system::shapes! {
    /// A saved prompt or template.
    MemoryPrompt {
        /// `prompt`, or `template` for a form in which memories are shown.
        kind: String,
        /// Its name.
        name: String,
        /// Who it is for.
        scope: String,
        /// Its version.
        version: u32,
        /// What it is good for.
        description: String,
        /// The text.
        content: String,
        /// What is known of its places, in the order of the text.
        variables: Vec<PromptVariable>,
        /// Tags.
        tags: Vec<String>,
        /// How a template is shown where nothing else is asked: `markdown`, `json`, `xml`; empty for the first.
        format: String,
        /// When this version was saved.
        created_ms: i64,
    }

    /// Saved prompts and templates.
    MemoryPrompts {
        /// By name, prompts first; of one, the newest version first.
        rows: Vec<MemoryPrompt>,
    }

    /// A place for a value.
    PromptVariable {
        /// Its name.
        name: String,
        /// What is to be given.
        description: Option<String>,
        /// What applies when nothing is given.
        default: Option<String>,
        /// Whether it must be given.
        required: bool,
    }

    /// A prompt to save.
    SavePrompt {
        /// From where.
        project: String,
        /// The prompt; its version and time are not looked at.
        prompt: MemoryPrompt,
    }

    /// A prompt to bring back.
    RestorePrompt {
        /// From where.
        project: String,
        /// Its versions, as they were.
        rows: Vec<MemoryPrompt>,
    }

    /// A prompt by its name.
    PromptRef {
        /// From where.
        project: String,
        /// `prompt` or `template`.
        kind: String,
        /// Who it is for.
        scope: String,
        /// Its name.
        name: String,
    }

    /// A text whose places are filled as one types.
    PromptDraft {
        /// From where: a template shows this project's memories.
        project: String,
        /// `prompt` or `template`.
        kind: String,
        /// Its name so far.
        name: String,
        /// How a template is shown.
        format: String,
        /// Which memories a template shows, as one searches for them; empty for the newest.
        query: String,
        /// The text.
        content: String,
        /// Values by name; what is missing stays a place. Of a list, one in each part between commas.
        values: BTreeMap<String, String>,
    }

    /// How it reads.
    PromptPreview {
        /// The text with its places filled.
        text: String,
        /// The places there are, in the order of the text.
        places: Vec<String>,
        /// Those of them that are lists.
        lists: Vec<String>,
        /// How many memories a template shows.
        memories: u64,
        /// No memory fits, so examples stand for them.
        examples: bool,
        /// Why it can't be read, with its line.
        problem: Option<String>,
    }
}
