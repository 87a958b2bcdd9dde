//! Importing what other memory tools keep, in the forms that they really have: claude-mem's database, basic-memory's
//! notes, an older product's lines, Plimsoll's own table, agents' own folders; and finding all that on a computer.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use home::{Env, Project};
use place::{Place, noted};
use plimsoll_memory::actions::{
    ActionContext, EntityArgs, GraphArgs, Import, SourceKind, decide_review, export, find_import_sources,
    get, import, list_entities, neighbors, recall_memories, review,
};
use plimsoll_memory::store::Actor;
use serde_json::{Value, json};

fn user(place: &Place) -> ActionContext {
    let context = place.context();
    ActionContext { who: Actor::local_user(context.who.at_ms), ..context }
}

fn take(context: &ActionContext, path: std::path::PathBuf) -> Value {
    import(context, &Import { path, ..Import::default() }).unwrap_or_else(|failure| panic!("{failure}"))
}

fn waiting(context: &ActionContext) -> Vec<Value> {
    review(context, Some(100), None).unwrap()["pending"].as_array().unwrap().clone()
}

/// The tables as claude-mem 9 to 13 leave them; `text` is what the first versions had.
const CLAUDE_MEM: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
        memory_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL,
        started_at_epoch INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'active');
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
        text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
        files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, content_hash TEXT);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
        request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT,
        notes TEXT, prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_modified,
        created_at, created_at_epoch) VALUES
        ('m1', 'shop', 'decision', 'Stripe webhooks are verified', 'x', '[\"The secret is read from the keyring\"]',
         'Signatures are checked before parsing.', '[\"why-it-exists\"]', '[\"src/hooks.rs\"]', '2026-03-01T10:00:00Z', 1772359200000),
        ('m1', 'shop', 'bugfix', 'Totals were rounded twice', NULL, 'not json', NULL, NULL, '[\"/a\",\"/b\"]',
         '2026-03-02T10:00:00Z', 1772445600000),
        ('m2', 'other', 'decision', 'Nobody else may see this', NULL, '[]', 'Secret of another project.', '[]', '[]',
         '2026-03-02T10:00:00Z', 1772445600000);
    INSERT INTO observations (memory_session_id, project, text, type, created_at, created_at_epoch) VALUES
        ('m0', 'shop', 'Old ones have only a text', 'discovery', '2025-10-01T10:00:00Z', 1759312800000),
        ('m0', 'shop', '', 'change', '2025-10-01T10:00:00Z', 1759312800000);
    INSERT INTO session_summaries (memory_session_id, project, request, learned, completed, next_steps, created_at,
        created_at_epoch) VALUES
        ('m1', 'shop', 'Verify webhooks', 'Stripe retries for three days', 'Verification is in', NULL, '2026-03-02', 1772445600000),
        ('m3', 'shop', 'Nothing came of it', NULL, '', NULL, '2026-03-02', 1772445600000);
";

