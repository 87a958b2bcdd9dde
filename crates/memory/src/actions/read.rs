//! Actions that only read. None creates a database.

use std::path::Path;

use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use super::reply_json;
use crate::domain::{Address, Memory, NAMESPACES, Namespace, UnknownName};
use crate::org::recall_joined;
use crate::query::Clause;
use crate::recall::{Detail, Hit, RecallRequest};
use crate::store::{Statistics, Store, StoreError};

/// Default limits of a search and of a list.
const LIMITS: (usize, usize) = (10, 50);
/// Maximum number of results in one reply.
const MAX_RESULTS: usize = 1_000;
/// Maximum number of a memory's changes that are looked at.
const MAX_STEPS: usize = 1_000_000;

/// Arguments of a recall.
#[derive(Debug, Clone, Default)]
pub struct RecallArgs {
    /// The question; without one all memories are listed.
    pub query: Option<String>,
    /// A filter.
    pub filter: Option<String>,
    /// A namespace, in addition to the filter.
    pub namespace: Option<String>,
    /// Only memories in these namespaces, unless there are none; in addition to the filter.
    pub among: Vec<Namespace>,
    /// Only memories that mention this entity; several are separated by commas.
    pub entity: Option<String>,
    /// `hybrid`, `text`, `vector`.
    pub mode: Option<String>,
    /// `light`, `medium`, `everything`.
    pub detail: Option<String>,
    /// Maximum number of results.
    pub limit: Option<usize>,
    /// Number of results to skip.
    pub offset: Option<usize>,
    /// The minimum score.
    pub min_score: Option<f64>,
    /// Only memories of this user, by the tag `user:…`.
    pub user_id: Option<String>,
    /// Only memories of this agent, by the tag `agent:…`.
    pub agent_id: Option<String>,
    /// Whether to state each memory's confidence by age; otherwise only stale ones are marked.
    pub ages: bool,
}

/// Searches or lists memories.
///
/// # Errors
/// [`Failure`].
pub fn recall_memories(context: &ActionContext, asked: &RecallArgs) -> super::Reply {
    let detail = match asked.detail.as_deref() {
        None => Detail::default(),
        Some(word) => Detail::from_name(word).ok_or_else(|| {
            let given = UnknownName::shortened(word);
            Failure::invalid(format!("detail \"{given}\" is unknown; allowed: {}", Detail::WORDS))
        })?,
    };
    let mut selection = context.selection(asked.filter.as_deref().unwrap_or_default())?;
    if let Some(entity) = &asked.entity {
        let names: Vec<String> = entity.split(',').map(|name| name.trim().to_owned()).collect();
        selection.filter.clauses.push(context.ids_mentioning(&names)?);
    }
    if let Some(namespace) = &asked.namespace {
        selection.filter.clauses.push(Clause::Namespace(vec![parse_namespace(namespace)?]));
    }
    if !asked.among.is_empty() {
        selection.filter.clauses.push(Clause::Namespace(asked.among.clone()));
    }
    for (kind, id) in [("user", &asked.user_id), ("agent", &asked.agent_id)] {
        if let Some(id) = id {
            let tag = crate::query::Glob::literal(&format!("{kind}:{id}"));
            selection.filter.clauses.push(Clause::Tag(vec![tag]));
        }
    }
    let query = asked.query.as_deref().map(str::trim).filter(|query| !query.is_empty() && *query != "*");
    let way = super::vectors::plan_search(context, asked.mode.as_deref(), query)?;
    let usual = if query.is_some() { LIMITS.0 } else { LIMITS.1 };
    let request = RecallRequest {
        query: query.map(str::to_owned),
        selection,
        offset: asked.offset.unwrap_or(0),
        limit: asked.limit.unwrap_or(usual).clamp(1, MAX_RESULTS),
        min_score: asked.min_score.unwrap_or(0.0),
        utc_offset_min: context.utc_offset_min,
        branch: context.branch.clone(),
        mode: way.mode,
        meaning: way.meaning,
        ..RecallRequest::default()
    };
    let here = context.reader()?;
    let (found, theirs, without) =
        recall_joined(here.as_ref(), &request, context.org_connection().as_ref(), &context.database)?;
    let format = reply_json::HitFormat {
        detail,
        query,
        now_ms: context.who.at_ms,
        ages: asked.ages,
        // The user's programs get all there is with `--json`.
        explained: detail == Detail::Everything || context.who.client.is_none(),
    };
    let mut out = reply_json::hits(&found, format);
    if asked.ages {
        mark_gone(context, &found.hits, &mut out);
    }
    if let Some(results) = out["results"].as_array_mut() {
        for one in results.iter_mut().filter(|one| one["id"].as_str().is_some_and(|id| theirs.contains(id))) {
            one["from"] = "org".into();
        }
    }
    let missing = match (&here, &request.meaning) {
        (Some(store), Some(meaning)) => super::vectors::missing_note(store, meaning)?,
        _ => None,
    };
    if let Some(why) = way.note.or(missing) {
        out["vectors"] = why.into();
    }
    if query.is_some() && here.as_ref().is_some_and(|store| !store.has_whole_index()) {
        let way = context
            .in_words_of_caller("`plimsoll memory reindex` tries again", "the action reindex tries again");
        out["index"] =
            format!("older memories may be missing: the search index couldn't be built; {way}").into();
    }
    if context.leaves_out_shared() {
        out["shared"] =
            "memories of the repository are left out: the user's rules don't let you read their files".into();
    }
    if let Some(Err(error)) = &context.org_server {
        out["org"] = format!("not asked: {error}").into();
    } else if let Some(why) = without {
        out["org"] = format!("not asked: {why}").into();
    }
    Ok(out)
}

