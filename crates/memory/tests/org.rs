//! An organisation's server and the computers of a team: what is captured goes there and comes to others, a recall asks both, and
//! nothing is lost while the server is gone.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod team;
mod world;

use std::time::{Duration, Instant};

use plimsoll_memory::actions::{ActionContext, delete};
use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::store::{Actor, Draft, PgStore, Secrets, Server, Store};
use postgres::{Postgres, SUPERUSER};
use serde_json::{Value, json};
use team::{PROJECT, capture, computer, contents, org, recalled, team};
use world::{NOW, World};

fn on_the_server(postgres: &Postgres) -> u64 {
    postgres.sql("team", "SELECT count(*) FROM plimsoll.memories WHERE status = 'active'").parse().unwrap()
}

#[test]
fn captures_and_changes_reach_others() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    let id = capture(&ana, "We use RabbitMQ as the queue");
    let mine =
        json!({"action": "capture", "content": "I prefer tabs", "namespace": "patterns", "domain": "user"});
    ana.data("memory", mine);
    // A web page's text is nobody's word.
    let all = json!({"action": "capture", "content": "Offices close at 6", "namespace": "context", "domain": "org"});
    ana.data("memory", all);
    assert_eq!(org(&ana, &["sync"])["waiting"], 0);
    assert_eq!(on_the_server(&postgres), 2, "what is for one person stays with them");
    assert_eq!(org(&bo, &["sync"])["received"], 2);
    // Bo has it now without the server: that is what a hook sees.
    let got = bo.data("memory", json!({"action": "get", "id": id}));
    assert_eq!(
        (&got["content"], &got["trust"]),
        (&json!("We use RabbitMQ as the queue"), &json!("repository"))
    );
    assert!(contents(&recalled(&bo, "tabs")).is_empty());
    // Both say the same: it is one memory there.
    let twin = capture(&bo, "Deploy on Tuesdays");
    org(&bo, &["sync"]);
    capture(&ana, "Deploy on  Tuesdays");
    org(&ana, &["sync"]);
    assert_eq!(on_the_server(&postgres), 3);
    let found = recalled(&ana, "Tuesdays");
    let noted = |found: &Value| contents(found).iter().filter(|text| text.contains("Tuesdays")).count();
    assert_eq!(noted(&found), 1, "{found}");
    // A change by either reaches the other, and the earlier text stays in the history.
    bo.data("memory", json!({"action": "update", "id": id, "content": "We use NATS as the queue"}));
    org(&bo, &["sync"]);
    org(&ana, &["sync"]);
    assert_eq!(contents(&recalled(&ana, "queue"))[0], "We use NATS as the queue");
    let history = ana.data("memory", json!({"action": "history", "id": id}));
    assert_eq!(history["history"].as_array().unwrap().len(), 2);
    // A deletion by one applies to all; a purged memory is gone from the server.
    ana.data("memory", json!({"action": "delete", "id": id}));
    org(&ana, &["sync"]);
    org(&bo, &["sync"]);
    assert!(contents(&recalled(&bo, "queue")).iter().all(|text| !text.contains("queue")));
    bo.data("memory", json!({"action": "delete", "id": twin, "hard": true}));
    org(&bo, &["sync"]);
    assert_eq!(
        postgres.sql("team", "SELECT count(*) FROM plimsoll.memories WHERE content LIKE 'Deploy%'"),
        "0"
    );
    org(&ana, &["sync"]);
    assert_eq!(noted(&recalled(&ana, "Tuesdays")), 0);
    // And again: nothing is left to do.
    for computer in [&ana, &bo, &ana] {
        let done = org(computer, &["sync"]);
        assert_eq!((&done["sent"], &done["received"]), (&json!(0), &json!(0)), "{done}");
    }
}

