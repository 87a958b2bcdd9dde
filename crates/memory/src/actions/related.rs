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
/// The number of memories about files that are looked through.
const MAX_OF_FILES: usize = 100;

/// The memories in these namespaces that are about one of the definitions or files, or surely about the words, at most `limit`,
/// in this order. One about another definition of a file isn't about the file. Those of strangers aren't given unasked, and the
/// organisation's server isn't asked.
///
/// # Errors
/// [`Failure`].
pub fn related(
    context: &ActionContext,
    namespaces: &[Namespace],
    (words, files, symbols): (&str, &[String], &[String]),
    limit: usize,
) -> Result<Vec<Memory>, Failure> {
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let mut selection = context.selection("")?;
    selection.filter.clauses.push(Clause::Namespace(namespaces.to_vec()));
    selection.filter.clauses.push(Clause::Not(Box::new(Clause::Trust(vec![Trust::Untrusted]))));
    let is_asked = |symbol: &str| symbols.iter().any(|asked| is_same(asked, symbol));
    let mut out: Vec<Memory> = Vec::new();
    if !files.is_empty() {
        let named = files.iter().take(MAX_FILES).map(|file| Glob::literal(file)).collect();
        let mut of_files = selection.clone();
        of_files.filter.clauses.push(Clause::Text(Field::Path, named));
        out.extend(store.list(&of_files, Page { offset: 0, limit: MAX_OF_FILES })?.memories);
        out.retain(|memory| memory.symbol().is_none_or(is_asked));
        out.sort_by_key(|memory| memory.symbol().is_none());
        out.truncate(limit);
    }
    let asked = RecallRequest {
        query: Some(words.replace('"', " ")).filter(|words| !words.trim().is_empty()),
        selection,
        limit,
        branch: context.branch.clone(),
        unasked: true,
        ..RecallRequest::default()
    };
    if asked.query.is_some() {
        for hit in recall(&store, &asked)?.hits {
            let sure = hit.confidence() == Some(Confidence::High)
                && hit.components.is_some_and(|components| components.coverage >= MIN_COVERAGE);
            // The file's name is among the words of what is about a part of the file.
            let elsewhere = hit.memory.symbol().is_some_and(|symbol| !is_asked(symbol))
                && hit.memory.file.as_ref().is_some_and(|file| files.contains(file));
            if sure && !elsewhere && !out.iter().any(|known| known.id == hit.memory.id) {
                out.push(hit.memory);
            }
        }
    }
    out.truncate(limit);
    Ok(out)
}

/// Whether two names are of the same definition; only one of them may say what it is in.
fn is_same(one: &str, other: &str) -> bool {
    let parts = |name: &str| -> Vec<String> {
        let name = name.trim_end_matches("()");
        name.split(['.', ':', '#']).filter(|part| !part.is_empty()).rev().map(str::to_owned).collect()
    };
    let (one, other) = (parts(one), parts(other));
    !one.is_empty() && !other.is_empty() && one.iter().zip(&other).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn names_are_the_same_if_their_ends_are() {
        for (one, other, expected) in [
            ("total", "total", true),
            ("Cart.total", "total", true),
            ("Cart::total()", "Cart.total", true),
            ("Cart.total", "Order.total", false),
            ("total", "subtotal", false),
            ("", "total", false),
        ] {
            assert_eq!(is_same(one, other), expected, "{one} {other}");
            assert_eq!(is_same(other, one), expected, "{other} {one}");
        }
    }
}
