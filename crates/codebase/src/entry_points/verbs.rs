//! The verbs `plimsoll code <ACTION> …`, each of which runs the tool's action of that name.

use std::borrow::Cow;

use contract::{Error, Reply, Sentence};
use serde_json::{Map, Value};
use system::{Argument, ArgumentKind, Arguments, CallContext, Group, ReplyFuture, Verb, VerbArguments};

use super::codebase_tool;
use crate::messages;

const fn takes(name: &'static str, about: &'static str) -> Argument {
    Argument { name, about, kind: ArgumentKind::Value }
}

const fn switch(name: &'static str, about: &'static str) -> Argument {
    Argument { name, about, kind: ArgumentKind::Nothing }
}

/// The verbs.
pub(crate) static VERBS: &[Verb] = &[Verb {
    name: "code",
    about: "Search a project's code, see who uses a name and how the parts depend on each other",
    group: Group::Look,
    arguments: &[
        Argument {
            name: "ACTION",
            about: "search WORDS, refs NAME, card NAME,\n\
                    map [FOLDER], cycles [FOLDER], health [FOLDER],\n\
                    patterns [CATEGORY], style [WORDS], metadata,\n\
                    review [BASE], diagnostics [PATH],\n\
                    status, reindex,\n\
                    memory list|add|remove",
            kind: ArgumentKind::Places,
        },
        takes("--query", "The words to search for, instead of WORDS"),
        takes("--symbol", "The name, instead of NAME"),
        switch("--callers", "Show the functions that call NAME, with refs"),
        switch("--callees", "Show what NAME calls, with refs"),
        switch(
            "--implementations",
            "Show what implements the type NAME or overrides the method NAME, with refs",
        ),
        takes(
            "--category",
            "all, testing, errors, logging, async, http, state, di, data, libraries, imports or naming",
        ),
        takes("--scope", "Only below this folder"),
        takes("--intent", "explore, edit, refactor or migrate; all but explore add the card"),
        takes("--mode", "compact or full"),
        takes("--lang", "Only files in this language"),
        takes("--framework", "Only files that import this framework, or whose path or kind has its name"),
        takes("--layer", "Only files whose path or kind has this word"),
        takes("--limit", "Show at most this many"),
        takes("--offset", "Skip this many"),
        takes("--max-tokens", "The largest answer in tokens, with --json; at most 8000"),
        takes("--reason", "The reason, with reindex; accepted and ignored"),
        switch("--incremental", "Read only what changed, with reindex; the default"),
        switch("--all", "Read everything again, with reindex"),
        switch("--dry-run", "Only list what reindex would read"),
        takes("--base", "A branch, tag or commit, instead of BASE; without it, what the branch comes from"),
    ],
    run,
}];

/// The largest answer, for programs that name none.
const PLAIN: u64 = 8_000;

fn run(at: CallContext, typed: VerbArguments) -> Result<ReplyFuture, Error> {
    let mut places = typed.texts("ACTION").map(str::to_owned);
    let action = places.next().unwrap_or_default();
    let rest = places.collect::<Vec<_>>().join(" ");
    let action = match action.as_str() {
        // One store has all memories; typed right behind `code`, the first never comes here.
        "memory" | "remember" | "recall" | "get_memory" => {
            return Err(Error::invalid("memories are `plimsoll memory list`, `add` and `remove`"));
        }
        "refs" => "references",
        "style-guide" => "style",
        other => other,
    };
    let mut given: Map<String, Value> = Map::new();
    for (name, value) in typed.0.iter().filter(|(name, _)| *name != "ACTION") {
        let name = name.trim_start_matches('-').replace('-', "_");
        match name.as_str() {
            "all" => given.insert("incremental".into(), false.into()),
            "callers" | "callees" | "implementations" => {
                if let Some(other) = given.insert("direction".into(), name.clone().into()) {
                    let other = other.as_str().unwrap_or_default().to_owned();
                    return Err(Error::invalid(format!(
                        "code refs: --{other} and --{name} are two questions; ask one at a time"
                    )));
                }
                None
            }
            _ => given.insert(name, value.clone()),
        };
    }
    if !rest.is_empty() {
        let Some((name, _)) = place(action) else {
            return Err(Error::invalid(format!("code {action} takes nothing; {rest:?} is too much")));
        };
        given.insert(name.into(), rest.into());
    }
    given.insert("action".into(), action.into());
    given.entry("max_tokens").or_insert(PLAIN.into());
    let mut arguments = Arguments::new("code", given);
    let asked = codebase_tool::parse_request(&mut arguments).map_err(|error| with_place(error, action))?;
    arguments.finish()?;
    let action = action.to_owned();
    Ok(Box::pin(async move {
        let tokens = asked.tokens();
        let printed = codebase_tool::run_action(at, asked).await?;
        let nothing_found = is_nothing(&action, &printed.data);
        let (data, _) = crate::reply_cap::fit_to_cap(printed.data, tokens);
        // A file's name may have an end of line in it.
        let mut lines: Vec<_> = printed.lines.iter().map(|line| text::one_line(line)).collect();
        lines.extend(past_the_end(&data).map(|told| Cow::Owned(format!("({told})"))));
        Ok(Reply { nothing_found, ..Reply::plain(lines.join("\n")).with_data(data) })
    }))
}

