//! Every action, with the specification's examples and their shapes, and what each refuses.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use std::path::Path;

use place::{NOW, Place};
use plimsoll_memory::actions::{
    ActionContext, Capture, DeleteAll, Gc, RecallArgs, Update, capture, delete, delete_all, gc, get, history,
    namespaces, recall_memories, reindex, restore, status, update,
};
use plimsoll_memory::domain::{Domain, Namespace, Trust};
use plimsoll_memory::store::{Actor, Draft, Secrets, SqliteStore, Store as _};
use serde_json::{Value, json};

fn checkout(place: &Place, branch: &str) {
    place.write("shop/.git/HEAD", &format!("ref: refs/heads/{branch}\n"));
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn noted(content: &str, namespace: &str) -> Capture {
    Capture { content: content.into(), namespace: namespace.into(), ..Capture::default() }
}

fn id(reply: &Value) -> String {
    reply["id"].as_str().unwrap().to_owned()
}

fn example() -> Capture {
    Capture {
        tags: vec!["database".into(), "architecture".into()],
        source: Some("ARCHITECTURE.md".into()),
        ..noted("Use PostgreSQL for primary storage because of JSONB support", "decisions")
    }
}

#[test]
fn the_examples_of_the_specification_give_its_shapes() {
    let place = Place::new();
    let context = place.context();
    let captured = capture(&context, &example()).unwrap();
    assert_eq!(keys(&captured), ["id", "urn"]);
    assert_eq!(captured["urn"], format!("plimsoll://memory/project/decisions/{}", id(&captured)));

    let asked = RecallArgs {
        query: Some("database storage decision".into()),
        filter: Some("ns:decisions since:7d".into()),
        mode: Some("hybrid".into()),
        detail: Some("medium".into()),
        limit: Some(5),
        ..RecallArgs::default()
    };
    let found = recall_memories(&context, &asked).unwrap();
    assert_eq!((keys(&found), &found["total"]), (vec!["results", "total"], &json!(1)));
    let hit = &found["results"][0];
    assert_eq!(keys(hit), ["id", "namespace", "tags", "content", "score", "uri"]);
    assert_eq!(hit["tags"], json!(["database", "architecture"]));
    assert_eq!(hit["content"], example().content);
    let score = hit["score"].as_f64().unwrap();
    assert!((0.35..=1.0).contains(&score), "{score}");

    let state = status(&context).unwrap();
    assert_eq!(keys(&state), ["repository", "storage", "statistics"]);
    assert_eq!(keys(&state["repository"]), ["path", "project_id", "branch"]);
    assert_eq!(state["repository"]["project_id"], "github.com/zircote/subcog");
    assert_eq!(state["repository"]["branch"], "main");
    assert_eq!(state["storage"], json!({"persistence": "sqlite", "index": "sqlite", "vector": "none"}));
    assert_eq!(state["statistics"]["total_count"], 1);
    assert_eq!(state["statistics"]["namespace_counts"], json!({"decisions": 1}));
    assert_eq!(state["statistics"]["top_tags"][0]["count"], 1);
    assert!(state["statistics"]["recent_topics"].as_array().unwrap().contains(&json!("database")));

    let collected = gc(&context, &Gc { dry_run: true, ..Gc::default() }).unwrap();
    assert_eq!(
        collected,
        json!({"stale_branches": [], "memories_affected": 0, "dry_run": true, "status": "preview"})
    );

    let spaces = namespaces();
    let spaces = spaces["namespaces"].as_array().unwrap();
    assert_eq!(keys(&spaces[0]), ["name", "description", "signal_words"]);
    for name in
        "decisions patterns learnings context tech-debt blockers progress apis config security testing"
            .split(' ')
    {
        assert!(spaces.iter().any(|space| space["name"] == name), "{name}");
    }

    let again = reindex(&context).unwrap();
    assert_eq!((&again["indexed"], &again["status"]), (&json!(1), &json!("success")));
}

#[test]
fn duplicates_secrets_and_near_duplicates_are_named() {
    let place = Place::new();
    let context = place.context();
    let first = capture(&context, &example()).unwrap();
    let again = capture(&context, &example()).unwrap();
    assert_eq!((&again["id"], &again["duplicate"]), (&first["id"], &json!(true)));
    let near = noted("use PostgreSQL for the primary storage because of its JSONB support", "decisions");
    let near = capture(&context, &near).unwrap();
    assert_ne!(near["id"], first["id"]);
    assert_eq!(near["similar"][0]["id"], first["id"]);
    let token = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let secret = noted(&format!("deploy with {token}"), "config");
    let kept = capture(&context, &secret).unwrap();
    assert_eq!(kept["redacted"], true);
    assert!(!get(&context, &id(&kept)).unwrap().to_string().contains(token));
    let strict = ActionContext { secrets: Secrets::Refuse, ..context };
    let refused = capture(&strict, &noted(&format!("and again {token}"), "config")).unwrap_err();
    assert_eq!(refused.number, -32605);
}

#[test]
fn the_life_of_a_memory() {
    let place = Place::new();
    let context = place.context();
    let urn = capture(&context, &example()).unwrap()["urn"].as_str().unwrap().to_owned();
    let whole = get(&context, &urn).unwrap();
    assert_eq!(whole["content"], example().content);
    assert_eq!(
        [&whole["file"], &whole["branch"], &whole["client"], &whole["trust"], &whole["status"]],
        ["ARCHITECTURE.md", "main", "codex", "agent", "active"]
    );
    assert_eq!(whole["created_at"], "2027-01-15T08:00:00Z");
    let other = urn.replace("plimsoll://memory/", "subcog://");
    let short = whole["id"].as_str().unwrap()[..8].to_owned();
    for address in [&other, &short] {
        assert_eq!(get(&context, address).unwrap(), whole);
    }
    let wrong = get(&context, &other.replace("decisions", "config")).unwrap_err();
    assert_eq!(wrong.number, -32604);

    let change = Update { content: Some("Use SQLite".into()), version: Some(1), ..Update::default() };
    assert_eq!(update(&context, &urn, &change).unwrap()["version"], 2);
    assert_eq!(update(&context, &urn, &change).unwrap_err().number, -32608);
    assert_eq!(update(&context, &urn, &Update::default()).unwrap_err().number, -32602);
    let steps = history(&context, &urn, (None, None)).unwrap();
    assert_eq!(steps["history"][1]["content"], example().content);
    assert_eq!(
        (&steps["history"][0]["action"], &steps["history"][0]["client"]),
        (&json!("updated"), &json!("codex"))
    );

    assert_eq!(restore(&context, &urn).unwrap_err().number, -32608);
    assert_eq!(delete(&context, &urn, false).unwrap()["status"], "tombstoned");
    assert_eq!(recall_memories(&context, &RecallArgs::default()).unwrap()["total"], 0);
    assert_eq!(restore(&context, &urn).unwrap()["status"], "active");
    assert_eq!(recall_memories(&context, &RecallArgs::default()).unwrap()["total"], 1);
    assert_eq!(delete(&context, &urn, true).unwrap()["status"], "purged");
    assert_eq!(get(&context, &urn).unwrap_err().number, -32604);
}

#[test]
fn a_replaced_memory_is_not_found() {
    let place = Place::new();
    let context = place.context();
    let old = capture(&context, &noted("The queue is RabbitMQ", "decisions")).unwrap();
    let new = Capture { supersedes: vec![id(&old)], ..noted("The queue is NATS since March", "decisions") };
    capture(&context, &new).unwrap();
    let ask = |filter: &str| {
        let asked = RecallArgs {
            query: Some("which queue".into()),
            filter: Some(filter.into()),
            ..RecallArgs::default()
        };
        recall_memories(&context, &asked).unwrap()
    };
    assert_eq!(ask("")["total"], 1);
    assert_eq!(ask("status:any")["total"], 2);
    assert_eq!(get(&context, &id(&old)).unwrap()["links"][0]["kind"], "supersedes");
}

#[test]
fn details_pages_and_modes() {
    let place = Place::new();
    let context = place.context();
    let long = format!("deploy {}", "at noon ".repeat(100));
    capture(&context, &noted(&long, "context")).unwrap();
    capture(&context, &noted("deploy by hand", "context")).unwrap();
    let ask = |detail: &str, query: Option<&str>, offset| {
        let asked = RecallArgs {
            detail: Some(detail.into()),
            query: query.map(str::to_owned),
            limit: Some(1),
            offset: Some(offset),
            ..RecallArgs::default()
        };
        recall_memories(&context, &asked).unwrap()
    };
    for query in [None, Some("*"), Some("deploy")] {
        let mut contents = Vec::new();
        for offset in 0..2 {
            let page = ask("everything", query, offset);
            assert_eq!(page["total"], 2);
            assert_eq!(page.get("next_offset"), (offset == 0).then_some(&json!(1)));
            contents.push(page["results"][0]["content"].as_str().unwrap().to_owned());
            assert_eq!(page["results"][0].get("score").is_some(), query == Some("deploy"));
        }
        contents.sort_by_key(String::len);
        assert_eq!(contents, ["deploy by hand".to_owned(), long.clone()]);
    }
    assert!(ask("light", None, 0)["results"][0].get("content").is_none());
    for offset in 0..2 {
        assert!(ask("medium", None, offset)["results"][0]["content"].as_str().unwrap().len() <= 250);
    }
    let with = |asked: RecallArgs| recall_memories(&context, &asked).unwrap_err();
    let vector = with(RecallArgs { mode: Some("vector".into()), ..RecallArgs::default() });
    assert_eq!(vector.number, -32606);
    for (asked, word) in [
        (RecallArgs { mode: Some("psychic".into()), ..RecallArgs::default() }, "hybrid, text, vector"),
        (RecallArgs { detail: Some("tiny".into()), ..RecallArgs::default() }, "light, medium, everything"),
        (RecallArgs { namespace: Some("decison".into()), ..RecallArgs::default() }, "decisions"),
        (RecallArgs { filter: Some("ns:decison".into()), ..RecallArgs::default() }, "character 4"),
    ] {
        let error = with(asked);
        assert!(error.message.contains(word) && error.number == -32602, "{error}");
    }
}

#[test]
fn nonsense_finds_nothing_and_part_of_a_question_scores_low() {
    let place = Place::new();
    let context = place.context();
    for (content, namespace) in [
        ("Use PostgreSQL for primary storage because of JSONB support", "decisions"),
        ("Retries use exponential backoff with jitter, five attempts at most", "patterns"),
        ("The payment provider's sandbox resets every night at 02:00 UTC", "context"),
        ("Never log request bodies: they hold card numbers", "security"),
        ("parseConfig() reads plimsoll.toml before the environment", "apis"),
    ] {
        capture(&context, &noted(content, namespace)).unwrap();
    }
    let ask = |query: &str| {
        let asked = RecallArgs { query: Some(query.into()), ..RecallArgs::default() };
        recall_memories(&context, &asked).unwrap()
    };
    for nonsense in ["purple elephants dancing quietly", "zzzz", "how tall is mount everest", "!!!", "的"] {
        assert_eq!(ask(nonsense)["total"], 0, "{nonsense}");
    }
    for (query, words) in [
        ("which database do we use for storage? postgresql?", "PostgreSQL"),
        ("how many retry attempts", "backoff"),
        ("when does the sandbox reset", "sandbox"),
        ("logging request body", "card numbers"),
        ("parse config", "parseConfig"),
        ("plimsoll.toml", "parseConfig"),
    ] {
        let found = ask(query);
        let first = &found["results"][0];
        assert!(first["content"].as_str().is_some_and(|content| content.contains(words)), "{query}: {found}");
    }
    let sure = ask("exponential backoff jitter")["results"][0]["score"].as_f64().unwrap();
    let unsure = ask("exponential growth of rabbits")["results"][0]["score"].as_f64().unwrap_or(0.0);
    assert!(sure > 0.9 && unsure < 0.5, "{sure} {unsure}");
}

#[test]
fn a_memory_for_you_reaches_every_project_and_a_projects_does_not() {
    let place = Place::new();
    let shop = place.context();
    let mine = Capture { domain: Some("user".into()), ..noted("I prefer tabs", "patterns") };
    let mine = capture(&shop, &mine).unwrap();
    let its = capture(&shop, &noted("Tabs are four wide here", "patterns")).unwrap();
    let elsewhere = ActionContext {
        root: Some(Path::new("/elsewhere").into()),
        project: Some("github.com/acme/app".into()),
        ..shop.clone()
    };
    let outside = ActionContext { root: None, project: None, branch: None, ..shop };
    for context in [&elsewhere, &outside] {
        assert_eq!(recall_memories(context, &RecallArgs::default()).unwrap()["total"], 1);
        assert!(get(context, &id(&mine)).is_ok());
        for error in [
            get(context, &id(&its)).unwrap_err(),
            delete(context, &id(&its), true).unwrap_err(),
            history(context, &id(&its), (None, None)).unwrap_err(),
        ] {
            assert_eq!(error.number, -32604);
        }
    }
    // Outside a project there is nothing else to capture for.
    let reply = capture(&outside, &noted("outside", "context")).unwrap();
    assert!(reply["urn"].as_str().unwrap().contains("/user/"));
    let wrong = Capture { domain: Some("project".into()), ..noted("x", "context") };
    assert!(capture(&outside, &wrong).unwrap_err().message.contains("domain \"user\""));
}

#[test]
fn many_are_deleted_only_by_a_criterion_and_when_confirmed() {
    let place = Place::new();
    let context = place.context();
    for n in 0..15 {
        let tags = vec![if n < 12 { "user:ana".to_owned() } else { "x".to_owned() }];
        capture(&context, &Capture { tags, ..noted(&format!("memory {n}"), "progress") }).unwrap();
    }
    assert_eq!(
        delete_all(&context, &DeleteAll { confirmed: true, ..DeleteAll::default() }).unwrap_err().number,
        -32602
    );
    for all in ["status:any", "status:active", "status:active,deleted"] {
        let everything = DeleteAll { filter: Some(all.into()), confirmed: true, ..DeleteAll::default() };
        assert!(delete_all(&context, &everything).unwrap_err().message.contains("never deletes everything"));
    }
    let wrong =
        DeleteAll { filter: Some("ns:decison tag:x".into()), confirmed: true, ..DeleteAll::default() };
    assert!(delete_all(&context, &wrong).is_err());
    let asked = DeleteAll { user_id: Some("ana".into()), ..DeleteAll::default() };
    let preview = delete_all(&context, &asked).unwrap();
    assert_eq!((&preview["memories_affected"], &preview["status"]), (&json!(12), &json!("preview")));
    assert_eq!(preview["preview"].as_array().unwrap().len(), 10);
    assert_eq!(recall_memories(&context, &RecallArgs::default()).unwrap()["total"], 15);
    let done = delete_all(&context, &DeleteAll { confirmed: true, ..asked }).unwrap();
    assert_eq!((&done["memories_affected"], &done["dry_run"]), (&json!(12), &json!(false)));
    assert_eq!(recall_memories(&context, &RecallArgs::default()).unwrap()["total"], 3);
}

#[test]
fn what_belongs_to_a_branch_that_is_gone_is_collected() {
    let place = Place::new();
    checkout(&place, "feature/old-auth");
    let gone = capture(&place.context(), &noted("Tokens live an hour", "security")).unwrap();
    checkout(&place, "main");
    let context = place.context();
    capture(&context, &noted("Sessions live a day", "security")).unwrap();
    let dry = gc(&context, &Gc { dry_run: true, ..Gc::default() }).unwrap();
    assert_eq!(
        dry,
        json!({"stale_branches": ["feature/old-auth"], "memories_affected": 1, "dry_run": true, "status": "preview"})
    );
    // Looking for something changes nothing, whatever its branch.
    assert_eq!(recall_memories(&context, &RecallArgs::default()).unwrap()["total"], 2);
    assert_eq!(gc(&context, &Gc::default()).unwrap()["status"], "done");
    assert_eq!(recall_memories(&context, &RecallArgs::default()).unwrap()["total"], 1);
    assert_eq!(restore(&context, &id(&gone)).unwrap()["status"], "active");
    gc(&context, &Gc { branch: Some("feature/old-auth".into()), ..Gc::default() }).unwrap();
    let purge = |older: &str| Gc { purge: true, older_than: Some(older.into()), ..Gc::default() };
    assert_eq!(gc(&context, &purge("30d")).unwrap()["purged"], 0);
    let later = ActionContext {
        who: Actor { at_ms: NOW + 31 * 86_400_000, ..context.who.clone() },
        ..context.clone()
    };
    assert_eq!(gc(&later, &Gc { dry_run: true, ..purge("30d") }).unwrap()["purged"], 1);
    assert_eq!(gc(&later, &purge("30d")).unwrap()["purged"], 1);
    assert_eq!(get(&later, &id(&gone)).unwrap_err().number, -32604);
    assert!(gc(&context, &Gc { older_than: Some("30d".into()), ..Gc::default() }).is_err());
    // Where branches can't be read, nothing counts as gone.
    std::fs::remove_dir_all(place.path("shop/.git")).unwrap();
    assert_eq!(gc(&context, &Gc::default()).unwrap()["memories_affected"], 0);
}

/// A branch in use isn't rubbish, and others' captures are on branches that needn't be here.
#[test]
fn a_branch_in_use_isnt_collected_and_neither_is_what_others_captured() {
    let place = Place::new();
    checkout(&place, "main");
    let context = place.context();
    capture(&context, &noted("Sessions live a day", "security")).unwrap();
    for dry_run in [true, false] {
        let given = Gc { branch: Some("main".into()), dry_run, ..Gc::default() };
        let refused = gc(&context, &given).unwrap_err();
        assert!(refused.message.contains("branch:main"), "{}", refused.message);
    }
    // As the exchange with a server stores a colleague's.
    let theirs = Draft {
        project: context.project.clone(),
        branch: Some("their/branch".into()),
        trust: Trust::Repository,
        ..Draft::new("Refunds need two signatures", Namespace::Security, Domain::Project)
    };
    let mut store = SqliteStore::open(&context.database).unwrap();
    store.capture(&theirs.check(Secrets::Redact).unwrap(), &context.who).unwrap();
    assert_eq!(gc(&context, &Gc::default()).unwrap()["memories_affected"], 0);
    assert_eq!(recall_memories(&context, &RecallArgs::default()).unwrap()["total"], 2);
    // What nobody can read isn't gone, and the reply says so.
    std::fs::remove_file(place.path("shop/.git/HEAD")).unwrap();
    let blind = gc(&context, &Gc::default()).unwrap();
    assert_eq!(blind["memories_affected"], 0);
    assert!(blind["note"].as_str().unwrap().contains("can't be read"), "{blind}");
}

#[test]
fn reading_where_nothing_was_captured_creates_nothing() {
    let place = Place::new();
    let context = place.context();
    assert_eq!(
        recall_memories(&context, &RecallArgs::default()).unwrap(),
        json!({"results": [], "total": 0})
    );
    assert_eq!(status(&context).unwrap()["statistics"]["total_count"], 0);
    assert_eq!(get(&context, "dc58d23a").unwrap_err().number, -32604);
    assert_eq!(gc(&context, &Gc::default()).unwrap()["memories_affected"], 0);
    assert_eq!(reindex(&context).unwrap()["indexed"], 0);
    assert!(!context.database.exists());
}
