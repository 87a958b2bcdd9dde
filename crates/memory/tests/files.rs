//! Memories as files: shared through a repository, written out, taken in.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{NOW, Place, contents, noted, only_file};
use plimsoll_memory::actions::{
    ActionContext, Capture, EntityArgs, Import, RecallArgs, capture, decide_review, export, get, import,
    list_entities, neighbors, read_shared, recall_memories, refresh_shared, review, share, unshare,
};
use plimsoll_memory::store::Actor;
use serde_json::{Value, json};

const TOKEN: &str = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");

/// The same project on another computer.
fn second_computer(place: &Place, context: &ActionContext) -> ActionContext {
    ActionContext { database: place.path("second/memory.db"), ..context.clone() }
}

#[test]
fn a_shared_memory_reaches_the_other_computer_through_the_working_tree() {
    let place = Place::new();
    let one = place.context();
    std::fs::create_dir_all(place.path("second")).unwrap();
    let two = second_computer(&place, &one);
    let given = Capture {
        content: "Use PostgreSQL: JSONB\n\n---\nand more".into(),
        namespace: "decisions".into(),
        tags: vec!["a b".into(), "db".into()],
        author: Some("Ana: \"A\"".into()),
        ..Capture::default()
    };
    let id = capture(&one, &given).unwrap()["id"].as_str().unwrap().to_owned();
    let shared = share(&one, &id).unwrap();
    assert!(
        shared["file"].as_str().unwrap().starts_with(".plimsoll/memories/decisions-use-postgresql"),
        "{shared}"
    );
    // One's own shared memories exist already.
    assert_eq!(read_shared(&one).unwrap()["changed"], 0);
    assert_eq!(contents(&one, "").len(), 1);
    assert_eq!(read_shared(&two).unwrap(), json!({"read": 1, "changed": 1, "gone": 0, "problems": []}));
    assert_eq!(contents(&two, ""), std::slice::from_ref(&given.content));
    let found =
        recall_memories(&two, &RecallArgs { query: Some("postgresql".into()), ..RecallArgs::default() })
            .unwrap();
    let theirs = get(&two, found["results"][0]["id"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&theirs["trust"], &theirs["author"], &theirs["tags"]),
        (&json!("repository"), &json!("Ana: \"A\""), &json!(["a b", "db"]))
    );
    assert_eq!(read_shared(&two).unwrap()["changed"], 0);
    // Changed in a pull request.
    let file = only_file(&place);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("JSONB", "JSONB and pgvector")).unwrap();
    assert_eq!(read_shared(&two).unwrap()["changed"], 1);
    assert!(contents(&two, "")[0].contains("pgvector"));
    // On a branch without the file it is out of sight, and there again on the way back.
    let kept = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(read_shared(&two).unwrap()["gone"], 1);
    assert!(contents(&two, "").is_empty());
    std::fs::write(&file, kept).unwrap();
    assert_eq!(read_shared(&two).unwrap()["changed"], 1);
    assert_eq!(contents(&two, "").len(), 1);
    // A merge that left both sides harms nothing and is reported.
    std::fs::write(&file, "---\nnamespace: decisions\n---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n")
        .unwrap();
    let both = read_shared(&two).unwrap();
    assert!(both["problems"][0]["problem"].as_str().unwrap().contains("merge"), "{both}");
    assert!(contents(&two, "")[0].contains("pgvector"));
    assert_eq!(unshare(&one, &id).unwrap()["status"], "no longer shared");
    assert!(!file.exists() && contents(&one, "").len() == 1);
}

#[test]
fn recalls_see_the_files_current_text() {
    let place = Place::new();
    let context = place.context();
    // Without files nothing is made.
    refresh_shared(&context);
    assert!(!context.database.exists());
    let write = |text: &str| {
        place.write("shop/.plimsoll/memories/a.md", &format!("---\nnamespace: apis\n---\n{text}\n"))
    };
    let file = write("one");
    for (text, expected) in [("one", vec!["one"]), ("one and two", vec!["one and two"])] {
        write(text);
        refresh_shared(&context);
        refresh_shared(&context);
        assert_eq!(contents(&context, ""), expected);
    }
    std::fs::remove_file(file).unwrap();
    refresh_shared(&context);
    assert!(contents(&context, "").is_empty());
}

