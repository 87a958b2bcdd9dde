//! The verbs `plimsoll memory`, `plimsoll graph` and `plimsoll prompt`. Each calls the tool of its name: the words
//! after the action are its main argument, the options are arguments by name.

use contract::{Error, Reply};
use serde_json::{Map, Value};
use system::{Argument, ArgumentKind, Arguments, CallContext, Group, ReplyFuture, Verb, VerbArguments};

use super::next_step::{next_step, with_next_step};
use super::standard_input;
use super::terminal_text::NOTHING;

const fn takes(name: &'static str, about: &'static str) -> Argument {
    Argument { name, about, kind: ArgumentKind::Value }
}

const fn switch(name: &'static str, about: &'static str) -> Argument {
    Argument { name, about, kind: ArgumentKind::Nothing }
}

const fn words(name: &'static str, about: &'static str) -> Argument {
    Argument { name, about, kind: ArgumentKind::Places }
}

/// The verbs.
pub(crate) static VERBS: &[Verb] = &[
    Verb {
        name: "memory",
        about: "Remember, recall, review, share, export and import memories",
        group: Group::Use,
        arguments: &[
            words(
                "ACTION",
                "capture|add TEXT (- reads it from standard input),\n\
                 recall|search|list [QUERY],\n\
                 get|update|delete|remove|restore|history|enrich|share|unshare|keep|drop ID,\n\
                 review, status, namespaces, gc, delete_all, export, sources, reindex,\n\
                 import PATH, consolidate NAMESPACE,\n\
                 identity [join|separate NAME],\n\
                 key set|remove PROVIDER,\n\
                 org init|set ADDRESS|unset|status|sync|grant NAME ROLE|revoke NAME",
            ),
            takes("--namespace", "Its kind, such as decisions or config"),
            takes("--type", "convention, decision, gotcha or failure, instead of a namespace"),
            takes("--category", "A tag, with --type"),
            takes("--memory", "The text, with add"),
            takes("--reason", "The reason, with add"),
            takes("--query", "The words to look for, instead of QUERY"),
            takes("--filter", "Which memories, such as ns:decisions tag:db -tag:old since:7d"),
            takes("--tags", "Tags, separated by commas"),
            takes("--source", "Where it comes from, such as a file"),
            takes("--domain", "project, user or org"),
            takes("--ttl", "How long it applies, such as 7d"),
            takes("--supersedes", "The id of what it replaces"),
            takes("--conflicts", "The id of what it contradicts"),
            takes("--refines", "The id of what it says in more detail"),
            takes("--content", "The new text, with update"),
            takes("--detail", "light, medium or everything"),
            takes("--mode", "text, hybrid or vector"),
            takes("--strategy", "merge, dedupe or summarize, with consolidate"),
            takes("--branch", "Only this branch, with gc"),
            takes("--older-than", "Only what was deleted at least this long ago, with gc --purge"),
            takes("--format", "json, markdown or csv, with export"),
            takes("--limit", "Show at most this many"),
            takes("--offset", "Skip this many"),
            takes("--project", "Only in this project (host/path), with org grant and revoke"),
            switch("--purge", "Also remove what was deleted, with gc"),
            switch(
                "--damaged-copies",
                "Only delete the copies that were kept of a damaged database, with gc",
            ),
            switch("--hard", "Delete for good, with delete"),
            switch("--pending", "Have everything wait for a review, with import"),
            switch("--dry-run", "Only show what would be done"),
        ],
        run: |at, typed| match super::org_command::parse(&typed)? {
            Some(asked) => Ok(in_terminal(super::org_command::run(at, asked), NOTHING)),
            None if let Some(asked) = super::key_command::parse(&typed)? => {
                let empty = next_step("memory", "key", &Map::new());
                Ok(in_terminal(super::key_command::run(at, asked), empty))
            }
            None if let Some(asked) = super::identity_command::parse(&typed)? => {
                Ok(in_terminal(super::identity_command::run(at, asked), NOTHING))
            }
            None if typed.texts("ACTION").eq(["sources"]) => {
                let empty = next_step("memory", "sources", &Map::new());
                Ok(in_terminal(super::import_sources::run(at), empty))
            }
            None => run(at, typed, "memory", super::memory_tool::read),
        },
    },
    Verb {
        name: "graph",
        about: "Show who and what memories are about",
        group: Group::Look,
        arguments: &[
            words(
                "ACTION",
                "neighbors NAME, path NAME NAME, visualize [NAME], stats,\n\
                 entities, entity|delete_entity NAME, add_entity NAME, merge NAME NAME…,\n\
                 relationships, relate NAME NAME, unrelate ID, infer NAME NAME…,\n\
                 extract TEXT",
            ),
            takes("--type", "The type of the entity or relationship"),
            takes("--depth", "How many steps to follow"),
            takes("--format", "mermaid, dot or json"),
            takes("--limit", "Show at most this many"),
            takes("--offset", "Skip this many"),
            takes("--since", "When a relationship began, such as 2024-01-31"),
            takes("--until", "When it ended; a date includes its day"),
            switch("--store", "Store what is found"),
            switch("--dry-run", "Only show what would be done"),
        ],
        run: |at, typed| run(at, typed, "graph", super::graph_tool::read),
    },
    Verb {
        name: "prompt",
        about: "Save, list and run prompts and templates",
        group: Group::Use,
        arguments: &[
            words("ACTION", "save NAME TEXT, list, get|run|render|delete NAME"),
            takes("--kind", "prompt or template"),
            takes("--domain", "project, user or org"),
            takes("--description", "What it's good for"),
            takes("--tags", "Tags, separated by commas"),
            takes("--variables", "Values, as a JSON object; with save, defaults"),
            takes("--query", "Which memories a template shows"),
            takes("--format", "markdown, json or xml"),
            takes("--limit", "Show at most this many"),
            takes("--offset", "Skip this many"),
            switch("--dry-run", "Only show what would be done, with save and delete"),
        ],
        run: |at, typed| run(at, typed, "prompt", super::prompt_tool::read),
    },
];

