//! What a team shares beside memories, between two computers and a real server: prompts, links, entities and relations.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod team;
mod world;

use std::time::Duration;

use plimsoll_memory::domain::{Domain, Memory, Namespace, Status};
use plimsoll_memory::store::{Actor, Draft, PgStore, Secrets, Server, Store};
use postgres::{Postgres, SUPERUSER};
use serde_json::{Value, json};
use team::{PROJECT, capture, computer, computer_at, contents, org, recalled, team};
use world::{NOW, World};

const DAY: i64 = 86_400_000;

fn sync(all: &[&World]) {
    for world in all {
        let done = org(world, &["sync"]);
        assert_eq!(done["waiting"], 0, "{done}");
    }
}

fn save(world: &World, name: &str, content: &str, domain: &str) -> Value {
    world.data("prompt", json!({"action": "save", "name": name, "content": content, "domain": domain}))
}

fn run(world: &World, name: &str) -> String {
    let run = world.call("prompt", json!({"action": "run", "name": name, "variables": {"file": "a.rs"}}));
    run.map_or_else(|error| error.to_string(), |reply| reply.data["content"].as_str().unwrap().to_owned())
}

fn versions(world: &World, name: &str) -> Vec<String> {
    (1..)
        .map_while(|version| {
            let asked = json!({"action": "get", "name": name, "domain": "org", "version": version});
            Some(world.call("prompt", asked).ok()?.data["content"].as_str().unwrap().to_owned())
        })
        .collect()
}

/// The prompts that an agent there has as its own.
fn offered(world: &World) -> Vec<String> {
    let prompts = plimsoll_memory::SYSTEM.prompts.as_ref().unwrap();
    (prompts.list)(&world.place()).unwrap().into_iter().map(|prompt| prompt.name).collect()
}

fn shared(postgres: &Postgres, what: &str) -> String {
    postgres.sql("team", &format!("SELECT count(*) FROM plimsoll.records WHERE what = '{what}'"))
}

#[test]
fn a_shared_prompt_reaches_everybody_and_stays_without_the_server() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    save(&ana, "review", "Review {{file}} as we do", "org");
    save(&ana, "ship", "Ship the shop", "project");
    save(&ana, "mine", "Only for me", "user");
    sync(&[&ana]);
    assert_eq!(shared(&postgres, "prompt"), "2", "what is for one person stays with them");
    sync(&[&bo]);
    assert_eq!(offered(&bo), ["review", "ship"]);
    assert_eq!(run(&bo, "review"), "Review a.rs as we do");
    // The project's comes before one's own, and that before everybody's.
    save(&bo, "review", "Mine: {{file}}", "user");
    assert_eq!(run(&bo, "review"), "Mine: a.rs");
    save(&bo, "review", "Here: {{file}}", "project");
    assert_eq!(run(&bo, "review"), "Here: a.rs");
    sync(&[&bo, &ana]);
    assert_eq!(run(&ana, "review"), "Here: a.rs");
    for domain in ["user", "project"] {
        bo.data("prompt", json!({"action": "delete", "name": "review", "domain": domain}));
    }
    sync(&[&bo, &ana]);
    assert_eq!(run(&ana, "review"), "Review a.rs as we do");
    // Nothing is there twice.
    sync(&[&ana, &bo, &ana]);
    assert_eq!(versions(&bo, "review"), ["Review {{file}} as we do"]);

    postgres.stop().unwrap();
    assert_eq!(run(&bo, "review"), "Review a.rs as we do");
    // Two who change it meanwhile: both texts are there afterwards, in one order for all.
    let later = computer_at(&postgres.url("cy", "team"), NOW + 50);
    save(&bo, "review", "By Bo: {{file}}", "org");
    save(&ana, "review", "By Ana, who says more: {{file}}", "org");
    assert_eq!(org(&bo, &["status"])["waiting"], 1);
    postgres.restart().unwrap();
    sync(&[&bo, &ana, &bo]);
    assert_eq!(versions(&bo, "review"), versions(&ana, "review"));
    assert_eq!(run(&bo, "review"), run(&ana, "review"));

    // A reader runs what is there; what they save stays with them until they may write.
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    org(&owner, &["grant", "cy", "reader"]);
    org(&later, &["sync"]);
    assert_eq!(run(&later, "review"), run(&ana, "review"));
    save(&later, "review", "By Cy: {{file}}", "org");
    let before = shared(&postgres, "prompt");
    assert_eq!(
        (org(&later, &["sync"])["waiting"].clone(), run(&later, "review")),
        (json!(1), "By Cy: a.rs".into())
    );
    assert_eq!(shared(&postgres, "prompt"), before);
    org(&owner, &["grant", "cy", "writer"]);
    sync(&[&later, &ana]);
    assert_eq!(run(&ana, "review"), "By Cy: a.rs");
    // Without the notes on the exchange, everything is compared again, and nothing comes twice.
    let known = versions(&ana, "review");
    for file in ["memory-org.db", "memory-org.db-wal", "memory-org.db-shm"] {
        let _ = std::fs::remove_file(ana.host.home.root().join(file));
    }
    let before = shared(&postgres, "prompt");
    sync(&[&ana, &bo]);
    assert_eq!((versions(&ana, "review"), versions(&bo, "review")), (known.clone(), known));
    assert_eq!(shared(&postgres, "prompt"), before);
    // Deleted for one is deleted for all.
    later.data("prompt", json!({"action": "delete", "name": "review", "domain": "org"}));
    sync(&[&later, &ana, &bo]);
    assert_eq!((offered(&ana), offered(&bo)), (vec!["mine".into(), "ship".into()], vec!["ship".to_owned()]));
    for world in [&ana, &bo, &later] {
        let done = org(world, &["sync"]);
        assert_eq!((&done["sent"], &done["received"]), (&json!(0), &json!(0)), "{done}");
    }
}

