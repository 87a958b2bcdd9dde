//! Merges, deduplicates or summarises similar memories. Merging and deduplicating go by rules. A summary needs a
//! language model and is refused without one; it waits for review and replaces nothing.

use std::collections::HashSet;

use serde_json::json;

use super::context::ActionContext;
use super::failure::Failure;
use super::read::parse_namespace;
use crate::domain::{LinkKind, Meaning, Memory, NAMESPACES, Status, UnknownName, similarity, word_set};
use crate::query::{Clause, Filter, Selection};
use crate::recall::{RecallRequest, recall};
use crate::store::{Draft, MAX_CONTENT_BYTES, Page, Store};

/// Maximum number of memories compared in one run.
const MAX_COMPARED: usize = 2_000;
/// Memories of one namespace form a group from this similarity on: the words they share, of all their words.
const GROUP_SIMILARITY: f64 = 0.5;
/// From this similarity on, two memories are duplicates.
const DUPLICATE_SIMILARITY: f64 = 0.85;
/// Maximum number of groups summarised in one run: the caller waits for each.
const MAX_SUMMARIES: usize = 5;
/// Maximum number of tags of a merged memory.
const MAX_TAGS: usize = 50;

/// Arguments of a consolidation.
#[derive(Debug, Clone, Default)]
pub struct Consolidate {
    /// The namespace to consolidate.
    pub namespace: String,
    /// `merge`, `summarize`, `dedupe`.
    pub strategy: Option<String>,
    /// Only memories that match this query.
    pub query: Option<String>,
    /// Report what would be done without doing it.
    pub dry_run: bool,
    /// The similarity from which memories form a group.
    pub similarity: Option<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Strategy {
    Merge,
    Dedupe,
    Summarize,
}

/// Merges or summarises similar memories, or keeps only the newest of duplicates.
///
/// # Errors
/// [`Failure`]; `summarize` needs a model.
pub fn consolidate(context: &ActionContext, given: &Consolidate) -> super::Reply {
    let strategy = match given.strategy.as_deref().unwrap_or("merge").to_ascii_lowercase().as_str() {
        "merge" => Strategy::Merge,
        "dedupe" => Strategy::Dedupe,
        "summarize" | "summarise" => {
            super::models::required_model(context)?;
            Strategy::Summarize
        }
        other => {
            return Err(Failure::invalid(format!(
                "strategy {:?} is unknown; allowed: merge, summarize, dedupe",
                UnknownName::shortened(other)
            )));
        }
    };
    let alike = given.similarity.unwrap_or(if strategy == Strategy::Dedupe {
        DUPLICATE_SIMILARITY
    } else {
        GROUP_SIMILARITY
    });
    if !(0.3..=1.0).contains(&alike) {
        return Err(Failure::invalid(format!("similarity is {alike}; it is between 0.3 and 1")));
    }
    let filter = Filter {
        clauses: vec![Clause::Namespace(vec![parse_namespace(&given.namespace)?])],
        ..Filter::default()
    };
    let selection = context.allowed(filter);
    let memories = match context.reader()? {
        Some(store) => candidates(&store, &selection, given.query.as_deref())?,
        None => Vec::new(),
    };
    let mut groups = groups(&memories, alike);
    if strategy == Strategy::Dedupe {
        groups = groups.into_iter().filter_map(|group| duplicates(&memories, group)).collect();
    }
    let (mut shown, mut too_long) = (Vec::new(), 0);
    for (group, similarity) in &groups {
        let of: Vec<&Memory> = group.iter().map(|at| &memories[*at]).collect();
        let proposed = match strategy {
            Strategy::Merge => merge_statements(&of),
            Strategy::Dedupe => of[0].content.clone(),
            Strategy::Summarize => {
                if shown.len() == MAX_SUMMARIES {
                    break;
                }
                super::models::summary(context, &of)?
            }
        };
        // Both a preview and what is done leave such a group as it is, and the others aren't affected.
        if proposed.len() > MAX_CONTENT_BYTES {
            too_long += 1;
            continue;
        }
        let mut out = json!({
            "memories": of.iter().map(|memory| memory.id.as_str()).collect::<Vec<_>>(),
            "similarity": (similarity * 100.0).round() / 100.0,
            "proposed_content": proposed,
        });
        // All of a group have the same.
        super::reply_json::tell_trust(of[0].trust, &mut out);
        if !given.dry_run {
            out["id"] = replace_group(context, strategy, &of, proposed)?.into();
            if strategy == Strategy::Summarize {
                // A model's text waits for review and replaces nothing.
                out["status"] = "pending".into();
            } else if let Some(store) = context.reader()? {
                let replaced = of.iter().map(|memory| memory.id.clone()).filter(|id| out["id"] != *id);
                let replaced: Vec<String> = replaced.collect();
                super::files::tell_still_shared(context, &store, &replaced, &mut out)?;
            }
        }
        shown.push(out);
    }
    let found = groups.len() - too_long;
    let mut out = json!({"groups_found": found, "candidate_merges": shown, "dry_run": given.dry_run});
    if too_long > 0 {
        out["too_long_to_merge"] = too_long.into();
    }
    Ok(out)
}

/// Shows what would be brought together in every namespace. Changes nothing.
///
/// # Errors
/// [`Failure`]; `summarize` asks a model for each group, so it needs a namespace.
pub fn preview_everywhere(context: &ActionContext, given: &Consolidate) -> super::Reply {
    if given.strategy.as_deref().is_some_and(|word| word.to_ascii_lowercase().starts_with("summari")) {
        return Err(Failure::invalid("summarize asks a model for each group, so it needs a namespace"));
    }
    let (mut groups, mut merges) = (0, Vec::new());
    for (_, info) in NAMESPACES {
        let within = Consolidate { namespace: info.name.to_owned(), dry_run: true, ..given.clone() };
        let found = consolidate(context, &within)?;
        groups += found["groups_found"].as_u64().unwrap_or(0);
        merges.extend(found["candidate_merges"].as_array().cloned().unwrap_or_default());
    }
    Ok(json!({"groups_found": groups, "candidate_merges": merges, "dry_run": true}))
}

/// The memories to compare, newest first.
fn candidates(store: &dyn Store, selection: &Selection, query: Option<&str>) -> Result<Vec<Memory>, Failure> {
    if query.is_some_and(|query| !query.trim().is_empty()) {
        let asked = RecallRequest {
            query: query.map(str::to_owned),
            selection: selection.clone(),
            limit: MAX_COMPARED,
            ..RecallRequest::default()
        };
        let mut found: Vec<Memory> = recall(store, &asked)?.hits.into_iter().map(|hit| hit.memory).collect();
        found.sort_by_key(|one| std::cmp::Reverse(one.created_ms));
        return Ok(found);
    }
    Ok(store.list(selection, Page { offset: 0, limit: MAX_COMPARED })?.memories)
}

/// Groups of similar memories: indexes into the list, with the lowest similarity to the group's first. Memories for
/// different audiences are never grouped.
fn groups(memories: &[Memory], alike: f64) -> Vec<(Vec<usize>, f64)> {
    let words: Vec<HashSet<String>> = memories.iter().map(|memory| word_set(&memory.content)).collect();
    let mut taken = vec![false; memories.len()];
    let mut out = Vec::new();
    for (at, first) in memories.iter().enumerate() {
        if taken[at] {
            continue;
        }
        // Memories that expire aren't merged with ones that don't: either would get the other's end.
        let place = |memory: &Memory| {
            (memory.domain, memory.project.clone(), memory.trust, memory.expires_ms.is_some())
        };
        let mut group = vec![at];
        let mut least = 1.0_f64;
        for (other, second) in memories.iter().enumerate().skip(at + 1) {
            if taken[other] || place(second) != place(first) {
                continue;
            }
            let likeness = similarity(&words[at], &words[other]);
            if likeness >= alike {
                group.push(other);
                least = least.min(likeness);
            }
        }
        if group.len() > 1 {
            group.iter().for_each(|at| taken[*at] = true);
            out.push((group, least));
        }
    }
    out
}

/// The memory of a group to keep, followed by its duplicates: the newest of the most complete ones. Memories that sound
/// alike may differ in the one word that matters; those stay.
fn duplicates(memories: &[Memory], (group, similarity): (Vec<usize>, f64)) -> Option<(Vec<usize>, f64)> {
    let all: Vec<(usize, Meaning)> =
        group.iter().map(|at| (*at, Meaning::of(&memories[*at].content))).collect();
    let mut best = vec![];
    for (by, meaning) in &all {
        let others = all.iter().filter(|(at, other)| at != by && meaning.says_all(other)).map(|(at, _)| *at);
        let found: Vec<usize> = std::iter::once(*by).chain(others).collect();
        if found.len() > best.len() {
            best = found;
        }
    }
    (best.len() > 1).then_some((best, similarity))
}

/// The statements of a memory: its lines, or the whole text where lines hang together, as in code and lists of several
/// levels.
fn statements_of(memory: &Memory) -> Vec<&str> {
    let content = memory.content.trim_end();
    let hangs_together = content.lines().any(|line| {
        line.starts_with([' ', '\t', '|']) || line.trim_start().starts_with("```") || line.starts_with("~~~")
    });
    if hangs_together {
        return vec![content];
    }
    content.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The distinct statements of all memories, newest first, unchanged. A statement is dropped if another one contains it.
fn merge_statements(of: &[&Memory]) -> String {
    let mut kept: Vec<(&str, Meaning)> = Vec::new();
    let mut seen = HashSet::new();
    // Memories of a group repeat most of their lines: those needn't be compared.
    for statement in of.iter().flat_map(|memory| statements_of(memory)).filter(|line| seen.insert(*line)) {
        let meaning = Meaning::of(statement);
        if !kept.iter().any(|(_, known)| known.says_all(&meaning)) {
            kept.retain(|(_, known)| !meaning.says_all(known));
            kept.push((statement, meaning));
        }
    }
    let mut out = String::new();
    for (statement, _) in kept {
        if !out.is_empty() {
            out.push_str(if statement.contains('\n') || out.ends_with("\n```") { "\n\n" } else { "\n" });
        }
        out.push_str(statement);
    }
    out
}

/// Replaces several memories by one. The old ones stay, superseded, with their history.
fn replace_group(
    context: &ActionContext,
    strategy: Strategy,
    of: &[&Memory],
    content: String,
) -> Result<String, Failure> {
    let mut store = context.writer()?;
    let newest = of[0];
    if strategy == Strategy::Dedupe {
        for old in &of[1..] {
            store.link(&newest.id, &old.id, LinkKind::Supersedes, &context.who)?;
        }
        return Ok(newest.id.clone());
    }
    let mut tags: Vec<String> = Vec::new();
    for tag in of.iter().flat_map(|memory| &memory.tags) {
        if !tags.contains(tag) && tags.len() < MAX_TAGS {
            tags.push(tag.clone());
        }
    }
    let same = |field: fn(&Memory) -> &Option<String>| {
        field(newest).clone().filter(|value| of.iter().all(|memory| field(memory).as_ref() == Some(value)))
    };
    let draft = Draft {
        project: newest.project.clone(),
        branch: same(|memory| &memory.branch),
        file: same(|memory| &memory.file),
        source: same(|memory| &memory.source),
        author: same(|memory| &memory.author),
        client: context.who.client.clone(),
        session: context.who.session.clone(),
        trust: newest.trust,
        tags,
        ttl_ms: of
            .iter()
            .map(|memory| memory.expires_ms)
            .min()
            .flatten()
            .map(|at| (at - context.who.at_ms).max(1)),
        supersedes: of.iter().map(|memory| memory.id.clone()).collect(),
        ..Draft::new(content, newest.namespace, newest.domain)
    };
    if strategy == Strategy::Summarize {
        // Without a session: a repetition by a model doesn't confirm a memory.
        let draft = Draft {
            status: Status::Pending,
            session: None,
            source: Some("a model's summary".into()),
            supersedes: Vec::new(),
            ..draft
        };
        let captured = store.capture(&draft.check(context.secrets)?, &context.who)?;
        if !captured.duplicate {
            for memory in of {
                store.link(&captured.memory.id, &memory.id, LinkKind::Summarizes, &context.who)?;
            }
        }
        return Ok(captured.memory.id);
    }
    let captured = store.capture(&draft.check(context.secrets)?, &context.who)?;
    // If the newest already contains everything, it stays and the others are superseded.
    Ok(captured.memory.id)
}
