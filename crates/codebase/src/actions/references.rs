//! Lists the uses of a name, at three confidences. The worker parses the files, so that no server loads grammars. Callers, callees
//! and implementations are in `relations`.

use std::collections::BTreeSet;

use contract::{Error, ErrorCode};
use serde_json::{Value, json};

use super::{ActionReply, caveat};
use crate::index::{Index, Outcome, Task, run};
use crate::messages;
use crate::servers::{self, AvailableServers};

/// Which way a name is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Direction {
    /// Every place that names it.
    #[default]
    Uses,
    /// Callers, callees or implementations, by the name of their list.
    Related(&'static str),
}

/// A request for the uses of a name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Uses {
    pub(crate) symbol: String,
    pub(crate) direction: Direction,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
}

impl Uses {
    /// The number of entries of each list on a page.
    pub(super) fn limit(&self) -> usize {
        self.limit.unwrap_or(10).clamp(1, 1_000)
    }

    /// The page of the definitions, which begins where that of the uses does.
    pub(super) fn page<'a>(&self, definitions: &'a [Value]) -> Vec<&'a Value> {
        definitions.iter().skip(self.offset).take(self.limit()).collect()
    }
}

/// The definitions and uses of a name, as the worker finds them, without what the asker may not read.
pub(super) fn of(index: &Index<'_>, symbol: &str) -> Result<Value, Error> {
    let mut found = ask_worker(index, symbol, Task::References(symbol.to_owned()))?;
    // The places in `of` count the definitions, so those stay in their places.
    if let Some(uses) = found["uses"].as_array_mut() {
        uses.retain(|one| index.shows(one["path"].as_str().unwrap_or_default()));
    }
    Ok(found)
}

/// What the worker finds about a name.
pub(super) fn ask_worker(index: &Index<'_>, symbol: &str, task: Task) -> Result<Value, Error> {
    match run(index.place, task, index.patience(), &index.call.cancelled) {
        Outcome::Answer(found) => Ok((*found).clone()),
        Outcome::Failed(problem) => {
            Err(Error::new(ErrorCode::Failed, messages::references_failed(symbol, problem)))
        }
        Outcome::Working => Err(Error::new(ErrorCode::Timeout, messages::references_long(symbol))),
    }
}

/// The name that is asked about.
pub(super) fn symbol_of(asked: &Uses) -> Result<&str, Error> {
    let symbol = asked.symbol.trim();
    if symbol.is_empty() {
        return Err(Error::invalid("references: symbol is empty; give a name, or Type.name"));
    }
    Ok(symbol)
}

/// Lists who uses a name, the surest first.
///
/// # Errors
/// When the name is empty, or the files could not be read in time.
pub(crate) fn references(
    index: &Index<'_>,
    asked: &Uses,
    available: &AvailableServers,
) -> Result<ActionReply, Error> {
    let symbol = symbol_of(asked)?;
    let mut found = of(index, symbol)?;
    let name = symbol.trim_end_matches("()").rsplit(['.', ':', '#']).next().unwrap_or(symbol);
    servers::resolve(index, available, name, &mut found);
    let empty = Vec::new();
    let list = |key: &str| found[key].as_array().unwrap_or(&empty);
    let definitions = definitions(index, &found);
    let uses = list("uses");
    let limit = asked.limit();
    let several = |at: usize| shares_line(uses, at);
    let page: Vec<Value> = uses
        .iter()
        .enumerate()
        .skip(asked.offset)
        .take(limit)
        .map(|(at, one)| usage(one, several(at)))
        .collect();
    let shown = asked.page(&definitions);
    let rest = asked.offset + limit < uses.len().max(definitions.len());
    let unread = list("unread");
    let cut = found["cut"].as_bool().unwrap_or(false);
    let stamp = index.status.stamp();
    let mut data = json!({
        "status": "success",
        "symbol": symbol,
        "usageCount": uses.len(),
        "definitionCount": definitions.len(),
        "definitions": shown,
        "usages": page,
        "confidence": "syntactic",
        "isComplete": unread.is_empty() && index.status.is_fresh() && !rest && !cut,
    });
    if cut {
        data["cut"] = true.into();
    }
    if asked.offset > 0 {
        data["offset"] = asked.offset.into();
    }
    if rest {
        data["nextOffset"] = (asked.offset + limit).into();
    }
    if !unread.is_empty() {
        data["unread"] = unread.clone().into();
    }
    if let Some(answers) = found.get("servers") {
        data["servers"] = answers.clone();
    }
    let similar = list("similar");
    if definitions.is_empty() {
        let unread = languages_without_grammar(index, symbol)?;
        data["note"] = if uses.is_empty() {
            let note = format!("nothing is called {symbol} here, and no indexed file has the word");
            let note = match super::left_out::not_looked_at(index) {
                Some(rest) => format!("{note}; {rest}"),
                None => note,
            };
            note.into()
        } else if unread.is_empty() {
            format!("nothing here defines {symbol}; these are the places that have the word").into()
        } else {
            let unread = unread.join(", ");
            format!(
                "no definition of {symbol} is known, and those in {unread} may not be; these are the places that \
                 have the word"
            )
            .into()
        };
        if !similar.is_empty() {
            data["similar"] = similar.clone().into();
        }
    }
    if !index.status.is_fresh() {
        data["index"] = stamp.clone();
    }
    Ok(ActionReply { lines: lines(&data, &stamp), data })
}

