//! The organisation's store on a real server: the contract of every store, its laws, rights, and what goes wrong.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod contract;
mod laws;
mod server;

use std::time::Duration;

use contract::{ALL, NOW, capture, draft, select, shop, who};
use laws::{WORDS, filter, made, scope, vector};
use plimsoll_memory::domain::{Domain, Memory, Status, hash};
use plimsoll_memory::query::Scope;
use plimsoll_memory::recall::{RecallRequest, recall};
use plimsoll_memory::store::{
    Actor, Change, Draft, OrgError, PgStore, Role, Secrets, Server, SharedVector, Store, StoreError,
};
use postgres::{Postgres, SUPERUSER};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use server::{WITHIN, fulfils_the_contract, open, org, server, team};

#[test]
fn it_fulfils_the_contract_of_every_store() {
    let Some(postgres) = Postgres::start() else { return };
    fulfils_the_contract(&postgres, &mut team(&postgres, "team"));
}

#[test]
fn it_obeys_the_laws_of_recall() {
    let Some(postgres) = Postgres::start() else { return };
    let store = std::cell::RefCell::new(team(&postgres, "team"));
    let empty = || {
        let _ = postgres.sql("team", "TRUNCATE plimsoll.memories CASCADE");
    };
    let run = |cases: u32| TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let memories = || proptest::collection::vec(made(), 1..25);
    let asked = proptest::collection::vec((filter(), scope(), 1..7usize), 1..8);
    run(16)
        .run(&(memories(), asked), |(all, asked)| {
            empty();
            laws::fill(&mut *store.borrow_mut(), &all);
            laws::lists_what_is_accepted(&*store.borrow(), asked)
        })
        .unwrap();
    let question = proptest::collection::vec(0..WORDS.len(), 1..4);
    run(16)
        .run(&(memories(), question, (filter(), scope(), 1..5usize)), |(all, question, asked)| {
            empty();
            laws::fill(&mut *store.borrow_mut(), &all);
            laws::brings_only_what_is_selected(&*store.borrow(), &question, asked, Default::default())
        })
        .unwrap();
    empty();
    run(60)
        .run(&"(\\PC|\n|\"|中|🦀|NEAR|\\*|:|\\^|&|'){0,60}", |question| {
            laws::takes_any_question(&*store.borrow(), question)
        })
        .unwrap();
    run(60)
        .run(&"(\\PC|\n|\t|中|🦀){1,200}", |content| {
            prop_assume!(!content.trim().is_empty());
            empty();
            laws::keeps_once_word_for_word(&mut *store.borrow_mut(), &content)
        })
        .unwrap();
}

/// The same by meaning, and by words and meaning, where the server has pgvector.
#[test]
fn its_laws_apply_in_every_mode() {
    let Some(postgres) = Postgres::with_vectors() else { return };
    let store = std::cell::RefCell::new(team(&postgres, "team"));
    let has_vectors = store.borrow().has_vectors().unwrap();
    let filled = |all: &[laws::Made]| {
        let _ = postgres.sql("team", "TRUNCATE plimsoll.memories CASCADE");
        laws::fill(&mut *store.borrow_mut(), all);
    };
    let embed = || {
        let vectors: Vec<SharedVector> = laws::everything(&*store.borrow())
            .into_iter()
            .map(|memory| SharedVector {
                hash: hash(&memory.content),
                vector: vector(&memory.content),
                id: memory.id,
                model: "words".into(),
            })
            .collect();
        store.borrow_mut().put_vectors(&vectors).unwrap();
    };
    let run = |cases: u32| TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let memories = || proptest::collection::vec(made(), 1..25);
    let question = || proptest::collection::vec(0..WORDS.len(), 1..4);
    let asked = || (filter(), scope(), 1..5usize);
    run(12)
        .run(&(memories(), question(), asked()), |(all, question, asked)| {
            filled(&all);
            laws::is_by_words_without_vectors(&*store.borrow(), &question, asked)
        })
        .unwrap();
    if !has_vectors {
        skipped::without("pgvector", "the PostgreSQL that is here has no pgvector");
        return;
    }
    run(12)
        .run(&(memories(), question(), asked()), |(all, question, asked)| {
            filled(&all);
            embed();
            let text = question.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ");
            for way in laws::ways(&text) {
                laws::brings_only_what_is_selected(&*store.borrow(), &question, asked.clone(), way)?;
            }
            laws::is_by_words_without_vectors(&*store.borrow(), &question, asked.clone())?;
            laws::keeps_exact_hits_in_front(&*store.borrow(), &question, asked)
        })
        .unwrap();
    run(8)
        .run(&"ghp_[A-Za-z0-9]{36}", |secret| {
            let content = format!("token {secret}");
            prop_assume!(!text::redact(&content).contains(&secret));
            filled(&[]);
            laws::keep(&mut *store.borrow_mut(), &content);
            embed();
            laws::shows_no_secret(&*store.borrow(), &secret)
        })
        .unwrap();
}

