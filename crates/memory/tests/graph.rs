//! The graph: what rules see in a text, what is kept, and how recall uses it.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted};
use plimsoll_memory::actions::{
    ActionContext, EntityArgs, GraphArgs, RecallArgs, RelationArgs, Update, create_entity, create_relation,
    delete, delete_entity, delete_relation, extract_entities, get_entity, graph_stats, infer_relations,
    list_entities, list_relations, merge_entities, neighbors, path, recall_memories, restore, update,
    visualize,
};
use plimsoll_memory::graph::{EntityKind, RelationKind, extract};
use proptest::prelude::*;
use serde_json::{Value, json};

fn names(text: &str) -> Vec<(String, EntityKind)> {
    extract(text).entities.into_iter().map(|entity| (entity.name, entity.kind)).collect()
}

fn stated(text: &str) -> Vec<(String, RelationKind, String)> {
    let found = extract(text);
    let name = |at: usize| found.entities[at].name.clone();
    found.relations.iter().map(|one| (name(one.from), one.kind, name(one.to))).collect()
}

fn some(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn rules_see_people_organisations_technologies_concepts_and_files() {
    use EntityKind::{Concept, File, Organization, Person, Technology};
    for (text, expected) in [
        (
            "Alice from Anthropic uses Rust to build the Claude API.",
            vec![
                ("Alice", Person),
                ("Anthropic", Organization),
                ("Rust", Technology),
                ("Claude API", Technology),
            ],
        ),
        ("Use pg for storage, never mongo", vec![("PostgreSQL", Technology), ("MongoDB", Technology)]),
        ("See src/main.rs and docs/read-me.md.", vec![("src/main.rs", File), ("docs/read-me.md", File)]),
        ("Ask @ana-b about it", vec![("ana-b", Person)]),
        ("We rust in peace and go home; react quickly", vec![]),
        ("It uses what it has. Everything works.", vec![]),
        ("The PaymentGateway retries", vec![("PaymentGateway", Concept)]),
        ("Contracts are with Acme Labs since May", vec![("Acme Labs", Organization)]),
        ("We wrote it in C++ and C#", vec![("C++", Technology), ("C#", Technology)]),
        ("https://example.org/a.rs is a page", vec![]),
        ("", vec![]),
    ] {
        let expected: Vec<(String, EntityKind)> =
            expected.into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect();
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn rules_see_what_a_sentence_states() {
    use RelationKind::{ConflictsWith, Created, MentionedIn, PartOf, Supersedes, Uses, WorksAt};
    for (text, expected) in [
        (
            "Alice from Anthropic uses Rust to build the Claude API.",
            vec![("Alice", WorksAt, "Anthropic"), ("Alice", Uses, "Rust"), ("Alice", Created, "Claude API")],
        ),
        (
            "The Billing Server uses PostgreSQL, Redis and Kafka",
            vec![
                ("Billing Server", Uses, "PostgreSQL"),
                ("Billing Server", Uses, "Redis"),
                ("Billing Server", Uses, "Kafka"),
            ],
        ),
        ("PostgreSQL replaces MySQL", vec![("PostgreSQL", Supersedes, "MySQL")]),
        ("Use pnpm instead of npm", vec![("pnpm", Supersedes, "npm")]),
        ("webpack conflicts with Vite", vec![("webpack", ConflictsWith, "Vite")]),
        ("axum is part of Tokio", vec![("axum", PartOf, "Tokio")]),
        ("Redis is configured in deploy/redis.conf", vec![("Redis", MentionedIn, "deploy/redis.conf")]),
        ("Redis. Kafka.", vec![]),
    ] {
        let expected: Vec<(String, RelationKind, String)> =
            expected.into_iter().map(|(a, kind, b)| (a.to_owned(), kind, b.to_owned())).collect();
        assert_eq!(stated(text), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_can_be_searched(text in "(\\PC|Alice|from|uses|pg|src/a.rs|, |\\. |@x|中|🦀| ){0,60}") {
        let found = extract(&text);
        for relation in &found.relations {
            prop_assert!(relation.from < found.entities.len() && relation.to < found.entities.len());
            prop_assert!(relation.from != relation.to);
        }
        for entity in &found.entities {
            prop_assert!(!entity.name.trim().is_empty() && (0.0..=1.0).contains(&entity.confidence));
        }
    }
}

/// Row 12 of the promises: the entity filter goes through the graph.
#[test]
fn the_entity_filter_goes_through_the_graph() {
    let place = Place::new();
    let context = place.context();
    let pg = noted(&context, "pg runs on port 5433 here", "config");
    noted(&context, "Redis keeps the sessions", "config");
    let with = |filter: &str, entity: Option<&str>, query: Option<&str>| -> Vec<String> {
        let asked = RecallArgs {
            filter: Some(filter.into()),
            entity: entity.map(str::to_owned),
            query: query.map(str::to_owned),
            ..RecallArgs::default()
        };
        let found = recall_memories(&context, &asked).unwrap();
        found["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["id"].as_str().unwrap().to_owned())
            .collect()
    };
    for filter in [
        "entity:PostgreSQL",
        "entity:pg",
        "entity:entity_postgresql",
        "entity:\"postgresql\"",
        "-entity:redis",
    ] {
        assert_eq!(with(filter, None, None), std::slice::from_ref(&pg), "{filter}");
        assert_eq!(with(filter, None, Some("port sessions")), std::slice::from_ref(&pg), "{filter}");
    }
    assert_eq!(with("", Some("postgres"), None), std::slice::from_ref(&pg));
    assert!(with("entity:walrus", None, None).is_empty());
    assert_eq!(with("entity:pg,redis", None, None).len(), 2);
    assert!(with("entity:pg entity:redis", None, None).is_empty());
}

#[test]
fn a_question_about_postgresql_finds_what_was_written_about_pg() {
    let place = Place::new();
    let context = place.context();
    let pg = noted(&context, "pg needs a larger shared_buffers on the build machine", "config");
    noted(&context, "The build machine has 64 GB", "config");
    let first = |query: &str| {
        let asked = RecallArgs { query: Some(query.into()), ..RecallArgs::default() };
        let found = recall_memories(&context, &asked).unwrap();
        found["results"][0]["id"].as_str().map(str::to_owned)
    };
    assert_eq!(first("PostgreSQL settings"), Some(pg.clone()));
    // A name that somebody taught is used as well.
    let taught = EntityArgs {
        name: Some("Billing".into()),
        entity_type: Some("concept".into()),
        aliases: some(&["Abrechnung"]),
        ..EntityArgs::default()
    };
    create_entity(&context, &taught).unwrap();
    let bill = noted(&context, "Billing closes the month on the third day", "context");
    assert_eq!(first("Abrechnung"), Some(bill));
}

#[test]
fn what_a_memory_speaks_of_comes_changes_and_goes_with_it() {
    let place = Place::new();
    let context = place.context();
    let id = noted(&context, "Alice from Anthropic uses Rust", "context");
    let all = |context: &ActionContext| -> Vec<String> {
        let list: Value = list_entities(context, &EntityArgs::default()).unwrap();
        let mut names: Vec<String> = list["entities"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(all(&context), ["Alice", "Anthropic", "Rust"]);
    // Another project doesn't see any of these.
    assert!(all(&place.elsewhere()).is_empty());
    let around =
        neighbors(&context, &GraphArgs { entity: Some("alice".into()), ..GraphArgs::default() }).unwrap();
    assert_eq!((&around["total"], &around["memories"][0]["id"]), (&json!(2), &json!(id)));
    let change = Update { content: Some("Bob uses Kafka".into()), ..Default::default() };
    update(&context, &id, &change).unwrap();
    assert_eq!(all(&context), ["Bob", "Kafka"]);
    delete(&context, &id, true).unwrap();
    assert!(all(&context).is_empty());
}

#[test]
fn the_examples_of_the_specification() {
    let place = Place::new();
    let context = place.context();
    let given = EntityArgs {
        content: Some("Alice from Anthropic uses Rust to build the Claude API.".into()),
        store: true,
        min_confidence: Some(0.7),
        ..EntityArgs::default()
    };
    let found = extract_entities(&context, &given).unwrap();
    assert_eq!(found["entities"].as_array().unwrap().len(), 4);
    assert_eq!(found["relationships"].as_array().unwrap().len(), 3);
    noted(&context, "Alice wrote the schema for postgres", "progress");
    let given = RelationArgs {
        entity_ids: some(&["entity_alice", "entity_postgres"]),
        store: true,
        min_confidence: Some(0.5),
        ..RelationArgs::default()
    };
    let inferred = infer_relations(&context, &given).unwrap();
    assert_eq!(inferred["relationships"].as_array().unwrap().len(), 1, "{inferred}");
    let asked = GraphArgs { entity: Some("entity_postgres".into()), depth: Some(2), ..GraphArgs::default() };
    let around = neighbors(&context, &asked).unwrap();
    let ids: Vec<&str> =
        around["neighbors"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(ids[0] == "entity_alice" && ids.contains(&"entity_anthropic"), "{around}");
    let asked = GraphArgs {
        format: Some("mermaid".into()),
        entity_types: some(&["Person", "Technology"]),
        depth: Some(2),
        ..GraphArgs::default()
    };
    let drawn = visualize(&context, &asked).unwrap();
    let text = drawn["visualization"].as_str().unwrap();
    assert!(
        text.starts_with("graph LR\n") && text.contains("\"Alice\"") && !text.contains("Anthropic"),
        "{text}"
    );
}

#[test]
fn paths_statistics_and_drawings() {
    let place = Place::new();
    let context = place.context();
    for name in ["A1", "B1", "C1", "D1", "E\"1\"]"] {
        let given = EntityArgs {
            name: Some(name.into()),
            entity_type: Some("Concept".into()),
            ..EntityArgs::default()
        };
        create_entity(&context, &given).unwrap();
    }
    for (from, to) in [("A1", "B1"), ("C1", "B1"), ("C1", "E\"1\"]")] {
        let given = RelationArgs {
            from: Some(from.into()),
            to: Some(to.into()),
            relationship_type: Some("part_of".into()),
            ..RelationArgs::default()
        };
        create_relation(&context, &given).unwrap();
    }
    let way = |from: &str, to: &str, hops| {
        path(
            &context,
            &GraphArgs {
                from: Some(from.into()),
                to: Some(to.into()),
                max_hops: hops,
                ..GraphArgs::default()
            },
        )
    };
    let found = way("A1", "entity_c1", None).unwrap();
    let ids: Vec<&str> =
        found["path"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!((ids, &found["hops"]), (vec!["entity_a1", "entity_b1", "entity_c1"], &json!(2)));
    assert_eq!(way("A1", "C1", Some(1)).unwrap(), json!({"found": false, "hops": 0, "path": []}));
    assert_eq!(way("A1", "D1", None).unwrap()["found"], false);
    assert_eq!(way("A1", "A1", None).unwrap()["hops"], 0);
    assert_eq!(way("A1", "nobody", None).unwrap_err().number, -32604);
    assert!(way("A1", "C1", Some(99)).unwrap_err().message.contains("between 1 and 10"));
    let stats = graph_stats(&context).unwrap();
    assert_eq!((&stats["entity_count"], &stats["relationships_by_type"]["PartOf"]), (&json!(5), &json!(3)));
    for (format, words) in [("mermaid", "E#quot;1#quot;]"), ("dot", "E\\\"1\\\"]"), ("json", "\"nodes\"")] {
        let asked = GraphArgs { format: Some(format.into()), ..GraphArgs::default() };
        let drawn = visualize(&context, &asked).unwrap();
        assert!(drawn["visualization"].as_str().unwrap().contains(words), "{drawn}");
        assert_eq!((&drawn["nodes"], &drawn["edges"]), (&json!(5), &json!(3)));
    }
    let few = visualize(&context, &GraphArgs { limit: Some(2), ..GraphArgs::default() }).unwrap();
    assert_eq!((&few["nodes"], &few["total"]), (&json!(2), &json!(5)));
    let wrong = GraphArgs { format: Some("ascii".into()), ..GraphArgs::default() };
    assert!(visualize(&context, &wrong).unwrap_err().message.contains("mermaid, dot, json"));
    let deep = GraphArgs { entity: Some("A1".into()), depth: Some(9), ..GraphArgs::default() };
    assert!(neighbors(&context, &deep).unwrap_err().message.contains("between 1 and 3"));
}

#[test]
fn entities_and_relations_by_hand() {
    let place = Place::new();
    let context = place.context();
    let make = |name: &str, kind: &str| {
        let properties = json!({"team": "core"}).as_object().unwrap().clone();
        create_entity(
            &context,
            &EntityArgs {
                name: Some(name.into()),
                entity_type: Some(kind.into()),
                properties,
                ..EntityArgs::default()
            },
        )
    };
    assert_eq!(make("Ana", "Person").unwrap()["properties"]["team"], "core");
    make("Ana Silva", "Person").unwrap();
    make("Shop", "Concept").unwrap();
    assert!(make("Rex", "Animal").unwrap_err().message.contains("Person, Organization"));
    assert_eq!(make("???", "Person").unwrap_err().number, -32608);
    assert_eq!(make("", "Person").unwrap_err().number, -32602);
    let relate = |from: &str, to: &str| {
        let given = RelationArgs {
            from: Some(from.into()),
            to: Some(to.into()),
            relationship_type: Some("Created".into()),
            ..RelationArgs::default()
        };
        create_relation(&context, &given)
    };
    let first = relate("entity_ana_silva", "shop").unwrap();
    assert_eq!(relate("Ana Silva", "Shop").unwrap()["id"], first["id"]);
    assert!(relate("Shop", "shop").is_err() && relate("Shop", "Moon").is_err());
    // Merging looks first.
    let merge = |dry_run| {
        let entity_ids = some(&["Ana", "entity_ana_silva"]);
        merge_entities(
            &context,
            &EntityArgs {
                entity_ids,
                canonical_name: Some("Ana Silva".into()),
                dry_run,
                ..EntityArgs::default()
            },
        )
    };
    assert_eq!(merge(true).unwrap()["merged"], json!(["entity_ana", "entity_ana_silva"]));
    let get =
        |name: &str| get_entity(&context, &EntityArgs { id: Some(name.into()), ..EntityArgs::default() });
    assert!(get("entity_ana_silva").is_ok());
    merge(false).unwrap();
    let one = get("Ana").unwrap();
    assert_eq!(
        (&one["id"], &one["name"], &one["aliases"]),
        (&json!("entity_ana"), &json!("Ana Silva"), &json!(["Ana"]))
    );
    assert_eq!(one["relationships"][0]["to_entity"], "entity_shop");
    assert_eq!(get("ana silva").unwrap()["id"], "entity_ana");
    let listed =
        list_relations(&context, &RelationArgs { entity: Some("Shop".into()), ..RelationArgs::default() })
            .unwrap();
    let id = listed["relationships"][0]["id"].as_str().unwrap().to_owned();
    let of = RelationArgs { id: Some(id), ..RelationArgs::default() };
    assert_eq!(delete_relation(&context, &of).unwrap()["status"], "deleted");
    assert_eq!(delete_relation(&context, &of).unwrap_err().number, -32604);
    delete_entity(&context, &EntityArgs { id: Some("Ana".into()), ..EntityArgs::default() }).unwrap();
    assert_eq!(get("Ana Silva").unwrap_err().number, -32604);
}

#[test]
fn reading_an_empty_store_creates_nothing() {
    let place = Place::new();
    let context = place.context();
    assert_eq!(graph_stats(&context).unwrap()["entity_count"], 0);
    assert_eq!(list_entities(&context, &EntityArgs::default()).unwrap()["total"], 0);
    assert!(visualize(&context, &GraphArgs::default()).is_ok());
    assert!(!context.database.exists());
}

/// A relation goes with the last memory that states it, even if others mention both of its ends.
#[test]
fn relations_end_with_the_last_memory_that_states_them() {
    let place = Place::new();
    let context = place.context();
    let works = || {
        let asked = RelationArgs { relationship_type: Some("WorksAt".into()), ..RelationArgs::default() };
        list_relations(&context, &asked).unwrap()["total"].as_u64().unwrap()
    };
    noted(&context, "Alice Brown uses Rust. Contracts are with Acme Labs since May", "context");
    let first = noted(&context, "Alice Brown works at Acme Labs", "context");
    let second = noted(&context, "Today, Alice Brown works at Acme Labs", "context");
    delete(&context, &first, false).unwrap();
    assert_eq!(works(), 1);
    let change = Update { content: Some("Today, Alice Brown is away".into()), ..Update::default() };
    update(&context, &second, &change).unwrap();
    assert_eq!(works(), 0);
    restore(&context, &first).unwrap();
    assert_eq!(works(), 1);
    delete(&context, &first, true).unwrap();
    assert_eq!(works(), 0);
    assert!(list_entities(&context, &EntityArgs::default()).unwrap().to_string().contains("Acme Labs"));
}
