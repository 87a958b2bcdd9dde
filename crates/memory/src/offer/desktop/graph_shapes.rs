//! What the window asks of the graph and what it is answered, as types like those of `shapes`.

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
}