/// The languages without a grammar of the files that have a name: only how a line begins says there what is defined, and nothing
/// what is called.
pub(super) fn languages_without_grammar(index: &Index<'_>, symbol: &str) -> Result<Vec<String>, Error> {
    let files = files_with_name(index, symbol)?;
    let known: BTreeSet<&str> = files.iter().map(|file| file.language.as_str()).collect();
    let known = known.into_iter().filter_map(code::language::by_name);
    Ok(known
        .filter(|one| one.is_program() && one.grammar().is_none())
        .map(|one| one.name.to_owned())
        .collect())
}

/// Whether a file has a name.
pub(super) fn is_mentioned(index: &Index<'_>, symbol: &str) -> Result<bool, Error> {
    Ok(!files_with_name(index, symbol)?.is_empty())
}

/// The files that have a name and that the asker may read.
fn files_with_name<'i>(index: &'i Index<'_>, symbol: &str) -> Result<Vec<&'i code::search::File>, Error> {
    let mut parts = symbol.trim_end_matches("()").rsplit(['.', ':', '#', '\\']);
    let name = parts.find(|part| !part.is_empty()).unwrap_or(symbol);
    let having = code::refs::files_that_mention(index.store, index.reader, name)
        .map_err(|error| crate::index::failure(&error))?;
    Ok(having.iter().filter(|path| index.shows(path)).filter_map(|path| index.file(path)).collect())
}

/// The line that says how to see more; `count` is the name of the number of what was asked for.
pub(super) fn more(data: &Value, count: &str) -> Option<String> {
    let next = data["nextOffset"].as_u64()?;
    Some(if data[count].as_u64().is_some_and(|all| next < all) {
        format!("… {next} of {}; --offset {next} shows more", data[count])
    } else {
        let all = contract::count(data["definitionCount"].as_u64().unwrap_or(0), "definition");
        format!("… {next} of {all}; --offset {next} shows more")
    })
}

/// The definitions that the asker may read.
pub(super) fn definitions(index: &Index<'_>, found: &Value) -> Vec<Value> {
    let lists = ["definitions", "by_lines"].into_iter();
    let all = lists.flat_map(|list| found[list].as_array().into_iter().flatten());
    all.filter(|one| index.shows(one["path"].as_str().unwrap_or_default())).map(definition).collect()
}

fn definition(one: &Value) -> Value {
    let container = one["container"].as_str().unwrap_or_default();
    let mut out = json!({
        "file": one["path"],
        "line": one["line"],
        "kind": one["kind"],
        "signature": one["signature"],
    });
    if !container.is_empty() {
        out["in"] = container.into();
    }
    out
}

/// Whether the use before or behind one is on the same line.
fn shares_line(uses: &[Value], at: usize) -> bool {
    let is_same = |other: &Value| ["path", "line"].iter().all(|key| other[*key] == uses[at][*key]);
    [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|other| uses.get(other)).any(is_same)
}