/// A user who purged it no longer sees it, even before the server knows.
#[test]
fn a_server_brings_back_nothing_that_was_removed_for_good() {
    let Some(postgres) = team() else { return };
    let url = postgres.url("ana", "team");
    let ana = computer(&url);
    let id = capture(&ana, "We use RabbitMQ as the queue");
    org(&ana, &["sync"]);
    let project = home::Project::at(&ana.host.root).unwrap();
    let database = ana.host.home.root().join("memory.db");
    let mut context = ActionContext::in_project(&database, Some(&project), Actor::local_user(NOW));
    context.org_server = Some(Server::parse(&url));
    delete(&context, &id, true).unwrap();
    assert!(contents(&recalled(&ana, "RabbitMQ queue")).is_empty());
    org(&ana, &["sync"]);
    assert_eq!(on_the_server(&postgres), 0);
}

#[test]
fn nothing_is_lost_while_the_server_is_gone() {
    let Some(postgres) = team() else { return };
    let ana = computer(&postgres.url("ana", "team"));
    capture(&ana, "Before it went");
    org(&ana, &["sync"]);
    postgres.kill().unwrap();
    for n in 0..20 {
        capture(&ana, &format!("While it is gone, number {n}"));
    }
    let error = ana.typed("memory", &["org", "sync"], json!({})).unwrap_err().to_string();
    assert!(error.contains("kept here"), "{error}");
    let status = org(&ana, &["status"]);
    assert_eq!((&status["status"], &status["waiting"]), (&json!("unreachable"), &json!(20)), "{status}");
    assert!(
        status["waiting_since"].is_string() && status["problem"].as_str().unwrap().contains("can't reach")
    );
    let doctor = (plimsoll_memory::SYSTEM.check)(&*ana.host);
    let line = doctor.iter().map(|check| check.detail.to_string()).find(|line| line.contains("20 waiting"));
    assert!(line.is_some(), "{doctor:?}");
    // Its own memories are found meanwhile.
    assert_eq!(contents(&recalled(&ana, "Before"))[0], "Before it went");
    postgres.restart().unwrap();
    assert_eq!(org(&ana, &["sync"])["waiting"], 0);
    assert_eq!(on_the_server(&postgres), 21);
    // The notes on the exchange are lost: everything is compared again, and nothing is there twice.
    let notes = ana.host.home.root().join("memory-org.db");
    for file in ["memory-org.db", "memory-org.db-wal", "memory-org.db-shm"] {
        let _ = std::fs::remove_file(notes.with_file_name(file));
    }
    assert_eq!(org(&ana, &["status"])["waiting"], 21);
    org(&ana, &["sync"]);
    assert_eq!(on_the_server(&postgres), 21);
    let bo = computer(&postgres.url("bo", "team"));
    assert_eq!(org(&bo, &["sync"])["received"], 21);
}

#[test]
fn a_recall_asks_both_stores_and_continues_without_an_unresponsive_server() {
    let Some(postgres) = team() else { return };
    let ana = computer(&postgres.url("ana", "team"));
    capture(&ana, "The invoice service retries three times");
    // Somebody else's, which never came here.
    let server = Server::parse(&postgres.url("bo", "team")).unwrap();
    let mut bo = PgStore::open(&server, Duration::from_secs(10)).unwrap();
    for content in ["The invoice queue is called billing", "The invoice service retries three times"] {
        let draft = Draft {
            project: Some(PROJECT.into()),
            ..Draft::new(content, Namespace::Decisions, Domain::Project)
        };
        bo.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(NOW)).unwrap();
    }
    // The first recall may find the connection not made yet, and a busy computer's any.
    let merged = |args: Value| {
        let mut found = (0..50).map(|_| ana.data("memory", args.clone()));
        found.find(|found| found["org"].is_null()).unwrap()
    };
    let asked = json!({"action": "recall", "query": "invoice", "detail": "everything"});
    let found = merged(asked.clone());
    let mut all = contents(&found);
    all.sort_unstable();
    assert_eq!(
        all,
        ["The invoice queue is called billing", "The invoice service retries three times"],
        "{found}"
    );
    let theirs = found["results"].as_array().unwrap().iter().find(|one| one["from"] == "org");
    assert!(theirs.is_none_or(|one| one["content"] == "The invoice queue is called billing"));
    // Page by page as from one store.
    let page = |offset: usize| {
        let mut asked = asked.clone();
        asked["limit"] = 1.into();
        asked["offset"] = offset.into();
        merged(asked)
    };
    let (first, second) = (page(0), page(1));
    assert_eq!((&first["next_offset"], &second["next_offset"]), (&json!(1), &Value::Null));
    assert_ne!(contents(&first), contents(&second));
    // The server is gone: what is here comes, and why the rest does not.
    postgres.stop().unwrap();
    let began = Instant::now();
    let alone = recalled(&ana, "invoice retries");
    assert!(contents(&alone).contains(&"The invoice service retries three times"));
    assert!(alone["org"].as_str().unwrap().starts_with("not asked: "), "{alone}");
    assert!(began.elapsed() < Duration::from_secs(2));
    // A server that takes the call and says nothing costs 150 ms once, and then nothing for a while.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let slow = computer(&format!("postgres://ana:geheim@{}/team", silent.local_addr().unwrap()));
    slow.typed("memory", &["capture", "a walrus"], json!({"--namespace": "context", "--domain": "user"}))
        .unwrap();
    let began = Instant::now();
    let found = recalled(&slow, "walrus");
    let took = began.elapsed();
    assert_eq!(contents(&found), ["a walrus"]);
    assert!(found["org"].as_str().unwrap().contains("ms"), "{found}");
    assert!(!found.to_string().contains("geheim"));
    assert!(took < Duration::from_millis(1_500), "{took:?}");
}

