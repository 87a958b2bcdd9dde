//! The organisation's store: tables of an older version, what is shared beside memories, and a pooler in front.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod contract;
mod server;

use contract::{ALL, NOW, capture, draft, select, shop, who};
use plimsoll_memory::domain::{Record, RecordKind, Trust};
use plimsoll_memory::query::Scope;
use plimsoll_memory::store::{Draft, OrgError, PgStore, Role, Secrets, Server, Store};
use postgres::{Pooler, Postgres, SUPERUSER};
use server::{WITHIN, fulfils_the_contract, open, org, server, team};

/// What `init` made in version 1, with what was in it.
fn first_tables(postgres: &Postgres, database: &str) {
    postgres.make(database, &["ana", "bo"]);
    let mut sql = include_str!("../src/store/postgres/schema.sql").to_owned();
    for hole in ["{near_index}", "{near}"] {
        sql = sql.replace(hole, "");
    }
    let _ = postgres.sql(database, &format!("CREATE SCHEMA plimsoll; {sql}"));
    for member in
        ["plimsoll.admit('ana', '*', 'admin')", "plimsoll.admit('bo', 'github.com/acme/shop', 'reader')"]
    {
        assert_eq!(postgres.sql(database, &format!("SELECT {member}")), "t");
    }
    let insert = "INSERT INTO plimsoll.memories (id, place, namespace, domain, status, project, created_ms, trust, version,
            updated_ms, hash, tags, content, own)
        VALUES ('0123456789abcdef0123', 'github.com/acme/shop', 'decisions', 'project', 'active', 'github.com/acme/shop', 5, 'user',
            1, 5, '', '{}', 'We moved to PostgreSQL', to_tsvector('plimsoll.words', 'We moved to PostgreSQL'))";
    let _ = postgres.sql(database, insert);
    let from_web = "INSERT INTO plimsoll.memories (id, place, namespace, domain, status, project, created_ms, source, trust,
            version, updated_ms, hash, tags, content, own)
        VALUES ('fedcba98765432100123', 'github.com/acme/shop', 'decisions', 'project', 'active', 'github.com/acme/shop', 5,
            'see HTTPS://example.org/a', 'agent', 1, 5, '', '{}', 'A page said so', to_tsvector('plimsoll.words', 'A page said so'))";
    let _ = postgres.sql(database, from_web);
}

#[test]
fn tables_of_the_first_version_are_brought_up_to_date_and_lose_nothing() {
    let Some(postgres) = Postgres::start() else { return };
    first_tables(&postgres, "team");
    let older = org(PgStore::open(&server(&postgres, "ana", "team"), WITHIN).unwrap_err());
    assert!(matches!(older, OrgError::Schema { found: 1, .. }), "{older}");
    assert!(older.to_string().contains("memory org init"), "{older}");
    // Who may change no tables is refused, and changes nothing.
    assert!(PgStore::init(&server(&postgres, "bo", "team"), WITHIN).is_err());
    assert_eq!(postgres.sql("team", "SELECT max(version) FROM plimsoll.version"), "1");
    let owner = server(&postgres, SUPERUSER, "team");
    assert!(PgStore::init(&owner, WITHIN).unwrap().1);
    assert!(!PgStore::init(&owner, WITHIN).unwrap().1);
    let (mut ana, mut bo) = (open(&postgres, "ana", "team"), open(&postgres, "bo", "team"));
    // Earlier members find what was there by its subjects.
    for store in [&ana, &bo] {
        assert_eq!(store.ids_mentioning(&shop(), &["pg".into()], 10).unwrap(), ["0123456789abcdef0123"]);
        // What a page told before pages were untrusted is so as well.
        let trust = |id: &str| store.get(id).unwrap().unwrap().trust;
        assert_eq!(trust("fedcba98765432100123"), Trust::Untrusted);
        assert_eq!(trust("0123456789abcdef0123"), Trust::User);
    }
    let record = |place: &str| Record {
        place: place.into(),
        kind: RecordKind::Prompt,
        key: "prompt/review/1/1".into(),
        body: Some("{}".into()),
        at_ms: 1,
    };
    assert_eq!(ana.put_records(&[record("github.com/acme/shop"), record("")]).unwrap(), 2);
    assert_eq!(bo.records("github.com/acme/shop", RecordKind::Prompt).unwrap().len(), 1);
    assert_eq!(bo.records("", RecordKind::Prompt).unwrap().len(), 1);
    let denied = org(bo.put_records(&[record("github.com/acme/shop")]).unwrap_err());
    assert!(matches!(denied, OrgError::Denied { .. }), "{denied}");
}