#[test]
fn files_of_others_are_checked_like_everything_that_comes_in() {
    let place = Place::new();
    let context = place.context();
    let file = |name: &str, text: &str| place.write(&format!("shop/.plimsoll/memories/{name}"), text);
    file("a.md", &format!("---\nnamespace: config\n---\nthe token is {TOKEN}\n"));
    file("b.md", "---\nnamespace: decison\n---\nx y z\n");
    file("c.md", "no front matter\n");
    file("d.md", &format!("---\nnamespace: apis\n---\n{}", "x".repeat(600_000)));
    file("e.md", "---\nnamespace: apis\n---\n\n");
    file("f.txt", "not a memory");
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        place.write("secret.md", "---\nnamespace: apis\n---\nsecret\n"),
        place.path("shop/.plimsoll/memories/g.md"),
    )
    .unwrap();
    let read = read_shared(&context).unwrap();
    assert_eq!(read["read"], 1, "{read}");
    assert_eq!(read["problems"].as_array().unwrap().len(), if cfg!(unix) { 5 } else { 4 }, "{read}");
    let all = contents(&context, "");
    assert!(all.len() == 1 && all[0].starts_with("the token is") && !all[0].contains(TOKEN), "{all:?}");
}

/// However many there are: what isn't read isn't gone.
#[test]
fn a_file_behind_very_many_others_keeps_its_memory() {
    let place = Place::new();
    let context = place.context();
    let file = |name: &str, text: &str| place.write(&format!("shop/.plimsoll/memories/{name}"), text);
    file("z.md", "---\nnamespace: apis\n---\nThe last of all\n");
    assert_eq!(read_shared(&context).unwrap()["changed"], 1);
    for n in 0..5_000 {
        file(&format!("a{n:04}.md"), "x");
    }
    let read = read_shared(&context).unwrap();
    assert_eq!((&read["gone"], &read["changed"]), (&json!(0), &json!(0)));
    let last = read["problems"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["file"], &last["problem"]),
        (&json!(".plimsoll/memories/z.md"), &json!("only the first 5000 files are read"))
    );
    assert_eq!(contents(&context, ""), ["The last of all"]);
}

#[test]
fn only_what_belongs_to_the_project_is_shared() {
    let place = Place::new();
    let context = place.context();
    let mine = Capture {
        content: "I prefer tabs".into(),
        namespace: "patterns".into(),
        domain: Some("user".into()),
        ..Capture::default()
    };
    let mine = capture(&context, &mine).unwrap()["id"].as_str().unwrap().to_owned();
    assert!(share(&context, &mine).unwrap_err().message.contains("user"));
    let outside = ActionContext { root: None, project: None, ..context };
    assert!(share(&outside, &mine).unwrap_err().message.contains("no project"));
}

