//! Vectors on a team's server with pgvector: who sends them, who finds what by them, and when they no longer count. Any
//! other server works as before. `PLIMSOLL_POSTGRES_VECTORS` names the folder of a server that has pgvector, if the
//! installed one hasn't.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod contract;
mod model2vec;
mod server;
mod team;
mod world;

use std::time::{Duration, Instant};

use plimsoll_memory::domain::hash;
use plimsoll_memory::query::{Filter, Scope, Selection};
use plimsoll_memory::store::{PgStore, QueryVector, Role, SharedVector, Store};
use postgres::{Postgres, SUPERUSER};
use serde_json::{Value, json};
use server::{WITHIN, open};
use team::{PROJECT, capture, computer, contents, org, team_on};
use world::{NOW, World};

const TEXTS: [&str; 3] =
    ["We chose PostgreSQL for storage", "Every rollout happens on Tuesday", "The team's pet is a hamster"];

/// A team's server with pgvector.
fn team_with_vectors() -> Option<Postgres> {
    let postgres = team_on(Postgres::with_vectors()?);
    if postgres.sql("team", "SELECT to_regclass('plimsoll.vectors')").is_empty() {
        skipped::without("pgvector", "the PostgreSQL that is here has no pgvector");
        return None;
    }
    Some(postgres)
}

/// Somebody's computer with a model.
fn with_model(postgres: &Postgres, person: &str, folder: &std::path::Path) -> World {
    let world = computer(&postgres.url(person, "team"));
    let settings = std::fs::read_to_string(world.host.home.settings_path()).unwrap();
    let folder = folder.display().to_string();
    world.with_settings(&format!("{settings}[memory.vectors]\nprovider = \"folder\"\nfolder = {folder:?}\n"))
}

fn stored(postgres: &Postgres) -> String {
    postgres.sql("team", "SELECT count(*) FROM plimsoll.vectors")
}

/// Everything near a database; the model of the test's vectors is `tiny`.
fn nearest(store: &PgStore, filter: &str) -> Vec<String> {
    let question = QueryVector { model: "tiny".into(), vector: vec![1.0, 0.0, 0.0] };
    let selection = Selection {
        scope: Scope::Everywhere,
        filter: Filter::parse(filter, NOW + 1).unwrap(),
        now_ms: NOW + 1,
    };
    let near = store.nearest(&selection, &question).unwrap();
    assert!(near.iter().all(|one| (-1.001..=1.001).contains(&one.cosine)), "{near:?}");
    let keys: Vec<i64> = near.iter().map(|one| one.key).collect();
    store.read(&keys).unwrap().into_iter().map(|(_, memory)| memory.content).collect()
}

fn vector(id: &str, text: &str, numbers: [f32; 3]) -> SharedVector {
    SharedVector { id: id.into(), hash: hash(text), model: "tiny".into(), vector: numbers.to_vec() }
}

#[test]
fn others_memories_are_found_by_meaning_on_the_server() {
    let Some(postgres) = team_with_vectors() else { return };
    let folder = tempfile::tempdir().unwrap();
    model2vec::write(folder.path(), 8);
    let (ana, bo) = (with_model(&postgres, "ana", folder.path()), with_model(&postgres, "bo", folder.path()));
    TEXTS.iter().for_each(|text| drop(capture(&ana, text)));
    let mine =
        json!({"action": "capture", "content": "My own tables", "namespace": "patterns", "domain": "user"});
    ana.data("memory", mine);
    org(&ana, &["sync"]);
    assert_eq!(stored(&postgres), "3", "what is for one person stays with them");
    assert_eq!(org(&ana, &["status"])["vectors"], "stored (pgvector)");
    // By the server's vectors alone: nothing has come to Bo's computer, and no word is the same.
    let asked = json!({"action": "recall", "query": "persistence", "mode": "vector", "detail": "everything"});
    let until = Instant::now() + Duration::from_secs(20);
    let found = loop {
        let found = bo.data("memory", asked.clone());
        // The first answer may take longer than a recall waits.
        if !contents(&found).is_empty() || Instant::now() > until {
            break found;
        }
    };
    assert_eq!(contents(&found).first(), Some(&TEXTS[0]), "{found}");
    // Received memories aren't sent back, and nothing is sent twice.
    for computer in [&bo, &ana] {
        org(computer, &["sync"]);
    }
    assert_eq!(stored(&postgres), "3");
}

