//! Memories and the graph: read, written, edited and forgotten, and how often they were given.

use contract::ErrorCode;
use plimsoll_memory::daily_figures;
use serde_json::{Value, json};

use crate::{NOW, World};

#[test]
fn reading_an_empty_store_shows_nothing_and_creates_no_database() {
    let world = World::new();
    assert_eq!(world.titles(json!({})), Vec::<String>::new());
    let status = world.done("memory_status", json!({"project": world.key}));
    assert_eq!((&status["total"], status["known"].as_array().unwrap().len()), (&json!(0), 12));
    let projects = world.done("memory_projects", json!({}));
    assert_eq!((&projects["rows"][0]["name"], &projects["rows"][0]["memories"]), (&json!("shop"), &json!(0)));
    assert_eq!(world.done("memory_graph", json!({"project": "*"}))["total"], 0);
    assert_eq!(world.done("memory_prompts", json!({"project": world.key}))["rows"], json!([]));
    assert_eq!(world.ask("memory", json!({"id": "abc"})).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(std::fs::read_dir(world.host.home.root()).unwrap().count(), 0);
}

#[test]
fn what_is_written_is_found_from_its_project_and_everywhere_and_from_no_other() {
    let world = World::new();
    let id =
        world.write("Sessions stay in PostgreSQL\n\nRedis is one more thing to run.", "decisions", "project");
    world.write("Answer in short sentences", "patterns", "user");
    assert_eq!(world.titles(json!({"text": "redis ns:decisions"})), ["Sessions stay in PostgreSQL"]);
    assert_eq!(world.titles(json!({"text": "redis", "scope": "user"})), Vec::<String>::new());
    assert_eq!(world.titles(json!({"agent": "you"})).len(), 2);
    assert_eq!(world.titles(json!({"project": "*"})).len(), 2);
    for elsewhere in ["", "github.com/acme/app"] {
        assert_eq!(world.titles(json!({"project": elsewhere})), ["Answer in short sentences"]);
    }
    let error = world.ask("memories", json!({"project": "", "text": "ns:nonsense"})).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(!error.message.text().contains("-326"), "{error}");

    let view = world.done("memory", json!({"id": id}));
    assert_eq!(view["body"], "Redis is one more thing to run.");
    assert_eq!((&view["project_name"], &view["row"]["trust"]), (&json!("shop"), &json!("user")));
    assert_eq!((&view["history"][0]["what"], &view["given"]), (&json!("captured"), &json!([])));
    let about: Vec<&str> =
        view["about"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(about.contains(&"PostgreSQL") && about.contains(&"Redis"), "{about:?}");
}

#[test]
fn an_edit_needs_the_version_it_saw_and_forgetting_can_be_undone() {
    let world = World::new();
    let id = world.write("Use tabs", "patterns", "project");
    let change = |version: u32, content: &str| {
        world.ask(
            "memory_update",
            json!({"id": id, "version": version, "content": content, "namespace": "patterns", "tags": ["style"]}),
        )
    };
    change(1, "Use spaces").unwrap();
    let error = change(1, "Use neither").unwrap_err();
    assert!(error.message.text().contains("was changed meanwhile"), "{error}");
    let view = world.done("memory", json!({"id": id}));
    assert_eq!((&view["content"], &view["tags"]), (&json!("Use spaces"), &json!(["style"])));
    // Saving the same again is neither a change nor an error.
    world.done("memory_update", json!({"id": id, "version": view["version"], "content": "Use spaces", "namespace": "patterns", "tags": ["style"]}));

    world.done("memory_forget", json!({"id": id}));
    assert_eq!(world.titles(json!({})), Vec::<String>::new());
    assert_eq!(world.titles(json!({"status": "tombstoned"})), ["Use spaces"]);
    world.done("memory_restore", json!({"id": id, "status": "archived"}));
    assert_eq!(world.titles(json!({"status": "archived"})), ["Use spaces"]);
    assert!(world.ask("memory_restore", json!({"id": id, "status": "lost"})).is_err());
}

#[test]
fn what_waits_is_kept_or_dropped_once_and_a_drop_waits_again_when_it_is_taken_back() {
    let world = World::new();
    let (kept, dropped) =
        (world.write("Keep me", "context", "project"), world.write("Drop me", "context", "project"));
    for id in [&kept, &dropped] {
        world.done("memory_restore", json!({"id": id, "status": "pending"}));
    }
    assert_eq!(world.done("memory_status", json!({"project": world.key}))["pending"], 2);
    assert_eq!(world.titles(json!({})), Vec::<String>::new(), "nothing that waits is in the list");
    world.done("memory_review", json!({"id": kept, "keep": true}));
    world.done("memory_review", json!({"id": dropped, "keep": false}));
    assert_eq!(world.titles(json!({})), ["Keep me"]);
    let error = world.ask("memory_review", json!({"id": kept, "keep": false})).unwrap_err();
    assert!(error.message.text().contains("no longer waits"), "{error}");
    world.done("memory_restore", json!({"id": dropped, "status": "pending"}));
    assert_eq!(world.titles(json!({"status": "pending"})), ["Drop me"]);
}

#[test]
fn the_graph_is_looked_at_around_an_entity_or_as_a_whole_and_two_become_one() {
    let world = World::new();
    world.write("SessionStore uses PostgreSQL", "context", "project");
    world.write("Stripe is called by PaymentQueue; PaymentQueue uses Stripe", "context", "project");
    let project = &world.key;
    let all = world.done("memory_graph", json!({"project": project}));
    let count = all["nodes"].as_array().unwrap().len();
    assert!(count >= 4 && all["total"] == count, "{all}");
    assert_eq!(
        world.done("memory_graph", json!({"project": project, "limit": 2}))["nodes"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let kinds = world.done("memory_graph", json!({"project": project, "kinds": ["Technology"]}));
    assert!(kinds["nodes"].as_array().unwrap().iter().all(|node| node["kind"] == "Technology"), "{kinds}");
    let around =
        world.done("memory_graph", json!({"project": project, "around": "entity_postgresql", "depth": 2}));
    assert_eq!(
        (&around["nodes"][0]["name"], &around["nodes"][1]["depth"]),
        (&json!("PostgreSQL"), &json!(1))
    );
    assert_eq!(around["edges"][0]["kind"], "Uses");
    let text = world
        .done("memory_graph_text", json!({"project": project, "around": "entity_postgresql", "depth": 1}));
    assert!(text["text"].as_str().unwrap().starts_with("graph LR"), "{text}");
    let gone = world.ask("memory_graph", json!({"project": project, "around": "entity_x"})).unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);

    let ends =
        json!({"project": project, "keep": "entity_stripe", "other": "entity_paymentqueue", "preview": true});
    assert_eq!(world.done("memory_merge", ends.clone())["name"], "Stripe");
    assert_eq!(
        world.done("memory_graph", json!({"project": project}))["total"],
        count,
        "a preview changes nothing"
    );
    let mut ends = ends;
    ends["preview"] = false.into();
    world.done("memory_merge", ends);
    let entity = world.done("memory_entity", json!({"project": project, "id": "entity_stripe"}));
    assert!(entity["aliases"].as_array().unwrap().contains(&json!("PaymentQueue")), "{entity}");
    assert_eq!(entity["memories"].as_array().unwrap().len(), 1);
}

#[test]
fn given_memories_are_listed_and_counted_for_the_day() {
    let world = World::new();
    let id = world.write("Never retry on card_declined", "learnings", "project");
    let line = |at: i64, asked: Value| {
        format!(
            "{}\n",
            json!({"at_ms": at, "agent": "codex", "session": "s", "project": "/w", "asked": asked, "memories": [[id, 120]], "bytes": 200})
        )
    };
    let text = line(NOW - 90_000_000, json!(null))
        + "no line\n"
        + &line(NOW - 1_000, json!("why was the card declined?"));
    std::fs::write(world.host.home.root().join("memory.given"), text).unwrap();
    let view = world.done("memory", json!({"id": id}));
    assert_eq!(view["given_times"], 2);
    assert_eq!(
        (&view["given"][0]["because"], &view["given"][1]["because"]),
        (&json!("prompt"), &json!("start"))
    );
    assert_eq!(
        (&view["given"][0]["asked"], &view["given"][0]["bytes"]),
        (&json!("why was the card declined?"), &json!(120))
    );
    let day = daily_figures(&world.host.home, NOW - 3_600_000, NOW);
    assert_eq!((day.total, day.given, day.times, day.bytes, day.server), (1, 1, 1, 200, false));
}
