//! Searches an index: parses the question (`query`), adds words of the same families (`forms`), gathers candidate files
//! (`candidates`), computes their `features`, orders them (`rank`, `declarations`), says what is missing (`evidence`) and renders the
//! result (`reply`). An answer is a file with its best matching part; each file occurs once.

mod candidates;
mod declarations;
mod evidence;
mod features;
mod forms;
mod prior;
mod query;
mod rank;
mod reader;
mod related;
pub mod reply;
mod weights;

use std::collections::HashMap;

pub use evidence::{Evidence, similar_names};
pub use features::NAMES as FEATURES;
pub use prior::PRIOR;
pub use query::Query;
pub use reader::{File, Reader, Refreshed};

use candidates::{Candidate, Hit, gather_candidates};
use features::DefinitionMatch;

use crate::error::{CodebaseError, Result};
use crate::grammar::Kind;
use crate::role::Role;
use crate::store::Store;

/// By candidate: its number of definitions, and those whose name has a word of the question.
type DefinitionMatches = HashMap<u32, (usize, Vec<DefinitionMatch>)>;

/// Files of these roles aren't where the product defines a name.
const ASIDE: &[Role] =
    &[Role::TEST, Role::VENDORED, Role::GENERATED, Role::EXAMPLE, Role::DOCS, Role::LEGACY, Role::MINIFIED];

/// What the tests that a file has of itself are worth as the part to show, where nobody asks for tests.
const OWN_TESTS: f64 = 0.1;

/// The most parts of a file among which the one to show is chosen.
const MAX_PARTS: usize = 12;

/// A search request.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The question.
    pub query: String,
    /// Only files of this language.
    pub language: Option<String>,
    /// Only files below this folder.
    pub folder: Option<String>,
    /// The most answers.
    pub limit: usize,
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The file.
    pub path: String,
    /// Its language.
    pub language: String,
    /// The part it plays.
    pub role: Role,
    /// First line of the part that answers best.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// The chunk's lasting name.
    pub key: String,
    /// The definition that is shown, with what it is in.
    pub symbol: Option<String>,
    /// Its kind.
    pub kind: Option<Kind>,
    /// Its signature.
    pub signature: Option<String>,
    /// From 0 to 1.
    pub score: f64,
    /// How much of the question the file has.
    pub cover: f64,
    /// How much it has of those words of the question that any file has.
    pub cover_of_known: f64,
    /// How many files import it.
    pub importers: u32,
}

/// A candidate's features, for learning the weights.
#[derive(Debug, Clone)]
pub struct CandidateFeatures {
    /// The file.
    pub path: String,
    /// Its numbers, as named in [`FEATURES`].
    pub features: Vec<f64>,
}

/// Finds what answers best.
///
/// # Errors
/// When the query has no words, a filter is unknown, or the database cannot be read.
pub fn search(store: &Store, reader: &Reader, request: &Request) -> Result<Vec<Answer>> {
    let query = Query::parse(&request.query);
    let (gathered, rated, definitions) = rate_candidates(store, reader, &query, request)?;
    let sources = declarations::sources(&reader.files);
    let score = |(i, features): (usize, &Vec<f64>)| {
        let file = &reader.files[gathered.candidates[i].file as usize];
        (rank::score(features) - declarations::loss(file, &query, &sources), i)
    };
    let mut order: Vec<(f64, usize)> = rated.iter().enumerate().map(score).collect();
    let first = only_definition(reader, &query, &request.query, &definitions)
        .and_then(|file| gathered.candidates.iter().position(|candidate| candidate.file == file));
    let best = order.iter().map(|(score, _)| *score).fold(f64::MIN, f64::max);
    if let Some(at) = first {
        order[at].0 = best;
    }
    order.sort_by(|a, b| {
        let defines = |i: usize| first == Some(i);
        b.0.total_cmp(&a.0).then_with(|| defines(b.1).cmp(&defines(a.1))).then_with(|| {
            let path = |i: usize| &reader.files[gathered.candidates[i].file as usize].path;
            path(a.1).cmp(path(b.1))
        })
    });
    let mut out = Vec::new();
    for (score, i) in order.into_iter().take(request.limit.clamp(1, 100)) {
        let cover = rated[i][features::NAMES.iter().position(|n| *n == "cover_file").unwrap_or(0)];
        let covers = (cover * gathered.known, cover);
        out.extend(answer(store, reader, &query, &gathered.candidates[i], score, covers)?);
    }
    Ok(out)
}

/// Everything the second stage sees for a question, for learning; in the order of the first stage.
///
/// # Errors
/// As [`search`].
pub fn candidate_features(
    store: &Store,
    reader: &Reader,
    request: &Request,
) -> Result<Vec<CandidateFeatures>> {
    let query = Query::parse(&request.query);
    let (gathered, rated, _) = rate_candidates(store, reader, &query, request)?;
    let path = |c: &Candidate| reader.files[c.file as usize].path.clone();
    Ok(gathered
        .candidates
        .iter()
        .zip(rated)
        .map(|(c, features)| CandidateFeatures { path: path(c), features })
        .collect())
}

