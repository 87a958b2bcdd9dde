//! The window's requests about the graph and their replies.

use super::types::{EntityNamed, MemoryRow};

system::shapes! {
    /// Which part of the graph to show.
    GraphQuery {
        /// The project's key, `*` or empty.
        project: String,
        /// The id of the entity in the middle; none for the most mentioned ones.
        around: Option<String>,
        /// Maximum distance from the middle.
        depth: usize,
        /// Only these kinds of entities; empty for all.
        kinds: Vec<String>,
        /// Maximum number of entities.
        limit: usize,
    }

    /// A part of the graph.
    GraphView {
        /// The entities: the one in the middle first, then by mentions.
        nodes: Vec<GraphNode>,
        /// The relations between them.
        edges: Vec<GraphEdge>,
        /// The number of entities in total.
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
        /// The number of memories that mention it.
        mentions: u64,
        /// The distance from the middle.
        depth: usize,
    }

    /// A relation.
    GraphEdge {
        /// Its id.
        id: String,
        /// The source entity's id.
        from: String,
        /// The target entity's id.
        to: String,
        /// How the source relates to the target.
        kind: String,
        /// When it ended, if it did.
        until_ms: Option<i64>,
    }

    /// The graph as text.
    GraphText {
        /// A Mermaid flowchart.
        text: String,
    }

    /// A reference to an entity.
    EntityRef {
        /// The project's key, `*` or empty.
        project: String,
        /// Its id.
        id: String,
    }

    /// An entity with its details.
    EntityView {
        /// As in the graph.
        node: GraphNode,
        /// Its aliases.
        aliases: Vec<String>,
        /// Its relations.
        edges: Vec<GraphEdge>,
        /// The entities at the other ends of its relations.
        others: Vec<EntityNamed>,
        /// Memories that mention it, newest first.
        memories: Vec<MemoryRow>,
    }

    /// Two entities to merge.
    MergeEntities {
        /// The project's key, `*` or empty.
        project: String,
        /// The entity that stays.
        keep: String,
        /// The entity whose name becomes an alias.
        other: String,
        /// Only report what the merge would do.
        preview: bool,
    }

    /// The result of a merge.
    Merged {
        /// The merged entity's name.
        name: String,
        /// The number of memories that mention it.
        mentions: u64,
        /// The number of relations that change.
        relations: u64,
    }
}