#[test]
fn rights_are_by_project_and_kept_by_the_server() {
    let Some(postgres) = Postgres::start() else { return };
    let mut ana = team(&postgres, "team");
    let shop_id = capture(&mut ana, draft("Use PostgreSQL in the shop")).memory.id;
    let other =
        Draft { project: Some("github.com/acme/secret".into()), ..draft("PostgreSQL of the secret one") };
    capture(&mut ana, other);
    capture(&mut ana, Draft { domain: Domain::Org, project: None, ..draft("PostgreSQL for everybody") });
    capture(&mut ana, Draft { domain: Domain::User, ..draft("PostgreSQL is what I like") });
    // Somebody without rights is told so, and what to do.
    let error = org(PgStore::open(&server(&postgres, "bo", "team"), WITHIN).unwrap_err());
    assert!(matches!(&error, OrgError::NotSetUp { user, .. } if user == "bo"), "{error}");
    assert!(error.to_string().contains("memory org grant bo"), "{error}");
    ana.grant("bo", "github.com/acme/shop", Role::Reader).unwrap();
    let mut bo = open(&postgres, "bo", "team");
    let seen = |store: &PgStore| -> Vec<String> {
        let everything = select(Scope::Everywhere, "status:any", NOW + 1);
        let mut all: Vec<String> =
            store.list(&everything, ALL).unwrap().memories.into_iter().map(|memory| memory.content).collect();
        let asked = RecallRequest {
            query: Some("PostgreSQL".into()),
            selection: everything,
            limit: 100,
            ..RecallRequest::default()
        };
        let mut found: Vec<String> =
            recall(store, &asked).unwrap().hits.into_iter().map(|hit| hit.memory.content).collect();
        all.sort();
        found.sort();
        assert_eq!(found, all, "what is found is what is seen");
        all
    };
    assert_eq!(seen(&bo), ["PostgreSQL for everybody", "Use PostgreSQL in the shop"]);
    assert_eq!(seen(&ana).len(), 4);
    // Who reads changes nothing, whichever way it is tried.
    let change = Change { content: Some("x".into()), ..Change::default() }.check(Secrets::Redact).unwrap();
    for error in [
        bo.capture(&draft("by bo").check(Secrets::Redact).unwrap(), &who()).unwrap_err(),
        bo.update(&shop_id, &change, &who()).unwrap_err(),
        bo.set_status(&shop_id, Status::Archived, &who()).unwrap_err(),
        bo.purge(&shop_id).unwrap_err(),
        bo.grant("bo", "github.com/acme/shop", Role::Admin).unwrap_err(),
        bo.put(&[Memory { content: "x".into(), updated_ms: NOW + 9, ..ana.get(&shop_id).unwrap().unwrap() }])
            .unwrap_err(),
    ] {
        let error = org(error);
        assert!(matches!(error, OrgError::Denied { .. }), "{error}");
    }
    assert!(matches!(bo.update("feedfeedfeed", &change, &who()), Err(StoreError::NotFound(_))));
    // A writer of one project writes there, and neither elsewhere nor for everybody.
    ana.grant("bo", "github.com/acme/shop", Role::Writer).unwrap();
    capture(&mut bo, draft("PostgreSQL by bo"));
    for elsewhere in [
        Draft { project: Some("github.com/acme/secret".into()), ..draft("no") },
        Draft { domain: Domain::Org, ..draft("no") },
    ] {
        let error = org(bo.capture(&elsewhere.check(Secrets::Redact).unwrap(), &who()).unwrap_err());
        assert!(matches!(error, OrgError::Denied { .. }), "{error}");
    }
    capture(&mut bo, Draft { domain: Domain::User, ..draft("PostgreSQL of bo alone") });
    assert!(!seen(&ana).contains(&"PostgreSQL of bo alone".to_owned()));
    assert!(matches!(
        org(bo.grant("cy", "github.com/acme/shop", Role::Reader).unwrap_err()),
        OrgError::Denied { .. }
    ));
    let error = org(ana.grant("nobody_there", "*", Role::Reader).unwrap_err());
    assert!(error.to_string().contains("CREATE ROLE \"nobody_there\""), "{error}");
    assert!(ana.revoke("bo", "github.com/acme/shop").unwrap());
    assert!(!ana.revoke("bo", "github.com/acme/shop").unwrap());
    assert!(bo.list(&select(shop(), "", NOW), ALL).is_err());
}

