//! The graph in the window: a part, one entity with its details, the graph as text, and merging two entities.

use std::collections::HashMap;

use contract::{Error, LowerError as _};

use super::graph_types::{
    EntityRef, EntityView, GraphEdge, GraphNode, GraphQuery, GraphText, GraphView, MergeEntities, Merged,
};
use super::queries;
use super::types::EntityNamed;
use super::window_context::{WindowContext, action_error, store_error};
use crate::actions::{self, EntityArgs};
use crate::graph::{Entity, EntityKind, Format, Graph, Relation, draw};
use crate::query::{Filter, Selection};
use crate::store::{Store as _, messages};

/// Maximum number of entities drawn.
const MAX_ENTITIES: usize = 2_000;
/// Maximum distance from the middle.
const MAX_DEPTH: usize = 3;
/// Maximum number of memories listed for an entity.
const MAX_MEMORIES: usize = 20;

fn load_graph(window: &WindowContext, project: &str) -> Result<Graph, Error> {
    match window.context(project).reader().map_err(action_error)? {
        Some(store) => store.graph(&queries::scope(window, project)).map_err(store_error),
        None => Ok(Graph::default()),
    }
}

fn node(entity: &Entity, depth: usize) -> GraphNode {
    GraphNode {
        id: entity.id.clone(),
        name: entity.name.clone(),
        kind: entity.kind.as_str().to_owned(),
        mentions: entity.mentions,
        depth,
    }
}

fn edge(relation: &Relation) -> GraphEdge {
    GraphEdge {
        id: relation.id.clone(),
        from: relation.from.clone(),
        to: relation.to.clone(),
        kind: relation.kind.as_str().to_owned(),
        until_ms: relation.until_ms,
    }
}

/// The requested entities with their distance from the middle, most relevant first.
fn part(graph: &Graph, asked: &GraphQuery) -> Result<Vec<(String, usize)>, Error> {
    let mut kinds = Vec::new();
    for word in &asked.kinds {
        kinds.push(EntityKind::parse(word).map_err(|error| Error::invalid(error.message()))?);
    }
    let mut wanted: Vec<(&Entity, usize)> = match &asked.around {
        Some(id) => {
            if graph.entity(id).is_none() {
                return Err(Error::new(contract::ErrorCode::NotFound, messages::no_entity(id.as_str())));
            }
            let steps = graph.within(id, asked.depth.clamp(1, MAX_DEPTH), &[]);
            steps.into_iter().map(|step| (step.entity, step.depth)).collect()
        }
        None => {
            let mut degree: HashMap<&str, u64> = HashMap::new();
            for relation in &graph.relations {
                *degree.entry(&relation.from).or_default() += 1;
                *degree.entry(&relation.to).or_default() += 1;
            }
            let weight = |one: &Entity| one.mentions + degree.get(one.id.as_str()).copied().unwrap_or(0);
            let mut all: Vec<(&Entity, usize)> = graph.entities.iter().map(|one| (one, 0)).collect();
            all.sort_by(|(a, _), (b, _)| weight(b).cmp(&weight(a)).then_with(|| a.id.cmp(&b.id)));
            all
        }
    };
    wanted.retain(|(one, depth)| {
        kinds.is_empty() || kinds.contains(&one.kind) || (asked.around.is_some() && *depth == 0)
    });
    let limit = if asked.limit == 0 { MAX_ENTITIES } else { asked.limit.min(MAX_ENTITIES) };
    Ok(wanted.into_iter().take(limit).map(|(one, depth)| (one.id.clone(), depth)).collect())
}

/// A part of the graph.
pub(super) fn view(window: &WindowContext, asked: GraphQuery) -> Result<GraphView, Error> {
    let graph = load_graph(window, &asked.project)?;
    let wanted = part(&graph, &asked)?;
    let at: HashMap<&str, &Entity> = graph.entities.iter().map(|one| (one.id.as_str(), one)).collect();
    let nodes: Vec<GraphNode> =
        wanted.iter().filter_map(|(id, depth)| at.get(id.as_str()).map(|one| node(one, *depth))).collect();
    let drawn: HashMap<&str, usize> = wanted.iter().map(|(id, depth)| (id.as_str(), *depth)).collect();
    let both = |one: &&Relation| drawn.contains_key(one.from.as_str()) && drawn.contains_key(one.to.as_str());
    let edges = graph.relations.iter().filter(both).map(edge).collect();
    Ok(GraphView { nodes, edges, total: graph.entities.len() as u64 })
}

/// A part of the graph as a Mermaid flowchart.
pub(super) fn text(window: &WindowContext, asked: GraphQuery) -> Result<GraphText, Error> {
    let graph = load_graph(window, &asked.project)?;
    let wanted: HashMap<String, usize> = part(&graph, &asked)?.into_iter().collect();
    Ok(GraphText { text: draw(&graph.only(|one| wanted.contains_key(&one.id)), Format::Mermaid) })
}

/// One entity with its details.
pub(super) fn entity(window: &WindowContext, asked: EntityRef) -> Result<EntityView, Error> {
    let gone = || Error::new(contract::ErrorCode::NotFound, messages::no_entity(asked.id.as_str()));
    let store = window.context(&asked.project).reader().map_err(action_error)?.ok_or_else(gone)?;
    let scope = queries::scope(window, &asked.project);
    let graph = store.graph(&scope).map_err(store_error)?;
    let one = graph.entity(&asked.id).ok_or_else(gone)?;
    let edges: Vec<GraphEdge> =
        graph.relations.iter().filter(|edge| edge.from == one.id || edge.to == one.id).map(edge).collect();
    let mut others: Vec<EntityNamed> = Vec::new();
    for id in edges.iter().flat_map(|edge| [&edge.from, &edge.to]) {
        if *id != one.id
            && others.iter().all(|other| other.id != *id)
            && let Some(other) = graph.entity(id)
        {
            others.push(EntityNamed { id: other.id.clone(), name: other.name.clone() });
        }
    }
    let selection = Selection { scope: scope.clone(), filter: Filter::default(), now_ms: window.now_ms() };
    let mut memories = Vec::new();
    for id in
        store.ids_mentioning(&scope, std::slice::from_ref(&one.id), MAX_MEMORIES * 5).map_err(store_error)?
    {
        let memory = store.get(&id).map_err(store_error)?.filter(|memory| selection.accepts(memory));
        if let Some(memory) = memory {
            memories.push(queries::row(window, &store, &memory, None)?);
        }
        if memories.len() == MAX_MEMORIES {
            break;
        }
    }
    let mut aliases = one.aliases.clone();
    for other in store.aliases_of(&scope, &one.name).map_err(store_error)? {
        if aliases.iter().all(|known| !known.eq_ignore_ascii_case(&other)) {
            aliases.push(other);
        }
    }
    Ok(EntityView { node: node(one, 0), aliases, edges, others, memories })
}

/// Merges two entities, or previews it.
pub(super) fn merge(window: &WindowContext, asked: MergeEntities) -> Result<Merged, Error> {
    let given = EntityArgs {
        entity_ids: vec![asked.keep, asked.other],
        dry_run: asked.preview,
        ..EntityArgs::default()
    };
    let reply = actions::merge_entities(&window.context(&asked.project), &given).map_err(action_error)?;
    Ok(Merged {
        name: reply["name"].as_str().unwrap_or_default().to_owned(),
        mentions: reply["mentions"].as_u64().unwrap_or(0),
        relations: reply["relationships"].as_u64().unwrap_or(0),
    })
}
