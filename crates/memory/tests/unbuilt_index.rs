//! An index that can't be built, because the disk is full or another process writes, delays one recall and no other.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use std::time::{Duration, Instant};

use place::{Place, noted};
use plimsoll_memory::actions::{RecallArgs, recall_memories};
use serde_json::{Value, json};

#[test]
fn an_index_that_cannot_be_built_is_not_tried_at_each_recall() {
    let place = Place::new();
    let context = place.context();
    noted(&context, "The lighthouse is painted in May", "context");
    let recalled = || -> (Value, Duration) {
        let asked = RecallArgs { query: Some("lighthouse".into()), ..RecallArgs::default() };
        let begun = Instant::now();
        (recall_memories(&context, &asked).unwrap(), begun.elapsed())
    };
    let other = rusqlite::Connection::open(&context.database).unwrap();
    other
        .execute_batch("INSERT INTO memory_index(memory_index) VALUES('delete-all'); BEGIN IMMEDIATE")
        .unwrap();
    let (found, waited) = recalled();
    assert!(found["index"].as_str().unwrap().contains("couldn't be built"), "{found}");
    assert!(waited > Duration::from_secs(2), "otherwise this shows nothing: {waited:?}");
    let (found, again) = recalled();
    assert!(found["index"].is_string() && again * 2 < waited, "{found}: {again:?} after {waited:?}");
    other.execute_batch("COMMIT").unwrap();
    drop(other);
    // Whoever writes builds it at once.
    noted(&context, "A lighthouse of a number is lit", "context");
    let (found, _) = recalled();
    assert_eq!((&found["total"], found.get("index")), (&json!(2), None), "{found}");
}