#[test]
fn a_servers_missing_parts_are_reported_with_the_remedy() {
    let Some(postgres) = Postgres::start() else { return };
    postgres.make("empty", &["ana"]);
    let error = |url: &str| org(PgStore::open(&Server::parse(url).unwrap(), WITHIN).unwrap_err());
    let not_set_up = error(&postgres.url("ana", "empty"));
    assert!(not_set_up.to_string().contains("plimsoll memory org init"), "{not_set_up}");
    let no_database = error(&postgres.url("ana", "nowhere"));
    assert!(
        matches!(&no_database, OrgError::Login { .. }) && no_database.to_string().contains("nowhere"),
        "{no_database}"
    );
    // Somebody who may make nothing there.
    let denied = org(PgStore::init(&server(&postgres, "ana", "empty"), WITHIN).unwrap_err());
    assert!(matches!(denied, OrgError::Denied { .. }), "{denied}");
    // Set up twice is once; tables of a newer version are left alone.
    let owner = server(&postgres, SUPERUSER, "empty");
    assert!(PgStore::init(&owner, WITHIN).unwrap().1);
    assert!(!PgStore::init(&owner, WITHIN).unwrap().1);
    let _ = postgres.sql("empty", "UPDATE plimsoll.version SET version = 99");
    let newer = org(PgStore::open(&owner, WITHIN).unwrap_err());
    assert!(
        matches!(newer, OrgError::Schema { found: 99, .. }) && newer.to_string().contains("upgrade"),
        "{newer}"
    );
    assert!(matches!(org(PgStore::init(&owner, WITHIN).unwrap_err()), OrgError::Schema { found: 99, .. }));
    // Tables of older programs are used if only rows were corrected since; otherwise they wait for their owner.
    let _ = postgres.sql("empty", "UPDATE plimsoll.version SET version = 3");
    assert!(PgStore::open(&owner, WITHIN).is_ok());
    let _ = postgres.sql("empty", "UPDATE plimsoll.version SET version = 2");
    let older = org(PgStore::open(&owner, WITHIN).unwrap_err());
    assert!(matches!(older, OrgError::Schema { found: 2, .. }), "{older}");
    let _ = postgres.sql("empty", "UPDATE plimsoll.version SET version = 4");
    // A database in another encoding.
    let _ = postgres.sql(SUPERUSER, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    let latin = org(PgStore::init(&server(&postgres, SUPERUSER, "latin"), WITHIN).unwrap_err());
    assert!(latin.to_string().contains("UTF8"), "{latin}");
    // A table that somebody changed: an error with its place, and no panic.
    let mut store = PgStore::open(&owner, WITHIN).unwrap();
    capture(&mut store, draft("one"));
    let _ = postgres.sql("empty", "UPDATE plimsoll.memories SET namespace = 'galaxy'");
    let odd = org(store.list(&select(shop(), "", NOW), ALL).unwrap_err());
    assert!(matches!(odd, OrgError::Column { index: 2, .. }), "{odd}");
    // Gone in the middle, refused while it is gone, and there again.
    let _ = postgres.sql("empty", "UPDATE plimsoll.memories SET namespace = 'decisions'");
    postgres.kill().unwrap();
    // Whoever serves a connection ends a moment after the one who was killed.
    let gone = (0..100)
        .find_map(|_| {
            std::thread::sleep(Duration::from_millis(50));
            store.list(&select(shop(), "", NOW), ALL).err()
        })
        .map(org)
        .unwrap();
    assert!(gone.passes(), "{gone}");
    // It says so before it closes the connection.
    let closes = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        store.is_closed()
    });
    assert!(closes, "{gone}");
    assert!(error(&postgres.url(SUPERUSER, "empty")).passes());
    postgres.restart().unwrap();
    assert_eq!(PgStore::open(&owner, WITHIN).unwrap().health().unwrap().memories, 1);
    // Somebody who answers the call and then says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://ana:geheim@{}/team", silent.local_addr().unwrap());
    let slow = PgStore::open(&Server::parse(&url).unwrap(), Duration::from_millis(200)).unwrap_err();
    assert!(slow.to_string().contains("200 ms") && !slow.to_string().contains("geheim"), "{slow}");
}

