//! Retrieves the answers to a question: applies filters and read rules, and rates how certain the answers are.

use std::collections::BTreeSet;

use code::refs::Definition;
use code::role::Role;
use code::search::reply::{Quality, quality};
use code::search::{Answer, Evidence, Query, Request, search as found, similar_names};
use contract::Error;

use super::{definition_lines, quoted};
use crate::index::{Index, failure};
use crate::messages;

/// The number of answers that filters are applied to.
const LOOKED_THROUGH: usize = 100;
/// Larger files are data.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// The most unknown words that near names are looked up for.
const NEAR_WORDS: usize = 3;
/// The number of results in a compact answer.
const COMPACT: usize = 6;

/// The caller's intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Intent {
    /// To understand.
    #[default]
    Explore,
    /// To change something.
    Edit,
    /// To change how something is made.
    Refactor,
    /// To leave one way for another.
    Migrate,
}

/// How much is shown of each result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// Place, definition, signature.
    #[default]
    Compact,
    /// With neighbours, tests and lines.
    Full,
}

/// A request for ranked answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchRequest {
    pub(crate) query: String,
    pub(crate) intent: Intent,
    pub(crate) mode: Mode,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) snippets: bool,
    pub(crate) language: Option<String>,
    pub(crate) folder: Option<String>,
    /// Frameworks: a result's file imports each, or its path or type contains the word.
    pub(crate) frameworks: Vec<String>,
    /// Words that a result's path or type must contain: layer, kind of component, tags.
    pub(crate) words: Vec<String>,
}

/// The answers to a question, with how far they can be trusted.
pub(crate) struct SearchResults {
    /// The question as asked.
    pub(crate) asked: String,
    pub(crate) query: Query,
    /// The folder or file that the answers are limited to.
    pub(crate) folder: Option<String>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) quality: Quality,
    /// The words of the question that no indexed file has.
    pub(crate) unknown: Vec<String>,
    /// Names of definitions that are a slip away from one of these.
    pub(crate) similar: Vec<String>,
    /// How many there are with those before these.
    pub(crate) total: usize,
    /// There are more behind these.
    pub(crate) more: bool,
}

impl SearchResults {
    /// Without any answer.
    pub(super) fn none(asked: &str) -> Self {
        let query = Query::parse(asked);
        let quality = quality(&query, &Evidence::default(), &[]);
        Self {
            asked: asked.to_owned(),
            query,
            folder: None,
            answers: Vec::new(),
            quality,
            unknown: Vec::new(),
            similar: Vec::new(),
            total: 0,
            more: false,
        }
    }
}

