//! What a caller's rules hide of the files that a repository shares, it isn't given after the file is gone either.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, contents};
use plimsoll_memory::actions::{
    ActionContext, Capture, EntityArgs, RecallArgs, SharedRules, capture, delete, get_entity, list_entities,
    read_shared, recall_memories, refresh_shared,
};
use plimsoll_memory::store::Actor;
use serde_json::json;
use system::Readable;

/// An agent whose rules hide one of the files.
fn agent(place: &Place) -> ActionContext {
    let readable = Readable::new(|path| !path.ends_with("decisions-secret.md"));
    let rules = SharedRules::new(&place.path("shop"), readable);
    ActionContext { shared_rules: Some(rules), ..place.context() }
}

fn user(place: &Place) -> ActionContext {
    ActionContext { who: Actor::local_user(place::NOW), ..place.context() }
}

#[test]
fn what_a_file_had_that_is_gone_stays_hidden() {
    let place = Place::new();
    let file = |name: &str, text: &str| {
        let text = format!("---\nnamespace: decisions\n---\n{text}\n");
        place.write(&format!("shop/.plimsoll/memories/decisions-{name}.md"), &text)
    };
    let secret = file("secret", "The walrus guards the key");
    let open = file("open", "The gate opens at nine");
    assert_eq!(read_shared(&user(&place)).unwrap()["changed"], 2);
    assert_eq!(contents(&agent(&place), ""), ["The gate opens at nine"]);
    // As on a branch without them: what they had is out of use.
    for path in [&secret, &open] {
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(read_shared(&user(&place)).unwrap()["gone"], 2);
    let all = ["The gate opens at nine", "The walrus guards the key"];
    assert_eq!(contents(&user(&place), "status:any"), all);
    assert_eq!(contents(&agent(&place), "status:any"), all[..1]);
    let asked = RecallArgs {
        query: Some("walrus".into()),
        filter: Some("status:any".into()),
        ..RecallArgs::default()
    };
    let found = recall_memories(&agent(&place), &asked).unwrap();
    assert_eq!((&found["total"], found.get("shared").is_some()), (&json!(0), false), "{found}");
    let found = recall_memories(&user(&place), &asked).unwrap();
    let id = found["results"][0]["id"].as_str().unwrap();
    assert_eq!(delete(&agent(&place), id, true).unwrap_err().number, -32604);
}

/// A name that only a hidden file has is a part of what it says.
#[test]
fn what_only_a_hidden_file_names_is_not_in_the_graph() {
    let place = Place::new();
    let file = |name: &str, text: &str| {
        let text = format!("---\nnamespace: decisions\n---\n{text}\n");
        place.write(&format!("shop/.plimsoll/memories/decisions-{name}.md"), &text)
    };
    let secret = file("secret", "The ledger uses MongoDB and Kafka");
    file("open", "The gate uses Kafka and Redis");
    read_shared(&user(&place)).unwrap();
    let names = |context: &ActionContext| -> Vec<String> {
        let all = list_entities(context, &EntityArgs::default()).unwrap();
        let all = all["entities"].as_array().unwrap().iter();
        let mut names: Vec<String> = all.map(|one| one["name"].as_str().unwrap().to_owned()).collect();
        names.retain(|name| ["Kafka", "MongoDB", "Redis"].contains(&name.as_str()));
        names.sort();
        names
    };
    assert_eq!(names(&user(&place)), ["Kafka", "MongoDB", "Redis"]);
    assert_eq!(names(&agent(&place)), ["Kafka", "Redis"]);
    let asked = EntityArgs { name: Some("MongoDB".into()), ..EntityArgs::default() };
    assert!(get_entity(&user(&place), &asked).is_ok());
    assert_eq!(get_entity(&agent(&place), &asked).unwrap_err().number, -32604);
    // Also where the file is gone.
    std::fs::remove_file(secret).unwrap();
    assert_eq!(names(&agent(&place)), ["Kafka", "Redis"]);
}

/// So is what it says of two names that others have as well, each by itself.
#[test]
fn what_only_a_hidden_file_relates_is_not_in_the_graph() {
    let place = Place::new();
    for (name, text) in [
        ("secret", "Kafka replaced Redis"),
        ("gate", "The gate uses Kafka"),
        ("log", "The log uses Redis"),
        ("open", "Kafka replaced MongoDB"),
    ] {
        let text = format!("---\nnamespace: decisions\n---\n{text}\n");
        place.write(&format!("shop/.plimsoll/memories/decisions-{name}.md"), &text);
    }
    read_shared(&user(&place)).unwrap();
    let relations = |context: &ActionContext| {
        let asked = EntityArgs { name: Some("Kafka".into()), ..EntityArgs::default() };
        get_entity(context, &asked).unwrap()["relationships"].as_array().unwrap().len()
    };
    assert_eq!(relations(&user(&place)), 2);
    assert_eq!(relations(&agent(&place)), 1);
}

/// What a process knows of the files that there were is looked up again when something changed.
#[test]
fn a_file_that_came_later_is_hidden_too() {
    let place = Place::new();
    let reader = agent(&place);
    let given = Capture {
        content: "The gate opens at nine".into(),
        namespace: "decisions".into(),
        ..Capture::default()
    };
    capture(&reader, &given).unwrap();
    assert_eq!(contents(&reader, "status:any"), ["The gate opens at nine"]);
    let text = "---\nnamespace: decisions\n---\nThe walrus guards the key\n";
    let path = place.write("shop/.plimsoll/memories/decisions-secret.md", text);
    read_shared(&user(&place)).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(contents(&user(&place), "status:any").len(), 2);
    assert_eq!(contents(&agent(&place), "status:any"), ["The gate opens at nine"]);
}

/// Another work tree of the project has the file and keeps its text in use; or nobody has looked since the branch changed.
#[test]
fn what_is_still_in_use_stays_hidden_where_its_file_is_gone() {
    let place = Place::new();
    let secret = "The walrus guards the key of the harbour gate with nine herons and two otters";
    let path = place.write(
        "shop/.plimsoll/memories/decisions-secret.md",
        &format!("---\nnamespace: decisions\n---\n{secret}\n"),
    );
    read_shared(&user(&place)).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(contents(&user(&place), ""), [secret], "it's in use");
    assert_eq!(contents(&agent(&place), ""), [""; 0]);
    let given =
        Capture { content: format!("{secret} tonight"), namespace: "decisions".into(), ..Capture::default() };
    assert!(capture(&agent(&place), &given).unwrap().get("similar").is_none());
    let given = Capture { content: format!("{} again", given.content), ..given };
    let similar = capture(&user(&place), &given).unwrap()["similar"].as_array().unwrap().len();
    assert_eq!(similar, 2, "otherwise this shows nothing");
    // Whoever looked at the folder knows that it's out of use.
    let agent = agent(&place);
    refresh_shared(&agent);
    assert!(!contents(&agent, "").contains(&secret.to_owned()));
    assert!(!contents(&user(&place), "").contains(&secret.to_owned()));
}
