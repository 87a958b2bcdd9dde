//! What the window asks of the graph and of prompts and what it is answered, as types like those of `shapes`.

use std::collections::BTreeMap;

use super::shapes::{EntityNamed, MemoryRow};

system::shapes! {
    /// Which part of the graph is wanted.
    GraphQuery {
        /// From where.
        project: String,
        /// The id of the entity in the middle; none for what is spoken of most.
        around: Option<String>,
        /// How far from it.
        depth: usize,
        /// Only entities of these kinds; none for all.
        kinds: Vec<String>,
        /// At most so many.
        limit: usize,
    }

    /// A part of the graph.
    GraphView {
        /// The entities, those that are spoken of most first; the one in the middle before all.
        nodes: Vec<GraphNode>,
        /// The relations between them.
        edges: Vec<GraphEdge>,
        /// How many entities there are in all.
        total: u64,
    }

    /// An entity.
    GraphNode {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
        /// `Person`, `Organization`, `Technology`, `Concept`, `File`.
        kind: String,
        /// How many memories speak of it.
        mentions: u64,
        /// How many steps from the middle.
        depth: usize,
    }

    /// A relation.
    GraphEdge {
        /// Its id.
        id: String,
        /// The entity it leads from.
        from: String,
        /// The entity it leads to.
        to: String,
        /// What the first is to the second.
        kind: String,
        /// Until when, if no longer.
        until_ms: Option<i64>,
    }

    /// The graph as text.
    GraphText {
        /// A Mermaid flowchart.
        text: String,
    }

    /// One entity.
    EntityRef {
        /// From where.
        project: String,
        /// Its id.
        id: String,
    }

    /// An entity, whole.
    EntityView {
        /// As in the graph.
        node: GraphNode,
        /// Other names.
        aliases: Vec<String>,
        /// The relations it has.
        edges: Vec<GraphEdge>,
        /// The entities at their other ends.
        others: Vec<EntityNamed>,
        /// Memories that speak of it, the newest first.
        memories: Vec<MemoryRow>,
    }

    /// Two entities that are one.
    MergeEntities {
        /// From where.
        project: String,
        /// The one that stays.
        keep: String,
        /// The one that becomes another name.
        other: String,
        /// Only say what would be done.
        preview: bool,
    }

    /// What merging does.
    Merged {
        /// What they are called together.
        name: String,
        /// How many memories speak of it then.
        mentions: u64,
        /// How many relations are touched.
        relations: u64,
    }

    /// A saved prompt.
    MemoryPrompt {
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
        /// When this version was saved.
        created_ms: i64,
    }

    /// The saved prompts.
    MemoryPrompts {
        /// By name.
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

    /// A prompt by its name.
    PromptRef {
        /// From where.
        project: String,
        /// Who it is for.
        scope: String,
        /// Its name.
        name: String,
    }

    /// A text whose places are filled as one types.
    PromptDraft {
        /// The text.
        content: String,
        /// Values by name; what is missing stays a place.
        values: BTreeMap<String, String>,
    }

    /// How it reads.
    PromptPreview {
        /// The text with its places filled.
        text: String,
        /// The places there are, in the order of the text.
        places: Vec<String>,
        /// Why it can't be read, with its line.
        problem: Option<String>,
    }
}
