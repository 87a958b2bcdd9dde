//! Finding memories again: a question or a list, page by page, with a score that means something.
//!
//! What may come back is the selection's to say; this module ranks what a store found in it. It never writes.

mod detail;
mod forms;
mod fused;
mod order;
mod similar;
mod terms;

use std::collections::HashMap;

use serde::Serialize;

use crate::domain::Memory;
use crate::query::Selection;
use crate::store::{Effort, Meaning, Page, Result, Store};

pub use detail::{Detail, shortened};
pub use order::Components;
pub use similar::similar;

/// So many of the matches are looked at as texts. It does not depend on the page, so that pages neither repeat nor
/// lose a memory.
const POOL: usize = 80;
/// The same in a hook, and so many of the question's first terms.
const QUICK_POOL: usize = 10;
const QUICK_TERMS: usize = 12;
/// From this score on a match answers the question.
const HIGH: f64 = 0.6;
/// From this score on it may.
const MEDIUM: f64 = 0.35;

/// By what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// By words.
    #[default]
    Text,
    /// By meaning alone.
    Vector,
    /// By both.
    Hybrid,
}

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Recall {
    /// The question; without one, or with `*`, everything selected is listed, newest first.
    pub query: Option<String>,
    /// Which memories may come back.
    pub selection: Selection,
    /// So many are left out.
    pub offset: usize,
    /// So many come at the most.
    pub limit: usize,
    /// Lower scores are left out.
    pub min_score: f64,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// How much is looked at.
    pub effort: Effort,
    /// By what is looked for.
    pub mode: Mode,
    /// What the question means; without it only words are looked for, and by meaning alone nothing is found.
    pub meaning: Option<Meaning>,
}

/// How sure a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Some of the question is there.
    Low,
    /// Much of it is.
    Medium,
    /// Most of it is.
    High,
}

/// A memory that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// How well it answers, 0 to 1, comparable between questions; `None` in a list.
    pub score: Option<f64>,
    /// Why it stands where it does; `None` in a list.
    pub components: Option<Components>,
}

impl Hit {
    /// How sure it is; `None` in a list.
    pub fn confidence(&self) -> Option<Confidence> {
        self.score.map(|score| match score {
            score if score >= HIGH => Confidence::High,
            score if score >= MEDIUM => Confidence::Medium,
            _ => Confidence::Low,
        })
    }
}

/// A page of what was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// The hits, the best first; in a list the newest.
    pub hits: Vec<Hit>,
    /// How many there are on all pages.
    pub total: u64,
    /// Where the next page begins; `None` after the last.
    pub next: Option<usize>,
}

/// Finds what is asked.
///
/// # Errors
/// When the store fails.
pub fn recall(store: &dyn Store, asked: &Recall) -> Result<Found> {
    let question = asked.query.as_deref().map(str::trim).filter(|query| !query.is_empty() && *query != "*");
    match question {
        None => list(store, asked),
        Some(question) => search(store, asked, question),
    }
}

fn list(store: &dyn Store, asked: &Recall) -> Result<Found> {
    let page = Page { offset: asked.offset, limit: asked.limit };
    let listed = store.list(&asked.selection, page)?;
    let hits = listed.memories.into_iter().map(|memory| Hit { memory, score: None, components: None });
    Ok(paged(hits.collect(), listed.total, asked))
}

fn paged(hits: Vec<Hit>, total: u64, asked: &Recall) -> Found {
    let end = asked.offset.saturating_add(hits.len());
    let more = !hits.is_empty() && (end as u64) < total;
    Found { hits, total, next: more.then_some(end) }
}

fn search(store: &dyn Store, asked: &Recall, question: &str) -> Result<Found> {
    let mut read = HashMap::new();
    let mut scored = match asked.mode {
        Mode::Vector => Vec::new(),
        Mode::Text | Mode::Hybrid => by_words(store, asked, question, &mut read)?,
    };
    if let Some(meaning) = asked.meaning.as_ref().filter(|_| asked.mode != Mode::Text) {
        let near = store.nearest(&asked.selection, meaning)?;
        scored = fused::fused(scored, &near, asked.mode == Mode::Vector);
    }
    scored.retain(|(score, _)| *score >= asked.min_score);
    let total = scored.len() as u64;
    let page: Vec<_> = scored.into_iter().skip(asked.offset).take(asked.limit).collect();
    let missing: Vec<i64> =
        page.iter().map(|(_, ranked)| ranked.key).filter(|key| !read.contains_key(key)).collect();
    read.extend(store.read(&missing)?);
    let hits: Vec<Hit> = page
        .into_iter()
        .filter_map(|(score, ranked)| {
            let memory = read.remove(&ranked.key)?;
            Some(Hit { memory, score: Some(score), components: Some(ranked.components) })
        })
        .collect();
    Ok(paged(hits, total, asked))
}

