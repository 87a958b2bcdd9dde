//! The decision card: gathers the evidence for a change and applies the rules of `code::decision_card`.

use std::collections::{BTreeMap, BTreeSet};

use code::Kind;
use code::decision_card::{Evidence, LISTED, Reached, card, impact, impact_of_name};
use code::graph::{Graph, find_cycles};
use code::refs::Confidence;
use code::role::Role;
use code::search::{File, Query};
use contract::{Error, ErrorCode};
use serde_json::{Value, json};
use system::Remembered;

use super::memories::{self, Recall};
use super::namesakes::{distance, is_of_others, meant, meant_of, namesakes, same_thing};
use super::retrieval::{Intent, Mode, SearchRequest, SearchResults, retrieve};
use super::{ActionReply, caveat, folded};
use crate::index::{Index, TestFiles};

/// The card for a request.
///
/// # Errors
/// As a search.
pub(crate) fn decide(
    index: &Index<'_>,
    find: &SearchRequest,
    remember: Recall<'_>,
) -> Result<ActionReply, Error> {
    let find = SearchRequest {
        intent: if find.intent == Intent::Explore { Intent::Edit } else { find.intent },
        ..find.clone()
    };
    let found = answers(index, &find)?;
    let memories = memories::of(index, &found, remember);
    let card = of(index, &found, &memories, find.mode == Mode::Full)?;
    let stamp = index.status.stamp();
    let mut data = json!({"status": "success", "query": find.query, "preflight": card});
    if !index.status.is_fresh() {
        data["index"] = stamp.clone();
    }
    let mut all = caveat(&stamp);
    all.extend(lines(&data["preflight"]));
    Ok(ActionReply { data, lines: all })
}

/// What answers the question. The name of a definition may be too short for a word to search for.
fn answers(index: &Index<'_>, find: &SearchRequest) -> Result<SearchResults, Error> {
    match retrieve(index, find) {
        Err(error)
            if error.code == ErrorCode::InvalidArgument
                && named_definition(index, &find.query, None)?.is_some() =>
        {
            let folder = index.scope(find.folder.as_deref())?;
            Ok(SearchResults { folder, ..SearchResults::none(&find.query) })
        }
        found => found,
    }
}

/// The card for these answers. It names what it judged where it's shown in full or to a person.
pub(super) fn of(
    index: &Index<'_>,
    found: &SearchResults,
    memories: &[Remembered],
    full: bool,
) -> Result<Value, Error> {
    let evidence = with_memories(gathered(index, found)?, memories);
    let mut card = card(&evidence);
    if !full && index.call.agent.is_some() {
        card.definition = None;
    }
    serde_json::to_value(card).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}

/// The evidence about a name and the memories about it, for callers that show them beside the card.
pub(crate) fn gather_evidence(
    index: &Index<'_>,
    find: &SearchRequest,
    remember: Recall<'_>,
) -> Result<(Evidence, Vec<Remembered>), Error> {
    let found = answers(index, find)?;
    let memories = memories::of(index, &found, remember);
    Ok((with_memories(gathered(index, &found)?, &memories), memories))
}

/// Failures are warnings of the card, what is stale makes it not ready.
fn with_memories(mut evidence: Evidence, memories: &[Remembered]) -> Evidence {
    let texts_of = |wanted: &dyn Fn(&Remembered) -> bool| {
        memories.iter().filter(|memory| wanted(memory)).map(memories::line).collect()
    };
    evidence.failures = texts_of(&|memory| memory.is_failure() && !memory.stale);
    evidence.stale = texts_of(&|memory| memory.stale);
    evidence
}

fn gathered(index: &Index<'_>, found: &SearchResults) -> Result<Evidence, Error> {
    let ours = |file: &File| !file.role.is(Role::VENDORED) && !file.role.is(Role::GENERATED);
    let graph = Graph::of(index.reader, ours).with_implementations();
    let needs = Graph::from_dependencies(index.store, index.reader, ours)
        .map_err(|error| crate::index::failure(&error))?;
    evidence(index, found, &graph, &needs)
}

