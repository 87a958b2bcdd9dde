//! What a file says of a memory's state: whether it's in use, until when, and how far to trust it.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{NOW, Place, contents, noted};
use plimsoll_memory::actions::{
    ActionContext, Import, RecallArgs, import, read_shared, recall_memories, share,
};
use plimsoll_memory::domain::{Memory, Trust};
use plimsoll_memory::store::{Actor, SqliteStore, Store as _};
use serde_json::{Value, json};

/// An import doesn't reactivate inactive memories, and unknown states are reported.
#[test]
fn a_state_or_an_end_in_a_file_is_never_lost() {
    let place = Place::new();
    let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
    let take = |path| import(&context, &Import { path, ..Import::default() }).unwrap();
    let entry = |content: &str, key: &str, value: Value| {
        let mut out = json!({"content": content, "namespace": "decisions", "created_at": 1_700_000_000});
        out[key] = value;
        out
    };
    let all = json!([
        entry("ended", "expires_at", json!(1_700_000_100)),
        entry("ended by milliseconds", "expires_at", json!(1_700_000_100_000_i64)),
        entry("ends", "expires_at", json!(1_900_000_000)),
        entry("deleted", "status", json!("Deleted")),
        entry("brought together", "status", json!("consolidated")),
        entry("of a later version", "status", json!("frozen")),
        entry("of no time", "expires_at", json!("soon")),
        entry("of half a time", "expires_at", json!(1.5)),
        entry("of unknown trust", "trust", json!("verified")),
        entry("far away", "expires_at", json!(i64::MAX)),
        entry("without an end", "expires_at", json!("")),
        entry("forever", "expires_at", json!("never")),
        entry("forever as well", "expires_at", json!(0)),
        entry("for some days", "expires_at", json!("30d")),
    ]);
    let reply = take(place.write("others.json", &all.to_string()));
    assert_eq!(reply["imported"], 9, "{reply}");
    let problems: Vec<&str> =
        reply["problems"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(problems.len(), 4, "{problems:?}");
    for (problem, word) in problems.iter().zip(["frozen", "soon", "1.5", "30d"]) {
        assert!(problem.contains(word) && problem.contains("others.json"), "{problem}");
    }
    let list = |filter: &str| contents(&context, filter);
    let kept = ["ends", "far away", "forever", "forever as well", "of unknown trust", "without an end"];
    assert_eq!(list(""), kept);
    assert_eq!(list("status:archived"), ["brought together"]);
    assert_eq!(list("trust:untrusted"), ["of unknown trust"]);
    let table = "content,namespace,created_at,expires_at\nover,apis,1700000000,1700000100\nwhole,apis,,\n\"cut off,apis,,\nand more,apis,,\n";
    let reply = take(place.write("others.csv", table));
    assert_eq!((&reply["imported"], reply["problems"].as_array().unwrap().len()), (&json!(2), 1), "{reply}");
    assert!(reply["problems"][0].as_str().unwrap().contains("never closed"), "{reply}");
    assert_eq!(list("ns:apis"), ["whole"]);
}

/// A single note says it in its front matter.
#[test]
fn a_note_that_ended_does_not_come_back() {
    let place = Place::new();
    let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
    let head = "---\nnamespace: decisions\ncreated: 2023-11-14\n";
    for (name, more, text) in [
        ("over", "expires: 2023-11-15\n", "The gate is broken"),
        ("runs", "expires: 2099-01-01\n", "The lift is new"),
        ("stays", "expires: never\n", "The cellar is dry"),
        ("none", "expires: null\n", "The attic is full"),
        ("odd", "expires: soon\n", "The roof is open"),
        ("period", "expires: 30d\n", "The shed is locked"),
        ("web", "trust: untrusted\n", "The yard is closed"),
        ("wild", "trust: verified\n", "The ramp is steep"),
    ] {
        place.write(&format!("notes/{name}.md"), &format!("{head}{more}---\n{text}\n"));
    }
    let reply = import(&context, &Import { path: place.path("notes"), ..Import::default() }).unwrap();
    assert_eq!((&reply["imported"], reply["problems"].as_array().unwrap().len()), (&json!(6), 2), "{reply}");
    for (at, name) in ["odd", "period"].iter().enumerate() {
        let problem = reply["problems"][at].as_str().unwrap();
        assert!(problem.starts_with(&format!("{name}.md: expires")), "{reply}");
    }
    let asked = RecallArgs { detail: Some("everything".into()), ..Default::default() };
    let found = recall_memories(&context, &asked).unwrap();
    let mut all: Vec<(&str, &Value)> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["content"].as_str().unwrap(), &one["trust"]))
        .collect();
    all.sort_by_key(|(content, _)| *content);
    let untrusted = json!("untrusted");
    assert_eq!(
        all,
        [
            ("The attic is full", &Value::Null),
            ("The cellar is dry", &Value::Null),
            ("The lift is new", &Value::Null),
            ("The ramp is steep", &untrusted),
            ("The yard is closed", &untrusted)
        ]
    );
}

/// A memory that is in the repository and on the team's server has one wording, which its older file doesn't bring back.
#[test]
fn a_file_does_not_restore_text_that_the_team_reworded() {
    let place = Place::new();
    let context = place.context();
    let id = noted(&context, "The queue is RabbitMQ", "decisions");
    share(&context, &id).unwrap();
    let mut store = SqliteStore::open(&context.database).unwrap();
    let mine = store.get(&id).unwrap().unwrap();
    let theirs = Memory {
        content: "The queue is NATS".into(),
        trust: Trust::Repository,
        updated_ms: mine.updated_ms + 1,
        ..mine
    };
    store.adopt(&theirs, Some(&id)).unwrap();
    assert_eq!(store.get(&id).unwrap().unwrap().trust, Trust::Repository);
    drop(store);
    for _ in 0..2 {
        assert_eq!(read_shared(&context).unwrap()["changed"], 0);
        let asked = RecallArgs { detail: Some("everything".into()), ..RecallArgs::default() };
        let found = recall_memories(&context, &asked).unwrap();
        let content = &found["results"][0]["content"];
        assert_eq!((&found["total"], content), (&json!(1), &json!("The queue is NATS")), "{found}");
    }
}

#[test]
fn a_file_without_a_memory_is_reported_as_such() {
    let place = Place::new();
    let context = place.context();
    for (name, text) in [
        ("none.json", "[]"),
        ("empty.json", "{\"memories\": []}"),
        ("none.csv", "content,namespace\n"),
        ("CLAUDE.md", "# Title only\n"),
    ] {
        let path = place.write(name, text);
        let done = import(&context, &Import { path, ..Import::default() }).unwrap();
        let told = (&done["imported"], &done["note"]);
        assert_eq!(told, (&json!(0), &json!("no memory was found in it")), "{name}: {done}");
    }
    let path = place.write("one.json", "[{\"content\": \"Ferries run hourly\", \"namespace\": \"config\"}]");
    // What is imported or known already is something.
    for _ in 0..2 {
        let done = import(&context, &Import { path: path.clone(), ..Import::default() }).unwrap();
        assert!(done.get("note").is_none(), "{done}");
    }
}
