//! What one session used, by its agent's own record. Owns which transcripts can be about a session; reads those only.

use std::path::Path;

use jiff::tz::TimeZone;

use crate::places::{Kind, Source};
use crate::record::Tokens;
use crate::scan::Scan;
use crate::totals::Totals;

/// What a model was given and gave in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// The model; empty when it is not recorded.
    pub model: String,
    /// The tokens.
    pub tokens: Tokens,
    /// Responses of the model.
    pub responses: u64,
}

/// Per model what a session used by these transcripts of its agent, the most first. `since_ms` is the session's first sign,
/// in milliseconds since 1970: what was recorded before was copied from an earlier one.
pub fn used(mut about: Vec<Source>, session: &str, since_ms: i64) -> Vec<Used> {
    about.retain(|source| may_hold(source, session));
    let mut totals = Totals::new(TimeZone::UTC);
    Scan::of(about, since_ms).sum_up(&mut totals);
    let mut models: Vec<Used> = Vec::new();
    for (row, spent) in totals.rows().into_iter().filter(|(row, _)| row.session == session) {
        match models.iter_mut().find(|used| used.model == row.model) {
            Some(used) => {
                used.tokens = used.tokens.plus(&spent.tokens);
                used.responses += spent.responses;
            }
            None => {
                models.push(Used { model: row.model, tokens: spent.tokens, responses: spent.responses });
            }
        }
    }
    models.sort_by_key(|used| std::cmp::Reverse(used.tokens.total()));
    models
}

/// Whether the session's records can be in this source: most files are named by the session they hold, or by the beginning of
/// its name; databases and telemetry hold many.
fn may_hold(source: &Source, session: &str) -> bool {
    let Kind::File(format) = source.kind else { return true };
    let Some(length) = format.named_by else { return true };
    let part = session.get(..length).unwrap_or(session);
    let holds = |name: &Path| name.to_string_lossy().contains(part);
    !part.is_empty() && source.path.iter().any(|name| holds(Path::new(name)))
}
