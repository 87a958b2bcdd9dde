//! After a search with no hits, or too many to read, names the places that the index ranks first for its words. Only if the ranking
//! is certain, and only files that haven't changed since they were indexed.

use code::search::reply::quality;
use code::search::{Answer, Query, Reader, Request, search};
use system::ModelContext;

use super::search_calls::SearchCall;
use super::{Near, fitting, plain};

/// The number of places in a hint.
const PLACES: usize = 5;
/// In a larger index a search takes longer than a hook may.
const MOST_PARTS: u64 = 60_000;
/// Shorter runs of letters name nothing.
const SHORT: usize = 3;
/// Words of languages: who looks for nothing else looks for no place.
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
    if !near.store.is_complete().ok()? || near.store.max_chunk_id().ok()? > MOST_PARTS {
        return None;
    }
    let reader = Reader::open(&near.store).ok().filter(|_| near.in_time())?;
    // An empty folder was the wrong place to search.
    let folder = folder.filter(|_| asked.hits > 0);
    let request = Request { query: query.clone(), folder, limit: 3 * PLACES, ..Request::default() };
    let answers = search(&near.store, &reader, &request).ok()?;
    if quality(&Query::parse(&query), &answers).status != "ok" {
        return None;
    }
    let is_as_read = |path: &str| {
        let meta = std::fs::symlink_metadata(near.root.join(path)).ok();
        let known = near.store.indexed_file(path).ok().flatten();
        meta.zip(known).is_some_and(|(meta, known)| known.is_unchanged(&meta))
    };
    let lines: Vec<String> = answers
        .iter()
        .filter(|answer| near.shows(&answer.path) && is_as_read(&answer.path))
        .take(PLACES)
        .map(line)
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

fn line(answer: &Answer) -> String {
    let symbol = match (&answer.symbol, answer.kind) {
        (Some(symbol), Some(kind)) => format!(" {} {}", kind.name(), plain(symbol, 60)),
        _ => String::new(),
    };
    format!("{}:{}{symbol}", answer.path, answer.start_line)
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
    use super::words;

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
