//! The tool `graph`, also under the specification's names: graph, entities, relationships.

use contract::Error;
use serde_json::{Map, Value};
use system::{Arguments, ParsedCall, clamp, inner_json};

use super::memory_tool::{beginning_at, non_blank};
use super::reply_text::ReplyFormat;
use super::run_action::job;
use crate::actions::{self, ActionContext, EntityArgs, GraphArgs, RelationArgs, Writes, previewed};

#[derive(Clone, Copy, PartialEq)]
enum Action {
    Neighbors,
    Path,
    Stats,
    Visualize,
    Entities,
    Entity,
    AddEntity,
    DeleteEntity,
    Extract,
    Merge,
    Relations,
    Relation,
    Relate,
    Unrelate,
    Infer,
}

const OURS: &[(&str, Action)] = &[
    ("neighbors", Action::Neighbors),
    ("path", Action::Path),
    ("stats", Action::Stats),
    ("visualize", Action::Visualize),
    ("entities", Action::Entities),
    ("entity", Action::Entity),
    ("add_entity", Action::AddEntity),
    ("delete_entity", Action::DeleteEntity),
    ("extract", Action::Extract),
    ("merge", Action::Merge),
    ("relationships", Action::Relations),
    ("relationship", Action::Relation),
    ("relate", Action::Relate),
    ("unrelate", Action::Unrelate),
    ("infer", Action::Infer),
];

const OF_ENTITIES: &[(&str, Action)] = &[
    ("create", Action::AddEntity),
    ("get", Action::Entity),
    ("list", Action::Entities),
    ("delete", Action::DeleteEntity),
    ("extract", Action::Extract),
    ("merge", Action::Merge),
];

const OF_RELATIONS: &[(&str, Action)] = &[
    ("create", Action::Relate),
    ("get", Action::Relation),
    ("list", Action::Relations),
    ("delete", Action::Unrelate),
    ("infer", Action::Infer),
];

/// The actions on one entity.
const OF_ENTITY: &[Action] = &[
    Action::Neighbors,
    Action::Path,
    Action::Visualize,
    Action::Entity,
    Action::AddEntity,
    Action::DeleteEntity,
    Action::Relations,
    Action::Relate,
];
/// The actions between two entities.
const BETWEEN: &[Action] = &[Action::Path, Action::Relations, Action::Relate];
/// The actions on several entities.
const OF_SEVERAL: &[Action] = &[Action::Merge, Action::Infer];
/// The actions that find something in texts.
const READING: &[Action] = &[Action::Extract, Action::Infer];

/// Which actions use an argument.
const USES: &[(&str, &[Action])] = &[
    ("entity", OF_ENTITY),
    ("entity_id", OF_ENTITY),
    ("name", &[Action::Entity, Action::AddEntity, Action::DeleteEntity]),
    ("id", &[Action::Entity, Action::AddEntity, Action::DeleteEntity, Action::Relation, Action::Unrelate]),
    ("relationship_id", &[Action::Relation, Action::Unrelate]),
    ("from", BETWEEN),
    ("from_entity", BETWEEN),
    ("to", BETWEEN),
    ("to_entity", BETWEEN),
    ("depth", &[Action::Neighbors, Action::Path, Action::Visualize]),
    ("max_hops", &[Action::Path]),
    ("relationship_types", &[Action::Neighbors, Action::Visualize]),
    ("entity_types", &[Action::Visualize]),
    ("type", &[Action::Neighbors, Action::Entities, Action::AddEntity, Action::Relations, Action::Relate]),
    ("entity_type", &[Action::Entities, Action::AddEntity]),
    ("relationship_type", &[Action::Relations, Action::Relate]),
    ("since", &[Action::Relate]),
    ("until", &[Action::Relate]),
    ("format", &[Action::Visualize]),
    ("limit", &[Action::Neighbors, Action::Visualize, Action::Entities, Action::Relations]),
    ("offset", &[Action::Neighbors, Action::Entities, Action::Relations]),
    ("aliases", &[Action::AddEntity]),
    ("properties", &[Action::AddEntity, Action::Relate]),
    ("content", &[Action::Extract]),
    ("store", READING),
    ("min_confidence", READING),
    ("entity_ids", OF_SEVERAL),
    ("entities", OF_SEVERAL),
    ("canonical_name", &[Action::Merge]),
    (
        "dry_run",
        &[
            Action::AddEntity,
            Action::DeleteEntity,
            Action::Extract,
            Action::Merge,
            Action::Relate,
            Action::Unrelate,
            Action::Infer,
        ],
    ),
];

