//! Shared memories that change: in the conversation, in the repository, in both, or in neither.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted, only_file};
use plimsoll_memory::actions::{
    ActionContext, Capture, DeleteAll, Enrich, Gc, RecallArgs, Update, capture, delete, delete_all, enrich,
    gc, get, history, read_shared, recall_memories, restore, share, shared_problems, status, update,
};
use plimsoll_memory::store::Actor;
use serde_json::{Value, json};

const TEXT: &str = "The catalogue is searched with Meilisearch";

fn contents(context: &ActionContext) -> Vec<String> {
    let asked = RecallArgs { detail: Some("everything".into()), ..RecallArgs::default() };
    let found = recall_memories(context, &asked).unwrap();
    let all = found["results"].as_array().unwrap().iter();
    all.map(|one| one["content"].as_str().unwrap().to_owned()).collect()
}

fn edit(file: &std::path::Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(file, text.replace(from, to)).unwrap();
}

fn change(context: &ActionContext, id: &str, content: &str) -> Value {
    update(context, id, &Update { content: Some(content.into()), ..Update::default() }).unwrap()
}

/// A shared memory, and the same project on another computer that has read it.
fn shared() -> (Place, ActionContext, ActionContext, String) {
    let place = Place::new();
    let one = place.context();
    let id = noted(&one, TEXT, "decisions");
    share(&one, &id).unwrap();
    std::fs::create_dir_all(place.path("second")).unwrap();
    let two = ActionContext { database: place.path("second/memory.db"), ..one.clone() };
    read_shared(&two).unwrap();
    assert_eq!((contents(&one), contents(&two)), (vec![TEXT.to_owned()], vec![TEXT.to_owned()]));
    (place, one, two, id)
}