/// What has words of the question, with its score, the best first. What was read on the way is in `read`.
fn by_words(
    store: &dyn Store,
    asked: &Recall,
    question: &str,
    read: &mut HashMap<i64, Memory>,
) -> Result<Vec<(f64, order::Ranked)>> {
    let mut wanted = terms::asked(question);
    if wanted.terms.is_empty() {
        return Ok(Vec::new());
    }
    for term in wanted.terms.iter_mut().filter(|term| !term.part.quoted) {
        for name in store.also_called(&asked.selection.scope, &term.part.text)? {
            if !term.forms.contains(&name) {
                term.forms.push(name);
            }
        }
    }
    if asked.effort == Effort::Quick {
        wanted.terms.truncate(QUICK_TERMS);
    }
    let found = store.matches(&asked.selection, &wanted.terms, asked.effort)?;
    let mut counts = vec![true; wanted.terms.len()];
    let mut ranked = order::by_terms(&found, &counts);
    let most = if asked.effort == Effort::Quick { QUICK_POOL } else { POOL };
    read_pool(store, &ranked, most, read)?;
    // Who speaks seldom says their own name: a name asks who said it, and not for texts that have it.
    let author = named_author(read.values(), question);
    for (counts, term) in counts.iter_mut().zip(&wanted.terms) {
        *counts = !read.values().any(|memory| is_called(memory.author.as_deref(), &term.part.text));
    }
    if counts.contains(&false) && counts.contains(&true) {
        ranked = order::by_terms(&found, &counts);
        read_pool(store, &ranked, most, read)?;
    }
    let pool = ranked.len().min(most);
    let here = order::Here {
        branch: asked.branch.as_deref(),
        now_ms: asked.selection.now_ms,
        when: wanted.when,
        author: author.as_deref(),
    };
    let rest = ranked.split_off(pool);
    // What is gone since the index was asked is gone.
    ranked.retain(|ranked| read.contains_key(&ranked.key));
    for ranked in &mut ranked {
        order::by_circumstances(ranked, &read[&ranked.key], &here);
    }
    ranked.sort_by(order::better);
    let best = ranked.first().map_or(1.0, |best| best.rank);
    // The rest stands behind the pool whatever its own rank says.
    let floor = ranked.last().map_or(1.0, |last| last.rank / best);
    let sure = ranked.iter().take(3).map(|best| sureness(&best.components)).fold(0.0, f64::max);
    let mut scored: Vec<(f64, order::Ranked)> =
        ranked.into_iter().map(|ranked| (sure * (ranked.rank / best).clamp(0.0, 1.0), ranked)).collect();
    scored.extend(rest.into_iter().map(|ranked| (sure * (ranked.rank / best).clamp(0.0, floor), ranked)));
    Ok(scored)
}

/// How sure a match is by itself: mostly by what it has of the question, a little by what stands around it.
fn sureness(components: &Components) -> f64 {
    (0.75 * components.coverage + 0.25 * components.context).clamp(0.0, 1.0)
}

/// Reads the pool's memories that were not read yet.
fn read_pool(
    store: &dyn Store,
    ranked: &[order::Ranked],
    most: usize,
    read: &mut HashMap<i64, Memory>,
) -> Result<()> {
    let missing: Vec<i64> =
        ranked.iter().take(most).map(|ranked| ranked.key).filter(|key| !read.contains_key(key)).collect();
    read.extend(store.read(&missing)?);
    Ok(())
}

/// Whether a word is what an author is called: the first of their names, or all of them.
fn is_called(author: Option<&str>, word: &str) -> bool {
    let Some(author) = author else { return false };
    let first = author.split(|c: char| !c.is_alphanumeric()).find(|name| !name.is_empty());
    author.eq_ignore_ascii_case(word) || first.is_some_and(|first| first.eq_ignore_ascii_case(word))
}

/// The author of something that was found, if the question names one and no other.
fn named_author<'a>(read: impl Iterator<Item = &'a Memory>, question: &str) -> Option<String> {
    let words: Vec<&str> = question.split(|c: char| !c.is_alphanumeric()).collect();
    let mut named: Vec<&str> = Vec::new();
    for author in read.filter_map(|memory| memory.author.as_deref()) {
        if !named.contains(&author) && words.iter().any(|word| is_called(Some(author), word)) {
            named.push(author);
        }
    }
    match named.as_slice() {
        [one] => Some((*one).to_owned()),
        _ => None,
    }
}