#[test]
fn a_change_sent_twice_restores_no_superseded_memory() {
    let Some(postgres) = team() else { return };
    let server = Server::parse(&postgres.url("ana", "team")).unwrap();
    let mut there = PgStore::open(&server, Duration::from_secs(10)).unwrap();
    let ana = computer(&postgres.url("ana", "team"));
    let old = capture(&ana, "We use RabbitMQ as the queue");
    sync(&[&ana]);
    // Somebody who doesn't know the new one yet.
    let changed = Memory {
        content: "We use RabbitMQ 4 as the queue".into(),
        updated_ms: NOW + 99,
        ..there.get(&old).unwrap().unwrap()
    };
    let supersede = format!("UPDATE plimsoll.memories SET status = 'superseded' WHERE id = '{old}'");
    let _ = postgres.sql("team", &supersede);
    for _ in 0..3 {
        there.put(std::slice::from_ref(&changed)).unwrap();
        let kept = there.get(&old).unwrap().unwrap();
        assert_eq!((kept.content.as_str(), kept.status), (changed.content.as_str(), Status::Superseded));
    }
    // Somebody who brings it back on purpose has it back.
    there.put(&[Memory { updated_ms: NOW + 120, ..changed }]).unwrap();
    assert_eq!(there.get(&old).unwrap().unwrap().status, Status::Active);
}

#[test]
fn links_are_synced_and_superseded_team_memories_stay_gone() {
    let Some(postgres) = team() else { return };
    let url = |person: &str| postgres.url(person, "team");
    let (ana, bo) = (computer(&url("ana")), computer_at(&url("bo"), NOW + 10));
    let old = capture(&ana, "We use RabbitMQ as the queue");
    sync(&[&ana, &bo]);
    let new = bo.data(
        "memory",
        json!({"action": "capture", "content": "We use NATS as the queue", "namespace": "decisions", "supersedes": [old]}),
    )["id"]
        .as_str()
        .unwrap()
        .to_owned();
    sync(&[&bo, &ana]);
    assert_eq!(contents(&recalled(&ana, "queue")), ["We use NATS as the queue"]);
    let link = json!([{"from": new, "to": old, "kind": "supersedes"}]);
    for world in [&ana, &bo] {
        let asked = json!({"action": "get", "id": old});
        assert_eq!(world.data("memory", asked)["links"], link);
    }
    assert_eq!(postgres.sql("team", "SELECT count(*) FROM plimsoll.links"), "1");
    // Somebody whose copy is older changes the old one later: their text is kept, and it stays out of use.
    let owner = computer(&url(SUPERUSER));
    org(&owner, &["grant", "cy", "writer"]);
    let cy = computer_at(&url("cy"), NOW + 99);
    for (status, done) in [("active", true), ("superseded", false)] {
        let sql = format!("UPDATE plimsoll.memories SET status = '{status}' WHERE content LIKE '%RabbitMQ%'");
        let _ = postgres.sql("team", &sql);
        if done {
            sync(&[&cy]);
        }
    }
    postgres.stop().unwrap();
    cy.data("memory", json!({"action": "update", "id": old, "content": "We use RabbitMQ 4 as the queue"}));
    postgres.restart().unwrap();
    sync(&[&cy, &ana, &bo, &cy]);
    for world in [&ana, &bo, &cy] {
        assert_eq!(contents(&recalled(world, "queue")), ["We use NATS as the queue"]);
        let kept = world.data("memory", json!({"action": "get", "id": old}));
        assert_eq!(
            (&kept["content"], &kept["status"]),
            (&json!("We use RabbitMQ 4 as the queue"), &json!("superseded"))
        );
    }
    // Two who say the same have one memory there under one id, and its links with it.
    let twin = capture(&ana, "Deploy on Tuesdays");
    postgres.stop().unwrap();
    let mine = capture(&bo, "Deploy on Tuesdays");
    let why = bo.data(
        "memory",
        json!({"action": "capture", "content": "Deploy on Wednesdays", "namespace": "decisions", "supersedes": [mine]}),
    )["id"]
        .as_str()
        .unwrap()
        .to_owned();
    postgres.restart().unwrap();
    sync(&[&ana, &bo, &ana]);
    let found = recalled(&ana, "Deploy");
    assert_eq!(contents(&found).iter().filter(|text| text.contains("Deploy")).count(), 1, "{found}");
    let links = ana.data("memory", json!({"action": "get", "id": twin}))["links"].clone();
    assert_eq!(links, json!([{"from": why, "to": twin, "kind": "supersedes"}]));
}