#[test]
fn claude_mems_database_waits_for_a_review_and_only_this_projects() {
    let place = Place::new();
    let context = user(&place);
    let file = place.path("claude-mem.db");
    // Its worker runs: what is new is in the log beside the file, and nothing may be touched.
    let db = rusqlite::Connection::open(&file).unwrap();
    db.execute_batch(CLAUDE_MEM).unwrap();
    let names = || {
        let mut all: Vec<_> =
            std::fs::read_dir(place.path("")).unwrap().map(|one| one.unwrap().file_name()).collect();
        all.sort();
        all
    };
    let (before, bytes) = (names(), std::fs::read(&file).unwrap());
    let preview = Import { path: file.clone(), dry_run: true, ..Import::default() };
    let preview = import(&context, &preview).unwrap();
    assert_eq!(
        (&preview["imported"], preview["samples"].as_array().unwrap().len()),
        (&json!(4), 3),
        "{preview}"
    );
    assert_eq!((names(), std::fs::read(&file).unwrap()), (before, bytes), "looking leaves nothing behind");
    let reply = take(&context, file.clone());
    assert_eq!((&reply["imported"], &reply["pending_review"]), (&json!(4), &json!(4)), "{reply}");
    let all = waiting(&context);
    let find = |begin: &str| {
        all.iter()
            .find(|one| one["content"].as_str().unwrap().starts_with(begin))
            .unwrap_or_else(|| panic!("{begin}: {all:?}"))
    };
    let decision = get(&context, find("Stripe webhooks")["id"].as_str().unwrap()).unwrap();
    assert_eq!(
        decision["content"],
        "Stripe webhooks are verified\n\nSignatures are checked before parsing.\n\n- The secret is read from the keyring"
    );
    assert_eq!(
        (
            &decision["namespace"],
            &decision["tags"],
            &decision["file"],
            &decision["trust"],
            &decision["created_at"]
        ),
        (
            &json!("decisions"),
            &json!(["decision", "why-it-exists"]),
            &json!("src/hooks.rs"),
            &json!("agent"),
            &json!("2026-03-01T10:00:00Z")
        )
    );
    assert_eq!(find("Old ones have only a text")["namespace"], "learnings");
    assert_eq!(
        find("Verify webhooks")["content"],
        "Verify webhooks\nLearned: Stripe retries for three days\nCompleted: Verification is in"
    );
    assert!(!all.iter().any(|one| one.to_string().contains("another project")), "{all:?}");
    // None of these reaches an agent, nothing is imported twice, and what was dropped isn't proposed again.
    assert_eq!(recall_memories(&place.context(), &Default::default()).unwrap()["total"], 0);
    decide_review(&context, find("Totals were")["id"].as_str().unwrap(), false).unwrap();
    assert_eq!((&take(&context, file.clone())["imported"], waiting(&context).len()), (&json!(0), 3));
    let elsewhere = Import { path: file.clone(), ..Import::default() };
    let refused = import(&place.elsewhere(), &elsewhere).unwrap_err().message;
    assert!(refused.contains("nothing of this project") && refused.contains("shop, other"), "{refused}");
    // Another database, and one that is damaged.
    let other = place.path("x.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let broken = place.path("y.db");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.truncate(3_000);
    bytes.iter_mut().skip(200).for_each(|byte| *byte = 0xff);
    std::fs::write(&broken, bytes).unwrap();
    for (path, word) in [(other, "isn't claude-mem's"), (broken, "y.db")] {
        let refused = import(&context, &Import { path, ..Import::default() }).unwrap_err().message;
        assert!(refused.contains(word), "{refused}");
    }
}

const NOTE: &str = "---
title: Authentication Design
type: note
tags: [auth, backend]
permalink: main/authentication-design
---

# Authentication Design

Why sessions are what they are.

## Observations
- [decision] Tokens are signed with Ed25519 #security (after the audit)
- [decision] Refresh tokens are HTTP-only cookies
- [tip] Expiry is 15 minutes #expiry
- [ ] a box to tick
- [x] another

## Relations
- implements [[API Security Requirements]]
- depends on [[User Database|the users]]
- [[Session Management]]

```
- invented [[Not A Relation]]
```
";

#[test]
fn basic_memorys_notes_keep_their_text_their_tags_and_their_links() {
    let place = Place::new();
    let context = user(&place);
    place.write("basic-memory/specs/Authentication Design.md", NOTE);
    place.write(
        "basic-memory/plain.md",
        "---\ntitle: Plain\ntype: note\npermalink: main/plain\n---\n\nOnly prose\n",
    );
    let reply = take(&context, place.path("basic-memory"));
    assert_eq!((&reply["imported"], &reply["relationships"]), (&json!(2), &json!(3)), "{reply}");
    let found = recall_memories(
        &context,
        &plimsoll_memory::actions::RecallArgs { filter: Some("tag:security".into()), ..Default::default() },
    )
    .unwrap();
    let note = get(&context, found["results"][0]["id"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&note["namespace"], &note["tags"]),
        (&json!("decisions"), &json!(["auth", "backend", "expiry", "security"]))
    );
    assert!(
        note["content"].as_str().unwrap().starts_with("# Authentication Design\n\nWhy sessions"),
        "{note}"
    );
    let around = GraphArgs { entity: Some("Authentication Design".into()), ..GraphArgs::default() };
    let around = neighbors(&context, &around).unwrap();
    let kinds: Vec<String> = around["neighbors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            format!("{} {}", one["relationship"]["type"].as_str().unwrap(), one["name"].as_str().unwrap())
        })
        .collect();
    for kind in
        ["Implements API Security Requirements", "RelatesTo User Database", "RelatesTo Session Management"]
    {
        assert!(kinds.iter().any(|one| one == kind), "{kinds:?}");
    }
    // As proposals: the text waits, and the graph, which has no review, stays as it is.
    let place = Place::new();
    let context = user(&place);
    let path = place.write("n/a.md", NOTE);
    import(&context, &Import { path: path.clone(), pending: true, ..Import::default() }).unwrap();
    assert_eq!(waiting(&context).len(), 1);
    let graph = place.write("memory.jsonl", "{\"type\":\"entity\",\"name\":\"Ana\",\"entityType\":\"human\",\"observations\":[\"likes Rust\"]}\n{\"type\":\"entity\",\"name\":\"Acme\",\"entityType\":\"company\",\"observations\":[]}\n{\"type\":\"relation\",\"from\":\"Ana\",\"to\":\"Acme\",\"relationType\":\"reports_to\"}\n{\"type\":\"relation\",\"from\":\"Ana\",\"to\":\"Nobody\",\"relationType\":\"knows\"}\n");
    import(&context, &Import { path: graph.clone(), pending: true, ..Import::default() }).unwrap();
    let texts: Vec<String> =
        waiting(&context).iter().map(|one| one["content"].as_str().unwrap().to_owned()).collect();
    assert!(texts.iter().any(|text| text == "Ana reports to Acme"), "{texts:?}");
    // At once: both ends must be there, and a word that is none of the nine is kept.
    let reply = take(&context, graph);
    assert_eq!((&reply["entities"], &reply["relationships"]), (&json!(2), &json!(1)), "{reply}");
    let around = GraphArgs { entity: Some("Ana".into()), ..GraphArgs::default() };
    let around = neighbors(&context, &around).unwrap().to_string();
    assert!(around.contains("reports_to"), "{around}");
}

