//! What a caller's rules hide of the files that a repository shares, it isn't given after the file is gone either.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, contents};
use plimsoll_memory::actions::{
    ActionContext, RecallArgs, SharedRules, delete, read_shared, recall_memories,
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