fn rate_candidates(
    store: &Store,
    reader: &Reader,
    query: &Query,
    request: &Request,
) -> Result<(candidates::CandidateSet, Vec<Vec<f64>>, DefinitionMatches)> {
    if query.words.is_empty() {
        return Err(CodebaseError::EmptyQuery);
    }
    let language = match &request.language {
        Some(name) => {
            Some(crate::language::by_name(name).map(|l| l.name).ok_or_else(|| CodebaseError::Unknown {
                what: "language",
                value: name.clone(),
                known: crate::language::LANGUAGES.iter().map(|l| l.name).collect::<Vec<_>>().join(", "),
            })?)
        }
        None => None,
    };
    let folder =
        request.folder.as_deref().map(|f| f.trim_matches('/')).filter(|f| !f.is_empty() && *f != ".");
    let keep = |at: usize| {
        let file = &reader.files[at];
        language.is_none_or(|l| l == file.language)
            && folder.is_none_or(|f| {
                file.path.strip_prefix(f).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    };
    let query = &forms::with_forms(store, reader, query)?;
    let matches = reader.matches(store, &query.words)?;
    let related: Vec<String> = query.related.iter().map(|(word, _)| word.clone()).collect();
    let related = reader.matches(store, &related)?;
    let gathered = gather_candidates(reader, query, &matches, &related, &keep);
    let defined = defined(store, reader, query, &gathered.candidates)?;
    let rated = gathered
        .candidates
        .iter()
        .enumerate()
        .map(|(rank, c)| {
            let (definitions, defined) = defined.get(&c.file).map_or((0, &[][..]), |(n, list)| (*n, list));
            features::features(reader, query, &gathered, c, (definitions, defined), rank)
        })
        .collect();
    Ok((gathered, rated, defined))
}

/// The file that defines the name that is asked for, where nothing else is asked and no other file of the product defines it: it
/// comes first, however often others use the name. What passes a name on (`const isStream = require(…)`) doesn't define it,
/// and where one is spelt as in `text`, neither does what is spelt otherwise.
fn only_definition(
    reader: &Reader,
    query: &Query,
    text: &str,
    definitions: &DefinitionMatches,
) -> Option<u32> {
    let [name] = query.names.as_slice() else { return None };
    if !query.names_only || !query.plain.is_empty() || query.tests {
        return None;
    }
    let is_product = |file: u32| !ASIDE.iter().any(|role| reader.files[file as usize].role.is(*role));
    let is_made = |kind: Kind| !matches!(kind, Kind::Constant | Kind::Variable | Kind::Field | Kind::Module);
    let spelt: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let defining = |exact: bool| -> Vec<u32> {
        let defines = |one: &DefinitionMatch| {
            one.folded == *name && is_made(one.kind) && (!exact || spelt.contains(&one.name.as_str()))
        };
        let files =
            definitions.iter().filter(|(_, (_, list))| list.iter().any(defines)).map(|(file, _)| *file);
        files.filter(|file| is_product(*file)).collect()
    };
    let exact = defining(true);
    let files = if exact.is_empty() { defining(false) } else { exact };
    if let [only] = files.as_slice() { Some(*only) } else { None }
}

/// By candidate: its number of definitions, and those whose name has a word of the question. A stem is its word's beginning, so
/// every matching folded name contains it.
fn defined(
    store: &Store,
    reader: &Reader,
    query: &Query,
    candidates: &[Candidate],
) -> Result<DefinitionMatches> {
    let asked: Vec<&str> =
        query.words.iter().chain(&query.names).chain(&query.plain).map(String::as_str).collect();
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT folded, name, kind, container <> '', end_line - start_line + 1 FROM symbols WHERE file = ?1",
        )?;
        let mut out = HashMap::new();
        for candidate in candidates {
            let (mut count, mut list) = (0, Vec::new());
            let mut rows = statement.query([reader.files[candidate.file as usize].id])?;
            while let Some(row) = rows.next()? {
                count += 1;
                let folded = row.get_ref(0)?.as_str().unwrap_or_default();
                if !asked.iter().any(|word| folded.contains(word)) {
                    continue;
                }
                list.push(DefinitionMatch {
                    folded: folded.to_owned(),
                    name: row.get(1)?,
                    kind: Kind::from_name(row.get_ref(2)?.as_str().unwrap_or_default()).unwrap_or(Kind::Constant),
                    nested: row.get(3)?,
                    lines: row.get(4)?,
                });
            }
            out.insert(candidate.file, (count, list));
        }
        Ok(out)
    })
}