#[test]
fn an_older_products_lines_and_our_own_table_come_in() {
    let place = Place::new();
    let context = user(&place);
    let lines = json!({"id": "a1", "content": "Retries are capped", "namespace": "decisions", "domain": "project",
        "project_id": "https://t0ken@github.com/zircote/subcog.git", "branch": "main", "file_path": "src/net.rs", "status": "active",
        "created_at": 1_700_000_000, "updated_at": 1_700_000_000, "tags": ["net"], "source": "src/net.rs"})
    .to_string()
        + "\n"
        + &json!({"content": "Short-lived", "namespace": "context", "tags": [], "ttl_seconds": 86_400}).to_string();
    let reply = take(&context, place.write("subcog-export.jsonl", &lines));
    assert_eq!(reply["imported"], 2, "{reply}");
    let found = recall_memories(
        &context,
        &plimsoll_memory::actions::RecallArgs { query: Some("retries".into()), ..Default::default() },
    )
    .unwrap();
    let one = get(&context, found["results"][0]["id"].as_str().unwrap()).unwrap();
    // The same project as here, without the credentials of the remote.
    assert_eq!((&one["project"], &one["file"]), (&json!("github.com/zircote/subcog"), &json!("src/net.rs")));
    let found = recall_memories(
        &context,
        &plimsoll_memory::actions::RecallArgs { query: Some("short-lived".into()), ..Default::default() },
    )
    .unwrap();
    assert!(get(&context, found["results"][0]["id"].as_str().unwrap()).unwrap()["expires_at"].is_string());
    // A table that Plimsoll wrote.
    noted(&context, "=SUM(A1), \"quoted\"\nand a second line", "apis");
    let csv = export(&context, "ns:apis", "csv").unwrap()["content"].as_str().unwrap().to_owned();
    std::fs::create_dir_all(place.path("second")).unwrap();
    let two = ActionContext { database: place.path("second/memory.db"), ..context.clone() };
    assert_eq!(take(&two, place.write("out.csv", &csv))["imported"], 1);
    assert_eq!(export(&two, "ns:apis", "csv").unwrap()["count"], 1);
    let found = recall_memories(
        &two,
        &plimsoll_memory::actions::RecallArgs { detail: Some("everything".into()), ..Default::default() },
    )
    .unwrap();
    assert_eq!(found["results"][0]["content"], "=SUM(A1), \"quoted\"\nand a second line");
    let path = place.write("bad.csv", "a,b\n1,2\n");
    assert!(import(&two, &Import { path, ..Import::default() }).unwrap_err().message.contains("content"));
}

