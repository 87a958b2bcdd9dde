//! Graph queries: an entity's neighbours, the path between two entities, statistics and a drawing.

use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use super::reply_json::page_of;
use crate::domain::{composed, iso, quoted_beginning};
use crate::graph::{Entity, EntityKind, Format, Graph, Relation, RelationKind, draw, folded};
use crate::store::Store;

/// Maximum number of memories listed for an entity.
const MAX_MEMORIES: usize = 5;
/// Maximum depth.
const MAX_DEPTH: usize = 3;
/// Maximum number of nodes in a drawing.
const MAX_NODES: usize = 200;

/// Arguments of the graph queries.
#[derive(Debug, Clone, Default)]
pub struct GraphArgs {
    /// The entity in the middle: its id or one of its names.
    pub entity: Option<String>,
    /// The start of a path.
    pub from: Option<String>,
    /// The end of a path.
    pub to: Option<String>,
    /// Maximum distance from the middle.
    pub depth: Option<usize>,
    /// Maximum length of a path.
    pub max_hops: Option<usize>,
    /// Only these kinds of relations.
    pub relationship_types: Vec<String>,
    /// Only these kinds of entities.
    pub entity_types: Vec<String>,
    /// The drawing's format.
    pub format: Option<String>,
    /// Maximum number of entities.
    pub limit: Option<usize>,
    /// How many neighbours to skip.
    pub offset: Option<usize>,
}

/// The graph that the caller sees: without what only files name or relate that its rules hide.
pub(super) fn load_graph(context: &ActionContext) -> Result<Graph, Failure> {
    let Some(store) = context.reader()? else { return Ok(Graph::default()) };
    let mut graph = store.graph(&context.scope())?;
    let Some(condition) = context.hidden_files() else { return Ok(graph) };
    let hidden = store.named_only_by_hidden(&context.scope(), &condition)?;
    let told = store.told_only_by_hidden(&context.scope(), &condition)?;
    graph.relations.retain(|relation| !told.contains(&relation.id));
    Ok(if hidden.is_empty() { graph } else { graph.only(|entity| !hidden.contains(&entity.id)) })
}

/// The graph without the relations that have ended.
fn load_current(context: &ActionContext) -> Result<Graph, Failure> {
    let mut graph = load_graph(context)?;
    graph.relations.retain(|relation| relation.until_ms.is_none_or(|at| at > context.who.at_ms));
    Ok(graph)
}

/// The entity with this id or name.
pub(super) fn find<'a>(
    context: &ActionContext,
    graph: &'a Graph,
    wanted: &str,
) -> Result<&'a Entity, Failure> {
    let lower = composed(wanted.trim()).to_lowercase();
    let name = folded(wanted);
    // `entity_postgres` finds the entity named PostgreSQL.
    let plain = lower.strip_prefix("entity_").map_or_else(|| name.clone(), |rest| rest.replace('_', " "));
    let called = |entity: &&Entity| {
        folded(&entity.name) == name || entity.aliases.iter().any(|alias| folded(alias) == name)
    };
    // An id is as an earlier version made it, which composed nothing.
    let by_id = graph.entity(&lower).or_else(|| graph.entity(&wanted.trim().to_lowercase()));
    if let Some(found) = by_id.or_else(|| graph.entities.iter().find(called)) {
        return Ok(found);
    }
    // Well-known names of technologies need no alias.
    if let Some(store) = context.reader()? {
        for other in store.aliases_of(&context.scope(), &plain)? {
            if let Some(found) = graph.entities.iter().find(|entity| folded(&entity.name) == other) {
                return Ok(found);
            }
        }
    }
    Err(Failure::not_found(
        -32604,
        format!(
            "there is no entity {:?}; {} shows those there are",
            quoted_beginning(wanted),
            context.in_words_of_caller("`plimsoll graph entities`", "`list` of entities")
        ),
    ))
}

pub(super) fn kinds(words: &[String]) -> Result<Vec<RelationKind>, Failure> {
    Ok(words.iter().map(|word| RelationKind::parse(word)).collect::<Result<_, _>>()?)
}

