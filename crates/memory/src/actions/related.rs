//! Memories about a part of the code: those that name one of its files, then those that are surely about it.

use super::{ActionContext, Failure};
use crate::domain::{Memory, Namespace, Trust};
use crate::query::{Clause, Field, Glob};
use crate::recall::{Confidence, RecallRequest, recall};
use crate::store::{Page, Store};

/// How much of a question a memory must have.
const MIN_COVERAGE: f64 = 0.5;
/// The number of files that are looked for.
const MAX_FILES: usize = 10;

/// The memories in these namespaces that name one of the files or are surely about the words, at most `limit`. Those of
/// strangers aren't given unasked, and the organisation's server isn't asked.
///
/// # Errors
/// [`Failure`].
pub fn related(
    context: &ActionContext,
    namespaces: &[Namespace],
    (words, files): (&str, &[String]),
    limit: usize,
) -> Result<Vec<Memory>, Failure> {
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let mut selection = context.selection("")?;
    selection.filter.clauses.push(Clause::Namespace(namespaces.to_vec()));
    selection.filter.clauses.push(Clause::Not(Box::new(Clause::Trust(vec![Trust::Untrusted]))));
    let mut out: Vec<Memory> = Vec::new();
    if !files.is_empty() {
        let named = files.iter().take(MAX_FILES).map(|file| Glob::literal(file)).collect();
        let mut of_files = selection.clone();
        of_files.filter.clauses.push(Clause::Text(Field::Path, named));
        out.extend(store.list(&of_files, Page { offset: 0, limit })?.memories);
    }
    let asked = RecallRequest {
        query: Some(words.replace('"', " ")).filter(|words| !words.trim().is_empty()),
        selection,
        limit,
        branch: context.branch.clone(),
        ..RecallRequest::default()
    };
    if asked.query.is_some() {
        for hit in recall(&store, &asked)?.hits {
            let sure = hit.confidence() == Some(Confidence::High)
                && hit.components.is_some_and(|components| components.coverage >= MIN_COVERAGE);
            if sure && !out.iter().any(|known| known.id == hit.memory.id) {
                out.push(hit.memory);
            }
        }
    }
    out.truncate(limit);
    Ok(out)
}