fn answer(
    store: &Store,
    reader: &Reader,
    query: &Query,
    candidate: &Candidate,
    score: f64,
    (cover, cover_of_known): (f64, f64),
) -> Result<Option<Answer>> {
    let file = &reader.files[candidate.file as usize];
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT c.start_line, c.end_line, c.key, s.name, s.container, s.kind, s.signature, s.folded
             FROM chunks c LEFT JOIN symbols s ON s.id = c.symbol WHERE c.id = ?1",
        )?;
        let mut best: Option<(f64, Answer)> = None;
        // The definition in question is more useful than the chunk with the most mentions.
        for hit in parts_to_show(&candidate.hits) {
            let mut rows = statement.query([hit.chunk])?;
            let Some(row) = rows.next()? else { continue };
            let folded: Option<String> = row.get(7)?;
            let asked = folded.is_some_and(|f| query.names.contains(&f));
            let name: Option<String> = row.get(3)?;
            let container: Option<String> = row.get::<_, Option<String>>(4)?.filter(|c| !c.is_empty());
            let kind = row.get::<_, Option<String>>(5)?.as_deref().and_then(Kind::from_name);
            let tests = !query.tests && is_of_own_tests(name.as_deref(), container.as_deref(), kind);
            let worth = hit.score * if asked { 1.6 } else { 1.0 } * if tests { OWN_TESTS } else { 1.0 };
            if best.as_ref().is_some_and(|(so_far, _)| *so_far >= worth) {
                continue;
            }
            let key: Vec<u8> = row.get(2)?;
            let answer = Answer {
                path: file.path.clone(),
                language: file.language.clone(),
                role: file.role,
                start_line: row.get(0)?,
                end_line: row.get(1)?,
                key: key.iter().map(|b| format!("{b:02x}")).collect(),
                symbol: name.map(|n| container.map_or_else(|| n.clone(), |c| format!("{c}.{n}"))),
                kind,
                signature: row.get(6)?,
                score: 1.0 / (1.0 + (-score).exp()),
                cover,
                cover_of_known,
                importers: file.importers,
            };
            best = Some((worth, answer));
        }
        let mut answer = best.map(|(_, answer)| answer);
        if let Some(answer) = answer.as_mut().filter(|_| query.names_only) {
            show_definition(db, file.id, query, answer)?;
        }
        Ok(answer)
    })
}

/// Whether a part is mainly the tests that a file has of itself: `mod tests` of Rust and what is in it.
fn is_of_own_tests(name: Option<&str>, container: Option<&str>, kind: Option<Kind>) -> bool {
    let is_tests = |one: &str| matches!(one, "test" | "tests");
    let module = name.filter(|_| kind == Some(Kind::Module));
    module.is_some_and(is_tests) || container.is_some_and(|container| container.split('.').any(is_tests))
}

/// Shows the definition of a name that is asked for alone, where the best part is mainly another one's: short definitions share a part.
fn show_definition(
    db: &rusqlite::Connection,
    file: i64,
    query: &Query,
    answer: &mut Answer,
) -> rusqlite::Result<()> {
    let own = answer.symbol.as_deref().map(|symbol| symbol.rsplit('.').next().unwrap_or(symbol));
    let mut folded = String::new();
    crate::words::whole(own.unwrap_or_default(), &mut folded);
    if query.names.contains(&folded) || query.plain.contains(&folded) {
        return Ok(());
    }
    let mut statement = db.prepare_cached(
        "SELECT s.start_line, min(s.end_line, c.end_line), c.key, s.name, s.container, s.kind, s.signature
         FROM symbols s JOIN chunks c ON c.file = s.file AND s.line BETWEEN c.start_line AND c.end_line
         WHERE s.file = ?1 AND s.folded = ?2
         ORDER BY s.kind IN ('constant', 'variable', 'field', 'module'), s.container <> '', s.line, c.id LIMIT 1",
    )?;
    // Of `Router::route` and `App.readFile` the last name is meant.
    for name in query.plain.iter().rev().chain(query.names.iter().rev()) {
        let mut rows = statement.query(rusqlite::params![file, name])?;
        let Some(row) = rows.next()? else { continue };
        let (name, container): (String, String) = (row.get(3)?, row.get(4)?);
        let key: Vec<u8> = row.get(2)?;
        (answer.start_line, answer.end_line) = (row.get(0)?, row.get(1)?);
        answer.key = key.iter().map(|b| format!("{b:02x}")).collect();
        answer.symbol = Some(if container.is_empty() { name } else { format!("{container}.{name}") });
        answer.kind = Kind::from_name(row.get_ref(5)?.as_str().unwrap_or_default());
        answer.signature = row.get(6)?;
        break;
    }
    Ok(())
}

/// The parts of a file of which the best is shown. One that has the words in the file's path alone says nothing about them, and the
/// shortest such part, a closing brace, would come first; where no part has any, that's the beginning of the file.
fn parts_to_show(hits: &[Hit]) -> Vec<Hit> {
    let says = |hit: &&Hit| (hit.text | hit.name | hit.related) != 0;
    let mut out: Vec<Hit> = hits.iter().filter(says).take(MAX_PARTS).copied().collect();
    if out.is_empty() {
        out.extend(hits.iter().min_by_key(|hit| hit.chunk).copied());
    }
    out
}
