//! The row of memories as entry points use it: tools by every name, verbs, what doctor, purge and retention do, and what is on.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use std::path::Path;

use home::{Retention, Settings};
use plimsoll_memory::SYSTEM;
use serde_json::{Value, json};
use system::DataScope;
use world::{NOW, World};

const DAY: i64 = 86_400_000;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Row 4 of the promises: the specification's examples, word for word, give its shapes.
#[test]
fn the_specifications_examples_run_unchanged() {
    let world = World::new();
    let captured = world.data(
        "subcog_capture",
        json!({"namespace": "decisions", "content": "Use PostgreSQL for primary storage because of JSONB support",
            "tags": ["database", "architecture"], "source": "ARCHITECTURE.md"}),
    );
    assert_eq!(keys(&captured), ["id", "urn"]);
    let found = world.data(
        "subcog_recall",
        json!({"query": "database storage decision", "filter": "ns:decisions since:7d", "mode": "hybrid",
            "detail": "medium", "limit": 5}),
    );
    assert_eq!((keys(&found), &found["total"]), (vec!["results", "total"], &json!(1)));
    assert_eq!(keys(&found["results"][0]), ["id", "namespace", "tags", "content", "score", "uri"]);
    assert_eq!(keys(&world.data("subcog_status", json!({}))), ["repository", "storage", "statistics"]);
    assert_eq!(
        world.data("subcog_gc", json!({"dry_run": true})),
        json!({"stale_branches": [], "memories_affected": 0, "dry_run": true, "status": "preview"})
    );
    assert_eq!(
        keys(&world.data("subcog_namespaces", json!({}))["namespaces"][0]),
        ["name", "description", "signal_words"]
    );
    let consolidated = world
        .data("subcog_consolidate", json!({"namespace": "decisions", "strategy": "merge", "dry_run": true}));
    assert_eq!(keys(&consolidated), ["groups_found", "candidate_merges", "dry_run"]);
    let enriched = world.data(
        "subcog_enrich",
        json!({"memory_id": captured["id"], "enrich_tags": true, "enrich_structure": true, "add_context": true}),
    );
    assert_eq!(keys(&enriched), ["memory_id", "changes"]);
    assert_eq!(keys(&enriched["changes"]), ["tags_added", "structure_improved", "context_added"]);
    assert_eq!(world.data("subcog_sync", json!({"direction": "full"}))["status"], "deprecated");
    assert_eq!(keys(&world.data("subcog_reindex", json!({}))), ["indexed", "duration_ms", "status"]);
    world.data(
        "subcog_prompts",
        json!({"action": "save", "name": "code-review", "description": "Comprehensive code review",
            "content": "Review {{file}} for:\n- {{issue_type}} issues\n- Best practices", "domain": "project",
            "tags": ["review", "quality"]}),
    );
    let run = json!({"action": "run", "name": "code-review",
        "variables": {"file": "src/main.rs", "issue_type": "security"}});
    let run = world.call("subcog_prompts", run).unwrap();
    assert_eq!(run.text, "Review src/main.rs for:\n- security issues\n- Best practices");
    world.data(
        "subcog_templates",
        json!({"action": "save", "name": "search-results", "domain": "user", "description": "Format search results",
            "content": "# {{title}}\n\n{{#each memories}}\n- **{{memory.namespace}}**: {{memory.content}}\n{{/each}}"}),
    );
    let rendered = json!({"action": "render", "name": "search-results", "query": "authentication patterns",
        "limit": 10, "variables": { "title": "Auth Patterns" }});
    assert!(world.call("subcog_templates", rendered).unwrap().text.starts_with("# Auth Patterns"));
    world.data(
        "subcog_entities",
        json!({"action": "extract", "content": "Alice from Anthropic uses Rust to build the Claude API.",
            "store": true, "min_confidence": 0.7}),
    );
    world.data("subcog_graph", json!({"operation": "neighbors", "entity_id": "entity_postgres", "depth": 2}));
    let drawn = json!({"operation": "visualize", "format": "mermaid", "entity_types": ["Person", "Technology"], "depth": 2});
    assert!(world.call("subcog_graph", drawn).unwrap().text.starts_with("graph LR"));
    world.data(
        "subcog_relationships",
        json!({"action": "infer", "entity_ids": ["entity_alice", "entity_postgres"], "store": true, "min_confidence": 0.7}),
    );
    for (name, arguments) in [
        ("prompt_save", json!({"name": "hello", "content": "Hi {{who}}"})),
        ("prompt_list", json!({})),
        ("prompt_get", json!({"name": "hello"})),
        ("prompt_run", json!({"name": "hello", "variables": "{\"who\": \"Ana\"}"})),
        ("prompt_delete", json!({"name": "hello", "domain": "project"})),
    ] {
        world.call(name, arguments).unwrap();
    }
}