/// An argument under one of several names.
fn string_by_names(args: &mut Arguments, names: &[&'static str]) -> Result<Option<String>, Error> {
    let mut out = None;
    for name in names {
        out = out.or(non_blank(args, name)?);
    }
    Ok(out)
}

/// A list argument under one of several names.
fn list_by_names(args: &mut Arguments, names: &[&'static str]) -> Result<Vec<String>, Error> {
    let mut out = Vec::new();
    for name in names {
        out.extend(args.strings(name)?);
    }
    Ok(out)
}

/// An object, or an object as a JSON string.
pub(super) fn object(args: &mut Arguments, name: &'static str) -> Result<Map<String, Value>, Error> {
    match args.take(name) {
        None => Ok(Map::new()),
        Some(Value::Object(map)) => Ok(map),
        Some(Value::String(text)) => match inner_json(&text) {
            Some(Value::Object(map)) => Ok(map),
            _ => Err(args.wrong(name, "an object", &text.into())),
        },
        Some(other) => Err(args.wrong(name, "an object", &other)),
    }
}

fn confidence(args: &mut Arguments) -> Result<Option<f64>, Error> {
    let Some(text) = non_blank(args, "min_confidence")? else { return Ok(None) };
    text.trim()
        .parse()
        .map(Some)
        .map_err(|_| args.wrong("min_confidence", "a number between 0 and 1", &text.into()))
}

/// A job that changes the graph, or shows what it would change.
fn written(
    dry_run: bool,
    action: impl FnOnce(&ActionContext) -> actions::Reply + Send + 'static,
) -> ParsedCall {
    job(ReplyFormat::Json, move |context| previewed(context, dry_run, Writes::Database, action))
}

/// A job that lists, from a place on.
fn pages(
    offset: Option<usize>,
    action: impl FnOnce(&ActionContext) -> actions::Reply + Send + 'static,
) -> ParsedCall {
    job(ReplyFormat::Pages, move |context| action(context).map(|page| beginning_at(page, offset)))
}

/// Parses a call.
pub(super) fn read(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let actions = match args.tool() {
        "entities" => OF_ENTITIES,
        "relationships" => OF_RELATIONS,
        _ => OURS,
    };
    let given = args.choice("action", actions)?.or(args.choice("operation", actions)?);
    let action = match given {
        Some(action) => action,
        None => args.required_choice("action", actions)?,
    };
    args.refuse_unused(action, USES, actions)?;
    let size = |args: &mut Arguments, name| args.unsigned(name).map(|number| number.map(clamp));
    let json = ReplyFormat::Json;
    Ok(match action {
        Action::Neighbors | Action::Path | Action::Stats | Action::Visualize => {
            let first = string_by_names(args, &["entity", "entity_id"])?;
            let mut relationship_types = list_by_names(args, &["relationship_types"])?;
            if matches!(action, Action::Neighbors) {
                relationship_types.extend(list_by_names(args, &["type"])?);
            }
            let given = GraphArgs {
                from: string_by_names(args, &["from", "from_entity"])?.or_else(|| first.clone()),
                entity: first,
                to: string_by_names(args, &["to", "to_entity"])?,
                depth: size(args, "depth")?,
                max_hops: size(args, "max_hops")?,
                relationship_types,
                entity_types: list_by_names(args, &["entity_types"])?,
                format: non_blank(args, "format")?,
                limit: args.limit()?,
                offset: size(args, "offset")?,
            };
            match action {
                Action::Neighbors => pages(given.offset, move |context| actions::neighbors(context, &given)),
                Action::Path => job(json, move |context| actions::path(context, &given)),
                Action::Stats => job(json, actions::graph_stats),
                _ => {
                    let whole = ReplyFormat::Document {
                        key: "visualization",
                        count: "nodes",
                        too_long: "Draw fewer with limit, entity and depth, or have it written in a terminal: `plimsoll graph visualize > graph.mmd`.",
                    };
                    job(whole, move |context| actions::visualize(context, &given))
                }
            }
        }
        Action::Entities
        | Action::Entity
        | Action::AddEntity
        | Action::DeleteEntity
        | Action::Extract
        | Action::Merge => {
            let given = EntityArgs {
                id: string_by_names(args, &["entity_id", "entity", "id"])?,
                name: non_blank(args, "name")?,
                entity_type: string_by_names(args, &["entity_type", "type"])?,
                aliases: list_by_names(args, &["aliases"])?,
                properties: object(args, "properties")?,
                limit: args.limit()?,
                offset: size(args, "offset")?,
                content: args.string("content")?,
                store: args.boolean("store")?.unwrap_or(false),
                min_confidence: confidence(args)?,
                entity_ids: list_by_names(args, &["entity_ids", "entities"])?,
                canonical_name: non_blank(args, "canonical_name")?,
                dry_run: args.boolean("dry_run")?.unwrap_or(false),
            };
            match action {
                Action::Entities => {
                    pages(given.offset, move |context| actions::list_entities(context, &given))
                }
                Action::Entity => job(json, move |context| actions::get_entity(context, &given)),
                Action::AddEntity => {
                    let given = EntityArgs { name: given.name.clone().or_else(|| given.id.clone()), ..given };
                    written(given.dry_run, move |context| actions::create_entity(context, &given))
                }
                Action::DeleteEntity => {
                    written(given.dry_run, move |context| actions::delete_entity(context, &given))
                }
                Action::Extract => job(json, move |context| actions::extract_entities(context, &given)),
                _ => job(json, move |context| actions::merge_entities(context, &given)),
            }
        }
        Action::Relations | Action::Relation | Action::Relate | Action::Unrelate | Action::Infer => {
            let first = string_by_names(args, &["entity", "entity_id"])?;
            let from = string_by_names(args, &["from_entity", "from"])?;
            let relates = matches!(action, Action::Relate);
            let given = RelationArgs {
                id: string_by_names(args, &["relationship_id", "id"])?,
                from: if relates { from.or_else(|| first.clone()) } else { from },
                to: string_by_names(args, &["to_entity", "to"])?,
                entity: first,
                relationship_type: string_by_names(args, &["relationship_type", "type"])?,
                since: args.string("since")?,
                until: args.string("until")?,
                properties: object(args, "properties")?,
                limit: args.limit()?,
                offset: size(args, "offset")?,
                entity_ids: list_by_names(args, &["entity_ids", "entities"])?,
                store: args.boolean("store")?.unwrap_or(false),
                min_confidence: confidence(args)?,
                dry_run: args.boolean("dry_run")?.unwrap_or(false),
            };
            match action {
                Action::Relations => {
                    pages(given.offset, move |context| actions::list_relations(context, &given))
                }
                Action::Relation => job(json, move |context| actions::get_relation(context, &given)),
                Action::Relate => {
                    written(given.dry_run, move |context| actions::create_relation(context, &given))
                }
                Action::Unrelate => {
                    written(given.dry_run, move |context| actions::delete_relation(context, &given))
                }
                _ => job(json, move |context| actions::infer_relations(context, &given)),
            }
        }
    })
}