#[test]
fn an_export_can_be_imported_on_another_computer() {
    let place = Place::new();
    let one = place.context();
    let given = Capture {
        content: "=HYPERLINK(\"x\"), \"quoted\"\n中文 🦀".into(),
        namespace: "apis".into(),
        tags: vec!["t".into()],
        ttl: Some("7d".into()),
        ..Capture::default()
    };
    capture(&one, &given).unwrap();
    noted(&one, "The queue is NATS", "decisions");
    let out = export(&one, "", "json").unwrap();
    assert_eq!(out["count"], 2);
    let file = place.write("out.json", out["content"].as_str().unwrap());
    std::fs::create_dir_all(place.path("second")).unwrap();
    let two = second_computer(&place, &one);
    let take = |dry_run| import(&two, &Import { path: file.clone(), dry_run, ..Import::default() }).unwrap();
    assert_eq!((&take(true)["imported"], two.database.exists()), (&json!(2), false));
    assert_eq!(take(false)["imported"], 2);
    assert_eq!((&take(false)["imported"], &take(false)["duplicates"]), (&json!(0), &json!(2)));
    assert_eq!(contents(&two, ""), contents(&one, ""));
    let strip = |context: &ActionContext| -> Vec<Value> {
        let out: Value =
            serde_json::from_str(export(context, "", "json").unwrap()["content"].as_str().unwrap()).unwrap();
        let mut all = out["memories"].as_array().unwrap().clone();
        for one in &mut all {
            for key in ["id", "urn", "client", "session"] {
                one.as_object_mut().unwrap().remove(key);
            }
        }
        all
    };
    assert_eq!(strip(&two), strip(&one));
    // A table's program does not run what is in a cell.
    let csv = export(&one, "ns:apis", "csv").unwrap();
    let csv = csv["content"].as_str().unwrap();
    assert!(csv.contains("\"'=HYPERLINK(\"\"x\"\"), \"\"quoted\"\"\n中文 🦀\""), "{csv}");
    let markdown = export(&one, "", "md").unwrap();
    assert_eq!(markdown["content"].as_str().unwrap().matches("namespace: ").count(), 2);
    assert!(export(&one, "", "parquet").unwrap_err().message.contains("json, markdown, csv"));
    assert!(export(&one, "ns:decison", "json").is_err());
}