#[test]
fn ours_and_forgiving_arguments() {
    let world = World::new();
    let captured = world.data(
        "memory",
        json!({"action": "capture", "content": "Deploys run from main", "namespace": "patterns", "tags": "ci, deploy"}),
    );
    let id = captured["id"].as_str().unwrap();
    let whole = world.data("memory", json!({"action": "get", "id": id}));
    assert_eq!(
        (&whole["tags"], &whole["client"], &whole["trust"]),
        (&json!(["ci", "deploy"]), &json!("codex"), &json!("agent"))
    );
    let found =
        world.data("memory", json!({"action": "recall", "query": "deploys", "limit": "5", "offset": 0}));
    assert_eq!(found["total"], 1);
    world.data("memory", json!({"action": "update", "id": id, "content": "Deploys run from main at noon"}));
    assert_eq!(
        world.data("memory", json!({"action": "history", "id": id}))["history"].as_array().unwrap().len(),
        2
    );
    world.data("memory", json!({"action": "delete", "memory_id": id}));
    world.data("memory", json!({"action": "restore", "id": id}));
    for (name, arguments, words) in [
        ("memory", json!({}), "action is missing"),
        ("memory", json!({"action": "remember"}), "capture, recall"),
        ("memory", json!({"action": "recall", "colour": 1}), "colour"),
        ("memory", json!({"action": "get"}), "id is missing"),
        ("memory", json!({"action": "capture", "content": "x"}), "namespace is missing; allowed: decisions"),
        (
            "memory",
            json!({"action": "capture", "content": "x", "namespace": "decison"}),
            "decisions, patterns",
        ),
        ("memory", json!({"action": "recall", "mode": "vector"}), "-32606"),
        (
            "memory",
            json!({"action": "reindex", "repo_path": "/does/not/exist"}),
            "/does/not/exist isn't a folder",
        ),
        ("subcog_get", json!({"memory_id": "dc58d23a"}), "-32604"),
        ("prompt", json!({"action": "run", "name": "nobody"}), "-32607"),
        ("graph", json!({"action": "neighbors"}), "entity_id"),
        ("subcog_delete_all", json!({"filter": "ns:decison tag:x", "dry_run": false}), "character 4"),
    ] {
        let error = world.call(name, arguments.clone()).unwrap_err().to_string();
        assert!(error.contains(words), "{name} {arguments}: {error}");
    }
}

/// Row 27 of the promises: three tools, not thirty-nine, in less than a third of what ten may take; and what is listed where only
/// the usual tools are fits beside them.
#[test]
fn tool_descriptions_are_small_and_older_names_are_understood() {
    let mut bytes = 0;
    for tool in SYSTEM.tools {
        let written: Value = serde_json::from_str(tool.definition).unwrap();
        assert_eq!(written["name"], tool.name);
        bytes += written.to_string().len();
        for older in SYSTEM.legacy_tools.iter().filter(|older| older.tool == tool.name) {
            let unlisted: Value = serde_json::from_str(older.unlisted).unwrap_or_default();
            // An empty name stands for none of the tool's own.
            let named = older.arguments.iter().chain(older.required).filter(|argument| !argument.is_empty());
            for argument in named {
                let listed = &written["inputSchema"]["properties"];
                let known = [listed, &unlisted].iter().any(|all| all.get(*argument).is_some());
                assert!(known, "{} {argument}", older.name);
            }
        }
    }
    assert!(bytes <= 2_650, "{bytes}");
    let mut short: Value = serde_json::from_str(SYSTEM.tools[0].definition).unwrap();
    for (argument, other) in SYSTEM.tools[0].needs {
        assert!(SYSTEM.tools.iter().any(|tool| tool.name == *other));
        short["inputSchema"]["properties"].as_object_mut().unwrap().remove(*argument).unwrap();
    }
    assert!(short.to_string().len() <= 650, "{}", short.to_string().len());
    for older in SYSTEM.legacy_tools {
        for name in [older.name.to_owned(), format!("subcog_{}", older.name)] {
            assert_eq!(SYSTEM.tool(&name).unwrap().0.name, older.tool, "{name}");
        }
    }
}