/// The argument that the words after an action are, and what the help calls them.
fn place(action: &str) -> Option<(&'static str, &'static str)> {
    match action {
        "search" | "style" => Some(("query", "WORDS")),
        "card" => Some(("query", "NAME")),
        "references" => Some(("symbol", "NAME")),
        "map" | "cycles" | "health" => Some(("path", "FOLDER")),
        "diagnostics" => Some(("path", "PATH")),
        "patterns" => Some(("category", "CATEGORY")),
        "review" => Some(("base", "BASE")),
        _ => None,
    }
}

/// What is missing as the help calls it, where the words after the action give it: in this verb nothing else is missing.
fn with_place(error: Error, action: &str) -> Error {
    match place(action) {
        Some((_, name)) if error.message.text().ends_with(" is missing") => {
            Error { message: format!("code: {name} is missing").into(), ..error }
        }
        _ => error,
    }
}

/// That a page is behind the last one, where an answer counts what it found. A search, which doesn't, says so itself.
fn past_the_end(data: &Value) -> Option<Sentence> {
    let number = |key: &str| data[key].as_u64();
    let offset = number("offset")?;
    let found = number("usageCount").or_else(|| number("count"))?;
    let last = found.max(number("definitionCount").unwrap_or(0));
    (last > 0 && offset >= last).then(|| messages::past_the_end(offset, last))
}

/// Whether an answer has no results. Past the last page there are results on earlier ones.
fn is_nothing(action: &str, data: &Value) -> bool {
    let is_first = data.get("offset").is_none();
    let is_empty = |list: &str| data[list].as_array().is_none_or(Vec::is_empty);
    match action {
        "search" => is_first && is_empty("results") && is_empty("relatedMemories"),
        "style" => is_first && is_empty("results"),
        // `count` is of callers, callees or implementations; calls of what is defined elsewhere, or that may be meant, are something.
        "references" => {
            let found = data.get("usageCount").or_else(|| data.get("count"));
            let is_called = data.get("foreign").is_some() || data.get("undecided").is_some();
            found.is_some_and(|found| *found == 0) && data["definitionCount"] == 0 && !is_called
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_behind_the_last_one_is_named() {
        for (data, expected) in [
            (json!({"usageCount": 1, "definitionCount": 3, "offset": 3}), Some((3, 3))),
            (json!({"usageCount": 1, "definitionCount": 3, "offset": 2}), None),
            (json!({"count": 2, "definitionCount": 1, "offset": 50}), Some((50, 2))),
            (json!({"count": 0, "offset": 5}), None),
            (json!({"usageCount": 1, "definitionCount": 1}), None),
            (json!({"results": [], "offset": 60}), None),
        ] {
            let told = past_the_end(&data).map(|told| told.to_string());
            let expected = expected
                .map(|(offset, last)| format!("offset {offset} is past the last answer (number {last})"));
            assert_eq!(told, expected, "{data}");
        }
    }

    #[test]
    fn an_answer_without_results_on_any_page_found_nothing() {
        for (action, data, expected) in [
            ("search", json!({"results": []}), true),
            ("search", json!({"results": [], "offset": 60}), false),
            ("search", json!({"results": [], "relatedMemories": [{}]}), false),
            ("search", json!({"results": [{}]}), false),
            ("style", json!({"results": [], "count": 0}), true),
            ("style", json!({"results": [], "count": 2, "offset": 2}), false),
            ("style", json!({"results": [{}], "count": 1}), false),
            ("references", json!({"usageCount": 0, "definitionCount": 0}), true),
            ("references", json!({"usageCount": 0, "definitionCount": 1}), false),
            ("references", json!({"usageCount": 3, "definitionCount": 0}), false),
            ("references", json!({"callers": []}), false),
            ("references", json!({"callers": [], "count": 0, "definitionCount": 0}), true),
            ("references", json!({"callers": [], "count": 0, "definitionCount": 1}), false),
            ("references", json!({"callees": [{}], "count": 1, "definitionCount": 0}), false),
            ("references", json!({"callers": [], "count": 0, "definitionCount": 0, "foreign": [{}]}), false),
            ("references", json!({"callers": [], "count": 0, "definitionCount": 0, "undecided": 2}), false),
            ("map", json!({"results": []}), false),
        ] {
            assert_eq!(is_nothing(action, &data), expected, "{action} {data}");
        }
    }

    #[test]
    fn help_names_every_category() {
        let category = VERBS[0].arguments.iter().find(|argument| argument.name == "--category").unwrap();
        let (before, last) = category.about.rsplit_once(" or ").unwrap();
        let named: Vec<&str> = before.split(", ").chain([last]).collect();
        assert_eq!(named, crate::actions::categories());
    }
}
