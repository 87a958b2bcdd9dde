//! Shows the callers, callees and implementations of a name, as the worker finds them.

use contract::Error;
use serde_json::{Value, json};

use super::ActionReply;
use super::references::{
    Uses, ask_worker, definitions, head, is_mentioned, languages_without_grammar, more, symbol_of,
};
use crate::index::{Index, Task};

/// Lists what a name is related to in a direction.
///
/// # Errors
/// When the name is empty, or the files could not be read in time.
pub(crate) fn relations(
    index: &Index<'_>,
    asked: &Uses,
    direction: &'static str,
) -> Result<ActionReply, Error> {
    let symbol = symbol_of(asked)?;
    let found = ask_worker(index, symbol, Task::Related(direction, symbol.to_owned()))?;
    let nothing = found[direction].as_array().is_none_or(Vec::is_empty);
    let unfollowed = if nothing { languages_without_grammar(index, symbol)? } else { Vec::new() };
    let mentioned = nothing && is_mentioned(index, symbol)?;
    Ok(page_reply(index, asked, direction, &found, &unfollowed, mentioned))
}

/// One page of what was `found` in a direction, which is also the name of its list; `unfollowed` are the languages of files with the
/// name in which that isn't known, and it's `mentioned` if there are files with the name at all.
fn page_reply(
    index: &Index<'_>,
    asked: &Uses,
    direction: &str,
    found: &Value,
    unfollowed: &[String],
    mentioned: bool,
) -> ActionReply {
    let symbol = asked.symbol.trim();
    let empty = Vec::new();
    let list = |key: &str| found[key].as_array().unwrap_or(&empty);
    let shows = |one: &Value| index.shows(one["path"].as_str().unwrap_or_default());
    let definitions = definitions(index, found);
    let all: Vec<Value> = list(direction)
        .iter()
        .filter(|one| if direction == "implementations" { shows(&one["definition"]) } else { shows(one) })
        .map(|one| entry(direction, one, &shows))
        .collect();
    let limit = asked.limit();
    let page: Vec<&Value> = all.iter().skip(asked.offset).take(limit).collect();
    let unread = list("unread");
    let rest = asked.offset + limit < all.len().max(definitions.len());
    let cut = found["cut"].as_bool().unwrap_or(false);
    let undecided = found["undecided"].as_u64().unwrap_or(0);
    let all_known = unread.is_empty() && unfollowed.is_empty() && undecided == 0;
    let mut data = json!({
        "status": "success",
        "symbol": symbol,
        "direction": direction,
        "count": all.len(),
        "definitionCount": definitions.len(),
        "definitions": asked.page(&definitions),
        direction: page,
        "confidence": "syntactic",
        "isComplete": all_known && index.status.is_fresh() && !rest && !cut,
    });
    if undecided > 0 {
        data["undecided"] = undecided.into();
    }
    if asked.offset > 0 {
        data["offset"] = asked.offset.into();
    }
    if rest {
        data["nextOffset"] = (asked.offset + limit).into();
    }
    for key in ["foreign", "unread", "similar"] {
        if !list(key).is_empty() {
            data[key] = list(key).clone().into();
        }
    }
    if all.is_empty() && !unfollowed.is_empty() {
        data["note"] = unknown(direction, symbol, unfollowed).into();
    } else if definitions.is_empty() && mentioned {
        let note =
            format!("nothing here defines {symbol}; its references list the places that have the word");
        data["note"] = note.into();
    } else if definitions.is_empty() {
        data["note"] = format!("nothing is called {symbol} here").into();
    } else if all.is_empty() {
        data["note"] = nothing(direction, symbol).into();
    } else if cut {
        data["note"] = "more types follow from these; ask for one of them".into();
    }
    let stamp = index.status.stamp();
    if !index.status.is_fresh() {
        data["index"] = stamp.clone();
    }
    ActionReply { lines: lines(&data, direction, &stamp), data }
}

fn nothing(direction: &str, symbol: &str) -> String {
    match direction {
        "callers" => format!("no call of {symbol} is known; its uses may name it without calling it"),
        "callees" => format!("{symbol} calls nothing that this project defines"),
        _ => format!("nothing here is made from {symbol}, or overrides it"),
    }
}

fn unknown(direction: &str, symbol: &str, languages: &[String]) -> String {
    let languages = languages.join(", ");
    format!(
        "{direction} in {languages} aren't known; the references of {symbol} list the places that have the word"
    )
}

