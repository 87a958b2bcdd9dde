//! Operations on entities and relations: by hand, or extracted from a text. Relations inferred from memories are in
//! `infer`.

use serde_json::{Map, Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use super::graph::{entity, find, load_graph, relation, with_rest};
use super::reply_json::page_of;
use super::validity::stated_validity;
use crate::domain::{iso, quoted_beginning};
use crate::graph::{EntityKind, Extracted, Graph, Relation, RelationKind, entity_id, extract, folded};
use crate::store::{Checked, NewEntity, NewRelation};

/// Arguments of the entity actions.
#[derive(Debug, Clone, Default)]
pub struct EntityArgs {
    /// Its id or one of its names.
    pub id: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Its kind.
    pub entity_type: Option<String>,
    /// Its aliases.
    pub aliases: Vec<String>,
    /// Further properties.
    pub properties: Map<String, Value>,
    /// Maximum number of results.
    pub limit: Option<usize>,
    /// How many results to skip.
    pub offset: Option<usize>,
    /// The text to extract from.
    pub content: Option<String>,
    /// Whether to store the result.
    pub store: bool,
    /// The minimum confidence.
    pub min_confidence: Option<f64>,
    /// The entities to merge.
    pub entity_ids: Vec<String>,
    /// The merged entity's name.
    pub canonical_name: Option<String>,
    /// Report what would be done without doing it.
    pub dry_run: bool,
}

/// A needed argument; `typed` is what the help of the command line calls it.
fn require<'a>(
    context: &ActionContext,
    value: Option<&'a String>,
    argument: &str,
    typed: &str,
) -> Result<&'a str, Failure> {
    present(value).ok_or_else(|| {
        Failure::invalid(format!("{} is missing", context.in_words_of_caller(typed, argument)))
    })
}

/// The same for the kind of an entity or a relation; the error has those there are.
fn require_kind<'a, K>(
    context: &ActionContext,
    value: Option<&'a String>,
    argument: &str,
    all: &[(K, &str)],
) -> Result<&'a str, Failure> {
    present(value).ok_or_else(|| {
        let named = context.in_words_of_caller("--type", argument);
        let allowed: Vec<&str> = all.iter().map(|(_, name)| *name).collect();
        Failure::invalid(format!("{named} is missing; allowed: {}", allowed.join(", ")))
    })
}

fn present(value: Option<&String>) -> Option<&str> {
    value.map(|text| text.trim()).filter(|text| !text.is_empty())
}

/// Creates an entity, or extends the one with this name.
///
/// # Errors
/// [`Failure`].
pub fn create_entity(context: &ActionContext, given: &EntityArgs) -> super::Reply {
    let new = NewEntity {
        name: require(context, given.name.as_ref(), "name", "NAME")?.to_owned(),
        kind: EntityKind::parse(require_kind(
            context,
            given.entity_type.as_ref(),
            "entity_type",
            EntityKind::ALL,
        )?)?,
        aliases: given.aliases.clone(),
        properties: given.properties.clone(),
    };
    let new = Checked::new(new, context.secrets)?;
    let id = context.writer()?.create_entity(&context.scope(), &new, context.who.at_ms)?;
    let graph = load_graph(context)?;
    Ok(graph.entity(&id).map_or_else(|| json!({"id": id}), entity))
}

/// The id or the name of the entity that an action is on.
fn named_entity<'a>(context: &ActionContext, given: &'a EntityArgs) -> Result<&'a str, Failure> {
    require(context, given.id.as_ref().or(given.name.as_ref()), "entity_id", "NAME")
}

/// One entity with its relations.
///
/// # Errors
/// [`Failure`].
pub fn get_entity(context: &ActionContext, given: &EntityArgs) -> super::Reply {
    let graph = load_graph(context)?;
    let found = find(context, &graph, named_entity(context, given)?)?;
    let mut out = entity(found);
    let all: Vec<Value> = graph
        .relations
        .iter()
        .filter(|one| one.from == found.id || one.to == found.id)
        .map(relation)
        .collect();
    out["relationships"] = all.into();
    Ok(out)
}

/// Lists entities, those with the most mentions first.
///
/// # Errors
/// [`Failure`].
pub fn list_entities(context: &ActionContext, given: &EntityArgs) -> super::Reply {
    let kind = given.entity_type.as_deref().map(EntityKind::parse).transpose()?;
    let Graph { entities: mut all, left_out, .. } = load_graph(context)?;
    all.retain(|one| kind.is_none_or(|kind| one.kind == kind));
    // By the id, too: two entities may have one name, and pages would repeat one of them.
    all.sort_by(|a, b| {
        b.mentions.cmp(&a.mentions).then_with(|| a.name.cmp(&b.name)).then_with(|| a.id.cmp(&b.id))
    });
    let (shown, next) = page_of(&all, given.offset, given.limit.unwrap_or(50).clamp(1, 1_000));
    let entities: Vec<Value> = shown.iter().map(entity).collect();
    Ok(with_rest(json!({"entities": entities, "total": all.len()}), next, left_out))
}