/// The switch is for memories. A session gets back what was recorded about it whether it is on or off.
#[test]
fn it_is_on_until_somebody_switches_it_off() {
    static SYSTEMS: &[&system::System] = &[&SYSTEM];
    let on_events = |settings: &Settings| system::event_handlers(SYSTEMS, settings).count();
    let (on, off) = (World::new(), World::at(NOW, "[memory]\nenabled = false\n"));
    assert!(SYSTEM.is_on(&on.host.settings) && !SYSTEM.is_on(&off.host.settings));
    assert_eq!((on_events(&on.host.settings), on_events(&off.host.settings)), (2, 1));
}

#[test]
fn the_verbs_do_what_the_tools_do() {
    let world = World::new();
    let typed = |words: &[&str], named: Value| world.typed("memory", words, named).map(|reply| reply.data);
    let captured = typed(
        &["capture", "Deploys", "run", "from", "main"],
        json!({"--namespace": "patterns", "--tags": "ci,deploy"}),
    );
    let id = captured.unwrap()["id"].as_str().unwrap().to_owned();
    assert_eq!(typed(&["get", &id], json!({})).unwrap()["trust"], "user");
    assert_eq!(typed(&["recall", "deploys", "main"], json!({"--filter": "tag:ci"})).unwrap()["total"], 1);
    assert_eq!(typed(&["delete_all", "tag:ci"], json!({"--dry-run": true})).unwrap()["status"], "preview");
    assert_eq!(typed(&["delete_all", "tag:ci"], json!({})).unwrap()["memories_affected"], 1);
    assert_eq!(typed(&["gc"], json!({"--purge": true, "--older-than": "30d"})).unwrap()["purged"], 0);
    assert!(typed(&["get", &id, "more"], json!({})).unwrap_err().to_string().contains("too much"));
    let graph = |words: &[&str]| world.typed("graph", words, json!({})).unwrap().data;
    graph(&["extract", "Alice", "from", "Anthropic", "uses", "Rust"]);
    assert_eq!(graph(&["stats"])["entity_count"], 0);
    world.typed("graph", &["add_entity", "Alice"], json!({"--type": "Person"})).unwrap();
    world.typed("graph", &["add_entity", "Acme"], json!({"--type": "Organization"})).unwrap();
    world.typed("graph", &["relate", "Alice", "Acme"], json!({"--type": "WorksAt"})).unwrap();
    assert_eq!(graph(&["path", "Alice", "Acme"])["hops"], 1);
    assert_eq!(graph(&["neighbors", "Acme"])["total"], 1);
    world.typed("prompt", &["save", "hello", "Hi", "{{who}}"], json!({})).unwrap();
    let run = world.typed("prompt", &["run", "hello"], json!({"--variables": "{\"who\": \"Ana\"}"})).unwrap();
    assert_eq!(run.text, "Hi Ana");
}

#[test]
fn secrets_are_refused_where_the_setting_says_so() {
    let token = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let given = json!({"action": "capture", "content": format!("token {token}"), "namespace": "config"});
    assert_eq!(World::new().data("memory", given.clone())["redacted"], true);
    let strict = World::at(NOW, "[memory]\nsecrets = \"refuse\"\n");
    let error = strict.call("memory", given).unwrap_err().to_string();
    assert!(error.contains("-32605") && !error.contains(token), "{error}");
}