pub(super) fn entity(entity: &Entity) -> Value {
    let mut out = json!({"id": entity.id, "name": entity.name, "entity_type": entity.kind, "mentions": entity.mentions});
    if !entity.aliases.is_empty() {
        out["aliases"] = entity.aliases.clone().into();
    }
    if !entity.properties.is_empty() {
        out["properties"] = entity.properties.clone().into();
    }
    if entity.confidence < 1.0 {
        out["confidence"] = entity.confidence.into();
    }
    out
}

pub(super) fn relation(relation: &Relation) -> Value {
    let mut out = json!({
        "id": relation.id, "from_entity": relation.from, "to_entity": relation.to,
        "relationship_type": relation.kind, "confidence": relation.confidence,
    });
    // One that had ended when it was recorded began at a moment that nobody stated.
    if relation.until_ms.is_none_or(|until| relation.since_ms <= until) {
        out["since"] = iso(relation.since_ms).into();
    }
    if !relation.properties.is_empty() {
        out["properties"] = relation.properties.clone().into();
    }
    if let Some(until) = relation.until_ms {
        out["until"] = iso(until).into();
    }
    out
}

/// An entity's neighbours, and the memories that mention it.
///
/// # Errors
/// [`Failure`].
pub fn neighbors(context: &ActionContext, asked: &GraphArgs) -> super::Reply {
    let wanted = asked.entity.as_deref().ok_or_else(|| {
        Failure::invalid(context.in_words_of_caller("neighbors needs NAME", "neighbors needs entity_id"))
    })?;
    let depth = asked.depth.unwrap_or(1);
    if !(1..=MAX_DEPTH).contains(&depth) {
        let named = context.in_words_of_caller("--depth", "depth");
        return Err(Failure::invalid(format!("{named} is {depth}; it is between 1 and {MAX_DEPTH}")));
    }
    let kinds = kinds(&asked.relationship_types)?;
    let graph = load_current(context)?;
    let middle = find(context, &graph, wanted)?;
    let limit = asked.limit.unwrap_or(50).clamp(1, MAX_NODES);
    let steps = graph.within(&middle.id, depth, &kinds);
    let all = steps.get(1..).unwrap_or_default();
    let (shown, next) = page_of(all, asked.offset, limit);
    let around: Vec<Value> = shown
        .iter()
        .map(|step| {
            let mut out = entity(step.entity);
            out["depth"] = step.depth.into();
            if let Some(by) = step.by {
                out["relationship"] = link(by);
            }
            out
        })
        .collect();
    let out = json!({
        "entity": entity(middle),
        "neighbors": around,
        "total": all.len(),
        "memories": memories(context, middle)?,
    });
    Ok(with_rest(out, next, graph.left_out))
}

/// A list with what isn't in it: where the next page begins, and what was too much to read.
pub(super) fn with_rest(mut out: Value, next: Option<usize>, left_out: u64) -> Value {
    if let Some(next) = next {
        out["next_offset"] = next.into();
    }
    if left_out > 0 {
        out["note"] =
            format!("{left_out} entities are left out: there are more than can be read at once").into();
    }
    out
}

/// Active memories that mention an entity, newest first.
fn memories(context: &ActionContext, entity: &Entity) -> Result<Vec<Value>, Failure> {
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let selection = context.in_use();
    let mut out = Vec::new();
    for id in store.ids_mentioning(&context.scope(), &[entity.id.clone(), entity.name.clone()], 100)? {
        let seen = store.get(&id)?.filter(|memory| selection.accepts(memory));
        out.extend(seen.map(|memory| json!({"id": memory.id, "uri": memory.urn()})));
        if out.len() == MAX_MEMORIES {
            break;
        }
    }
    Ok(out)
}

/// The shortest path between two entities.
///
/// # Errors
/// [`Failure`].
pub fn path(context: &ActionContext, asked: &GraphArgs) -> super::Reply {
    let (Some(from), Some(to)) = (&asked.from, &asked.to) else {
        return Err(Failure::invalid(
            context.in_words_of_caller("path needs two names", "path needs from_entity and to_entity"),
        ));
    };
    let hops = asked.max_hops.or(asked.depth).unwrap_or(5);
    if !(1..=10).contains(&hops) {
        let named = context.in_words_of_caller("--depth", "max_hops");
        return Err(Failure::invalid(format!("{named} is {hops}; it is between 1 and 10")));
    }
    let graph = load_current(context)?;
    let (from, to) = (find(context, &graph, from)?, find(context, &graph, to)?);
    let steps = graph.path(&from.id, &to.id, hops);
    let path: Vec<Value> = steps
        .iter()
        .flatten()
        .map(|step| {
            let mut out = json!({"id": step.entity.id, "name": step.entity.name});
            if let Some(by) = step.by {
                out["relationship"] = link(by);
            }
            out
        })
        .collect();
    Ok(json!({"found": steps.is_some(), "hops": path.len().saturating_sub(1), "path": path}))
}