/// Removes an entity with its relations. Memories stay unchanged.
///
/// # Errors
/// [`Failure`].
pub fn delete_entity(context: &ActionContext, given: &EntityArgs) -> super::Reply {
    let graph = load_graph(context)?;
    let found = find(context, &graph, named_entity(context, given)?)?;
    context.writer()?.delete_entity(&context.scope(), &found.id, context.who.at_ms)?;
    Ok(json!({"id": found.id, "status": "deleted"}))
}

/// Extracts entities from a text by rules, and by a model where one is configured.
///
/// # Errors
/// [`Failure`].
pub fn extract_entities(context: &ActionContext, given: &EntityArgs) -> super::Reply {
    let content = require(context, given.content.as_ref(), "content", "TEXT")?;
    let content = super::prompts::redacted(context, content)?;
    let least = fraction("min_confidence", given.min_confidence, 0.6)?;
    let mut found = extract(&content);
    let (mut method, mut model) = ("rules", None);
    match super::models::entities(context, &content) {
        None => {}
        Some(Ok(more)) => {
            found = found.with(more);
            method = "rules and model";
        }
        Some(Err(why)) => model = Some(why),
    }
    let kept: Vec<bool> = found.entities.iter().map(|one| one.confidence >= least).collect();
    found.relations.retain(|one| kept[one.from] && kept[one.to] && one.confidence >= least);
    let found = keep_entities(found, &kept);
    let stored = given.store && !given.dry_run;
    if stored && !found.entities.is_empty() {
        context.writer()?.keep_extracted(&context.scope(), &found, context.who.at_ms)?;
    }
    let entities: Vec<Value> = found
        .entities
        .iter()
        .map(|one| {
            json!({"id": entity_id(&one.name), "name": one.name, "entity_type": one.kind, "confidence": one.confidence})
        })
        .collect();
    let relations: Vec<Value> = found
        .relations
        .iter()
        .map(|one| {
            json!({
                "from_entity": entity_id(&found.entities[one.from].name),
                "to_entity": entity_id(&found.entities[one.to].name),
                "relationship_type": one.kind, "confidence": one.confidence,
            })
        })
        .collect();
    let mut out =
        json!({"entities": entities, "relationships": relations, "stored": stored, "method": method});
    if let Some(why) = model {
        out["model"] = why.into();
    }
    Ok(out)
}

/// The extraction without the dropped entities; its relations are renumbered.
fn keep_entities(found: Extracted, kept: &[bool]) -> Extracted {
    let mut places = Vec::with_capacity(kept.len());
    let mut next = 0;
    for kept in kept {
        places.push(next);
        next += usize::from(*kept);
    }
    let mut relations = found.relations;
    for one in &mut relations {
        (one.from, one.to) = (places[one.from], places[one.to]);
    }
    let entities =
        found.entities.into_iter().zip(kept).filter(|(_, kept)| **kept).map(|(one, _)| one).collect();
    Extracted { entities, relations }
}

pub(super) fn fraction(what: &str, given: Option<f64>, usual: f64) -> Result<f64, Failure> {
    let value = given.unwrap_or(usual);
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(Failure::invalid(format!("{what} is {value}; it is between 0 and 1")))
    }
}

/// Merges several entities into one.
///
/// # Errors
/// [`Failure`].
pub fn merge_entities(context: &ActionContext, given: &EntityArgs) -> super::Reply {
    let graph = load_graph(context)?;
    let mut found = Vec::new();
    for wanted in &given.entity_ids {
        let one = find(context, &graph, wanted)?;
        if !found.contains(&one) {
            found.push(one);
        }
    }
    if found.len() < 2 {
        return Err(Failure::invalid(context.in_words_of_caller(
            "merge needs at least two different names",
            "merge needs entity_ids of at least two different entities",
        )));
    }
    let name = match &given.canonical_name {
        Some(name) => name.clone(),
        None => found[0].name.clone(),
    };
    let checked = Checked::new(name, context.secrets)?;
    let name = checked.get();
    let ids: Vec<String> = found.iter().map(|one| one.id.clone()).collect();
    if let Some(taken) =
        graph.entities.iter().find(|one| folded(&one.name) == folded(name) && !ids.contains(&one.id))
    {
        return Err(Failure::unusable(format!(
            "{name:?} is another entity ({}); merge that one, too",
            taken.id
        )));
    }
    let mentions: u64 = found.iter().map(|one| one.mentions).sum();
    let touched =
        graph.relations.iter().filter(|one| ids.contains(&one.from) || ids.contains(&one.to)).count();
    if !given.dry_run {
        context.writer()?.merge_entities(&context.scope(), &ids, &checked, context.who.at_ms)?;
    }
    Ok(json!({
        "id": ids[0], "name": name, "merged": ids, "mentions": mentions, "relationships": touched, "dry_run": given.dry_run,
    }))
}

