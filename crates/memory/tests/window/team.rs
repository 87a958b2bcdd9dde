//! What a team shares: files in the repository and a server.

use serde_json::json;

use crate::{NOW, World};

#[test]
fn a_memory_is_shared_as_a_file_and_what_is_yours_alone_is_not() {
    let world = World::new();
    let id = world.write("Every handler returns a Result", "patterns", "project");
    let shared = world.done("memory_share", json!({"id": id, "shared": true}));
    let file = world.host.root.join(shared["file"].as_str().unwrap());
    assert!(file.is_file());
    world.done("memory_update", json!({"id": id, "version": 1, "content": "Every handler returns a Result or panics", "namespace": "patterns", "tags": []}));
    assert!(
        std::fs::read_to_string(&file).unwrap().contains("or panics"),
        "the file says what the memory says"
    );
    // What others wrote meanwhile is left as it is, a merge that isn't done yet included.
    let theirs = std::fs::read_to_string(&file).unwrap().replace("or panics", "or aborts");
    for theirs in [theirs.clone(), theirs.replace("Every", "<<<<<<< HEAD\nEvery")] {
        std::fs::write(&file, &theirs).unwrap();
        for (version, tags) in [(2, json!(["style"])), (3, json!([]))] {
            let version = version + u32::from(theirs.contains("HEAD")) * 2;
            world.done("memory_update", json!({"id": id, "version": version, "content": "Every handler returns a Result or panics", "namespace": "patterns", "tags": tags}));
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
        assert!(world.ask("memory_share", json!({"id": id, "shared": true})).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
    }
    assert_eq!(world.done("memory_share", json!({"id": id, "shared": false}))["state"], "private");
    assert!(!file.exists());
    let own = world.write("Answer shortly", "patterns", "user");
    let sharing = &world.done("memory", json!({"id": own}))["sharing"];
    assert_eq!((&sharing["state"], &sharing["why"]), (&json!("impossible"), &json!("scope")));
    assert!(world.ask("memory_share", json!({"id": own, "shared": true})).is_err());
}

#[test]
fn a_servers_state_is_reported_before_anything_is_remembered() {
    let world = World::new();
    std::fs::write(
        world.host.home.root().join("settings.toml"),
        "[memory.org]\nurl = \"postgres://ana:wordpass@127.0.0.1:9/team\"\n",
    )
    .unwrap();
    let asked = world.done("memory_org_check", json!({}));
    assert_eq!(asked["answer"]["status"], "unreachable");
    assert_eq!(asked["why"], asked["answer"]["problem"]);
    assert!(!asked["why"].is_null(), "{asked}");
    assert_eq!(world.done("memory_org_sync", json!({})), asked, "there is nothing to send");
}

#[test]
fn the_address_of_a_server_is_set_and_its_password_comes_back_nowhere() {
    let world = World::new();
    let set = |url: &str| world.ask("memory_org_set", json!({"url": url}));
    let settings =
        || std::fs::read_to_string(world.host.home.root().join("settings.toml")).unwrap_or_default();
    for wrong in [
        "http://ana:wordpass@h/x",
        "postgres://:wordpass@h/x",
        "postgres://ana:wordpass@h:port/x",
        "wordpass",
    ] {
        let error = set(wrong).unwrap_err();
        let told = format!("{error:?} {}", error.message.text());
        assert!(told.contains("postgres://") && !told.contains("wordpass"), "{wrong}: {told}");
        assert!(!settings().contains("wordpass"), "{wrong}");
    }
    let known = set(" postgres://ana:wordpass@127.0.0.1:9/team\n").unwrap();
    assert_eq!((&known["configured"], &known["server"]), (&json!(true), &json!("ana@127.0.0.1:9/team")));
    assert!(!known.to_string().contains("wordpass"), "{known}");
    // Nobody was asked for that, and it is the address that is used from now on.
    assert_eq!((&known["answer"], &known["why"]), (&json!(null), &json!(null)));
    assert!(settings().contains("postgres://ana:wordpass@127.0.0.1:9/team"));
    assert_eq!(world.done("memory_team", json!({"project": world.key}))["org"], known);
    assert_eq!(world.done("memory_org_check", json!({}))["answer"]["status"], "unreachable");
    // One that can't be used leaves the one that is there.
    assert!(set("mysql://ana:other@h/x").is_err());
    assert_eq!(world.done("memory_team", json!({"project": world.key}))["org"]["server"], known["server"]);
    let none = set("").unwrap();
    assert_eq!((&none["configured"], settings().contains("wordpass")), (&json!(false), false));
}

#[test]
fn shared_memories_are_given_without_asking_a_server() {
    let world = World::new();
    let team = world.done("memory_team", json!({"project": world.key}));
    assert_eq!((&team["org"]["configured"], &team["files"]), (&json!(false), &json!(0)));
    assert!(
        world
            .ask("memory_org_check", json!({}))
            .unwrap_err()
            .message
            .text()
            .contains("plimsoll memory org set")
    );

    let id = world.write("Every handler returns a Result", "patterns", "project");
    world.done("memory_share", json!({"id": id, "shared": true}));
    std::fs::write(world.host.root.join(".plimsoll/memories/torn.md"), "<<<<<<< HEAD\n").unwrap();
    // A port that nobody listens on: whoever asked it would be told so.
    std::fs::write(
        world.host.home.root().join("settings.toml"),
        "[memory.org]\nurl = \"postgres://ana:wordpass@127.0.0.1:9/team\"\n",
    )
    .unwrap();
    let all = json!({"project": "", "content": "Offices close at 6", "namespace": "context", "scope": "org", "tags": []});
    world.done("memory_capture", all);
    let team = world.done("memory_team", json!({"project": world.key}));
    assert_eq!(
        (&team["files"], &team["problems"][0]["file"]),
        (&json!(1), &json!(".plimsoll/memories/torn.md"))
    );
    let org = &team["org"];
    assert_eq!(org["server"], "ana@127.0.0.1:9/team");
    assert_eq!((&org["waiting"], &org["why"], &org["answer"]), (&json!(1), &json!(null), &json!(null)));
    let status = || world.done("memory_status", json!({"project": world.key}))["lagging"].clone();
    assert_eq!(status(), json!(null), "it was captured just now");

    let asked = world.done("memory_org_check", json!({}));
    assert_eq!(asked["answer"]["status"], "unreachable");
    assert_eq!((&asked["answer"]["at_ms"], &asked["waiting"]), (&json!(NOW), &json!(1)));
    assert!(!asked.to_string().contains("wordpass"), "{asked}");
    assert_eq!((&status()["waiting"], &status()["why"]), (&json!(1), &asked["why"]));
    let sent = world.done("memory_org_sync", json!({}));
    assert_eq!((&sent["waiting"], &sent["sent_ms"]), (&json!(1), &json!(null)));
}
