//! What agents get: nothing that belongs to the user alone, and replies of a bounded size that say where they continue.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use std::sync::Arc;
use std::time::Duration;

use plimsoll_memory::SYSTEM;
use plimsoll_memory::query::{Filter, Scope, Selection};
use plimsoll_memory::store::{Page, SqliteStore, Store as _};
use serde_json::{Value, json};
use world::{NOW, World};

#[test]
fn a_reply_is_bounded_and_says_where_it_goes_on() {
    let world = World::new();
    let long = "word ".repeat(20_000);
    for n in 0..30 {
        let content = format!("needle {n} {}", &long[..2_000]);
        world.data("memory", json!({"action": "capture", "content": content, "namespace": "context"}));
    }
    let reply =
        world.call("memory", json!({"action": "recall", "detail": "everything", "limit": 30})).unwrap();
    assert!(reply.text.len() <= 26_000, "{}", reply.text.len());
    let shown: Value = serde_json::from_str(&reply.text).unwrap();
    let next = shown["next_offset"].as_u64().unwrap();
    assert_eq!((next, &shown["total"]), (shown["results"].as_array().unwrap().len() as u64, &json!(30)));
    let id = world.data("memory", json!({"action": "capture", "content": long, "namespace": "apis"}))["id"]
        .clone();
    let first: Value =
        serde_json::from_str(&world.call("memory", json!({"action": "get", "id": id})).unwrap().text)
            .unwrap();
    let next = first["next_offset"].as_u64().unwrap();
    assert_eq!(first["content_bytes"], long.len());
    let rest = world.call("memory", json!({"action": "get", "id": id, "offset": next})).unwrap();
    let rest: Value = serde_json::from_str(&rest.text).unwrap();
    assert!(long[usize::try_from(next).unwrap()..].starts_with(rest["content"].as_str().unwrap()));
    // Reading on to the end gives everything, each part once.
    let text = |page: &Value| page["content"].as_str().unwrap().to_owned();
    assert_eq!(pages(&world, &json!({"action": "get", "id": id}), text).concat(), long);
    let needles = |page: &Value| -> Vec<String> {
        let all = page["results"].as_array().unwrap().iter();
        all.map(|one| one["content"].as_str().unwrap()[..9].to_owned()).collect()
    };
    let asked = json!({"action": "recall", "filter": "ns:context", "detail": "everything", "limit": 20});
    let mut found = pages(&world, &asked, needles).concat();
    assert_eq!(found.len(), 30);
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 30);
    // A shortened list of the graph names its next page, too.
    for n in 0..200 {
        let name = format!("Thing number {n} {}", "x".repeat(100));
        world.data("graph", json!({"action": "add_entity", "name": name, "type": "Concept"}));
    }
    let all = world.call("graph", json!({"action": "entities", "limit": 200})).unwrap();
    let all: Value = serde_json::from_str(&all.text).unwrap();
    assert_eq!(all["next_offset"].as_u64(), all["entities"].as_array().map(|shown| shown.len() as u64));
    assert!(all["entities"].as_array().unwrap().len() < 200, "{all}");
}

/// What an agent reads of each page.
fn pages<T>(world: &World, asked: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    let (mut out, mut asked) = (Vec::new(), asked.clone());
    loop {
        let page: Value = serde_json::from_str(&world.call("memory", asked.clone()).unwrap().text).unwrap();
        out.push(read(&page));
        assert!(out.len() < 30, "{page}");
        match page.get("next_offset") {
            Some(next) => asked["offset"] = next.clone(),
            None => return out,
        }
    }
}

/// A proposal with names and a statement that rules find.
const SECRETLY: &str =
    "The walrus signs releases. Mallory Evans works at Initech Corp and built Zebulonia Framework";

