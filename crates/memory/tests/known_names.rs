//! A name that somebody gave an entity by hand links it with the memories that say it, whether a rule knows such names or not.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted};
use plimsoll_memory::actions::{
    ActionContext, EntityArgs, GraphArgs, RecallArgs, RelationArgs, Update, create_entity, create_relation,
    delete_entity, delete_relation, graph_stats, neighbors, recall_memories, reindex, update,
};

fn save_entity(context: &ActionContext, name: &str, aliases: &[&str]) {
    let given = EntityArgs {
        name: Some(name.into()),
        entity_type: Some("concept".into()),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        ..EntityArgs::default()
    };
    create_entity(context, &given).unwrap();
}

fn linked(context: &ActionContext, name: &str) -> Vec<String> {
    let asked = GraphArgs { entity: Some(name.into()), ..GraphArgs::default() };
    let around = neighbors(context, &asked).unwrap();
    let memories = around["memories"].as_array().cloned().unwrap_or_default();
    let mut all: Vec<String> = memories.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    all.sort();
    all
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort();
    all
}

#[test]
fn memories_from_before_and_after_are_linked_and_others_are_not() {
    let place = Place::new();
    let context = place.context();
    let before = noted(&context, "the payment gateway is down at noon, says the log", "learnings");
    noted(&context, "a payment for the gateway is due", "context");
    noted(&context, "The payments gateways of others are not ours", "context");
    save_entity(&context, "Payment Gateway", &["PGW"]);
    assert_eq!(linked(&context, "Payment Gateway"), std::slice::from_ref(&before));
    let after = noted(&context, "Restart the pgw after each deploy", "patterns");
    let named_whole = noted(&context, "(Payment gateway)'s port is 8443", "config");
    assert_eq!(
        linked(&context, "payment gateway"),
        sorted(vec![before.clone(), after.clone(), named_whole.clone()])
    );
    // A filter by the entity uses it.
    let asked = RecallArgs { entity: Some("PGW".into()), ..RecallArgs::default() };
    assert_eq!(recall_memories(&context, &asked).unwrap()["total"], 3);
    // It goes with the words, and a project that doesn't know the name has no part in it.
    let change = Update { content: Some("Restart it after each deploy".into()), ..Update::default() };
    update(&context, &after, &change).unwrap();
    reindex(&context).unwrap();
    assert_eq!(linked(&context, "Payment Gateway"), sorted(vec![before, named_whole]));
    let elsewhere = place.elsewhere();
    noted(&elsewhere, "the payment gateway of this app", "context");
    reindex(&context).unwrap();
    assert_eq!(linked(&context, "Payment Gateway").len(), 2);
}

/// A name of several words is looked up as a whole; its words apart from each other aren't the name.
#[test]
fn a_question_with_a_name_of_several_words_finds_its_other_names() {
    let place = Place::new();
    let context = place.context();
    save_entity(&context, "Zed DB", &["zedb"]);
    save_entity(&context, "Old Tide Table", &["ott"]);
    noted(&context, "zedb holds the harbour's plans since May", "decisions");
    noted(&place.desk_in("s2"), "ott is printed in June", "context");
    for (question, total) in [
        ("Zed DB", 1),
        ("what does Zed DB hold?", 1),
        ("the old tide table", 1),
        ("the DB of Zed", 0),
        ("an old table", 0),
    ] {
        let asked = RecallArgs { query: Some(question.into()), ..RecallArgs::default() };
        let found = recall_memories(&context, &asked).unwrap();
        assert_eq!(found["total"], total, "{question}: {found}");
    }
}

/// An accent may be in its letter or a character of its own, as a Mac's file names have it: both are one name and one word, and
/// each is kept as it was written.
#[test]
fn separate_accents_make_one_name_and_one_word() {
    let pairs = [
        ("École", "E\u{301}cole"),
        ("Йод", "И\u{306}од"),
        ("한국어", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}\u{110b}\u{1165}"),
    ];
    for (composed, decomposed) in pairs {
        for (first, second) in [(composed, decomposed), (decomposed, composed)] {
            let place = Place::new();
            let context = place.context();
            save_entity(&context, first, &[]);
            save_entity(&context, second, &[]);
            let all = graph_stats(&context).unwrap();
            assert_eq!(all["entity_count"], 1, "{first}: {all}");
            let text = format!("The {first} opens at nine");
            let id = noted(&context, &text, "decisions");
            assert_eq!(linked(&context, second), [id], "{first}");
            let asked = RecallArgs { query: Some(second.into()), ..RecallArgs::default() };
            let found = recall_memories(&context, &asked).unwrap();
            assert_eq!(found["total"], 1, "{first}: {found}");
            assert!(found["results"][0]["content"].to_string().contains(first), "{first}: {found}");
        }
    }
}

/// An id is in an address that somebody may have kept, so one that an earlier version made is found by what it made.
#[test]
fn an_id_from_before_is_still_found() {
    const ID: &str = "entity_\u{1112}\u{1161}\u{11ab}_md";
    let place = Place::new();
    let context = place.context();
    let id = noted(&context, "The tide table is printed in May", "context");
    let db = home::open_db(&place.path("memory.db"), plimsoll_memory::store::MIGRATIONS).unwrap();
    db.execute_batch(&format!(
        "INSERT INTO entities(row, id, project, kind, name, aliases, properties, confidence, created_ms)
         VALUES (99, '{ID}', '', 'File', '\u{1112}\u{1161}\u{11ab}.md', '[]', '{{}}', 0.9, 5);
         INSERT INTO mentions(entity, memory) SELECT 99, row FROM memories WHERE id = '{id}';"
    ))
    .unwrap();
    drop(db);
    assert_eq!(linked(&context, ID), std::slice::from_ref(&id));
    let asked = RecallArgs { entity: Some(ID.into()), ..RecallArgs::default() };
    assert_eq!(recall_memories(&context, &asked).unwrap()["total"], 1);
}

/// Nobody can bring either back, so neither stays in a page that nothing refers to.
#[test]
fn what_is_removed_from_a_graph_is_in_no_page_of_the_file() {
    let place = Place::new();
    // What a team shares is named by its id, so that others remove it, too.
    let context = ActionContext { project: Some("local/quay-0123456789abcdef".into()), ..place.context() };
    save_entity(&context, "Quay", &[]);
    save_entity(&context, "Numbatwharf", &[]);
    let related = RelationArgs {
        from: Some("Quay".into()),
        to: Some("Numbatwharf".into()),
        relationship_type: Some("uses".into()),
        ..RelationArgs::default()
    };
    let id = create_relation(&context, &related).unwrap()["id"].as_str().unwrap().to_owned();
    let is_there = || {
        let bytes = std::fs::read(&context.database).unwrap();
        bytes.windows(11).any(|part| part.eq_ignore_ascii_case(b"numbatwharf"))
    };
    assert!(is_there());
    delete_relation(&context, &RelationArgs { id: Some(id), ..RelationArgs::default() }).unwrap();
    delete_entity(&context, &EntityArgs { id: Some("Numbatwharf".into()), ..EntityArgs::default() }).unwrap();
    assert!(!is_there());
}
