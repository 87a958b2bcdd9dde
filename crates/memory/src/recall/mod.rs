//! Recall: ranks memories for a question, or lists them, page by page, with comparable scores.
//!
//! The selection decides which memories may be returned; this module ranks what a store found within it. It never
//! writes.

mod amounts;
mod asked_period;
mod author;
mod compounds;
mod detail;
mod english_spellings;
mod function_words;
mod fusion;
mod german_forms;
mod hit;
mod irregular_forms;
mod misspelled;
mod moments;
mod names;
mod own_words;
mod related_words;
mod scoring;
mod short_forms;
mod similar;
mod terms;
mod translations;
mod two_words;
mod unspaced;

use std::collections::HashMap;

use crate::domain::{Memory, composed};
use crate::graph::phrases_in;
use crate::query::Selection;
use crate::store::{Effort, Page, QueryVector, Result, Store, Term};

pub use detail::{Detail, shortened};
pub use hit::{Confidence, Hit, HitPage};
pub(crate) use names::{has_version_of, is_identifier, is_named_in, names_in};
pub use scoring::Components;
pub use similar::similar;
pub(crate) use terms::says_nothing;
pub(crate) use unspaced::whole_words;

/// The number of matches whose texts are read. It doesn't depend on the page, so that pages neither repeat nor lose a
/// memory.
const POOL: usize = 80;
/// The same in a hook, with the number of the question's first terms used there.
const QUICK_POOL: usize = 10;
const QUICK_TERMS: usize = 12;
/// The number of words in the longest name that is looked up as a whole.
const MAX_NAME_WORDS: usize = 3;
/// The number of memories that have a rare word at most.
const RARE: u64 = 5;

/// The search mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// By words.
    #[default]
    Text,
    /// By vectors alone.
    Vector,
    /// By words and vectors.
    Hybrid,
}

/// A recall request.
#[derive(Debug, Clone, Default)]
pub struct RecallRequest {
    /// The question; without one, or with `*`, all selected memories are listed, newest first.
    pub query: Option<String>,
    /// Which memories may be returned.
    pub selection: Selection,
    /// The number of memories to skip.
    pub offset: usize,
    /// Maximum number of memories.
    pub limit: usize,
    /// The minimum score.
    pub min_score: f64,
    /// The user's UTC offset in minutes: when their days begin.
    pub utc_offset_min: i32,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// How thorough the search is.
    pub effort: Effort,
    /// The search mode.
    pub mode: Mode,
    /// Words in lower case, and pairs of them, that aren't counted in [`Components::own_words`]. What they begin with apart, the
    /// words say nothing of how much of the question a memory has.
    pub everyday: Vec<&'static str>,
    /// Whether nobody asked, so that only what surely is the same word counts: its tenses and spellings.
    pub unasked: bool,
    /// Whether a word that nothing has isn't looked for as a part of compounds either: another store may have it.
    pub whole_words: bool,
    /// The question's vector; without it only words count, and the mode `vector` finds nothing.
    pub meaning: Option<QueryVector>,
}

/// Runs a recall request.
///
/// # Errors
/// If the store fails.
pub fn recall(store: &dyn Store, asked: &RecallRequest) -> Result<HitPage> {
    let query = asked.query.as_deref().map(composed);
    let question = query.as_deref().map(str::trim).filter(|query| !query.is_empty() && *query != "*");
    match question {
        None => list(store, asked),
        Some(question) => search(store, asked, question),
    }
}

fn list(store: &dyn Store, asked: &RecallRequest) -> Result<HitPage> {
    let page = Page { offset: asked.offset, limit: asked.limit };
    let listed = store.list(&asked.selection, page)?;
    let hits = listed.memories.into_iter().map(|memory| Hit { memory, score: None, components: None });
    Ok(paged(hits.collect(), listed.total, asked))
}

fn paged(hits: Vec<Hit>, total: u64, asked: &RecallRequest) -> HitPage {
    let end = asked.offset.saturating_add(hits.len());
    let more = !hits.is_empty() && (end as u64) < total;
    HitPage { hits, total, next: more.then_some(end) }
}