#[test]
fn the_files_of_other_products_come_in() {
    let place = Place::new();
    let context = place.context();
    let take = |name: &str, text: &str| {
        let path = place.write(name, text);
        import(&context, &Import { path, ..Import::default() })
    };
    // The reference memory server's file.
    let graph = "{\"type\":\"entity\",\"name\":\"Ana\",\"entityType\":\"person\",\"observations\":[\"likes Rust\",\"Ana is in Lisbon\"]}
{\"type\":\"entity\",\"name\":\"Acme\",\"entityType\":\"company\",\"observations\":[]}
{\"type\":\"relation\",\"from\":\"Ana\",\"to\":\"Acme\",\"relationType\":\"works_at\"}\n";
    let reply = take("memory.jsonl", graph).unwrap();
    assert_eq!(
        (&reply["imported"], &reply["entities"], &reply["relationships"]),
        (&json!(2), &json!(2), &json!(1))
    );
    assert_eq!(contents(&context, ""), ["Ana is in Lisbon", "Ana: likes Rust"]);
    let asked = plimsoll_memory::actions::GraphArgs { entity: Some("Ana".into()), ..Default::default() };
    assert_eq!(neighbors(&context, &asked).unwrap()["neighbors"][0]["relationship"]["type"], "WorksAt");
    assert!(list_entities(&context, &Default::default()).unwrap()["total"].as_u64().unwrap() >= 2);
    // An older product's export.
    let older = json!([{"id": "x", "content": "Old decision", "namespace": "decisions", "tags": "a,b", "created_at": 1_700_000_000},
        {"content": "gone", "namespace": "decisions", "status": "tombstoned"}, {"namespace": "apis"},
        {"content": "odd", "namespace": "prompts"}, {"content": format!("with {TOKEN}"), "namespace": "config"}]);
    let reply = take("subcog.json", &older.to_string()).unwrap();
    assert_eq!((&reply["imported"], reply["problems"].as_array().unwrap().len()), (&json!(2), 2), "{reply}");
    assert_eq!(contents(&context, "until:2024-01-01"), ["Old decision"]);
    assert_eq!(contents(&context, "tag:a tag:b"), ["Old decision"]);
    assert!(!contents(&context, "").concat().contains(TOKEN));
    // A folder of notes.
    place.write(
        "notes/sub/one.md",
        "---\ntitle: Retry policy\ntags:\n- net\n---\nFive attempts with jitter\n",
    );
    place.write("notes/two.md", "plain text about caching\n");
    place.write("notes/empty.md", "---\ntitle: x\n---\n");
    place.write("notes/image.png", "x");
    let reply = import(
        &context,
        &Import { path: place.path("notes"), namespace: Some("learnings".into()), ..Import::default() },
    )
    .unwrap();
    assert_eq!((&reply["imported"], reply["problems"].as_array().unwrap().len()), (&json!(2), 1), "{reply}");
    assert_eq!(contents(&context, "ns:learnings tag:net"), ["Retry policy\n\nFive attempts with jitter"]);
    for (name, text, word) in [
        ("a.exe", "MZ", "can't be taken in"),
        ("b.json", "{\"a\":1}", "memories"),
        ("c.json", "[1,", "line 1"),
    ] {
        assert!(take(name, text).unwrap_err().message.contains(word), "{name}");
    }
    let nothing = Import { path: place.path("not-there"), ..Import::default() };
    assert!(import(&context, &nothing).unwrap_err().message.contains("not-there"));
}

#[test]
fn statements_of_instruction_files_wait_for_a_review() {
    let place = Place::new();
    let context = place.context();
    let path = place.write(
        "shop/CLAUDE.md",
        "# Rules\n\n- Always run `just test` before a commit\n- We decided on PostgreSQL\n",
    );
    let reply = import(&context, &Import { path, ..Import::default() }).unwrap();
    assert_eq!((&reply["imported"], &reply["pending_review"]), (&json!(2), &json!(2)));
    // None of them reaches an agent before somebody kept it.
    assert!(contents(&context, "").is_empty());
    let asked = RecallArgs { query: Some("PostgreSQL".into()), ..RecallArgs::default() };
    assert_eq!(recall_memories(&context, &asked).unwrap()["total"], 0);
    // Agents can't read the review queue either.
    assert_eq!(review(&context, None, None).unwrap_err().number, -32608);
    let context = ActionContext { who: Actor::local_user(context.who.at_ms), ..context };
    let waiting = review(&context, None, None).unwrap();
    let ids: Vec<&str> =
        waiting["pending"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), &waiting["pending"][0]["trust"]), (2, &json!("repository")));
    assert_eq!(waiting["pending"][0]["source"], "CLAUDE.md");
    // Of several with one name each is told from the others.
    let path = place.write("shop/web/.cursor/rules/style.mdc", "- Prefer named exports\n");
    import(&context, &Import { path, ..Import::default() }).unwrap();
    let waiting = review(&context, None, None).unwrap();
    let rules = waiting["pending"].as_array().unwrap();
    let rule = rules.iter().find(|one| one["content"] == "Prefer named exports").unwrap();
    assert_eq!(rule["source"], "web/.cursor/rules/style.mdc");
    decide_review(&context, rule["id"].as_str().unwrap(), false).unwrap();
    assert_eq!(decide_review(&context, ids[0], true).unwrap()["status"], "active");
    assert_eq!(decide_review(&context, ids[1], false).unwrap()["status"], "tombstoned");
    assert_eq!(decide_review(&context, ids[0], true).unwrap_err().number, -32608);
    assert_eq!(contents(&context, "").len(), 1);
    assert_eq!(review(&context, None, None).unwrap()["total"], 0);
}

#[test]
fn documents_of_the_repository_wait_for_a_review() {
    let place = Place::new();
    let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
    let front =
        "---\npermalink: deploy\nnamespace: decisions\ntrust: user\nsource: .plimsoll/memories/a.md\n---";
    place.write("shop/docs/deploy.md", &format!("{front}\nDeploys go out on Mondays\n"));
    place.write("shop/.plimsoll/memories/a.md", "Never deploy on a Friday\n");
    place.write("notes/deploy.md", "I deploy before lunch\n");
    for (folder, pending) in [("shop/docs", 1), ("shop/.plimsoll/memories", 1), ("notes", 0)] {
        let reply = import(&context, &Import { path: place.path(folder), ..Import::default() }).unwrap();
        assert_eq!((&reply["imported"], &reply["pending_review"]), (&json!(1), &json!(pending)), "{folder}");
    }
    assert_eq!(contents(&context, ""), ["I deploy before lunch"]);
    let waiting = review(&context, None, None).unwrap();
    let waiting = waiting["pending"].as_array().unwrap().iter();
    let mut waiting: Vec<Value> =
        waiting.map(|one| json!([one["source"], one["trust"], one["content"]])).collect();
    waiting.sort_by_key(Value::to_string);
    let expected = [
        json!(["a.md", "repository", "Never deploy on a Friday"]),
        json!(["docs/deploy.md", "repository", "Deploys go out on Mondays"]),
    ];
    assert_eq!(waiting, expected);
    let entities = list_entities(&context, &EntityArgs::default()).unwrap().to_string();
    assert!(!entities.contains("entity_deploy"), "the graph has no review: {entities}");
}