/// Arguments of the relation actions.
#[derive(Debug, Clone, Default)]
pub struct RelationArgs {
    /// Its id.
    pub id: Option<String>,
    /// The source entity: an id or a name.
    pub from: Option<String>,
    /// The target entity.
    pub to: Option<String>,
    /// An entity at either end.
    pub entity: Option<String>,
    /// The relation's kind.
    pub relationship_type: Option<String>,
    /// Since when it's so: a date, or a period before now.
    pub since: Option<String>,
    /// Until when it was so.
    pub until: Option<String>,
    /// Further properties.
    pub properties: Map<String, Value>,
    /// Maximum number of results.
    pub limit: Option<usize>,
    /// How many results to skip.
    pub offset: Option<usize>,
    /// The entities between which to infer relations.
    pub entity_ids: Vec<String>,
    /// Whether to store the result.
    pub store: bool,
    /// The minimum confidence.
    pub min_confidence: Option<f64>,
    /// Report what would be stored without storing it.
    pub dry_run: bool,
}

/// Creates a relation between two entities.
///
/// # Errors
/// [`Failure`].
pub fn create_relation(context: &ActionContext, given: &RelationArgs) -> super::Reply {
    let graph = load_graph(context)?;
    let from = find(context, &graph, require(context, given.from.as_ref(), "from_entity", "NAME")?)?;
    let to = find(context, &graph, require(context, given.to.as_ref(), "to_entity", "the second NAME")?)?;
    let kind = given.relationship_type.as_ref();
    let kind = RelationKind::parse(require_kind(context, kind, "relationship_type", RelationKind::ALL)?)?;
    if from.id == to.id {
        return Err(Failure::unusable(format!("{} can't be related to itself", from.id)));
    }
    let properties = Checked::new(given.properties.clone(), context.secrets)?;
    let is_known = |one: &&Relation| one.from == from.id && one.to == to.id && one.kind == kind;
    let known = graph.relations.iter().find(is_known);
    let (since_ms, until_ms) =
        stated_validity(context, given.since.as_deref(), given.until.as_deref(), known)?;
    let (from_id, to_id) = (from.id.clone(), to.id.clone());
    let new = NewRelation { from: from_id, to: to_id, kind, confidence: 1.0, properties, since_ms, until_ms };
    let id = context.writer()?.relate_all(&context.scope(), &[new], context.who.at_ms)?.pop().flatten();
    let mut out = json!({"id": id, "from_entity": from.id, "to_entity": to.id, "relationship_type": kind});
    for (name, at) in [("since", since_ms), ("until", until_ms)] {
        if let Some(at) = at {
            out[name] = iso(at).into();
        }
    }
    Ok(out)
}

/// Lists relations: all, of one entity, between two entities, or of one kind.
///
/// # Errors
/// [`Failure`].
pub fn list_relations(context: &ActionContext, given: &RelationArgs) -> super::Reply {
    let graph = load_graph(context)?;
    let one = |name: &Option<String>| name.as_deref().map(|name| find(context, &graph, name)).transpose();
    let (from, to, either) = (one(&given.from)?, one(&given.to)?, one(&given.entity)?);
    let kind = given.relationship_type.as_deref().map(RelationKind::parse).transpose()?;
    let all: Vec<&Relation> = graph
        .relations
        .iter()
        .filter(|one| from.is_none_or(|end| end.id == one.from) && to.is_none_or(|end| end.id == one.to))
        .filter(|one| either.is_none_or(|end| end.id == one.from || end.id == one.to))
        .filter(|one| kind.is_none_or(|kind| kind == one.kind))
        .collect();
    let (shown, next) = page_of(&all, given.offset, given.limit.unwrap_or(50).clamp(1, 1_000));
    let shown: Vec<Value> = shown.iter().map(|one| relation(one)).collect();
    Ok(with_rest(json!({"relationships": shown, "total": all.len()}), next, graph.left_out))
}

/// One relation.
///
/// # Errors
/// [`Failure`].
pub fn get_relation(context: &ActionContext, given: &RelationArgs) -> super::Reply {
    let id = require(context, given.id.as_ref(), "relationship_id", "ID")?;
    load_graph(context)?
        .relations
        .iter()
        .find(|one| one.id == id)
        .map(relation)
        .ok_or_else(|| unknown_relation(context, id))
}

fn unknown_relation(context: &ActionContext, id: &str) -> Failure {
    Failure::not_found(
        -32604,
        format!(
            "there is no relationship {:?}; {} shows those there are",
            quoted_beginning(id),
            context.in_words_of_caller("`plimsoll graph relationships`", "`list` of relationships")
        ),
    )
}

/// Removes a relation.
///
/// # Errors
/// [`Failure`].
pub fn delete_relation(context: &ActionContext, given: &RelationArgs) -> super::Reply {
    let id = require(context, given.id.as_ref(), "relationship_id", "ID")?;
    if context.reader()?.is_some()
        && context.writer()?.delete_relation(&context.scope(), id, context.who.at_ms)?
    {
        Ok(json!({"id": id, "status": "deleted"}))
    } else {
        Err(unknown_relation(context, id))
    }
}
