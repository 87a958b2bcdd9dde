//! Memories from a repository's shared files at a session's start, before and after a server has read them.

use super::tests::{NOW, World};
use super::*;
use crate::actions::{ActionContext, read_shared};
use crate::store::Actor;

fn file(world: &World, name: &str, text: &str) {
    let folder = world.root().join(SHARED_FOLDER);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

fn shared(id: &str, namespace: &str, created: &str, content: &str) -> String {
    format!("---\nid: {id}\nnamespace: {namespace}\ncreated: {created}\n---\n\n{content}\n")
}

fn context(world: &World) -> ActionContext {
    let project = Project::at(&world.root()).unwrap();
    ActionContext::in_project(&crate::paths::database(&world.home), Some(&project), Actor::local_user(NOW))
}

#[test]
fn a_fresh_clone_gets_its_shared_files_before_any_server_read_them() {
    let world = World::new();
    assert_eq!(world.start("s0"), None);
    assert!(!world.home.locks_dir().exists(), "nothing is made where nothing is shared");
    file(
        &world,
        "decisions-a.md",
        &shared("aa", "decisions", "2026-01-01T00:00:00Z", "Releases are on Tuesdays"),
    );
    file(
        &world,
        "patterns-b.md",
        &shared("bb", "patterns", "2026-02-01T00:00:00Z", "Errors name the way out"),
    );
    file(&world, "renamed.md", &shared("cc", "security", "2025-12-01T00:00:00Z", "Tokens are never logged"));
    file(&world, "context-d.md", &shared("dd", "context", "2026-03-01T00:00:00Z", "The team is in Lyon"));
    file(&world, "decisions-e.md", "<<<<<<< a\n=======\n>>>>>>> b\n");
    file(&world, "decisions-f.md", "no front matter");
    let ended = shared("gg", "decisions", "2020-01-01T00:00:00Z", "The freeze lasts until May")
        .replace("created:", "expires: 2020-05-01T00:00:00Z\ncreated:");
    file(&world, "decisions-g.md", &ended);
    let told = world.start("s1").unwrap();
    let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("{text}: {told}"));
    assert!(at("Errors name") < at("Tuesdays") && at("Tuesdays") < at("Tokens"), "the newest first: {told}");
    assert!(
        told.contains("the repository): ") && told.contains(".plimsoll/memories/decisions-a.md"),
        "{told}"
    );
    for other in ["Lyon", "freeze", "front matter", "<<<<"] {
        assert!(!told.contains(other), "{other}: {told}");
    }
    assert!(!crate::paths::database(&world.home).exists(), "a hook makes no database");
    // Not twice in a session, also after a server has read them.
    assert_eq!(world.start("s1"), None);
    read_shared(&context(&world)).unwrap();
    assert_eq!(world.start("s1"), None);
    assert_eq!(world.prompt("s1", "On which day are the releases?"), None);
    // From then on the store counts: a file that changes is a server's to read.
    file(&world, "decisions-h.md", &shared("hh", "decisions", "2026-03-01T00:00:00Z", "Numbers are grouped"));
    let told = world.start("s2").unwrap();
    assert!(told.contains("Tuesdays") && !told.contains("grouped") && told.contains("plimsoll://"), "{told}");
}

#[test]
fn ones_own_shared_memories_are_given_once_and_what_was_removed_is_not() {
    let world = World::new();
    world.capture("Releases are on Tuesdays", |_| {});
    let store = SqliteStore::open_read_only(&crate::paths::database(&world.home)).unwrap().unwrap();
    let id = store.ids("", 1).unwrap().remove(0);
    drop(store);
    let text = "Releases are on Tuesdays, as shared";
    file(&world, "decisions-a.md", &shared(&id, "decisions", "2026-01-01T00:00:00Z", text));
    file(
        &world,
        "decisions-b.md",
        &shared("bb", "decisions", "2026-01-01T00:00:00Z", "Errors name the way out"),
    );
    let told = world.start("s1").unwrap();
    assert_eq!(told.matches("Tuesdays").count(), 1, "{told}");
    assert!(told.contains("way out"), "{told}");
}

#[test]
fn what_another_file_replaces_is_not_given() {
    let world = World::new();
    let day = "2026-01-01T00:00:00Z";
    file(&world, "decisions-a.md", &shared("aa", "decisions", day, "Releases are on Tuesdays"));
    file(&world, "decisions-b.md", &shared("bb", "decisions", day, "Errors name the way out"));
    // Whatever its own namespace is.
    let new = shared("cc", "context", day, "Releases are on Thursdays now");
    file(&world, "context-c.md", &new.replace("created:", "supersedes: [\"aa\"]\ncreated:"));
    let told = world.start("s1").unwrap();
    assert!(told.contains("way out") && !told.contains("Tuesdays"), "{told}");
}

#[test]
fn a_very_full_folder_slows_nothing_down() {
    let world = World::new();
    file(
        &world,
        "decisions-a.md",
        &shared("aa", "decisions", "2026-01-01T00:00:00Z", "Releases are on Tuesdays"),
    );
    file(
        &world,
        "decisions-b.md",
        &shared("bb", "decisions", "2026-01-02T00:00:00Z", &"much ".repeat(20_000)),
    );
    for n in 0..30 {
        let text = shared(
            &format!("c{n}"),
            "decisions",
            "2026-01-01T00:00:00Z",
            &format!("Decision {n} {}", "x ".repeat(200)),
        );
        file(&world, &format!("decisions-c{n}.md"), &text);
    }
    let told = world.start("s1").unwrap();
    assert!(told.len() <= MAX_AT_START && told.matches("\n- ").count() <= MAX_COUNT_AT_START, "{told}");
    assert!(!told.contains("much much"), "{told}");
}

#[test]
fn what_the_agents_rules_hide_is_given_at_no_event() {
    let mut world = World::new();
    for n in 0..9 {
        let text = if n == 3 {
            "Invoices are numbered by the billing service, never by the shop".to_owned()
        } else {
            format!("decision {n} about this and that")
        };
        let text = shared(&format!("a{n}"), "decisions", "2026-01-01T00:00:00Z", &text);
        file(&world, &format!("decisions-{n}.md"), &text);
    }
    world.capture("Errors name the way out", |draft| draft.namespace = Namespace::Patterns);
    // Another caller, who may read them, has loaded them.
    read_shared(&context(&world)).unwrap();
    let asked = "who gives invoices their numbers, the billing service?";
    assert!(world.start("s0").unwrap().contains("this and that"));
    assert!(world.prompt("s1", asked).unwrap().contains("never by the shop"));
    world.hidden = Some("memories");
    let told = world.start("s2").unwrap();
    assert!(told.contains("way out") && !told.contains("this and that"), "{told}");
    assert_eq!(world.prompt("s3", asked), None);
    world.hidden = Some("decisions-3");
    assert_eq!(world.prompt("s4", asked), None);
    let told = world.start("s5").unwrap();
    assert!(told.contains("this and that") && !told.contains("shop"), "{told}");
}