/// Texts that are stored as they are, so that a hyphen alone isn't meant as one: it reads standard input, as for `index`.
const STORED_TEXTS: [&str; 2] = ["content", "memory"];

fn run(
    at: CallContext,
    typed: VerbArguments,
    tool: &'static str,
    read: super::Read,
) -> Result<ReplyFuture, Error> {
    let mut places = typed.texts("ACTION").map(str::to_owned);
    let action = match places.next().unwrap_or_default() {
        // The name of everything else that is searched.
        word if tool == "memory" && word == "search" => "recall".to_owned(),
        word => word,
    };
    let rest: Vec<String> = places.collect();
    let mut given: Map<String, Value> = Map::new();
    for (name, value) in typed.0.iter().filter(|(name, _)| *name != "ACTION") {
        let name = name.trim_start_matches('-').replace('-', "_");
        let value = match (name.as_str(), value) {
            ("tags", Value::String(text)) => text.split(',').map(|tag| Value::from(tag.trim())).collect(),
            (_, value) => value.clone(),
        };
        given.insert(name, value);
    }
    assign_main_argument(tool, &action, rest, &mut given)?;
    for name in STORED_TEXTS {
        if given.get(name).and_then(Value::as_str) == Some("-") {
            given.insert(name.into(), standard_input::text(std::io::stdin().lock(), tool)?.into());
        }
    }
    // The command line acts directly unless `--dry-run` is given; but to consolidate needs a namespace.
    let acts = match action.as_str() {
        "delete_all" | "gc" => true,
        "consolidate" => given.contains_key("namespace"),
        _ => false,
    };
    if acts && tool == "memory" && !given.contains_key("dry_run") {
        given.insert("dry_run".into(), false.into());
    }
    let empty = next_step(tool, &action, &given);
    let (main, _) = main_arguments(tool, &action);
    given.insert("action".into(), action.into());
    let mut arguments = Arguments::new(tool, given);
    let job = read(&mut arguments).map_err(|error| with_option(error, tool, main))?;
    arguments.finish()?;
    Ok(Box::pin(async move { worded(job(at).await.map_err(|error| with_option(error, tool, main)), empty) }))
}

/// The reply as a terminal shows it; `empty` is the next step where there is nothing in it.
fn in_terminal(reply: ReplyFuture, empty: &'static str) -> ReplyFuture {
    Box::pin(async move { worded(reply.await, empty) })
}

/// With the next step where nothing was found, and an error without its number.
fn worded(replied: Result<Reply, Error>, empty: &str) -> Result<Reply, Error> {
    replied.map(|reply| with_next_step(reply, empty)).map_err(without_number)
}

/// The error without the number at its end, which only programs need.
fn without_number(error: Error) -> Error {
    let numbered = error.message.text();
    let plain = numbered.rsplit_once(" (-").filter(|(_, number)| {
        number.strip_suffix(')').is_some_and(|digits| digits.chars().all(|digit| digit.is_ascii_digit()))
    });
    match plain.map(|(plain, _)| plain.to_owned()) {
        Some(plain) => Error { message: plain.into(), ..error },
        None => error,
    }
}