fn evidence(
    index: &Index<'_>,
    found: &SearchResults,
    graph: &Graph,
    needs: &Graph,
) -> Result<Evidence, Error> {
    let query = &found.query;
    let asked = |symbol: &str| {
        let own = folded(symbol.rsplit('.').next().unwrap_or(symbol));
        query.names.contains(&own) || query.plain.contains(&own)
    };
    // One name, as it is written: what is defined by it counts, whether or not it is among the answers.
    let folder = found.folder.as_deref();
    let named = named_definition(index, &found.asked, folder)?;
    let spelt = found.answers.iter().find(|answer| answer.symbol.as_deref().is_some_and(asked));
    let best = || {
        let best = found.answers.first()?;
        let symbol = best.symbol.as_deref()?;
        is_worded(query, symbol, best.cover).then_some(best)
    };
    let spelt = spelt.or_else(best).and_then(|answer| Some((answer.symbol.clone()?, answer.path.clone())));
    let sure = named.is_some();
    let definition = named.or(spelt);
    let mut out = Evidence {
        query: found.asked.clone(),
        quality_ok: sure || found.quality.status == "ok",
        fresh: index.status.is_fresh(),
        shown: found.answers.iter().map(|answer| answer.path.clone()).collect(),
        ..Evidence::default()
    };
    if let Some((symbol, file)) = definition {
        let name = symbol.rsplit(['.', ':', '#']).next().unwrap_or(&symbol).to_owned();
        let (used, users) = users(index, &mut out, &symbol, (name.as_str(), file.as_str()), folder)?;
        let reached = reached(index, graph, &file, &symbol, &name, &users)?;
        out.impact = reached.into_iter().filter(|one| index.shows(&one.file)).collect();
        lines_of(index, graph, &mut out.impact, &file, &used);
        let circles = find_cycles(needs);
        out.in_circle = circles.iter().any(|circle| circle.files.contains(&file));
        out.line = line_of(index, &file, &symbol)?;
        out.health = code::health::health_of(index.store, index.reader, &file, out.in_circle)
            .map_err(|error| crate::index::failure(&error))?;
        out.definition = Some((name, file));
    } else if !found.asked.trim().contains(char::is_whitespace) {
        out.unread_languages = super::references::languages_without_grammar(index, found.asked.trim())?;
    }
    super::conventions::add(index, &mut out)?;
    Ok(out)
}

/// How much of the question an answer must have to be what the question means.
const COVERED: f64 = 0.8;

/// Whether a question in words means a definition: it has all words of the name, as "basic auth" has those of `BasicAuth`, and
/// the answer has nearly all words of the question.
fn is_worded(question: &Query, symbol: &str, cover: f64) -> bool {
    let name = Query::parse(symbol.rsplit(['.', ':', '#']).next().unwrap_or(symbol));
    let mut parts = name.words.iter().zip(&name.whole).filter(|(_, whole)| !**whole).peekable();
    cover >= COVERED
        && parts.peek().is_some()
        && parts.all(|(part, _)| question.words.iter().any(|word| word == part))
}

/// The line on which a file defines a name.
fn line_of(index: &Index<'_>, file: &str, symbol: &str) -> Result<Option<u32>, Error> {
    let definitions = code::refs::definitions_named(index.store, index.reader, symbol)
        .map_err(|error| crate::index::failure(&error))?;
    Ok(definitions.iter().find(|one| one.path == file).map(|one| one.line))
}

/// What a change of the definition reaches. Whoever imports its file may need what a type says without naming it; what isn't a type
/// reaches those that have its name.
fn reached(
    index: &Index<'_>,
    graph: &Graph,
    file: &str,
    symbol: &str,
    name: &str,
    users: &[String],
) -> Result<Vec<Reached>, Error> {
    let definitions = code::refs::definitions_named(index.store, index.reader, symbol)
        .map_err(|error| crate::index::failure(&error))?;
    let here: Vec<_> = definitions.iter().filter(|one| one.path == file).collect();
    // An import of Go means a whole package, of which most is of no concern.
    let by_file = index.file(file).is_some_and(|file| file.language != "go");
    let unnamed = by_file && here.iter().any(|one| one.kind.is_type() || one.kind == Kind::Module);
    if here.is_empty() || unnamed {
        return Ok(impact(graph, file));
    }
    let having = code::refs::files_that_mention(index.store, index.reader, name)
        .map_err(|error| crate::index::failure(&error))?;
    Ok(impact_of_name(graph, file, |path| having.contains(path), users))
}

