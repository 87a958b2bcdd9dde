//! The verbs `plimsoll memory`, `plimsoll graph` and `plimsoll prompt`. Each calls the tool of its name: the words
//! after the action are its main argument, the options are arguments by name.

use contract::Error;
use serde_json::{Map, Value};
use system::{Argument, ArgumentKind, Arguments, CallContext, Group, ReplyFuture, Verb, VerbArguments};

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
                "capture|add TEXT, recall|list [QUERY], get|update|delete|remove|restore|history|enrich|share|unshare|keep|drop ID, status, namespaces, \
                 review, gc, consolidate NAMESPACE, delete_all, export, import PATH, sources, reindex, key set|remove PROVIDER, \
                 org init|set ADDRESS|status|sync|grant NAME ROLE|revoke NAME",
            ),
            takes("--namespace", "What it is about"),
            takes("--type", "convention, decision, gotcha or failure, instead of a namespace"),
            takes("--category", "A tag, for those"),
            takes("--memory", "The text, for add"),
            takes("--reason", "Why, for add"),
            takes("--query", "What to look for, instead of QUERY"),
            takes("--filter", "Which, as in ns:decisions tag:db -tag:old since:7d"),
            takes("--tags", "Tags, with commas between"),
            takes("--source", "Where it comes from"),
            takes("--domain", "project, user or org"),
            takes("--ttl", "How long it counts, as in 7d"),
            takes("--supersedes", "The id of what it replaces"),
            takes("--content", "The new text, for update"),
            takes("--detail", "light, medium or everything"),
            takes("--mode", "text, hybrid or vector"),
            takes("--strategy", "merge, dedupe or summarize, for consolidate"),
            takes("--branch", "One branch, for gc"),
            takes("--older-than", "Only what was deleted so long ago, for gc --purge"),
            takes("--format", "json, markdown or csv, for export"),
            takes("--limit", "At most so many"),
            takes("--offset", "Leaving out so many"),
            takes("--project", "Only in this project (host/path), for org grant and revoke"),
            switch("--purge", "Also remove what was deleted, for gc"),
            switch("--hard", "For good, for delete"),
            switch("--pending", "Everything waits for a review, for import"),
            switch("--dry-run", "Only say what would be done"),
        ],
        run: |at, typed| match super::org_command::parse(&typed)? {
            Some(asked) => Ok(super::org_command::run(at, asked)),
            None if let Some(asked) = super::key_command::parse(&typed)? => {
                Ok(super::key_command::run(at, asked))
            }
            None if typed.texts("ACTION").eq(["sources"]) => Ok(super::import_sources::run(at)),
            None => run(at, typed, "memory", super::memory_tool::read),
        },
    },
    Verb {
        name: "graph",
        about: "Look at who and what memories speak of",
        group: Group::Look,
        arguments: &[
            words(
                "ACTION",
                "neighbors NAME, path NAME NAME, stats, visualize [NAME], entities, entity|delete_entity NAME, add_entity NAME, \
                 merge NAME NAME…, extract TEXT, relationships, relate NAME NAME, unrelate ID, infer NAME NAME…",
            ),
            takes("--type", "Of the entity or relationship"),
            takes("--depth", "How far is looked"),
            takes("--format", "mermaid, dot or json"),
            takes("--limit", "At most so many"),
            switch("--store", "Keep what is found"),
            switch("--dry-run", "Only say what would be done, for merge, extract and infer"),
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
            takes("--description", "What it is good for"),
            takes("--tags", "Tags, with commas between"),
            takes("--variables", "Values, as a JSON object"),
            takes("--query", "Which memories a template shows"),
            takes("--format", "markdown, json or xml"),
            takes("--limit", "At most so many"),
        ],
        run: |at, typed| run(at, typed, "prompt", super::prompt_tool::read),
    },
];

fn run(
    at: CallContext,
    typed: VerbArguments,
    tool: &'static str,
    read: super::Read,
) -> Result<ReplyFuture, Error> {
    let mut places = typed.texts("ACTION").map(str::to_owned);
    let action = places.next().unwrap_or_default();
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
    // The command line acts directly unless `--dry-run` is given.
    if action == "delete_all" && !given.contains_key("dry_run") {
        given.insert("dry_run".into(), false.into());
    }
    given.insert("action".into(), action.into());
    let mut arguments = Arguments::new(tool, given);
    let job = read(&mut arguments)?;
    arguments.finish()?;
    Ok(job(at))
}

/// Assigns the words after the action to the action's main argument.
fn assign_main_argument(
    tool: &str,
    action: &str,
    rest: Vec<String>,
    given: &mut Map<String, Value>,
) -> Result<(), Error> {
    let joined = || Value::from(rest.join(" "));
    let (names, all): (&[&str], bool) = match (tool, action) {
        (_, _) if rest.is_empty() => return Ok(()),
        ("memory", "capture" | "add") => (&["content"], true),
        ("memory", "recall" | "list") => (&["query"], true),
        ("memory", "consolidate") => (&["namespace"], false),
        ("memory", "import") => (&["path"], false),
        ("memory", "delete_all" | "export") => (&["filter"], true),
        ("memory", _) => (&["id"], false),
        ("graph", "path" | "relate") => (&["entity", "to"], false),
        ("graph", "extract") => (&["content"], true),
        ("graph", "unrelate" | "relationship") => (&["id"], false),
        ("graph", "merge" | "infer") => {
            given.insert("entities".into(), rest.into());
            return Ok(());
        }
        ("graph", _) => (&["entity"], false),
        ("prompt", "save") => {
            given.insert("name".into(), rest[0].clone().into());
            given.insert("content".into(), rest[1..].join(" ").into());
            return Ok(());
        }
        _ => (&["name"], false),
    };
    if all {
        given.insert(names[0].into(), joined());
        return Ok(());
    }
    if rest.len() > names.len() {
        let more = rest[names.len()..].join(" ");
        return Err(Error::invalid(format!(
            "{tool} {action} takes {}; {more:?} is too much",
            names.join(" and ")
        )));
    }
    for (name, value) in names.iter().zip(rest) {
        given.insert((*name).into(), value.into());
    }
    Ok(())
}
