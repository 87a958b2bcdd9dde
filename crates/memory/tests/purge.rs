//! A purge of a project or of everything forgets saved prompts and the graph, too: each is counted first, and stays in no byte.

#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use plimsoll_memory::SYSTEM;
use serde_json::{Value, json};
use system::DataScope;
use world::World;

/// A remote, so that what is saved is also recorded for others.
fn world() -> World {
    let world = World::new();
    let config = "[remote \"origin\"]\n\turl = https://example.org/acme/shop.git\n";
    std::fs::write(world.host.root.join(".git/config"), config).unwrap();
    world
}

fn save_prompt(world: &World, domain: &str, word: &str) {
    for n in 0..2 {
        let content = format!("Version {n} for the {word}");
        let given = json!({"action": "save", "name": word, "content": content, "domain": domain});
        world.data("prompt", given);
    }
}

fn relate(world: &World, from: &str, to: &str) {
    for name in [from, to] {
        let properties = json!({"note": format!("{name} nests here")});
        let given =
            json!({"action": "add_entity", "entity": name, "type": "Concept", "properties": properties});
        world.data("graph", given);
    }
    world.data("graph", json!({"action": "relate", "entity": from, "to": to, "type": "Uses"}));
}

fn counts(found: &[system::PurgedData]) -> Vec<(&'static str, u64)> {
    found.iter().filter(|one| one.number > 0).map(|one| (one.what, one.number)).collect()
}

/// Whether a file of the database has the word.
fn is_kept(world: &World, word: &str) -> bool {
    let files = std::fs::read_dir(world.host.home.root()).unwrap().flatten().map(|entry| entry.path());
    let of_memory = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("memory.db"));
    of_memory
        .map(|path| std::fs::read(path).unwrap())
        .any(|bytes| bytes.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes())))
}

#[test]
fn a_purge_forgets_prompts_and_the_graph_as_well() {
    let world = world();
    let purge = SYSTEM.purge.unwrap();
    save_prompt(&world, "project", "walrus");
    save_prompt(&world, "user", "puffin");
    relate(&world, "Heron", "Egret");
    let content = "The heron and the egret fish";
    let given = json!({"action": "capture", "content": content, "namespace": "context", "domain": "project"});
    world.data("memory", given);
    let project = DataScope::Project(world.host.root.clone());
    let session = DataScope::Session("none".into());
    assert!(counts(&(purge.preview)(&world.host.home, &session).unwrap()).is_empty());
    for word in ["walrus", "puffin", "egret"] {
        assert!(is_kept(&world, word), "{word}: otherwise this shows nothing");
    }
    let of_project = [("memories", 1), ("prompts", 1), ("entities", 2), ("relations", 1)];
    for (which, expected) in [(&project, &of_project[..]), (&DataScope::All, &[("prompts", 1)][..])] {
        let shown = (purge.preview)(&world.host.home, which).unwrap();
        assert_eq!(counts(&shown), expected, "{which:?}");
        assert_eq!((purge.delete)(&world.host.home, which).unwrap(), shown, "{which:?}");
        assert!(counts(&(purge.preview)(&world.host.home, which).unwrap()).is_empty(), "{which:?}");
        for word in ["walrus", "egret"] {
            assert!(!is_kept(&world, word), "{which:?}: {word}");
        }
        assert_eq!(
            is_kept(&world, "puffin"),
            *which == project,
            "what is yours in every project isn't the project's"
        );
    }
    let left = |tool: &str, action: &str| world.data(tool, json!({"action": action}))["total"].clone();
    assert_eq!((left("prompt", "list"), left("graph", "entities")), (json!(0), json!(0)));
}

/// What is everybody's and what another project has isn't this project's.
#[test]
fn a_purge_of_a_project_leaves_the_others() {
    let world = world();
    relate(&world, "Heron", "Egret");
    let elsewhere = tempfile::tempdir().unwrap();
    let purge = SYSTEM.purge.unwrap();
    let other = DataScope::Project(elsewhere.path().to_owned());
    assert!(counts(&(purge.delete)(&world.host.home, &other).unwrap()).is_empty());
    let entities: Value = world.data("graph", json!({"action": "entities"}));
    assert_eq!(entities["total"], 2, "{entities}");
}