#[test]
fn handmade_entities_are_synced_and_find_memories_on_the_server() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    capture(&ana, "Ledger is written in Rust by Dana Scully");
    ana.data(
        "graph",
        json!({"action": "add_entity", "name": "PostgreSQL", "type": "Technology", "aliases": ["the vault"]}),
    );
    ana.data(
        "graph",
        json!({"action": "add_entity", "name": "Ledger", "type": "Concept", "properties": {"port": 8080}}),
    );
    let relate = json!({"action": "relate", "from": "Ledger", "to": "PostgreSQL", "type": "Uses"});
    let relation = ana.data("graph", relate)["id"].as_str().unwrap().to_owned();
    sync(&[&ana, &bo]);
    let got = bo.data("graph", json!({"action": "entity", "entity": "the vault"}));
    assert_eq!((&got["name"], &got["aliases"]), (&json!("PostgreSQL"), &json!(["the vault"])), "{got}");
    let ledger = bo.data("graph", json!({"action": "entity", "entity": "Ledger"}));
    assert_eq!(ledger["properties"], json!({"port": 8080}));
    assert!(
        ledger["relationships"].as_array().unwrap().iter().any(|one| one["relationship_type"] == "Uses"),
        "{ledger}"
    );
    // A memory that was never synced is found on the server by any of its names, and nothing else is.
    let server = Server::parse(&postgres.url("ana", "team")).unwrap();
    let mut there = PgStore::open(&server, Duration::from_secs(10)).unwrap();
    for content in ["Backups of pg run at night", "Backups of Redis run never"] {
        let draft = Draft {
            project: Some(PROJECT.into()),
            ..Draft::new(content, Namespace::Decisions, Domain::Project)
        };
        there.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(NOW)).unwrap();
    }
    for name in ["PostgreSQL", "the vault", "postgres"] {
        let asked = json!({"action": "recall", "query": "backups", "entity": name, "detail": "everything"});
        let mut found = (0..50).map(|_| bo.data("memory", asked.clone()));
        let found = found.find(|found| found["org"].is_null()).unwrap();
        assert_eq!(contents(&found), ["Backups of pg run at night"], "{name}");
    }
    // Merged for one is merged for all, and what was taken away is gone.
    bo.data(
        "graph",
        json!({"action": "merge", "entities": ["Ledger", "Rust"], "canonical_name": "The Ledger"}),
    );
    sync(&[&bo, &ana]);
    let merged = ana.data("graph", json!({"action": "entity", "entity": "Rust"}));
    assert_eq!(merged["name"], "The Ledger", "{merged}");
    ana.data("graph", json!({"action": "unrelate", "id": relation}));
    ana.data("graph", json!({"action": "delete_entity", "entity": "the vault"}));
    sync(&[&ana, &bo]);
    let error = bo.call("graph", json!({"action": "entity", "entity": "the vault"})).unwrap_err().to_string();
    assert!(error.contains("the vault"), "{error}");
    let relations = bo.data("graph", json!({"action": "relationships"}));
    assert!(!relations.to_string().contains("Uses"), "{relations}");
    // No record is for any other place.
    assert_eq!(postgres.sql("team", "SELECT DISTINCT place FROM plimsoll.records"), PROJECT);
}

/// A name that no rule knows is somebody's own: what only the server has is found by it all the same, as whole words.
#[test]
fn a_name_given_by_hand_finds_what_only_the_server_has() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    ana.data(
        "graph",
        json!({"action": "add_entity", "name": "payment gateway", "type": "Concept", "aliases": ["pgw+"]}),
    );
    sync(&[&ana, &bo]);
    let server = Server::parse(&postgres.url("ana", "team")).unwrap();
    let mut there = PgStore::open(&server, Duration::from_secs(10)).unwrap();
    let with_the_name = ["the Payment  Gateway restarts at noon", "a restart of PGW+ takes a minute"];
    let without_the_name = ["payment for the gateway restarts", "the payment gateways of others restart"];
    for content in with_the_name.iter().chain(&without_the_name) {
        let draft = Draft {
            project: Some(PROJECT.into()),
            ..Draft::new(*content, Namespace::Decisions, Domain::Project)
        };
        there.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(NOW)).unwrap();
    }
    for name in ["payment gateway", "pgw+"] {
        let asked = json!({"action": "recall", "query": "restart", "entity": name, "detail": "everything"});
        let mut found = (0..50).map(|_| bo.data("memory", asked.clone()));
        let found = found.find(|found| found["org"].is_null()).unwrap();
        let mut all = contents(&found);
        all.sort_unstable();
        assert_eq!(
            all,
            ["a restart of PGW+ takes a minute", "the Payment  Gateway restarts at noon"],
            "{name}"
        );
    }
}