/// The definition that the question names, if it is a single name: one in `folder` before one elsewhere, and the product's before a
/// test's or a vendored one.
fn named_definition(
    index: &Index<'_>,
    asked: &str,
    folder: Option<&str>,
) -> Result<Option<(String, String)>, Error> {
    let name = asked.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Ok(None);
    }
    let all = code::refs::definitions_named(index.store, index.reader, name)
        .map_err(|error| crate::index::failure(&error))?;
    let all: Vec<_> = all.into_iter().filter(|one| index.shows(&one.path)).collect();
    let paths: Vec<&str> = all.iter().map(|one| one.path.as_str()).collect();
    let meant = meant(&paths, folder, |path| distance(index, path));
    let meant = all.iter().zip(meant).filter(|(_, meant)| *meant).map(|(one, _)| one);
    // What is changed is the code, not the types that a file beside it declares.
    let declares = |path: &str| index.file(path).is_some_and(|file| file.role.is(Role::TYPES));
    let first = meant.min_by_key(|one| (one.kind.is_part(), declares(&one.path)));
    Ok(first.map(|one| (name.trim_end_matches("()").to_owned(), one.path.clone())))
}

/// Callers, tests, and others of the name. Returns the line on which each file first uses it, and the files that do more than
/// import it.
fn users(
    index: &Index<'_>,
    out: &mut Evidence,
    symbol: &str,
    (name, file): (&str, &str),
    folder: Option<&str>,
) -> Result<(BTreeMap<String, u32>, Vec<String>), Error> {
    let found = super::references::of(index, symbol)?;
    let is_test = |path: &str| index.file(path).is_some_and(|file| file.role.is(Role::TEST));
    let meant = meant_of(&found, folder, |path| distance(index, path));
    // Definitions that a type distinguishes don't count as namesakes.
    let others = namesakes(&found, &meant, name, file);
    out.same_name = others.count;
    out.namesake = others.elsewhere.filter(|path| index.shows(path));
    let same = same_thing(&found, &meant, name, file);
    let mut tests =
        TestFiles::of(index.store, symbol, name).map_err(|error| crate::index::failure(&error))?;
    let (mut users, mut callers, mut undecided) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    for one in found["uses"].as_array().into_iter().flatten() {
        if is_of_others(one, &same) {
            continue;
        }
        let path = one["path"].as_str().unwrap_or_default();
        if one["confidence"] != "textual"
            && let Some(line) = one["line"].as_u64().and_then(|line| u32::try_from(line).ok())
        {
            let first = used.entry(path.to_owned()).or_insert(line);
            *first = line.min(*first);
        }
        if one["confidence"] != "textual" && one["role"] != "import" {
            users.insert(path.to_owned());
        }
        if is_test(path) || in_test(one) {
            tests.add(path, confidence_of(one));
        } else if one["confidence"] != "textual" && one["role"] != "import" {
            callers.insert(path.to_owned());
        } else if one["confidence"] == "textual" && one["role"] != "text" {
            undecided.insert(path.to_owned());
        }
    }
    out.callers = callers.into_iter().collect();
    out.tests = tests.tests_or_all().iter().cloned().collect();
    out.undecided = undecided.into_iter().collect();
    Ok((used, users.into_iter().collect()))
}

fn confidence_of(one: &Value) -> Confidence {
    match one["confidence"].as_str() {
        Some("resolved") => Confidence::Resolved,
        Some("in_scope") => Confidence::InScope,
        _ => Confidence::Textual,
    }
}

/// Tests may be in the file that they test.
fn in_test(one: &Value) -> bool {
    let inside = one["inside"].as_str().unwrap_or_default();
    inside.split('.').any(|part| matches!(part, "tests" | "test") || part.starts_with("test_"))
}

