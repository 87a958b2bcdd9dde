//! The window's queries: projects, figures, lists and searches, one memory with its details.

use std::collections::HashSet;
use std::time::Instant;

use contract::desktop::Nothing;
use contract::{Error, LowerError};

use super::title::title_and_body;
use super::types::{
    EntityNamed, InProject, MemoriesPage, MemoriesQuery, MemoryCount, MemoryLag, MemoryLinked,
    MemoryNamespace, MemoryProject, MemoryProjects, MemoryRef, MemoryRow, MemorySharing, MemoryStatusView,
    MemoryStep, MemoryView,
};
use super::window_context::{WindowContext, action_error, display_name, store_error};
use crate::actions::{ActionContext, refresh_shared, shared_file};
use crate::domain::{Domain, LinkKind, Memory, NAMESPACES, Status, Trust, project_key};
use crate::query::{Clause, Filter, Scope, Selection, Statuses, is_key};
use crate::recall::{Detail, RecallRequest, recall, shortened};
use crate::store::{ChangeKind, SqliteStore, Store};

/// Maximum number of results in one reply.
const MAX_RESULTS: usize = 200;
/// Maximum number of history steps shown.
const MAX_STEPS: usize = 50;
/// Stands for the user among those who captured.
const YOU: &str = "you";

/// The projects that have memories or in which agents worked.
pub(super) fn projects(window: &WindowContext, _: Nothing) -> Result<MemoryProjects, Error> {
    let kept = match window.context("").reader().map_err(action_error)? {
        Some(store) => store.projects().map_err(store_error)?,
        None => Vec::new(),
    };
    let mut rows: Vec<MemoryProject> = Vec::new();
    for folder in window.folders() {
        let key = project_key(&folder);
        // Clones and worktrees are one project, shown by the one used last.
        if rows.iter().all(|row| row.key != key) {
            let memories = kept.iter().find(|(known, _)| *known == key).map_or(0, |(_, count)| *count);
            rows.push(MemoryProject { name: display_name(&key), key, folder: Some(folder.root), memories });
        }
    }
    for (key, memories) in kept {
        if rows.iter().all(|row| row.key != key) {
            rows.push(MemoryProject { name: display_name(&key), key, folder: None, memories });
        }
    }
    Ok(MemoryProjects { rows })
}

/// Active memories, and those that were replaced.
fn current() -> Statuses {
    Statuses { any: vec![Status::Active, Status::Superseded], expired: Some(false) }
}

/// The figures of the memories in scope.
pub(super) fn overview(window: &WindowContext, asked: InProject) -> Result<MemoryStatusView, Error> {
    refresh_shared(&window.context_in_folder(&asked.project));
    let context = window.context(&asked.project);
    let known = NAMESPACES
        .iter()
        .map(|(_, info)| MemoryNamespace { name: info.name.to_owned(), about: info.description.to_owned() })
        .collect();
    let lagging = exchange_lag(&context, window.now_ms());
    let Some(store) = context.reader().map_err(action_error)? else {
        return Ok(MemoryStatusView { known, lagging, ..MemoryStatusView::default() });
    };
    let selection = Selection { scope: context.scope(), filter: Filter::default(), now_ms: window.now_ms() };
    let statistics = store.statistics(&selection).map_err(store_error)?;
    let counted = |word: &str, count: u64| MemoryCount { word: word.to_owned(), count };
    let pending = statistics.statuses.iter().find(|(status, _)| *status == Status::Pending);
    Ok(MemoryStatusView {
        total: statistics.total,
        pending: pending.map_or(0, |(_, count)| *count),
        namespaces: statistics.namespaces.iter().map(|(word, count)| counted(word, *count)).collect(),
        statuses: statistics
            .statuses
            .iter()
            .map(|(status, count)| counted(status.as_str(), *count))
            .collect(),
        agents: store
            .clients(&selection)
            .map_err(store_error)?
            .iter()
            .map(|(agent, count)| counted(agent.as_deref().unwrap_or_default(), *count))
            .collect(),
        known,
        lagging,
    })
}

