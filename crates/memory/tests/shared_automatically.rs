//! The setting `memory.share`: new memories of some namespaces are written into their project's repository, and nothing else.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;
mod world;

use place::{NOW, Place, noted};
use plimsoll_memory::actions::{
    ActionContext, Capture, RecallArgs, capture, decide_review, recall_memories, unshare,
};
use plimsoll_memory::domain::{Domain, Namespace, Status};
use plimsoll_memory::store::{Actor, Draft, Secrets, SqliteStore, Store};
use serde_json::{Value, json};
use world::World;

fn sharing(place: &Place) -> ActionContext {
    ActionContext { shares: vec![Namespace::Decisions], ..place.context() }
}

fn files(place: &Place) -> Vec<String> {
    let folder = std::fs::read_dir(place.path("shop/.plimsoll/memories")).into_iter().flatten().flatten();
    let mut all: Vec<String> = folder.map(|entry| std::fs::read_to_string(entry.path()).unwrap()).collect();
    all.sort_unstable();
    all
}

fn captured(context: &ActionContext, change: impl Fn(&mut Capture)) -> Value {
    let mut given = Capture {
        content: "We release on Tuesdays".into(),
        namespace: "decisions".into(),
        ..Capture::default()
    };
    change(&mut given);
    capture(context, &given).unwrap()
}

#[test]
fn new_memories_of_the_named_kinds_are_shared_and_by_default_none() {
    let place = Place::new();
    assert_eq!(captured(&place.context(), |_| {})["file"], Value::Null);
    assert!(files(&place).is_empty());
    let context = sharing(&place);
    // What was there before isn't new.
    assert_eq!(captured(&context, |_| {})["duplicate"], true);
    assert!(files(&place).is_empty());
    let shared = captured(&context, |given| given.content = "The API has versions".into());
    assert!(shared["file"].as_str().unwrap().starts_with(".plimsoll/memories/decisions-"), "{shared}");
    assert_eq!(files(&place).len(), 1);
    // Switched off, the file stays until somebody takes it away.
    noted(&place.context(), "The cache is in memory", "decisions");
    assert_eq!(files(&place).len(), 1);
    unshare(&place.context(), shared["id"].as_str().unwrap()).unwrap();
    assert!(files(&place).is_empty());
}

#[test]
fn what_others_wrote_what_is_yours_alone_and_secrets_stay_out() {
    let place = Place::new();
    let context = sharing(&place);
    captured(&context, |given| given.namespace = "patterns".into());
    captured(&context, |given| given.domain = Some("user".into()));
    captured(&context, |given| {
        given.content = "A page told to use tabs".into();
        given.source = Some("https://example.org/tabs".into());
    });
    assert!(files(&place).is_empty());
    let token = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    captured(&context, |given| given.content = format!("The deploy token is {token}"));
    let all = files(&place);
    assert!(all.len() == 1 && !all[0].contains(token), "{all:?}");
    // A folder without a repository is shared with nobody.
    std::fs::remove_dir_all(place.path("shop/.git")).unwrap();
    assert_eq!(
        captured(&context, |given| given.content = "The API has versions".into())["file"],
        Value::Null
    );
    assert_eq!(files(&place).len(), 1);
}

#[test]
fn pending_memories_are_shared_once_kept() {
    let place = Place::new();
    let person = ActionContext { who: Actor::local_user(NOW), ..sharing(&place) };
    let mut store = SqliteStore::open(&place.path("memory.db")).unwrap();
    let mut propose = |content: &str| {
        let draft = Draft {
            project: person.project.clone(),
            status: Status::Pending,
            ..Draft::new(content, Namespace::Decisions, Domain::Project)
        };
        store.capture(&draft.check(Secrets::Redact).unwrap(), &person.who).unwrap().memory.id
    };
    let (kept, dropped) = (propose("We release on Tuesdays"), propose("Friday is fine as well"));
    assert!(files(&place).is_empty());
    assert!(decide_review(&person, &kept, true).unwrap()["file"].is_string());
    assert_eq!(decide_review(&person, &dropped, false).unwrap()["file"], Value::Null);
    let all = files(&place);
    assert!(all.len() == 1 && all[0].contains("Tuesdays"), "{all:?}");
    assert_eq!(recall_memories(&person, &RecallArgs::default()).unwrap()["total"], 1);
}

#[test]
fn a_dry_run_shares_nothing_and_says_that_it_will_be_shared() {
    let world = World::at(NOW, "[memory]\nshare = \"decisions\"\n");
    let folder = world.host.root.join(".plimsoll");
    let capture = json!({"action": "capture", "content": "We release on Tuesdays", "namespace": "decisions"});
    let mut asked = capture.clone();
    asked["dry_run"] = true.into();
    // A file's name has the memory's id, which nothing has yet.
    assert_eq!(world.data("memory", asked)["file"], json!(".plimsoll/memories/"));
    assert!(!folder.exists(), "a dry run wrote into the repository");
    let waiting = world.host.root.join("notes.json");
    std::fs::write(&waiting, r#"[{"content": "Fridays are free", "namespace": "decisions"}]"#).unwrap();
    let typed = |words: &[&str], named: Value| world.typed("memory", words, named).unwrap().data;
    typed(&["import", waiting.to_str().unwrap()], json!({"--pending": true}));
    let id = typed(&["review"], json!({}))["pending"][0]["id"].as_str().unwrap().to_owned();
    let would = typed(&["keep", &id], json!({"--dry-run": true}));
    assert!(!folder.exists(), "a dry run wrote into the repository");
    let kept = typed(&["keep", &id], json!({}));
    assert!(kept["file"].is_string() && kept["file"] == would["file"], "{kept} {would}");
    let done = world.data("memory", capture);
    assert!(done["file"].as_str().unwrap().starts_with(".plimsoll/memories/decisions-"), "{done}");
}

#[test]
fn the_setting_is_what_a_command_goes_by() {
    for (settings, shared) in [("", false), ("[memory]\nshare = \"patterns, decisions\"\n", true)] {
        let world = World::at(NOW, settings);
        let words = ["capture", "We release on Tuesdays"];
        let reply = world.typed("memory", &words, json!({"--namespace": "decisions"})).unwrap().data;
        assert_eq!(reply["file"].is_string(), shared, "{reply}");
        assert_eq!(world.host.root.join(".plimsoll").exists(), shared);
    }
}