/// On which line each file imports the changed one, or one that the change reaches directly. Who needs no import to use the name
/// is shown where it uses it. Only what the card lists is looked up.
fn lines_of(
    index: &Index<'_>,
    graph: &Graph,
    reached: &mut [Reached],
    file: &str,
    used: &BTreeMap<String, u32>,
) {
    let direct = index.store.import_lines(file).unwrap_or_default();
    let first = reached.iter().filter(|one| one.hop == 1).map(|one| one.file.clone());
    // Who only passes the name on isn't reached, and is imported all the same.
    let mut first: BTreeSet<String> = first.chain(direct.keys().cloned()).collect();
    // What C and C++ include is the header of such a file.
    let headers = graph.implemented_headers().into_iter();
    let headers = headers.filter(|(_, source)| first.contains(&graph.paths[*source]));
    let headers: Vec<String> = headers.map(|(header, _)| graph.paths[header].clone()).collect();
    first.extend(headers);
    for one in reached.iter_mut().take(LISTED) {
        one.line = if one.hop == 1 {
            direct.get(&one.file).or_else(|| used.get(&one.file)).copied()
        } else {
            let imports = index.store.imported_lines(&one.file).unwrap_or_default();
            imports.into_iter().filter(|(path, _)| first.contains(path)).map(|(_, line)| line).min()
        };
    }
}

/// As it is shown at a terminal.
pub(super) fn lines(card: &Value) -> Vec<String> {
    let ready = card["ready"].as_bool() == Some(true);
    let mut out = vec![if ready { "ready to change".to_owned() } else { "not ready to change".to_owned() }];
    if let (Some(name), Some(file)) =
        (card["definition"]["name"].as_str(), card["definition"]["file"].as_str())
    {
        let line = card["definition"]["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
        out.push(format!("  about {name} in {file}{line}"));
    }
    let strings = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned)).collect()
    };
    out.extend(strings(&card["whatWouldHelp"]).into_iter().map(|help| format!("  {help}")));
    out.extend(strings(&card["warnings"]).into_iter().map(|warning| format!("  mind: {warning}")));
    if let Some(coverage) = card["impact"]["coverage"].as_str() {
        let coverage = if coverage.starts_with("0/0 ") { "no caller is known" } else { coverage };
        out.push(format!("  {coverage}; risk {}", card["impact"]["risk"].as_str().unwrap_or("unknown")));
    }
    for one in card["impact"]["details"].as_array().into_iter().flatten() {
        let line = one["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
        out.push(format!("  reaches {}{line} ({})", one["file"].as_str().unwrap_or_default(), one["hop"]));
    }
    out.extend(strings(&card["patterns"]["do"]).into_iter().map(|way| format!("  do: {way}")));
    out.extend(strings(&card["patterns"]["avoid"]).into_iter().map(|way| format!("  avoid: {way}")));
    out.extend(card["bestExample"].as_str().map(|file| format!("  see {file}")));
    out.extend(strings(&card["health"]["reasons"]).into_iter().map(|reason| format!("  file: {reason}")));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_told_that_no_caller_is_known() {
        for (coverage, told) in [
            ("0/0 callers in results", "no caller is known"),
            ("0/2 callers in results", "0/2 callers in results"),
        ] {
            let card = serde_json::json!({"ready": true, "impact": {"coverage": coverage, "risk": "low"}});
            assert_eq!(lines(&card), ["ready to change".to_owned(), format!("  {told}; risk low")]);
        }
    }

    #[test]
    fn a_question_in_words_means_the_only_matching_name() {
        for (question, symbol, cover, expected) in [
            ("basic auth", "BasicAuth", 1.0, true),
            ("basic auth", "gin.BasicAuth", 1.0, true),
            ("how does the basic auth work", "basic_auth", 0.9, true),
            ("basic auth", "BasicAuthForRealm", 1.0, false),
            ("basic auth", "BasicAuth", 0.5, false),
            ("basic auth", "_", 1.0, false),
        ] {
            assert_eq!(is_worded(&Query::parse(question), symbol, cover), expected, "{question}: {symbol}");
        }
    }
}