/// The last change counts, even if the clock was a day ahead at an earlier change.
#[test]
fn a_clock_that_is_set_back_loses_no_change() {
    let Some(postgres) = team() else { return };
    let mut ana = computer_at(&postgres.url("ana", "team"), NOW + DAY);
    let bo = computer(&postgres.url("bo", "team"));
    let id = capture(&ana, "The queue is RabbitMQ");
    save(&ana, "review", "Review {{file}}", "org");
    ana.data("memory", json!({"action": "update", "id": id, "content": "The queue is NATS"}));
    sync(&[&ana, &bo]);
    std::sync::Arc::get_mut(&mut ana.host).unwrap().now_ms = NOW;
    ana.data("memory", json!({"action": "update", "id": id, "content": "The queue is Kafka"}));
    save(&ana, "review", "Look at {{file}}", "org");
    sync(&[&ana, &bo]);
    for world in [&ana, &bo] {
        assert_eq!(contents(&recalled(world, "queue")), ["The queue is Kafka"]);
        assert_eq!(versions(world, "review"), ["Review {{file}}", "Look at {{file}}"]);
        assert_eq!(run(world, "review"), "Look at a.rs");
    }
    // Bo, whose clock was right all the time, deletes it, and Ana has it back.
    bo.data("memory", json!({"action": "delete", "id": id}));
    sync(&[&bo, &ana]);
    assert!(contents(&recalled(&ana, "queue")).is_empty());
    ana.typed("memory", &["restore", &id], json!({})).unwrap();
    sync(&[&ana, &bo]);
    assert_eq!(contents(&recalled(&bo, "queue")), ["The queue is Kafka"]);
    // On a server that is asked directly it's the same.
    let server = Server::parse(&postgres.url("ana", "team")).unwrap();
    let mut there = PgStore::open(&server, Duration::from_secs(10)).unwrap();
    let before = there.get(&id).unwrap().unwrap().updated_ms;
    let after = there.set_status(&id, Status::Archived, &Actor::local_user(NOW)).unwrap().updated_ms;
    assert!(before < after, "{before} {after}");
}

/// A colleague's rewording of the user's own words is attributed to the colleague, also towards an agent.
#[test]
fn a_memory_that_a_colleague_rewords_is_no_longer_told_as_the_users_words() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    let captured =
        ana.typed("memory", &["capture", "The queue is RabbitMQ"], json!({"--namespace": "decisions"}));
    let id = captured.unwrap().data["id"].as_str().unwrap().to_owned();
    let seen = |world: &World| {
        let whole = world.data("memory", json!({"action": "get", "id": id}));
        [whole["content"].clone(), whole["trust"].clone()]
    };
    sync(&[&ana, &bo, &ana]);
    assert_eq!(seen(&ana), [json!("The queue is RabbitMQ"), json!("user")]);
    assert_eq!(seen(&bo), [json!("The queue is RabbitMQ"), json!("repository")]);
    bo.data("memory", json!({"action": "update", "id": id, "tags": ["queue"]}));
    sync(&[&bo, &ana]);
    assert_eq!(seen(&ana)[1], "user", "the words are the same");
    bo.data("memory", json!({"action": "update", "id": id, "content": "The queue is NATS"}));
    sync(&[&bo, &ana]);
    assert_eq!(seen(&ana), [json!("The queue is NATS"), json!("repository")]);
    let history = ana.data("memory", json!({"action": "history", "id": id}))["history"].clone();
    assert_eq!(
        (&history[0]["client"], &history[2]["content"]),
        (&json!("team"), &json!("The queue is RabbitMQ"))
    );
    // Ana's words in turn are Ana's change of the team's memory, and reach Bo.
    ana.data("memory", json!({"action": "update", "id": id, "content": "The queue is Kafka"}));
    sync(&[&ana, &bo]);
    assert_eq!(seen(&bo), [json!("The queue is Kafka"), json!("repository")]);
    for world in [&ana, &bo, &ana] {
        let done = org(world, &["sync"]);
        assert_eq!((&done["sent"], &done["received"]), (&json!(0), &json!(0)), "{done}");
    }
}