fn search(store: &dyn Store, asked: &RecallRequest, question: &str) -> Result<HitPage> {
    if asked.effort == Effort::Usual
        && !asked.unasked
        && asked.mode != Mode::Vector
        && let Some(page) = asked_period::memories_of_period(store, asked, question)?
    {
        return Ok(page);
    }
    let mut read = HashMap::new();
    let mut scored = match asked.mode {
        Mode::Vector => Vec::new(),
        Mode::Text | Mode::Hybrid => by_words(store, asked, question, Least::Share, &mut read)?,
    };
    if let Some(meaning) = asked.meaning.as_ref().filter(|_| asked.mode != Mode::Text) {
        let near = store.nearest(&asked.selection, meaning)?;
        scored = fusion::fuse(scored, &near, asked.mode == Mode::Vector);
    }
    let is_asked = asked.effort == Effort::Usual && !asked.unasked && !asked.whole_words;
    if scored.is_empty() && is_asked && asked.mode != Mode::Vector {
        scored = compounds::by_parts(store, &asked.selection, question, &mut read)?;
        if scored.is_empty() {
            scored = by_words(store, asked, question, Least::ShareInAnyLanguage, &mut read)?;
            scored.retain(|(_, ranked)| ranked.components.coverage >= translations::MIN_COVERAGE);
            scored.iter_mut().for_each(|(score, _)| *score *= translations::CERTAINTY);
        }
        if scored.is_empty()
            && let Some(corrected) = misspelled::correction(store, &asked.selection, question)?
        {
            scored = by_words(store, asked, &corrected, Least::Share, &mut read)?;
            scored.iter_mut().for_each(|(score, _)| *score *= misspelled::CERTAINTY);
        }
        if scored.is_empty() {
            scored = by_words(store, asked, question, Least::RareWord, &mut read)?;
        }
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

/// What a memory must have of a question at least.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Least {
    /// A share of its words, or one of its identifiers.
    Share,
    /// The same, with words for the same in other languages.
    ShareInAnyLanguage,
    /// The same, or a rare word: of a long question that is all there is.
    RareWord,
}

/// The memories that match words of the question with their scores, best first. `read` collects the memories read on
/// the way.
fn by_words(
    store: &dyn Store,
    asked: &RecallRequest,
    question: &str,
    least: Least,
    read: &mut HashMap<i64, Memory>,
) -> Result<Vec<(f64, scoring::Ranked)>> {
    let mut wanted = terms::parse(question, asked.unasked);
    if wanted.terms.is_empty() {
        return Ok(Vec::new());
    }
    if least == Least::ShareInAnyLanguage {
        translations::add(&mut wanted.terms, question);
    }
    for term in wanted.terms.iter_mut().filter(|term| !term.part.quoted) {
        for name in store.aliases_of(&asked.selection.scope, &term.part.text)? {
            if !term.forms.contains(&name) {
                term.forms.push(name);
            }
        }
    }
    match asked.effort {
        // Pairs of characters count as several words, and a hook that is unsure gives nothing.
        Effort::Quick => {
            wanted.split_into_whole_words();
            wanted.truncate(QUICK_TERMS);
        }
        Effort::Usual => wanted.split_unspaced(),
    }
    add_names_of_words(store, asked, question, &mut wanted.terms)?;
    let mut found = store.matches(&asked.selection, &wanted.terms, asked.effort)?;
    let is_thorough = asked.effort == Effort::Usual && !asked.unasked;
    if is_thorough && two_words::add(store, &asked.selection, &mut wanted.terms, &found)? {
        found = store.matches(&asked.selection, &wanted.terms, asked.effort)?;
    }
    if is_thorough && misspelled::add_slips(store, &asked.selection, &mut wanted.terms, &found)? {
        found = store.matches(&asked.selection, &wanted.terms, asked.effort)?;
    }
    let mut counts = vec![true; wanted.terms.len()];
    let mut covers = wanted.is_subject.clone();
    let is_each = |is: fn(&str, &str) -> bool| -> Vec<bool> {
        wanted.terms.iter().map(|term| is(&term.part.text, question)).collect()
    };
    let amounts = amounts::amounts(&wanted.terms, question);
    let (mut named, identifiers) = (is_each(names::is_name), is_each(is_identifier));
    named.iter_mut().zip(&amounts).for_each(|(named, amount)| *named &= !amount);
    let rare = |with: &u64| least == Least::RareWord && (1..=RARE).contains(with);
    let suffices: Vec<bool> = identifiers
        .iter()
        .zip(&found.with)
        .zip(&covers)
        .map(|((is_identifier, with), covers)| *is_identifier || *covers && rare(with))
        .collect();
    let beside = own_words::beside(question, &wanted.terms, &asked.everyday, (&named, &found.with));
    let by_terms = |counts: &[bool], covers: &[bool]| {
        scoring::by_terms(&found, counts, &own_words::without(covers, &beside), &suffices)
    };
    let mut ranked = by_terms(&counts, &covers);
    let most = if asked.effort == Effort::Quick { QUICK_POOL } else { POOL };
    read_pool(store, &ranked, most, read)?;
    let author = author::named_author(read.values(), question);
    for (counts, term) in counts.iter_mut().zip(&wanted.terms) {
        *counts = !read.values().any(|memory| author::is_called(memory.author.as_deref(), &term.part.text));
    }
    if counts.contains(&false) && counts.contains(&true) {
        // A question with a name and a measure alone is about the measure.
        covers = counts.iter().zip(&covers).map(|(counts, covers)| *counts && *covers).collect();
        if !covers.contains(&true) {
            covers.clone_from(&counts);
        }
        ranked = by_terms(&counts, &covers);
    }
    let fitting = scoring::fitting(&found, &wanted.is_subject, |key| read.get(&key));
    ranked.retain(|ranked| fitting.contains(&ranked.key));
    read_pool(store, &ranked, most, read)?;
    let pool = ranked.len().min(most);
    let here = scoring::QuestionContext {
        branch: asked.branch.as_deref(),
        now_ms: asked.selection.now_ms,
        when: wanted.when,
        version: wanted.version,
        author: author.as_deref(),
    };
    let rest = ranked.split_off(pool);
    // A memory deleted since the index was queried is skipped.
    ranked.retain(|ranked| read.contains_key(&ranked.key));
    let own = own_words::own(&wanted.terms, &asked.everyday, &amounts);
    let kinds = scoring::WordKinds { names: &named, identifiers: &identifiers, own: &own, amounts: &amounts };
    scoring::count_words(&mut ranked, &found, &covers, &kinds);
    for ranked in &mut ranked {
        scoring::by_circumstances(ranked, &read[&ranked.key], &here);
    }
    ranked.sort_by(scoring::better);
    let best = ranked.first().map_or(1.0, |best| best.rank);
    // Matches outside the pool rank behind it, whatever their own rank.
    let floor = ranked.last().map_or(1.0, |last| last.rank / best);
    let sure = ranked.iter().take(3).map(|best| certainty(&best.components)).fold(0.0, f64::max);
    let mut scored: Vec<(f64, scoring::Ranked)> =
        ranked.into_iter().map(|ranked| (sure * (ranked.rank / best).clamp(0.0, 1.0), ranked)).collect();
    scored.extend(rest.into_iter().map(|ranked| (sure * (ranked.rank / best).clamp(0.0, floor), ranked)));
    Ok(scored)
}

/// Adds the other names of what two or three neighbouring words name together to each of these words: `Zed DB` is `zedb`.
fn add_names_of_words(
    store: &dyn Store,
    asked: &RecallRequest,
    question: &str,
    terms: &mut [Term],
) -> Result<()> {
    if terms.len() < 2 {
        return Ok(());
    }
    let wanted: Vec<String> = terms.iter().map(|term| term.part.text.to_lowercase()).collect();
    let is_wanted = |word: &str| wanted.iter().any(|one| one.as_str() == word);
    for run in phrases_in(question) {
        let words: Vec<&str> = run.split(' ').collect();
        // Only what begins and ends with a term, so that a long question asks for a few dozen at most.
        let is_run = (2..=MAX_NAME_WORDS).contains(&words.len());
        if !is_run || !is_wanted(words[0]) || !is_wanted(words[words.len() - 1]) {
            continue;
        }
        let names = store.aliases_of(&asked.selection.scope, &run)?;
        for (term, word) in terms.iter_mut().zip(&wanted) {
            if term.part.quoted || !words.contains(&word.as_str()) {
                continue;
            }
            for name in &names {
                if !term.forms.contains(name) {
                    term.forms.push(name.clone());
                }
            }
        }
    }
    Ok(())
}

/// The certainty of a match by itself: mostly its own coverage of the question, a little its context's.
fn certainty(components: &Components) -> f64 {
    (0.75 * components.coverage + 0.25 * components.context).clamp(0.0, 1.0)
}

/// Reads the pool's memories that haven't been read yet.
fn read_pool(
    store: &dyn Store,
    ranked: &[scoring::Ranked],
    most: usize,
    read: &mut HashMap<i64, Memory>,
) -> Result<()> {
    let missing: Vec<i64> =
        ranked.iter().take(most).map(|ranked| ranked.key).filter(|key| !read.contains_key(key)).collect();
    read.extend(store.read(&missing)?);
    Ok(())
}

#[cfg(test)]
mod tests;