/// Looks for the answers that are shown, and no more.
pub(crate) fn retrieve(index: &Index<'_>, find: &SearchRequest) -> Result<SearchResults, Error> {
    let limit = find.limit.unwrap_or(5).clamp(1, LOOKED_THROUGH);
    let limit = if find.mode == Mode::Compact && find.limit.is_none() { limit.min(COMPACT) } else { limit };
    let wanted = find.offset.saturating_add(limit);
    let query = Query::parse(&find.query);
    let told = if query.how { Vec::new() } else { quoted::messages(&find.query) };
    let is_test = |path: &str| index.file(path).is_some_and(|file| file.role.is(Role::TEST));
    let named = match definition_lines::name_alone(&find.query) {
        Some(name) => {
            let known = definitions_of(index, name)?;
            let looks = known.is_empty() || definition_lines::is_of_tests(name, &known, &is_test);
            looks.then_some((name, known))
        }
        None => None,
    };
    let looks = !told.is_empty() || named.is_some();
    let shown = (wanted + 1).min(LOOKED_THROUGH);
    let mut request = Request {
        query: find.query.clone(),
        language: find.language.clone(),
        folder: index.scope(find.folder.as_deref())?,
        limit: if looks { shown.max(quoted::LOOKED) } else { shown },
    };
    let written_with = files_written_with(index, &find.frameworks)?;
    let (mut answers, is_cut): (Vec<Answer>, bool) = loop {
        let all = found(index.store, index.reader, &request).map_err(|error| failure(&error))?;
        let count = all.len();
        // Removed files are left out.
        let keeps = |answer: &Answer| {
            has_words(answer, &find.words)
                && written_with.iter().all(|(word, files)| {
                    files.contains(&answer.path) || has_words(answer, std::slice::from_ref(*word))
                })
                && index.shows(&answer.path)
                && !index.status.changes.gone.contains(&answer.path)
        };
        let kept: Vec<Answer> = all.into_iter().filter(keeps).collect();
        // Further answers replace those left out.
        if kept.len() == count || count < request.limit || request.limit == LOOKED_THROUGH {
            break (kept, count == LOOKED_THROUGH);
        }
        request.limit = LOOKED_THROUGH;
    };
    if looks {
        let read = |path: &str| home::read_regular_text(&index.place.file(path), MAX_FILE).ok();
        match named {
            Some((name, known)) if known.is_empty() => {
                definition_lines::bring_forward(name, &mut answers, &read);
            }
            Some((_, known)) => definition_lines::bring_known_forward(&known, &mut answers),
            None => quoted::bring_forward(&told, &mut answers, &read),
        }
        answers.truncate(shown);
    }
    let evidence = Evidence::of(index.store, index.reader, &query).map_err(|error| failure(&error))?;
    let similar = names_near(index, &evidence.unknown)?;
    let mut quality = quality(&query, &evidence, &answers);
    quality.add_similar(&similar);
    let by_word = !find.words.is_empty() || !find.frameworks.is_empty();
    let filtered = request.folder.is_some() || request.language.is_some() || by_word;
    if answers.is_empty() && filtered {
        quality.hint = Some(messages::nothing_passes().to_string());
    }
    // This many are ranked, and there may be others behind them.
    let more = answers.len() > wanted;
    if is_cut && !more {
        quality.hint = Some(messages::only_the_best(LOOKED_THROUGH).to_string());
    }
    let total = answers.len();
    let answers: Vec<Answer> = answers.into_iter().skip(find.offset).take(limit).collect();
    if answers.is_empty() && total > 0 && !is_cut {
        quality.hint = Some(messages::past_the_end(find.offset, total).to_string());
    }
    let (asked, folder) = (find.query.clone(), request.folder);
    let unknown = evidence.unknown;
    Ok(SearchResults { asked, query, folder, answers, quality, unknown, similar, total, more })
}

/// The definitions of a name that the index knows.
fn definitions_of(index: &Index<'_>, name: &str) -> Result<Vec<Definition>, Error> {
    code::refs::definitions_named(index.store, index.reader, name).map_err(|error| failure(&error))
}

/// The names of definitions that may be meant by words that no file has, of files that are shown.
fn names_near(index: &Index<'_>, unknown: &[String]) -> Result<Vec<String>, Error> {
    let mut out: Vec<String> = Vec::new();
    for word in unknown.iter().take(NEAR_WORDS) {
        for name in similar_names(index.store, word).map_err(|error| failure(&error))? {
            let known = definitions_of(index, &name)?;
            if !out.contains(&name) && known.iter().any(|one| index.shows(&one.path)) {
                out.push(name);
            }
        }
    }
    Ok(out)
}

/// The files of each framework.
fn files_written_with<'a>(
    index: &Index<'_>,
    frameworks: &'a [String],
) -> Result<Vec<(&'a String, BTreeSet<String>)>, Error> {
    let files = |name: &'a String| {
        let files = code::frameworks::files_written_with(index.store, name);
        files.map(|files| (name, files)).map_err(|error| failure(&error))
    };
    frameworks.iter().map(files).collect()
}

/// Kind of component and layer, as `function:service`.
pub(super) fn kind(answer: &Answer) -> String {
    let component = match answer.role.names().first() {
        Some(role) => role,
        None => answer.kind.map_or("file", |kind| kind.name()),
    };
    layer(&answer.path).map_or_else(|| component.to_owned(), |layer| format!("{component}:{layer}"))
}

/// The folder that says where in the project a file belongs: the innermost that is not only a source folder.
fn layer(path: &str) -> Option<&str> {
    path.rsplit('/').skip(1).find(|folder| !matches!(*folder, "src" | "lib" | "main" | "source" | "."))
}

fn has_words(answer: &Answer, words: &[String]) -> bool {
    let at = format!("{} {}", answer.path.to_lowercase(), kind(answer).to_lowercase());
    words.iter().all(|word| at.contains(&word.to_lowercase()))
}