/// How far the exchange with the organisation's server lags behind, if it does. Doesn't connect.
fn exchange_lag(context: &ActionContext, now_ms: i64) -> Option<MemoryLag> {
    let lag = match context.org_server.as_ref()? {
        Ok(server) => crate::org::exchange_lag(&context.database, server).ok()?,
        Err(error) => crate::org::ExchangeLag { why: Some(error.message()), ..Default::default() },
    };
    let behind = lag.is_behind(now_ms);
    let crate::org::ExchangeLag { why, waiting, since_ms, met_ms, .. } = lag;
    behind.then_some(MemoryLag { why, waiting, since_ms, met_ms })
}

/// Splits the typed text into the question and the filters in it.
fn split_filters(text: &str) -> (String, String) {
    let (mut question, mut filter) = (Vec::new(), Vec::new());
    let mut quoted = false;
    let words = text.split(|c: char| {
        quoted ^= c == '"';
        !quoted && c.is_whitespace()
    });
    for word in words.filter(|word| !word.is_empty()) {
        let key = word.trim_start_matches('-').split_once(':').filter(|(_, value)| !value.is_empty());
        if key.is_some_and(|(key, _)| is_key(key)) { filter.push(word) } else { question.push(word) }
    }
    (question.join(" "), filter.join(" "))
}

/// Searches or lists memories.
pub(super) fn memories(window: &WindowContext, asked: MemoriesQuery) -> Result<MemoriesPage, Error> {
    let began = Instant::now();
    let context = window.context(&asked.project);
    let (question, typed) = split_filters(&asked.text);
    let mut filter = typed.clone();
    for (key, value) in [
        ("ns", &asked.namespace),
        ("domain", &asked.scope),
        ("status", &asked.status),
        ("trust", &asked.trust),
        ("client", &asked.agent),
    ] {
        let by_you = key == "client" && value == YOU;
        if !value.is_empty() && !by_you {
            filter.push_str(&format!(" {key}:\"{}\"", value.replace(['"', '\\'], "")));
        }
    }
    let mut selection = context.selection(&filter).map_err(action_error)?;
    if asked.agent == YOU {
        // The user's memories have no agent.
        let any = Clause::Text(crate::query::Field::Client, vec![crate::query::Glob::new("*")]);
        selection.filter.clauses.push(Clause::Not(Box::new(any)));
    }
    if asked.status.is_empty() && !typed.contains("status:") {
        selection.filter.statuses = current();
    }
    let query = Some(question.trim()).filter(|question| !question.is_empty());
    let request = RecallRequest {
        query: query.map(str::to_owned),
        selection,
        offset: asked.offset,
        limit: asked.limit.clamp(1, MAX_RESULTS),
        utc_offset_min: context.utc_offset_min,
        ..RecallRequest::default()
    };
    let found = match context.reader().map_err(action_error)? {
        Some(store) => {
            let mut found = recall(&store, &request).map_err(store_error)?;
            // Replaced memories come last, however well they match.
            found.hits.sort_by_key(|hit| query.is_some() && hit.memory.status == Status::Superseded);
            let rows = found.hits.iter().map(|hit| row(window, &store, &hit.memory, query));
            (rows.collect::<Result<_, Error>>()?, found.total)
        }
        None => (Vec::new(), 0),
    };
    Ok(MemoriesPage {
        rows: found.0,
        total: found.1,
        question,
        elapsed_us: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
    })
}

/// A memory as a row of a list.
pub(super) fn row(
    window: &WindowContext,
    store: &SqliteStore,
    memory: &Memory,
    query: Option<&str>,
) -> Result<MemoryRow, Error> {
    let (title, body) = title_and_body(&memory.content);
    let replaced_by = if memory.status == Status::Superseded {
        links(store, &memory.id)?.into_iter().find(|link| link.kind == "supersedes" && !link.outgoing)
    } else {
        None
    };
    Ok(MemoryRow {
        id: memory.id.clone(),
        snippet: shortened(body, Detail::Medium, query).unwrap_or_default(),
        title,
        namespace: memory.namespace.as_str().to_owned(),
        scope: memory.domain.as_str().to_owned(),
        project: memory.project.clone(),
        branch: memory.branch.clone(),
        agent: memory.client.clone(),
        source: memory.source.clone(),
        trust: memory.trust.as_str().to_owned(),
        status: memory.status.as_str().to_owned(),
        expired: memory.expired(window.now_ms()),
        shared: memory.trust == Trust::Repository,
        created_ms: memory.created_ms,
        updated_ms: memory.updated_ms,
        replaced_by,
    })
}