fn usage(one: &Value, several: bool) -> Value {
    let mut out = json!({
        "file": one["path"],
        "line": one["line"],
        "preview": one["text"],
        "confidence": one["confidence"],
        "role": one["role"],
    });
    // Otherwise two uses on a line would look the same.
    if several {
        out["column"] = one["column"].clone();
    }
    // The source, unless it is the index.
    if one["source"].is_string() {
        out["source"] = one["source"].clone();
    }
    if one["inside"].is_string() {
        out["inside"] = one["inside"].clone();
    }
    // The definition is named only if there are several.
    if one["of"].as_array().is_some_and(|of| !of.is_empty() && of.as_slice() != [Value::from(0)]) {
        out["of"] = one["of"].clone();
    }
    out
}

/// The terminal's first lines: what is defined, and the caveats.
pub(super) fn head(data: &Value, stamp: &Value) -> Vec<String> {
    let mut out = caveat(stamp);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for one in data["definitions"].as_array().into_iter().flatten() {
        out.push(format!("defined  {}:{}  {}", text(&one["file"]), one["line"], text(&one["signature"])));
    }
    out.extend(data["note"].as_str().map(str::to_owned));
    for one in data["similar"].as_array().into_iter().flatten() {
        out.push(format!("written otherwise: {}", text(one)));
    }
    out
}

fn lines(data: &Value, stamp: &Value) -> Vec<String> {
    let mut out = head(data, stamp);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for one in data["usages"].as_array().into_iter().flatten() {
        let column = one["column"].as_u64().map(|column| format!(":{column}")).unwrap_or_default();
        out.push(format!(
            "{:<8} {}:{}{column}  {}",
            text(&one["confidence"]).replace("in_scope", "in scope"),
            text(&one["file"]),
            one["line"],
            text(&one["preview"])
        ));
    }
    for one in data["servers"].as_array().into_iter().flatten() {
        let server = text(&one["server"]);
        out.extend(match one["status"].as_str().unwrap_or_default() {
            "answered" => None,
            "reading" => Some(format!("({server} is still reading the project; these are the index's own)")),
            "late" => Some(format!("({server} didn't answer in time; these are the index's own)")),
            what => Some(format!("({server} {what}: {})", text(&one["reason"]))),
        });
    }
    out.extend(more(data, "usageCount"));
    if data["cut"].as_bool().unwrap_or(false) {
        out.push("(more places have the word than are listed)".to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_uses_on_a_line_are_told_apart() {
        let use_at = |path: &str, line: u64, column: u64| {
            json!({
                "path": path, "line": line, "column": column, "confidence": "resolved", "text": "f(f(1))",
            })
        };
        let uses = [use_at("a.rs", 1, 3), use_at("a.rs", 1, 5), use_at("a.rs", 2, 3), use_at("b.rs", 2, 3)];
        let page: Vec<Value> =
            uses.iter().enumerate().map(|(at, one)| usage(one, shares_line(&uses, at))).collect();
        let printed = lines(&json!({"usages": page}), &Value::Null);
        assert_eq!(
            printed,
            [
                "resolved a.rs:1:3  f(f(1))",
                "resolved a.rs:1:5  f(f(1))",
                "resolved a.rs:2  f(f(1))",
                "resolved b.rs:2  f(f(1))"
            ]
        );
        let cut = lines(&json!({"usages": page, "cut": true}), &Value::Null);
        assert_eq!(cut.last().map(String::as_str), Some("(more places have the word than are listed)"));
    }

    #[test]
    fn definitions_are_a_page_like_uses() {
        let definitions: Vec<Value> = (0..25).map(Value::from).collect();
        let mut seen = Vec::new();
        for offset in [0, 10, 20, 30] {
            let asked = Uses { offset, ..Uses::default() };
            seen.extend(asked.page(&definitions).into_iter().cloned());
        }
        assert_eq!(seen, definitions);
        for (count, next, expected) in [
            (40, Some(10), Some("… 10 of 40; --offset 10 shows more")),
            (4, Some(10), Some("… 10 of 25 definitions; --offset 10 shows more")),
            (4, None, None),
        ] {
            let data = json!({"usageCount": count, "definitionCount": 25, "nextOffset": next});
            assert_eq!(more(&data, "usageCount").as_deref(), expected);
        }
    }
}