#[test]
fn only_a_user_can_set_it_up_and_grant_rights() {
    let Some(postgres) = Postgres::start() else { return };
    postgres.make("team", &["ana", "bo"]);
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    let dir = tempfile::tempdir().unwrap();
    let ana = team::computer_in(dir.path(), &postgres.url("ana", "team"));
    assert_eq!(org(&ana, &["status"])["status"], "not set up");
    org(&owner, &["init"]);
    let only_here = json!({"--project": PROJECT});
    owner.typed("memory", &["org", "grant", "ana", "reader"], only_here.clone()).unwrap();
    let status = org(&ana, &["status"]);
    assert_eq!((&status["status"], &status["user"]), (&json!("reachable"), &json!("ana")), "{status}");
    assert_eq!(status["rights"], json!([{"name": "ana", "project": PROJECT, "role": "reader"}]));
    assert!(status["vectors"].as_str().unwrap().starts_with("not stored"));
    // A reader's capture stays here, delays nothing, and isn't lost. Captured beside the server it would be tried on
    // its own.
    capture(&team::alone_in(dir.path()), "By a reader");
    let done = org(&ana, &["sync"]);
    assert_eq!(done["sent"], 0);
    assert_eq!((on_the_server(&postgres), &done["waiting"]), (0, &json!(1)), "{done}");
    owner.typed("memory", &["org", "grant", "ana", "writer"], only_here.clone()).unwrap();
    assert_eq!(org(&ana, &["sync"])["sent"], 1);
    assert_eq!((on_the_server(&postgres), &org(&ana, &["status"])["waiting"]), (1, &json!(0)));
    assert_eq!(contents(&recalled(&ana, "reader")), ["By a reader"]);
    let error = ana.typed("memory", &["org", "grant", "bo", "admin"], json!({})).unwrap_err().to_string();
    assert!(error.contains("may not") && error.contains("admin"), "{error}");
    let error = owner.typed("memory", &["org", "grant", "bo", "boss"], json!({})).unwrap_err().to_string();
    assert!(error.contains("reader, writer, admin"), "{error}");
    assert_eq!(
        owner.typed("memory", &["org", "revoke", "ana"], only_here).unwrap().data["status"],
        "revoked"
    );
    assert_eq!(org(&ana, &["status"])["status"], "not set up");
    for words in [&["org"][..], &["org", "grant", "bo"], &["org", "destroy"]] {
        let error = owner.typed("memory", words, json!({})).unwrap_err().to_string();
        assert!(error.contains("plimsoll memory org"), "{error}");
    }
    assert!(ana.call("memory", json!({"action": "org", "id": "init"})).is_err());
    // Without the setting there is nothing to do, and the error tells how a server is set.
    let error = World::new().typed("memory", &["org", "status"], json!({})).unwrap_err().to_string();
    assert!(error.contains("plimsoll memory org set"), "{error}");
    let wrong = World::at(NOW, "[memory.org]\nurl = \"mysql://ana:geheim@h/x\"\n");
    capture_for_me(&wrong);
    let found = recalled(&wrong, "walrus");
    assert!(found["org"].as_str().unwrap().contains("memory.org.url"), "{found}");
    assert!(!found.to_string().contains("geheim"));
}

