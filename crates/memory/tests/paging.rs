//! Lists of the graph and of saved prompts, page by page: everything is visited once, in one order, and a page says where the
//! next one begins.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use serde_json::{Value, json};
use world::World;

/// Five entities that one memory mentions as often as the others, each related to the first.
fn populate(world: &World) {
    for n in 0..5 {
        let name = format!("Heron {n}");
        world.data("graph", json!({"action": "add_entity", "entity": name, "type": "Concept"}));
        let text = json!({"action": "save", "name": format!("heron-{n}"), "content": "say {{x}}"});
        world.data("prompt", text);
    }
    for n in 1..5 {
        let given =
            json!({"action": "relate", "entity": "Heron 0", "to": format!("Heron {n}"), "type": "Uses"});
        world.data("graph", given);
    }
}

#[test]
fn pages_visit_everything_once_and_name_the_next() {
    let world = World::new();
    populate(&world);
    for (tool, asked, list, key, total) in [
        ("graph", json!({"action": "entities"}), "entities", "id", 5),
        ("graph", json!({"action": "relationships"}), "relationships", "id", 4),
        ("graph", json!({"action": "neighbors", "entity": "Heron 0"}), "neighbors", "id", 4),
        ("prompt", json!({"action": "list"}), "prompts", "name", 5),
    ] {
        let of = |page: &Value| -> Vec<String> {
            page[list].as_array().unwrap().iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
        };
        let whole = of(&world.data(tool, asked.clone()));
        assert_eq!(whole.len(), total, "{tool} {list}");
        let (mut seen, mut offset) = (Vec::new(), None);
        for _ in 0..=total {
            let mut given = asked.clone();
            given["limit"] = 2.into();
            if let Some(offset) = offset {
                given["offset"] = offset;
            }
            let page = world.data(tool, given);
            assert_eq!(page["total"], total, "{tool} {list}");
            seen.extend(of(&page));
            offset = page.get("next_offset").cloned();
            if offset.is_none() {
                break;
            }
        }
        assert_eq!(seen, whole, "{tool} {list}");
        let mut beyond = asked;
        beyond["offset"] = 50.into();
        let page = world.data(tool, beyond);
        assert_eq!((of(&page).len(), page.get("next_offset")), (0, None), "{tool} {list}");
    }
}

/// A memory that was changed often has more of a history than fits on a page.
#[test]
fn a_long_history_has_pages_too() {
    let world = World::new();
    let given = json!({"action": "capture", "content": "Version 0 of the plan", "namespace": "decisions"});
    let id = world.data("memory", given)["id"].as_str().unwrap().to_owned();
    for n in 1..6 {
        world.data(
            "memory",
            json!({"action": "update", "id": id, "content": format!("Version {n} of the plan")}),
        );
    }
    let (mut seen, mut offset) = (Vec::new(), 0);
    loop {
        let given = json!({"action": "history", "id": id, "limit": 4, "offset": offset});
        let page = world.data("memory", given);
        let steps = page["history"].as_array().unwrap();
        seen.extend(steps.iter().map(|step| step["version"].as_u64().unwrap()));
        let Some(next) = page["next_offset"].as_u64() else { break };
        assert_eq!((next, steps.len()), (seen.len() as u64, 4));
        offset = next;
    }
    assert_eq!(seen, [6, 5, 4, 3, 2, 1]);
    let whole = world.data("memory", json!({"action": "history", "id": id}));
    assert_eq!((whole["history"].as_array().unwrap().len(), whole.get("next_offset")), (6, None));
}

#[test]
fn a_terminal_takes_an_offset_too() {
    let world = World::new();
    populate(&world);
    for (verb, words, list) in [
        ("graph", vec!["entities"], "entities"),
        ("graph", vec!["relationships"], "relationships"),
        ("graph", vec!["neighbors", "Heron 0"], "neighbors"),
        ("prompt", vec!["list"], "prompts"),
    ] {
        let reply = world.typed(verb, &words, json!({"--limit": "2", "--offset": "1"})).unwrap();
        assert_eq!(reply.data[list].as_array().unwrap().len(), 2, "{verb} {words:?}");
        assert_eq!(reply.data["next_offset"], 3, "{verb} {words:?}");
        assert!(reply.text.contains("next offset: 3"), "{verb} {words:?}: {}", reply.text);
    }
}

/// The numbers of a database end earlier than those that can be typed.
#[test]
fn a_page_far_beyond_the_last_is_empty_and_no_damage() {
    let world = World::new();
    world.data("memory", json!({"action": "capture", "content": "Use tabs", "namespace": "decisions"}));
    for asked in [json!({"action": "recall"}), json!({"action": "recall", "query": "tabs"})] {
        for number in [i64::MAX.unsigned_abs(), u64::MAX] {
            let mut given = asked.clone();
            given["offset"] = number.into();
            given["limit"] = number.into();
            let page = world.data("memory", given);
            assert_eq!(page["results"].as_array().map(Vec::len), Some(0), "{asked}: {page}");
        }
    }
}