#[test]
fn a_vector_counts_for_its_text_and_model_and_for_those_who_may_read_it() {
    let Some(postgres) = team_with_vectors() else { return };
    let ana_computer = computer(&postgres.url("ana", "team"));
    let ids = TEXTS.map(|text| capture(&ana_computer, text));
    org(&ana_computer, &["sync"]);
    let mut ana = open(&postgres, "ana", "team");
    let numbers = [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]];
    let all: Vec<SharedVector> = (0..3).map(|at| vector(&ids[at], TEXTS[at], numbers[at])).collect();
    ana.put_vectors(&all).unwrap();
    ana.put_vectors(&all).unwrap();
    assert_eq!((stored(&postgres).as_str(), nearest(&ana, "")), ("3", TEXTS.map(str::to_owned).to_vec()));
    assert_eq!(nearest(&ana, "ns:learnings"), Vec::<String>::new());
    // Of another text, another length, another model: not comparable, and no error.
    ana.put_vectors(&[vector(&ids[0], "another text", [0.0, 1.0, 0.0])]).unwrap();
    let longer = SharedVector { vector: vec![1.0; 5], ..all[1].clone() };
    let foreign = SharedVector { model: "other".into(), ..all[2].clone() };
    ana.put_vectors(&[longer, foreign]).unwrap();
    assert_eq!(nearest(&ana, ""), [TEXTS[0], TEXTS[2]]);
    // A reader finds by them and changes none; somebody of another project sees none.
    let mut owner = open(&postgres, SUPERUSER, "team");
    owner.grant("cy", PROJECT, Role::Reader).unwrap();
    let mut cy = open(&postgres, "cy", "team");
    cy.put_vectors(&[vector(&ids[0], TEXTS[0], [0.0, 0.0, 1.0])]).unwrap();
    assert_eq!(nearest(&cy, ""), [TEXTS[0], TEXTS[2]]);
    owner.grant("cy", "github.com/acme/other", Role::Writer).unwrap();
    assert!(owner.revoke("cy", PROJECT).unwrap());
    assert_eq!(nearest(&cy, ""), Vec::<String>::new());
    let seen = plimsoll_sees(&postgres, "cy");
    assert_eq!(seen, "0", "row-level security covers the table itself");
    // A changed text has no vector until one is made again.
    ana_computer.data("memory", json!({"action": "update", "id": ids[0], "content": "We chose SQLite"}));
    org(&ana_computer, &["sync"]);
    assert_eq!(nearest(&ana, ""), [TEXTS[2]]);
    ana.purge(&ids[2]).unwrap();
    assert_eq!(nearest(&ana, ""), Vec::<String>::new());
}

/// The number of vectors visible to a direct query of the table.
fn plimsoll_sees(postgres: &Postgres, person: &str) -> String {
    postgres
        .sql("team", &format!("SET SESSION AUTHORIZATION {person}; SELECT count(*) FROM plimsoll.vectors"))
}

#[test]
fn only_the_owner_adds_the_vectors_table_to_older_tables() {
    let Some(postgres) = team_with_vectors() else { return };
    let _ = postgres.sql("team", "DROP TABLE plimsoll.vectors; DROP EXTENSION vector CASCADE");
    let drop = "DROP FUNCTION IF EXISTS plimsoll.nearest; DROP FUNCTION IF EXISTS plimsoll.as_vector";
    let _ = postgres.sql("team", drop);
    let status = |person: &str| -> Value { org(&computer(&postgres.url(person, "team")), &["status"]) };
    assert!(status("ana")["vectors"].as_str().unwrap().contains("memory org init"), "{}", status("ana"));
    assert_eq!(nearest(&open(&postgres, "ana", "team"), ""), Vec::<String>::new());
    let init = |person: &str| PgStore::init(&server::server(&postgres, person, "team"), WITHIN).unwrap().1;
    assert!(!init("ana") && init(SUPERUSER) && !init(SUPERUSER));
    assert_eq!(status("ana")["vectors"], "stored (pgvector)");
}