#[test]
fn doctor_purge_and_retention() {
    let world = World::new();
    let (home, host) = (&world.host.home, &*world.host);
    assert!((SYSTEM.check)(host)[0].detail.to_string().contains("nothing"));
    assert_eq!((SYSTEM.databases)(home)[0].path, home.root().join("memory.db"));
    let forget = SYSTEM.purge.unwrap();
    let count = |which: &DataScope| (forget.preview)(home, which).unwrap()[0].number;
    assert_eq!(count(&DataScope::All), 0);
    let capture = |content: &str, domain: &str| {
        let given =
            json!({"action": "capture", "content": content, "namespace": "context", "domain": domain});
        world.data("memory", given)["id"].as_str().unwrap().to_owned()
    };
    let (old, _, mine) = (capture("one", "project"), capture("two", "project"), capture("mine", "user"));
    assert!((SYSTEM.check)(host)[0].detail.to_string().contains("3 in use"));
    let project = DataScope::Project(world.host.root.clone());
    assert_eq!((count(&DataScope::All), count(&project)), (3, 2));
    assert_eq!(count(&DataScope::Project(Path::new("/elsewhere").into())), 0);
    assert_eq!(count(&DataScope::Session("person".into())), 3);
    // What was deleted long ago goes for good; nothing else does.
    world.data("memory", json!({"action": "delete", "id": old}));
    let retain = |now| (SYSTEM.retain)(home, &Retention::default(), now)[0].number;
    assert_eq!((retain(NOW + 29 * DAY), retain(NOW + 31 * DAY), retain(NOW + 400 * DAY)), (0, 1, 0));
    // What expired goes as late after its end.
    world.data(
        "memory",
        json!({"action": "capture", "content": "for a day", "namespace": "context", "ttl": "1d"}),
    );
    assert_eq!((retain(NOW + 30 * DAY), retain(NOW + 32 * DAY), retain(NOW + 400 * DAY)), (0, 1, 0));
    assert_eq!((forget.delete)(home, &project).unwrap()[0].number, 1);
    assert!(world.call("memory", json!({"action": "get", "id": mine})).is_ok());
    assert_eq!((forget.delete)(home, &DataScope::All).unwrap()[0].number, 1);
    assert_eq!(count(&DataScope::All), 0);
}