/// A link's target belongs to somebody else, and a link is never replaced by a file.
#[cfg(unix)]
#[test]
fn sharing_writes_through_no_link_and_replaces_none() {
    let place = Place::new();
    let context = place.context();
    let given = Capture {
        content: "Invoices are numbered by billing".into(),
        namespace: "decisions".into(),
        ..Capture::default()
    };
    let id = capture(&context, &given).unwrap()["id"].as_str().unwrap().to_owned();
    share(&context, &id).unwrap();
    let (file, elsewhere) = (only_file(&place), place.path("mine.md"));
    std::fs::rename(&file, &elsewhere).unwrap();
    let before = std::fs::read_to_string(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    for refused in [share(&context, &id), unshare(&context, &id)] {
        assert!(refused.unwrap_err().to_string().contains("is a link"));
    }
    assert!(file.is_symlink());
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), before);

    let folder = file.parent().unwrap();
    std::fs::remove_file(&file).unwrap();
    std::fs::remove_dir(folder).unwrap();
    std::fs::create_dir(place.path("outside")).unwrap();
    std::os::unix::fs::symlink(place.path("outside"), folder).unwrap();
    assert!(share(&context, &id).unwrap_err().to_string().contains("is a link"));
    assert_eq!(std::fs::read_dir(place.path("outside")).unwrap().count(), 0);
}

/// Two work trees of one project have one set of memories, and each has its own files.
#[test]
fn the_files_of_the_work_tree_at_hand_count() {
    let place = Place::new();
    let one = place.context();
    let shared = "---\nnamespace: context\n---\nThe gate opens at seven\n";
    place.write("shop/.plimsoll/memories/gate.md", shared);
    std::fs::create_dir_all(place.path("tree")).unwrap();
    let other = ActionContext { root: Some(place.path("tree")), ..one.clone() };
    for _ in 0..3 {
        refresh_shared(&one);
        assert_eq!(contents(&one, ""), ["The gate opens at seven"]);
        refresh_shared(&other);
        assert_eq!(contents(&other, ""), Vec::<String>::new());
    }
}

/// Whatever the format: the mark that editors and shells of Windows put first isn't part of the text.
#[test]
fn a_byte_order_mark_is_not_imported() {
    let place = Place::new();
    let context = place.context();
    for (name, text, expected) in [
        ("list.json", "[{\"content\": \"Ferries run hourly\", \"namespace\": \"config\"}]", 1),
        (
            "lines.jsonl",
            "{\"content\": \"Buoys are red\", \"namespace\": \"config\"}\n{\"content\": \"Quays are grey\", \"namespace\": \"config\"}\n",
            2,
        ),
        ("table.csv", "content,namespace\nTides turn twice,config\n", 1),
        ("note.md", "---\nnamespace: config\n---\nPilots board at noon\n", 1),
    ] {
        let path = place.write(name, &format!("\u{feff}{text}"));
        let done = import(&context, &Import { path, ..Import::default() }).unwrap();
        assert_eq!((&done["imported"], &done["problems"]), (&json!(expected), &json!([])), "{name}: {done}");
    }
    assert_eq!(
        contents(&context, "ns:config"),
        ["Buoys are red", "Ferries run hourly", "Pilots board at noon", "Quays are grey", "Tides turn twice"]
    );
}
