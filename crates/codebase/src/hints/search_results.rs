//! After a search with no hits, or too many to read, names the places that the index ranks first for its words. Only if the ranking
//! is certain, and only files that haven't changed since they were indexed.

use std::cmp::Reverse;

use code::Span;
use code::search::reply::quality;
use code::search::{Answer, Evidence, Query, Reader, Request, search};
use system::ModelContext;

use super::search_calls::SearchCall;
use super::{MOST_PARTS, Near, fitting, plain};

/// The number of places in a hint.
const PLACES: usize = 5;
/// A search allocates room up to the highest part number, and numbers of removed parts aren't reused.
const LAST_PART: u64 = 20 * MOST_PARTS;
/// Shorter runs of letters aren't names.
const SHORT: usize = 3;
/// Keywords of languages: a search for nothing else isn't looking for a place.
const KEYWORDS: &[&str] = &[
    "fn",
    "def",
    "func",
    "function",
    "class",
    "struct",
    "enum",
    "impl",
    "trait",
    "interface",
    "type",
    "const",
    "let",
    "var",
    "import",
    "from",
    "use",
    "pub",
    "mod",
    "return",
    "export",
    "async",
    "await",
    "static",
    "self",
    "this",
    "new",
    "void",
    "int",
    "string",
    "bool",
    "true",
    "false",
    "null",
    "none",
    "todo",
    "fixme",
    "xxx",
    "hack",
    "for",
    "while",
    "match",
];

pub(super) fn tell(near: &Near<'_>, asked: &SearchCall) -> Option<ModelContext> {
    let query = words(&asked.pattern)?;
    let folder = match &asked.path {
        None => None,
        Some(path) => Some(near.relative(path).filter(|at| near.root.join(at).is_dir())?),
    };
    if !near.store.is_complete().ok()? || near.is_large()? || near.store.max_chunk_id().ok()? > LAST_PART {
        return None;
    }
    let reader = Reader::open(&near.store).ok().filter(|_| near.in_time())?;
    // An empty folder was the wrong place to search.
    let folder = folder.filter(|_| asked.hits > 0);
    let request = Request { query: query.clone(), folder, limit: 3 * PLACES, ..Request::default() };
    let answers = search(&near.store, &reader, &request).ok()?;
    // The words are pieces of a pattern: that a whole one is missing says nothing.
    if quality(&Query::parse(&query), &Evidence::default(), &answers).status != "ok" {
        return None;
    }
    let is_as_read = |path: &str| {
        let meta = std::fs::symlink_metadata(near.root.join(path)).ok();
        let known = near.store.indexed_file(path).ok().flatten();
        meta.zip(known).is_some_and(|(meta, known)| known.is_unchanged(&meta))
    };
    // An answer with half of the best one's words was ranked only for lack of others.
    let best = answers.iter().map(|answer| answer.cover).fold(0.0, f64::max);
    let asked_for = parts(&query);
    let lines: Vec<String> = answers
        .iter()
        .filter(|answer| best <= 0.0 || answer.cover * 2.0 > best)
        .filter(|answer| near.shows(&answer.path) && is_as_read(&answer.path))
        .take(PLACES)
        .map(|answer| line(near, answer, &asked_for))
        .collect();
    let pattern = plain(&asked.pattern, 40);
    let first = match asked.hits {
        0 => format!("No hits for `{pattern}`. Plimsoll's index of this project ranks for its words:"),
        hits => format!("{hits} hits for `{pattern}`. Plimsoll's index of this project ranks first:"),
    };
    let text = fitting(&first, &lines, "")?;
    let because = if asked.hits == 0 { "a search found nothing" } else { "a search found too much" };
    near.first_time(&format!("hits {} {:?}", asked.pattern, asked.path)).then_some(ModelContext {
        text,
        reason: because,
        ledger_name: "hits",
    })
}