#[test]
fn the_window_tells_role_reach_and_what_was_sent_and_asks_only_when_it_is_told_to() {
    let Some(postgres) = team() else { return };
    // With a server running, a capture is sent in a moment; this one waits for a request.
    let dir = tempfile::tempdir().unwrap();
    capture(&team::alone_in(dir.path()), "We use RabbitMQ as the queue");
    let ana = team::computer_in(dir.path(), &postgres.url("ana", "team"));
    let key = json!({"project": PROJECT});
    let before = ana.window("memory_team", key.clone())["org"].clone();
    assert_eq!(
        (&before["waiting"], &before["answer"], &before["sent_ms"]),
        (&json!(1), &Value::Null, &Value::Null)
    );
    assert_eq!((&before["roles"], &before["roles_ms"]), (&json!([]), &Value::Null));
    let asked = ana.window("memory_org_check", json!({}));
    assert_eq!((&asked["answer"]["status"], &asked["why"]), (&json!("reachable"), &Value::Null));
    let (roles, since) = (json!([{"project": "*", "role": "writer"}]), &asked["roles_ms"]);
    assert_eq!((&asked["roles"], since), (&roles, &json!(NOW)));
    assert!(asked["answer"]["version"].as_str().unwrap().starts_with(char::is_numeric), "{asked}");
    assert_eq!(on_the_server(&postgres), 0, "to ask is not to send");
    let sent = ana.window("memory_org_sync", json!({}));
    assert_eq!(sent["waiting"], 0);
    assert!(sent["sent_ms"].as_i64().is_some() && sent["met_ms"].as_i64().is_some(), "{sent}");
    assert_eq!(on_the_server(&postgres), 1);

    postgres.stop().unwrap();
    let gone = ana.window("memory_org_check", json!({}));
    assert_ne!(gone["answer"]["status"], "reachable", "{gone}");
    assert!(!gone["why"].is_null());
    // Its last answer is still reported, with its time.
    assert_eq!(gone["roles"], roles);
    // The known state is reported again without contacting the server.
    assert_eq!(ana.window("memory_team", key)["org"], gone);
}

/// Text that no server can take doesn't block what was captured after it.
#[test]
fn memories_that_the_server_cannot_store_delay_nothing_and_say_why() {
    let Some(postgres) = team() else { return };
    let ana = computer(&postgres.url("ana", "team"));
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let next = |n: &u32| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let picture: String =
        std::iter::successors(Some(7), next).take(3_500).map(|n| letters[(n >> 16) as usize % 62]).collect();
    capture(&ana, &format!("The logo as it is stored: Ab{picture} which is kept"));
    capture(&ana, "The gate opens at seven");
    assert_eq!(org(&ana, &["sync"])["waiting"], 0);
    assert_eq!(on_the_server(&postgres), 2);
    // Whatever else it can't store stays here, is told, and is sent once it can.
    let _ = postgres
        .sql("team", "ALTER TABLE plimsoll.memories ADD CONSTRAINT odd CHECK (content NOT LIKE '%odd%')");
    let _ =
        postgres.sql("team", "ALTER TABLE plimsoll.records ADD CONSTRAINT odd CHECK (key NOT LIKE '%odd%')");
    let odd = capture(&ana, "An odd number of gates");
    capture(&ana, "The gate closes at nine");
    for name in ["odd", "review"] {
        ana.data(
            "prompt",
            json!({"action": "save", "name": name, "content": "Look at {{file}}", "domain": "org"}),
        );
    }
    assert_eq!(org(&ana, &["sync"])["waiting"], 2);
    assert_eq!(on_the_server(&postgres), 3);
    assert_eq!(postgres.sql("team", "SELECT count(*) FROM plimsoll.records"), "1");
    let status = org(&ana, &["status"]);
    assert_eq!((&status["status"], &status["waiting"]), (&json!("reachable"), &json!(2)));
    let why = status["refused"].as_str().unwrap();
    assert!(why.contains("stays here") && why.contains("odd"), "{why}");
    for table in ["memories", "records"] {
        let _ = postgres.sql("team", &format!("ALTER TABLE plimsoll.{table} DROP CONSTRAINT odd"));
    }
    assert_eq!(org(&ana, &["sync"])["waiting"], 0);
    assert_eq!(org(&ana, &["status"])["refused"], Value::Null);
    let sql = format!("SELECT count(*) FROM plimsoll.memories WHERE id = '{odd}'");
    assert_eq!(postgres.sql("team", &sql), "1");
}