#[test]
fn sources_on_a_computer_are_found_without_touching_them() {
    let place = Place::new();
    let shop = Project::at(&place.path("shop")).unwrap();
    let env = Env::for_test(place.path("")).with_cwd(&shop.root).with("GEMINI_CLI_HOME", place.path("gem"));
    let first = find_import_sources(&env, std::slice::from_ref(&shop));
    assert!(first.iter().all(|spot| spot.kind == SourceKind::Commits), "{first:?}");
    place.write("app/.git/HEAD", "ref: refs/heads/main\n");
    let app = Project::at(&place.path("app")).unwrap().root;
    let memory_file = place
        .write("notes/graph.jsonl", "{\"type\":\"entity\",\"name\":\"A\",\"observations\":[\"b c d\"]}\n");
    place.write(
        ".claude.json",
        &json!({"projects": {app.to_str().unwrap(): {}, "/not/there": {}},
            "mcpServers": {"memory": {"env": {"MEMORY_FILE_PATH": memory_file}}}})
        .to_string(),
    );
    let slug = |root: &std::path::Path| -> String {
        root.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
    };
    place.write(".claude/CLAUDE.md", "- Answer in German\n");
    place.write(&format!(".claude/projects/{}/memory/MEMORY.md", slug(&app)), "- Tests need Docker\n");
    // An agent's own folder knows what moves its files.
    place.write("gem/.gemini/GEMINI.md", "- Answer shortly\n");
    place.write(".codex/memories/MEMORY.md", "- The user prefers pnpm\n");
    place.write("app/AGENTS.md", "- Use pnpm\n");
    place.write("app/empty/.x", "");
    place.write("shop/.cursor/rules/a.mdc", "---\nalwaysApply: true\n---\nPrefer small functions\n");
    place.write("shop/.github/copilot-instructions.md", "- Never commit to main\n");
    place.write("shop/CLAUDE.md", "");
    place.write("subcog-export.json", "[]");
    place.write("kb/note.md", "x");
    place.write(
        ".basic-memory/config.json",
        &json!({"projects": {"main": {"path": place.path("kb")}}}).to_string(),
    );
    std::fs::create_dir_all(place.path(".claude-mem")).unwrap();
    let db = rusqlite::Connection::open(place.path(".claude-mem/claude-mem.db")).unwrap();
    db.execute_batch(CLAUDE_MEM).unwrap();
    let found = find_import_sources(&env, std::slice::from_ref(&shop));
    let words: Vec<String> = found
        .iter()
        .map(|spot| {
            let folder = spot
                .folder
                .as_deref()
                .and_then(|folder| folder.file_name())
                .map_or("-".into(), |name| name.to_string_lossy());
            let name = spot.path.strip_prefix(place.path("")).unwrap_or(&spot.path);
            format!("{} {} {}", spot.kind.as_str(), folder, name.file_name().unwrap().to_string_lossy())
        })
        .collect();
    assert_eq!(
        words,
        [
            "instructions - CLAUDE.md",
            "instructions - GEMINI.md",
            "instructions app AGENTS.md",
            "instructions shop rules",
            "instructions shop copilot-instructions.md",
            "agent_memory - memories",
            "agent_memory app memory",
            "memory_server - graph.jsonl",
            "basic_memory - kb",
            "subcog - subcog-export.json",
            "claude_mem shop claude-mem.db",
            "commits app .git",
            "commits shop .git",
        ]
    );
    assert!(found.iter().any(|spot| spot.kind == SourceKind::ClaudeMem));
    // What an agent wrote for itself waits, like everything that wrote itself.
    let context = user(&place);
    let folder = found.iter().find(|spot| spot.path.ends_with("memories")).unwrap();
    let reply = take(&context, folder.path.clone());
    assert_eq!((&reply["imported"], &reply["pending_review"]), (&json!(1), &json!(1)), "{reply}");
}

/// The graph is read once, not for each relation: of a thousand entities that took most of a minute.
#[test]
fn a_large_graph_comes_in_at_once() {
    let place = Place::new();
    let context = user(&place);
    let name = |n: usize| format!("Component {n} of the harbour");
    let entities = (0..1_000)
        .map(|n| json!({"type": "entity", "name": name(n), "entityType": "component", "observations": []}));
    let relations = (0..2_000).map(|n| {
        let word = if n < 1_000 { "feeds" } else { "feeds_back" };
        json!({"type": "relation", "from": name(n % 1_000), "to": name((n * 7 + 3) % 1_000), "relationType": word})
    });
    let lines: Vec<String> = entities.chain(relations).map(|line| line.to_string()).collect();
    let path = place.write("memory.jsonl", &lines.join("\n"));
    let reply = take(&context, path);
    assert_eq!(reply["entities"], 1_000, "{reply}");
    let known = list_entities(&context, &EntityArgs { limit: Some(1_000), ..EntityArgs::default() }).unwrap();
    assert_eq!(known["total"], 1_000);
    assert_eq!(reply["relationships"], 2_000, "{reply}");
}
