//! The specification's examples of memory, sent to the server as written there, with their names: each answer has the documented
//! shape.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use plimsoll_tests::{Scratch, Server};
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn git(scratch: &Scratch, arguments: &[&str]) {
    let mut command: Command = scratch.command("git");
    let done = command
        .args(["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "git {arguments:?}: {done:?}");
}

/// The text of an answer that isn't an error.
fn printed(server: &mut Server, tool: &str, arguments: &Value) -> String {
    let printed = server.call(tool, arguments.clone()).unwrap();
    assert!(!printed.failed, "{tool} {arguments}: {}", printed.text);
    printed.text
}

/// The same as JSON.
fn data(server: &mut Server, tool: &str, arguments: &Value) -> Value {
    let text = printed(server, tool, arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{tool}: {error}: {text}"))
}

#[test]
fn every_example_gives_its_shape() {
    let scratch = Scratch::new().unwrap();
    git(&scratch, &["remote", "add", "origin", "https://token@github.com/zircote/subcog.git"]);
    let mut server = Server::start(&scratch).unwrap();
    let server = &mut server;

    let captured = data(
        server,
        "subcog_capture",
        &json!({"namespace": "decisions", "content": "Use PostgreSQL for primary storage because of JSONB support",
            "tags": ["database", "architecture"], "source": "ARCHITECTURE.md"}),
    );
    assert_eq!(keys(&captured), ["id", "urn"]);
    let id = captured["id"].as_str().unwrap().to_owned();
    assert!(captured["urn"].as_str().unwrap().ends_with(&format!("project/decisions/{id}")));

    let asked = json!({"query": "database storage decision", "filter": "ns:decisions since:7d", "mode": "hybrid",
        "detail": "medium", "limit": 5});
    let found = data(server, "subcog_recall", &asked);
    assert_eq!((keys(&found), &found["total"]), (vec!["results", "total"], &json!(1)));
    let hit = &found["results"][0];
    assert_eq!(keys(hit), ["id", "namespace", "tags", "content", "score", "uri"]);
    assert_eq!((&hit["id"], &hit["tags"]), (&json!(id), &json!(["database", "architecture"])));
    assert!(hit["score"].as_f64().is_some_and(|score| (0.0..=1.0).contains(&score)), "{hit}");
    // Without a query it is a list.
    assert_eq!(data(server, "subcog_recall", &json!({}))["total"], 1);

    let status = data(server, "subcog_status", &json!({}));
    assert_eq!(keys(&status), ["repository", "storage", "statistics"]);
    assert_eq!(keys(&status["repository"]), ["path", "project_id", "branch"]);
    assert_eq!(status["repository"]["project_id"], "github.com/zircote/subcog");
    assert_eq!(keys(&status["storage"]), ["persistence", "index", "vector"]);
    let statistics = &status["statistics"];
    // There is more than is shown there.
    assert_eq!(&keys(statistics)[..4], ["total_count", "namespace_counts", "recent_topics", "top_tags"]);
    assert_eq!(statistics["namespace_counts"], json!({"decisions": 1}));
    assert_eq!(keys(&statistics["top_tags"][0]), ["tag", "count"]);

    assert_eq!(
        data(server, "subcog_gc", &json!({"dry_run": true})),
        json!({"stale_branches": [], "memories_affected": 0, "dry_run": true, "status": "preview"})
    );
    let spaces = data(server, "subcog_namespaces", &json!({}));
    assert_eq!(keys(&spaces["namespaces"][0]), ["name", "description", "signal_words"]);
    for name in
        "decisions patterns learnings context tech-debt blockers progress apis config security testing"
            .split(' ')
    {
        assert!(spaces["namespaces"].as_array().unwrap().iter().any(|one| one["name"] == name), "{name}");
    }

    let near = json!({"namespace": "decisions", "content": "Use PostgreSQL for the primary storage because of its JSONB support"});
    data(server, "subcog_capture", &near);
    let merging = json!({"namespace": "decisions", "strategy": "merge", "dry_run": true});
    let merging = data(server, "subcog_consolidate", &merging);
    assert_eq!(
        (keys(&merging), &merging["dry_run"]),
        (vec!["groups_found", "candidate_merges", "dry_run"], &json!(true))
    );
    assert_eq!(merging["groups_found"], 1);
    let candidate = &merging["candidate_merges"][0];
    assert_eq!(keys(candidate), ["memories", "similarity", "proposed_content"]);

    let enriching =
        json!({"memory_id": id, "enrich_tags": true, "enrich_structure": true, "add_context": true});
    let enriched = data(server, "subcog_enrich", &enriching);
    assert_eq!(keys(&enriched), ["memory_id", "changes"]);
    assert_eq!(keys(&enriched["changes"]), ["tags_added", "structure_improved", "context_added"]);
    assert_eq!(keys(&data(server, "subcog_sync", &json!({"direction": "full"}))), ["message", "status"]);
    let again = data(server, "subcog_reindex", &json!({}));
    assert_eq!((keys(&again), &again["indexed"]), (vec!["indexed", "duration_ms", "status"], &json!(2)));
}

#[test]
fn prompts_templates_and_the_graph_take_their_examples() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    let server = &mut server;
    data(
        server,
        "subcog_prompts",
        &json!({"action": "save", "name": "code-review", "description": "Comprehensive code review",
            "content": "Review {{file}} for:\n- {{issue_type}} issues\n- Best practices", "domain": "project",
            "tags": ["review", "quality"]}),
    );
    let run = json!({"action": "run", "name": "code-review",
        "variables": {"file": "src/main.rs", "issue_type": "security"}});
    let run = printed(server, "subcog_prompts", &run);
    assert!(run.contains("Review src/main.rs for:") && run.contains("- security issues"), "{run}");
    data(
        server,
        "subcog_templates",
        &json!({"action": "save", "name": "search-results", "description": "Format search results for display",
            "content": "# {{title}}\n\n{{#each memories}}\n- **{{memory.namespace}}**: {{memory.content}}\n{{/each}}",
            "domain": "user"}),
    );
    // The later examples ask for what this one speaks of.
    let spoken_of = json!({"namespace": "decisions", "content": "Use PostgreSQL for primary storage because of JSONB support"});
    data(server, "subcog_capture", &spoken_of);
    let known =
        json!({"namespace": "patterns", "content": "Authentication patterns: tokens live for an hour"});
    data(server, "subcog_capture", &known);
    let rendered = json!({"action": "render", "name": "search-results", "query": "authentication patterns",
        "limit": 10, "variables": {"title": "Auth Patterns"}});
    let rendered = printed(server, "subcog_templates", &rendered);
    assert!(
        rendered.contains("# Auth Patterns") && rendered.contains("- **patterns**: Authentication"),
        "{rendered}"
    );

    let text = json!({"action": "extract", "content": "Alice from Anthropic uses Rust to build the Claude API.",
        "store": true, "min_confidence": 0.7});
    let extracted = data(server, "subcog_entities", &text).to_string();
    assert!(extracted.contains("Alice") && extracted.contains("Rust"), "{extracted}");
    let around = json!({"operation": "neighbors", "entity_id": "entity_alice", "depth": 2});
    assert!(printed(server, "subcog_graph", &around).contains("Rust"));
    let drawn = json!({"operation": "visualize", "format": "mermaid", "entity_types": ["Person", "Technology"], "depth": 2});
    let drawn = printed(server, "subcog_graph", &drawn);
    assert!(drawn.contains("graph LR") && drawn.contains("Alice"), "{drawn}");
    let inferred = json!({"action": "infer", "entity_ids": ["entity_alice", "entity_postgres"], "store": true,
        "min_confidence": 0.7});
    data(server, "subcog_relationships", &inferred);
    for (name, arguments) in [
        ("prompt_save", json!({"name": "hello", "content": "Hi {{who}}"})),
        ("prompt_list", json!({})),
        ("prompt_get", json!({"name": "hello"})),
        ("prompt_run", json!({"name": "hello", "variables": {"who": "Ana"}})),
        ("prompt_delete", json!({"name": "hello", "domain": "project"})),
    ] {
        printed(server, name, &arguments);
    }
    // Errors have the numbers of its table.
    for (name, arguments, number) in [
        ("subcog_get", json!({"memory_id": "dc58d23a"}), "-32604"),
        ("subcog_prompts", json!({"action": "run", "name": "nobody"}), "-32607"),
        ("subcog_recall", json!({"query": "x", "mode": "vector"}), "-32606"),
        ("subcog_capture", json!({"namespace": "decisions", "content": " "}), "-32608"),
    ] {
        let answer = server.call(name, arguments.clone()).unwrap();
        assert!(answer.failed && answer.text.contains(number), "{name} {arguments}: {}", answer.text);
    }
}

#[test]
fn a_deleted_branchs_memories_are_collected_by_the_server_and_the_command() {
    let scratch = Scratch::new().unwrap();
    git(&scratch, &["add", "."]);
    git(&scratch, &["commit", "-qm", "first"]);
    for (n, branch) in ["feature/old-auth", "bugfix/issue-42"].into_iter().enumerate() {
        git(&scratch, &["checkout", "-qb", branch]);
        let mut server = Server::start(&scratch).unwrap();
        let content = format!("Only on {branch} the gate opens at {n}");
        data(&mut server, "subcog_capture", &json!({"namespace": "context", "content": content}));
        git(&scratch, &["checkout", "-q", "-"]);
        let preview = data(&mut server, "subcog_gc", &json!({"dry_run": true}));
        assert_eq!(preview["memories_affected"], 0, "the branch is there: {preview}");
        git(&scratch, &["branch", "-qD", branch]);
        let preview = data(&mut server, "subcog_gc", &json!({"dry_run": true}));
        assert_eq!(
            preview,
            json!({"stale_branches": [branch], "memories_affected": 1, "dry_run": true, "status": "preview"})
        );
        let collected = if n == 0 {
            data(&mut server, "subcog_gc", &json!({}))
        } else {
            serde_json::from_str(&scratch.plimsoll(&["memory", "gc", "--json"]).unwrap()).unwrap()
        };
        assert_eq!(
            (&collected["memories_affected"], &collected["status"]),
            (&json!(1), &json!("done")),
            "{collected}"
        );
        assert_eq!(data(&mut server, "subcog_recall", &json!({"query": "gate opens"}))["total"], 0);
    }
    let purged = scratch.plimsoll(&["memory", "gc", "--purge", "--json"]).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&purged).unwrap()["purged"], 2);
}