/// An automatic proposal reaches no agent before the user keeps it, whatever name is used to ask for it. One that the
/// user dropped or deleted never does.
#[test]
fn pending_memories_belong_to_the_user() {
    let world = World::new();
    let file = world.host.root.join("notes.json");
    std::fs::write(&file, format!(r#"[{{"content": "{SECRETLY}", "namespace": "decisions"}}]"#)).unwrap();
    let as_user = |words: &[&str], named: Value| world.typed("memory", words, named).map(|reply| reply.data);
    as_user(&["import", file.to_str().unwrap()], json!({"--pending": true})).unwrap();
    let id = as_user(&["review"], json!({})).unwrap()["pending"][0]["id"].as_str().unwrap().to_owned();
    let status = || as_user(&["get", &id], json!({})).unwrap()["status"].as_str().unwrap().to_owned();
    reaches_no_agent(&world, &id);
    let refused = world.call("memory", json!({"action": "keep", "id": id})).unwrap_err().to_string();
    assert!(refused.contains("plimsoll memory review"), "{refused}");
    as_user(&["drop", &id], json!({})).unwrap();
    reaches_no_agent(&world, &id);
    assert_eq!(status(), "tombstoned");
    // The user gets it back, and so does the agent.
    let found =
        || world.data("memory", json!({"action": "recall", "query": "walrus releases"}))["total"].clone();
    as_user(&["restore", &id], json!({})).unwrap();
    assert_eq!(found(), 1);
    as_user(&["delete", &id], json!({})).unwrap();
    reaches_no_agent(&world, &id);
    as_user(&["restore", &id], json!({})).unwrap();
    let entities = || world.data("graph", json!({"action": "entities"})).to_string();
    assert!(entities().contains("Mallory Evans"), "{}", entities());
    let relations = || world.data("graph", json!({"action": "relationships"}))["total"].as_u64().unwrap();
    assert!(relations() > 0);
    // What an agent deleted, an agent sees and restores.
    world.data("memory", json!({"action": "delete", "id": id}));
    let deleted = world.data("memory", json!({"action": "recall", "filter": "status:deleted"}));
    assert_eq!((&deleted["total"], &deleted["results"][0]["id"]), (&json!(1), &json!(id)));
    assert_eq!((relations(), entities().contains("Mallory")), (0, false));
    world.data("memory", json!({"action": "restore", "id": id}));
    assert_eq!((found(), relations() > 0), (json!(1), true));

    std::fs::write(&file, r#"[{"content": "The walrus ships on Mondays", "namespace": "decisions"}]"#)
        .unwrap();
    as_user(&["import", file.to_str().unwrap()], json!({"--pending": true})).unwrap();
    let id = as_user(&["review"], json!({})).unwrap()["pending"][0]["id"].as_str().unwrap().to_owned();
    as_user(&["keep", &id], json!({})).unwrap();
    let kept = world.data("memory", json!({"action": "recall", "query": "walrus Mondays"}));
    assert!(kept.to_string().contains("Mondays"), "{kept}");
}

/// Asks for a memory of the walrus in every way that an agent has.
fn reaches_no_agent(world: &World, id: &str) {
    for (name, arguments) in [
        ("memory", json!({"action": "recall", "query": "walrus releases"})),
        ("memory", json!({"action": "recall", "filter": "status:pending"})),
        ("memory", json!({"action": "recall", "filter": "status:deleted"})),
        ("memory", json!({"action": "recall", "filter": "status:any"})),
        ("memory", json!({"action": "recall", "query": "walrus", "filter": "status:any"})),
        ("memory", json!({"action": "recall", "filter": "-ns:apis status:any", "detail": "everything"})),
        ("memory", json!({"action": "export", "filter": "status:any"})),
        ("memory", json!({"action": "get", "id": id})),
        ("memory", json!({"action": "history", "id": id})),
        ("memory", json!({"action": "update", "id": id, "tags": ["x"]})),
        ("memory", json!({"action": "share", "id": id})),
        ("memory", json!({"action": "enrich", "id": id})),
        ("memory", json!({"action": "review"})),
        ("memory", json!({"action": "keep", "id": id})),
        ("memory", json!({"action": "restore", "id": id})),
        ("memory", json!({"action": "recall", "query": "walrus releases"})),
        ("subcog_get", json!({"memory_id": id})),
        ("subcog_delete_all", json!({"filter": "status:pending", "dry_run": true})),
        ("subcog_delete_all", json!({"filter": "status:any -ns:apis", "dry_run": true})),
        ("graph", json!({"action": "neighbors", "entity": "walrus"})),
        ("graph", json!({"action": "neighbors", "entity": "zebulonia framework"})),
        ("graph", json!({"action": "entities"})),
        ("graph", json!({"action": "relationships"})),
        ("graph", json!({"action": "stats"})),
        ("graph", json!({"action": "visualize"})),
        ("templates", json!({"action": "render", "name": "t", "filter": "status:any"})),
    ] {
        let noted =
            world.call(name, arguments.clone()).map_or_else(|error| error.to_string(), |reply| reply.text);
        for word in ["signs", "Mallory", "Initech", "Zebulonia", "mallory_evans"] {
            assert!(!noted.contains(word), "{name} {arguments}: {noted}");
        }
    }
}

/// Text by others is data, and agents are told so however they read it.
#[test]
fn readers_of_others_memories_are_told_so() {
    let world = World::new();
    let capture = |content: &str, source: &str| {
        let given =
            json!({"action": "capture", "content": content, "namespace": "decisions", "source": source});
        world.data("memory", given)["id"].as_str().unwrap().to_owned()
    };
    let theirs = capture("The walrus deploys from the main branch", "https://example.com/walrus");
    capture("The walrus deploys from the main branch always", "https://example.com/walrus");
    let own = capture("The heron deploys by hand", "notes");
    let content = "{{#each memories}}<{{memory.content}}>{{/each}}";
    world.data("prompt", json!({"action": "save", "kind": "template", "name": "all", "content": content}));
    for (tool, arguments) in [
        ("memory", json!({"action": "recall", "query": "walrus deploys"})),
        ("memory", json!({"action": "list", "filter": "trust:untrusted"})),
        ("memory", json!({"action": "get", "id": theirs})),
        ("memory", json!({"action": "history", "id": theirs})),
        ("memory", json!({"action": "delete_all", "filter": "trust:untrusted"})),
        ("memory", json!({"action": "consolidate", "namespace": "decisions"})),
        ("memory", json!({"action": "export", "filter": "trust:untrusted"})),
        ("prompt", json!({"action": "render", "name": "all", "query": "walrus deploys"})),
        ("prompt", json!({"action": "render", "name": "all", "query": "walrus deploys", "format": "json"})),
        ("prompt", json!({"action": "render", "name": "all", "query": "walrus deploys", "format": "xml"})),
    ] {
        let text = world.call(tool, arguments.clone()).unwrap().text;
        assert!(text.contains("The walrus") && text.contains("untrusted"), "{arguments}: {text}");
    }
    for (tool, arguments) in [
        ("memory", json!({"action": "recall", "query": "heron hand"})),
        ("memory", json!({"action": "history", "id": own})),
        ("memory", json!({"action": "delete_all", "filter": "trust:agent"})),
        ("prompt", json!({"action": "render", "name": "all", "query": "heron hand"})),
    ] {
        let text = world.call(tool, arguments.clone()).unwrap().text;
        assert!(text.contains("The heron") && !text.contains("untrusted"), "{arguments}: {text}");
    }
}

/// In a fresh clone nobody has asked for anything yet, and a hook reads the database only.
#[test]
fn a_server_takes_in_the_shared_files_before_anybody_asks() {
    let world = World::new();
    let database = world.host.home.root().join("memory.db");
    let host: Arc<dyn system::Host> = world.host.clone();
    let first = || {
        let store = SqliteStore::open_read_only(&database).ok().flatten()?;
        let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: NOW };
        let listed = store.list(&selection, Page { offset: 0, limit: 5 }).ok()?;
        listed.memories.into_iter().next().map(|memory| memory.content)
    };
    let folder = world.host.root.join(".plimsoll/memories");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "---\nnamespace: decisions\n---\nInvoices are numbered by the billing service\n";
    std::fs::write(folder.join("a.md"), text).unwrap();
    assert!(first().is_none());
    (SYSTEM.background)(&host);
    let mut found = None;
    for _ in 0..200 {
        found = first();
        if found.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(found.as_deref(), Some("Invoices are numbered by the billing service"));
}

/// A link that isn't a replacement leaves both memories where they are.
#[test]
fn a_capture_says_what_it_contradicts_and_what_it_refines() {
    let world = World::new();
    let capture = |given: Value| {
        let mut all = json!({"action": "capture", "namespace": "decisions"});
        all.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
        world.data("memory", all)["id"].as_str().unwrap().to_owned()
    };
    let old = capture(json!({"content": "The queue is RabbitMQ"}));
    let other = capture(json!({"content": "Deploys happen on Thursdays"}));
    let new = capture(json!({
        "content": "The queue is NATS, deployed at noon", "conflicts": old, "refines": [other],
    }));
    for (id, kind) in [(&old, "conflicts"), (&other, "refines")] {
        let whole = world.data("memory", json!({"action": "get", "id": id}));
        assert_eq!(whole["status"], "active", "{whole}");
        assert!(whole["links"].to_string().contains(kind), "{whole}");
        assert!(whole["links"].to_string().contains(&new), "{whole}");
    }
    let missing =
        json!({"action": "capture", "namespace": "decisions", "content": "x y", "refines": "0123456789"});
    assert!(world.call("memory", missing).is_err());
}

/// Where a prompt is saved there are no values yet: `variables` says what its placeholders are.
#[test]
fn a_prompt_is_saved_with_the_descriptions_of_its_variables() {
    let world = World::new();
    world.data(
        "prompt",
        json!({"action": "save", "name": "ask", "content": "{{who}}, be {{tone}} {{times}} times {{how}}.",
            "variables": {"tone": {"default": "kind", "description": "manner"}, "times": {"default": 3}, "how": "at once"}}),
    );
    let run = json!({"action": "run", "name": "ask", "variables": {"who": "Ana"}});
    assert_eq!(world.call("prompt", run).unwrap().text, "Ana, be kind 3 times at once.");
    let saved = world.data("prompt", json!({"action": "get", "name": "ask"}));
    assert_eq!(saved["variables"][1]["description"], "manner", "{saved}");
    for variables in
        [json!({"other": {"default": "x"}}), json!({"who": ["x"]}), json!({"who": {"default": []}})]
    {
        let wrong = json!({"action": "save", "name": "ask", "content": "{{who}}", "variables": variables});
        assert!(world.call("prompt", wrong).is_err(), "{variables}");
    }
}

/// A category is a word or several, and never part of a filter.
#[test]
fn a_category_recalls_its_memories() {
    let world = World::new();
    let recalled = |category: &str| {
        let asked = json!({"action": "recall", "type": "convention", "category": category});
        world.data("memory", asked)["total"].as_u64().unwrap()
    };
    for category in ["errors", "error handling", "a \"quoted\" one", "back\\slash", "status:any"] {
        let given = json!({
            "action": "capture", "type": "convention", "category": category,
            "memory": format!("Convention of the category {category}"),
        });
        world.data("memory", given);
        assert_eq!(recalled(category), 1, "{category}");
    }
    assert_eq!(recalled(" "), 5);
    assert_eq!(recalled("errors status:any"), 0);
}

/// A replaced memory stays replaced, also through a chain of replacements.
#[test]
fn a_replaced_memory_does_not_return_beside_its_replacement() {
    let world = World::new();
    let capture = |content: &str, supersedes: &[&String]| {
        let given = json!({
            "action": "capture", "namespace": "decisions", "content": content, "supersedes": supersedes,
        });
        world.data("memory", given)["id"].as_str().unwrap().to_owned()
    };
    let first = capture("The queue is RabbitMQ", &[]);
    let second = capture("The queue is NATS", &[&first]);
    let third = capture("The queue is Kafka", &[&second]);
    let restored = |id: &String| {
        world.data("memory", json!({"action": "delete", "id": id}));
        world.data("memory", json!({"action": "restore", "id": id}))["status"].clone()
    };
    assert_eq!(restored(&first), "superseded");
    assert_eq!(restored(&second), "superseded");
    world.data("memory", json!({"action": "delete", "id": third}));
    // Nothing that is in use has replaced it.
    assert_eq!(restored(&first), "active");
}

/// Models fill in arguments that they don't mean, an action's own as well as another's.
#[test]
fn an_empty_text_counts_as_none() {
    let world = World::new();
    for (tool, arguments, names) in [
        (
            "memory",
            json!({"action": "capture", "content": "The gate opens at nine", "namespace": "decisions"}),
            vec!["domain", "ttl", "source", "author", "supersedes", "tags"],
        ),
        ("memory", json!({"action": "gc"}), vec!["branch", "older_than", "purge"]),
        (
            "memory",
            json!({"action": "consolidate", "namespace": "decisions"}),
            vec!["strategy", "similarity", "query"],
        ),
        (
            "memory",
            json!({"action": "recall", "query": "gate"}),
            vec!["mode", "detail", "filter", "min_score"],
        ),
        ("prompt", json!({"action": "save", "name": "a", "content": "x"}), vec!["domain", "format"]),
        ("prompt", json!({"action": "run", "name": "a"}), vec!["domain"]),
        ("graph", json!({"action": "entities"}), vec!["type", "entity_type"]),
        ("graph", json!({"action": "relationships"}), vec!["entity", "from", "to", "type"]),
        ("graph", json!({"action": "visualize"}), vec!["entity", "format"]),
        ("graph", json!({"action": "add_entity", "entity": "Ana", "type": "Person"}), vec!["name"]),
        ("graph", json!({"action": "add_entity", "entity": "Anna", "type": "Person"}), vec!["id"]),
        (
            "graph",
            json!({"action": "merge", "entities": ["Ana", "Anna"], "dry_run": true}),
            vec!["canonical_name"],
        ),
        ("graph", json!({"action": "extract", "content": "x"}), vec!["min_confidence", "store"]),
    ] {
        for name in names {
            for empty in ["", " "] {
                let mut given = arguments.clone();
                given[name] = empty.into();
                let reply = world.call(tool, given);
                assert!(reply.is_ok(), "{tool} {arguments} {name}: {reply:?}");
            }
        }
    }
    let id = world.data("memory", json!({"action": "recall", "query": "gate"}))["results"][0]["id"].clone();
    for given in [json!({"namespace": "", "ttl": ""}), json!({"memory_id": ""}), json!({"urn": " "})] {
        let mut update = json!({"action": "update", "id": id, "tags": ["gate"]});
        update.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
        assert!(world.call("memory", update).is_ok(), "{given}");
    }
}