#[test]
fn a_change_reaches_the_file_and_with_it_the_others() {
    let (place, one, two, id) = shared();
    let file = only_file(&place);
    let changed = change(&one, &id, "The catalogue is searched with Typesense");
    assert_eq!(
        changed["file"].as_str().unwrap(),
        format!(".plimsoll/memories/{}", file.file_name().unwrap().to_string_lossy())
    );
    assert_eq!(read_shared(&one).unwrap()["changed"], 0);
    assert_eq!(contents(&one), ["The catalogue is searched with Typesense"]);
    assert_eq!(read_shared(&two).unwrap()["changed"], 1);
    assert_eq!(contents(&two), ["The catalogue is searched with Typesense"]);

    // Changed where it was read, the next look at the file doesn't take it back, and whose it is stays.
    let head =
        |text: &str| text.lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let before = head(&std::fs::read_to_string(&file).unwrap());
    let theirs = recall_memories(&two, &RecallArgs::default()).unwrap()["results"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(change(&two, &theirs, "The catalogue is searched with Solr")["file"].is_string());
    assert_eq!(read_shared(&two).unwrap()["changed"], 0);
    assert_eq!(contents(&two), ["The catalogue is searched with Solr"]);
    assert_eq!(head(&std::fs::read_to_string(&file).unwrap()), before);
    // The others' version replaces the first one's, who can see why.
    read_shared(&one).unwrap();
    assert_eq!(contents(&one), ["The catalogue is searched with Solr"]);
    let replaced = get(&one, &id).unwrap();
    assert_eq!(replaced["status"], "superseded", "{replaced}");
    // Deleted and restored, it doesn't compete with what replaced it.
    delete(&one, &id, false).unwrap();
    assert_eq!(restore(&one, &id).unwrap()["status"], "superseded");
    assert_eq!(contents(&one), ["The catalogue is searched with Solr"]);
}

#[test]
fn what_is_enriched_stays_so_and_a_mark_alone_is_no_merge() {
    let place = Place::new();
    let (one, two) = (place.context(), ActionContext { database: place.path("two.db"), ..place.context() });
    let text = "Postgres says <<<<<<< HEAD where a dump was merged:\n<<<<<<< HEAD\nso look for that line";
    let id = noted(&one, text, "learnings");
    share(&one, &id).unwrap();
    for round in [1, 0] {
        let read = read_shared(&two).unwrap();
        assert_eq!((&read["changed"], &read["problems"]), (&json!(round), &json!([])));
    }
    assert_eq!((contents(&two), shared_problems(&two)), (vec![text.to_owned()], Vec::new()));
    for context in [&two, &one] {
        let id = recall_memories(context, &RecallArgs::default()).unwrap()["results"][0]["id"].clone();
        let id = id.as_str().unwrap();
        let done = enrich(context, id, &Enrich::default()).unwrap();
        assert_eq!(done["changes"]["tags_added"], json!(["postgresql"]), "{done}");
        read_shared(context).unwrap();
        assert_eq!(get(context, id).unwrap()["tags"], json!(["postgresql"]));
    }
    let written = std::fs::read_to_string(only_file(&place)).unwrap();
    assert!(written.contains("tags: [\"postgresql\"]"), "{written}");
}

#[test]
fn a_file_that_others_changed_is_not_overwritten() {
    let (place, one, _, id) = shared();
    let file = only_file(&place);
    edit(&file, "Meilisearch", "Solr");
    let changed = change(&one, &id, "The catalogue is searched with Typesense");
    assert!(changed["not_shared"].as_str().unwrap().contains("others changed it"), "{changed}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("Solr"));
}

#[test]
fn an_older_file_does_not_undo_a_change() {
    let (place, one, _, id) = shared();
    let file = only_file(&place);
    let older = std::fs::read(&file).unwrap();
    change(&one, &id, "The catalogue is searched with Typesense");
    // Another branch still has the text from before.
    std::fs::write(&file, older).unwrap();
    assert_eq!(read_shared(&one).unwrap()["changed"], 0);
    assert_eq!(contents(&one), ["The catalogue is searched with Typesense"]);
}

#[test]
fn on_a_branch_where_others_changed_it_theirs_counts_and_on_the_way_back_ones_own() {
    let (place, one, _, id) = shared();
    let file = only_file(&place);
    edit(&file, "Meilisearch", "Solr");
    read_shared(&one).unwrap();
    assert_eq!(contents(&one), ["The catalogue is searched with Solr"]);
    for _ in 0..2 {
        edit(&file, "Solr", "Meilisearch");
        read_shared(&one).unwrap();
        assert_eq!(contents(&one), [TEXT]);
        assert_eq!(get(&one, &id).unwrap()["trust"], "agent");
        edit(&file, "Meilisearch", "Solr");
        read_shared(&one).unwrap();
        assert_eq!(contents(&one), ["The catalogue is searched with Solr"]);
    }
    assert!(history(&one, &id, (Some(20), None)).unwrap()["history"].as_array().unwrap().len() > 3);
}

#[test]
fn a_file_does_not_restore_purged_memories() {
    let (place, one, two, id) = shared();
    let file = only_file(&place);
    // Where it was only read, the team's file stays, and so does the mark that it's deleted here.
    let theirs = recall_memories(&two, &RecallArgs::default()).unwrap()["results"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let deleted = delete(&two, &theirs, true).unwrap();
    assert_eq!(deleted["status"], "tombstoned", "{deleted}");
    assert!(deleted["still_in_repository"][0].as_str().unwrap().ends_with(".md"), "{deleted}");
    assert!(file.exists());
    for _ in 0..2 {
        read_shared(&two).unwrap();
        assert_eq!(contents(&two), Vec::<String>::new());
    }
    restore(&two, &theirs).unwrap();
    assert_eq!(contents(&two), [TEXT]);
    // Deleted and not for good, one's own stays in the repository.
    delete(&one, &id, false).unwrap();
    read_shared(&one).unwrap();
    assert!(file.exists() && contents(&one).is_empty());
    restore(&one, &id).unwrap();
    let deleted = delete(&one, &id, true).unwrap();
    assert_eq!(
        (&deleted["status"], deleted["removed_files"].as_array().unwrap().len()),
        (&json!("purged"), 1)
    );
    assert!(!file.exists());
    read_shared(&one).unwrap();
    assert_eq!(contents(&one), Vec::<String>::new());
    assert_eq!(read_shared(&two).unwrap()["gone"], 1);
}

#[test]
fn deleting_many_for_good_takes_their_files_along_and_leaves_what_others_wrote() {
    let (place, one, _, _) = shared();
    let kept = noted(&one, "Returns are handled by ParcelLab", "context");
    let file = only_file(&place);
    share(&one, &kept).unwrap();
    let others = std::fs::read_dir(file.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| *path != file)
        .unwrap();
    edit(&others, "ParcelLab", "a provider");
    let all =
        DeleteAll { filter: Some("trust:agent".into()), hard: true, confirmed: true, ..DeleteAll::default() };
    let deleted = delete_all(&one, &all).unwrap();
    assert_eq!(
        (&deleted["memories_affected"], deleted["removed_files"].as_array().unwrap().len()),
        (&json!(2), 1)
    );
    assert!(!file.exists() && others.exists());
}

#[test]
fn a_merge_that_left_both_sides_is_reported() {
    let (place, one, _, _) = shared();
    assert!(status(&one).unwrap()["shared"].is_null());
    let file = only_file(&place);
    edit(&file, TEXT, "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x");
    let told = status(&one).unwrap();
    let problem = &told["shared"]["problems"][0];
    assert!(problem["problem"].as_str().unwrap().contains("merge"), "{told}");
    assert!(problem["file"].as_str().unwrap().ends_with(".md"), "{told}");
    assert_eq!(shared_problems(&one).len(), 1);
    assert_eq!(contents(&one), [TEXT]);
}

#[test]
fn a_file_of_another_project_changes_nothing_here() {
    let (place, one, _, id) = shared();
    let mine = Capture {
        content: "I prefer tabs everywhere".into(),
        namespace: "patterns".into(),
        domain: Some("user".into()),
        ..Capture::default()
    };
    let mine = capture(&one, &mine).unwrap()["id"].as_str().unwrap().to_owned();
    let file = only_file(&place);
    let text = std::fs::read_to_string(&file).unwrap();
    // A fork says something else under the same id, and names one of the user's own.
    place.write("fork/.plimsoll/memories/x.md", &text.replace("Meilisearch", "Solr"));
    let spaces = format!("---\nid: {mine}\nnamespace: patterns\n---\nI prefer spaces everywhere\n");
    place.write("fork/.plimsoll/memories/y.md", &spaces);
    let fork = ActionContext {
        root: Some(place.path("fork")),
        project: Some("github.com/evil/fork".into()),
        ..one.clone()
    };
    assert_eq!(read_shared(&fork).unwrap()["changed"], 2);
    for id in [&id, &mine] {
        let there = get(&one, id).unwrap();
        assert_eq!((&there["status"], &there["links"]), (&json!("active"), &Value::Null), "{there}");
    }
    let mut both = contents(&fork);
    both.sort_unstable();
    let solr = "The catalogue is searched with Solr";
    assert_eq!(both, ["I prefer spaces everywhere", "I prefer tabs everywhere", solr]);
    // Under a new address the project has what its tree says, and on the way back what is one's own.
    let renamed = ActionContext { project: Some("github.com/acme/store".into()), ..one.clone() };
    assert_eq!(read_shared(&renamed).unwrap()["changed"], 1);
    assert!(contents(&renamed).contains(&TEXT.to_owned()));
    assert_eq!(read_shared(&one).unwrap()["changed"], 0);
    assert!(contents(&one).contains(&TEXT.to_owned()) && get(&one, &id).unwrap()["trust"] == "agent");
}

#[test]
fn expired_memories_count_as_gone() {
    let place = Place::new();
    let one = place.context();
    let text = "The gate code rotates on Monday";
    let given = Capture {
        content: text.into(),
        namespace: "context".into(),
        ttl: Some("1h".into()),
        ..Capture::default()
    };
    let id = capture(&one, &given).unwrap()["id"].as_str().unwrap().to_owned();
    share(&one, &id).unwrap();
    let at = |name: &str, hours: i64| {
        let database = place.path(&format!("{name}/memory.db"));
        std::fs::create_dir_all(database.parent().unwrap()).unwrap();
        let who = Actor { at_ms: one.who.at_ms + hours * 3_600_000, ..one.who.clone() };
        ActionContext { database, who, ..one.clone() }
    };
    let two = at("second", 0);
    for changed in [1, 0] {
        assert_eq!(read_shared(&two).unwrap()["changed"], changed);
        assert_eq!(contents(&two), [text]);
    }
    let later = at("second", 2);
    assert_eq!(contents(&later), Vec::<String>::new());
    assert_eq!(read_shared(&later).unwrap()["gone"], 1);
    // Who looks only then never has it.
    let three = at("third", 2);
    assert_eq!((&read_shared(&three).unwrap()["read"], contents(&three).len()), (&json!(0), 0));
    // Without an end it counts again.
    let file = only_file(&place);
    let written = std::fs::read_to_string(&file).unwrap();
    let end = written.lines().find(|line| line.starts_with("expires: ")).unwrap();
    edit(&file, &format!("{end}\n"), "");
    for context in [&later, &three] {
        assert_eq!(read_shared(context).unwrap()["changed"], 1);
        assert_eq!(contents(context), [text]);
    }
    edit(&file, "created: ", "expires: next week\ncreated: ");
    let problem = shared_problems(&one)[0].1.clone();
    assert!(problem.contains("expires") && problem.contains("next week"), "{problem}");
}

#[test]
fn a_file_does_not_restore_memories_of_a_purged_project() {
    let (place, one, two, id) = shared();
    let purge = Gc { purge: true, ..Gc::default() };
    delete(&one, &id, false).unwrap();
    assert_eq!(gc(&one, &purge).unwrap()["purged"], 1);
    for _ in 0..2 {
        assert_eq!(read_shared(&one).unwrap()["changed"], 0);
        assert_eq!(contents(&one), Vec::<String>::new());
    }
    // What came from the file keeps the mark that it's deleted here for as long as the file may bring it back.
    let theirs = recall_memories(&two, &RecallArgs::default()).unwrap()["results"][0]["id"].clone();
    delete(&two, theirs.as_str().unwrap(), false).unwrap();
    let collected = gc(&two, &purge).unwrap();
    assert_eq!(collected["purged"], 0);
    assert!(collected["still_in_repository"][0].as_str().unwrap().ends_with(".md"), "{collected}");
    read_shared(&two).unwrap();
    assert_eq!(contents(&two), Vec::<String>::new());
    // Others' changes count, and what was removed still doesn't.
    let file = only_file(&place);
    edit(&file, "Meilisearch", "Solr");
    assert_eq!(read_shared(&one).unwrap()["changed"], 1);
    assert_eq!(contents(&one), ["The catalogue is searched with Solr"]);
    edit(&file, "Solr", "Meilisearch");
    assert_eq!(read_shared(&one).unwrap()["changed"], 1);
    assert_eq!(contents(&one), Vec::<String>::new());
}

/// One's only memory, whatever its state.
fn only_memory(context: &ActionContext) -> Value {
    let asked = RecallArgs { filter: Some("status:any".into()), ..RecallArgs::default() };
    let found = recall_memories(context, &asked).unwrap();
    assert_eq!(found["total"], 1, "{found}");
    get(context, found["results"][0]["id"].as_str().unwrap()).unwrap()
}

#[test]
fn deleting_a_shared_file_deletes_its_memory() {
    let (place, _, two, _) = shared();
    let before = only_memory(&two);
    let moved = place.path("shop/.plimsoll/memories/search.md");
    std::fs::rename(only_file(&place), &moved).unwrap();
    let is_there = |source: &str| {
        let read = read_shared(&two).unwrap();
        assert_eq!(read["gone"], 0, "{read}");
        let memory = only_memory(&two);
        assert_eq!((&memory["id"], &memory["status"]), (&before["id"], &json!("active")));
        assert_eq!(memory["source"], format!(".plimsoll/memories/{source}"));
        read["changed"].clone()
    };
    assert_eq!((is_there("search.md"), is_there("search.md")), (json!(1), json!(0)));
    // Of two files with one text either may go.
    let twin = place.path("shop/.plimsoll/memories/zz.md");
    std::fs::copy(&moved, &twin).unwrap();
    assert_eq!(is_there("search.md"), 0);
    std::fs::remove_file(&moved).unwrap();
    assert_eq!((is_there("zz.md"), is_there("zz.md")), (json!(1), json!(0)));
    // It's shared, so it isn't shared a second time.
    let id = before["id"].as_str().unwrap();
    let refused = share(&two, id).unwrap_err().message;
    assert!(refused.contains("zz.md") && refused.contains("shared already"), "{refused}");
    assert_eq!(only_file(&place), twin);
    // What was deleted here stays deleted under any name.
    delete(&two, id, false).unwrap();
    std::fs::rename(&twin, &moved).unwrap();
    read_shared(&two).unwrap();
    assert_eq!(only_memory(&two)["status"], "tombstoned");
    // With the text of another, a name is another memory's.
    edit(&moved, "Meilisearch", "Solr");
    std::fs::rename(&moved, &twin).unwrap();
    read_shared(&two).unwrap();
    assert_eq!(contents(&two), ["The catalogue is searched with Solr"]);
}

#[test]
fn a_status_quotes_a_bounded_part_of_foreign_files() {
    let place = Place::new();
    let long = format!("---\nnamespace: {}\n---\nx\n", "n\u{7}".repeat(5_000));
    for n in 0..50 {
        place.write(&format!("shop/.plimsoll/memories/{n:02}.md"), &long);
    }
    let told = status(&place.context()).unwrap()["shared"]["problems"].clone();
    assert_eq!(told.as_array().unwrap().len(), 21, "{told}");
    assert_eq!(told[20]["problem"], "30 more files can't be read");
    assert!(told[0]["problem"].as_str().unwrap().contains("namespace \"n n n"), "{told}");
    assert!(told.to_string().len() < 20_000, "{}", told.to_string().len());
}
