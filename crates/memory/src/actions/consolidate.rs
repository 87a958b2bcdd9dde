//! Bringing together what says nearly the same, by rules. Summing it up takes a model: without one that is refused with the reason,
//! never pretended, and with one the summary waits for a review and replaces nothing.

use std::collections::HashSet;

use serde_json::json;

use super::desk::Desk;
use super::failure::Failure;
use super::look::named;
use crate::domain::{LinkKind, Memory, Status, near, word_set};
use crate::query::{Clause, Filter, Selection};
use crate::recall::{Recall, recall};
use crate::store::{Draft, Page, Store};

/// More memories are not compared in one go.
const MOST: usize = 2_000;
/// From this likeness on two memories of one namespace belong together; the measure is shared words of all words.
const ALIKE: f64 = 0.5;
/// From this likeness on they say the same.
const SAME: f64 = 0.85;
/// So many groups are summed up in one go: whoever asked waits for each.
const MOST_SUMMARIES: usize = 5;
/// A merged memory gets at most so many tags.
const TAGS: usize = 50;

/// Arguments of a consolidation.
#[derive(Debug, Clone, Default)]
pub struct Consolidate {
    /// Where.
    pub namespace: String,
    /// `merge`, `summarize`, `dedupe`.
    pub strategy: Option<String>,
    /// Only what is found by this.
    pub query: Option<String>,
    /// Only say what would be done.
    pub dry_run: bool,
    /// From which likeness on.
    pub similarity: Option<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Strategy {
    Merge,
    Dedupe,
    Summarize,
}

/// Merges memories that say nearly the same, or leaves the newest of those that say the same.
///
/// # Errors
/// [`Failure`]; `summarize` needs a model.
pub fn consolidate(desk: &Desk, given: &Consolidate) -> super::Reply {
    let strategy = match given.strategy.as_deref().unwrap_or("merge").to_ascii_lowercase().as_str() {
        "merge" => Strategy::Merge,
        "dedupe" => Strategy::Dedupe,
        "summarize" | "summarise" => {
            super::models::needed(desk)?;
            Strategy::Summarize
        }
        other => {
            return Err(Failure::invalid(format!(
                "strategy {other:?} is unknown; allowed: merge, summarize, dedupe"
            )));
        }
    };
    let alike = given.similarity.unwrap_or(if strategy == Strategy::Dedupe { SAME } else { ALIKE });
    if !(0.3..=1.0).contains(&alike) {
        return Err(Failure::invalid(format!("similarity is {alike}; it is between 0.3 and 1")));
    }
    let filter =
        Filter { clauses: vec![Clause::Namespace(vec![named(&given.namespace)?])], ..Filter::default() };
    let selection = Selection { scope: desk.scope(), filter, now_ms: desk.who.at_ms };
    let memories = match desk.reader()? {
        Some(store) => wanted(&store, &selection, given.query.as_deref())?,
        None => Vec::new(),
    };
    let groups = groups(&memories, alike);
    let mut shown = Vec::new();
    for (group, similarity) in &groups {
        let of: Vec<&Memory> = group.iter().map(|at| &memories[*at]).collect();
        let proposed = match strategy {
            Strategy::Merge => merged(&of),
            Strategy::Dedupe => of[0].content.clone(),
            Strategy::Summarize => {
                if shown.len() == MOST_SUMMARIES {
                    break;
                }
                super::models::summary(desk, &of)?
            }
        };
        let mut out = json!({
            "memories": of.iter().map(|memory| memory.id.as_str()).collect::<Vec<_>>(),
            "similarity": (similarity * 100.0).round() / 100.0,
            "proposed_content": proposed,
        });
        if !given.dry_run {
            out["id"] = apply(desk, strategy, &of, proposed)?.into();
            if strategy == Strategy::Summarize {
                // What a model wrote waits for a person, and takes nobody's place.
                out["status"] = "pending".into();
            }
        }
        shown.push(out);
    }
    Ok(json!({"groups_found": groups.len(), "candidate_merges": shown, "dry_run": given.dry_run}))
}

/// The memories that are compared, the newest first.
fn wanted(store: &dyn Store, selection: &Selection, query: Option<&str>) -> Result<Vec<Memory>, Failure> {
    if query.is_some_and(|query| !query.trim().is_empty()) {
        let asked = Recall {
            query: query.map(str::to_owned),
            selection: selection.clone(),
            limit: MOST,
            ..Recall::default()
        };
        let mut found: Vec<Memory> = recall(store, &asked)?.hits.into_iter().map(|hit| hit.memory).collect();
        found.sort_by_key(|one| std::cmp::Reverse(one.created_ms));
        return Ok(found);
    }
    Ok(store.list(selection, Page { offset: 0, limit: MOST })?.memories)
}

/// What belongs together: places in the list with the least likeness to the first of the group. What is for different people
/// is never one.
fn groups(memories: &[Memory], alike: f64) -> Vec<(Vec<usize>, f64)> {
    let words: Vec<HashSet<String>> = memories.iter().map(|memory| word_set(&memory.content)).collect();
    let mut taken = vec![false; memories.len()];
    let mut out = Vec::new();
    for (at, first) in memories.iter().enumerate() {
        if taken[at] {
            continue;
        }
        let place = |memory: &Memory| (memory.domain, memory.project.clone(), memory.trust);
        let mut group = vec![at];
        let mut least = 1.0_f64;
        for (other, second) in memories.iter().enumerate().skip(at + 1) {
            if taken[other] || place(second) != place(first) {
                continue;
            }
            let likeness = near(&words[at], &words[other]);
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

/// Every statement of all, each once, the newest first. Nothing is reworded: what somebody said stays what they said.
fn merged(of: &[&Memory]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut printed: Vec<HashSet<String>> = Vec::new();
    for line in
        of.iter().flat_map(|memory| memory.content.lines()).map(str::trim).filter(|line| !line.is_empty())
    {
        let words = word_set(line);
        let new = !printed.iter().any(|known| words.is_subset(known) || near(known, &words) >= SAME);
        if new {
            // What only says less than this goes.
            for at in (0..lines.len()).rev().filter(|at| printed[*at].is_subset(&words)).collect::<Vec<_>>() {
                lines.remove(at);
                printed.remove(at);
            }
            lines.push(line);
            printed.push(words);
        }
    }
    lines.join("\n")
}

/// Puts one memory in the place of several; they stay, superseded, with their history.
fn apply(desk: &Desk, strategy: Strategy, of: &[&Memory], content: String) -> Result<String, Failure> {
    let mut store = desk.writer()?;
    let newest = of[0];
    if strategy == Strategy::Dedupe {
        for old in &of[1..] {
            store.link(&newest.id, &old.id, LinkKind::Supersedes, &desk.who)?;
        }
        return Ok(newest.id.clone());
    }
    let mut tags: Vec<String> = Vec::new();
    for tag in of.iter().flat_map(|memory| &memory.tags) {
        if !tags.contains(tag) && tags.len() < TAGS {
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
        client: desk.who.client.clone(),
        session: desk.who.session.clone(),
        trust: newest.trust,
        tags,
        ttl_ms: of
            .iter()
            .map(|memory| memory.expires_ms)
            .min()
            .flatten()
            .map(|at| (at - desk.who.at_ms).max(1)),
        supersedes: of.iter().map(|memory| memory.id.clone()).collect(),
        ..Draft::new(content, newest.namespace, newest.domain)
    };
    if strategy == Strategy::Summarize {
        // Without a session of its own: that a model says the same twice confirms nothing.
        let draft = Draft {
            status: Status::Pending,
            session: None,
            source: Some("a model's summary".into()),
            supersedes: Vec::new(),
            ..draft
        };
        let captured = store.capture(&draft.check(desk.secrets)?, &desk.who)?;
        if !captured.duplicate {
            for memory in of {
                store.link(&captured.memory.id, &memory.id, LinkKind::Summarizes, &desk.who)?;
            }
        }
        return Ok(captured.memory.id);
    }
    let captured = store.capture(&draft.check(desk.secrets)?, &desk.who)?;
    // The newest may say it all already; it then stays, and the others go.
    Ok(captured.memory.id)
}
