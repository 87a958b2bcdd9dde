//! Sends the vectors of memories that were captured here and that the server has, where it stores vectors, so that
//! others' questions by meaning find them there. Losing a step loses nothing: what wasn't recorded as sent is sent again.

use super::exchange_state::ExchangeState;
use crate::domain::Trust;
use crate::store::{PgStore, Result, SharedVector, SqliteStore, Store};

/// Number of vectors sent at once.
const SEND_BATCH: usize = 100;
/// Number of local vectors looked at per query.
const PAGE: usize = 500;

/// One step of sending; returns whether there is more to send.
pub(super) fn send(state: &mut ExchangeState, here: &SqliteStore, there: &mut PgStore) -> Result<bool> {
    if !there.has_vectors()? {
        return Ok(false);
    }
    let (mut below, mut sent, mut marks) = (i64::MAX, Vec::new(), Vec::new());
    'pages: loop {
        let page = here.vectors_below(below, PAGE)?;
        let Some((last, _)) = page.last() else { break };
        below = *last;
        for (_, vector) in page {
            // What others captured, they send.
            let mine =
                here.get(&vector.id)?.filter(|memory| matches!(memory.trust, Trust::User | Trust::Agent));
            let copy = state.copy_of(&vector.id)?.filter(|(_, agreed)| agreed.is_some());
            let (Some(_), Some((id, _))) = (mine, copy) else { continue };
            if state.is_vector_sent(&vector)? {
                continue;
            }
            sent.push(SharedVector { id, ..vector.clone() });
            marks.push(vector);
            if sent.len() == SEND_BATCH {
                break 'pages;
            }
        }
    }
    if sent.is_empty() {
        return Ok(false);
    }
    there.put_vectors(&sent)?;
    state.mark_vectors_sent(&marks)?;
    Ok(sent.len() == SEND_BATCH)
}