/// The links of a memory, seen from it.
fn links(store: &SqliteStore, id: &str) -> Result<Vec<MemoryLinked>, Error> {
    let mut seen: HashSet<(String, LinkKind)> = HashSet::new();
    let mut out = Vec::new();
    for link in store.links(id).map_err(store_error)? {
        let outgoing = link.from == id;
        let other = if outgoing { link.to } else { link.from };
        if !seen.insert((other.clone(), link.kind)) {
            continue;
        }
        if let Some(memory) = store.get(&other).map_err(store_error)? {
            let (title, _) = title_and_body(&memory.content);
            let kind = link.kind.as_str().to_owned();
            out.push(MemoryLinked { id: other, title, kind, outgoing, at_ms: link.at_ms });
        }
    }
    Ok(out)
}

/// One memory with its details.
pub(super) fn memory(window: &WindowContext, asked: MemoryRef) -> Result<MemoryView, Error> {
    let (store, memory) = window.find(&asked.id)?;
    let row = row(window, &store, &memory, None)?;
    let (_, body) = title_and_body(&memory.content);
    let body = body.to_owned();
    let history = store.history(&memory.id, MAX_STEPS).map_err(store_error)?;
    let context = window.context_of(&memory);
    let sharing = sharing(&context, &memory);
    let (given, given_times) = window.deliveries(&memory.id);
    Ok(MemoryView {
        row: MemoryRow { shared: matches!(sharing.state.as_str(), "shared" | "theirs"), ..row },
        project_name: memory.project.as_deref().map(display_name),
        body,
        about: store
            .mentioned(&memory.id)
            .map_err(store_error)?
            .into_iter()
            .map(|(id, name)| EntityNamed { id, name })
            .collect(),
        links: links(&store, &memory.id)?,
        history: history
            .into_iter()
            .map(|step| MemoryStep {
                version: step.version,
                what: change_name(step.what).to_owned(),
                at_ms: step.who.at_ms,
                agent: step.who.client,
                content: step.content,
                tags: step.tags,
            })
            .collect(),
        given,
        given_times,
        sharing,
        content: memory.content,
        tags: memory.tags,
        file: memory.file,
        author: memory.author,
        session: memory.session,
        version: memory.version,
        expires_ms: memory.expires_ms,
    })
}

fn change_name(what: ChangeKind) -> &'static str {
    match what {
        ChangeKind::Captured => "captured",
        ChangeKind::Updated => "updated",
        ChangeKind::Archived => "archived",
        ChangeKind::Superseded => "superseded",
        ChangeKind::Deleted => "deleted",
        ChangeKind::Restored => "restored",
    }
}

/// Whether a memory is shared, in the context of its own project.
pub(super) fn sharing(context: &ActionContext, memory: &Memory) -> MemorySharing {
    let state = |state: &str, file, why: Option<&str>| MemorySharing {
        state: state.to_owned(),
        file,
        why: why.map(str::to_owned),
    };
    if memory.trust == Trust::Repository {
        return state("theirs", memory.source.clone(), None);
    }
    if let Some(file) = shared_file(context, memory) {
        return state("shared", Some(file), None);
    }
    let why = match (memory.domain, memory.status, &context.root) {
        (Domain::User | Domain::Org, ..) => Some("scope"),
        (_, status, _) if status != Status::Active => Some("status"),
        (.., None) => Some("folder"),
        _ => None,
    };
    state(if why.is_some() { "impossible" } else { "private" }, None, why)
}

/// The scope of a project, for direct queries of the store.
pub(super) fn scope(window: &WindowContext, project: &str) -> Scope {
    window.context(project).scope()
}

#[cfg(test)]
mod tests {
    use super::split_filters;

    #[test]
    fn filters_are_distinguished_from_words_that_look_like_them() {
        for (text, question, filter) in [
            ("why no redis ns:decisions", "why no redis", "ns:decisions"),
            ("-tag:old  cache status:any", "cache", "-tag:old status:any"),
            ("source:\"a b\" x", "x", "source:\"a b\""),
            ("https://example.org std::mem ns:", "https://example.org std::mem ns:", ""),
            ("\"no filter: here\"", "\"no filter: here\"", ""),
            ("", "", ""),
        ] {
            assert_eq!(split_filters(text), (question.to_owned(), filter.to_owned()), "{text}");
        }
    }
}