#[test]
fn refused_changes_do_not_hold_up_allowed_ones() {
    let Some(postgres) = Postgres::start() else { return };
    postgres.make("team", &["ana"]);
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    org(&owner, &["init"]);
    org(&owner, &["grant", "ana", "reader"]);
    let ana = computer(&postgres.url("ana", "team"));
    let app = "github.com/acme/app";
    let captured = |count: usize, project: &str| {
        let config = format!("[remote \"origin\"]\n\turl = https://{project}.git\n");
        std::fs::write(ana.host.root.join(".git/config"), config).unwrap();
        for n in 0..count {
            capture(&ana, &format!("Rule number {n} of {project}"));
        }
    };
    captured(400, PROJECT);
    captured(6, app);
    assert_eq!(org(&ana, &["sync"])["waiting"], 406);
    owner.typed("memory", &["org", "grant", "ana", "writer"], json!({"--project": app})).unwrap();
    let done = org(&ana, &["sync"]);
    assert_eq!((&done["sent"], &done["waiting"]), (&json!(6), &json!(400)), "{done}");
    // And what came to be allowed since is sent by the next.
    owner.typed("memory", &["org", "grant", "ana", "writer"], json!({"--project": PROJECT})).unwrap();
    let done = org(&ana, &["sync"]);
    assert_eq!((&done["sent"], &done["waiting"]), (&json!(400), &json!(0)), "{done}");
}

fn capture_for_me(world: &World) {
    world.data(
        "memory",
        json!({"action": "capture", "content": "a walrus", "namespace": "context", "domain": "user"}),
    );
}

#[test]
fn an_exchange_reports_the_role_unasked() {
    let Some(postgres) = team() else { return };
    let bo = computer(&postgres.url("bo", "team"));
    org(&bo, &["sync"]);
    let known = bo.window("memory_team", json!({"project": PROJECT}))["org"].clone();
    assert_eq!(known["roles"], json!([{"project": "*", "role": "writer"}]));
    assert!(known["roles_ms"].as_i64().is_some() && known["answer"].is_null(), "{known}");
    // A right that is taken away is no longer told after the next one.
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    org(&owner, &["grant", "bo", "reader"]);
    org(&bo, &["sync"]);
    let known = bo.window("memory_team", json!({"project": PROJECT}))["org"]["roles"].clone();
    assert_eq!(known, json!([{"project": "*", "role": "reader"}]));
}

/// Who may write for one project may store there what names another, and may say that anything was removed.
#[test]
fn what_is_in_the_place_of_one_project_says_nothing_in_another() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    let queue = capture(&ana, "We use RabbitMQ as the queue");
    let deploy = capture(&ana, "Deploy on Tuesdays");
    org(&ana, &["sync"]);
    let renamed =
        format!("UPDATE plimsoll.memories SET project = 'github.com/acme/other' WHERE id = '{queue}'");
    let _ = postgres.sql("team", &renamed);
    assert_eq!(org(&bo, &["sync"])["received"], 1);
    assert!(bo.call("memory", json!({"action": "get", "id": queue})).is_err());
    let _ = postgres.sql("team", &format!("INSERT INTO plimsoll.purged (id, place) VALUES ('{deploy}', '')"));
    assert_eq!(org(&ana, &["sync"])["removed"], 0);
    assert_eq!(ana.data("memory", json!({"action": "get", "id": deploy}))["status"], "active");
}