/// The place of the definition whose name has most of the words, else where the part of the file begins.
fn line(near: &Near<'_>, answer: &Answer, asked_for: &[String]) -> String {
    let spans = near.store.spans_of(&answer.path).unwrap_or_default();
    let in_part = |span: &&Span| (answer.start_line..=answer.end_line).contains(&span.line);
    if let Some(span) = best_named(spans.iter().filter(in_part), asked_for) {
        let owner = if span.container.is_empty() { String::new() } else { format!("{}.", span.container) };
        let name = plain(&format!("{owner}{}", span.name), 60);
        return format!("{}:{} {} {name}", answer.path, span.line, span.kind.name());
    }
    let symbol = match (&answer.symbol, answer.kind) {
        (Some(symbol), Some(kind)) => format!(" {} {}", kind.name(), plain(symbol, 60)),
        _ => String::new(),
    };
    format!("{}:{}{symbol}", answer.path, answer.start_line)
}

/// The definition whose name has most of the words, and of several the one with the fewest others, if any has one: a search for
/// `Cart` is for `Cart` and not for the `CartFlags` above it.
fn best_named<'s>(spans: impl Iterator<Item = &'s Span>, asked_for: &[String]) -> Option<&'s Span> {
    let fit = |span: &Span| {
        let parts = parts(&span.name);
        let shared = parts.iter().filter(|part| asked_for.contains(part)).count();
        (shared, Reverse(parts.len() - shared), Reverse(span.line))
    };
    let named = spans.map(|span| (fit(span), span)).filter(|((shared, ..), _)| *shared > 0);
    named.max_by_key(|(fit, _)| *fit).map(|(_, span)| span)
}

/// The words of names, in lower case: `total` and `cart` of `cartTotal` and `TOTAL_CART`.
fn parts(names: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut was_lower = false;
    for c in names.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_lower {
            out.push(String::new());
        }
        if let Some(part) = out.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
        was_lower = !c.is_uppercase();
    }
    out.retain(|part| part.len() >= SHORT);
    out
}

/// The names in a pattern, without what is there for the expression only; `None` where nothing is named.
fn words(pattern: &str) -> Option<String> {
    let mut text = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            // `\bname\b`, `\s+`
            '\\' => {
                chars.next();
                text.push(' ');
            }
            c if c.is_alphanumeric() || c == '_' => text.push(c),
            _ => text.push(' '),
        }
    }
    let named: Vec<&str> = text
        .split_whitespace()
        .filter(|word| word.len() >= SHORT && !word.starts_with(char::is_numeric))
        .take(8)
        .collect();
    let says = named.iter().any(|word| !KEYWORDS.contains(&word.to_lowercase().as_str()));
    says.then(|| named.join(" "))
}

#[cfg(test)]
mod tests {
    use code::Kind;

    use super::*;

    #[test]
    fn the_definition_with_most_of_the_words_is_named() {
        let span = |name: &str, line: u32| Span {
            name: name.into(),
            kind: Kind::Function,
            container: String::new(),
            line,
            start_line: line,
            end_line: line,
            signature: String::new(),
        };
        let spans = [
            span("Cart", 1),
            span("cartTotal", 5),
            span("TOTAL_OF_CART", 9),
            span("OtherFlags", 11),
            span("other", 12),
        ];
        for (words, expected) in [
            ("total cart", Some("cartTotal")),
            ("totalOfCart", Some("cartTotal")),
            ("my_cart", Some("Cart")),
            ("o of is", None),
            ("other", Some("other")),
            ("Others", None),
        ] {
            let found = best_named(spans.iter(), &parts(words)).map(|span| span.name.as_str());
            assert_eq!(found, expected, "{words}");
        }
    }

    #[test]
    fn what_a_pattern_names() {
        for (pattern, expected) in [
            (r"\bparseConfig\b", Some("parseConfig")),
            (r"fn\s+(parse|read)_config\(", Some("parse read _config")),
            ("class .*Router", Some("class Router")),
            (r"^\s*import ", None),
            ("TODO", None),
            (r"\d+", None),
            ("x1", None),
            ("", None),
        ] {
            assert_eq!(words(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