/// The relation by which a step is reached, with the source's word for its kind.
fn link(by: &Relation) -> Value {
    let mut out = json!({"type": by.kind, "from": by.from, "to": by.to});
    if let Some(word) = by.properties.get("as") {
        out["as"] = word.clone();
    }
    out
}

/// The graph's size.
///
/// # Errors
/// [`Failure`].
pub fn graph_stats(context: &ActionContext) -> super::Reply {
    let graph = load_graph(context)?;
    let entities: serde_json::Map<String, Value> = EntityKind::ALL
        .iter()
        .map(|(kind, word)| {
            ((*word).to_owned(), graph.entities.iter().filter(|one| one.kind == *kind).count().into())
        })
        .collect();
    let relations: serde_json::Map<String, Value> = RelationKind::ALL
        .iter()
        .map(|(kind, word)| {
            ((*word).to_owned(), graph.relations.iter().filter(|one| one.kind == *kind).count().into())
        })
        .collect();
    let mut most: Vec<&Entity> = graph.entities.iter().collect();
    most.sort_by(|a, b| b.mentions.cmp(&a.mentions).then_with(|| a.id.cmp(&b.id)));
    let out = json!({
        "entity_count": graph.entities.len(),
        "relationship_count": graph.relations.len(),
        "entities_by_type": entities,
        "relationships_by_type": relations,
        "most_mentioned": most.iter().take(5).map(|one| json!({"id": one.id, "mentions": one.mentions})).collect::<Vec<_>>(),
    });
    Ok(with_rest(out, None, graph.left_out))
}

/// Draws the graph, or an entity's neighbourhood.
///
/// # Errors
/// [`Failure`].
pub fn visualize(context: &ActionContext, asked: &GraphArgs) -> super::Reply {
    let format = asked.format.as_deref().map(Format::parse).transpose()?.unwrap_or_default();
    let types: Vec<EntityKind> =
        asked.entity_types.iter().map(|word| EntityKind::parse(word)).collect::<Result<_, _>>()?;
    let kinds = kinds(&asked.relationship_types)?;
    let limit = asked.limit.unwrap_or(50).clamp(1, MAX_NODES);
    let graph = load_current(context)?;
    let mut wanted: Vec<&str> = match &asked.entity {
        Some(name) => {
            let middle = find(context, &graph, name)?;
            let depth = asked.depth.unwrap_or(2).clamp(1, MAX_DEPTH);
            graph.within(&middle.id, depth, &kinds).iter().map(|step| step.entity.id.as_str()).collect()
        }
        None => {
            // Entities with the most mentions and relations first.
            let degree = |entity: &Entity| {
                graph.relations.iter().filter(|one| one.from == entity.id || one.to == entity.id).count()
                    as u64
            };
            let mut all: Vec<(u64, &Entity)> =
                graph.entities.iter().map(|one| (one.mentions + degree(one), one)).collect();
            all.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.id.cmp(&other.id)));
            all.into_iter().map(|(_, one)| one.id.as_str()).collect()
        }
    };
    wanted.retain(|id| types.is_empty() || graph.entity(id).is_some_and(|one| types.contains(&one.kind)));
    let total = wanted.len();
    wanted.truncate(limit);
    let mut drawn = graph.only(|one| wanted.contains(&one.id.as_str()));
    drawn.relations.retain(|one| kinds.is_empty() || kinds.contains(&one.kind));
    let mut out = json!({
        "format": format.as_str(),
        "nodes": drawn.entities.len(),
        "edges": drawn.relations.len(),
        "visualization": draw(&drawn, format),
    });
    if total > drawn.entities.len() {
        out["total"] = total.into();
    }
    Ok(out)
}
