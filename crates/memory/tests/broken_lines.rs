//! Importing a file of one value per line in which some lines are broken: the others come in, and nothing is lost silently.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;
mod world;

use place::{Place, contents};
use plimsoll_memory::actions::{Import, import};
use serde_json::{Value, json};
use world::World;

/// The reference memory server's file, whose writer was killed twice; Plimsoll's and subcog's lines.
const FILES: [(&str, &str, u64, &str); 2] = [
    (
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"Ana\",\"entityType\":\"person\",\"observations\":[\"Ana is in Lisbon\"]}\n\
         {\"type\":\"entity\",\"name\":\"Ac\n\
         \n\
         {\"type\":\"entity\",\"name\":\"Bo\",\"entityType\":\"person\",\"observations\":[\"Bo is in Lyon\"]}\n\
         {\"type\":\"relation\",\"from\":\"Ana\",\"to\":\"Bo\",\"relationType\":\"knows\"}\n\
         {\"type\":\"rel",
        2,
        "2 lines aren't JSON objects and are left out: 2, 6 ",
    ),
    (
        "lines.jsonl",
        "{\"content\":\"Deploys run at noon\",\"namespace\":\"decisions\"}\n\
         <<<<<<< HEAD\n\
         {\"content\":\"Errors name the way out\",\"namespace\":\"patterns\"}\n",
        2,
        "line isn't a JSON object and is left out: 2 ",
    ),
];