#[test]
fn what_is_shared_beside_memories_has_their_rights() {
    let Some(postgres) = Postgres::start() else { return };
    let mut ana = team(&postgres, "team");
    let record = |place: &str, body: Option<&str>, at_ms| Record {
        place: place.into(),
        kind: RecordKind::Prompt,
        key: "prompt/review/1/1".into(),
        body: body.map(str::to_owned),
        at_ms,
    };
    let (here, secret) = ("github.com/acme/shop", "github.com/acme/secret");
    for place in [here, secret, ""] {
        ana.put_records(&[record(place, Some("{}"), 1)]).unwrap();
    }
    capture(&mut ana, Draft { project: Some(secret.into()), ..draft("PostgreSQL of the secret one") });
    for (role, allowed) in [(Role::Reader, &[][..]), (Role::Writer, &[here][..])] {
        ana.grant("bo", here, role).unwrap();
        let mut bo = open(&postgres, "bo", "team");
        let seen = |place: &str| bo.records(place, RecordKind::Prompt).unwrap().len();
        assert_eq!((seen(here), seen(secret), seen("")), (1, 0, 1), "{role:?}");
        assert!(bo.ids_mentioning(&Scope::Everywhere, &["pg".into()], 10).unwrap().is_empty());
        for place in [here, secret, ""] {
            for (body, at_ms) in [(Some("{\"by\":\"bo\"}"), 2), (None, 3)] {
                let done = bo.put_records(&[record(place, body, at_ms)]);
                assert_eq!(done.is_ok(), allowed.contains(&place), "{role:?} {place} {done:?}");
            }
        }
    }
    assert_eq!(ana.records(secret, RecordKind::Prompt).unwrap(), [record(secret, Some("{}"), 1)]);
    assert_eq!(ana.records("", RecordKind::Prompt).unwrap(), [record("", Some("{}"), 1)]);
    assert_eq!(ana.records(here, RecordKind::Prompt).unwrap(), [record(here, None, 3)]);
}

#[test]
fn it_fulfils_it_behind_a_pooler_that_hands_connections_on_after_each_transaction() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(pooler) = Pooler::before(&postgres, &[SUPERUSER, "ana", "bo"]) else { return };
    postgres.make("team", &["ana", "bo"]);
    let at = |person: &str| Server::parse(&pooler.url(person, "team")).unwrap();
    let (mut owner, made) = PgStore::init(&at(SUPERUSER), WITHIN).unwrap();
    assert!(made && !PgStore::init(&at(SUPERUSER), WITHIN).unwrap().1);
    owner.grant("ana", "*", Role::Admin).unwrap();
    let mut ana = PgStore::open(&at("ana"), WITHIN).unwrap();
    fulfils_the_contract(&postgres, &mut ana);
    let _ = postgres.sql("team", "TRUNCATE plimsoll.memories, plimsoll.records CASCADE");
    // Eight clients of one user take turns on one connection, and a reader beside them: none has another's rights or
    // statements.
    ana.grant("bo", "github.com/acme/shop", Role::Reader).unwrap();
    std::thread::scope(|scope| {
        for client in 0..8 {
            let at = &at;
            scope.spawn(move || {
                let mut store = PgStore::open(&at("ana"), WITHIN).unwrap();
                for n in 0..20 {
                    capture(&mut store, draft(&format!("Client {client} says {n}")));
                    let before = store.now().unwrap();
                    assert!(store.since("github.com/acme/shop", (0, 0)).unwrap().memories.len() <= 500);
                    assert!(store.now().unwrap() >= before);
                }
            });
        }
        scope.spawn(|| {
            let mut bo = PgStore::open(&at("bo"), WITHIN).unwrap();
            for n in 0..40 {
                let new = draft(&format!("Bo says {n}")).check(Secrets::Redact).unwrap();
                let denied = org(bo.capture(&new, &who()).unwrap_err());
                assert!(matches!(denied, OrgError::Denied { .. }), "{denied}");
                assert!(bo.list(&select(shop(), "", NOW + 1), ALL).is_ok());
            }
        });
    });
    assert_eq!(ana.list(&select(shop(), "", NOW + 1), ALL).unwrap().total, 160);
    assert_eq!(ana.health().unwrap().memories, 160);
    // All that took at most one connection on the server for each user.
    let clients = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'team' AND usename IN ('ana', 'bo')";
    assert!(postgres.sql(SUPERUSER, clients).parse::<u32>().unwrap() <= 2);
    // It goes: that is told as a server that is gone is, and the next connection works.
    drop(pooler);
    assert!(org(ana.list(&select(shop(), "", NOW), ALL).unwrap_err()).passes() && ana.is_closed());
}
