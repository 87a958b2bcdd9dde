//! Since when and until when a relation is so, as somebody states it.

use super::context::ActionContext;
use super::failure::Failure;
use crate::domain::{InvalidPeriod, iso, last_moment, moment};
use crate::graph::Relation;

/// What is stated has whole minutes, and the moment at which a relation was recorded hardly ever has.
const STATED_MS: i64 = 60_000;

/// Reads a text as a moment, with the current time.
type Read = fn(&str, i64) -> Result<i64, InvalidPeriod>;

/// The moments between which a relation is so, as far as they're stated; `known` is the relation as it's stored.
///
/// # Errors
/// [`Failure`] if they aren't moments, or it would end before it began.
pub(super) fn stated_validity(
    context: &ActionContext,
    since: Option<&str>,
    until: Option<&str>,
    known: Option<&Relation>,
) -> Result<(Option<i64>, Option<i64>), Failure> {
    // Models fill in what they don't mean; what is typed is meant, also by a script whose variable is empty.
    let is_meant = |text: &&str| context.who.client.is_none() || !text.trim().is_empty();
    let at = |text: Option<&str>, now_ms: i64, read: Read| -> Result<Option<i64>, InvalidPeriod> {
        text.filter(is_meant).map(|text| read(text, now_ms)).transpose()
    };
    let now_ms = context.who.at_ms;
    // A period before now is stated as well.
    let since_ms = at(since, now_ms - now_ms.rem_euclid(STATED_MS), moment)?;
    // As in a filter, a date includes its day.
    let until_ms = at(until, now_ms, last_moment)?;
    let Some(end) = until_ms else { return Ok((since_ms, None)) };
    if since_ms.is_some_and(|since| end < since) {
        return Err(Failure::invalid("until is before since, so nothing was changed"));
    }
    let stored =
        known.map(|known| known.since_ms).filter(|since| since_ms.is_none() && since % STATED_MS == 0);
    if let Some(since) = stored.filter(|since| end < *since) {
        return Err(Failure::invalid(format!(
            "until is before {}, since when it's so, and nothing was changed; give since as well to change both",
            iso(since)
        )));
    }
    Ok((since_ms, until_ms))
}
