//! Searches: the ranked files with their best matching parts, how certain the result is, and what to ask next.

use std::collections::BTreeMap;

use code::patterns::{Key, Trend};
use code::role::Role;
pub(crate) use code::search::reply::defines;
use code::search::{Answer, File, Query};
use contract::Error;
use serde_json::{Map, Value, json};

use super::memories::{self, Recall};
use super::retrieval::{Intent, Mode, SearchRequest, SearchResults, kind, retrieve};
use super::{ActionReply, caveat, folded, round};
use crate::index::{Index, failure};

/// The number of lines in a snippet.
const SNIPPET_LINES: usize = 20;
/// Of each kind of hint.
const HINTS: usize = 3;

type Trends = BTreeMap<Key, Trend>;

/// Searches.
///
/// # Errors
/// When the query has no words, or the index cannot be read.
pub(crate) fn search(
    index: &Index<'_>,
    find: &SearchRequest,
    remember: Recall<'_>,
) -> Result<ActionReply, Error> {
    let found = retrieve(index, find)?;
    let stamp = index.status.stamp();
    let memories = memories::of(index, &found, remember);
    let preflight = match find.intent {
        Intent::Explore => None,
        _ => Some(super::decision_card::of(index, &found, &memories, find.mode == Mode::Full)?),
    };
    let full = find.mode == Mode::Full;
    let history = index.store.history().map_err(|error| failure(&error))?;
    let mut trends = history.trends();
    trends.retain(|way, trend| *trend != Trend::Declining || history.is_left(*way));
    let results: Vec<Value> = found
        .answers
        .iter()
        .map(|answer| {
            let mut out = result(
                index,
                &found.query,
                answer,
                full,
                find.snippets || full && index.call.agent.is_none(),
            );
            momentum(index, &trends, &answer.path, &mut out);
            out
        })
        .collect();
    let mut data = json!({
        "status": "success",
        "searchQuality": quality_json(&found),
        "budget": {"mode": if full { "full" } else { "compact" }, "resultCount": results.len()},
    });
    if let Some(card) = preflight {
        data["preflight"] = card;
    }
    if find.offset > 0 {
        data["offset"] = find.offset.into();
    }
    if found.more {
        data["nextOffset"] = (find.offset + results.len()).into();
    }
    data["results"] = results.into();
    if !memories.is_empty() {
        data["relatedMemories"] = memories.iter().map(memories::as_json).collect();
    }
    data["nextHops"] = next_hops(&found).into();
    if !index.status.is_fresh() || index.status.problem.is_some() {
        data["index"] = stamp.clone();
    } else {
        data["index"] = json!({"status": "ready", "confidence": "high"});
    }
    let mut lines = caveat(&stamp);
    lines.extend(found.answers.iter().map(line));
    if found.total == 0 {
        lines.push(format!("nothing answers {:?}", find.query));
    }
    lines.extend(memories.iter().map(|memory| format!("remembered: {}", memories::line(memory))));
    lines.extend(found.quality.hint.iter().map(|hint| format!("({hint})")));
    if let Some(card) = data.get("preflight") {
        lines.extend(super::decision_card::lines(card));
    }
    Ok(ActionReply { data, lines })
}

fn quality_json(found: &SearchResults) -> Value {
    let SearchResults { quality, unknown, similar, .. } = found;
    let mut out = json!({"status": quality.status, "confidence": quality.confidence});
    if let Some(hint) = &quality.hint {
        out["hint"] = hint.clone().into();
    }
    for (name, list) in [("unknownWords", unknown), ("similarNames", similar)] {
        if !list.is_empty() {
            out[name] = list.clone().into();
        }
    }
    out
}

/// One result in the fields of the specification.
fn result(index: &Index<'_>, query: &Query, answer: &Answer, full: bool, snippet: bool) -> Value {
    let mut out = json!({
        "file": format!("{}:{}-{}", answer.path, answer.start_line, answer.end_line),
        "summary": summary(answer),
        "score": round(answer.score),
        "relevanceReason": reason(query, answer),
        "type": kind(answer),
        "importedByCount": answer.importers,
    });
    if let (Some(symbol), Some(kind)) = (&answer.symbol, answer.kind) {
        out["symbol"] = symbol.clone().into();
        out["symbolKind"] = kind.name().into();
    }
    if let Some(signature) = answer.signature.as_deref().filter(|signature| !signature.is_empty()) {
        out["signaturePreview"] = signature.into();
    }
    let changed = index.status.changes.has(&answer.path);
    if changed {
        out["changed"] = "changed since it was indexed: read the file".into();
    }
    if full && let Some(file) = index.file(&answer.path) {
        let (callers, tests) = neighbours(index, file);
        out["relationships"] = json!({"importedByCount": answer.importers, "hasTests": !tests.is_empty()});
        let mut hints = Map::new();
        for (name, list) in [("callers", callers), ("tests", tests)] {
            if !list.is_empty() {
                hints.insert(name.into(), json!(list.into_iter().take(HINTS).collect::<Vec<_>>()));
            }
        }
        if !hints.is_empty() {
            out["hints"] = hints.into();
        }
    }
    if snippet
        && !changed
        && let Some(lines) = snippet_of(index, answer)
    {
        out["snippet"] = lines.into();
    }
    out
}