#[test]
fn a_broken_line_is_named_and_loses_no_other() {
    for (name, text, imported, named) in FILES {
        let place = Place::new();
        let context = place.context();
        let path = place.write(name, text);
        let preview = Import { path: path.clone(), dry_run: true, ..Import::default() };
        let preview = import(&context, &preview).unwrap();
        assert!(!context.database.exists(), "a preview writes nothing");
        let done = import(&context, &Import { path: path.clone(), ..Import::default() }).unwrap();
        for reply in [&preview, &done] {
            assert_eq!(reply["imported"], imported, "{reply}");
            let problems: Vec<&str> =
                reply["problems"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            assert!(problems.len() == 1 && problems[0].starts_with(name), "{reply}");
            assert!(problems[0].contains(named), "{reply}");
        }
        // Again, as after a correction: what is known isn't duplicated.
        let again = import(&context, &Import { path, ..Import::default() }).unwrap();
        assert_eq!((&again["imported"], &again["duplicates"]), (&json!(0), &json!(imported)), "{again}");
    }
}

#[test]
fn a_line_cut_off_within_a_character_costs_no_other() {
    let place = Place::new();
    let context = place.context();
    let path = place.write("cut.jsonl", "");
    let mut bytes = "{\"content\":\"Kräne sind gelb\"}\n{\"content\":\"whole\"}\n{\"content\":\"Br\u{fc}"
        .as_bytes()
        .to_vec();
    bytes.pop();
    std::fs::write(&path, bytes).unwrap();
    let done = import(&context, &Import { path, ..Import::default() }).unwrap();
    assert!(done["problems"][0].as_str().unwrap().contains("left out: 3"), "{done}");
    assert_eq!(contents(&context, ""), ["Kräne sind gelb", "whole"]);
    // A character that isn't one is in no memory, also where the line could be read otherwise.
    let path = place.write("odd.jsonl", "");
    let text: &[u8] = b"{\"content\":\"one\"}\n{\"content\":\"br\xfccke\"}\n{\"content\":\"two\"}\n";
    std::fs::write(&path, text).unwrap();
    let done = import(&context, &Import { path, ..Import::default() }).unwrap();
    assert!(done["problems"][0].as_str().unwrap().contains("left out: 2"), "{done}");
    assert_eq!(contents(&context, "").len(), 4);
    // The same as a shell of Windows writes it.
    let path = place.write("windows.jsonl", "");
    let text = b"\xef\xbb\xbf{\"content\":\"three\"}\r\n{\"content\":\"br\xfccke\"}\r\n";
    std::fs::write(&path, text).unwrap();
    let done = import(&context, &Import { path, ..Import::default() }).unwrap();
    assert!(done["problems"][0].as_str().unwrap().contains("left out: 2"), "{done}");
    assert_eq!(contents(&context, "").len(), 5);
    // A whole line may have the sign that lost characters are replaced by, or the mark of a file that was appended.
    let path = place.write("joined.jsonl", "");
    let text = b"{\"content\":\"lost ones are \xef\xbf\xbd\"}\n{\"content\":\"br\xfccke\"}\n\xef\xbb\xbf{\"content\":\"four\"}\n";
    std::fs::write(&path, text).unwrap();
    let done = import(&context, &Import { path, ..Import::default() }).unwrap();
    assert!(done["problems"][0].as_str().unwrap().contains("left out: 2;"), "{done}");
    assert_eq!(contents(&context, "").len(), 7);
}

/// Guessing what another form may mean would take in a part only.
#[test]
fn a_damaged_file_of_another_form_is_refused_at_its_place() {
    let place = Place::new();
    let context = place.context();
    for (name, text, word) in [
        ("list.json", "[\n{\"content\":\"a\"},\n{\"content\":\"b\"}\n{\"content\":\"c\"}\n]\n", "line 4"),
        (
            "object.json",
            "{\n  \"memories\": [\n    {\"content\": \"a\"}\n    {\"content\": \"b\"}\n  ],\n}\n",
            "line 4",
        ),
        ("one.json", "{\"content\": \"a\"", "line 1"),
        ("mostly.jsonl", "{\"content\":\"a\"}\nnothing\nof\nit\n", "line 2"),
    ] {
        let path = place.write(name, text);
        let refused = import(&context, &Import { path, ..Import::default() }).unwrap_err();
        assert!(refused.message.contains(word), "{name}: {}", refused.message);
    }
    assert!(!context.database.exists());
}

#[test]
fn entries_that_say_nothing_are_named_with_their_place() {
    let place = Place::new();
    let text = "{\"content\":\"a\"}\n{\"type\":\"entity\"}\n{\"type\":\"relation\",\"from\":\"x\"}\n{\"namespace\":\"apis\"}\n";
    let path = place.write("x.jsonl", text);
    let done = import(&place.context(), &Import { path, ..Import::default() }).unwrap();
    for (problem, place) in done["problems"].as_array().unwrap().iter().zip(["line 2", "line 3", "line 4"]) {
        assert!(problem.as_str().unwrap().starts_with(&format!("x.jsonl, {place}: ")), "{done}");
    }
    assert_eq!((&done["imported"], done["problems"].as_array().unwrap().len()), (&json!(1), 3), "{done}");
}

/// A relation whose end was in the broken line is counted, and comes in with the corrected file.
#[test]
fn a_relation_without_its_target_is_counted_and_imported_later() {
    let place = Place::new();
    let context = place.context();
    let whole = "{\"type\":\"entity\",\"name\":\"Ana\",\"observations\":[]}\n{\"type\":\"entity\",\"name\":\"Bo\",\"observations\":[]}\n\
                 {\"type\":\"relation\",\"from\":\"Ana\",\"to\":\"Bo\",\"relationType\":\"uses\"}\n";
    let path = place.write("memory.jsonl", &whole.replace("\"name\":\"Bo\"", "\"name\":\"Bo"));
    for dry_run in [true, false] {
        let given = Import { path: path.clone(), dry_run, ..Import::default() };
        let done = import(&context, &given).unwrap();
        assert_eq!(
            (&done["relationships"], &done["relationships_left_out"]),
            (&json!(0), &json!(1)),
            "{done}"
        );
    }
    let only = whole.lines().last().unwrap();
    let path = place.write("memory.jsonl", whole);
    let done = import(&context, &Import { path: path.clone(), ..Import::default() }).unwrap();
    assert_eq!((&done["relationships"], done.get("relationships_left_out")), (&json!(1), None), "{done}");
    // A file of relations alone is about what is there.
    std::fs::write(&path, only).unwrap();
    let done = import(&context, &Import { path, ..Import::default() }).unwrap();
    assert_eq!(done["relationships"], 1, "{done}");
}

#[test]
fn agents_and_terminals_are_told_the_lines() {
    let world = World::new();
    let path = world.host.root.join("memory.jsonl");
    std::fs::write(&path, FILES[0].1).unwrap();
    let path = path.to_str().unwrap();
    for dry_run in [true, false] {
        let told =
            world.call("memory", json!({"action": "import", "path": path, "dry_run": dry_run})).unwrap();
        assert!(told.text.contains("left out: 2, 6 "), "{}", told.text);
    }
    let told = world.typed("memory", &["import", path], json!({})).unwrap();
    assert!(told.text.contains("left out: 2, 6 ") && told.text.contains("duplicates: 2"), "{}", told.text);
}