/// Marks the project's memories whose file isn't there as stale. It may be on another branch.
fn mark_gone(context: &ActionContext, hits: &[Hit], out: &mut Value) {
    let (Some(root), Some(keys)) = (&context.root, context.keys()) else { return };
    let is_gone = |memory: &Memory| {
        let ours = memory.project.as_deref().is_some_and(|project| keys.all().any(|key| key == project));
        let is_there = |file: &str| root.join(file).exists();
        // Imported ones may name a line or a definition behind the file.
        let without_place = |file: &str| is_there(file.split(['#', ':']).next().unwrap_or(file));
        let is_missing =
            |file: &str| Path::new(file).is_relative() && !is_there(file) && !without_place(file);
        ours && memory.file.as_deref().is_some_and(is_missing)
    };
    let mut more = 0_u64;
    let results = out["results"].as_array_mut().into_iter().flatten();
    for (_, one) in hits.iter().zip(results).filter(|(hit, _)| is_gone(&hit.memory)) {
        more += u64::from(one["stale"] != true);
        one["stale"] = true.into();
        one["staleReason"] = "the file that it's about isn't in this working tree".into();
    }
    if more > 0 {
        out["staleCount"] = (out["staleCount"].as_u64().unwrap_or(0) + more).into();
        out["staleNote"] = "stale: it may no longer be so; check it before you rely on it".into();
    }
}

/// The answers to a question for the unified search: no filter, only active memories in scope.
///
/// # Errors
/// [`Failure`].
pub fn search_answers(context: &ActionContext, query: &str, limit: usize) -> Result<Vec<Hit>, Failure> {
    let asked = RecallRequest {
        query: Some(query.to_owned()),
        selection: context.selection("")?,
        limit,
        utc_offset_min: context.utc_offset_min,
        branch: context.branch.clone(),
        ..RecallRequest::default()
    };
    let here = context.reader()?;
    let (mut found, ..) =
        recall_joined(here.as_ref(), &asked, context.org_connection().as_ref(), &context.database)?;
    // Beside what other systems find, a rare word says too little.
    found.hits.retain(|hit| !hit.has_rare_word_only());
    Ok(found.hits)
}

pub(super) fn parse_namespace(namespace: &str) -> Result<Namespace, Failure> {
    Namespace::parse(namespace).map_err(|unknown| Failure::invalid(unknown.to_string()))
}