/// Whether the file goes a way that the project takes up, or leaves.
fn momentum(index: &Index<'_>, trends: &Trends, path: &str, out: &mut Value) {
    if trends.is_empty() {
        return;
    }
    // A failure here only omits the trend.
    let ways = code::patterns::ways_in(index.store, path).unwrap_or_default();
    let goes = |wanted: Trend| ways.iter().find(|way| trends.get(*way) == Some(&wanted));
    if let Some((category, language, name)) = goes(Trend::Declining) {
        out["trend"] = Trend::Declining.name().into();
        let instead = |((of, with, _), trend): &(&Key, &Trend)| {
            of == category && with == language && **trend == Trend::Rising
        };
        let instead = trends.iter().find(instead).map(|((.., way), _)| format!("; {way} is rising"));
        let instead = instead.unwrap_or_default();
        out["patternWarning"] = format!("{category}: {name} is declining here{instead}").into();
    } else if goes(Trend::Rising).is_some() {
        out["trend"] = Trend::Rising.name().into();
    }
}

/// The files that import this one: product, then tests.
pub(crate) fn neighbours(index: &Index<'_>, file: &File) -> (Vec<String>, Vec<String>) {
    let files = index.reader.files();
    let mut importers: Vec<&File> = file.imported_by.iter().map(|at| &files[*at as usize]).collect();
    importers.sort_by_key(|one| (std::cmp::Reverse(one.importers), &one.path));
    let shown = importers.into_iter().filter(|one| index.shows(&one.path));
    let (tests, callers): (Vec<&File>, Vec<&File>) = shown.partition(|one| one.role.is(Role::TEST));
    let paths = |list: Vec<&File>| list.into_iter().map(|one| one.path.clone()).collect();
    (paths(callers), paths(tests))
}

fn snippet_of(index: &Index<'_>, answer: &Answer) -> Option<String> {
    let text = home::read_regular_text(&index.place.file(&answer.path), 4 * 1024 * 1024).ok()?;
    let first = answer.start_line.saturating_sub(1) as usize;
    let count = (answer.end_line.saturating_sub(answer.start_line) as usize + 1).min(SNIPPET_LINES);
    let lines: Vec<&str> = text.lines().skip(first).take(count).collect();
    let scope = answer.symbol.as_ref().map(|symbol| format!("// {symbol}\n")).unwrap_or_default();
    (!lines.is_empty()).then(|| format!("{scope}{}", lines.join("\n")))
}

fn summary(answer: &Answer) -> String {
    let name = answer.path.rsplit('/').next().unwrap_or(&answer.path);
    match (&answer.symbol, answer.kind) {
        (Some(symbol), Some(kind)) => format!("{} {symbol} in {name}", kind.name()),
        _ => format!("{} of {name}", if answer.language.is_empty() { "part" } else { &answer.language }),
    }
}

/// Why it is among the answers.
fn reason(query: &Query, answer: &Answer) -> String {
    if defines(query, answer) {
        return "defines what is asked for".to_owned();
    }
    format!("has {} % of the question", percent(answer.cover))
}

/// A part in whole per cent, never the negative zero that sums of small parts end in.
fn percent(part: f64) -> f64 {
    (part * 100.0).round().max(0.0).abs()
}

/// Suggested next queries, at most two.
fn next_hops(found: &SearchResults) -> Vec<Value> {
    let mut out = Vec::new();
    let sure = found.quality.status == "ok";
    let first = found.answers.first().and_then(|answer| answer.symbol.as_deref());
    let own = first.map(|symbol| symbol.rsplit('.').next().unwrap_or(symbol));
    // Who uses something that neither answers nor is called alike helps nobody.
    let alike = |name: &str| found.query.words.iter().any(|word| folded(name).contains(word.as_str()));
    if let Some(name) = own.filter(|name| sure || alike(name)) {
        out.push(json!({"action": "references", "symbol": name}));
    }
    if !sure {
        out.push(json!({"action": "map"}));
    }
    out
}

/// As it is shown at a terminal.
fn line(answer: &Answer) -> String {
    let symbol = match (&answer.symbol, answer.kind) {
        (Some(symbol), Some(kind)) => format!("  {} {symbol}", kind.name()),
        _ => String::new(),
    };
    let role = answer.role.names();
    let role = if role.is_empty() { String::new() } else { format!("  ({})", role.join(", ")) };
    format!("{:.2}  {}:{}-{}{symbol}{role}", answer.score, answer.path, answer.start_line, answer.end_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_whole_and_never_negative_zero() {
        for (part, expected) in [(-0.0, "0"), (-0.001, "0"), (0.0, "0"), (0.666, "67"), (1.0, "100")] {
            assert_eq!(percent(part).to_string(), expected, "{part}");
        }
    }
}