#[test]
fn mistyped_words_are_found_and_vectors_are_only_reported() {
    let Some(postgres) = Postgres::start() else { return };
    let mut store = team(&postgres, "team");
    capture(&mut store, draft("The warehouse runs on PostgreSQL"));
    let ask = |store: &PgStore, query: &str| {
        let asked = RecallRequest {
            query: Some(query.into()),
            selection: select(shop(), "", NOW),
            limit: 5,
            ..RecallRequest::default()
        };
        recall(store, &asked).unwrap().hits.len()
    };
    let health = store.health().unwrap();
    assert_eq!(health.memories, 1);
    assert!(health.given.iter().any(|one| one.person == "ana" && one.role == "admin"));
    assert!(health.trigrams, "pg_trgm comes with the server");
    for (query, hits) in [("warehouse", 1), ("warehose", 1), ("postgres", 1), ("xylophone", 0), ("qqqq", 0)] {
        assert_eq!(ask(&store, query), hits, "{query}");
    }
    // Without the extension everything else works.
    postgres.make("plain", &[]);
    let _ = postgres.sql("plain", "CREATE SCHEMA other; CREATE EXTENSION pg_trgm SCHEMA other");
    let (mut elsewhere, _) = PgStore::init(&server(&postgres, SUPERUSER, "plain"), WITHIN).unwrap();
    elsewhere
        .capture(&draft("The warehouse").check(Secrets::Redact).unwrap(), &Actor::local_user(NOW))
        .unwrap();
    assert_eq!((ask(&elsewhere, "warehouse"), ask(&elsewhere, "warehose")), (1, 1));
}

#[test]
fn where_every_word_is_common_the_oldest_with_all_of_them_is_found() {
    let Some(postgres) = Postgres::start() else { return };
    let store = team(&postgres, "team");
    // More than are looked at for one word, each with two of them at most.
    let insert = "INSERT INTO plimsoll.memories (id, place, namespace, domain, status, project, created_ms, trust, version,
            updated_ms, hash, tags, content, own)
        SELECT lpad(n::text, 20, '0'), 'github.com/acme/shop', 'decisions', 'project', 'active', 'github.com/acme/shop', n, 'user',
            1, n, '', '{}', text, setweight(to_tsvector('plimsoll.words', text), 'A')
        FROM generate_series(0, 2400) n, LATERAL (SELECT CASE
            WHEN n = 0 THEN 'the winch of the harbour has its own invoice'
            WHEN n % 40 = 0 THEN (ARRAY['harbour and invoice', 'invoice and winch', 'winch and harbour'])[n / 40 % 3 + 1] || ' of row ' || n
            ELSE (ARRAY['harbour', 'invoice', 'winch'])[n % 3 + 1] || ' number ' || n END AS text) texts";
    let _ = postgres.sql("team", insert);
    let asked = RecallRequest {
        query: Some("harbour invoice winch".into()),
        selection: select(shop(), "", NOW),
        limit: 3,
        ..RecallRequest::default()
    };
    let hits = recall(&store, &asked).unwrap().hits;
    assert_eq!(hits[0].memory.content, "the winch of the harbour has its own invoice");
    assert!(hits[1].memory.content.contains(" and "), "{} has one of the words", hits[1].memory.content);
}