/// One memory with its full content and links.
///
/// # Errors
/// [`Failure`]; −32604 for an unknown id.
pub fn get(context: &ActionContext, address: &str) -> super::Reply {
    let store = open_existing(context, address)?;
    let memory = context.find(&store, address)?;
    let mut out = reply_json::full_memory(&memory);
    let links: Vec<Value> = store
        .links(&memory.id)?
        .iter()
        .map(|link| json!({"from": link.from, "to": link.to, "kind": link.kind}))
        .collect();
    if !links.is_empty() {
        out.insert("links".into(), links.into());
    }
    Ok(Value::Object(out))
}

/// A memory's changes, latest first, from the `offset`th on.
///
/// # Errors
/// [`Failure`].
pub fn history(
    context: &ActionContext,
    address: &str,
    (limit, offset): (Option<usize>, Option<usize>),
) -> super::Reply {
    let store = open_existing(context, address)?;
    let memory = context.find(&store, address)?;
    let limit = limit.unwrap_or(20).clamp(1, 100);
    // One more tells whether there is a next page.
    let most = offset.unwrap_or(0).saturating_add(limit).saturating_add(1).min(MAX_STEPS);
    let steps = store.history(&memory.id, most)?;
    let (shown, next) = reply_json::page_of(&steps, offset, limit);
    let mut out = reply_json::history(&memory, shown);
    if let Some(next) = next {
        out["next_offset"] = next.into();
    }
    Ok(out)
}

/// The store for looking up one memory: without a database the memory doesn't exist.
pub(super) fn open_existing(
    context: &ActionContext,
    address: &str,
) -> Result<crate::store::SqliteStore, Failure> {
    match context.reader()? {
        Some(store) => Ok(store),
        None => {
            let id = Address::parse(address)?.id.unwrap_or_else(|| address.to_owned());
            Err(StoreError::NotFound(id).into())
        }
    }
}

/// The store for changing one memory: without a database there is none to change, and none is created.
pub(super) fn open_to_change(
    context: &ActionContext,
    address: &str,
) -> Result<crate::store::SqliteStore, Failure> {
    if !context.database.exists() {
        open_existing(context, address)?;
    }
    context.writer()
}

/// The namespaces with their descriptions.
pub fn namespaces() -> Value {
    let all: Vec<_> = NAMESPACES.iter().map(|(_, info)| info).collect();
    json!({"namespaces": all})
}

/// The figures of the memories in scope.
///
/// # Errors
/// [`Failure`].
pub(super) fn status(context: &ActionContext) -> super::Reply {
    let selection = context.in_use();
    let store = context.reader()?;
    let statistics = match &store {
        Some(store) => store.statistics(&selection)?,
        None => Statistics::default(),
    };
    let (kind, vectors) = super::vectors::status(context, store.as_ref())?;
    let counts = |all: &[(String, u64)]| -> Value {
        Value::Object(all.iter().map(|(name, count)| (name.clone(), (*count).into())).collect())
    };
    let tags: Vec<Value> =
        statistics.tags.iter().take(10).map(|(tag, count)| json!({"tag": tag, "count": count})).collect();
    let states: Vec<(String, u64)> =
        statistics.statuses.iter().map(|(status, count)| (status.as_str().to_owned(), *count)).collect();
    let path = context.root.as_deref().map(Path::to_string_lossy);
    let mut out = json!({
        "repository": {"path": path, "project_id": context.project, "branch": context.branch},
        "storage": {"persistence": "sqlite", "index": "sqlite", "vector": kind},
        "statistics": {
            "total_count": statistics.total,
            "namespace_counts": counts(&statistics.namespaces),
            "recent_topics": statistics.recent_topics,
            "top_tags": tags,
            "status_counts": counts(&states),
        },
    });
    if let Some(vectors) = vectors {
        out["vectors"] = vectors;
    }
    if let Some(model) = super::models::status(context) {
        out["model"] = model;
    }
    Ok(out)
}
