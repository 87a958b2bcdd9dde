//! A session's usage according to its agent's own record. Owns which transcripts can be about a session; reads only those.

use std::path::Path;

use jiff::tz::TimeZone;

use crate::record::Tokens;
use crate::scan::Scan;
use crate::source::{Kind, Source};
use crate::totals::Totals;

/// One model's usage in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelUsage {
    /// The model; empty if unknown.
    pub model: String,
    /// The tokens.
    pub tokens: Tokens,
    /// Responses of the model.
    pub responses: u64,
}

/// A session's usage per model from its agent's transcripts, the most first. `since_ms` is the session's first event, in
/// milliseconds since 1970: earlier records were copied from another session.
pub fn model_usage(mut about: Vec<Source>, session: &str, since_ms: i64) -> Vec<ModelUsage> {
    about.retain(|source| may_hold(source, session));
    let mut totals = Totals::new(TimeZone::UTC);
    Scan::of(about, since_ms).sum_up(&mut totals);
    let mut models: Vec<ModelUsage> = Vec::new();
    for (row, spent) in totals.rows().into_iter().filter(|(row, _)| row.session == session) {
        match models.iter_mut().find(|used| used.model == row.model) {
            Some(used) => {
                used.tokens = used.tokens.plus(&spent.tokens);
                used.responses += spent.responses;
            }
            None => {
                models.push(ModelUsage {
                    model: row.model,
                    tokens: spent.tokens,
                    responses: spent.responses,
                });
            }
        }
    }
    models.sort_by_key(|used| std::cmp::Reverse(used.tokens.total()));
    models
}

/// Whether this source can contain the session's records: most files are named after their session, or after the start of
/// its id; databases and telemetry contain many.
fn may_hold(source: &Source, session: &str) -> bool {
    let Kind::File(format) = source.kind else { return true };
    let Some(length) = format.named_by else { return true };
    let part = session.get(..length).unwrap_or(session);
    let holds = |name: &Path| name.to_string_lossy().contains(part);
    !part.is_empty() && source.path.iter().any(|name| holds(Path::new(name)))
}