fn entry(direction: &str, one: &Value, shows: &dyn Fn(&Value) -> bool) -> Value {
    let place = |one: &Value| {
        let mut out = json!({"file": one["path"], "line": one["line"], "signature": one["signature"]});
        if one["container"].as_str().is_some_and(|container| !container.is_empty()) {
            out["in"] = one["container"].clone();
        }
        out
    };
    let mut out = match direction {
        "callers" => json!({"file": one["path"], "line": one["line"], "preview": one["text"]}),
        "callees" => {
            let meant = one["definitions"].as_array().into_iter().flatten();
            let meant: Vec<Value> = meant.filter(|one| shows(one)).map(place).collect();
            json!({"name": one["name"], "file": one["path"], "line": one["line"], "definitions": meant})
        }
        _ => {
            let mut out = place(&one["definition"]);
            out["name"] = one["name"].clone();
            out["of"] = one["of"].clone();
            if one["transitive"] == true {
                out["transitive"] = true.into();
            }
            out
        }
    };
    out["confidence"] = one["confidence"].clone();
    for key in ["inside", "calls"] {
        if !one[key].is_null() {
            out[key] = one[key].clone();
        }
    }
    out
}

fn lines(data: &Value, direction: &str, stamp: &Value) -> Vec<String> {
    let mut out = head(data, stamp);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for one in data[direction].as_array().into_iter().flatten() {
        let place = format!("{}:{}", text(&one["file"]), one["line"]);
        let heading = match direction {
            "callers" => {
                let inside = one["inside"].as_str().unwrap_or("outside of definitions");
                format!("{place}  {inside}  {}", text(&one["preview"]))
            }
            "callees" => {
                let meant = one["definitions"].as_array().into_iter().flatten();
                let meant: Vec<String> =
                    meant.map(|d| format!("{}:{}", text(&d["file"]), d["line"])).collect();
                let meant = if meant.is_empty() { "undecided which".to_owned() } else { meant.join(", ") };
                format!("{place}  {} → {meant}", text(&one["name"]))
            }
            _ => {
                let through = if one["transitive"] == true { "  by way of " } else { "  from " };
                format!("{place}  {}{through}{}", text(&one["signature"]), text(&one["of"]))
            }
        };
        out.push(format!("{:<8} {heading}", text(&one["confidence"]).replace("in_scope", "in scope")));
    }
    let foreign: Vec<&str> =
        data["foreign"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !foreign.is_empty() {
        out.push(format!("not this project's: {}", foreign.join(", ")));
    }
    if let Some(more) = data["undecided"].as_u64() {
        let calls = if more == 1 { "1 more call has" } else { &format!("{more} more calls have") };
        out.push(format!(
            "{calls} this name, of something else or undecided; the references list them as textual"
        ));
    }
    out.extend(more(data, "count"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callee_that_may_not_be_read_is_named_without_its_place() {
        let one = json!({
            "name": "open", "path": "a.ts", "line": 3, "calls": 2, "confidence": "resolved",
            "definitions": [
                {"path": "b.ts", "line": 1, "signature": "function open()", "container": "File"},
                {"path": "secret.ts", "line": 9, "signature": "function open()", "container": ""},
            ],
        });
        let shown = entry("callees", &one, &|one| one["path"] != "secret.ts");
        let expected = json!({
            "name": "open", "file": "a.ts", "line": 3, "confidence": "resolved", "calls": 2,
            "definitions": [{"file": "b.ts", "line": 1, "signature": "function open()", "in": "File"}],
        });
        assert_eq!(shown, expected);
    }

    #[test]
    fn each_direction_has_its_lines() {
        for (direction, entry, expected) in [
            (
                "callers",
                json!({"file": "a.ts", "line": 3, "preview": "open()", "confidence": "in_scope", "inside": "run"}),
                "in scope a.ts:3  run  open()",
            ),
            (
                "callees",
                json!({"name": "open", "file": "a.ts", "line": 3, "confidence": "textual", "definitions": []}),
                "textual  a.ts:3  open → undecided which",
            ),
            (
                "implementations",
                json!({"name": "B", "file": "b.ts", "line": 2, "signature": "class B", "of": "A", "confidence": "resolved", "transitive": true}),
                "resolved b.ts:2  class B  by way of A",
            ),
        ] {
            let data = json!({"definitions": [], direction: [entry], "foreign": ["print"]});
            let lines = lines(&data, direction, &Value::Null);
            assert_eq!(lines, [expected, "not this project's: print"], "{direction}");
        }
    }
}
