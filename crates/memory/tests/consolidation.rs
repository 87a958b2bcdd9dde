//! Bringing together what says nearly the same, and enriching.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted};
use plimsoll_memory::actions::{
    Capture, Consolidate, Enrich, Recollect, capture, consolidate, enrich, get, history, recollect,
};
use serde_json::{Value, json};

fn given(strategy: &str, dry_run: bool) -> Consolidate {
    Consolidate {
        namespace: "decisions".into(),
        strategy: Some(strategy.into()),
        dry_run,
        ..Consolidate::default()
    }
}

fn listed(desk: &plimsoll_memory::actions::Desk) -> u64 {
    recollect(desk, &Recollect::default()).unwrap()["total"].as_u64().unwrap()
}

/// The specification's shape.
#[test]
fn merging_looks_first_and_keeps_every_statement() {
    let place = Place::new();
    let desk = place.desk();
    let tagged = |content: &str, tag: &str| {
        let given = Capture {
            content: content.into(),
            namespace: "decisions".into(),
            tags: vec![tag.into()],
            ..Capture::default()
        };
        capture(&desk, &given).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let one = tagged("Use PostgreSQL for primary storage because of JSONB", "db");
    let two = tagged("Use PostgreSQL for the primary storage because of JSONB\nBackups run at 02:00", "ops");
    noted(&desk, "Queues are NATS", "decisions");
    noted(&desk, "Use PostgreSQL for primary storage because of JSONB", "config");
    let preview = consolidate(&desk, &given("merge", true)).unwrap();
    assert_eq!((&preview["groups_found"], &preview["dry_run"]), (&json!(1), &json!(true)));
    let group = &preview["candidate_merges"][0];
    assert_eq!(group["memories"], json!([two, one]));
    assert!(group["similarity"].as_f64().unwrap() >= 0.5);
    let proposed = "Use PostgreSQL for the primary storage because of JSONB\nBackups run at 02:00";
    assert_eq!(group["proposed_content"], proposed);
    assert_eq!(listed(&desk), 4);
    let done = consolidate(&desk, &given("merge", false)).unwrap();
    let id = done["candidate_merges"][0]["id"].as_str().unwrap();
    let whole = get(&desk, id).unwrap();
    assert_eq!(whole["content"], proposed);
    assert_eq!(listed(&desk), 3);
    let old: Value = get(&desk, &one).unwrap();
    assert_eq!(old["status"], "superseded");
    // Twice is once.
    assert_eq!(consolidate(&desk, &given("merge", false)).unwrap()["groups_found"], 0);
}

#[test]
fn of_what_says_the_same_the_newest_stays() {
    let place = Place::new();
    let desk = place.desk();
    let one = noted(&desk, "Use PostgreSQL for primary storage of everything in this shop", "decisions");
    let two = noted(&desk, "use postgresql for primary storage of everything in this shop!", "decisions");
    noted(&desk, "Use PostgreSQL for primary storage", "decisions");
    let done = consolidate(&desk, &given("dedupe", false)).unwrap();
    assert_eq!(done["candidate_merges"][0]["id"], two);
    assert_eq!((listed(&desk), &get(&desk, &one).unwrap()["status"]), (2, &json!("superseded")));
}

#[test]
fn what_needs_a_model_says_so_and_others_memories_are_never_one() {
    let place = Place::new();
    let desk = place.desk();
    assert_eq!(consolidate(&desk, &given("summarize", false)).unwrap_err().number, -32606);
    assert!(
        consolidate(&desk, &given("fold", false)).unwrap_err().message.contains("merge, summarize, dedupe")
    );
    let odd = Consolidate { namespace: "decison".into(), ..Consolidate::default() };
    assert!(consolidate(&desk, &odd).unwrap_err().message.contains("decisions"));
    noted(&desk, "Use PostgreSQL for primary storage", "decisions");
    let mine = Capture {
        content: "use postgresql for primary storage".into(),
        namespace: "decisions".into(),
        domain: Some("user".into()),
        ..Capture::default()
    };
    capture(&desk, &mine).unwrap();
    assert_eq!(consolidate(&desk, &given("merge", true)).unwrap()["groups_found"], 0);
}

/// Row 22 of the promises: it really changes the memory, and the history shows what was.
#[test]
fn enriching_adds_tags_form_and_context_and_changes_no_word() {
    let place = Place::new();
    let desk = place.desk();
    let content = "Storage:\n\n\n\n* pg, for JSONB   \n* Redis for sessions\n```\n* code\n```\n";
    let given = Capture {
        content: content.into(),
        namespace: "decisions".into(),
        tags: vec!["redis".into()],
        source: Some("ARCHITECTURE.md".into()),
        ..Capture::default()
    };
    let id = capture(&desk, &given).unwrap()["id"].as_str().unwrap().to_owned();
    let reply = enrich(&desk, &id, &Enrich { context: true, ..Enrich::default() }).unwrap();
    assert_eq!(reply["memory_id"], id);
    let changes = &reply["changes"];
    assert_eq!(
        (&changes["tags_added"], &changes["structure_improved"]),
        (&json!(["postgresql", "jsonb"]), &json!(true))
    );
    assert_eq!(changes["context_added"], "Context: about ARCHITECTURE.md, noted on 2027-01-15.");
    let whole = get(&desk, &id).unwrap();
    assert_eq!(
        whole["content"],
        "Storage:\n\n- pg, for JSONB\n- Redis for sessions\n```\n* code\n```\n\nContext: about ARCHITECTURE.md, noted on 2027-01-15."
    );
    assert_eq!(whole["tags"], json!(["redis", "postgresql", "jsonb"]));
    let steps = history(&desk, &id, None).unwrap();
    assert_eq!(steps["history"][1]["content"], content);
    // Again there is nothing left to do.
    let again = enrich(&desk, &id, &Enrich { context: true, ..Enrich::default() }).unwrap();
    assert_eq!(again["changes"], json!({"tags_added": [], "structure_improved": false}));
    assert_eq!(history(&desk, &id, None).unwrap()["history"].as_array().unwrap().len(), 2);
    assert_eq!(enrich(&desk, "dc58d23a", &Enrich::default()).unwrap_err().number, -32604);
}