/// A file in the repository brings back neither what was deleted long ago nor what expired.
#[test]
fn a_file_does_not_restore_memories_expired_by_age() {
    let mut world = World::new();
    let capture = |world: &World, content: &str, ttl: Option<&str>| {
        let given = json!({"action": "capture", "content": content, "namespace": "context", "ttl": ttl});
        let id = world.data("memory", given)["id"].as_str().unwrap().to_owned();
        world.data("memory", json!({"action": "share", "id": id}));
        id
    };
    let deleted = capture(&world, "The walrus signs releases", None);
    world.data("memory", json!({"action": "delete", "id": deleted}));
    capture(&world, "The walrus sleeps today", Some("1d"));
    // Somebody else's, deleted here.
    let folder = world.host.root.join(".plimsoll/memories");
    std::fs::write(folder.join("theirs.md"), "---\nnamespace: context\n---\nThe walrus swims at noon\n")
        .unwrap();
    let found = |world: &World| {
        // Says what is shared, so it reads the files.
        world.typed("memory", &["status"], json!({})).unwrap();
        world.data("memory", json!({"action": "recall", "query": "walrus"}))["results"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(found(&world), 2);
    let theirs = world.data("memory", json!({"action": "recall", "query": "walrus swims noon"}));
    world.data("memory", json!({"action": "delete", "id": theirs["results"][0]["id"]}));
    assert_eq!((SYSTEM.retain)(&world.host.home, &Retention::default(), NOW + 40 * DAY)[0].number, 2);
    std::sync::Arc::get_mut(&mut world.host).unwrap().now_ms += 40 * DAY;
    assert_eq!(found(&world), 0);
}

/// Row 7 of the promises: a namespace has a lifetime of its own where the user set one, and nothing else expires by its
/// age.
#[test]
fn memories_older_than_their_namespaces_limit_expire_and_can_be_restored() {
    let world = World::at(NOW, "[memory]\nkeep = \"progress=90d\"\n");
    let capture = |namespace: &str| {
        let given =
            json!({"action": "capture", "content": format!("about {namespace}"), "namespace": namespace});
        world.data("memory", given)["id"].as_str().unwrap().to_owned()
    };
    let (progress, decision) = (capture("progress"), capture("decisions"));
    let retain = |now| (SYSTEM.retain)(&world.host.home, &Retention::default(), now)[0].number;
    assert_eq!((retain(NOW + 89 * DAY), retain(NOW + 91 * DAY), retain(NOW + 92 * DAY)), (0, 1, 0));
    let as_user = |words: &[&str]| world.typed("memory", words, json!({})).unwrap().data;
    let status = |id: &str| as_user(&["get", id])["status"].as_str().unwrap().to_owned();
    assert_eq!((status(&progress), status(&decision)), ("tombstoned".into(), "active".into()));
    as_user(&["restore", &progress]);
    assert_eq!(status(&progress), "active");
    // A setting that can't be read deletes nothing, and doctor says so.
    let wrong = World::at(NOW, "[memory]\nkeep = \"everything=1d\"\n");
    wrong.data("memory", json!({"action": "capture", "content": "x", "namespace": "progress"}));
    assert_eq!((SYSTEM.retain)(&wrong.host.home, &Retention::default(), NOW + 900 * DAY)[0].number, 0);
    let noted = (SYSTEM.check)(&*wrong.host)[0].detail.to_string();
    assert!(noted.contains("memory.keep") && noted.contains("everything"), "{noted}");
}

/// What the specification of the codebase remembers is in the one store, by its own names.
#[test]
fn conventions_decisions_gotchas_and_failures_are_memories() {
    let world = World::new();
    for (kind, text, namespace) in [
        ("convention", "Errors are typed", "patterns"),
        ("decision", "SQLite keeps the index", "decisions"),
        ("gotcha", "The clock ticks in whole seconds there", "learnings"),
        ("failure", "The watcher ran out of handles", "blockers"),
    ] {
        let asked = json!({"type": kind, "category": "tooling", "memory": text, "reason": "so it is"});
        world.data("remember", asked);
        let found = world.data("get_memory", json!({"type": kind, "category": "tooling", "limit": 5}));
        assert_eq!(found["total"], 1, "{found}");
        assert_eq!(found["results"][0]["namespace"], namespace, "{found}");
        assert!(found["results"][0].to_string().contains(text), "{found}");
    }
    assert_eq!(world.data("get_memory", json!({"query": "watcher handles", "type": "failure"}))["total"], 1);
    // What isn't of the code isn't among them.
    world.data("capture", json!({"namespace": "config", "content": "Ports begin at 7000"}));
    assert_eq!(world.data("get_memory", json!({}))["total"], 4);
    let refused = |given: Value| world.call("remember", given).err().unwrap().to_string();
    assert!(refused(json!({"type": "wish", "memory": "x"})).contains("allowed: convention"));
    assert!(refused(json!({"memory": "x"})).contains("type is missing; allowed: convention, decision"));
    assert!(refused(json!({"type": "decision"})).contains("memory is missing"));
}

/// Conventions stay, decisions and what went wrong lose half of their weight in half a year and in a quarter.
#[test]
fn what_is_old_says_so_in_the_words_of_the_specification_and_in_any_recall() {
    let mut world = World::new();
    for (kind, text) in [
        ("convention", "Errors are typed"),
        ("decision", "SQLite keeps the index"),
        ("gotcha", "The clock ticks in whole seconds there"),
        ("failure", "The watcher ran out of handles"),
    ] {
        world.data(
            "remember",
            json!({"type": kind, "category": "tooling", "memory": text, "reason": "so it is"}),
        );
    }
    let ages = |world: &World| -> Vec<(String, f64, bool)> {
        let found = world.data("get_memory", json!({}));
        let one = |one: &Value| {
            let of = |key: &str| one[key].clone();
            (
                of("namespace").as_str().unwrap().to_owned(),
                of("effectiveConfidence").as_f64().unwrap(),
                of("stale").as_bool().unwrap(),
            )
        };
        let mut all: Vec<_> = found["results"].as_array().unwrap().iter().map(one).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    assert!(ages(&world).iter().all(|(_, left, stale)| (*left - 1.0).abs() < 1e-9 && !stale));
    let fresh = world.data("memory", json!({"action": "recall", "query": "SQLite index"}));
    assert!(fresh["results"][0].get("stale").is_none() && fresh.get("staleCount").is_none(), "{fresh}");
    std::sync::Arc::get_mut(&mut world.host).unwrap().now_ms += 180 * DAY;
    let of = |name: &str, left: f64, stale: bool| (name.to_owned(), left, stale);
    assert_eq!(
        ages(&world),
        [
            of("blockers", 0.25, true),
            of("decisions", 0.5, false),
            of("learnings", 0.25, true),
            of("patterns", 1.0, false)
        ]
    );
    std::sync::Arc::get_mut(&mut world.host).unwrap().now_ms += 180 * DAY;
    let old = world.data("memory", json!({"action": "recall", "query": "SQLite index, clock, watcher"}));
    assert_eq!((&old["results"][0]["stale"], &old["staleCount"]), (&json!(true), &json!(3)), "{old}");
}
