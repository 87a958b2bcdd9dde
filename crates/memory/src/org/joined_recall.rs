//! Recall from the local memories and the organisation's server together: duplicates appear once, in order of score,
//! paged like one store. The caller never waits longer than [`RECALL_TIME_LIMIT`] for the server.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::connection::OrgConnection;
use super::exchange_state::ExchangeState;
use super::memory_exchange::from_others;
use crate::domain::hash;
use crate::recall::{Hit, HitPage, RecallRequest, recall};
use crate::store::{Effort, Result, SqliteStore, Store};

/// How long a recall waits for the server.
pub(crate) const RECALL_TIME_LIMIT: Duration = Duration::from_millis(150);
/// The number of the server's hits considered, whatever the page.
const POOL: usize = 100;

/// The hits from both, and why the server took no part, if it didn't.
pub(crate) fn recall_joined(
    here: Option<&SqliteStore>,
    asked: &RecallRequest,
    link: Option<&OrgConnection>,
    database: &std::path::Path,
) -> Result<(HitPage, HashSet<String>, Option<String>)> {
    let begun = Instant::now();
    let alone =
        |asked: &RecallRequest| here.map_or_else(|| Ok(HitPage::default()), |store| recall(store, asked));
    let question = asked.query.as_deref().map(str::trim).filter(|query| !query.is_empty() && *query != "*");
    let Some(link) = link.filter(|_| question.is_some() && asked.effort == Effort::Usual) else {
        return Ok((alone(asked)?, HashSet::new(), None));
    };
    let end = asked.offset.saturating_add(asked.limit);
    let whole = RecallRequest { offset: 0, limit: end, whole_words: true, ..asked.clone() };
    let mut found = alone(&whole)?;
    // Where neither has the question's words, compounds have them here.
    let or_compounds = |found: HitPage| match found.total {
        0 => alone(&RecallRequest { whole_words: false, ..whole.clone() }),
        _ => Ok(found),
    };
    let left = RECALL_TIME_LIMIT.saturating_sub(begun.elapsed());
    let theirs = match link.recall(RecallRequest { offset: 0, limit: POOL, ..asked.clone() }, left) {
        Ok(theirs) => theirs,
        Err(why) => {
            let found = or_compounds(found)?;
            return Ok((page(found.hits, found.total, asked), HashSet::new(), Some(why)));
        }
    };
    let state = ExchangeState::open_read_only(database, &link.server().name())?;
    // Removed for good here, which the server hears with the next exchange.
    let purged = state.as_ref().map(ExchangeState::pending_purges).transpose()?.unwrap_or_default();
    let (mut new, mut arrived) = (Vec::new(), false);
    let printed: HashSet<[u8; 16]> = found.hits.iter().map(|hit| hash(&hit.memory.content)).collect();
    for hit in theirs.hits.into_iter().filter(|hit| !purged.contains(&hit.memory.id)) {
        let known = state.as_ref().map(|state| state.copy_by(&hit.memory.id)).transpose()?.flatten();
        let id = known.map_or_else(|| hit.memory.id.clone(), |(memory, _)| memory);
        // Memories that exist locally were searched locally, in their local state.
        let is_here = match here {
            Some(store) => store.get(&id)?.is_some(),
            None => false,
        };
        arrived |= is_here && found.hits.iter().all(|hit| hit.memory.id != id);
        if !is_here && !printed.contains(&hash(&hit.memory.content)) {
            new.push(Hit { memory: from_others(hit.memory), ..hit });
        }
    }
    if arrived {
        // One may have arrived since the local search.
        found = alone(&whole)?;
    }
    if new.is_empty() {
        found = or_compounds(found)?;
    }
    let from_there: HashSet<String> = new.iter().map(|hit| hit.memory.id.clone()).collect();
    let total = found.total + new.len() as u64;
    let mut all = found.hits;
    all.extend(new);
    // A stable sort: of equal scores the local one comes first.
    all.sort_by(|a, b| b.score.unwrap_or(0.0).total_cmp(&a.score.unwrap_or(0.0)));
    Ok((page(all, total, asked), from_there, None))
}

/// The requested page from all hits.
fn page(hits: Vec<Hit>, total: u64, asked: &RecallRequest) -> HitPage {
    let hits: Vec<Hit> = hits.into_iter().skip(asked.offset).take(asked.limit).collect();
    let end = asked.offset.saturating_add(hits.len());
    let more = !hits.is_empty() && (end as u64) < total;
    HitPage { hits, total, next: more.then_some(end) }
}