/// A missing argument as it is typed: by the option that gives it, or as the help calls the word after the action.
fn with_option(error: Error, tool: &str, main: &[&str]) -> Error {
    let told = error.message.text();
    let rest = told.strip_prefix(tool).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(told);
    let missing = rest.split_once(" is missing").and_then(|(name, _)| {
        if main.contains(&name) {
            return Some(format!("{tool}: {}{}", typed_name(name), &rest[name.len()..]));
        }
        let option = format!("--{}", name.replace('_', "-"));
        let verb = VERBS.iter().find(|verb| verb.name == tool)?;
        let is_typed = verb.arguments.iter().any(|argument| argument.name == option);
        is_typed.then(|| format!("{tool}: {option}{}", &rest[name.len()..]))
    });
    match missing {
        Some(message) => Error { message: message.into(), ..error },
        None => error,
    }
}

/// What the help calls a word after the action.
fn typed_name(argument: &str) -> String {
    match argument {
        "content" => "TEXT".to_owned(),
        "entity" | "to" => "NAME".to_owned(),
        other => other.to_uppercase(),
    }
}

/// The arguments that the words after the action are, and whether all words are one text.
fn main_arguments(tool: &str, action: &str) -> (&'static [&'static str], bool) {
    match (tool, action) {
        ("memory", "capture" | "add") => (&["content"], true),
        ("memory", "recall" | "list") => (&["query"], true),
        ("memory", "consolidate") => (&["namespace"], false),
        ("memory", "import") => (&["path"], false),
        ("memory", "delete_all" | "export") => (&["filter"], true),
        ("memory", _) => (&["id"], false),
        ("graph", "path" | "relate") => (&["entity", "to"], false),
        ("graph", "extract") => (&["content"], true),
        ("graph", "unrelate" | "relationship") => (&["id"], false),
        ("graph", "merge" | "infer") => (&["entities"], false),
        ("graph", _) => (&["entity"], false),
        ("prompt", "save") => (&["name", "content"], false),
        _ => (&["name"], false),
    }
}

/// Assigns the words after the action to the action's main arguments.
fn assign_main_argument(
    tool: &str,
    action: &str,
    rest: Vec<String>,
    given: &mut Map<String, Value>,
) -> Result<(), Error> {
    if rest.is_empty() {
        return Ok(());
    }
    match (tool, action) {
        ("graph", "merge" | "infer") => {
            given.insert("entities".into(), rest.into());
            return Ok(());
        }
        ("prompt", "save") => {
            given.insert("name".into(), rest[0].clone().into());
            if rest.len() > 1 {
                given.insert("content".into(), rest[1..].join(" ").into());
            }
            return Ok(());
        }
        // Other commands take a file there.
        ("memory", "export") if !rest.iter().any(|word| word.contains(':')) => {
            return Err(Error::invalid(format!(
                "memory export prints to standard output, and {:?} isn't a filter; `plimsoll memory export > FILE` writes a file",
                rest.join(" ")
            )));
        }
        _ => {}
    }
    let (names, all) = main_arguments(tool, action);
    if all {
        given.insert(names[0].into(), rest.join(" ").into());
        return Ok(());
    }
    if rest.len() > names.len() {
        let more = rest[names.len()..].join(" ");
        return Err(Error::invalid(format!(
            "{tool} {action} takes {}; {more:?} is too much",
            names.iter().map(|name| typed_name(name)).collect::<Vec<_>>().join(" and ")
        )));
    }
    for (name, value) in names.iter().zip(rest) {
        given.insert((*name).into(), value.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_arguments_are_named_as_they_are_typed() {
        for (tool, action, told, expected) in [
            (
                "memory",
                "capture",
                "memory: namespace is missing; allowed: a",
                "memory: --namespace is missing; allowed: a",
            ),
            ("memory", "capture", "memory: content is missing", "memory: TEXT is missing"),
            ("memory", "consolidate", "memory: namespace is missing", "memory: NAMESPACE is missing"),
            ("memory", "get", "memory: id is missing", "memory: ID is missing"),
            ("memory", "gc", "older_than: a time is missing", "older_than: a time is missing"),
            ("prompt", "save", "content is missing", "prompt: TEXT is missing"),
        ] {
            let (main, _) = main_arguments(tool, action);
            let named = with_option(Error::invalid(told), tool, main);
            assert_eq!(named.message.text(), expected, "{tool} {action}");
        }
    }
}
